//! What occurs together how often? Counts in a table, darker where there are more.

use super::Head::{self, Number, Text};
use super::markup::Markup;
use super::{section, table};
use crate::report::Matrix;
use crate::text;

pub(super) fn matrix(m: &mut Markup, title: &str, Matrix { down, across, columns, rows }: &Matrix) {
    let most = rows.values().flatten().copied().max().unwrap_or(0).max(1);
    let corner = across.as_ref().map_or_else(|| down.clone(), |across| format!("{down} ↓ {across} →"));
    let heads: Vec<Head<'_>> =
        std::iter::once(Text(corner.as_str())).chain(columns.iter().map(|label| Number(label))).collect();
    section(m, title, |m| {
        if let Some(across) = across {
            let note = format!("Down: {down}. Across: {across}. Framed: both say the same.");
            m.note(&note);
        }
        table(m, title, &heads, rows.iter().enumerate(), |m, (at, (name, row))| {
            m.row_head(name);
            for (column, n) in row.iter().enumerate() {
                let heat = (*n * 5).div_ceil(most);
                let same = if across.is_some() && at == column { " same" } else { "" };
                let class = format!("number shade c{heat}{same}");
                m.element_with("td", &[("class", &class)], &text::group(*n));
            }
        });
    });
}
