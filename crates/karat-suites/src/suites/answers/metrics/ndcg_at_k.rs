//! How well are the useful chunks ranked, if the first places count most?
//!
//! Binary gains; discounts of 1/log2(rank + 1) come from whole-number arithmetic alone, so that every machine gets the
//! same bits.

use super::Metric;
use crate::metrics::{About, Fold, Observation, Population};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "ndcg@k",
        aliases: &["nDCG@k"],
        summary: "How well gold's chunks are ranked among the first k, 1 being ideal.",
        definition: "mean over A of DCG@k / ideal DCG@k, gain 1 and discount 1/log2(rank + 1); a case without gold citations counts 1",
        over: "answerable cases",
        population: Population::Answerable,
        fold: Fold::Mean,
        source: "the standard definition",
        ..About::PLAIN
    },
    |v, p| {
        let dcg: u128 = v.ranks.within(p.k).map(discount).sum();
        let ideal: u128 = (1..=v.gold.min(p.k)).map(discount).sum();
        v.answerable.then(|| match (v.traced(), v.gold) {
            (false, _) => Observation::fraction(0, 1),
            (true, 0) => Observation::fraction(1, 1),
            (true, _) => Observation::fraction(dcg, ideal),
        })
    },
);

/// Ranks whose discounts are at hand: as deep as rankings commonly go.
const KNOWN: usize = 1024;

/// 1/log2(rank + 1), in units of 2^-44.
pub(crate) fn discount(rank: u32) -> u128 {
    static TABLE: [u64; KNOWN] = table();
    match TABLE.get(rank as usize) {
        Some(&known) => u128::from(known),
        None => u128::from(compute(rank)),
    }
}

const fn table() -> [u64; KNOWN] {
    let mut table = [0; KNOWN];
    let mut rank = 1;
    while rank < KNOWN {
        table[rank] = compute(rank as u32);
        rank += 1;
    }
    table
}

const fn compute(rank: u32) -> u64 {
    ((1u128 << 104) / log2(rank as u64 + 1)) as u64
}

/// log2(n) in units of 2^-60, digit by digit: square the mantissa, and each time it passes 2 the next bit is a one.
const fn log2(n: u64) -> u128 {
    let whole = n.ilog2();
    let mut mantissa = (n as u128) << (63 - whole); // in [1, 2), 63 bits behind the point
    let mut bits = 0u128;
    let mut step = 0;
    while step < 54 {
        mantissa = (mantissa * mantissa) >> 63;
        bits <<= 1;
        if mantissa >> 64 != 0 {
            mantissa >>= 1;
            bits |= 1;
        }
        step += 1;
    }
    ((whole as u128) << 60) + (bits << 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discounts_are_those_of_floating_point() {
        for rank in (1..2000).chain([1 << 20, u32::MAX - 1]) {
            let exact = 1.0 / (f64::from(rank) + 1.0).log2();
            let ours = discount(rank) as f64 / (1u64 << 44) as f64;
            assert!((exact - ours).abs() < 1e-12, "{rank}: {exact} {ours}");
        }
    }
}
