//! Judging: what can be observed about one case, as a pure function of a gold row and a trace.
//!
//! Each file answers one question. The result is a [`Verdict`]: facts without text, which is all that a metric may see.
//! Parsing and joining end here; arithmetic starts here.

pub mod citation;
pub mod constraint;
pub mod containment;
pub mod packed;
pub mod ranking;
pub mod refusal;
pub mod rules;

pub use super::labels::{Label, Stage};
pub use citation::Cited;
pub use constraint::Constraint;
pub use containment::Containment;
pub use packed::Packed;
pub use ranking::Ranks;
pub use refusal::Refusal;
pub use rules::RulePack;

use crate::metrics::{self, Facts, Population};
use crate::model::{Case, Listed, Trace};
use crate::suites::terms::terms;
use crate::text;

terms! {
    /// How locked constraints are treated.
    #[derive(Default)]
    pub enum Scu {
        Off: "off", "Ignore them";
        #[default]
        Report: "report", "Count violations";
        Enforce: "enforce", "Let a violation make an answer wrong";
    }
}

/// Whether there was anything to judge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Presence {
    /// The case has a trace.
    Traced,
    /// The case has no trace.
    Missing,
    /// The trace says that the pipeline failed.
    Errored,
}

/// Everything observable about one case, without its texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether there was a trace.
    pub presence: Presence,
    /// Whether gold says that the question can be answered.
    pub answerable: bool,
    /// Whether the claim is the refusal.
    pub refused: bool,
    /// Whether the claim is nearly the refusal: shipped, and probably not meant to be.
    pub near_refusal: bool,
    /// C: whether the claim contains what gold asks for.
    pub containment: Containment,
    /// Whether citations are a list.
    pub citations: Listed,
    /// Whether every cited id was retrieved.
    pub in_scope: bool,
    /// Distinct ids cited.
    pub cited: u32,
    /// Distinct ids cited that are gold.
    pub cited_gold: u32,
    /// Distinct ids that gold names.
    pub gold: u32,
    /// The ranks at which gold's ids were retrieved.
    pub ranks: Ranks,
    /// Whether the claim contains a forbidden text.
    pub forbidden: bool,
    /// Whether gold locks constraints.
    pub constrained: bool,
    /// K: whether the constraints were kept.
    pub constraint: Constraint,
}

impl Verdict {
    /// The verdict of a case without a trace: a shipped empty answer.
    #[must_use]
    pub fn missing(case: &Case, scu: Scu) -> Self {
        let constrained = case.constraints().len() > 0;
        Verdict {
            presence: Presence::Missing,
            answerable: case.answerable,
            refused: false,
            near_refusal: false,
            containment: Containment::No,
            citations: Listed::Absent,
            in_scope: true,
            cited: 0,
            cited_gold: 0,
            gold: case.citations().len() as u32,
            ranks: Ranks::default(),
            forbidden: false,
            constrained,
            constraint: if constrained && scu != Scu::Off {
                Constraint::EchoMismatch
            } else {
                Constraint::Kept
            },
        }
    }

    /// S: whether an answer other than the refusal was given, even an empty one.
    #[inline]
    #[must_use]
    pub fn shipped(&self) -> bool {
        !self.refused
    }

    /// S∩A: whether an answerable question got a shipped answer.
    #[inline]
    #[must_use]
    pub fn shipped_answerable(&self) -> bool {
        self.shipped() && self.answerable
    }

    /// Whether there is a trace that is not an error of the pipeline.
    #[inline]
    #[must_use]
    pub fn traced(&self) -> bool {
        self.presence == Presence::Traced
    }

    /// H: citations are a list, all of them were retrieved, and one is gold; if gold names none, none is cited.
    #[inline]
    #[must_use]
    pub fn hit(&self) -> bool {
        let cited = Cited { ids: self.cited, gold: self.cited_gold, in_scope: self.in_scope };
        self.traced() && cited.hits(self.citations, self.gold)
    }

    /// Whether a citation is gold, retrieved or not.
    #[inline]
    #[must_use]
    pub fn overlaps(&self) -> bool {
        self.cited_gold > 0
    }

    /// Whether a shipped answer to an answerable question is right, as precision defines it.
    #[inline]
    #[must_use]
    pub fn right(&self, scu: Scu) -> bool {
        self.hit()
            && self.containment != Containment::No
            && !self.forbidden
            && (scu != Scu::Enforce || self.constraint == Constraint::Kept)
    }
}

/// What the metrics of answers are parametrised by.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// The cut-off.
    pub k: u32,
    /// How constraints are treated.
    pub scu: Scu,
}

impl Default for Params {
    fn default() -> Self {
        Params { k: 5, scu: Scu::default() }
    }
}

impl metrics::Params for Params {
    fn at(self, k: u32) -> Self {
        Params { k, ..self }
    }
}

impl Facts for Verdict {
    type Params = Params;

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

/// The rules that every case is judged by.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Which claims are refusals.
    pub refusal: Refusal,
    /// How constraints are treated.
    pub scu: Scu,
    /// The rules for contradictions of constraints.
    pub contradictions: RulePack,
}

impl Rules {
    /// A fingerprint of the refusals and contradiction rules, which decide a verdict together with gold, trace and `scu`.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let refusals = self.refusal.to_string();
        crate::input::source::sha256(std::iter::once(refusals.as_str()).chain(self.contradictions.texts()))
    }

    /// The entry `rules` of a report's settings, so that reports judged by different rules are not compared; `None` for the
    /// default rules.
    pub(crate) fn setting(&self) -> Option<(String, serde_json::Value)> {
        Rules::setting_of(&self.fingerprint())
    }

    /// The entry `rules` for rules with this fingerprint.
    pub(crate) fn setting_of(fingerprint: &str) -> Option<(String, serde_json::Value)> {
        let usual = fingerprint == Rules::default().fingerprint();
        (!usual).then(|| ("rules".into(), format!("sha256:{fingerprint}").into()))
    }
}

/// Buffers that are reused from case to case.
#[derive(Debug, Default)]
pub struct Scratch {
    lower: String,
    rules: rules::Cache,
}

/// Judges one trace against its gold row.
#[must_use]
pub fn judge(case: &Case, trace: &Trace<'_>, rules: &Rules, scratch: &mut Scratch) -> Verdict {
    if trace.errored() {
        let citations = trace.citations;
        return Verdict { presence: Presence::Errored, citations, ..Verdict::missing(case, rules.scu) };
    }
    let claim = trace.claim.as_deref().unwrap_or_default();
    text::lower_into(claim, &mut scratch.lower);
    let lower = scratch.lower.as_str();
    let refused = rules.refusal.is(text::trim(lower));
    let cited = citation::cited(case, trace);
    let constraint = if refused || rules.scu == Scu::Off || case.constraints().len() == 0 {
        Constraint::Kept
    } else {
        let lock: Vec<&str> = case.constraints().collect();
        constraint::check(&lock, trace, claim, &rules.contradictions, &mut scratch.rules)
    };
    Verdict {
        presence: Presence::Traced,
        answerable: case.answerable,
        refused,
        near_refusal: !refused && rules.refusal.nearly(text::trim(lower)),
        containment: containment::check(case, lower),
        citations: trace.citations,
        in_scope: cited.in_scope,
        cited: cited.ids,
        cited_gold: cited.gold,
        gold: case.citations().len() as u32,
        ranks: ranking::ranks(case.citations(), &trace.retrieved),
        forbidden: case.forbidden().any(|text| lower.contains(text)),
        constrained: case.constraints().len() > 0,
        constraint,
    }
}
