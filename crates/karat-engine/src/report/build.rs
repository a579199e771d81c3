//! Scores and decisions as a report tells them.

use indexmap::IndexMap;

use crate::gate::{self, Gate};
use crate::metrics::{About, Facts};
use crate::number;
use crate::report;
use crate::score::Score;
use crate::tally::Figure;

/// A gate as it was judged.
pub fn gate_of(gate: &Gate, slice: Option<String>, score: &Score, decision: &gate::Decision) -> report::Gate {
    let (outcome, pass) = match decision.outcome {
        gate::Outcome::Pass => (report::Outcome::Pass, Some(true)),
        gate::Outcome::Fail => (report::Outcome::Fail, Some(false)),
        gate::Outcome::Inconclusive => (report::Outcome::Inconclusive, Some(false)),
        gate::Outcome::NotJudged => (report::Outcome::NotJudged, None),
    };
    report::Gate {
        metric: gate.metric.at(gate.k),
        slice,
        op: gate.op.sign().into(),
        threshold: gate.threshold.to_f64(),
        confident: gate.confident,
        text: gate.to_string(),
        value: score.value.map(number::Value::to_f64),
        pass,
        outcome,
        origin: gate.origin.name().into(),
        reason: decision.reason.clone(),
        more_cases: decision.more_cases,
        waived: None,
    }
}

/// A figure as it was scored.
pub fn figure_of(metric: &About, score: &Score) -> report::Figure {
    report::Figure {
        value: score.value.map(number::Value::to_f64),
        num: score.num,
        den: score.den,
        over: metric.over.into(),
        ci95: score.ci95,
        vacuous: score.vacuous,
        degenerate: score.degenerate,
    }
}

/// Scores as a report tells them: plain counts, and figures.
pub fn counts_and_metrics<V: Facts>(
    figures: &[Figure<V>],
    scores: &[Score],
) -> (IndexMap<String, u64>, IndexMap<String, report::Figure>) {
    let among =
        |counts: bool| figures.iter().zip(scores).filter(move |(f, _)| f.metric.among_counts == counts);
    (
        // What could not be counted is no 0.
        among(true).filter_map(|(figure, score)| Some((figure.name.clone(), score.num?))).collect(),
        among(false).map(|(figure, score)| (figure.name.clone(), figure_of(&figure.metric, score))).collect(),
    )
}

/// How many cases there are of each kind, those with none left out.
pub fn histogram<S, T: Copy + PartialEq>(
    cases: &[S],
    all: &[T],
    of: impl Fn(&S) -> Option<T>,
    name: impl Fn(T) -> &'static str,
) -> IndexMap<String, u64> {
    let mut counts = vec![0; all.len()];
    for value in cases.iter().filter_map(of) {
        all.iter().position(|&kind| kind == value).into_iter().for_each(|at| counts[at] += 1);
    }
    let counted = all.iter().zip(counts).filter(|(_, n)| *n > 0);
    counted.map(|(&value, n)| (name(value).to_owned(), n)).collect()
}
