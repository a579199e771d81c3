//! Values by key, each with the place where it was given: a table of karat.toml, or a command line.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, json};

use super::key::{Key, Shape};
use crate::problem::{self, Failure, Problem};

/// A value as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Texts; one where the key takes one.
    Texts(Vec<String>),
    /// Numbers; one where the key takes one.
    Numbers(Vec<u64>),
    /// True or false.
    Flag(bool),
    /// Names, each with what belongs to it.
    Named(Vec<(String, Vec<String>)>),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Texts(texts) => write!(f, "{texts:?}"),
            Value::Numbers(numbers) => write!(f, "{numbers:?}"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Named(named) => write!(f, "{named:?}"),
        }
    }
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Value::Numbers(vec![number])
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Value::Flag(flag)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Texts(vec![text.to_owned()])
    }
}

impl<const N: usize> From<[&str; N]> for Value {
    fn from(texts: [&str; N]) -> Self {
        Value::Texts(texts.map(str::to_owned).to_vec())
    }
}

impl Value {
    /// Reads what was typed. `Err` says what was expected.
    pub fn typed(key: &Key, words: &[String]) -> Result<Value, String> {
        let number = |least: u64, most: u64| {
            let read = |word: &String| word.parse().ok().filter(|number| (least..=most).contains(number));
            let numbers: Option<Vec<u64>> = words.iter().map(read).collect();
            numbers.map(Value::Numbers).ok_or_else(|| format!("expected {}", key.shape.expected()))
        };
        let one = matches!(key.shape, Shape::File | Shape::Text | Shape::Word(_) | Shape::Number(..));
        match key.shape {
            _ if one && words.len() > 1 => Err("expected one value".into()),
            Shape::Number(least, most) | Shape::Numbers(least, most) => number(least, most),
            Shape::Word(known) if !words.iter().all(|word| known.iter().any(|(name, _)| name == word)) => {
                Err(format!("expected {}", key.shape.expected()))
            }
            Shape::NamedFiles | Shape::NamedTexts => {
                let pairs = words.iter().flat_map(|word| match key.shape {
                    Shape::NamedFiles => vec![word.as_str()],
                    _ => word.split_whitespace().collect(),
                });
                let pair = |word: &str| {
                    let (name, values) = word.split_once('=').filter(|(name, _)| !name.is_empty())?;
                    let values = match key.shape {
                        Shape::NamedFiles if values.is_empty() => return None,
                        Shape::NamedFiles => vec![values.to_owned()],
                        _ => values.split(',').map(str::to_owned).collect(),
                    };
                    Some((name.to_owned(), values))
                };
                let named: Result<Vec<_>, String> = pairs
                    .map(|word| pair(word).ok_or_else(|| format!("`{word}` is not {}", key.value_name)))
                    .collect();
                Ok(Value::Named(named?))
            }
            Shape::Flag => Ok(Value::Flag(true)),
            _ => Ok(Value::Texts(words.to_vec())),
        }
    }

    /// Whether it is what the key stands at by default.
    pub(super) fn is_default(&self, key: &Key) -> bool {
        match self {
            Value::Texts(texts) => matches!(&texts[..], [text] if text == key.default),
            Value::Numbers(numbers) => matches!(numbers[..], [n] if n.to_string() == key.default),
            Value::Flag(flag) => !flag,
            Value::Named(named) => named.is_empty(),
        }
    }

    /// The value as a report's request holds it: a list where the key takes several.
    pub(super) fn to_json(&self, key: &Key) -> serde_json::Value {
        let one = matches!(key.shape, Shape::File | Shape::Text | Shape::Word(_) | Shape::Number(..));
        match self {
            Value::Texts(texts) if one => json!(texts.first()),
            Value::Texts(texts) => json!(texts),
            Value::Numbers(numbers) if one => json!(numbers.first()),
            Value::Numbers(numbers) => json!(numbers),
            Value::Flag(flag) => json!(flag),
            Value::Named(named) if key.shape == Shape::NamedFiles => named
                .iter()
                .map(|(name, files)| (name.clone(), json!(files.first())))
                .collect::<Map<_, _>>()
                .into(),
            Value::Named(named) => {
                named.iter().map(|(name, values)| (name.clone(), json!(values))).collect::<Map<_, _>>().into()
            }
        }
    }

    /// Reads what a report's request holds; `None` where it is not of the key's shape.
    pub(super) fn of_json(key: &Key, value: &serde_json::Value) -> Option<Value> {
        use serde_json::Value as Json;
        let list = match value {
            Json::Array(list) => list.iter().collect(),
            one => vec![one],
        };
        let texts = |list: Vec<&Json>| -> Option<Vec<String>> {
            list.into_iter().map(|text| Some(text.as_str()?.to_owned())).collect()
        };
        Some(match (key.shape, value) {
            (Shape::Number(..) | Shape::Numbers(..), _) => {
                let words: Option<Vec<String>> =
                    list.into_iter().map(|number| Some(number.as_u64()?.to_string())).collect();
                return Value::typed(key, &words?).ok();
            }
            (Shape::Flag, Json::Bool(flag)) => Value::Flag(*flag),
            (Shape::NamedFiles | Shape::NamedTexts, Json::Object(named)) => {
                let pair = |(name, values): (&String, &Json)| {
                    let values = match values {
                        Json::Array(list) => texts(list.iter().collect()),
                        one => texts(vec![one]),
                    };
                    Some((name.clone(), values?))
                };
                Value::Named(named.iter().map(pair).collect::<Option<_>>()?)
            }
            (Shape::Flag | Shape::NamedFiles | Shape::NamedTexts, _) => return None,
            _ => return Value::typed(key, &texts(list)?).ok(),
        })
    }
}

/// The text that a table stands in, for places in messages.
#[derive(Clone, Debug)]
pub struct Page {
    /// The file's name.
    pub name: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
}

impl Page {
    /// A problem at a span of the file.
    #[must_use]
    pub fn problem(
        &self,
        kind: &'static problem::Kind,
        span: Range<usize>,
        message: impl Into<String>,
        expected: impl Into<String>,
    ) -> Problem {
        let start = span.start.min(self.text.len());
        let line_start = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line = self.text[line_start..].lines().next().unwrap_or_default();
        let number = self.text[..start].matches('\n').count() as u64 + 1;
        let end = span.end.clamp(start, line_start + line.len().max(start - line_start));
        let span = start - line_start..end - line_start;
        Problem::at(kind, &self.name, number, line, span, message.into(), expected)
    }
}

/// The values of one table.
#[derive(Clone, Debug)]
pub struct Entries {
    page: Page,
    /// The folder that names of files are relative to.
    folder: PathBuf,
    /// The table's own place.
    span: Range<usize>,
    values: Vec<(String, Value, Range<usize>)>,
}

impl Entries {
    /// A table without values yet.
    #[must_use]
    pub fn new(page: Page, folder: PathBuf, span: Range<usize>) -> Self {
        Entries { page, folder, span, values: Vec::new() }
    }

    /// Values that are typed on a command line, or set in code, instead of in a file.
    #[must_use]
    pub fn typed() -> Self {
        let page = Page { name: "the command line".into(), text: "".into() };
        Entries { page, folder: PathBuf::new(), span: 0..0, values: Vec::new() }
    }

    /// Sets a value, whatever it was before.
    pub fn set(&mut self, key: &str, value: Value) {
        self.values.retain(|(name, _, _)| name != key);
        self.values.push((key.to_owned(), value, 0..0));
    }

    /// The keys that were given, in their order.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(name, _, _)| name.as_str()).filter(|name| *name != super::key::KIND.name)
    }

    /// Adds a value, unless its key is there already.
    pub fn insert(&mut self, key: &str, value: Value, span: Range<usize>) {
        if self.get(key).is_none() {
            self.values.push((key.to_owned(), value, span));
        }
    }

    /// Whether a key was given.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.values.iter().find(|(name, _, _)| name == key).map(|(_, value, _)| value)
    }

    /// The texts of a key.
    #[must_use]
    pub fn texts(&self, key: &str) -> &[String] {
        match self.get(key) {
            Some(Value::Texts(texts)) => texts,
            _ => &[],
        }
    }

    /// The one text of a key.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.texts(key).first().map(String::as_str)
    }

    /// The numbers of a key.
    #[must_use]
    pub fn numbers(&self, key: &str) -> &[u64] {
        match self.get(key) {
            Some(Value::Numbers(numbers)) => numbers,
            _ => &[],
        }
    }

    /// The one number of a key.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<u64> {
        self.numbers(key).first().copied()
    }

    /// Whether a flag is set.
    #[must_use]
    pub fn flag(&self, key: &str) -> bool {
        matches!(self.get(key), Some(Value::Flag(true)))
    }

    /// Names, each with what belongs to it.
    #[must_use]
    pub fn named(&self, key: &str) -> &[(String, Vec<String>)] {
        match self.get(key) {
            Some(Value::Named(named)) => named,
            _ => &[],
        }
    }

    /// A name of a file, as it is to be opened.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        if self.folder.as_os_str().is_empty() || self.folder == Path::new(".") {
            PathBuf::from(name)
        } else {
            self.folder.join(name)
        }
    }

    /// The one file of a key.
    #[must_use]
    pub fn file(&self, key: &str) -> Option<PathBuf> {
        self.text(key).map(|name| self.path(name))
    }

    /// A name of a file, or a pattern, as it is to be opened; `-` is standard input.
    #[must_use]
    pub fn opened(&self, name: &str) -> String {
        if name == "-" { name.to_owned() } else { self.path(name).display().to_string() }
    }

    /// A problem at a key, or at the table where the key is not given.
    #[must_use]
    pub fn problem(&self, key: &str, message: impl Into<String>, expected: impl Into<String>) -> Problem {
        let span = self.values.iter().find(|(name, _, _)| name == key).map(|(_, _, span)| span.clone());
        self.page.problem(&problem::CONFIG_INVALID, span.unwrap_or(self.span.clone()), message, expected)
    }

    /// Gives problems of flags their places in the file. `keys` are the flags as they are typed, with their names here.
    #[must_use]
    pub(super) fn place(&self, mut failure: Failure, keys: &[(String, &str)]) -> Failure {
        for problem in &mut failure.problems {
            let key = keys.iter().find(|(flag, _)| **flag == *problem.source).map(|(_, name)| *name);
            let at = |key: &str| self.values.iter().find(|(name, _, _)| name == key);
            let Some((_, _, span)) = key.and_then(at).filter(|_| !self.page.text.is_empty()) else {
                continue;
            };
            let placed = self.page.problem(problem.kind, span.clone(), "", "");
            (problem.source, problem.line, problem.column) = (placed.source, placed.line, placed.column);
            problem.excerpt = placed.excerpt;
        }
        failure
    }
}
