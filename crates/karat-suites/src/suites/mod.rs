//! How does each suite go from its files to a report? One folder per suite, each read from top to bottom.
//!
//! What a suite counts and gates is data ([`crate::profile`]); what happens once its cases are judged is shared
//! ([`crate::pipeline`]).

pub mod agreement;
pub mod answers;
mod common;
pub mod latency;
pub mod release;
pub mod retrieval;
pub mod stability;
mod terms;

use crate::judge::{Refusal, Scu};
use crate::problem::Problem;
use crate::request::Request;
use crate::request::key::{Key, Shape};
use crate::suite::Suite;

/// Every suite, in the order of help.
pub const ALL: &[&Suite] = &[
    &answers::SUITE,
    &retrieval::SUITE,
    &release::SUITE,
    &latency::SUITE,
    &agreement::SUITE,
    &stability::SUITE,
];

const REFUSAL: Key = Key::new(
    "refusal",
    Shape::Texts,
    "A refusal instead of 'not in context': an exact text, or a /pattern/ that matches the whole claim (repeatable)",
);

const SCU: Key = Key::new("scu", Shape::Word(&Scu::OPTIONS), "What is done about locked constraints")
    .or("report")
    .shorthand("scu_enforced", "enforce");

fn refusal(request: &Request) -> Result<Refusal, Problem> {
    match request.given.texts(REFUSAL.name) {
        [] => Ok(Refusal::default()),
        texts => Refusal::parse(texts),
    }
}

fn scu(request: &Request) -> Scu {
    Scu::named(request.word(SCU.name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;
    use crate::metrics::{About, input};
    use crate::profile::Profile;

    fn profiles() -> Vec<Profile> {
        ALL.iter().map(|suite| (suite.profile)()).collect()
    }

    #[test]
    fn metrics_say_what_they_mean_under_names_of_their_own() {
        let own = |suite: &str| -> Vec<&'static About> {
            match suite {
                "agreement" => agreement::metrics::ALL.iter().map(|metric| metric.about).collect(),
                "answers" => answers::metrics::ALL.iter().map(|metric| metric.about).collect(),
                "latency" => latency::metrics::ALL.iter().map(|metric| &metric.about).collect(),
                "release" => release::metrics::ALL.iter().map(|metric| metric.about).collect(),
                "retrieval" => retrieval::metrics::ALL.iter().map(|metric| metric.about).collect(),
                _ => stability::metrics::ALL.iter().map(|metric| metric.about).collect(),
            }
        };
        for profile in profiles() {
            for metric in own(profile.suite) {
                let times = profile.metrics.iter().filter(|known| known.name == metric.name).count();
                assert_eq!(times, 1, "{} {}", profile.suite, metric.name);
            }
            let mut seen = std::collections::BTreeSet::new();
            for metric in &profile.metrics {
                assert!(metric.summary.ends_with('.') && !metric.definition.is_empty(), "{}", metric.name);
                assert!(!metric.over.is_empty() && !metric.source.is_empty(), "{}", metric.name);
                for name in metric.names() {
                    assert!(seen.insert(name), "{}: {name} is taken", profile.suite);
                }
            }
            for (name, _) in profile.slices {
                assert!(profile.metric(name).is_some(), "{name}");
            }
        }
        let all = profiles();
        let reported = |count: &&About| all.iter().any(|p| p.metrics.iter().any(|m| m.name == count.name));
        assert!(input::ALL.iter().all(reported));
    }

    #[test]
    fn presets_parse_and_hold_the_metrics_own_defaults() {
        for profile in profiles() {
            for preset in profile.presets {
                assert!(!preset.summary().is_empty());
                assert!(!preset.gates(&profile.metrics, 5).unwrap().is_empty());
            }
            let defaults: Vec<String> =
                profile.metrics.iter().filter_map(|m| m.default_gate.map(str::to_owned)).collect();
            if ["answers", "release", "retrieval", "latency"].contains(&profile.suite) {
                let gates = profile.presets[0].gates(&profile.metrics, 5).unwrap();
                let gates: Vec<String> = gates.iter().map(Gate::to_string).collect();
                assert!(!defaults.is_empty() && gates.starts_with(&defaults), "{gates:?} {defaults:?}");
            }
        }
    }
}
