//! What `stability` reports beside its figures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::judge::stability::State;

/// The grid of runs.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Stability {
    /// The seeds in their order, as text: they may be larger than a double holds.
    pub seeds: Vec<String>,
    /// The jitters, `none` first.
    pub jitters: Vec<String>,
    /// A row a seed, a column a jitter: what became of the runs of all cases. Empty where there are more than 1,024.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grid: Vec<Vec<StateCounts>>,
}

/// How many runs ended in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateCounts {
    /// They answer right, or refuse where they must.
    pub held: u64,
    /// They answer wrong, or where they must refuse.
    pub wrong: u64,
    /// They refuse a question that can be answered.
    pub refused: u64,
    /// The pipeline failed.
    pub errored: u64,
    /// They are not there.
    pub missing: u64,
}

impl StateCounts {
    /// The count of a state.
    pub fn of(&mut self, state: State) -> &mut u64 {
        match state {
            State::Held => &mut self.held,
            State::Wrong => &mut self.wrong,
            State::Refused => &mut self.refused,
            State::Errored => &mut self.errored,
            State::Missing => &mut self.missing,
        }
    }

    /// Runs that are there and do not hold.
    #[must_use]
    pub fn bad(&self) -> u64 {
        self.wrong + self.refused + self.errored
    }

    /// Adds others.
    pub fn add(&mut self, other: &StateCounts) {
        self.held += other.held;
        self.wrong += other.wrong;
        self.refused += other.refused;
        self.errored += other.errored;
        self.missing += other.missing;
    }
}
