//! A latency CSV: a header that names its columns, which may come again, and one row per request.
//!
//! It is split here, by RFC 4180, because a message marks the very cell, and because the csv crate accepts quotes that do
//! not match; a property test compares the cells with that crate's. A quoted cell may contain line ends. Where nothing
//! closes a quote, each line is a row of its own.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use foldhash::quality::FixedState;

use crate::input::Source;
use crate::input::json::{Kind, Reader};
use crate::input::lines::{RowAt, Rows};
use crate::input::scan::Position;
use crate::problem::{self, Failure};
use crate::report::Input;
use crate::rows::Wrong;
use crate::suites::latency::judge::Stage;
use crate::text;

use super::row::{Timed, in_range, too_long};
use super::{Reading, Table, Worker, unknown};

/// A cell and where it is in its row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell<'a> {
    text: Cow<'a, str>,
    span: Range<usize>,
}

/// What a column contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Id,
    Whole,
    Stage(Stage),
    Knobs,
    Load,
    /// Nothing that is looked at.
    Other,
}

impl Column {
    fn named(name: &str) -> Column {
        match name.to_ascii_lowercase().as_str() {
            "qid" => Column::Id,
            "e2e_ms" => Column::Whole,
            "knobs" => Column::Knobs,
            "load_rps" => Column::Load,
            name => name.strip_suffix("_ms").and_then(Stage::named).map_or(Column::Other, Column::Stage),
        }
    }

    fn is_time(self) -> bool {
        matches!(self, Column::Whole | Column::Stage(_))
    }
}

/// The lines of a row: one, or several where a quoted cell contains line ends.
#[derive(Default)]
struct RowLines {
    text: String,
    /// Where each line begins in the text, and where it is in the input.
    lines: Vec<(usize, Position, (u32, u64))>,
    /// How many quotes there are from the one on that is not closed: as long as they are odd, it stays open.
    quotes: usize,
}

impl RowLines {
    /// The longest row of several lines, in bytes: a quote that nothing closes does not take the whole file.
    const LONGEST: usize = 1 << 14;

    fn push(&mut self, at: &RowAt<'_>) {
        if !self.lines.is_empty() {
            self.text.push('\n');
        }
        self.lines.push((self.text.len(), at.position, at.place));
        self.text.push_str(at.text);
        self.quotes += at.text.matches('"').count();
    }

    fn clear(&mut self) {
        self.text.clear();
        self.lines.clear();
    }

    fn is_in(&self, source: u32) -> bool {
        self.lines.first().is_some_and(|(_, position, _)| position.source == source)
    }

    fn line(&self, number: usize) -> RowAt<'_> {
        let (start, position, place) = self.lines[number];
        let end = self.lines.get(number + 1).map_or(self.text.len(), |(next, ..)| next - 1);
        RowAt { text: &self.text[start..end], position, place, replayable: false }
    }

    /// A problem of the row, and the line that it is on.
    fn place(&self, wrong: Wrong) -> (RowAt<'_>, Wrong) {
        let number = self.lines.partition_point(|(start, ..)| *start <= wrong.span.start).max(1) - 1;
        let (line, start) = (self.line(number), self.lines[number].0);
        let span = wrong.span.start - start..(wrong.span.end - start).min(line.text.len());
        (line, Wrong { span, ..wrong })
    }
}

/// Takes what is wrong with a line.
type Refuse<'r> = dyn FnMut(&RowAt<'_>, Vec<Wrong>) + 'r;

/// Reads the rows of several files, in their order: a header applies to what comes after it.
struct Csv<'a> {
    reading: &'a Reading<'a>,
    table: &'a Table,
    worker: Worker,
    /// The file whose header applies, and its columns; without columns its first line is not a header.
    header: Option<(u32, Option<Vec<Column>>)>,
    /// The lines of a row whose quote is not closed yet.
    open: RowLines,
}

/// Reads every row of these files.
pub(super) fn read(
    reading: &Reading<'_>,
    sources: &[Source],
    table: &Table,
) -> Result<(Worker, u64, Vec<Input>), Failure> {
    let rows = Rows { threads: 1, ..reading.common.rows(sources) };
    let csv = || Csv { reading, table, worker: Worker::default(), header: None, open: RowLines::default() };
    let (csvs, mut problems, map) = rows.scan(csv, |csv, block| {
        while let Some(mut at) = block.line() {
            at.text = at.text.strip_suffix('\r').unwrap_or(at.text);
            if csv.line(&at, &mut |at, mut wrong| block.refuse(at, &mut wrong)) {
                block.count();
            }
        }
    })?;
    let mut csv = csvs.into_iter().next().unwrap_or_else(csv);
    let open = std::mem::take(&mut csv.open);
    let mut left = Vec::new();
    csv.alone(&open, &mut |at, wrong| left.push((at.position.source, at.place, at.text.to_owned(), wrong)));
    for (source, place, text, wrong) in left {
        if csv.skips(&wrong) {
            problems.malformed += 1;
            continue;
        }
        for wrong in wrong {
            let name = sources[source as usize].name();
            problems.note(place.0, || rows.problem(wrong, name, place.1, &text));
        }
    }
    let malformed = problems.malformed;
    problems.check(&map)?;
    Ok((csv.worker, malformed, Input::list("latency-csv", sources, &map)))
}

impl Csv<'_> {
    /// Reads a line; whether it begins a row.
    fn line(&mut self, at: &RowAt<'_>, refuse: &mut Refuse<'_>) -> bool {
        let mut row = std::mem::take(&mut self.open);
        if !row.is_in(at.position.source) {
            self.alone(&row, refuse);
            row.clear();
        }
        let begins = row.lines.is_empty();
        if begins && text::trim(at.text).is_empty() {
            return false;
        }
        row.push(at);
        let short = row.text.len() < RowLines::LONGEST;
        if !begins && short && row.quotes % 2 == 1 {
            self.open = row;
            return false;
        }
        match split(&row.text) {
            Err(Broken { open: true, wrong }) if short => {
                row.quotes = row.text[wrong.span.start..].matches('"').count();
                self.open = row;
            }
            Err(_) if !begins => {
                // The lines are no row together: each is one of its own.
                row.lines.pop();
                row.text.truncate(row.text.len() - at.text.len() - 1);
                self.alone(&row, refuse);
                return self.line(at, refuse);
            }
            cells => {
                self.row(&row, cells, refuse);
                row.clear();
                self.open = row;
            }
        }
        begins
    }

    /// Reads each of these lines as a row.
    fn alone(&mut self, lines: &RowLines, refuse: &mut Refuse<'_>) {
        for number in 0..lines.lines.len() {
            let mut row = RowLines::default();
            row.push(&lines.line(number));
            if !text::trim(&row.text).is_empty() {
                self.row(&row, split(&row.text), refuse);
            }
        }
    }

    fn row(&mut self, row: &RowLines, cells: Result<Vec<Cell<'_>>, Broken>, refuse: &mut Refuse<'_>) {
        let mut wrong = Vec::new();
        match cells {
            Ok(cells) => self.cells(&row.line(0), &cells, row.text.len(), &mut wrong),
            Err(broken) => wrong.push(broken.wrong),
        }
        if !wrong.is_empty() && (row.lines.len() == 1 || self.skips(&wrong)) {
            return refuse(&row.line(0), wrong);
        }
        wrong.into_iter().map(|wrong| row.place(wrong)).for_each(|(at, wrong)| refuse(&at, vec![wrong]));
    }

    /// Whether a row is skipped for this, and counted.
    fn skips(&self, wrong: &[Wrong]) -> bool {
        self.reading.common.lenient && wrong.iter().all(|wrong| *wrong.kind != problem::TRACE_UNKNOWN_CASE)
    }

    /// Reads the cells of a row, which has `length` bytes.
    fn cells(&mut self, at: &RowAt<'_>, cells: &[Cell<'_>], length: usize, wrong: &mut Vec<Wrong>) {
        let Csv { reading, table, .. } = *self;
        let named: Vec<Column> = cells.iter().map(|cell| Column::named(&cell.text)).collect();
        if named.iter().any(|column| column.is_time()) {
            let twice = twice(cells);
            // Nothing after a header that can be read in two ways is read in one of them.
            self.header = Some((at.position.source, twice.is_empty().then_some(named)));
            wrong.extend(twice);
            return;
        }
        let first = self.header.as_ref().is_none_or(|(source, _)| *source != at.position.source);
        if first {
            self.header = Some((at.position.source, None));
        }
        let Some((_, Some(columns))) = &self.header else {
            // Reported once, where rows are not counted one by one.
            if first || reading.common.lenient {
                let message = "the first line names no column of times";
                let expected =
                    "expected a header: ts,qid,e2e_ms,retrieval_ms,rerank_ms,llm_ms,guard_ms,knobs";
                wrong.push(Wrong::new(&problem::CSV_COLUMNS, 0..length, "", message, expected));
            }
            return;
        };
        if cells.len() != columns.len() {
            let message = format!("this row has {}, the header {}", cells_of(cells.len()), columns.len());
            let expected = format!("expected {}", cells_of(columns.len()));
            return wrong.push(Wrong::new(&problem::CSV_COLUMNS, 0..length, "", message, expected));
        }
        let mut timed = Timed::default();
        let mut id = None;
        for (column, cell) in columns.iter().zip(cells) {
            if cell.text.is_empty() {
                timed.unmeasured |= matches!(column, Column::Stage(_));
                continue;
            }
            match column {
                Column::Id => id = Some(cell),
                Column::Whole => timed.whole = number(cell, "e2e_ms", wrong),
                Column::Stage(stage) => {
                    timed.stages[*stage as usize] = number(cell, &format!("{}_ms", stage.name()), wrong);
                }
                Column::Load => timed.load = number(cell, "load_rps", wrong),
                Column::Knobs => timed.knobs = knobs(cell, wrong),
                Column::Other => {}
            }
        }
        let mut case = None;
        if let Some(gold) = reading.gold {
            case = id.and_then(|cell| gold.by_id(&cell.text));
            match id {
                None => {
                    let message = "this row names no case";
                    wrong.push(Wrong::new(&problem::TRACE_NO_CASE, 0..1, "qid", message, "expected a `qid`"));
                }
                Some(cell) if case.is_none() => {
                    let problem = unknown(&cell.text, "qid", "", "id");
                    wrong.push(Wrong { span: cell.span.clone(), ..problem });
                }
                Some(_) => {}
            }
        }
        if wrong.is_empty() {
            self.worker.enter(&timed, case, table);
        }
    }
}

/// The columns of a header that an earlier one is named like.
fn twice(cells: &[Cell<'_>]) -> Vec<Wrong> {
    let mut names: HashMap<String, usize, FixedState> = HashMap::default();
    let mut wrong = Vec::new();
    for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.text.is_empty()) {
        let first = *names.entry(cell.text.to_ascii_lowercase()).or_insert(at);
        if first < at {
            let name = text::visible(&text::shorten(&cell.text, 60)).into_owned();
            let message = format!("`{name}` names two columns, the {} and the {}", nth(first), nth(at));
            let expected = "expected each column once: drop one of them, or name it otherwise";
            wrong.push(Wrong::new(&problem::CSV_COLUMNS, cell.span.clone(), "", message, expected));
        }
    }
    wrong
}

/// A place, counted from 0, as it is said.
fn nth(at: usize) -> String {
    let n = at + 1;
    let ending = match (n % 10, n % 100) {
        (1, hundred) if hundred != 11 => "st",
        (2, hundred) if hundred != 12 => "nd",
        (3, hundred) if hundred != 13 => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

fn cells_of(n: usize) -> String {
    text::count(n as u64, "cell")
}

fn number(cell: &Cell<'_>, column: &str, wrong: &mut Vec<Wrong>) -> Option<f64> {
    let found = in_range(&cell.text);
    if let Err(why) = found {
        let message = format!("`{column}` is {why}");
        let expected = "expected a number, 0 or more, or nothing";
        wrong.push(Wrong::new(&problem::CSV_VALUE, cell.span.clone(), column, message, expected));
    }
    found.ok()
}

fn knobs<'c>(cell: &'c Cell<'_>, wrong: &mut Vec<Wrong>) -> Option<&'c str> {
    let mut reader = Reader::new(&cell.text);
    let read = reader.peek().and_then(|kind| reader.skip().and_then(|()| reader.end()).map(|()| kind));
    let message = match read {
        Ok(Kind::Null) => return None,
        Ok(Kind::Object) => {
            wrong.extend(too_long(&cell.text, cell.span.clone(), "knobs"));
            return Some(&cell.text);
        }
        Ok(kind) => format!("`knobs` is {}", kind.with_article()),
        Err(error) => Wrong::syntax(error, &cell.text).message.replace("this is", "`knobs` is"),
    };
    let expected = "expected an object of JSON, its quotes doubled: \"{\"\"k\"\": 20}\"";
    wrong.push(Wrong::new(&problem::CSV_VALUE, cell.span.clone(), "knobs", message, expected));
    None
}

/// A row that cannot be split.
#[derive(Debug)]
struct Broken {
    wrong: Wrong,
    /// A quote is not closed.
    open: bool,
}

/// The cells of a row, without the blanks around them.
fn split(line: &str) -> Result<Vec<Cell<'_>>, Broken> {
    const BLANKS: [char; 2] = [' ', '\t'];
    let broken = |span: Range<usize>, message: &str, expected: &str, open: bool| {
        Err(Broken { wrong: Wrong::new(&problem::CSV_COLUMNS, span, "", message, expected), open })
    };
    let mut cells = Vec::new();
    let mut at = 0;
    loop {
        let start = line.len() - line[at..].trim_start_matches(BLANKS).len();
        let end = if line[start..].starts_with('"') {
            let Some(length) = closing_quote(&line[start + 1..]) else {
                let message = "a quote is opened here and not closed";
                return broken(start..line.len(), message, "expected a closing quote", true);
            };
            let (inside, end) = (&line[start + 1..start + 1 + length], start + length + 2);
            let doubled = inside.contains('"');
            let text = if doubled { inside.replace("\"\"", "\"").into() } else { Cow::Borrowed(inside) };
            cells.push(Cell { text, span: start..end });
            line.len() - line[end..].trim_start_matches(BLANKS).len()
        } else {
            let end = line[start..].find(',').map_or(line.len(), |comma| start + comma);
            let plain = line[start..end].trim_end_matches(BLANKS);
            cells.push(Cell { text: Cow::Borrowed(plain), span: start..start + plain.len() });
            end
        };
        match line.as_bytes().get(end) {
            None => return Ok(cells),
            Some(b',') => at = end + 1,
            Some(_) => {
                let message = "a quoted cell goes on after its closing quote";
                let expected = "expected a comma; a quote within quotes is doubled";
                return broken(end..line.len(), message, expected, false);
            }
        }
    }
}

/// Where the quote is that closes a cell; a doubled one does not.
fn closing_quote(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find('"')?;
        if !text[at + 1..].starts_with('"') {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests;
