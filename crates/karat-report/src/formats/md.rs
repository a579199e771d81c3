//! A Markdown report for a pull request: verdict, metrics, gates, what went wrong, the cases (folded when many).
//!
//! A comment holds 64 KB, so long tables stop in time and say what they left out. Text from an input is plain words:
//! nothing in it is markup, a link or a mention.

mod cases;
pub(crate) mod check;

use super::text::tables::{TextTable, matrix_title, moved, tables};
use super::{Format, figure};
use crate::report::{Body, Figure, Gate, Outcome, Place, Report, Section};
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
    let mut out =
        format!("# {} karat {}: {}\n\n", mark(report.verdict.outcome()), report.suite, report.verdict.name());
    let judged = report.gates.iter().filter(|gate| gate.pass.is_some()).count() as u64;
    let stuck = report.gates.iter().filter(|gate| gate.blocks()).count();
    let waived = report.gates.iter().filter(|gate| gate.waived.is_some()).count();
    let gates = text::count(judged, "gate");
    let says = match (&report.headline, stuck, waived) {
        (Some(headline), ..) => text::capital(&cell(headline, 300)),
        (None, 0, 0) => format!("{gates} pass"),
        (None, 0, waived) => format!("{waived} of {gates} waived"),
        (None, stuck, _) => format!("{stuck} of {gates} stand in the way"),
    };
    out.push_str(&format!("{says}.\n\n"));
    amber(&mut out, report);
    for remark in report.hints.iter().take(HINTS) {
        out.push_str(&format!("- ⚠️ {}\n", cell(remark, 300)));
    }
    out.push_str(if report.hints.is_empty() { "" } else { "\n" });
    checks(&mut out, report);
    metrics(&mut out, report);
    let reasons = report.gates.iter().filter_map(|gate| Some((gate, gate.reason.as_ref()?)));
    let reasons = reasons.map(|(gate, reason)| format!("- {}: {}", code(&gate.title()), cell(reason, 300)));
    let reasons: Vec<String> = reasons.collect();
    rows(&mut out, page / 5, (reasons.len(), "reason"), reasons.into_iter());
    list(&mut out, page / 4, "What it suggests", &report.diagnosis);
    moved(report).iter().for_each(|shown| table(&mut out, page / 3, shown));
    for part in report.sections.iter().filter(|section| section.is_on(Place::Text)) {
        section(&mut out, page / 3, part);
    }
    slices(&mut out, page / 2, report);
    cases::offenders(&mut out, page / 10 * 6, report);
    cases::all(&mut out, page / 10 * 8, report);
    list(&mut out, page / 10 * 9, "Further remarks", report.hints.get(HINTS..).unwrap_or_default());
    out.push_str("\n## Inputs\n\n| role | path | rows | fingerprint |\n|---|---|--:|---|\n");
    let inputs = report.inputs.iter().map(|input| {
        let (role, path) = (cell(&input.role, 40), cell(&input.path, 200));
        format!("| {role} | {path} | {} | {} |", text::group(input.rows), code(&input.fingerprint()))
    });
    rows(&mut out, page, (report.inputs.len(), "input"), inputs);
    let settings = &report.settings;
    let options = settings.options.iter().take(20).map(|(name, value)| {
        format!(" · {} {}", cell(name, 40), cell(value.as_str().unwrap_or(&value.to_string()), 80))
    });
    let (karat, gates) = (cell(&report.karat, 40), cell(&settings.gates, 80));
    out + &format!("\nkarat {karat} · gates: {gates}{}\n", options.collect::<String>())
}

/// What the verdict must not be read without.
pub(super) fn amber(out: &mut String, report: &Report) {
    for amber in &report.amber {
        out.push_str(&format!("- 🟠 {}\n", cell(&amber.text, 500)));
    }
    out.push_str(if report.amber.is_empty() { "" } else { "\n" });
}

/// The sign of an outcome.
fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "✅",
        Outcome::Fail => "❌",
        Outcome::Inconclusive => "⚠️",
        Outcome::NotJudged => "not judged",
    }
}

fn checks(out: &mut String, report: &Report) {
    if report.checks.is_empty() {
        return;
    }
    out.push_str("| check | | says | cases |\n|---|---|---|---|\n");
    for check in &report.checks {
        let more = if check.cases_total > check.cases.len() as u64 { ", …" } else { "" };
        let (name, says) = (cell(&check.name, 80), cell(&check.says, 300));
        let (mark, cases) = (mark(Outcome::of(check.pass)), cell(&check.cases.join(", "), 400));
        out.push_str(&format!("| {name} | {mark} | {says} | {cases}{more} |\n"));
    }
    out.push('\n');
}

/// The figures, each with its gates; then the counts that are gated.
fn metrics(out: &mut String, report: &Report) {
    out.push_str("| metric | value | n/N | 95 % interval | gate | |\n|---|--:|--:|---|---|---|\n");
    let whole = || report.gates.iter().filter(|gate| gate.slice.is_none());
    for (name, value) in &report.metrics {
        let gates: Vec<&Gate> = whole().filter(|gate| gate.metric == *name).collect();
        out.push_str(&metric(name, value, &gates));
    }
    for gate in whole().filter(|gate| !report.metrics.contains_key(&gate.metric)) {
        let value = gate.value.map_or_else(|| "–".into(), |value| format!("{value}"));
        let (name, sign) = (cell(&gate.metric, 80), cell(&sign(gate), 80));
        out.push_str(&format!("| {name} | {value} | | | {sign} | {} |\n", outcome(gate)));
    }
    out.push('\n');
}

fn metric(name: &str, value: &Figure, gates: &[&Gate]) -> String {
    let over = match (value.num, value.den) {
        (Some(num), Some(den)) => format!("{}/{}", text::group(num), text::group(den)),
        (None, Some(den)) => format!("over {}", text::group(den)),
        _ => String::new(),
    };
    let interval = value.ci95.map_or_else(String::new, |[low, high]| format!("{low:.4} – {high:.4}"));
    let count = value.num.filter(|_| value.is_count());
    let shown = count.map_or_else(|| figure(value.value), text::group);
    let vacuous = if value.vacuous { " (vacuous)" } else { "" };
    let each = |of: fn(&Gate) -> String| gates.iter().map(|gate| of(gate)).collect::<Vec<_>>().join("<br>");
    let (signs, outcomes) = (each(|gate| cell(&sign(gate), 80)), each(outcome));
    format!("| {} | {shown}{vacuous} | {over} | {interval} | {signs} | {outcomes} |\n", cell(name, 80))
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
fn section(out: &mut String, room: usize, section: &Section) {
    match &section.body {
        Body::Matrix(matrix) => {
            let across = matrix.across.as_deref().map(|across| format!(" \\ {}", text::shorten(across, 40)));
            let corner = format!("{}{}", text::shorten(&matrix.down, 40), across.unwrap_or_default());
            let heads: Vec<String> = [corner].into_iter().chain(matrix.columns.iter().cloned()).collect();
            let row = |(name, counts): (&String, &Vec<u64>)| -> Vec<String> {
                [name.clone()].into_iter().chain(counts.iter().map(|n| text::group(*n))).collect()
            };
            let rows = [heads].into_iter().chain(matrix.rows.iter().map(row)).collect();
            table(out, room, &TextTable { title: matrix_title(&section.title, matrix), legend: "", rows });
        }
        Body::Text { lines } => list(out, room, &section.title, lines),
        _ => tables(section).iter().for_each(|shown| table(out, room, shown)),
    }
}

fn slices(out: &mut String, room: usize, report: &Report) {
    if report.slices.is_empty() {
        return;
    }
    let shown = report.profile.slices;
    let heads: Vec<&str> = shown.iter().map(|(name, _)| *name).collect();
    let (rules, titles) = ("--:|".repeat(shown.len()), heads.join(" | "));
    out.push_str(&format!("\n## Slices\n\n| slice | cases | {titles} | gates |\n|---|--:|{rules}---|\n"));
    // Where not all find room, those that fail do.
    let mut order: Vec<_> = report.slices.iter().collect();
    if order.len() > 50 {
        order.sort_by_key(|slice| slice.pass);
    }
    let lines = order.into_iter().map(|slice| {
        let value = |name: &&str| slice.metrics.get(*name).filter(|f| !f.vacuous).and_then(|f| f.value);
        let figures: Vec<String> = heads.iter().map(|name| figure(value(name))).collect();
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
    rows(out, room, (report.slices.len(), "slice"), lines);
}

fn list(out: &mut String, room: usize, title: &str, items: &[String]) {
    if !items.is_empty() {
        out.push_str(&format!("\n## {title}\n\n"));
        let lines = items.iter().map(|item| format!("- {}", cell(item, 500)));
        rows(out, room, (items.len(), "remark"), lines);
    }
}

fn table(out: &mut String, room: usize, TextTable { title, legend, rows: all }: &TextTable) {
    let Some((heads, lines)) = all.split_first() else { return };
    let rules = "--:|".repeat(heads.len().saturating_sub(1));
    // A row that is a remark has one cell, and the others stay empty.
    let cells = |row: &[String]| {
        let filled = row.iter().map(|text| cell(text, 120)).chain(std::iter::repeat(String::new()));
        filled.take(heads.len()).collect::<Vec<_>>().join(" | ")
    };
    out.push_str(&format!("\n## {}{legend}\n\n| {} |\n|---|{rules}\n", cell(title, 200), cells(heads)));
    rows(out, room, (lines.len(), "row"), lines.iter().map(|row| format!("| {} |", cells(row))));
}

/// Writes lines while there is room on the page, then how many of `all` there are more.
fn rows(out: &mut String, room: usize, (all, noun): (usize, &str), lines: impl Iterator<Item = String>) {
    let (mut left, mut lines) = (all as u64, lines.peekable());
    while let Some(line) = lines.next_if(|line| out.len() + line.len() <= room) {
        out.push_str(&line);
        out.push('\n');
        left -= 1;
    }
    if left > 0 {
        let more = text::count(left, &format!("more {noun}"));
        out.push_str(&format!("\n{more} in the json report.\n"));
    }
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
