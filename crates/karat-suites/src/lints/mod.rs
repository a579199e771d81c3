//! Lints: what makes a gold set weaker than it looks, one file each. `karat gold lint` applies them all.

use crate::lint::{Findings, Set};
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

/// The declaration of a lint.
pub struct Lint {
    /// The name of the lint and of its file.
    pub name: &'static str,
    /// The kind of problem that it finds; `karat explain SLUG` says what it means and what to do.
    pub kind: &'static Kind,
    /// The rule that it applies, in a sentence or two.
    pub method: &'static str,
    /// Examines a gold set.
    pub look: fn(&Set<'_>, &mut Findings<'_>),
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
