//! A verdict packed into half a cache line: there is one for every case while traces are read.

use std::hash::{Hash, Hasher};

use super::{Constraint, Containment, Presence, Ranks, Verdict};
use crate::model::Listed;

/// A verdict with its small facts in one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The small facts in 14 bits: four choices of two bits, then six flags.
    facts: u32,
    /// Distinct ids cited.
    pub cited: u32,
    /// Distinct ids cited that are gold.
    pub cited_gold: u32,
    /// Distinct ids that gold names.
    pub gold: u32,
    /// The ranks at which gold's ids were retrieved.
    pub ranks: Ranks,
}

const PRESENCE: [Presence; 3] = [Presence::Traced, Presence::Missing, Presence::Errored];
const CONTAINMENT: [Containment; 3] = [Containment::Yes, Containment::No, Containment::Unknown];
const LISTED: [Listed; 3] = [Listed::Absent, Listed::List, Listed::NotAList];
const CONSTRAINT: [Constraint; 3] = [Constraint::Kept, Constraint::EchoMismatch, Constraint::Contradiction];

impl Packed {
    /// Builds a verdict from the facts in a partial; `None` for facts that no verdict has.
    #[must_use]
    pub fn new(facts: u32, [cited, cited_gold, gold]: [u32; 3], ranks: Ranks) -> Option<Self> {
        let sound = facts >> 14 == 0 && (0..4).all(|choice| facts >> (2 * choice) & 3 < 3);
        let sound = sound && cited_gold <= cited.min(gold);
        sound.then_some(Packed { facts, cited, cited_gold, gold, ranks })
    }

    /// Whether the answer kept the locked constraints.
    #[must_use]
    pub fn keeps_constraints(&self) -> bool {
        self.facts >> 6 & 3 == Constraint::Kept as u32
    }

    /// The small facts, as a partial stores them.
    #[must_use]
    pub fn facts(&self) -> u32 {
        self.facts
    }

    /// The verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let choice = |i: u32| (self.facts >> (2 * i) & 3).min(2) as usize;
        let flag = |i: u32| self.facts >> (8 + i) & 1 == 1;
        Verdict {
            presence: PRESENCE[choice(0)],
            containment: CONTAINMENT[choice(1)],
            citations: LISTED[choice(2)],
            constraint: CONSTRAINT[choice(3)],
            answerable: flag(0),
            refused: flag(1),
            near_refusal: flag(2),
            in_scope: flag(3),
            forbidden: flag(4),
            constrained: flag(5),
            cited: self.cited,
            cited_gold: self.cited_gold,
            gold: self.gold,
            ranks: self.ranks.clone(),
        }
    }
}

/// Hashes two words instead of a dozen, because every gold case is hashed once.
impl Hash for Packed {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        words(self.facts, [self.cited, self.cited_gold, self.gold], &self.ranks, state);
    }
}

/// Two verdicts are equal if their facts are.
impl Hash for Verdict {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        words(facts(self), [self.cited, self.cited_gold, self.gold], &self.ranks, state);
    }
}

#[inline]
fn words<H: Hasher>(facts: u32, [cited, cited_gold, gold]: [u32; 3], ranks: &Ranks, state: &mut H) {
    state.write_u64(u64::from(facts) << 32 | u64::from(cited));
    state.write_u64(u64::from(cited_gold) << 32 | u64::from(gold));
    ranks.hash(state);
}

impl From<Verdict> for Packed {
    #[inline]
    fn from(v: Verdict) -> Self {
        let facts = facts(&v);
        let Verdict { cited, cited_gold, gold, ranks, .. } = v;
        Packed { facts, cited, cited_gold, gold, ranks }
    }
}

/// The small facts of a verdict: four choices of two bits, then six flags.
#[inline]
fn facts(v: &Verdict) -> u32 {
    let choice = |i: u32, of: usize| (of as u32) << (2 * i);
    let flag = |i: u32, is: bool| u32::from(is) << (8 + i);
    // In the order of the lists above, which is that of the declarations.
    let choices = choice(0, v.presence as usize)
        | choice(1, v.containment as usize)
        | choice(2, v.citations as usize)
        | choice(3, v.constraint as usize);
    let flags = flag(0, v.answerable)
        | flag(1, v.refused)
        | flag(2, v.near_refusal)
        | flag(3, v.in_scope)
        | flag(4, v.forbidden)
        | flag(5, v.constrained);
    choices | flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verdict_survives_its_bits() {
        let packed = |facts| Packed::new(facts, [3, 2, 2], Ranks::new([7, 9]));
        for facts in 0..1 << 14 {
            if let Some(packed) = packed(facts) {
                assert_eq!(Packed::from(packed.verdict()), packed);
                assert_eq!(packed.keeps_constraints(), packed.verdict().constraint == Constraint::Kept);
            }
        }
        assert!(packed(1 << 14).is_none() && packed(3).is_none());
        assert!(Packed::new(0, [1, 2, 2], Ranks::new([1])).is_none(), "more of gold than was cited");
        assert_eq!(size_of::<Packed>(), 32);
    }
}
