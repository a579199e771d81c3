//! Judges one row of the traces against its gold case and the evidence that it touched.

use super::support::supports;
use super::{Reason, Verdict};
use crate::suites::release::input::cases::{Cases, Row, Site};
use crate::suites::release::input::evidence::{Chunk, Store};
use crate::suites::release::input::gold::Gold;

/// A row once the evidence is known.
pub(crate) struct Judged {
    pub(crate) verdict: Verdict,
    /// Why its path is not admissible, the first reason first.
    pub(crate) reasons: Vec<(Reason, Site)>,
    /// A chunk that it cites and that its principal may not see, whether or not the path names it.
    pub(crate) cites_secret: Option<u32>,
}

impl Judged {
    /// Its words may not be shown: it touched a chunk that its principal may not see, or that nobody knows.
    pub(crate) fn is_secret(&self) -> bool {
        let secret =
            |(reason, _): &(Reason, Site)| matches!(reason, Reason::NotPermitted | Reason::UnknownId);
        self.cites_secret.is_some() || self.reasons.iter().any(secret)
    }
}

/// Judges one row against its gold case and the evidence that it touched.
pub(crate) fn judge(row: &Row, gold: &Gold, cases: &Cases, store: &Store) -> Judged {
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
    let mut named = Vec::new();
    for (&id, &version) in row.selected.iter().zip(&row.versions) {
        let given = cases.words.get_index(version as usize);
        let differs = chunk(id).is_some_and(|chunk| given.is_none_or(|given| **given != *chunk.version));
        if differs && !named.contains(&id) {
            named.push(id);
            reasons.push((Reason::VersionMismatch, Site::Chunk(id)));
        }
    }
    reasons.sort_by_key(|(reason, _)| *reason);

    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let (mut supported, mut well_cited) = (0, 0);
    let mut covered = vec![false; case.points.len()];
    // Chunks without any phrase support nothing: of a wide context few are left.
    let holding: Vec<&Chunk> =
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
