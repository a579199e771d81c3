//! Values that gold, block table and traces share: byte offsets and vectors.

use std::ops::Range;

use crate::input::json::{Kind, Reader, Syntax};
use crate::problem;
use crate::rows::{Wrong, is_list};
use crate::suites::retrieval::judge::span::Span;

/// `[start, end]` in bytes; null is absent.
pub(super) fn offsets(
    reader: &mut Reader<'_>,
    path: &str,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Span>, Syntax> {
    const EXPECTED: &str = "two whole numbers of bytes, [start, end)";
    if !is_list(reader, path, EXPECTED, kind, wrong)? {
        return Ok(None);
    }
    let start = reader.offset();
    let (mut ends, mut count) = ([None; 2], 0);
    reader.array(|reader| {
        let end = match reader.peek()? {
            Kind::Number => reader.number()?.parse::<u64>().ok(),
            _ => reader.skip().map(|()| None)?,
        };
        if let Some(place) = ends.get_mut(count) {
            *place = end;
        }
        count += 1;
        Ok::<(), Syntax>(())
    })?;
    let span = start..start + reader.since(start).len();
    let (kind, message, expected) = match (count, ends) {
        (2, [Some(from), Some(to)]) => match Span::new(from, to) {
            Some(offsets) => return Ok(Some(offsets)),
            None => (
                &problem::OFFSETS_ORDER,
                format!("`{path}` starts at {from} and ends at {to}"),
                "a start before the end: [start, end)",
            ),
        },
        _ => (kind, format!("`{path}` is not a pair of whole numbers"), EXPECTED),
    };
    wrong.push(Wrong::new(kind, span, path, message, format!("expected {expected}")));
    Ok(None)
}

/// A list of numbers, left unread: vectors are long, and seldom needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector<'a> {
    raw: &'a str,
    start: usize,
}

impl<'a> Vector<'a> {
    /// Passes over a value; null is absent.
    pub(super) fn pass(reader: &mut Reader<'a>) -> Result<Option<Self>, Syntax> {
        let (start, kind) = (reader.offset(), reader.peek()?);
        reader.skip()?;
        Ok((kind != Kind::Null).then(|| Vector { raw: reader.since(start), start }))
    }

    /// Where it is in its row.
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.start + self.raw.len()
    }

    /// Reads it; what is wrong with it otherwise.
    pub(super) fn numbers(&self, path: &str) -> Result<Vec<f64>, Wrong> {
        let mut numbers = Vec::new();
        let mut reader = Reader::new(self.raw);
        let read = reader.array(|reader| {
            let number = match reader.peek()? {
                Kind::Number => reader.number()?.parse::<f64>().ok(),
                _ => None,
            };
            numbers.push(number.filter(|number| number.is_finite()).ok_or(NotNumbers)?);
            Ok::<(), NotNumbers>(())
        });
        match read {
            Ok(()) => Ok(numbers),
            Err(NotNumbers) => Err(Wrong::new(
                &problem::TRACE_VECTOR,
                self.span(),
                path,
                format!("`{path}` is not a list of numbers"),
                "expected a list of finite numbers",
            )),
        }
    }
}

/// A value is not a list of finite numbers.
struct NotNumbers;

impl From<Syntax> for NotNumbers {
    fn from(_: Syntax) -> Self {
        NotNumbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<Option<(u64, u64)>, &str>) {
        let mut wrong = Vec::new();
        let kind = &problem::TRACE_WRONG_TYPE;
        let read = offsets(&mut Reader::new(text), "offsets", kind, &mut wrong).unwrap();
        let got = match wrong.first() {
            Some(wrong) => Err(format!("{} {}", wrong.kind.slug, wrong.message)),
            None => Ok(read),
        };
        let expected = expected.map(|span| span.and_then(|(start, end)| Span::new(start, end)));
        assert_eq!(got, expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn offsets_are_two_whole_numbers_in_order() {
        check("[0, 18446744073709551615]", Ok(Some((0, u64::MAX))));
        check("null", Ok(None));
        check("[5, 5]", Err("offsets/order `offsets` starts at 5 and ends at 5"));
        check("[9, 5]", Err("offsets/order `offsets` starts at 9 and ends at 5"));
        for pair in
            ["[]", "[1]", "[1,2,3]", "[-1,2]", "[1.5,2]", "[1,18446744073709551616]", "[\"1\",2]", "[null,2]"]
        {
            check(pair, Err("trace/wrong-type `offsets` is not a pair of whole numbers"));
        }
        check("\"1-2\"", Err("trace/wrong-type `offsets` is a string"));
    }

    #[test]
    fn vectors_are_finite() {
        let read = |text: &'static str| {
            let vector = Vector::pass(&mut Reader::new(text)).unwrap().unwrap();
            vector.numbers("vec").map_err(|wrong| wrong.message)
        };
        assert_eq!(read("[1, -2.5e1]"), Ok(vec![1.0, -25.0]));
        assert_eq!(read("[]"), Ok(vec![]));
        for bad in ["[1e999]", "[null]", "[[1]]", "\"1\"", "{}"] {
            assert_eq!(read(bad), Err("`vec` is not a list of numbers".into()), "{bad}");
        }
    }
}
