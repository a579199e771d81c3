//! One case from question to verdict: what was said, what was checked, what broke first, and the words for it.
//!
//! Every place that tells a case takes its words from here: the worst cases of a report, `karat explain`, the page and its
//! drawer.

use std::borrow::Cow;

use serde_json::Value;

use super::{Case, Layout, Offender, Outcome, Report, Shown};
use crate::profile::Term;
use crate::text::{self, shorten, visible};
use crate::wrap::wrap;

/// How one case went. It holds words of the inputs, so that the serialised report leaves it out.
#[derive(Clone, Debug, Default)]
pub struct CaseView {
    /// What was asked, retrieved, cited and said, and what to do.
    pub summary: Offender,
    /// What was checked, in the pipeline's order.
    pub steps: Vec<Step>,
    /// What else there is to know before its verdict can be understood, by name: who asked, what gold wants.
    pub about: Vec<(String, String)>,
    /// `release`: how chunks went through the stages.
    pub evidence: Option<EvidencePath>,
    /// `release`: every claim and what was checked of it.
    pub claims: Vec<ClaimView>,
    /// `stability`: in how many runs each of gold's phrases and sources is found.
    pub counted: Vec<RunCount>,
}

/// The chunks of a case in the stages of its path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EvidencePath {
    /// The stages in their order.
    pub stages: Vec<String>,
    /// The chunks, in the order of first appearance.
    pub chunks: Vec<ChunkPath>,
    /// How many more chunks there are, of which nothing can be said but their ranks.
    pub more: u64,
}

/// A chunk in the stages of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkPath {
    /// The id of the chunk.
    pub id: String,
    /// The rank of the chunk in each stage, from 1.
    pub ranks: Vec<Option<u64>>,
    /// What the chunk is: required, cited, at fault; and whether that is as it should be.
    pub tags: Vec<(String, bool)>,
    /// Whether gold requires it.
    pub required: bool,
}

/// A claim of an answer and what was checked of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimView {
    /// The id of the claim.
    pub id: String,
    /// The words of the claim, where there are any.
    pub words: Option<String>,
    /// What was checked: whether it holds, and why.
    pub checks: Vec<(bool, String)>,
}

/// In how many runs a phrase or a source is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunCount {
    /// Whether it is a source that is cited, and not a phrase that is said.
    pub source: bool,
    /// The phrase or the id.
    pub text: String,
    /// The number of runs that have it.
    pub runs: u64,
    /// The number of runs.
    pub of: u64,
}

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was asked.
    pub name: String,
    /// Whether it holds; `None` where nobody asks.
    pub pass: Option<bool>,
    /// What was found, in lines.
    pub says: Vec<String>,
    /// What the name means, where it does not say so itself.
    pub meaning: &'static str,
    /// Which part of the view it sums up.
    pub sums: Sums,
}

/// The part of a view that a step sums up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sums {
    /// None.
    #[default]
    Nothing,
    /// The ranks of the required chunks in the stage of this number.
    Ranks(usize),
    /// The check of this number of every claim.
    Claims(usize),
}

impl Step {
    /// A step that sums up nothing.
    pub fn new(name: &str, pass: Option<bool>, says: impl Into<String>) -> Self {
        Step { name: name.into(), pass, says: vec![says.into()], meaning: "", sums: Sums::Nothing }
    }
}

impl CaseView {
    /// About how many bytes its words take.
    pub fn size(&self) -> usize {
        let Offender { question, claim, retrieved, cited, gold_citations, gold_phrases, notes, .. } =
            &self.summary;
        let lists = [retrieved, cited, gold_citations, gold_phrases, notes].into_iter().flatten();
        let claims = self.claims.iter().flat_map(|claim| {
            let checks = claim.checks.iter().map(|(_, why)| why);
            checks.chain([&claim.id]).chain(&claim.words)
        });
        let texts = lists.chain([question]).chain(claim).chain(self.about.iter().map(|(_, text)| text));
        let texts = texts.chain(claims).chain(self.counted.iter().map(|counted| &counted.text));
        let chunks = self.evidence.iter().flat_map(|evidence| &evidence.chunks);
        // A rank takes two or three digits and a comma.
        let chunks = chunks.map(|chunk| chunk.id.len() + chunk.ranks.len() * 4);
        texts.map(String::len).chain(chunks).sum()
    }

    /// The lines under a step: what was found, then the ranks or claims that it sums up.
    fn lines(&self, step: &Step) -> Vec<String> {
        let mut lines = step.says.clone();
        match step.sums {
            Sums::Ranks(stage) => {
                let chunks = self.evidence.iter().flat_map(|evidence| &evidence.chunks);
                lines.extend(chunks.filter(|chunk| chunk.required).map(|chunk| {
                    match chunk.ranks.get(stage).copied().flatten() {
                        Some(rank) => format!("{} at rank {rank}", chunk.id),
                        None => format!("{} not there", chunk.id),
                    }
                }));
            }
            Sums::Claims(number) => {
                for claim in &self.claims {
                    let Some((holds, why)) = claim.checks.get(number) else { continue };
                    let mark = Outcome::of(Some(*holds)).mark();
                    // The words of a claim are told with its first check.
                    match claim.words.as_ref().filter(|_| number == 0) {
                        Some(words) => {
                            lines.extend([format!("{mark} {}: \"{words}\"", claim.id), format!("  {why}")]);
                        }
                        None => lines.push(format!("{mark} {}: {why}", claim.id)),
                    }
                }
            }
            Sums::Nothing => {}
        }
        lines
    }
}

/// A fact of a case under the name that every format gives it.
pub type CaseFact<'a> = (&'static str, Cow<'a, str>);

impl Offender {
    /// What is known of the case, in the order in which people read it. `no_ids` stands for a list of ids that is empty;
    /// a fact without a text is left out.
    fn facts(&self, no_ids: &'static str) -> impl Iterator<Item = CaseFact<'_>> {
        let claim =
            self.claim.as_deref().map(|claim| if claim.is_empty() { "(an empty claim)" } else { claim });
        let ids = |ids: &[String]| if ids.is_empty() { no_ids.into() } else { Cow::from(ids.join(" ")) };
        let once = [
            ("asked", Cow::from(&self.question)),
            ("said", claim.unwrap_or_default().into()),
            ("wanted", self.gold_phrases.join(" | ").into()),
            ("trace", self.place().into()),
            ("cited", ids(&self.cited)),
            ("gold", ids(&self.gold_citations)),
            ("retrieved", ids(&self.retrieved)),
        ];
        let notes = self.notes.iter().map(|note| ("note", note.into()));
        let all = once.into_iter().chain(notes).chain([("do", Cow::from(&self.next_step))]);
        all.filter(|(_, text)| !text.is_empty())
    }

    /// What a list of the worst cases tells of it: what it cites where the suite is about that.
    pub fn worst_facts(&self, layout: &Layout) -> Vec<CaseFact<'_>> {
        let cites = layout.worst.contains(&Shown::Citations);
        let no_ids = if cites && self.trace.is_some() { "–" } else { "" };
        self.facts(no_ids).filter(|(name, _)| cites || !["cited", "gold"].contains(name)).collect()
    }

    /// Where the trace is: its file, and its line where that is known.
    pub fn place(&self) -> String {
        let line = self.trace_line.map(|line| format!(":{line}")).unwrap_or_default();
        self.trace.as_ref().map(|trace| format!("{trace}{line}")).unwrap_or_default()
    }
}

/// Tells a case from question to verdict, for a terminal.
pub fn tell(report: &Report, case: &Case) -> String {
    let none = CaseView::default();
    let view = case.view.as_deref().unwrap_or(&none);
    let head = format!("{}  {}\n", case.label, visible(&case.id));
    // A line for every fact; nothing for an empty text.
    let facts = facts_of(report, case, view).into_iter().filter(|(_, text)| !text.is_empty());
    let facts = facts.map(|(name, text)| format!("  {name:<11}{}\n", shorten(&visible(&text), 2000)));
    format!("{head}{}{}\n{}", facts.collect::<String>(), steps(view), verdict(report, case, view))
}

/// Everything that is known of a case, by name.
fn facts_of(report: &Report, case: &Case, view: &CaseView) -> Vec<(String, String)> {
    let line = if case.line > 0 { format!(":{}", case.line) } else { String::new() };
    let answerable = case.flag("answerable");
    let answerable = answerable.map(|can| if can { "it can be answered" } else { "it cannot be answered" });
    let mut facts = vec![
        ("asked".to_owned(), view.summary.question.clone()),
        ("stands in".to_owned(), format!("{}{line}", report.gold())),
        ("gold says".to_owned(), answerable.unwrap_or_default().to_owned()),
    ];
    for (name, text) in view.summary.facts("") {
        match name {
            "asked" | "do" => {}
            // Where the stages of the evidence are told, its ids need no list.
            "gold" | "retrieved" if view.evidence.is_some() => {}
            "retrieved" => facts.push((name.to_owned(), ranking(&view.summary))),
            _ => facts.push((name.to_owned(), text.into_owned())),
        }
    }
    facts.extend(view.about.iter().cloned());
    let figures = case.facts.get("figures").and_then(Value::as_object).into_iter().flatten();
    let figures = figures.filter_map(|(name, value)| Some(format!("{name} {:.4}", value.as_f64()?)));
    facts.push(("figures".to_owned(), figures.collect::<Vec<_>>().join("  ")));
    facts
}

/// What was checked: lines stand beside their step where each has one, and below it otherwise.
fn steps(view: &CaseView) -> String {
    let lines: Vec<Vec<String>> = view.steps.iter().map(|step| view.lines(step)).collect();
    let width = view.steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
    let beside = lines.iter().all(|lines| lines.len() < 2);
    let below = |line: &String| {
        let indent = if line.starts_with(['✓', '✗', ' ']) { "      " } else { "    " };
        format!("\n{}", wrap("    ", indent, &visible(&shorten(line, 600))))
    };
    let told = view.steps.iter().zip(&lines).map(|(step, lines)| {
        let (mark, name) = (Outcome::of(step.pass).mark(), &step.name);
        match lines.as_slice() {
            [line] if beside => format!("{mark} {name:<width$}  {}\n", visible(line)),
            [line] if step.pass.is_none() => format!("{mark} {name}: {}\n", visible(line)),
            lines => format!("{mark} {name}{}\n", lines.iter().map(below).collect::<String>()),
        }
    });
    format!("{}{}", if view.steps.is_empty() { "" } else { "\n" }, told.collect::<String>())
}

/// What the label and the stage mean, and what to do.
fn verdict(report: &Report, case: &Case, view: &CaseView) -> String {
    let (labels, stages) = ((report.profile.labels)(), (report.profile.stages)());
    let named = |terms: Vec<Term>, name: &str| terms.into_iter().find(|term| term.name == name);
    let (label, stage) = (named(labels, &case.label), named(stages, &case.first_failed_stage));
    let mut out = label.as_ref().map(|label| text::capital(label.meaning) + "\n").unwrap_or_default();
    let good = label.is_some_and(|label| label.good);
    let stopped = stage.as_ref().is_some_and(|stage| !stage.good);
    let lead = match (good, report.layout.fault.is_some()) {
        (true, false) if stopped => "Stopped at",
        (true, _) => return out,
        (false, true) => "Because of",
        (false, false) => "First broken:",
    };
    let meaning = stage.map(|stage| stage.meaning).filter(|meaning| !meaning.is_empty());
    let meaning = meaning.map(|meaning| format!(": {}", meaning.trim_end_matches('.'))).unwrap_or_default();
    out.push_str(&format!("{lead} {}{meaning}.\n", case.first_failed_stage));
    let step = &view.summary.next_step;
    if !good && !step.is_empty() {
        let stop = if step.ends_with('?') { "" } else { "." };
        out.push_str(&format!("What to do: {step}{stop}\n"));
    }
    out
}

/// The retrieved ids with their ranks, those that gold names marked.
fn ranking(case: &Offender) -> String {
    let ranked = case.retrieved.iter().zip(1..).map(|(id, rank)| {
        let mark = if case.gold_citations.contains(id) { " (gold)" } else { "" };
        format!("{rank} {id}{mark}")
    });
    ranked.collect::<Vec<_>>().join("  ")
}
