//! The suite `release`, top to bottom: read gold, read the traces, read of the evidence store what they touched, judge
//! every row, score, gate, report.
//!
//! The order matters: a store may be far larger than memory, and only the traces say which of its chunks are needed.

mod case_view;
mod cases;
pub mod dialect;
mod evidence;
mod gold;
pub mod judge;
pub mod metrics;
mod profile;
mod report;
mod row;
mod row_view;

use std::borrow::Cow;
use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::json;

use crate::columns::{Seen, observed};
use crate::detail::Detail;
use crate::gate::Gate;
use crate::group::{Contribution, Groups};
use crate::input::Source;
use crate::metrics::Metric;
use crate::pipeline::{self, Gates};
use crate::problem::{self, Failure, Problem};
use crate::profiles::Profile;
use crate::report::Report;
use crate::report::histogram;
use crate::request::key::{Key, Shape};
use crate::request::{Request, RunContext};
use crate::suite::{Reads, Suite};
use crate::suites::release::judge::support::supports;
use crate::suites::release::judge::{Expected, Label, Reason, Stage, Verdict};
use crate::text;
use cases::{Cases, Row, Site};
use evidence::Store;
use gold::Gold;
pub(crate) use gold::lint;

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
    dialects: &[&dialect::DIALECT],
    profile: profile::profile,
    evaluate: |request, context| {
        let (inputs, settings) = (Inputs::open(request, context)?, Settings::new(request)?);
        Ok(Run::read(&inputs, &settings, context.progress)?.report().into())
    },
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
        let traces = request.sources_of("traces")?;
        distinct(&traces)?;
        let gold = request.needed("gold", context)?;
        Ok(Inputs { evidence: request.sources_of("evidence")?, gold, traces })
    }
}

/// How it is scored.
struct Settings {
    /// The parts of the pipeline whose version each trace must name.
    version_keys: Vec<String>,
    /// Let a production trace name the phrases that support its claims.
    trust_claim_phrases: bool,
    /// Show claims of cases that touched a chunk they may not see, and lines of the inputs in errors.
    show_text: bool,
    lenient: bool,
    gates: Gates,
    /// The fields to slice by; none asks for `workflow`, where gold has it.
    slices: Vec<String>,
    cases: pipeline::Cases,
    tell: Detail,
    threads: usize,
    profile: Profile,
    metrics: Vec<Metric<Verdict>>,
}

impl Settings {
    fn new(request: &Request) -> Result<Settings, Failure> {
        let versions = request.given.texts("version_keys").iter();
        let versions = versions.flat_map(|list| list.split(',')).map(str::trim);
        let versions: Vec<String> = versions.filter(|key| !key.is_empty()).map(str::to_owned).collect();
        Ok(Settings {
            version_keys: if versions.is_empty() {
                VERSION_KEYS.map(str::to_owned).to_vec()
            } else {
                versions
            },
            trust_claim_phrases: request.given.flag("trust_claim_phrases"),
            show_text: request.given.flag("show_text"),
            lenient: request.given.flag("lenient"),
            gates: request.gates(),
            slices: request.given.texts("slices").to_vec(),
            cases: request.cases,
            tell: request.detail.clone(),
            threads: request.threads,
            profile: request.profile(),
            metrics: request.metrics(profile::metrics())?,
        })
    }
}

/// The versions that a trace names by default.
const VERSION_KEYS: [&str; 6] = ["retriever", "index", "sparse", "dense", "fusion", "reranker"];

/// What is sliced by where nobody asks for anything.
const DEFAULT_SLICE: &str = "workflow";

/// Refuses a file of traces that is named twice: repetition dilutes every rate.
fn distinct(traces: &[Source]) -> Result<(), Problem> {
    let real = |source: &Source| std::path::Path::new(&**source.name()).canonicalize().ok();
    for (i, source) in traces.iter().enumerate() {
        if traces[..i].iter().any(|other| real(other).is_some() && real(other) == real(source)) {
            let message = "this file is named twice, and repetition dilutes every rate";
            return Err(Problem::of_file(&problem::UNREADABLE, source.name(), message));
        }
    }
    Ok(())
}

/// A row once the evidence is known.
struct Judged {
    verdict: Verdict,
    /// Why its path is not admissible, the first reason first.
    reasons: Vec<(Reason, Site)>,
    /// A chunk that it cites and that its principal may not see, whether or not the path names it.
    cites_secret: Option<u32>,
}

impl Judged {
    /// Its words may not be shown: it touched a chunk that its principal may not see, or that nobody knows.
    fn is_secret(&self) -> bool {
        let secret =
            |(reason, _): &(Reason, Site)| matches!(reason, Reason::NotPermitted | Reason::UnknownId);
        self.cites_secret.is_some() || self.reasons.iter().any(secret)
    }
}

/// Everything that was read, and what it came to.
struct Run<'a> {
    inputs: &'a Inputs,
    settings: &'a Settings,
    profile: Profile,
    gates: Vec<Gate>,
    gold: Gold,
    cases: Cases,
    store: Store,
    judged: Vec<Judged>,
}

impl<'a> Run<'a> {
    fn read(
        inputs: &'a Inputs,
        settings: &'a Settings,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Self, Failure> {
        let profile = settings.profile.clone();
        let gates = match pipeline::chosen(&settings.gates, &profile, 0)? {
            Some(gates) => gates,
            None => profile.preset("release")?.gates(&profile.metrics, 0)?,
        };
        let gates = pipeline::with_always(gates, &["missing"], &profile);
        let by_default = settings.slices.is_empty();
        let asked = if by_default { vec![DEFAULT_SLICE.to_owned()] } else { settings.slices.clone() };
        let fields = pipeline::sliced(&asked, &gates)?;
        let threads = pipeline::threads(settings.threads);
        let mut gold = Gold::load(&inputs.gold, &fields, by_default && fields == asked)?;
        let cases = cases::read(&inputs.traces, &gold, settings, threads, progress)?;
        let store = evidence::read(&inputs.evidence, &cases, &gold, settings.show_text, threads, progress)?;
        let judged = cases.rows.iter().map(|row| judge(row, &gold, &cases, &store)).collect();
        warn(&mut gold, &cases, &store, settings);
        Ok(Run { inputs, settings, profile, gates, gold, cases, store, judged })
    }

    fn report(&self) -> Report {
        let Run { settings, gold, cases, gates, .. } = self;
        let resample_slices = gates.iter().any(|gate| gate.confident && gate.slice.is_some());
        let mut groups = Groups::new(gold.slice_fields.len(), resample_slices);
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
        let figures = pipeline::figures(&settings.metrics, gates, 0, ());
        let counts = HashMap::from([("malformed", cases.malformed)]);
        let mut concluded = pipeline::conclude(gates, &figures, &groups, &gold.slice_fields, &counts);
        report::name_offenders(&mut concluded.slices, self);
        let gold_rows = gold.cases.len() as u64;
        let gold_read = crate::report::Input::new("gold", &gold.name, gold_rows, gold.fingerprint.clone());
        let inputs = std::iter::once(gold_read).chain(self.store.inputs.iter().cloned());
        let from = pipeline::origin(&settings.gates, "release");
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
            observed: match settings.cases {
                pipeline::Cases::All => observed(
                    &figures,
                    self.judged.iter().map(|judged| Seen::Verdict(Cow::Borrowed(&judged.verdict))),
                ),
                _ => IndexMap::new(),
            },
            inputs: inputs.chain(cases.inputs.iter().cloned()).collect(),
            layout: report::layout(),
            ..concluded.report(&self.profile, self.told(&from))
        };
        report.scope = format!("{} of {}", report.traces(), text::count(gold_rows, "gold case"));
        report
    }

    /// The settings as a report tells them.
    fn told(&self, gates_from: &str) -> crate::report::Settings {
        let options = [
            ("version_keys", json!(self.settings.version_keys)),
            ("trust_claim_phrases", json!(self.settings.trust_claim_phrases)),
            ("slices", json!(self.gold.slice_fields)),
        ];
        crate::report::Settings::new(options, gates_from, pipeline::bootstrap())
    }
}

/// Judges one row against its gold case and the evidence that it touched.
fn judge(row: &Row, gold: &Gold, cases: &Cases, store: &Store) -> Judged {
    let case = &gold.cases[row.case as usize];
    let chunk = |id: u32| store.chunks.get(id as usize).and_then(Option::as_ref);
    let mut reasons = row.reasons.clone();
    for &id in &row.traced {
        let mut because = |reason: Reason| reasons.push((reason, Site::Chunk(id)));
        match chunk(id) {
            None => because(Reason::UnknownId),
            Some(chunk) => {
                if !chunk.permitted(row.principal.as_deref()) {
                    because(Reason::NotPermitted);
                }
                if !chunk.current(row.ts.as_ref()) {
                    because(Reason::NotCurrent);
                }
            }
        }
    }
    let mut told = Vec::new();
    for (&id, &version) in row.selected.iter().zip(&row.versions) {
        let given = cases.words.get_index(version as usize);
        let differs = chunk(id).is_some_and(|chunk| given.is_none_or(|given| **given != *chunk.version));
        if differs && !told.contains(&id) {
            told.push(id);
            reasons.push((Reason::VersionMismatch, Site::Chunk(id)));
        }
    }
    reasons.sort_by_key(|(reason, _)| *reason);

    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let (mut supported, mut well_cited) = (0, 0);
    let mut covered = vec![false; case.points.len()];
    // Chunks that hold no phrase at all support nothing: of a wide context few are left.
    let holding: Vec<&evidence::Chunk> =
        row.selected.iter().filter_map(|&id| chunk(id)).filter(|chunk| !chunk.found.is_empty()).collect();
    for claim in &row.claims {
        let phrases = claim.phrases(case);
        let says = |id: u32| chunk(id).is_some_and(|chunk| supports(phrases, &chunk.found));
        if holding.iter().any(|chunk| supports(phrases, &chunk.found)) {
            supported += 1;
            if let Some(point) = claim.point {
                covered[point as usize] = true;
            }
        }
        well_cited += u32::from(claim.citation.is_some_and(|id| row.selected.contains(&id) && says(id)));
    }
    let verdict = Verdict {
        expected: row.expected,
        reason: reasons.first().map(|(reason, _)| *reason),
        required: count(case.required.len()),
        candidates: row.candidates,
        context: row.context,
        selected: count(row.selected.len()),
        claims: count(row.claims.len()),
        supported,
        cited: count(row.claims.iter().filter(|claim| claim.citation.is_some()).count()),
        well_cited,
        points: count(case.points.len()),
        covered: count(covered.iter().filter(|covered| **covered).count()),
    };
    let may_see = |id: u32| chunk(id).is_none_or(|chunk| chunk.permitted(row.principal.as_deref()));
    let cites_secret = row.claims.iter().filter_map(|claim| claim.citation).find(|&id| !may_see(id));
    Judged { verdict, reasons, cites_secret }
}

/// What gold asks for in vain: sources that the store does not have, points that no production trace can support.
fn warn(gold: &mut Gold, cases: &Cases, store: &Store, settings: &Settings) {
    let mut found = Vec::new();
    let mut production = vec![false; gold.cases.len()];
    for row in cases.rows.iter().filter(|row| row.expected == Expected::Production) {
        production[row.case as usize] = true;
    }
    let mut note = |kind: &'static problem::Kind, line: u64, path: &str, message: String| {
        let mut problem = Problem::of_file(kind, &gold.name, message);
        (problem.line, problem.column, problem.path) = (line, 1, path.to_owned());
        found.push(problem);
    };
    for (case, production) in gold.cases.iter().zip(production) {
        for id in &case.required {
            let known = cases.chunks.get_index_of(id).is_some_and(|number| store.chunks[number].is_some());
            if !known {
                let message =
                    format!("required source \"{}\" is not in the evidence store", text::visible(id));
                note(&problem::GOLD_UNKNOWN_SOURCE, case.line, "required_source_ids", message);
            }
        }
        let phrases = case.phrases.iter().flat_map(|(_, words)| words);
        let texts = phrases.filter_map(|&word| gold.words.get_index(word as usize));
        for phrase in texts.filter(|phrase| phrase.chars().count() < 5) {
            let message =
                format!("the phrase \"{}\" is short: almost any chunk holds it", text::visible(phrase));
            note(&problem::GOLD_SHORT_PHRASE, case.line, "points", message);
        }
        if production && !settings.trust_claim_phrases {
            for point in case.points.iter().filter(|point| case.phrases_of(point).is_none()) {
                let message =
                    format!("required point \"{}\" has no phrases in `points`", text::visible(point));
                note(&problem::GOLD_NO_PHRASES, case.line, "points", message);
            }
        }
    }
    gold.warnings_total += found.len() as u64;
    gold.warnings.extend(found);
    gold.warnings.truncate(Failure::SHOWN);
}
