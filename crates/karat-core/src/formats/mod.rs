//! WRITE: how does one report become bytes for people, for a script, for a pull request?
//!
//! A format is one file with one constant; it sees a [`Report`] and nothing else. The command's `--format` and the
//! endings of `--out` come from [`ALL`].

use crate::report::Report;

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod csv;
pub mod flat;
pub mod json;
pub mod md;
pub mod text;

/// Every format, in alphabetical order.
pub const ALL: &[&Format] = &[&csv::FORMAT, &flat::FORMAT, &json::FORMAT, &md::FORMAT, &text::FORMAT];
// codegen: end

/// A format, declared.
pub struct Format {
    /// The name that users type.
    pub name: &'static str,
    /// The ending of a file name that picks it.
    pub ending: &'static str,
    /// What it is for, in one sentence.
    pub summary: &'static str,
    /// Writes a report.
    pub render: fn(&Report, &Style) -> String,
}

/// How a report may look.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// With colours.
    pub color: bool,
    /// The verdict alone.
    pub brief: bool,
}

impl Style {
    /// For a file: no colours, everything in it.
    pub const PLAIN: Style = Style { color: false, brief: false };
}

/// The format of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Format> {
    ALL.iter().copied().find(|format| format.name == name)
}

/// The format that a file's name asks for: the longest ending that fits.
#[must_use]
pub fn for_file(name: &str) -> Option<&'static Format> {
    ALL.iter()
        .copied()
        .filter(|format| name.ends_with(format.ending))
        .max_by_key(|format| format.ending.len())
}

/// A number rounded to four decimals for a table; a dash where there is none.
pub(crate) fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_endings_are_unique_and_endings_pick_the_longest() {
        for (i, format) in ALL.iter().enumerate() {
            assert!(ALL[i + 1..].iter().all(|f| f.name != format.name && f.ending != format.ending));
            assert_eq!(for_file(&format!("x{}", format.ending)).map(|found| found.name), Some(format.name));
        }
        assert_eq!(for_file("a/last.flat.json").map(|f| f.name), Some("flat"));
        assert!(for_file("report").is_none());
    }
}
