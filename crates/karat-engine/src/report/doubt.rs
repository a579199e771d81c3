//! Doubts that any suite may raise: what the verdict must not be read without.

use super::{Amber, Gate, Report};
use crate::gate::{Op, Origin};
use crate::text;

impl Report {
    /// The report with the doubts that its own figures raise.
    #[must_use]
    pub fn doubted(mut self) -> Self {
        let doubts = [unmatched(&self), switched_off(&self)];
        self.amber.extend(doubts.into_iter().flatten());
        self
    }
}

/// Most traces belong to no case, and no gate asks about it.
fn unmatched(report: &Report) -> Option<Amber> {
    let unmatched = *report.counts.get("unmatched")?;
    let rows: u64 = report.inputs.iter().filter(|input| input.role == "trace").map(|input| input.rows).sum();
    let gated = report.gates.iter().any(|gate| gate.metric == "unmatched");
    (!gated && unmatched > rows.saturating_sub(unmatched)).then(|| {
        let says = format!(
            "{unmatched} of {} belong to no gold case, and were not scored: are they of another gold set, or do they name their cases by other ids (`qid`)?",
            text::count(rows, "trace")
        );
        Amber::new("unmatched", unmatched, says)
    })
}

/// Gates that would apply in any case, and that somebody has switched off.
fn switched_off(report: &Report) -> Option<Amber> {
    let off = |gate: &&Gate| {
        let always = match Op::of(&gate.op) {
            Some(Op::AtLeast) => gate.threshold <= 0.0,
            Some(Op::Above) => gate.threshold < 0.0,
            _ => false,
        };
        let counts = || report.profile.metric(&gate.metric).is_some_and(|metric| metric.among_counts);
        always && gate.origin == Origin::Explicit.name() && counts()
    };
    let off: Vec<&str> = report.gates.iter().filter(off).map(|gate| gate.text.as_str()).collect();
    let verb = if off.len() == 1 { "switches" } else { "switch" };
    let says = format!("{} {verb} off what is asked of every run", off.join(", "));
    (!off.is_empty()).then(|| Amber::new("gate-off", off.len() as u64, says))
}
