//! What only one suite reports: tables and drawings, as data of a few kinds that every format knows.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Column, Facts, Place, number};

/// A part of a report that its suite adds.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// Its name for scripts; `flat` has it under this name where the suite lists it.
    pub key: String,
    /// Its title for people.
    pub title: String,
    /// Where it is shown; nowhere but in json where the list is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<Place>,
    /// It is what the suite is about: it stands above the stages.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub first: bool,
    /// What a reader has to know to read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What it holds.
    #[serde(flatten)]
    pub body: Body,
}

/// What a section holds.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Body {
    /// Rows under columns.
    Table(Table),
    /// Points between two figures.
    Curve(Curve),
    /// Counts of pairs.
    Matrix(Matrix),
    /// Figures that change with a number.
    Lines(Lines),
    /// What became of runs, by two properties.
    Grid(Grid),
    /// How often each of several things occurs.
    Histogram {
        /// The counts by name, in their order.
        counts: IndexMap<String, u64>,
    },
    /// Sentences or names.
    Text {
        /// A line each.
        lines: Vec<String>,
    },
}

/// Rows under columns. The first column is the name of a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Table {
    /// What the cells are.
    pub columns: Vec<Column>,
    /// A list of cells a row, in the order of the columns.
    pub rows: Vec<Vec<Value>>,
    /// Its numbers are shares, which a page draws as bars.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bars: bool,
}

/// Points between two figures, and the one that counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Curve {
    /// What runs across: less is better.
    pub x: Axis,
    /// What runs up: more is better.
    pub y: Axis,
    /// What is known of each point.
    pub columns: Vec<Column>,
    /// Which of the points counts, from 0; null where there is none.
    pub selected: Option<u64>,
    /// Where no point passes, the one that lacks least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nearest: Option<u64>,
    /// The points.
    pub points: Vec<Point>,
    /// The points that these are compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Box<Curve>>,
}

/// An axis of a curve.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Axis {
    /// Where its value stands in a point.
    pub key: String,
    /// What it measures.
    pub title: String,
}

impl Axis {
    /// The metric whose gate is drawn on this axis.
    pub fn metric(&self) -> &str {
        self.key.rsplit('/').next().unwrap_or_default()
    }
}

/// A point of a curve.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// What it is called among the others.
    pub name: String,
    /// What tells it from others of its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What is known of it.
    #[serde(flatten)]
    #[schemars(with = "IndexMap<String, Value>")]
    pub facts: Facts,
    /// No other point is at least as good on both axes, and better on one.
    pub on_frontier: bool,
    /// It is the one that counts.
    pub selected: bool,
    /// Every gate passes here.
    pub passes: bool,
    /// The gates that do not.
    pub stuck: Vec<String>,
    /// How its times are spread, from the first bin that is not empty to the last.
    pub histogram: Vec<Bin>,
}

/// A bar of a histogram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bin {
    /// Milliseconds from here.
    pub from: f64,
    /// Up to here, and not at it; null for no end.
    pub to: Option<f64>,
    /// How many requests.
    pub count: u64,
}

impl Curve {
    /// The point that counts.
    #[must_use]
    pub fn chosen(&self) -> Option<&Point> {
        self.points.get(usize::try_from(self.selected?).ok()?)
    }

    /// The point that lacks least, where none passes.
    pub fn nearest(&self) -> Option<&Point> {
        self.points.get(usize::try_from(self.nearest?).ok()?)
    }
}

impl Point {
    /// Its name, and what tells it from others of that name.
    pub fn full_name(&self) -> String {
        self.detail.as_ref().map_or_else(|| self.name.clone(), |detail| format!("{}, {detail}", self.name))
    }
}

/// How often what stands at the left occurs together with what stands above.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Matrix {
    /// What the rows are.
    pub down: String,
    /// What the columns are; both are of one kind, so that the diagonal is agreement. Null where they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub across: Option<String>,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The counts of each row, by its name.
    pub rows: IndexMap<String, Vec<u64>>,
}

/// Figures that change with a number, such as a cut-off.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Lines {
    /// The name of the number.
    pub by: String,
    /// The figures.
    pub series: Vec<Series>,
}

/// A figure and its values.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    /// The figure.
    pub name: String,
    /// The number and the value there, in order.
    pub points: Vec<(u32, f64)>,
    /// The values of the baseline, in the same form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baseline: Vec<(u32, f64)>,
}

/// What became of runs, by two properties that they have.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Grid {
    /// The property of a row.
    pub down: String,
    /// The property of a column.
    pub across: String,
    /// The values down, as text: numbers may be larger than a double holds.
    pub rows: Vec<String>,
    /// The values across.
    pub columns: Vec<String>,
    /// What a run may come to, good first.
    pub states: Vec<State>,
    /// For each row and column, how many runs came to each state. Empty where the grid is too large to be drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<Vec<Vec<u64>>>,
    /// The fact of a case that holds its own grid, a text for each row and a letter for each column.
    pub of_case: String,
    /// The fact of a case that is false where its grid is worth a look.
    pub holds: String,
}

/// What a run may come to.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Its letter in the grid of a case.
    pub letter: char,
    /// Its sign on a page.
    pub mark: String,
    /// Whether it is as it should be; null where nothing can be said.
    pub good: Option<bool>,
    /// What it means.
    pub meaning: String,
}

impl Grid {
    /// How the runs of a row ended.
    pub fn of_row(&self, row: usize) -> Vec<u64> {
        self.sum(self.cells.get(row).into_iter().flatten())
    }

    /// How the runs of a column ended.
    pub fn of_column(&self, column: usize) -> Vec<u64> {
        self.sum(self.cells.iter().filter_map(|row| row.get(column)))
    }

    fn sum<'a>(&self, cells: impl Iterator<Item = &'a Vec<u64>>) -> Vec<u64> {
        let mut sum = vec![0; self.states.len()];
        for cell in cells {
            sum.iter_mut().zip(cell).for_each(|(sum, n)| *sum += n);
        }
        sum
    }
}

impl Table {
    /// The number in a column of the row of this name.
    pub fn number(&self, row: &str, column: &str) -> Option<f64> {
        let at = self.columns.iter().position(|known| known.key == column)?;
        let row = self.rows.iter().find(|cells| cells.first().and_then(Value::as_str) == Some(row))?;
        number(row.get(at))
    }
}

impl Section {
    /// A section for people, shown wherever its kind can be.
    #[must_use]
    pub fn new(key: &str, title: impl Into<String>, body: Body) -> Self {
        let on = vec![Place::Text, Place::Page];
        Section { key: key.into(), title: title.into(), on, first: false, note: None, body }
    }

    /// A section that only scripts read.
    #[must_use]
    pub fn data(key: &str, title: &str, body: Body) -> Self {
        Section { on: Vec::new(), ..Section::new(key, title, body) }
    }

    /// Whether a place shows it.
    pub fn is_on(&self, place: Place) -> bool {
        self.on.contains(&place)
    }

    /// The curve, where it is one.
    #[must_use]
    pub fn curve(&self) -> Option<&Curve> {
        match &self.body {
            Body::Curve(curve) => Some(curve),
            _ => None,
        }
    }
}
