//! Labels and stages of `retrieval`: the result of a question, and what broke first between index and citation.

use super::judge::delta_s::RISK;
use super::judge::{Anchor, Runs, Verdict};
use crate::suites::terms::terms;

terms! {
    /// The result of a question, worst first.
    pub enum Label {
        Missing: "MISSING", "the question has no run", "run the retriever for this question";
        Uncovered: "UNCOVERED", "no run cites a relevant block or the anchor section",
            "the right blocks are retrieved but not cited: require citations from the retrieved ids";
        Far: "FAR", "a run cites a snippet with ΔS above 0.60",
            "the cited snippet is far from the question: check the embedding model and metric, then whether the chunk mixes topics";
        Partial: "PARTIAL", "some runs cite a relevant block or the anchor section, others do not",
            "some runs do not cite what they retrieved: require citations, pin the seed";
        NotFound: "NOT_FOUND", "in a TREC run: no relevant document was returned",
            "the right blocks are retrieved but not cited: require citations from the retrieved ids";
        Miscited: "MISCITED",
            "the first citation of a run is not a relevant block, or lies outside its block (--window)",
            "the first citation misses gold's block or bytes: compare offsets and text normalisation with the block table";
        Unstable: "UNSTABLE", "the runs of a seed do not all lead to the same place, or a paraphrase was not run",
            "paraphrases lead to different places: pin the reranker and the order of ties";
        Ok: "OK", "every run finds and cites the right place", "nothing";
    }
}

impl Label {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_good(self) -> bool {
        self == Label::Ok
    }

    /// What to do about a question with this label, given the stage that broke first.
    #[must_use]
    pub fn next_step(self, stage: Stage) -> &'static str {
        match (self, stage) {
            (Label::Uncovered | Label::NotFound, Stage::Retrieval) => {
                "the right blocks are not retrieved: look at chunk boundaries, typed blocks and the index"
            }
            (Label::Partial, Stage::Retrieval) => {
                "some wordings lose the right blocks: look at query rewriting and at ranking across paraphrases"
            }
            _ => self.advice(),
        }
    }
}

terms! {
    /// A stage between index and citation, in order; its meaning says when a question is lost here.
    pub enum Stage {
        Run: "run", "it has no run";
        Retrieval: "retrieval", "some run returned neither a relevant block nor one of the anchor section";
        Citation: "citation", "some run's answer cites neither a relevant block nor the anchor section";
        Span: "span", "some run's first citation is not a relevant block, or lies outside its block (--window)";
        Meaning: "meaning", "some run's first cited snippet has a ΔS above 0.60";
        Stability: "stability", "the runs of some seed are not convergent";
        Pass: "pass", "nothing broke";
    }
}

/// The label of a question.
#[must_use]
pub fn label(runs: &Runs) -> Label {
    let covers = |verdict: &Verdict| verdict.answer.is_some_and(|answer| answer.covers);
    if runs.missing {
        Label::Missing
    } else if !runs.verdicts.iter().any(covers) {
        Label::Uncovered
    } else if runs.answers().any(|answer| answer.delta_s.get() > RISK) {
        Label::Far
    } else if !runs.verdicts.iter().all(covers) {
        Label::Partial
    } else if !runs.answers().all(|answer| answer.accurate) {
        Label::Miscited
    } else if runs.convergent < runs.groups {
        Label::Unstable
    } else {
        Label::Ok
    }
}

/// The stage of a question that broke first.
#[must_use]
pub fn stage(runs: &Runs) -> Stage {
    let found =
        |verdict: &Verdict| !verdict.ranked.found.is_empty() || matches!(verdict.anchor, Anchor::At(_));
    if runs.missing {
        Stage::Run
    } else if !runs.verdicts.iter().all(found) {
        Stage::Retrieval
    } else if !runs.verdicts.iter().all(|verdict| verdict.answer.is_some_and(|answer| answer.covers)) {
        Stage::Citation
    } else if !runs.answers().all(|answer| answer.accurate) {
        Stage::Span
    } else if runs.answers().any(|answer| answer.delta_s.get() > RISK) {
        Stage::Meaning
    } else if runs.convergent < runs.groups {
        Stage::Stability
    } else {
        Stage::Pass
    }
}

/// The label and stage of a bare ranking, which cites nothing.
#[must_use]
pub fn of_ranking(runs: &Runs) -> (Label, Stage) {
    match (runs.missing, runs.verdicts.iter().all(|verdict| verdict.ranked.found.is_empty())) {
        (true, _) => (Label::Missing, Stage::Run),
        (false, true) => (Label::NotFound, Stage::Retrieval),
        (false, false) => (Label::Ok, Stage::Pass),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::retrieval::judge::Answer;
    use crate::suites::retrieval::judge::delta_s::DeltaS;

    fn run(found: bool, answer: Option<(bool, bool, f64)>) -> Verdict {
        let answer = answer.map(|(covers, accurate, ds)| Answer {
            covers,
            accurate,
            steps: None,
            delta_s: DeltaS::new(ds).unwrap(),
        });
        let anchor = if found { Anchor::At(1) } else { Anchor::Missed };
        Verdict { anchor, answer, ..Verdict::default() }
    }

    #[track_caller]
    fn check(verdicts: &[Verdict], convergent: u32, expected: (Label, Stage)) {
        let runs = Runs { verdicts: verdicts.to_vec(), missing: verdicts.is_empty(), groups: 1, convergent };
        assert_eq!((label(&runs), stage(&runs)), expected);
        let bad = matches!(expected.0, Label::Missing | Label::Uncovered | Label::Far);
        assert_eq!(runs.bad(), bad, "bad_qids are the three worst labels");
    }

    #[test]
    fn each_way_to_be_lost() {
        let (good, silent) = (run(true, Some((true, true, 0.3))), run(true, None));
        check(&[], 0, (Label::Missing, Stage::Run));
        check(&[run(false, Some((false, false, 0.3)))], 0, (Label::Uncovered, Stage::Retrieval));
        check(std::slice::from_ref(&silent), 1, (Label::Uncovered, Stage::Citation));
        check(&[good.clone(), run(true, Some((true, true, 0.61)))], 1, (Label::Far, Stage::Meaning));
        check(&[good.clone(), run(true, Some((true, true, 0.60)))], 1, (Label::Ok, Stage::Pass));
        check(&[good.clone(), silent], 1, (Label::Partial, Stage::Citation));
        check(&[good.clone(), run(true, Some((true, false, 0.3)))], 1, (Label::Miscited, Stage::Span));
        check(std::slice::from_ref(&good), 0, (Label::Unstable, Stage::Stability));
        check(&[good], 1, (Label::Ok, Stage::Pass));
    }
}
