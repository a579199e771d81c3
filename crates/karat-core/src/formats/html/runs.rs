//! Which runs of a case do not come out as they should? The grid of seeds and jitters: over all cases, then case by case.

use super::Head::{self, Text};
use super::markup::Markup;
use super::{View, link, section, table};
use crate::report::{Case, Stability, StateCounts};
use crate::text;

/// More cases than these, or more runs of one, are no picture any more.
const MOST_CASES: usize = 60;
const MOST_RUNS: usize = 40;

pub(super) fn runs(m: &mut Markup, view: &View<'_>) {
    let Some(stability) = &view.report.stability else { return };
    if !stability.grid.is_empty() {
        section(m, "Runs by seed and jitter", |m| whole(m, stability));
    }
    let cells = stability.seeds.len() * stability.jitters.len();
    let shaky: Vec<&Case> =
        view.report.cases.iter().filter(|case| case.holds == Some(false) && !case.grid.is_empty()).collect();
    if !shaky.is_empty() && cells <= MOST_RUNS {
        section(m, "Cases that do not hold, run by run", |m| {
            by_case(m, view, stability, &shaky);
            let more = shaky.len().saturating_sub(MOST_CASES) as u64;
            if more > 0 {
                m.element(
                    "p",
                    &[("class", "note")],
                    &format!("and {}: the table below has them all", text::count(more, "more case")),
                );
            }
            m.element("p", &[("class", "note")], "● as it should be · ✗ wrong · ○ refused, and gold has an answer · ! the pipeline failed · – not there");
        });
    }
}

/// All cases together: how many runs of each cell are wrong.
fn whole(m: &mut Markup, stability: &Stability) {
    let jitters = stability.jitters.iter().map(|jitter| Text(jitter));
    let heads: Vec<Head<'_>> = std::iter::once(Text("seed")).chain(jitters).collect();
    table(m, "Runs by seed and jitter", &heads, |m| {
        for (seed, row) in stability.seeds.iter().zip(&stability.grid) {
            m.within("tr", &[], |m| {
                m.within("th", &[("scope", "row")], |m| m.element("bdi", &[], seed));
                row.iter().for_each(|counts| cell(m, counts));
            });
        }
    });
    m.element("p", &[("class", "note")], "Runs that came out as they should, of all; the darker, the fewer.");
}

fn cell(m: &mut Markup, counts: &StateCounts) {
    let all = counts.held + counts.bad() + counts.missing;
    let heat = ((all - counts.held) * 5).div_ceil(all.max(1));
    let words = [
        ("wrong", counts.wrong),
        ("refused", counts.refused),
        ("errored", counts.errored),
        ("missing", counts.missing),
    ];
    let words: Vec<String> =
        words.iter().filter(|(_, n)| *n > 0).map(|(word, n)| format!("{} {word}", text::group(*n))).collect();
    m.within("td", &[("class", &format!("heat h{heat}"))], |m| {
        m.text(&format!("{}/{}", text::group(counts.held), text::group(all)));
        if !words.is_empty() {
            m.element("small", &[], &format!(" {}", words.join(", ")));
        }
    });
}

fn by_case(m: &mut Markup, view: &View<'_>, stability: &Stability, shaky: &[&Case]) {
    let names: Vec<String> = stability
        .seeds
        .iter()
        .flat_map(|seed| stability.jitters.iter().map(move |jitter| format!("{seed} {jitter}")))
        .collect();
    let heads: Vec<Head<'_>> =
        std::iter::once(Text("case")).chain(names.iter().map(|name| Text(name))).collect();
    table(m, "Runs of each case", &heads, |m| {
        for case in shaky.iter().take(MOST_CASES) {
            m.within("tr", &[], |m| {
                m.within("th", &[("scope", "row")], |m| link(m, view, &[("case", &case.id)], &case.id));
                for letter in case.grid.iter().flat_map(|row| row.chars()) {
                    let (mark, tone, word) = match letter {
                        'h' => ("●", "pass", "as it should be"),
                        'w' => ("✗", "fail", "wrong"),
                        'r' => ("○", "fail", "refused"),
                        'e' => ("!", "fail", "errored"),
                        '-' => ("–", "unsure", "missing"),
                        _ => ("", "idle", "not asked for"),
                    };
                    m.within("td", &[("class", &format!("run {tone}")), ("title", word)], |m| {
                        m.element("span", &[("aria-hidden", "true")], mark);
                        m.element("span", &[("class", "unseen")], word);
                    });
                }
            });
        }
    });
}
