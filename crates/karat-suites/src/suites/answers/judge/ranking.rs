//! The ranks at which gold's evidence was retrieved.
//!
//! The first rank of an id counts; later copies keep their place and add nothing.

use std::collections::HashMap;

use crate::model::Id;

/// The ranks (from 1) of gold's distinct ids, ascending, without ids that were not retrieved.
///
/// It has sixteen bytes, because there is one for every gold case.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ranks(Kept);

/// Up to three ranks are stored inline; longer lists are always on the heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kept {
    Few(u8, [u32; FEW]),
    #[expect(clippy::box_collection, reason = "one word; several ranks are rare")]
    Many(Box<Vec<u32>>),
}

const FEW: usize = 3;

impl Default for Ranks {
    fn default() -> Self {
        Ranks(Kept::Few(0, [0; FEW]))
    }
}

impl Ranks {
    /// Builds the value from known ranks, in any order.
    pub fn new(ranks: impl IntoIterator<Item = u32>) -> Self {
        let mut ranks = ranks.into_iter();
        let mut few = [0; FEW];
        let mut count = 0;
        for rank in &mut ranks {
            if count == FEW {
                let mut many: Vec<u32> = few.into_iter().chain([rank]).chain(ranks).collect();
                many.sort_unstable();
                return Ranks(Kept::Many(Box::new(many)));
            }
            few[count] = rank;
            count += 1;
        }
        few[..count].sort_unstable();
        Ranks(Kept::Few(count as u8, few))
    }

    #[inline]
    fn all(&self) -> &[u32] {
        match &self.0 {
            Kept::Few(count, few) => few.get(..usize::from(*count)).unwrap_or_default(),
            Kept::Many(many) => many,
        }
    }

    /// The best rank.
    #[inline]
    #[must_use]
    pub fn first(&self) -> Option<u32> {
        self.all().first().copied()
    }

    /// The ranks up to and including `k`.
    pub fn within(&self, k: u32) -> impl Iterator<Item = u32> {
        self.all().iter().copied().take_while(move |&rank| rank <= k)
    }

    /// Whether these can be the ranks of `gold` ids: at most that many, each rank once.
    #[must_use]
    pub fn are_of(&self, gold: u32) -> bool {
        let all = self.all();
        all.len() <= gold as usize && all.first() != Some(&0) && all.windows(2).all(|two| two[0] < two[1])
    }

    /// Whether none of gold's ids was retrieved.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all().is_empty()
    }
}

/// Finds gold's ids among the retrieved ones.
#[must_use]
pub fn ranks<'g>(gold: impl ExactSizeIterator<Item = &'g str>, retrieved: &[Id<'_>]) -> Ranks {
    if gold.len() * retrieved.len() <= 4096 {
        let rank = |id: &str| {
            let key = Id::key_of(id);
            retrieved.iter().position(|chunk| chunk.is(key, id)).map(|at| at as u32 + 1)
        };
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
        let retrieved: Vec<Id> = ["p1", "p1", "p2", "p3"].iter().map(|&t| Id::new(t.into(), false)).collect();
        let gold = || ["p2", "p1", "p9"].into_iter();
        assert_eq!(ranks(gold(), &retrieved), Ranks::new([1, 3]));
        let mut long = retrieved.clone();
        long.extend((0..5000).map(|i| Id::new(format!("x{i}").into(), false)));
        assert_eq!(ranks(gold(), &long), Ranks::new([1, 3]));
        assert_eq!(ranks(gold(), &long).within(2).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn few_and_many_are_sorted_alike() {
        for count in 0..6u32 {
            let ranks = Ranks::new((1..=count).rev());
            assert_eq!(ranks.within(u32::MAX).collect::<Vec<_>>(), (1..=count).collect::<Vec<_>>());
            assert_eq!((ranks.first(), ranks.is_empty()), ((count > 0).then_some(1), count == 0));
        }
        assert_eq!(size_of::<Ranks>(), 16);
    }
}
