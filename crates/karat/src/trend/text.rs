//! For a terminal: one line per figure with its sparkline, then the last runs. Eighty columns.

use std::fmt::Write;

use anstyle::Style;
use karat_engine::metrics::Direction;
use karat_engine::text::{count, shorten, visible};

use super::{Suite, Trend, condition, failed, gate, minute, range, value};
use crate::history::Run;
use crate::output::{BAD, BOLD, DIM, GOOD, UNSURE, paint};

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// How many runs are listed.
const LISTED: usize = 5;
/// How many runs a sparkline has room for.
const WIDEST: usize = 34;

pub(super) fn render(trend: &Trend, names: Option<&[String]>, color: bool) -> String {
    let mut page = Page { text: String::new(), color };
    for (i, suite) in trend.suites.iter().enumerate() {
        if i > 0 {
            page.text.push('\n');
        }
        page.suite(suite, names);
    }
    if trend.suites.is_empty() {
        page.text.push_str("The history has no run yet.\n");
    }
    page.text
}

struct Page {
    text: String,
    color: bool,
}

impl Page {
    fn paint(&self, style: Style, text: &str) -> String {
        paint(style, text, self.color)
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}", line.trim_end());
    }

    fn suite(&mut self, suite: &Suite, names: Option<&[String]>) {
        let (Some(first), Some(last)) = (suite.runs.first(), suite.last()) else { return };
        let (style, _) = verdict(&last.verdict);
        let head = format!("{}  {}", self.paint(style, &visible(&last.verdict)), visible(&suite.name));
        let (from, to) = (day(&first.time), day(&last.time));
        let span = if from == to { to } else { format!("{from} to {to}") };
        let earlier = if suite.earlier > 0 { format!("; {} earlier", suite.earlier) } else { String::new() };
        let runs = format!("({}, {span}{earlier})", count(suite.runs.len() as u64, "run"));
        self.line(&format!("{head}: the last run  {}", self.paint(DIM, &runs)));

        let shown: Vec<&Run> = suite.runs.iter().rev().take(WIDEST).rev().collect();
        let names: Vec<&str> = match names {
            Some(names) => {
                names.iter().map(String::as_str).filter(|name| suite.names().any(|n| n == *name)).collect()
            }
            None if suite.gated().is_empty() => last.metrics.keys().map(String::as_str).collect(),
            None => suite.gated(),
        };
        let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).clamp(8, 24);
        let wide = spark(&shown, |_| None).chars().count().max(8);
        self.text.push('\n');
        let heads =
            format!("  {:<width$}  {:<wide$}  {:>9} {:>9}  gate", "metric", "trend", "last", "Δ before");
        self.line(&self.paint(DIM, &heads));
        self.line(&format!("  {:<width$}  {}", "verdict", self.marked(&shown)));
        for name in &names {
            self.figure(&shown, suite, name, (width, wide));
        }
        if shown.windows(2).any(|pair| pair[0].gold != pair[1].gold) {
            self.line(
                &self.paint(DIM, "  │ gold changed here: figures on both sides are of different cases"),
            );
        }
        self.runs(suite);
    }

    fn figure(&mut self, shown: &[&Run], suite: &Suite, name: &str, (width, wide): (usize, usize)) {
        let line = spark(shown, |run| value(run, name));
        let line = format!("{line}{}", " ".repeat(wide.saturating_sub(line.chars().count())));
        let newest = shown.last().and_then(|run| value(run, name));
        let before = shown.len().checked_sub(2).and_then(|i| value(shown[i], name));
        let moved = newest.zip(before).map_or(format!("{:>9}", "–"), |(now, before)| {
            let delta = now - before;
            let told =
                if suite.is_count(name) { format!("{delta:+}") } else { format!("{:+.4}", delta + 0.0) };
            let better = match suite.direction(name) {
                Some(Direction::HigherIsBetter) => delta > 0.0,
                _ => delta < 0.0,
            };
            let (told, style) = match (told.trim_start_matches(['+', '-', '0', '.']).is_empty(), better) {
                (true, _) => ("=".to_owned(), DIM),
                (false, true) => (told, GOOD),
                (false, false) => (told, BAD),
            };
            self.paint(style, &format!("{told:>9}"))
        });
        let told = newest.map_or("–".to_owned(), |value| suite.shown(name, value));
        let (mark, gate) = match shown.last().and_then(|run| gate(run, name)) {
            None => (" ".to_owned(), String::new()),
            Some(gate) => {
                let (style, mark) = match gate.outcome.as_str() {
                    "pass" => (GOOD, "✓"),
                    "fail" => (BAD, "✗"),
                    "inconclusive" => (UNSURE, "?"),
                    _ => (DIM, "·"),
                };
                let waived = if gate.waived.is_some() { " (waived)" } else { "" };
                (self.paint(style, mark), format!("{}{waived}", visible(condition(gate))))
            }
        };
        let name = format!("{:<width$}", shorten(&visible(name), width));
        self.line(&format!("{mark} {name}  {line}  {told:>9} {moved}  {gate}"));
    }

    /// The verdicts, with the same bars as the sparklines where gold changed.
    fn marked(&self, shown: &[&Run]) -> String {
        let mut out = String::new();
        for (i, run) in shown.iter().enumerate() {
            if i > 0 && shown[i - 1].gold != run.gold {
                out.push('│');
            }
            let (style, mark) = verdict(&run.verdict);
            out.push_str(&self.paint(style, &mark.to_string()));
        }
        out
    }

    fn runs(&mut self, suite: &Suite) {
        self.line(&format!("\n{}", self.paint(BOLD, "Last runs")));
        for (i, run) in suite.runs.iter().enumerate().rev().take(LISTED) {
            let (style, mark) = verdict(&run.verdict);
            let commit = run.commit.as_deref().map_or("–", |id| id.get(..10).unwrap_or(id));
            let (time, failed) = (minute(run), failed(run));
            let mut notes = Vec::new();
            if suite.gold_changed(i) {
                notes.push("gold changed".to_owned());
            }
            if let Some(first) = failed.first() {
                let more =
                    if failed.len() > 1 { format!(" and {} more", failed.len() - 1) } else { String::new() };
                notes.push(format!("fails {}{more}", visible(first)));
            }
            let head = format!(
                "{} {}  {:<12}  {}",
                self.paint(style, &mark.to_string()),
                visible(&time),
                visible(&run.verdict),
                self.paint(DIM, &format!("{:<10}", visible(commit)))
            );
            self.line(&format!("{head}  {}", shorten(&notes.join("; "), 36)));
        }
    }
}

/// The day of a time.
fn day(time: &str) -> String {
    visible(time.get(..10).unwrap_or(time)).into_owned()
}

fn verdict(name: &str) -> (Style, char) {
    match name {
        "SHIP" => (GOOD, '✓'),
        "NO-SHIP" => (BAD, '✗'),
        _ => (UNSURE, '?'),
    }
}

/// One bar per run, from the least value to the greatest; a dot where there is none, a line where gold changed.
fn spark(runs: &[&Run], value: impl Fn(&Run) -> Option<f64>) -> String {
    let values: Vec<Option<f64>> = runs.iter().map(|run| value(run)).collect();
    let (least, most) = range(values.iter().flatten().copied());
    let bar = |value: f64| match (value - least) / (most - least) {
        share if share.is_finite() => BARS[((share * 7.0).round() as usize).min(7)],
        _ => BARS[3], // it never moved
    };
    let mut out = String::new();
    for (i, value) in values.iter().enumerate() {
        if i > 0 && runs[i - 1].gold != runs[i].gold {
            out.push('│');
        }
        out.push(value.map_or('·', bar));
    }
    out
}
