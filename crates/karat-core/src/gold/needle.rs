//! Which phrases must a claim contain? Each contract has its own way to say it.

use std::borrow::Cow;

use crate::model::Needle;
use crate::text;

/// The phrases of the first contract, those under five characters left out.
pub(super) fn phrases_of<'p>(
    phrases: impl Iterator<Item = &'p str>,
    all: bool,
) -> (Needle, Vec<Cow<'static, str>>) {
    let lower: Vec<String> = phrases.map(str::to_lowercase).collect();
    let long = |text: &String| text.chars().nth(4).is_some();
    let usable: Vec<Cow<'static, str>> =
        lower.iter().filter(|text| long(text)).cloned().map(Cow::Owned).collect();
    match (lower.len(), usable.len()) {
        (0, _) => (Needle::Nothing, usable),
        (_, 0) => (Needle::Never, usable),
        (listed, left) if all && left < listed => (Needle::Never, usable),
        _ if all => (Needle::All, usable),
        _ => (Needle::Any, usable),
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
        assert_eq!(phrases_of(["İabc"].into_iter(), false).0, Needle::Any, "four before, five after");
        assert_eq!(phrases_of(["abcd"].into_iter(), false).0, Needle::Never);
        assert_eq!(phrases_of(["abcde", "x"].into_iter(), true).0, Needle::Never);
        assert_eq!(phrases_of([].into_iter(), true).0, Needle::Nothing);
    }
}
