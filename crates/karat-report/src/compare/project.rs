//! Two checks: what did a change do to every suite of a project, and may it ship?
//!
//! Suites are paired by their names in karat.toml. A suite that is gone, or that can no longer be scored, is a loss; one that
//! is new has nothing to be compared with, and its own gates decide.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::comparison::Comparison;
use super::{Gates, Policy, allowances, compare};
use crate::formats::Style;
use crate::formats::md::check::demoted;
use crate::formats::md::escape;
use crate::formats::text::Page;
use crate::problem::{Failure, Problem};
use crate::report::{Checked, CheckedSuite, Decision, Report};
use crate::text;

/// The version of the serialised form.
pub const SCHEMA: &str = "karat.comparisons/1";

/// What a change did to a project.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Project {
    /// The version of this form.
    pub schema: String,
    /// The version of karat.
    pub karat: String,
    /// Whether the change may ship.
    pub pass: bool,
    /// Ship or not.
    pub verdict: Decision,
    /// Why, a sentence each.
    pub reasons: Vec<String>,
    /// The suites that both sides have, those that may not ship first.
    pub suites: Vec<Comparison>,
}

/// Compares two checks, each with the name that messages call it by.
pub fn project(
    (base_name, base): (&str, &Checked),
    (new_name, new): (&str, &Checked),
    policy: &Policy,
) -> Result<Project, Failure> {
    let (mut suites, mut problems) = (Vec::new(), Vec::new());
    let (mut lost, mut added) = (Vec::new(), Vec::new());
    let mut verdict = Decision::Ship;
    let pairs: Vec<(&CheckedSuite, Option<&Report>)> =
        new.suites.iter().map(|suite| (suite, report_of(base, &suite.name))).collect();
    let policies = policies(policy, &pairs, &mut problems);
    for ((suite, before), policy) in pairs.iter().zip(&policies) {
        let name = text::visible(&suite.name);
        match (before, &suite.report) {
            (_, None) => lost.push(format!("{name} could not be scored")),
            (Some(before), Some(now)) => {
                let called = |file: &str| format!("{file} [{name}]");
                match compare((&called(base_name), before), (&called(new_name), now), policy) {
                    Ok(found) => suites.push(Comparison { name: Some(suite.name.clone()), ..found }),
                    Err(failure) => problems.extend(failure.problems),
                }
            }
            (None, Some(now)) => {
                if policy.gates == Gates::Count {
                    verdict = worse(verdict, now.decision());
                }
                added.push(format!("{name} is not in the base: {} by its own gates", now.decision().name()));
            }
        }
    }
    let gone = |suite: &&CheckedSuite| !new.suites.iter().any(|other| other.name == suite.name);
    lost.extend(
        base.suites.iter().filter(gone).map(|suite| format!("{} is gone", text::visible(&suite.name))),
    );
    if let Some(lock) = new.lock.as_ref().filter(|lock| !lock.pass && policy.gates == Gates::Count) {
        lost.push(format!("gold is not what was locked: {}", text::visible(&lock.says)));
    }
    if !problems.is_empty() {
        return Err(Failure::new(problems));
    }
    if !lost.is_empty() {
        verdict = Decision::NoShip;
    }
    verdict = suites.iter().fold(verdict, |verdict, suite| worse(verdict, suite.verdict));
    suites.sort_by_key(|suite| suite.pass);
    let mut reasons = lost;
    reasons.push(says(&suites));
    reasons.extend(added);
    if suites.is_empty() && verdict == Decision::Ship {
        verdict = Decision::Inconclusive;
    }
    Ok(Project {
        schema: SCHEMA.into(),
        karat: env!("CARGO_PKG_VERSION").into(),
        pass: verdict == Decision::Ship,
        verdict,
        reasons,
        suites,
    })
}

fn report_of<'c>(checked: &'c Checked, name: &str) -> Option<&'c Report> {
    checked.reports().find(|(other, _)| *other == name).map(|(_, report)| report)
}

/// The policy of each suite: what is allowed for a figure holds where the figure is. A figure that no suite has is a problem.
fn policies(
    policy: &Policy,
    pairs: &[(&CheckedSuite, Option<&Report>)],
    problems: &mut Vec<Problem>,
) -> Vec<Policy> {
    let mut policies = vec![Policy { allow: Vec::new(), ..policy.clone() }; pairs.len()];
    for one in &policy.allow {
        let alone = Policy { allow: vec![one.clone()], ..policy.clone() };
        let (mut known, mut unknown) = (false, Vec::new());
        for ((suite, before), policy) in pairs.iter().zip(&mut policies) {
            let (Some(before), Some(now)) = (before, &suite.report) else { continue };
            match allowances(&alone, before, now) {
                Ok(_) => {
                    known = true;
                    policy.allow.push(one.clone());
                }
                Err(wrong) => unknown = wrong,
            }
        }
        if !known {
            problems.append(&mut unknown);
        }
    }
    policies
}

fn worse(a: Decision, b: Decision) -> Decision {
    let order = [Decision::Ship, Decision::Inconclusive, Decision::NoShip];
    order.into_iter().rfind(|verdict| [a, b].contains(verdict)).unwrap_or(a)
}

/// What the suites that were compared come to.
fn says(suites: &[Comparison]) -> String {
    let all = text::count(suites.len() as u64, "suite");
    let stuck: Vec<String> = suites.iter().filter(|suite| !suite.pass).map(Comparison::called).collect();
    match (suites.len(), stuck.len()) {
        (0, _) => "no suite could be compared".into(),
        (_, 0) => format!("{all} compared, and none stands in the way"),
        (_, n) => format!("{n} of {all} may not ship: {}", stuck.join(", ")),
    }
}

impl Project {
    /// Suites that may not ship in full, the others in a line.
    pub(super) fn text(&self, style: &Style) -> String {
        let mut out = Page::render(style, |page| page.reasons(self.verdict, "compare", &self.reasons));
        for suite in self.suites.iter().filter(|_| !style.brief) {
            out.push('\n');
            out.push_str(&super::text::render(suite, &Style { brief: suite.pass, ..*style }));
        }
        out
    }

    pub(super) fn md(&self) -> String {
        let mut out =
            format!("# {} karat compare: {}\n\n", super::md::sign(self.verdict), self.verdict.name());
        self.reasons.iter().for_each(|reason| out.push_str(&format!("- {}\n", escape(reason))));
        let suites =
            self.suites.iter().map(|suite| format!("\n{}", demoted(super::md::render(suite).lines())));
        out.extend(suites);
        out
    }
}
