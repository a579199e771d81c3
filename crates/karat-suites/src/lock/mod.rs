//! Is this the gold set that was agreed on? A lock holds the hash of every row and of the gates, and who agreed.
//!
//! Rows are hashed in a canonical form: keys sorted, strings in NFC, numbers by their value, no white space. So a lock
//! holds through another editor, another line end and another order of rows, and any other change breaks it. The hash of
//! a file is that of its canonical rows, sorted by id, each ended with LF; the hash of a row is that of its line without
//! the LF. There is no hash of the stored file beside them: whoever wants to change a row unseen would only have to
//! replace that one.

mod changes;
mod diff;
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

pub use changes::{Changes, FileChanges, State};
pub use diff::{Change, Diff, Field, diff};
pub use rows::{Row, rows};

use crate::input::Source;
use crate::input::source::hex;
use crate::input::table::contents;
use crate::problem::{self, Failure, Problem};
use crate::report::not_json;
use crate::text;

/// The version of the format.
pub const SCHEMA: &str = "karat.lock/1";

/// A frozen gold set: what `gold.lock` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// The version of the format: `karat.lock/1`.
    pub schema: String,
    /// The gold files, by path.
    pub gold: Vec<Frozen>,
    /// The gates, where they were frozen too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gates: Option<Gates>,
    /// Who agreed to this content, by name.
    #[serde(default)]
    pub signatures: Vec<Signature>,
}

/// One frozen gold file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Frozen {
    /// Where it lies, from the lock's folder, with `/` between folders.
    pub path: String,
    /// How many rows it has.
    pub rows: u64,
    /// The SHA-256 of its canonical rows, sorted by id, each ended with LF.
    pub sha256: String,
    /// The SHA-256 of each canonical row, by id.
    pub ids: BTreeMap<String, String>,
}

/// The frozen gates.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gates {
    /// The SHA-256 of the lines, each ended with LF.
    pub sha256: String,
    /// The gates as text, so that a person sees which one changed.
    pub lines: Vec<String>,
}

/// Somebody who agreed. A record, not a proof: the proof is who committed the lock.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Signature {
    /// Who.
    pub name: String,
    /// As what.
    pub role: String,
}

impl Signature {
    /// Reads `NAME:ROLE`; the last colon parts them.
    #[must_use]
    pub fn parse(signed: &str) -> Option<Signature> {
        let (name, role) = signed.rsplit_once(':')?;
        let (name, role) = (text::trim(name), text::trim(role));
        let usable = |text: &str| !text.is_empty() && text::visible(text) == text;
        (usable(name) && usable(role)).then(|| Signature { name: name.into(), role: role.into() })
    }
}

/// Freezes gold files, each under the path that the lock is to show, with the text of the gates, a line each, and
/// signatures.
pub fn freeze(
    files: &[(String, Source)],
    gates: Option<&str>,
    signatures: &[Signature],
) -> Result<Lock, Failure> {
    let (mut gold, mut problems, mut total) = (Vec::new(), Vec::new(), 0);
    for (path, source) in files {
        if files.iter().filter(|(other, _)| other == path).count() > 1 {
            return Err(invalid(source.name(), format!("`{path}` is named twice")).into());
        }
        match Frozen::of(path, source) {
            Ok(frozen) => gold.push(frozen),
            Err(failure) => {
                total += failure.total;
                problems.extend(failure.problems);
            }
        }
    }
    if total > 0 {
        problems.truncate(Failure::SHOWN);
        return Err(Failure { problems, total });
    }
    gold.sort_by(|a, b| a.path.cmp(&b.path));
    let mut signatures = signatures.to_vec();
    signatures.sort();
    signatures.dedup();
    Ok(Lock { schema: SCHEMA.into(), gold, gates: gates.map(Gates::of), signatures })
}

/// The path from the lock's folder to a file, with `/` between folders. The file may be a link: its own name counts.
#[must_use]
pub fn relative(file: &Path, lock: &Path) -> String {
    let folder = |path: &Path| match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    let real = |folder: &Path| folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let (to, from) = (real(&folder(file)), real(&folder(lock)));
    let (to, from): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (to.components().collect(), from.components().collect());
    let shared = to.iter().zip(&from).take_while(|(a, b)| a == b).count();
    let up = from[shared..].iter().map(|_| "..".to_owned());
    let down = to[shared..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
    up.chain(down).chain(name).collect::<Vec<_>>().join("/")
}

impl Frozen {
    /// Freezes one file.
    pub fn of(path: &str, source: &Source) -> Result<Frozen, Failure> {
        let rows = rows::rows(source)?;
        let denormal: Vec<&Row> = rows.iter().filter(|row| row.denormal).collect();
        if !denormal.is_empty() {
            let total = denormal.len() as u64;
            let problems = denormal.into_iter().take(Failure::SHOWN).map(|row| {
                let message = format!("row \"{}\" is not in NFC", text::visible(&row.id));
                let problem = Problem::of_file(&problem::LOCK_NOT_NFC, source.name(), message);
                Problem { line: row.line, column: 1, ..problem }
            });
            return Err(Failure { problems: problems.collect(), total });
        }
        let (mut whole, mut ids) = (Sha256::new(), BTreeMap::new());
        for row in &rows {
            let text = row.text();
            whole.update(&text);
            whole.update("\n");
            ids.insert(row.id.clone(), rows::sha256(&text));
        }
        Ok(Frozen { path: path.into(), rows: rows.len() as u64, sha256: hex(&whole.finalize()), ids })
    }
}

impl Gates {
    /// Freezes gates, a line each; blank lines are nothing.
    #[must_use]
    pub fn of(text: &str) -> Gates {
        let lines: Vec<String> =
            text.lines().map(text::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
        Gates { sha256: Self::hash(&lines), lines }
    }

    fn hash(lines: &[String]) -> String {
        rows::sha256(&lines.iter().map(|line| format!("{line}\n")).collect::<String>())
    }
}

impl Lock {
    /// Reads the lock at a path; that there is none is a problem of its own.
    pub fn read(path: impl AsRef<Path>) -> Result<Lock, Failure> {
        let path = path.as_ref();
        if let Err(e) = path.metadata()
            && e.kind() == io::ErrorKind::NotFound
        {
            let message = "there is no such lock";
            return Err(Problem::of_file(&problem::LOCK_MISSING, &path.display().to_string(), message).into());
        }
        Lock::load(&Source::file(path))
    }

    /// Reads a lock from any source and checks that it does not contradict itself.
    pub fn load(source: &Source) -> Result<Lock, Failure> {
        let (text, _) = contents(source)?;
        let wrong = |e: serde_json::Error| {
            let (kind, place) = (&problem::LOCK_INVALID, (&**source.name(), text.as_str()));
            not_json(kind, place, &e, "this is no lock: ", "")
        };
        let lock: Lock = serde_json::from_str(&text).map_err(wrong)?;
        lock.check().map_err(|message| Failure::from(invalid(source.name(), message)))?;
        Ok(lock)
    }

    /// What it says against itself: hashes, counts and names must fit each other.
    fn check(&self) -> Result<(), String> {
        let hash = |text: &str| {
            text.len() == 64 && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        };
        if self.schema != SCHEMA {
            let schema = text::visible(&self.schema);
            return Err(format!("its schema is `{schema}`; this karat reads `{SCHEMA}`"));
        }
        if self.gold.is_empty() {
            return Err("it freezes no gold file".into());
        }
        let mut paths = BTreeSet::new();
        for file in &self.gold {
            let path = text::visible(&file.path);
            if !paths.insert(&file.path) {
                return Err(format!("it lists `{path}` twice"));
            }
            let ids = file.ids.len() as u64;
            if file.rows != ids {
                let (rows, ids) = (text::count(file.rows, "row"), text::group(ids));
                return Err(format!("`{path}` is said to have {rows}, and {ids} are listed"));
            }
            let wrong = file.ids.iter().find(|(_, sha256)| !hash(sha256)).map(|(id, _)| text::visible(id));
            if let Some(id) = wrong {
                return Err(format!("`{path}`: the hash of \"{id}\" is no SHA-256"));
            }
            if !hash(&file.sha256) {
                return Err(format!("`{path}`: its hash is no SHA-256"));
            }
        }
        match &self.gates {
            Some(gates) if gates.sha256 != Gates::hash(&gates.lines) => {
                Err("the hash of its gates is not that of the lines beside it".into())
            }
            _ => Ok(()),
        }
    }

    /// The lock as a file holds it: a line a row, so that a diff shows which rows changed; characters that could
    /// mislead whoever reads such a diff are escaped.
    #[must_use]
    pub fn text(&self) -> String {
        let plain = serde_json::to_string_pretty(self).unwrap_or_default();
        let mut out = String::with_capacity(plain.len() + 1);
        for c in plain.chars() {
            if c != '\n' && text::visible(c.encode_utf8(&mut [0; 4])) != *c.encode_utf8(&mut [0; 4]) {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            } else {
                out.push(c);
            }
        }
        out.push('\n');
        out
    }

    /// How many rows it freezes.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.gold.iter().map(|file| file.rows).sum()
    }

    /// What is different in `now`. Signatures are not compared: they say who agreed, not to what.
    #[must_use]
    pub fn compare(&self, now: &Lock) -> Changes {
        changes::compare(self, now)
    }
}

fn invalid(source: &str, message: String) -> Problem {
    Problem::of_file(&problem::LOCK_INVALID, source, message)
}
