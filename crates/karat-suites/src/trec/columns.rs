//! Where are the columns of a line?
//!
//! Twice: [`quick`] looks at eight bytes at a time and takes only the plain case, single blanks between columns and a line
//! end behind the last; [`split`] takes anything and says what is wrong with it. What is quick defers, it never loosens.

use std::ops::Range;

use smallvec::SmallVec;

use crate::problem;
use crate::rows::Wrong;

/// What stands between two columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blank {
    /// Any run of C's white space.
    Any,
    /// One tab.
    Tab,
}

/// The spans of `N` columns at the start of `bytes`, and the length of the line with its line end. `None`: ask [`split`].
#[inline]
pub(super) fn quick<const N: usize>(bytes: &[u8], blank: Blank) -> Option<([Range<usize>; N], usize)> {
    /// Longer lines are not worth looking at twice.
    const WORDS: usize = 64;
    let mut columns = [const { 0..0 }; N];
    let (mut column, mut start) = (0, 0);
    for (word, base) in bytes.as_chunks::<8>().0.iter().take(WORDS).zip((0..).step_by(8)) {
        let mut white = white(*word);
        while white != 0 {
            let at = white.trailing_zeros() as usize / 8;
            white &= white - 1;
            let end = base + at;
            let separator = word[at];
            let last = column + 1 == N;
            let right = match blank {
                _ if last => separator == b'\n',
                Blank::Any => separator == b' ' || separator == b'\t',
                Blank::Tab => separator == b'\t',
            };
            if !right || end == start {
                return None;
            }
            columns[column] = start..end;
            if last {
                return Some((columns, end + 1));
            }
            column += 1;
            start = end + 1;
        }
    }
    None
}

/// Which of eight bytes are at most a space: the high bit of each.
#[inline]
fn white(word: [u8; 8]) -> u64 {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = u64::from_le_bytes(word);
    // The high bit of a sum is set where the byte is above 0x20; none carries into the next byte.
    let above = ((word & !HIGH) + 0x5f5f_5f5f_5f5f_5f5f) | word;
    !above & HIGH
}

/// C's `isspace`.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The spans of the `N` columns of a line without its line end; `names` are what they should be.
pub(super) fn split<const N: usize>(
    line: &str,
    blank: Blank,
    names: &[&str; N],
) -> Result<[Range<usize>; N], Wrong> {
    let bytes = line.as_bytes();
    let columns = spans(bytes, blank);
    let (count, end) = (columns.len(), line.trim_end().len());
    let empty = columns.iter().position(Range::is_empty);
    let has = || format!("this line has {count} column{}", if count == 1 { "" } else { "s" });
    let (span, message) = match (columns.get(N), empty) {
        (Some(extra), _) => (extra.start..end, has()),
        (None, _) if count < N => (end..line.len(), has()),
        (None, Some(at)) => (columns[at].clone(), format!("column {} of this line is empty", at + 1)),
        (None, None) => return Ok(std::array::from_fn(|column| columns[column].clone())),
    };
    let between = if blank == Blank::Tab { "\t" } else { " " };
    let expected = format!("expected {N} columns: {}", names.join(between).replace('\t', " ⇥ "));
    Err(Wrong { kind: &problem::TREC_COLUMNS, span, path: String::new(), message, expected })
}

fn spans(bytes: &[u8], blank: Blank) -> SmallVec<[Range<usize>; 8]> {
    let mut spans = SmallVec::new();
    let mut start = 0;
    let ends = |byte: u8| if blank == Blank::Tab { byte == b'\t' } else { is_space(byte) };
    for end in (0..bytes.len()).filter(|&at| ends(bytes[at])).chain([bytes.len()]) {
        if blank == Blank::Tab || end > start {
            spans.push(start..end);
        }
        start = end + 1;
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NAMES: [&str; 3] = ["a", "b", "c"];

    #[test]
    fn columns_by_blanks() {
        let line = " q1\t 0  d\u{e9} \r";
        let columns = split::<3>(line, Blank::Any, &NAMES).unwrap();
        assert_eq!(columns.map(|column| &line[column]), ["q1", "0", "d\u{e9}"]);
        let line = "q 1\td 2\t3";
        assert_eq!(split::<3>(line, Blank::Tab, &NAMES).unwrap().map(|c| &line[c]), ["q 1", "d 2", "3"]);
    }

    #[test]
    fn too_few_too_many_and_empty() {
        for (line, blank, span, message) in [
            ("q1 0", Blank::Any, 4..4, "this line has 2 columns"),
            ("q1 0 d 1 x", Blank::Any, 7..10, "this line has 5 columns"),
            ("q1", Blank::Tab, 2..2, "this line has 1 column"),
            ("q1\t\t1", Blank::Tab, 3..3, "column 2 of this line is empty"),
        ] {
            let wrong = split::<3>(line, blank, &NAMES).unwrap_err();
            assert_eq!((wrong.span, wrong.message.as_str()), (span, message));
        }
    }

    proptest! {
        #[test]
        fn white_bytes_are_found(word: [u8; 8]) {
            for word in [word, word.map(|byte| byte % 40)] {
                let found = white(word).to_le_bytes().map(|byte| byte == 0x80);
                prop_assert_eq!(found, word.map(|byte| byte <= b' '));
            }
        }

        #[test]
        fn quick_agrees_with_split(line in "[ab\\t \r\u{0}\u{7f}\u{e9}]{0,150}", rest in "[a \n]{0,200}", tab: bool) {
            let blank = if tab { Blank::Tab } else { Blank::Any };
            let text = format!("{line}\n{rest}");
            if let Some((columns, length)) = quick::<3>(text.as_bytes(), blank) {
                prop_assert_eq!(length, line.len() + 1);
                prop_assert_eq!(columns, split::<3>(&line, blank, &NAMES).unwrap());
            }
        }

        #[test]
        fn quick_takes_the_plain_case(words in proptest::collection::vec("[!-~é]{1,90}", 3)) {
            let text = format!("{}\n{:64}", words.join(" "), "");
            let length = words.join(" ").len() + 1;
            prop_assert_eq!(quick::<3>(text.as_bytes(), Blank::Any).map(|found| found.1), Some(length));
        }
    }
}
