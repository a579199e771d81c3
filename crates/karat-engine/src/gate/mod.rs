//! Gates: does a score meet its threshold, and if nobody can say, why not?
//!
//! `metric op threshold`, separated by commas or spaces: `precision>=0.80`, `under=0.05`, `recall@5>=0.9@95`,
//! `precision[workflow=*]>=0.75`. Comparison is exact and inclusive where the sign says so.

mod parse;

use std::cmp::Ordering;
use std::fmt;

use crate::interval;
use crate::metrics::{self, About, Direction, Fold, Scale};
use crate::number::Decimal;
use crate::problem::{self, Failure, Problem};
use crate::score::Score;
use crate::text;

pub use parse::{parse, unknown_metric};

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `>=`
    AtLeast,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `<`
    Below,
    /// `==`
    Equal,
}

impl Op {
    /// The operator as text.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Op::AtLeast => ">=",
            Op::AtMost => "<=",
            Op::Above => ">",
            Op::Below => "<",
            Op::Equal => "==",
        }
    }

    /// The operator that a text stands for.
    #[must_use]
    pub fn of(sign: &str) -> Option<Op> {
        [Op::AtLeast, Op::AtMost, Op::Above, Op::Below, Op::Equal].into_iter().find(|op| op.sign() == sign)
    }

    /// Whether an order is what the operator asks for.
    #[must_use]
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Op::AtLeast => order.is_ge(),
            Op::AtMost => order.is_le(),
            Op::Above => order.is_gt(),
            Op::Below => order.is_lt(),
            Op::Equal => order.is_eq(),
        }
    }
}

/// The cases that a gate looks at: one value of a field, or each value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// The field; `None` for `[*]`, every slice field.
    pub field: Option<String>,
    /// The value; `None` for `*`.
    pub value: Option<String>,
}

impl Selector {
    /// Whether the gate looks at this field.
    #[must_use]
    pub fn is_on(&self, field: &str) -> bool {
        self.field.as_deref().is_none_or(|mine| mine == field)
    }
}

/// Where a gate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A user wrote it.
    Explicit,
    /// It belongs to a preset.
    Preset,
    /// It always applies.
    Always,
}

impl Origin {
    /// The word for it in a report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Origin::Explicit => "explicit",
            Origin::Preset => "preset",
            Origin::Always => "always",
        }
    }
}

/// One gate.
#[derive(Clone, Debug)]
pub struct Gate {
    /// The metric that is gated.
    pub metric: &'static About,
    /// The cut-off of the metric.
    pub k: u32,
    /// The slice; `None` for all cases.
    pub slice: Option<Selector>,
    /// The comparison operator.
    pub op: Op,
    /// The threshold.
    pub threshold: Decimal,
    /// Whether the gate is on the 95 % interval instead of the value.
    pub confident: bool,
    /// Where the gate comes from.
    pub origin: Origin,
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.metric.at(self.k))?;
        if let Some(Selector { field, value }) = &self.slice {
            let value = value.as_deref().unwrap_or("*");
            match field {
                Some(field) => write!(f, "[{field}={value}]")?,
                None => write!(f, "[{value}]")?,
            }
        }
        write!(f, "{}{}{}", self.op.sign(), self.threshold, if self.confident { "@95" } else { "" })
    }
}

/// The result of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The score meets the threshold.
    Pass,
    /// The score does not meet the threshold, or there is no score.
    Fail,
    /// Nobody can say; never a pass.
    Inconclusive,
    /// Gold has no case of the kind that is gated.
    NotJudged,
}

/// The result of a gate, with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The result.
    pub outcome: Outcome,
    /// The reason, if the figures alone do not show it.
    pub reason: Option<String>,
    /// How many more cases would decide an inconclusive gate.
    pub more_cases: Option<u64>,
}

/// Refuses gates that decide nothing: that every value passes, that none does, or that fail only where a figure gets
/// better. `missing>=0` switches off a count that is gated in any case; the report then says so.
pub fn vet(gates: &[Gate]) -> Result<(), Failure> {
    let wrong = |gate: &Gate, message: String, expected: &str| -> Result<(), Failure> {
        let problem = Problem::of_file(&problem::GATE_INVALID, "--gates", format!("`{gate}` {message}"));
        Err(problem.expecting(expected).into())
    };
    for gate in gates {
        let counts = matches!(gate.metric.fold, Fold::Count | Fold::Input);
        let switchable = counts && !gate.metric.waivable;
        if !switchable && gate.range().is_some_and(|(all, _)| all) {
            return wrong(gate, "can never fail".into(), "expected a threshold that some run could miss");
        }
        if gate.range().is_some_and(|(_, none)| none) {
            return wrong(gate, "can never pass".into(), "expected a threshold that some run could meet");
        }
        let same = |other: &&Gate| other.metric.name == gate.metric.name && other.slice == gate.slice;
        if !counts && !gates.iter().filter(same).any(Gate::bounds_what_is_bad) {
            let message = format!("fails only where {} gets better", gate.metric.at(gate.k));
            return wrong(gate, message, "expected a bound on the other side, or another one beside it");
        }
    }
    Ok(())
}

impl Gate {
    /// Whether every value that its metric can have passes it, and whether none does; `None` where nothing bounds them.
    fn range(&self) -> Option<(bool, bool)> {
        let (least, most) = match (self.metric.fold, self.metric.scale) {
            (Fold::Count | Fold::Input, _) => (0.0, f64::INFINITY),
            (Fold::Statistic | Fold::Difference | Fold::Derived, Scale::Rate) => (-1.0, 1.0),
            (_, Scale::Rate) => (0.0, 1.0),
            (_, Scale::Steps | Scale::Milliseconds) => (0.0, f64::INFINITY),
            (_, Scale::Factor) => return None,
        };
        let at = self.threshold.to_f64();
        Some(match self.op {
            Op::AtLeast => (at <= least, at > most),
            Op::Above => (at < least, at >= most),
            Op::AtMost => (at >= most, at < least),
            Op::Below => (at > most, at <= least),
            Op::Equal => (false, at < least || at > most),
        })
    }

    /// Whether it fails where the figure gets worse.
    fn bounds_what_is_bad(&self) -> bool {
        match self.op {
            Op::AtLeast | Op::Above => self.metric.direction == Direction::HigherIsBetter,
            Op::AtMost | Op::Below => self.metric.direction == Direction::LowerIsBetter,
            Op::Equal => true,
        }
    }

    /// A gate that always applies: a count that must be 0.
    #[must_use]
    pub fn none_of(metric: &'static About) -> Gate {
        Gate {
            metric,
            k: 0,
            slice: None,
            op: Op::AtMost,
            threshold: Decimal::ZERO,
            confident: false,
            origin: Origin::Always,
        }
    }

    /// Compares a score with the threshold. `population` is the number of gold rows that could enter the denominator.
    #[must_use]
    pub fn judge(&self, score: &Score, population: u64) -> Decision {
        let because = |outcome, reason: String| Decision { outcome, reason: Some(reason), more_cases: None };
        if score.degenerate {
            let reason = "every case is alike, so it is undefined: chance alone would agree always";
            return because(Outcome::Inconclusive, reason.into());
        }
        let Some(value) = score.value else {
            return because(Outcome::Fail, "it has no value: nothing was measured".into());
        };
        if score.vacuous {
            let kind = self.metric.population;
            return if population == 0 && kind != metrics::Population::Any {
                because(Outcome::NotJudged, kind.absent().into())
            } else {
                because(Outcome::Inconclusive, format!("nothing to count: 0 {}", self.metric.over))
            };
        }
        if let Some([some, all]) = score.partial {
            let (some, all) = (text::group(some), text::count(all, "request"));
            return because(Outcome::Inconclusive, format!("it was measured in {some} of {all}"));
        }
        if self.confident {
            return self.judge_interval(score);
        }
        let holds = self.op.holds(value.against(self.threshold));
        Decision {
            outcome: if holds { Outcome::Pass } else { Outcome::Fail },
            reason: None,
            more_cases: None,
        }
    }

    fn judge_interval(&self, score: &Score) -> Decision {
        let Some([low, high]) = score.ci95 else {
            let reason = format!("an interval needs at least {} cases", interval::FEWEST);
            let more_cases =
                score.den.map(|den| interval::FEWEST.saturating_sub(den)).filter(|&more| more > 0);
            return Decision { outcome: Outcome::Inconclusive, reason: Some(reason), more_cases };
        };
        let threshold = self.threshold.to_f64();
        let (safe, lost) = match self.op {
            Op::AtLeast => (low >= threshold, high < threshold),
            Op::Above => (low > threshold, high <= threshold),
            Op::AtMost => (high <= threshold, low > threshold),
            Op::Below | Op::Equal => (high < threshold, low >= threshold),
        };
        let straddles = |reason: String, more_cases| Decision {
            outcome: Outcome::Inconclusive,
            reason: Some(reason),
            more_cases,
        };
        if safe || lost {
            let outcome = if safe { Outcome::Pass } else { Outcome::Fail };
            return Decision { outcome, reason: None, more_cases: None };
        }
        let needed = match (self.metric.fold, score.num, score.den) {
            (Fold::Proportion, Some(num), Some(den)) => {
                interval::cases_to_decide(num, den, threshold).map(|n| n.saturating_sub(den).max(1))
            }
            (_, _, Some(den)) => score.value.and_then(|value| {
                // The width of a bootstrap interval shrinks with the square root of the number of cases.
                let (gap, half) = ((value.to_f64() - threshold).abs(), (high - low) / 2.0);
                let needed = den as f64 * (half / gap) * (half / gap);
                (needed.is_finite() && needed < 1e15)
                    .then(|| (needed.ceil() as u64).saturating_sub(den).max(1))
            }),
            _ => None,
        };
        match needed {
            Some(more) => {
                let reason = format!(
                    "the interval straddles the threshold; about {} more at this rate would decide",
                    text::count(more, "case")
                );
                straddles(reason, Some(more))
            }
            None => straddles(
                "the interval straddles the threshold, and at this rate no number of cases would decide"
                    .into(),
                None,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::test_metrics::ALL;

    fn score(num: u64, den: u64) -> Score {
        Score {
            value: crate::number::Ratio::new(i128::from(num), u128::from(den)).map(Into::into),
            num: Some(num),
            den: Some(den),
            ci95: Some(interval::wilson(num, den)),
            ..Score::UNKNOWN
        }
    }

    #[test]
    fn a_lucky_rate_is_not_evidence() {
        let gate = |list: &str| parse(list, "", ALL, 5, Origin::Explicit).unwrap().remove(0);
        let decide = |list: &str, num, den| gate(list).judge(&score(num, den), 1);
        assert_eq!(decide("precision>=0.80", 10, 12).outcome, Outcome::Pass);
        let lucky = decide("precision>=0.80@95", 10, 12);
        assert_eq!((lucky.outcome, lucky.more_cases), (Outcome::Inconclusive, Some(542)));
        assert_eq!(decide("precision>=0.80@95", 900, 1000).outcome, Outcome::Pass);
        assert_eq!(decide("precision>=0.80@95", 700, 1000).outcome, Outcome::Fail);
        assert_eq!(decide("under<=0.05@95", 0, 9).outcome, Outcome::Inconclusive);
        assert_eq!(decide("under<=0.05@95", 0, 100).outcome, Outcome::Pass);
        assert_eq!(decide("precision==0.8", 4, 5).outcome, Outcome::Pass);
    }

    #[test]
    fn nothing_is_not_success() {
        let gate = |list: &str| parse(list, "", ALL, 5, Origin::Explicit).unwrap().remove(0);
        let vacuous = Score {
            value: Some(crate::number::Ratio::whole(1).into()),
            num: Some(0),
            den: Some(0),
            vacuous: true,
            ..Score::UNKNOWN
        };
        assert_eq!(gate("precision>=0.8").judge(&vacuous, 3).outcome, Outcome::Inconclusive);
        assert_eq!(gate("under<=0.05").judge(&vacuous, 0).outcome, Outcome::NotJudged);
        assert_eq!(gate("under<=0.05").judge(&vacuous, 3).outcome, Outcome::Inconclusive);
        assert_eq!(gate("scu_violations<=0").judge(&Score::UNKNOWN, 3).outcome, Outcome::Fail);
    }
}
