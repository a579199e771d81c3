//! Rows of gold and of traces.

use std::collections::HashMap;

use karat_engine::Source;
use karat_engine::dialect::{Field, Shape};
use karat_engine::input::table::{Table, contents};
use karat_engine::problem::Failure;
use karat_engine::report::Input;
use karat_input::record::Contract;

/// A question, and how many words its answer may have.
pub(super) struct Case {
    pub(super) id: String,
    pub(super) most: u64,
    pub(super) line: u64,
}

pub(super) const GOLD: Contract = Contract::gold(&[
    Field::new("qid", Shape::Id, "The question.").required("a `qid`"),
    Field::new("most_words", Shape::Text, "How many words its answer may have.").required("a number as text"),
]);

pub(super) const TRACE: Contract = Contract::gold(&[
    Field::new("qid", Shape::Id, "The question.").required("a `qid`"),
    Field::new("claim", Shape::Text, "What was answered.").required("a `claim`"),
]);

pub(super) fn gold(source: &Source) -> Result<(Vec<Case>, Input), Failure> {
    let (text, fingerprint) = contents(source)?;
    let mut table = Table::new(source.name(), &text, &[]);
    let mut cases = Vec::new();
    table.each(&GOLD, |row| {
        if let (Some((id, _)), Some(most)) = (row.id("qid"), row.text("most_words")) {
            cases.push(Case { id: id.into(), most: most.parse().unwrap_or(0), line: row.line });
        }
    });
    table.finish(cases.len())?;
    let read = Input::new("gold", source.name(), cases.len() as u64, fingerprint);
    Ok((cases, read))
}

pub(super) fn traces(sources: &[Source]) -> Result<(HashMap<String, String>, Vec<Input>), Failure> {
    let (mut claims, mut read) = (HashMap::new(), Vec::new());
    for source in sources {
        let (text, fingerprint) = contents(source)?;
        let mut table = Table::new(source.name(), &text, &[]);
        let mut rows = 0;
        table.each(&TRACE, |row| {
            rows += 1;
            if let (Some((id, _)), Some(claim)) = (row.id("qid"), row.text("claim")) {
                claims.insert(id.into(), claim.into_owned());
            }
        });
        table.finish(rows)?;
        read.push(Input::new("trace", source.name(), rows as u64, fingerprint));
    }
    Ok((claims, read))
}
