//! The suite `answers`, top to bottom: read gold, read and judge traces, settle, score, gate, report.

mod steps;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::json;

use crate::compose::{Again, cases, hints, layout, listed, offenders, symptoms, told};
use crate::diagnose::diagnose;
use crate::gate::Gate;
use crate::gold::Gold;
use crate::input::Source;
use crate::judge::{Refusal, RulePack, Rules, Scu};
use crate::ledger::{Entry, Runs};
use crate::metrics::Params;
use crate::model::Case;
use crate::observe;
use crate::pipeline::{self, Cases, Gates};
use crate::problem::Failure;
use crate::profiles::Profile;
use crate::report::{self, Report};
use crate::settle::{Missing, Settled, Settlement, Settling};
use crate::tally::Figure;
use crate::tell::Tell;
use crate::text;
use crate::traces::{Counted, Reading, replay};

/// What is read.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The gold set.
    pub gold: Source,
    /// The traces, in their order: the last trace of a case counts.
    pub traces: Vec<Source>,
}

/// How it is scored.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The cut-off of `recall@k` and its like.
    pub k: u32,
    /// What is done about constraints.
    pub scu: Scu,
    /// Which traces of a case count.
    pub runs: Runs,
    /// What becomes of a case without a trace.
    pub missing: Missing,
    /// Skip and count malformed lines.
    pub lenient: bool,
    /// The gates.
    pub gates: Gates,
    /// The fields to slice by.
    pub slices: Vec<String>,
    /// Which claims are refusals.
    pub refusal: Refusal,
    /// What contradicts a constraint.
    pub contradictions: RulePack,
    /// Which cases the report lists.
    pub cases: Cases,
    /// Whose words it tells, beside the worst cases'.
    pub tell: Tell,
    /// How many threads; 0 for as many as the machine has.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            k: 5,
            scu: Scu::default(),
            runs: Runs::default(),
            missing: Missing::default(),
            lenient: false,
            gates: Gates::default(),
            slices: Vec::new(),
            refusal: Refusal::default(),
            contradictions: RulePack::default(),
            cases: Cases::default(),
            tell: Tell::default(),
            threads: 0,
        }
    }
}

impl Settings {
    /// What a case is judged by.
    fn rules(&self) -> Rules {
        Rules { refusal: self.refusal.clone(), scu: self.scu, contradictions: self.contradictions.clone() }
    }

    /// A fingerprint of what makes a verdict beside gold and trace: refusals and contradiction rules.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        self.rules().fingerprint()
    }

    /// The counts that must be 0 in any case.
    fn always(&self) -> Vec<&'static str> {
        let mut always = Vec::new();
        if self.missing == Missing::Score {
            always.push("missing");
        }
        always.push("errored");
        if self.scu == Scu::Enforce {
            always.push("scu_violations");
        }
        always
    }

    /// The settings as a report tells them.
    fn told(&self, gates_from: &str) -> report::Settings {
        let runs = if self.runs == Runs::All { "all" } else { "last" };
        let missing = if self.missing == Missing::Skip { "skip" } else { "score" };
        let options = [
            ("k", json!(self.k)),
            ("scu", json!(self.scu.name())),
            ("runs", json!(runs)),
            ("missing", json!(missing)),
        ];
        let mut told = report::Settings::new(options, gates_from, pipeline::bootstrap());
        told.options.extend(self.rules().told());
        told
    }
}

/// Scores traces against gold and decides.
pub fn evaluate(inputs: &Inputs, profile: &Profile, settings: &Settings) -> Result<Report, Failure> {
    evaluate_with(inputs, profile, settings, &|_| {})
}

/// The same, telling `progress` how many bytes of the traces were taken, as they are.
pub fn evaluate_with(
    inputs: &Inputs,
    profile: &Profile,
    settings: &Settings,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Report, Failure> {
    let plan = Plan::new(&inputs.gold, profile, settings)?;
    let counted = plan.read(&inputs.traces, progress)?;
    Ok(plan.finish(counted, &inputs.traces))
}

/// The cases of a report, those whose path is asked for with what was said and checked.
pub(crate) fn told_cases(
    gold: &Gold,
    settled: &Settlement,
    (which, tell): (Cases, &Tell),
    scu: Scu,
    again: &Again<'_>,
) -> Vec<report::Case> {
    let mut cases = cases(gold, settled, which);
    if *tell != Tell::Worst {
        let listed: Vec<&Settled> = listed(settled, which).collect();
        let good = |i: usize| listed[i].label.is_good() || listed[i].skipped;
        tell.to(&mut cases, good, |i| {
            let (case, told) = (listed[i].case as usize, told(gold, settled, listed[i], again));
            let verdict = settled.entries[case].as_ref().map(Entry::verdict);
            let steps = steps::steps(&gold.cases[case], verdict.as_ref(), &told, scu);
            report::CaseView { told, steps, ..report::CaseView::default() }
        });
    }
    cases
}

/// Everything that is settled before the first trace is read.
pub struct Plan<'a> {
    profile: &'a Profile,
    settings: &'a Settings,
    gold: Arc<Gold>,
    gates: Vec<Gate>,
    gates_from: String,
    figures: Vec<Figure>,
}

impl<'a> Plan<'a> {
    /// Reads gold, and settles the gates and the figures.
    pub fn new(gold: &Source, profile: &'a Profile, settings: &'a Settings) -> Result<Self, Failure> {
        let threads = pipeline::threads(settings.threads);
        Self::with(profile, settings, |slices| Ok(Arc::new(Gold::load(gold, slices, threads)?)))
    }

    /// The same, with a gold set that somebody may have loaded already; `load` takes the fields to slice by.
    pub fn with(
        profile: &'a Profile,
        settings: &'a Settings,
        load: impl FnOnce(&[String]) -> Result<Arc<Gold>, Failure>,
    ) -> Result<Self, Failure> {
        let chosen = pipeline::chosen(&settings.gates, profile, settings.k)?;
        let slices = pipeline::sliced(&settings.slices, chosen.as_deref().unwrap_or_default())?;
        let gold = load(&slices)?;
        let default = if gold.array_contract { "quality" } else { "ship" };
        let gates = match chosen {
            Some(gates) => gates,
            None => profile.preset(default)?.gates(&profile.metrics, settings.k)?,
        };
        let gates = pipeline::with_always(gates, &settings.always(), profile);
        let gates_from = pipeline::origin(&settings.gates, default);
        let params = Params { k: settings.k, scu: settings.scu, ..Params::default() };
        let figures = pipeline::figures(profile, &gates, params);
        Ok(Plan { profile, settings, gold, gates, gates_from, figures })
    }

    /// The gold set.
    #[must_use]
    pub fn gold(&self) -> &Gold {
        &self.gold
    }

    /// What is counted.
    #[must_use]
    pub fn figures(&self) -> &[Figure] {
        &self.figures
    }

    /// Reads and judges every trace.
    pub fn read(&self, traces: &[Source], progress: &(dyn Fn(u64) + Sync)) -> Result<Counted, Failure> {
        let settings = self.settings;
        let reading = Reading {
            gold: &self.gold,
            rules: &settings.rules(),
            runs: settings.runs,
            figures: &self.figures,
            lenient: settings.lenient,
        };
        reading.read(traces, pipeline::threads(settings.threads), progress)
    }

    /// Settles, scores, gates and reports. `traces` are the sources in the order of `counted`, to read offenders again.
    #[must_use]
    pub fn finish(&self, counted: Counted, traces: &[Source]) -> Report {
        let Plan { profile, settings, gold, gates, figures, .. } = self;
        let resample_slices = gates.iter().any(|gate| gate.confident && gate.slice.is_some());
        let threads = pipeline::threads(settings.threads);
        let settling = Settling {
            missing: settings.missing,
            scu: settings.scu,
            resample_slices,
            k: settings.k,
            threads,
        };
        let settled = settling.settle(gold, counted.entries);
        let input_counts =
            HashMap::from([("unmatched", counted.unmatched), ("malformed", counted.malformed)]);
        let concluded =
            pipeline::conclude(gates, figures, &settled.groups, &gold.slice_fields, &input_counts);
        let symptoms = symptoms(&settled.counts, figures, &concluded.scores, settings.k);
        let mut hints =
            hints(gold, &settled, &input_counts, counted.inputs.iter().map(|input| input.rows).sum());
        let several = settled.entries.iter().flatten().any(|entry| entry.runs > 1);
        if counted.paraphrased > 0 && several && settings.runs == Runs::Last {
            let ask = if counted.paraphrased == 1 { "asks" } else { "ask" };
            let traces = text::count(counted.paraphrased, "trace");
            hints.push(format!(
                "{traces} {ask} a paraphrase, and only the last trace of each case counts, whichever wording that is: `karat stability` judges every one"
            ));
        }
        let gold_rows = gold.cases.len() as u64;
        let gold_read = report::Input::new("gold", &gold.name, gold_rows, gold.fingerprint.clone());
        let again = |case: &Case, entry: &Entry| {
            let (source, offset) = (entry.position().source as usize, entry.position().offset);
            let replayed = || traces.get(source).and_then(|source| replay(source, offset, case));
            let evidence = entry.evidence().or_else(replayed);
            (evidence, counted.inputs.get(source).map(|input| input.path.clone()))
        };
        let cases = told_cases(gold, &settled, (settings.cases, &settings.tell), settings.scu, &again);
        let mut report = Report {
            diagnosis: diagnose(&symptoms, &concluded.gates),
            labels: settled.counts.labels(),
            stages: settled.counts.stages(),
            hints,
            warnings: gold.warnings.iter().map(ToString::to_string).collect(),
            warnings_total: gold.warnings_total,
            offenders: offenders(gold, &settled, &again),
            cases,
            observed: observe::answers(gold, &settled, (settings.cases, settings.scu), figures),
            inputs: std::iter::once(gold_read).chain(counted.inputs).collect(),
            layout: layout(),
            ..concluded.report(profile.suite, settings.told(&self.gates_from))
        };
        report.scope = format!("{}, {}", text::count(gold_rows, "case"), report.traces());
        report
    }
}
