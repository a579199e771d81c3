//! What should the retriever find, question by question? The gold set of `retrieval`.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use foldhash::quality::FixedState;
use indexmap::IndexMap;
use smallvec::SmallVec;

use karat_input::record::{Contract, Record};

use super::values::offsets;
use crate::input::Source;
use crate::input::json::{Kind as Json, Reader, Syntax};
use crate::input::source::Fingerprint;
use crate::input::table::{SliceValues, Table, contents};
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::rows::{Placed, Wrong, integer, list, refuse};
use crate::suites::retrieval::judge::content::Kind;
use crate::suites::retrieval::judge::span::Span;
use crate::suites::retrieval::model::{Blocks, Question, Relevant};
use crate::text;

/// A loaded gold set.
#[derive(Debug)]
pub(crate) struct Gold {
    pub(crate) questions: Vec<Question>,
    pub(crate) slice_fields: Vec<String>,
    pub(crate) warnings: Vec<Problem>,
    pub(crate) warnings_total: u64,
    name: Arc<str>,
    fingerprint: Fingerprint,
    ids: HashMap<Box<str>, u32, FixedState>,
}

impl Gold {
    /// Reads a gold set. Where there is a block table, every relevant id must be in it.
    pub(crate) fn load(source: &Source, slices: &[String], blocks: Option<&Blocks>) -> Result<Gold, Failure> {
        let (text, fingerprint) = contents(source)?;
        let mut table = Table::new(source.name(), &text, slices);
        let mut questions: Vec<Question> = Vec::new();
        let mut ids: HashMap<Box<str>, u32, FixedState> = HashMap::with_hasher(FixedState::with_seed(0));
        table.each(&CONTRACT, |record| {
            let row = Row::take(record);
            if let Some(id) = &row.id
                && let Some(&first) = ids.get(&*id.0)
            {
                record.used_before("qid", id, questions[first as usize].line);
            }
            row.check(blocks, record);
            if record.is_sound() {
                let slices = std::mem::take(&mut record.slices);
                let question = row.question(blocks, record.line, slices);
                ids.insert(question.id.clone(), questions.len() as u32);
                questions.push(question);
            }
        });
        table.finish(questions.len())?;
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
    pub(crate) fn by_id(&self, id: &str) -> Option<u32> {
        self.ids.get(id).copied()
    }

    /// The file as a report lists it.
    pub(crate) fn input(&self) -> Input {
        Input::new("gold", &self.name, self.questions.len() as u64, self.fingerprint.clone())
    }
}

/// What the contract says of a gold file by itself: its warnings, the first ones and how many there are.
pub(crate) fn lint(source: &Source) -> Result<(Vec<Problem>, u64), Failure> {
    Gold::load(source, &[], None).map(|gold| (gold.warnings, gold.warnings_total))
}

/// A row, its values taken.
struct Row<'a> {
    id: Option<Placed<'a>>,
    paraphrases: Vec<Placed<'a>>,
    /// Ids with their grades; `None` where the field is absent.
    relevant: Option<Vec<(Placed<'a>, u32)>>,
    relevant_at: usize,
    negatives: Vec<Placed<'a>>,
    anchor: Option<Box<str>>,
    offsets: HashMap<Box<str>, Span>,
}

const CONTRACT: Contract = Contract::gold(super::DIALECT.gold);
const KIND: &problem::Kind = CONTRACT.wrong_type;

/// A list of ids, each of grade 1, or an object of ids and grades.
fn relevant<'a>(
    reader: &mut Reader<'a>,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Vec<(Placed<'a>, u32)>>, Syntax> {
    const KEY: &str = "relevant";
    if reader.peek()? != Json::Object {
        let ids = list(reader, KEY, true, KIND, wrong)?;
        return Ok(ids.map(|ids| ids.into_iter().map(|id| (id, 1)).collect()));
    }
    let mut graded: IndexMap<String, (Range<usize>, u32)> = IndexMap::new();
    reader.object(|reader, id| {
        let (path, start) = (format!("{KEY}.{}", text::visible(id)), reader.offset());
        let expected = "a grade: a whole number from 0";
        let grade = integer::<u32>(reader, &path, expected, KIND, wrong)?;
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

/// `[start, end)` by id.
fn spans(reader: &mut Reader<'_>, wrong: &mut Vec<Wrong>) -> Result<HashMap<Box<str>, Span>, Syntax> {
    let mut spans = HashMap::new();
    if reader.peek()? != Json::Object {
        refuse(reader, "offsets", "an object: [start, end) for each id", KIND, wrong)?;
        return Ok(spans);
    }
    reader.object(|reader, id| {
        let path = format!("offsets.{}", text::visible(id));
        if let Some(span) = offsets(reader, &path, KIND, wrong)? {
            spans.insert(text::trim(id).into(), span);
        }
        Ok::<(), Syntax>(())
    })?;
    Ok(spans)
}

impl<'a> Row<'a> {
    fn take(record: &mut Record<'a>) -> Self {
        let relevant_at = record.at("relevant");
        let offsets = record.at("offsets");
        let wrong = &mut record.wrong;
        Row {
            relevant_at: relevant_at.as_ref().map_or(0, |(_, span)| span.start),
            relevant: relevant_at.and_then(|(mut at, _)| relevant(&mut at, wrong).ok().flatten()),
            offsets: offsets.and_then(|(mut at, _)| spans(&mut at, wrong).ok()).unwrap_or_default(),
            id: record.id("qid"),
            paraphrases: record.list("paraphrases").map(|(list, _)| list).unwrap_or_default(),
            negatives: record.list("negatives").map(|(list, _)| list).unwrap_or_default(),
            anchor: record.text("anchor_section").map(Into::into),
        }
    }

    /// Notes what is wrong with a row as a whole.
    fn check(&self, blocks: Option<&Blocks>, record: &mut Record<'a>) {
        let Some(graded) = &self.relevant else { return };
        let broken = record.refused("relevant");
        if graded.iter().all(|(_, grade)| *grade == 0) && !broken {
            let message =
                if graded.is_empty() { "`relevant` is empty" } else { "every grade of `relevant` is 0" };
            let span = self.relevant_at..self.relevant_at + 1;
            let expected = "expected at least one relevant id";
            record.note(&problem::GOLD_NO_RELEVANT, span, "relevant", message, expected);
        }
        let mut check_block = |(id, span): &Placed<'_>, kind: &'static problem::Kind, path: &str| {
            if blocks.is_some_and(|blocks| !blocks.by_id.contains_key(&**id)) {
                let message = format!("the block table has no block \"{}\"", text::visible(id));
                record.note(kind, span.clone(), path, message, "expected an id of the block table");
            }
        };
        self.negatives.iter().for_each(|id| check_block(id, &problem::GOLD_UNKNOWN_NEGATIVE, "negatives"));
        let relevant = || graded.iter().filter(|(_, grade)| *grade > 0).map(|(id, _)| id);
        relevant().for_each(|id| check_block(id, &problem::GOLD_UNKNOWN_BLOCK, "relevant"));
        let negatives: BTreeSet<&str> = self.negatives.iter().map(|(id, _)| &**id).collect();
        for (id, span) in relevant().filter(|(id, _)| negatives.contains(&**id)) {
            let message = format!("\"{}\" is relevant and a negative", text::visible(id));
            let kind = &problem::GOLD_RELEVANT_NEGATIVE;
            record.note(kind, span.clone(), "relevant", message, "expected one of the two");
        }
    }

    fn question(self, blocks: Option<&Blocks>, line: u64, slices: SliceValues) -> Question {
        let row = self;
        let none = Blocks::default();
        let blocks = blocks.unwrap_or(&none);
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
