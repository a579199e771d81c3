//! The full report, for tools: every figure in full precision.

use super::Format;

/// The declaration.
pub const FORMAT: Format = Format {
    name: "json",
    ending: ".json",
    summary: "the full report, every figure in full precision (`karat schema report`)",
    render: |report, _| {
        let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
        text.push('\n');
        text
    },
};
