//! GATE: does a score clear its threshold, and if that cannot be said, why not?
//!
//! `metric op threshold`, separated by commas or spaces: `precision>=0.80`, `under=0.05`, `recall@5>=0.9@95`,
//! `precision[workflow=*]>=0.75`. Comparison is exact and inclusive where the sign says so.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use crate::interval;
use crate::metrics::{self, Direction, Fold, Metric};
use crate::number::{Decimal, Ratio};
use crate::problem::{self, Failure, Problem};
use crate::score::Score;
use crate::text;

/// A comparison.
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
    /// The sign.
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

    fn holds(self, order: Ordering) -> bool {
        match self {
            Op::AtLeast => order.is_ge(),
            Op::AtMost => order.is_le(),
            Op::Above => order.is_gt(),
            Op::Below => order.is_lt(),
            Op::Equal => order.is_eq(),
        }
    }
}

/// Which cases a gate looks at: one value of a field, or each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// The field.
    pub field: String,
    /// The value; `None` for `*`.
    pub value: Option<String>,
}

/// Where a gate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Somebody wrote it.
    Explicit,
    /// A preset has it.
    Preset,
    /// It is always there.
    Always,
}

/// One gate.
#[derive(Clone, Debug)]
pub struct Gate {
    /// What is gated.
    pub metric: &'static Metric,
    /// At which cut-off.
    pub k: u32,
    /// Over which slice; `None` for all cases.
    pub slice: Option<Selector>,
    /// How it is compared.
    pub op: Op,
    /// With what.
    pub threshold: Decimal,
    /// On the 95 % interval instead of the value.
    pub confident: bool,
    /// Where it comes from.
    pub origin: Origin,
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.metric.at(self.k))?;
        if let Some(Selector { field, value }) = &self.slice {
            write!(f, "[{field}={}]", value.as_deref().unwrap_or("*"))?;
        }
        write!(f, "{}{}{}", self.op.sign(), self.threshold, if self.confident { "@95" } else { "" })
    }
}

/// What a gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The score is on the safe side.
    Pass,
    /// It is not, or there is none.
    Fail,
    /// It cannot be said: never a pass.
    Inconclusive,
    /// Gold has no case of the kind that is gated.
    NotJudged,
}

/// A gate's outcome and its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What it says.
    pub outcome: Outcome,
    /// Why, where the figures alone do not show it.
    pub reason: Option<String>,
    /// How many more cases would decide an inconclusive one.
    pub more_cases: Option<u64>,
}

impl Gate {
    /// A gate that is always there: a count that must be 0.
    #[must_use]
    pub fn none_of(metric: &'static Metric) -> Gate {
        let threshold = Decimal::parse("0").unwrap_or_else(|| unreachable!());
        Gate {
            metric,
            k: 0,
            slice: None,
            op: Op::AtMost,
            threshold,
            confident: false,
            origin: Origin::Always,
        }
    }

    /// Compares a score. `population`: how many gold rows could enter the denominator.
    #[must_use]
    pub fn judge(&self, score: &Score, population: u64) -> Decision {
        let because = |outcome, reason: String| Decision { outcome, reason: Some(reason), more_cases: None };
        let Some(value) = score.value else {
            return because(Outcome::Fail, "it has no value: nothing was measured".into());
        };
        if score.vacuous {
            let kind = self.metric.population;
            return if population == 0 && kind != metrics::Population::Any {
                because(Outcome::NotJudged, format!("gold has no {}", kind.name()))
            } else {
                because(Outcome::Inconclusive, format!("nothing to count: 0 {}", self.metric.over))
            };
        }
        if self.confident {
            return self.judge_interval(score);
        }
        let holds = self.op.holds(value.cmp(&self.threshold.ratio()));
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
                // A bootstrap's width shrinks with the root of the number of cases.
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

/// Reads a list of gates. `k` stands for `@k`; `source` names the list in messages.
pub fn parse(
    list: &str,
    source: &str,
    metrics: &[&'static Metric],
    k: u32,
    origin: Origin,
) -> Result<Vec<Gate>, Failure> {
    let mut parser = Parser { list, at: 0, source: source.into(), metrics, k, origin };
    let (mut gates, mut problems) = (Vec::new(), Vec::new());
    loop {
        parser.pass(|c| c == ',' || c.is_whitespace());
        if parser.at == list.len() {
            break;
        }
        match parser.gate() {
            Ok(gate) => gates.push(gate),
            Err(problem) => {
                problems.push(problem);
                parser.pass(|c| c != ',' && !c.is_whitespace());
            }
        }
    }
    if gates.is_empty() && problems.is_empty() {
        let message = "the list of gates is empty, and nothing gated is nothing decided".to_owned();
        return Err(Problem::of_file(&problem::GATE_INVALID, source, message).into());
    }
    if problems.is_empty() { Ok(gates) } else { Err(Failure::new(problems)) }
}

struct Parser<'a> {
    list: &'a str,
    at: usize,
    source: Arc<str>,
    metrics: &'a [&'static Metric],
    k: u32,
    origin: Origin,
}

impl Parser<'_> {
    fn pass(&mut self, part: impl Fn(char) -> bool) -> &str {
        let start = self.at;
        self.at += self.list[start..].find(|c| !part(c)).unwrap_or(self.list.len() - start);
        &self.list[start..self.at]
    }

    fn problem(&self, kind: &'static problem::Kind, from: usize, message: String, expected: &str) -> Problem {
        let end = self.at.max(from + 1).min(self.list.len());
        Problem::at(kind, &self.source, 1, self.list, from..end, message, expected)
    }

    fn gate(&mut self) -> Result<Gate, Problem> {
        let start = self.at;
        let name = self.pass(|c| !matches!(c, '<' | '>' | '=' | '[' | ',') && !c.is_whitespace()).to_owned();
        let found = metrics::find(&name, self.metrics, self.k);
        let unknown = match found {
            Some(_) => None,
            None => Some(self.unknown(&name, start)),
        };
        let slice = self.slice()?;
        self.pass(char::is_whitespace);
        let op_at = self.at;
        let sign = self.pass(|c| matches!(c, '<' | '>' | '=' | '!')).to_owned();
        let op = match (sign.as_str(), found.map(|(metric, _)| metric.direction)) {
            (">=", _) => Op::AtLeast,
            ("<=", _) => Op::AtMost,
            (">", _) => Op::Above,
            ("<", _) => Op::Below,
            ("==", _) => Op::Equal,
            ("=", Some(Direction::LowerIsBetter)) => Op::AtMost,
            ("=", _) => Op::AtLeast,
            _ => {
                let message = format!("`{}` has no operator that gates know", text::visible(&name));
                return Err(self.problem(
                    &problem::GATE_INVALID,
                    op_at,
                    message,
                    "expected one of >= <= > < == =",
                ));
            }
        };
        self.pass(char::is_whitespace);
        let number_at = self.at;
        let number = self.pass(|c| c != ',' && !c.is_whitespace()).to_owned();
        let (digits, level) = match number.split_once('@') {
            Some((digits, level)) => (digits, Some(level)),
            None => (number.as_str(), None),
        };
        let Some(threshold) = Decimal::parse(digits) else {
            let message = format!("`{}` is not a threshold", text::visible(&number));
            return Err(self.problem(
                &problem::GATE_INVALID,
                number_at,
                message,
                "expected a decimal such as 0.80, with at most 18 digits on either side of the point",
            ));
        };
        let (metric, k) = match (found, unknown) {
            (Some(found), _) => found,
            (None, Some(problem)) => return Err(problem),
            (None, None) => return Err(self.unknown(&name, start)),
        };
        let bad_level = match level {
            None => None,
            Some("95") if matches!(metric.fold, Fold::Count | Fold::Input) => {
                Some("a count has no interval: leave @95 out")
            }
            Some("95") if op == Op::Equal => Some("an interval cannot equal a number: use >= or <="),
            Some("95") => None,
            Some(_) => Some("expected @95, the one level that reports carry"),
        };
        if let Some(expected) = bad_level {
            let message =
                format!("`{}` cannot be gated like this", text::visible(&self.list[start..self.at]));
            return Err(self.problem(&problem::GATE_INVALID, number_at, message, expected));
        }
        if slice.is_some() && metric.fold == Fold::Input && metric.name != "missing" {
            let message = format!("`{}` is counted over the whole input", metric.name);
            return Err(self.problem(&problem::GATE_INVALID, start, message, "expected no slice on it"));
        }
        let rate = !matches!(metric.fold, Fold::Count | Fold::Input);
        let never_fails = match op {
            Op::AtLeast | Op::Above => threshold.ratio() < Ratio::whole(0),
            Op::AtMost | Op::Below => threshold.ratio() > Ratio::whole(1),
            Op::Equal => false,
        };
        if rate && never_fails {
            let message = format!(
                "`{}` can never fail: `{}` lies between 0 and 1",
                text::visible(&self.list[start..self.at]),
                metric.at(k)
            );
            return Err(self.problem(
                &problem::GATE_INVALID,
                number_at,
                message,
                "expected a rate: 5 % is 0.05",
            ));
        }
        Ok(Gate { metric, k, slice, op, threshold, confident: level.is_some(), origin: self.origin })
    }

    fn slice(&mut self) -> Result<Option<Selector>, Problem> {
        let start = self.at;
        if !self.list[start..].starts_with('[') {
            return Ok(None);
        }
        let inner = self.list[start + 1..].split_once(']').and_then(|(inner, _)| {
            let (field, value) = inner.split_once('=')?;
            (!field.trim().is_empty()).then_some((inner.len(), field.trim(), value.trim()))
        });
        let Some((length, field, value)) = inner else {
            let message = "this slice cannot be read".to_owned();
            return Err(self.problem(
                &problem::GATE_INVALID,
                start,
                message,
                "expected [field=value] or [field=*]",
            ));
        };
        self.at = start + length + 2;
        let value = (value != "*").then(|| value.to_owned());
        Ok(Some(Selector { field: field.to_owned(), value }))
    }

    fn unknown(&self, name: &str, start: usize) -> Problem {
        let near = metrics::nearest(name, self.metrics);
        let known = if near.is_empty() {
            "`karat explain` lists the metrics".to_owned()
        } else {
            format!(
                "did you mean {}?",
                near.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" or ")
            )
        };
        let message = format!("no metric is called `{}`", text::visible(name));
        let mut problem = self.problem(&problem::GATE_UNKNOWN_METRIC, start, message, "");
        problem.expected = known;
        problem
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::ALL;

    #[track_caller]
    fn check(list: &str, expected: &str) {
        let got = match parse(list, "--gates", ALL, 5, Origin::Explicit) {
            Ok(gates) => gates.iter().map(Gate::to_string).collect::<Vec<_>>().join(" "),
            Err(failure) => failure
                .problems
                .iter()
                .map(|p| format!("{}: {} ({})", p.column, p.message, p.expected))
                .collect::<Vec<_>>()
                .join("; "),
        };
        assert_eq!(got, expected);
    }

    #[test]
    fn the_grammar() {
        check(
            "precision=0.80,chr=0.75,under=0.05,over=0.10",
            "precision>=0.80 chr>=0.75 under_refusal<=0.05 over_refusal<=0.10",
        );
        check("precision>=0.80 chr>0.75, over<.1", "precision>=0.80 chr>0.75 over_refusal<0.1");
        check(" precision >= 0.80 , recall@k == 1", "precision>=0.80 recall@5==1");
        check("recall@10>=0.9@95 ndcg@k>=0.5", "recall@10>=0.9@95 ndcg@5>=0.5");
        check("precision[workflow=*]>=0.75", "precision[workflow=*]>=0.75");
        check("precision[team=a b, c] >= 1", "precision[team=a b, c]>=1");
        check("missing>=0", "missing>=0");
        check("under>=0 precision<=1 precision>=1.1", "under_refusal>=0 precision<=1 precision>=1.1");
    }

    #[test]
    fn what_is_wrong_is_said_all_at_once() {
        check(
            "presision>=0.8, chr>=high",
            "1: no metric is called `presision` (did you mean `precision`?); 22: `high` is not a threshold (expected a decimal such as 0.80, with at most 18 digits on either side of the point)",
        );
        check(
            "precision 0.8",
            "11: `precision` has no operator that gates know (expected one of >= <= > < == =)",
        );
        check(
            "precision>=0.8@90",
            "12: `precision>=0.8@90` cannot be gated like this (expected @95, the one level that reports carry)",
        );
        check(
            "missing<=0@95",
            "10: `missing<=0@95` cannot be gated like this (a count has no interval: leave @95 out)",
        );
        check(" , ", "0: the list of gates is empty, and nothing gated is nothing decided ()");
        check(
            "under<=5",
            "8: `under<=5` can never fail: `under_refusal` lies between 0 and 1 (expected a rate: 5 % is 0.05)",
        );
        check("precision[x]>=1", "10: this slice cannot be read (expected [field=value] or [field=*])");
    }

    fn score(num: u64, den: u64) -> Score {
        Score {
            value: crate::number::Ratio::new(i128::from(num), u128::from(den)),
            num: Some(num),
            den: Some(den),
            vacuous: false,
            ci95: Some(interval::wilson(num, den)),
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
            value: crate::number::Ratio::new(1, 1),
            num: Some(0),
            den: Some(0),
            vacuous: true,
            ci95: None,
        };
        assert_eq!(gate("precision>=0.8").judge(&vacuous, 3).outcome, Outcome::Inconclusive);
        assert_eq!(gate("under<=0.05").judge(&vacuous, 0).outcome, Outcome::NotJudged);
        assert_eq!(gate("under<=0.05").judge(&vacuous, 3).outcome, Outcome::Inconclusive);
        assert_eq!(gate("scu_violations<=0").judge(&Score::UNKNOWN, 3).outcome, Outcome::Fail);
    }
}
