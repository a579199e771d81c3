//! One row of a gold set.

use std::borrow::Cow;
use std::ops::Range;

use super::{Wrong, boolean, id, question, refuse, whole};
use crate::dialects;
use crate::input::json::{Kind, Reader, Syntax};
use crate::problem;
use crate::text::{trim, trim_cow};

/// A text of gold and where it stands in its row.
pub type Placed<'a> = (Cow<'a, str>, Range<usize>);

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
    /// `gold_claim` of the text dialect.
    pub gold_claim: Option<Cow<'a, str>>,
    /// Fields that only one of the contracts has were seen.
    pub has_answer_json: bool,
    /// The same for the text dialect.
    pub has_cited_text: bool,
    /// Names of the fields whose value was refused: not also missing.
    pub refused: Vec<&'static str>,
}

impl<'a> GoldRow<'a> {
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
                let span = start..start + reader.since(start).len();
                self.question = text.map(|text| (text.decode(), span)).or(self.question.take());
            }
            "answerable" => {
                let before = self.wrong.len();
                self.answerable = boolean(reader, key, kind, &mut self.wrong)?;
                if self.wrong.len() > before {
                    self.refused.push("answerable");
                }
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
    let kind = &problem::GOLD_WRONG_TYPE;
    let expected = if ids { "a list of ids" } else { "a list of strings" };
    match reader.peek()? {
        Kind::Null => return reader.skip().map(|()| None),
        Kind::Array => {}
        _ => {
            row.refused.push(key);
            return refuse(reader, key, expected, kind, &mut row.wrong).map(|()| None);
        }
    }
    let (mut list, mut index) = (Vec::new(), 0);
    reader.array(|reader| {
        let start = reader.offset();
        let before = row.wrong.len();
        let value = match reader.peek()? {
            Kind::String => Some(reader.string()?.decode()),
            Kind::Number if ids => {
                let at = reader.clone();
                match whole(reader.number()?) {
                    Some(text) => Some(Cow::Borrowed(text)),
                    None => {
                        *reader = at;
                        None
                    }
                }
            }
            _ => None,
        };
        match value {
            Some(text) if ids && trim(&text).is_empty() => {}
            Some(text) => {
                let text = if ids { trim_cow(text) } else { text };
                list.push((text, start..start + reader.since(start).len()));
            }
            None => {
                let each = if ids { "a string or a whole number" } else { "a string" };
                refuse(reader, format!("{key}[{index}]"), each, kind, &mut row.wrong)?;
            }
        }
        if row.wrong.len() > before {
            row.refused.push(key);
        }
        index += 1;
        Ok::<(), Syntax>(())
    })?;
    Ok(Some(list))
}
