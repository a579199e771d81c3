//! Which case of one report is which of the other? By id; where an id stands several times, by their order.

use std::collections::HashMap;

use super::comparison::{Counts, Flip, What};
use crate::report::{Case, Report};

/// How the cases of two reports belong together.
pub(super) struct Pairs {
    /// The places of each case on both sides, in the order of the new one.
    pub(super) both: Vec<(usize, usize)>,
    /// The cases of the base alone.
    pub(super) only_base: Vec<usize>,
    /// The cases of the new side alone.
    pub(super) only_new: Vec<usize>,
}

impl Pairs {
    pub(super) fn new(base: &[Case], new: &[Case]) -> Pairs {
        let mut places: HashMap<(&str, u32), usize> = HashMap::with_capacity(base.len());
        for (place, key) in keys(base).enumerate() {
            places.insert(key, place);
        }
        let (mut both, mut only_new) = (Vec::with_capacity(new.len()), Vec::new());
        let mut met = vec![false; base.len()];
        for (place, key) in keys(new).enumerate() {
            match places.get(&key) {
                Some(&before) => {
                    met[before] = true;
                    both.push((before, place));
                }
                None => only_new.push(place),
            }
        }
        let only_base = met.iter().enumerate().filter(|(_, met)| !**met).map(|(place, _)| place).collect();
        Pairs { both, only_base, only_new }
    }

    /// All cases of either report are in the other.
    pub(super) fn complete(&self) -> bool {
        self.only_base.is_empty() && self.only_new.is_empty()
    }
}

/// Each case's id, and which of that id it is.
fn keys(cases: &[Case]) -> impl Iterator<Item = (&str, u32)> {
    let mut seen: HashMap<&str, u32> = HashMap::with_capacity(cases.len());
    cases.iter().map(move |case| {
        let times = seen.entry(&case.id).or_default();
        *times += 1;
        (case.id.as_str(), *times)
    })
}

/// The cases whose label changed, broken ones first, and how many cases did what.
pub(super) fn flips(base: &Report, new: &Report, pairs: &Pairs) -> (Vec<Flip>, Counts) {
    let labels = (new.profile.labels)();
    let is_good = new.good_label();
    let good = |case: &Case| is_good(&case.label);
    let mut counts = Counts {
        paired: pairs.both.len() as u64,
        only_base: pairs.only_base.len() as u64,
        only_new: pairs.only_new.len() as u64,
        ..Counts::default()
    };
    let mut flips = Vec::new();
    for &(before, now) in &pairs.both {
        let (before, now) = (&base.cases[before], &new.cases[now]);
        let (what, count) = match (good(before), good(now)) {
            _ if before.label == now.label => {
                counts.unchanged += 1;
                continue;
            }
            (true, false) => (What::Broken, &mut counts.broken),
            (false, true) => (What::Fixed, &mut counts.fixed),
            _ => (What::Relabelled, &mut counts.relabelled),
        };
        *count += 1;
        flips.push(Flip {
            id: now.id.clone(),
            what,
            base: before.label.clone(),
            new: now.label.clone(),
            base_stage: before.first_failed_stage.clone(),
            new_stage: now.first_failed_stage.clone(),
            line: now.line,
        });
    }
    // Of what broke, the worst first, as a profile orders its labels; stable: within a label, gold's order stays.
    let rank = |flip: &Flip| labels.iter().position(|label| label.name == flip.new);
    flips.sort_by_key(|flip| (flip.what, rank(flip)));
    (flips, counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_meet_by_id_whatever_their_order() {
        let cases = |ids: &[&str]| -> Vec<Case> {
            ids.iter().map(|id| Case { id: (*id).to_owned(), ..Case::default() }).collect()
        };
        let pairs = Pairs::new(&cases(&["a", "b", "c", "a"]), &cases(&["c", "a", "d", "a", "a"]));
        assert_eq!(pairs.both, [(2, 0), (0, 1), (3, 3)]);
        assert_eq!((pairs.only_base, pairs.only_new), (vec![1], vec![2, 4]));
    }
}
