//! One row of a gold set.

use std::borrow::Cow;

use super::{Placed, Wrong, boolean, id, list, question};
use crate::dialects;
use crate::input::json::{Expected, Kind, Reader, Syntax};
use crate::problem;
use crate::text::trim;

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
    /// Fields that only one of the contracts has were seen.
    pub has_answer_json: bool,
    /// The same for the text dialect.
    pub has_cited_text: bool,
    /// Names of the fields whose value was refused: not also missing.
    pub refused: Vec<&'static str>,
    /// Lists of earlier rows, whose memory is used again.
    spare: Vec<Vec<Placed<'a>>>,
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
        reader.object(|reader, key| {
            slice(key, reader);
            self.field(reader, key)
        })
    }

    fn field(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
        let kind = &problem::GOLD_WRONG_TYPE;
        let start = reader.offset();
        match key {
            "qid" => {
                let before = self.wrong.len();
                let id = id(reader, key, kind, &mut self.wrong)?;
                if self.wrong.len() > before {
                    self.refused.push("qid");
                }
                self.id = id.map(|id| (id, start..start + reader.since(start).len()));
            }
            "question" | "q" => {
                let text = question(reader, key, kind, &mut self.wrong)?;
                if let Some(text) = text {
                    self.question = Some((text.decode(), start..start + reader.since(start).len()));
                }
            }
            "answerable" => {
                let before = self.wrong.len();
                self.answerable = boolean(reader, key, kind, &mut self.wrong)?;
                if self.wrong.len() > before {
                    self.refused.push("answerable");
                }
            }
            "paraphrases" if reader.peek()? == Kind::Array => {
                self.paraphrases = 0;
                reader.array(|reader| {
                    self.paraphrases = self.paraphrases.saturating_add(1);
                    reader.skip()
                })?;
            }
            _ => {
                for read in dialects::ALL.iter().filter_map(|dialect| dialect.by_field) {
                    if (read.gold)(key, reader, self)? {
                        return Ok(());
                    }
                }
                reader.skip()?;
            }
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

/// The same of a list of strings without an escape, which nearly every list is; anything else stops it.
fn plain_list<'a>(reader: &mut Reader<'a>, ids: bool, into: &mut Vec<Placed<'a>>) -> Result<(), Syntax> {
    reader.array(|reader| {
        let start = reader.offset();
        let Some(text) = reader.string_if_plain() else {
            return Err(Syntax::new(start, Expected::String));
        };
        let text = if ids { trim(text) } else { text };
        if !(ids && text.is_empty()) {
            into.push((Cow::Borrowed(text), start..start + reader.since(start).len()));
        }
        Ok(())
    })
}
