//! Which blocks does the index have, and where do they lie? The block table.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::fields::offsets;
use crate::input::Source;
use crate::input::json::{Kind as Json, Reader, Syntax};
use crate::input::table::{Table, contents, each_row};
use crate::judge::content::Kind;
use crate::model::retrieval::{Block, Blocks};
use crate::problem::{self, Failure};
use crate::report::Input;
use crate::rows::{Placed, Wrong, id, question};
use crate::text;

struct Loader<'a> {
    table: Table<'a>,
    blocks: Blocks,
    /// The line of each block, for one that comes twice.
    lines: HashMap<Box<str>, u64>,
}

/// Reads a block table.
pub(super) fn load(source: &Source) -> Result<(Blocks, Input), Failure> {
    let (text, fingerprint) = contents(source)?;
    let mut loader = Loader {
        table: Table::new(source.name(), &text, &[]),
        blocks: Blocks::default(),
        lines: HashMap::new(),
    };
    each_row(loader.table.text, &mut loader, Loader::row, |loader, wrong, base| {
        loader.table.report(wrong, base)
    });
    let rows = loader.lines.len();
    if loader.table.errors.total > 0 {
        loader.table.finish(rows)?;
    }
    Ok((loader.blocks, Input::new("blocks", source.name(), rows as u64, fingerprint)))
}

#[derive(Default)]
struct Row<'a> {
    id: Option<Placed<'a>>,
    block: Block,
    wrong: Vec<Wrong>,
}

impl<'a> Row<'a> {
    fn field(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
        let (kind, start) = (&problem::BLOCKS_WRONG_TYPE, reader.offset());
        match key {
            "id" => {
                let id = id(reader, key, kind, &mut self.wrong)?;
                let span = start..start + reader.since(start).len();
                self.id = id.map(|id| (text::trim_cow(id), span)).filter(|(id, _)| !id.is_empty());
            }
            "offsets" => self.block.span = offsets(reader, key, kind, &mut self.wrong)?,
            "type" => {
                let word = question(reader, key, kind, &mut self.wrong)?;
                self.block.kind = word.map(|word| Kind::named(&word.decode()));
            }
            "section_id" => {
                let section = question(reader, key, kind, &mut self.wrong)?;
                self.block.section = section.map(|section| section.decode().into());
            }
            _ => reader.skip()?,
        }
        Ok(())
    }
}

impl<'a> Loader<'a> {
    fn row(&mut self, reader: &mut Reader<'a>, base: usize) -> Result<(), Syntax> {
        let (start, found) = (reader.offset(), reader.peek()?);
        if found != Json::Object {
            reader.skip()?;
            let span = start..start + reader.since(start).len();
            let message = format!("this row is {}, not an object", found.with_article());
            let wrong = Wrong::new(&problem::BLOCKS_WRONG_TYPE, span, "", message, "expected an object");
            self.table.report(wrong, base);
            return Ok(());
        }
        let mut row = Row::default();
        reader.object(|reader, key| row.field(reader, key))?;
        let line = self.table.line_of(base + start);
        match row.id.take() {
            None if row.wrong.iter().any(|wrong| wrong.path == "id") => {}
            None => row.wrong.push(Wrong::new(
                &problem::BLOCKS_MISSING_FIELD,
                start..start + 1,
                "id",
                "this block has no `id`",
                "expected `id`: a string or a whole number, not empty",
            )),
            Some((id, span)) => match self.lines.entry(id.clone().into()) {
                Entry::Occupied(first) => {
                    let message =
                        format!("block \"{}\" is already on line {}", text::visible(&id), first.get());
                    let expected = "expected an id that no other block has";
                    row.wrong.push(Wrong::new(&problem::BLOCKS_DUPLICATE_ID, span, "id", message, expected));
                }
                Entry::Vacant(free) => {
                    free.insert(line);
                    self.blocks.by_id.insert(id.into(), row.block);
                }
            },
        }
        row.wrong.sort_by_key(|wrong| wrong.span.start);
        row.wrong.into_iter().for_each(|wrong| self.table.report(wrong, base));
        Ok(())
    }
}
