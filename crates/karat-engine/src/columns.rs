//! What did each case add to each figure? The columns of a report that two reports are paired by.
//!
//! One text a figure, in the order of the cases. A proportion over cases takes one character a case: `1` it holds, `0` it
//! does not, `-` it is not counted. Any other figure takes a word a case, separated by blanks: `-`; what the case adds to
//! the sum, such as `0.5` or, where it adds more than 1 to the denominator, `3/4`; for a quantile the case's values,
//! `0.3,0.41`. As texts they stay on one line of the report, and a case costs a byte or a few.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;

use foldhash::quality::FixedState;
use indexmap::IndexMap;

use crate::metrics::{Facts, Fold, Observation};
use crate::tally::{Cell, Figure, Tally};

/// What a case adds to the columns.
pub enum Row<'a, V: Clone> {
    /// What its verdict adds.
    Verdict(Cow<'a, V>),
    /// The sum of its runs.
    Runs(&'a Tally),
    /// It was left out of every figure.
    Skipped,
}

/// The columns of every figure that cases add up to.
pub fn observed<'a, V: Facts>(
    figures: &[Figure<V>],
    cases: impl Iterator<Item = Row<'a, V>>,
) -> IndexMap<String, String> {
    // Most cases end in one of a few hundred verdicts: each is measured once.
    let mut kinds: HashMap<V, u32, FixedState> = HashMap::with_hasher(FixedState::with_seed(0));
    let mut distinct: Vec<Row<'a, V>> = vec![Row::Skipped];
    let mut order: Vec<u32> = Vec::with_capacity(cases.size_hint().0);
    for case in cases {
        let next = u32::try_from(distinct.len()).unwrap_or(u32::MAX);
        let number = match &case {
            Row::Skipped => 0,
            Row::Verdict(verdict) => match kinds.get(&**verdict) {
                Some(&number) => number,
                None => {
                    kinds.insert(V::clone(verdict), next);
                    next
                }
            },
            Row::Runs(_) => next,
        };
        if number == next {
            distinct.push(case);
        }
        order.push(number);
    }
    let paired = |figure: &(usize, &Figure<V>)| {
        let metric = figure.1.metric;
        let sums =
            matches!(metric.fold, Fold::Proportion | Fold::Pooled | Fold::Mean | Fold::Quantile { .. });
        sums && !metric.among_counts && !(metric.off)(&figure.1.params)
    };
    figures
        .iter()
        .enumerate()
        .filter(paired)
        .filter_map(|(i, figure)| {
            let words: Vec<String> = distinct.iter().map(|row| word(row, i, figure)).collect();
            // A figure that counts no case, or is not made of cases, has nothing to pair.
            let counts = words.iter().any(|word| word != "-");
            counts.then(|| (figure.name.clone(), column(figure, &words, &order)))
        })
        .collect()
}

fn column<V: Facts>(figure: &Figure<V>, words: &[String], order: &[u32]) -> String {
    let one_each = figure.metric.fold == Fold::Proportion && words.iter().all(|word| word.len() == 1);
    let mut out = String::with_capacity(order.len() * if one_each { 1 } else { 3 });
    for (i, number) in order.iter().enumerate() {
        if i > 0 && !one_each {
            out.push(' ');
        }
        out.push_str(&words[*number as usize]);
    }
    out
}

/// What a case adds to a figure; a dash where it is not counted.
fn word<V: Facts>(row: &Row<'_, V>, i: usize, figure: &Figure<V>) -> String {
    let metric = figure.metric;
    if let (Row::Verdict(verdict), Fold::Quantile { .. }) = (row, metric.fold) {
        let mut values = Vec::new();
        figure.values(verdict, &mut values);
        let values: Vec<String> = values.iter().map(f64::to_string).collect();
        return if values.is_empty() { "-".into() } else { values.join(",") };
    }
    let cell = match row {
        Row::Verdict(verdict) => Cell::of(&**verdict, figure),
        Row::Runs(tally) => tally.cells.get(i).copied().unwrap_or_default(),
        Row::Skipped => Cell::default(),
    };
    if cell.cases == 0 {
        return "-".into();
    }
    let mut out = match metric.fold {
        Fold::Mean => (cell.num as f64 / Observation::UNIT as f64).to_string(),
        _ => cell.num.to_string(),
    };
    if cell.den != 1 {
        let _ = write!(out, "/{}", cell.den);
    }
    out
}
