//! What does a latency CSV say? A header that names its columns, once or again and again; a row a request.
//!
//! Split here, by RFC 4180 and a line at a time, because a message marks the very cell; a property test holds what comes
//! out equal to the csv crate's. A quoted cell may not span lines: knobs are JSON, and stand on one.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use foldhash::quality::FixedState;

use crate::input::Source;
use crate::input::json::{Kind, Reader};
use crate::input::lines::{RowAt, Rows};
use crate::problem::{self, Failure};
use crate::report::Input;
use crate::rows::Wrong;
use crate::suites::latency::judge::Stage;
use crate::text;

use super::row::{Timed, in_range, too_long};
use super::{Reading, Table, Worker, unknown};

/// A cell and where it stands in its line.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell<'a> {
    text: Cow<'a, str>,
    span: Range<usize>,
}

/// What a column holds.
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

/// What is kept from row to row.
#[derive(Default)]
struct State {
    worker: Worker,
    /// The file whose header is in force, and its columns; none: its first line is no header.
    header: Option<(u32, Option<Vec<Column>>)>,
}

/// Reads every row of these files, in their order: a header holds for what comes behind it.
pub(super) fn read(
    reading: &Reading<'_>,
    sources: &[Source],
    table: &Table,
) -> Result<(Worker, u64, Vec<Input>), Failure> {
    let rows = Rows { threads: 1, ..reading.common.rows(sources) };
    let mut read = rows.read(State::default, |state, at, wrong| row(reading, state, at, table, wrong))?;
    let worker = std::mem::take(&mut read.states).into_iter().next().unwrap_or_default().worker;
    Ok((worker, read.malformed, Input::list("latency-csv", sources, &read.map)))
}

fn row(reading: &Reading<'_>, state: &mut State, at: &RowAt<'_>, table: &Table, wrong: &mut Vec<Wrong>) {
    let cells = match split(at.text) {
        Ok(cells) => cells,
        Err(problem) => return wrong.push(problem),
    };
    let named: Vec<Column> = cells.iter().map(|cell| Column::named(&cell.text)).collect();
    if named.iter().any(|column| column.is_time()) {
        let twice = twice(&cells);
        // Nothing behind a header that can be read in two ways is read in one of them.
        state.header = Some((at.position.source, twice.is_empty().then_some(named)));
        wrong.extend(twice);
        return;
    }
    let first = state.header.as_ref().is_none_or(|(source, _)| *source != at.position.source);
    if first {
        state.header = Some((at.position.source, None));
    }
    let Some((_, Some(columns))) = &state.header else {
        // Said once, where rows are not counted one by one.
        if first || reading.common.lenient {
            let message = "the first line names no column of times";
            let expected = "expected a header: ts,qid,e2e_ms,retrieval_ms,rerank_ms,llm_ms,guard_ms,knobs";
            wrong.push(Wrong::new(&problem::CSV_COLUMNS, 0..at.text.len(), "", message, expected));
        }
        return;
    };
    if cells.len() != columns.len() {
        let message = format!("this row has {}, the header {}", cells_of(cells.len()), columns.len());
        let expected = format!("expected {}", cells_of(columns.len()));
        return wrong.push(Wrong::new(&problem::CSV_COLUMNS, 0..at.text.len(), "", message, expected));
    }
    let mut timed = Timed::default();
    let mut id = None;
    for (column, cell) in columns.iter().zip(&cells) {
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
        state.worker.enter(&timed, case, table);
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

/// The cells of a line, blanks round them taken off.
fn split(line: &str) -> Result<Vec<Cell<'_>>, Wrong> {
    let broken = |span: Range<usize>, message: &str, expected: &str| {
        Wrong::new(&problem::CSV_COLUMNS, span, "", message, expected)
    };
    let mut cells = Vec::new();
    let mut at = 0;
    loop {
        let rest = &line[at..];
        let start = at + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
        let Some(inside) = line[start..].strip_prefix('"') else {
            let end = line[start..].find(',').map_or(line.len(), |comma| start + comma);
            let plain = line[start..end].trim_end_matches([' ', '\t']);
            cells.push(Cell { text: Cow::Borrowed(plain), span: start..start + plain.len() });
            if end == line.len() {
                return Ok(cells);
            }
            at = end + 1;
            continue;
        };
        let mut close = 0;
        let mut doubled = false;
        loop {
            let Some(quote) = inside[close..].find('"') else {
                let message = "a quote is opened here and not closed on this line";
                return Err(broken(start..line.len(), message, "expected a closing quote"));
            };
            close += quote;
            if !inside[close + 1..].starts_with('"') {
                break;
            }
            doubled = true;
            close += 2;
        }
        let end = start + 1 + close + 1;
        let text = if doubled {
            Cow::Owned(inside[..close].replace("\"\"", "\""))
        } else {
            Cow::Borrowed(&inside[..close])
        };
        cells.push(Cell { text, span: start..end });
        let behind = line[end..].trim_start_matches([' ', '\t']);
        let next = line.len() - behind.len();
        if behind.is_empty() {
            return Ok(cells);
        }
        if !behind.starts_with(',') {
            let message = "a quoted cell goes on behind its closing quote";
            return Err(broken(
                next..line.len(),
                message,
                "expected a comma; a quote within quotes is doubled",
            ));
        }
        at = next + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(line: &str) -> Vec<String> {
        split(line).unwrap().into_iter().map(|cell| cell.text.into_owned()).collect()
    }

    #[test]
    fn cells_and_their_places() {
        assert_eq!(
            texts(r#"1, A1 ,"{""k"": 1, ""m"": ""a,b""}", "x" ,"#),
            ["1", "A1", r#"{"k": 1, "m": "a,b"}"#, "x", ""]
        );
        let line = r#"a,"b""c",d"#;
        let spans: Vec<&str> = split(line).unwrap().iter().map(|cell| &line[cell.span.clone()]).collect();
        assert_eq!(spans, ["a", r#""b""c""#, "d"]);
        assert_eq!(texts(""), [""]);
    }

    #[test]
    fn broken_quotes_are_named() {
        assert!(split(r#"a,"b"#).unwrap_err().message.contains("not closed"));
        assert!(split(r#"a,"b"c,d"#).unwrap_err().message.contains("behind its closing quote"));
    }

    #[test]
    fn a_column_that_stands_twice() {
        let found = |line: &str| {
            let wrong = twice(&split(line).unwrap());
            wrong.into_iter().map(|wrong| (wrong.message, wrong.span)).collect::<Vec<_>>()
        };
        assert_eq!(found("ts,qid,e2e_ms,,,llm_ms"), [], "columns without a name are none");
        let message = "`E2E_MS` names two columns, the 1st and the 3rd".to_owned();
        assert_eq!(found("e2e_ms,qid,E2E_MS"), [(message, 11..17)]);
        assert_eq!(found("knobs,knobs,e2e_ms,e2e_ms").len(), 2);
        assert_eq!(
            [0, 1, 3, 10, 11, 12, 20, 110].map(nth).join(" "),
            "1st 2nd 4th 11th 12th 13th 21st 111th"
        );
    }

    #[test]
    fn columns_by_their_names() {
        assert_eq!(Column::named("LLM_ms"), Column::Stage(Stage::Llm));
        assert_eq!(Column::named("ts"), Column::Other);
        assert_eq!(Column::named("other_ms"), Column::Other);
    }

    proptest! {
        /// What somebody's writer wrote is read as they meant it.
        #[test]
        fn cells_come_back(cells in prop::collection::vec("[a\",;é{}:1]{0,6}", 1..6)) {
            let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
            writer.write_record(&cells).unwrap();
            let line = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            prop_assert_eq!(texts(line.trim_end_matches('\n')), cells);
        }

        /// No line makes it fail but by a message, and places lie in the line.
        #[test]
        fn any_line_is_split_or_refused(line in "[a\", é\t]{0,12}") {
            match split(&line) {
                Ok(cells) => for cell in cells {
                    prop_assert!(line.get(cell.span).is_some());
                },
                Err(wrong) => prop_assert!(line.get(wrong.span).is_some()),
            }
        }
    }
}
