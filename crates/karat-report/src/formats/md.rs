//! A Markdown report for a pull request: verdict, metrics, gates, what went wrong, the cases (folded when many).
//!
//! A comment holds 64 KB, so long tables stop in time and say what they left out. Text from an input is plain words:
//! nothing in it is markup, a link or a mention.

mod cases;
mod check;

use std::fmt::Write;

use super::text::tables::{TextTable, matrix_title, moved, tables};
use super::{Format, figure};
use crate::report::{Body, Decision, Figure, Gate, Outcome, Place, Report, Section};
use crate::text;

/// The declaration.
pub const FORMAT: Format = Format {
    name: "md",
    ending: ".md",
    summary: "Markdown for a pull request",
    render: |report, _| md(report, PAGE),
    check: |checked, _| check::render(checked),
    cases: |_| true,
    paths: false,
};

/// How many bytes a report may take: a comment holds 65,536, and its writer adds a line or two.
const PAGE: usize = 60_000;

/// How many remarks stand beside the verdict: what an average hides must not be found at the end.
const HINTS: usize = 3;

fn md(report: &Report, page: usize) -> String {
    let mut out = String::new();
    render(report, page, &mut out).unwrap_or_default();
    out
}

fn render(report: &Report, page: usize, out: &mut String) -> std::fmt::Result {
    let mark = mark(report.verdict);
    writeln!(out, "# {mark} karat {}: {}\n", report.suite, report.verdict.name())?;
    let judged = report.gates.iter().filter(|gate| gate.pass.is_some()).count() as u64;
    let stuck = report.gates.iter().filter(|gate| gate.blocks()).count();
    let waived = report.gates.iter().filter(|gate| gate.waived.is_some()).count() as u64;
    if let Some(headline) = &report.headline {
        writeln!(out, "{}.\n", text::capital(&cell(headline, 300)))?;
    } else if stuck == 0 && waived > 0 {
        writeln!(out, "{} of {} waived.\n", waived, text::count(judged, "gate"))?;
    } else if stuck == 0 {
        writeln!(out, "{} pass.\n", text::count(judged, "gate"))?;
    } else {
        writeln!(out, "{stuck} of {} stand in the way.\n", text::count(judged, "gate"))?;
    }
    for remark in report.hints.iter().take(HINTS) {
        writeln!(out, "- ⚠️ {}", cell(remark, 300))?;
    }
    if !report.hints.is_empty() {
        writeln!(out)?;
    }
    checks(out, report)?;
    metrics(out, report)?;
    let reasons = || report.gates.iter().filter_map(|gate| Some((gate, gate.reason.as_ref()?)));
    let lines = reasons().map(|(gate, reason)| format!("- {}: {}", code(&gate.title()), cell(reason, 300)));
    rows(out, page / 5, (reasons().count(), "reason"), lines)?;
    list(out, page / 4, "What it suggests", &report.diagnosis)?;
    if let Some(shown) = moved(report) {
        table(out, page / 3, &shown)?;
    }
    for part in report.sections.iter().filter(|section| section.is_on(Place::Text)) {
        section(out, page / 3, part)?;
    }
    slices(out, page / 2, report)?;
    cases::offenders(out, page / 10 * 6, report)?;
    cases::all(out, page / 10 * 8, report)?;
    list(out, page / 10 * 9, "Further remarks", report.hints.get(HINTS..).unwrap_or_default())?;
    writeln!(out, "\n## Inputs\n\n| role | path | rows | fingerprint |\n|---|---|--:|---|")?;
    let inputs = report.inputs.iter().map(|input| {
        let (role, path) = (cell(&input.role, 40), cell(&input.path, 200));
        format!("| {role} | {path} | {} | {} |", text::group(input.rows), code(&input.fingerprint()))
    });
    rows(out, page, (report.inputs.len(), "input"), inputs)?;
    let settings = &report.settings;
    let options = settings.options.iter().take(20).map(|(name, value)| {
        format!(" · {} {}", cell(name, 40), cell(value.as_str().unwrap_or(&value.to_string()), 80))
    });
    let options: String = options.collect();
    writeln!(out, "\nkarat {} · gates: {}{options}", cell(&report.karat, 40), cell(&settings.gates, 80))
}

fn mark(verdict: Decision) -> &'static str {
    match verdict {
        Decision::Ship => "✅",
        Decision::NoShip => "❌",
        Decision::Inconclusive => "⚠️",
    }
}

fn checks(out: &mut String, report: &Report) -> std::fmt::Result {
    if report.checks.is_empty() {
        return Ok(());
    }
    writeln!(out, "| check | | says | cases |\n|---|---|---|---|")?;
    for check in &report.checks {
        let mark = match check.pass {
            Some(true) => "✅",
            Some(false) => "❌",
            None => "not judged",
        };
        let more = if check.cases_total > check.cases.len() as u64 { ", …" } else { "" };
        let cases = cell(&check.cases.join(", "), 400);
        writeln!(out, "| {} | {mark} | {} | {cases}{more} |", cell(&check.name, 80), cell(&check.says, 300))?;
    }
    writeln!(out)
}

/// The figures, each with its gates; then the counts that are gated.
fn metrics(out: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(out, "| metric | value | n/N | 95 % interval | gate | |\n|---|--:|--:|---|---|---|")?;
    let whole = || report.gates.iter().filter(|gate| gate.slice.is_none());
    for (name, value) in &report.metrics {
        let gates: Vec<&Gate> = whole().filter(|gate| gate.metric == *name).collect();
        metric(out, name, value, &gates)?;
    }
    for gate in whole().filter(|gate| !report.metrics.contains_key(&gate.metric)) {
        let value = gate.value.map_or_else(|| "–".into(), |value| format!("{value}"));
        let (name, sign) = (cell(&gate.metric, 80), cell(&sign(gate), 80));
        writeln!(out, "| {name} | {value} | | | {sign} | {} |", outcome(gate))?;
    }
    writeln!(out)
}

fn metric(out: &mut String, name: &str, value: &Figure, gates: &[&Gate]) -> std::fmt::Result {
    let over = match (value.num, value.den) {
        (Some(num), Some(den)) => format!("{}/{}", text::group(num), text::group(den)),
        (None, Some(den)) => format!("over {}", text::group(den)),
        _ => String::new(),
    };
    let interval = value.ci95.map_or_else(String::new, |[low, high]| format!("{low:.4} – {high:.4}"));
    let shown = match (value.num, value.den) {
        (Some(count), None) => text::group(count),
        _ => figure(value.value),
    };
    let vacuous = if value.vacuous { " (vacuous)" } else { "" };
    let signs: Vec<String> = gates.iter().map(|gate| cell(&sign(gate), 80)).collect();
    let outcomes: Vec<String> = gates.iter().map(|gate| outcome(gate)).collect();
    writeln!(
        out,
        "| {} | {shown}{vacuous} | {over} | {interval} | {} | {} |",
        cell(name, 80),
        signs.join("<br>"),
        outcomes.join("<br>")
    )
}

fn sign(gate: &Gate) -> String {
    let start = gate.text.find(gate.op.as_str()).unwrap_or(0);
    gate.text.get(start..).unwrap_or_default().to_owned()
}

fn outcome(gate: &Gate) -> String {
    let word = match gate.outcome {
        Outcome::Pass => "✅ pass",
        Outcome::Fail if gate.waived.is_some() => "❌ FAIL (waived)",
        Outcome::Fail => "❌ **fail**",
        Outcome::Inconclusive => "⚠️ inconclusive",
        Outcome::NotJudged => "not judged",
    };
    match &gate.waived {
        Some(waiver) => format!("{word} until {}: {}", cell(&waiver.expires, 20), cell(&waiver.reason, 120)),
        None => word.to_owned(),
    }
}

/// What only this suite reports; nothing of what only a page can draw.
fn section(out: &mut String, room: usize, section: &Section) -> std::fmt::Result {
    match &section.body {
        Body::Matrix(matrix) => {
            let across = matrix.across.as_deref().map(|across| format!(" \\ {}", text::shorten(across, 40)));
            let corner = format!("{}{}", text::shorten(&matrix.down, 40), across.unwrap_or_default());
            let mut rows: Vec<Vec<String>> =
                vec![[corner].into_iter().chain(matrix.columns.iter().cloned()).collect()];
            for (name, counts) in &matrix.rows {
                rows.push([name.clone()].into_iter().chain(counts.iter().map(|n| text::group(*n))).collect());
            }
            table(out, room, &TextTable { title: matrix_title(&section.title, matrix), legend: "", rows })
        }
        Body::Text { lines } => list(out, room, &section.title, lines),
        _ => tables(section).iter().try_for_each(|shown| table(out, room, shown)),
    }
}

fn slices(out: &mut String, room: usize, report: &Report) -> std::fmt::Result {
    if report.slices.is_empty() {
        return Ok(());
    }
    let shown = report.profile.slices;
    let heads: Vec<&str> = shown.iter().map(|(name, _)| *name).collect();
    let rules = "--:|".repeat(shown.len());
    writeln!(out, "\n## Slices\n\n| slice | cases | {} | gates |\n|---|--:|{rules}---|", heads.join(" | "))?;
    // Where not all find room, those that fail do.
    let mut order: Vec<_> = report.slices.iter().collect();
    if order.len() > 50 {
        order.sort_by_key(|slice| slice.pass);
    }
    let lines = order.into_iter().map(|slice| {
        let value = |name: &&str| match slice.metrics.get(*name) {
            Some(figure) if figure.vacuous => "–".to_owned(),
            Some(f) => figure(f.value),
            None => "–".to_owned(),
        };
        let figures: Vec<String> = heads.iter().map(value).collect();
        let stuck = slice.gates.iter().filter(|gate| gate.pass == Some(false)).take(5);
        let stuck: Vec<String> = stuck.map(|g| format!("{} {}", outcome(g), cell(&g.text, 120))).collect();
        let gates = match (slice.gates.is_empty(), stuck.is_empty()) {
            (true, _) => String::new(),
            (false, true) => "✅ pass".into(),
            (false, false) if slice.offenders.is_empty() => stuck.join("<br>"),
            (false, false) => {
                format!("{}<br>cases: {}", stuck.join("<br>"), cell(&slice.offenders.join(", "), 300))
            }
        };
        format!("| {} | {} | {} | {gates} |", cell(&slice.name(), 120), slice.cases, figures.join(" | "))
    });
    rows(out, room, (report.slices.len(), "slice"), lines)
}

fn list(out: &mut String, room: usize, title: &str, items: &[String]) -> std::fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## {title}\n")?;
    rows(out, room, (items.len(), "remark"), items.iter().map(|item| format!("- {}", cell(item, 500))))
}

fn table(
    out: &mut String,
    room: usize,
    TextTable { title, legend, rows: all }: &TextTable,
) -> std::fmt::Result {
    let Some((heads, lines)) = all.split_first() else { return Ok(()) };
    let rules = "--:|".repeat(heads.len().saturating_sub(1));
    // A row that is a remark has one cell, and the others stay empty.
    let cells = |row: &[String]| {
        let filled = row.iter().map(|text| cell(text, 120)).chain(std::iter::repeat(String::new()));
        filled.take(heads.len()).collect::<Vec<_>>().join(" | ")
    };
    writeln!(out, "\n## {}{legend}\n\n| {} |\n|---|{rules}", cell(title, 200), cells(heads))?;
    rows(out, room, (lines.len(), "row"), lines.iter().map(|row| format!("| {} |", cells(row))))
}

/// Writes lines while there is room on the page, then how many of `all` there are more.
fn rows(
    out: &mut String,
    room: usize,
    (all, noun): (usize, &str),
    lines: impl Iterator<Item = String>,
) -> std::fmt::Result {
    let mut written = 0;
    for line in lines {
        if out.len() + line.len() > room {
            break;
        }
        writeln!(out, "{line}")?;
        written += 1;
    }
    if written < all {
        writeln!(
            out,
            "\n{} in the json report.",
            text::count((all - written) as u64, &format!("more {noun}"))
        )?;
    }
    Ok(())
}

/// Text in a code span: what could end it is gone.
fn code(plain: &str) -> String {
    format!("`{}`", text::shorten(&text::visible(plain), 160).replace(['`', '|', '\\'], " ").trim())
}

/// Text from the input as plain words, all of it.
pub(crate) fn escape(plain: &str) -> String {
    cell(plain, usize::MAX)
}

/// Text from the input as plain words, so many characters of it at most: nothing in it is markup, a link, or a table's
/// bar.
fn cell(plain: &str, most: usize) -> String {
    let plain = text::shorten(plain, most);
    let mut out = String::with_capacity(plain.len());
    let plain = text::visible(&plain);
    for (at, c) in plain.char_indices() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '|' => out.push_str("&#124;"),
            '@' => out.push_str("&#64;"), // no mention of a stranger
            // No link made of a bare address: `https://`, `www.`
            ':' if plain[at..].starts_with("://") => out.push_str("&#58;"),
            '.' if plain[..at].to_ascii_lowercase().ends_with("www") => out.push_str("&#46;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '!' | '$' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{cell, code};

    #[test]
    fn input_is_never_markup() {
        assert_eq!(
            cell("a|b <script> `x` [l](u) @me\n", 80),
            "a&#124;b &lt;script&gt; \\`x\\` \\[l\\](u) &#64;me␊"
        );
        assert_eq!(cell("https://x.example www.x.example", 80), "https&#58;//x.example www&#46;x.example");
        assert_eq!(cell("abcdef", 4), "abc…");
        assert_eq!(code("a`b|c"), "`a b c`");
    }
}
