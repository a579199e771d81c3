//! The flow that every suite shares once its cases are judged: which gates apply, what is counted, what is decided.
//!
//! What comes before, from files to verdicts, is a suite's own.

use std::collections::HashMap;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::gate::{self, Gate, Origin};
use crate::group::{Group, Groups};
use crate::interval;
use crate::metrics::{Facts, Fold, Metric, Params};
use crate::problem::{self, Failure, Problem};
use crate::profile::Profile;
use crate::report::{self, Report};
use crate::report::{counts_and_metrics, figure_of, gate_of};
use crate::score::Score;
use crate::tally::Figure;
use crate::text;

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

/// How many threads there are to be; 0 asks for as many as the machine has.
pub fn threads(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    }
}

/// How bootstrap intervals are drawn.
pub fn bootstrap() -> report::Bootstrap {
    report::Bootstrap {
        method: "BCa over cases".into(),
        resamples: interval::RESAMPLES as u64,
        seed: interval::SEED,
    }
}

/// The gates that somebody chose: an expression's or a preset's. `None`: the suite's default.
pub fn chosen(gates: &Gates, profile: &Profile, k: u32) -> Result<Option<Vec<Gate>>, Failure> {
    Ok(match gates {
        Gates::Explicit(list) => {
            let gates = gate::parse(list, "--gates", &profile.metrics, k, Origin::Explicit)?;
            gate::vet(&gates)?;
            Some(gates)
        }
        Gates::Preset(name) => Some(profile.preset(name)?.gates(&profile.metrics, k)?),
        Gates::Default => None,
    })
}

/// Where gates come from: a preset's name, or `explicit`.
pub fn origin(gates: &Gates, default: &str) -> String {
    match gates {
        Gates::Explicit(_) => "explicit".into(),
        Gates::Preset(name) => name.clone(),
        Gates::Default => default.into(),
    }
}

/// The fields to slice by: those that were asked for, and those that a gate names.
pub fn sliced(asked: &[String], gates: &[Gate]) -> Result<Vec<String>, Failure> {
    let mut fields = asked.to_vec();
    for field in gates.iter().filter_map(|gate| gate.slice.as_ref()?.field.as_ref()) {
        if !fields.contains(field) {
            fields.push(field.clone());
        }
    }
    if fields.is_empty()
        && let Some(gate) = gates.iter().find(|gate| gate.slice.is_some())
    {
        let message = format!("`{gate}` gates every slice, and nothing is sliced");
        let mut problem = Problem::of_file(&problem::GATE_INVALID, "--gates", message);
        problem.expected = "name a field with --slice".into();
        return Err(problem.into());
    }
    Ok(fields)
}

/// Adds the gates on counts that must be 0 in any case, unless a gate on all cases names them: one on a slice says nothing
/// about the others.
pub fn with_always(mut gates: Vec<Gate>, always: &[&str], profile: &Profile) -> Vec<Gate> {
    for name in always {
        if let Some(metric) = profile.metrics.iter().find(|metric| metric.name == *name)
            && !gates.iter().any(|gate| gate.metric.name == *name && gate.slice.is_none())
        {
            gates.push(Gate::none_of(metric));
        }
    }
    gates
}

/// These metrics at the suite's cut-off, and every other figure that a gate asks for.
pub fn figures<V: Facts>(metrics: &[Metric<V>], gates: &[Gate], k: u32, params: V::Params) -> Vec<Figure<V>> {
    figures_at(metrics.iter().map(|metric| (*metric, k)), metrics, gates, params)
}

/// Some metrics at cut-offs of their own, and every other figure that a gate asks for.
pub fn figures_at<V: Facts>(
    wanted: impl Iterator<Item = (Metric<V>, u32)>,
    metrics: &[Metric<V>],
    gates: &[Gate],
    params: V::Params,
) -> Vec<Figure<V>> {
    let gated = gates.iter().filter_map(|gate| {
        let metric = metrics.iter().find(|metric| metric.name == gate.metric.name)?;
        Some((*metric, gate.k))
    });
    let mut figures: Vec<Figure<V>> = Vec::new();
    for (metric, k) in wanted.chain(gated) {
        let name = metric.at(k);
        if !figures.iter().any(|figure| figure.name == name) {
            figures.push(Figure { metric, params: params.at(k), name });
        }
    }
    figures
}

/// What the cases came to: scores, gates and slices.
pub struct Concluded {
    /// One a figure.
    pub scores: Vec<Score>,
    /// The gates and what they say.
    pub gates: Vec<report::Gate>,
    /// The same, slice by slice.
    pub slices: Vec<report::Slice>,
    counts: IndexMap<String, u64>,
    metrics: IndexMap<String, report::Figure>,
}

/// Scores and gates all cases and every slice.
pub fn conclude<V: Facts>(
    gates: &[Gate],
    figures: &[Figure<V>],
    groups: &Groups<V>,
    fields: &[String],
    input_counts: &HashMap<&str, u64>,
) -> Concluded {
    let scores = groups.all.scores(figures, input_counts);
    conclude_with(gates, figures, groups, fields, input_counts, scores)
}

/// The same, from the scores of all cases: some of them may be of no case.
pub fn conclude_with<V: Facts>(
    gates: &[Gate],
    figures: &[Figure<V>],
    groups: &Groups<V>,
    fields: &[String],
    input_counts: &HashMap<&str, u64>,
    scores: Vec<Score>,
) -> Concluded {
    let (gates, slices) = decide(gates, figures, groups, fields, &scores, input_counts);
    let (counts, metrics) = counts_and_metrics(figures, &scores);
    Concluded { scores, gates, slices, counts, metrics }
}

impl Concluded {
    /// The value of a figure.
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.get(name).and_then(|figure| figure.value)
    }

    /// A report with all that suites share; what each has of its own is still empty.
    pub fn report(self, profile: &Profile, settings: report::Settings) -> Report {
        let verdict = overall(&self.gates);
        Report {
            schema: report::SCHEMA.into(),
            karat: env!("CARGO_PKG_VERSION").into(),
            suite: profile.suite.into(),
            profile: Arc::new(profile.clone()),
            pass: verdict == report::Decision::Ship,
            verdict,
            headline: None,
            request: IndexMap::new(),
            scope: String::new(),
            settings,
            inputs: Vec::new(),
            counts: self.counts,
            metrics: self.metrics,
            gates: self.gates,
            checks: Vec::new(),
            slices: self.slices,
            labels: IndexMap::new(),
            stages: IndexMap::new(),
            diagnosis: Vec::new(),
            amber: Vec::new(),
            hints: Vec::new(),
            warnings: Vec::new(),
            warnings_total: 0,
            offenders_total: None,
            offenders: Vec::new(),
            sections: Vec::new(),
            baseline: None,
            delta: IndexMap::new(),
            layout: report::Layout::default(),
            cases: Vec::new(),
            observed: IndexMap::new(),
        }
    }
}

/// Judges every gate, on all cases or on the slices that it names.
fn decide<V: Facts>(
    gates: &[Gate],
    figures: &[Figure<V>],
    groups: &Groups<V>,
    fields: &[String],
    scores: &[Score],
    input_counts: &HashMap<&str, u64>,
) -> (Vec<report::Gate>, Vec<report::Slice>) {
    let index = |gate: &Gate| figures.iter().position(|figure| figure.name == gate.metric.at(gate.k));
    let score_of = |gate: &Gate, scores: &[Score]| {
        index(gate).and_then(|i| scores.get(i).cloned()).unwrap_or(Score::UNKNOWN)
    };
    let judge = |gate: &Gate, slice: Option<String>, score: &Score, group: &Group<V>| {
        gate_of(gate, slice, score, &gate.judge(score, group.population(gate.metric.population)))
    };
    let mut decided: Vec<report::Gate> = Vec::new();
    for gate in gates.iter().filter(|gate| gate.slice.is_none()) {
        decided.push(judge(gate, None, &score_of(gate, scores), &groups.all));
    }
    let mut slices = Vec::new();
    for (field, groups) in fields.iter().zip(&groups.slices) {
        for (value, group) in groups {
            let scores = group.scores(figures, input_counts);
            let text = format!("{field}={}", value.as_deref().unwrap_or("(none)"));
            let mine = gates.iter().filter(|gate| {
                gate.slice
                    .as_ref()
                    .is_some_and(|s| s.is_on(field) && (s.value.is_none() || s.value == *value))
            });
            let gates: Vec<report::Gate> =
                mine.map(|gate| judge(gate, Some(text.clone()), &score_of(gate, &scores), group)).collect();
            decided.extend(gates.iter().cloned());
            let over_cases =
                |figure: &Figure<V>| figure.metric.fold != Fold::Input || figure.metric.name == "missing";
            slices.push(report::Slice {
                field: field.clone(),
                value: value.clone(),
                cases: group.cases,
                metrics: figures
                    .iter()
                    .zip(&scores)
                    .filter(|(figure, _)| over_cases(figure))
                    .map(|(figure, score)| (figure.name.clone(), figure_of(&figure.metric, score)))
                    .collect(),
                pass: gates.iter().all(|gate| gate.pass != Some(false)),
                offenders: Vec::new(),
                gates,
            });
        }
        // A gate on a value that no row has: nothing was measured, so it fails.
        for gate in gates {
            if let Some(selector) = gate.slice.as_ref().filter(|s| s.is_on(field))
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

/// What all gates together decide. Gates that apply in any case can stop a release and not carry it: one that somebody
/// chose, or that belongs to a preset, must pass.
#[must_use]
pub fn overall(gates: &[report::Gate]) -> report::Decision {
    let any = |outcome| gates.iter().any(|gate| gate.outcome == outcome);
    let asked = gates.iter().filter(|gate| gate.origin != Origin::Always.name());
    if any(report::Outcome::Fail) {
        report::Decision::NoShip
    } else if any(report::Outcome::Inconclusive)
        || !asked.into_iter().any(|gate| gate.outcome == report::Outcome::Pass)
    {
        report::Decision::Inconclusive
    } else {
        report::Decision::Ship
    }
}
