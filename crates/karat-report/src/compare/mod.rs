//! COMPARE: what did a change do, could chance have done it, and may it ship?
//!
//! Two reports of the same suite, settings and gold are paired case by case. A proportion that counts the same cases on
//! both sides gets McNemar's exact test and Newcombe's interval; any other ratio or mean a paired permutation and a BCa
//! bootstrap over pairs; a quantile a paired permutation and a percentile bootstrap. Only additions, multiplications,
//! square roots and the pure-Rust `libm` are used, draws have fixed seeds, and so every machine prints the same digits.

mod change;
mod column;
pub mod comparison;
pub mod csv;
pub mod holm;
pub mod mcnemar;
pub mod md;
pub mod newcombe;
mod pair;
pub mod permutation;
mod policy;
pub mod project;
pub mod quantile;
pub mod text;

use indexmap::IndexSet;

use crate::formats::{Style, pretty};
use crate::gate::Op;
use crate::interval;
use crate::metrics::{self, Direction};
use crate::number::Decimal;
use crate::pipeline;
use crate::problem::{self, Failure, Problem};
use crate::report::{Decision, Gate, Outcome, Report};
use crate::text as words;
use change::PairedFigure;
use column::Column;
pub use comparison::Comparison;
use comparison::{Change, Settings, Side};
use pair::Pairs;
pub use policy::Allowed;
pub use project::{Project, project};

/// A format of a comparison, declared.
pub struct Format {
    /// The name that users type.
    pub name: &'static str,
    /// The ending of a file name that picks it.
    pub ending: &'static str,
    /// Writes a comparison.
    pub render: fn(&Comparison, &Style) -> String,
    /// Writes that of two checks.
    pub project: fn(&Project, &Style) -> String,
}

/// Every format of a comparison.
pub const FORMATS: &[Format] = &[
    Format { name: "text", ending: ".txt", render: text::render, project: Project::text },
    Format {
        name: "md",
        ending: ".md",
        render: |comparison, _| md::render(comparison),
        project: |project, _| project.md(),
    },
    Format {
        name: "json",
        ending: ".json",
        render: |comparison, _| pretty(comparison),
        project: |project, _| pretty(project),
    },
    Format {
        name: "csv",
        ending: ".csv",
        render: |comparison, _| csv::render(comparison),
        project: |project, _| csv::suites(&project.suites),
    },
];

/// What may change, and how much.
#[derive(Clone, Debug)]
pub struct Policy {
    /// How far figures may fall, by the names that users type; other ones by their kind.
    pub allow: Vec<(String, Allowed)>,
    /// A fall must also be significant to fail.
    pub require_significant: bool,
    /// Significant is a Holm-corrected p-value of at most this.
    pub alpha: Decimal,
    /// Different gold is no reason to refuse.
    pub allow_gold_change: bool,
    /// Whether the new report's own gates count.
    pub gates: Gates,
    /// How many threads; 0 for as many as the machine has.
    pub threads: usize,
}

/// Whether the new report's own gates count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gates {
    /// What does not pass its own gates does not ship.
    #[default]
    Count,
    /// The change alone is judged.
    Ignore,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            allow: Vec::new(),
            require_significant: false,
            alpha: Decimal::parse("0.05").unwrap_or(Decimal::ZERO),
            allow_gold_change: false,
            gates: Gates::default(),
            threads: 0,
        }
    }
}

/// Compares two reports, each with the name that messages call it by.
pub fn compare(
    (base_name, base): (&str, &Report),
    (new_name, new): (&str, &Report),
    policy: &Policy,
) -> Result<Comparison, Failure> {
    let gold_changed = gold(base) != gold(new);
    let sides = [(base_name, base), (new_name, new)];
    let mut problems = differences(base, (new_name, new));
    problems.extend(sides.into_iter().filter_map(|(name, report)| unlisted(name, report)));
    problems.extend(sides.into_iter().filter_map(|(name, report)| edited(name, report)));
    if gold_changed && !policy.allow_gold_change {
        problems.push(different_gold((base_name, base), (new_name, new)));
    }
    let allowed = allowances(policy, base, new).unwrap_or_else(|wrong| {
        problems.extend(wrong);
        Vec::new()
    });
    if !problems.is_empty() {
        return Err(Failure::new(problems));
    }
    let pairs = Pairs::new(&base.cases, &new.cases);
    let threads = pipeline::threads(policy.threads);
    let gates = new.gates.iter().chain(&base.gates).filter(|gate| gate.slice.is_none());
    let gated: IndexSet<&str> = gates.map(|gate| gate.metric.as_str()).collect();
    let judged: IndexSet<&str> =
        gated.iter().copied().chain(allowed.iter().map(|(name, _)| name.as_str())).collect();
    let others = new.metrics.keys().chain(base.metrics.keys()).map(String::as_str);
    // With no gate at all, every rate is judged: nothing is not success.
    let nothing_gated = judged.is_empty();
    let names: IndexSet<&str> = judged.iter().copied().chain(others).collect();
    let declared = |name: &str| new.profile.metric(name);
    let examine = |name: &str| {
        let metric = declared(name);
        let direction = metric.map(|metric| metric.direction).or_else(|| of_gate(name, new));
        let mut figure = change::examine(name, metric, (base, new), &pairs, direction, threads);
        figure.change.gated = gated.contains(name);
        figure
    };
    let mut figures: Vec<PairedFigure> = names.into_iter().map(examine).collect();
    let is_judged =
        |change: &Change| judged.contains(change.metric.as_str()) || (nothing_gated && change.p.is_some());
    correct(&mut figures, is_judged);
    let alpha = policy.require_significant.then(|| policy.alpha.to_f64());
    let judge = |figure: PairedFigure| {
        let name = &figure.change.metric;
        if !is_judged(&figure.change) {
            return figure.change;
        }
        let typed = allowed.iter().find(|(allowed, _)| allowed == name).map(|(_, allowed)| *allowed);
        let allowed = typed.unwrap_or_else(|| Allowed::by_default(declared(name)));
        figure.judge(allowed, alpha)
    };
    let metrics: Vec<Change> = figures.into_iter().map(judge).collect();
    let (flips, cases) = pair::flips(base, new, &pairs);
    let (verdict, reasons) = decide(&metrics, (base, new), policy, &pairs);
    let ids = |report: &Report, places: &[usize]| -> Vec<String> {
        places.iter().map(|&place| report.cases[place].id.clone()).collect()
    };
    Ok(Comparison {
        schema: comparison::SCHEMA.into(),
        karat: env!("CARGO_PKG_VERSION").into(),
        suite: new.suite.clone(),
        name: None,
        pass: verdict == Decision::Ship,
        verdict,
        reasons,
        settings: Settings {
            alpha: policy.alpha.to_f64(),
            require_significant: policy.require_significant,
            gates: policy.gates == Gates::Count,
            draws: permutation::DRAWS,
            resamples: interval::RESAMPLES as u64,
            seed: interval::SEED,
        },
        base: side(base_name, base),
        new: side(new_name, new),
        gold_changed,
        cases,
        metrics,
        flips,
        only_base: ids(base, &pairs.only_base),
        only_new: ids(new, &pairs.only_new),
    })
}

/// Holm's correction over the figures that are judged and have a test.
fn correct(figures: &mut [PairedFigure], judged: impl Fn(&Change) -> bool) {
    let mut tested: Vec<&mut Change> =
        figures.iter_mut().map(|figure| &mut figure.change).filter(|change| judged(change)).collect();
    tested.retain(|change| change.p.is_some());
    let values: Vec<f64> = tested.iter().filter_map(|change| change.p).collect();
    tested.into_iter().zip(holm::holm(&values)).for_each(|(change, p)| change.p_holm = Some(p));
}

/// Ship or not, and why.
fn decide(
    metrics: &[Change],
    (base, new): (&Report, &Report),
    policy: &Policy,
    pairs: &Pairs,
) -> (Decision, Vec<String>) {
    let of = |outcome: Outcome| metrics.iter().filter(move |change| change.outcome == outcome);
    let [failed, unsure, passed] =
        [Outcome::Fail, Outcome::Inconclusive, Outcome::Pass].map(|outcome| of(outcome).count());
    let judged = failed + unsure + passed;
    let figures = words::count(judged as u64, "figure");
    let names =
        |outcome: Outcome| of(outcome).map(|change| change.metric.as_str()).collect::<Vec<_>>().join(", ");
    let mut reasons = Vec::new();
    let apart = pairs.both.is_empty() && !pairs.complete();
    if failed > 0 {
        let fall = match (failed, of(Outcome::Fail).any(|change| change.delta.is_none())) {
            (_, true) => "cannot be compared, or fall",
            (1, false) => "falls",
            _ => "fall",
        };
        reasons.push(format!("{failed} of {figures} {fall} further than allowed: {}", names(Outcome::Fail)));
    }
    if unsure > 0 {
        reasons.push(format!("{unsure} of {figures} cannot be judged: {}", names(Outcome::Inconclusive)));
    }
    let gates = if policy.gates == Gates::Count { new.decision() } else { Decision::Ship };
    if gates != Decision::Ship {
        let failing: Vec<&str> =
            new.gates.iter().filter(|gate| gate.blocks()).map(|gate| gate.text.as_str()).collect();
        let of = if failing.is_empty() { String::new() } else { format!(": {}", failing.join(", ")) };
        reasons.push(format!("the new side does not pass its own gates{of}"));
    }
    if judged == 0 {
        reasons.push("no figure could be judged".into());
    }
    if apart {
        reasons.push("the two have no case in common".into());
    }
    // Without its own gates nobody else would ask whether the new side was measured at all.
    let counts = ["missing", "missing_runs", "errored"].map(|name| (name, new.counts.get(name).copied()));
    let lacking = counts.into_iter().filter(|(_, n)| policy.gates == Gates::Ignore && *n > Some(0));
    let lacking: Vec<String> = lacking.map(|(name, n)| format!("{name} {}", n.unwrap_or(0))).collect();
    let unmeasured = !lacking.is_empty();
    if unmeasured {
        reasons.push(format!("the new side lacks data: {}", lacking.join(", ")));
    }
    // A case that is left out of every figure falls nowhere: that it had a trace before is what counts.
    let lost =
        |(before, now): &&(usize, usize)| !base.cases[*before].is_skipped() && new.cases[*now].is_skipped();
    let lost: Vec<&str> =
        pairs.both.iter().filter(lost).map(|(_, now)| new.cases[*now].id.as_str()).collect();
    if !lost.is_empty() {
        let cases = words::count(lost.len() as u64, "case");
        let have = if lost.len() == 1 { "has" } else { "have" };
        let ids = words::first_few(&lost, 5, ", ");
        reasons.push(format!("{cases} that had a trace {have} none: {ids}"));
    }
    let verdict = if failed > 0 || gates == Decision::NoShip || !lost.is_empty() {
        Decision::NoShip
    } else if unsure > 0 || gates == Decision::Inconclusive || judged == 0 || apart || unmeasured {
        Decision::Inconclusive
    } else {
        let excused = of(Outcome::Pass).filter(|change| change.reason.is_some());
        let excused: Vec<&str> = excused.map(|change| change.metric.as_str()).collect();
        reasons.push(match excused.len() {
            0 => format!("none of {figures} falls further than allowed"),
            n => format!(
                "{n} of {figures} fall further than allowed, and chance could have done it: {}",
                excused.join(", ")
            ),
        });
        Decision::Ship
    };
    (verdict, reasons)
}

/// Which way a gate thinks is better.
fn of_gate(name: &str, report: &Report) -> Option<Direction> {
    let gate = report.gates.iter().find(|gate| gate.metric == name)?;
    match gate.op.as_str() {
        ">=" | ">" => Some(Direction::HigherIsBetter),
        "<=" | "<" => Some(Direction::LowerIsBetter),
        _ => None,
    }
}

fn side(name: &str, report: &Report) -> Side {
    let judged = |gate: &&Gate| gate.outcome != Outcome::NotJudged;
    Side {
        path: name.to_owned(),
        verdict: report.verdict,
        failed: report.gates.iter().filter(|gate| gate.pass == Some(false)).count() as u64,
        judged: report.gates.iter().filter(judged).count() as u64,
        inputs: report.inputs.clone(),
    }
}

/// The fingerprints of gold, whatever the files are called.
fn gold(report: &Report) -> Vec<String> {
    let inputs = report.inputs.iter().filter(|input| input.role == "gold");
    let mut prints: Vec<String> = inputs.map(crate::report::Input::fingerprint).collect();
    prints.sort_unstable();
    prints
}

fn different_gold((base_name, base): (&str, &Report), (new_name, new): (&str, &Report)) -> Problem {
    let told = |report: &Report| {
        let short: Vec<String> =
            gold(report).iter().map(|print| words::shorten(print, 20).into_owned()).collect();
        if short.is_empty() { "no gold".to_owned() } else { short.join(" ") }
    };
    let message = format!("it was scored against {}, and {base_name} against {}", told(new), told(base));
    Problem::of_file(&problem::COMPARE_GOLD, new_name, message)
}

/// In what two reports differ that must be the same.
fn differences(base: &Report, (new_name, new): (&str, &Report)) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut note = |what: &str, is: String, was: String| {
        let message =
            format!("its {what} is {}, that of the base {}", words::visible(&is), words::visible(&was));
        found.push(Problem::of_file(&problem::COMPARE_DIFFERENT, new_name, message));
    };
    if base.suite != new.suite {
        note("suite", new.suite.clone(), base.suite.clone());
        return found; // then nothing else is alike either
    }
    if base.karat != new.karat {
        note("version of karat", new.karat.clone(), base.karat.clone());
    }
    // What is shown beside the figures shapes none of them.
    let shapes = |name: &&String| *name != "slices";
    let names: IndexSet<&String> =
        base.settings.options.keys().chain(new.settings.options.keys()).filter(shapes).collect();
    for name in names {
        let (was, is) = (base.settings.options.get(name), new.settings.options.get(name));
        if was != is {
            let [is, was] = [is, was].map(|value| value.map_or("not set".to_owned(), ToString::to_string));
            note(&format!("setting `{}`", words::visible(name)), is, was);
        }
    }
    found
}

/// A report that does not list all of its cases cannot be paired.
fn unlisted(name: &str, report: &Report) -> Option<Problem> {
    let counted: u64 = report.labels.values().sum();
    let listed = report.cases.iter().filter(|case| !case.is_skipped()).count() as u64;
    let message = match (listed, counted) {
        // Times that were measured elsewhere are of no case.
        (0, 0) if report.curve().is_some() => return None,
        _ if report.cases.is_empty() => "it lists no case".to_owned(),
        (listed, counted) if listed < counted => {
            format!("it lists {listed} of {}", words::count(counted, "case"))
        }
        _ => return None,
    };
    Some(Problem::of_file(&problem::COMPARE_CASES, name, message))
}

/// A report whose figures are not what its cases come to, or whose verdict is not what its gates say: somebody has written
/// in it, or cut it.
fn edited(name: &str, report: &Report) -> Option<Problem> {
    let wrong = |message: String| Some(Problem::of_file(&problem::REPORT_INVALID, name, message));
    for (metric, text) in &report.observed {
        let declared = report.profile.metric(metric);
        let quantile =
            declared.is_some_and(|declared| matches!(declared.fold, metrics::Fold::Quantile { .. }));
        let value = report.metrics.get(metric).and_then(|figure| figure.value).filter(|_| !quantile);
        let sum = || Column::parse(text, report.cases.len()).and_then(|column| column.ratio());
        let Some((value, sum)) = value.and_then(|value| Some((value, sum()?))) else { continue };
        // Sums of doubles are shown to four places, and agree to many more.
        if (sum - value).abs() > 1e-6 {
            return wrong(format!("its {} is {value}, and its cases come to {sum}", words::visible(metric)));
        }
    }
    for gate in report.gates.iter().filter(|gate| gate.outcome == Outcome::Pass && !gate.confident) {
        let figure = || report.metrics.get(&gate.metric).and_then(|figure| figure.value);
        let count = || report.counts.get(&gate.metric).map(|n| *n as f64);
        let known = figure().or_else(count).filter(|_| gate.slice.is_none());
        let Some(op) = Op::of(&gate.op) else { continue };
        let holds = |value: f64| value.partial_cmp(&gate.threshold).is_some_and(|order| op.holds(order));
        // Doubles may lie a hair beside what was exact.
        let near = |value: f64| (value - gate.threshold).abs() < 1e-9 || holds(value);
        if gate.value.into_iter().chain(known).any(|value| !near(value)) {
            return wrong(format!(
                "its gate {} is said to pass, and its figure does not",
                words::visible(&gate.text)
            ));
        }
    }
    let stuck = report.gates.iter().find(|gate| gate.pass == Some(false)).filter(|_| report.pass);
    if let Some(gate) = stuck {
        return wrong(format!("it passes, and its gate {} does not", words::visible(&gate.text)));
    }
    let ships = report.verdict == Decision::Ship;
    if ships != report.pass || ships && pipeline::overall(&report.gates) != Decision::Ship {
        let says = report.verdict.name();
        return wrong(format!("its verdict is {says}, which does not follow from its gates and `pass`"));
    }
    let contradicts = |gate: &&Gate| gate.pass != gate.outcome.pass();
    let gate = report.gates.iter().find(contradicts)?;
    wrong(format!("the outcome of its gate {} contradicts itself", words::visible(&gate.text)))
}

/// Refuses a report whose verdict, gates, figures and cases do not agree: somebody has written in it.
pub fn sound(name: &str, report: &Report) -> Result<(), Failure> {
    edited(name, report).map_or(Ok(()), |problem| Err(problem.into()))
}

/// How far named figures may fall, by the names that the reports have.
fn allowances(policy: &Policy, base: &Report, new: &Report) -> Result<Vec<(String, Allowed)>, Vec<Problem>> {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    let known = || new.metrics.keys().chain(new.counts.keys()).chain(base.metrics.keys()).map(String::as_str);
    for (typed, allowed) in &policy.allow {
        let k = new.settings.k().and_then(|k| u32::try_from(k).ok()).unwrap_or(5);
        let spelt = metrics::find(typed, &new.profile.metrics, k).map(|(metric, k)| metric.at(k));
        match known().find(|name| name == typed || Some(*name) == spelt.as_deref()) {
            Some(name) => found.push((name.to_owned(), *allowed)),
            None => {
                let message = format!("neither report has a figure called `{}`", words::visible(typed));
                let mut problem = Problem::of_file(&problem::COMPARE_ALLOW, "--allow", message);
                let near = words::nearest(typed, known());
                if !near.is_empty() {
                    problem.expected = format!("did you mean {}?", near.join(" or "));
                }
                wrong.push(problem);
            }
        }
    }
    if wrong.is_empty() { Ok(found) } else { Err(wrong) }
}
