//! For a pull request: the verdict, the figures that moved, the cases that changed, folded when there are many.

use std::fmt::Write;

use super::Comparison;
use super::comparison::{Change, Flip, What};
use super::text::{interval, p_value, values};
use crate::formats::md::escape;
use crate::report::{Decision, Outcome};
use crate::text::{count, group};

/// More cases than this are folded.
const OPEN: usize = 10;
/// A comment has an end.
const MOST: usize = 200;

pub(super) fn render(comparison: &Comparison) -> String {
    let mut out = String::new();
    let (sign, suite) = (sign(comparison.verdict), escape(&comparison.called()));
    let _ = writeln!(out, "# {sign} karat compare {suite}: {}\n", comparison.verdict.name());
    for reason in &comparison.reasons {
        let _ = writeln!(out, "- {}", escape(reason));
    }
    let counts = comparison.cases;
    let _ = writeln!(
        out,
        "\n**{} broken**, {} fixed, {} relabelled, {} unchanged of {} paired ({} → {}).",
        group(counts.broken),
        group(counts.fixed),
        group(counts.relabelled),
        group(counts.unchanged),
        count(counts.paired, "case"),
        escape(&comparison.base.path),
        escape(&comparison.new.path)
    );
    if counts.only_base + counts.only_new > 0 {
        let _ = writeln!(out, "{} only in the base, {} only in the new.", counts.only_base, counts.only_new);
    }
    if comparison.gold_changed {
        out.push_str("\nGold changed: figures are of the cases that both sides have.\n");
    }
    out.push_str("\n| metric | base | new | Δ | 95 % interval | p (Holm) | allowed | |\n|---|--:|--:|--:|---|--:|--:|---|\n");
    for change in comparison.metrics.iter().filter(|change| change.outcome != Outcome::NotJudged) {
        row(change, &mut out);
    }
    let moved = |change: &&Change| change.delta.is_some_and(|delta| delta != 0.0);
    let others = comparison.metrics.iter().filter(|change| change.outcome == Outcome::NotJudged);
    let others: Vec<&Change> = others.filter(moved).collect();
    if !others.is_empty() {
        let figures = count(others.len() as u64, "other figure");
        let _ = writeln!(out, "\n<details><summary>{figures} that moved and are not judged</summary>\n");
        out.push_str(
            "| metric | base | new | Δ | 95 % interval | p | | |\n|---|--:|--:|--:|---|--:|--:|---|\n",
        );
        others.into_iter().for_each(|change| row(change, &mut out));
        out.push_str("\n</details>\n");
    }
    for (what, title) in [(What::Broken, "Broken"), (What::Fixed, "Fixed"), (What::Relabelled, "Relabelled")]
    {
        let all: Vec<&Flip> = comparison.flips.iter().filter(|flip| flip.what == what).collect();
        if all.is_empty() {
            continue;
        }
        let (folded, cases) = (all.len() > OPEN || what != What::Broken, count(all.len() as u64, "case"));
        out.push_str(&match folded {
            true => format!("\n<details><summary>{title}: {cases}</summary>\n\n"),
            false => format!("\n## {title}\n\n"),
        });
        out.push_str("| case | base | new | lost at |\n|---|---|---|---|\n");
        for flip in all.iter().take(MOST) {
            let cells = [&flip.id, &flip.base, &flip.new, &flip.new_stage].map(|text| escape(text));
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        if all.len() > MOST {
            let _ = writeln!(out, "\n… and {} more.", all.len() - MOST);
        }
        if folded {
            out.push_str("\n</details>\n");
        }
    }
    out
}

pub(super) fn sign(verdict: Decision) -> &'static str {
    match verdict {
        Decision::Ship => "✅",
        Decision::NoShip => "❌",
        Decision::Inconclusive => "❔",
    }
}

fn row(change: &Change, out: &mut String) {
    let [base, new, delta] = values(change);
    let says = match change.outcome {
        Outcome::Pass => "✅ pass",
        Outcome::Fail => "❌ **fail**",
        Outcome::Inconclusive => "❔ unsure",
        Outcome::NotJudged => "",
    };
    let reason = change.reason.as_deref().map(|reason| format!(": {}", escape(reason))).unwrap_or_default();
    let _ = writeln!(
        out,
        "| {} | {base} | {new} | {delta} | {} | {} | {} | {says}{reason} |",
        escape(&change.metric),
        interval(change),
        escape(&p_value(change)),
        change.allowed.as_deref().unwrap_or_default(),
    );
}
