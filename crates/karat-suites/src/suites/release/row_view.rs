//! What each stage of a row came to, and what supports each of its claims, in words.

use super::input::cases::{Claim, Row};
use super::input::row::Principal;
use super::report::reasons_told;
use super::{Judged, Run};
use crate::suites::release::judge::support::supports;
use crate::suites::release::judge::{Expected, Stage};
use crate::text;

/// One row of the traces and everything that its words are made from.
#[derive(Clone, Copy)]
pub(super) struct RowView<'a> {
    pub(super) run: &'a Run<'a>,
    /// The row's number.
    pub(super) number: usize,
    pub(super) row: &'a Row,
    pub(super) judged: &'a Judged,
}

impl<'a> RowView<'a> {
    pub(super) fn new(run: &'a Run<'a>, number: usize) -> Self {
        RowView { run, number, row: &run.cases.rows[number], judged: &run.judged[number] }
    }

    /// What kind of row it is.
    pub(super) fn kind(&self) -> &'static str {
        match self.row.expected {
            Expected::Production => "a production trace: it should be released",
            Expected::Release => "a control that should be released",
            Expected::Block => "a control that should be blocked",
        }
    }

    /// Who asked.
    pub(super) fn asker(&self) -> String {
        who(self.row.principal.as_deref())
    }

    /// What gold wants.
    pub(super) fn needs(&self) -> String {
        let case = &self.run.gold.cases[self.row.case as usize];
        format!("sources {}; points {}", names(&case.required), names(&case.points))
    }

    /// Whether a stage holds; `None` where it was not reached. An answer without claims fails at completeness before its
    /// claims are looked at.
    pub(super) fn holds(&self, stage: Stage) -> Option<bool> {
        let failed = self.judged.verdict.stage();
        let empty = failed == Stage::AnswerCompleteness && self.row.claims.is_empty();
        let of_claims = matches!(stage, Stage::AnswerFaithfulness | Stage::CitationSupport);
        match stage {
            _ if stage == failed => Some(false),
            _ if stage < failed && !(empty && of_claims) => Some(true),
            _ => None,
        }
    }

    /// What was found at a stage, a line each.
    pub(super) fn found(&self, stage: Stage) -> Vec<String> {
        let verdict = &self.judged.verdict;
        match stage {
            Stage::Admissibility => {
                let touched = text::count(self.row.traced.len() as u64, "chunk");
                if self.judged.reasons.is_empty() {
                    return vec![format!(
                        "{touched} touched: known, permitted, current; the stages and versions agree"
                    )];
                }
                let told = reasons_told(self.run, self.number);
                let told = self.judged.reasons.iter().zip(told);
                let told = told.map(|((reason, _), told)| format!("{told}: {}", reason.meaning()));
                std::iter::once(format!("{touched} touched")).chain(told).collect()
            }
            Stage::CandidateRetrieval => vec![format!(
                "{} of {} required sources among the candidates",
                verdict.candidates, verdict.required
            )],
            Stage::ContextSelection => vec![format!(
                "{} of {} required sources in a context of {}",
                verdict.context, verdict.required, verdict.selected
            )],
            Stage::AnswerFaithfulness => {
                vec![format!(
                    "{} of {} claims supported by a selected chunk",
                    verdict.supported, verdict.claims
                )]
            }
            Stage::CitationSupport => vec![format!(
                "{} of {} claims cite a selected chunk that supports them",
                verdict.well_cited, verdict.claims
            )],
            Stage::AnswerCompleteness if self.row.claims.is_empty() => {
                vec!["the answer makes no claim".into()]
            }
            Stage::AnswerCompleteness => {
                let open = self.run.uncovered(self.number);
                let open = (!open.is_empty()).then(|| format!("left out: {}", open.join(", ")));
                let made = format!("{} of {} required points made", verdict.covered, verdict.points);
                std::iter::once(made).chain(open).collect()
            }
            Stage::Pass => Vec::new(),
        }
    }

    /// Whether a selected chunk supports a claim, and which, or what it lacks.
    pub(super) fn support(&self, claim: &Claim) -> (bool, String) {
        let RowView { run, row, .. } = *self;
        let phrases = claim.phrases(&run.gold.cases[row.case as usize]);
        if phrases.is_empty() {
            return (false, "nobody named phrases for its point, so nothing can support it".into());
        }
        let supporting = row.selected.iter().find(|id| self.supports(phrases, **id));
        if let Some(id) = supporting {
            return (true, format!("{} holds {}", self.chunk(*id), self.quoted(phrases)));
        }
        let (best, lacks) = row
            .selected
            .iter()
            .map(|&id| (id, self.lacking(phrases, id)))
            .min_by_key(|(_, lacks)| lacks.len())
            .unwrap_or((u32::MAX, phrases.to_vec()));
        (
            false,
            format!(
                "no selected chunk holds all its phrases; {} lacks {}",
                self.chunk(best),
                self.quoted(&lacks)
            ),
        )
    }

    /// Whether a claim cites a selected chunk that supports it, and if not, why not.
    pub(super) fn citation(&self, claim: &Claim, cited: Option<&str>) -> (bool, String) {
        let RowView { run, row, .. } = *self;
        let phrases = claim.phrases(&run.gold.cases[row.case as usize]);
        let Some(id) = claim.citation else { return (false, "it cites nothing".into()) };
        let name = cited.map_or_else(|| self.chunk(id), str::to_owned);
        if !row.selected.contains(&id) {
            return (false, format!("it cites {name}, which was not selected"));
        }
        if self.supports(phrases, id) {
            return (true, format!("it cites {name}, which supports it"));
        }
        let lacking = self.lacking(phrases, id);
        match lacking.is_empty() {
            true => (false, format!("it cites {name}, and nobody named phrases to look for in it")),
            false => (false, format!("it cites {name}, which lacks {}", self.quoted(&lacking))),
        }
    }

    fn supports(&self, phrases: &[u32], id: u32) -> bool {
        let chunk = self.run.store.chunks.get(id as usize).and_then(Option::as_ref);
        chunk.is_some_and(|chunk| supports(phrases, &chunk.found))
    }

    fn lacking(&self, phrases: &[u32], id: u32) -> Vec<u32> {
        phrases.iter().copied().filter(|phrase| !self.supports(&[*phrase], id)).collect()
    }

    fn chunk(&self, id: u32) -> String {
        self.run.cases.chunks.get_index(id as usize).map_or_else(|| "none".into(), ToString::to_string)
    }

    fn quoted(&self, phrases: &[u32]) -> String {
        let texts = phrases.iter().filter_map(|&phrase| self.run.cases.words.get_index(phrase as usize));
        let texts: Vec<String> = texts.map(|phrase| format!("\"{phrase}\"")).collect();
        if texts.is_empty() { "the claim's phrases".into() } else { texts.join(" and ") }
    }
}

fn who(principal: Option<&Principal>) -> String {
    let Some(principal) = principal else { return "nobody: the trace names no principal".into() };
    let user = principal.user.as_deref().map_or_else(|| "no user".to_owned(), |user| format!("user {user}"));
    let groups = if principal.groups.is_empty() {
        String::new()
    } else {
        format!(", groups {}", names(&principal.groups))
    };
    format!("{user}{groups}")
}

fn names(list: &[Box<str>]) -> String {
    list.iter().map(|name| &**name).collect::<Vec<_>>().join(", ")
}
