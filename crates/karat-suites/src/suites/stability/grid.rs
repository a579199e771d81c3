//! The runs that there should be: every seed with every jitter that is seen anywhere, or those that somebody names; where
//! paraphrases are asked, each of those in every wording that gold lists of the case.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{PoisonError, RwLock};

use foldhash::quality::FixedState;
use indexmap::{Equivalent, IndexSet};

use crate::model::Case;
use crate::problem::{self, Problem};
use crate::text;

/// The runs that every case must have; an axis that is not named is what is seen anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Grid {
    /// The seeds.
    pub(super) seeds: Option<BTreeSet<i128>>,
    /// The jitters.
    pub(super) jitters: Option<BTreeSet<Box<str>>>,
}

const FORM: &str = "expected `seeds=0,1,2 jitters=none,ws`, or one of the two";

fn bad(message: String, expected: &str) -> Problem {
    Problem::of_file(&problem::GRID_INVALID, "--grid", message).expecting(expected)
}

impl Grid {
    /// The grid of these axes, each with its values.
    pub(super) fn of(axes: &[(&str, Vec<&str>)]) -> Result<Self, Problem> {
        let mut grid = Grid::default();
        for (axis, values) in axes {
            if values.iter().any(|value| value.is_empty()) || values.is_empty() {
                let message = format!("`{}` has an empty value", text::visible(axis));
                return Err(bad(message, "expected values with commas between"));
            }
            let again = match *axis {
                "seeds" => grid.seeds.replace(seeds(values)?).is_some(),
                "jitters" => grid.jitters.replace(jitters(values)?).is_some(),
                _ => {
                    let near = text::nearest(axis, ["seeds", "jitters"]);
                    let expected = near.first().map(|near| format!("did you mean `{near}=`?"));
                    let message = format!("`{}` is not an axis of the grid", text::visible(axis));
                    return Err(bad(message, expected.as_deref().unwrap_or(FORM)));
                }
            };
            if again {
                return Err(bad(format!("`{axis}` is named twice"), "expected one list with commas"));
            }
        }
        if grid == Grid::default() {
            return Err(bad("the grid is empty".into(), FORM));
        }
        Ok(grid)
    }
}

fn seeds(values: &[&str]) -> Result<BTreeSet<i128>, Problem> {
    let mut seeds = BTreeSet::new();
    for value in values {
        let seed = value.parse().map_err(|_| {
            let message = format!("the seed `{}` is not a whole number", text::visible(value));
            bad(message, "expected whole numbers, such as seeds=0,1,2")
        })?;
        if !seeds.insert(seed) {
            return Err(bad(format!("the seed {seed} is named twice"), "expected each once"));
        }
    }
    Ok(seeds)
}

fn jitters(values: &[&str]) -> Result<BTreeSet<Box<str>>, Problem> {
    let mut jitters = BTreeSet::new();
    for value in values {
        if !jitters.insert((*value).into()) {
            let message = format!("the jitter \"{}\" is named twice", text::visible(value));
            return Err(bad(message, "expected each once"));
        }
    }
    Ok(jitters)
}

impl fmt::Display for Grid {
    /// As it is named; `seen` where nobody named one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |values: &mut dyn Iterator<Item = String>| values.collect::<Vec<_>>().join(",");
        let seeds = self.seeds.iter().map(|seeds| list(&mut seeds.iter().map(ToString::to_string)));
        let jitters = self.jitters.iter().map(|jitters| list(&mut jitters.iter().map(ToString::to_string)));
        let axes =
            seeds.map(|list| format!("seeds={list}")).chain(jitters.map(|list| format!("jitters={list}")));
        match axes.collect::<Vec<_>>().as_slice() {
            [] => f.write_str("seen"),
            axes => f.write_str(&axes.join(" ")),
        }
    }
}

/// Which run of a case it is: its seed, its jitter, and which paraphrase was asked, none for the question itself.
pub(super) type Key<'a> = (i128, &'a str, Option<u64>);

/// A key that is kept.
type OwnKey = (i128, Box<str>, Option<u64>);

/// A key that is looked up among those that are kept.
#[derive(Hash)]
struct KeyRef<'a>(i128, &'a str, Option<u64>);

impl Equivalent<OwnKey> for KeyRef<'_> {
    fn equivalent(&self, (seed, jitter, wording): &OwnKey) -> bool {
        (self.0, self.1, self.2) == (*seed, &**jitter, *wording)
    }
}

/// Every key that occurs, in the order of whoever comes first; nothing of that order leaves.
#[derive(Debug, Default)]
pub(super) struct Cells(RwLock<IndexSet<OwnKey, FixedState>>);

impl Cells {
    /// The number of a key.
    pub(super) fn number(&self, key: Key<'_>) -> u32 {
        let (seed, jitter, wording) = key;
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let number = known.get_index_of(&KeyRef(seed, jitter, wording));
        drop(known);
        let new = || {
            let mut keys = self.0.write().unwrap_or_else(PoisonError::into_inner);
            keys.insert_full((seed, jitter.into(), wording)).0
        };
        number.unwrap_or_else(new) as u32
    }

    /// The grid of what was seen and what is asked for; `listed` is how many paraphrases gold has of each case.
    pub(super) fn into_axes(self, grid: &Grid, listed: impl Iterator<Item = u32>) -> Axes {
        let keys = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let seen_seeds = keys.iter().map(|(seed, ..)| *seed);
        let seen_jitters = keys.iter().map(|(_, jitter, _)| jitter.clone());
        let mut seeds: BTreeSet<i128> = seen_seeds.chain(grid.seeds.iter().flatten().copied()).collect();
        let mut jitters: BTreeSet<Box<str>> =
            seen_jitters.chain(grid.jitters.iter().flatten().cloned()).collect();
        let mut wordings: BTreeSet<Option<u64>> = keys.iter().map(|(.., wording)| *wording).collect();
        // Of a log without a run every case lacks at least the one that a line without seed and jitter would be.
        if seeds.is_empty() {
            seeds.insert(0);
        }
        if jitters.is_empty() {
            jitters.insert("none".into());
        }
        if wordings.is_empty() {
            wordings.insert(None);
        }
        let plain = wordings.contains(&None);
        let most = u64::from(listed.max().unwrap_or(0));
        let by_gold = most > 0 && wordings.iter().any(Option::is_some);
        if by_gold {
            wordings.extend((0..most).map(Some));
        }
        let seeds: Vec<i128> = seeds.into_iter().collect();
        let mut jitters: Vec<Box<str>> = jitters.into_iter().collect();
        let wordings: Vec<Option<u64>> = wordings.into_iter().collect();
        jitters.sort_by_key(|jitter| **jitter != *"none");
        let rows: BTreeMap<i128, u32> = seeds.iter().copied().zip(0..).collect();
        let columns: BTreeMap<&str, u32> = jitters.iter().map(|jitter| &**jitter).zip(0..).collect();
        let planes: BTreeMap<Option<u64>, u32> = wordings.iter().copied().zip(0..).collect();
        let cell = |(seed, jitter, wording): &OwnKey| Cell {
            seed: rows.get(seed).copied().unwrap_or(0),
            jitter: columns.get(&**jitter).copied().unwrap_or(0),
            wording: planes.get(wording).copied().unwrap_or(0),
        };
        let cells = keys.iter().map(cell).collect();
        let asked_seeds = seeds.iter().map(|seed| grid.seeds.as_ref().is_none_or(|s| s.contains(seed)));
        let asked_jitters =
            jitters.iter().map(|jitter| grid.jitters.as_ref().is_none_or(|j| j.contains(jitter)));
        let (asked_seeds, asked_jitters) = (asked_seeds.collect(), asked_jitters.collect());
        Axes { cells, asked_seeds, asked_jitters, seeds, jitters, wordings, plain, by_gold }
    }
}

/// The place of a run in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    seed: u32,
    jitter: u32,
    wording: u32,
}

/// The grid: seeds down, jitters across, `none` first, and within a jitter the wordings, the question itself first.
#[derive(Debug)]
pub(super) struct Axes {
    pub(super) seeds: Vec<i128>,
    jitters: Vec<Box<str>>,
    wordings: Vec<Option<u64>>,
    /// Where each key stands, by its number.
    cells: Vec<Cell>,
    asked_seeds: Vec<bool>,
    asked_jitters: Vec<bool>,
    /// The question itself is asked somewhere.
    plain: bool,
    /// Paraphrases are asked, and gold says which there are.
    by_gold: bool,
}

/// The wordings that one case must be asked in.
#[derive(Debug)]
pub(super) struct Wordings {
    /// Gold's number of paraphrases, or none where all that are seen anywhere must be there.
    listed: Option<u64>,
    plain: bool,
    /// The places of those that the case was asked in, sorted.
    own: Vec<u32>,
}

impl Axes {
    /// A larger grid is not drawn.
    const DRAWN: usize = 1024;

    /// Where a key stands.
    pub(super) fn cell(&self, number: u32) -> Cell {
        self.cells[number as usize]
    }

    /// Its row and column where the grid is drawn.
    pub(super) fn place(&self, cell: Cell) -> (usize, usize) {
        (cell.seed as usize, cell.jitter as usize * self.wordings.len() + cell.wording as usize)
    }

    /// Every cell of a grid that is drawn, row by row.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        let (jitters, wordings) = (self.jitters.len() as u32, self.wordings.len() as u32);
        (0..self.seeds.len() as u32).flat_map(move |seed| {
            (0..jitters)
                .flat_map(move |jitter| (0..wordings).map(move |wording| Cell { seed, jitter, wording }))
        })
    }

    /// How many columns there are.
    pub(super) fn width(&self) -> usize {
        self.jitters.len().saturating_mul(self.wordings.len())
    }

    /// The names of the columns; of a grid that is not drawn, the jitters.
    pub(super) fn columns(&self) -> Vec<String> {
        if !self.is_drawn() {
            return self.jitters.iter().map(ToString::to_string).collect();
        }
        let names = self
            .jitters
            .iter()
            .flat_map(|jitter| self.wordings.iter().map(move |wording| column(jitter, *wording)));
        names.collect()
    }

    /// What a case with these runs must be asked in.
    pub(super) fn wordings(&self, case: &Case, runs: impl Iterator<Item = u32>) -> Wordings {
        let mut own = Vec::new();
        if self.wordings.len() > 1 {
            own.extend(runs.map(|number| self.cell(number).wording));
            own.sort_unstable();
            own.dedup();
        }
        Wordings { listed: self.by_gold.then_some(case.paraphrases.into()), plain: self.plain, own }
    }

    /// Whether the grid has this seed and this jitter.
    pub(super) fn holds(&self, cell: Cell) -> bool {
        self.asked_seeds[cell.seed as usize] && self.asked_jitters[cell.jitter as usize]
    }

    /// Whether a case must have this run.
    pub(super) fn asks_for(&self, cell: Cell, of: &Wordings) -> bool {
        let worded = match (self.wordings[cell.wording as usize], of.listed) {
            (None, _) => of.plain,
            (Some(number), Some(listed)) if number < listed => true,
            (Some(_), Some(_)) => of.own.binary_search(&cell.wording).is_ok(),
            (Some(_), None) => true,
        };
        worded && self.holds(cell)
    }

    /// How many runs a case must have.
    pub(super) fn asked(&self, of: &Wordings) -> u64 {
        let count = |asked: &[bool]| asked.iter().filter(|asked| **asked).count() as u64;
        let wordings = match of.listed {
            None => self.wordings.len() as u64,
            Some(listed) => {
                let beyond =
                    |place: &&u32| self.wordings[**place as usize].is_some_and(|number| number >= listed);
                u64::from(of.plain) + listed + of.own.iter().filter(beyond).count() as u64
            }
        };
        count(&self.asked_seeds).saturating_mul(count(&self.asked_jitters)).saturating_mul(wordings)
    }

    /// Whether it is small enough to be drawn.
    pub(super) fn is_drawn(&self) -> bool {
        self.seeds.len().saturating_mul(self.width()) <= Self::DRAWN
    }

    /// The run as a person names it.
    pub(super) fn named(&self, cell: Cell) -> String {
        let jitter = text::shorten(&self.jitters[cell.jitter as usize], 40);
        let column = column(&jitter, self.wordings[cell.wording as usize]);
        format!("seed {} {}", self.seeds[cell.seed as usize], text::visible(&column))
    }
}

/// A jitter and which paraphrase it is of: `none`, `none p0`.
fn column(jitter: &str, wording: Option<u64>) -> String {
    wording.map_or_else(|| jitter.to_owned(), |number| format!("{jitter} p{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Grid {
        fn parse(words: &str) -> Result<Self, Problem> {
            let axes = words.split_whitespace().filter_map(|word| word.split_once('='));
            Grid::of(&axes.map(|(axis, list)| (axis, list.split(',').collect())).collect::<Vec<_>>())
        }
    }

    #[test]
    fn a_grid_is_named_by_its_axes() {
        let grid = Grid::parse("seeds=2,0,1 jitters=ws,none").unwrap();
        assert_eq!(grid.to_string(), "seeds=0,1,2 jitters=none,ws");
        assert_eq!(grid.seeds.unwrap().into_iter().collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(grid.jitters.unwrap().len(), 2);
        assert_eq!(Grid::parse("seeds=-1").unwrap().jitters, None);
        assert_eq!(Grid::default().to_string(), "seen");
        for (words, said) in [
            ("", "the grid is empty"),
            ("seed=0", "`seed` is not an axis of the grid"),
            ("seeds=0,", "`seeds` has an empty value"),
            ("seeds=0,a", "the seed `a` is not a whole number"),
            ("seeds=1,1", "the seed 1 is named twice"),
            ("jitters=ws,ws", "the jitter \"ws\" is named twice"),
            ("seeds=1 seeds=2", "`seeds` is named twice"),
        ] {
            assert_eq!(Grid::parse(words).unwrap_err().message, said);
        }
    }

    fn cell(seed: u32, jitter: u32, wording: u32) -> Cell {
        Cell { seed, jitter, wording }
    }

    fn case(paraphrases: u32) -> Case {
        let mut case = Case::default();
        case.paraphrases = paraphrases;
        case
    }

    #[test]
    fn what_is_seen_makes_the_grid() {
        let cells = Cells::default();
        let numbers =
            [(1, "ws"), (0, "none"), (1, "none"), (1, "ws")].map(|(s, j)| cells.number((s, j, None)));
        assert_eq!(numbers, [0, 1, 2, 0]);
        let axes = cells.into_axes(&Grid::default(), [3, 0].into_iter());
        let all = axes.wordings(&case(3), [0].into_iter());
        assert_eq!((axes.asked(&all), axes.cell(0), axes.cell(1)), (4, cell(1, 1, 0), cell(0, 0, 0)));
        assert_eq!((axes.named(axes.cell(0)).as_str(), axes.columns().len()), ("seed 1 ws", 2));
    }

    #[test]
    fn what_is_named_makes_the_grid_and_the_rest_is_kept() {
        let cells = Cells::default();
        cells.number((7, "ws", None));
        let axes = cells.into_axes(&Grid::parse("seeds=0,1").unwrap(), std::iter::empty());
        let all = axes.wordings(&case(0), [0].into_iter());
        assert_eq!((axes.seeds.as_slice(), axes.asked(&all)), (&[0, 1, 7][..], 2));
        assert!(!axes.asks_for(axes.cell(0), &all));
    }

    #[test]
    fn a_wording_is_a_run_of_its_own() {
        let cells = Cells::default();
        let keys = [None, Some(0), Some(5)];
        assert_eq!(keys.map(|wording| cells.number((0, "none", wording))), [0, 1, 2]);
        // Gold lists two paraphrases of one case and none of the other.
        let axes = cells.into_axes(&Grid::default(), [2, 0].into_iter());
        assert_eq!(axes.columns(), ["none", "none p0", "none p1", "none p5"]);
        let (two, none) =
            (axes.wordings(&case(2), [0].into_iter()), axes.wordings(&case(0), [0].into_iter()));
        assert_eq!((axes.asked(&two), axes.asked(&none)), (3, 1));
        let asked = |of: &Wordings| axes.cells().map(|cell| axes.asks_for(cell, of)).collect::<Vec<_>>();
        assert_eq!(
            (asked(&two), asked(&none)),
            (vec![true, true, true, false], vec![true, false, false, false])
        );
        let beyond = axes.wordings(&case(2), [0, 2].into_iter());
        assert_eq!((axes.asked(&beyond), asked(&beyond)), (4, vec![true; 4]));
        assert_eq!(axes.named(axes.cell(2)), "seed 0 none p5");
    }

    #[test]
    fn where_gold_lists_no_paraphrase_what_is_seen_must_be_everywhere() {
        let cells = Cells::default();
        assert_eq!([Some(0), Some(1)].map(|wording| cells.number((0, "none", wording))), [0, 1]);
        let axes = cells.into_axes(&Grid::default(), [0, 0].into_iter());
        let of = axes.wordings(&case(0), [0].into_iter());
        assert_eq!(axes.asked(&of), 2, "nobody asks the question itself");
        assert!(axes.cells().all(|cell| axes.asks_for(cell, &of)));
    }
}
