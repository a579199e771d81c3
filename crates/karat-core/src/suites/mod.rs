//! How does each suite go from its files to a report? One folder per suite, each read from top to bottom.
//!
//! What a suite counts and gates is data ([`crate::profiles`]); what happens once its cases are judged is shared
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
    "A refusal instead of 'not in context': an exact text, or a /pattern/ that is searched anywhere in the claim (repeatable)",
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
