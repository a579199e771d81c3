//! One flat JSON object of headline figures, for `jq` and for scripts that read the Problem Map's reference scorer today.
//!
//! Keys are literally those of the contract (`recall@k`, with `k` beside it); figures are rounded to four decimals.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::{Format, pretty};
use crate::number::round4;
use crate::report::{
    Body, CheckedSuite, Column, Curve, Figure, Kind, Place, Report, Section, Slice, Table, listed, number,
};

/// The declaration.
pub const FORMAT: Format = Format {
    name: "flat",
    ending: ".flat.json",
    summary: "one flat JSON object of headline figures, for `jq`",
    render: |report, _| pretty(&Value::Object(flat(report))),
    check: |checked, _| {
        let suite =
            |s: &CheckedSuite| (s.name.clone(), s.report.as_ref().map_or(Value::Null, |r| flat(r).into()));
        let suites: Map<String, Value> = checked.suites.iter().map(suite).collect();
        let lock = checked.lock.as_ref().map(|lock| lock.pass);
        pretty(&json!({ "pass": checked.pass, "verdict": checked.verdict, "lock": lock, "suites": suites }))
    },
    cases: |suite| suite.flat.contains(&"details"),
    paths: false,
};

/// The counts, figures and sections of a report or of its baseline.
struct Side<'r>(&'r IndexMap<String, u64>, &'r IndexMap<String, Figure>, &'r [Section]);

fn flat(report: &Report) -> Map<String, Value> {
    let profile = &report.profile;
    let side = Side(&report.counts, &report.metrics, &report.sections);
    let mut flat = Map::new();
    for &key in profile.flat {
        match (key, report.settings.k()) {
            ("baseline", _) => flat.extend(baseline(report, profile.flat).map(|side| (key.to_owned(), side))),
            ("delta", _) if report.baseline.is_none() => {}
            // Where a suite has several cut-offs, each figure has a key of its own.
            (key, None) if key.ends_with("@k") => flat.extend(cut_offs(&report.metrics, key)),
            // With a run of TREC, or with --metrics, a report has only some of a suite's figures.
            (key, None) if profile.sparse && is_absent(report, &side, key) => {}
            _ => _ = flat.insert(key.to_owned(), value(report, &side, key)),
        }
    }
    if !flat.is_empty() {
        flat.insert("amber".into(), json!(report.amber));
    }
    flat
}

fn value(report: &Report, side: &Side<'_>, key: &str) -> Value {
    match key {
        "k" => json!(report.settings.k()),
        "gates" => gates(report),
        "pass" => json!(report.pass),
        "verdict" => json!(report.verdict),
        "first_failed_stage" => json!(report.stages),
        "final" => json!(report.labels),
        "details" => details(report),
        "selected" => json!(report.curve().and_then(|curve| curve.selected)),
        "checks" => report.checks.iter().map(|check| (check.name.clone(), json!(check.pass))).collect(),
        "slices" => slices(report),
        "delta" => {
            report.delta.iter().map(|(name, delta)| (name.clone(), json!(delta.value.map(round4)))).collect()
        }
        _ => {
            let name = match (key.strip_suffix("@k"), report.settings.k()) {
                (Some(stem), Some(k)) => format!("{stem}@{k}"),
                _ => key.to_owned(),
            };
            let option = || report.settings.options.get(&name).cloned();
            side.get(&name).or_else(option).unwrap_or(Value::Null)
        }
    }
}

/// Whether a key is nothing that the report was asked for.
fn is_absent(report: &Report, side: &Side<'_>, key: &str) -> bool {
    let told = ["gates", "pass", "verdict", "delta", "selected"].contains(&key);
    !told && side.get(key).is_none() && !report.settings.options.contains_key(key)
}

impl Side<'_> {
    /// A section, a count or a figure.
    fn get(&self, key: &str) -> Option<Value> {
        let Side(counts, metrics, sections) = self;
        let section = sections.iter().find(|section| section.key == key).map(of_section);
        let count = || counts.get(key).map(|count| json!(count));
        section.or_else(count).or_else(|| metrics.get(key).map(rounded))
    }
}

/// The data of a section, in as few words as a script needs.
fn of_section(section: &Section) -> Value {
    match &section.body {
        Body::Table(table) => of_table(table),
        Body::Curve(curve) => of_curve(curve),
        Body::Histogram { counts } => json!(counts),
        Body::Text { lines } => json!(lines),
        Body::Matrix(matrix) => json!(matrix.rows),
        Body::Grid(_) | Body::Lines(_) => Value::Null,
    }
}

/// An object a row, under its name.
fn of_table(table: &Table) -> Value {
    let row = |row: &Vec<Value>| -> (String, Value) {
        let cells = table.columns.iter().zip(row).filter(|(column, _)| column.on.contains(&Place::Flat));
        let cells = cells.map(|(column, value)| (column.key.clone(), shown(column, value)));
        let name = row.first().and_then(Value::as_str).unwrap_or_default().to_owned();
        (name, cells.collect::<Map<_, _>>().into())
    };
    table.rows.iter().map(row).collect::<Map<_, _>>().into()
}

/// An object a point.
fn of_curve(curve: &Curve) -> Value {
    let points = curve.points.iter().map(|point| {
        let known = |column: &&Column| match column.key.as_str() {
            "on_frontier" => Some((column.title.clone(), json!(point.on_frontier))),
            key => Some((column.title.clone(), shown(column, point.facts.get(key)?))),
        };
        listed(&curve.columns, Place::Flat).filter_map(|column| known(&column)).collect::<Map<_, _>>()
    });
    points.map(Value::Object).collect()
}

/// A value with four decimals; a count stays whole.
fn shown(column: &Column, value: &Value) -> Value {
    match column.kind {
        Kind::Text | Kind::Word | Kind::Flag => value.clone(),
        Kind::Count => json!(number(Some(value)).map(|count| count as u64)),
        _ => json!(number(Some(value)).map(round4)),
    }
}

/// What the suite tells of every case that the report lists.
fn details(report: &Report) -> Value {
    let columns: Vec<&Column> = listed(&report.layout.columns, Place::Flat).collect();
    let cases = report.cases.iter().map(|case| {
        let value = |column: &&Column| {
            let value = case.facts.get(&column.key).map_or(Value::Null, |value| shown(column, value));
            (column.title.clone(), value)
        };
        (case.id.clone(), Value::Object(columns.iter().map(value).collect()))
    });
    cases.collect::<Map<_, _>>().into()
}

fn rounded(figure: &Figure) -> Value {
    // A count among the metrics (scu_violations) stays whole.
    match (figure.den, figure.num) {
        (None, Some(count)) => json!(count),
        _ => json!(figure.value.map(round4)),
    }
}

/// The figures of a metric at each of its cut-offs.
fn cut_offs<'r>(
    metrics: &'r IndexMap<String, Figure>,
    key: &'r str,
) -> impl Iterator<Item = (String, Value)> + 'r {
    let stem = key.trim_end_matches('k');
    let cut = move |name: &str| name.strip_prefix(stem).is_some_and(|cut| cut.parse::<u32>().is_ok());
    metrics.iter().filter(move |(name, _)| cut(name)).map(|(name, value)| (name.clone(), rounded(value)))
}

/// What the report is compared with, under the same keys.
fn baseline(report: &Report, keys: &[&str]) -> Option<Value> {
    let before = report.baseline.as_ref()?;
    let side = Side(&before.counts, &before.metrics, &before.sections);
    let mut flat = Map::new();
    for &key in keys {
        match key {
            "gates" | "pass" | "verdict" | "baseline" | "delta" => {}
            key if key.ends_with("@k") => flat.extend(cut_offs(&before.metrics, key)),
            key => _ = flat.insert(key.to_owned(), side.get(key).unwrap_or(Value::Null)),
        }
    }
    Some(Value::Object(flat))
}

/// The first figure of each slice, by its value; by field and value where several fields are sliced by.
fn slices(report: &Report) -> Value {
    let head = report.profile.slices.first().map_or("", |(name, _)| name);
    let several = report.slices.iter().any(|slice| slice.field != report.slices[0].field);
    let name = |slice: &Slice| {
        let value = slice.value.as_deref().unwrap_or("(none)");
        if several { format!("{}={value}", slice.field) } else { value.to_owned() }
    };
    let rate = |slice: &Slice| json!(slice.metrics.get(head).and_then(|figure| figure.value).map(round4));
    report.slices.iter().map(|slice| (name(slice), rate(slice))).collect()
}

/// Each gated figure's threshold; a list where it has several gates.
fn gates(report: &Report) -> Value {
    let mut gates: Map<String, Value> = Map::new();
    let mut seen = Vec::new();
    for gate in &report.gates {
        if gate.slice.is_some() && seen.contains(&&gate.text) {
            continue; // one gate, judged on every value of its slice
        }
        seen.push(&gate.text);
        let (key, number) = gate.text.split_once(gate.op.as_str()).unwrap_or_default();
        let key = key.to_owned();
        // As it was typed: `0` stays whole.
        let typed = number.split('@').next().and_then(|number| number.parse::<i64>().ok());
        let threshold = typed.map_or_else(|| json!(gate.threshold), |whole| json!(whole));
        match gates.get_mut(&key) {
            None => _ = gates.insert(key, threshold),
            Some(Value::Array(list)) => list.push(threshold),
            Some(first) => *first = json!([first.take(), threshold]),
        }
    }
    Value::Object(gates)
}
