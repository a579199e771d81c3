//! The values of one table of karat.toml, checked against its keys.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::input::Source;
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

    /// Values that were typed on a command line instead of in a file.
    #[must_use]
    pub fn typed(values: Vec<(String, Value)>) -> Self {
        let page = Page { name: "the command line".into(), text: "".into() };
        let values = values.into_iter().map(|(key, value)| (key, value, 0..0)).collect();
        Entries { page, folder: PathBuf::new(), span: 0..0, values }
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

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
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

    /// The files of a key, patterns looked up.
    pub fn files(&self, key: &str) -> Result<Vec<Source>, Failure> {
        let mut sources = Vec::new();
        for name in self.texts(key) {
            let path = if name == "-" { PathBuf::from(name) } else { self.path(name) };
            sources.extend(Source::expand(&path.to_string_lossy())?);
        }
        Ok(sources)
    }

    /// A problem at a key, or at the table where the key is not given.
    #[must_use]
    pub fn problem(&self, key: &str, message: impl Into<String>, expected: impl Into<String>) -> Problem {
        let span = self.values.iter().find(|(name, _, _)| name == key).map(|(_, _, span)| span.clone());
        self.page.problem(&problem::CONFIG_INVALID, span.unwrap_or(self.span.clone()), message, expected)
    }

    /// Gives problems of options (`--gates`) their places in the file: a suite speaks of them as the command line does.
    #[must_use]
    pub fn place(&self, mut failure: Failure) -> Failure {
        for problem in &mut failure.problems {
            let Some(option) = problem.source.strip_prefix("--") else { continue };
            let option = option.replace('-', "_");
            let named = |key: &str| key == option || key.trim_end_matches('s') == option;
            let Some((_, _, span)) = self.values.iter().find(|(key, _, _)| named(key)) else { continue };
            let placed = self.page.problem(problem.kind, span.clone(), "", "");
            (problem.source, problem.line, problem.column) = (placed.source, placed.line, placed.column);
            problem.excerpt = placed.excerpt;
        }
        failure
    }
}
