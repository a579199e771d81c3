//! The commit that is checked out, read from the repository's own files: the program `git` may be missing, and refuses a
//! folder that somebody else owns, as builds in containers often have it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The commit that is checked out around this folder; `None` where there is none.
pub(crate) fn around(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    let repository = folder.ancestors().find_map(repository_in)?;
    from_files(&repository).or_else(|| from_git(&folder))
}

/// Where the repository of a working folder is kept, if it is one: `.git`, or where a file of that name points.
fn repository_in(folder: &Path) -> Option<PathBuf> {
    let place = folder.join(".git");
    if place.is_dir() {
        return Some(place);
    }
    let text = fs::read_to_string(place).ok()?;
    Some(folder.join(text.strip_prefix("gitdir:")?.trim()))
}

fn from_files(repository: &Path) -> Option<String> {
    let head = fs::read_to_string(repository.join("HEAD")).ok()?;
    let Some(name) = head.strip_prefix("ref:").map(str::trim) else { return id(&head) };
    // A further working folder shares the branches of the first.
    let common = fs::read_to_string(repository.join("commondir"))
        .map_or_else(|_| repository.to_owned(), |text| repository.join(text.trim()));
    let loose = |place: &Path| fs::read_to_string(place.join(name)).ok().and_then(|text| id(&text));
    loose(repository).or_else(|| loose(&common)).or_else(|| {
        let packed = fs::read_to_string(common.join("packed-refs")).ok()?;
        packed.lines().find_map(|line| line.strip_suffix(name)?.strip_suffix(' ').and_then(id))
    })
}

/// Newer ways of keeping branches are git's own business.
fn from_git(folder: &Path) -> Option<String> {
    let mut git = Command::new("git");
    git.args(["rev-parse", "--verify", "HEAD"]).current_dir(folder).stdin(Stdio::null());
    let output = git.output().ok().filter(|output| output.status.success())?;
    id(&String::from_utf8(output.stdout).ok()?)
}

/// A commit's id: 40 hexadecimal digits, or 64 in a repository of the newer kind.
fn id(text: &str) -> Option<String> {
    let text = text.trim();
    let hex = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef01234567";

    fn write(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn branches_are_found_wherever_git_keeps_them() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, git) = (folder.path().join("a/b"), folder.path().join(".git"));
        fs::create_dir_all(&inside).unwrap();
        let found = || around(&inside);
        write(&git.join("HEAD"), "ref: refs/heads/main\n");
        assert_eq!(found(), None, "nothing is committed yet");
        write(&git.join("packed-refs"), &format!("# pack-refs\n{ID} refs/heads/main\n"));
        assert_eq!(found().as_deref(), Some(ID));
        let other = ID.replace('0', "f");
        write(&git.join("refs/heads/main"), &format!("{other}\n"));
        assert_eq!(found(), Some(other.clone()), "what lies loose is newer");
        write(&git.join("HEAD"), &format!("{ID}\n"));
        assert_eq!(found().as_deref(), Some(ID), "no branch at all");
    }

    #[test]
    fn a_further_working_folder_shares_the_branches() {
        let folder = tempfile::tempdir().unwrap();
        let (main, further) = (folder.path().join("main/.git"), folder.path().join("further"));
        write(&further.join(".git"), "gitdir: ../main/.git/worktrees/further\n");
        write(&main.join("worktrees/further/HEAD"), "ref: refs/heads/topic\n");
        write(&main.join("worktrees/further/commondir"), "../..\n");
        write(&main.join("refs/heads/topic"), ID);
        assert_eq!(around(&further).as_deref(), Some(ID));
        assert_eq!(around(&folder.path().join("nowhere")), None);
    }
}
