//! One row of a gold set.

use std::borrow::Cow;

use super::owner::GoldOwner;
use super::{Placed, Wrong, boolean, id, list, question};
use crate::input::json::{Kind, Reader, Syntax};
use crate::problem;
use crate::suites::answers::input::BY_FIELD;
use karat_input::keys::Keys;
use karat_input::rows::plain_list;

/// A gold row while it is read. Fields that were absent are `None`; spans are bytes of the row.
#[derive(Debug, Default)]
pub struct GoldRow<'a> {
    /// What broke the contract.
    pub wrong: Vec<Wrong>,
    /// The id and where it stands.
    pub id: Option<Placed<'a>>,
    /// The question and where it stands.
    pub question: Option<Placed<'a>>,
    /// Whether it can be answered.
    pub answerable: Option<bool>,
    /// `gold_claim_substr`, each with its place.
    pub phrases: Option<Vec<Placed<'a>>>,
    /// `gold_citations` or `gold_ids`.
    pub citations: Option<Vec<Placed<'a>>>,
    /// `constraints`.
    pub constraints: Option<Vec<Placed<'a>>>,
    /// `forbidden_substr`.
    pub forbidden: Option<Vec<Placed<'a>>>,
    /// `match: all`.
    pub match_all: bool,
    /// How many `paraphrases` the question has.
    pub paraphrases: u32,
    /// `gold_claim` of the text dialect.
    pub gold_claim: Option<Cow<'a, str>>,
    /// The row has fields that only the dialect `answer_json` has.
    pub has_answer_json: bool,
    /// The row has fields that only the dialect `cited_text` has.
    pub has_cited_text: bool,
    /// Names of the fields whose value was refused: not also missing.
    pub refused: Vec<&'static str>,
    /// Lists of earlier rows, whose memory is used again.
    spare: Vec<Vec<Placed<'a>>>,
    keys: Keys<GoldOwner>,
}

impl<'a> GoldRow<'a> {
    /// Makes room for the next row.
    pub(crate) fn clear(&mut self) {
        self.wrong.clear();
        self.refused.clear();
        for list in [&mut self.phrases, &mut self.citations, &mut self.constraints, &mut self.forbidden] {
            if let Some(list) = list {
                list.clear();
                self.spare.push(std::mem::take(list));
            }
            *list = None;
        }
        self.spare.truncate(4);
        (self.id, self.question, self.gold_claim, self.answerable) = (None, None, None, None);
        (self.match_all, self.paraphrases) = (false, 0);
        (self.has_answer_json, self.has_cited_text) = (false, false);
    }

    /// Reads one row; `slice` sees every field before it is read, and the reader to look at its value with.
    pub fn read(
        &mut self,
        reader: &mut Reader<'a>,
        mut slice: impl FnMut(&str, &Reader<'a>),
    ) -> Result<(), Syntax> {
        let mut inner = *reader;
        self.keys.restart();
        while let Some((taker, key)) = self.keys.next(&mut inner, GoldOwner::of)? {
            let key = key.text(&inner);
            slice(&key, &inner);
            self.field(taker, &mut inner, &key)?;
        }
        *reader = inner;
        Ok(())
    }

    fn field(&mut self, taker: GoldOwner, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
        let kind = &problem::GOLD_WRONG_TYPE;
        let start = reader.offset();
        match taker {
            GoldOwner::Id => {
                let before = self.wrong.len();
                let id = id(reader, key, kind, &mut self.wrong)?;
                if self.wrong.len() > before {
                    self.refused.push("qid");
                }
                self.id = id.map(|id| (id, start..start + reader.since(start).len()));
            }
            GoldOwner::Question => {
                let text = question(reader, key, kind, &mut self.wrong)?;
                if let Some(text) = text {
                    self.question = Some((text.decode(), start..start + reader.since(start).len()));
                }
            }
            GoldOwner::Answerable => {
                let before = self.wrong.len();
                self.answerable = boolean(reader, key, kind, &mut self.wrong)?;
                if self.wrong.len() > before {
                    self.refused.push("answerable");
                }
            }
            GoldOwner::Paraphrases if reader.peek()? == Kind::Array => {
                self.paraphrases = 0;
                reader.array(|reader| {
                    self.paraphrases = self.paraphrases.saturating_add(1);
                    reader.skip()
                })?;
            }
            GoldOwner::Dialect(dialect)
                if let Some(read) = BY_FIELD.get(usize::from(dialect)).map(|(_, read)| read)
                    && (read.gold)(key, reader, self)? => {}
            GoldOwner::Paraphrases | GoldOwner::Dialect(_) | GoldOwner::Nobody => reader.skip()?,
        }
        Ok(())
    }
}

/// A list of texts in gold, each with its place; `ids` are trimmed, may be whole numbers, and lose empty ones.
pub(crate) fn gold_list<'a>(
    reader: &mut Reader<'a>,
    key: &'static str,
    ids: bool,
    row: &mut GoldRow<'a>,
) -> Result<Option<Vec<Placed<'a>>>, Syntax> {
    let (at, mut plain) = (*reader, row.spare.pop().unwrap_or_default());
    if plain_list(reader, ids, &mut plain).is_ok() {
        return Ok(Some(plain));
    }
    *reader = at;
    plain.clear();
    row.spare.push(plain);
    let before = row.wrong.len();
    let list = list(reader, key, ids, &problem::GOLD_WRONG_TYPE, &mut row.wrong)?;
    if row.wrong.len() > before {
        row.refused.push(key);
    }
    Ok(list)
}
