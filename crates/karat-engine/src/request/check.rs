//! Is a request one that a suite can answer? Refused is what it does not have, what does not belong together, what would be
//! ignored, and a file that is named twice.

use std::collections::HashMap;
use std::path::PathBuf;

use super::key::{self, Applies, Key};
use super::{Extra, Request};
use crate::problem::{self, Failure, Problem};
use crate::suite::Reads;
use crate::text;

impl Request {
    /// Refuses keys that the suite does not have, inputs that do not belong together, and what it cannot do.
    pub fn check(&self) -> Result<(), Failure> {
        for name in self.given.names() {
            if self.suite.key(name).is_none() {
                let message = format!("`karat {}` has no `{}`", self.suite.name, text::visible(name));
                let near = text::nearest(name, self.suite.keys().map(|key| key.name));
                let expected = near.first().map(|near| format!("did you mean `{near}`?")).unwrap_or_default();
                return Err(self.given.problem(name, message, expected).into());
            }
        }
        if self.given.has("gates") && self.given.has("preset") {
            let problem = self.given.problem("preset", "`preset` and `gates` are both given", "one of them");
            return Err(problem.into());
        }
        self.check_inputs()?;
        self.check_effects()?;
        let refused = |kind, flag: &str, why: &str| Err(self.place(Problem::of_file(kind, flag, why).into()));
        if let (Some(why), true) = (self.suite.no_slices, self.given.has("slices")) {
            return refused(&problem::SLICE_UNKNOWN, "--slice", why);
        }
        if let (Some(why), Extra::Partial) = (self.suite.no_partials, self.extra) {
            let why = format!("`karat {}` makes no partials: {why}", self.suite.name);
            return refused(&problem::PARTIAL_INVALID, "--format partial", &why);
        }
        if self.named_files().filter(|name| *name == "-").count() > 1 {
            return refused(&problem::UNREADABLE, "<stdin>", "standard input can be read only once");
        }
        Ok(())
    }

    /// Refuses inputs that do not belong together, or that lack others.
    fn check_inputs(&self) -> Result<(), Problem> {
        let groups = self.suite.reads.groups();
        let whole: Vec<&&[&str]> =
            groups.iter().filter(|group| group.iter().all(|key| self.has(key))).collect();
        let alone = groups
            .iter()
            .copied()
            .flatten()
            .find(|key| self.has(key) && !whole.iter().any(|group| group.contains(key)));
        let sets: Vec<String> = groups.iter().map(|group| group.join(" and ")).collect();
        let (message, expected) = match (whole.len(), alone, self.suite.reads) {
            (0, _, _) => (format!("`{}` lacks what it reads", self.suite.name), sets.join(", or ")),
            (_, Some(key), _) => (
                format!("`{key}` is given without what belongs to it"),
                format!("either {}", sets.join(" or ")),
            ),
            (2.., _, Reads::OneOf(_)) => {
                let message = format!("`{}` is given two kinds of input", self.suite.name);
                (message, format!("either {}", sets.join(" or ")))
            }
            _ => return Ok(()),
        };
        Err(self.given.problem(key::KIND.name, message, expected))
    }

    /// Refuses what would be ignored beside the rest.
    fn check_effects(&self) -> Result<(), Failure> {
        let set = |key: &&Key| self.given.get(key.name).is_some_and(|value| !value.is_default(key));
        for key in self.suite.keys().filter(set) {
            let lacking = match key.applies {
                Applies::Always => continue,
                Applies::With(other) if self.has(other) => continue,
                Applies::Unless(other, value) if self.word(other) != value => continue,
                Applies::Layout(layout) if self.extra.layout() == Some(layout) => continue,
                Applies::With(other) => format!("without `{other}`"),
                Applies::Unless(other, value) => format!("where `{other}` is `{value}`"),
                Applies::Layout(layout) => format!("without `--format {layout}`"),
            };
            let message = format!("`{}` has no effect {lacking}", key.name);
            let mut problem = Problem::of_file(&problem::CALL_VALUE, &key.typed(), message);
            problem.expected = "leave it out".into();
            return Err(self.place(problem.into()));
        }
        Ok(())
    }

    /// Refuses a file that is named twice: what is compared with itself has not changed, and repetition dilutes every rate.
    pub(super) fn check_files(&self) -> Result<(), Failure> {
        let mut seen: HashMap<PathBuf, &str> = HashMap::new();
        for key in self.suite.keys().filter(|key| key.shape.is_input() && self.own(key.name).is_none()) {
            let sources = self.sources_of(key.name).unwrap_or_default();
            let named = self.named_sources(key.name).into_iter().map(|(_, source)| source);
            for source in sources.into_iter().chain(named) {
                let Some(first) = source.real_path().and_then(|real| seen.insert(real, key.name)) else {
                    continue;
                };
                let message = match first == key.name {
                    true => "this file is named twice, and repetition dilutes every rate".to_owned(),
                    false => format!("this file is `{first}` and `{}` at once", key.name),
                };
                let problem = Problem::of_file(&problem::UNREADABLE, source.name(), message);
                return Err(problem.expecting("name each file once").into());
            }
        }
        Ok(())
    }
}
