//! At which ranks was gold's evidence retrieved?
//!
//! The first rank of an id counts; later copies keep their slot and gain nothing.

use std::collections::HashMap;

use smallvec::SmallVec;

use crate::model::Id;

/// The ranks (from 1) of gold's distinct ids, ascending; ids that were not retrieved are not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ranks(SmallVec<[u32; 4]>);

impl Ranks {
    /// Ranks that are already known; they are sorted here.
    pub fn new(ranks: impl IntoIterator<Item = u32>) -> Self {
        let mut ranks = Ranks(ranks.into_iter().collect());
        ranks.0.sort_unstable();
        ranks
    }

    /// The best rank.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<u32> {
        self.0.first().copied()
    }

    /// The ranks up to and with `k`.
    pub fn within(&self, k: u32) -> impl Iterator<Item = u32> {
        self.0.iter().copied().take_while(move |&rank| rank <= k)
    }

    /// Nothing of gold was retrieved.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Finds gold's ids among the retrieved ones.
#[must_use]
pub fn ranks<'g>(gold: impl ExactSizeIterator<Item = &'g str>, retrieved: &[Id<'_>]) -> Ranks {
    if gold.len() * retrieved.len() <= 4096 {
        let rank = |id: &str| retrieved.iter().position(|r| r.is(id)).map(|at| at as u32 + 1);
        return Ranks::new(gold.filter_map(rank));
    }
    let mut first = HashMap::with_capacity(retrieved.len());
    for (at, id) in retrieved.iter().enumerate().filter(|(_, id)| !id.odd) {
        first.entry(&*id.text).or_insert(at as u32 + 1);
    }
    Ranks::new(gold.filter_map(|id| first.get(id).copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_id_keeps_its_first_rank_and_its_slots() {
        let retrieved: Vec<Id> =
            ["p1", "p1", "p2", "p3"].iter().map(|&t| Id { text: t.into(), odd: false }).collect();
        let gold = || ["p2", "p1", "p9"].into_iter();
        assert_eq!(ranks(gold(), &retrieved), Ranks::new([1, 3]));
        let mut long = retrieved.clone();
        long.extend((0..5000).map(|i| Id { text: format!("x{i}").into(), odd: false }));
        assert_eq!(ranks(gold(), &long), Ranks::new([1, 3]));
        assert_eq!(ranks(gold(), &long).within(2).collect::<Vec<_>>(), [1]);
    }
}
