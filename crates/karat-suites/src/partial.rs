//! How do the parts of a cluster become the report of the whole, byte for byte?
//!
//! A partial is what reading some of the traces left behind: whole numbers and fingerprints, no word of an answer.
//! Partials of one gold set, one version and the same settings merge; the order of the parts is the order of their
//! traces, so "the last trace counts" holds across them. Offenders' words are read again from the trace files, where
//! those can still be reached.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::detail::Detail;
use crate::input::Source;
use crate::input::scan::Position;
use crate::input::source::hex;
use crate::judge::{Packed, Ranks, Rules};
use crate::ledger::Entry;
use crate::pipeline::Cases;
use crate::problem::{self, Failure, Problem};
use crate::report::{Input, Report};
use crate::request::{Cache, Request, RunContext};
use crate::suite::Suite;
use crate::suites::{self, answers::Plan};
use crate::tally::{Cell, Tally};
use crate::text;
use crate::traces::Counted;

const SCHEMA: &str = "karat.partial/1";

/// The key of the contradiction rules.
const RULES: &str = "scu_rules";

/// A partial as it is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Partial {
    schema: String,
    karat: String,
    suite: String,
    gold: Input,
    /// What was asked for, as a report carries it.
    request: IndexMap<String, serde_json::Value>,
    /// A fingerprint of refusals and contradiction rules: the files of the latter may lie elsewhere.
    judged_by: String,
    figures: Vec<String>,
    traces: Vec<Input>,
    unmatched: u64,
    malformed: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    paraphrased: u64,
    entries: Vec<Row>,
    /// SHA-256 of all that stands before it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    sum: String,
}

/// What stands before the checksum, which is the last thing in a partial.
const SUM: &str = ",\"sum\":\"";

/// Puts the checksum behind the JSON of a partial that has none: it tells a part that was damaged or edited. It is no
/// signature: whoever can write a partial can write its checksum.
#[must_use]
pub fn seal(json: &str) -> String {
    let body = json.trim_end().strip_suffix('}').unwrap_or(json);
    format!("{body}{SUM}{}\"}}\n", hex(&Sha256::digest(body)))
}

/// Whether the checksum of a partial is that of its text.
fn is_whole(text: &str) -> bool {
    let sealed = text.trim_end().strip_suffix("\"}").and_then(|text| text.rsplit_once(SUM));
    sealed.is_some_and(|(body, sum)| hex(&Sha256::digest(body)) == sum)
}

/// One case: its number, where its trace stands (source, offset), its runs, its facts as bits, ids cited, cited that are
/// gold, gold, ranks; and where every run counts, the sums (numerator, denominator, observations).
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row(u32, u32, u64, u64, u32, u32, u32, u32, Vec<u32>, Option<Vec<(String, u64, u64)>>);

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Partial {
    /// What reading left behind, ready to be written.
    pub(crate) fn new(plan: &Plan<'_>, request: &Request, counted: &Counted) -> Self {
        let row = |(case, entry): (usize, &Option<Entry>)| {
            let entry = entry.as_ref()?;
            let (v, at) = (&entry.packed, entry.position());
            let cells = entry.tally().map(|tally| {
                tally.cells.iter().map(|cell| (cell.num.to_string(), cell.den, cell.cases)).collect()
            });
            let ranks = v.ranks.within(u32::MAX).collect();
            Some(Row(
                case as u32,
                at.source,
                at.offset,
                entry.runs.into(),
                v.facts(),
                v.cited,
                v.cited_gold,
                v.gold,
                ranks,
                cells,
            ))
        };
        let gold = plan.gold();
        Partial {
            schema: SCHEMA.into(),
            karat: env!("CARGO_PKG_VERSION").into(),
            suite: request.suite.name.into(),
            gold: Input::new("gold", &gold.name, gold.cases.len() as u64, gold.fingerprint.clone()),
            request: request.record(),
            judged_by: plan.judged_by(),
            figures: plan.figures().iter().map(|figure| figure.name.clone()).collect(),
            traces: counted.inputs.clone(),
            unmatched: counted.unmatched,
            malformed: counted.malformed,
            paraphrased: counted.paraphrased,
            entries: counted.entries.iter().enumerate().filter_map(row).collect(),
            sum: String::new(),
        }
    }

    /// The text of it.
    #[must_use]
    pub fn to_text(&self) -> String {
        seal(&serde_json::to_string(self).unwrap_or_default())
    }

    /// Reads one; `name` is the file for messages.
    pub fn parse(name: &str, text: &str) -> Result<Self, Problem> {
        let bad = |message: String| Problem::of_file(&problem::PARTIAL_INVALID, name, message);
        if text.trim().is_empty() {
            return Err(bad("this file is empty: its part was not made".into()));
        }
        let ours = env!("CARGO_PKG_VERSION");
        let foreign = |schema: &str, karat: &str| {
            let (schema, karat) = (text::visible(schema), text::visible(karat));
            if schema.starts_with("karat.partial/") {
                bad(format!(
                    "this partial is {schema} of karat {karat}; this is karat {ours}, which reads its own only"
                ))
            } else {
                bad(format!("this is a {schema}, not a partial"))
            }
        };
        let partial: Partial = serde_json::from_str(text).map_err(|e| match serde_json::from_str(text) {
            Ok(Named { schema, karat }) if schema != SCHEMA => foreign(&schema, &karat),
            _ => bad(format!("this is not a partial: {e}")),
        })?;
        if partial.schema != SCHEMA || partial.karat != ours {
            return Err(foreign(&partial.schema, &partial.karat));
        }
        if !is_whole(text) {
            return Err(bad("this partial was changed after it was made: its checksum is another".into()));
        }
        Ok(partial)
    }

    fn counted(self, name: &str, plan: &Plan<'_>) -> Result<Counted, Problem> {
        let bad = |message: &str| Problem::of_file(&problem::PARTIAL_INVALID, name, message.to_owned());
        let figures: Vec<&str> = plan.figures().iter().map(|figure| figure.name.as_str()).collect();
        if self.figures != figures {
            return Err(bad("its figures are not those of this version and these gates"));
        }
        let mut entries: Vec<Option<Entry>> = plan.gold().cases.iter().map(|_| None).collect();
        for Row(case, source, offset, runs, facts, cited, cited_gold, gold, ranks, cells) in self.entries {
            let Some(slot) = entries.get_mut(case as usize).filter(|slot| slot.is_none()) else {
                return Err(bad("a case of it is not in gold, or is in it twice"));
            };
            if source as usize >= self.traces.len() || runs == 0 {
                return Err(bad("a trace of it is in none of its files"));
            }
            let ranks = Some(Ranks::new(ranks)).filter(|ranks| ranks.are_of(gold));
            let verdict = ranks.and_then(|ranks| Packed::new(facts, [cited, cited_gold, gold], ranks));
            let verdict = verdict.ok_or_else(|| bad("a verdict of it is one that no trace can have"))?;
            let cell =
                |(num, den, cases): (String, u64, u64)| Some(Cell { num: num.parse().ok()?, den, cases });
            let tally = match cells {
                None => None,
                Some(cells) => {
                    let cells: Option<Vec<Cell>> = cells.into_iter().map(cell).collect();
                    let cells = cells.filter(|cells| cells.len() == figures.len());
                    Some(Tally { cells: cells.ok_or_else(|| bad("a sum of it cannot be read"))? })
                }
            };
            let position = Position { source, offset };
            let mut entry = Entry::new(position, verdict).with(None, tally);
            entry.runs = u32::try_from(runs).unwrap_or(u32::MAX);
            *slot = Some(entry);
        }
        let Partial { traces: inputs, unmatched, malformed, paraphrased, .. } = self;
        Ok(Counted { entries, inputs, unmatched, malformed, paraphrased })
    }
}

/// Merges partials, each with its file's name, in their order. `gold` overrides the path that they carry; `wanted` says
/// which cases the report lists and whose words it carries.
pub fn merge(
    parts: Vec<(String, Partial)>,
    gold: Option<Source>,
    wanted: (Cases, Detail),
    suites: &[&'static Suite],
) -> Result<Report, Failure> {
    let Some((first_name, first)) = parts.first().cloned() else {
        let message = "no partial was given";
        return Err(Problem::of_file(&problem::PARTIAL_INVALID, "karat merge", message).into());
    };
    let mut problems = Vec::new();
    for (name, part) in &parts[1..] {
        problems.extend(first.differs(part).into_iter().map(|what| {
            let message =
                format!("its {what} is not that of {first_name}: only parts of one whole can be merged");
            Problem::of_file(&problem::PARTIAL_INCOMPATIBLE, name, message)
        }));
    }
    problems.extend(twice(&parts));
    if !problems.is_empty() {
        return Err(Failure::new(problems));
    }
    // The rules have judged already, and their files may not lie here.
    let asked: IndexMap<_, _> =
        first.request.iter().filter(|(key, _)| *key != RULES).map(|(k, v)| (k.clone(), v.clone())).collect();
    let request = Request::of_report(&first_name, &asked, suites)?;
    let gold = gold.unwrap_or_else(|| Source::file(&first.gold.path));
    let (cases, detail) = wanted;
    let request = request.sources("gold", vec![gold.clone()]).show(cases, detail);
    let cache = Cache::default();
    let plan = Plan::new(&request, &RunContext { cache: &cache, progress: &|_| {} })?;
    let read = Input::new("gold", "", 0, plan.gold().fingerprint.clone());
    if read.fingerprint() != first.gold.fingerprint() {
        let message =
            format!("this gold set is not the one that {first_name} was made with (its fingerprint differs)");
        return Err(Problem::of_file(&problem::PARTIAL_INCOMPATIBLE, gold.name(), message).into());
    }
    let mut whole: Option<Counted> = None;
    for (name, part) in parts {
        let counted = part.counted(&name, &plan)?;
        whole = Some(match whole {
            None => counted,
            Some(whole) => whole.then(counted, plan.scu()),
        });
    }
    let Some(whole) = whole else {
        return Err(Problem::of_file(&problem::PARTIAL_INVALID, &first_name, "it is empty").into());
    };
    let again = |input: &Input| Source::file(&input.path).expecting(input.fingerprint());
    let traces: Vec<Source> = whole.inputs.iter().map(again).collect();
    let mut report = plan.finish(whole, &traces);
    report.settings.options.extend(Rules::setting_of(&first.judged_by));
    report.request = first.request;
    report.request.insert("gold".into(), gold.name().as_ref().into());
    report.request.insert(
        "traces".into(),
        report.inputs.iter().filter(|i| i.role == "trace").map(|i| i.path.as_str()).collect(),
    );
    Ok(report.doubted())
}

/// The parts with traces that a part before them has too: the same file with the same bytes.
fn twice(parts: &[(String, Partial)]) -> Vec<Problem> {
    let mut seen: HashMap<(&str, String), &str> = HashMap::new();
    let files = parts.iter().flat_map(|(name, part)| part.traces.iter().map(move |input| (name, input)));
    let mut problems = Vec::new();
    for (name, input) in files.filter(|(_, input)| input.rows > 0) {
        if let Some(first) = seen.insert((&input.path, input.fingerprint()), name) {
            let path = text::visible(&input.path);
            let message =
                format!("it holds the traces of {path}, which {first} holds too: give each part once");
            problems.push(Problem::of_file(&problem::PARTIAL_INCOMPATIBLE, name, message));
        }
    }
    problems
}

/// Any file of karat's.
#[derive(Deserialize)]
struct Named {
    schema: String,
    #[serde(default)]
    karat: String,
}

impl Partial {
    /// In what another part differs from this one, in words.
    fn differs(&self, other: &Partial) -> Vec<String> {
        let mut differs = Vec::new();
        let mut note = |what: &str, same: bool| differs.extend((!same).then(|| what.to_owned()));
        note("suite", self.suite == other.suite);
        note("gold set (its fingerprint)", self.gold.fingerprint() == other.gold.fingerprint());
        // What files hold is compared by fingerprints; where they lie may differ.
        let options = suites::answers::SUITE.keys().filter(|key| !key.shape.is_input());
        for key in options.filter(|key| key.name != "refusal") {
            note(&key.typed(), self.request.get(key.name) == other.request.get(key.name));
        }
        note("--refusal or --scu-rules", self.judged_by == other.judged_by);
        differs
    }
}
