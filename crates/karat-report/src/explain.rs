//! `karat explain CASE`: which cases have a name, and is a report still what its files say?

use crate::problem::{self, Failure, Problem};
use crate::report::{Case, Report, tell};
use crate::text;

/// Tells every case of this name, one after the other; `None` where the report has none. The report must carry their views
/// ([`karat_engine::detail::Detail::Named`]). A name of its own goes before the name of a gold case, which several cases may share.
#[must_use]
pub fn case(report: &Report, name: &str) -> Option<String> {
    let all = |is: &dyn Fn(&&Case) -> bool| -> Vec<String> {
        report.cases.iter().filter(is).map(|case| tell(report, case)).collect()
    };
    let own = all(&|case| case.id == name);
    let told = if own.is_empty() { all(&|case| case.is_called(name)) } else { own };
    (!told.is_empty()).then(|| told.join("\n"))
}

/// The names of cases that are nearest to one that no case has.
#[must_use]
pub fn nearest(report: &Report, name: &str) -> Vec<String> {
    let known = report.cases.iter().take(10_000).map(|case| case.id.as_str());
    text::nearest(name, known).into_iter().map(str::to_owned).collect()
}

/// What two runs of one request must have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// Everything.
    All,
    /// Everything but the traces.
    AllButTraces,
}

/// Refuses a run that is not what a report was made from: files that have changed since, and a request that was edited,
/// so that its suite, settings or gates are not the report's.
pub fn same_run(name: &str, before: &Report, now: &Report, shared: Shared) -> Result<(), Failure> {
    let of = |report: &Report| -> Vec<(String, String)> {
        let inputs = report.inputs.iter().filter(|input| shared == Shared::All || input.role != "trace");
        inputs.map(|input| (input.path.clone(), input.fingerprint())).collect()
    };
    let (old, new) = (of(before), of(now));
    let differing = new.iter().filter(|i| !old.contains(i)).chain(old.iter().filter(|i| !new.contains(i)));
    let mut paths: Vec<&String> = differing.map(|(path, _)| path).collect();
    paths.sort();
    paths.dedup();
    let changed = paths.into_iter().map(|path| {
        let message = format!("{} is not what {} was made from", text::visible(path), text::visible(name));
        Problem::of_file(&problem::REPORT_STALE, path, message)
    });
    let mut problems: Vec<Problem> = changed.collect();
    let gates = |report: &Report| -> Vec<(String, Option<String>)> {
        report.gates.iter().map(|gate| (gate.text.clone(), gate.slice.clone())).collect()
    };
    let options = |report: &Report| (report.settings.options.clone(), report.settings.gates.clone());
    let checks = [
        ("suite is", before.suite == now.suite),
        ("settings, or the rules that they name, are", options(before) == options(now)),
        // The slices that there are depend on the files.
        ("gates are", !problems.is_empty() || shared != Shared::All || gates(before) == gates(now)),
    ];
    for (what, _) in checks.into_iter().filter(|(_, same)| !same) {
        let message = format!("its {what} not what its request asks for");
        problems.push(Problem::of_file(&problem::REPORT_STALE, name, message));
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure::new(problems)) }
}
