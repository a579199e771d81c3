//! A table that a person reads in five seconds: verdict first, then figures against their gates, where cases were lost,
//! slices, the worst cases, what to do next. Eighty columns.

pub(super) mod check;
pub(super) mod tables;

use std::fmt::{self, Write};

use anstyle::{AnsiColor, Style as Paint};
use unicode_width::UnicodeWidthStr;

use self::tables::{TextTable, matrix_title, moved, tables};
use super::{Format, figure};
use crate::compose::why;
use crate::metrics::Table;
use crate::profiles::Profile;
use crate::report::{Body, Decision, Figure, Gate, Matrix, Outcome, Place, Report, Section};
use crate::text::{self, shorten, visible};
use crate::wrap::{WIDTH, wrap};

/// The declaration.
pub const FORMAT: Format = Format {
    name: "text",
    ending: ".txt",
    summary: "a table for people (the default)",
    render: |report, style| {
        let profile = Profile::named(&report.suite).unwrap_or_else(Profile::answers);
        let mut out = Page { text: String::new(), color: style.color, profile, widths: (0, 0, 0) };
        let written = if style.brief { out.verdict(report) } else { out.page(report) };
        written.map(|()| out.text).unwrap_or_default()
    },
    check: |checked, style| check::render(checked, style.color, style.brief),
    cases: |_| false,
    paths: false,
};

const GOOD: Paint = AnsiColor::Green.on_default().bold();
const BAD: Paint = AnsiColor::Red.on_default().bold();
const UNSURE: Paint = AnsiColor::Yellow.on_default().bold();
const DIM: Paint = Paint::new().dimmed();
const BOLD: Paint = Paint::new().bold();

struct Page {
    text: String,
    color: bool,
    /// The suite's words.
    profile: Profile,
    /// How wide names are, values, and what they range over.
    widths: (usize, usize, usize),
}

impl Page {
    fn paint(&self, paint: Paint, text: &str) -> String {
        if self.color { format!("{paint}{text}{paint:#}") } else { text.to_owned() }
    }

    fn page(&mut self, report: &Report) -> fmt::Result {
        self.verdict(report)?;
        self.checks(report)?;
        self.table(report)?;
        let (first, then): (Vec<_>, Vec<_>) = report.sections.iter().partition(|section| section.first);
        first.into_iter().try_for_each(|section| self.section(section))?;
        self.stages(report)?;
        moved(report).into_iter().try_for_each(|table| self.figures(table))?;
        then.into_iter().try_for_each(|section| self.section(section))?;
        self.slices(report)?;
        self.offenders(report, usize::MAX)?;
        self.list("What it suggests", &report.diagnosis)?;
        self.list("Remarks", &report.hints)
    }

    fn verdict(&mut self, report: &Report) -> fmt::Result {
        let (paint, why) = (decision(report.verdict), why(report));
        let word = self.paint(paint, report.verdict.name());
        let read = visible(&report.scope);
        let (says, lead) = (format!("{}: {why}", report.suite), report.verdict.name().len() + 2);
        if lead + says.chars().count() + read.chars().count() + 4 > WIDTH {
            return self.wrap_under(&format!("{word}  "), lead, &format!("{says} ({read})"));
        }
        writeln!(self.text, "{word}  {says}  {}", self.paint(DIM, &format!("({read})")))
    }

    fn checks(&mut self, report: &Report) -> fmt::Result {
        if report.checks.is_empty() {
            return Ok(());
        }
        writeln!(self.text)?;
        let width = report.checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
        for check in &report.checks {
            let (paint, mark) = match check.pass {
                Some(true) => (GOOD, "✓"),
                Some(false) => (BAD, "✗"),
                None => (DIM, "·"),
            };
            let lead = format!("{} {:<width$}  ", self.paint(paint, mark), visible(&check.name));
            self.wrap_under(&lead, width + 4, &check.says)?;
            if !check.cases.is_empty() {
                let more = if check.cases_total > check.cases.len() as u64 { ", …" } else { "" };
                self.wrap(&" ".repeat(width + 4), &format!("{}{more}", check.cases.join(", ")))?;
            }
        }
        Ok(())
    }

    fn table(&mut self, report: &Report) -> fmt::Result {
        self.widths = widths(report);
        let (name, value, over) = self.widths;
        let head = format!(
            "  {:<name$}{:>value$} {:>over$}  {:<15} {:<10}",
            "metric", "value", "n/N", "95% interval", "gate"
        );
        writeln!(self.text, "\n{}", self.paint(DIM, head.trim_end()))?;
        // What is gated comes first, in the order of the gates; then the other figures.
        let mut shown: Vec<&str> = Vec::new();
        for gate in report.gates.iter().filter(|gate| gate.slice.is_none()) {
            shown.push(&gate.metric);
            let figure = report.metrics.get(&gate.metric);
            let count = report.counts.get(&gate.metric).copied();
            self.row(&gate.metric, figure, count, Some(gate))?;
        }
        for (name, figure) in report.metrics.iter().filter(|(name, _)| !shown.contains(&name.as_str())) {
            let declared = self.profile.metric(name).map_or(Table::Always, |metric| metric.table);
            let worth_a_row = match declared {
                Table::Always => !figure.vacuous,
                Table::NotZero => figure.value != Some(0.0),
                Table::Gated => false,
            };
            if figure.value.is_some() && worth_a_row {
                self.row(name, Some(figure), None, None)?;
            }
        }
        let counts: Vec<String> =
            report.counts.iter().map(|(name, n)| format!("{name}\u{a0}{}", text::group(*n))).collect();
        self.wrap("  ", &counts.join("\u{a0}· "))
    }

    fn row(
        &mut self,
        name: &str,
        value: Option<&Figure>,
        count: Option<u64>,
        gate: Option<&Gate>,
    ) -> fmt::Result {
        let (shown, over) = match (value, count) {
            (Some(value), _) => match (value.num, value.den) {
                (Some(num), Some(den)) => (figure(value.value), format!("{num}/{den}")),
                (None, Some(den)) => (figure(value.value), format!("over {den}")),
                (Some(num), None) => (text::group(num), String::new()),
                (None, None) => (figure(value.value), String::new()),
            },
            (None, count) => (count.map_or_else(|| "–".into(), text::group), String::new()),
        };
        let interval = match value {
            Some(Figure { ci95: Some([low, high]), .. }) => format!("{low:.4} – {high:.4}"),
            Some(value) if value.vacuous => "vacuous".into(),
            _ => String::new(),
        };
        let (mark, condition, says) = match gate {
            None => (" ".into(), String::new(), String::new()),
            Some(gate) => {
                let (paint, mark, word) = outcome(gate.outcome);
                let typed = gate.text.split_once(gate.op.as_str()).map_or("", |(_, typed)| typed);
                let condition = format!("{} {}", gate.op, visible(typed));
                let waived = if gate.waived.is_some() { " (waived)" } else { "" };
                (self.paint(paint, mark), condition, self.paint(paint, &format!("{word}{waived}")))
            }
        };
        let (wide, deep, across) = self.widths;
        let line = format!(
            "{mark} {name:<wide$}{shown:>deep$} {over:>across$}  {interval:<15} {condition:<10} {says}"
        );
        writeln!(self.text, "{}", line.trim_end())?;
        if let Some(reason) = gate.and_then(|gate| gate.reason.as_deref()) {
            self.wrap("    ", reason)?;
        }
        Ok(())
    }

    /// What only this suite reports; nothing of what only a page can draw.
    fn section(&mut self, section: &Section) -> fmt::Result {
        match &section.body {
            _ if !section.is_on(Place::Text) => Ok(()),
            Body::Matrix(matrix) => self.matrix(&section.title, matrix),
            Body::Text { lines } => self.list(&section.title, lines),
            _ => tables(section).into_iter().try_for_each(|table| self.figures(table)),
        }
    }

    fn figures(&mut self, TextTable { title, legend, rows: table }: TextTable) -> fmt::Result {
        self.title(&format!("{title}{legend}"))?;
        let row = |row: Vec<String>| row.iter().map(|cell| visible(cell).into_owned()).collect();
        let table: Vec<Vec<String>> = table.into_iter().map(row).collect();
        let width = |column: usize| {
            let cells = table.iter().filter_map(|row| row.get(column));
            cells.map(|cell| UnicodeWidthStr::width(cell.as_str())).max().unwrap_or(0)
        };
        for (i, row) in table.iter().enumerate() {
            let mut line = String::from(" ");
            for (column, cell) in row.iter().enumerate() {
                let fill = " ".repeat(width(column) - UnicodeWidthStr::width(cell.as_str()));
                let (left, right) = if column == 0 { ("", fill.as_str()) } else { (fill.as_str(), "") };
                let _ = write!(line, " {left}{cell}{right} ");
            }
            let line = line.trim_end();
            writeln!(self.text, "{}", if i == 0 { self.paint(DIM, line) } else { line.to_owned() })?;
        }
        Ok(())
    }

    fn matrix(&mut self, title: &str, matrix: &Matrix) -> fmt::Result {
        self.title(&matrix_title(title, matrix))?;
        let heads: String =
            matrix.columns.iter().map(|label| format!("{:>16}", shorten(&visible(label), 15))).collect();
        writeln!(self.text, "{}", self.paint(DIM, &format!("  {:<14}{heads}", "")))?;
        for (name, counts) in &matrix.rows {
            let cells: String = counts.iter().map(|n| format!("{:>16}", text::group(*n))).collect();
            writeln!(self.text, "  {}{cells}", padded(&shorten(&visible(name), 14), 14))?;
        }
        Ok(())
    }

    fn stages(&mut self, report: &Report) -> fmt::Result {
        let lost: Vec<(&String, &u64)> = report.stages.iter().filter(|(name, _)| *name != "pass").collect();
        if lost.is_empty() {
            return Ok(());
        }
        let lost = report.layout.fault.is_none();
        self.title(if lost { "Where cases were lost" } else { "Why answers ended as they did" })?;
        let all: u64 = report.stages.values().sum();
        let width = report.stages.keys().map(String::len).max().unwrap_or(0).max(12);
        for (name, n) in &report.stages {
            let bar = "█".repeat(((*n * 40).div_ceil(all.max(1))) as usize);
            let paint = if name == "pass" { GOOD } else { BAD };
            writeln!(self.text, "  {name:<width$} {:>7}  {}", text::group(*n), self.paint(paint, &bar))?;
        }
        Ok(())
    }

    fn slices(&mut self, report: &Report) -> fmt::Result {
        const MOST: usize = 20;
        if report.slices.is_empty() {
            return Ok(());
        }
        self.title("Slices")?;
        let shown = self.profile.slices;
        let heads: Vec<String> = shown.iter().map(|(_, head)| format!("{head:>10}")).collect();
        let head = format!("  {:<26}{:>6}{}", "", "cases", heads.concat());
        writeln!(self.text, "{}", self.paint(DIM, &head))?;
        // Those that fail first; nothing that fails is left out.
        let mut order: Vec<_> = report.slices.iter().collect();
        order.sort_by_key(|slice| slice.pass);
        let failing = order.iter().filter(|slice| !slice.pass).count();
        for slice in order.iter().take(MOST.max(failing)) {
            let name = format!("{}={}", slice.field, slice.value.as_deref().unwrap_or("(none)"));
            let value = |name: &str| slice.metrics.get(name).filter(|f| !f.vacuous).and_then(|f| f.value);
            let figures: String =
                shown.iter().map(|(name, _)| format!("{:>10}", figure(value(name)))).collect();
            let mark = match (slice.gates.is_empty(), slice.pass) {
                (true, _) => " ".to_owned(),
                (false, true) => self.paint(GOOD, "✓"),
                (false, false) if slice.gates.iter().any(|g| g.outcome == Outcome::Fail) => {
                    self.paint(BAD, "✗")
                }
                (false, false) => self.paint(UNSURE, "?"),
            };
            writeln!(
                self.text,
                "{mark} {}{:>6}{figures}",
                padded(&shorten(&visible(&name), 25), 26),
                text::group(slice.cases)
            )?;
            for gate in slice.gates.iter().filter(|gate| gate.pass == Some(false)) {
                let (paint, _, word) = outcome(gate.outcome);
                writeln!(
                    self.text,
                    "    {} {} at {}",
                    self.paint(paint, word),
                    visible(&gate.text),
                    figure(gate.value)
                )?;
                if let Some(reason) = &gate.reason {
                    self.wrap("      ", reason)?;
                }
            }
            if !slice.offenders.is_empty() {
                self.wrap("    cases: ", &slice.offenders.join(", "))?;
            }
        }
        if order.len() > MOST.max(failing) {
            let more = order.len() - MOST.max(failing);
            writeln!(self.text, "  … and {more} more that pass: see the json report")?;
        }
        let values = |gate: &&Gate| {
            !report.slices.iter().any(|s| {
                Some(format!("{}={}", s.field, s.value.as_deref().unwrap_or("(none)"))) == gate.slice
            })
        };
        for gate in report.gates.iter().filter(|gate| gate.slice.is_some()).filter(values) {
            let word = self.paint(BAD, "FAIL");
            let reason = visible(gate.reason.as_deref().unwrap_or_default());
            writeln!(self.text, "  {word} {}: {reason}", visible(&gate.text))?;
        }
        Ok(())
    }

    fn offenders(&mut self, report: &Report, most: usize) -> fmt::Result {
        if report.offenders.is_empty() {
            return Ok(());
        }
        let labels = (self.profile.labels)();
        let good = |name: &str| labels.iter().any(|label| label.name == name && label.good);
        let by_label = || report.labels.iter().filter(|(name, _)| !good(name)).map(|(_, n)| n).sum();
        let bad: u64 = report.offenders_total.unwrap_or_else(by_label);
        let shown = report.offenders.len().min(most);
        self.title(&format!("Worst cases ({shown} of {})", text::group(bad)))?;
        let gold = visible(report.gold());
        let mut told = Vec::new();
        for case in report.offenders.iter().take(most) {
            let label = self.paint(BAD, &case.label);
            let line = if case.line > 0 { format!(":{}", case.line) } else { String::new() };
            let place = self.paint(DIM, &format!("{gold}{line} · lost at {}", case.first_failed_stage));
            writeln!(self.text, "{label}  {}  {place}", self.paint(BOLD, &shorten(&visible(&case.id), 40)))?;
            let facts = case.worst_facts(&report.layout);
            let gold = facts.iter().find(|(name, _)| *name == "gold").map_or("–", |(_, ids)| ids);
            for (name, text) in &facts {
                match *name {
                    "wanted" if case.label != "NO_CLAIM_MATCH" => {}
                    "trace" if case.trace_line.is_none() => {}
                    "gold" => {}
                    "cited" => self.field(name, &format!("{text}   gold: {gold}"))?,
                    "note" => {
                        let lead = format!("  {} ", self.paint(DIM, &format!("{name:<9}")));
                        self.wrap_under(&lead, 12, &shorten(text, 400))?;
                    }
                    "do" if told.contains(&&case.next_step) => {}
                    "do" => {
                        told.push(&case.next_step);
                        self.wrap("  do        ", text)?;
                    }
                    _ => self.field(name, text)?,
                }
            }
        }
        Ok(())
    }

    fn field(&mut self, name: &str, value: &str) -> fmt::Result {
        if value.is_empty() {
            return Ok(());
        }
        let value = shorten(&visible(value), WIDTH - 12).into_owned();
        writeln!(self.text, "  {} {value}", self.paint(DIM, &format!("{name:<9}")))
    }

    fn list(&mut self, title: &str, items: &[String]) -> fmt::Result {
        if items.is_empty() {
            return Ok(());
        }
        self.title(title)?;
        items.iter().try_for_each(|item| self.wrap("- ", item))
    }

    fn title(&mut self, title: &str) -> fmt::Result {
        writeln!(self.text, "\n{}", self.paint(BOLD, &visible(title)))
    }

    /// Breaks a line at spaces; what follows is indented under its beginning.
    fn wrap(&mut self, lead: &str, line: &str) -> fmt::Result {
        self.wrap_under(lead, lead.len(), line)
    }

    /// Breaks a line whose lead takes another number of columns than it has bytes.
    fn wrap_under(&mut self, lead: &str, columns: usize, line: &str) -> fmt::Result {
        writeln!(self.text, "{}", wrap(lead, &" ".repeat(columns), &visible(line)))
    }
}

/// How wide the columns of names, values and n/N must be; where names are long, n/N makes room for them.
fn widths(report: &Report) -> (usize, usize, usize) {
    let shown = report.metrics.values().filter(|value| value.num.is_none());
    let value = shown.map(|value| figure(value.value).chars().count()).max().unwrap_or(0).max(7);
    let name = report.metrics.keys().map(String::len).max().unwrap_or(0).max(18);
    if name == 18 {
        return (name, value, 11);
    }
    let over = |figure: &Figure| match (figure.num, figure.den) {
        (Some(num), Some(den)) => format!("{num}/{den}").len(),
        (None, Some(den)) => format!("over {den}").len(),
        _ => 0,
    };
    (name, value, report.metrics.values().map(over).max().unwrap_or(0))
}

/// Fills up to a width in columns: CJK letters take two.
fn padded(text: &str, width: usize) -> String {
    let columns = UnicodeWidthStr::width(text);
    format!("{text}{}", " ".repeat(width.saturating_sub(columns)))
}

fn decision(decision: Decision) -> Paint {
    match decision {
        Decision::Ship => GOOD,
        Decision::NoShip => BAD,
        Decision::Inconclusive => UNSURE,
    }
}

fn outcome(outcome: Outcome) -> (Paint, &'static str, &'static str) {
    match outcome {
        Outcome::Pass => (GOOD, "✓", "pass"),
        Outcome::Fail => (BAD, "✗", "FAIL"),
        Outcome::Inconclusive => (UNSURE, "?", "INCONCLUSIVE"),
        Outcome::NotJudged => (DIM, "·", "not judged"),
    }
}
