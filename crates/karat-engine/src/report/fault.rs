//! Which cases went wrong, worst first, in which words, and by what name does a finding stay itself from run to run?
//!
//! Formats that name single cases to other tools (JUnit, SARIF, annotations) share this. No word of a question, a claim
//! or a chunk is in it: ids, labels and stages only.

use sha2::{Digest, Sha256};

use super::{Case, Figure, Gate, Kind, LockFinding, Offender, Report, RowChanges, Slice, Waiver};
use crate::profile::Term;
use crate::text;

/// Labels that say: this case could not be scored.
const UNSCORED: &[&str] = &["MISSING", "ERROR", "INCOMPLETE"];
/// The stage of a case that went well.
const PASS: &str = "pass";

/// A case that went wrong.
pub struct Fault<'r> {
    /// The case.
    pub case: &'r Case,
    /// It could not be scored at all.
    pub unscored: bool,
    /// The kind of fault, as a rule's name: `over-refusal`.
    pub rule: String,
    /// What happened, in a sentence.
    pub says: String,
    /// What to do about it; may be empty.
    pub next_step: String,
    /// Where its label stands among the suite's, worst first.
    rank: usize,
}

/// A report's words for what went wrong.
pub struct Faults<'r> {
    report: &'r Report,
    labels: Vec<Term>,
    stages: Vec<Term>,
}

impl<'r> Faults<'r> {
    /// The words of a report.
    #[must_use]
    pub fn of(report: &'r Report) -> Self {
        let (labels, stages) = ((report.profile.labels)(), (report.profile.stages)());
        Faults { report, labels, stages }
    }

    /// Every kind of fault that this suite has: the rule's name, and what it means.
    pub fn rules(&self) -> Vec<(String, &str)> {
        if let Some(fault) = &self.report.layout.fault {
            return vec![(text::visible(&fault.name).into_owned(), fault.meaning.as_str())];
        }
        let bad = self.labels.iter().filter(|label| !label.good);
        bad.map(|label| (rule(label.name), label.meaning)).collect()
    }

    /// Whether a case went wrong: by the suite's own rule, or else by its label.
    pub fn is_wrong(&self, case: &Case) -> bool {
        match &self.report.layout.fault {
            Some(fault) => case.text(&fault.column) == Some(&fault.value),
            None => !self.labels.iter().any(|label| label.name == case.label && label.good),
        }
    }

    /// The cases that went wrong, worst first: by label as the suite ranks them, then by id.
    pub fn worst_first(&self) -> Vec<Fault<'r>> {
        let mut faults: Vec<Fault> = self.report.cases.iter().filter_map(|case| self.look(case)).collect();
        faults.sort_by(|a, b| (a.rank, &a.case.id, a.case.line).cmp(&(b.rank, &b.case.id, b.case.line)));
        faults
    }

    /// What is wrong with a case, if anything is.
    pub fn look(&self, case: &'r Case) -> Option<Fault<'r>> {
        let place = self.labels.iter().position(|label| label.name == case.label);
        let label = place.and_then(|i| self.labels.get(i));
        if !self.is_wrong(case) || case.is_skipped() {
            return None;
        }
        let listed = |other: &&Offender| other.id == case.id && other.label == case.label;
        let offender = self.report.offenders.iter().find(listed);
        let next_step =
            offender.map_or_else(|| self.step(case, label), |offender| offender.next_step.clone());
        let named = self.report.layout.fault.as_ref().map(|fault| text::visible(&fault.name).into_owned());
        Some(Fault {
            case,
            unscored: UNSCORED.contains(&case.label.as_str()),
            rule: named.unwrap_or_else(|| rule(&case.label)),
            says: self.says(case, label),
            next_step,
            rank: place.unwrap_or(self.labels.len()),
        })
    }

    /// What to do: the stage's first fix, else what the label says for that stage.
    fn step(&self, case: &Case, label: Option<&Term>) -> String {
        let stage = self.stages.iter().find(|stage| stage.name == case.first_failed_stage);
        let lost = format!("lost at {}", case.first_failed_stage);
        let steps = stage.filter(|stage| !stage.steps.is_empty()).or(label).map(|term| term.steps.as_slice());
        let steps = steps.unwrap_or_default();
        let fits = steps.iter().find(|(when, _)| *when == lost);
        let other = || steps.iter().find(|(when, _)| !when.starts_with("lost at "));
        fits.or_else(other).map(|(_, step)| (*step).to_owned()).unwrap_or_default()
    }
    /// What happened to a case, in a sentence.
    fn says(&self, case: &Case, label: Option<&Term>) -> String {
        let short = |text: &str| text::shorten(&text::visible(text), 80).into_owned();
        let stage = &case.first_failed_stage;
        if self.report.layout.fault.is_some() {
            let raters = self.report.layout.columns.iter().filter(|column| column.kind == Kind::Rating);
            let said = raters
                .take(8)
                .filter_map(|rater| Some(format!("{} says {}", short(&rater.title), case.text(&rater.key)?)));
            return format!("{}: {} ({stage}).", said.collect::<Vec<_>>().join(", "), case.label);
        }
        let meaning = label.map_or("The case went wrong.", |label| label.meaning);
        if stage == PASS || stage.is_empty() {
            return meaning.to_owned();
        }
        let reason = case.text("reasons/0/reason").map(|reason| {
            let at = case.text("reasons/0/at").map(|at| format!(" ({})", short(at))).unwrap_or_default();
            format!(": {reason}{at}")
        });
        format!("{meaning} Lost at {stage}{}.", reason.unwrap_or_default())
    }
}

fn rule(label: &str) -> String {
    label.to_lowercase().replace('_', "-")
}

/// A name that a finding keeps from run to run, wherever its row stands: hexadecimal digits.
pub fn fingerprint(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes()); // so that no two lists run together alike
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

impl Report {
    /// The file that the cases' lines are of.
    pub fn gold(&self) -> &str {
        self.inputs.first().map(|input| input.path.as_str()).unwrap_or_default()
    }
}

impl LockFinding {
    /// Which rows are not those of the lock, in a line for each file and kind of change that names at most `most` of them.
    pub fn differences(&self, most: usize) -> Vec<String> {
        let lines = self.files.iter().flat_map(|(file, RowChanges { added, removed, changed })| {
            [(file, "added", added), (file, "removed", removed), (file, "changed", changed)]
        });
        let lines = lines.filter(|(.., ids)| !ids.is_empty()).map(|(file, how, ids)| {
            let more = if ids.len() > most { ", …" } else { "" };
            let named = ids[..ids.len().min(most)].join(", ");
            format!("{file}: {} {how}: {named}{more}", text::count(ids.len() as u64, "row"))
        });
        let gates = self.gates_changed.then(|| "the gates are not those that were locked".to_owned());
        lines.chain(gates).collect()
    }

    /// What is wrong and which rows, in one sentence.
    pub fn sentence(&self) -> String {
        [vec![self.says.clone()], self.differences(10)].concat().join("; ")
    }

    /// What the lock says: nothing changed since it was written or signed, or what is wrong.
    pub fn verdict(&self) -> String {
        match (self.pass, self.signed.as_slice()) {
            (false, _) => self.says.clone(),
            (true, []) => format!("unchanged since {} was written", self.path),
            (true, signed) => format!("unchanged since {} was signed by {}", self.path, signed.join(", ")),
        }
    }
}

impl Waiver {
    /// Who waives a gate, until when and why.
    pub fn says(&self) -> String {
        format!("waived by {} until {}: {}", self.owner, self.expires, self.reason)
    }
}

impl Figure {
    /// What it is a share of: `7/10`, `over 12`.
    pub fn over(&self) -> Option<String> {
        let den = self.den?;
        Some(self.num.map_or_else(|| format!("over {den}"), |num| format!("{num}/{den}")))
    }

    /// Whether it is a plain count.
    pub fn is_count(&self) -> bool {
        self.den.is_none() && self.num.is_some()
    }
}

impl Slice {
    /// Its field and value, as gates name them.
    pub fn name(&self) -> String {
        format!("{}={}", self.field, self.value.as_deref().unwrap_or("(none)"))
    }
}

impl Gate {
    /// As it is written, with the slice that it was judged on.
    pub fn title(&self) -> String {
        match &self.slice {
            Some(slice) => format!("{} ({slice})", self.text),
            None => self.text.clone(),
        }
    }

    /// The gate without its metric, as it is written: `>=0.80@95`.
    pub fn condition(&self) -> (&str, &str) {
        (&self.op, self.text.split_once(self.op.as_str()).map_or("", |(_, typed)| typed))
    }

    /// The figure that it is judged on: of all cases, or of its slice.
    pub fn figure<'r>(&self, report: &'r Report) -> Option<&'r Figure> {
        let metrics = match &self.slice {
            Some(slice) => &report.slices.iter().find(|other| other.name() == *slice)?.metrics,
            None => &report.metrics,
        };
        metrics.get(&self.metric)
    }

    /// What it says, in one or two words.
    pub fn word(&self) -> String {
        format!("{}{}", self.outcome.word(), if self.waived.is_some() { " (waived)" } else { "" })
    }

    /// What it says, with the figure behind it and why.
    pub fn says(&self, report: &Report) -> String {
        let figure = self.figure(report);
        let value = match (self.value, figure) {
            (None, _) => "no value".to_owned(),
            (Some(value), Some(figure)) if figure.den.is_some() || figure.num.is_none() => {
                format!("{value:.4}")
            }
            (Some(value), _) => format!("{value}"), // a count stays whole
        };
        let over = figure.and_then(Figure::over).map(|over| format!(" ({over})")).unwrap_or_default();
        let interval = figure.and_then(|figure| figure.ci95);
        let interval = interval.map(|[low, high]| format!(", 95 % interval {low:.4} to {high:.4}"));
        let reason = self.reason.as_ref().map(|reason| format!("; {reason}"));
        let waived = self.waived.as_ref().map(|waiver| format!("; {}", waiver.says()));
        let says = [interval, reason, waived].map(Option::unwrap_or_default).concat();
        format!("{}: {value}{over}{says}", self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_tell_apart_what_is_apart_and_nothing_else() {
        let one = fingerprint(&["answers", "A1", "MISSING"]);
        assert_eq!(one, fingerprint(&["answers", "A1", "MISSING"]));
        assert_eq!(one.len(), 32);
        assert_ne!(one, fingerprint(&["answersA", "1", "MISSING"]));
        assert_ne!(one, fingerprint(&["answers", "A1", "ERROR"]));
    }
}
