//! How is a curve told: the names of its points, their times, the bars of a histogram?

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use crate::compose::figure_of;
use crate::judge::latency::{Stage, Times};
use crate::number::Value;
use crate::report::{self, Bin, CurvePoint};
use crate::score::Score;
use crate::tally::Figure;
use crate::text;

use super::curve::{Curve, Point};
use super::{Side, knobs};

/// What accuracy a point is shown with.
const ACCURACY: [&str; 4] = ["precision", "chr", "under_refusal", "over_refusal"];

pub(super) fn latency(side: &Side<'_>, figures: &[Figure]) -> report::Latency {
    let gates: Vec<String> = side.gates.iter().map(ToString::to_string).collect();
    let asked = side.gates.iter().filter(|gate| !super::compares(gate.metric));
    let asked: Vec<String> = asked.map(ToString::to_string).collect();
    report::Latency {
        select: side.settings.select.name().into(),
        curve: told(&side.curve, figures, &gates),
        baseline: side.before.map(|before| told(before, figures, &asked)),
    }
}

fn told(curve: &Curve, figures: &[Figure], gates: &[String]) -> report::Curve {
    let names = names(&curve.points);
    let point = |(at, (point, name)): (usize, (&Point, String))| {
        let score = |name: &str| {
            let at = figures.iter().position(|figure| figure.name == name)?;
            Some((figures[at].metric, point.scores.get(at)?))
        };
        let accuracy = ACCURACY.into_iter().filter_map(|name| {
            let (metric, score) = score(name)?;
            Some((name.to_owned(), figure_of(metric, score)))
        });
        let count = |name: &str| score(name).and_then(|(_, score): (_, &Score)| score.num).unwrap_or(0);
        let stages = Stage::ALL.into_iter().zip(&point.timing.stages);
        let stages = stages.filter(|(_, stage)| stage.samples() > 0);
        let stuck = gates.iter().zip(&point.decisions);
        let stuck = stuck.filter(|(_, decision)| {
            matches!(decision.outcome, crate::gate::Outcome::Fail | crate::gate::Outcome::Inconclusive)
        });
        CurvePoint {
            name,
            knobs: point.key.0.to_string(),
            load: point.load(),
            times: times(&point.timing.whole),
            stages: stages.map(|(stage, of)| (stage.name().to_owned(), times(of))).collect(),
            accuracy: accuracy.collect(),
            missing: count("missing"),
            errored: point.timing.errored,
            untimed: point.timing.untimed,
            on_frontier: point.on_frontier,
            selected: curve.selected == Some(at),
            passes: point.passes(),
            stuck: stuck.map(|(gate, _)| gate.clone()).collect(),
            histogram: bars(point.timing.whole.sorted()),
        }
    };
    report::Curve {
        selected: curve.selected.map(|at| at as u64),
        points: curve.points.iter().zip(names).enumerate().map(point).collect(),
    }
}

fn times(times: &Times) -> report::Times {
    let [p50, p90, p95, p99] = [50, 90, 95, 99].map(|percent| times.percentile(percent).map(Value::to_f64));
    report::Times {
        samples: times.samples(),
        p50,
        p90,
        p95,
        p99,
        tail_amplification: times.tail_amplification().map(Value::to_f64),
    }
}

/// What points are called: by the knobs in which they differ, or by all where there is but one set.
fn names(points: &[Point]) -> Vec<String> {
    let sets: BTreeSet<&str> = points.iter().map(|point| &*point.key.0).collect();
    let settings: BTreeMap<&str, IndexMap<String, String>> =
        sets.iter().map(|set| (*set, knobs::settings(set).into_iter().collect())).collect();
    let differs = |key: &String| {
        let mut values = settings.values().map(|set| set.get(key));
        values.next().is_some_and(|first| values.any(|other| other != first))
    };
    let several = sets.len() > 1;
    let name = |set: &str| {
        let shown = settings.get(set).into_iter().flatten().filter(|(key, _)| !several || differs(key));
        let shown: Vec<String> = shown.map(|(key, value)| format!("{key}={value}")).collect();
        if shown.is_empty() { "(no knobs)".to_owned() } else { shown.join(" ") }
    };
    let short: BTreeSet<String> = sets.iter().map(|set| name(set)).collect();
    let told = |point: &Point| {
        // 5 and "5" are two settings under one short name.
        let name = if short.len() == sets.len() { name(&point.key.0) } else { point.key.0.to_string() };
        text::visible(&name).into_owned()
    };
    points.iter().map(told).collect()
}

/// Ten bars a decade, of the preferred numbers, from a tenth of a millisecond to ten thousand seconds.
fn edges() -> Vec<f64> {
    const STEPS: [&str; 10] = ["1", "1.25", "1.6", "2", "2.5", "3.15", "4", "5", "6.3", "8"];
    let decade = |power: i32| STEPS.iter().filter_map(move |step| format!("{step}e{power}").parse().ok());
    (-1..7).flat_map(decade).collect()
}

/// How many of these sorted times fall into each bar, from the first bar that has one to the last.
fn bars(sorted: &[f64]) -> Vec<Bin> {
    let edges = edges();
    let mut bins = Vec::new();
    let (mut from, mut start) = (0.0, 0);
    for to in edges.into_iter().map(Some).chain([None]) {
        let end = to.map_or(sorted.len(), |to| sorted.partition_point(|&time| time < to));
        bins.push(Bin { from, to, count: (end - start) as u64 });
        (from, start) = (to.unwrap_or(from), end);
    }
    let first = bins.iter().position(|bin| bin.count > 0).unwrap_or(bins.len());
    let last = bins.iter().rposition(|bin| bin.count > 0).map_or(first, |last| last + 1);
    bins.drain(first..last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_hold_every_sample_once() {
        let counts = |times: &[f64]| -> Vec<(f64, Option<f64>, u64)> {
            bars(times).into_iter().map(|bin| (bin.from, bin.to, bin.count)).collect()
        };
        assert_eq!(counts(&[]), []);
        assert_eq!(counts(&[0.0]), [(0.0, Some(0.1), 1)]);
        assert_eq!(counts(&[100.0, 124.9, 125.0]), [(100.0, Some(125.0), 2), (125.0, Some(160.0), 1)]);
        assert_eq!(counts(&[5.0, 9.0]), [(5.0, Some(6.3), 1), (6.3, Some(8.0), 0), (8.0, Some(10.0), 1)]);
        assert_eq!(counts(&[1e12]), [(8e6, None, 1)]);
        let sorted: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(bars(&sorted).iter().map(|bin| bin.count).sum::<u64>(), 1000);
    }

    #[test]
    fn edges_rise() {
        assert!(edges().windows(2).all(|pair| pair[0] < pair[1]) && edges().len() == 80);
    }
}
