//! One flat JSON object of headline figures, for `jq` and for scripts that read seed 000's scorer today.
//!
//! Keys are literally those of the contract (`recall@k`, with `k` beside it); figures are rounded to four decimals.

use serde_json::{Map, Value, json};

use super::Format;
use crate::number::round4;
use crate::profiles::Profile;
use crate::report::{Report, Slice};

/// The declaration.
pub const FORMAT: Format = Format {
    name: "flat",
    ending: ".flat.json",
    summary: "one flat JSON object of headline figures, for `jq`",
    render: |report, _| {
        let mut text = serde_json::to_string_pretty(&Value::Object(flat(report))).unwrap_or_default();
        text.push('\n');
        text
    },
};

fn flat(report: &Report) -> Map<String, Value> {
    let keys = Profile::named(&report.suite).map_or(&[][..], |profile| profile.flat);
    keys.iter().map(|&key| (key.to_owned(), value(report, key))).collect()
}

fn value(report: &Report, key: &str) -> Value {
    match key {
        "k" => json!(report.settings.k()),
        "gates" => gates(report),
        "pass" => json!(report.pass),
        "verdict" => json!(report.verdict),
        "first_failed_stage" => json!(report.stages),
        "checks" => report.checks.iter().map(|check| (check.name.clone(), json!(check.pass))).collect(),
        "slices" => slices(report),
        _ => figure(report, key),
    }
}

fn figure(report: &Report, key: &str) -> Value {
    let name = match (key.strip_suffix("@k"), report.settings.k()) {
        (Some(stem), Some(k)) => format!("{stem}@{k}"),
        _ => key.to_owned(),
    };
    match (report.counts.get(&name), report.metrics.get(&name)) {
        (Some(count), _) => json!(count),
        // A count among the metrics (scu_violations) stays whole.
        (None, Some(figure)) if figure.den.is_none() => json!(figure.num),
        (None, Some(figure)) => json!(figure.value.map(round4)),
        (None, None) => Value::Null,
    }
}

/// The first figure of each slice, by its value; by field and value where several fields are sliced by.
fn slices(report: &Report) -> Value {
    let Some(profile) = Profile::named(&report.suite) else { return Value::Null };
    let head = profile.slices.first().map_or("", |(name, _)| name);
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
