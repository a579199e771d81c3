//! Which runs of a case do not come out as they should? The grid of two properties: over all cases, then case by case.

use serde_json::Value;

use super::Head::{self, Text};
use super::markup::Markup;
use super::{View, link, section, table};
use crate::report::{Case, Grid, State};
use crate::text;

/// More cases than these, or more runs of one, are no picture any more.
const MOST_CASES: usize = 60;
const MOST_RUNS: usize = 40;

pub(super) fn grid(m: &mut Markup, view: &View<'_>, grid: &Grid) {
    if !grid.cells.is_empty() {
        section(m, &format!("Runs by {} and {}", grid.down, grid.across), |m| all_cases(m, grid));
    }
    let shaky =
        |case: &&Case| case.flag(&grid.holds) == Some(false) && case.facts.get(&grid.of_case).is_some();
    let shaky: Vec<&Case> = view.report.cases.iter().filter(shaky).collect();
    if !shaky.is_empty() && grid.rows.len() * grid.columns.len() <= MOST_RUNS {
        section(m, "Cases that do not hold, run by run", |m| {
            by_case(m, view, grid, &shaky);
            let more = shaky.len().saturating_sub(MOST_CASES) as u64;
            if more > 0 {
                let more = text::count(more, "more case");
                m.note(&format!("and {more}: the table below has them all"));
            }
            let legend = grid.states.iter().map(|state| format!("{} {}", state.mark, state.meaning));
            m.note(&legend.collect::<Vec<_>>().join(" · "));
        });
    }
}

/// All cases together: how many runs of each cell are wrong.
fn all_cases(m: &mut Markup, grid: &Grid) {
    let across = grid.columns.iter().map(|name| Text(name));
    let heads: Vec<Head<'_>> = std::iter::once(Text(grid.down.as_str())).chain(across).collect();
    let (title, rows) =
        (format!("Runs by {} and {}", grid.down, grid.across), grid.rows.iter().zip(&grid.cells));
    table(m, &title, &heads, rows, |m, (name, row)| {
        m.row_head(name);
        row.iter().for_each(|counts| cell(m, &grid.states, counts));
    });
    m.note("Runs that came out as they should, of all; the darker, the fewer.");
}

fn cell(m: &mut Markup, states: &[State], counts: &[u64]) {
    let (all, good) = (counts.iter().sum::<u64>(), counts.first().copied().unwrap_or(0));
    let heat = ((all - good) * 5).div_ceil(all.max(1));
    let words = states.iter().zip(counts).skip(1).filter(|(_, n)| **n > 0);
    let words: Vec<String> = words.map(|(state, n)| format!("{} {}", text::group(*n), state.name)).collect();
    m.within_with("td", &[("class", &format!("heat h{heat}"))], |m| {
        m.text(&format!("{}/{}", text::group(good), text::group(all)));
        if !words.is_empty() {
            m.element("small", &format!(" {}", words.join(", ")));
        }
    });
}

fn by_case(m: &mut Markup, view: &View<'_>, grid: &Grid, shaky: &[&Case]) {
    let names =
        grid.rows.iter().flat_map(|row| grid.columns.iter().map(move |column| format!("{row} {column}")));
    let names: Vec<String> = names.collect();
    let heads: Vec<Head<'_>> =
        std::iter::once(Text("case")).chain(names.iter().map(|name| Text(name))).collect();
    table(m, "Runs of each case", &heads, shaky.iter().take(MOST_CASES), |m, case| {
        m.within("th[scope=row]", |m| link(m, view, &[("case", &case.id)], &case.id));
        let rows = case.facts.get(&grid.of_case).and_then(Value::as_array).into_iter().flatten();
        for letter in rows.filter_map(Value::as_str).flat_map(str::chars) {
            let state = grid.states.iter().find(|state| state.letter == letter);
            let (mark, tone, word) = match state {
                // What is as it should be has no name worth reading.
                Some(State { mark, good: Some(true), meaning, .. }) => {
                    (mark.as_str(), "pass", meaning.as_str())
                }
                Some(State { mark, good: Some(false), name, .. }) => (mark.as_str(), "fail", name.as_str()),
                Some(State { mark, name, .. }) => (mark.as_str(), "unsure", name.as_str()),
                None => ("", "idle", "not asked for"),
            };
            m.within_with("td", &[("class", &format!("run {tone}")), ("title", word)], |m| {
                m.mark(mark);
                m.element("span.unseen", word);
            });
        }
    });
}
