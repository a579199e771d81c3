//! The runs of a case in a report: which hold, which differ, and what they say.

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::grid::{Axes, Cell, Wordings};
use super::input::Log;
use super::runs::{Run, Runs, Says};
use crate::gold::Gold;
use crate::input::Source;
use crate::model::Case;
use crate::profile::Profile;
use crate::report::{self, Body, Column, Facts, Grid, Kind, Layout, Place, Shown};
use crate::suites::common::Common;
use crate::suites::stability::judge::canonical::canonical_into;
use crate::suites::stability::judge::{Label, Property, State, Verdict};
use crate::text;
use crate::traces::replay;

/// A log and what its cases came to.
pub(super) struct Scored<'a> {
    pub(super) gold: &'a Gold,
    pub(super) log: &'a Log,
    pub(super) verdicts: &'a [Verdict],
    /// The files, to read again what was said.
    pub(super) traces: &'a [Source],
    pub(super) common: &'a Common<'a>,
}

impl Scored<'_> {
    fn all(&self) -> impl Iterator<Item = (&Case, &Runs, &Verdict)> {
        let runs = self.gold.cases.iter().zip(&self.log.runs);
        runs.zip(self.verdicts).map(|((case, runs), verdict)| (case, runs, verdict))
    }

    fn wordings(&self, case: &Case, runs: &Runs) -> Wordings {
        self.log.axes.wordings(case, runs.runs.iter().map(|run| run.cell))
    }

    /// The grid and what became of its runs.
    pub(super) fn grid(&self) -> Grid {
        let axes = &self.log.axes;
        let mut cells = Vec::new();
        if axes.is_drawn() {
            cells = vec![vec![vec![0; State::ALL.len()]; axes.width()]; axes.seeds.len()];
            for (case, runs, _) in self.all() {
                for (row, column, state) in states(case, runs, axes) {
                    cells[row][column][state as usize] += 1;
                }
            }
        }
        let state = |state: State| report::State {
            name: state.name().into(),
            letter: state.letter(),
            mark: ["●", "✗", "○", "!", "–"][state as usize].into(),
            good: (state != State::Missing).then_some(state == State::Held),
            meaning: state.meaning().into(),
        };
        Grid {
            down: "seed".into(),
            across: "jitter".into(),
            rows: axes.seeds.iter().map(ToString::to_string).collect(),
            columns: axes.columns(),
            states: State::ALL.map(state).into(),
            cells,
            of_case: "grid".into(),
            holds: "holds".into(),
        }
    }

    /// The cases, in gold's order.
    pub(super) fn cases(&self) -> Vec<report::Case> {
        let case = |(case, runs, verdict): &(&Case, &Runs, &Verdict)| report::Case {
            id: case.id().to_owned(),
            label: verdict.label().name().into(),
            first_failed_stage: verdict.stage().name().into(),
            line: case.line,
            facts: Facts::known([
                ("answerable", json!(case.answerable)),
                ("runs", json!(verdict.runs)),
                ("holds", json!(verdict.holds())),
                ("missing_runs", json!(verdict.missing)),
                ("grid", json!(letters(case, runs, &self.log.axes))),
                ("figures", figures(verdict)),
            ]),
            view: None,
        };
        let view = |&(case, runs, verdict): &(&Case, &Runs, &Verdict)| report::CaseView {
            summary: self.offender(case, runs, verdict),
            steps: steps(verdict),
            counted: counted(case, runs),
            ..report::CaseView::default()
        };
        let good = |(_, _, verdict): &(&Case, &Runs, &Verdict)| verdict.label() == Label::Stable;
        self.common.cases(self.all(), good, case, view)
    }

    /// The ten worst cases, with the runs that differ.
    pub(super) fn offenders(&self) -> Vec<report::Offender> {
        const WORST: usize = 10;
        let mut worst: Vec<_> = self.all().filter(|(_, _, v)| v.label() != Label::Stable).collect();
        worst.sort_by_key(|(case, _, verdict)| (verdict.label(), case.id()));
        worst.truncate(WORST);
        worst.into_iter().map(|(case, runs, verdict)| self.offender(case, runs, verdict)).collect()
    }

    fn offender(&self, case: &Case, runs: &Runs, verdict: &Verdict) -> report::Offender {
        let stage = verdict.stage();
        let mut notes = Vec::new();
        let broken: Vec<String> = verdict.broken().map(|of| broken(of, verdict)).collect();
        if !broken.is_empty() {
            notes.push(broken.join(", "));
        }
        if verdict.runs > 0 && verdict.label() != Label::Incomplete {
            notes.push(self.outcome(case, runs, verdict));
            notes.extend(self.sayings(case, runs));
        }
        if verdict.uncompared > 0 {
            notes.push(uncompared(verdict.uncompared));
        }
        if verdict.missing > 0 {
            notes.push(self.missing(case, runs, verdict.missing));
        }
        let strings = |texts: &mut dyn Iterator<Item = &str>| texts.map(str::to_owned).collect();
        report::Offender {
            id: case.id().to_owned(),
            label: verdict.label().name().into(),
            first_failed_stage: stage.name().into(),
            line: case.line,
            question: case.question().to_owned(),
            gold_citations: strings(&mut case.citations()),
            gold_phrases: strings(&mut case.phrases()),
            notes,
            next_step: match verdict.label() {
                Label::Wrong => {
                    "it is wrong in every run: `karat answers` on one of them shows where it is lost"
                }
                _ => stage.next_step(),
            }
            .into(),
            ..report::Offender::default()
        }
    }

    /// How many runs hold, and which do not.
    fn outcome(&self, case: &Case, runs: &Runs, verdict: &Verdict) -> String {
        let mut parts =
            vec![format!("{} of {} hold", text::group(verdict.held), text::count(verdict.runs, "run"))];
        for bad in [State::Wrong, State::Refused, State::Errored] {
            let word = bad.name();
            let cells = self.cells(runs.runs.iter().filter(|run| state(case, runs, run) == bad));
            if cells.len() as u64 == verdict.runs && cells.len() > 1 {
                return format!("all {} runs are {word}", text::group(verdict.runs));
            }
            if !cells.is_empty() {
                parts.push(format!("{word}: {}", self.list(&cells, cells.len() as u64)));
            }
        }
        parts.join("; ")
    }

    /// What runs say, the most frequent first.
    fn sayings(&self, case: &Case, runs: &Runs) -> Vec<String> {
        const SHOWN: usize = 3;
        let mut by_claim: IndexMap<&str, Vec<&Run>> = IndexMap::new();
        for run in &runs.runs {
            by_claim.entry(runs.says[run.says as usize].claim()).or_default().push(run);
        }
        by_claim.sort_by(|a, mine, b, theirs| theirs.len().cmp(&mine.len()).then(a.cmp(b)));
        let mut notes: Vec<String> = Vec::new();
        for (claim, runs) in by_claim.iter().take(SHOWN) {
            // The words of the first run in the grid; its canonical form where the line cannot be read again.
            let first = runs.iter().min_by_key(|run| self.log.axes.cell(run.cell));
            let again = first.and_then(|run| self.again(case, run));
            let said = again.as_deref().unwrap_or(claim);
            let (n, verb) = (runs.len() as u64, if runs.len() == 1 { "says" } else { "say" });
            notes.push(match text::trim(said) {
                "" => format!("{} {verb} nothing", text::count(n, "run")),
                said => format!("{} {verb}: {}", text::count(n, "run"), text::shorten(said, 160)),
            });
        }
        if by_claim.len() > SHOWN {
            let rest = by_claim.len() - SHOWN;
            notes.push(format!("and {} more", text::count(rest as u64, "wording")));
        }
        notes
    }

    fn again(&self, case: &Case, run: &Run) -> Option<String> {
        let position = run.position();
        let source = self.traces.get(position.source as usize)?;
        replay(source, position.offset, case)?.claim
    }

    /// Which runs of the grid a case lacks.
    fn missing(&self, case: &Case, runs: &Runs, missing: u64) -> String {
        let axes = &self.log.axes;
        let mut there: Vec<Cell> = runs.runs.iter().map(|run| axes.cell(run.cell)).collect();
        there.sort_unstable();
        let mut cells = Vec::new();
        if axes.is_drawn() {
            let asked = self.wordings(case, runs);
            let absent = |cell: &Cell| axes.asks_for(*cell, &asked) && there.binary_search(cell).is_err();
            cells.extend(axes.cells().filter(absent));
        }
        match cells.as_slice() {
            _ if there.is_empty() && missing == 1 => "no run".into(),
            _ if there.is_empty() => format!("no run of {}", text::group(missing)),
            [] => format!("{} missing", text::count(missing, "run")),
            cells => format!("missing: {}", self.list(cells, missing)),
        }
    }

    fn cells<'r>(&self, runs: impl Iterator<Item = &'r Run>) -> Vec<Cell> {
        let mut cells: Vec<Cell> = runs.map(|run| self.log.axes.cell(run.cell)).collect();
        cells.sort_unstable();
        cells
    }

    /// Runs as people name them: the first few.
    fn list(&self, cells: &[Cell], all: u64) -> String {
        const SHOWN: usize = 4;
        let names: Vec<String> = cells.iter().take(SHOWN).map(|cell| self.log.axes.named(*cell)).collect();
        let rest = all.saturating_sub(names.len() as u64);
        let more = if rest > 0 { format!(" and {} more", text::group(rest)) } else { String::new() };
        format!("{}{more}", names.join(", "))
    }

    /// Remarks that change no figure.
    pub(super) fn hints(&self, grid: &Grid) -> Vec<String> {
        let axes = &self.log.axes;
        let mut hints = Vec::new();
        let runs = || self.log.runs.iter().flat_map(|runs| &runs.runs);
        if runs().next().is_none() {
            hints.push("the traces have no run: every case lacks all of its runs, and fails".into());
        } else if self.verdicts.iter().all(|verdict| verdict.runs + verdict.missing < 2) {
            hints.push("every case has one run: nothing was repeated, so nothing shows whether it is stable; log `seed` and `jitter`, and run several".into());
        }
        let replaced: u64 = self.log.runs.iter().map(|runs| runs.replaced).sum();
        if replaced > 0 {
            let were =
                if replaced == 1 { "was replaced by a later one" } else { "were replaced by later ones" };
            hints.push(format!(
                "{} {were} of the same case, seed, jitter and wording: rounds of one seed are not runs of their own",
                text::count(replaced, "run")
            ));
        }
        let outside = runs().filter(|run| !axes.holds(axes.cell(run.cell))).count() as u64;
        if outside > 0 {
            let lie = if outside == 1 {
                "lies outside the grid and counts"
            } else {
                "lie outside the grid and count"
            };
            hints.push(format!("{} {lie} all the same", text::count(outside, "run")));
        }
        let unseen: u64 = self.verdicts.iter().map(|verdict| verdict.uncompared).sum();
        if unseen > 0 {
            hints.push(uncompared(unseen));
        }
        hints.extend(concentrated(grid));
        hints
    }
}

/// The one jitter, or seed, in which most of what goes wrong does.
fn concentrated(grid: &Grid) -> Option<String> {
    let bad = |counts: Vec<u64>| {
        [State::Wrong, State::Refused, State::Errored].into_iter().map(|state| counts[state as usize]).sum()
    };
    let most = |axis: &str, names: &[String], counts: Vec<u64>| {
        let all: u64 = counts.iter().sum();
        let (at, most) = counts.iter().enumerate().max_by_key(|(_, n)| **n)?;
        (counts.len() > 1 && *most > 1 && *most * 2 > all).then(|| {
            format!(
                "{} of {} that do not hold are of the {axis} {}",
                text::group(*most),
                text::count(all, "run"),
                text::visible(&text::shorten(&names[at], 40))
            )
        })
    };
    if grid.cells.is_empty() {
        return None;
    }
    let columns = (0..grid.columns.len()).map(|at| bad(grid.of_column(at))).collect();
    let rows = || (0..grid.rows.len()).map(|at| bad(grid.of_row(at))).collect();
    most("jitter", &grid.columns, columns).or_else(|| most("seed", &grid.rows, rows()))
}

/// In how many runs each of gold's phrases and sources is found, by the rule that judges them.
fn counted(case: &Case, runs: &Runs) -> Vec<report::RunCount> {
    let of = runs.runs.len() as u64;
    if of == 0 {
        return Vec::new();
    }
    let times = |has: &dyn Fn(&Says) -> bool| -> u64 {
        runs.says.iter().filter(|says| has(says)).map(|says| u64::from(says.times)).sum()
    };
    let mut wanted = String::new();
    let phrases = case.phrases().map(|phrase| {
        canonical_into(phrase, &mut wanted);
        let has = |says: &Says| !wanted.is_empty() && says.claim().contains(wanted.as_str());
        report::RunCount { source: false, text: phrase.to_owned(), runs: times(&has), of }
    });
    let phrases: Vec<report::RunCount> = phrases.collect();
    let sources = case.citations().map(|id| {
        let has = |says: &Says| says.cited().any(|cited| cited == id);
        report::RunCount { source: true, text: id.to_owned(), runs: times(&has), of }
    });
    phrases.into_iter().chain(sources).collect()
}

/// What a run of a case came to.
fn state(case: &Case, runs: &Runs, run: &Run) -> State {
    State::of(case.answerable, runs.says[run.says as usize].facts)
}

/// What became of pairs for which there was no budget left.
fn uncompared(pairs: u64) -> String {
    let (were, count) = if pairs == 1 { ("was", "it counts") } else { ("were", "they count") };
    format!(
        "{} of claims {were} not compared, since the claims of the case are too long or too many: {count} as wholly different (a distance of 1) in ned50",
        text::count(pairs, "pair")
    )
}

/// A measure on the wrong side of its limit.
fn broken(of: Property, verdict: &Verdict) -> String {
    format!("{} {} (must be {})", of.name(), shown(of, verdict), of.limit_text())
}

fn shown(of: Property, verdict: &Verdict) -> String {
    match (of, verdict.value(of)) {
        (_, None) => "no value".into(),
        (Property::ScuCons, Some(share)) => share.num.to_string(),
        (_, Some(share)) => format!("{:.4}", share.to_f64()),
    }
}

/// Each measure of a case, with its limit where the case depends on it.
fn steps(verdict: &Verdict) -> Vec<report::Step> {
    let judged: &[Property] =
        if verdict.answerable { &Property::ANSWERABLE } else { &Property::UNANSWERABLE };
    let named = |name: &str, pass: Option<bool>, says: String| {
        let metric = super::metrics::ALL.iter().find(|metric| metric.name == name);
        let meaning = metric.map_or("", |metric| metric.summary);
        report::Step { meaning, ..report::Step::new(name, pass, says) }
    };
    let step = |of: Property| {
        let value = verdict.value(of).filter(|_| judged.contains(&of));
        let says = match value {
            Some(_) => format!("{} (must be {})", shown(of, verdict), of.limit_text()),
            None => shown(of, verdict),
        };
        named(of.name(), value.map(|value| of.holds(value)), says)
    };
    let (runs, missing) = (text::count(verdict.runs, "run"), text::group(verdict.missing));
    let full = verdict.runs > 0 && verdict.missing == 0;
    let there = named("runs", Some(full), format!("{runs}, {missing} missing"));
    std::iter::once(there).chain(Property::ALL.into_iter().map(step)).collect()
}

/// The measures of a case.
fn figures(verdict: &Verdict) -> Value {
    let value = |of: Property| json!(verdict.value(of).map(|share| share.to_f64()));
    Property::ALL.into_iter().map(|of| (of.name().to_owned(), value(of))).collect()
}

/// How formats speak of cases that were run several times.
pub(super) fn layout(profile: &Profile) -> Layout {
    use Place::{Csv, Drawer, Flat, Md, Page};
    const FLAT: [Property; 7] = [
        Property::Acr,
        Property::Cghc,
        Property::Css,
        Property::Ned50,
        Property::Rcr,
        Property::RefusalRate,
        Property::ScuCons,
    ];
    let figure = |of: Property, kind: Kind, on: &[Place]| {
        Column::new(format!("figures/{}", of.name()), of.name(), kind, on)
    };
    let shown = |of: Property| {
        let shown = profile.slices.iter().any(|(name, _)| *name == of.name());
        figure(of, Kind::Number, if shown { &[Csv, Page] } else { &[Csv, Drawer] })
    };
    let mut columns = vec![
        Column::new("id", "qid", Kind::Text, &[Md]),
        Column::named("answerable", Kind::Flag, &[Csv, Page]),
        Column::named("holds", Kind::Flag, &[Csv, Page]),
        Column::named("runs", Kind::Count, &[Csv, Md, Page]),
        Column::named("missing_runs", Kind::Count, &[Csv]),
        Column::new("missing_runs", "missing runs", Kind::Count, &[Drawer]),
        Column::new("grid", "runs, a seed each", Kind::Text, &[Drawer]),
        Column::new("first_failed_stage", "stage", Kind::Word, &[Md]),
        Column::new("figures", "measures", Kind::Group, &[Md]),
    ];
    columns.extend(Property::ALL.map(shown));
    // Whether constraints are kept is 0 or 1.
    let kind = |of: Property| if of == Property::ScuCons { Kind::Count } else { Kind::Number };
    columns.extend(FLAT.map(|of| figure(of, kind(of), &[Flat])));
    Layout { case: "case".into(), fault: None, worst: vec![Shown::Notes], columns }
}

/// How many cases there are, and how many hold.
pub(super) fn totals(counts: &IndexMap<String, u64>) -> Body {
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    let (answerable, unanswerable, fail) = (count("answerable"), count("unanswerable"), count("fail"));
    let pass = (answerable + unanswerable).saturating_sub(fail);
    let totals = [("answerable", answerable), ("unanswerable", unanswerable), ("pass", pass), ("fail", fail)];
    Body::Histogram { counts: totals.map(|(name, n)| (name.to_owned(), n)).into_iter().collect() }
}

/// The runs of a case and those that it lacks, by row and column of the grid.
fn states(case: &Case, runs: &Runs, axes: &Axes) -> Vec<(usize, usize, State)> {
    let asked = axes.wordings(case, runs.runs.iter().map(|run| run.cell));
    let mut there: Vec<(Cell, State)> =
        runs.runs.iter().map(|run| (axes.cell(run.cell), state(case, runs, run))).collect();
    there.sort_unstable_by_key(|(cell, _)| *cell);
    let absent = |cell: &Cell| {
        axes.asks_for(*cell, &asked) && there.binary_search_by_key(cell, |(cell, _)| *cell).is_err()
    };
    let missing: Vec<(Cell, State)> =
        axes.cells().filter(absent).map(|cell| (cell, State::Missing)).collect();
    let all = there.into_iter().chain(missing);
    all.map(|(cell, state)| (axes.place(cell).0, axes.place(cell).1, state)).collect()
}

/// One text per seed, with one letter per jitter and wording; nothing where the grid is too large.
fn letters(case: &Case, runs: &Runs, axes: &Axes) -> Vec<String> {
    if !axes.is_drawn() {
        return Vec::new();
    }
    let mut grid = vec![vec![' '; axes.width()]; axes.seeds.len()];
    for (row, column, state) in states(case, runs, axes) {
        grid[row][column] = state.letter();
    }
    grid.into_iter().map(String::from_iter).collect()
}
