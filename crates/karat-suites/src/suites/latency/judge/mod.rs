//! Times of one point of the curve, in total and by stage.
//!
//! Quantiles are exact: every time is kept as eight bytes and sorted once.

pub(crate) mod curve;

use crate::number::Value;
use crate::quantile;
use crate::score::Score;
use crate::suites::terms::terms;

terms! {
    /// A stage of a request whose time a trace may give, as in `stage_ms`; in the order of a request.
    pub enum Stage {
        Retrieval: "retrieval", "Finding candidates.",
            "look at the index, at how many candidates are fetched, and at round trips";
        Rerank: "rerank", "Sorting them.", "look at how deep it reranks, and at the size of its model";
        Llm: "llm", "Writing the answer.",
            "look at the model, at how many tokens it reads, and at how many it may write";
        Guard: "guard", "Checking it.", "look at how many checks run one after the other";
    }
}

/// Times in milliseconds, sorted.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Sorts times, which may come in any order.
    #[must_use]
    pub fn new(mut times: Vec<f64>) -> Self {
        times.sort_unstable_by(f64::total_cmp);
        Times(times)
    }

    /// The number of times.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.0.len() as u64
    }

    /// The times, shortest first.
    #[must_use]
    pub fn sorted(&self) -> &[f64] {
        &self.0
    }

    /// A percentile of the times; `None` if there are none.
    #[must_use]
    pub fn percentile(&self, percent: u8) -> Option<Value> {
        quantile::at(&self.0, percent)
    }

    /// A percentile of the times, as a score.
    #[must_use]
    pub fn quantile(&self, percent: u8) -> Score {
        let value = self.percentile(percent);
        Score { value, den: Some(self.samples()), vacuous: value.is_none(), ..Score::UNKNOWN }
    }

    /// Tail amplification, p99/p50; `None` if p50 is 0.
    #[must_use]
    pub fn tail_amplification(&self) -> Option<Value> {
        self.percentile(99)?.over(self.percentile(50)?)
    }
}

/// The times of one point.
#[derive(Clone, Debug, Default)]
pub struct Timing {
    /// Times from the question to the answer.
    pub whole: Times,
    /// Times of each stage, in the order of [`Stage::ALL`].
    pub stages: [Times; 4],
    /// The number of requests without a time.
    pub untimed: u64,
    /// The number of requests in which the pipeline failed. Their time is not the time of an answer, so they are neither
    /// samples nor untimed.
    pub errored: u64,
}

/// The point of the baseline that another one is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a> {
    /// The times of the point.
    pub timing: &'a Timing,
    /// The precision of the point.
    pub precision: &'a Score,
    /// The number of cases without an answer: no trace, or one that says that the pipeline failed.
    pub missing: u64,
}

/// Everything that a metric may know about one point of the curve.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    /// The times of the point.
    pub timing: &'a Timing,
    /// The precision of the point.
    pub precision: &'a Score,
    /// The baseline's point.
    pub baseline: Option<Before<'a>>,
}

impl Point<'_> {
    /// A percentile of the time of a stage. A gate on it needs the stage in every sample.
    #[must_use]
    pub fn stage(&self, stage: Stage, percent: u8) -> Score {
        let times = &self.timing.stages[stage as usize];
        let (some, all) = (times.samples(), self.timing.whole.samples());
        Score { partial: (some < all).then_some([some, all]), ..times.quantile(percent) }
    }

    /// Tail amplification, as a score.
    #[must_use]
    pub fn tail_amplification(&self) -> Score {
        let value = self.timing.whole.tail_amplification();
        Score { value, den: Some(self.timing.whole.samples()), ..Score::UNKNOWN }
    }

    /// The rise of p95 relative to the baseline; no value if the baseline's p95 is 0.
    #[must_use]
    pub fn p95_rise(&self) -> Score {
        let rise = || {
            let (new, old) = (self.timing.whole.percentile(95)?, self.baseline?.timing.whole.percentile(95)?);
            new.minus(old).over(old)
        };
        Score { value: rise(), ..Score::UNKNOWN }
    }

    /// The drop of precision from the baseline; no value if either side ships nothing.
    #[must_use]
    pub fn precision_drop(&self) -> Score {
        let Some(Before { precision: before, .. }) = self.baseline else { return Score::UNKNOWN };
        let value = before.value.zip(self.precision.value).map(|(old, new)| old.minus(new));
        Score { value, vacuous: before.vacuous || self.precision.vacuous, ..Score::UNKNOWN }
    }

    /// A count of the baseline's point; no value if it has no point.
    #[must_use]
    pub fn of_baseline(&self, count: impl Fn(Before<'_>) -> u64) -> Score {
        self.baseline.map_or(Score::UNKNOWN, |before| Score::count(count(before)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Ratio;

    fn timing(times: &[f64]) -> Timing {
        Timing { whole: Times::new(times.to_vec()), ..Timing::default() }
    }

    fn share(num: i128, den: u128) -> Score {
        Score { value: Ratio::new(num, den).map(Value::Exact), ..Score::UNKNOWN }
    }

    #[test]
    fn known_percentiles() {
        let times = Times::new(vec![1000.0, 300.0, 100.0, 400.0, 200.0]);
        for (percent, expected) in [(50, 300.0), (90, 760.0), (95, 880.0), (99, 976.0)] {
            assert_eq!(times.percentile(percent).map(Value::to_f64), Some(expected), "p{percent}");
        }
        assert_eq!(times.tail_amplification().map(Value::to_f64), Some(976.0 / 300.0));
        assert_eq!(Times::new(vec![7.0]).percentile(99).map(Value::to_f64), Some(7.0));
    }

    #[test]
    fn no_sample_is_no_value() {
        let none = Times::default();
        assert!(none.percentile(95).is_none() && none.tail_amplification().is_none());
        assert!(none.quantile(95).value.is_none());
        assert!(Times::new(vec![0.0, 0.0]).tail_amplification().is_none(), "nothing divides by 0");
    }

    #[test]
    fn a_stage_that_few_requests_tell_decides_nothing() {
        let mut timing = timing(&[5.0, 6.0]);
        timing.stages[Stage::Llm as usize] = Times::new(vec![4.0]);
        let point = Point { timing: &timing, precision: &Score::UNKNOWN, baseline: None };
        let llm = point.stage(Stage::Llm, 95);
        assert_eq!((llm.value.map(Value::to_f64), llm.partial), (Some(4.0), Some([1, 2])));
        timing.stages[Stage::Llm as usize] = Times::new(vec![4.0, 5.0]);
        let point = Point { timing: &timing, precision: &Score::UNKNOWN, baseline: None };
        assert_eq!(point.stage(Stage::Llm, 95).partial, None);
    }

    #[test]
    fn against_a_baseline() {
        let (new, old, precision) = (timing(&[115.0]), timing(&[100.0]), share(88, 100));
        let before = share(90, 100);
        let compared = |timing, precision| Some(Before { timing, precision, missing: 2 });
        let point = Point { timing: &new, precision: &precision, baseline: compared(&old, &before) };
        assert_eq!(point.p95_rise().value.map(Value::to_f64), Some(0.15));
        let drop = point
            .precision_drop()
            .value
            .map(|drop| drop.against(crate::number::Decimal::parse("0.02").unwrap()));
        assert_eq!(drop, Some(std::cmp::Ordering::Equal), "exactly two of a hundred");
        let alone = Point { baseline: None, ..point };
        assert!(alone.p95_rise().value.is_none() && alone.precision_drop().value.is_none());
        let empty = Score { vacuous: true, ..share(1, 1) };
        let refused = Point { precision: &empty, ..point };
        assert!(refused.precision_drop().vacuous, "what ships nothing cannot be compared");
        let still = timing(&[0.0]);
        assert!(Point { baseline: compared(&still, &before), ..point }.p95_rise().value.is_none());
        assert_eq!(point.of_baseline(|before| before.missing).num, Some(2));
        assert!(alone.of_baseline(|before| before.missing).value.is_none(), "no baseline is no 0");
    }
}
