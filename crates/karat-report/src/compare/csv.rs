//! One row for each case whose label changed or that only one side has, for spreadsheets.

use super::Comparison;
use crate::formats::csv::cell;

const HEAD: &str = "id,what,base,new,base_stage,new_stage,line\r\n";

pub(super) fn render(comparison: &Comparison) -> String {
    let mut out = String::from(HEAD);
    rows(comparison, None, &mut out);
    out
}

/// The rows of several suites, each with the suite's name in front.
pub(super) fn suites(suites: &[Comparison]) -> String {
    let mut out = format!("suite,{HEAD}");
    suites.iter().for_each(|suite| rows(suite, Some(&suite.called()), &mut out));
    out
}

fn rows(comparison: &Comparison, suite: Option<&str>, out: &mut String) {
    let mut row = |cells: [&str; 6], line: &str| {
        if let Some(suite) = suite {
            out.push_str(&cell(suite));
            out.push(',');
        }
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
}
