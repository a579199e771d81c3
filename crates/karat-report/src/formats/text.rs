//! A table that a person reads in five seconds: verdict first, then figures against their gates, where cases were lost,
//! slices, the worst cases, what to do next. Eighty columns.

pub(super) mod check;
pub(super) mod tables;

use std::fmt::Write;

use anstyle::{AnsiColor, Style as Paint};
use unicode_width::UnicodeWidthStr;

use self::tables::{TextTable, matrix_title, moved, tables};
use super::{Format, Style, figure};
use crate::metrics::Table;
use crate::report::why;
use crate::report::{Body, Decision, Figure, Gate, Matrix, Outcome, Place, Report, Section, Slice};
use crate::text::{self, shorten, visible};
use crate::wrap::{WIDTH, wrap};

/// The declaration.
pub const FORMAT: Format = Format {
    name: "text",
    ending: ".txt",
    summary: "a table for people (the default)",
    render: |report, style| {
        Page::render(style, |page| if style.brief { page.verdict(report) } else { page.report(report) })
    },
    check: |checked, style| {
        Page::render(style, |page| if style.brief { page.checked(checked) } else { page.check(checked) })
    },
    cases: |_| false,
    paths: false,
};

pub(crate) const DIM: Paint = Paint::new().dimmed();
pub(crate) const BOLD: Paint = Paint::new().bold();

/// The colour of an outcome.
pub(crate) fn paint_of(outcome: Outcome) -> Paint {
    match outcome {
        Outcome::Pass => AnsiColor::Green.on_default().bold(),
        Outcome::Fail => AnsiColor::Red.on_default().bold(),
        Outcome::Inconclusive => AnsiColor::Yellow.on_default().bold(),
        Outcome::NotJudged => DIM,
    }
}

/// A page for a terminal while it is written: eighty columns wide, with or without colours.
pub(crate) struct Page {
    pub(crate) text: String,
    color: bool,
}

impl Page {
    pub(crate) fn render(style: &Style, write: impl FnOnce(&mut Page)) -> String {
        let mut page = Page { text: String::new(), color: style.color };
        write(&mut page);
        page.text
    }

    pub(crate) fn paint(&self, paint: Paint, text: &str) -> String {
        if self.color { format!("{paint}{text}{paint:#}") } else { text.to_owned() }
    }

    /// The sign of an outcome in its colour.
    pub(crate) fn mark(&self, outcome: Outcome) -> String {
        self.paint(paint_of(outcome), outcome.mark())
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn list(&mut self, title: &str, items: &[String]) {
        if !items.is_empty() {
            self.title(title);
            items.iter().for_each(|item| self.wrap("- ", item));
        }
    }

    pub(crate) fn title(&mut self, title: &str) {
        self.line(&format!("\n{}", self.paint(BOLD, &visible(title))));
    }

    /// Breaks a line at spaces; what follows is indented under its beginning.
    pub(crate) fn wrap(&mut self, lead: &str, line: &str) {
        self.wrap_under(lead, lead.len(), line);
    }

    /// Breaks a line whose lead takes another number of columns than it has bytes.
    pub(crate) fn wrap_under(&mut self, lead: &str, columns: usize, line: &str) {
        self.line(&wrap(lead, &" ".repeat(columns), &visible(line)));
    }

    /// The verdict in its colour, then what is said of it.
    pub(crate) fn headline(&mut self, verdict: Decision, says: &str) {
        let word = self.paint(paint_of(verdict.outcome()), verdict.name());
        self.wrap_under(&format!("{word}  "), verdict.name().len() + 2, says);
    }

    fn report(&mut self, report: &Report) {
        self.verdict(report);
        self.checks(report);
        self.table(report);
        let (first, then): (Vec<_>, Vec<_>) = report.sections.iter().partition(|section| section.first);
        first.into_iter().for_each(|section| self.section(section));
        self.stages(report);
        moved(report).into_iter().for_each(|table| self.figures(table));
        then.into_iter().for_each(|section| self.section(section));
        self.slices(report);
        self.offenders(report, usize::MAX);
        self.list("What it suggests", &report.diagnosis);
        self.list("Remarks", &report.hints);
    }

    fn verdict(&mut self, report: &Report) {
        let says = format!("{}: {}", report.suite, why(report));
        let (read, verdict) = (visible(&report.scope), report.verdict);
        if verdict.name().len() + says.chars().count() + read.chars().count() + 6 > WIDTH {
            self.headline(verdict, &format!("{says} ({read})"));
        } else {
            let word = self.paint(paint_of(verdict.outcome()), verdict.name());
            self.line(&format!("{word}  {says}  {}", self.paint(DIM, &format!("({read})"))));
        }
        report.amber.iter().for_each(|amber| self.amber(&amber.text));
    }

    /// What the verdict must not be read without.
    pub(crate) fn amber(&mut self, text: &str) {
        let lead = self.paint(paint_of(Outcome::Inconclusive), "!");
        self.wrap_under(&format!("{lead} "), 2, text);
    }

    fn checks(&mut self, report: &Report) {
        let width = report.checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
        if !report.checks.is_empty() {
            self.line("");
        }
        for check in &report.checks {
            let lead = format!("{} {:<width$}  ", self.mark(Outcome::of(check.pass)), visible(&check.name));
            self.wrap_under(&lead, width + 4, &check.says);
            if !check.cases.is_empty() {
                let more = if check.cases_total > check.cases.len() as u64 { ", …" } else { "" };
                self.wrap(&" ".repeat(width + 4), &format!("{}{more}", check.cases.join(", ")));
            }
        }
    }

    fn table(&mut self, report: &Report) {
        let widths = widths(report);
        let (name, value, over) = widths;
        let head =
            format!("  {:<name$}{:>value$} {:>over$}  {:<15} gate", "metric", "value", "n/N", "95% interval");
        self.line(&format!("\n{}", self.paint(DIM, &head)));
        // What is gated comes first, in the order of the gates; then the other figures.
        let mut shown: Vec<&str> = Vec::new();
        for gate in report.gates.iter().filter(|gate| gate.slice.is_none()) {
            shown.push(&gate.metric);
            let figure = report.metrics.get(&gate.metric);
            let count = report.counts.get(&gate.metric).copied();
            self.row(widths, &gate.metric, (figure, count), Some(gate));
        }
        let profile = report.profile.clone();
        for (name, figure) in report.metrics.iter().filter(|(name, _)| !shown.contains(&name.as_str())) {
            let worth_a_row = match profile.metric(name).map_or(Table::Always, |metric| metric.table) {
                Table::Always => !figure.vacuous,
                Table::NotZero => figure.value != Some(0.0),
                Table::Gated => false,
            };
            if figure.value.is_some() && worth_a_row {
                self.row(widths, name, (Some(figure), None), None);
            }
        }
        let counts: Vec<String> =
            report.counts.iter().map(|(name, n)| format!("{name}\u{a0}{}", text::group(*n))).collect();
        self.wrap("  ", &counts.join("\u{a0}· "));
    }

    fn row(
        &mut self,
        (wide, deep, across): (usize, usize, usize),
        name: &str,
        (value, count): (Option<&Figure>, Option<u64>),
        gate: Option<&Gate>,
    ) {
        let count = value.map_or(count, |value| value.num.filter(|_| value.den.is_none()));
        let shown = count.map_or_else(|| figure(value.and_then(|value| value.value)), text::group);
        let over = value.and_then(Figure::over).unwrap_or_default();
        let interval = match value {
            Some(Figure { ci95: Some([low, high]), .. }) => format!("{low:.4} – {high:.4}"),
            Some(value) if value.vacuous => "vacuous".into(),
            _ => String::new(),
        };
        let (mark, condition, says) = match gate {
            None => (" ".into(), String::new(), String::new()),
            Some(gate) => {
                let (op, typed) = gate.condition();
                let says = self.paint(paint_of(gate.outcome), &gate.word());
                (self.mark(gate.outcome), format!("{op} {}", visible(typed)), says)
            }
        };
        let line = format!(
            "{mark} {name:<wide$}{shown:>deep$} {over:>across$}  {interval:<15} {condition:<10} {says}"
        );
        self.line(line.trim_end());
        self.reason("    ", gate);
    }

    /// Why a gate says what it says, where that is known.
    fn reason(&mut self, lead: &str, gate: Option<&Gate>) {
        if let Some(reason) = gate.and_then(|gate| gate.reason.as_deref()) {
            self.wrap(lead, reason);
        }
    }

    /// What only this suite reports; nothing of what only a page can draw.
    fn section(&mut self, section: &Section) {
        match &section.body {
            _ if !section.is_on(Place::Text) => {}
            Body::Matrix(matrix) => self.matrix(&section.title, matrix),
            Body::Text { lines } => self.list(&section.title, lines),
            _ => tables(section).into_iter().for_each(|table| self.figures(table)),
        }
    }

    fn figures(&mut self, TextTable { title, legend, rows: table }: TextTable) {
        self.title(&format!("{title}{legend}"));
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
            self.line(&if i == 0 { self.paint(DIM, line) } else { line.to_owned() });
        }
    }

    fn matrix(&mut self, title: &str, matrix: &Matrix) {
        self.title(&matrix_title(title, matrix));
        let heads: String =
            matrix.columns.iter().map(|label| format!("{:>16}", shorten(&visible(label), 15))).collect();
        self.line(&self.paint(DIM, &format!("  {:<14}{heads}", "")));
        for (name, counts) in &matrix.rows {
            let cells: String = counts.iter().map(|n| format!("{:>16}", text::group(*n))).collect();
            self.line(&format!("  {}{cells}", padded(&shorten(&visible(name), 14), 14)));
        }
    }

    fn stages(&mut self, report: &Report) {
        if report.stages.keys().all(|name| name == "pass") {
            return;
        }
        let lost = report.layout.fault.is_none();
        self.title(if lost { "Where cases were lost" } else { "Why answers ended as they did" });
        let all: u64 = report.stages.values().sum();
        let width = report.stages.keys().map(String::len).max().unwrap_or(0).max(12);
        for (name, n) in &report.stages {
            let bar = "█".repeat(((*n * 40).div_ceil(all.max(1))) as usize);
            let bar = self.paint(paint_of(Outcome::of(Some(name == "pass"))), &bar);
            self.line(&format!("  {name:<width$} {:>7}  {bar}", text::group(*n)));
        }
    }

    fn slices(&mut self, report: &Report) {
        const MOST: usize = 20;
        if report.slices.is_empty() {
            return;
        }
        self.title("Slices");
        let columns = report.profile.clone().slices;
        let heads: String = columns.iter().map(|(_, head)| format!("{head:>10}")).collect();
        self.line(&self.paint(DIM, &format!("  {:<26}{:>6}{heads}", "", "cases")));
        // Those that fail first; nothing that fails is left out.
        let mut order: Vec<_> = report.slices.iter().collect();
        order.sort_by_key(|slice| slice.pass);
        let shown = order.iter().filter(|slice| !slice.pass).count().max(MOST);
        order.iter().take(shown).for_each(|slice| self.slice(slice, columns));
        if order.len() > shown {
            self.line(&format!("  … and {} more that pass: see the json report", order.len() - shown));
        }
        let valued = |gate: &Gate| report.slices.iter().any(|slice| Some(slice.name()) == gate.slice);
        for gate in report.gates.iter().filter(|gate| gate.slice.is_some() && !valued(gate)) {
            let word = self.paint(paint_of(Outcome::Fail), "FAIL");
            let reason = visible(gate.reason.as_deref().unwrap_or_default());
            self.line(&format!("  {word} {}: {reason}", visible(&gate.text)));
        }
    }

    fn slice(&mut self, slice: &Slice, columns: &[(&str, &str)]) {
        let value = |name: &str| slice.metrics.get(name).filter(|f| !f.vacuous).and_then(|f| f.value);
        let figures: String =
            columns.iter().map(|(name, _)| format!("{:>10}", figure(value(name)))).collect();
        let mark = match (slice.gates.is_empty(), slice.pass) {
            (true, _) => " ".to_owned(),
            (false, true) => self.mark(Outcome::Pass),
            (false, false) if slice.gates.iter().any(|g| g.outcome == Outcome::Fail) => {
                self.mark(Outcome::Fail)
            }
            (false, false) => self.mark(Outcome::Inconclusive),
        };
        let name = padded(&shorten(&visible(&slice.name()), 25), 26);
        self.line(&format!("{mark} {name}{:>6}{figures}", text::group(slice.cases)));
        for gate in slice.gates.iter().filter(|gate| gate.pass == Some(false)) {
            let word = self.paint(paint_of(gate.outcome), gate.outcome.word());
            self.line(&format!("    {word} {} at {}", visible(&gate.text), figure(gate.value)));
            self.reason("      ", Some(gate));
        }
        if !slice.offenders.is_empty() {
            self.wrap("    cases: ", &slice.offenders.join(", "));
        }
    }

    fn offenders(&mut self, report: &Report, most: usize) {
        if report.offenders.is_empty() {
            return;
        }
        let shown = report.offenders.len().min(most);
        self.title(&format!("Worst cases ({shown} of {})", text::group(report.wrong_cases())));
        let mut told = Vec::new();
        for case in report.offenders.iter().take(most) {
            let label = self.paint(paint_of(Outcome::Fail), &case.label);
            let line = if case.line > 0 { format!(":{}", case.line) } else { String::new() };
            let place = format!("{}{line} · lost at {}", visible(report.gold()), case.first_failed_stage);
            let (id, place) = (shorten(&visible(&case.id), 40).into_owned(), self.paint(DIM, &place));
            self.line(&format!("{label}  {}  {place}", self.paint(BOLD, &id)));
            let facts = case.worst_facts(&report.layout);
            let gold = facts.iter().find(|(name, _)| *name == "gold").map_or("–", |(_, ids)| ids);
            for (name, text) in &facts {
                match *name {
                    "wanted" if case.label != "NO_CLAIM_MATCH" => {}
                    "trace" if case.trace_line.is_none() => {}
                    "gold" => {}
                    "cited" => self.field(name, &format!("{text}   gold: {gold}")),
                    "note" => {
                        let lead = format!("  {} ", self.paint(DIM, &format!("{name:<9}")));
                        self.wrap_under(&lead, 12, &shorten(text, 400));
                    }
                    "do" if told.contains(&&case.next_step) => {}
                    "do" => {
                        told.push(&case.next_step);
                        self.wrap("  do        ", text);
                    }
                    _ => self.field(name, text),
                }
            }
        }
    }

    fn field(&mut self, name: &str, value: &str) {
        let value = shorten(&visible(value), WIDTH - 12).into_owned();
        self.line(&format!("  {} {value}", self.paint(DIM, &format!("{name:<9}"))));
    }
}

/// How wide the columns of names, values and n/N must be; where names are long, n/N makes room for them.
fn widths(report: &Report) -> (usize, usize, usize) {
    let shown = report.metrics.values().filter(|value| value.num.is_none());
    let value = shown.map(|value| figure(value.value).chars().count()).max().unwrap_or(0).max(7);
    let name = report.metrics.keys().map(String::len).max().unwrap_or(0).max(18);
    let over = report.metrics.values().filter_map(Figure::over).map(|over| over.len()).max().unwrap_or(0);
    (name, value, if name == 18 { 11 } else { over })
}

/// Fills up to a width in columns: CJK letters take two.
fn padded(text: &str, width: usize) -> String {
    let columns = UnicodeWidthStr::width(text);
    format!("{text}{}", " ".repeat(width.saturating_sub(columns)))
}
