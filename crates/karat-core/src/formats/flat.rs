//! One flat JSON object of headline figures, for `jq` and for scripts that read seed 000's scorer today.
//!
//! Keys are literally those of the contract (`recall@k`, with `k` beside it); figures are rounded to four decimals.

use serde_json::{Map, Value, json};

use super::Format;
use crate::number::round4;
use crate::report::Report;

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

const ANSWERS: &[&str] = &[
    "answered",
    "refused",
    "answerable",
    "unanswerable",
    "missing",
    "errored",
    "unmatched",
    "malformed",
    "precision",
    "chr",
    "under_refusal",
    "over_refusal",
    "recall@k",
    "hit@k",
    "chr_bound",
    "mrr",
    "ndcg@k",
    "scu_violations",
    "answer_hit_rate",
    "citation_precision",
    "citation_recall",
    "answerable_chr",
    "containment",
    "compliance",
];

fn flat(report: &Report) -> Map<String, Value> {
    let k = report.settings.k;
    let mut out = Map::new();
    for &key in ANSWERS {
        let name = key.strip_suffix("@k").map_or_else(|| key.to_owned(), |stem| format!("{stem}@{k}"));
        let value = match (report.counts.get(&name), report.metrics.get(&name)) {
            (Some(count), _) => json!(count),
            // A count among the metrics (scu_violations) stays whole.
            (None, Some(figure)) if figure.den.is_none() => json!(figure.num),
            (None, Some(figure)) => json!(figure.value.map(round4)),
            (None, None) => Value::Null,
        };
        out.insert(key.into(), value);
    }
    out.insert("k".into(), json!(k));
    out.insert("gates".into(), gates(report));
    out.insert("pass".into(), json!(report.pass));
    out.insert("verdict".into(), json!(report.verdict));
    out
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
