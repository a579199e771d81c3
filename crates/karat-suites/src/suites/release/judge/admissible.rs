//! Admissibility: may this evidence be used at all? Whether a path is consistent, who may see a chunk, and when.
//!
//! Relevance plays no part: a score cannot make forbidden evidence acceptable, even if a later stage drops it.

use std::collections::HashSet;

use foldhash::quality::FixedState;

use super::Reason;
use crate::timestamp::Timestamp;

/// An evidence path by the numbers of its ids, stage by stage.
#[derive(Clone, Copy, Debug)]
pub struct Stages<'a> {
    /// First stage, reranker's input, reranker's output, selected context.
    pub ids: [&'a [u32]; 4],
    /// The number of versions given for the selected context.
    pub versions: usize,
}

impl Stages<'_> {
    /// The reasons why the path is inconsistent in itself, each with the id at fault.
    #[must_use]
    pub fn reasons(&self) -> Vec<(Reason, Option<u32>)> {
        let [first, input, reranked, selected] = self.ids;
        let mut reasons = Vec::new();
        let mut because = |reason: Reason, ids: Vec<u32>| {
            if ids.is_empty() {
                return;
            }
            reasons.extend(distinct(&ids).into_iter().map(|id| (reason, Some(id))));
        };
        because(Reason::DuplicateId, self.ids.iter().flat_map(|ids| repeated(ids)).collect());
        because(Reason::RerankInputNotRetrieved, missing_from(first, input));
        let changed = missing_from(reranked, input).into_iter().chain(missing_from(input, reranked));
        because(Reason::RerankedSetChanged, changed.collect());
        because(Reason::SelectedNotReranked, missing_from(reranked, selected));
        if selected.is_empty() {
            reasons.push((Reason::EmptyContext, None));
        }
        if selected.len() != self.versions {
            reasons.push((Reason::VersionCount, None));
        }
        reasons
    }

    /// Every id of every stage, once, in the order of first appearance.
    #[must_use]
    pub fn traced(&self) -> Vec<u32> {
        distinct(&self.ids.concat())
    }
}

/// A set of ids; for a few, a linear search is faster than a table.
enum Ids<'a> {
    Few(&'a [u32]),
    Many(HashSet<u32, FixedState>),
}

impl<'a> Ids<'a> {
    fn new(ids: &'a [u32]) -> Self {
        const FEW: usize = 48;
        if ids.len() <= FEW { Ids::Few(ids) } else { Ids::Many(ids.iter().copied().collect()) }
    }

    fn contains(&self, id: u32) -> bool {
        match self {
            Ids::Few(ids) => ids.contains(&id),
            Ids::Many(ids) => ids.contains(&id),
        }
    }
}

/// Each id once, in the order of first appearance.
fn distinct(ids: &[u32]) -> Vec<u32> {
    let mut seen: HashSet<u32, FixedState> = HashSet::default();
    ids.iter().copied().filter(|id| seen.insert(*id)).collect()
}

/// The repeated ids, in order of repetition.
fn repeated(ids: &[u32]) -> Vec<u32> {
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    if sorted.windows(2).all(|pair| pair[0] != pair[1]) {
        return Vec::new();
    }
    let mut seen: HashSet<u32, FixedState> = HashSet::default();
    ids.iter().copied().filter(|id| !seen.insert(*id)).collect()
}

/// The elements of `ids` that are not in `set`.
fn missing_from(set: &[u32], ids: &[u32]) -> Vec<u32> {
    let set = Ids::new(set);
    ids.iter().copied().filter(|id| !set.contains(*id)).collect()
}

/// Problems with the versions of the pipeline's parts: names given twice, and required names that are missing.
#[must_use]
pub fn version_keys<'a>(
    given: impl Iterator<Item = (&'a str, bool)> + Clone,
    required: &'a [String],
) -> Vec<(Reason, &'a str)> {
    let mut seen = HashSet::new();
    let mut twice: Vec<&str> = given.clone().map(|(key, _)| key).filter(|key| !seen.insert(*key)).collect();
    let mut named = HashSet::new();
    twice.retain(|key| named.insert(*key));
    let said: HashSet<&str> = given.filter(|(_, says)| *says).map(|(key, _)| key).collect();
    let missing = required.iter().map(String::as_str).filter(|key| !said.contains(key));
    let twice = twice.into_iter().map(|key| (Reason::DuplicateVersionKey, key));
    twice.chain(missing.map(|key| (Reason::MissingVersionKey, key))).collect()
}

/// Whether a chunk may be seen: it is permitted and, if it has an access list, the principal or one of its groups is on
/// it. Without a principal, no list matches.
#[must_use]
pub fn permitted<'p>(
    at_all: bool,
    acl: Option<&[Box<str>]>,
    user: Option<&'p str>,
    mut groups: impl Iterator<Item = &'p str>,
) -> bool {
    let Some(acl) = acl else { return at_all };
    let listed = |kind: &str, name: &str| {
        acl.iter().any(|entry| entry.strip_prefix(kind).is_some_and(|listed| *listed == *name))
    };
    at_all && (user.is_some_and(|user| listed("user:", user)) || groups.any(|group| listed("group:", group)))
}

/// Whether a chunk is current: it is marked so and, if it has a validity window, the trace's time lies in it. Without a
/// time, no window matches.
#[must_use]
pub fn current(
    marked: bool,
    from: Option<&Timestamp>,
    until: Option<&Timestamp>,
    at: Option<&Timestamp>,
) -> bool {
    let in_window = match (from, until, at) {
        (None, None, _) => true,
        (_, _, None) => false,
        (from, until, Some(at)) => from.is_none_or(|from| from <= at) && until.is_none_or(|until| at < until),
    };
    marked && in_window
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(ids: [&[u32]; 4], versions: usize) -> Vec<(Reason, Option<u32>)> {
        Stages { ids, versions }.reasons()
    }

    #[test]
    fn a_sound_path_has_no_reason() {
        assert!(reasons([&[1, 2, 3], &[2, 1], &[1, 2], &[2]], 1).is_empty());
    }

    #[test]
    fn each_break_has_its_reason_and_its_id() {
        use Reason::*;
        assert_eq!(
            reasons([&[1, 2, 2, 1], &[1, 2], &[1, 2], &[1]], 1),
            [(DuplicateId, Some(2)), (DuplicateId, Some(1))]
        );
        assert_eq!(reasons([&[1], &[1, 2], &[1, 2], &[1]], 1), [(RerankInputNotRetrieved, Some(2))]);
        assert_eq!(reasons([&[1, 2], &[1, 2], &[2], &[2]], 1), [(RerankedSetChanged, Some(1))]);
        assert_eq!(reasons([&[1, 2], &[1], &[1], &[2]], 1), [(SelectedNotReranked, Some(2))]);
        assert_eq!(reasons([&[1], &[1], &[1], &[]], 0), [(EmptyContext, None)]);
        assert_eq!(reasons([&[1], &[1], &[1], &[1]], 2), [(VersionCount, None)]);
    }

    #[test]
    fn nobody_is_on_no_list_and_no_time_is_in_no_window() {
        let acl: &[Box<str>] = &["user:maya".into(), "group:sre".into(), "group:user:x".into()];
        let may = |acl, user, groups: &[&'static str]| permitted(true, acl, user, groups.iter().copied());
        assert!(may(None, None, &[]));
        assert!(may(Some(acl), Some("maya"), &[]) && may(Some(acl), None, &["ops", "sre"]));
        assert!(
            !may(Some(acl), Some("sre"), &["maya"])
                && !may(Some(acl), None, &[])
                && !may(Some(&[]), Some("maya"), &[])
        );
        assert!(!permitted(false, Some(acl), Some("maya"), std::iter::empty()));
        let [one, two] = ["1", "2"].map(|at| Timestamp::epoch(at).unwrap());
        assert!(
            current(true, Some(&one), Some(&two), Some(&one))
                && !current(true, Some(&one), Some(&two), Some(&two))
        );
        assert!(
            !current(true, None, Some(&two), None)
                && current(true, None, None, None)
                && !current(false, None, None, None)
        );
    }

    #[test]
    fn versions_are_named_once_and_all_of_them() {
        let required = ["index".to_owned(), "dense".to_owned()];
        let given = [("index", true), ("x", true), ("x", true), ("dense", false), ("x", true)];
        assert_eq!(
            version_keys(given.into_iter(), &required),
            [(Reason::DuplicateVersionKey, "x"), (Reason::MissingVersionKey, "dense")]
        );
    }
}
