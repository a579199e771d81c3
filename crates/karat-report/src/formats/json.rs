//! The full report, for tools: every figure in full precision.

use serde::Serialize;

use super::Format;

/// The declaration.
pub const FORMAT: Format = Format {
    name: "json",
    ending: ".json",
    summary: "the full report, every figure in full precision (`karat schema report`)",
    render: |report, _| pretty(report),
    check: |checked, _| pretty(checked),
    cases: |_| true,
    paths: false,
};

fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
