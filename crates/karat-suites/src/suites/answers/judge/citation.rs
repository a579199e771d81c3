//! Citations of an answer: how many ids it cites, how many of them are gold, and whether each was retrieved.

use std::collections::HashSet;

use crate::model::{Case, Id, Listed, Trace};

/// Up to this many comparisons, searching a list is faster than building a set.
const FEW: usize = 4096;

/// A summary of the citations of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cited {
    /// The number of distinct ids.
    pub ids: u32,
    /// The number of distinct ids that gold names.
    pub gold: u32,
    /// Whether each of them was retrieved.
    pub in_scope: bool,
}

impl Cited {
    /// H: citations are a list, all of them were retrieved, and one is gold; if gold names none, none is cited.
    #[inline]
    #[must_use]
    pub fn hits(self, listed: Listed, gold: u32) -> bool {
        listed != Listed::NotAList && self.in_scope && if gold > 0 { self.gold > 0 } else { self.ids == 0 }
    }
}

/// Counts the citations of a trace.
#[must_use]
pub fn cited(case: &Case, trace: &Trace<'_>) -> Cited {
    let cited = &trace.cited[..];
    if trace.citations != Listed::List || cited.is_empty() {
        return Cited { ids: 0, gold: 0, in_scope: true };
    }
    let is_gold = |id: &Id<'_>| case.citations().any(|gold| id.is(Id::key_of(gold), gold));
    let work = cited.len() * (cited.len() + trace.retrieved.len() + case.citations().len());
    if work <= FEW {
        let mut found = Cited { ids: 0, gold: 0, in_scope: true };
        for (i, id) in cited.iter().enumerate() {
            if cited[..i].contains(id) {
                continue;
            }
            found.ids += 1;
            found.gold += u32::from(is_gold(id));
            found.in_scope &= !id.odd && trace.retrieved.contains(id);
        }
        return found;
    }
    let key = |id: &Id<'_>| (id.odd, id.text.to_string());
    let distinct: HashSet<_> = cited.iter().map(key).collect();
    let retrieved: HashSet<_> = trace.retrieved.iter().map(key).collect();
    let gold: HashSet<_> = case.citations().map(|id| (false, id.to_string())).collect();
    Cited {
        ids: distinct.len() as u32,
        gold: distinct.intersection(&gold).count() as u32,
        in_scope: distinct.iter().all(|id| !id.0 && retrieved.contains(id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Texts;

    fn ids(texts: &[&'static str]) -> Vec<Id<'static>> {
        texts.iter().map(|&text| Id::new(text.into(), text == "null")).collect()
    }

    fn check(cites: &[&'static str], retrieved: &[&'static str], pad: usize) -> Cited {
        let case = Case::new(&Texts { citations: vec!["p1".into(), "p2".into()], ..Texts::default() });
        let mut trace = Trace {
            citations: Listed::List,
            cited: ids(cites),
            retrieved: ids(retrieved),
            ..Trace::default()
        };
        // Repetitions change nothing, but they take the other path.
        trace.cited.extend(ids(cites).into_iter().cycle().take(if cites.is_empty() { 0 } else { pad }));
        cited(&case, &trace)
    }

    #[test]
    fn counts_distinct_ids_on_both_paths() {
        for pad in [0, 200] {
            assert_eq!(
                check(&["p1", "x", "p1"], &["p1", "x"], pad),
                Cited { ids: 2, gold: 1, in_scope: true }
            );
            assert_eq!(check(&["p1", "p2"], &["p1"], pad), Cited { ids: 2, gold: 2, in_scope: false });
            assert_eq!(check(&["null"], &["null"], pad), Cited { ids: 1, gold: 0, in_scope: false });
            assert_eq!(check(&[], &["p1"], pad), Cited { ids: 0, gold: 0, in_scope: true });
        }
    }
}
