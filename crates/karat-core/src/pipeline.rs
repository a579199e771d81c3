//! The whole flow, top to bottom: read gold, read and judge traces, settle, score, gate, report.

use std::collections::HashMap;

use crate::compose::{cases, figure_of, gate_of, hints, histogram, offenders, symptoms};
use crate::diagnose::diagnose;
use crate::gate::{self, Gate, Origin};
use crate::gold::Gold;
use crate::input::Source;
use crate::interval;
use crate::judge::{Label, Refusal, RulePack, Rules, Scu, Stage};
use crate::ledger::Runs;
use crate::metrics::{Fold, Metric, Params};
use crate::problem::Failure;
use crate::profiles::Profile;
use crate::report::{self, Report};
use crate::score::Score;
use crate::settle::{Group, Missing, Settlement, Settling};
use crate::tally::Figure;
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

/// Which gates apply.
#[derive(Clone, Debug, Default)]
pub enum Gates {
    /// The default preset of the suite and the gold contract.
    #[default]
    Default,
    /// A preset by its name.
    Preset(String),
    /// An expression.
    Explicit(String),
}

/// Which cases a report lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cases {
    /// All of them.
    #[default]
    All,
    /// Those that went wrong.
    Offenders,
    /// None.
    None,
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
            threads: 0,
        }
    }
}

impl Settings {
    /// How many threads there are to be.
    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        }
    }

    /// What a case is judged by.
    fn rules(&self) -> Rules {
        Rules { refusal: self.refusal.clone(), scu: self.scu, contradictions: self.contradictions.clone() }
    }

    /// A fingerprint of what makes a verdict beside gold and trace: refusals and contradiction rules.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let refusals = self.refusal.to_string();
        crate::input::source::sha256(std::iter::once(refusals.as_str()).chain(self.contradictions.texts()))
    }

    /// The settings as a report tells them.
    fn told(&self, gates_from: &str) -> report::Settings {
        report::Settings {
            k: self.k,
            scu: self.scu.name().into(),
            runs: if self.runs == Runs::All { "all" } else { "last" }.into(),
            missing: if self.missing == Missing::Skip { "skip" } else { "score" }.into(),
            gates: gates_from.into(),
            bootstrap: report::Bootstrap {
                method: "BCa over cases".into(),
                resamples: interval::RESAMPLES as u64,
                seed: interval::SEED,
            },
        }
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

/// Everything that is settled before the first trace is read.
pub struct Plan<'a> {
    profile: &'a Profile,
    settings: &'a Settings,
    gold: Gold,
    gates: Vec<Gate>,
    gates_from: String,
    figures: Vec<Figure>,
}

impl<'a> Plan<'a> {
    /// Reads gold, and settles the gates and the figures.
    pub fn new(gold: &Source, profile: &'a Profile, settings: &'a Settings) -> Result<Self, Failure> {
        let k = settings.k;
        let explicit = match &settings.gates {
            Gates::Explicit(list) => {
                Some(gate::parse(list, "--gates", &profile.metrics, k, Origin::Explicit)?)
            }
            Gates::Preset(name) => Some(profile.preset(name)?.gates(&profile.metrics, k)?),
            Gates::Default => None,
        };
        let mut slices = settings.slices.clone();
        for selector in explicit.iter().flatten().filter_map(|gate| gate.slice.as_ref()) {
            if !slices.contains(&selector.field) {
                slices.push(selector.field.clone());
            }
        }
        let gold = Gold::load(gold, &slices, settings.threads())?;
        let (gates, gates_from) = gates(explicit, profile, settings, &gold)?;
        let figures = figures(&profile.metrics, &gates, settings);
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
        reading.read(traces, settings.threads(), progress)
    }

    /// Settles, scores, gates and reports. `traces` are the sources in the order of `counted`, to read offenders again.
    #[must_use]
    pub fn finish(&self, counted: Counted, traces: &[Source]) -> Report {
        let Plan { profile, settings, gold, gates, figures, .. } = self;
        let resample_slices = gates.iter().any(|gate| gate.confident && gate.slice.is_some());
        let settling = Settling { missing: settings.missing, scu: settings.scu, resample_slices };
        let settled = settling.settle(gold, counted.entries);
        let input_counts =
            HashMap::from([("unmatched", counted.unmatched), ("malformed", counted.malformed)]);
        let scores = settled.all.scores(figures, &input_counts);

        let (decided, slices) = decide(gates, figures, &settled, &scores, gold, &input_counts);
        let verdict = overall(&decided);
        let symptoms = symptoms(&settled, figures, &scores, settings.k);
        let among =
            |counts: bool| figures.iter().zip(&scores).filter(move |(f, _)| f.metric.among_counts == counts);
        let rows: u64 = counted.inputs.iter().map(|input| input.rows).sum();
        let gold_rows = gold.cases.len() as u64;
        let gold_read = report::Input::new("gold", &gold.name, gold_rows, gold.fingerprint.clone());
        Report {
            schema: report::SCHEMA.into(),
            karat: env!("CARGO_PKG_VERSION").into(),
            suite: profile.suite.into(),
            pass: verdict == report::Decision::Ship,
            verdict,
            settings: settings.told(&self.gates_from),
            counts: among(true)
                .map(|(figure, score)| (figure.name.clone(), score.num.unwrap_or(0)))
                .collect(),
            metrics: among(false).map(|(f, score)| (f.name.clone(), figure_of(f.metric, score))).collect(),
            diagnosis: diagnose(&symptoms, &decided),
            gates: decided,
            slices,
            labels: histogram(&settled, &Label::ALL, |s| s.label, Label::name),
            stages: histogram(&settled, &Stage::ALL, |s| s.stage, Stage::name),
            hints: hints(gold, &settled, &input_counts, rows),
            warnings: gold.warnings.iter().map(ToString::to_string).collect(),
            warnings_total: gold.warnings_total,
            offenders: offenders(gold, &settled, |case, entry| {
                let source = entry.position.source as usize;
                let again =
                    || traces.get(source).and_then(|source| replay(source, entry.position.offset, case));
                let evidence = entry.evidence.as_deref().cloned().or_else(again);
                (evidence, counted.inputs.get(source).map(|input| input.path.clone()))
            }),
            cases: cases(gold, &settled, settings.cases),
            inputs: std::iter::once(gold_read).chain(counted.inputs).collect(),
        }
    }
}

/// The gates that apply: explicit ones or a preset's, and those that are always there unless a gate names their metric.
fn gates(
    explicit: Option<Vec<Gate>>,
    profile: &Profile,
    settings: &Settings,
    gold: &Gold,
) -> Result<(Vec<Gate>, String), Failure> {
    let (mut gates, from) = match (explicit, &settings.gates) {
        (Some(gates), Gates::Preset(name)) => (gates, name.clone()),
        (Some(gates), _) => (gates, "explicit".to_owned()),
        (None, _) => {
            let name = if gold.array_contract { "quality" } else { "ship" };
            (profile.preset(name)?.gates(&profile.metrics, settings.k)?, name.to_owned())
        }
    };
    let mut always = vec!["errored"];
    if settings.missing == Missing::Score {
        always.insert(0, "missing");
    }
    if settings.scu == Scu::Enforce {
        always.push("scu_violations");
    }
    for name in always {
        if let Some(metric) = profile.metrics.iter().find(|metric| metric.name == name)
            && !gates.iter().any(|gate| gate.metric.name == name)
        {
            gates.push(Gate::none_of(metric));
        }
    }
    Ok((gates, from))
}

/// Every metric of the profile at the suite's cut-off, and every other figure that a gate asks for.
fn figures(metrics: &[&'static Metric], gates: &[Gate], settings: &Settings) -> Vec<Figure> {
    let figure = |metric: &'static Metric, k: u32| Figure {
        metric,
        params: Params { k, scu: settings.scu },
        name: metric.at(k),
    };
    let mut figures: Vec<Figure> = metrics.iter().map(|metric| figure(metric, settings.k)).collect();
    for gate in gates {
        let wanted = figure(gate.metric, gate.k);
        if !figures.iter().any(|figure| figure.name == wanted.name) {
            figures.push(wanted);
        }
    }
    figures
}

/// Judges every gate, on all cases or on the slices that it names.
fn decide(
    gates: &[Gate],
    figures: &[Figure],
    settled: &Settlement,
    scores: &[Score],
    gold: &Gold,
    input_counts: &HashMap<&str, u64>,
) -> (Vec<report::Gate>, Vec<report::Slice>) {
    let index = |gate: &Gate| figures.iter().position(|figure| figure.name == gate.metric.at(gate.k));
    let score_of = |gate: &Gate, scores: &[Score]| {
        index(gate).and_then(|i| scores.get(i).cloned()).unwrap_or(Score::UNKNOWN)
    };
    let judge = |gate: &Gate, slice: Option<String>, score: &Score, group: &Group| {
        gate_of(gate, slice, score, &gate.judge(score, group.population(gate.metric.population)))
    };
    let mut decided: Vec<report::Gate> = Vec::new();
    for gate in gates.iter().filter(|gate| gate.slice.is_none()) {
        decided.push(judge(gate, None, &score_of(gate, scores), &settled.all));
    }
    let mut slices = Vec::new();
    for (field, groups) in gold.slice_fields.iter().zip(&settled.slices) {
        for (value, group) in groups {
            let scores = group.scores(figures, input_counts);
            let text = format!("{field}={}", value.as_deref().unwrap_or("(none)"));
            let mine = gates.iter().filter(|gate| {
                gate.slice
                    .as_ref()
                    .is_some_and(|s| s.field == *field && (s.value.is_none() || s.value == *value))
            });
            let gates: Vec<report::Gate> =
                mine.map(|gate| judge(gate, Some(text.clone()), &score_of(gate, &scores), group)).collect();
            decided.extend(gates.iter().cloned());
            let over_cases =
                |figure: &Figure| figure.metric.fold != Fold::Input || figure.metric.name == "missing";
            slices.push(report::Slice {
                field: field.clone(),
                value: value.clone(),
                cases: group.cases,
                metrics: figures
                    .iter()
                    .zip(&scores)
                    .filter(|(figure, _)| over_cases(figure))
                    .map(|(figure, score)| (figure.name.clone(), figure_of(figure.metric, score)))
                    .collect(),
                pass: gates.iter().all(|gate| gate.pass != Some(false)),
                gates,
            });
        }
        // A gate on a value that no row has: nothing was measured, so it fails.
        for gate in gates {
            if let Some(selector) = gate.slice.as_ref().filter(|s| s.field == *field)
                && let Some(value) = &selector.value
                && !groups.contains_key(&Some(value.clone()))
            {
                let near = text::nearest(value, groups.keys().flatten().map(String::as_str));
                let hint = near
                    .first()
                    .map(|near| format!(" (there is \"{}\")", text::visible(near)))
                    .unwrap_or_default();
                let decision = gate::Decision {
                    outcome: gate::Outcome::Fail,
                    reason: Some(format!("no gold row has {field}={value}{hint}")),
                    more_cases: None,
                };
                decided.push(gate_of(gate, Some(format!("{field}={value}")), &Score::UNKNOWN, &decision));
            }
        }
    }
    (decided, slices)
}

fn overall(gates: &[report::Gate]) -> report::Decision {
    let any = |outcome| gates.iter().any(|gate| gate.outcome == outcome);
    if any(report::Outcome::Fail) {
        report::Decision::NoShip
    } else if any(report::Outcome::Inconclusive) || !any(report::Outcome::Pass) {
        report::Decision::Inconclusive
    } else {
        report::Decision::Ship
    }
}
