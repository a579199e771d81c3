//! λ: do the wordings of one question, under one seed, lead to the same place?
//!
//! A log may give a state for each run; otherwise the state is derived from what the runs cite.

use crate::suites::terms::terms;

terms! {
    /// A state of λ.
    pub enum State {
        Convergent: "convergent", "`→` All runs lead to one place, the right one.";
        Divergent: "divergent", "`←` No run cites anything.";
        Recursive: "recursive", "`<>` Only some runs are right, or they lead to different places.";
        Chaotic: "chaotic", "`×` Runs cite something, but none is right.";
    }
}

impl State {
    /// Reads a symbol or a word.
    #[must_use]
    pub fn parse(text: &str) -> Option<State> {
        match text {
            "→" | "->" => Some(State::Convergent),
            "←" | "<-" => Some(State::Divergent),
            "<>" => Some(State::Recursive),
            "×" | "x" => Some(State::Chaotic),
            word => State::named(&word.to_ascii_lowercase()),
        }
    }
}

/// Where one run leads, as far as λ is concerned.
#[derive(Clone, Debug)]
pub struct RunPlace<'a> {
    /// The logged state.
    pub logged: Option<State>,
    /// Whether the answer cites something.
    pub cites: bool,
    /// The place of its first right citation; `None` if no citation is right.
    pub arrives: Option<&'a str>,
}

/// The state derived from the runs of a group.
#[must_use]
pub fn derive(runs: &[RunPlace<'_>]) -> State {
    let first = runs.first().and_then(|run| run.arrives);
    if first.is_some() && runs.iter().all(|run| run.arrives == first) {
        State::Convergent
    } else if !runs.iter().any(|run| run.cites) {
        State::Divergent
    } else if runs.iter().all(|run| run.arrives.is_none()) {
        State::Chaotic
    } else {
        State::Recursive
    }
}

/// Whether every run of a group is convergent; a run without a logged state has the derived one.
#[must_use]
pub fn converges(runs: &[RunPlace<'_>], derived: State) -> bool {
    !runs.is_empty() && runs.iter().all(|run| run.logged.unwrap_or(derived) == State::Convergent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling() {
        for (state, spellings) in [
            (State::Convergent, ["→", "->", "convergent", "Convergent"]),
            (State::Divergent, ["←", "<-", "divergent", "DIVERGENT"]),
            (State::Recursive, ["<>", "<>", "recursive", "Recursive"]),
            (State::Chaotic, ["×", "x", "chaotic", "CHAOTIC"]),
        ] {
            for text in spellings {
                assert_eq!(State::parse(text), Some(state), "{text}");
            }
        }
        for bad in ["", "=>", "→→", "converge", " ->", "y"] {
            assert_eq!(State::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn derived_from_what_runs_cite() {
        let run = |cites, arrives| RunPlace { logged: None, cites, arrives };
        let (silent, wrong) = (run(false, None), run(true, None));
        let (here, there) = (run(true, Some("S.4.2")), run(true, Some("S.5")));
        let derive =
            |runs: &[&RunPlace<'static>]| derive(&runs.iter().map(|run| (*run).clone()).collect::<Vec<_>>());
        assert_eq!(derive(&[&here, &here]), State::Convergent);
        assert_eq!(derive(&[&here, &there]), State::Recursive);
        assert_eq!(derive(&[&here, &wrong]), State::Recursive);
        assert_eq!(derive(&[&silent, &here]), State::Recursive);
        assert_eq!(derive(&[&silent, &silent]), State::Divergent);
        assert_eq!(derive(&[&silent, &wrong]), State::Chaotic);
    }

    #[test]
    fn a_logged_state_counts_for_its_run() {
        let run = |logged| RunPlace { logged, cites: true, arrives: None };
        let (yes, no, quiet) = (run(Some(State::Convergent)), run(Some(State::Chaotic)), run(None));
        assert!(converges(&[yes.clone(), yes.clone()], State::Chaotic));
        assert!(!converges(&[yes.clone(), quiet.clone()], State::Chaotic));
        assert!(converges(&[yes.clone(), quiet], State::Convergent));
        assert!(!converges(&[yes, no], State::Convergent) && !converges(&[], State::Convergent));
    }
}
