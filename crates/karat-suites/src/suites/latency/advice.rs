//! What does a curve suggest, and what should one know before believing it?

use crate::judge::{Params, Verdict};
use crate::pipeline::Concluded;
use crate::report::gates_say;
use crate::report::{Curve, Gate, Point, number};
use crate::suites::answers::advice::diagnose;
use crate::suites::answers::aggregate::Aggregate;
use crate::suites::answers::report::symptoms;
use crate::suites::latency::judge::Stage;
use crate::tally::Figure;
use crate::text;

use super::Scored;
use super::report::{ACCURACY, count, stages, value};

/// Fewer samples than this say little of the slowest hundredth.
const FEW: u64 = 100;
/// Fewer than this say little of the slowest twentieth either.
const VERY_FEW: u64 = 20;
/// A point with so many times fewer samples than another was not tried as that one was.
const LOPSIDED: u64 = 10;
/// How many points a sentence names.
const SHOWN: usize = 5;
/// A tail this much longer than the middle has a cause of its own.
const LONG_TAIL: f64 = 4.0;

/// The name of a point in a sentence.
fn name(point: &Point) -> String {
    let short = text::shorten(&point.name, 32);
    match &point.detail {
        Some(detail) => format!("{short}, {detail}"),
        None => short.into_owned(),
    }
}

/// The knobs of a point as canonical JSON.
fn knobs(point: &Point) -> &str {
    point.facts.get("knobs").and_then(|knobs| knobs.as_str()).unwrap_or_default()
}

fn stuck(gates: &[Gate], metric: &str) -> bool {
    gates.iter().any(|gate| gate.metric == metric && gate.pass == Some(false))
}

/// The selected point, and what the gates say of it.
pub(super) fn headline(curve: &Curve, gates: &[Gate]) -> String {
    let Some(point) = curve.chosen() else {
        return "no request carries a time, so that there is no point to select".into();
    };
    let says = gates_say(gates);
    let none = curve.points.len() > 1 && curve.points.iter().all(|point| !point.passes);
    let lead = if none { "no point passes; " } else { "" };
    let nameless = knobs(point) == "{}" && point.detail.is_none() && curve.points.len() == 1;
    if nameless { says } else { format!("{lead}{says} at {}", name(point)) }
}

/// What to look at, where a gate does not pass.
pub(super) fn diagnosis(
    curve: &Curve,
    concluded: &Concluded,
    aggregate: Option<&Aggregate>,
    figures: &[Figure<Verdict>],
) -> Vec<String> {
    let gates = &concluded.gates;
    let mut says = Vec::new();
    let Some(point) = curve.chosen() else {
        says.push(
            "log `e2e_ms`, or `stage_ms` by stage, with every trace, or give the times with --latency-csv"
                .into(),
        );
        return says;
    };
    if gates.iter().all(|gate| gate.pass != Some(false)) {
        return says;
    }
    let too_slow = stuck(gates, "p95");
    if too_slow && let Some((name, stage, time)) = slowest(point) {
        says.push(format!(
            "p95 is over its limit, and {name} is the slowest stage (p95 {} ms): {stage}",
            whole(time)
        ));
    }
    if too_slow && let Some(tail) = value(point, "tail_amplification").filter(|tail| *tail >= LONG_TAIL) {
        says.push(format!(
            "the tail is long: p99 is {tail:.1} times the median; look for retries, cold starts and queues rather than at the usual request"
        ));
    }
    if stuck(gates, "p95_rise")
        && let Some(before) = curve.baseline.as_ref().and_then(|before| before.chosen())
    {
        let risen = rise(point, before)
            .map(|(name, was, now)| format!(", most of all in {name} ({was} to {now} ms)"));
        says.push(format!(
            "p95 went from {} to {} ms{}",
            whole(value(before, "p95")),
            whole(value(point, "p95")),
            risen.unwrap_or_default()
        ));
    }
    if ACCURACY.iter().all(|name| value(point, &format!("accuracy/{name}")).is_none()) {
        says.push("nothing is known of the answers: give --gold and --trace beside the CSV, or gate the times alone with --gates 'p95<=2000'".into());
    }
    if let Some(aggregate) = aggregate {
        says.extend(diagnose(
            &symptoms(&aggregate.counts, figures, &concluded.scores, Params::default().k),
            gates,
        ));
    }
    says
}

/// The stage that takes longest, and where to look.
fn slowest(point: &Point) -> Option<(&str, &'static str, Option<f64>)> {
    let mut slowest: Option<(&String, Option<f64>)> = None;
    for (name, times) in stages(point) {
        let time = number(times.get("p95"));
        if slowest.is_none_or(|(_, longest)| time > longest) {
            slowest = Some((name, time));
        }
    }
    let (name, time) = slowest?;
    Some((name, Stage::named(name)?.advice(), time))
}

/// The stage whose p95 grew most, and from what to what.
fn rise(point: &Point, before: &Point) -> Option<(String, String, String)> {
    let mut most: Option<(f64, (&String, f64, f64))> = None;
    for (name, times) in stages(point) {
        let was = value(before, &format!("stages/{name}/p95"));
        if let (Some(was), Some(now)) = (was, number(times.get("p95")))
            && now > was
            && most.as_ref().is_none_or(|(by, _)| now - was > *by)
        {
            most = Some((now - was, (name, was, now)));
        }
    }
    let (_, (name, was, now)) = most?;
    Some((name.clone(), whole(Some(was)), whole(Some(now))))
}

/// Milliseconds for a sentence.
fn whole(time: Option<f64>) -> String {
    time.map_or_else(|| "–".into(), |time| format!("{time:.0}"))
}

/// What a quantile of so few requests is worth, and whether other points were tried as often.
fn too_few(point: &Point, points: &[Point]) -> Option<String> {
    let samples = |point: &Point| count(point, "samples");
    let (mine, most) = (samples(point), points.iter().map(samples).max()?);
    let samples = text::count(mine, "sample");
    if most / LOPSIDED >= mine {
        let most = text::group(most);
        return Some(format!(
            "selected over {samples}, where another point has {most}: try it as often before you believe its p95"
        ));
    }
    let (quantile, enough) = match mine {
        _ if mine < VERY_FEW => ("p95", VERY_FEW),
        _ if mine < FEW => ("p99", FEW),
        _ => return None,
    };
    let what = match points.len() {
        1 => format!("{quantile} of {samples} is"),
        _ => format!("selected over {samples}, whose {quantile} is"),
    };
    Some(format!("{what} little more than the slowest of them: {enough} and more tell the two apart"))
}

/// How many requests of all points something is true of, and how many of those are at the selected one.
fn requests(curve: &Curve, of: impl Fn(&Point) -> u64) -> Option<(String, String)> {
    let all: u64 = curve.points.iter().map(&of).sum();
    let here = curve.chosen().map_or(0, of);
    let at = match here {
        _ if curve.points.len() == 1 => String::new(),
        0 => ", none of them at the selected point".to_owned(),
        here if here == all => ", at the selected point".to_owned(),
        here => format!(", {} of them at the selected point", text::group(here)),
    };
    (all > 0).then(|| (text::count(all, "request"), at))
}

/// What one should know before believing the curve.
pub(super) fn hints(scored: &Scored<'_>, curve: &Curve) -> Vec<String> {
    let mut hints = Vec::new();
    let points = &curve.points;
    if let Some(point) = curve.chosen() {
        hints.extend(too_few(point, points));
    }
    let named = |of: &dyn Fn(&Point) -> bool| -> Vec<String> {
        points.iter().filter(|point| of(point)).map(name).collect()
    };
    let untimed = named(&|point| count(point, "samples") == 0);
    if !untimed.is_empty() && untimed.len() < points.len() {
        hints.push(format!(
            "{} without a timed request, so not on the curve: {}",
            text::count(untimed.len() as u64, "point"),
            text::first_few(&untimed, SHOWN, "; ")
        ));
    }
    let cases =
        scored.gold.filter(|_| !scored.inputs.traces.is_empty()).map_or(0, |gold| gold.cases.len() as u64);
    let unanswered = named(&|point| cases > 0 && count(point, "missing") == cases);
    if !unanswered.is_empty() {
        hints.push(format!(
            "{} with times and no trace, so that every answer counts as wrong: {}; do the CSV and the traces write the same knobs and load?",
            text::count(unanswered.len() as u64, "point"),
            text::first_few(&unanswered, SHOWN, "; ")
        ));
    }
    let chosen_fails = curve.chosen().is_some_and(|point| !point.passes);
    let hidden = named(&|point| point.passes && !point.on_frontier);
    if chosen_fails && !hidden.is_empty() && points.iter().all(|point| !(point.passes && point.on_frontier)) {
        let (point, is) =
            (text::count(hidden.len() as u64, "point"), if hidden.len() == 1 { "is" } else { "are" });
        hints.push(format!(
            "{point} that would pass every gate {is} not on the frontier, since one that fails is no slower and no less precise: {}",
            text::first_few(&hidden, SHOWN, "; ")
        ));
    }
    if scored.log.overruled {
        hints.push(
            "the traces have times of their own, which are not counted: those of --latency-csv are".into(),
        );
    }
    if let Some((requests, at)) = requests(curve, |point| count(point, "errored")) {
        hints.push(format!("{requests} failed{at}: a failure's time is not among the samples"));
    }
    if let Some((requests, at)) = requests(curve, |point| count(point, "untimed")) {
        let have = if requests.starts_with("1 ") { "has" } else { "have" };
        hints.push(format!("{requests} {have} no time{at}: counted for accuracy, not among the samples"));
    }
    let before = curve.baseline.as_ref().map(|before| before.chosen());
    if let (Some(Some(before)), Some(point)) = (before, curve.chosen())
        && (knobs(before), &before.detail) != (knobs(point), &point.detail)
    {
        hints.push(format!("the baseline's point is another one: {}", name(before)));
    }
    if before.is_some_and(|before| before.is_none()) {
        hints.push(
            "no request of the baseline carries a time, so that there is nothing to compare with".into(),
        );
    }
    hints
}
