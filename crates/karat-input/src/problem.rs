//! What is wrong with an input, where exactly, and what its owner should do.
//!
//! Three things never mix: a *verdict* (the pipeline did badly: counted), a *problem* (an input record broke its
//! contract: collected here) and a [`Failure`] (nothing could be decided: exit 2).
//! Every problem has a stable slug; `karat explain SLUG` prints what stands here.

mod kinds;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::text;

pub use kinds::*;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is scored.
    Error,
    /// Scored, and said.
    Warning,
}

/// A kind of problem, declared once.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The stable name: `gold/duplicate-id`.
    pub slug: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// What to do about it.
    pub help: &'static str,
}

/// Looks a kind up by its slug.
#[must_use]
pub fn kind(slug: &str) -> Option<&'static Kind> {
    KINDS.iter().copied().find(|kind| kind.slug == slug)
}

/// A part of a line, short enough to read, and the spot in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The text, control characters made visible.
    pub text: String,
    /// The spot, in characters of `text`.
    pub mark: Range<usize>,
}

/// One thing that is wrong, at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which kind.
    pub kind: &'static Kind,
    /// The file as it was named, or `<stdin>`.
    pub source: Arc<str>,
    /// The line, from 1; 0 where the problem has none.
    pub line: u64,
    /// The column in characters, from 1; 0 where the problem has none.
    pub column: u64,
    /// The field: `gold_citations[2]`; empty for the whole line.
    pub path: String,
    /// What was found.
    pub message: String,
    /// What was expected at the spot; may be empty.
    pub expected: String,
    /// The line around the spot.
    pub excerpt: Excerpt,
}

impl Problem {
    /// A problem of a whole file.
    #[must_use]
    pub fn of_file(kind: &'static Kind, source: &str, message: impl Into<String>) -> Self {
        Problem {
            kind,
            source: source.into(),
            line: 0,
            column: 0,
            path: String::new(),
            message: message.into(),
            expected: String::new(),
            excerpt: Excerpt::default(),
        }
    }

    /// A problem at `span` (bytes) of `line`, the text of line `number`.
    #[must_use]
    pub fn at(
        kind: &'static Kind,
        source: &Arc<str>,
        number: u64,
        line: &str,
        span: Range<usize>,
        message: String,
        expected: impl Into<String>,
    ) -> Self {
        let (column, excerpt) = excerpt(line, span);
        Problem {
            source: source.clone(),
            line: number,
            column,
            excerpt,
            expected: expected.into(),
            ..Problem::of_file(kind, "", message)
        }
    }

    /// Adds what was expected instead.
    #[must_use]
    pub fn expecting(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    /// Adds the field that it is about.
    #[must_use]
    pub fn on(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }
}

impl fmt::Display for Problem {
    /// `gold.jsonl:7:9: error[gold/duplicate-id]: …`, the one-line form that editors jump to.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", text::visible(&self.source))?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        let severity = if self.kind.severity == Severity::Error { "error" } else { "warning" };
        write!(f, ": {severity}[{}]: {}", self.kind.slug, self.message)
    }
}

/// Column (from 1) and surroundings of a byte span of one line.
fn excerpt(line: &str, span: Range<usize>) -> (u64, Excerpt) {
    const BEFORE: usize = 36;
    const MARK: usize = 36;
    const SHOWN: usize = 88;
    let floor = |at: usize| (0..=at.min(line.len())).rev().find(|&i| line.is_char_boundary(i)).unwrap_or(0);
    let (start, end) = (floor(span.start), floor(span.end.max(span.start)));
    let column = line[..start].chars().count();
    let marked = line[start..end].chars().take(MARK).count();
    let skipped = column.saturating_sub(BEFORE);
    let mut shown = line[..start].chars().skip(skipped).collect::<String>();
    let mut from = column - skipped;
    if skipped > 0 {
        shown.insert(0, '…');
        from += 1;
    }
    let mut rest = line[start..].chars();
    shown.extend(rest.by_ref().take(SHOWN - from));
    if rest.next().is_some() {
        shown.push('…');
    }
    let text = text::visible(&shown).into_owned();
    (column as u64 + 1, Excerpt { text, mark: from..from + marked.max(1) })
}

/// Nothing could be decided: the input or the call is wrong. Exit status 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What is wrong, in the order of the input; at most [`Failure::SHOWN`].
    pub problems: Vec<Problem>,
    /// How many there are in all.
    pub total: u64,
}

impl Failure {
    /// How many problems are reported at once.
    pub const SHOWN: usize = 20;

    /// A failure of all these problems.
    #[must_use]
    pub fn new(mut problems: Vec<Problem>) -> Self {
        let total = problems.len() as u64;
        problems.truncate(Self::SHOWN);
        Failure { problems, total }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Failure::new(vec![problem])
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems: Vec<String> = self.problems.iter().map(ToString::to_string).collect();
        f.write_str(&problems.join("\n"))
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_unique_and_speak() {
        for (i, kind) in KINDS.iter().enumerate() {
            assert!(KINDS[i + 1..].iter().all(|other| other.slug != kind.slug), "{}", kind.slug);
            assert!(
                kind.slug.contains('/') && kind.meaning.ends_with('.') && !kind.help.is_empty(),
                "{}",
                kind.slug
            );
        }
    }

    #[test]
    fn an_excerpt_keeps_the_spot_in_view() {
        let line = format!("{}é\tX{}", "a".repeat(50), "b".repeat(200));
        let spot = line.find('X').unwrap();
        let (column, excerpt) = excerpt(&line, spot..spot + 1);
        assert_eq!(column, 53);
        assert_eq!(excerpt.text.chars().nth(excerpt.mark.start), Some('X'));
        assert!(excerpt.text.contains("é␉X") && excerpt.text.starts_with('…') && excerpt.text.ends_with('…'));
    }
}
