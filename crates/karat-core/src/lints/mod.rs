//! Which things make a gold set weaker than it looks? One file each; `karat gold lint` asks them all.

use crate::lint::{Found, Set};
use crate::problem::Kind;

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod few_unanswerable;
pub mod forbidden_required;
pub mod hidden_character;
pub mod in_question;
pub mod near_duplicate;
pub mod shared_substring;
pub mod thin_slice;

/// Every lint, in alphabetical order.
pub const ALL: &[&Lint] = &[
    &few_unanswerable::LINT,
    &forbidden_required::LINT,
    &hidden_character::LINT,
    &in_question::LINT,
    &near_duplicate::LINT,
    &shared_substring::LINT,
    &thin_slice::LINT,
];
// codegen: end

/// A lint, declared.
pub struct Lint {
    /// Its name, which is its file's.
    pub name: &'static str,
    /// What it finds; `karat explain SLUG` says what it means and what to do.
    pub kind: &'static Kind,
    /// How it decides, in a sentence or two.
    pub method: &'static str,
    /// Looks at a set.
    pub look: fn(&Set<'_>, &mut Found<'_>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{self, Severity};

    #[test]
    fn lints_are_warnings_under_their_own_names() {
        for lint in ALL {
            assert_eq!(lint.kind.slug, format!("gold/{}", lint.name.replace('_', "-")));
            assert!(lint.kind.severity == Severity::Warning && lint.method.ends_with('.'));
            assert_eq!(problem::kind(lint.kind.slug), Some(lint.kind));
        }
    }
}
