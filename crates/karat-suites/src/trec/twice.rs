//! Which lines list a document that its topic already has?

use std::io::{BufRead, BufReader, Read};

use super::table::Table;
use crate::input::Source;
use crate::problem::{self, Failure, Problem};

/// Documents that a topic has twice.
#[derive(Default)]
pub(super) struct Repeats {
    /// The first and the later row of the first few.
    pub(super) shown: Vec<(usize, usize)>,
    pub(super) total: u64,
}

impl Table {
    /// Documents that a topic has twice become problems; `twice` has an entry for each topic.
    pub(super) fn refuse_duplicates(&mut self, twice: &[Repeats], sources: &[Source], names: &[Box<str>]) {
        let rows = twice
            .iter()
            .enumerate()
            .flat_map(|(topic, twice)| twice.shown.iter().map(move |&(first, later)| (topic, first, later)));
        let mut placed: Vec<_> = rows
            .filter_map(|(topic, first, later)| {
                Some((self.place(topic, later)?, self.place(topic, first)?, topic, later))
            })
            .collect();
        placed.sort_unstable();
        placed.truncate(Failure::SHOWN);
        let (mut reader, mut problems) = (LineReader::default(), Vec::new());
        for ((sequence, source, line), (first_block, first_source, first_line), topic, row) in placed {
            let (mut values, mut documents) = (Vec::new(), Vec::new());
            self.rows(topic, &mut values, &mut documents);
            let document = String::from_utf8_lossy(documents[row]);
            let name = names.get(topic).map_or("", |name| &**name);
            let first_line = first_line + self.map.lines_before(first_block);
            let of = if first_source == source {
                String::new()
            } else {
                format!(" of {}", sources[first_source].name())
            };
            let message =
                format!("`{document}` is listed twice for topic `{name}`: first on line {first_line}{of}");
            let text = reader.line(sources, source, line + self.map.lines_before(sequence));
            // A stream cannot be read again: then the document's id has to do.
            let text = text.filter(|text| text.contains(&*document)).unwrap_or_else(|| document.to_string());
            let from = column_of(&text, name, &document);
            let span = from..from + document.len();
            let kind = &problem::TREC_DUPLICATE;
            let expected = "expected each document once a topic";
            let problem = Problem::at(kind, sources[source].name(), line, &text, span, message, expected);
            problems.push((sequence, problem));
        }
        self.problems.extend(twice.iter().map(|twice| twice.total).sum(), problems);
    }
}

/// Where the document stands in its line: behind the topic, so that a topic of the same name is not marked.
fn column_of(line: &str, topic: &str, document: &str) -> usize {
    let behind = line.find(topic).map_or(0, |at| at + topic.len());
    line[behind..].find(document).map_or_else(|| line.find(document).unwrap_or(0), |at| behind + at)
}

/// Reads lines again, by their numbers, the earlier ones first.
#[derive(Default)]
struct LineReader {
    open: Option<Open>,
}

struct Open {
    source: usize,
    reader: BufReader<Box<dyn Read + Send>>,
    /// How many of its lines are behind.
    behind: u64,
}

impl LineReader {
    fn line(&mut self, sources: &[Source], source: usize, number: u64) -> Option<String> {
        if self.open.as_ref().is_none_or(|open| open.source != source) {
            sources[source].size()?; // standard input and pipes are gone
            let reader = BufReader::new(sources[source].open().ok()?.reader);
            self.open = Some(Open { source, reader, behind: 0 });
        }
        let Open { reader, behind, .. } = self.open.as_mut()?;
        while *behind + 1 < number {
            reader.skip_until(b'\n').ok()?;
            *behind += 1;
        }
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).ok()?;
        *behind += 1;
        Some(String::from_utf8(line).ok()?.trim_end().to_owned())
    }
}
