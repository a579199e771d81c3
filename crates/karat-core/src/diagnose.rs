//! What does the pattern of figures suggest, and where should one look next?
//!
//! From the troubleshooting notes of seeds 000, 002 and 003: the pair of precision and chr tells generation from
//! evidence, hit@k tells retrieval from generation, and the refusal rates tell the refusal rule from both.

use crate::report::{Gate, Outcome};

/// The figures that a diagnosis looks at; `None` where a figure is vacuous.
#[derive(Clone, Copy, Debug, Default)]
pub struct Symptoms {
    /// Of the shipped answers, the right ones.
    pub precision: Option<f64>,
    /// Of the shipped answers, the well-cited ones.
    pub chr: Option<f64>,
    /// Of the answerable questions, those with evidence in reach.
    pub hit: Option<f64>,
    /// The best chr that retrieval allows.
    pub chr_bound: Option<f64>,
    /// Of the unanswerable questions, the answered ones.
    pub under: Option<f64>,
    /// Of the answerable questions, the refused ones.
    pub over: Option<f64>,
    /// Refused answerable questions whose evidence was retrieved.
    pub refused_with_evidence: u64,
    /// Refused answerable questions.
    pub refused_answerable: u64,
    /// Cases without a trace.
    pub missing: u64,
    /// Cases whose pipeline failed.
    pub errored: u64,
    /// Answers that break a constraint.
    pub scu_violations: u64,
    /// The cut-off.
    pub k: u32,
}

/// What to say; nothing where every gate passes.
#[must_use]
pub fn diagnose(s: &Symptoms, gates: &[Gate]) -> Vec<String> {
    let trouble = |gate: &&Gate| matches!(gate.outcome, Outcome::Fail | Outcome::Inconclusive);
    if !gates.iter().any(|gate| trouble(&gate)) {
        return Vec::new();
    }
    // "Low" is below the gate where there is one, else below the published default.
    let limit = |name: &str, default: f64| {
        gates.iter().find(|g| g.metric == name && g.slice.is_none()).map_or(default, |g| g.threshold)
    };
    let low = |value: Option<f64>, limit: f64| value.is_some_and(|v| v < limit);
    let high = |value: Option<f64>, limit: f64| value.is_some_and(|v| v > limit);
    let (precision_low, chr_low) =
        (low(s.precision, limit("precision", 0.80)), low(s.chr, limit("chr", 0.75)));
    let retrieval_low = low(s.hit, 0.80) || low(s.chr_bound, limit("chr", 0.75));
    let mut says = Vec::new();
    let mut say = |text: String| says.push(text);
    if s.missing > 0 {
        say(format!(
            "{} without a trace: run the pipeline over them before reading anything else (they count as wrong answers)",
            crate::text::count(s.missing, "case")
        ));
    }
    if s.errored > 0 {
        say(format!(
            "{} in which the pipeline failed: their traces say why in `reason`",
            crate::text::count(s.errored, "case")
        ));
    }
    match (precision_low, chr_low) {
        (true, true) => say("precision and chr are both low: grounding is broken; answers rest on the wrong evidence or on none".into()),
        (true, false) => say("precision is low and chr is not: the evidence is right, the claim misses gold's phrases; read the claims, then the phrases".into()),
        (false, true) if s.precision.is_some() => say("precision holds and chr is low: the text is right, the cited evidence is wrong; demand citations from the prompt's ids only".into()),
        _ => {}
    }
    if retrieval_low {
        say(format!(
            "hit@{} is low: retrieval is at fault, not generation; look at the index, the chunking and the query",
            s.k
        ));
    }
    if high(s.under, limit("under_refusal", 0.05)) {
        say("under-refusal is high: unanswerable questions are answered; strengthen the refusal rule".into());
    }
    if high(s.over, limit("over_refusal", 0.10)) {
        let (with, all) = (s.refused_with_evidence, s.refused_answerable);
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
    if s.scu_violations > 0 {
        say(format!(
            "{} a locked constraint: repeat the lock in the last prompt and demand a verbatim echo",
            match s.scu_violations {
                1 => "1 answer drops or contradicts".to_owned(),
                n => format!("{n} answers drop or contradict"),
            }
        ));
    }
    says
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failing() -> Vec<Gate> {
        vec![Gate {
            metric: "missing".into(),
            slice: None,
            op: "<=".into(),
            threshold: 0.0,
            confident: false,
            text: String::new(),
            value: Some(1.0),
            pass: Some(false),
            outcome: Outcome::Fail,
            origin: "always".into(),
            reason: None,
            more_cases: None,
        }]
    }

    fn check(symptoms: Symptoms, expected: &[&str]) {
        let said = diagnose(&symptoms, &failing());
        assert_eq!(said.len(), expected.len(), "{said:?}");
        for (said, start) in said.iter().zip(expected) {
            assert!(said.contains(start), "{said}");
        }
    }

    #[test]
    fn each_pattern_has_its_word() {
        let base = Symptoms {
            precision: Some(0.9),
            chr: Some(0.9),
            hit: Some(0.9),
            chr_bound: Some(0.9),
            k: 5,
            ..Symptoms::default()
        };
        check(base, &[]);
        check(Symptoms { precision: Some(0.5), chr: Some(0.5), ..base }, &["grounding is broken"]);
        check(Symptoms { precision: Some(0.5), ..base }, &["misses gold's phrases"]);
        check(Symptoms { chr: Some(0.5), ..base }, &["the cited evidence is wrong"]);
        check(Symptoms { hit: Some(0.5), ..base }, &["hit@5 is low"]);
        check(Symptoms { under: Some(0.5), ..base }, &["strengthen the refusal rule"]);
        check(
            Symptoms { over: Some(0.5), refused_answerable: 4, refused_with_evidence: 3, ..base },
            &["too strict"],
        );
        check(
            Symptoms { over: Some(0.5), refused_answerable: 4, refused_with_evidence: 1, ..base },
            &["for 3 of 4 refused questions no evidence"],
        );
        check(
            Symptoms { missing: 1, errored: 2, scu_violations: 1, ..base },
            &["1 case without", "2 cases in which", "1 answer drops"],
        );
        assert!(
            diagnose(&Symptoms { precision: Some(0.1), ..base }, &[]).is_empty(),
            "nothing fails, nothing is said"
        );
    }
}
