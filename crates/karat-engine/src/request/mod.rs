//! What somebody asked of a suite, from whichever door: the command line, karat.toml, a report, or code.
//!
//! A door fills a [`Request`]; a suite reads nothing else. What was asked stands in the report under `request`, in the
//! words of karat.toml, so that `karat explain` and `karat compare` can ask for the same again.

mod cache;
mod check;
mod entries;
pub mod key;

use std::any::Any;
use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::json;

pub use cache::Cache;
pub use entries::{Entries, Page, Value};
use key::{COMMON, Key, Shape};

use crate::detail::Detail;
use crate::input::Source;
use crate::metrics::{About, Facts, Metric};
use crate::pipeline::{Cases, Gates};
use crate::problem::{self, Failure, Problem};
use crate::profile::Profile;
use crate::report::Report;
use crate::suite::Suite;

/// What somebody asked of a suite.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Request {
    /// The suite.
    pub suite: &'static Suite,
    /// What was given: inputs, options, gates and slices, each with its place.
    pub given: Entries,
    /// Which cases the report lists.
    pub cases: Cases,
    /// Whose words the report carries, beside the worst cases'.
    pub detail: Detail,
    /// How many threads; 0 for as many as the machine has.
    pub threads: usize,
    /// What is made beside the report, or instead of it.
    pub extra: Extra,
    /// Metrics of your own, beside the suite's.
    metrics: Vec<(&'static About, Arc<dyn Any + Send + Sync>)>,
    /// Inputs that are sources instead of names of files.
    sources: Vec<(String, Vec<Source>)>,
}

/// What is made beside the report, or instead of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extra {
    /// Nothing.
    #[default]
    None,
    /// Part of a run for `karat merge`.
    Partial,
    /// A layout of the suite's own, by name. Figures that no gate asks for need not be made.
    Layout(&'static str),
    /// A layout of the suite's own, by name, beside a whole report.
    LayoutToo(&'static str),
}

impl Extra {
    /// The layout that is asked for.
    fn layout(self) -> Option<&'static str> {
        match self {
            Extra::Layout(name) | Extra::LayoutToo(name) => Some(name),
            Extra::None | Extra::Partial => None,
        }
    }
}

/// What a suite makes of a request.
#[derive(Clone, Debug)]
pub struct Output {
    /// The report.
    pub report: Report,
    /// The text of what was asked for beside it: a partial, or a layout of the suite's own.
    pub extra: Option<String>,
}

impl From<Report> for Output {
    fn from(report: Report) -> Self {
        Output { report, extra: None }
    }
}

/// What the suites of one run share: files that were read already, and whoever watches the progress.
pub struct RunContext<'a> {
    /// What was read already.
    pub cache: &'a Cache,
    /// Takes how many bytes were read, as they are.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl Request {
    /// A request with nothing set.
    #[must_use]
    pub fn new(suite: &'static Suite) -> Self {
        Request::with(suite, Entries::typed())
    }

    /// A request with what a door has read.
    #[must_use]
    pub fn with(suite: &'static Suite, given: Entries) -> Self {
        Request {
            suite,
            given,
            cases: Cases::default(),
            detail: Detail::default(),
            threads: 0,
            extra: Extra::None,
            metrics: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// Sets a key of the suite; in code, where a key that the suite does not have is refused by [`Request::evaluate`].
    #[must_use]
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.given.set(key, value.into());
        self
    }

    /// Gives an input as sources instead of names of files.
    #[must_use]
    pub fn sources(mut self, key: &str, sources: Vec<Source>) -> Self {
        let names = sources.iter().map(|source| source.name().to_string()).collect();
        self.given.set(key, Value::Texts(names));
        self.sources.retain(|(name, _)| name != key);
        self.sources.push((key.to_owned(), sources));
        self
    }

    /// Gives an input as sources with names, as `raters` of `agreement` takes them.
    #[must_use]
    pub fn named(self, key: &str, named: Vec<(String, Source)>) -> Self {
        let names = named.iter().map(|(name, source)| (name.clone(), vec![source.name().to_string()]));
        let names = Value::Named(names.collect());
        self.sources(key, named.into_iter().map(|(_, source)| source).collect()).set(key, names)
    }

    /// Asks for the same of other traces. What goes with the old ones, such as times in a file of their own, is refused: it
    /// would be read beside the new ones.
    pub fn of_traces(mut self, traces: &str) -> Result<Self, Failure> {
        let bad = |flag: &str, message: String| Problem::of_file(&problem::CALL_VALUE, flag, message);
        let groups = self.suite.reads.groups();
        let Some(with) = groups.iter().find(|group| group.contains(&"traces")) else {
            let message = format!("`karat {}` reads no traces that could be exchanged", self.suite.name);
            return Err(bad("--suite", message).into());
        };
        let beside = groups.concat().into_iter().find(|key| self.has(key) && !with.contains(key));
        if let Some(key) = beside.and_then(|key| self.suite.key(key)) {
            let message = "it belongs to one side alone: score each side by itself, and compare the reports";
            return Err(bad(&key.typed(), message.into()).into());
        }
        self.sources.retain(|(name, _)| name != "traces");
        self.given.set("traces", Value::Texts(vec![traces.to_owned()]));
        Ok(self)
    }

    /// Says which cases the report lists, and whose words it carries.
    #[must_use]
    pub fn show(mut self, cases: Cases, detail: Detail) -> Self {
        (self.cases, self.detail) = (cases, detail);
        self
    }

    /// Says how many threads work; 0 asks for as many as the machine has.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Asks for something beside the report, or instead of it.
    #[must_use]
    pub fn extra(mut self, extra: Extra) -> Self {
        self.extra = extra;
        self
    }

    /// Adds a metric of your own: it is reported, sliced and gated like the suite's.
    #[must_use]
    pub fn metric<V: Facts>(mut self, metric: Metric<V>) -> Self {
        self.metrics.push((metric.about, Arc::new(metric)));
        self
    }

    /// The suite's metrics, and those that were added. One that measures what another suite judges is refused.
    pub fn metrics<V: Facts>(&self, own: Vec<Metric<V>>) -> Result<Vec<Metric<V>>, Failure> {
        let mut metrics = own;
        for (about, metric) in &self.metrics {
            let metric = metric.downcast_ref::<Metric<V>>().copied();
            metrics.push(metric.ok_or_else(|| {
                let message =
                    format!("`{}` is no metric over the cases of `{}`", about.name, self.suite.name);
                Problem::of_file(&problem::CALL_VALUE, about.name, message)
            })?);
        }
        Ok(metrics)
    }

    /// Scores and decides.
    pub fn evaluate(&self) -> Result<Report, Failure> {
        let context = RunContext { cache: &Cache::default(), progress: &|_| {} };
        Ok(self.run(&context)?.report)
    }

    /// Scores and decides, and makes what else was asked for.
    pub fn run(&self, context: &RunContext<'_>) -> Result<Output, Failure> {
        self.check()?;
        self.check_files()?;
        let made = (self.suite.evaluate)(self, context).map_err(|failure| self.place(failure))?;
        Ok(Output { report: Report { request: self.record(), ..made.report }.doubted(), ..made })
    }

    /// Gives problems of options their places in karat.toml: a suite speaks of them as the command line does.
    #[must_use]
    pub fn place(&self, failure: Failure) -> Failure {
        let keys: Vec<(String, &str)> = self.suite.keys().map(|key| (key.typed(), key.name)).collect();
        self.given.place(failure, &keys)
    }

    /// The names of all files that are read, patterns as they are written.
    fn named_files(&self) -> impl Iterator<Item = &str> {
        self.suite.keys().filter(|key| key.shape.is_input()).flat_map(|key| {
            let named = self.given.named(key.name).iter().flat_map(|(_, files)| files);
            self.given.texts(key.name).iter().chain(named).map(String::as_str)
        })
    }

    /// The files that are read, as they are to be opened, patterns as they are written.
    #[must_use]
    pub fn files_read(&self) -> Vec<String> {
        self.named_files().map(|name| self.given.opened(name)).collect()
    }

    /// Whether the inputs that were given are judged beside a gold set, so that the project's is meant where none is named.
    #[must_use]
    pub fn takes_gold(&self) -> bool {
        let (with, without): (Vec<&[&str]>, Vec<_>) =
            self.suite.reads.groups().iter().partition(|group| group.contains(&"gold"));
        let given = |group: &&[&str]| group.iter().any(|key| self.has(key));
        let own = |group: &&[&str]| group.iter().any(|key| self.has(key) && !without.concat().contains(key));
        with.iter().any(own) || !with.is_empty() && !without.iter().any(given)
    }

    /// Whether a key was given.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.given.has(key)
    }

    fn declared(&self, key: &str) -> &'static str {
        self.suite.key(key).map_or("", |key| key.default)
    }

    /// The whole number of a key, or its default.
    #[must_use]
    pub fn number(&self, key: &str) -> u64 {
        self.suite.key(key).map_or(0, |key| key.number(&self.given))
    }

    /// The cut-off of a key, or its default.
    #[must_use]
    pub fn cut(&self, key: &str) -> u32 {
        u32::try_from(self.number(key)).unwrap_or(u32::MAX)
    }

    /// The word of a key, or its default.
    #[must_use]
    pub fn word(&self, key: &str) -> &str {
        self.given.text(key).unwrap_or_else(|| self.declared(key))
    }

    /// The suite's metrics, labels and presets, with the metrics that were added.
    #[must_use]
    pub fn profile(&self) -> Profile {
        let mut profile = (self.suite.profile)();
        profile.metrics.extend(self.metrics.iter().map(|(about, _)| about));
        profile
    }

    /// The gates that somebody chose.
    #[must_use]
    pub fn gates(&self) -> Gates {
        match (self.given.texts("gates"), self.given.text("preset")) {
            ([], None) => Gates::Default,
            ([], Some(name)) => Gates::Preset(name.into()),
            (list, _) => Gates::Explicit(list.join(" ")),
        }
    }

    fn own(&self, key: &str) -> Option<&[Source]> {
        self.sources.iter().find(|(name, _)| name == key).map(|(_, sources)| sources.as_slice())
    }

    /// The one source of a key that may be left out.
    pub fn source(&self, key: &str, context: &RunContext<'_>) -> Result<Option<Source>, Failure> {
        if let Some(source) = self.own(key).and_then(|sources| sources.first()) {
            return Ok(Some(source.clone()));
        }
        match self.given.text(key) {
            None => Ok(None),
            Some("-") => Ok(Some(Source::stdin())),
            Some(name) => context.cache.file(&self.given.path(name)).map(Some),
        }
    }

    /// The one source of a key that must be given.
    pub fn needed(&self, key: &str, context: &RunContext<'_>) -> Result<Source, Failure> {
        let lacking = || self.given.problem(key, format!("`{key}` is missing"), "a file").into();
        self.source(key, context)?.ok_or_else(lacking)
    }

    /// The sources of a key, patterns looked up.
    pub fn sources_of(&self, key: &str) -> Result<Vec<Source>, Failure> {
        if let Some(sources) = self.own(key) {
            return Ok(sources.to_vec());
        }
        let mut sources = Vec::new();
        for name in self.given.texts(key) {
            sources.extend(Source::expand(&self.given.opened(name))?);
        }
        Ok(sources)
    }

    /// The sources of a key that may be left out.
    pub fn sources_if(&self, key: &str) -> Result<Option<Vec<Source>>, Failure> {
        self.has(key).then(|| self.sources_of(key)).transpose()
    }

    /// Names, each with its source.
    pub fn named_sources(&self, key: &str) -> Vec<(String, Source)> {
        let open = |files: &[String]| match files.first().map_or("", String::as_str) {
            "-" => Source::stdin(),
            file => Source::file(self.given.path(file)),
        };
        let own = self.own(key).unwrap_or_default();
        let named = self.given.named(key).iter().enumerate();
        named
            .map(|(at, (name, files))| (name.clone(), own.get(at).cloned().unwrap_or_else(|| open(files))))
            .collect()
    }

    /// What `load` makes of a file, made once for all requests that share a cache and ask for it in the same words.
    pub fn loaded<T: Any + Send + Sync>(
        &self,
        key: &str,
        words: &[String],
        context: &RunContext<'_>,
        load: impl FnOnce(&Source) -> Result<T, Failure>,
    ) -> Result<Arc<T>, Failure> {
        match (self.own(key), self.given.text(key)) {
            (None, Some(name)) if name != "-" => context.cache.loaded(&self.given.path(name), words, load),
            _ => Ok(Arc::new(load(&self.needed(key, context)?)?)),
        }
    }

    /// What was asked, as a table of karat.toml would say it: what is as it is by default is left out, and patterns
    /// are the files that they found.
    #[must_use]
    pub fn record(&self) -> IndexMap<String, serde_json::Value> {
        let mut record = IndexMap::from([(key::KIND.name.to_owned(), json!(self.suite.name))]);
        for key in self.suite.keys().filter(|key| !key.typed_only) {
            let Some(value) = self.given.get(key.name) else { continue };
            let value = match key.shape {
                Shape::File | Shape::Files => {
                    let files = self.sources_of(key.name).unwrap_or_default();
                    Value::Texts(files.iter().map(|source| source.name().to_string()).collect())
                }
                Shape::NamedFiles => Value::Named(
                    self.named_sources(key.name)
                        .into_iter()
                        .map(|(name, source)| (name, vec![source.name().to_string()]))
                        .collect(),
                ),
                _ => value.clone(),
            };
            if !value.is_default(key) {
                record.insert(key.name.to_owned(), value.to_json(key));
            }
        }
        record
    }

    /// The request that a report carries. `name` is the report's file, for messages.
    pub fn of_report(
        name: &str,
        record: &IndexMap<String, serde_json::Value>,
        suites: &[&'static Suite],
    ) -> Result<Request, Failure> {
        let bad = |message: String| -> Failure {
            let mut problem = Problem::of_file(&problem::REPORT_INVALID, name, message);
            problem.expected = "a report of this version of karat, which carries its request".into();
            problem.into()
        };
        let kind = record.get(key::KIND.name).and_then(serde_json::Value::as_str);
        let suite = kind.and_then(|kind| suites.iter().copied().find(|suite| suite.name == kind));
        let suite = suite.ok_or_else(|| bad("it does not say how it was scored".into()))?;
        let mut given = Entries::typed();
        for (name, value) in record.iter().filter(|(name, _)| *name != key::KIND.name) {
            let key = suite.key(name).ok_or_else(|| bad(format!("its request has an unknown `{name}`")))?;
            let value = Value::of_json(key, value);
            given.set(name, value.ok_or_else(|| bad(format!("`{name}` of its request cannot be read")))?);
        }
        Ok(Request::with(suite, given))
    }
}

/// The keys of a suite: its inputs, its options, and those that every suite has.
impl Suite {
    /// Every key that the suite takes, in the order of its help.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.inputs.iter().chain(self.options).chain(COMMON)
    }

    /// The key of this name, or with a flag of this name.
    #[must_use]
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys().find(|key| key.is_called(name))
    }
}
