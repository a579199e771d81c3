//! Every run as the history has it, for tools.

use serde_json::json;

use super::Trend;
use crate::history::Run;

pub(super) fn render(trend: &Trend, names: Option<&[String]>, _: bool) -> String {
    let wanted = |name: &String| names.is_none_or(|names| names.contains(name));
    let run = |run: &Run| {
        let mut run = run.clone();
        run.metrics.retain(|name, _| wanted(name));
        run.counts.retain(|name, _| wanted(name));
        run
    };
    let suites: Vec<_> = trend
        .suites
        .iter()
        .map(|suite| {
            let runs: Vec<Run> = suite.runs.iter().map(run).collect();
            json!({ "name": suite.name, "earlier": suite.earlier, "runs": runs })
        })
        .collect();
    let all = json!({ "schema": "karat.trend/1", "karat": env!("CARGO_PKG_VERSION"), "suites": suites });
    format!("{all:#}\n")
}
