//! What does the pattern of figures suggest, and where should one look next?
//!
//! From the troubleshooting notes of the WFGY Problem Map (docs/definitions.md): the pair of precision and chr tells generation from
//! evidence, the reach of retrieval tells it from both, and the refusal rates tell the refusal rule from the rest.
//! Cases without a trace are named first and blamed on nothing else.

use crate::report::{Gate, Outcome};
use crate::text;

/// What a diagnosis looks at; a rate is `None` where it is vacuous.
#[derive(Clone, Copy, Debug, Default)]
pub struct Symptoms {
    /// Of the shipped answers, the right ones.
    pub precision: Option<f64>,
    /// Of the shipped answers, the well-cited ones.
    pub chr: Option<f64>,
    /// Of the unanswerable questions, the answered ones.
    pub under: Option<f64>,
    /// Of the answerable questions, the refused ones.
    pub over: Option<f64>,
    /// Cases with a trace that is no error.
    pub traced: u64,
    /// Answerable ones among them.
    pub answerable: u64,
    /// Answerable ones among them with evidence in the first k.
    pub found: u64,
    /// Unanswerable questions that were answered.
    pub hallucinations: u64,
    /// Answers that cite no gold, or something that was not retrieved.
    pub miscited: u64,
    /// Well-cited answers without gold's phrase.
    pub off_claim: u64,
    /// Answers with a forbidden text.
    pub forbidden: u64,
    /// Refused answerable questions.
    pub refused: u64,
    /// Those of them whose evidence was retrieved.
    pub refused_with_evidence: u64,
    /// Cases without a trace.
    pub missing: u64,
    /// Cases whose pipeline failed.
    pub errored: u64,
    /// Answers that break a constraint.
    pub broken_constraints: u64,
    /// The cut-off.
    pub k: u32,
}

/// What to say; nothing where every gate passes.
#[must_use]
pub fn diagnose(s: &Symptoms, gates: &[Gate]) -> Vec<String> {
    let stuck = |gate: &Gate| matches!(gate.outcome, Outcome::Fail | Outcome::Inconclusive);
    if !gates.iter().any(stuck) {
        return Vec::new();
    }
    // A gated figure is bad where its gate does not pass; another one where it misses the published default.
    let bad = |name: &str, by_default: bool| {
        let mut mine = gates.iter().filter(|gate| gate.metric == name && gate.slice.is_none()).peekable();
        if mine.peek().is_some() { mine.any(stuck) } else { by_default }
    };
    let precision_bad = bad("precision", s.precision.is_some_and(|value| value < 0.80));
    let chr_bad = bad("chr", s.chr.is_some_and(|value| value < 0.75));
    let mut says = Vec::new();
    let mut say = |text: String| says.push(text);
    if s.missing > 0 {
        let cases = text::count(s.missing, "case");
        say(format!(
            "{cases} without a trace: run the pipeline over them before reading anything else (they count as wrong answers)"
        ));
    }
    if s.errored > 0 {
        let cases = text::count(s.errored, "case");
        say(format!("{cases} in which the pipeline failed: their traces say why in `reason`"));
    }
    if s.traced > 0 && s.precision.is_some() {
        match (precision_bad, chr_bad) {
            (true, true) if s.hallucinations > s.miscited => {
                say("precision and chr are both low: grounding is broken, most of all by answers to unanswerable questions".into());
            }
            (true, true) => {
                say("precision and chr are both low: grounding is broken; answers rest on the wrong evidence or on none".into());
            }
            (true, false) if s.off_claim > 0 && s.off_claim >= s.forbidden => {
                say("precision is low and chr is not: the evidence is right, the claim misses gold's phrases; read the claims, then the phrases".into());
            }
            (true, false) if s.forbidden > 0 => {
                say("precision is low and chr is not: claims contain texts that gold forbids; the worst cases name them".into());
            }
            (false, true) => {
                say("precision holds and chr is low: the text is right, the cited evidence is wrong; demand citations from the prompt's ids only".into());
            }
            _ => {}
        }
    }
    if s.found * 5 < s.answerable * 4 {
        let (lost, all) = (s.answerable - s.found, s.answerable);
        say(format!(
            "for {lost} of {all} answerable questions no evidence was among the first {}: retrieval is at fault, not generation; look at the index, the chunking and the query",
            s.k
        ));
    }
    if bad("under_refusal", s.under.is_some_and(|value| value > 0.05)) && s.hallucinations > 0 {
        say("under-refusal is high: unanswerable questions are answered; strengthen the refusal rule".into());
    }
    if bad("over_refusal", s.over.is_some_and(|value| value > 0.10)) && s.refused > 0 {
        let (with, all) = (s.refused_with_evidence, s.refused);
        if with * 2 > all {
            say(format!(
                "over-refusal is high, and for {with} of {all} refused questions the evidence was retrieved: the refusal rule is too strict"
            ));
        } else {
            say(format!(
                "over-refusal is high, and for {} of {all} refused questions no evidence was retrieved: recall is too low, or chunks split the facts",
                all - with
            ));
        }
    }
    if s.broken_constraints > 0 {
        let answers = match s.broken_constraints {
            1 => "1 answer drops or contradicts".to_owned(),
            n => format!("{n} answers drop or contradict"),
        };
        say(format!(
            "{answers} a locked constraint: repeat the lock in the last prompt and demand a verbatim echo"
        ));
    }
    says
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(metric: &str, outcome: Outcome) -> Gate {
        Gate {
            metric: metric.into(),
            slice: None,
            op: "<=".into(),
            threshold: 0.0,
            confident: false,
            text: String::new(),
            value: Some(1.0),
            pass: Some(false),
            outcome,
            origin: "always".into(),
            reason: None,
            more_cases: None,
            waived: None,
        }
    }

    #[track_caller]
    fn check(symptoms: Symptoms, expected: &[&str]) {
        let said = diagnose(&symptoms, &[gate("missing", Outcome::Fail)]);
        assert_eq!(said.len(), expected.len(), "{said:?}");
        for (said, part) in said.iter().zip(expected) {
            assert!(said.contains(part), "{said}");
        }
    }

    const BASE: Symptoms = Symptoms {
        precision: Some(0.9),
        chr: Some(0.9),
        under: None,
        over: None,
        traced: 10,
        answerable: 10,
        found: 9,
        hallucinations: 0,
        miscited: 0,
        off_claim: 0,
        forbidden: 0,
        refused: 0,
        refused_with_evidence: 0,
        missing: 0,
        errored: 0,
        broken_constraints: 0,
        k: 5,
    };

    #[test]
    fn each_pattern_has_its_word() {
        check(BASE, &[]);
        check(
            Symptoms { precision: Some(0.5), chr: Some(0.5), miscited: 3, ..BASE },
            &["grounding is broken"],
        );
        check(
            Symptoms { precision: Some(0.5), chr: Some(0.5), hallucinations: 3, ..BASE },
            &["most of all by answers to unanswerable"],
        );
        check(Symptoms { precision: Some(0.5), off_claim: 2, ..BASE }, &["misses gold's phrases"]);
        check(Symptoms { precision: Some(0.5), forbidden: 2, ..BASE }, &["texts that gold forbids"]);
        check(Symptoms { precision: Some(0.5), ..BASE }, &[]);
        check(Symptoms { chr: Some(0.5), ..BASE }, &["the cited evidence is wrong"]);
        check(
            Symptoms { found: 5, ..BASE },
            &["for 5 of 10 answerable questions no evidence was among the first 5"],
        );
        check(Symptoms { under: Some(0.5), hallucinations: 1, ..BASE }, &["strengthen the refusal rule"]);
        let over = Symptoms { over: Some(0.5), refused: 4, ..BASE };
        check(Symptoms { refused_with_evidence: 3, ..over }, &["too strict"]);
        check(Symptoms { refused_with_evidence: 1, ..over }, &["for 3 of 4 refused questions no evidence"]);
        let three = Symptoms { missing: 1, errored: 2, broken_constraints: 1, ..BASE };
        check(three, &["1 case without", "2 cases in which", "1 answer drops"]);
        let nothing = Symptoms {
            precision: Some(0.0),
            chr: Some(0.0),
            traced: 0,
            answerable: 0,
            found: 0,
            missing: 10,
            ..BASE
        };
        check(nothing, &["10 cases without a trace"]);
    }

    #[test]
    fn gates_decide_what_is_bad() {
        let low = Symptoms { precision: Some(0.3), chr: Some(0.3), miscited: 2, ..BASE };
        assert!(diagnose(&low, &[gate("chr", Outcome::Pass)]).is_empty(), "nothing fails, nothing is said");
        let unsure = diagnose(&low, &[gate("precision", Outcome::Inconclusive), gate("chr", Outcome::Fail)]);
        assert!(
            unsure[0].contains("grounding is broken"),
            "an undecided precision does not hold: {unsure:?}"
        );
    }
}
