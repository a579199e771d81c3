//! Metrics: what each of them counts, over which cases, and its value if there is nothing to count.
//!
//! A metric is one constant: what is said about it ([`About`]) and what a case adds to it. Gate names, `karat explain`,
//! docs/metrics.md, the report and its schema all come from the lists of the suites.

use std::fmt;
use std::hash::Hash;
use std::ops::Deref;

use crate::number::Ratio;
use crate::text;

pub mod input;
#[cfg(test)]
pub mod test_metrics;

/// What is said about a metric: its name, words and numbers. All but the arithmetic needs no more.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// The name that users type; `@k` at the end means that it takes a cut-off.
    pub name: &'static str,
    /// Other spellings of the name.
    pub aliases: &'static [&'static str],
    /// What the metric tells, in one plain sentence.
    pub summary: &'static str,
    /// The formula.
    pub definition: &'static str,
    /// What the denominator ranges over.
    pub over: &'static str,
    /// The kind of gold rows that can enter the denominator. Without any, a gate has nothing to judge.
    pub population: Population,
    /// The value if the denominator is 0.
    pub empty: Empty,
    /// Which way is better.
    pub direction: Direction,
    /// The unit of the values.
    pub scale: Scale,
    /// The cut-offs to report if none are named; if empty, those of the suite.
    pub cuts: &'static [u32],
    /// How observations become a value.
    pub fold: Fold,
    /// Where the definition comes from.
    pub source: &'static str,
    /// The gate that suites default to, if any.
    pub default_gate: Option<&'static str>,
    /// When tables for people show it; json always has it.
    pub table: Table,
    /// Marks a plain count of the input, listed with the other counts rather than among the figures.
    pub among_counts: bool,
    /// Whether a waiver may let a check pass although this gate fails; never for constraints, admissibility and missing data.
    pub waivable: bool,
}

impl About {
    /// The defaults that most metrics share.
    pub const PLAIN: About = About {
        name: "",
        aliases: &[],
        summary: "",
        definition: "",
        over: "",
        population: Population::Any,
        empty: Empty::Zero,
        direction: Direction::HigherIsBetter,
        scale: Scale::Rate,
        cuts: &[],
        fold: Fold::Proportion,
        source: "",
        default_gate: None,
        table: Table::Always,
        among_counts: false,
        waivable: true,
    };

    /// The defaults of a plain count.
    pub const COUNT: About = About {
        fold: Fold::Count,
        over: "cases",
        direction: Direction::LowerIsBetter,
        among_counts: true,
        ..About::PLAIN
    };

    /// The name and its other spellings.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Whether the metric takes a cut-off.
    #[must_use]
    pub fn takes_k(&self) -> bool {
        self.name.ends_with("@k")
    }

    /// The name at a cut-off: `recall@5`.
    #[must_use]
    pub fn at(&self, k: u32) -> String {
        match self.name.strip_suffix('k') {
            Some(stem) if self.takes_k() => format!("{stem}{k}"),
            _ => self.name.to_owned(),
        }
    }
}

/// A metric over the facts of a case: what is said about it, and what a case adds to it.
pub struct Metric<V: Facts> {
    /// Name, words and numbers.
    pub about: &'static About,
    /// When the metric has no value at all.
    pub off: fn(&V::Params) -> bool,
    /// What a case adds.
    pub measure: Measure<V>,
}

impl<V: Facts> Clone for Metric<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Facts> Copy for Metric<V> {}

impl<V: Facts> Deref for Metric<V> {
    type Target = About;

    fn deref(&self) -> &About {
        self.about
    }
}

impl<V: Facts> fmt::Debug for Metric<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Metric({})", self.about.name)
    }
}

impl<V: Facts> Metric<V> {
    const fn new(about: &'static About, measure: Measure<V>) -> Self {
        Metric { about, off: |_| false, measure }
    }

    /// A metric that cases add to; `None` where a case does not count.
    pub const fn case(about: &'static About, of: fn(&V, &V::Params) -> Option<Observation>) -> Self {
        Metric::new(about, Measure::Case(of))
    }

    /// A quantile of the values that cases have.
    pub const fn values(about: &'static About, of: fn(&V, &V::Params, &mut Vec<f64>)) -> Self {
        Metric::new(about, Measure::Values(of))
    }

    /// How much lower another metric is than in the baseline.
    pub const fn drop_of(about: &'static About, other: &'static Metric<V>) -> Self {
        Metric::new(about, Measure::Drop(other))
    }

    /// A statistic over all cases.
    pub const fn statistic(about: &'static About, of: Statistic<V>) -> Self {
        Metric::new(about, Measure::Statistic(of))
    }

    /// A count of the input, or a figure that a suite makes of something else than cases.
    pub const fn given(about: &'static About) -> Self {
        Metric::new(about, Measure::Given)
    }

    /// The metric, without a value where `off` says so.
    #[must_use]
    pub const fn unless(self, off: fn(&V::Params) -> bool) -> Self {
        Metric { off, ..self }
    }
}

/// What a case adds to a metric.
pub enum Measure<V: Facts> {
    /// A numerator and a denominator; `None` if the case does not count.
    Case(fn(&V, &V::Params) -> Option<Observation>),
    /// Values; the metric is a quantile of these.
    Values(fn(&V, &V::Params, &mut Vec<f64>)),
    /// How much lower another metric is than in the baseline.
    Drop(&'static Metric<V>),
    /// A statistic over all cases.
    Statistic(Statistic<V>),
    /// Nothing: the value does not come from cases.
    Given,
}

impl<V: Facts> Clone for Measure<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Facts> Copy for Measure<V> {}

/// A statistic over many cases, given each kind of case with its number; `None` if undefined.
pub type Statistic<V> = fn(&[(&V, u64)]) -> Option<Ratio>;

/// The facts of one case: everything that a metric may see.
pub trait Facts: Clone + Eq + Hash + Sync + 'static {
    /// What metrics are parametrised by.
    type Params: Params;

    /// Whether the case belongs to a kind of gold rows.
    fn belongs(&self, population: Population) -> bool;
}

/// What the metrics of a suite are parametrised by: a cut-off, and settings of its own.
pub trait Params: Copy + fmt::Debug + Send + Sync + 'static {
    /// These at another cut-off.
    #[must_use]
    fn at(self, k: u32) -> Self;

    /// These of the baseline, where a suite measures two sides.
    #[must_use]
    fn of_baseline(self) -> Self {
        self
    }
}

impl Params for () {
    fn at(self, _: u32) -> Self {}
}

/// The kind of gold rows that can enter the denominator of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Population {
    /// Any gold row.
    Any,
    /// Answerable rows.
    Answerable,
    /// Unanswerable rows.
    Unanswerable,
    /// Rows with locked constraints.
    Constrained,
    /// Controls that should be released.
    GoodControl,
    /// Controls that should be blocked.
    BadControl,
}

impl Population {
    /// Every kind.
    pub const ALL: [Population; 6] = [
        Population::Any,
        Population::Answerable,
        Population::Unanswerable,
        Population::Constrained,
        Population::GoodControl,
        Population::BadControl,
    ];

    /// What it means in words that gold has no such row.
    #[must_use]
    pub fn absent(self) -> &'static str {
        match self {
            Population::Any => "there is no row",
            Population::Answerable => "gold has no answerable row",
            Population::Unanswerable => "gold has no unanswerable row",
            Population::Constrained => "gold has no row with constraints",
            Population::GoodControl => "no control should be released: no row has should_release true",
            Population::BadControl => "no control should be blocked: no row has should_release false",
        }
    }
}

/// The value of a metric whose denominator is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// 0, marked vacuous.
    Zero,
    /// 1, marked vacuous.
    One,
    /// No value; the gate fails.
    Undefined,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `=` in a gate means `>=`.
    HigherIsBetter,
    /// `=` in a gate means `<=`.
    LowerIsBetter,
}

/// The unit of a metric's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// A rate between 0 and 1.
    Rate,
    /// A number of steps, from 0.
    Steps,
    /// A time, from 0.
    Milliseconds,
    /// A quotient of two times.
    Factor,
}

/// When a table for people shows a figure. A gated figure is always shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The figure is always shown.
    Always,
    /// The figure is shown unless it is 0.
    NotZero,
    /// The figure is shown only if it is gated.
    Gated,
}

/// How observations become a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Cases that hold / cases, with a Wilson interval.
    Proportion,
    /// A ratio of sums of counts that differ from case to case, with a bootstrap over cases.
    Pooled,
    /// The mean of fractions, with a bootstrap over cases.
    Mean,
    /// A percentile of the values of all runs.
    Quantile {
        /// The percentage; 50 is the median.
        percent: u8,
    },
    /// The difference of two figures on the same cases, with a paired bootstrap.
    Difference,
    /// A statistic over all cases, with a jackknife over cases.
    Statistic,
    /// A value made of other figures (a quotient of two times, a difference from the baseline), without an interval.
    Derived,
    /// A plain count without a denominator.
    Count,
    /// A count that comes from reading the input and not from a verdict.
    Input,
}

/// The numerator and denominator that one verdict adds to a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The numerator; for a mean in units of 1/[`Observation::UNIT`].
    pub num: u128,
    /// The denominator.
    pub den: u64,
}

impl Observation {
    /// lcm(1..=46). Each n/d with d ≤ 46 is a whole number of these units, so means of fractions add up exactly.
    pub const UNIT: u64 = 9_419_588_158_802_421_600;

    /// One case that holds or does not.
    #[inline]
    #[must_use]
    pub fn bit(holds: bool) -> Self {
        Observation { num: u128::from(holds), den: 1 }
    }

    /// `n` more of something that is counted.
    #[must_use]
    pub fn some(n: u32) -> Self {
        Observation { num: u128::from(n), den: 0 }
    }

    /// One more of something that is counted.
    #[inline]
    #[must_use]
    pub fn one() -> Self {
        Observation { num: 1, den: 0 }
    }

    /// A pooled ratio: `num` and `den` are added separately.
    #[inline]
    #[must_use]
    pub fn pooled(num: u32, den: u32) -> Self {
        Observation { num: u128::from(num), den: u64::from(den) }
    }

    /// The fraction `num / den`, which enters a mean; 0 if `den` is 0.
    #[must_use]
    pub fn share(num: u32, den: u32) -> Self {
        Observation::fraction(u128::from(num), u128::from(den))
    }

    /// A fraction of at most 1 that enters a mean.
    #[inline]
    #[must_use]
    pub fn fraction(num: u128, den: u128) -> Self {
        let unit = u128::from(Self::UNIT);
        // Round to the nearest unit; exact wherever the denominator divides UNIT.
        let units = (num.min(den) * unit + den / 2).checked_div(den).unwrap_or(0);
        Observation { num: units, den: 1 }
    }

    /// A whole number of steps that enters a mean.
    #[must_use]
    pub fn steps(n: u32) -> Self {
        Observation { num: u128::from(n) * u128::from(Self::UNIT), den: 1 }
    }

    /// The mean of several observations of a mean, rounded to the nearest unit; `None` if there are none.
    #[must_use]
    pub fn mean(parts: impl Iterator<Item = Observation>) -> Option<Self> {
        let (sum, parts) = parts.fold((0u128, 0u128), |(sum, parts), part| (sum + part.num, parts + 1));
        (sum + parts / 2).checked_div(parts).map(|num| Observation { num, den: 1 })
    }
}

/// The metrics of these names, in their order: a suite's own, or counts of the input.
pub fn named<V: Facts>(names: &[&str], own: impl Iterator<Item = Metric<V>>) -> Vec<Metric<V>> {
    let known: Vec<Metric<V>> = own.chain(input::ALL.iter().map(|about| Metric::given(about))).collect();
    names.iter().filter_map(|name| known.iter().find(|metric| metric.name == *name).copied()).collect()
}

/// What is said about these metrics.
pub fn abouts<V: Facts>(metrics: &[Metric<V>]) -> Vec<&'static About> {
    metrics.iter().map(|metric| metric.about).collect()
}

/// Finds a metric and the cut-off in a name such as `recall@5`, `recall@k` or the alias `under`.
#[must_use]
pub fn find<'m>(name: &str, metrics: &[&'m About], k: u32) -> Option<(&'m About, u32)> {
    // Exact spelling first, then any letter case: people write ndcg, NDCG and nDCG.
    let exact = |name: &str| metrics.iter().copied().find(|m| m.names().any(|known| known == name));
    let alike = |name: &str| {
        metrics.iter().copied().find(|m| m.names().any(|known| known.eq_ignore_ascii_case(name)))
    };
    let named = |name: &str| exact(name).or_else(|| alike(name));
    if let Some(metric) = named(name) {
        return Some((metric, k));
    }
    let (stem, cut) = name.rsplit_once('@')?;
    let cut = cut.parse().ok().filter(|&k| k > 0 && !cut.starts_with(['+', '0']))?;
    named(&format!("{stem}@k")).filter(|m| m.takes_k()).map(|metric| (metric, cut))
}

/// The known names closest to an unknown one.
#[must_use]
pub fn nearest(name: &str, metrics: &[&'static About]) -> Vec<&'static str> {
    text::nearest(name, metrics.iter().flat_map(|m| m.names()))
}

#[cfg(test)]
mod tests {
    use super::test_metrics::ALL;
    use super::*;

    #[test]
    fn names_at_a_cut_off() {
        assert_eq!(find("recall@7", ALL, 5).map(|(m, k)| m.at(k)).as_deref(), Some("recall@7"));
        assert_eq!(find("recall@k", ALL, 5).map(|(m, k)| m.at(k)).as_deref(), Some("recall@5"));
        assert_eq!(find("under", ALL, 5).map(|(m, _)| m.name), Some("under_refusal"));
        assert_eq!(find("NDCG@3", ALL, 5).map(|(m, k)| m.at(k)).as_deref(), Some("ndcg@3"));
        for unknown in ["recall@0", "recall@x", "precision@5", "recall", "recall@+5", ""] {
            assert!(find(unknown, ALL, 5).is_none(), "{unknown}");
        }
        assert_eq!(nearest("precison", ALL)[0], "precision");
    }

    #[test]
    fn the_unit_is_the_least_common_multiple() {
        let gcd = |mut a: u64, mut b: u64| {
            while b != 0 {
                (a, b) = (b, a % b)
            }
            a
        };
        assert_eq!((1..=46u64).fold(1, |lcm, n| lcm / gcd(lcm, n) * n), Observation::UNIT);
        let unit = u128::from(Observation::UNIT);
        assert_eq!(Observation::fraction(1, 3).num * 3, unit);
        assert_eq!(Observation::fraction(5, 5), Observation { num: unit, den: 1 });
        let thirds = [1, 0, 1].map(|num| Observation::share(num, 1));
        assert_eq!(Observation::mean(thirds.into_iter()), Some(Observation::share(2, 3)));
        assert_eq!(Observation::mean(std::iter::empty()), None);
        assert_eq!(Observation::steps(3).num, 3 * unit);
    }
}
