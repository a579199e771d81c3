//! For a terminal: may it ship, which figures moved, which cases to open. Eighty columns.

use super::Comparison;
use super::comparison::{Change, Flip, What};
use crate::formats::text::{BOLD, DIM, Page, paint_of};
use crate::formats::{Style, figure};
use crate::report::{Decision, Outcome};
use crate::text::{count, group, shorten, visible};

/// How many cases of a kind are told.
const TOLD: usize = 10;

pub(super) fn render(comparison: &Comparison, style: &Style) -> String {
    Page::render(style, |page| {
        page.reasons(comparison.verdict, &comparison.called(), &comparison.reasons);
        page.sides(comparison);
        if !style.brief {
            page.changes(comparison);
            page.cases(comparison);
            page.method(comparison);
        }
    })
}

impl Page {
    /// The verdict and its reasons.
    pub(super) fn reasons(&mut self, verdict: Decision, of: &str, reasons: &[String]) {
        let (first, others) = reasons.split_first().map_or(("", reasons), |(first, others)| (first, others));
        self.headline(verdict, &format!("{of}: {first}"));
        others.iter().for_each(|reason| self.wrap(&" ".repeat(verdict.name().len() + 2), reason));
    }

    fn sides(&mut self, comparison: &Comparison) {
        let indent = " ".repeat(comparison.verdict.name().len() + 2);
        let paired = count(comparison.cases.paired, "case");
        let sides = format!("{} → {}, {paired} paired", comparison.base.path, comparison.new.path);
        self.line(&self.paint(DIM, &format!("{indent}{}", visible(&sides))));
        if comparison.gold_changed {
            let says = "Gold changed: figures are of the cases that both sides have.";
            self.line(&self.paint(paint_of(Outcome::Inconclusive), says));
        }
    }

    fn changes(&mut self, comparison: &Comparison) {
        let width =
            comparison.metrics.iter().map(|change| change.metric.len()).max().unwrap_or(0).clamp(17, 24);
        let head = format!(
            "\n  {:<width$} {:>7} {:>7} {:>8}  {:<18} {:>7}  allowed",
            "metric", "base", "new", "Δ", "95% interval", "p"
        );
        self.line(&self.paint(DIM, &head));
        let (shown, still): (Vec<&Change>, Vec<_>) = comparison.metrics.iter().partition(|change| {
            change.outcome != Outcome::NotJudged || change.delta.is_some_and(|delta| delta != 0.0)
        });
        shown.into_iter().for_each(|change| self.change(change, width));
        if !still.is_empty() {
            let names: Vec<&str> = still.iter().map(|change| change.metric.as_str()).collect();
            self.wrap("  unchanged: ", &names.join(", "));
        }
    }

    fn change(&mut self, change: &Change, width: usize) {
        let mark = match change.outcome {
            Outcome::NotJudged => self.paint(DIM, " "),
            outcome => self.mark(outcome),
        };
        let [base, new, delta] = values(change);
        let line = format!(
            "{mark} {:<width$} {base:>7} {new:>7} {delta:>8}  {:<18} {:>7}  {}",
            shorten(&visible(&change.metric), width),
            interval(change),
            p_value(change),
            change.allowed.as_deref().unwrap_or_default(),
        );
        self.line(line.trim_end());
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
            (counts.broken, "broken"),
            (counts.fixed, "fixed"),
            (counts.relabelled, "relabelled"),
            (counts.unchanged, "unchanged"),
        ];
        if counts.only_base + counts.only_new > 0 {
            parts.extend([(counts.only_base, "only in the base"), (counts.only_new, "only in the new")]);
        }
        let parts: Vec<String> = parts.into_iter().map(|(n, what)| format!("{} {what}", group(n))).collect();
        self.line(&format!("\n{}  {}", self.paint(BOLD, "Cases"), parts.join(", ")));
        let gold = comparison.new.inputs.iter().find(|input| input.role == "gold");
        let gold = gold.map(|input| input.path.as_str());
        for (what, title) in [
            (What::Broken, "Broken: open these first"),
            (What::Fixed, "Fixed"),
            (What::Relabelled, "Relabelled: no better, no worse"),
        ] {
            let all: Vec<&Flip> = comparison.flips.iter().filter(|flip| flip.what == what).collect();
            if !all.is_empty() {
                self.title(title);
            }
            all.iter().take(TOLD).for_each(|flip| self.flip(flip, gold));
            if all.len() > TOLD {
                self.line(&format!("  … and {} more: --format csv lists them all", all.len() - TOLD));
            }
        }
        for (title, ids) in
            [("Only in the base", &comparison.only_base), ("Only in the new", &comparison.only_new)]
        {
            if !ids.is_empty() {
                let more = if ids.len() > TOLD { ", …" } else { "" };
                let first = ids[..ids.len().min(TOLD)].join(", ");
                self.wrap(&format!("{title}: "), &format!("{first}{more}"));
            }
        }
    }

    fn flip(&mut self, flip: &Flip, gold: Option<&str>) {
        let (outcome, stage) = match flip.what {
            What::Broken => (Outcome::Fail, Some(format!("lost at {}", flip.new_stage))),
            What::Fixed => (Outcome::Pass, None),
            What::Relabelled => (Outcome::NotJudged, Some(format!("lost at {}", flip.new_stage))),
        };
        let place = gold.filter(|_| flip.line > 0).map(|gold| format!("{gold}:{}", flip.line));
        let rest = stage.into_iter().chain(place).collect::<Vec<_>>().join("  ");
        let id = self.paint(BOLD, &format!("{:<12}", shorten(&visible(&flip.id), 40)));
        let labels = format!("{} → {}", visible(&flip.base), visible(&flip.new));
        let labels = self.paint(paint_of(outcome), &format!("{labels:<30}"));
        let line = format!("  {id}  {labels}  {}", self.paint(DIM, &visible(&rest)));
        self.line(line.trim_end());
    }

    /// How the p-values were made and what fails.
    fn method(&mut self, comparison: &Comparison) {
        let settings = &comparison.settings;
        let judged = comparison.metrics.iter().filter(|change| change.p_holm.is_some()).count() as u64;
        let told = format!(
            "p: exact McNemar where both sides count the same cases, else a paired permutation ({} draws, seed {}); \
             Holm-corrected over the {} that are judged. {}{}",
            group(settings.draws),
            settings.seed,
            count(judged, "figure"),
            if settings.require_significant {
                "A fall fails if it is further than allowed and significant."
            } else {
                "A fall fails if it is further than allowed, significant or not (--require-significant)."
            },
            if settings.gates { "" } else { " The new report's own gates do not count." },
        );
        self.line("");
        let at = self.text.len();
        self.wrap("", &told);
        let dim = self.paint(DIM, self.text[at..].trim_end());
        self.text.truncate(at);
        self.line(&dim);
    }
}

/// The values and their difference; those of counts are whole.
pub(super) fn values(change: &Change) -> [String; 3] {
    let value = |value: f64| match change.count {
        true => format!("{value}"),
        // A rate to four decimals; what has a unit needs fewer.
        false if value.abs() >= 100.0 => format!("{value:.1}"),
        false => figure(Some(value)),
    };
    let difference = |delta: f64| match change.count {
        true if delta == 0.0 => "0".to_owned(),
        true => format!("{delta:+}"),
        false => signed(delta),
    };
    [change.base.map(value), change.new.map(value), change.delta.map(difference)]
        .map(|shown| shown.unwrap_or_else(|| "–".to_owned()))
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

/// The p-value as people read it: the corrected one where the figure is judged.
pub(super) fn p_value(change: &Change) -> String {
    let told = |p: f64| if p < 0.0001 { "<0.0001".into() } else { format!("{p:.4}") };
    change.p_holm.or(change.p).map_or_else(String::new, told)
}
