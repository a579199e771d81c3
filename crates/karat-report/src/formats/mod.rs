//! WRITE: how does one report become bytes for people, for a script, for a pull request?
//!
//! A format is one file with one constant; it sees a [`Report`] and nothing else. The command's `--format` and the
//! endings of `--out` come from [`ALL`].

use crate::profile::Profile;
use crate::report::{Checked, Report};
use crate::text::visible;

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod csv;
pub mod flat;
pub mod github;
#[cfg(feature = "html")]
pub mod html;
pub mod json;
#[cfg(feature = "junit")]
pub mod junit;
pub mod md;
pub mod sarif;
pub mod text;
pub mod tsv;

/// Every format, in alphabetical order.
pub const ALL: &[&Format] = &[
    &csv::FORMAT,
    &flat::FORMAT,
    &github::FORMAT,
    #[cfg(feature = "html")]
    &html::FORMAT,
    &json::FORMAT,
    #[cfg(feature = "junit")]
    &junit::FORMAT,
    &md::FORMAT,
    &sarif::FORMAT,
    &text::FORMAT,
    &tsv::FORMAT,
];
// codegen: end

/// A format, declared.
pub struct Format {
    /// The name that users type.
    pub name: &'static str,
    /// The ending of a file name that picks it; empty where it is only printed.
    pub ending: &'static str,
    /// What it is for, in one sentence.
    pub summary: &'static str,
    /// Writes a report.
    pub render: fn(&Report, &Style) -> String,
    /// Writes what `karat check` came to.
    pub check: fn(&Checked, &Style) -> String,
    /// Whether it lists the cases of a suite. Where no format does, a report is made without the list, which is much for
    /// a large gold set.
    pub cases: fn(&Profile) -> bool,
    /// It shows the paths of cases, which a report has only where it is asked for them ([`karat_engine::detail::Detail`]).
    pub paths: bool,
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
        .filter(|format| !format.ending.is_empty() && name.ends_with(format.ending))
        .max_by_key(|format| format.ending.len())
}

/// A number rounded to four decimals for a table; a dash where there is none.
pub(crate) fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))
}

/// A cell that no spreadsheet runs as a formula, in one line that shows all it holds.
pub(crate) fn defused(text: &str) -> String {
    let text = visible(text); // no escape sequence reaches a terminal, no line is broken
    let armed = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    if armed { format!("'{text}") } else { text.into_owned() }
}

/// A value as JSON with a line for each field.
pub(crate) fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// Text as a part of an address: letters, digits and these bytes as they are.
fn percent_encoded(text: &str, plain: &[u8]) -> String {
    let encode = |byte: u8| match byte.is_ascii_alphanumeric() || plain.contains(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_endings_are_unique_and_endings_pick_the_longest() {
        for (i, format) in ALL.iter().enumerate() {
            assert!(ALL[i + 1..].iter().all(|f| f.name != format.name && f.ending != format.ending));
            if format.ending.is_empty() {
                continue; // only printed
            }
            assert_eq!(for_file(&format!("x{}", format.ending)).map(|found| found.name), Some(format.name));
        }
        assert_eq!(for_file("a/last.flat.json").map(|f| f.name), Some("flat"));
        assert!(for_file("report").is_none());
    }
}
