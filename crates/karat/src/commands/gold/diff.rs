//! `karat gold diff`: what changed in a gold set, row by row and field by field?

use std::fmt::Write;

use clap::ValueEnum;
use karat_engine::text;
use karat_suites::lock::{self, Change, Diff, Field, Row};

use super::{Done, answer};
use crate::commands::files;
use crate::output::{BAD, BOLD, GOOD, Terminal, UNSURE, paint};

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The old gold set; `-` is standard input
    #[arg(value_name = "OLD")]
    old: String,

    /// The new gold set; `-` is standard input
    #[arg(value_name = "NEW")]
    new: String,

    /// The output format: for people, for a pull request, or for scripts and complete
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Md,
    Json,
}

const EXAMPLES: &str = "\
Examples:
  karat gold diff eval/gold.old.jsonl eval/gold.jsonl
  git show main:eval/gold.jsonl | karat gold diff - eval/gold.jsonl --format md

Rows are matched by id and compared as `karat gold freeze` hashes them: differences in order, spacing,
escapes, the notation of numbers and Unicode form do not count.

Exit status, as diff's: 0 both say the same; 1 they differ; 2 one cannot be read, or the call is wrong.";

pub(super) fn run(args: &Args, terminal: &Terminal) -> Done {
    files::standard_input_once([&args.old, &args.new].into_iter().map(String::as_str))?;
    let (old, new) = (files::one(&args.old), files::one(&args.new));
    let diff = lock::diff(&old, &new)?;
    let page = Page { diff: &diff, color: terminal.color_out(), quiet: terminal.quiet };
    let told = match args.format {
        Format::Json => diff.json(old.name(), new.name()),
        Format::Md => page.md(old.name(), new.name()),
        Format::Text => page.text(),
    };
    Ok(answer(&told, u8::from(!diff.is_empty()), terminal))
}

struct Page<'d> {
    diff: &'d Diff,
    color: bool,
    quiet: bool,
}

impl Page<'_> {
    fn summary(&self) -> String {
        let Diff { added, removed, changed, same, .. } = self.diff;
        let counts = [added.len() as u64, removed.len() as u64, changed.len() as u64, *same];
        let [added, removed, changed, same] = counts.map(text::group);
        format!("{added} added, {removed} removed, {changed} changed, {same} the same")
    }

    fn text(&self) -> String {
        let mut out = String::new();
        if self.diff.is_empty() {
            let same = text::count(self.diff.same, "row");
            let _ = writeln!(out, "{}  both say the same  ({same})", paint(GOOD, "SAME", self.color));
            return out;
        }
        let _ = writeln!(out, "{}  {}", paint(UNSURE, "DIFFERENT", self.color), self.summary());
        if self.quiet {
            return out;
        }
        let row = |sign: &str, style, row: &Row, out: &mut String| {
            let head = paint(style, &format!("{sign} {}", text::visible(&row.id)), self.color);
            let _ = writeln!(out, "\n{head}  line {}", row.line);
            row.fields.iter().filter(|(_, value)| !names(value, &row.id)).for_each(|(key, value)| {
                let value = window(value, 0, 76usize.saturating_sub(key.chars().count()));
                let _ = writeln!(out, "    {}: {value}", text::visible(key));
            });
        };
        self.diff.removed.iter().for_each(|removed| row("-", BAD, removed, &mut out));
        self.diff.added.iter().for_each(|added| row("+", GOOD, added, &mut out));
        self.diff.changed.iter().for_each(|change| self.change(change, &mut out));
        out
    }

    fn change(&self, change: &Change, out: &mut String) {
        let head = paint(UNSURE, &format!("~ {}", text::visible(&change.id)), self.color);
        let (was, is) = change.lines;
        let lines = if was == is { format!("line {is}") } else { format!("line {was}, now {is}") };
        let _ = writeln!(out, "\n{head}  {lines}");
        for field in &change.fields {
            let (old, new) = sides(field, 72);
            let _ = writeln!(out, "    {}", paint(BOLD, &text::visible(&field.name), self.color));
            for (sign, style, side) in [("-", BAD, old), ("+", GOOD, new)] {
                let side = side.map(|side| paint(style, &format!("{sign} {side}"), self.color));
                side.iter().for_each(|side| _ = writeln!(out, "    {side}"));
            }
        }
    }

    fn md(&self, old: &str, new: &str) -> String {
        const SHOWN: usize = 500;
        let mut out = format!("### Gold: {}\n\n", self.summary());
        let _ = writeln!(out, "{} → {}\n", code(&text::visible(old)), code(&text::visible(new)));
        if self.diff.is_empty() {
            return out;
        }
        out.push_str("| row | field | old | new |\n|---|---|---|---|\n");
        let removed = |row: &Row| format!("| − {} | | {} | |", code(&row.id), cell(&row.text()));
        let added = |row: &Row| format!("| + {} | | | {} |", code(&row.id), cell(&row.text()));
        let mut lines: Vec<String> = self.diff.removed.iter().map(removed).collect();
        lines.extend(self.diff.added.iter().map(added));
        for change in &self.diff.changed {
            for field in &change.fields {
                let (old, new) = sides(field, 160);
                let side = |side: Option<String>| side.map(|text| code(&text)).unwrap_or_default();
                let (id, name) = (code(&change.id), code(&field.name));
                lines.push(format!("| {id} | {name} | {} | {} |", side(old), side(new)));
            }
        }
        let more = lines.len().saturating_sub(SHOWN) as u64;
        lines.iter().take(SHOWN).for_each(|line| _ = writeln!(out, "{line}"));
        if more > 0 {
            let _ = writeln!(out, "\n… and {}; `--format json` lists all", text::count(more, "more line"));
        }
        out
    }
}

/// Whether a canonical value is the row's own id.
fn names(value: &str, id: &str) -> bool {
    value == id || value.strip_prefix('"').and_then(|v| v.strip_suffix('"')) == Some(id)
}

/// Both sides of a field, cut to the part where they differ.
fn sides(field: &Field, most: usize) -> (Option<String>, Option<String>) {
    let [old, new] = [&field.old, &field.new].map(|side| side.as_deref().unwrap_or_default());
    let same = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
    let from = if field.old.is_some() && field.new.is_some() { same.saturating_sub(most / 3) } else { 0 };
    let cut = |side: &Option<String>| side.as_ref().map(|side| window(side, from, most));
    (cut(&field.old), cut(&field.new))
}

/// `most` characters from the one at `from`, with ellipses where something is left out; the whole where it fits.
fn window(value: &str, from: usize, most: usize) -> String {
    let value = text::visible(value);
    if value.chars().nth(most).is_none() {
        return value.into_owned();
    }
    let cut: String = value.chars().skip(from).collect();
    let cut = text::shorten(&cut, most.max(2));
    if from > 0 { format!("…{cut}") } else { cut.into_owned() }
}

/// A cell of a table: code, with what would end the cell or the code replaced.
fn code(value: &str) -> String {
    let value = text::visible(value).replace('|', "\\|");
    let longest = value.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if value.starts_with('`') || value.ends_with('`') || value.is_empty() { " " } else { "" };
    format!("{fence}{pad}{value}{pad}{fence}")
}

fn cell(value: &str) -> String {
    code(&window(value, 0, 160))
}
