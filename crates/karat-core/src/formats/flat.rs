//! One flat JSON object of headline figures, for `jq` and for scripts that read the Problem Map's reference scorer today.
//!
//! Keys are literally those of the contract (`recall@k`, with `k` beside it); figures are rounded to four decimals.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use super::Format;
use crate::number::round4;
use crate::profiles::Profile;
use crate::report::{
    Agreement, ByType, Calibration, CheckedSuite, CurvePoint, Figure, Findings, Latency, Report, Slice,
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
    cases: |suite| suite == "stability",
    paths: false,
};

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

fn flat(report: &Report) -> Map<String, Value> {
    let keys = Profile::named(&report.suite).map_or(&[][..], |profile| profile.flat);
    let mut flat = Map::new();
    for &key in keys {
        match (key, report.settings.k()) {
            ("baseline", _) => flat.extend(baseline(report, keys).map(|side| ("baseline".to_owned(), side))),
            ("delta", _) if report.baseline.is_none() => {}
            // Where a suite has several cut-offs, each figure has a key of its own.
            (key, None) if key.ends_with("@k") => {
                flat.extend(named(&report.metrics, key).map(|(name, value)| (name.clone(), rounded(value))));
            }
            // Of a TREC run, or with --metrics, a report has only some of a suite's figures.
            (key, None) if is_absent(report, key) => {}
            _ => _ = flat.insert(key.to_owned(), value(report, key)),
        }
    }
    flat
}

fn value(report: &Report, key: &str) -> Value {
    match key {
        "k" => json!(report.settings.k()),
        "gates" => gates(report),
        "pass" => json!(report.pass),
        "verdict" => json!(report.verdict),
        "first_failed_stage" => json!(report.stages),
        "final" => json!(report.labels),
        "totals" => totals(report),
        "details" => details(report),
        "select" => report.latency.as_ref().map_or(Value::Null, |latency| json!(latency.select)),
        "selected" => report.latency.as_ref().map_or(Value::Null, |latency| json!(latency.curve.selected)),
        "points" => report.latency.as_ref().map_or(Value::Null, points),
        "truth" => report.agreement.as_ref().map_or(Value::Null, calibration),
        "checks" => report.checks.iter().map(|check| (check.name.clone(), json!(check.pass))).collect(),
        "slices" => slices(report),
        "bad_qids" => report.retrieval.as_ref().map_or(Value::Null, |findings| json!(findings.bad_qids)),
        "by_type" => report.retrieval.as_ref().map_or(Value::Null, by_type),
        "delta" => {
            report.delta.iter().map(|(name, delta)| (name.clone(), json!(delta.value.map(round4)))).collect()
        }
        _ => {
            let name = match (key.strip_suffix("@k"), report.settings.k()) {
                (Some(stem), Some(k)) => format!("{stem}@{k}"),
                _ => key.to_owned(),
            };
            figure(&report.counts, &report.metrics, &name)
        }
    }
}

/// `stability`: how many cases there are, and how many hold.
fn totals(report: &Report) -> Value {
    let count = |name: &str| report.counts.get(name).copied().unwrap_or(0);
    let (answerable, unanswerable, fail) = (count("answerable"), count("unanswerable"), count("fail"));
    let pass = (answerable + unanswerable).saturating_sub(fail);
    json!({ "answerable": answerable, "unanswerable": unanswerable, "pass": pass, "fail": fail })
}

/// `stability`: the measures of every case that the report lists.
fn details(report: &Report) -> Value {
    const SHOWN: [&str; 7] = ["acr", "cghc", "css", "ned50", "rcr", "refusal_rate", "scu_cons"];
    let case = |figures: &IndexMap<String, Option<f64>>| -> Value {
        let value = |name: &str| match figures.get(name).copied().flatten() {
            Some(value) if name == "scu_cons" => json!(u8::from(value > 0.0)),
            value => json!(value.map(round4)),
        };
        SHOWN.iter().map(|name| ((*name).to_owned(), value(name))).collect()
    };
    report.cases.iter().map(|one| (one.id.clone(), case(&one.figures))).collect()
}

/// Whether a key is a figure that the report was not asked for.
fn is_absent(report: &Report, key: &str) -> bool {
    let known = Profile::named(&report.suite).is_some_and(|profile| profile.metric(key).is_some());
    let shown = report.counts.contains_key(key) || report.metrics.contains_key(key);
    let found = matches!(key, "bad_qids" | "by_type") && report.retrieval.is_none();
    matches!(report.suite.as_str(), "retrieval" | "latency") && (known && !shown || found)
}

fn figure(counts: &IndexMap<String, u64>, metrics: &IndexMap<String, Figure>, name: &str) -> Value {
    match (counts.get(name), metrics.get(name)) {
        (Some(count), _) => json!(count),
        (None, Some(figure)) => rounded(figure),
        (None, None) => Value::Null,
    }
}

fn rounded(figure: &Figure) -> Value {
    // A count among the metrics (scu_violations) stays whole.
    match (figure.den, figure.num) {
        (None, Some(count)) => json!(count),
        _ => json!(figure.value.map(round4)),
    }
}

/// The figures of a metric at each of its cut-offs.
fn named<'r>(
    metrics: &'r IndexMap<String, Figure>,
    key: &'r str,
) -> impl Iterator<Item = (&'r String, &'r Figure)> {
    let stem = key.trim_end_matches('k');
    let cut = move |name: &str| name.strip_prefix(stem).is_some_and(|cut| cut.parse::<u32>().is_ok());
    metrics.iter().filter(move |(name, _)| cut(name))
}

fn by_type(findings: &Findings) -> Value {
    let of = |of_type: &ByType| -> Value {
        of_type.metrics.iter().map(|(name, figure)| (name.clone(), rounded(figure))).collect()
    };
    findings.by_type.iter().map(|(kind, of_type)| (kind.clone(), of(of_type))).collect()
}

/// The index that this one is compared with, under the same keys.
fn baseline(report: &Report, keys: &[&str]) -> Option<Value> {
    let side = report.baseline.as_ref()?;
    let mut flat = Map::new();
    for &key in keys {
        match key {
            "gates" | "pass" | "verdict" | "baseline" | "delta" => {}
            "bad_qids" => _ = flat.insert(key.to_owned(), json!(side.retrieval.bad_qids)),
            "by_type" => _ = flat.insert(key.to_owned(), by_type(&side.retrieval)),
            key if key.ends_with("@k") => {
                flat.extend(named(&side.metrics, key).map(|(name, value)| (name.clone(), rounded(value))));
            }
            key => _ = flat.insert(key.to_owned(), figure(&side.counts, &side.metrics, key)),
        }
    }
    Some(Value::Object(flat))
}

/// The points of a curve, each with what it is drawn by.
fn points(latency: &Latency) -> Value {
    let point = |point: &CurvePoint| {
        let (times, rounded) = (&point.times, |value: Option<f64>| value.map(round4));
        let mut flat = json!({
            "knobs": point.knobs, "load": point.load, "samples": times.samples,
            "p50": rounded(times.p50), "p90": rounded(times.p90), "p95": rounded(times.p95), "p99": rounded(times.p99),
            "tail_amplification": rounded(times.tail_amplification),
        });
        for (name, figure) in &point.accuracy {
            flat[name] = json!(rounded(figure.value));
        }
        flat["on_frontier"] = json!(point.on_frontier);
        flat
    };
    latency.curve.points.iter().map(point).collect()
}

/// How well each rater finds what the truth rejects; null where nobody is the truth.
fn calibration(agreement: &Agreement) -> Value {
    if agreement.truth.is_none() {
        return Value::Null;
    }
    let rates = |c: &Calibration| {
        let rate = |value: Option<f64>| value.map(round4);
        json!({ "n": c.n, "precision": rate(c.precision), "recall": rate(c.recall), "f1": rate(c.f1), "kappa": rate(c.kappa) })
    };
    agreement.calibration.iter().map(|(rater, c)| (rater.clone(), rates(c))).collect()
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
