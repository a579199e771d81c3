//! ΔS: the distance in meaning between a snippet and its question, logged by the pipeline or computed from its vectors.
//!
//! ΔS = 1 − cosine, between 0 (the same) and 1. Only multiplications, additions and square roots are used, in the
//! order of the vectors, so every machine gets the same bits.

use crate::suites::terms::terms;

/// The limit above which the cited ΔS of an answered run is listed.
pub const LIMIT: f64 = 0.45;
/// The limit above which a cited ΔS makes a question bad.
pub const RISK: f64 = 0.60;

/// A ΔS, stored as bits so that verdicts can be compared and counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeltaS(u64);

impl DeltaS {
    /// The largest distance: not retrieved, or not known.
    pub const WORST: DeltaS = DeltaS(1.0_f64.to_bits());

    /// A ΔS from a number between 0 and 1; `None` for any other number.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        // Adding 0 turns -0 into 0.
        (0.0..=1.0).contains(&value).then(|| DeltaS((value + 0.0).to_bits()))
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }

    /// The distance of two vectors of the same length; 1 if one of them is zero.
    #[must_use]
    pub fn between(a: &[f64], b: &[f64]) -> Self {
        // Scaling by the largest component prevents overflow and underflow.
        let scaled = |vector: &[f64]| -> Option<Vec<f64>> {
            let largest = vector.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            (largest > 0.0).then(|| vector.iter().map(|x| x / largest).collect())
        };
        let (Some(a), Some(b)) = (scaled(a), scaled(b)) else { return DeltaS::WORST };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
        let cosine = dot(&a, &b) / (dot(&a, &a).sqrt() * dot(&b, &b).sqrt());
        DeltaS::new((1.0 - cosine).clamp(0.0, 1.0)).unwrap_or(DeltaS::WORST)
    }

    /// The zone of this ΔS.
    #[must_use]
    pub fn zone(self) -> Zone {
        match self.get() {
            stable if stable < 0.40 => Zone::Stable,
            between if between < 0.60 => Zone::Transitional,
            _ => Zone::Risk,
        }
    }
}

terms! {
    /// A zone of ΔS.
    pub enum Zone {
        Stable: "stable", "Below 0.40.";
        Transitional: "transitional", "From 0.40 to below 0.60.";
        Risk: "risk", "0.60 and above.";
    }
}

/// Where a run's ΔS come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The log has them.
    Logged,
    /// From the log's vectors.
    Computed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_vectors() {
        let between = |a: &[f64], b: &[f64]| DeltaS::between(a, b).get();
        assert_eq!(between(&[1.0, 0.0], &[2.0, 0.0]), 0.0);
        assert_eq!(between(&[1.0, 0.0], &[0.0, 3.0]), 1.0);
        assert_eq!(between(&[1.0, 0.0], &[-1.0, 0.0]), 1.0, "clamped");
        assert_eq!(between(&[1.0, 0.0], &[0.0, 0.0]), 1.0, "a zero vector");
        assert_eq!(between(&[], &[]), 1.0);
        assert!((between(&[3.0, 4.0], &[4.0, 3.0]) - 0.04).abs() < 1e-15);
        assert!(between(&[1e308, 1e308], &[1e308, 1e308]) < 1e-15 && between(&[5e-324], &[5e-324]) < 1e-15);
    }

    #[test]
    fn numbers_and_zones() {
        for bad in [-0.1, 1.000_000_1, f64::NAN, f64::INFINITY] {
            assert!(DeltaS::new(bad).is_none(), "{bad}");
        }
        let zone = |value| DeltaS::new(value).unwrap().zone();
        assert_eq!([zone(0.0), zone(0.3999)], [Zone::Stable; 2]);
        assert_eq!([zone(0.40), zone(0.5999)], [Zone::Transitional; 2]);
        assert_eq!([zone(0.60), zone(1.0)], [Zone::Risk; 2]);
        assert_eq!(DeltaS::new(-0.0), DeltaS::new(0.0));
    }
}
