//! Verdicts of `stability`: does a case come out the same, and right, in every run and wording?

pub mod canonical;
pub mod drift;

use std::cmp::Ordering;

use canonical::canonical_into;
use drift::{Share, pairs};

pub use super::labels::{Label, Stage};
use crate::judge::{Refusal, citation, constraint};
use crate::metrics::{Facts, Observation, Population};
use crate::model::{Case, Needle, Trace};
use crate::suites::terms::terms;
use crate::text;

/// The facts about one run, without its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunFacts {
    /// Whether the pipeline failed and said nothing.
    pub errored: bool,
    /// Whether the claim is the refusal.
    pub refused: bool,
    /// C, on canonical texts. An empty list is contained in any claim, including a refusal, except an empty one.
    pub contained: bool,
    /// H: whether the citations are good.
    pub hit: bool,
    /// Whether the echo equals gold's constraints; true if there are none.
    pub echoed: bool,
}

/// Buffers that are reused from run to run.
#[derive(Debug, Default)]
pub struct Scratch {
    lower: String,
    phrase: String,
    /// The canonical claim of the last run.
    pub claim: String,
}

/// Judges one run, and leaves its canonical claim in `scratch`.
#[must_use]
pub fn judge(case: &Case, trace: &Trace<'_>, refusal: &Refusal, scratch: &mut Scratch) -> RunFacts {
    let errored = trace.errored();
    let claim = if errored { "" } else { trace.claim.as_deref().unwrap_or_default() };
    text::lower_into(claim, &mut scratch.lower);
    canonical_into(&scratch.lower, &mut scratch.claim);
    let (said, phrase) = (scratch.claim.as_str(), &mut scratch.phrase);
    let refused = !errored && refusal.is(text::trim(&scratch.lower));
    let mut occurs = |wanted: &str| {
        canonical_into(wanted, phrase);
        !phrase.is_empty() && said.contains(phrase.as_str())
    };
    let contained = match case.needle {
        Needle::Nothing | Needle::Unknown => refused || !said.is_empty(),
        Needle::Any => case.phrases().any(&mut occurs),
        Needle::All => case.phrases().all(&mut occurs),
        Needle::Never => false,
    };
    let unlocked = case.constraints().len() == 0;
    if errored {
        return RunFacts { errored, refused: false, contained, hit: false, echoed: unlocked };
    }
    let lock: Vec<&str> = case.constraints().collect();
    let wanted = case.citations().len() as u32;
    RunFacts {
        errored,
        refused,
        contained,
        // A refusal rests on nothing, so its citations count as the empty set.
        hit: if refused { wanted == 0 } else { citation::cited(case, trace).hits(trace.citations, wanted) },
        echoed: unlocked || constraint::echoes(&lock, trace),
    }
}

terms! {
    /// The result of a run.
    pub enum State {
        Held: "held", "as it should be";
        Wrong: "wrong", "wrong";
        Refused: "refused", "refused, and gold has an answer";
        Errored: "errored", "the pipeline failed";
        Missing: "missing", "not there";
    }
}

impl State {
    /// The result of one run.
    #[must_use]
    pub fn of(answerable: bool, facts: RunFacts) -> Self {
        match (answerable, facts) {
            (_, RunFacts { errored: true, .. }) => State::Errored,
            (true, RunFacts { refused: true, .. }) => State::Refused,
            (true, RunFacts { contained: true, hit: true, echoed: true, .. }) => State::Held,
            (false, RunFacts { refused: true, .. }) => State::Held,
            _ => State::Wrong,
        }
    }

    /// The letter of the result in a grid.
    #[must_use]
    pub fn letter(self) -> char {
        ['h', 'w', 'r', 'e', '-'][self as usize]
    }
}

/// Everything observable about the runs of one case, without their texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// Whether gold says that the question can be answered.
    pub answerable: bool,
    /// Whether gold locks constraints.
    pub constrained: bool,
    /// N, the number of runs.
    pub runs: u64,
    /// Runs that refuse.
    pub refusals: u64,
    /// Runs in which the pipeline failed.
    pub errored: u64,
    /// Runs in which the pipeline did not fail but said nothing.
    pub silent: u64,
    /// Runs with containment.
    pub contained: u64,
    /// Runs with H.
    pub hits: u64,
    /// Runs that hold.
    pub held: u64,
    /// The number of ids that every run cites.
    pub cited_always: u64,
    /// The number of ids that some run cites.
    pub cited_ever: u64,
    /// The median distance between the wordings.
    pub ned50: Share,
    /// Pairs of wordings that count as completely different because they were not compared.
    pub uncompared: u64,
    /// Whether every run that is not a refusal echoes the constraints.
    pub echoed: bool,
    /// Pairs of runs with equal canonical claims.
    pub equal_pairs: u64,
    /// Runs of the grid that are missing.
    pub missing: u64,
}

impl Verdict {
    /// The verdict of a case without a run, given the number of runs that the grid asks for.
    #[must_use]
    pub fn missing(case: &Case, missing: u64) -> Self {
        Verdict {
            answerable: case.answerable,
            constrained: case.constraints().len() > 0,
            echoed: true,
            missing,
            ..Verdict::default()
        }
    }

    /// The value of a measure for this case; `None` if it has none.
    #[must_use]
    pub fn value(&self, of: Property) -> Option<Share> {
        let n = self.runs;
        let some = |share: Share| (n > 0).then_some(share);
        match of {
            Property::Acr => Share::of(self.contained, n),
            Property::Cghc => Share::of(self.hits, n),
            Property::Css => some(Share::of(self.cited_always, self.cited_ever).unwrap_or(Share::ONE)),
            Property::Ned50 => some(self.ned50),
            Property::ScuCons if self.constrained => some(Share { num: self.echoed.into(), den: 1 }),
            Property::ScuCons => None,
            Property::Rcr => Share::of(self.refusals.max(n - self.refusals), n),
            Property::RefusalRate => Share::of(self.refusals, n),
            Property::Iaa => Share::of(self.equal_pairs, pairs(n)),
        }
    }

    /// The measures that apply to this case and are on the wrong side of their limit, in order.
    pub fn broken(&self) -> impl Iterator<Item = Property> {
        let judged: &[Property] =
            if self.answerable { &Property::ANSWERABLE } else { &Property::UNANSWERABLE };
        judged.iter().copied().filter(|of| self.value(*of).is_some_and(|value| !of.holds(value)))
    }

    /// Whether the case comes out the same, and right.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.runs > 0 && self.broken().next().is_none()
    }

    /// The stage that broke first.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self.broken().next() {
            _ if self.runs == 0 => Stage::Runs,
            Some(of) => Stage::Broken(of),
            None if self.missing > 0 => Stage::Runs,
            None => Stage::Pass,
        }
    }

    /// The label of the case.
    #[must_use]
    pub fn label(&self) -> Label {
        match self.stage() {
            Stage::Pass => Label::Stable,
            Stage::Runs if self.runs == 0 => Label::Missing,
            Stage::Runs => Label::Incomplete,
            Stage::Broken(Property::RefusalRate) => Label::Hallucination,
            Stage::Broken(Property::Acr | Property::Cghc) if self.held == 0 => Label::Wrong,
            Stage::Broken(Property::Acr | Property::Cghc | Property::Rcr) => Label::Flips,
            Stage::Broken(Property::ScuCons) => Label::ScuViolation,
            Stage::Broken(Property::Css | Property::Ned50 | Property::Iaa) => Label::Drifts,
        }
    }

    /// What the case adds to the mean of a measure. Silence is not agreement, so a case whose runs all say nothing enters no
    /// mean.
    #[must_use]
    pub fn observe(&self, of: Property) -> Option<Observation> {
        if self.errored + self.silent == self.runs
            && matches!(of, Property::Css | Property::Ned50 | Property::Rcr | Property::Iaa)
        {
            return None;
        }
        self.value(of).map(|share| Observation::fraction(share.num.into(), share.den.into()))
    }
}

impl Facts for Verdict {
    type Params = ();

    fn belongs(&self, population: Population) -> bool {
        match population {
            Population::Any => true,
            Population::Answerable => self.answerable,
            Population::Unanswerable => !self.answerable,
            Population::Constrained => self.constrained,
            Population::GoodControl | Population::BadControl => false,
        }
    }
}

terms! {
    /// A measure of one case over its runs, in the order of a report; its meaning says when it is broken.
    pub enum Property {
        Acr: "acr", "the claim lacks gold's phrase in more than one run of twenty",
            "look at the runs that differ: lower the temperature, or ask for the answer's key phrase";
        Cghc: "cghc", "citations are wrong in more than one run of twenty",
            "look at what those runs retrieved: either the retriever or the rule for citing is unstable";
        Css: "css", "runs cite different chunks",
            "cite as few chunks as support the answer, and rank ties in a fixed order";
        Ned50: "ned50", "runs word the answer differently",
            "lower the temperature, or ask for a fixed form of the answer";
        ScuCons: "scu_cons", "a run does not echo the locked constraints",
            "require a verbatim echo of the constraints in every run";
        Rcr: "rcr", "an unanswerable question is refused in some runs and answered in others",
            "make the refusal rule strict: the same evidence must not be enough in one run and too little in the next";
        RefusalRate: "refusal_rate", "an unanswerable question is answered in more than one run of fifty",
            "strengthen the refusal rule, or raise the bar for what counts as evidence";
        Iaa: "iaa", "pairs of runs say different things",
            "lower the temperature, or ask for a fixed form of the answer";
    }
}

impl Property {
    /// The measures that decide about an answerable case.
    pub const ANSWERABLE: [Property; 5] =
        [Property::Acr, Property::Cghc, Property::Css, Property::Ned50, Property::ScuCons];
    /// The measures that decide about an unanswerable case.
    pub const UNANSWERABLE: [Property; 2] = [Property::Rcr, Property::RefusalRate];

    /// The limit in hundredths, and whether a value must stay below it rather than above.
    fn limit(self) -> Option<(u64, Ordering)> {
        match self {
            Property::Acr | Property::Cghc => Some((95, Ordering::Less)),
            Property::Css => Some((70, Ordering::Less)),
            Property::Ned50 => Some((20, Ordering::Greater)),
            Property::ScuCons => Some((100, Ordering::Less)),
            Property::Rcr | Property::RefusalRate => Some((98, Ordering::Less)),
            Property::Iaa => None,
        }
    }

    /// Whether a value is on the right side of the limit.
    #[must_use]
    pub fn holds(self, value: Share) -> bool {
        self.limit().is_none_or(|(hundredths, wrong)| value.against(hundredths) != wrong)
    }

    /// The limit as text: `>= 0.95`.
    #[must_use]
    pub fn limit_text(self) -> String {
        match self.limit() {
            Some((100, _)) => "1".into(),
            Some((hundredths, Ordering::Greater)) => format!("<= 0.{hundredths:02}"),
            Some((hundredths, _)) => format!(">= 0.{hundredths:02}"),
            None => String::new(),
        }
    }
}
