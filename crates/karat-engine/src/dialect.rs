//! Dialects: an input shape, its fields declared as data, from which readers, schemas and docs come.

use karat_input::field;
pub use karat_input::field::{Field, Shape};

/// An input shape, declared.
#[derive(Debug)]
pub struct Dialect {
    /// Its name.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The fields of a gold row.
    pub gold: &'static [Field],
    /// The fields of a trace.
    pub trace: &'static [Field],
    /// What a file of traces is called.
    pub trace_role: &'static str,
    /// Its other files of JSON rows, by their role.
    pub others: &'static [(&'static str, &'static [Field])],
    /// Its files of comma-separated columns, by their role.
    pub columns: &'static [(&'static str, &'static [Field])],
    /// The dialects whose rows it takes over, and adds fields to.
    pub base: &'static [&'static Dialect],
}

impl Dialect {
    /// A dialect without a field.
    pub const PLAIN: Dialect = Dialect {
        name: "",
        summary: "",
        source: "",
        gold: &[],
        trace: &[],
        trace_role: "trace",
        others: &[],
        columns: &[],
        base: &[],
    };

    /// Every key of every file of it, those of objects within too.
    #[must_use]
    pub fn keys(&self) -> Vec<&'static str> {
        let others = self.others.iter().chain(self.columns).map(|(_, fields)| *fields);
        field::keys([self.gold, self.trace].into_iter().chain(others))
    }
}
