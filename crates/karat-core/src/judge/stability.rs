//! Does a case come out the same, and right, however often and in whichever wording it is asked?

mod words;

use std::cmp::Ordering;

use super::canonical::canonical_into;
use super::drift::{Share, pairs};
use super::{Refusal, citation, constraint};
use crate::metrics::{Facts, Measure, Metric, Observation, Params, Population};
use crate::model::{Case, Needle, Trace};
use crate::text;
pub use words::{Label, Stage};

/// What one run shows beside its words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The pipeline failed and said nothing.
    pub errored: bool,
    /// The claim is the refusal.
    pub refused: bool,
    /// C, of canonical texts. An empty list is contained in whatever is said, a refusal too, and not in nothing.
    pub contained: bool,
    /// H.
    pub hit: bool,
    /// The echo equals gold's constraints; true where there are none.
    pub echoed: bool,
}

/// Memory that is used again from run to run.
#[derive(Debug, Default)]
pub struct Scratch {
    lower: String,
    phrase: String,
    /// The canonical claim of the run that was looked at last.
    pub claim: String,
}

/// Looks at one run; its canonical claim is left in `scratch`.
#[must_use]
pub fn look(case: &Case, trace: &Trace<'_>, refusal: &Refusal, scratch: &mut Scratch) -> Look {
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
        return Look { errored, refused: false, contained, hit: false, echoed: unlocked };
    }
    let lock: Vec<&str> = case.constraints().collect();
    let wanted = case.citations().len() as u32;
    Look {
        errored,
        refused,
        contained,
        // A refusal rests on nothing, whatever it cites: its citations are the empty set.
        hit: if refused { wanted == 0 } else { citation::cited(case, trace).hits(trace.citations, wanted) },
        echoed: unlocked || constraint::echoes(&lock, trace),
    }
}

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It answers right, or refuses where it must.
    Held,
    /// It answers wrong, or where it must refuse.
    Wrong,
    /// It refuses a question that can be answered.
    Refused,
    /// The pipeline failed.
    Errored,
    /// The grid asks for it, and it is not there.
    Missing,
}

impl State {
    /// Every state.
    pub const ALL: [State; 5] = [State::Held, State::Wrong, State::Refused, State::Errored, State::Missing];

    /// What one run came to.
    #[must_use]
    pub fn of(answerable: bool, look: Look) -> Self {
        match (answerable, look) {
            (_, Look { errored: true, .. }) => State::Errored,
            (true, Look { refused: true, .. }) => State::Refused,
            (true, Look { contained: true, hit: true, echoed: true, .. }) => State::Held,
            (false, Look { refused: true, .. }) => State::Held,
            _ => State::Wrong,
        }
    }

    /// The letter for it in a grid.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            State::Held => 'h',
            State::Wrong => 'w',
            State::Refused => 'r',
            State::Errored => 'e',
            State::Missing => '-',
        }
    }
}

/// Everything observable about the runs of one case, the strings gone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// Gold says that the question can be answered.
    pub answerable: bool,
    /// Gold locks constraints.
    pub constrained: bool,
    /// N.
    pub runs: u64,
    /// Runs that refuse.
    pub refusals: u64,
    /// Runs in which the pipeline failed.
    pub errored: u64,
    /// Runs in which it did not, and said nothing all the same.
    pub silent: u64,
    /// Runs with containment.
    pub contained: u64,
    /// Runs with H.
    pub hits: u64,
    /// Runs that hold.
    pub held: u64,
    /// Ids that every run cites.
    pub cited_always: u64,
    /// Ids that some run cites.
    pub cited_ever: u64,
    /// The median distance between the wordings.
    pub ned50: Share,
    /// Pairs of wordings that were taken as wholly different unseen.
    pub uncompared: u64,
    /// Every run that is no refusal echoes the constraints.
    pub echoed: bool,
    /// Pairs of runs with equal canonical claims.
    pub equal_pairs: u64,
    /// Runs that the grid asks for and that are not there.
    pub missing: u64,
}

impl Verdict {
    /// Of a case without a run, of which the grid asks for so many.
    #[must_use]
    pub fn missing(case: &Case, missing: u64) -> Self {
        Verdict {
            answerable: case.answerable,
            constrained: case.constraints().len() > 0,
            runs: 0,
            refusals: 0,
            errored: 0,
            silent: 0,
            contained: 0,
            hits: 0,
            held: 0,
            cited_always: 0,
            cited_ever: 0,
            ned50: Share { num: 0, den: 1 },
            uncompared: 0,
            echoed: true,
            equal_pairs: 0,
            missing,
        }
    }

    /// The value of a measure of this case; `None` where it has none.
    #[must_use]
    pub fn value(&self, of: Of) -> Option<Share> {
        let n = self.runs;
        let some = |share: Share| (n > 0).then_some(share);
        match of {
            Of::Acr => Share::of(self.contained, n),
            Of::Cghc => Share::of(self.hits, n),
            Of::Css => {
                some(Share::of(self.cited_always, self.cited_ever).unwrap_or(Share { num: 1, den: 1 }))
            }
            Of::Ned50 => some(self.ned50),
            Of::ScuCons if self.constrained => some(Share { num: self.echoed.into(), den: 1 }),
            Of::ScuCons => None,
            Of::Rcr => Share::of(self.refusals.max(n - self.refusals), n),
            Of::RefusalRate => Share::of(self.refusals, n),
            Of::Iaa => Share::of(self.equal_pairs, pairs(n)),
        }
    }

    /// The measures that this case stands on and that are on the wrong side of their limit, in their order.
    pub fn broken(&self) -> impl Iterator<Item = Of> {
        let judged: &[Of] = if self.answerable { &Of::ANSWERABLE } else { &Of::UNANSWERABLE };
        judged.iter().copied().filter(|of| self.value(*of).is_some_and(|value| !of.holds(value)))
    }

    /// Whether it comes out the same, and right.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.runs > 0 && self.broken().next().is_none()
    }

    /// What broke first.
    #[must_use]
    pub fn stage(&self) -> Stage {
        match self.broken().next() {
            _ if self.runs == 0 => Stage::Runs,
            Some(of) => Stage::Broken(of),
            None if self.missing > 0 => Stage::Runs,
            None => Stage::Pass,
        }
    }

    /// The word for what became of it.
    #[must_use]
    pub fn label(&self) -> Label {
        match self.stage() {
            Stage::Pass => Label::Stable,
            Stage::Runs if self.runs == 0 => Label::Missing,
            Stage::Runs => Label::Incomplete,
            Stage::Broken(Of::RefusalRate) => Label::Hallucination,
            Stage::Broken(Of::Acr | Of::Cghc) if self.held == 0 => Label::Wrong,
            Stage::Broken(Of::Acr | Of::Cghc | Of::Rcr) => Label::Flips,
            Stage::Broken(Of::ScuCons) => Label::ScuViolation,
            Stage::Broken(Of::Css | Of::Ned50 | Of::Iaa) => Label::Drifts,
        }
    }

    /// What it adds to the mean of a measure. Runs that all say nothing say the same, and that is no agreement: a case of
    /// such runs alone enters no mean.
    #[must_use]
    pub fn observe(&self, of: Of) -> Option<Observation> {
        if self.errored + self.silent == self.runs && matches!(of, Of::Css | Of::Ned50 | Of::Rcr | Of::Iaa) {
            return None;
        }
        self.value(of).map(|share| Observation::fraction(share.num.into(), share.den.into()))
    }
}

impl Facts for Verdict {
    fn measure(&self, metric: &Metric, _: &Params) -> Option<Observation> {
        match metric.measure {
            Measure::Stability(measure) => measure(self),
            _ => None,
        }
    }

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

/// A measure of one case over its runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Runs whose claim contains what gold asks for.
    Acr,
    /// Runs whose citations are good.
    Cghc,
    /// How far citation sets agree.
    Css,
    /// How far wordings are apart.
    Ned50,
    /// Whether constraints are echoed in every run.
    ScuCons,
    /// How consistently it is refused, or is not.
    Rcr,
    /// Runs that refuse.
    RefusalRate,
    /// Pairs of equal claims.
    Iaa,
}

impl Of {
    /// Every measure, in the order of a report.
    pub const ALL: [Of; 8] =
        [Of::Acr, Of::Cghc, Of::Css, Of::Ned50, Of::ScuCons, Of::Rcr, Of::RefusalRate, Of::Iaa];
    /// What an answerable case stands on.
    pub const ANSWERABLE: [Of; 5] = [Of::Acr, Of::Cghc, Of::Css, Of::Ned50, Of::ScuCons];
    /// What an unanswerable case stands on.
    pub const UNANSWERABLE: [Of; 2] = [Of::Rcr, Of::RefusalRate];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Of::Acr => "acr",
            Of::Cghc => "cghc",
            Of::Css => "css",
            Of::Ned50 => "ned50",
            Of::ScuCons => "scu_cons",
            Of::Rcr => "rcr",
            Of::RefusalRate => "refusal_rate",
            Of::Iaa => "iaa",
        }
    }

    /// The limit in hundredths, and whether a value must stay below it rather than above.
    fn limit(self) -> Option<(u64, Ordering)> {
        match self {
            Of::Acr | Of::Cghc => Some((95, Ordering::Less)),
            Of::Css => Some((70, Ordering::Less)),
            Of::Ned50 => Some((20, Ordering::Greater)),
            Of::ScuCons => Some((100, Ordering::Less)),
            Of::Rcr | Of::RefusalRate => Some((98, Ordering::Less)),
            Of::Iaa => None,
        }
    }

    /// Whether a value is on the right side of the limit.
    #[must_use]
    pub fn holds(self, value: Share) -> bool {
        self.limit().is_none_or(|(hundredths, wrong)| value.against(hundredths) != wrong)
    }

    /// What a value must be, as it is written: `>= 0.95`.
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
