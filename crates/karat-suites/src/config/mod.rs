//! What does a project check? karat.toml, read into values, every mistake told at once with its place.

#[cfg(test)]
#[allow(clippy::expect_used)]
mod tests;

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::input::Source;
use crate::problem::{self, Failure, Problem};
use crate::request::key::{self, Key, Shape};
use crate::request::{Entries, Page, Request, Value};
use crate::suite::Suite;
use crate::text;

/// A project's configuration.
#[derive(Debug)]
pub struct Config {
    /// The file as it was named.
    pub name: String,
    /// `[gold]`.
    pub gold: Entries,
    /// `[report]`.
    pub report: Entries,
    /// `[suites.NAME]`, in the file's order.
    pub suites: Vec<Planned>,
    /// `[[waivers]]`, in the file's order.
    pub waivers: Vec<Entries>,
}

/// A suite of a project.
#[derive(Debug)]
pub struct Planned {
    /// Its name.
    pub name: String,
    /// What is asked of it.
    pub request: Request,
}

impl Config {
    /// Reads a configuration. `folder` is what names of files are relative to, `suites` are those that it may name.
    pub fn parse(
        name: &str,
        text: &str,
        folder: &Path,
        suites: &[&'static Suite],
    ) -> Result<Config, Failure> {
        let page = Page { name: name.into(), text: text.strip_prefix('\u{feff}').unwrap_or(text).into() };
        let mut reader =
            Reader { page: page.clone(), folder: folder.to_owned(), suites, problems: Vec::new() };
        let (table, errors) = DeTable::parse_recoverable(&page.text);
        if !errors.is_empty() {
            let at = |e: toml::de::Error| {
                page.problem(&problem::CONFIG_INVALID, e.span().unwrap_or(0..0), e.message(), "TOML")
            };
            return Err(Failure::new(errors.into_iter().map(at).collect()));
        }
        let config = reader.config(name, table.get_ref());
        if reader.problems.is_empty() { Ok(config) } else { Err(Failure::new(reader.problems)) }
    }

    /// The suites of these names, or all where none is named.
    pub fn chosen(&self, names: &[String]) -> Result<Vec<&Planned>, Failure> {
        let mut unknown = Vec::new();
        for name in names.iter().filter(|name| !self.suites.iter().any(|suite| suite.name == **name)) {
            let mut problem = Problem::of_file(
                &problem::CONFIG_INVALID,
                &self.name,
                format!("no suite is called \"{}\"", text::visible(name)),
            );
            let near = text::nearest(name, self.suites.iter().map(|suite| suite.name.as_str()));
            let all: Vec<&str> = self.suites.iter().map(|suite| suite.name.as_str()).collect();
            problem.expected = match near.first() {
                Some(near) => format!("did you mean {near}?"),
                None => format!("the suites are: {}", all.join(", ")),
            };
            unknown.push(problem);
        }
        if !unknown.is_empty() {
            return Err(Failure::new(unknown));
        }
        Ok(self.suites.iter().filter(|suite| names.is_empty() || names.contains(&suite.name)).collect())
    }

    /// Every gold file, each once, in the order in which they are named.
    #[must_use]
    pub fn gold_files(&self) -> Vec<PathBuf> {
        let own = self.suites.iter().filter_map(|suite| suite.request.given.file("gold"));
        let mut files: Vec<PathBuf> = Vec::new();
        for file in self.gold.file("path").into_iter().chain(own) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }

    /// What a lock holds: the gold files, and qrels, which are gold in another format.
    #[must_use]
    pub fn locked_files(&self) -> Vec<PathBuf> {
        let mut files = self.gold_files();
        for suite in &self.suites {
            // A pattern that finds nothing is told where it is read.
            for name in suite.request.given.texts("qrels") {
                let found = Source::expand(&suite.request.given.opened(name)).unwrap_or_default();
                let found = found.iter().map(|source| PathBuf::from(&**source.name()));
                files.extend(found.filter(|file| !files.contains(file)).collect::<Vec<_>>());
            }
        }
        files
    }

    /// The gates of every suite as text: what a lock keeps beside gold.
    #[must_use]
    pub fn gates(&self) -> String {
        let mut lines: Vec<String> = self.suites.iter().map(Planned::gates).collect();
        lines.sort();
        lines.concat()
    }
}

impl Planned {
    /// Its gates, a line each: those that it lists, or the preset's text.
    fn gates(&self) -> String {
        let Planned { name, request: Request { suite, given, .. } } = self;
        let presets = (suite.profile)().presets.iter();
        let list = match (given.texts("gates"), given.text("preset")) {
            ([], Some(name)) => presets
                .clone()
                .find(|preset| preset.name == name)
                .map_or(String::new(), |preset| preset.gate_list()),
            ([], None) => {
                presets.map(|preset| format!("{}: {}; ", preset.name, preset.gate_list())).collect()
            }
            (gates, _) => gates.join(" ").split_whitespace().collect::<Vec<_>>().join(" "),
        };
        // What decides which gates there are, over which cases, and how they are judged, is as good as a gate.
        let mut settings = String::new();
        for key in key::COMMON.iter().chain(suite.inputs).chain(suite.options) {
            let locked = match key.shape.is_input() {
                true => matches!(key.name, "gold" | "qrels" | "scu_rules"),
                false => !matches!(key.name, "gates" | "preset"),
            };
            if let Some(value) = given.get(key.name).filter(|_| locked) {
                settings.push_str(&format!(" {}={value}", key.name));
            }
        }
        format!("{} {name}: {list}{settings}\n", suite.name)
    }
}

struct Reader<'s> {
    page: Page,
    folder: PathBuf,
    suites: &'s [&'static Suite],
    problems: Vec<Problem>,
}

type Pair<'a, 'i> = (&'a Spanned<std::borrow::Cow<'i, str>>, &'a Spanned<DeValue<'i>>);

/// The entries of a table in the order of the file.
fn in_order<'a, 'i>(table: &'a DeTable<'i>) -> Vec<Pair<'a, 'i>> {
    let mut pairs: Vec<Pair<'a, 'i>> = table.iter().collect();
    pairs.sort_by_key(|(key, _)| key.span().start);
    pairs
}

impl Reader<'_> {
    fn wrong(&mut self, span: Range<usize>, message: impl Into<String>, expected: impl Into<String>) {
        self.problems.push(self.page.problem(&problem::CONFIG_INVALID, span, message, expected));
    }

    fn config(&mut self, name: &str, top: &DeTable<'_>) -> Config {
        let none = |reader: &Reader<'_>| Entries::new(reader.page.clone(), reader.folder.clone(), 0..0);
        let mut config = Config {
            name: name.into(),
            gold: none(self),
            report: none(self),
            suites: Vec::new(),
            waivers: Vec::new(),
        };
        for (key, value) in in_order(top) {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("gold", DeValue::Table(table)) => config.gold = self.table(table, key::GOLD, key.span()),
                ("report", DeValue::Table(table)) => {
                    config.report = self.table(table, key::REPORT, key.span());
                }
                ("suites", DeValue::Table(table)) => {
                    for (name, value) in in_order(table) {
                        match value.get_ref() {
                            DeValue::Table(table) => {
                                config.suites.extend(self.suite(name.get_ref(), table, name.span()));
                            }
                            other => self.wrong(value.span(), found(other), "a table: [suites.NAME]"),
                        }
                    }
                }
                ("waivers", DeValue::Array(list)) => {
                    for value in list.iter() {
                        match value.get_ref() {
                            DeValue::Table(table) => {
                                config.waivers.push(self.table(table, key::WAIVER, value.span()));
                            }
                            other => self.wrong(value.span(), found(other), "a table: [[waivers]]"),
                        }
                    }
                }
                ("waivers", other) => self.wrong(value.span(), found(other), "[[waivers]], a table each"),
                (name, other) if key::TABLES.contains(&name) => {
                    self.wrong(value.span(), found(other), format!("a table: [{name}]"));
                }
                (unknown, _) => self.unknown(unknown, key.span(), key::TABLES.iter().copied()),
            }
        }
        let shared = config.gold.text("path").map(str::to_owned);
        for suite in &mut config.suites {
            let request = &mut suite.request;
            if let Some(path) = shared.as_ref().filter(|_| request.takes_gold()) {
                request.given.insert("gold", Value::Texts(vec![path.clone()]), 0..0);
            }
            if let Err(failure) = request.check() {
                self.problems.extend(failure.problems);
            }
        }
        if config.suites.is_empty() {
            self.wrong(
                0..0,
                "no suite is configured",
                "[suites.NAME] with its kind and traces; `karat init` writes an example",
            );
        }
        config
    }

    fn suite(&mut self, name: &str, table: &DeTable<'_>, span: Range<usize>) -> Option<Planned> {
        let all: Vec<&str> = self.suites.iter().map(|suite| suite.name).collect();
        let kind = table.iter().find(|(key, _)| key.get_ref() == key::KIND.name).map(|(_, value)| value);
        let Some(kind) = kind else {
            let message = format!("suite \"{}\" has no `kind`", text::visible(name));
            self.wrong(span, message, format!("kind = one of {}", all.join(", ")));
            return None;
        };
        let word = match kind.get_ref() {
            DeValue::String(word) => word.as_ref(),
            other => {
                self.wrong(kind.span(), found(other), "a text in quotes");
                return None;
            }
        };
        let Some(suite) = self.suites.iter().copied().find(|suite| suite.name == word) else {
            let near = text::nearest(word, all.iter().copied());
            let near = near.first().map(|near| format!("did you mean {near}? ")).unwrap_or_default();
            let message = format!("no suite is called \"{}\"", text::visible(word));
            self.wrong(kind.span(), message, format!("{near}one of {}", all.join(", ")));
            return None;
        };
        let own = suite.inputs.iter().chain(suite.options).filter(|key| !key.typed_only);
        let keys: Vec<Key> = std::iter::once(&key::KIND).chain(key::COMMON).chain(own).copied().collect();
        let given = self.table(table, &keys, span);
        Some(Planned { name: name.to_owned(), request: Request::with(suite, given) })
    }

    fn table(&mut self, table: &DeTable<'_>, known: &[Key], span: Range<usize>) -> Entries {
        let mut entries = Entries::new(self.page.clone(), self.folder.clone(), span.clone());
        for (name, value) in in_order(table) {
            let Some(key) = known.iter().find(|key| key.is_called(name.get_ref())) else {
                self.unknown(name.get_ref(), name.span(), known.iter().map(|key| key.name));
                continue;
            };
            if entries.has(key.name) {
                let message = format!("`{}` and `{}` are one key, given twice", key.name, key.flag);
                self.wrong(name.span(), message, "one of them");
                continue;
            }
            match read(key.shape, value) {
                Ok(read) => entries.insert(key.name, read, value.span()),
                Err((span, message)) => {
                    self.wrong(span, format!("`{}`: {message}", key.name), key.shape.expected());
                }
            }
        }
        let given = |key: &Key| table.iter().any(|(name, _)| key.is_called(name.get_ref()));
        for key in known.iter().filter(|key| key.required && !given(key)) {
            let message = format!("`{}` is missing: {}", key.name, key.meaning);
            self.wrong(span.clone(), message, key.shape.expected());
        }
        entries
    }

    fn unknown<'k>(&mut self, key: &str, span: Range<usize>, known: impl Iterator<Item = &'k str> + Clone) {
        let expected = match text::nearest(key, known.clone()).first() {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("one of {}", known.collect::<Vec<_>>().join(", ")),
        };
        self.wrong(span, format!("unknown key `{}`", text::visible(key)), expected);
    }
}

type Wrong = (Range<usize>, String);

fn read(shape: Shape, value: &Spanned<DeValue<'_>>) -> Result<Value, Wrong> {
    let bad = || (value.span(), found(value.get_ref()));
    let several = || match value.get_ref() {
        DeValue::Array(list) => list.iter().collect::<Vec<_>>(),
        _ => vec![value],
    };
    let texts = || several().into_iter().map(text_of).collect::<Result<Vec<_>, _>>();
    match (shape, value.get_ref()) {
        (Shape::File | Shape::Text, _) => Ok(Value::Texts(vec![text_of(value)?])),
        (Shape::Files | Shape::Texts, _) => {
            let texts = texts()?;
            if texts.is_empty() {
                Err((value.span(), "an empty list".into()))
            } else {
                Ok(Value::Texts(texts))
            }
        }
        (Shape::Word(words), _) => {
            let word = text_of(value)?;
            if words.iter().any(|(known, _)| *known == word) {
                return Ok(Value::Texts(vec![word]));
            }
            let near = text::nearest(&word, words.iter().map(|(word, _)| *word));
            let hint = near.first().map(|near| format!(" (did you mean {near}?)")).unwrap_or_default();
            Err((value.span(), format!("\"{}\" is no word for it{hint}", text::visible(&word))))
        }
        (Shape::Number(least, most), _) => Ok(Value::Numbers(vec![number_of(value, least, most)?])),
        (Shape::Numbers(least, most), _) => {
            let numbers = several().into_iter().map(|value| number_of(value, least, most));
            Ok(Value::Numbers(numbers.collect::<Result<_, _>>()?))
        }
        (Shape::Date, DeValue::Datetime(date)) => day(&date.to_string(), value.span()),
        (Shape::Date, _) => day(&text_of(value)?, value.span()),
        (Shape::Flag, DeValue::Boolean(flag)) => Ok(Value::Flag(*flag)),
        (Shape::NamedFiles, DeValue::Table(table)) => {
            let named = in_order(table)
                .into_iter()
                .map(|(name, file)| Ok((name.get_ref().to_string(), vec![text_of(file)?])));
            Ok(Value::Named(named.collect::<Result<_, Wrong>>()?))
        }
        (Shape::NamedTexts, DeValue::Table(table)) => {
            let named = in_order(table).into_iter().map(|(name, list)| {
                let list: Vec<_> = match list.get_ref() {
                    DeValue::Array(list) => list.iter().collect(),
                    _ => vec![list],
                };
                let word = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
                    DeValue::Integer(number) => Ok(number.to_string()),
                    _ => text_of(value),
                };
                Ok((name.get_ref().to_string(), list.into_iter().map(word).collect::<Result<_, Wrong>>()?))
            });
            Ok(Value::Named(named.collect::<Result<_, Wrong>>()?))
        }
        _ => Err(bad()),
    }
}

fn day(text: &str, span: Range<usize>) -> Result<Value, Wrong> {
    match crate::waive::date(text) {
        Some(date) => Ok(Value::Texts(vec![date.to_string()])),
        None => Err((span, format!("\"{}\" is no day", text::visible(text)))),
    }
}

fn text_of(value: &Spanned<DeValue<'_>>) -> Result<String, Wrong> {
    match value.get_ref() {
        DeValue::String(text) if text.trim().is_empty() => Err((value.span(), "an empty text".into())),
        DeValue::String(text) => Ok(text.to_string()),
        other => Err((value.span(), found(other))),
    }
}

fn number_of(value: &Spanned<DeValue<'_>>, least: u64, most: u64) -> Result<u64, Wrong> {
    match value.get_ref() {
        DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix())
            .ok()
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| (value.span(), format!("the number {number} is out of range"))),
        other => Err((value.span(), found(other))),
    }
}

fn found(value: &DeValue<'_>) -> String {
    let what = match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a decimal number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    format!("found {what}")
}
