//! What is a suite? Everything karat knows about one, declared once.
//!
//! Flags, keys of karat.toml, help, completions, docs and schemas derive from this declaration; whoever wants a suite
//! scored fills a [`Request`].

use crate::dialect::Dialect;
use crate::problem::Failure;
use crate::profile::Profile;
use crate::request::key::Key;
use crate::request::{Output, Request, RunContext};

/// A suite.
#[derive(Debug)]
pub struct Suite {
    /// The verb of the command line, and the `kind` of karat.toml.
    pub name: &'static str,
    /// What it does, in one line of help.
    pub about: &'static str,
    /// What it reads.
    pub inputs: &'static [Key],
    /// Which of its inputs belong together.
    pub reads: Reads,
    /// What shapes its figures.
    pub options: &'static [Key],
    /// Calls that its help shows.
    pub examples: &'static str,
    /// Why its cases cannot be sliced, if they cannot.
    pub no_slices: Option<&'static str>,
    /// Why it makes no partials, if it makes none.
    pub no_partials: Option<&'static str>,
    /// Layouts of its own that `--format` prints, beside the formats that every suite has.
    pub layouts: &'static [&'static str],
    /// The shapes of its inputs.
    pub dialects: &'static [&'static Dialect],
    /// Its metrics, labels, stages and presets.
    pub profile: fn() -> Profile,
    /// Scores and decides.
    pub evaluate: fn(&Request, &RunContext<'_>) -> Result<Output, Failure>,
}

/// The profiles of these suites, in their order.
#[must_use]
pub fn profiles(suites: &[&'static Suite]) -> Vec<Profile> {
    suites.iter().map(|suite| (suite.profile)()).collect()
}

/// Groups of inputs, by name: what is given of a group must be the whole of it.
#[derive(Clone, Copy, Debug)]
pub enum Reads {
    /// Exactly one of the groups.
    OneOf(&'static [&'static [&'static str]]),
    /// One of the groups or more.
    AnyOf(&'static [&'static [&'static str]]),
}

impl Reads {
    /// The groups.
    #[must_use]
    pub fn groups(self) -> &'static [&'static [&'static str]] {
        match self {
            Reads::OneOf(groups) | Reads::AnyOf(groups) => groups,
        }
    }
}
