//! What happened to one figure, how sure is that, and is it allowed?

use std::collections::BTreeMap;

use super::column::Column;
use super::comparison::Change;
use super::mcnemar::mcnemar;
use super::newcombe::{Table, newcombe};
use super::pair::Pairs;
use super::permutation::{Permutation, of_quantiles, of_ratios};
use super::policy::Allowed;
use super::quantile::Values;
use crate::interval::{Part, Sample};
use crate::metrics::{About, Direction, Fold};
use crate::number::{Ratio, Value};
use crate::report::{Figure, Outcome, Report};

/// How many cases of a figure are named.
const NAMED: usize = 5;

/// A figure on both sides, before anything is judged.
pub(super) struct PairedFigure {
    pub(super) change: Change,
    /// The values, exact where they can be.
    pub(super) values: Option<(Value, Value)>,
    pub(super) direction: Option<Direction>,
    /// It has no denominator on either side; on one side alone.
    pub(super) vacuous: (bool, bool),
}

/// Pairs one figure of two reports and tests the difference.
pub(super) fn examine(
    name: &str,
    metric: Option<&About>,
    (base, new): (&Report, &Report),
    pairs: &Pairs,
    direction: Option<Direction>,
    threads: usize,
) -> PairedFigure {
    let columns = columns(name, metric, base, new);
    let tested =
        columns.as_ref().map(|(base, new)| test(base, new, pairs, metric, threads)).unwrap_or_default();
    let whole = (value_of(base, name), value_of(new, name));
    // Where the two have different cases, figures of all of them are of different questions.
    let values = match tested.values {
        Some(values) if !pairs.complete() => Some(values),
        _ => whole.0.zip(whole.1),
    };
    let (before, now) = match (values, pairs.complete()) {
        (Some((before, now)), false) => (Some(before.to_f64()), Some(now.to_f64())),
        _ => (whole.0.map(Value::to_f64), whole.1.map(Value::to_f64)),
    };
    let vacuous = |report: &Report| report.metrics.get(name).is_some_and(|figure| figure.vacuous);
    let (worse, worse_total, better_total) = match (&columns, direction) {
        (Some((base_column, new_column)), Some(direction)) => {
            let level = whole.0.map_or(0.0, Value::to_f64);
            moved((base_column, new_column), level, new, pairs, direction)
        }
        _ => (Vec::new(), 0, 0),
    };
    let change = Change {
        metric: name.to_owned(),
        better: direction.map(|direction| match direction {
            Direction::HigherIsBetter => "higher".to_owned(),
            Direction::LowerIsBetter => "lower".to_owned(),
        }),
        count: base.metrics.get(name).or(new.metrics.get(name)).is_none_or(Figure::is_count),
        base: before,
        new: now,
        delta: values.map(|(before, now)| now.minus(before).to_f64()),
        ci95: tested.interval.map(|(_, ci95)| ci95),
        interval: tested.interval.map(|(method, _)| method.to_owned()),
        pairs: tested.pairs,
        p: tested.p.map(|(_, p)| p),
        test: tested.p.map(|(test, _)| test.to_owned()),
        worse,
        worse_total,
        better_total,
        ..Change::default()
    };
    let vacuous = (vacuous(base), vacuous(new));
    PairedFigure { change, values, direction, vacuous: (vacuous.0 && vacuous.1, vacuous.0 != vacuous.1) }
}

/// What both reports observed of a figure.
fn columns(name: &str, metric: Option<&About>, base: &Report, new: &Report) -> Option<(Column, Column)> {
    let column = |report: &Report| {
        let column = Column::parse(report.observed.get(name)?, report.cases.len())?;
        let quantile = metric.is_some_and(|metric| matches!(metric.fold, Fold::Quantile { .. }));
        Some(if quantile { column.of_quantile() } else { column })
    };
    Some((column(base)?, column(new)?))
}

/// What the pairs say of a figure.
#[derive(Default)]
struct Tested {
    /// The values over the pairs alone.
    values: Option<(Value, Value)>,
    interval: Option<(&'static str, [f64; 2])>,
    p: Option<(&'static str, f64)>,
    pairs: Option<u64>,
}

fn test(base: &Column, new: &Column, pairs: &Pairs, metric: Option<&About>, threads: usize) -> Tested {
    let base = base.pick(pairs.both.iter().map(|pair| pair.0));
    let new = new.pick(pairs.both.iter().map(|pair| pair.1));
    match (base, new) {
        (Column::Parts { parts: base, scale: a }, Column::Parts { parts: new, scale: b }) => {
            // A side whose values are all whole was read without a scale.
            let scale = a.max(b);
            let scaled = |parts: Vec<Option<Part>>, by: u64| {
                parts.into_iter().map(move |part| part.map(|(num, den)| (num * u128::from(scale / by), den)))
            };
            of_parts(scaled(base, a).zip(scaled(new, b)), scale, threads)
        }
        (Column::Values(base), Column::Values(new)) => {
            let Some(Fold::Quantile { percent }) = metric.map(|metric| metric.fold) else {
                return Tested::default();
            };
            let values = Values::new(base.into_iter().zip(new), percent);
            Tested {
                values: values.both().map(|(base, new)| (Value::Double(base), Value::Double(new))),
                interval: values.interval().map(|ci95| ("percentile", ci95)),
                p: of_quantiles(&values, threads).map(Permutation::named),
                pairs: Some(values.cases() as u64),
            }
        }
        _ => Tested::default(),
    }
}

fn of_parts(cases: impl Iterator<Item = (Option<Part>, Option<Part>)>, scale: u64, threads: usize) -> Tested {
    let mut kinds: BTreeMap<[Option<Part>; 2], u64> = BTreeMap::new();
    for (base, new) in cases.filter(|(base, new)| base.is_some() || new.is_some()) {
        *kinds.entry([base, new]).or_default() += 1;
    }
    let pairs = Some(kinds.values().sum());
    let parts = kinds.iter().map(|(kind, count)| (kind.map(|part| part.unwrap_or((0, 0))), *count));
    let parts: Vec<([Part; 2], u64)> = parts.collect();
    let sum = |side: usize| {
        let (mut num, mut den) = (0u128, 0u128);
        for (kind, count) in &parts {
            num = num.saturating_add(kind[side].0.saturating_mul(u128::from(*count)));
            den += u128::from(kind[side].1) * u128::from(*count);
        }
        let ratio = Ratio::new(i128::try_from(num).ok()?, den.checked_mul(u128::from(scale))?)?;
        Some(Value::Exact(ratio))
    };
    let values = sum(0).zip(sum(1));
    if let Some(table) = table(&kinds).filter(|_| scale == 1) {
        return Tested {
            values,
            interval: newcombe(table).map(|ci95| ("newcombe", ci95)),
            p: values.map(|_| ("mcnemar", mcnemar(table.broken, table.fixed))),
            pairs,
        };
    }
    // A sample's difference is of the first minus the second.
    let sample = Sample::new(parts.iter().map(|([base, new], count)| ([*new, *base], *count)));
    Tested {
        values,
        interval: values.and_then(|_| sample.interval(scale)).map(|ci95| ("bca", ci95)),
        p: of_ratios(&parts, threads).map(Permutation::named),
        pairs,
    }
}

/// The fourfold table of a proportion that counts the same cases on both sides; `None` of anything else.
fn table(kinds: &BTreeMap<[Option<Part>; 2], u64>) -> Option<Table> {
    let mut table = Table::default();
    for (kind, count) in kinds {
        *match kind {
            [Some((1, 1)), Some((1, 1))] => &mut table.both,
            [Some((1, 1)), Some((0, 1))] => &mut table.broken,
            [Some((0, 1)), Some((1, 1))] => &mut table.fixed,
            [Some((0, 1)), Some((0, 1))] => &mut table.neither,
            _ => return None,
        } += count;
    }
    Some(table)
}

/// The cases that a figure fell most on, and how many it fell and rose on.
///
/// A case that joins a ratio below its level pulls it down, and so does one that leaves it from above: what counts is by how
/// much a case lies above the base's level, before and now.
fn moved(
    (base, new): (&Column, &Column),
    level: f64,
    report: &Report,
    pairs: &Pairs,
    direction: Direction,
) -> (Vec<String>, u64, u64) {
    let (mut fell, mut rose) = (Vec::new(), 0);
    for &(before, now) in &pairs.both {
        let (was, is) = (base.above(level, before), new.above(level, now));
        let gain = if direction == Direction::HigherIsBetter { is - was } else { was - is };
        if gain < -1e-12 {
            fell.push((gain, now));
        }
        rose += u64::from(gain > 1e-12);
    }
    let total = fell.len() as u64;
    fell.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    (fell.iter().take(NAMED).map(|(_, now)| report.cases[*now].id.clone()).collect(), total, rose)
}

/// The value of a figure or count, exact where it is made of counts.
fn value_of(report: &Report, name: &str) -> Option<Value> {
    let Some(figure) = report.metrics.get(name) else {
        return report.counts.get(name).map(|n| Value::Exact(Ratio::whole(*n)));
    };
    let Figure { value, num, den, vacuous, .. } = figure;
    let exact = match (num, den) {
        (Some(num), Some(den)) if !vacuous => Ratio::new(i128::from(*num), u128::from(*den)),
        (Some(num), None) => Some(Ratio::whole(*num)),
        _ => None,
    };
    let value = (*value)?;
    // A report from a stranger may say one thing and count another; what it says is what is judged.
    Some(match exact {
        Some(exact) if (exact.to_f64() - value).abs() < 1e-9 => Value::Exact(exact),
        _ => Value::Double(value),
    })
}

impl PairedFigure {
    /// Judges the fall against what is allowed. Nothing that cannot be compared passes.
    pub(super) fn judge(mut self, allowed: Allowed, significant_up_to: Option<f64>) -> Change {
        let (outcome, reason) = match (self.values, self.direction) {
            _ if self.vacuous.0 => (Outcome::NotJudged, Some("nothing to count on either side".to_owned())),
            (None, _) => {
                let side = match (self.change.base, self.change.new) {
                    (None, None) => "either side",
                    (None, _) => "the base",
                    _ => "the new side",
                };
                (Outcome::Fail, Some(format!("it has no value on {side}: it cannot be compared")))
            }
            _ if self.vacuous.1 => (Outcome::Inconclusive, Some("one side has nothing to count".to_owned())),
            (_, None) => (Outcome::Inconclusive, Some("it is not known which way is better".to_owned())),
            (Some((base, new)), Some(direction)) if allowed.holds(base, new, direction) => {
                (Outcome::Pass, None)
            }
            _ => match (significant_up_to, self.change.p_holm) {
                (Some(alpha), Some(p)) if p > alpha => (
                    Outcome::Pass,
                    Some("it falls further than allowed, and chance could have done it".into()),
                ),
                (Some(_), None) => (
                    Outcome::Fail,
                    Some("it falls further than allowed, and there is no test that could excuse it".into()),
                ),
                _ => (Outcome::Fail, None),
            },
        };
        self.change.allowed = Some(allowed.to_string());
        self.change.outcome = outcome;
        self.change.reason = reason;
        self.change
    }
}
