//! What should the retriever find, question by question? The gold set of `retrieval`.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use foldhash::quality::FixedState;
use indexmap::IndexMap;
use smallvec::SmallVec;

use super::fields::{offsets, whole};
use crate::input::Source;
use crate::input::json::{Kind as Json, Reader, Syntax};
use crate::input::source::Fingerprint;
use crate::input::table::{SliceValues, Table, contents, each_row};
use crate::judge::content::Kind;
use crate::judge::span::Span;
use crate::model::retrieval::{Blocks, Question, Relevant};
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::rows::{Placed, Wrong, id, list, question, refuse};
use crate::text;

/// A loaded gold set.
#[derive(Debug)]
pub(super) struct Gold {
    pub(super) questions: Vec<Question>,
    pub(super) slice_fields: Vec<String>,
    pub(super) warnings: Vec<Problem>,
    pub(super) warnings_total: u64,
    name: Arc<str>,
    fingerprint: Fingerprint,
    ids: HashMap<Box<str>, u32, FixedState>,
}

impl Gold {
    /// Reads a gold set. Where there is a block table, every relevant id must be in it.
    pub(super) fn load(source: &Source, slices: &[String], blocks: Option<&Blocks>) -> Result<Gold, Failure> {
        let (text, fingerprint) = contents(source)?;
        let mut loader = Loader {
            table: Table::new(source.name(), &text, slices),
            blocks,
            questions: Vec::new(),
            ids: HashMap::with_hasher(FixedState::with_seed(0)),
        };
        each_row(loader.table.text, &mut loader, Loader::row, |loader, wrong, base| {
            loader.table.report(wrong, base);
        });
        loader.table.finish(loader.questions.len())?;
        let Loader { table, questions, ids, .. } = loader;
        Ok(Gold {
            questions,
            slice_fields: slices.to_vec(),
            warnings: table.warnings.first,
            warnings_total: table.warnings.total,
            name: source.name().clone(),
            fingerprint,
            ids,
        })
    }

    /// The question with this id.
    pub(super) fn by_id(&self, id: &str) -> Option<u32> {
        self.ids.get(id).copied()
    }

    /// The file as a report lists it.
    pub(super) fn input(&self) -> Input {
        Input::new("gold", &self.name, self.questions.len() as u64, self.fingerprint.clone())
    }
}

/// What the contract says of a gold file by itself: its warnings, the first ones and how many there are.
pub(crate) fn lint(source: &Source) -> Result<(Vec<Problem>, u64), Failure> {
    Gold::load(source, &[], None).map(|gold| (gold.warnings, gold.warnings_total))
}

struct Loader<'a> {
    table: Table<'a>,
    blocks: Option<&'a Blocks>,
    questions: Vec<Question>,
    ids: HashMap<Box<str>, u32, FixedState>,
}

/// A row while it is read.
#[derive(Default)]
struct Row<'a> {
    id: Option<Placed<'a>>,
    paraphrases: Vec<Placed<'a>>,
    /// Ids with their grades; `None` where the field is absent.
    relevant: Option<Vec<(Placed<'a>, u32)>>,
    relevant_at: usize,
    negatives: Vec<Placed<'a>>,
    anchor: Option<Box<str>>,
    offsets: HashMap<Box<str>, Span>,
    wrong: Vec<Wrong>,
}

const KIND: &problem::Kind = &problem::GOLD_WRONG_TYPE;

impl<'a> Row<'a> {
    fn field(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
        let start = reader.offset();
        match key {
            "qid" => {
                let id = id(reader, key, KIND, &mut self.wrong)?;
                self.id = id.map(|id| (id, start..start + reader.since(start).len()));
            }
            "paraphrases" => {
                self.paraphrases = list(reader, key, false, KIND, &mut self.wrong)?.unwrap_or_default();
            }
            "relevant" => {
                self.relevant_at = start;
                self.relevant = self.relevant(reader)?;
            }
            "anchor_section" => {
                let anchor = question(reader, key, KIND, &mut self.wrong)?;
                self.anchor = anchor.map(|anchor| anchor.decode().into());
            }
            "negatives" => {
                self.negatives = list(reader, key, true, KIND, &mut self.wrong)?.unwrap_or_default();
            }
            "offsets" => match reader.peek()? {
                Json::Null => reader.skip()?,
                Json::Object => self.offsets(reader)?,
                _ => refuse(reader, key, "an object: [start, end) for each id", KIND, &mut self.wrong)?,
            },
            _ => reader.skip()?,
        }
        Ok(())
    }

    /// A list of ids, each of grade 1, or an object of ids and grades.
    fn relevant(&mut self, reader: &mut Reader<'a>) -> Result<Option<Vec<(Placed<'a>, u32)>>, Syntax> {
        const KEY: &str = "relevant";
        if reader.peek()? != Json::Object {
            let ids = list(reader, KEY, true, KIND, &mut self.wrong)?;
            return Ok(ids.map(|ids| ids.into_iter().map(|id| (id, 1)).collect()));
        }
        let mut graded: IndexMap<String, (Range<usize>, u32)> = IndexMap::new();
        reader.object(|reader, id| {
            let (path, start) = (format!("{KEY}.{}", text::visible(id)), reader.offset());
            let expected = "a grade: a whole number from 0";
            let grade = whole::<u32>(reader, &path, expected, KIND, &mut self.wrong)?;
            let place = start..start + reader.since(start).len();
            let id = text::trim(id);
            if let Some(grade) = grade.filter(|_| !id.is_empty()) {
                graded.insert(id.to_owned(), (place, grade)); // of a repeated key the last counts
            }
            Ok::<(), Syntax>(())
        })?;
        let placed = |(id, (place, grade)): (String, _)| ((Cow::Owned(id), place), grade);
        Ok(Some(graded.into_iter().map(placed).collect()))
    }

    fn offsets(&mut self, reader: &mut Reader<'a>) -> Result<(), Syntax> {
        reader.object(|reader, id| {
            let path = format!("offsets.{}", text::visible(id));
            if let Some(span) = offsets(reader, &path, KIND, &mut self.wrong)? {
                self.offsets.insert(text::trim(id).into(), span);
            }
            Ok::<(), Syntax>(())
        })
    }
}

impl<'a> Loader<'a> {
    fn row(&mut self, reader: &mut Reader<'a>, base: usize) -> Result<(), Syntax> {
        let start = reader.offset();
        if !self.table.is_object(reader, base)? {
            return Ok(());
        }
        let (mut row, mut slices) = (Row::default(), self.table.no_values());
        reader.object(|reader, key| {
            self.table.see(key, reader, &mut slices);
            row.field(reader, key)
        })?;
        let line = self.table.line_of(base + start);
        self.check(&mut row, start);
        let failed = row.wrong.iter().any(|wrong| wrong.kind.severity == problem::Severity::Error);
        row.wrong.sort_by_key(|wrong| wrong.span.start);
        row.wrong.drain(..).for_each(|wrong| self.table.report(wrong, base));
        if !failed {
            let number = self.questions.len() as u32;
            let question = self.question(row, line, slices);
            self.ids.insert(question.id.clone(), number);
            self.questions.push(question);
        }
        Ok(())
    }

    /// Notes what is wrong with a row as a whole.
    fn check(&self, row: &mut Row<'a>, start: usize) {
        let Row { id, relevant, relevant_at, negatives, wrong, .. } = row;
        for (name, there, expected) in [
            ("qid", id.is_some(), "a string or a whole number, not empty"),
            ("relevant", relevant.is_some(), "a list of ids, or an object of ids and grades"),
        ] {
            if !there && !wrong.iter().any(|wrong| wrong.path.starts_with(name)) {
                let message = format!("this row has no `{name}`");
                let expected = format!("expected `{name}`: {expected}");
                wrong.push(Wrong::new(
                    &problem::GOLD_MISSING_FIELD,
                    start..start + 1,
                    name,
                    message,
                    expected,
                ));
            }
        }
        if let Some((id, span)) = id
            && let Some(first) = self.ids.get(&**id)
        {
            let first = self.questions[*first as usize].line;
            let message = format!("qid \"{}\" is already used on line {first}", text::visible(id));
            let expected = "expected a qid that no other row has";
            wrong.push(Wrong::new(&problem::GOLD_DUPLICATE_ID, span.clone(), "qid", message, expected));
        }
        let Some(graded) = relevant else { return };
        let broken = wrong.iter().any(|wrong| wrong.path.starts_with("relevant"));
        if graded.iter().all(|(_, grade)| *grade == 0) && !broken {
            let message =
                if graded.is_empty() { "`relevant` is empty" } else { "every grade of `relevant` is 0" };
            let span = *relevant_at..*relevant_at + 1;
            let expected = "expected at least one relevant id";
            wrong.push(Wrong::new(&problem::GOLD_NO_RELEVANT, span, "relevant", message, expected));
        }
        for (id, span) in negatives.iter() {
            if self.blocks.is_some_and(|blocks| !blocks.by_id.contains_key(&**id)) {
                let message = format!("the block table has no block \"{}\"", text::visible(id));
                let (kind, expected) = (&problem::GOLD_UNKNOWN_NEGATIVE, "expected an id of the block table");
                wrong.push(Wrong::new(kind, span.clone(), "negatives", message, expected));
            }
        }
        let negatives: BTreeSet<&str> = negatives.iter().map(|(id, _)| &**id).collect();
        for ((id, span), _) in graded.iter().filter(|(_, grade)| *grade > 0) {
            if self.blocks.is_some_and(|blocks| !blocks.by_id.contains_key(&**id)) {
                let message = format!("the block table has no block \"{}\"", text::visible(id));
                let expected = "expected an id of the block table";
                wrong.push(Wrong::new(
                    &problem::GOLD_UNKNOWN_BLOCK,
                    span.clone(),
                    "relevant",
                    message,
                    expected,
                ));
            }
            if negatives.contains(&**id) {
                let message = format!("\"{}\" is relevant and a negative", text::visible(id));
                let kind = &problem::GOLD_RELEVANT_NEGATIVE;
                wrong.push(Wrong::new(kind, span.clone(), "relevant", message, "expected one of the two"));
            }
        }
    }

    fn question(&self, row: Row<'a>, line: u64, slices: SliceValues) -> Question {
        let none = Blocks::default();
        let blocks = self.blocks.unwrap_or(&none);
        let (mut relevant, mut nonrelevant): (Vec<Relevant>, Vec<Box<str>>) = (Vec::new(), Vec::new());
        for ((id, _), grade) in row.relevant.into_iter().flatten() {
            let id: Box<str> = id.into();
            if grade == 0 {
                nonrelevant.push(id);
                continue;
            }
            let listed = blocks.by_id.get(&id).and_then(|block| block.span);
            let span = listed.or_else(|| row.offsets.get(&id).copied());
            relevant.push(Relevant { grade, kind: blocks.kind_of(&id), span, id });
        }
        relevant.sort_by(|a, b| a.id.cmp(&b.id));
        relevant.dedup_by(|a, b| a.id == b.id);
        let negatives = sorted(row.negatives.into_iter().map(|(id, _)| id.into()));
        nonrelevant.extend(negatives.iter().cloned());
        let is_relevant = |id: &str| relevant.binary_search_by(|block| (*block.id).cmp(id)).is_ok();
        let nonrelevant = sorted(nonrelevant.into_iter().filter(|id| !is_relevant(id)));
        let mut kinds = [0; Kind::ALL.len()];
        relevant.iter().for_each(|block| kinds[block.kind as usize] += 1);
        let mut grades: SmallVec<[u32; 4]> = relevant.iter().map(|block| block.grade).collect();
        grades.sort_unstable_by(|a, b| b.cmp(a));
        Question {
            id: row.id.map(|(id, _)| id.into()).unwrap_or_default(),
            line,
            paraphrases: row.paraphrases.into_iter().map(|(text, _)| text.into()).collect(),
            relevant: relevant.into(),
            grades,
            kinds,
            negatives,
            nonrelevant,
            anchor: row.anchor.filter(|anchor| !text::trim(anchor).is_empty()),
            slices,
        }
    }
}

/// Each text once, in order.
fn sorted(texts: impl Iterator<Item = Box<str>>) -> Box<[Box<str>]> {
    let mut texts: Vec<Box<str>> = texts.collect();
    texts.sort_unstable();
    texts.dedup();
    texts.into()
}
