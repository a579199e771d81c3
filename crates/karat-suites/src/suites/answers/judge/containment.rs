//! C: does the claim contain what gold asks for?
//!
//! Substrings of five characters or more, lower-cased on both sides. An empty claim contains nothing, not even an
//! empty list.

use crate::model::{Case, Needle};
use crate::text;

/// Whether the claim contains what gold asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Containment {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Gold does not say what to look for, which counts neither for nor against an answer.
    Unknown,
}

/// Looks for a case's phrases in a lower-cased claim.
#[must_use]
pub fn check(case: &Case, lower: &str) -> Containment {
    if text::trim(lower).is_empty() {
        return Containment::No;
    }
    let found = match case.needle {
        Needle::Nothing => true,
        Needle::Any => case.phrases().any(|phrase| lower.contains(phrase)),
        Needle::All => case.phrases().all(|phrase| lower.contains(phrase)),
        Needle::Never => false,
        Needle::Unknown => return Containment::Unknown,
    };
    if found { Containment::Yes } else { Containment::No }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Texts;

    #[test]
    fn any_all_never_nothing() {
        let with = |needle, claim: &str| {
            let texts = Texts { phrases: vec!["null keys".into(), "rejects".into()], ..Texts::default() };
            let mut case = Case::new(&texts);
            case.needle = needle;
            check(&case, claim)
        };
        assert_eq!(with(Needle::Any, "x has null keys"), Containment::Yes);
        assert_eq!(with(Needle::All, "x has null keys"), Containment::No);
        assert_eq!(with(Needle::All, "x rejects null keys"), Containment::Yes);
        assert_eq!(with(Needle::Never, "x"), Containment::No);
        assert_eq!(with(Needle::Nothing, "x"), Containment::Yes);
        assert_eq!(with(Needle::Nothing, " \n"), Containment::No);
        assert_eq!(with(Needle::Unknown, "x"), Containment::Unknown);
    }
}
