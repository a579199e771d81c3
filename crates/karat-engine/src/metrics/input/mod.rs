//! Counts of the input itself, which any suite may report.

use super::About;

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod duplicate_ids;
pub mod malformed;
pub mod missing;
pub mod unmatched;

/// Every count, in alphabetical order.
pub const ALL: &[&About] =
    &[&duplicate_ids::METRIC, &malformed::METRIC, &missing::METRIC, &unmatched::METRIC];
// codegen: end
