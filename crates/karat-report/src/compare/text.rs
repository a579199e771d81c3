//! For a terminal: may it ship, which figures moved, which cases to open. Eighty columns.

use std::fmt::Write;

use anstyle::{AnsiColor, Style as Paint};

use super::Comparison;
use super::comparison::{Change, Flip, What};
use crate::formats::{Style, figure};
use crate::report::{Decision, Outcome};
use crate::text::{count, group, shorten, visible};
use crate::wrap::wrap;

const GOOD: Paint = AnsiColor::Green.on_default().bold();
const BAD: Paint = AnsiColor::Red.on_default().bold();
const UNSURE: Paint = AnsiColor::Yellow.on_default().bold();
const DIM: Paint = Paint::new().dimmed();
const BOLD: Paint = Paint::new().bold();

/// How many cases of a kind are told.
const TOLD: usize = 10;

pub(super) fn render(comparison: &Comparison, style: &Style) -> String {
    let mut page = Page { text: String::new(), color: style.color };
    page.verdict(comparison.verdict, &comparison.called(), &comparison.reasons);
    page.sides(comparison);
    if !style.brief {
        page.figures(comparison);
        page.cases(comparison);
        page.how(comparison);
    }
    page.text
}

/// The verdict and its reasons alone.
pub(super) fn headline(verdict: Decision, of: &str, reasons: &[String], style: &Style) -> String {
    let mut page = Page { text: String::new(), color: style.color };
    page.verdict(verdict, of, reasons);
    page.text
}

struct Page {
    text: String,
    color: bool,
}

impl Page {
    fn paint(&self, paint: Paint, text: &str) -> String {
        if self.color { format!("{paint}{text}{paint:#}") } else { text.to_owned() }
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}", line.trim_end());
    }

    /// Breaks a line at spaces, eighty columns wide.
    fn wrap(&mut self, lead: &str, text: &str) {
        let indent = " ".repeat(lead.chars().count());
        self.line(&wrap(lead, &indent, &visible(text)));
    }

    fn verdict(&mut self, verdict: Decision, of: &str, reasons: &[String]) {
        let paint = match verdict {
            Decision::Ship => GOOD,
            Decision::NoShip => BAD,
            Decision::Inconclusive => UNSURE,
        };
        let mut reasons = reasons.iter();
        let first = reasons.next().map(String::as_str).unwrap_or_default();
        let word = verdict.name();
        // The verdict is painted after the line is broken: codes have no width.
        let at = self.text.len();
        self.wrap(&format!("{word}  "), &format!("{of}: {first}"));
        self.text.replace_range(at..at + word.len(), &self.paint(paint, word));
        for reason in reasons {
            self.wrap(&" ".repeat(word.len() + 2), reason);
        }
    }

    fn sides(&mut self, comparison: &Comparison) {
        let indent = comparison.verdict.name().len() + 2;
        let paired = count(comparison.cases.paired, "case");
        let sides = format!("{} → {}, {paired} paired", comparison.base.path, comparison.new.path);
        self.line(&self.paint(DIM, &format!("{}{}", " ".repeat(indent), visible(&sides))));
        if comparison.gold_changed {
            self.line(&self.paint(UNSURE, "Gold changed: figures are of the cases that both sides have."));
        }
    }

    fn figures(&mut self, comparison: &Comparison) {
        let width =
            comparison.metrics.iter().map(|change| change.metric.len()).max().unwrap_or(0).clamp(17, 24);
        let head = format!(
            "\n  {:<width$} {:>7} {:>7} {:>8}  {:<18} {:>7}  allowed",
            "metric", "base", "new", "Δ", "95% interval", "p"
        );
        self.line(&self.paint(DIM, &head));
        for change in comparison.metrics.iter().filter(|change| shown(change)) {
            self.figure(change, width);
        }
        let still: Vec<&str> = comparison
            .metrics
            .iter()
            .filter(|change| !shown(change))
            .map(|change| change.metric.as_str())
            .collect();
        if !still.is_empty() {
            self.wrap("  unchanged: ", &still.join(", "));
        }
    }

    fn figure(&mut self, change: &Change, width: usize) {
        let (paint, mark) = match change.outcome {
            Outcome::Pass => (GOOD, "✓"),
            Outcome::Fail => (BAD, "✗"),
            Outcome::Inconclusive => (UNSURE, "?"),
            Outcome::NotJudged => (DIM, " "),
        };
        let [base, new, delta] = told(change);
        let line = format!(
            "{} {:<width$} {base:>7} {new:>7} {delta:>8}  {:<18} {:>7}  {}",
            self.paint(paint, mark),
            shorten(&visible(&change.metric), width),
            interval(change),
            change.p_holm.or(change.p).map_or_else(String::new, p_value),
            change.allowed.as_deref().unwrap_or_default(),
        );
        self.line(&line);
        if let Some(reason) = &change.reason {
            self.wrap("    ", reason);
        }
        if change.outcome == Outcome::Fail && !change.worse.is_empty() {
            let more = if change.worse_total > change.worse.len() as u64 { ", …" } else { "" };
            let worse = count(change.worse_total, "case");
            self.wrap("    ", &format!("worse on {worse}: {}{more}", change.worse.join(", ")));
        }
    }

    fn cases(&mut self, comparison: &Comparison) {
        let counts = comparison.cases;
        let mut parts = vec![
            format!("{} broken", group(counts.broken)),
            format!("{} fixed", group(counts.fixed)),
            format!("{} relabelled", group(counts.relabelled)),
            format!("{} unchanged", group(counts.unchanged)),
        ];
        if counts.only_base + counts.only_new > 0 {
            parts.push(format!("{} only in the base", group(counts.only_base)));
            parts.push(format!("{} only in the new", group(counts.only_new)));
        }
        self.line(&format!("\n{}  {}", self.paint(BOLD, "Cases"), parts.join(", ")));
        let gold =
            comparison.new.inputs.iter().find(|input| input.role == "gold").map(|input| input.path.as_str());
        for (what, title) in [
            (What::Broken, "Broken: open these first"),
            (What::Fixed, "Fixed"),
            (What::Relabelled, "Relabelled: no better, no worse"),
        ] {
            let all: Vec<&Flip> = comparison.flips.iter().filter(|flip| flip.what == what).collect();
            if all.is_empty() {
                continue;
            }
            self.line(&format!("\n{}", self.paint(BOLD, title)));
            for flip in all.iter().take(TOLD) {
                self.flip(flip, gold);
            }
            if all.len() > TOLD {
                self.line(&format!("  … and {} more: --format csv lists them all", all.len() - TOLD));
            }
        }
        for (title, ids, total) in [
            ("Only in the base", &comparison.only_base, counts.only_base),
            ("Only in the new", &comparison.only_new, counts.only_new),
        ] {
            if total > 0 {
                let more = if total > TOLD as u64 { ", …" } else { "" };
                let first: Vec<&str> = ids.iter().take(TOLD).map(String::as_str).collect();
                self.wrap(&format!("{title}: "), &format!("{}{more}", first.join(", ")));
            }
        }
    }

    fn flip(&mut self, flip: &Flip, gold: Option<&str>) {
        let paint = match flip.what {
            What::Broken => BAD,
            What::Fixed => GOOD,
            What::Relabelled => DIM,
        };
        let stage =
            if flip.what == What::Fixed { String::new() } else { format!("lost at {}", flip.new_stage) };
        let place = match gold {
            Some(gold) if flip.line > 0 => format!("{gold}:{}", flip.line),
            _ => String::new(),
        };
        let labels = format!("{} → {}", visible(&flip.base), visible(&flip.new));
        let rest = [stage, place].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("  ");
        let id = self.paint(BOLD, &format!("{:<12}", shorten(&visible(&flip.id), 40)));
        self.line(&format!(
            "  {id}  {}  {}",
            self.paint(paint, &format!("{labels:<30}")),
            self.paint(DIM, &visible(&rest))
        ));
    }

    fn how(&mut self, comparison: &Comparison) {
        let settings = &comparison.settings;
        let judged = comparison.metrics.iter().filter(|change| change.p_holm.is_some()).count() as u64;
        let mut told = format!(
            "p: exact McNemar where both sides count the same cases, else a paired permutation ({} draws, seed {}); \
             Holm-corrected over the {} that are judged. ",
            group(settings.draws),
            settings.seed,
            count(judged, "figure")
        );
        told.push_str(if settings.require_significant {
            "A fall fails if it is further than allowed and significant."
        } else {
            "A fall fails if it is further than allowed, significant or not (--require-significant)."
        });
        if !settings.gates {
            told.push_str(" The new report's own gates do not count.");
        }
        self.line("");
        let at = self.text.len();
        self.wrap("", &told);
        if self.color {
            let dim = self.paint(DIM, self.text[at..].trim_end());
            self.text.truncate(at);
            self.line(&dim);
        }
    }
}

/// A figure that moved, or that decides.
fn shown(change: &Change) -> bool {
    change.outcome != Outcome::NotJudged || change.delta.is_some_and(|delta| delta != 0.0)
}

/// The values and their difference; those of counts are whole.
pub(super) fn told(change: &Change) -> [String; 3] {
    let whole = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value}"));
    let difference = |told: fn(f64) -> String| change.delta.map_or_else(|| "–".to_owned(), told);
    if change.count {
        [
            whole(change.base),
            whole(change.new),
            difference(|delta| if delta == 0.0 { "0".into() } else { format!("{delta:+}") }),
        ]
    } else {
        [shown_as(change.base), shown_as(change.new), difference(signed)]
    }
}

/// A rate to four decimals; what has a unit needs fewer.
fn shown_as(value: Option<f64>) -> String {
    match value {
        Some(value) if value.abs() >= 100.0 => format!("{value:.1}"),
        value => figure(value),
    }
}

/// The interval, where there is one.
pub(super) fn interval(change: &Change) -> String {
    change.ci95.map_or_else(String::new, |[low, high]| format!("{} – {}", signed(low), signed(high)))
}

/// A difference with its sign; nothing is not "-0.0000".
fn signed(value: f64) -> String {
    match value.abs() {
        _ if crate::number::round4(value) == 0.0 => "0.0000".into(),
        large if large >= 100.0 => format!("{value:+.1}"),
        _ => format!("{value:+.4}"),
    }
}

/// A p-value as people read it.
pub(super) fn p_value(p: f64) -> String {
    if p < 0.0001 { "<0.0001".into() } else { format!("{p:.4}") }
}
