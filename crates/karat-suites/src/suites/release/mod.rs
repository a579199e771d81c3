//! The suite `release`, top to bottom: read gold, read the traces, read of the evidence store what they touched, judge
//! every row, score, gate, report.
//!
//! The order matters: a store may be far larger than memory, and only the traces say which of its chunks are needed.

mod case_view;
pub mod input;
pub mod judge;
pub mod labels;
pub mod metrics;
mod profile;
mod report;
mod row_view;

use std::collections::HashMap;

use serde_json::json;

use super::common::{Common, Gating};
use crate::group::{Contribution, Groups};
use crate::input::Source;
use crate::metrics::Metric;
use crate::pipeline;
use crate::problem::{self, Failure, Problem};
use crate::report::Report;
use crate::report::histogram;
use crate::request::key::{Key, Shape};
use crate::request::{Request, RunContext};
use crate::suite::{Reads, Suite};
use crate::text;
use input::cases::Cases;
use input::evidence::{self, Store};
use input::gold::Gold;
pub(crate) use input::gold::lint;
use input::{cases, row};
use judge::row::{Judged, judge};
use judge::{Expected, Label, Stage, Verdict};

/// The declaration.
pub const SUITE: Suite = Suite {
    name: "release",
    about: "Score evidence paths: permissions, versions, claims, citations, and the first stage that broke",
    inputs: &[
        Key::new(
            "evidence",
            Shape::Files,
            "The evidence store as JSON lines: files or patterns; it streams, whatever its size",
        ),
        Key::new("gold", Shape::File, "The gold set as JSON lines, or one JSON array"),
        Key::new(
            "traces",
            Shape::Files,
            "Cases as JSON lines, production traces and controls: files, patterns, or - for standard input",
        )
        .flag("trace"),
    ],
    reads: Reads::OneOf(&[&["gold", "traces", "evidence"]]),
    options: &[
        Key::new(
            "version_keys",
            Shape::Texts,
            "The versions that every trace must name, instead of retriever, index, sparse, dense, fusion, reranker",
        )
        .value("KEY")
        .several(),
        Key::new(
            "trust_claim_phrases",
            Shape::Flag,
            "Let production traces name the phrases that support their own claims",
        ),
        Key::new(
            "show_text",
            Shape::Flag,
            "Show the words of cases that touched a chunk they may not see, and of lines in error messages",
        )
        .typed_only(),
    ],
    examples: "\
  karat release --evidence store.jsonl --gold gold.jsonl --trace cases.jsonl
  karat release --evidence 'store/*.jsonl.zst' --gold gold.jsonl --trace prod.jsonl controls.jsonl --slice region
  karat release --evidence store.jsonl --gold gold.jsonl --trace cases.jsonl --out report.md --quiet
  karat explain 'deploy 7' --evidence store.jsonl --gold gold.jsonl --trace cases.jsonl",
    no_slices: None,
    no_partials: Some("it reads the evidence store once, as a whole"),
    layouts: &[],
    dialects: &[&input::DIALECT],
    profile: profile::profile,
    evaluate: |request, context| Ok(Run::read(request, context)?.report().into()),
};

/// What is read.
struct Inputs {
    evidence: Vec<Source>,
    gold: Source,
    /// The cases: production traces and controls.
    traces: Vec<Source>,
}

impl Inputs {
    fn open(request: &Request, context: &RunContext<'_>) -> Result<Inputs, Failure> {
        let (gold, traces) = (request.needed("gold", context)?, request.sources_of("traces")?);
        Ok(Inputs { evidence: request.sources_of("evidence")?, gold, traces })
    }
}

/// How it is scored.
pub(crate) struct Settings<'a> {
    common: Common<'a>,
    /// The parts of the pipeline whose version each trace must name.
    version_keys: Vec<String>,
    /// Let a production trace name the phrases that support its claims.
    trust_claim_phrases: bool,
    /// Show claims of cases that touched a chunk they may not see, and lines of the inputs in errors.
    show_text: bool,
}

impl<'a> Settings<'a> {
    fn new(request: &Request, context: &RunContext<'a>) -> Self {
        let keys = request.given.texts("version_keys").iter().flat_map(|list| list.split(','));
        let keys = keys.map(str::trim).filter(|key| !key.is_empty());
        let mut version_keys: Vec<String> = keys.map(str::to_owned).collect();
        if version_keys.is_empty() {
            version_keys = VERSION_KEYS.map(str::to_owned).to_vec();
        }
        Settings {
            common: Common::new(request, context),
            version_keys,
            trust_claim_phrases: request.given.flag("trust_claim_phrases"),
            show_text: request.given.flag("show_text"),
        }
    }
}

/// The versions that a trace names by default.
const VERSION_KEYS: [&str; 6] = ["retriever", "index", "sparse", "dense", "fusion", "reranker"];

/// The field to slice by where nobody asks for one; gold need not have it.
const DEFAULT_SLICE: &str = "workflow";

/// Everything that was read, and what it came to.
struct Run<'a> {
    inputs: Inputs,
    settings: Settings<'a>,
    gating: Gating,
    metrics: Vec<Metric<Verdict>>,
    gold: Gold,
    cases: Cases,
    store: Store,
    judged: Vec<Judged>,
}

impl<'a> Run<'a> {
    fn read(request: &Request, context: &RunContext<'a>) -> Result<Self, Failure> {
        let (inputs, settings) = (Inputs::open(request, context)?, Settings::new(request, context));
        let gating = settings.common.gating("release", 0, &["missing"])?;
        let by_default = settings.common.slices.is_empty();
        let asked = if by_default { vec![DEFAULT_SLICE.to_owned()] } else { settings.common.slices.clone() };
        let fields = pipeline::sliced(&asked, &gating.gates)?;
        let mut gold = Gold::load(&inputs.gold, &fields, by_default && fields == asked)?;
        let cases = cases::read(&inputs.traces, &gold, &settings)?;
        let store = evidence::read(&inputs.evidence, &cases, &gold, &settings)?;
        let judged = cases.rows.iter().map(|row| judge(row, &gold, &cases, &store)).collect();
        gold.warn(asked_in_vain(&gold, &cases, &store, &settings));
        let metrics = request.metrics(profile::metrics())?;
        Ok(Run { inputs, settings, gating, metrics, gold, cases, store, judged })
    }

    fn report(&self) -> Report {
        let Run { settings, gating, gold, cases, .. } = self;
        let common = &settings.common;
        let mut groups = Groups::new(gold.slice_fields.len(), gating.resamples_slices());
        let mut traced = vec![false; gold.cases.len()];
        for (row, judged) in cases.rows.iter().zip(&self.judged) {
            traced[row.case as usize] = true;
            let slices = &gold.cases[row.case as usize].slices;
            groups.each(slices, |group| group.add(&judged.verdict, Contribution::Verdict));
        }
        for (case, _) in gold.cases.iter().zip(&traced).filter(|(_, traced)| !**traced) {
            groups.each(&case.slices, |group| group.missing += 1);
        }
        groups.sort();
        let figures = pipeline::figures(&self.metrics, &gating.gates, 0, ());
        let counts = HashMap::from([("malformed", cases.malformed)]);
        let mut concluded = pipeline::conclude(&gating.gates, &figures, &groups, &gold.slice_fields, &counts);
        report::name_offenders(&mut concluded.slices, self);
        let inputs = std::iter::once(gold.input()).chain(self.store.inputs.iter().cloned());
        let options = [
            ("version_keys", json!(settings.version_keys)),
            ("trust_claim_phrases", json!(settings.trust_claim_phrases)),
            ("slices", json!(gold.slice_fields)),
        ];
        let mut report = Report {
            checks: report::checks(self, &concluded.slices),
            labels: histogram(&self.judged, &Label::ALL, |judged| Some(judged.verdict.label()), Label::name),
            stages: histogram(&self.judged, &Stage::ALL, |judged| Some(judged.verdict.stage()), Stage::name),
            diagnosis: report::diagnosis(self, &concluded.gates),
            hints: report::hints(self, &traced),
            warnings: gold.warnings.iter().map(ToString::to_string).collect(),
            warnings_total: gold.warnings_total,
            offenders: report::offenders(self),
            cases: report::cases(self),
            observed: common.observed(&figures, self.judged.iter().map(|judged| Some(&judged.verdict))),
            inputs: inputs.chain(cases.inputs.iter().cloned()).collect(),
            layout: report::layout(),
            ..common.report(
                concluded,
                gating,
                options,
                self.judged.is_empty().then_some("no trace belongs to any case"),
            )
        };
        let gold_cases = text::count(gold.cases.len() as u64, "gold case");
        report.scope = format!("{} of {gold_cases}", report.traces());
        report
    }
}

/// What gold asks for in vain: sources that the store does not have, points that no production trace can support.
fn asked_in_vain(gold: &Gold, cases: &Cases, store: &Store, settings: &Settings<'_>) -> Vec<Problem> {
    let mut production = vec![false; gold.cases.len()];
    for row in cases.rows.iter().filter(|row| row.expected == Expected::Production) {
        production[row.case as usize] = true;
    }
    let known = |id: &str| cases.chunks.get_index_of(id).is_some_and(|number| store.chunks[number].is_some());
    let mut found = Vec::new();
    for (case, production) in gold.cases.iter().zip(production) {
        found.extend(case.required.iter().filter(|id| !known(id)).map(|id| {
            let message = format!("required source \"{}\" is not in the evidence store", text::visible(id));
            gold.warning(&problem::GOLD_UNKNOWN_SOURCE, case, "required_source_ids", message)
        }));
        found.extend(gold.weak_points(case, production && !settings.trust_claim_phrases));
    }
    found
}
