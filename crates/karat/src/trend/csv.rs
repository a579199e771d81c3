//! One row per run and figure, for spreadsheets and notebooks.

use karat_report::formats::csv::cell;

use super::Trend;
use crate::history::{Figure, Run};

pub(super) fn render(trend: &Trend, names: Option<&[String]>, _: bool) -> String {
    let mut out =
        String::from("time,commit,name,suite,gold,verdict,metric,value,num,den,low,high,gate,outcome\r\n");
    for suite in &trend.suites {
        for run in &suite.runs {
            let all = || run.metrics.keys().chain(run.counts.keys());
            for name in all().filter(|name| names.is_none_or(|names| names.contains(name))) {
                out.push_str(&row(run, name));
                out.push_str("\r\n");
            }
        }
    }
    out
}

fn row(run: &Run, name: &str) -> String {
    let figure = run.metrics.get(name).cloned().unwrap_or_else(|| {
        let count = run.counts.get(name).copied();
        Figure { value: count.map(|n| n as f64), num: count, ..Figure::default() }
    });
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let whole = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
    let (commit, gold) = (run.commit.as_deref().unwrap_or_default(), run.gold.as_deref().unwrap_or_default());
    let (low, high) = (figure.ci95.map(|ci| ci[0]), figure.ci95.map(|ci| ci[1]));
    let (gate, outcome) = super::gate(run, name).map_or(("", ""), |gate| (&gate.text, &gate.outcome));
    let texts = [&run.time, commit, &run.name, &run.suite, gold, &run.verdict, name].map(cell);
    let numbers = [number(figure.value), whole(figure.num), whole(figure.den), number(low), number(high)];
    [&texts[..], &numbers, &[gate, outcome].map(cell)].concat().join(",")
}
