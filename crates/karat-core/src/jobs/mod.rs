//! How does a table of karat.toml become a report? One file a suite: its keys, and how they are run.
//!
//! `karat check` and `karat explain CASE` know no suite by name: a new one joins with a file here.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::config::Entries;
use crate::config::keys::Key;
use crate::gold::Gold;
use crate::input::Source;
use crate::pipeline::{self, Cases, Gates};
use crate::problem::{Failure, Problem};
use crate::report::Report;
use crate::tell::Tell;

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod agreement;
pub mod answers;
pub mod latency;
pub mod release;
pub mod retrieval;
pub mod stability;

/// Every job, in alphabetical order.
pub const ALL: &[&Job] =
    &[&agreement::JOB, &answers::JOB, &latency::JOB, &release::JOB, &retrieval::JOB, &stability::JOB];
// codegen: end

/// Tells the case of a name.
pub type Explain = fn(&Entries, &Setting<'_>, &str) -> Result<String, Failure>;

/// A suite as karat.toml knows it.
#[derive(Debug)]
pub struct Job {
    /// The suite.
    pub suite: &'static str,
    /// Its own keys, beside those that every suite has.
    pub keys: &'static [Key],
    /// Of these groups of keys, one must be given whole.
    pub inputs: &'static [&'static [&'static str]],
    /// Scores and decides.
    pub run: fn(&Entries, &Setting<'_>) -> Result<Report, Failure>,
    /// Tells one case in the suite's own words, where it has some; the report's path otherwise.
    pub explain: Option<Explain>,
}

/// The job of this suite.
#[must_use]
pub fn named(suite: &str) -> Option<&'static Job> {
    ALL.iter().copied().find(|job| job.suite == suite)
}

/// What is the same for every suite of a check.
pub struct Setting<'a> {
    /// Which cases reports list.
    pub cases: Cases,
    /// Whose words they tell.
    pub tell: Tell,
    /// How many threads; 0 for as many as the machine has.
    pub threads: usize,
    /// What was read already.
    pub shelf: &'a Shelf,
    /// Takes how many bytes were read, as they are.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl Job {
    /// Whether what must be given is given, and nothing that excludes another.
    pub fn check(&self, entries: &Entries) -> Result<(), Problem> {
        if entries.has("gates") && entries.has("preset") {
            return Err(entries.problem("preset", "`preset` and `gates` are both given", "one of them"));
        }
        let whole = |group: &&&[&str]| group.iter().all(|key| entries.has(key));
        let given: Vec<_> = self.inputs.iter().filter(whole).collect();
        let sets: Vec<String> = self.inputs.iter().map(|group| group.join(" and ")).collect();
        match given.len() {
            1 => Ok(()),
            0 => {
                let message = format!("`{}` lacks what it reads", self.suite);
                Err(entries.problem("kind", message, sets.join(", or ")))
            }
            _ => {
                let message = format!("`{}` is given two kinds of input", self.suite);
                Err(entries.problem("kind", message, format!("either {}", sets.join(" or "))))
            }
        }
    }

    /// Whether a kind of input without gold is given, so that the project's gold set is not meant.
    #[must_use]
    pub fn has_own_input(&self, entries: &Entries) -> bool {
        let without_gold = self.inputs.iter().filter(|group| !group.contains(&"gold"));
        without_gold.into_iter().any(|group| group.iter().any(|key| entries.has(key)))
    }
}

impl Entries {
    /// The gates that a suite is to have.
    pub(crate) fn gates(&self) -> Gates {
        match (self.texts("gates"), self.text("preset")) {
            ([], None) => Gates::Default,
            ([], Some(name)) => Gates::Preset(name.into()),
            (list, _) => Gates::Explicit(list.join(" ")),
        }
    }
}

/// A gold file, and the fields to slice it by.
type Wanted = (PathBuf, Vec<String>);

/// What several suites read is read once.
#[derive(Default)]
pub struct Shelf {
    files: Mutex<HashMap<PathBuf, Source>>,
    golds: Mutex<HashMap<Wanted, Arc<Gold>>>,
}

impl Shelf {
    /// Files up to this size are kept; larger ones are opened again.
    const KEPT: u64 = 512 << 20;

    /// A gold file, its bytes kept for whoever reads it next.
    pub fn file(&self, path: &Path) -> Result<Source, Failure> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(source) = files.get(path) {
            return Ok(source.clone());
        }
        let source = Source::file(path);
        let small = source.size().is_some_and(|size| size <= Self::KEPT);
        let source = if small { source.into_memory()? } else { source };
        files.insert(path.to_owned(), source.clone());
        Ok(source)
    }

    /// The gold set of `answers` and its like, loaded once for each list of slices.
    pub fn gold(&self, path: &Path, slices: &[String], threads: usize) -> Result<Arc<Gold>, Failure> {
        let key = (path.to_owned(), slices.to_vec());
        let kept = self.golds.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(gold) = kept {
            return Ok(gold);
        }
        let gold = Arc::new(Gold::load(&self.file(path)?, slices, pipeline::threads(threads))?);
        self.golds.lock().unwrap_or_else(PoisonError::into_inner).insert(key, gold.clone());
        Ok(gold)
    }
}
