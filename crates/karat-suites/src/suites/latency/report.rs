//! The curve of a report: the names of its points, their times, the bars of a histogram.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::input::json::{Reader, Syntax};
use crate::judge::Verdict;
use crate::number;
use crate::report::figure_of;
use crate::report::{self, Axis, Bin, Body, Column, Curve, Facts, Kind, Place, Section, Table};
use crate::score::Score;
use crate::suites::latency::judge::{Stage, Times};
use crate::tally::Figure;
use crate::text;

use super::judge::curve::{self, Point};
use super::{Scored, Select};

/// What accuracy a point is shown with.
pub(super) const ACCURACY: [&str; 4] = ["precision", "chr", "under_refusal", "over_refusal"];
/// The figures of times, beside how many there are.
const TIMES: [&str; 5] = ["p50", "p90", "p95", "p99", "tail_amplification"];

/// The curve, and the baseline's within it.
pub(super) fn curve(scored: &Scored<'_>, figures: &[Figure<Verdict>]) -> Curve {
    let gates: Vec<String> = scored.gating.gates.iter().map(ToString::to_string).collect();
    let asked = scored.gating.gates.iter().filter(|gate| !super::compares(gate.metric));
    let asked: Vec<String> = asked.map(ToString::to_string).collect();
    let mut curve = of_points(&scored.curve, figures, &gates);
    curve.nearest = nearest(&curve, scored.settings.select);
    curve.baseline = scored.before.as_ref().map(|before| Box::new(of_points(before, figures, &asked)));
    curve
}

fn of_points(curve: &curve::Curve, figures: &[Figure<Verdict>], gates: &[String]) -> Curve {
    let names = names(&curve.points);
    let point = |(at, (point, name)): (usize, (&Point, String))| {
        let score = |name: &str| {
            let at = figures.iter().position(|figure| figure.name == name)?;
            Some((figures[at].metric, point.scores.get(at)?))
        };
        let accuracy = ACCURACY.into_iter().filter_map(|name| {
            let (metric, score) = score(name)?;
            Some((name.to_owned(), json!(figure_of(&metric, score))))
        });
        let count = |name: &str| score(name).and_then(|(_, score): (_, &Score)| score.num).unwrap_or(0);
        let stages = Stage::ALL.into_iter().zip(&point.timing.stages);
        let stages = stages.filter(|(_, stage)| stage.samples() > 0);
        let stages = stages.map(|(stage, of)| {
            let [p50, p90, p95, p99, tail] = times(of);
            let figures = json!({ "samples": of.samples(), "p50": p50, "p90": p90, "p95": p95, "p99": p99, "tail_amplification": tail });
            (stage.name().to_owned(), figures)
        });
        let stuck = gates.iter().zip(&point.decisions);
        let stuck = stuck.filter(|(_, decision)| {
            matches!(decision.outcome, crate::gate::Outcome::Fail | crate::gate::Outcome::Inconclusive)
        });
        let [p50, p90, p95, p99, tail] = times(&point.timing.whole);
        report::Point {
            name,
            detail: point.load().map(|load| format!("{load} rps")),
            facts: Facts::all([
                ("knobs", json!(point.key.0)),
                ("load", json!(point.load())),
                ("samples", json!(point.timing.whole.samples())),
                ("p50", p50),
                ("p90", p90),
                ("p95", p95),
                ("p99", p99),
                ("tail_amplification", tail),
                ("stages", stages.collect()),
                ("accuracy", accuracy.collect()),
                ("missing", json!(count("missing"))),
                ("errored", json!(point.timing.errored)),
                ("untimed", json!(point.timing.untimed)),
            ]),
            on_frontier: point.on_frontier,
            selected: curve.selected == Some(at),
            passes: point.passes(),
            stuck: stuck.map(|(gate, _)| gate.clone()).collect(),
            histogram: bars(point.timing.whole.sorted()),
        }
    };
    Curve {
        x: Axis { key: "p95".into(), title: "latency".into() },
        y: Axis { key: "accuracy/precision".into(), title: "precision".into() },
        columns: columns(curve.points.iter().any(|point| point.load().is_some())),
        selected: curve.selected.map(|at| at as u64),
        nearest: None,
        points: curve.points.iter().zip(names).enumerate().map(point).collect(),
        baseline: None,
    }
}

/// The columns of a point; `loaded` where some point says at which load it was measured.
fn columns(loaded: bool) -> Vec<Column> {
    use Place::{Csv, Flat, Page, Text};
    const ALL: &[Place] = &[Csv, Text, Page, Flat];
    let mut columns = vec![
        Column::named("knobs", Kind::Text, &[Csv, Flat]),
        Column::new("load", "load_rps", Kind::Count, &[Csv]),
        Column::named("load", Kind::Text, &[Flat]),
    ];
    columns.extend(loaded.then(|| Column::new("load", "rps", Kind::Count, &[Text])));
    columns.extend([
        Column::named("samples", Kind::Count, ALL),
        Column::named("p50", Kind::Milliseconds, ALL),
        Column::named("p90", Kind::Milliseconds, &[Csv, Page, Flat]),
        Column::named("p95", Kind::Milliseconds, ALL),
        Column::named("p99", Kind::Milliseconds, ALL),
        Column::named("tail_amplification", Kind::Ratio, &[Csv, Flat]),
        Column::new("tail_amplification", "p99/p50", Kind::Ratio, &[Page]),
        Column::new("accuracy/precision", "precision", Kind::Number, ALL),
        Column::new("accuracy/chr", "chr", Kind::Number, &[Csv, Page, Flat]),
        Column::new("accuracy/under_refusal", "under_refusal", Kind::Number, &[Csv, Flat]),
        Column::new("accuracy/under_refusal", "under", Kind::Number, &[Page]),
        Column::new("accuracy/over_refusal", "over_refusal", Kind::Number, &[Csv, Flat]),
        Column::new("accuracy/over_refusal", "over", Kind::Number, &[Page]),
    ]);
    columns.extend(["missing", "errored", "untimed"].map(|name| Column::named(name, Kind::Count, &[Csv])));
    columns.push(Column::named("on_frontier", Kind::Flag, &[Csv, Flat]));
    columns.extend(["selected", "passes"].map(|name| Column::named(name, Kind::Flag, &[Csv])));
    columns.push(Column::named("stuck", Kind::Text, &[Csv]));
    let of_stage = |stage: Stage| {
        let name = stage.name();
        TIMES.map(|time| {
            Column::new(format!("stages/{name}/{time}"), format!("{name}_{time}"), Kind::Milliseconds, &[Csv])
        })
    };
    columns.extend(Stage::ALL.into_iter().flat_map(of_stage));
    columns
}

fn times(times: &Times) -> [Value; 5] {
    let quantile = |percent| json!(times.percentile(percent).map(number::Value::to_f64));
    let tail = json!(times.tail_amplification().map(number::Value::to_f64));
    [quantile(50), quantile(90), quantile(95), quantile(99), tail]
}

/// Of a curve on which no point passes, the one that lacks least: the fewest gates; then the frontier before the rest;
/// then as the suite selects.
fn nearest(curve: &Curve, select: Select) -> Option<u64> {
    if curve.points.len() < 2 || curve.points.iter().any(|point| point.passes) {
        return None;
    }
    let rank = |point: &report::Point| match select {
        Select::MostAccurate => -value(point, "accuracy/precision").unwrap_or(f64::NEG_INFINITY),
        Select::Fastest | Select::Knee => value(point, "p95").unwrap_or(f64::INFINITY),
    };
    let stuck = curve.points.iter().zip(0..).filter(|(point, _)| !point.stuck.is_empty());
    let least = stuck.min_by(|(a, _), (b, _)| {
        let key = |point: &report::Point| (point.stuck.len(), !point.on_frontier);
        key(a).cmp(&key(b)).then(rank(a).total_cmp(&rank(b)))
    });
    least.map(|(_, at)| at)
}

/// A number that is known of a point.
pub(super) fn value(point: &report::Point, key: &str) -> Option<f64> {
    report::number(point.facts.get(key))
}

/// A count that is known of a point.
pub(super) fn count(point: &report::Point, key: &str) -> u64 {
    point.facts.get(key).and_then(Value::as_u64).unwrap_or(0)
}

/// The stages of a point that some request tells.
pub(super) fn stages(point: &report::Point) -> impl Iterator<Item = (&String, &Value)> {
    point.facts.get("stages").and_then(Value::as_object).into_iter().flatten()
}

/// The curve, where its selected point takes its time, and how it differs from the baseline's.
pub(super) fn sections(curve: Curve) -> Vec<Section> {
    let stages = curve.chosen().and_then(stage_times);
    let against = curve.chosen().zip(curve.baseline.as_ref().and_then(|before| before.chosen()));
    let against = against.map(|(new, old)| beside(new, old));
    let first = |key: &str, title: &str, on: &[Place], body: Body| Section {
        first: true,
        on: on.to_vec(),
        ..Section::new(key, title, body)
    };
    let everywhere = &[Place::Text, Place::Page, Place::Csv];
    let mut sections = vec![first("points", "The curve, in milliseconds", everywhere, Body::Curve(curve))];
    let text = &[Place::Text];
    sections.extend(stages.map(|table| {
        first("stage_times", "Where the time goes, at the selected point", text, Body::Table(table))
    }));
    sections.extend(against.map(|table| first("beside", "Beside the baseline", text, Body::Table(table))));
    sections
}

/// How long each stage of a point takes, and the whole.
fn stage_times(point: &report::Point) -> Option<Table> {
    let on = &[Place::Text, Place::Page];
    let mut columns = vec![Column::named("stage", Kind::Text, on), Column::named("samples", Kind::Count, on)];
    columns.extend(TIMES[..4].iter().map(|name| Column::named(name, Kind::Milliseconds, on)));
    columns.push(Column::new("tail_amplification", "p99/p50", Kind::Ratio, on));
    let keys = || std::iter::once("samples").chain(TIMES);
    let row = |name: &str, of: &dyn Fn(&str) -> Option<Value>| {
        let cells = keys().map(|key| of(key).unwrap_or_default());
        std::iter::once(json!(name)).chain(cells).collect::<Vec<Value>>()
    };
    let mut rows: Vec<Vec<Value>> =
        stages(point).map(|(name, times)| row(name, &|key| times.get(key).cloned())).collect();
    rows.push(row("question to answer", &|key| point.facts.get(key).cloned()));
    (rows.len() > 1).then_some(Table { columns, rows, bars: false })
}

/// A point beside the baseline's.
fn beside(new: &report::Point, old: &report::Point) -> Table {
    let on = &[Place::Text, Place::Page];
    let column = |key: &str, title: &str| Column::new(key, title, Kind::Text, on);
    let columns = vec![
        column("figure", ""),
        column("baseline", "baseline"),
        column("new", "new"),
        column("delta", "Δ"),
    ];
    let row = |name: &str, key: &str, kind: Kind| {
        let (was, now) = (value(old, key), value(new, key));
        let change = match kind {
            Kind::Milliseconds => {
                let change = was.zip(now).filter(|(was, _)| *was > 0.0);
                report::cell(Kind::Percent, change.map(|(was, now)| (now - was) / was * 100.0))
            }
            _ => report::cell(Kind::Delta, was.zip(now).map(|(was, now)| now - was)),
        };
        vec![json!(name), report::cell(kind, was), report::cell(kind, now), change]
    };
    let times = ["p50", "p95", "p99"].map(|name| row(name, name, Kind::Milliseconds));
    let known = ACCURACY.iter().filter(|name| new.facts.get(&format!("accuracy/{name}")).is_some());
    let accuracy = known.map(|name| row(name, &format!("accuracy/{name}"), Kind::Number));
    Table { columns, rows: times.into_iter().chain(accuracy).collect(), bars: false }
}

/// What points are called: by the knobs in which they differ, or by all where there is but one set.
fn names(points: &[Point]) -> Vec<String> {
    let sets: BTreeSet<&str> = points.iter().map(|point| &*point.key.0).collect();
    let settings: BTreeMap<&str, IndexMap<String, String>> =
        sets.iter().map(|set| (*set, knobs(set).into_iter().collect())).collect();
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
    let shown = |point: &Point| {
        // 5 and "5" are two settings under one short name.
        let name = if short.len() == sets.len() { name(&point.key.0) } else { point.key.0.to_string() };
        text::visible(&name).into_owned()
    };
    points.iter().map(shown).collect()
}

/// The knobs at the top of a canonical object, each with its value as people would write it.
fn knobs(canonical: &str) -> Vec<(String, String)> {
    let mut knobs = Vec::new();
    let _ = Reader::new(canonical).object(|reader, key| {
        let start = reader.offset();
        reader.skip()?;
        let value = reader.since(start);
        let plain = Reader::new(value).string().map(|text| text.decode().into_owned());
        knobs.push((key.to_owned(), plain.unwrap_or_else(|_| value.to_owned())));
        Ok::<(), Syntax>(())
    });
    knobs
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
    fn knobs_are_what_people_write() {
        let knobs = knobs(r#"{"k":20,"m":"a \"b\"","r":{"d":4}}"#);
        let shown: Vec<String> = knobs.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(shown, ["k=20", "m=a \"b\"", r#"r={"d":4}"#]);
    }

    #[test]
    fn edges_rise() {
        assert!(edges().windows(2).all(|pair| pair[0] < pair[1]) && edges().len() == 80);
    }
}
