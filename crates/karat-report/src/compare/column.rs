//! What did each case add to a figure? The columns of a report (see `observed` in its schema), read again.

use crate::interval::Part;

/// What the cases of one report add to a figure.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Column {
    /// A numerator and a denominator a case; `None`: it is not counted. Numerators are in units of 1/`scale`.
    Parts {
        /// One a case.
        parts: Vec<Option<Part>>,
        /// 1, or that of a mean.
        scale: u64,
    },
    /// The values of each case, of which a quantile is taken.
    Values(Vec<Vec<f64>>),
}

/// What numbers with a fraction are counted in: fine enough for every double below 1, and so small that sums are quick.
const SCALE: u64 = 1 << 53;
/// No real case adds more; a stranger's report must not reach an overflow.
const MOST: f64 = 1e10;

impl Column {
    /// Reads the column of so many cases; `None` if it is none.
    pub(super) fn parse(text: &str, cases: usize) -> Option<Column> {
        if text.len() == cases && text.bytes().all(|b| matches!(b, b'0' | b'1' | b'-')) {
            let bit = |b: u8| (b != b'-').then_some((u128::from(b == b'1'), 1));
            return Some(Column::Parts { parts: text.bytes().map(bit).collect(), scale: 1 });
        }
        let words = || text.split(' ').filter(|word| !word.is_empty());
        if words().count() != cases {
            return None;
        }
        if text.contains(',') {
            let values = |word: &str| match word {
                "-" => Some(Vec::new()),
                word => word.split(',').map(number).collect(),
            };
            return words().map(values).collect::<Option<_>>().map(Column::Values);
        }
        let scale = if text.contains('.') { SCALE } else { 1 };
        let part = |word: &str| -> Option<Option<Part>> {
            let (num, den) = match word.split_once('/') {
                _ if word == "-" => return Some(None),
                Some((num, den)) => (num, den.parse().ok().filter(|den| (0..=MOST as u64).contains(den))?),
                None => (word, 1),
            };
            let num = if scale == 1 {
                u128::from(num.parse::<u64>().ok().filter(|num| *num <= MOST as u64)?)
            } else {
                (number(num).filter(|num| *num >= 0.0)? * scale as f64).round() as u128
            };
            Some(Some((num, den)))
        };
        let parts = words().map(part).collect::<Option<_>>()?;
        Some(Column::Parts { parts, scale })
    }

    /// Takes these cases alone, in this order.
    pub(super) fn pick(&self, cases: impl Iterator<Item = usize>) -> Column {
        match self {
            Column::Parts { parts, scale } => Column::Parts {
                parts: cases.map(|i| parts.get(i).copied().flatten()).collect(),
                scale: *scale,
            },
            Column::Values(values) => {
                Column::Values(cases.map(|i| values.get(i).cloned().unwrap_or_default()).collect())
            }
        }
    }

    /// What the cases come to, where they are parts of a ratio.
    pub(super) fn ratio(&self) -> Option<f64> {
        let Column::Parts { parts, scale } = self else { return None };
        let (num, den) = parts.iter().flatten().fold((0u128, 0u128), |(num, den), part| {
            (num.saturating_add(part.0), den.saturating_add(u128::from(part.1)))
        });
        (den > 0).then(|| num as f64 / *scale as f64 / den as f64)
    }

    /// A quantile's column whose every case has one value looks like a mean's; the metric knows which it is.
    pub(super) fn of_quantile(self) -> Column {
        match self {
            Column::Parts { parts, scale } => {
                let value = |part: Option<Part>| part.map(|(num, _)| num as f64 / scale as f64);
                Column::Values(parts.into_iter().map(|part| value(part).into_iter().collect()).collect())
            }
            values => values,
        }
    }

    /// By how much a case lies above a level: its numerator less what its denominator would have at that level, or the
    /// mean of its values less the level; 0 where it is not counted.
    pub(super) fn above(&self, level: f64, case: usize) -> f64 {
        match self {
            Column::Parts { parts, scale } => match parts.get(case).copied().flatten() {
                Some((num, den)) => num as f64 / *scale as f64 - level * den as f64,
                None => 0.0,
            },
            Column::Values(values) => match values.get(case) {
                Some(values) if !values.is_empty() => {
                    values.iter().sum::<f64>() / values.len() as f64 - level
                }
                _ => 0.0,
            },
        }
    }
}

fn number(word: &str) -> Option<f64> {
    word.parse::<f64>().ok().filter(|value| value.is_finite() && value.abs() <= MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, cases: usize) -> Option<(Vec<Option<Part>>, u64)> {
        match Column::parse(text, cases)? {
            Column::Parts { parts, scale } => Some((parts, scale)),
            Column::Values(_) => None,
        }
    }

    #[test]
    fn columns_are_read_as_they_are_written() {
        let (one, zero) = (Some((1, 1)), Some((0, 1)));
        assert_eq!(parts("10-1", 4), Some((vec![one, zero, None, one], 1)));
        assert_eq!(parts("1", 1), Some((vec![one], 1)));
        assert_eq!(parts("10", 1), Some((vec![Some((10, 1))], 1)), "one case of ten, not two cases");
        assert_eq!(parts("3/4 - 0/0", 3), Some((vec![Some((3, 4)), None, Some((0, 0))], 1)));
        let unit = u128::from(SCALE);
        assert_eq!(parts("0.5 1", 2), Some((vec![Some((unit / 2, 1)), Some((unit, 1))], SCALE)));
        assert_eq!(parts("1.5/2 -", 2), Some((vec![Some((unit * 3 / 2, 2)), None], SCALE)));
        let values = Column::Values(vec![vec![0.25, 3.0], vec![], vec![1.0]]);
        assert_eq!(Column::parse("0.25,3 - 1", 3), Some(values));
    }

    #[test]
    fn what_is_no_column_is_none() {
        for (text, cases) in [("101", 2), ("1 x", 2), ("1/0x 1", 2), ("-1 0.5", 2), ("1e99 0.1", 2), ("", 1)]
        {
            assert_eq!(Column::parse(text, cases), None, "{text}");
        }
        for hostile in ["1e400,1", "NaN,1", "99999999999999999999 0"] {
            assert_eq!(Column::parse(hostile, hostile.split(' ').count()), None, "{hostile}");
        }
    }
}
