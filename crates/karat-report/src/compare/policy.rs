//! How far may a figure fall?

use std::fmt;

use crate::metrics::{About, Direction, Fold, Scale};
use crate::number::{Decimal, Ratio, Value};
use crate::problem::{self, Problem};
use crate::text;

/// How far a figure may fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// By so much.
    Absolute(Decimal),
    /// By so many per cent of the base.
    Percent(Decimal),
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allowed::Absolute(by) => write!(f, "{by}"),
            Allowed::Percent(by) => write!(f, "{by}%"),
        }
    }
}

impl Allowed {
    /// Reads `METRIC=0.05` or `METRIC=15%`.
    pub fn parse(text: &str) -> Result<(String, Allowed), Problem> {
        let read = || {
            let (name, drop) = text.split_once('=')?;
            let (drop, percent) = match drop.trim().strip_suffix('%') {
                Some(drop) => (drop.trim_end(), true),
                None => (drop.trim(), false),
            };
            let drop = Decimal::parse(drop).filter(|drop| drop.ratio() >= Ratio::whole(0))?;
            let name = name.trim();
            (!name.is_empty()).then(|| {
                (name.to_owned(), if percent { Allowed::Percent(drop) } else { Allowed::Absolute(drop) })
            })
        };
        read().ok_or_else(|| {
            let message = format!("`{}` does not say how far a figure may fall", text::visible(text));
            let mut problem = Problem::of_file(&problem::COMPARE_ALLOW, "--allow", message);
            problem.expected = "METRIC=0.05, or METRIC=15% of the base".into();
            problem
        })
    }

    /// What is allowed where nobody says: nothing for counts, 0.02 for rates, 15 % for whatever has a unit.
    #[must_use]
    pub fn by_default(metric: Option<&About>) -> Allowed {
        let decimal = |text: &str| Decimal::parse(text).unwrap_or(Decimal::ZERO);
        match metric.map(|metric| (metric.fold, metric.scale)) {
            Some((Fold::Count | Fold::Input, _)) => Allowed::Absolute(Decimal::ZERO),
            Some((_, Scale::Rate)) | None => Allowed::Absolute(decimal("0.02")),
            Some(_) => Allowed::Percent(decimal("15")),
        }
    }

    /// Whether a figure falls no further. Exact: 0.90 to 0.88 is a fall of 0.02.
    #[must_use]
    pub fn holds(self, base: Value, new: Value, better: Direction) -> bool {
        let (base, new) = (exact(base), exact(new));
        let fall = match better {
            Direction::HigherIsBetter => base.minus(new),
            Direction::LowerIsBetter => new.minus(base),
        };
        let limit = match self {
            Allowed::Absolute(by) => Some(by.ratio()),
            Allowed::Percent(by) => base.abs().times(by.ratio()).and_then(|part| part.times(hundredth())),
        };
        match (fall, limit) {
            (Some(fall), Some(limit)) => fall <= limit,
            // More digits than there are: nothing that is shown could tell the difference.
            _ => {
                let sign = if better == Direction::HigherIsBetter { 1.0 } else { -1.0 };
                let limit = match self {
                    Allowed::Absolute(by) => by.to_f64(),
                    Allowed::Percent(by) => base.to_f64().abs() * by.to_f64() / 100.0,
                };
                sign * (base.to_f64() - new.to_f64()) <= limit
            }
        }
    }
}

fn hundredth() -> Ratio {
    Ratio::new(1, 100).unwrap_or(Ratio::whole(0))
}

/// A double is what a report prints of it.
fn exact(value: Value) -> Ratio {
    match value {
        Value::Exact(ratio) => ratio,
        Value::Double(value) => Decimal::parse(&value.to_string()).map_or_else(
            || Ratio::new((value * 1e15).round() as i128, 1_000_000_000_000_000).unwrap_or(Ratio::whole(0)),
            Decimal::ratio,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edge_belongs_to_what_is_allowed() {
        let (_, allowed) = Allowed::parse("precision=0.02").unwrap();
        let value = Value::Double;
        let (up, down) = (Direction::HigherIsBetter, Direction::LowerIsBetter);
        assert!(allowed.holds(value(0.9), value(0.88), up), "0.9 - 0.88 is more than 0.02 as doubles");
        assert!(!allowed.holds(value(0.9), value(0.8799999), up));
        assert!(
            allowed.holds(value(0.88), value(0.9), down) && !allowed.holds(value(0.88), value(0.91), down)
        );
        assert!(allowed.holds(value(0.5), value(0.9), up), "a rise is no fall");
        let (_, allowed) = Allowed::parse("p95 = 15 %").unwrap();
        assert!(
            allowed.holds(value(200.0), value(230.0), down)
                && !allowed.holds(value(200.0), value(230.1), down)
        );
        let third = |num| Value::Exact(Ratio::new(num, 3).unwrap());
        assert!(!Allowed::Absolute(Decimal::ZERO).holds(third(2), third(1), up));
    }

    #[test]
    fn what_says_nothing_is_refused() {
        for text in ["precision", "=0.1", "precision=", "precision=-0.1", "precision=a%", "precision=0.1%%"] {
            assert_eq!(Allowed::parse(text).unwrap_err().kind.slug, "compare/allow", "{text}");
        }
        assert_eq!(Allowed::parse("p95=15%").unwrap().1.to_string(), "15%");
    }
}
