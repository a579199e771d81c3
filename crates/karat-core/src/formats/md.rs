//! A Markdown report for a pull request: verdict, metrics, gates, what went wrong, the cases (folded when many).

use std::fmt::Write;

use super::{Format, figure};
use crate::docs;
use crate::profiles::Profile;
use crate::report::{Case, Checked, Decision, Figure, Gate, Outcome, Report};
use crate::text;

/// The declaration.
pub const FORMAT: Format = Format {
    name: "md",
    ending: ".md",
    summary: "Markdown for a pull request",
    render: |report, _| md(report),
    check: |checked, _| {
        let mut out = String::new();
        check(checked, &mut out).unwrap_or_default();
        out
    },
    paths: false,
};

/// More cases than this are folded away.
const OPEN_CASES: usize = 20;
/// A pull-request comment holds 64 KB; past this many rows the table says what it left out.
const MOST_CASES: usize = 500;

fn md(report: &Report) -> String {
    let mut out = String::new();
    render(report, &mut out).unwrap_or_default();
    out
}

/// Several suites: one table, then each suite under a heading of its own.
fn check(checked: &Checked, out: &mut String) -> std::fmt::Result {
    writeln!(out, "# {} karat check: {}\n", mark(checked.verdict), checked.verdict.name())?;
    writeln!(out, "| suite | kind | verdict | gates that do not pass |\n|---|---|---|---|")?;
    if let Some(lock) = &checked.lock {
        let (word, says) = if lock.pass { ("✅", "unchanged") } else { ("❌", lock.says.as_str()) };
        writeln!(out, "| gold | lock | {word} | {} |", escape(says))?;
    }
    for suite in &checked.suites {
        let gate = |gate: &Gate| {
            let waived = if gate.waived.is_some() { " (waived)" } else { "" };
            format!("`{}`{waived}", gate.text.replace(['`', '|'], " "))
        };
        let (word, stuck) = match &suite.report {
            Some(report) => {
                let stuck = report.gates.iter().filter(|gate| gate.pass == Some(false)).map(gate);
                (
                    if suite.pass { "✅ SHIP" } else { report.verdict.name() },
                    stuck.collect::<Vec<_>>().join(", "),
                )
            }
            None => ("❌ bad input", escape(&suite.problems.join("; "))),
        };
        writeln!(out, "| {} | {} | {word} | {stuck} |", escape(&suite.name), suite.kind)?;
    }
    list(out, "Waivers that let nothing pass", &checked.idle_waivers)?;
    for (name, report) in checked.reports() {
        writeln!(out, "\n---\n\n## {}\n", escape(name))?;
        for line in md(report).lines() {
            writeln!(out, "{}{line}", if line.starts_with('#') { "##" } else { "" })?;
        }
    }
    Ok(())
}

fn mark(verdict: Decision) -> &'static str {
    match verdict {
        Decision::Ship => "✅",
        Decision::NoShip => "❌",
        Decision::Inconclusive => "⚠️",
    }
}

fn render(report: &Report, out: &mut String) -> std::fmt::Result {
    let mark = mark(report.verdict);
    writeln!(out, "# {mark} karat {}: {}\n", report.suite, report.verdict.name())?;
    let judged = report.gates.iter().filter(|gate| gate.pass.is_some()).count() as u64;
    let stuck: Vec<&Gate> = report.gates.iter().filter(|gate| gate.pass == Some(false)).collect();
    if let Some(headline) = &report.headline {
        writeln!(out, "{}.\n", docs::capital(&escape(headline)))?;
    } else if stuck.is_empty() {
        writeln!(out, "{} pass.\n", text::count(judged, "gate"))?;
    } else {
        writeln!(out, "{} of {} stand in the way.\n", stuck.len(), text::count(judged, "gate"))?;
    }
    checks(out, report)?;
    writeln!(out, "| metric | value | n/N | 95 % interval | gate | |\n|---|--:|--:|---|---|---|")?;
    for (name, value) in &report.metrics {
        let gates: Vec<&Gate> =
            report.gates.iter().filter(|g| g.metric == *name && g.slice.is_none()).collect();
        row(out, name, value, &gates)?;
    }
    for gate in report.gates.iter().filter(|g| g.slice.is_none() && !report.metrics.contains_key(&g.metric)) {
        let value = gate.value.map_or_else(|| "–".into(), |value| format!("{value}"));
        writeln!(
            out,
            "| {} | {value} | | | {} | {} |",
            escape(&gate.metric),
            escape(&sign(gate)),
            outcome(gate)
        )?;
    }
    writeln!(out)?;
    for gate in report.gates.iter().filter(|gate| gate.reason.is_some()) {
        writeln!(out, "- `{}`: {}", gate.text, escape(gate.reason.as_deref().unwrap_or_default()))?;
    }
    list(out, "What it suggests", &report.diagnosis)?;
    table(out, "The curve, in milliseconds (→ selected, * on the frontier)", super::curve(report))?;
    table(out, "Where the time goes, at the selected point", super::stage_times(report))?;
    table(out, "Beside the baseline", super::against(report))?;
    table(out, "Compared with the baseline", super::moved(report))?;
    table(out, "By type of content", super::types(report))?;
    raters(out, report)?;
    super::repeated(report).into_iter().try_for_each(|(title, rows)| table(out, title, Some(rows)))?;
    slices(out, report)?;
    offenders(out, report)?;
    cases(out, report)?;
    list(out, "Remarks", &report.hints)?;
    writeln!(out, "\n## Inputs\n\n| role | path | rows | fingerprint |\n|---|---|--:|---|")?;
    for input in &report.inputs {
        writeln!(
            out,
            "| {} | {} | {} | `{}` |",
            input.role,
            escape(&input.path),
            text::group(input.rows),
            input.fingerprint()
        )?;
    }
    let settings = &report.settings;
    let options: Vec<String> = settings
        .options
        .iter()
        .map(|(name, value)| format!(" · {name} {}", escape(value.as_str().unwrap_or(&value.to_string()))))
        .collect();
    writeln!(out, "\nkarat {} · gates: {}{}", report.karat, escape(&settings.gates), options.concat())
}

fn checks(out: &mut String, report: &Report) -> std::fmt::Result {
    if report.checks.is_empty() {
        return Ok(());
    }
    writeln!(out, "| check | | says | cases |\n|---|---|---|---|")?;
    for check in &report.checks {
        let mark = match check.pass {
            Some(true) => "✅",
            Some(false) => "❌",
            None => "not judged",
        };
        let more = if check.cases_total > check.cases.len() as u64 { ", …" } else { "" };
        let cases = escape(&check.cases.join(", "));
        writeln!(out, "| {} | {mark} | {} | {cases}{more} |", escape(&check.name), escape(&check.says))?;
    }
    writeln!(out)
}

fn row(out: &mut String, name: &str, value: &Figure, gates: &[&Gate]) -> std::fmt::Result {
    let over = match (value.num, value.den) {
        (Some(num), Some(den)) => format!("{}/{}", text::group(num), text::group(den)),
        (None, Some(den)) => format!("over {}", text::group(den)),
        _ => String::new(),
    };
    let interval = value.ci95.map_or_else(String::new, |[low, high]| format!("{low:.4} – {high:.4}"));
    let shown = match (value.num, value.den) {
        (Some(count), None) => text::group(count),
        _ => figure(value.value),
    };
    let vacuous = if value.vacuous { " (vacuous)" } else { "" };
    let signs: Vec<String> = gates.iter().map(|gate| escape(&sign(gate))).collect();
    let outcomes: Vec<&str> = gates.iter().map(|gate| outcome(gate)).collect();
    writeln!(
        out,
        "| {} | {shown}{vacuous} | {over} | {interval} | {} | {} |",
        escape(name),
        signs.join("<br>"),
        outcomes.join("<br>")
    )
}

fn sign(gate: &Gate) -> String {
    let start = gate.text.find(gate.op.as_str()).unwrap_or(0);
    gate.text[start..].to_owned()
}

fn outcome(gate: &Gate) -> &'static str {
    match gate.outcome {
        Outcome::Pass => "✅ pass",
        Outcome::Fail => "❌ **fail**",
        Outcome::Inconclusive => "⚠️ inconclusive",
        Outcome::NotJudged => "not judged",
    }
}

fn list(out: &mut String, title: &str, items: &[String]) -> std::fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## {title}\n")?;
    items.iter().try_for_each(|item| writeln!(out, "- {}", escape(item)))
}

fn table(out: &mut String, title: &str, table: Option<super::Table>) -> std::fmt::Result {
    let Some((heads, rows)) = table.as_deref().and_then(<[_]>::split_first) else { return Ok(()) };
    let rules = "--:|".repeat(heads.len() - 1);
    let cells = |row: &[String]| row.iter().map(|cell| escape(cell)).collect::<Vec<_>>().join(" | ");
    writeln!(out, "\n## {title}\n\n| {} |\n|---|{rules}", cells(heads))?;
    rows.iter().try_for_each(|row| writeln!(out, "| {} |", cells(row)))
}

/// Who says what, and how well each finds what the truth rejects.
fn raters(out: &mut String, report: &Report) -> std::fmt::Result {
    let Some(agreement) = &report.agreement else { return Ok(()) };
    let labels = agreement.marginals.values().next().into_iter().flat_map(|labels| labels.keys());
    let heads = |first: String| std::iter::once(first).chain(labels.clone().cloned()).collect::<Vec<_>>();
    let row = |name: &str, counts: &mut dyn Iterator<Item = &u64>| -> Vec<String> {
        std::iter::once(name.to_owned()).chain(counts.map(|n| text::group(*n))).collect()
    };
    let mut rows = Vec::new();
    let title = if let [down, across] = agreement.raters.as_slice() {
        rows.push(heads(format!("{down} \\ {across}")));
        rows.extend(labels.clone().zip(&agreement.confusion).map(|(label, n)| row(label, &mut n.iter())));
        "Who says what: the first rater down, the second across"
    } else {
        rows.push(heads("rater".into()));
        rows.extend(agreement.marginals.iter().map(|(rater, n)| row(rater, &mut n.values())));
        "Who says what"
    };
    table(out, title, Some(rows))?;
    let Some(truth) = &agreement.truth else { return Ok(()) };
    let mut rows = vec![["rater", "n", "precision", "recall", "f1", "kappa"].map(str::to_owned).to_vec()];
    for (rater, c) in &agreement.calibration {
        let figures = [c.precision, c.recall, c.f1, c.kappa].map(figure);
        rows.push([rater.clone(), text::group(c.n)].into_iter().chain(figures).collect());
    }
    table(out, &format!("Against {}: what of its rejections each finds", escape(truth)), Some(rows))
}

fn slices(out: &mut String, report: &Report) -> std::fmt::Result {
    if report.slices.is_empty() {
        return Ok(());
    }
    let shown = Profile::named(&report.suite).map_or(&[][..], |profile| profile.slices);
    let heads: Vec<&str> = shown.iter().map(|(name, _)| *name).collect();
    let rules = "--:|".repeat(shown.len());
    writeln!(out, "\n## Slices\n\n| slice | cases | {} | gates |\n|---|--:|{rules}---|", heads.join(" | "))?;
    for slice in &report.slices {
        let value = |name: &&str| match slice.metrics.get(*name) {
            Some(figure) if figure.vacuous => "–".to_owned(),
            Some(f) => figure(f.value),
            None => "–".to_owned(),
        };
        let figures: Vec<String> = heads.iter().map(value).collect();
        let stuck: Vec<String> = slice
            .gates
            .iter()
            .filter(|g| g.pass == Some(false))
            .map(|g| format!("{} {}", outcome(g), escape(&g.text)))
            .collect();
        let gates = match (slice.gates.is_empty(), stuck.is_empty()) {
            (true, _) => String::new(),
            (false, true) => "✅ pass".into(),
            (false, false) if slice.offenders.is_empty() => stuck.join("<br>"),
            (false, false) => {
                format!("{}<br>cases: {}", stuck.join("<br>"), escape(&slice.offenders.join(", ")))
            }
        };
        let name = format!("{}={}", slice.field, slice.value.as_deref().unwrap_or("(none)"));
        writeln!(out, "| {} | {} | {} | {gates} |", escape(&name), slice.cases, figures.join(" | "))?;
    }
    Ok(())
}

fn offenders(out: &mut String, report: &Report) -> std::fmt::Result {
    if report.offenders.is_empty() {
        return Ok(());
    }
    let notes_only = matches!(report.suite.as_str(), "release" | "agreement" | "stability");
    let claims = matches!(report.suite.as_str(), "answers" | "latency");
    let (head, rules) = match report.suite.as_str() {
        "release" | "agreement" | "stability" => ("what happened", "---|"),
        "retrieval" => ("what happened | cited | gold", "---|---|---|"),
        _ => ("claim | cited | gold", "---|---|---|"),
    };
    writeln!(
        out,
        "\n## Worst cases\n\n| id | label | stage | question | {} | do |\n|---|---|---|---|{}---|",
        head, rules
    )?;
    let ids = |ids: &[String]| {
        if ids.is_empty() { "–".to_owned() } else { escape(&text::shorten(&ids.join(", "), 80)) }
    };
    for case in &report.offenders {
        let notes: Vec<String> = case.notes.iter().map(|note| escape(&text::shorten(note, 200))).collect();
        let said = if claims {
            case.claim.as_deref().map_or_else(|| "–".into(), |claim| escape(&text::shorten(claim, 160)))
        } else {
            notes.join("<br>")
        };
        let facts = if notes_only {
            said
        } else {
            format!("{said} | {} | {}", ids(&case.cited), ids(&case.gold_citations))
        };
        writeln!(
            out,
            "| {} (line {}) | **{}** | {} | {} | {facts} | {} |",
            escape(&case.id),
            case.line,
            case.label,
            case.first_failed_stage,
            escape(&text::shorten(&case.question, 120)),
            case.next_step
        )?;
    }
    Ok(())
}

fn cases(out: &mut String, report: &Report) -> std::fmt::Result {
    if report.cases.is_empty() {
        return Ok(());
    }
    let folded = report.cases.len() > OPEN_CASES;
    let retrieval = report.suite == "retrieval";
    writeln!(
        out,
        "\n## {}\n",
        if retrieval || matches!(report.suite.as_str(), "answers" | "latency") {
            "Per question"
        } else {
            "Per case"
        }
    )?;
    if folded {
        writeln!(out, "<details><summary>{}</summary>\n", text::count(report.cases.len() as u64, "case"))?;
    }
    let release = report.suite == "release";
    let head = match report.suite.as_str() {
        "release" => "id | released | stage | reason",
        "retrieval" => "qid | runs | stage | coverage",
        "agreement" => "qid | ratings | | why",
        "stability" => "qid | runs | stage | measures",
        _ => "qid | answered | hit | refusal",
    };
    writeln!(out, "| {head} | label |\n|---|---|---|---|---|")?;
    for case in report.cases.iter().take(MOST_CASES) {
        let label = if case.skipped { "MISSING (skipped)" } else { &case.label };
        let fact = |fact: Option<bool>| fact.map(|fact| fact.to_string()).unwrap_or_default();
        let facts = if release {
            [fact(case.released), case.first_failed_stage.clone(), reason(case)]
        } else if retrieval {
            let coverage = figure(case.figures.get("coverage").copied().flatten());
            [case.runs.unwrap_or(0).to_string(), case.first_failed_stage.clone(), coverage]
        } else if report.stability.is_some() {
            let shown =
                |(name, value): (&String, &Option<f64>)| value.map(|_| format!("{name} {}", figure(*value)));
            let measures: Vec<String> =
                case.figures.iter().filter_map(shown).map(|text| escape(&text)).collect();
            [case.runs.unwrap_or(0).to_string(), escape(&case.first_failed_stage), measures.join(" · ")]
        } else if report.agreement.is_some() {
            let said: Vec<String> =
                case.ratings.iter().map(|(rater, label)| format!("{}: {label}", escape(rater))).collect();
            [said.join("<br>"), String::new(), case.first_failed_stage.clone()]
        } else {
            [fact(case.answered), fact(case.hit), fact(case.refusal)]
        };
        writeln!(out, "| {} | {} | **{label}** |", escape(&case.id), facts.join(" | "))?;
    }
    if report.cases.len() > MOST_CASES {
        writeln!(
            out,
            "\n{} more cases are in the json and csv reports.",
            text::group((report.cases.len() - MOST_CASES) as u64)
        )?;
    }
    if folded {
        writeln!(out, "\n</details>")?;
    }
    Ok(())
}

/// Why an evidence path is not admissible, and where: the first reason.
fn reason(case: &Case) -> String {
    let Some(first) = case.reasons.first() else { return String::new() };
    let at = first.at.as_deref().map(|at| format!(" {}", escape(&text::shorten(at, 60)))).unwrap_or_default();
    format!("{}{at}", first.reason)
}

/// Text from the input as plain words: nothing in it is markup, a link, or a table's bar.
pub(crate) fn escape(plain: &str) -> String {
    let mut out = String::with_capacity(plain.len());
    for c in text::visible(plain).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '|' => out.push_str("&#124;"),
            '@' => out.push_str("&#64;"), // no mention of a stranger
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '!' | '$' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn input_is_never_markup() {
        assert_eq!(
            escape("a|b <script> `x` [l](u) @me\n"),
            "a&#124;b &lt;script&gt; \\`x\\` \\[l\\](u) &#64;me␊"
        );
    }
}
