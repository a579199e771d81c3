//! Where does a value lie in a drawing? Across in per cent of its width, so that a drawing is as wide as its place and its
//! letters keep their size on a phone; down in pixels.

/// The values from the left edge to the right one, or from the bottom to the top.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// Values from `low` to `high`.
    pub(super) fn new(low: f64, high: f64) -> Self {
        Scale { low, high: if high > low { high } else { low + 1.0 } }
    }

    /// Rates from 0 to 1; where some value lies outside, a scale that holds them all.
    pub(super) fn holding(values: impl Iterator<Item = f64> + Clone) -> Self {
        let most = values.clone().fold(0.0, f64::max);
        let least = values.fold(0.0, f64::min);
        match (least < 0.0, most > 1.0) {
            (false, false) => Scale::new(0.0, 1.0),
            (true, false) => Scale::new((-nice(-least)).max(-1.0), 1.0),
            (negative, true) => Scale::new(if negative { -nice(-least) } else { 0.0 }, nice(most)),
        }
    }

    /// The share of the way from the low end, between 0 and 1.
    pub(super) fn share(self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Across: `41.3%`.
    pub(super) fn across(self, value: f64) -> String {
        percent(self.share(value) * 100.0)
    }

    /// How wide the way from one value to another is.
    pub(super) fn width(self, from: f64, to: f64) -> String {
        percent((self.share(to) - self.share(from)).max(0.0) * 100.0)
    }

    /// Down from the top of a drawing of this height.
    pub(super) fn down(self, value: f64, height: f64) -> String {
        pixels((1.0 - self.share(value)) * height)
    }

    /// Its ends.
    pub(super) fn ends(self) -> (f64, f64) {
        (self.low, self.high)
    }
}

/// The next of 1, 2, 5, 10, … at or above a value: a round end for a scale.
pub(super) fn nice(value: f64) -> f64 {
    let mut unit = 1.0;
    while unit > value && unit > 1e-9 {
        unit /= 10.0;
    }
    while unit * 10.0 < value && unit < 1e15 {
        unit *= 10.0;
    }
    [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
        .map(|step| step * unit)
        .into_iter()
        .find(|&end| end >= value)
        .unwrap_or(value)
}

/// A share of the width with two decimals.
pub(super) fn percent(value: f64) -> String {
    format!("{}%", tidy(value, 2))
}

/// A length with one decimal.
pub(super) fn pixels(value: f64) -> String {
    tidy(value, 1)
}

/// A number without trailing noughts, and never `-0`.
fn tidy(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".into() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_place() {
        let rates = Scale::holding([0.2, 0.9].into_iter());
        assert_eq!((rates.across(0.25), rates.width(0.25, 1.0)), ("25%".into(), "75%".into()));
        assert_eq!(rates.across(7.0), "100%");
        assert_eq!(rates.down(0.0, 80.0), "80");
        let kappa = Scale::holding([-0.2].into_iter());
        assert_eq!(kappa.ends(), (-0.2, 1.0));
        let times = Scale::holding([1812.0, 3.0].into_iter());
        assert_eq!(times.ends(), (0.0, 2000.0));
        assert_eq!(Scale::new(3.0, 3.0).across(3.0), "0%");
        assert_eq!(percent(-0.001), "0%");
    }

    #[test]
    fn ends_are_round() {
        for (value, end) in
            [(0.03, 0.03), (0.31, 0.4), (7.0, 8.0), (10.0, 10.0), (11.0, 15.0), (940.0, 1000.0)]
        {
            assert!((nice(value) - end).abs() < 1e-9, "{value}: {}", nice(value));
        }
    }
}
