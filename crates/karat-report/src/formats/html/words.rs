//! How are a gate's outcome and a figure's value said and marked? A shape and a word each, never a colour alone.

use super::View;
use crate::formats::figure;
use crate::metrics::Scale;
use crate::report::{Figure, Gate};
use crate::text;

/// A gate's word.
pub(super) fn word(gate: &Gate) -> String {
    gate.word().to_lowercase()
}

/// A gate without its metric: `≥ 0.80 at 95 %`.
pub(super) fn gate_sign(gate: &Gate) -> String {
    let (op, typed) = gate.condition();
    let op = match op {
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
pub(super) fn value(figure: &Figure) -> String {
    match (figure.num, figure.den) {
        (Some(count), None) => text::group(count),
        _ => decimal(figure.value),
    }
}

/// A number for people: rates have four decimals, times need no more than one.
pub(super) fn decimal(value: Option<f64>) -> String {
    match value {
        Some(value) if value.abs() >= 100.0 => format!("{value:.1}"),
        value => figure(value),
    }
}

/// A figure's value with its unit: `838 ms`.
pub(super) fn measured(view: &View<'_>, metric: &str, figure: &Figure) -> String {
    match figure.value {
        Some(time) if unit(view, metric) == " ms" && time >= 10.0 => format!("{time:.0} ms"),
        Some(time) if unit(view, metric) == " ms" => format!("{time:.1} ms"),
        _ => value(figure),
    }
}

/// What a metric's values are counted in, with a space before it; nothing of rates and counts.
fn unit(view: &View<'_>, metric: &str) -> &'static str {
    match view.profile.metric(metric).map(|metric| metric.scale) {
        Some(Scale::Milliseconds) => " ms",
        _ => "",
    }
}

/// What a gate found, as a clause: `precision 0.6875`; the metric called `fail` is a verb.
pub(super) fn clause(view: &View<'_>, gate: &Gate) -> String {
    let value = shown_value(view, gate);
    match gate.metric.as_str() {
        "fail" if value == "1" => "1 case fails".into(),
        "fail" => format!("{value} cases fail"),
        metric => format!("{metric} {value}"),
    }
}

/// What a gate asks for: `≤ 2000 ms`.
pub(super) fn wanted(view: &View<'_>, gate: &Gate) -> String {
    let sign = gate_sign(gate);
    match sign.split_once(" at ") {
        Some((sign, level)) => format!("{sign}{} at {level}", unit(view, &gate.metric)),
        None => format!("{sign}{}", unit(view, &gate.metric)),
    }
}

/// The value that a gate looks at.
pub(super) fn shown_value(view: &View<'_>, gate: &Gate) -> String {
    match (gate.figure(view.report), gate.value) {
        (Some(figure), _) => measured(view, &gate.metric, figure),
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
