//! The full report, for tools: every figure in full precision.

use super::{Format, pretty};

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
