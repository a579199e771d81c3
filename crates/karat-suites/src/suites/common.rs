//! What every suite is asked, and what it does about it: which gates apply, which rows are read, which cases are listed,
//! how its report begins.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde_json::Value;

use crate::columns::{self, Row};
use crate::detail::Detail;
use crate::gate::Gate;
use crate::input::Source;
use crate::input::lines::Rows;
use crate::metrics::Facts;
use crate::pipeline::{self, Cases, Concluded, Gates};
use crate::problem::{self, Failure, Problem};
use crate::profile::Profile;
use crate::report::{self, Case, CaseView, Decision, Report};
use crate::request::{Request, RunContext};
use crate::tally::Figure;

/// The settings that every suite has.
#[derive(Clone)]
pub(crate) struct Common<'a> {
    pub(crate) profile: Profile,
    /// The gates that somebody chose.
    pub(crate) gates: Gates,
    /// The fields to slice by.
    pub(crate) slices: Vec<String>,
    /// Skip and count what is malformed.
    pub(crate) lenient: bool,
    /// The cases that the report lists.
    pub(crate) cases: Cases,
    /// The cases whose words the report carries, beside the worst ones.
    pub(crate) detail: Detail,
    pub(crate) threads: usize,
    /// Takes how many bytes were read, as they are.
    pub(crate) progress: &'a (dyn Fn(u64) + Sync),
}

/// The gates that apply, and where they come from.
#[derive(Clone, Debug)]
pub(crate) struct Gating {
    pub(crate) gates: Vec<Gate>,
    pub(crate) from: String,
}

impl<'a> Common<'a> {
    pub(crate) fn new(request: &Request, context: &RunContext<'a>) -> Self {
        Common {
            profile: request.profile(),
            gates: request.gates(),
            slices: request.given.texts("slices").to_vec(),
            lenient: request.given.flag("lenient"),
            cases: request.cases,
            detail: request.detail.clone(),
            threads: pipeline::threads(request.threads),
            progress: context.progress,
        }
    }

    /// The chosen gates, or those of the preset `default`; and the counts that must be 0 in any case.
    pub(crate) fn gating(&self, default: &str, k: u32, always: &[&str]) -> Result<Gating, Failure> {
        let gates = match pipeline::chosen(&self.gates, &self.profile, k)? {
            Some(gates) => gates,
            None => self.profile.preset(default)?.gates(&self.profile.metrics, k)?,
        };
        let gates = pipeline::with_always(gates, always, &self.profile);
        Ok(Gating { gates, from: pipeline::origin(&self.gates, default) })
    }

    /// The rows of these files.
    pub(crate) fn rows<'s>(&'s self, sources: &'s [Source]) -> Rows<'s> {
        Rows { lenient: self.lenient, progress: self.progress, ..Rows::new(sources, self.threads) }
    }

    /// The cases that a report lists, out of all.
    pub(crate) fn listed<T>(&self, all: impl Iterator<Item = T>, good: impl Fn(&T) -> bool) -> Vec<T> {
        let listed = |case: &T| match self.cases {
            Cases::All => true,
            Cases::Offenders => !good(case),
            Cases::None => false,
        };
        all.filter(listed).collect()
    }

    /// The listed cases of a report, with the words of those that it carries.
    pub(crate) fn cases<T>(
        &self,
        all: impl Iterator<Item = T>,
        good: impl Fn(&T) -> bool,
        case: impl Fn(&T) -> Case,
        view: impl Fn(&T) -> CaseView,
    ) -> Vec<Case> {
        let listed = self.listed(all, &good);
        let mut cases: Vec<Case> = listed.iter().map(case).collect();
        self.detail.to(&mut cases, |i| good(&listed[i]), |i| view(&listed[i]));
        cases
    }

    /// What each case adds to each figure, where all cases are listed; `None` is a case that is left out of all.
    pub(crate) fn observed<'c, V: Facts>(
        &self,
        figures: &[Figure<V>],
        verdicts: impl Iterator<Item = Option<&'c V>>,
    ) -> IndexMap<String, String> {
        let row = |verdict: Option<&'c V>| verdict.map_or(Row::Skipped, |v| Row::Verdict(Cow::Borrowed(v)));
        match self.cases {
            Cases::All => columns::observed(figures, verdicts.map(row)),
            _ => IndexMap::new(),
        }
    }

    /// The report of these conclusions; what the suite has of its own is still empty.
    ///
    /// Every suite goes through here, and nothing is not success: whatever the gates allow, a suite that measured nothing
    /// does not ship. `nothing` says what it lacks, and is `None` where there was something to measure.
    pub(crate) fn report<const N: usize>(
        &self,
        concluded: Concluded,
        gating: &Gating,
        options: [(&str, Value); N],
        nothing: Option<&str>,
    ) -> Report {
        let settings = report::Settings::new(options, &gating.from, pipeline::bootstrap());
        let report = concluded.report(&self.profile, settings);
        match nothing.filter(|_| report.pass) {
            None => report,
            Some(what) => {
                let headline = Some(format!("{what}, so that nothing was measured"));
                Report { pass: false, verdict: Decision::Inconclusive, headline, ..report }
            }
        }
    }
}

impl Gating {
    /// Refuses gates on slices, for cases that have none.
    pub(crate) fn unsliced(&self, why: &str) -> Result<(), Problem> {
        let Some(gate) = self.gates.iter().find(|gate| gate.slice.is_some()) else { return Ok(()) };
        Err(Problem::of_file(&problem::GATE_INVALID, "--gates", format!("`{gate}`: {why}")))
    }

    /// Whether a gate asks for an interval of a slice.
    pub(crate) fn resamples_slices(&self) -> bool {
        self.gates.iter().any(|gate| gate.confident && gate.slice.is_some())
    }
}
