//! Which runs should there be? Every seed with every jitter that is seen anywhere, or those that somebody names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::BuildHasher;
use std::sync::{PoisonError, RwLock};

use foldhash::quality::FixedState;
use hashbrown::HashTable;

use crate::problem::{self, Problem};
use crate::text;

/// The runs that every case must have; an axis that is not named is what is seen anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// The seeds.
    pub seeds: Option<BTreeSet<i128>>,
    /// The jitters.
    pub jitters: Option<BTreeSet<Box<str>>>,
}

const FORM: &str = "expected `seeds=0,1,2 jitters=none,ws`, or one of the two";

fn bad(message: String, expected: &str) -> Problem {
    let mut problem = Problem::of_file(&problem::GRID_INVALID, "--grid", message);
    problem.expected = expected.into();
    problem
}

impl Grid {
    /// Reads `seeds=0,1,2 jitters=none,ws`: either of them, or both.
    pub fn parse(words: &str) -> Result<Self, Problem> {
        let axes = words.split_whitespace().map(|word| {
            let axis = word.split_once('=').map(|(axis, list)| (axis, list.split(',').collect()));
            axis.ok_or_else(|| bad(format!("`{}` names no axis", text::visible(word)), FORM))
        });
        let axes: Vec<(&str, Vec<&str>)> = axes.collect::<Result<_, _>>()?;
        Grid::of(&axes)
    }

    /// The grid of these axes, each with its values.
    pub fn of(axes: &[(&str, Vec<&str>)]) -> Result<Self, Problem> {
        let mut grid = Grid::default();
        for (axis, values) in axes {
            if values.iter().any(|value| value.is_empty()) || values.is_empty() {
                let message = format!("`{}` holds an empty value", text::visible(axis));
                return Err(bad(message, "expected values with commas between"));
            }
            let again = match *axis {
                "seeds" => grid.seeds.replace(seeds(values)?).is_some(),
                "jitters" => grid.jitters.replace(jitters(values)?).is_some(),
                _ => {
                    let near = text::nearest(axis, ["seeds", "jitters"]);
                    let expected = near.first().map(|near| format!("did you mean `{near}=`?"));
                    let message = format!("`{}` is no axis of the grid", text::visible(axis));
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
            let message = format!("the seed `{}` is no whole number", text::visible(value));
            bad(message, "expected whole numbers, such as seeds=0,1,2")
        })?;
        if !seeds.insert(seed) {
            return Err(bad(format!("the seed {seed} stands there twice"), "expected each once"));
        }
    }
    Ok(seeds)
}

fn jitters(values: &[&str]) -> Result<BTreeSet<Box<str>>, Problem> {
    let mut jitters = BTreeSet::new();
    for value in values {
        if !jitters.insert((*value).into()) {
            let message = format!("the jitter \"{}\" stands there twice", text::visible(value));
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

/// A seed and a jitter, by number.
#[derive(Debug, Default)]
struct Table {
    keys: Vec<(i128, Box<str>)>,
    numbers: HashTable<u32>,
    hasher: FixedState,
}

/// Every seed and jitter that is seen, in the order of whoever comes first; nothing of that order leaves.
#[derive(Debug, Default)]
pub(super) struct Cells(RwLock<Table>);

impl Cells {
    /// The number of a seed and a jitter.
    pub(super) fn number(&self, seed: i128, jitter: &str) -> u32 {
        let find = |table: &Table| {
            let hash = table.hasher.hash_one((seed, jitter));
            let same = |&number: &u32| {
                let (known, word) = &table.keys[number as usize];
                *known == seed && **word == *jitter
            };
            (hash, table.numbers.find(hash, same).copied())
        };
        if let (_, Some(number)) = find(&self.0.read().unwrap_or_else(PoisonError::into_inner)) {
            return number;
        }
        let mut table = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match find(&table) {
            (_, Some(number)) => number,
            (hash, None) => {
                let Table { keys, numbers, hasher } = &mut *table;
                let number = keys.len() as u32;
                keys.push((seed, jitter.into()));
                let rehash = |&number: &u32| {
                    let (seed, jitter) = &keys[number as usize];
                    hasher.hash_one((*seed, &**jitter))
                };
                numbers.insert_unique(hash, number, rehash);
                number
            }
        }
    }

    pub(super) fn into_axes(self, grid: &Grid) -> Axes {
        let keys = self.0.into_inner().unwrap_or_else(PoisonError::into_inner).keys;
        let seen_seeds = keys.iter().map(|(seed, _)| *seed);
        let seen_jitters = keys.iter().map(|(_, jitter)| jitter.clone());
        let seeds: BTreeSet<i128> = seen_seeds.chain(grid.seeds.iter().flatten().copied()).collect();
        let jitters: BTreeSet<Box<str>> =
            seen_jitters.chain(grid.jitters.iter().flatten().cloned()).collect();
        let mut seeds: Vec<i128> = seeds.into_iter().collect();
        let mut jitters: Vec<Box<str>> = jitters.into_iter().collect();
        // Of a log without a run every case lacks at least the one that a line without seed and jitter is.
        if seeds.is_empty() {
            seeds.push(0);
        }
        if jitters.is_empty() {
            jitters.push("none".into());
        }
        jitters.sort_by_key(|jitter| **jitter != *"none");
        let rows: BTreeMap<i128, u32> = seeds.iter().copied().zip(0..).collect();
        let columns: BTreeMap<&str, u32> = jitters.iter().map(|jitter| &**jitter).zip(0..).collect();
        let cell = |(seed, jitter): &(i128, Box<str>)| Cell {
            row: rows.get(seed).copied().unwrap_or(0),
            column: columns.get(&**jitter).copied().unwrap_or(0),
        };
        let cells = keys.iter().map(cell).collect();
        let asked_rows = seeds.iter().map(|seed| grid.seeds.as_ref().is_none_or(|s| s.contains(seed)));
        let asked_columns =
            jitters.iter().map(|jitter| grid.jitters.as_ref().is_none_or(|j| j.contains(jitter)));
        let (asked_rows, asked_columns) = (asked_rows.collect(), asked_columns.collect());
        Axes { cells, asked_rows, asked_columns, seeds, jitters }
    }
}

/// Where a run stands in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) row: u32,
    pub(super) column: u32,
}

/// The grid: seeds down, jitters across, `none` first.
#[derive(Debug)]
pub(super) struct Axes {
    pub(super) seeds: Vec<i128>,
    pub(super) jitters: Vec<Box<str>>,
    /// Where each number of a seed and a jitter stands.
    cells: Vec<Cell>,
    asked_rows: Vec<bool>,
    asked_columns: Vec<bool>,
}

impl Axes {
    /// A larger grid is not drawn.
    const DRAWN: usize = 1024;

    /// Where a seed and a jitter stand.
    pub(super) fn cell(&self, number: u32) -> Cell {
        self.cells[number as usize]
    }

    /// Whether every case must have this run.
    pub(super) fn asks_for(&self, cell: Cell) -> bool {
        self.asked_rows[cell.row as usize] && self.asked_columns[cell.column as usize]
    }

    /// How many runs every case must have.
    pub(super) fn asked(&self) -> u64 {
        let count = |asked: &[bool]| asked.iter().filter(|asked| **asked).count() as u64;
        count(&self.asked_rows).saturating_mul(count(&self.asked_columns))
    }

    /// Whether it is small enough to be drawn.
    pub(super) fn is_drawn(&self) -> bool {
        self.seeds.len().saturating_mul(self.jitters.len()) <= Self::DRAWN
    }

    /// The run as a person names it.
    pub(super) fn named(&self, cell: Cell) -> String {
        let jitter = text::shorten(&self.jitters[cell.column as usize], 40).into_owned();
        format!("seed {} {}", self.seeds[cell.row as usize], text::visible(&jitter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("0,1", "`0,1` names no axis"),
            ("seed=0", "`seed` is no axis of the grid"),
            ("seeds=0,", "`seeds` holds an empty value"),
            ("seeds=0,a", "the seed `a` is no whole number"),
            ("seeds=1,1", "the seed 1 stands there twice"),
            ("jitters=ws,ws", "the jitter \"ws\" stands there twice"),
            ("seeds=1 seeds=2", "`seeds` is named twice"),
        ] {
            assert_eq!(Grid::parse(words).unwrap_err().message, said);
        }
    }

    #[test]
    fn what_is_seen_makes_the_grid() {
        let cells = Cells::default();
        let numbers = [(1, "ws"), (0, "none"), (1, "none"), (1, "ws")].map(|(s, j)| cells.number(s, j));
        assert_eq!(numbers, [0, 1, 2, 0]);
        let axes = cells.into_axes(&Grid::default());
        assert_eq!(
            (axes.asked(), axes.cell(0), axes.cell(1)),
            (4, Cell { row: 1, column: 1 }, Cell { row: 0, column: 0 })
        );
        assert_eq!(axes.named(axes.cell(0)), "seed 1 ws");
    }

    #[test]
    fn what_is_named_makes_the_grid_and_the_rest_is_kept() {
        let cells = Cells::default();
        cells.number(7, "ws");
        let axes = cells.into_axes(&Grid::parse("seeds=0,1").unwrap());
        assert_eq!((axes.seeds.as_slice(), axes.asked()), (&[0, 1, 7][..], 2));
        assert!(!axes.asks_for(axes.cell(0)));
    }
}
