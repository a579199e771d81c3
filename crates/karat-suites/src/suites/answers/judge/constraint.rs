//! K: does the answer repeat the locked constraints without contradicting any of them?
//!
//! Echo and lock must be equal as trimmed multisets. An answer that fails both checks counts once, as an echo mismatch.

use super::rules::{Cache, RulePack};
use crate::model::{Listed, Trace};

/// The result of the check of locked constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// Repeated, and not contradicted; or there are none.
    Kept,
    /// The echo is not the lock.
    EchoMismatch,
    /// A contradiction rule fired.
    Contradiction,
}

/// Checks an answer against its lock, which must be sorted.
pub(super) fn check(
    lock: &[&str],
    trace: &Trace<'_>,
    claim: &str,
    rules: &RulePack,
    cache: &mut Cache,
) -> Constraint {
    if !echoes(lock, trace) {
        Constraint::EchoMismatch
    } else if rules.contradiction(lock, claim, cache).is_some() {
        Constraint::Contradiction
    } else {
        Constraint::Kept
    }
}

/// Whether an answer repeats its lock, which must be sorted.
pub(crate) fn echoes(lock: &[&str], trace: &Trace<'_>) -> bool {
    if trace.echo != Listed::List
        || trace.echoed.len() != lock.len()
        || trace.echoed.iter().any(|echo| echo.odd)
    {
        return false;
    }
    let mut echo: Vec<&str> = trace.echoed.iter().map(|echo| &*echo.text).collect();
    echo.sort_unstable();
    echo == lock
}
