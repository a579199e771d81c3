//! Who says what of an answer? The confusion matrix of two raters, or how often each of several gives each label.

use super::Head::{self, Number, Text};
use super::markup::Markup;
use super::{View, section, table};
use crate::formats::figure;
use crate::report::Agreement;
use crate::text;

pub(super) fn raters(m: &mut Markup, view: &View<'_>) {
    let Some(agreement) = &view.report.agreement else { return };
    let labels: Vec<&str> = agreement
        .marginals
        .values()
        .next()
        .into_iter()
        .flat_map(|counts| counts.keys().map(String::as_str))
        .collect();
    section(m, "Who says what", |m| {
        match agreement.raters.as_slice() {
            [down, across] if !agreement.confusion.is_empty() => {
                m.element(
                    "p",
                    &[("class", "note")],
                    &format!("Down: {down}. Across: {across}. Framed: both say the same."),
                );
                let corner = format!("{down} ↓ {across} →");
                counts(m, &corner, &labels, labels.iter().copied().zip(&agreement.confusion), true);
            }
            _ => {
                let rows: Vec<(&str, Vec<u64>)> = agreement
                    .marginals
                    .iter()
                    .map(|(rater, n)| (rater.as_str(), n.values().copied().collect()))
                    .collect();
                counts(m, "rater", &labels, rows.iter().map(|(rater, n)| (*rater, n)), false);
            }
        }
        calibration(m, agreement);
    });
}

/// Counts, darker where there are more.
fn counts<'a>(
    m: &mut Markup,
    corner: &str,
    labels: &[&str],
    rows: impl Iterator<Item = (&'a str, &'a Vec<u64>)> + Clone,
    framed: bool,
) {
    let most = rows.clone().flat_map(|(_, row)| row).copied().max().unwrap_or(0).max(1);
    let heads: Vec<Head<'_>> =
        std::iter::once(Text(corner)).chain(labels.iter().map(|label| Number(label))).collect();
    table(m, "Who says what", &heads, |m| {
        for (at, (name, row)) in rows.enumerate() {
            m.within("tr", &[], |m| {
                m.within("th", &[("scope", "row")], |m| m.element("bdi", &[], name));
                for (column, n) in row.iter().enumerate() {
                    let heat = (*n * 5).div_ceil(most);
                    let same = if framed && at == column { " same" } else { "" };
                    m.element("td", &[("class", &format!("number shade c{heat}{same}"))], &text::group(*n));
                }
            });
        }
    });
}

fn calibration(m: &mut Markup, agreement: &Agreement) {
    let Some(truth) = &agreement.truth else { return };
    m.element("h3", &[], &format!("Against {truth}: what of its rejections each finds"));
    let figures = ["n", "precision", "recall", "f1", "kappa"].map(Number);
    let heads: Vec<Head<'_>> = std::iter::once(Text("rater")).chain(figures).collect();
    table(m, "Calibration", &heads, |m| {
        for (rater, c) in &agreement.calibration {
            m.within("tr", &[], |m| {
                m.within("th", &[("scope", "row")], |m| m.element("bdi", &[], rater));
                m.element("td", &[("class", "number")], &text::group(c.n));
                for value in [c.precision, c.recall, c.f1, c.kappa] {
                    m.element("td", &[("class", "number")], &figure(value));
                }
            });
        }
    });
}
