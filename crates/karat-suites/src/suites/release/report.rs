//! The report for people: which check fails, because of which cases, what broke, where to look first.
//!
//! Nothing here prints the text of a chunk, nor a word of a case that touched one it may not see.

use serde_json::{Value, json};

use super::case_view::case_view;
use super::cases::{Site, digest};
use super::row;
use super::{Judged, Run};
use crate::report::{self, Check, Column, Facts, Kind, Layout, Place, Shown, Slice};
use crate::suites::release::judge::support::supports;
use crate::suites::release::judge::{Expected, Label, Reason, Stage};
use crate::text;

/// How many names a list for people holds.
const NAMED: usize = 10;

/// The four checks of the suite, whatever the gates are.
pub(super) fn checks(run: &Run<'_>, slices: &[Slice]) -> Vec<Check> {
    let named = |bad: &dyn Fn(usize, &Judged) -> bool| -> Vec<String> {
        let bad = run.judged.iter().enumerate().filter(|(i, judged)| bad(*i, judged));
        bad.map(|(i, _)| run.cases.rows[i].id(&run.gold).to_owned()).collect()
    };
    let any = |expected: Expected| run.judged.iter().any(|judged| judged.verdict.expected == expected);
    let check = |name: &str, pass: Option<bool>, says: String, mut cases: Vec<String>| {
        let cases_total = cases.len() as u64;
        cases.truncate(NAMED);
        Check { name: name.into(), pass, says, cases, cases_total }
    };

    let inadmissible = named(&|_, judged| judged.verdict.should_release() && judged.verdict.reason.is_some());
    let any_to_release = run.judged.iter().any(|judged| judged.verdict.should_release());
    let admissible = any_to_release && inadmissible.is_empty();
    let says = match (any_to_release, inadmissible.len()) {
        (false, _) => "no case should be released, so nothing shows that one could".to_owned(),
        (true, 0) => "every case that should release has an admissible evidence path".to_owned(),
        (true, n) => format!("{} to release without an admissible path", text::count(n as u64, "case")),
    };
    let mut checks = vec![check("admissible_evidence_path", Some(admissible), says, inadmissible)];

    for (name, expected, word) in [
        ("supported_answer_released", Expected::Release, "released"),
        ("known_bad_answers_blocked", Expected::Block, "blocked"),
    ] {
        let bad = named(&|_, judged| judged.verdict.expected == expected && !judged.verdict.correct());
        let (pass, says) = match (any(expected), bad.len() as u64) {
            (false, _) => (None, format!("not judged: no control should be {word}")),
            (true, 0) => (Some(true), format!("every control that should be {word} is")),
            (true, n) => (Some(false), format!("{} to be {word}, and not {word}", text::count(n, "control"))),
        };
        checks.push(check(name, pass, says, bad));
    }

    let clear = |slice: &Slice| {
        let figure = slice.metrics.get("release_correct");
        let (num, den) = figure.map_or((0, 0), |figure| (figure.num.unwrap_or(0), figure.den.unwrap_or(0)));
        den > 0 && u128::from(num) * 100 >= u128::from(den) * 95
    };
    let failing: Vec<&Slice> = slices.iter().filter(|slice| !clear(slice)).collect();
    let in_failing = named(&|i, judged| {
        let values = &run.gold.cases[run.cases.rows[i].case as usize].slices;
        let within = |slice: &&&Slice| is_in(slice, &run.gold.slice_fields, values);
        !judged.verdict.correct() && failing.iter().find(within).is_some()
    });
    let pass = failing.is_empty() && !run.judged.is_empty();
    let says = match failing.as_slice() {
        [] if run.judged.is_empty() => "there is no case".to_owned(),
        [] => "at least 95 % of every slice is decided as it should be".to_owned(),
        some => {
            let names: Vec<String> = some.iter().take(NAMED).map(|slice| name_of(slice)).collect();
            format!("below 95 % in {}", names.join(", "))
        }
    };
    checks.push(check("slice_regression_clear", Some(pass), says, in_failing));
    checks
}

fn name_of(slice: &Slice) -> String {
    format!("{}={}", slice.field, slice.value.as_deref().unwrap_or("(none)"))
}

fn is_in(slice: &Slice, fields: &[String], values: &[Box<[Box<str>]>]) -> bool {
    fields.iter().zip(values).filter(|(field, _)| **field == slice.field).any(|(_, values)| {
        match &slice.value {
            None => values.is_empty(),
            Some(value) => values.iter().any(|mine| **mine == **value),
        }
    })
}

/// Names the wrong cases of each slice that does not pass.
pub(super) fn name_offenders(slices: &mut [Slice], run: &Run<'_>) {
    for slice in slices.iter_mut().filter(|slice| !slice.pass) {
        let wrong = run.cases.rows.iter().zip(&run.judged).filter(|(row, judged)| {
            let values = &run.gold.cases[row.case as usize].slices;
            !judged.verdict.correct() && is_in(slice, &run.gold.slice_fields, values)
        });
        slice.offenders = wrong.take(NAMED).map(|(row, _)| row.id(&run.gold).to_owned()).collect();
    }
}

/// What the pattern suggests, when a gate does not pass.
pub(super) fn diagnosis(run: &Run<'_>, gates: &[report::Gate]) -> Vec<String> {
    if !gates.iter().any(report::Gate::blocks) {
        return Vec::new();
    }
    let count = |label: Label, stage: Option<Stage>| {
        let of = |judged: &&Judged| {
            judged.verdict.label() == label && stage.is_none_or(|stage| judged.verdict.stage() == stage)
        };
        run.judged.iter().filter(of).count() as u64
    };
    let mut says = Vec::new();
    let leaked = count(Label::Leaked, None);
    if leaked > 0 {
        let controls = text::count(leaked, "known-bad control");
        says.push(format!(
            "{controls} would have reached a reader: gold cannot tell them from good answers; sharpen its points and phrases before anything else"
        ));
    }
    for stage in Stage::ALL.into_iter().filter(|stage| *stage != Stage::Pass) {
        let held = count(Label::Held, Some(stage));
        if held > 0 {
            let cases = text::count(held, "case");
            says.push(format!(
                "{cases} held at {stage}: {}; look first at {}",
                stage.meaning(),
                stage.first_fix()
            ));
        }
    }
    says
}

/// Remarks that change no figure.
pub(super) fn hints(run: &Run<'_>, traced: &[bool]) -> Vec<String> {
    let mut hints = Vec::new();
    let missing = run.gold.cases.iter().zip(traced).filter(|(_, traced)| !**traced);
    let missing: Vec<&str> = missing.map(|(case, _)| &*case.id).collect();
    if !missing.is_empty() {
        let (cases, names) =
            (text::count(missing.len() as u64, "gold case"), text::first_few(&missing, NAMED, ", "));
        hints.push(format!("{cases} without a row: {names}"));
    }
    let has = |expected: Expected| run.judged.iter().any(|judged| judged.verdict.expected == expected);
    if !has(Expected::Release) || !has(Expected::Block) {
        hints.push("controls prove the gate itself: add rows with should_release true, and known-bad ones with false".into());
    }
    let gated =
        |name: &str| run.gating.gates.iter().any(|gate| gate.metric.name == name && gate.slice.is_none());
    let inadmissible = |judged: &&Judged| judged.verdict.should_release() && judged.verdict.reason.is_some();
    let inadmissible = run.judged.iter().filter(inadmissible).count();
    if inadmissible > 0 && !gated("admissible_evidence_path") {
        let cases = text::count(inadmissible as u64, "case");
        hints.push(format!("{cases} to release without an admissible path, and no gate asks for one: add admissible_evidence_path>=1"));
    }
    if !run.judged.is_empty() && !has(Expected::Production) {
        hints.push("every row is a control: nothing of production was looked at".into());
    }
    if run.cases.malformed > 0 {
        let rows = text::count(run.cases.malformed, "malformed row");
        hints.push(format!("{rows} skipped: what they touched is not known"));
    }
    let mut lines: Vec<u64> = run.cases.rows.iter().map(|row| row.digest).collect();
    lines.sort_unstable();
    let repeated = lines.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
    if repeated > 0 {
        let rows = text::count(repeated, "row");
        hints.push(format!("{rows} the same as another one, to the letter: repetition dilutes every rate"));
    }
    let warnings = run.gold.warnings_total;
    if let Some(first) = run.gold.warnings.first() {
        let place = format!("line {}: {}", first.line, first.message);
        hints.push(format!("{} about gold; the first on {place}", text::count(warnings, "warning")));
    }
    hints
}

/// The reasons of a row, each with what is at fault.
fn reasons<'r>(
    run: &'r Run<'_>,
    judged: &'r Judged,
) -> impl Iterator<Item = (&'static str, Option<String>)> + 'r {
    let at = |at: &Site| match at {
        Site::Nothing => None,
        Site::Chunk(id) => run.cases.chunks.get_index(*id as usize).map(ToString::to_string),
        Site::Name(name) => Some(name.to_string()),
    };
    judged.reasons.iter().map(move |(reason, fault)| (reason.name(), at(fault)))
}

/// How formats speak of the rows of traces.
pub(super) fn layout() -> Layout {
    use Place::{Csv, Md, Page};
    Layout {
        case: "case".into(),
        fault: None,
        worst: vec![Shown::Notes],
        columns: vec![
            Column::named("id", Kind::Text, &[Md]),
            Column::named("case_id", Kind::Text, &[Csv]),
            Column::named("released", Kind::Flag, &[Csv, Md, Page]),
            Column::named("should_release", Kind::Flag, &[Csv]),
            Column::new("should_release", "should release", Kind::Flag, &[Page]),
            Column::new("first_failed_stage", "stage", Kind::Word, &[Md]),
            Column::new("reasons", "reason", Kind::Reasons, &[Md, Page]),
            Column::new("reasons/0/reason", "reason", Kind::Text, &[Csv]),
            Column::new("reasons/0/at", "at", Kind::Text, &[Csv]),
            Column::named("trace", Kind::Text, &[Csv]),
            Column::named("trace_line", Kind::Count, &[Csv]),
        ],
    }
}

/// One entry a row.
pub(super) fn cases(run: &Run<'_>) -> Vec<report::Case> {
    let case = |&i: &usize| {
        let (row, judged) = (&run.cases.rows[i], &run.judged[i]);
        let case = &run.gold.cases[row.case as usize];
        let verdict = &judged.verdict;
        report::Case {
            id: row.id(&run.gold).to_owned(),
            label: verdict.label().name().into(),
            first_failed_stage: verdict.stage().name().into(),
            line: case.line,
            facts: Facts::known([
                ("case_id", json!(case.id)),
                ("released", json!(verdict.releases())),
                (
                    "should_release",
                    match verdict.expected {
                        Expected::Production => Value::Null,
                        expected => json!(expected == Expected::Release),
                    },
                ),
                (
                    "reasons",
                    reasons(run, judged).map(|(reason, at)| json!({ "reason": reason, "at": at })).collect(),
                ),
                ("trace", json!(run.trace_of(row.position.source))),
                ("trace_line", json!(row.line)),
            ]),
            view: None,
        }
    };
    let good = |&i: &usize| run.judged[i].verdict.correct();
    run.settings.common.cases(0..run.judged.len(), good, case, |&i| case_view(run, i))
}

/// The worst cases, with what was said where that may be shown.
pub(super) fn offenders(run: &Run<'_>) -> Vec<report::Offender> {
    let mut bad: Vec<usize> = (0..run.judged.len()).filter(|&i| !run.judged[i].verdict.correct()).collect();
    let key = |&i: &usize| {
        let verdict = &run.judged[i].verdict;
        (verdict.label(), verdict.stage(), verdict.reason, i)
    };
    bad.sort_unstable_by_key(key);
    bad.truncate(NAMED);
    bad.into_iter().map(|i| offender(run, i, notes(run, i))).collect()
}

pub(super) fn offender(run: &Run<'_>, i: usize, notes: Vec<String>) -> report::Offender {
    let (row, judged) = (&run.cases.rows[i], &run.judged[i]);
    let case = &run.gold.cases[row.case as usize];
    let (label, stage) = (judged.verdict.label(), judged.verdict.stage());
    report::Offender {
        id: row.id(&run.gold).to_owned(),
        label: label.name().into(),
        first_failed_stage: stage.name().into(),
        line: case.line,
        question: case.question.to_string(),
        gold_citations: case.required.iter().map(ToString::to_string).collect(),
        trace: run.trace_of(row.position.source),
        trace_line: Some(row.line),
        notes,
        next_step: match label {
            Label::Held => format!("look first at {}", stage.first_fix()),
            _ => label.next_step().into(),
        },
        ..report::Offender::default()
    }
}

/// Why the words of a case are left out.
pub(super) const UNSHOWN: &str = "its words are not shown: it touched or cites a chunk that its principal may not see, or that nobody knows (--show-text shows them)";

/// The reasons of a row in words, each with what is at fault.
pub(super) fn reasons_told(run: &Run<'_>, i: usize) -> Vec<String> {
    let (row, judged) = (&run.cases.rows[i], &run.judged[i]);
    let told = |((reason, fault), (name, at)): (&(Reason, Site), (&str, Option<String>))| {
        let at = at.map(|at| format!(": {at}")).unwrap_or_default();
        let versions = match (reason, fault) {
            (Reason::VersionMismatch, Site::Chunk(id)) => {
                let place = row.selected.iter().position(|selected| selected == id);
                let logged = place.and_then(|at| run.cases.words.get_index(*row.versions.get(at)? as usize));
                let stored = run.store.chunks[*id as usize].as_ref().map(|chunk| &chunk.version);
                logged
                    .zip(stored)
                    .map(|(logged, stored)| format!(" (the trace has {logged}, the store {stored})"))
            }
            _ => None,
        };
        format!("{name}{at}{}", versions.unwrap_or_default())
    };
    judged.reasons.iter().zip(reasons(run, judged)).map(told).collect()
}

/// What went wrong in a case, a line each.
fn notes(run: &Run<'_>, i: usize) -> Vec<String> {
    let (row, judged) = (&run.cases.rows[i], &run.judged[i]);
    let case = &run.gold.cases[row.case as usize];
    let mut notes = Vec::new();
    notes.extend(reasons_told(run, i).into_iter().take(NAMED));
    let more = judged.reasons.len().saturating_sub(NAMED);
    if more > 0 {
        notes.push(format!("… and {} more", text::count(more as u64, "reason")));
    }
    if let Some(id) = judged.cites_secret.and_then(|id| run.cases.chunks.get_index(id as usize)) {
        notes.push(format!("it cites {id}, which its principal may not see"));
    }
    if !run.may_show(judged) {
        notes.push(UNSHOWN.into());
        return notes;
    }
    let line = run.line_of(row);
    let Some(said) = line.as_deref().map(row::Row::read).filter(|said| said.wrong.is_empty()) else {
        notes.push("its words cannot be read again: the file is gone, has changed, or was a stream".into());
        return notes;
    };
    let unseen = |stage: usize| -> Vec<&str> {
        let seen = |id: &&str| said.path.stages[stage].iter().any(|seen| seen == id);
        case.required.iter().map(|id| &**id).filter(|id| !seen(id)).collect()
    };
    match judged.verdict.stage() {
        Stage::CandidateRetrieval => notes.push(format!("required, not retrieved: {}", unseen(0).join(", "))),
        Stage::ContextSelection => notes.push(format!("required, not selected: {}", unseen(3).join(", "))),
        Stage::AnswerCompleteness if row.claims.is_empty() => notes.push("the answer makes no claim".into()),
        Stage::AnswerCompleteness => {
            notes.push(format!("no supported claim makes: {}", run.uncovered(i).join(", ")))
        }
        Stage::AnswerFaithfulness | Stage::CitationSupport => {
            for (claim, said) in row.claims.iter().zip(&said.claims) {
                let phrases = claim.phrases(case);
                let says = |id: &u32| {
                    run.store.chunks[*id as usize]
                        .as_ref()
                        .is_some_and(|chunk| supports(phrases, &chunk.found))
                };
                let cites_well =
                    claim.citation.as_ref().is_some_and(|id| row.selected.contains(id) && says(id));
                let why = match (row.selected.iter().any(says), cites_well, phrases.is_empty()) {
                    (true, true, _) => continue,
                    (false, _, true) => "nobody named phrases for it".to_owned(),
                    (false, _, false) => "no selected chunk contains its phrases".to_owned(),
                    (true, false, _) => match &said.citation {
                        None => "it cites nothing".to_owned(),
                        Some(id) if claim.citation.is_none_or(|id| !row.selected.contains(&id)) => {
                            format!("it cites {id}, which was not selected")
                        }
                        Some(id) => format!("it cites {id}, which does not support it"),
                    },
                };
                notes.push(format!("{}: {why}", said.id.as_deref().unwrap_or("claim")));
                notes.extend(said.text.as_deref().map(|text| format!("\"{}\"", text::shorten(text, 400))));
            }
        }
        // Only with --show-text is a case of forbidden evidence told in its words.
        Stage::Admissibility if judged.is_secret() => {
            let words = said.claims.iter().filter_map(|claim| claim.text.as_deref());
            notes.extend(words.map(|words| format!("it says: \"{}\"", text::shorten(words, 400))));
        }
        Stage::Admissibility | Stage::Pass => {}
    }
    notes
}

impl Run<'_> {
    /// The name of a trace file.
    pub(super) fn trace_of(&self, source: u32) -> Option<String> {
        self.cases.inputs.get(source as usize).map(|input| input.path.clone())
    }

    /// Whether the words of a case may be shown.
    pub(super) fn may_show(&self, judged: &Judged) -> bool {
        self.settings.show_text || !judged.is_secret()
    }

    /// The line of a row, read again.
    pub(super) fn line_of(&self, row: &super::cases::Row) -> Option<String> {
        if let Some(kept) = &row.kept {
            return Some(kept.to_string());
        }
        let source = self.inputs.traces.get(row.position.source as usize)?;
        let line = source.text_at(row.position.offset)?;
        // Another line at the same place may be of a case whose words may not be shown.
        (digest(&line) == row.digest).then_some(line)
    }

    /// The required points that no supported claim of a case makes.
    pub(super) fn uncovered(&self, i: usize) -> Vec<&str> {
        let row = &self.cases.rows[i];
        let case = &self.gold.cases[row.case as usize];
        let covered = |point: usize| {
            row.claims.iter().filter(|claim| claim.point == Some(point as u32)).any(|claim| {
                row.selected.iter().any(|&id| {
                    self.store.chunks[id as usize]
                        .as_ref()
                        .is_some_and(|c| supports(claim.phrases(case), &c.found))
                })
            })
        };
        case.points.iter().enumerate().filter(|(i, _)| !covered(*i)).map(|(_, point)| &**point).collect()
    }
}
