//! Which gate that does not pass may a check pass over, on whose word, and until when?
//!
//! A waiver is of one gate on one gold set. Constraints, admissibility and missing data cannot be waived
//! ([`crate::metrics::About::waivable`]), nor a figure that could not be measured at all.

use jiff::civil::Date;

use crate::gate::{self, Origin};
use crate::metrics;
use crate::problem::Problem;
use crate::profile::Profile;
use crate::report::{self, Outcome, Report};
use crate::request::Entries;
use crate::text;

/// A suite whose gates may be waived.
pub struct Waivable<'a> {
    /// Its name in the configuration.
    pub name: &'a str,
    /// The hashes of its gold set, where it has one: of its canonical rows, as a lock has it, and of the file, as a report has it.
    pub gold: Vec<String>,
    /// What it came to.
    pub report: &'a mut Report,
}

/// A date as waivers write it.
#[must_use]
pub fn date(text: &str) -> Option<Date> {
    text.parse().ok().filter(|_| text.len() == "2026-01-31".len())
}

/// Marks every gate that is waived on this day; says of each waiver that waives nothing why it does not.
pub fn apply(
    waivers: &[Entries],
    (today, most_days): (Date, u64),
    suites: &mut [Waivable<'_>],
) -> Result<Vec<String>, Vec<Problem>> {
    let (mut idle, mut wrong) = (Vec::new(), Vec::new());
    for waiver in waivers {
        match one(waiver, (today, most_days), suites) {
            Ok(None) => {}
            Ok(Some(why)) => idle.push(why),
            Err(problem) => wrong.push(*problem),
        }
    }
    if wrong.is_empty() { Ok(idle) } else { Err(wrong) }
}

/// Applies one waiver; says why, if it waives nothing.
fn one(
    waiver: &Entries,
    (today, most_days): (Date, u64),
    suites: &mut [Waivable<'_>],
) -> Result<Option<String>, Box<Problem>> {
    let given = |key: &str| waiver.text(key).unwrap_or_default();
    // The configuration was read, so that this is a day; were it none, the waiver would not hold.
    let expires = date(given("expires")).unwrap_or(Date::MIN);
    let (owner, written) = (given("owner"), given("gate"));
    let told = |why: String| Some(format!("{written} ({owner}): {why}"));
    let asked = waiver.text("suite");
    let mut reasons: Vec<String> = Vec::new();
    let (mut readable, mut applied) = (false, false);
    for suite in suites.iter_mut().filter(|suite| asked.is_none_or(|asked| asked == suite.name)) {
        let Some(wanted) = expression(written, suite.report) else { continue };
        readable = true;
        let same_gold = suite.gold.iter().any(|hash| is_hash(given("gold"), hash));
        let (barred, profile) = (barred(suite.report), suite.report.profile.clone());
        let vacuous: Vec<String> = vacuous(suite.report);
        for gate in suite.report.gates.iter_mut().filter(|gate| is(&wanted, gate)) {
            let why = if today > expires {
                format!("it expired on {expires}")
            } else if u64::try_from((expires - today).get_days()).is_ok_and(|days| days > most_days) {
                format!(
                    "it ends on {expires}, more than {most_days} days after {today}: see `max_waiver_days`"
                )
            } else if suite.gold.is_empty() {
                format!("{} has no gold set that a waiver could be bound to", suite.name)
            } else if !same_gold {
                format!("it is for another gold set than that of {}", suite.name)
            } else if let Some(why) = refused(&profile, gate) {
                why
            } else if let Some(why) = &barred {
                why.clone()
            } else if vacuous.contains(&gate.metric) {
                format!("{} has nothing to count, and missing data cannot be waived", gate.metric)
            } else if gate.outcome == Outcome::Pass {
                format!("the gate passes in {}: remove the waiver", suite.name)
            } else {
                gate.waived = Some(report::Waiver {
                    reason: given("reason").into(),
                    owner: owner.into(),
                    expires: expires.to_string(),
                });
                applied = true;
                continue;
            };
            if !reasons.contains(&why) {
                reasons.push(why);
            }
        }
    }
    if !readable {
        let names: Vec<&str> = suites.iter().map(|suite| suite.name).collect();
        return match asked.filter(|asked| !names.contains(asked)) {
            Some(asked) => Ok(told(format!("no suite that ran is called {}", text::visible(asked)))),
            None => Err(Box::new(waiver.problem(
                "gate",
                format!("`gate`: no suite reads \"{}\"", text::visible(written)),
                "a gate as karat.toml writes it: precision>=0.80",
            ))),
        };
    }
    Ok(match (applied, reasons.is_empty()) {
        (true, _) => None,
        (false, true) => told("no suite has this gate".into()),
        (false, false) => told(reasons.join("; ")),
    })
}

/// The gate as the suite's report writes it, if the suite knows the metric.
fn expression(written: &str, report: &Report) -> Option<String> {
    let k = report.settings.k().and_then(|k| u32::try_from(k).ok()).unwrap_or(5);
    match gate::parse(written, "gate", &report.profile.metrics, k, Origin::Explicit).ok()?.as_slice() {
        [gate] => Some(gate.to_string()),
        _ => None,
    }
}

/// Whether a gate is the one that is meant; on one value of a slice, or on all of them.
fn is(wanted: &str, gate: &report::Gate) -> bool {
    if gate.text == wanted {
        return true;
    }
    let (Some(slice), Some(from), Some(to)) = (&gate.slice, gate.text.find('['), gate.text.find(']')) else {
        return false;
    };
    from < to && format!("{}[{slice}]{}", &gate.text[..from], &gate.text[to + 1..]) == wanted
}

/// Why a gate may not be waived, if it may not.
fn refused(profile: &Profile, gate: &report::Gate) -> Option<String> {
    let waivable =
        metrics::find(&gate.metric, &profile.metrics, 5).is_some_and(|(metric, _)| metric.waivable);
    if !waivable {
        return Some(format!(
            "{} cannot be waived: constraints, admissibility and missing data never are",
            gate.metric
        ));
    }
    // A gate on an interval may be unsure because it is wide; any other that cannot be decided had nothing to count.
    let unmeasured = gate.value.is_none() || (gate.outcome == Outcome::Inconclusive && !gate.confident);
    unmeasured.then(|| format!("{} could not be measured, and missing data cannot be waived", gate.title()))
}

/// Why no gate of a suite may be waived: a case failed at admissibility, which some gates only tell of in a sum.
fn barred(report: &Report) -> Option<String> {
    // Controls that were rightly blocked for it are no loss.
    let path = report.metrics.get("admissible_evidence_path")?;
    let lost = path.den.unwrap_or(0).saturating_sub(path.num.unwrap_or(0));
    (lost > 0).then(|| {
        format!("{} without an admissible evidence path, which cannot be waived", text::count(lost, "case"))
    })
}

/// The figures that had nothing to count.
fn vacuous(report: &Report) -> Vec<String> {
    report.metrics.iter().filter(|(_, figure)| figure.vacuous).map(|(name, _)| name.clone()).collect()
}

/// Whether a hash is the one that was written: whole, or its first twelve characters or more.
fn is_hash(written: &str, hash: &str) -> bool {
    let written = written.strip_prefix("sha256:").unwrap_or(written).to_ascii_lowercase();
    written.len() >= 12 && hash.starts_with(&written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_whole_or_a_long_beginning() {
        let hash = "0123456789abcdef";
        assert!(is_hash("sha256:0123456789ABCDEF", hash) && is_hash("0123456789ab", hash));
        assert!(!is_hash("0123", hash) && !is_hash("", hash) && !is_hash("0123456789abx", hash));
    }

    #[test]
    fn dates_are_whole() {
        assert!(date("2026-02-28").is_some());
        for wrong in ["2026-02-30", "2026-2-3", "tomorrow", "", "2026-02-28T00:00"] {
            assert!(date(wrong).is_none(), "{wrong}");
        }
    }
}
