//! One row for each case whose label changed or that only one side has, for spreadsheets.

use super::Comparison;
use crate::formats::csv::cell;

pub(super) fn render(comparison: &Comparison) -> String {
    let mut out = String::from("id,what,base,new,base_stage,new_stage,line\r\n");
    let mut row = |cells: [&str; 6], line: &str| {
        out.push_str(&cells.map(cell).join(","));
        out.push(',');
        out.push_str(line);
        out.push_str("\r\n");
    };
    for flip in &comparison.flips {
        let cells = [&flip.id, flip.what.name(), &flip.base, &flip.new, &flip.base_stage, &flip.new_stage];
        row(cells, &flip.line.to_string());
    }
    for (what, ids) in [("only_base", &comparison.only_base), ("only_new", &comparison.only_new)] {
        for id in ids {
            row([id, what, "", "", "", ""], "");
        }
    }
    out
}
