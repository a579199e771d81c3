//! One row for each case whose label changed or that only one side has, for spreadsheets.

use super::Comparison;
use crate::formats::csv::{cell, line};

const HEAD: &str = "id,what,base,new,base_stage,new_stage,line\r\n";

pub(super) fn render(comparison: &Comparison) -> String {
    HEAD.to_owned() + &rows(comparison).collect::<String>()
}

/// The rows of several suites, each with the suite's name in front.
pub(super) fn suites(suites: &[Comparison]) -> String {
    let rows = suites.iter().flat_map(|suite| {
        let name = cell(&suite.called());
        rows(suite).map(move |row| format!("{name},{row}"))
    });
    format!("suite,{HEAD}{}", rows.collect::<String>())
}

fn rows(comparison: &Comparison) -> impl Iterator<Item = String> {
    let flips = comparison.flips.iter().map(|flip| {
        let cells = [&flip.id, flip.what.name(), &flip.base, &flip.new, &flip.base_stage, &flip.new_stage];
        line(cells.map(cell).into_iter().chain([flip.line.to_string()]))
    });
    let only = [("only_base", &comparison.only_base), ("only_new", &comparison.only_new)];
    let only = only.into_iter().flat_map(|(what, ids)| ids.iter().map(move |id| (what, id)));
    flips.chain(only.map(|(what, id)| line([&cell(id), what, "", "", "", "", ""].map(str::to_owned))))
}
