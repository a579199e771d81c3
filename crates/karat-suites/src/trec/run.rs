//! What does a line of a run say, and what is wrong with it?
//!
//! `topic Q0 docno rank score tag`. The score becomes a number that sorts as trec_eval's float does; rank and tag are
//! not looked at.

use super::columns::{Blank, quick, split};
use super::lines::{Line, LineFormat};
use super::table::{Index, Table, index};
use crate::input::Source;
use crate::problem::{self, Failure};
use crate::rows::Wrong;

const COLUMNS: [&str; 6] = ["topic", "Q0", "docno", "rank", "score", "tag"];

/// The scores of the topics that `judged` knows; what a row says is [`key`] of its score. Its problems are not yet
/// raised, so that those of ranking can join them.
pub(super) fn read(
    sources: &[Source],
    judged: &Table,
    threads: usize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Table, Failure> {
    let index = index(&judged.names);
    let mut table = Table::read("run", sources, threads, progress, &Run { topics: &index })?;
    table.group(&index);
    Ok(table)
}

struct Run<'a> {
    topics: &'a Index<'a>,
}

impl LineFormat for Run<'_> {
    #[inline]
    fn quick(&self, _source: usize, bytes: &[u8]) -> Option<(Line, usize)> {
        let ([topic, _, document, _, score, _], length) = quick::<6>(bytes, Blank::Any)?;
        let value = key(plain(&bytes[score])?);
        Some((Line { topic, document, value }, length))
    }

    fn line(&self, _source: usize, line: &str, _first: bool) -> Result<Option<Line>, Wrong> {
        let [topic, _, document, _, score, _] = split::<6>(line, Blank::Any, &COLUMNS)?;
        match line[score.clone()].parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(Line { topic, document, value: key(value) })),
            _ => {
                let message = format!("`{}` is not a finite number", &line[score.clone()]);
                let expected = "expected a score such as 12.5 or 1e-3";
                Err(Wrong::new(&problem::TREC_SCORE, score, "", message, expected))
            }
        }
    }

    fn keeps(&self, topic: &[u8]) -> bool {
        self.topics.contains_key(topic)
    }
}

/// A score as trec_eval keeps it, the double rounded to a float, as a number that sorts alike.
#[inline]
fn key(score: f64) -> u32 {
    let bits = (score as f32 + 0.0).to_bits(); // the sum makes -0 a 0, which it equals
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// The double nearest to a plain decimal: so few digits that digits and power of ten are exact doubles, and their
/// quotient therefore is the nearest. `None`: ask the standard library.
#[inline]
fn plain(text: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    let (negative, text) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if text.len() > 16 {
        return None;
    }
    let (mut digits, mut point) = (0u64, None);
    for (at, &byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            digits = digits * 10 + u64::from(digit);
        } else if byte == b'.' && point.is_none() {
            point = Some(at);
        } else {
            return None;
        }
    }
    let places = point.map_or(0, |at| text.len() - at - 1);
    if text.len() == usize::from(point.is_some()) || digits >> 53 != 0 {
        return None;
    }
    let value = digits as f64 / POWERS.get(places)?;
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_sort_as_floats_do() {
        let scores = [f64::MIN, -2.0, -1.5, -1e-40, 0.0, 1e-40, 1e-3, 1.0, 5.0, 1e39];
        assert!(scores.windows(2).all(|pair| key(pair[0]) < key(pair[1])));
        assert_eq!(key(-0.0), key(0.0));
        assert_eq!(key(1.0), key(1.000_000_01));
        assert_eq!(key(1e39), key(1e300)); // both are infinite as floats
    }

    #[test]
    fn a_float_is_rounded_twice() {
        // Halfway between two floats but for its last digits: the double drops those, and the float then ties to even.
        let text = "1.000000059604644775390626";
        assert!(text.parse::<f32>().unwrap() > 1.0);
        assert_eq!(key(text.parse::<f64>().unwrap()), key(1.0));
    }

    #[test]
    fn what_is_not_plain_is_left_to_others() {
        for text in
            ["", "-", ".", "1e3", "nan", "inf", "1.2.3", "+1", "12345678901234567", "0x1", "1_0", "--1"]
        {
            assert_eq!(plain(text.as_bytes()), None, "{text}");
        }
        assert_eq!(plain(b"-.5"), Some(-0.5));
        assert_eq!(plain(b"5."), Some(5.0));
    }

    proptest! {
        #[test]
        fn plain_is_the_standard_librarys(text in "-?[0-9]{0,12}(\\.[0-9]{0,15})?") {
            if let Some(value) = plain(text.as_bytes()) {
                prop_assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits());
            }
        }
    }
}
