//! Which rows were added, removed and changed since the lock was made?

use std::collections::{BTreeMap, BTreeSet};

use super::{Frozen, Lock};

/// What is different between a lock and what is there now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Each file of either side, by path; those that did not change too.
    pub files: Vec<FileChanges>,
    /// Whether the gates are others.
    pub gates_changed: bool,
    /// Gates that are new.
    pub gates_added: Vec<String>,
    /// Gates that are gone.
    pub gates_removed: Vec<String>,
}

/// What is different in one gold file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChanges {
    /// The file as the lock names it.
    pub path: String,
    /// Whether the file itself came or went.
    pub state: State,
    /// Ids that are new, in order.
    pub added: Vec<String>,
    /// Ids that are gone, in order.
    pub removed: Vec<String>,
    /// Ids whose rows say something else, in order.
    pub changed: Vec<String>,
    /// No row is different and the hash of the whole is: the lock was edited by hand.
    pub contradiction: bool,
}

/// Whether a file is on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is.
    Kept,
    /// The lock does not have it.
    Added,
    /// Only the lock has it.
    Removed,
}

impl Changes {
    /// Whether everything is as it was frozen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.gates_changed && self.files.iter().all(FileChanges::is_empty)
    }

    /// How many ids were added, removed and changed.
    #[must_use]
    pub fn totals(&self) -> [u64; 3] {
        let sum = |of: fn(&FileChanges) -> &Vec<String>| self.files.iter().map(|f| of(f).len() as u64).sum();
        [sum(|file| &file.added), sum(|file| &file.removed), sum(|file| &file.changed)]
    }
}

impl FileChanges {
    /// Whether the file is as it was frozen.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let lists = [&self.added, &self.removed, &self.changed];
        self.state == State::Kept && !self.contradiction && lists.iter().all(|list| list.is_empty())
    }
}

pub(super) fn compare(then: &Lock, now: &Lock) -> Changes {
    let mut files: BTreeMap<&str, [Option<&Frozen>; 2]> = BTreeMap::new();
    for (side, lock) in [then, now].into_iter().enumerate() {
        lock.gold.iter().for_each(|file| files.entry(&file.path).or_default()[side] = Some(file));
    }
    let files = files.into_iter().map(|(path, [then, now])| file(path, then, now)).collect();
    let lines = |lock: &Lock| -> BTreeSet<String> {
        lock.gates.iter().flat_map(|gates| gates.lines.iter().cloned()).collect()
    };
    let (before, after) = (lines(then), lines(now));
    let hash = |lock: &Lock| lock.gates.as_ref().map(|gates| gates.sha256.clone());
    Changes {
        files,
        gates_changed: hash(then) != hash(now),
        gates_added: after.difference(&before).cloned().collect(),
        gates_removed: before.difference(&after).cloned().collect(),
    }
}

fn file(path: &str, then: Option<&Frozen>, now: Option<&Frozen>) -> FileChanges {
    let state = match (then, now) {
        (None, _) => State::Added,
        (_, None) => State::Removed,
        _ => State::Kept,
    };
    let (mut added, mut removed, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    for (id, hash) in then.iter().flat_map(|file| &file.ids) {
        match now.and_then(|file| file.ids.get(id)) {
            None => removed.push(id.clone()),
            Some(other) if other != hash => changed.push(id.clone()),
            Some(_) => {}
        }
    }
    let new = now.iter().flat_map(|file| file.ids.keys());
    added.extend(new.filter(|id| then.is_none_or(|file| !file.ids.contains_key(*id))).cloned());
    let same = added.is_empty() && removed.is_empty() && changed.is_empty();
    let whole = |file: Option<&Frozen>| file.map(|file| file.sha256.clone());
    let contradiction = same && state == State::Kept && whole(then) != whole(now);
    FileChanges { path: path.into(), state, added, removed, changed, contradiction }
}
