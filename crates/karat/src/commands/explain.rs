//! `karat explain`: what a metric counts, what a label means, what a preset demands, what to do about a problem.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use karat_core::config::{Entries, Value, keys};
use karat_core::input::Source;
use karat_core::jobs::{self, Job, Setting, Shelf};
use karat_core::judge::release::Reason;
use karat_core::lints;
use karat_core::metrics::{self, Metric};
use karat_core::pipeline::Cases;
use karat_core::problem::{self, Failure, Problem, Severity};
use karat_core::profiles::{PRESETS, Profile, Term};
use karat_core::suites::release::{self, Settings};
use karat_core::tell::Tell;
use karat_core::text;
use karat_core::{docs, explain};

use super::release::InputArgs;
use super::{WRONG, fail, show};
use crate::config;
use crate::output::Terminal;
use crate::problems;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  karat explain precision\n  karat explain HALLUCINATION\n  karat explain ship\n  karat explain gold/duplicate-id\n  karat explain A0003 --gold gold.jsonl --trace trace.jsonl\n  karat explain A0003                 a case of the suites in karat.toml\n  karat explain 'deploy 7' --evidence store.jsonl --gold gold.jsonl --trace cases.jsonl"
)]
pub(crate) struct Args {
    /// A metric, a label, a stage, a reason, a preset or a problem; nothing lists them all. With the files of a suite, or
    /// where karat.toml lies: one of its cases
    name: Option<String>,

    /// Look for a case in this suite of karat.toml; with files, which suite they are of [default: what the files say]
    #[arg(long, value_name = "SUITE")]
    suite: Option<String>,

    /// The configuration whose suites are looked through
    #[arg(long, value_name = "FILE", default_value = config::NAME)]
    config: PathBuf,

    #[command(flatten)]
    files: InputArgs,

    /// The block table of `retrieval`
    #[arg(long, value_name = "FILE")]
    blocks: Option<String>,

    /// Pairs of ratings of `agreement`
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pairs: Vec<String>,

    /// The refusals that the run was scored with, as `--refusal` of the suite takes them (repeatable)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    refusal: Vec<String>,

    /// Further packs of contradiction rules that the run was scored with (repeatable)
    #[arg(long, value_name = "FILE")]
    scu_rules: Vec<String>,

    /// Skip malformed lines of the traces, as the run did
    #[arg(long)]
    lenient: bool,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let of_case = match (&args.name, args.names_files()) {
        (Some(name), true) => Some(from_files(args, name)),
        (None, true) => return fail("name a case to explain: `karat explain CASE --gold …`", terminal),
        // What is declared goes first, unless a suite is named.
        (Some(name), false) if args.suite.is_some() => Some(from_config(args, name)),
        (Some(name), false) => match declared(Some(name)) {
            Err(said) if args.config.exists() => match from_config(args, name) {
                // Neither a word nor a case: the nearest word helps more than no case.
                Err(failure) if said.contains("did you mean") && only_unknown(&failure) => {
                    return fail(&said, terminal);
                }
                told => Some(told),
            },
            said => return show(said, terminal),
        },
        (None, false) => return show(declared(None), terminal),
    };
    match of_case {
        Some(Err(failure)) => {
            terminal.complain(&problems::render(&failure, terminal.color_err()));
            ExitCode::from(WRONG)
        }
        Some(Ok(told)) => show(Ok(told), terminal),
        None => ExitCode::SUCCESS,
    }
}

impl Args {
    /// Whether any file of a suite was named.
    fn names_files(&self) -> bool {
        let InputArgs { evidence, gold, trace, .. } = &self.files;
        gold.is_some()
            || self.blocks.is_some()
            || [evidence, trace, &self.pairs].iter().any(|files| !files.is_empty())
    }

    /// Which suite the files are of.
    fn job(&self) -> Result<&'static Job, Failure> {
        let kind = match &self.suite {
            Some(suite) => suite.as_str(),
            None if !self.files.evidence.is_empty() => "release",
            None if !self.pairs.is_empty() => "agreement",
            None if self.blocks.is_some() => "retrieval",
            None => "answers",
        };
        jobs::named(kind).ok_or_else(|| {
            let message = format!("no suite is called \"{}\"", text::visible(kind));
            let mut problem = Problem::of_file(&problem::CASE_UNKNOWN, "--suite", message);
            let all: Vec<&str> = jobs::ALL.iter().map(|job| job.suite).collect();
            problem.expected = format!("one of {}", all.join(", "));
            problem.into()
        })
    }
}

/// The path of one case, from the files of its suite.
fn from_files(args: &Args, name: &str) -> Result<String, Failure> {
    let job = args.job()?;
    let all = |list: &[String]| Value::Texts(list.to_vec());
    let given = [
        ("gold", args.files.gold.as_ref().map(|file| Value::Texts(vec![file.clone()]))),
        ("traces", Some(all(&args.files.trace)).filter(|_| !args.files.trace.is_empty())),
        ("evidence", Some(all(&args.files.evidence)).filter(|_| !args.files.evidence.is_empty())),
        ("blocks", args.blocks.as_ref().map(|file| Value::Texts(vec![file.clone()]))),
        ("pairs", Some(all(&args.pairs)).filter(|_| !args.pairs.is_empty())),
        ("refusal", Some(all(&args.refusal)).filter(|_| !args.refusal.is_empty())),
        ("scu_rules", Some(all(&args.scu_rules)).filter(|_| !args.scu_rules.is_empty())),
        ("lenient", Some(Value::Flag(args.lenient))),
    ];
    let given: Vec<(String, Value)> =
        given.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    let foreign = |key: &&str| !job.keys.iter().chain(keys::SUITE).any(|known| known.name == *key);
    if let Some(key) = given.iter().map(|(key, _)| key.as_str()).find(foreign) {
        let option = format!("--{}", key.replace("traces", "trace").replace('_', "-"));
        let message =
            format!("`{}` takes no such thing; --suite says which suite the files are of", job.suite);
        return Err(Problem::of_file(&problem::CASE_UNKNOWN, &option, message).into());
    }
    let entries = Entries::typed(given.into_iter().collect());
    job.check(&entries)?;
    if job.suite == "release" {
        let settings = Settings { lenient: args.lenient, ..args.files.settings() };
        return release::explain(&args.files.open()?, &settings, name);
    }
    match look(job, &entries, name)? {
        Look::Found(told) => Ok(told + &assumed(args, job)),
        Look::Near(near) => Err(unknown(name, &near)),
    }
}

/// The same files are of several suites: says which one was taken, where the traces look like another's.
fn assumed(args: &Args, job: &Job) -> String {
    let first = args.files.trace.first().filter(|_| args.suite.is_none() && job.suite == "answers");
    let line = first.and_then(|file| Source::expand(file).ok()?.first()?.line_at(0, 1 << 20).ok());
    let line = String::from_utf8_lossy(&line.unwrap_or_default()).into_owned();
    let has = |fields: &[&str]| fields.iter().any(|field| line.contains(&format!("\"{field}\"")));
    let others: Vec<&str> = [("stability", has(&["seed", "jitter"])), ("latency", has(&["e2e_ms", "knobs"]))]
        .into_iter()
        .filter_map(|(suite, looks)| looks.then_some(suite))
        .collect();
    match others.as_slice() {
        [] => String::new(),
        others => format!(
            "\nTold as `answers` judges its last trace; --suite {} tells it as that suite does.\n",
            others.join(" or --suite ")
        ),
    }
}

/// The path of one case, from the suites of the project that have it.
fn from_config(args: &Args, name: &str) -> Result<String, Failure> {
    let config = config::read(&args.config)?;
    let suites = config.chosen(args.suite.as_slice())?;
    let (mut found, mut near, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for suite in suites {
        match look(suite.job, &suite.entries, name) {
            Ok(Look::Found(told)) => found.push(format!("[suites.{}]\n{told}", suite.name)),
            Ok(Look::Near(names)) => {
                near.extend(names.into_iter().map(|near| format!("{near} ({})", suite.name)))
            }
            Err(failure) => failures.push(suite.entries.place(failure)),
        }
    }
    match (found.is_empty(), failures.pop()) {
        (false, _) => Ok(found.join("\n")),
        (true, Some(failure)) => Err(failure),
        (true, None) => Err(unknown(name, &near)),
    }
}

/// What became of looking for a case.
enum Look {
    Found(String),
    /// Not there; names that are like it.
    Near(Vec<String>),
}

fn look(job: &Job, entries: &Entries, name: &str) -> Result<Look, Failure> {
    let setting = Setting {
        cases: Cases::All,
        tell: Tell::Named(name.to_owned()),
        threads: 0,
        shelf: &Shelf::default(),
        progress: &|_| {},
    };
    if let Some(explain) = job.explain {
        return match explain(entries, &setting, name) {
            Ok(told) => Ok(Look::Found(told)),
            Err(failure) if failure.problems.iter().all(|problem| *problem.kind == problem::CASE_UNKNOWN) => {
                Ok(Look::Near(Vec::new()))
            }
            Err(failure) => Err(failure),
        };
    }
    let report = (job.run)(entries, &setting)?;
    Ok(match explain::case(&report, name) {
        Some(told) => Look::Found(told),
        None => Look::Near(explain::nearest(&report, name)),
    })
}

/// Whether nothing is wrong but that no case has the name, nor one like it.
fn only_unknown(failure: &Failure) -> bool {
    let unlike = |p: &Problem| *p.kind == problem::CASE_UNKNOWN && !p.expected.contains("did you mean");
    failure.problems.iter().all(unlike)
}

fn unknown(name: &str, near: &[String]) -> Failure {
    let message = format!("no case is called \"{}\"", text::visible(name));
    let mut problem = Problem::of_file(&problem::CASE_UNKNOWN, "karat explain", message);
    problem.expected = match near {
        [] => "expected the id of a case; `karat explain` lists what else has a name".into(),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    problem.into()
}

/// What is declared under a name.
fn declared(name: Option<&str>) -> Result<String, String> {
    let Some(name) = name else { return Ok(list()) };
    let found: Vec<String> = Profile::all().iter().flat_map(|profile| in_suite(profile, name)).collect();
    if !found.is_empty() {
        return Ok(found.join("\n"));
    }
    if let Some(kind) = problem::kind(name) {
        let severity = if kind.severity == Severity::Error { "error" } else { "warning" };
        let lint = lints::ALL.iter().find(|lint| lint.kind == kind);
        let found = lint.map(|lint| format!("Found when: {}\n", lint.method)).unwrap_or_default();
        let (slug, meaning, help) = (kind.slug, kind.meaning, kind.help);
        return Ok(format!("{slug} ({severity})\n\n{meaning}\n{found}What to do: {help}.\n"));
    }
    if let Some(reason) = Reason::ALL.into_iter().find(|reason| reason.name() == name) {
        return Ok(format!(
            "{} (why an evidence path is not admissible: `karat release`)\n\n{}.\n",
            reason.name(),
            docs::capital(reason.meaning())
        ));
    }
    let profiles = Profile::all();
    let metrics = profiles.iter().flat_map(|profile| profile.metrics.iter().map(|metric| metric.name));
    let labels = profiles.iter().flat_map(|profile| (profile.labels)()).map(|label| label.name);
    let known = metrics.chain(labels).chain(PRESETS.iter().map(|p| p.name));
    let known = known.chain(problem::KINDS.iter().map(|kind| kind.slug)).chain(Reason::ALL.map(Reason::name));
    let near = text::nearest(name, known);
    let hint = if near.is_empty() {
        "`karat explain` lists what there is".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    Err(format!("nothing is called `{}`; {hint}", text::visible(name)))
}

/// What a suite calls by this name: a metric, a label, a preset, a stage.
fn in_suite(profile: &Profile, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Some((metric, _)) = metrics::find(name, &profile.metrics, 5) {
        // What several suites count alike is told once.
        let sharing = sharing(metric);
        if sharing.first() == Some(&profile.suite) {
            found.push(explain_metric(metric, profile, &sharing));
        }
    }
    let judges = profile.judges_as().is_none();
    if let Some(label) =
        (profile.labels)().iter().find(|label| judges && label.name.eq_ignore_ascii_case(name))
    {
        let mut out = format!("{} (label of `karat {}`)\n\n{}\n", label.name, profile.suite, label.meaning);
        for (when, step) in &label.steps {
            let when = if when.is_empty() { String::new() } else { format!(" ({when})") };
            let _ = writeln!(out, "What to do{when}: {step}.");
        }
        found.push(out);
    }
    if let Some((_, meaning)) = profile.checks.iter().find(|(check, _)| *check == name) {
        found.push(format!("{name} (check of `karat {}`)\n\n{}.\n", profile.suite, docs::capital(meaning)));
    }
    if let Some(preset) = profile.presets().find(|preset| preset.name == name) {
        found.push(format!("{} (preset of `karat {}`)\n\n{}", preset.name, preset.suite, preset.toml));
    }
    if let Some(stage) = (profile.stages)().iter().find(|stage| judges && stage.name == name) {
        let mut out = format!(
            "{} (stage of `karat {}`)\n\n{}.\n",
            stage.name,
            profile.suite,
            docs::capital(stage.meaning)
        );
        for (_, step) in &stage.steps {
            let _ = writeln!(out, "Look first at: {step}.");
        }
        found.push(out);
    }
    found
}

/// The suites that count this very figure.
fn sharing(metric: &Metric) -> Vec<&'static str> {
    let same = |other: &Metric| other.name == metric.name && other.definition == metric.definition;
    let profiles = Profile::all().into_iter();
    profiles.filter(|profile| profile.metrics.iter().any(|other| same(other))).map(|p| p.suite).collect()
}

fn explain_metric(metric: &Metric, profile: &Profile, suites: &[&str]) -> String {
    let mut out = String::new();
    let mut line = |name: &str, value: &str| _ = writeln!(out, "{name:<13}{value}");
    let suites: Vec<String> = suites.iter().map(|suite| format!("`karat {suite}`")).collect();
    line("metric", &format!("{} ({})", metric.name, suites.join(", ")));
    line("tells", metric.summary);
    line("definition", metric.definition);
    line("counted over", metric.over);
    line("when empty", docs::when_empty(metric));
    line("better", docs::better(metric));
    line("interval", docs::interval(metric));
    if let Some(gate) = metric.default_gate {
        line("default gate", gate);
    }
    if !metric.aliases.is_empty() {
        line("also", &metric.aliases.join(", "));
    }
    line("from", metric.source);
    line("", "");
    line("words", profile.sets);
    out.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn list() -> String {
    let mut out = String::new();
    let mut section = |title: &str, rows: Vec<(&str, String)>| {
        let _ = writeln!(out, "{title}");
        for (name, summary) in rows {
            let _ = writeln!(out, "  {name:<26} {summary}");
        }
        out.push('\n');
    };
    for profile in Profile::all() {
        let terms = |terms: Vec<Term>| terms.iter().map(|t| (t.name, docs::capital(t.meaning))).collect();
        let suite = profile.suite;
        let metrics = profile.metrics.iter().map(|metric| (metric.name, metric.summary.into())).collect();
        section(&format!("{suite}: metrics"), metrics);
        if profile.judges_as().is_none() {
            section(&format!("{suite}: labels, worst first"), terms((profile.labels)()));
            section(&format!("{suite}: stages, in order"), terms((profile.stages)()));
        }
        let presets = profile.presets().map(|preset| (preset.name, preset.summary())).collect();
        section(&format!("{suite}: presets"), presets);
    }
    let reasons = Reason::ALL.into_iter().map(|r| (r.name(), docs::capital(r.meaning()))).collect();
    section("release: why an evidence path is not admissible", reasons);
    section("Problems", problem::KINDS.iter().map(|k| (k.slug, k.meaning.into())).collect());
    out.push_str("`karat explain NAME` says more.\n");
    out
}
