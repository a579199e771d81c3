//! What is each point worth, which points are beaten by no other, and which one is to run?

use std::collections::{HashMap, HashSet};

use super::{Before, Point as Facts, Timing};
use crate::gate::{Decision, Gate, Outcome};
use crate::gold::Gold;
use crate::group::{Contribution, Group};
use crate::judge::{Presence, Scu, Verdict};
use crate::ledger::Entry;
use crate::metrics::Fold;
use crate::number::{Ratio, Value};
use crate::score::Score;
use crate::suites::latency::Select;
use crate::suites::latency::input::{Gathered, Key};
use crate::suites::latency::metrics;
use crate::tally::Figure;

/// A point and what it came to.
#[derive(Debug)]
pub(crate) struct Point {
    pub(crate) key: Key,
    pub(crate) timing: Timing,
    pub(crate) entries: Vec<(u32, Entry)>,
    /// One a figure.
    pub(crate) scores: Vec<Score>,
    /// One a gate.
    pub(crate) decisions: Vec<Decision>,
    pub(crate) on_frontier: bool,
    /// What the curve is drawn in.
    p95: Option<f64>,
    precision: Option<Ratio>,
}

impl Point {
    /// Whether it passes every gate that can be judged, and at least one.
    pub(crate) fn passes(&self) -> bool {
        let clear = |decision: &Decision| matches!(decision.outcome, Outcome::Pass | Outcome::NotJudged);
        self.decisions.iter().all(clear)
            && self.decisions.iter().any(|decision| decision.outcome == Outcome::Pass)
    }

    /// At least as fast and as precise, and better in one of them.
    fn dominates(&self, other: &Point) -> bool {
        let (Some(mine), Some(theirs)) = (self.p95, other.p95) else { return false };
        let no_worse = mine <= theirs && self.precision >= other.precision;
        no_worse && (mine < theirs || self.precision > other.precision)
    }

    /// How many of so many cases it has no answer to.
    pub(crate) fn unanswered(&self, cases: usize) -> u64 {
        let answered = |(_, entry): &&(u32, Entry)| entry.verdict().presence != Presence::Errored;
        (cases - self.entries.iter().filter(answered).count()) as u64
    }

    pub(crate) fn load(&self) -> Option<f64> {
        self.key.1.map(f64::from_bits)
    }
}

/// Points in their order, and the one that counts.
#[derive(Debug)]
pub(crate) struct Curve {
    pub(crate) points: Vec<Point>,
    pub(crate) selected: Option<usize>,
}

impl Curve {
    pub(crate) fn chosen(&self) -> Option<&Point> {
        self.points.get(self.selected?)
    }
}

/// What points are judged by.
pub(crate) struct Judging<'a> {
    /// The cases, where traces say how well they were answered.
    pub(crate) gold: Option<&'a Gold>,
    pub(crate) scu: Scu,
    pub(crate) figures: &'a [Figure<Verdict>],
    pub(crate) gates: &'a [Gate],
    pub(crate) counts: &'a HashMap<&'static str, u64>,
    /// The baseline's point.
    pub(crate) baseline: Option<Before<'a>>,
}

impl Judging<'_> {
    /// Scores every point, marks the frontier and selects.
    pub(crate) fn curve(&self, points: Vec<(Key, Gathered)>, select: Select) -> Curve {
        let mut points: Vec<Point> =
            points.into_iter().map(|(key, gathered)| self.point(key, gathered)).collect();
        let on: Vec<bool> = points
            .iter()
            .map(|point| point.p95.is_some() && !points.iter().any(|other| other.dominates(point)))
            .collect();
        points.iter_mut().zip(on).for_each(|(point, on)| point.on_frontier = on);
        let selected = chosen(&points, select);
        Curve { points, selected }
    }

    fn point(&self, key: Key, gathered: Gathered) -> Point {
        let Gathered { timing, entries } = gathered;
        let group = self.gold.map(|gold| group(gold, &entries, self.scu));
        let scores = self.scores(&timing, group.as_ref());
        let decisions = self.gates.iter().map(|gate| self.judge(gate, &scores, group.as_ref())).collect();
        let precision = match self.precision(&scores).value {
            Some(Value::Exact(ratio)) => Some(ratio),
            _ => None,
        };
        let p95 = timing.whole.percentile(95).map(Value::to_f64);
        Point { key, timing, entries, scores, decisions, on_frontier: false, p95, precision }
    }

    /// One score a figure: those of the cases, and those of the times.
    pub(crate) fn scores(&self, timing: &Timing, group: Option<&Group<Verdict>>) -> Vec<Score> {
        let given = |figure: &Figure<Verdict>| {
            self.counts.get(figure.metric.name).map_or(Score::UNKNOWN, |&n| Score::count(n))
        };
        let mut scores = match group {
            Some(group) => group.scores(self.figures, self.counts),
            None => self.figures.iter().map(given).collect(),
        };
        let precision = self.precision(&scores);
        let facts = Facts { timing, precision: &precision, baseline: self.baseline };
        for (score, figure) in scores.iter_mut().zip(self.figures) {
            let known = metrics::ALL.iter().find(|metric| metric.about.name == figure.metric.name);
            if let Some(metric) = known.filter(|metric| metric.about.fold != Fold::Input) {
                *score = (metric.score)(&facts);
            }
        }
        scores
    }

    /// The scores where no request was timed: what there is to count is that of all points.
    pub(crate) fn without_point(&self, points: &[Point]) -> Vec<Score> {
        let untimed = points.iter().map(|point| point.timing.untimed).sum();
        let errored = points.iter().map(|point| point.timing.errored).sum();
        let mut counts = self.counts.clone();
        if let Some(gold) = self.gold {
            let entries = points.iter().flat_map(|point| &point.entries);
            let asked: HashSet<u32> = entries.map(|(case, _)| *case).collect();
            counts.insert("missing", (gold.cases.len() - asked.len()) as u64);
        }
        Judging { counts: &counts, ..*self }.scores(&Timing { untimed, errored, ..Timing::default() }, None)
    }

    /// The score of precision among these.
    pub(crate) fn precision(&self, scores: &[Score]) -> Score {
        let mut named = self.figures.iter().zip(scores).filter(|(figure, _)| figure.name == "precision");
        named.next().map_or(Score::UNKNOWN, |(_, score)| score.clone())
    }

    fn judge(&self, gate: &Gate, scores: &[Score], group: Option<&Group<Verdict>>) -> Decision {
        let name = gate.metric.at(gate.k);
        let at = self.figures.iter().position(|figure| figure.name == name);
        let rows = group.map_or(0, |group| group.population(gate.metric.population));
        at.and_then(|at| scores.get(at))
            .map_or_else(|| gate.judge(&Score::UNKNOWN, rows), |s| gate.judge(s, rows))
    }
}

/// The cases at one point; one without a trace there counts as a shipped empty answer.
fn group(gold: &Gold, entries: &[(u32, Entry)], scu: Scu) -> Group<Verdict> {
    let mut group = Group::new(true);
    let mut next = entries.iter().peekable();
    for (number, case) in (0u32..).zip(&gold.cases) {
        match next.next_if(|(case, _)| *case == number) {
            Some((_, entry)) => group.add(&entry.verdict(), Contribution::Verdict),
            None => {
                group.missing += 1;
                group.add(&Verdict::missing(case, scu), Contribution::Verdict);
            }
        }
    }
    group
}

/// The point to run; `None` where nothing was timed. Ties go to the earlier point.
fn chosen(points: &[Point], select: Select) -> Option<usize> {
    let mut frontier: Vec<(f64, usize)> = Vec::new();
    for (at, point) in points.iter().enumerate().filter(|(_, point)| point.on_frontier) {
        frontier.extend(point.p95.map(|p95| (p95, at)));
    }
    frontier.sort_by(|a, b| a.0.total_cmp(&b.0));
    let frontier: Vec<usize> = frontier.into_iter().map(|(_, at)| at).collect();
    if select == Select::Knee {
        return knee(points, &frontier);
    }
    // Where none passes, there is still one to look at: the verdict says that it may not ship.
    let passing: Vec<usize> = frontier.iter().copied().filter(|&at| points[at].passes()).collect();
    let some = if passing.is_empty() { frontier } else { passing };
    match select {
        Select::MostAccurate => {
            let best = some.iter().map(|&at| points[at].precision).max()?;
            some.into_iter().find(|&at| points[at].precision == best)
        }
        Select::Fastest | Select::Knee => some.first().copied(),
    }
}

/// The point of a frontier, sorted by p95, that lies farthest from the line between its ends, once both axes run from 0
/// to 1. A frontier rises in both, so the line is y = x and the distance |y − x| / √2. Of one or two points: the fastest.
fn knee(points: &[Point], frontier: &[usize]) -> Option<usize> {
    let (first, last) = (*frontier.first()?, *frontier.last()?);
    if frontier.len() <= 2 {
        return Some(first);
    }
    let x = |at: usize| points[at].p95.unwrap_or(0.0);
    let y = |at: usize| points[at].precision.map_or(0.0, Ratio::to_f64);
    let scaled = |of: &dyn Fn(usize) -> f64, at: usize| {
        let (low, high) = (of(first), of(last));
        if high > low { (of(at) - low) / (high - low) } else { 0.0 }
    };
    let mut best = (first, 0.0);
    for &at in frontier {
        let away = (scaled(&y, at) - scaled(&x, at)).abs();
        if away > best.1 {
            best = (at, away);
        }
    }
    Some(best.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::latency::judge::Times;

    fn point(p95: Option<f64>, precision: i128, passes: bool) -> Point {
        let outcome = if passes { Outcome::Pass } else { Outcome::Fail };
        Point {
            key: ("{}".into(), None),
            timing: Timing { whole: Times::new(p95.into_iter().collect()), ..Timing::default() },
            entries: Vec::new(),
            scores: Vec::new(),
            decisions: vec![Decision { outcome, reason: None, more_cases: None }],
            on_frontier: false,
            p95,
            precision: Ratio::new(precision, 100),
        }
    }

    #[track_caller]
    fn check(points: &[(f64, i128, bool)], frontier: &[usize], selected: [Option<usize>; 3]) {
        let mut points: Vec<Point> = points
            .iter()
            .map(|&(p95, precision, passes)| point((p95 > 0.0).then_some(p95), precision, passes))
            .collect();
        let on: Vec<usize> = (0..points.len())
            .filter(|&at| {
                points[at].p95.is_some() && !points.iter().any(|other| other.dominates(&points[at]))
            })
            .collect();
        assert_eq!(on, frontier);
        on.iter().for_each(|&at| points[at].on_frontier = true);
        assert_eq!(
            [Select::Fastest, Select::MostAccurate, Select::Knee].map(|how| chosen(&points, how)),
            selected
        );
    }

    #[test]
    fn frontier_and_selection() {
        // The third is slower and worse than the second; the knee is where precision stops rising steeply.
        check(
            &[(100.0, 50, false), (200.0, 85, true), (250.0, 80, true), (900.0, 90, true)],
            &[0, 1, 3],
            [Some(1), Some(3), Some(1)],
        );
        check(&[(100.0, 50, false), (200.0, 60, false)], &[0, 1], [Some(0), Some(1), Some(0)]);
        check(&[(100.0, 90, true), (100.0, 90, true)], &[0, 1], [Some(0), Some(0), Some(0)]);
        check(&[(100.0, 90, true), (100.0, 91, true)], &[1], [Some(1), Some(1), Some(1)]);
        check(&[(0.0, 100, true)], &[], [None, None, None]);
        check(&[], &[], [None, None, None]);
    }
}
