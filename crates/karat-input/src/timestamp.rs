//! A point in time, as RFC 3339 text or as seconds since 1970, compared to the last digit.

/// A point in time.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// Whole seconds since 1970, rounded down.
    seconds: i64,
    /// The digits after the point, without zeros at their end: as text they compare as the numbers do.
    fraction: Box<str>,
}

impl Timestamp {
    /// What a point in time looks like, for messages.
    pub const EXPECTED: &'static str =
        "a time: RFC 3339 such as \"2026-06-01T08:00:00Z\", or seconds since 1970";

    /// Reads `2026-06-01T08:00:00.25+02:00`.
    #[must_use]
    pub fn rfc3339(text: &str) -> Option<Self> {
        let (date, rest) = text.split_at_checked(19)?;
        let shape = date.bytes().zip(*b"0000-00-00T00:00:00").all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            b'T' => matches!(byte, b'T' | b't' | b' '),
            _ => byte == shape,
        });
        let (digits, zone) = match rest.strip_prefix('.') {
            Some(rest) => rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?),
            None => ("", rest),
        };
        let zone_is_one = match zone.as_bytes() {
            [b'Z' | b'z'] => true,
            [b'+' | b'-', h1, h2, b':', m1, m2] => [h1, h2, m1, m2].iter().all(|b| b.is_ascii_digit()),
            _ => false,
        };
        if !shape || !zone_is_one || (rest.starts_with('.') && digits.is_empty()) {
            return None;
        }
        // By hand from the calendar: people write the last second of the year 9999 for "never", which is past what a clock of
        // the crate can hold.
        let at: jiff::civil::DateTime = date.to_ascii_uppercase().parse().ok()?;
        let days = (at.date() - jiff::civil::date(1970, 1, 1)).get_days();
        let in_day = i64::from(at.hour()) * 3600 + i64::from(at.minute()) * 60 + i64::from(at.second());
        let seconds = i64::from(days) * 86_400 + in_day - offset(zone)?;
        Some(Timestamp { seconds, fraction: digits.trim_end_matches('0').into() })
    }

    /// Reads a JSON number of seconds since 1970.
    #[must_use]
    pub fn epoch(number: &str) -> Option<Self> {
        const LONGEST: i64 = 1000;
        /// The end of the year 9999, as in RFC 3339: what is later was meant in milliseconds.
        const LAST: i64 = 253_402_300_799;
        let negative = number.starts_with('-');
        let number = number.strip_prefix('-').unwrap_or(number);
        let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let exponent: i64 = exponent.parse().ok()?;
        let (whole, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{behind}");
        if exponent.unsigned_abs() > LONGEST.unsigned_abs()
            || digits.len() as i64 > LONGEST
            || !digits.bytes().all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let point = whole.len() as i64 + exponent;
        let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
        let digits = format!("{}{digits}{}", zeros(-point), zeros(point - digits.len() as i64));
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or(0));
        let seconds: i64 = format!("0{}", whole.trim_start_matches('0')).parse().ok()?;
        if seconds > LAST {
            return None;
        }
        let fraction = fraction.trim_end_matches('0');
        Some(match (negative, fraction.is_empty()) {
            (false, _) => Timestamp { seconds, fraction: fraction.into() },
            (true, true) => Timestamp { seconds: -seconds, fraction: "".into() },
            (true, false) => Timestamp { seconds: -seconds - 1, fraction: complement(fraction) },
        })
    }
}

/// The seconds that a zone is ahead of UTC: `Z`, `+02:00`.
fn offset(zone: &str) -> Option<i64> {
    let (Some(sign), Some((hours, minutes))) = (zone.chars().next(), zone.get(1..)?.split_once(':')) else {
        return Some(0);
    };
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    let ahead = (hours < 24 && minutes < 60).then_some(hours * 3600 + minutes * 60)?;
    Some(if sign == '-' { -ahead } else { ahead })
}

/// The digits of 1 − 0.digits; the last digit is not 0.
fn complement(digits: &str) -> Box<str> {
    let last = digits.len() - 1;
    let digit = |(i, byte): (usize, u8)| {
        let digit = byte - b'0';
        char::from(b'0' + if i == last { 10 - digit } else { 9 - digit })
    };
    digits.bytes().enumerate().map(digit).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::rfc3339(text).or_else(|| Timestamp::epoch(text)).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn the_same_moment_is_the_same_however_it_is_written() {
        for same in [
            ["2026-06-01T00:00:00Z", "1780272000"],
            ["2026-06-01t02:00:00.500+02:00", "1780272000.5"],
            ["1970-01-01T00:00:00Z", "-0.0"],
            ["1969-12-31T23:59:58.75Z", "-1.25"],
            ["2026-06-01T00:00:00.000000000001Z", "1780272000.000000000001"],
            ["1.7802720005E+9", "17802720005e-1"],
            ["0.25", "25e-2"],
            ["9999-12-31T23:59:59Z", "253402300799"],
            ["9999-12-31T23:59:59+14:00", "253402250399"],
            ["0000-01-01T00:00:00-00:30", "-62167217400"],
        ] {
            assert_eq!(at(same[0]), at(same[1]), "{same:?}");
        }
    }

    #[test]
    fn order_is_exact() {
        let line =
            ["-2", "-1.5", "-1.25", "-1", "0", "0.000000000000000000001", "0.1", "0.11", "1", "9e3", "1e10"];
        let moments: Vec<Timestamp> = line.iter().map(|text| at(text)).collect();
        assert!(moments.is_sorted() && moments.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn what_is_no_moment_is_refused() {
        for text in [
            "",
            "2026-06-01",
            "2026-06-01T00:00:00",
            "2026-13-01T00:00:00Z",
            "2026-06-01T00:00:00.Z",
            "2026-06-01T00:00:00+24:00",
            "é",
        ] {
            assert!(Timestamp::rfc3339(text).is_none(), "{text}");
        }
        for text in [
            "1e999999999999",
            "99999999999999999999",
            "1e2000",
            "1e400",
            "1e-9223372036854775808",
            "1700000000000",
        ] {
            assert!(Timestamp::epoch(text).is_none(), "{text}");
        }
    }
}
