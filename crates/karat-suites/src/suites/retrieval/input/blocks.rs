//! The block table: which blocks the index has, and where they lie.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use karat_input::record::Contract;

use super::values::offsets;
use crate::input::Source;
use crate::input::table::{Table, contents};
use crate::problem::{self, Failure};
use crate::report::Input;
use crate::suites::retrieval::judge::content::Kind;
use crate::suites::retrieval::model::{Block, Blocks};
use crate::text;

const CONTRACT: Contract = Contract {
    noun: "block",
    not_an_object: &problem::BLOCKS_WRONG_TYPE,
    wrong_type: &problem::BLOCKS_WRONG_TYPE,
    missing: &problem::BLOCKS_MISSING_FIELD,
    ..Contract::gold(super::BLOCK)
};

/// Reads a block table.
pub(crate) fn load(source: &Source) -> Result<(Blocks, Input), Failure> {
    let (text, fingerprint) = contents(source)?;
    let mut table = Table::new(source.name(), &text, &[]);
    let mut blocks = Blocks::default();
    // The line of each block, for one that comes twice.
    let mut lines: HashMap<Box<str>, u64> = HashMap::new();
    table.each(&CONTRACT, |row| {
        let span = row.at("offsets").and_then(|(mut reader, _)| {
            offsets(&mut reader, "offsets", CONTRACT.wrong_type, &mut row.wrong).ok().flatten()
        });
        let kind = row.text("type").map(|word| Kind::of_word(&word));
        let section = row.text("section_id").map(Into::into);
        let Some((id, span_of_id)) = row.id("id") else { return };
        match lines.entry(id.clone().into()) {
            Entry::Occupied(first) => {
                let message = format!("block \"{}\" is already on line {}", text::visible(&id), first.get());
                let expected = "expected an id that no other block has";
                row.note(&problem::BLOCKS_DUPLICATE_ID, span_of_id, "id", message, expected);
            }
            Entry::Vacant(free) => {
                free.insert(row.line);
                blocks.by_id.insert(id.into(), Block { span, kind, section });
            }
        }
    });
    if table.errors.total > 0 {
        table.finish(lines.len())?;
    }
    Ok((blocks, Input::new("blocks", source.name(), lines.len() as u64, fingerprint)))
}
