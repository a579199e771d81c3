//! The words and rows of a report: figures by type, findings, cases, the worst questions.

use std::cmp::Ordering;
use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::aggregate::{CaseResult, Conflict};
use super::input::log::{Key, Words};
use super::metrics as all;
use super::{Scored, Side, Subject};
use crate::group::Groups;
use crate::metrics::{Fold, Observation};
use crate::number;
use crate::report::{
    self, Baseline, Body, Column, Delta, Kind, Layout, Lines, Place, Section, Series, Shown, Table,
};
use crate::report::{counts_and_metrics, figure_of};
use crate::score::Score;
use crate::suites::retrieval::judge::content;
use crate::suites::retrieval::judge::delta_s::{self, LIMIT, Zone};
use crate::suites::retrieval::judge::{self, Answer, Params, Sides, Verdict};
use crate::suites::retrieval::labels::{Label, Stage};
use crate::suites::retrieval::model::Question;
use crate::tally::Figure;

/// What was found about one index, beside the figures.
#[derive(Clone, Default)]
pub(super) struct Findings<'a> {
    /// P@k over retrieved items of a type of content, R@k over relevant ids of it; types that do not occur are left out.
    pub(super) by_type: IndexMap<String, ByType>,
    /// Questions that no run covers, or with a cited ΔS above 0.60.
    bad_qids: Vec<String>,
    /// Groups of runs whose logged λ is not what they show, each with its question.
    pub(super) lambda_conflicts: Vec<(&'a str, &'a Conflict)>,
    /// How often an id whose section is not known was returned or cited, of questions that have an anchor.
    pub(super) unknown_total: u64,
    /// The first of these ids in alphabetical order.
    pub(super) unknown_ids: Vec<String>,
    /// Where ΔS comes from: logged, computed or mixed; `None` where no run has one.
    pub(super) ds_source: Option<&'static str>,
    /// How many answered runs cite first a snippet in each zone of ΔS.
    ds_zones: IndexMap<String, u64>,
    /// The answered runs that cite first a snippet with ΔS above 0.45: question, ΔS, file and line.
    ds_over_limit: Vec<Vec<Value>>,
    /// How many answered runs are each number of steps from the anchor section.
    anchor_histogram: IndexMap<String, u64>,
    /// The index that was asked, where the traces name it.
    index_hash: Option<String>,
}

/// The figures of one type of content.
#[derive(Clone, Debug, Default)]
pub(super) struct ByType {
    /// Its figures.
    pub(super) metrics: IndexMap<String, report::Figure>,
    /// How much larger they are than the baseline's.
    pub(super) delta: IndexMap<String, Delta>,
}

/// What was found about one index beside the figures.
pub(super) fn findings<'a>(
    run: &'a Scored<'_>,
    side: &'a Side,
    groups: &Groups<Sides>,
    which: judge::Side,
) -> Findings<'a> {
    if run.of == Subject::Rankings {
        return Findings::default();
    }
    let answers = || side.results.iter().flat_map(|result| result.runs.answers());
    let both = || run.questions.iter().zip(&side.results);
    let bad = both().filter(|(_, result)| result.runs.bad());
    let conflicts = both()
        .flat_map(|(question, result)| result.conflicts.iter().map(|conflict| (&*question.id, conflict)));
    let zones = Zone::ALL.map(|zone| {
        (zone.name().to_owned(), answers().filter(|answer| answer.delta_s.zone() == zone).count() as u64)
    });
    let mut anchor_histogram: IndexMap<String, u64> =
        ["0", "1", "2", "3", "4+"].map(|steps| (steps.to_owned(), 0)).into();
    for steps in answers().filter_map(|answer| answer.steps) {
        anchor_histogram[steps.min(4) as usize] += 1;
    }
    Findings {
        by_type: by_type(run, groups, which),
        bad_qids: bad.map(|(question, _)| question.id.to_string()).collect(),
        lambda_conflicts: conflicts.collect(),
        unknown_total: side.log.unknown.total,
        unknown_ids: side.log.unknown.ids.iter().map(ToString::to_string).collect(),
        ds_source: source(&side.results),
        ds_zones: IndexMap::from(zones),
        ds_over_limit: far(&run.questions, side),
        anchor_histogram,
        index_hash: side.log.index_hash.clone(),
    }
}

impl Findings<'_> {
    /// What is shown of them, and what scripts read.
    pub(super) fn sections(self) -> Vec<Section> {
        let rows = |columns: [(&str, Kind); 4], rows: Vec<Vec<Value>>| {
            let columns = columns.map(|(key, kind)| Column::named(key, kind, &[])).into();
            Body::Table(Table { columns, rows, bars: false })
        };
        let conflict = |(qid, c): &(&str, &Conflict)| {
            vec![json!(qid), json!(c.seed), json!(c.logged()), json!(c.derived.name())]
        };
        let conflicts = rows(
            [("qid", Kind::Text), ("seed", Kind::Count), ("logged", Kind::Text), ("derived", Kind::Text)],
            self.lambda_conflicts.iter().map(conflict).collect(),
        );
        let types = Body::Table(self.types());
        let far = rows(
            [("qid", Kind::Text), ("ds", Kind::Number), ("trace", Kind::Text), ("trace_line", Kind::Count)],
            self.ds_over_limit,
        );
        let unknown = IndexMap::from([("total".to_owned(), self.unknown_total)]);
        let lines = |lines: Vec<String>| Body::Text { lines };
        let counts = |counts: IndexMap<String, u64>| Body::Histogram { counts };
        let data = [
            ("bad_qids", "Questions that no run covers, or with a cited ΔS above 0.60", lines(self.bad_qids)),
            ("lambda_conflicts", "Groups of runs whose logged λ is not what they show", conflicts),
            (
                "unknown_sections",
                "How often an id whose section is not known was returned or cited",
                counts(unknown),
            ),
            ("unknown_ids", "The first ids whose section is not known", lines(self.unknown_ids)),
            (
                "ds_source",
                "Where ΔS comes from: logged, computed or mixed",
                lines(self.ds_source.map(str::to_owned).into_iter().collect()),
            ),
            ("ds_zones", "Answered runs by the zone of ΔS of what they cite first", counts(self.ds_zones)),
            ("far_runs", "Answered runs that cite first a snippet with ΔS above 0.45", far),
            (
                "anchor_histogram",
                "Answered runs by steps from the anchor section",
                counts(self.anchor_histogram),
            ),
            ("index_hash", "The index that was asked", lines(self.index_hash.into_iter().collect())),
        ];
        let types = Section::new("by_type", "By type of content", types);
        std::iter::once(types).chain(data.map(|(key, title, body)| Section::data(key, title, body))).collect()
    }

    /// Precision and recall of each type of content; people see those at the cut-off that they look at, beside the baseline's.
    fn types(&self) -> Table {
        use Place::{Flat, Page, Text};
        let mut columns = vec![Column::named("type", Kind::Text, &[Text, Page])];
        let compared = self.by_type.values().any(|of_type| !of_type.delta.is_empty());
        let names: Vec<&String> =
            self.by_type.first().into_iter().flat_map(|(_, first)| first.metrics.keys()).collect();
        let cuts: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("R@")).collect();
        let cut = cuts.iter().find(|cut| **cut == "5").or(cuts.last()).copied().unwrap_or_default();
        for name in &names {
            let seen = **name == format!("P@{cut}") || **name == format!("R@{cut}");
            columns.push(Column::named(name, Kind::Number, if seen { &[Text, Page, Flat] } else { &[Flat] }));
            if compared {
                let on: &[Place] = if seen { &[Text, Page] } else { &[] };
                columns.push(Column::new(format!("{name} delta"), "Δ", Kind::Delta, on));
            }
        }
        let row = |(kind, of_type): (&String, &ByType)| {
            let cells = names.iter().flat_map(|name| {
                let delta = compared.then(|| json!(of_type.delta.get(*name)));
                std::iter::once(json!(of_type.metrics.get(*name))).chain(delta)
            });
            std::iter::once(json!(kind)).chain(cells).collect()
        };
        Table { columns, rows: self.by_type.iter().map(row).collect(), bars: true }
    }
}

/// How figures that are reported at two cut-offs or more change with it.
pub(super) fn cut_offs(now: &IndexMap<String, report::Figure>, before: Option<&Baseline>) -> Section {
    let mut series: Vec<Series> = Vec::new();
    for (name, figure) in now {
        let Some((stem, k)) = name.rsplit_once('@') else { continue };
        let (Ok(k), Some(value)) = (k.parse(), figure.value) else { continue };
        let was = before.and_then(|before| before.metrics.get(name)?.value).map(|was| (k, was));
        let at = series.iter().position(|line| line.name == stem).unwrap_or_else(|| {
            series.push(Series { name: stem.to_owned(), ..Series::default() });
            series.len() - 1
        });
        series[at].points.push((k, value));
        series[at].baseline.extend(was);
    }
    series.retain(|line| line.points.len() > 1);
    for line in &mut series {
        line.points.sort_by_key(|(k, _)| *k);
        line.baseline.sort_by_key(|(k, _)| *k);
    }
    Section::new("cut_offs", "By cut-off", Body::Lines(Lines { by: "k".into(), series }))
}

/// How formats speak of questions to an index.
pub(super) fn layout(run: &Scored<'_>) -> Layout {
    use Place::{Csv, Drawer, Md, Page};
    let mut columns = vec![
        Column::new("id", "qid", Kind::Text, &[Md]),
        Column::named("runs", Kind::Count, &[Csv, Md, Page]),
        Column::new("first_failed_stage", "stage", Kind::Word, &[Md]),
        Column::new("figures/coverage", "coverage", Kind::Number, &[Md]),
    ];
    let means = run.figures.iter().filter(|figure| figure.metric.fold == Fold::Mean);
    columns.extend(means.map(|figure| {
        let shown = run.settings.common.profile.slices.iter().any(|(name, _)| *name == figure.name);
        let on: &[Place] = if shown { &[Csv, Page] } else { &[Csv, Drawer] };
        Column::new(format!("figures/{}", figure.name), figure.name.clone(), Kind::Number, on)
    }));
    Layout { case: "question".into(), fault: None, worst: vec![Shown::Notes, Shown::Citations], columns }
}

/// P@k and R@k of each type of content that occurs.
fn by_type(run: &Scored<'_>, groups: &Groups<Sides>, side: judge::Side) -> IndexMap<String, ByType> {
    let metrics = [&all::p_at_k::METRIC, &all::r_at_k::METRIC];
    let cuts = || {
        metrics.iter().flat_map(|metric| run.settings.cuts_of(metric).into_iter().map(move |k| (*metric, k)))
    };
    let of = |kind: content::Kind| -> Option<(String, ByType)> {
        let params =
            Params { kind: Some(kind), precision: run.settings.precision, side, ..Params::default() };
        let figures: Vec<Figure<Sides>> = cuts()
            .map(|(metric, k)| Figure { metric: *metric, params: Params { k, ..params }, name: metric.at(k) })
            .collect();
        let scores = groups.all.scores(&figures, &HashMap::new());
        let compared = run.baseline.is_some() && side == judge::Side::New;
        let deltas = if compared { groups.all.deltas(&figures) } else { Vec::new() };
        let named = figures.iter().map(|figure| figure.name.clone());
        let metrics = figures
            .iter()
            .zip(&scores)
            .map(|(figure, score)| (figure.name.clone(), figure_of(&figure.metric, score)));
        let occurs = scores.iter().any(|score| score.value.is_some());
        occurs.then(|| {
            let delta = named.zip(deltas.iter().map(delta_of)).collect();
            (kind.name().to_owned(), ByType { metrics: metrics.collect(), delta })
        })
    };
    content::Kind::ALL.into_iter().filter_map(of).collect()
}

fn delta_of(score: &Score) -> Delta {
    Delta { value: score.value.map(number::Value::to_f64), ci95: score.ci95 }
}

/// Where ΔS comes from.
fn source(results: &[CaseResult]) -> Option<&'static str> {
    let verdicts = || results.iter().flat_map(|result| &result.runs.verdicts);
    let any = |source| verdicts().any(|verdict| verdict.source == Some(source));
    match (any(delta_s::Source::Logged), any(delta_s::Source::Computed)) {
        (true, true) => Some("mixed"),
        (true, false) => Some("logged"),
        (false, true) => Some("computed"),
        (false, false) => None,
    }
}

/// The answered runs whose cited snippet is too far from the question.
fn far(questions: &[Question], side: &Side) -> Vec<Vec<Value>> {
    let runs = questions.iter().zip(&side.log.runs);
    let runs = runs.flat_map(|(question, runs)| runs.iter().map(move |(_, run)| (&question.id, run)));
    let far = runs.filter_map(|(qid, run)| {
        let ds = run.verdict.answer?.delta_s.get();
        let input = side.log.inputs.get(run.position.source as usize);
        let trace = input.map(|input| input.path.as_str()).unwrap_or_default();
        (ds > LIMIT).then(|| vec![json!(qid), json!(ds), json!(trace), json!(run.line)])
    });
    far.collect()
}

/// The baseline's figures, and how much larger the new ones are.
pub(super) fn comparison(
    run: &Scored<'_>,
    groups: &Groups<Sides>,
) -> Option<(Baseline, IndexMap<String, Delta>)> {
    let side = run.baseline.as_ref()?;
    let figures: Vec<Figure<Sides>> =
        run.figures.iter().filter(|figure| figure.metric.fold != Fold::Difference).cloned().collect();
    let before: Vec<Figure<Sides>> = figures.iter().map(Figure::of_baseline).collect();
    let mut given = side.counts();
    given.insert("missing", side.missing());
    let (counts, metrics) = counts_and_metrics(&before, &groups.all.scores(&before, &given));
    let deltas = groups.all.deltas(&figures);
    let named = figures.iter().zip(&deltas).filter(|(figure, _)| !figure.metric.among_counts);
    let delta = named.map(|(figure, score)| (figure.name.clone(), delta_of(score))).collect();
    let sections = findings(run, side, groups, judge::Side::Baseline).sections();
    Some((Baseline { counts, metrics, sections }, delta))
}

/// The cases, in gold's order, each with its own figures.
pub(super) fn cases(run: &Scored<'_>) -> Vec<report::Case> {
    let means: Vec<&Figure<Sides>> =
        run.figures.iter().filter(|figure| figure.metric.fold == Fold::Mean).collect();
    let case = |&i: &usize| {
        let (question, result) = (&run.questions[i], &run.new.results[i]);
        let sides = Sides { new: result.runs.clone(), baseline: None };
        let value = |figure: &&Figure<Sides>| {
            let observed = figure.measure(&sides);
            (figure.name.clone(), json!(observed.map(|o| o.num as f64 / Observation::UNIT as f64)))
        };
        report::Case {
            id: question.id.to_string(),
            label: result.label.name().into(),
            first_failed_stage: result.stage.name().into(),
            line: question.line,
            facts: report::Facts::known([
                ("runs", json!(result.runs.count())),
                ("figures", means.iter().map(value).collect()),
            ]),
            view: None,
        }
    };
    let view = |&i: &usize| report::CaseView {
        summary: offender(run, i),
        steps: steps(&run.new.results[i]),
        ..report::CaseView::default()
    };
    let good = |&i: &usize| run.new.results[i].label.is_good();
    run.settings.common.cases(0..run.questions.len(), good, case, view)
}

/// The stages up to the one that broke.
fn steps(result: &CaseResult) -> Vec<report::Step> {
    let step = |stage: Stage| match stage.cmp(&result.stage) {
        Ordering::Less => report::Step::new(stage.name(), Some(true), "holds"),
        Ordering::Equal => report::Step::new(stage.name(), Some(false), stage.meaning()),
        Ordering::Greater => report::Step::new(stage.name(), None, "not reached"),
    };
    Stage::ALL.into_iter().filter(|stage| *stage != Stage::Pass).map(step).collect()
}

/// The worst questions, each by its worst run.
pub(super) fn offenders(run: &Scored<'_>) -> Vec<report::Offender> {
    const WORST: usize = 10;
    let mut bad: Vec<usize> =
        (0..run.questions.len()).filter(|&i| !run.new.results[i].label.is_good()).collect();
    bad.sort_by_key(|&i| (run.new.results[i].label, &run.questions[i].id));
    bad.truncate(WORST);
    bad.into_iter().map(|i| offender(run, i)).collect()
}

fn offender(run: &Scored<'_>, number: usize) -> report::Offender {
    let (question, result) = (&run.questions[number], &run.new.results[number]);
    let log = &run.new.log;
    let worst =
        log.runs.get(number).and_then(|runs| runs.iter().max_by_key(|(_, run)| how_bad(&run.verdict)));
    let mut offender = report::Offender {
        id: question.id.to_string(),
        label: result.label.name().into(),
        first_failed_stage: result.stage.name().into(),
        line: question.line,
        question: question.paraphrases.first().map(ToString::to_string).unwrap_or_default(),
        gold_citations: question.relevant.iter().map(|block| block.id.to_string()).collect(),
        next_step: result.label.next_step(result.stage).into(),
        ..report::Offender::default()
    };
    let Some((key, shown)) = worst else { return offender };
    let source = run.new.sources.get(shown.position.source as usize);
    let again = || source.and_then(|source| Words::again(source, shown.position, &question.id));
    let words = shown.words.as_deref().cloned().or_else(again);
    offender.trace = log.inputs.get(shown.position.source as usize).map(|input| input.path.clone());
    offender.trace_line = Some(shown.line);
    offender.notes = notes(result, key, &shown.verdict, words.is_some());
    let words = words.unwrap_or_default();
    offender.question = words.query.unwrap_or(offender.question);
    (offender.retrieved, offender.cited) = (words.retrieved, words.cited);
    offender
}

/// The larger, the worse; of equally bad runs the last is shown.
fn how_bad(verdict: &Verdict) -> (bool, bool, bool, u64) {
    let answer = verdict.answer;
    (
        !answer.is_some_and(|answer| answer.covers),
        answer.is_some_and(|answer| answer.delta_s.get() > delta_s::RISK),
        !answer.is_some_and(|answer| answer.accurate),
        answer.map_or(0, |answer| answer.delta_s.get().to_bits()), // the bits of numbers above 0 are in their order
    )
}

/// What one has to know of a run beside its ids.
fn notes(result: &CaseResult, key: &Key, verdict: &Verdict, readable: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let runs = result.runs.count();
    if runs > 1 {
        notes.push(format!("the worst of {runs} runs: {}", key.named()));
    }
    if !readable {
        notes.push("its words cannot be read again: the file is gone, has changed, or was a stream".into());
    }
    if let Some(Answer { accurate, delta_s, steps, .. }) = verdict.answer {
        if delta_s.get() > LIMIT {
            notes.push(format!("ΔS of the first citation {:.4}", delta_s.get()));
        }
        if !accurate && result.label == Label::Miscited {
            notes.push("the first citation is not a relevant block, or lies outside its bytes".into());
        }
        if let Some(steps) = steps.filter(|&steps| steps > 0) {
            notes.push(format!("cited {} from the anchor section", crate::text::count(steps.into(), "step")));
        }
    }
    notes
}
