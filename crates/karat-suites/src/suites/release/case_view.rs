//! The view of one row: who asked, how chunks went through the stages, what was checked of each claim.
//!
//! Every view has ids of chunks; what the model said, its citations included, only where that may be shown.

use std::collections::{HashMap, HashSet};

use super::Run;
use super::input::cases::Site;
use super::report::{UNSHOWN, offender};
use super::row;
use super::row_view::RowView;
use crate::report::{CaseView, ChunkPath, ClaimView, EvidencePath, Step, Sums};
use crate::suites::release::judge::Stage;

/// Chunks that are told although they are neither required, cited nor at fault.
const PLAIN: usize = 30;
/// Chunks and claims that are told at all: no page needs more, and a log may hold any number.
const MOST: usize = 200;

/// What the stages of a path are called.
const STAGES: [&str; 4] = ["first stage", "to the reranker", "reranked", "selected"];

/// The view of a row, by its number.
pub(super) fn case_view(run: &Run<'_>, i: usize) -> CaseView {
    let row_view = RowView::new(run, i);
    let line = run.line_of(row_view.row);
    let said = line.as_deref().map(row::Row::read).filter(|said| said.wrong.is_empty());
    let shown = run.may_show(row_view.judged);

    let mut notes = Vec::new();
    if let Some(id) = row_view.judged.cites_secret.and_then(|id| run.cases.chunks.get_index(id as usize)) {
        notes.push(format!("it cites {id}, which its principal may not see"));
    }
    if !shown {
        notes.push(UNSHOWN.into());
    } else if said.is_none() {
        notes.push("its words cannot be read again: the file is gone, has changed, or was a stream".into());
    }
    let about =
        [("is", row_view.kind().to_owned()), ("asked by", row_view.asker()), ("needs", row_view.needs())];
    CaseView {
        summary: offender(run, i, notes),
        steps: steps(&row_view),
        about: about.into_iter().map(|(name, text)| (name.to_owned(), text)).collect(),
        evidence: said.as_ref().map(|said| evidence(&row_view, said, shown)),
        claims: said.as_ref().filter(|_| shown).map(|said| claims(&row_view, said)).unwrap_or_default(),
        ..CaseView::default()
    }
}

/// Each stage and what was found there.
fn steps(row_view: &RowView<'_>) -> Vec<Step> {
    let step = |stage: Stage| {
        let sums = match stage {
            Stage::CandidateRetrieval => Sums::Ranks(0),
            Stage::ContextSelection => Sums::Ranks(3),
            Stage::AnswerFaithfulness => Sums::Claims(0),
            Stage::CitationSupport => Sums::Claims(1),
            Stage::Admissibility | Stage::AnswerCompleteness | Stage::Pass => Sums::Nothing,
        };
        match row_view.holds(stage) {
            None => Step::new(stage.name(), None, "not reached"),
            pass => Step { says: row_view.found(stage), sums, ..Step::new(stage.name(), pass, "") },
        }
    };
    Stage::ALL.into_iter().filter(|stage| *stage != Stage::Pass).map(step).collect()
}

/// The rank of every chunk in every stage, and what it is to the case.
fn evidence(row_view: &RowView<'_>, said: &row::Row<'_>, shown: bool) -> EvidencePath {
    let case = &row_view.run.gold.cases[row_view.row.case as usize];
    let required: HashSet<&str> = case.required.iter().map(|id| &**id).collect();
    let cited = said.claims.iter().filter_map(|claim| claim.citation.as_deref()).filter(|_| shown);
    let cited: HashSet<&str> = cited.collect();
    let mut faults: HashMap<&str, Vec<&'static str>> = HashMap::new();
    for (reason, at) in &row_view.judged.reasons {
        if let Site::Chunk(id) = at
            && let Some(name) = row_view.run.cases.chunks.get_index(*id as usize)
        {
            faults.entry(name).or_default().push(reason.name());
        }
    }
    // The rank of an id is that of its first place.
    let ranks = said.path.stages.each_ref().map(|ids| {
        let mut ranks: HashMap<&str, u64> = HashMap::new();
        for (id, rank) in ids.iter().zip(1..) {
            ranks.entry(id).or_insert(rank);
        }
        ranks
    });
    let mut seen = HashSet::new();
    let listed =
        said.path.stages.iter().flatten().map(|id| &**id).chain(case.required.iter().map(|id| &**id));
    let all: Vec<&str> = listed.filter(|id| seen.insert(*id)).collect();
    let (mut chunks, mut plain) = (Vec::new(), 0);
    for &id in &all {
        let matters = required.contains(id) || cited.contains(id) || faults.contains_key(id);
        plain += usize::from(!matters);
        if chunks.len() == MOST || (!matters && plain > PLAIN) {
            continue;
        }
        let places: Vec<Option<u64>> = ranks.iter().map(|ranks| ranks.get(id).copied()).collect();
        let selected = places[3].is_some();
        let mut tags = Vec::new();
        if required.contains(id) {
            tags.push(match (places[0], selected) {
                (None, false) => ("required, not retrieved".to_owned(), false),
                (Some(_), false) => ("required, not selected".to_owned(), false),
                _ => ("required".to_owned(), true),
            });
        }
        if cited.contains(id) {
            tags.push(if selected {
                ("cited".to_owned(), true)
            } else {
                ("cited, not selected".into(), false)
            });
        }
        tags.extend(faults.get(id).into_iter().flatten().map(|reason| ((*reason).to_owned(), false)));
        let required = required.contains(id);
        chunks.push(ChunkPath { id: id.to_owned(), ranks: places, tags, required });
    }
    let more = (all.len() - chunks.len()) as u64;
    EvidencePath { stages: STAGES.map(str::to_owned).to_vec(), chunks, more }
}

/// Every claim: what supports it, and whether it cites that.
fn claims(row_view: &RowView<'_>, said: &row::Row<'_>) -> Vec<ClaimView> {
    let claims = row_view.row.claims.iter().zip(&said.claims).take(MOST);
    let views = claims.map(|(claim, said)| ClaimView {
        id: said.id.as_deref().unwrap_or("claim").to_owned(),
        words: said.text.as_deref().map(str::to_owned),
        checks: vec![row_view.support(claim), row_view.citation(claim, said.citation.as_deref())],
    });
    views.collect()
}
