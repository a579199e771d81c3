//! One page that explains itself: verdict and first step, figures on their way to their gates, where cases were lost, and
//! every case with its path from question to verdict. One file, no request; it opens in any browser, from a disk or a CI artifact.
//!
//! Markup and drawings are made here, so that they are the same bytes on every run and are there without a script. The script
//! builds the table of cases and the drawer, from data, as text alone. What the page may do is in [`policy`].

mod banner;
mod bars;
mod cards;
mod cases;
mod check;
mod curve;
mod gates;
mod grid;
mod labels;
mod lines;
mod marked;
mod markup;
mod matrix;
mod policy;
mod scale;
mod slices;
mod stages;
mod trend;
mod words;
mod worst;

use super::Format;
use super::text::tables::cell;
use crate::profile::Profile;
use crate::report::{self, Body, Decision, Place, Report, Section, Trend};
use crate::text;
use Head::{Number, Text};
use markup::Markup;
use std::sync::Arc;

// What any page needs to be inert: `karat trend` draws one of its own.
pub use markup::escape;
pub use policy::policy;

/// The declaration.
pub const FORMAT: Format = Format {
    name: "html",
    ending: ".html",
    summary: "one self-contained page with the path of every case",
    render: |report, _| {
        let title = format!("{} · karat {}", report.verdict.name(), report.suite);
        page(&title, report.verdict, &report.karat, |m| suite(m, &View::new(report)))
    },
    check: |checked, _| check::page(checked),
    cases: |_| true,
    paths: true,
};

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = concat!(
    "\"use strict\";\n(() => {\n",
    include_str!("html/table.js"),
    include_str!("html/drawer.js"),
    include_str!("html/page.js"),
    "})();\n"
);

/// One suite's report, as a page looks at it.
struct View<'a> {
    report: &'a Report,
    profile: Arc<Profile>,
    /// Its name, where it is one of several.
    name: Option<&'a str>,
    /// What sets its elements apart from another suite's.
    key: String,
    /// How it went before, where somebody keeps a history.
    trend: Option<&'a Trend>,
}

impl<'a> View<'a> {
    fn new(report: &'a Report) -> Self {
        let profile = report.profile.clone();
        View { report, profile, name: None, key: "0".into(), trend: None }
    }

    /// What a metric tells, in one sentence.
    fn summary(&self, metric: &str) -> &'static str {
        self.profile.metric(metric).map_or("", |metric| metric.summary)
    }
}

/// A whole page round its body.
fn page(title: &str, verdict: Decision, version: &str, body: impl FnOnce(&mut Markup)) -> String {
    let mut m = Markup::default();
    m.own("<!doctype html>\n");
    m.within("html[lang=en]", |m| {
        m.within("head", |m| {
            m.empty("meta[charset=utf-8]");
            let policy = policy(STYLE, Some(SCRIPT));
            m.empty_with("meta[http-equiv=Content-Security-Policy]", &[("content", &policy)]);
            m.empty("meta[name=viewport][content=width=device-width, initial-scale=1]");
            m.empty("meta[name=color-scheme][content=light dark]");
            m.empty("meta[name=referrer][content=no-referrer]");
            m.empty_with("meta[name=generator]", &[("content", &format!("karat {version}"))]);
            m.empty_with("link[rel=icon]", &[("href", icon(verdict))]);
            m.line();
            m.element("title", title);
            m.within("style", |m| m.own(STYLE));
        });
        m.line();
        m.within("body", |m| {
            m.element_with("a.skip", &[("href", "#cases-of-0")], "Skip to the cases");
            body(m);
            m.within("script", |m| m.own(SCRIPT));
        });
    });
    m.line();
    m.finish()
}

/// A square in the verdict's colour, for the tab.
fn icon(verdict: Decision) -> &'static str {
    macro_rules! square {
        ($colour:literal) => {
            concat!("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' rx='2' fill='%23", $colour, "'/%3E%3C/svg%3E")
        };
    }
    match verdict {
        Decision::Ship => square!("0f6e56"),
        Decision::NoShip => square!("b3361b"),
        Decision::Inconclusive => square!("8a6100"),
    }
}

/// The report of one suite, top to bottom.
fn suite(m: &mut Markup, view: &View<'_>) {
    header(m, &view.report.suite, &scored_by(view.report));
    m.within("main", |m| {
        banner::banner(m, view, "h1");
        body(m, view);
    });
    m.within("footer", |m| {
        m.element("p", &format!("karat {} · {}", view.report.karat, settings(view.report)))
    });
}

/// The head of a page: what it is of, and by which rules. No day and no commit: the same inputs make the same page.
fn header(m: &mut Markup, title: &str, rules: &str) {
    m.within("header.page", |m| {
        m.within("p.brand", |m| {
            m.element("b", "karat");
            m.text(&format!(" {title}"));
            m.element("span.rules", rules);
        });
        m.element("button[type=button].theme[hidden]", "Dark");
    });
}

/// Everything below the verdict.
fn body(m: &mut Markup, view: &View<'_>) {
    let shown = || view.report.sections.iter().filter(|section| section.is_on(Place::Page));
    cards::cards(m, view);
    m.within("div.columns", |m| {
        gates::checks(m, view);
        trend::trend(m, view);
        stages::stages(m, view);
        suggestions(m, view.report);
        slices::slices(m, view);
        shown().for_each(|part| drawn(m, view, part));
    });
    shown().filter_map(Section::curve).for_each(|curve| curve::points(m, curve));
    worst::worst(m, view);
    m.within_with("div", &[("id", &format!("cases-of-{}", view.key))], |m| cases::cases(m, view));
    gates::gates(m, view);
    gates::figures(m, view);
    remarks(m, view);
    inputs(m, view.report);
}

/// What only this suite reports, by what kind of thing it is.
fn drawn(m: &mut Markup, view: &View<'_>, part: &Section) {
    match &part.body {
        Body::Table(rows) if rows.bars => {
            let before = view.report.baseline.iter().flat_map(|before| &before.sections);
            let before = before.filter(|other| other.key == part.key).find_map(|other| match &other.body {
                Body::Table(rows) => Some(rows),
                _ => None,
            });
            bars::bars(m, &part.title, rows, before);
        }
        Body::Table(rows) => section(m, &part.title, |m| table_of(m, &part.title, rows)),
        Body::Curve(points) => curve::plot(m, view, points),
        Body::Matrix(counts) => matrix::matrix(m, &part.title, counts),
        Body::Lines(values) => lines::lines(m, &part.title, values),
        Body::Grid(runs) => grid::grid(m, view, runs),
        Body::Histogram { counts } => section(m, &part.title, |m| {
            table(m, &part.title, &[Text(""), Number("count")], counts, |m, (name, n)| {
                m.row_head(name);
                m.element("td.number", &text::group(*n));
            });
        }),
        Body::Text { lines } => section(m, &part.title, |m| list(m, lines)),
    }
    if let Some(note) = &part.note {
        m.note(note);
    }
}

/// The rows of a table, a name and numbers each.
fn table_of(m: &mut Markup, name: &str, rows: &report::Table) {
    let columns: Vec<(usize, &report::Column)> =
        rows.columns.iter().enumerate().filter(|(_, column)| column.on.contains(&Place::Page)).collect();
    let head = |i: usize, title| if i == 0 { Text(title) } else { Number(title) };
    let heads: Vec<Head<'_>> = columns.iter().map(|(i, column)| head(*i, &column.title)).collect();
    table(m, name, &heads, &rows.rows, |m, row| {
        for (i, column) in &columns {
            let words = cell(column.kind, row.get(*i));
            match i {
                0 => m.row_head(&words),
                _ => m.element("td.number", &words),
            }
        }
    });
}

fn suggestions(m: &mut Markup, report: &Report) {
    if !report.diagnosis.is_empty() {
        section(m, "What it suggests", |m| list(m, &report.diagnosis));
    }
}

fn remarks(m: &mut Markup, view: &View<'_>) {
    let report = view.report;
    let warnings = report.warnings_total.saturating_sub(report.warnings.len() as u64);
    if report.hints.is_empty() && report.warnings.is_empty() {
        return;
    }
    anchored(m, view, "remarks", "Remarks", |m| {
        list(m, &report.hints);
        list(m, &report.warnings);
        if warnings > 0 {
            m.note(&format!("and {}", text::count(warnings, "more warning")));
        }
    });
}

fn inputs(m: &mut Markup, report: &Report) {
    section(m, "Inputs", |m| {
        let heads = [Text("role"), Text("path"), Number("rows"), Text("fingerprint")];
        table(m, "Inputs", &heads, &report.inputs, |m, input| {
            m.element("td", &input.role);
            m.row_head(&input.path);
            m.element("td.number", &text::group(input.rows));
            m.within("td.hash", |m| m.element("code", &input.fingerprint()));
        });
    });
}

/// The rules and the gold set that a verdict hangs on, in a line: two pages with the same line can be compared.
fn scored_by(report: &Report) -> String {
    const SHOWN: [&str; 5] = ["k", "scu", "select", "grid", "truth"];
    let gates = match report.settings.gates.as_str() {
        "explicit" => "gates of its own".to_owned(),
        preset => format!("preset {preset}"),
    };
    let set = |name: &&&str| report.settings.options.get(**name).is_some_and(|value| !value.is_null());
    let options = SHOWN.iter().filter(set).map(|name| option(report, name));
    let gold = report.inputs.iter().find(|input| input.role == "gold").or(report.inputs.first());
    let gold = gold.map(|gold| {
        let fingerprint = gold.fingerprint();
        let hex = fingerprint.split_once(':').map_or("", |(_, hex)| hex);
        format!("{} {}", gold.role, hex.chars().take(12).collect::<String>())
    });
    std::iter::once(gates).chain(options).chain(gold).collect::<Vec<_>>().join(" · ")
}

/// A setting and its value.
fn option(report: &Report, name: &str) -> String {
    let value = report.settings.options.get(name).unwrap_or(&serde_json::Value::Null);
    value.as_str().map_or_else(|| format!("{name} {value}"), |text| format!("{name} {text}"))
}

fn settings(report: &Report) -> String {
    let settings = &report.settings;
    let options = settings.options.keys().map(|name| option(report, name));
    let gates = format!("gates {}", settings.gates);
    let drawn = format!(
        "intervals: {}, {} resamples, seed {}",
        settings.bootstrap.method, settings.bootstrap.resamples, settings.bootstrap.seed
    );
    std::iter::once(gates).chain(options).chain([drawn]).collect::<Vec<_>>().join(" · ")
}

/// A section under its title.
fn section(m: &mut Markup, title: &str, inner: impl FnOnce(&mut Markup)) {
    m.within_with("section.part", &[("aria-label", &m.label(title))], |m| {
        m.element("h2", title);
        inner(m);
    });
    m.line();
}

/// A section that a link leads to.
fn anchored(m: &mut Markup, view: &View<'_>, id: &str, title: &str, inner: impl FnOnce(&mut Markup)) {
    let id = format!("{id}-{}", view.key);
    m.within_with("div", &[("id", &id), ("tabindex", "-1")], |m| section(m, title, inner));
}

/// The head of a column; numbers stand at its right.
enum Head<'a> {
    Text(&'a str),
    Number(&'a str),
}

/// A table with a row for each of these.
fn table<T>(
    m: &mut Markup,
    name: &str,
    heads: &[Head<'_>],
    rows: impl IntoIterator<Item = T>,
    row: impl Fn(&mut Markup, T),
) {
    table_around(m, name, heads, |m| rows.into_iter().for_each(|each| m.within("tr", |m| row(m, each))));
}

/// A table that scrolls within its place where it is wider.
fn table_around(m: &mut Markup, name: &str, heads: &[Head<'_>], rows: impl FnOnce(&mut Markup)) {
    let label = m.label(&format!("{name}, table"));
    let region: markup::Attributes<'_> =
        &[("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", &label)];
    m.within_with("div", region, |m| {
        m.within("table", |m| {
            m.within("thead", |m| {
                m.within("tr", |m| {
                    for head in heads {
                        match head {
                            Head::Text("") => m.element("td", ""),
                            Head::Text(head) => m.element("th[scope=col]", head),
                            Head::Number(head) => m.element("th[scope=col].number", head),
                        }
                    }
                });
            });
            m.within("tbody", rows);
        });
    });
}

/// A table whose first rows are in sight and the others under a fold.
fn folded<T>(
    m: &mut Markup,
    name: &str,
    heads: &[Head<'_>],
    (rows, noun): (&[T], &str),
    row: impl Fn(&mut Markup, &T),
) {
    const FIRST: usize = 20;
    /// More rows than these make a page slow to open.
    const MOST: usize = 1_000;
    // A fold for two or three rows hides more than it saves.
    let (first, rest) = rows.split_at(if rows.len() > FIRST + 5 { FIRST } else { rows.len() });
    table(m, name, heads, first, &row);
    if !rest.is_empty() {
        let shown = &rest[..rest.len().min(MOST)];
        m.within("details", |m| {
            m.element("summary", &text::count(rest.len() as u64, &format!("more {noun}")));
            table(m, &format!("More {noun}s"), heads, shown, &row);
            if shown.len() < rest.len() {
                let left = text::count((rest.len() - shown.len()) as u64, &format!("more {noun}"));
                m.note(&format!("{left}: the json report has them all."));
            }
        });
    }
}

fn list(m: &mut Markup, items: &[String]) {
    if !items.is_empty() {
        m.within("ul.list", |m| items.iter().for_each(|item| m.element("li", item)));
    }
}

/// A drawing with a margin for its letters.
fn figure_of(m: &mut Markup, label: &str, height: f64, inner: impl FnOnce(&mut Markup)) {
    m.within("div.plot", |m| {
        let height = format!("{height}");
        m.within_with(
            "svg[role=img]",
            &[("aria-label", label), ("width", "100%"), ("height", &height)],
            inner,
        );
    });
}

/// A line across a drawing, and its value at the left.
fn rule(m: &mut Markup, y: &str, value: &str) {
    m.stroke("line.rule", ["0", "100%", y, y]);
    m.element_with("text.left[x=0][dx=-8]", &[("y", y), ("dy", "4")], value);
}

/// A value under a drawing of this height.
fn below(m: &mut Markup, x: &str, height: f64, value: &str) {
    m.element_with("text.below", &[("x", x), ("y", &height.to_string()), ("dy", "18")], value);
}

/// Links to cases, after a colon.
fn case_links(m: &mut Markup, view: &View<'_>, ids: &[String]) {
    for (i, id) in ids.iter().enumerate() {
        m.text(if i == 0 { ": " } else { ", " });
        link(m, view, &[("case", id)], id);
    }
}

/// A link that opens a case or filters the table of cases.
fn link(m: &mut Markup, view: &View<'_>, parts: &[(&str, &str)], words: &str) {
    let suite = view.name.map(|name| ("suite", name));
    let parts: Vec<String> = suite
        .iter()
        .chain(parts)
        .map(|(name, value)| format!("{name}={}", encoded(&cases::id(value))))
        .collect();
    let address = format!("#{}", parts.join("&"));
    m.within_with("a", &[("href", &address)], |m| m.element("bdi", words));
}

/// Text as a part of an address.
fn encoded(text: &str) -> String {
    super::percent_encoded(text, b"-._~")
}
