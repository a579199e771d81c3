//! Does every value of a slice have enough rows for a rate?

use std::collections::BTreeMap;

use super::Lint;
use crate::problem::GOLD_THIN_SLICE;
use crate::text;

/// How many rows a value should have: with fewer, one case moves a rate by more than a fifth.
const ENOUGH: u64 = 5;

/// The declaration.
pub const LINT: Lint = Lint {
    name: "thin_slice",
    kind: &GOLD_THIN_SLICE,
    method: "A value of a slice field occurs in fewer than five rows.",
    look: |set, found| {
        for (i, field) in set.slices.iter().enumerate() {
            let mut values: BTreeMap<&str, (u64, usize)> = BTreeMap::new();
            for (number, row) in set.rows.iter().enumerate() {
                for value in &row.slices[i] {
                    values.entry(value).or_insert((0, number)).0 += 1;
                }
            }
            let mut thin: Vec<(usize, &str, u64)> = values
                .into_iter()
                .filter(|(_, (rows, _))| *rows < ENOUGH)
                .map(|(value, (rows, first))| (first, value, rows))
                .collect();
            thin.sort_unstable();
            for (first, value, rows) in thin {
                let (value, rows) = (text::visible(value), text::count(rows, "row"));
                let message = format!("`{}` is \"{value}\" in only {rows}", text::visible(field));
                found.at(&set.rows[first].at, field, message, "expected five rows or more");
            }
        }
    },
};
