//! Which kinds of cases do badly? A table with a row a slice; the darker a cell, the worse.

use super::Head::{self, Number, Text};
use super::markup::Markup;
use super::words::value;
use super::{View, case_links, folded, section};
use crate::metrics::Direction;
use crate::profile::Profile;
use crate::report::{Figure, Slice};
use crate::text;

pub(super) fn slices(m: &mut Markup, view: &View<'_>) {
    let (report, profile) = (view.report, &view.profile);
    if report.slices.is_empty() {
        return;
    }
    // Those that fail first, then by the worst of what is shown.
    let mut order: Vec<(f64, &Slice)> =
        report.slices.iter().map(|slice| (worst(profile, slice), slice)).collect();
    order.sort_by(|(a, one), (b, other)| one.pass.cmp(&other.pass).then(b.total_cmp(a)));
    let figures = profile.slices.iter().map(|(_, head)| Number(head));
    let heads: Vec<Head<'_>> = [Text("slice"), Number("cases")].into_iter().chain(figures).collect();
    section(m, "Slices", |m| {
        folded(m, "Slices", &heads, (&order, "slice"), |m, (_, slice)| row(m, view, slice));
        m.element("p.note.legend", "Darker is worse; ✗ does not pass its gate.");
    });
}

fn row(m: &mut Markup, view: &View<'_>, slice: &Slice) {
    m.within("th[scope=row]", |m| {
        let stuck = slice.gates.iter().find(|gate| gate.pass == Some(false));
        if let Some(outcome) = stuck.map(|gate| gate.outcome) {
            m.element_with("span", &[("class", outcome.tone())], &format!("{} ", outcome.mark()));
        }
        m.element("bdi", &slice.name());
        case_links(m, view, &slice.offenders);
    });
    m.element("td.number", &text::group(slice.cases));
    for (name, _) in view.profile.slices {
        let figure = slice.metrics.get(*name);
        let stuck = slice.gates.iter().any(|gate| gate.metric == *name && gate.pass == Some(false));
        match figure.filter(|figure| !figure.vacuous).and_then(|figure| Some((figure, figure.value?))) {
            None => m.element("td.number", "–"),
            Some((figure, share)) => cell(m, &view.profile, name, (figure, share), stuck),
        }
    }
}

/// How bad a share is, from 0 to 1.
fn badness(profile: &Profile, name: &str, share: f64) -> f64 {
    let lower = profile.metric(name).is_some_and(|metric| metric.direction == Direction::LowerIsBetter);
    if lower { share } else { 1.0 - share }
}

/// How bad the worst figure of a slice is.
fn worst(profile: &Profile, slice: &Slice) -> f64 {
    let shares = profile.slices.iter().filter_map(|(name, _)| {
        let figure = slice.metrics.get(*name).filter(|figure| !figure.vacuous)?;
        Some(badness(profile, name, figure.value?))
    });
    shares.fold(0.0, f64::max)
}

fn cell(m: &mut Markup, profile: &Profile, name: &str, (figure, share): (&Figure, f64), stuck: bool) {
    let bad = badness(profile, name, share);
    let heat = (bad * 5.0).round().clamp(0.0, 5.0);
    let mark = if stuck { "✗ " } else { "" };
    m.element_with("td", &[("class", &format!("number heat h{heat}"))], &format!("{mark}{}", value(figure)));
}
