//! How are a gate's outcome and a figure's value said and marked? A shape and a word each, never a colour alone.

use crate::formats::figure;
use crate::report::{Figure, Gate, Outcome, Report};
use crate::text;

/// The class that colours an outcome.
pub(super) fn tone(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "pass",
        Outcome::Fail => "fail",
        Outcome::Inconclusive => "unsure",
        Outcome::NotJudged => "idle",
    }
}

/// Its shape.
pub(super) fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "✓",
        Outcome::Fail => "✗",
        Outcome::Inconclusive => "?",
        Outcome::NotJudged => "·",
    }
}

/// A gate's word.
pub(super) fn word(gate: &Gate) -> &'static str {
    match (gate.outcome, gate.waived.is_some()) {
        (Outcome::Pass, _) => "pass",
        (Outcome::Fail, false) => "fail",
        (Outcome::Fail, true) => "fail (waived)",
        (Outcome::Inconclusive, false) => "inconclusive",
        (Outcome::Inconclusive, true) => "inconclusive (waived)",
        (Outcome::NotJudged, _) => "not judged",
    }
}

/// A gate without its metric: `≥ 0.80 at 95 %`.
pub(super) fn gate_sign(gate: &Gate) -> String {
    let typed = gate.text.split_once(gate.op.as_str()).map_or("", |(_, typed)| typed);
    let op = match gate.op.as_str() {
        ">=" => "≥",
        "<=" => "≤",
        "==" => "=",
        op => op,
    };
    match typed.split_once('@') {
        Some((number, level)) => format!("{op} {number} at {level} %"),
        None => format!("{op} {typed}"),
    }
}

/// A figure's value: a count is whole, any other has four decimals.
pub(super) fn value(figure_of: &Figure) -> String {
    match (figure_of.num, figure_of.den) {
        (Some(count), None) => text::group(count),
        _ => decimal(figure_of.value),
    }
}

/// The figure that a gate looks at: of all cases, or of its slice.
pub(super) fn figure_of<'a>(report: &'a Report, gate: &Gate) -> Option<&'a Figure> {
    let slice = gate.slice.as_ref().and_then(|name| {
        report
            .slices
            .iter()
            .find(|s| format!("{}={}", s.field, s.value.as_deref().unwrap_or("(none)")) == *name)
    });
    match (&gate.slice, slice) {
        (Some(_), None) => None,
        (_, slice) => slice.map_or(&report.metrics, |slice| &slice.metrics).get(&gate.metric),
    }
}

/// A number for people: rates have four decimals, times need no more than one.
pub(super) fn decimal(value: Option<f64>) -> String {
    match value {
        Some(value) if value.abs() >= 100.0 => format!("{value:.1}"),
        value => figure(value),
    }
}

/// The value that a gate looks at.
pub(super) fn shown_value(report: &Report, gate: &Gate) -> String {
    match (figure_of(report, gate), gate.value) {
        (Some(figure), _) => value(figure),
        (None, Some(count)) if count.fract() == 0.0 => format!("{count:.0}"),
        (None, count) => decimal(count),
    }
}

/// What a figure ranges over: `7/10 shipped`.
pub(super) fn over(figure: &Figure) -> String {
    match (figure.num, figure.den) {
        (Some(num), Some(den)) => format!("{}/{} {}", text::group(num), text::group(den), figure.over),
        (None, Some(den)) => format!("over {} {}", text::group(den), figure.over),
        (Some(_), None) => figure.over.clone(),
        (None, None) => String::new(),
    }
}

/// The 95 % interval in words.
pub(super) fn interval(figure: &Figure) -> String {
    match figure.ci95 {
        Some([low, high]) => format!("{} – {}", decimal(Some(low)), decimal(Some(high))),
        None if figure.vacuous => "vacuous".into(),
        None if figure.degenerate => "undefined".into(),
        None => String::new(),
    }
}
