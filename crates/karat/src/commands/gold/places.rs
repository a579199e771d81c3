//! Where gold files and their lock are, seen from each other.

use std::path::{Path, PathBuf};

use karat_engine::input::Source;
use karat_engine::problem::{self, Failure, Problem};
use karat_suites::config::Config;
use karat_suites::lock::relative;

use crate::commands::files;
use crate::output::folder_of;

/// The name of a lock that nobody named.
const LOCK: &str = "gold.lock";

/// The gold files of a project, or those that are named; and where their lock is: the one that is named, the
/// project's, or `gold.lock` beside the first gold file.
pub(super) fn gold_and_lock(
    config: Option<&Config>,
    named: &[String],
    lock: Option<&Path>,
) -> Result<(Vec<Source>, PathBuf), Failure> {
    if named.iter().any(|name| name == "-") {
        let message = "a lock names its files, and standard input has no name";
        return Err(Problem::of_file(&problem::UNREADABLE, "<stdin>", message).into());
    }
    let gold: Vec<Source> = match config {
        Some(config) => config.locked_files().into_iter().map(Source::file).collect(),
        None => files::expand(named)?,
    };
    let lock = lock.map(Path::to_owned).or(config.and_then(|config| config.gold.file("lock")));
    let beside = || gold.first().map(|first| Path::new(&**first.name()).with_file_name(LOCK));
    let lock = lock.or_else(beside).unwrap_or(LOCK.into());
    Ok((gold, lock))
}

/// Each file with its path as the lock shows it.
pub(super) fn shown(gold: Vec<Source>, lock: &Path) -> Vec<(String, Source)> {
    gold.into_iter().map(|source| (relative(Path::new(&**source.name()), lock), source)).collect()
}

/// The files that a lock lists, found from its folder.
pub(super) fn listed(paths: impl Iterator<Item = String>, lock: &Path) -> Vec<(String, Source)> {
    paths
        .map(|path| {
            let place = path.split('/').fold(folder_of(lock).to_owned(), |place, part| match part {
                "" => PathBuf::from("/"),
                part => place.join(part),
            });
            let place = place.strip_prefix("./").map_or(place.clone(), Path::to_owned);
            (path, Source::file(place))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_from_the_lock_to_the_file_and_back() {
        // Folders that do not exist are compared as they are named.
        for (file, lock, path) in [
            ("/no/such/gold.jsonl", "/no/such/gold.lock", "gold.jsonl"),
            ("/no/such/a/b/gold.jsonl", "/no/such/gold.lock", "a/b/gold.jsonl"),
            ("/no/such/gold.jsonl", "/no/such/locks/gold.lock", "../gold.jsonl"),
        ] {
            assert_eq!(relative(Path::new(file), Path::new(lock)), path);
        }
        let back = listed(["../gold.jsonl".to_owned()].into_iter(), Path::new("locks/gold.lock"));
        assert_eq!(&**back[0].1.name(), "locks/../gold.jsonl");
        let here = listed(["gold.jsonl".to_owned()].into_iter(), Path::new("gold.lock"));
        assert_eq!(&**here[0].1.name(), "gold.jsonl");
    }
}
