//! C: does the claim contain what gold asks for?
//!
//! Substrings, lower-cased on both sides, of five characters or more. An empty claim contains nothing, not even an
//! empty list.

use crate::model::Needle;
use crate::text;

/// Whether the claim contains what gold asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Containment {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// Gold does not say what to look for: no reason against an answer, and none for it.
    Unknown,
}

/// Looks for the needle in a lower-cased claim.
#[must_use]
pub fn check(needle: &Needle, lower: &str) -> Containment {
    if text::trim(lower).is_empty() {
        return Containment::No;
    }
    let found = match needle {
        Needle::Nothing => true,
        Needle::Any(phrases) => phrases.iter().any(|phrase| lower.contains(&**phrase)),
        Needle::All(phrases) => phrases.iter().all(|phrase| lower.contains(&**phrase)),
        Needle::Never => false,
        Needle::Unknown => return Containment::Unknown,
    };
    if found { Containment::Yes } else { Containment::No }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_all_never_nothing() {
        let phrases = |all: &[&str]| all.iter().map(|p| Box::from(*p)).collect::<Box<[Box<str>]>>();
        let both = phrases(&["null keys", "rejects"]);
        assert_eq!(check(&Needle::Any(both.clone()), "x has null keys"), Containment::Yes);
        assert_eq!(check(&Needle::All(both), "x has null keys"), Containment::No);
        assert_eq!(check(&Needle::Never, "x"), Containment::No);
        assert_eq!(check(&Needle::Nothing, "x"), Containment::Yes);
        assert_eq!(check(&Needle::Nothing, " \n"), Containment::No);
        assert_eq!(check(&Needle::Unknown, "x"), Containment::Unknown);
    }
}
