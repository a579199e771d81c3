//! Does every suite of a project pass, with the gold set that was agreed on, and who waives what does not?

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use jiff::civil::Date;

use crate::config::{Config, Planned};
use crate::detail::Detail;
use crate::lock::{self, Frozen, Lock, Signature, State};
use crate::pipeline::Cases;
use crate::problem::Failure;
use crate::report::{Amber, Checked, CheckedSuite, LockFinding, Report, RowChanges};
use crate::request::RunContext;
use crate::suite::Suite;
use crate::text;
use crate::waive::{self, Waivable};

/// How a project is checked.
pub struct Options<'a> {
    /// The suites to run, by their names in karat.toml; none asks for all.
    pub suites: &'a [String],
    /// The day that waivers are judged by.
    pub today: Date,
    /// Which cases the report of a suite lists.
    pub cases: &'a dyn Fn(&Suite) -> Cases,
    /// Whose words the reports carry.
    pub detail: Detail,
    /// How many threads; 0 for as many as the machine has.
    pub threads: usize,
}

/// Runs the suites of a project, holds gold against its lock, and applies the waivers.
///
/// A suite whose inputs are wrong is refused and the others run all the same; an error is returned only where nothing can
/// be decided at all.
pub fn check(config: &Config, options: &Options<'_>, context: &RunContext<'_>) -> Result<Checked, Failure> {
    let mut scored: Vec<(&Planned, Result<Report, Failure>)> = Vec::new();
    for planned in config.chosen(options.suites)? {
        let cases = (options.cases)(planned.request.suite);
        let request = planned.request.clone().show(cases, options.detail.clone()).threads(options.threads);
        scored.push((planned, request.run(context).map(|made| made.report)));
    }
    let lock = config.gold.file("lock").map(|path| locked(&path, config, context));
    let idle = waived(config, options.today, &mut scored, context)?;
    let suites = scored.into_iter().map(|(Planned { name, request }, report)| match report {
        Ok(report) => CheckedSuite::scored(name, report),
        Err(failure) => CheckedSuite::refused(name, request.suite.name, failure),
    });
    let today = (!config.waivers.is_empty()).then(|| options.today.to_string());
    let mut checked = Checked::new(suites.collect(), lock, idle, today);
    checked.config = Some(config.name.clone());
    Ok(checked)
}

/// The lock of a project as it would be written now.
pub fn freeze(
    config: &Config,
    lock: &Path,
    signatures: &[Signature],
    context: &RunContext<'_>,
) -> Result<Lock, Failure> {
    let mut files = Vec::new();
    for gold in config.locked_files() {
        files.push((lock::relative(&gold, lock), context.cache.file(&gold)?));
    }
    lock::freeze(&files, Some(&config.gates()), signatures)
}

/// What the lock says: a lock that is missing or broken says no.
fn locked(path: &Path, config: &Config, context: &RunContext<'_>) -> LockFinding {
    let shown = path.display().to_string();
    let no = |says: String| LockFinding { path: shown.clone(), says, ..LockFinding::default() };
    if !path.exists() {
        return no(format!("{shown} is missing: `karat gold freeze` writes it"));
    }
    let first = |failure: Failure| failure.problems.first().map(ToString::to_string).unwrap_or_default();
    let read = || Ok((Lock::read(path)?, freeze(config, path, &[], context)?));
    let (before, now) = match read() {
        Ok(locks) => locks,
        Err(failure) => return no(first(failure)),
    };
    let changes = before.compare(&now);
    let signed = before.signatures.iter().map(|who| format!("{} ({})", who.name, who.role)).collect();
    let mut finding = LockFinding { path: shown, pass: changes.is_empty(), signed, ..LockFinding::default() };
    if finding.pass {
        return finding;
    }
    let mut says = Vec::new();
    for file in changes.files.iter().filter(|file| !file.is_empty()) {
        match file.state {
            State::Added => says.push(format!("{} is not in the lock", file.path)),
            State::Removed => says.push(format!("{} is in the lock and not in the project", file.path)),
            State::Kept if file.contradiction => {
                says.push(format!("{} was edited by hand in the lock", file.path));
            }
            State::Kept => {}
        }
        let rows = RowChanges {
            added: file.added.clone(),
            removed: file.removed.clone(),
            changed: file.changed.clone(),
        };
        finding.files.insert(file.path.clone(), rows);
    }
    let words = ["added", "removed", "changed"];
    for (n, how) in changes.totals().into_iter().zip(words).filter(|(n, _)| *n > 0) {
        says.push(format!("{} {how}", text::count(n, "gold row")));
    }
    if changes.gates_changed {
        says.push("the gates changed".into());
    }
    finding.gates_changed = changes.gates_changed;
    finding.says = says.join(", ");
    finding
}

/// Marks what is waived; says which waivers waive nothing.
fn waived(
    config: &Config,
    today: Date,
    scored: &mut [(&Planned, Result<Report, Failure>)],
    context: &RunContext<'_>,
) -> Result<Vec<String>, Failure> {
    if config.waivers.is_empty() {
        return Ok(Vec::new());
    }
    let mut hashes: HashMap<PathBuf, Option<String>> = HashMap::new();
    let mut suites: Vec<Waivable<'_>> = Vec::new();
    for (Planned { name, request }, report) in scored {
        let Ok(report) = report else { continue };
        let judged = request.given.file("gold").or_else(|| request.given.file("qrels"));
        let gold = judged.and_then(|path| {
            let hash = || context.cache.file(&path).and_then(|source| Frozen::of("gold", &source)).ok();
            hashes.entry(path.clone()).or_insert_with(|| hash().map(|frozen| frozen.sha256)).clone()
        });
        let stored =
            report.inputs.iter().find(|input| input.role == "gold").and_then(|input| input.sha256.clone());
        let gold = gold.map(|hash| std::iter::once(hash).chain(stored).collect()).unwrap_or_default();
        suites.push(Waivable { name, gold, report });
    }
    let most_days = crate::request::key::MAX_WAIVER_DAYS.number(&config.gold);
    let idle = waive::apply(&config.waivers, (today, most_days), &mut suites).map_err(Failure::new)?;
    for suite in suites {
        let waived = suite.report.gates.iter().filter_map(|gate| {
            let waiver = gate.waived.as_ref()?;
            Some(Amber::new("waived", 1, format!("{} fails, and is {}", gate.title(), waiver.says())))
        });
        let waived: Vec<Amber> = waived.collect();
        suite.report.amber.extend(waived);
    }
    Ok(idle)
}
