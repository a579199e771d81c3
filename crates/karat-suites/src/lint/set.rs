//! A gold set as the lints see it: the texts that decide, whichever contract they stand in, each with its place.

use std::borrow::Cow;
use std::ops::Range;

use crate::input::json::{Kind, Reader, Syntax};
use crate::input::table::{each_row, slice_values};
use crate::problem;
use crate::rows::{id, list, question};

/// A place in the file, in bytes.
pub type Place = Range<usize>;
/// A text of the file and its place.
pub type Placed<'a> = (Cow<'a, str>, Place);

/// Whose contract a gold set keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contract {
    /// `answers`, and with it `latency` and `stability`.
    Answers,
    /// `release`
    Release,
    /// `retrieval`
    Retrieval,
}

impl Contract {
    /// Every contract.
    pub const ALL: [Contract; 3] = [Contract::Answers, Contract::Release, Contract::Retrieval];

    /// The suite's name, and the fields that no other contract has.
    fn declared(self) -> (&'static str, &'static str) {
        match self {
            Contract::Answers => (
                "answers",
                "answerable gold_claim_substr gold_citations gold_ids gold_claim forbidden_substr",
            ),
            Contract::Release => ("release", "required_source_ids required_points points"),
            Contract::Retrieval => ("retrieval", "relevant paraphrases anchor_section negatives"),
        }
    }

    /// The suite's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.declared().0
    }
}

/// A gold set.
#[derive(Debug)]
pub struct Set<'a> {
    /// The file.
    pub text: &'a str,
    /// Whose contract it keeps.
    pub contract: Contract,
    /// The fields to slice by.
    pub slices: &'a [String],
    /// Its rows, in the file's order.
    pub rows: Vec<Row<'a>>,
}

/// One row. What is absent, or of another type than the contract says, is empty here.
#[derive(Debug, Default)]
pub struct Row<'a> {
    /// The place of its first byte.
    pub at: Place,
    /// Its line in the file.
    pub line: u64,
    /// Its id.
    pub id: Option<Placed<'a>>,
    /// What is asked: the question, or its paraphrases.
    pub questions: Vec<Placed<'a>>,
    /// Whether it can be answered.
    pub answerable: Option<bool>,
    /// `gold_claim_substr`.
    pub phrases: Vec<Placed<'a>>,
    /// `match: all`.
    pub match_all: bool,
    /// `gold_claim` of the array contract.
    pub claim: Option<Placed<'a>>,
    /// `forbidden_substr`.
    pub forbidden: Vec<Placed<'a>>,
    /// The ids of chunks that gold names.
    pub citations: Vec<Placed<'a>>,
    /// The values of each field to slice by.
    pub slices: Vec<Vec<Box<str>>>,
    contract: Option<Contract>,
}

impl<'a> Set<'a> {
    /// Reads what can be read; what is wrong with the rest is the contract's to say.
    pub(super) fn read(text: &'a str, contract: Option<Contract>, slices: &'a [String]) -> Set<'a> {
        let mut set = Set { text, contract: Contract::Answers, slices, rows: Vec::new() };
        each_row(text, &mut set, Set::row, |_, _, _| {});
        let told = set.rows.iter().find_map(|row| row.contract);
        set.contract = contract.or(told).unwrap_or(Contract::Answers);
        set
    }

    fn row(&mut self, reader: &mut Reader<'a>, base: usize) -> Result<(), Syntax> {
        let start = base + reader.offset();
        if reader.peek()? != Kind::Object {
            return reader.skip();
        }
        let (from, line) = self.rows.last().map_or((0, 1), |row| (row.at.start, row.line));
        let line = line + memchr::memchr_iter(b'\n', &self.text.as_bytes()[from..start]).count() as u64;
        let mut row =
            Row { at: start..start + 1, line, slices: vec![Vec::new(); self.slices.len()], ..Row::default() };
        reader.object(|reader, key| {
            for (i, _) in self.slices.iter().enumerate().filter(|(_, field)| *field == key) {
                row.slices[i] = slice_values(&mut { *reader }).map(Vec::from).unwrap_or_default();
            }
            let of = |contract: &Contract| contract.declared().1.split(' ').any(|field| field == key);
            row.contract = row.contract.or(Contract::ALL.into_iter().find(of));
            row.field(key, reader, base)
        })?;
        self.rows.push(row);
        Ok(())
    }
}

impl<'a> Row<'a> {
    fn field(&mut self, key: &str, reader: &mut Reader<'a>, base: usize) -> Result<(), Syntax> {
        let (kind, mut wrong) = (&problem::GOLD_WRONG_TYPE, Vec::new());
        let start = reader.offset();
        let mut texts = |reader: &mut Reader<'a>, ids: bool| {
            let list = list(reader, key, ids, kind, &mut wrong)?.unwrap_or_default();
            let moved = |(text, at): Placed<'a>| (text, base + at.start..base + at.end);
            Ok(list.into_iter().map(moved).collect::<Vec<_>>())
        };
        match key {
            "gold_claim_substr" => self.phrases = texts(reader, false)?,
            "forbidden_substr" => self.forbidden = texts(reader, false)?,
            "paraphrases" => self.questions.extend(texts(reader, false)?),
            "gold_citations" | "gold_ids" | "required_source_ids" => self.citations = texts(reader, true)?,
            "relevant" | "negatives" if reader.peek()? == Kind::Array => {
                self.citations.extend(texts(reader, true)?);
            }
            "answerable" if reader.peek()? == Kind::Bool => self.answerable = Some(reader.boolean()?),
            "match" if reader.peek()? == Kind::String => self.match_all = reader.string()?.decode() == "all",
            "qid" | "case_id" => {
                let id = id(reader, key, kind, &mut wrong)?;
                let at = base + start..base + start + reader.since(start).len();
                self.id = self.id.take().or(id.map(|id| (id, at)));
            }
            "question" | "q" | "gold_claim" => {
                let text = question(reader, key, kind, &mut wrong)?.map(|text| text.decode());
                let at = base + start..base + start + reader.since(start).len();
                match text {
                    Some(text) if key == "gold_claim" => self.claim = Some((text, at)),
                    Some(text) => self.questions.push((text, at)),
                    None => {}
                }
            }
            _ => reader.skip()?,
        }
        Ok(())
    }

    /// How messages name it.
    #[must_use]
    pub fn name(&self) -> Cow<'_, str> {
        self.id.as_ref().map_or(Cow::Borrowed("?"), |(id, _)| crate::text::visible(id))
    }
}
