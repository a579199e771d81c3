//! Which rows of two gold sets differ, and in what?

use std::collections::BTreeMap;

use super::rows::{Row, quoted, rows};
use crate::input::Source;
use crate::problem::Failure;

/// What is different between two gold sets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    /// Rows that only the second set has, by id.
    pub added: Vec<Row>,
    /// Rows that only the first set has, by id.
    pub removed: Vec<Row>,
    /// Rows that say something else, by id.
    pub changed: Vec<Change>,
    /// How many rows say the same.
    pub same: u64,
}

/// A row that says something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its id.
    pub id: String,
    /// Its line in the first set and in the second.
    pub lines: (u64, u64),
    /// The fields that differ, by name.
    pub fields: Vec<Field>,
}

/// A field that differs: canonical JSON on either side, `None` where the row does not have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its key.
    pub name: String,
    /// What it was.
    pub old: Option<String>,
    /// What it is.
    pub new: Option<String>,
}

/// Compares two gold files, row by row.
pub fn diff(old: &Source, new: &Source) -> Result<Diff, Failure> {
    let mut old: BTreeMap<String, Row> = rows(old)?.into_iter().map(|row| (row.id.clone(), row)).collect();
    let mut diff = Diff::default();
    for is in rows(new)? {
        let Some(was) = old.remove(&is.id) else {
            diff.added.push(is);
            continue;
        };
        let fields = fields(was.fields, is.fields);
        if fields.is_empty() {
            diff.same += 1;
        } else {
            diff.changed.push(Change { id: was.id, lines: (was.line, is.line), fields });
        }
    }
    diff.removed = old.into_values().collect();
    Ok(diff)
}

/// The fields that differ, by key.
fn fields(old: Vec<(String, String)>, new: Vec<(String, String)>) -> Vec<Field> {
    let mut fields: BTreeMap<String, [Option<String>; 2]> = BTreeMap::new();
    for (side, list) in [old, new].into_iter().enumerate() {
        list.into_iter().for_each(|(name, value)| fields.entry(name).or_default()[side] = Some(value));
    }
    let differing = fields.into_iter().filter(|(_, [old, new])| old != new);
    differing.map(|(name, [old, new])| Field { name, old, new }).collect()
}

impl Diff {
    /// Whether both sets say the same.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }

    /// As JSON, the values as they are in the rows: nothing is cut and no number rounded.
    #[must_use]
    pub fn json(&self, old: &str, new: &str) -> String {
        let list = |rows: &[Row]| -> String {
            let row = |row: &Row| {
                let (id, line, row) = (quoted(&row.id), row.line, row.text());
                format!("    {{\"id\": {id}, \"line\": {line}, \"row\": {row}}}")
            };
            block(rows.iter().map(row).collect())
        };
        let change = |change: &Change| {
            let side = |value: &Option<String>, name: &str| {
                value.as_ref().map(|value| format!(", \"{name}\": {value}")).unwrap_or_default()
            };
            let field = |field: &Field| {
                let (was, is) = (side(&field.old, "old"), side(&field.new, "new"));
                format!("      {{\"field\": {}{was}{is}}}", quoted(&field.name))
            };
            let fields: Vec<String> = change.fields.iter().map(field).collect();
            let ((was, is), id, fields) = (change.lines, quoted(&change.id), fields.join(",\n"));
            format!("    {{\"id\": {id}, \"lines\": [{was}, {is}], \"fields\": [\n{fields}\n    ]}}")
        };
        let fields = [
            ("schema", "\"karat.gold-diff/1\"".to_owned()),
            ("old", quoted(old)),
            ("new", quoted(new)),
            ("same", self.is_empty().to_string()),
            ("unchanged", self.same.to_string()),
            ("added", list(&self.added)),
            ("removed", list(&self.removed)),
            ("changed", block(self.changed.iter().map(change).collect())),
        ];
        let fields = fields.map(|(name, value)| format!("  \"{name}\": {value}"));
        format!("{{\n{}\n}}\n", fields.join(",\n"))
    }
}

/// A list, a line each.
fn block(lines: Vec<String>) -> String {
    if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n  ]", lines.join(",\n")) }
}
