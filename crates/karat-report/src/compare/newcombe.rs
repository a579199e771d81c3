//! How far apart are two proportions of the same cases? Newcombe's interval of a paired difference (1998, method 10).
//!
//! It is made of the two Wilson intervals that the report shows, brought together by how much the cases agree. Unlike a
//! bootstrap it still has a width where no case changed: few cases are never proof.

use crate::interval::wilson;

/// The cases by whether they hold before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// They hold on both sides.
    pub both: u64,
    /// They held and hold no longer.
    pub broken: u64,
    /// They hold now.
    pub fixed: u64,
    /// They hold on neither side.
    pub neither: u64,
}

/// The 95 % interval of new minus base; `None` of no cases.
#[must_use]
pub fn newcombe(table: Table) -> Option<[f64; 2]> {
    let Table { both, broken, fixed, neither } = table;
    let n = both + broken + fixed + neither;
    if n == 0 {
        return None;
    }
    let whole = n as f64;
    let (new, base) = ((both + fixed) as f64 / whole, (both + broken) as f64 / whole);
    let ([new_low, new_high], [base_low, base_high]) = (wilson(both + fixed, n), wilson(both + broken, n));
    let phi = agreement(table);
    let half = |a: f64, b: f64| (a * a - 2.0 * phi * a * b + b * b).max(0.0).sqrt();
    let delta = (fixed as f64 - broken as f64) / whole;
    Some([
        (delta - half(new - new_low, base_high - base)).max(-1.0),
        (delta + half(new_high - new, base - base_low)).min(1.0),
    ])
}

/// The correlation of the two sides, corrected for continuity; 0 where a side is all alike.
fn agreement(Table { both, broken, fixed, neither }: Table) -> f64 {
    let [a, b, c, d] = [both, broken, fixed, neither].map(|n| n as f64);
    let margins = [a + b, c + d, a + c, b + d];
    if margins.contains(&0.0) {
        return 0.0;
    }
    let (product, half) = (a * d - b * c, (a + b + c + d) / 2.0);
    let corrected = if product > half { product - half } else { product.min(0.0) };
    corrected / margins.iter().map(|margin| margin.sqrt()).product::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples() {
        // Newcombe's method 10 (1998), worked out with scipy's Wilson intervals; the first two tables are his.
        for (table, want) in [
            ([36, 12, 2, 0], [0.0569, 0.3404]),
            ([20, 12, 2, 16], [0.0562, 0.3292]),
            ([0, 0, 0, 50], [-0.0713, 0.0713]),
            ([53, 0, 0, 1], [-0.0729, 0.0729]),
            ([0, 30, 24, 0], [-0.1525, 0.3600]),
        ] {
            let [both, fixed, broken, neither] = table;
            let found = newcombe(Table { both, broken, fixed, neither }).unwrap();
            assert!((0..2).all(|i| (found[i] - want[i]).abs() < 6e-5), "{table:?}: {found:?} {want:?}");
        }
        assert_eq!(newcombe(Table::default()), None);
    }
}
