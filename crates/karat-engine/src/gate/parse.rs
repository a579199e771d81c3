//! Reads a list of gates.

use std::sync::Arc;

use super::{Gate, Op, Origin, Selector};
use crate::metrics::{self, About, Direction, Fold, Scale};
use crate::number::{Decimal, Ratio};
use crate::problem::{self, Failure, Problem};
use crate::text;

/// Reads a list of gates. `k` replaces `@k`; `source` names the list in messages.
pub fn parse(
    list: &str,
    source: &str,
    metrics: &[&'static About],
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
    metrics: &'a [&'static About],
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
            Some("95") if matches!(metric.fold, Fold::Quantile { .. }) => {
                Some("a quantile has no interval: leave @95 out")
            }
            Some("95") if metric.fold == Fold::Derived => {
                Some("a figure that is made of others has no interval: leave @95 out")
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
        let rate = !matches!(metric.fold, Fold::Count | Fold::Input) && metric.scale == Scale::Rate;
        // `under<=5` is probably meant as 5 %, and would let anything pass.
        let never_fails = matches!(op, Op::AtMost | Op::Below) && threshold.ratio() >= Ratio::whole(2);
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
        if self.list[start..].starts_with("[*]") {
            self.at = start + 3;
            return Ok(Some(Selector { field: None, value: None }));
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
                "expected [field=value], [field=*], or [*] for every slice",
            ));
        };
        self.at = start + length + 2;
        let value = (value != "*").then(|| value.to_owned());
        Ok(Some(Selector { field: Some(field.to_owned()), value }))
    }

    fn unknown(&self, name: &str, start: usize) -> Problem {
        let Problem { kind, message, expected, .. } = unknown_metric(name, "", self.metrics);
        self.problem(kind, start, message, &expected)
    }
}

/// The problem that no metric has this name.
#[must_use]
pub fn unknown_metric(name: &str, source: &str, metrics: &[&'static About]) -> Problem {
    let near: Vec<String> = metrics::nearest(name, metrics).iter().map(|near| format!("`{near}`")).collect();
    let message = format!("no metric is called `{}`", text::visible(name));
    let mut problem = Problem::of_file(&problem::GATE_UNKNOWN_METRIC, source, message);
    problem.expected = match near.is_empty() {
        true => "`karat explain` lists the metrics".to_owned(),
        false => format!("did you mean {}?", near.join(" or ")),
    };
    problem
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::test_metrics;

    #[track_caller]
    fn check(list: &str, expected: &str) {
        let got = match parse(list, "--gates", test_metrics::ALL, 5, Origin::Explicit) {
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
        check("precision[*]>=0.75", "precision[*]>=0.75");
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
        check(
            "precision[x]>=1",
            "10: this slice cannot be read (expected [field=value], [field=*], or [*] for every slice)",
        );
    }
}
