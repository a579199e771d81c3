//! Reads a gold file of any suite row by row, and reports everything that is wrong with it at once.

use std::collections::BTreeSet;
use std::io::Read;
use std::string::FromUtf8Error;
use std::sync::Arc;

use crate::LINE_LIMIT;
use crate::json::{Kind, Reader, Syntax};
use crate::keys::Keys;
use crate::lines::{not_utf8, too_long};
use crate::problem::{self, Failure, Problem, Severity};
use crate::record::{Contract, Number, Record};
use crate::rows::Wrong;
use crate::source::{Fingerprint, Source};
use crate::text;

/// The values of each field that is sliced by, of one row.
pub type SliceValues = Box<[Box<[Box<str>]>]>;

/// A gold file and what was found out about it so far.
pub struct Table<'a> {
    /// The file as it was named.
    pub name: &'a Arc<str>,
    /// Its text.
    pub text: &'a str,
    /// The fields whose values are to be kept.
    pub slices: &'a [String],
    /// What is wrong with it.
    pub errors: ProblemList,
    /// What is worth a warning.
    pub warnings: ProblemList,
    /// Line number at a byte offset, moved forward from row to row.
    line: (usize, u64),
    /// The keys that its rows have, where they are sliced.
    pub keys: BTreeSet<String>,
    /// Whether some row has each field to slice by.
    pub sliced: Vec<bool>,
}

/// The first problems, and how many there are.
#[derive(Default)]
pub struct ProblemList {
    /// The first ones.
    pub first: Vec<Problem>,
    /// How many there are.
    pub total: u64,
}

/// The whole of a gold file, and its fingerprint.
pub fn contents(source: &Source) -> Result<(String, Fingerprint), Failure> {
    let mut open = source.open()?;
    let bytes = read_bounded(&mut open.reader, source)?;
    let fingerprint = open.hash.finish();
    let bad = |e: FromUtf8Error| not_utf8(source.name(), e.as_bytes(), e.utf8_error().valid_up_to());
    Ok((String::from_utf8(bytes).map_err(bad)?, fingerprint))
}

/// Reads everything, but stops at a line that is too long to be a row.
fn read_bounded(reader: &mut dyn Read, source: &Source) -> Result<Vec<u8>, Failure> {
    let mut bytes =
        Vec::with_capacity(usize::try_from(source.size().unwrap_or(0)).unwrap_or(0).min(1 << 30) + 1);
    let mut line_start = 0;
    loop {
        let before = bytes.len();
        if reader.take(1 << 22).read_to_end(&mut bytes).map_err(|e| source.unreadable(&e))? == 0 {
            return Ok(bytes);
        }
        if let Some(end) = memchr::memrchr(b'\n', &bytes[before..]) {
            line_start = before + end + 1;
        }
        let array = bytes.iter().take(64).find(|b| !b.is_ascii_whitespace() && **b < 0x80) == Some(&b'[');
        if bytes.len() - line_start > LINE_LIMIT && !array {
            let line = bytes[..line_start].iter().filter(|&&b| b == b'\n').count() as u64 + 1;
            let excerpt = String::from_utf8_lossy(&bytes[line_start..line_start + 64]).into_owned();
            return Err(too_long(source.name(), line, &excerpt).into());
        }
    }
}

/// Whether a gold text is one array.
#[must_use]
pub fn is_array(text: &str) -> bool {
    text.trim_start_matches([' ', '\t', '\r', '\n']).starts_with('[')
}

/// Calls `row` at every row of JSON lines or of one array, with a reader at it and where the reader's text begins in the
/// file; `broken` hears of what is not JSON.
pub fn each_row<'a, S>(
    text: &'a str,
    state: &mut S,
    row: impl Fn(&mut S, &mut Reader<'a>, usize) -> Result<(), Syntax>,
    broken: impl Fn(&mut S, Wrong, usize),
) {
    if is_array(text) {
        let mut reader = Reader::new(text);
        let read = reader.array(|reader| row(state, reader, 0)).and_then(|()| reader.end());
        if let Err(error) = read {
            broken(state, Wrong::syntax(error, text), 0);
        }
        return;
    }
    for (start, line) in lines(text).filter(|(_, line)| !text::trim(line).is_empty()) {
        let mut reader = Reader::new(line);
        let read = row(state, &mut reader, start).and_then(|()| reader.end());
        if let Err(error) = read {
            broken(state, Wrong::syntax(error, line), start);
        }
    }
}

/// The lines of a text without their ends, and where each begins.
pub fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let (start, rest) = (next, text.get(next..).filter(|rest| !rest.is_empty())?);
        let line = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest, |at| &rest[..=at]);
        next += line.len();
        Some((start, line.trim_end_matches(['\n', '\r'])))
    })
}

impl<'a> Table<'a> {
    /// A file with this text, of which nothing was read yet.
    #[must_use]
    pub fn new(name: &'a Arc<str>, text: &'a str, slices: &'a [String]) -> Self {
        Table {
            name,
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            slices,
            errors: ProblemList::default(),
            warnings: ProblemList::default(),
            line: (0, 1),
            keys: BTreeSet::new(),
            sliced: vec![false; slices.len()],
        }
    }

    /// Reads every row by a contract and hands it to `row`, which takes its values and notes what else is wrong with it.
    pub fn each(&mut self, contract: &'static Contract, row: impl FnMut(&mut Record<'a>)) {
        let read = |(table, keys, row): &mut (&mut Self, Keys<Number>, _), reader: &mut Reader<'a>, base| {
            table.record(contract, reader, base, keys, row)
        };
        let broken = |state: &mut (&mut Self, _, _), wrong, base| state.0.report(wrong, base);
        each_row(self.text, &mut (self, Keys::default(), row), read, broken);
    }

    fn record(
        &mut self,
        contract: &'static Contract,
        reader: &mut Reader<'a>,
        base: usize,
        keys: &mut Keys<Number>,
        row: &mut impl FnMut(&mut Record<'a>),
    ) -> Result<(), Syntax> {
        if !self.is_object_or(contract.not_an_object, reader, base)? {
            return Ok(());
        }
        let mut slices = self.no_values();
        let mut record =
            Record::read(contract, reader, keys, |key, reader| self.see(key, reader, &mut slices))?;
        (record.slices, record.line) = (slices, self.line_of(base + record.start));
        record.demand();
        row(&mut record);
        if contract.by_place {
            record.wrong.sort_by_key(|wrong| wrong.span.start);
        }
        record.wrong.into_iter().for_each(|wrong| self.report(wrong, base));
        Ok(())
    }

    /// Skips a gold row that is not an object, and says so; true if it is one.
    pub fn is_object(&mut self, reader: &mut Reader<'a>, base: usize) -> Result<bool, Syntax> {
        self.is_object_or(&problem::GOLD_NOT_AN_OBJECT, reader, base)
    }

    fn is_object_or(
        &mut self,
        not_one: &'static problem::Kind,
        reader: &mut Reader<'a>,
        base: usize,
    ) -> Result<bool, Syntax> {
        let (start, kind) = (reader.offset(), reader.peek()?);
        if kind == Kind::Object {
            return Ok(true);
        }
        reader.skip()?;
        let span = start..start + reader.since(start).len();
        let message = format!("this row is {}, not an object", kind.with_article());
        self.report(Wrong::new(not_one, span, "", message, "expected an object"), base);
        Ok(false)
    }

    /// No values yet.
    pub fn no_values(&self) -> SliceValues {
        vec![Box::default(); self.slices.len()].into()
    }

    /// Looks at a field before it is read: are its values to be kept?
    pub fn see(&mut self, key: &str, reader: &Reader<'a>, values: &mut SliceValues) {
        if self.slices.is_empty() {
            return;
        }
        if self.keys.len() < 200 && !self.keys.contains(key) {
            self.keys.insert(key.to_owned());
        }
        for (i, _) in self.slices.iter().enumerate().filter(|(_, field)| *field == key) {
            values[i] = slice_values(&mut reader.clone()).unwrap_or_default();
            self.sliced[i] |= !values[i].is_empty();
        }
    }

    /// Puts a problem at its place in the file.
    pub fn report(&mut self, wrong: Wrong, base: usize) {
        let kept = if wrong.kind.severity == Severity::Error { &mut self.errors } else { &mut self.warnings };
        kept.total += 1;
        if kept.first.len() < Failure::SHOWN {
            kept.first.push(place(self.name, self.text, wrong, base));
        }
    }

    /// The line number of a byte offset; offsets must not go back.
    pub fn line_of(&mut self, at: usize) -> u64 {
        let (from, line) = self.line;
        let passed = memchr::memchr_iter(b'\n', &self.text.as_bytes()[from..at]).count() as u64;
        self.line = (at, line + passed);
        line + passed
    }

    /// Whether the file can be used: it has rows, nothing is wrong, and some row has each field to slice by.
    pub fn finish(&mut self, rows: usize) -> Result<(), Failure> {
        if rows == 0 && self.errors.total == 0 {
            let message = "the gold set has no rows";
            return Err(Problem::of_file(&problem::GOLD_EMPTY, self.name, message).into());
        }
        if self.errors.total == 0 {
            for (field, _) in self.slices.iter().zip(&self.sliced).filter(|(_, seen)| !**seen) {
                let keys = || self.keys.iter().map(String::as_str);
                let near = text::nearest(field, keys());
                let known: Vec<&str> = if near.is_empty() { keys().collect() } else { near };
                let message = format!("no gold row has a field `{}` to slice by", text::visible(field));
                let mut problem = Problem::of_file(&problem::SLICE_UNKNOWN, self.name, message);
                problem.expected = format!("the rows have: {}", text::visible(&known.join(", ")));
                self.errors.first.push(problem);
                self.errors.total += 1;
            }
        }
        if self.errors.total > 0 {
            let (problems, total) = (std::mem::take(&mut self.errors.first), self.errors.total);
            return Err(Failure { problems, total });
        }
        Ok(())
    }
}

/// A problem at its place in the file.
pub fn place(name: &Arc<str>, text: &str, wrong: Wrong, base: usize) -> Problem {
    let at = base + wrong.span.start;
    let start = memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |i| i + 1);
    let end = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |i| at + i);
    let line = memchr::memchr_iter(b'\n', &text.as_bytes()[..start]).count() as u64 + 1;
    let span = at - start..(base + wrong.span.end).min(end) - start;
    let shown = text[start..end].trim_end_matches('\r');
    Problem::at(wrong.kind, name, line, shown, span, wrong.message, wrong.expected).on(wrong.path)
}

/// The values of a field as slices: a scalar's text, each scalar of a list, an object's JSON.
pub fn slice_values(reader: &mut Reader<'_>) -> Result<Box<[Box<str>]>, Syntax> {
    let mut values = Vec::new();
    if reader.peek()? == Kind::Array {
        reader.array(|reader| scalar(reader).map(|value| values.extend(value)))?;
    } else {
        values.extend(scalar(reader)?);
    }
    Ok(distinct(values.into_iter()).into())
}

fn scalar(reader: &mut Reader<'_>) -> Result<Option<Box<str>>, Syntax> {
    Ok(match reader.peek()? {
        Kind::Null => reader.skip().map(|()| None)?,
        Kind::String => Some(reader.string()?.decode().into()),
        _ => Some(reader.raw()?.into()),
    })
}

/// Up to this many texts, looking through them beats building a set.
pub const FEW: usize = 16;

/// Each text once, in the order of first appearance.
pub fn distinct<T: Clone + Ord>(texts: impl Iterator<Item = T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    let mut many = BTreeSet::new();
    for text in texts {
        if kept.len() == FEW && many.is_empty() {
            many.extend(kept.iter().cloned());
        }
        let new = if kept.len() < FEW { !kept.contains(&text) } else { many.insert(text.clone()) };
        if new {
            kept.push(text);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_ids_are_one() {
        let many: Vec<Box<str>> = (0..40).map(|i| (i % 20).to_string().into()).collect();
        assert_eq!(distinct(many.into_iter()).len(), 20);
    }
}
