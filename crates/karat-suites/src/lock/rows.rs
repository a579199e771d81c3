//! What does a gold file say, whatever order, spacing, line ends and Unicode form it is written in?

use std::collections::HashMap;
use std::ops::Range;

use foldhash::quality::FixedState;
use sha2::{Digest, Sha256};

use crate::input::Source;
use crate::input::json::tree::{Ambiguity, Scalars, Tree, quote};
use crate::input::json::{Reader, Syntax};
use crate::input::source::hex;
use crate::input::table::{Table, contents, each_row};
use crate::problem::{self, Failure};
use crate::rows::Wrong;
use crate::text;
use crate::trec::{self, Judged};

/// The fields that name a row, as the suites' contracts call them; the first that a row has.
const IDS: [&str; 4] = ["qid", "q_id", "case_id", "id"];
/// A row with one of these is named by its `case_id`: its `qid`, if any, is a field like others.
const RELEASE: [&str; 2] = ["required_source_ids", "required_points"];

/// One row of a gold file in its canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its id, in NFC.
    pub id: String,
    /// Its line in the file.
    pub line: u64,
    /// Its fields, by key: canonical JSON of each value.
    pub fields: Vec<(String, String)>,
    /// It is stored in another form than NFC. The canonical form does not show it, and phrases are matched as they are stored.
    pub denormal: bool,
}

impl Row {
    /// The row as one line of canonical JSON, without a line end.
    #[must_use]
    pub fn text(&self) -> String {
        object(self.fields.iter().map(|(key, value)| (key.as_str(), value)))
    }
}

/// A text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote(text, &mut out);
    out
}

/// An object as one line of JSON; the values are JSON already.
fn object<'a>(fields: impl Iterator<Item = (&'a str, impl std::fmt::Display)>) -> String {
    let fields: Vec<String> = fields.map(|(key, value)| format!("{}:{value}", quoted(key))).collect();
    format!("{{{}}}", fields.join(","))
}

/// The rows of a gold file of any suite, by id. Of qrels a topic is a row.
pub fn rows(source: &Source) -> Result<Vec<Row>, Failure> {
    let (text, _) = contents(source)?;
    if let Some(judged) = trec::judgements(source, &text) {
        return Ok(judged?.into_iter().map(of_topic).collect());
    }
    let mut loader = Loader {
        table: Table::new(source.name(), &text, &[]),
        rows: Vec::new(),
        lines: HashMap::with_hasher(FixedState::with_seed(0)),
    };
    each_row(loader.table.text, &mut loader, Loader::row, |loader, wrong, base| {
        loader.table.report(wrong, base);
    });
    loader.table.finish(loader.rows.len())?;
    loader.rows.sort_by(|a, b| a.id.cmp(&b.id));
    Ok(loader.rows)
}

/// A topic as a row: what would stand in a gold set.
fn of_topic(judged: Judged) -> Row {
    let documents = object(judged.documents.iter().map(|(document, relevance)| (&**document, relevance)));
    let fields = vec![("documents".into(), documents), ("topic".into(), quoted(&judged.topic))];
    Row { id: judged.topic.into(), line: judged.line, fields, denormal: false }
}

/// The SHA-256 of a text, in hexadecimal.
pub(super) fn sha256(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

struct Loader<'a> {
    table: Table<'a>,
    rows: Vec<Row>,
    lines: HashMap<String, u64, FixedState>,
}

impl<'a> Loader<'a> {
    fn row(&mut self, reader: &mut Reader<'a>, base: usize) -> Result<(), Syntax> {
        let start = reader.offset();
        if !self.table.is_object(reader, base)? {
            return Ok(());
        }
        let tree = Tree::read(reader, Scalars::Normal)?;
        let line = self.table.line_of(base + start);
        let mut wrong: Vec<Wrong> = tree.ambiguities.iter().map(ambiguity).collect();
        let id = named(&tree, start, &mut wrong);
        if let Some((id, at)) = &id
            && let Some(first) = self.lines.get(*id)
        {
            let message = format!("id \"{}\" is already used on line {first}", text::visible(id));
            let expected = "expected an id that no other row has";
            wrong.push(Wrong::new(&problem::GOLD_DUPLICATE_ID, at.clone(), "", message, expected));
        }
        wrong.sort_by_key(|wrong| wrong.span.start);
        match id {
            Some((id, _)) if wrong.is_empty() => {
                self.lines.insert(id.to_owned(), line);
                let (fields, denormal) = (tree.fields(), tree.denormal);
                self.rows.push(Row { id: id.to_owned(), line, fields, denormal });
            }
            _ => wrong.into_iter().for_each(|wrong| self.table.report(wrong, base)),
        }
        Ok(())
    }
}

/// The row's id and where it stands.
fn named<'t>(tree: &'t Tree<'_>, start: usize, wrong: &mut Vec<Wrong>) -> Option<(&'t str, Range<usize>)> {
    let release = RELEASE.iter().any(|key| tree.scalar(key).is_some());
    let keys = if release { &IDS[2..] } else { &IDS[..] };
    let found = keys.iter().find_map(|key| tree.scalar(key).map(|found| (*key, found)));
    match found {
        Some((_, (Some(id), at))) if !id.is_empty() => Some((id, at)),
        Some((key, (_, at))) => {
            let message = format!("`{key}` is no id");
            let expected = "expected a string that is not empty, or a whole number";
            wrong.push(Wrong::new(&problem::GOLD_WRONG_TYPE, at, key, message, expected));
            None
        }
        None => {
            let message = format!("this row has no id: none of {}", keys.join(", "));
            let expected = format!("expected `{}`", keys[0]);
            let kind = &problem::GOLD_MISSING_FIELD;
            wrong.push(Wrong::new(kind, start..start + 1, keys[0], message, expected));
            None
        }
    }
}

fn ambiguity(found: &Ambiguity) -> Wrong {
    match found {
        Ambiguity::Repeated { key, at } => {
            let message = format!("`{}` stands in this object twice", text::visible(key));
            let expected = "expected it once: a reader might take either";
            Wrong::new(&problem::REPEATED_FIELD, at.clone(), text::visible(key), message, expected)
        }
        Ambiguity::HalfCharacter { at } => {
            let message = "this text holds half of a surrogate pair";
            let expected = "expected whole characters: half of a pair reads like any other half";
            Wrong::new(&problem::GOLD_HALF_CHARACTER, at.clone(), "", message, expected)
        }
    }
}
