//! Which phrases must a claim contain? Each contract has its own way to say it.

use std::borrow::Cow;

use crate::model::{Needle, Parts};
use crate::text;

/// Adds the phrases of the first contract, those under five characters left out.
pub(super) fn phrases_of<'p>(phrases: impl Iterator<Item = &'p str>, all: bool, parts: &mut Parts) -> Needle {
    let (mut listed, mut left) = (0, 0);
    for phrase in phrases {
        listed += 1;
        left += usize::from(parts.phrase(phrase));
    }
    match (listed, left) {
        (0, _) => Needle::Nothing,
        (_, 0) => Needle::Never,
        _ if all && left < listed => Needle::Never,
        _ if all => Needle::All,
        _ => Needle::Any,
    }
}

/// The phrases of the second contract: runs of `[a-z0-9]`, hyphens and white space that begin with a letter or a digit.
pub(crate) fn runs_of(claim: &str) -> (Needle, Vec<Cow<'static, str>>) {
    let lower = claim.to_lowercase();
    let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || text::is_space(c);
    let runs = lower.split(|c| !part(c)).filter_map(|run| {
        let run = text::trim(run.trim_start_matches(|c: char| !c.is_ascii_alphanumeric()));
        run.chars().nth(4).is_some().then(|| Cow::Owned(run.to_owned()))
    });
    let runs: Vec<Cow<'static, str>> = runs.collect();
    (if runs.is_empty() { Needle::Never } else { Needle::Any }, runs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Case;

    #[test]
    fn runs_are_maximal_and_trimmed() {
        let runs = |claim: &str| match runs_of(claim) {
            (Needle::Any, runs) => runs.join("|"),
            (other, _) => format!("{other:?}"),
        };
        assert_eq!(runs("X is a constrained mapping."), "x is a constrained mapping");
        assert_eq!(runs("Ω-rule, v2"), "Never");
        assert_eq!(runs("a-b c"), "a-b c");
        assert_eq!(runs("--abc  , long enough "), "long enough");
        assert_eq!(runs("- claims-2"), "claims-2");
    }

    #[test]
    fn phrases_count_characters_after_lower_casing() {
        let needle = |phrases: &[&str], all| {
            let mut parts = Parts::default();
            parts.begin("Q1");
            let needle = phrases_of(phrases.iter().copied(), all, &mut parts);
            let mut case = Case::default();
            parts.fill("", &mut case);
            parts.share(std::slice::from_mut(&mut case));
            (needle, case.phrases().collect::<Vec<_>>().join("|"))
        };
        assert_eq!(needle(&["İabc"], false), (Needle::Any, "i\u{307}abc".into()), "four before, five after");
        assert_eq!(needle(&["abcd"], false), (Needle::Never, String::new()));
        assert_eq!(needle(&["ABCDE", "x"], true), (Needle::Never, "abcde".into()));
        assert_eq!(needle(&["x", "ABCDE"], false), (Needle::Any, "abcde".into()));
        assert_eq!(needle(&[], true), (Needle::Nothing, String::new()));
    }
}
