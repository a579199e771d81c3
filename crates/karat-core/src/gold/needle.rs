//! Which phrases must a claim contain? Each contract has its own way to say it.

use crate::model::Needle;
use crate::text;

/// The phrases of the first contract, those under five characters left out.
pub(super) fn phrases_of<'p>(phrases: impl Iterator<Item = &'p str>, all: bool) -> Needle {
    let lower: Vec<Box<str>> = phrases.map(|text| text.to_lowercase().into()).collect();
    let long = |text: &str| text.chars().nth(4).is_some();
    if lower.is_empty() {
        Needle::Nothing
    } else if all {
        if lower.iter().all(|text| long(text)) { Needle::All(lower.into()) } else { Needle::Never }
    } else {
        let usable: Box<[Box<str>]> = lower.into_iter().filter(|text| long(text)).collect();
        if usable.is_empty() { Needle::Never } else { Needle::Any(usable) }
    }
}

/// The phrases of the second contract: runs of `[a-z0-9]`, hyphens and white space that begin with a letter or a digit.
pub(super) fn runs_of(claim: &str) -> Needle {
    let lower = claim.to_lowercase();
    let part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || text::is_space(c);
    let runs = lower.split(|c| !part(c)).filter_map(|run| {
        let run = run.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        let trimmed = text::trim(run);
        (trimmed.chars().nth(4).is_some()).then(|| trimmed.into())
    });
    let runs: Box<[Box<str>]> = runs.collect();
    if runs.is_empty() { Needle::Never } else { Needle::Any(runs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_maximal_and_trimmed() {
        let runs = |claim: &str| match runs_of(claim) {
            Needle::Any(runs) => runs.join("|"),
            other => format!("{other:?}"),
        };
        assert_eq!(runs("X is a constrained mapping."), "x is a constrained mapping");
        assert_eq!(runs("Ω-rule, v2"), "Never");
        assert_eq!(runs("a-b c"), "a-b c");
        assert_eq!(runs("--abc  , long enough "), "long enough");
        assert_eq!(runs("- claims-2"), "claims-2");
    }

    #[test]
    fn phrases_count_characters_after_lower_casing() {
        assert!(matches!(phrases_of(["İabc"].into_iter(), false), Needle::Any(_)), "four before, five after");
        assert_eq!(phrases_of(["abcd"].into_iter(), false), Needle::Never);
        assert_eq!(phrases_of(["abcde", "x"].into_iter(), true), Needle::Never);
        assert_eq!(phrases_of([].into_iter(), true), Needle::Nothing);
    }
}
