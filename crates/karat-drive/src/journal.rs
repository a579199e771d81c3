//! Writes traces so that none is lost, torn or written twice.
//!
//! A trace is one line, appended with one write. A run that is resumed reads what the file holds, repairs its end, and
//! asks only what is missing. Two runs never write to one file: it is locked.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use karat_input::LINE_LIMIT;
use karat_input::json::Kind;
use karat_input::problem::{self, Failure, Problem};
use karat_input::rows::{Wrong, object};

use crate::plan::{HEAD, Key, key};

/// Where traces are written.
pub struct Journal {
    out: Out,
    name: String,
}

enum Out {
    /// A file, how long it is, and its path if it was not there before.
    File(File, u64, Option<PathBuf>),
    /// Something that takes bytes and cannot be cut: a pipe, standard output.
    Stream(Box<dyn Write + Send>),
}

/// What a file contained before the run.
#[derive(Debug, Default)]
pub struct Resumed {
    /// For each request, whether its last trace is an answer.
    pub(crate) requests: HashMap<Key, bool>,
    /// Whether its last line was torn and is cut off.
    pub torn: bool,
}

impl Drop for Journal {
    /// A run that wrote nothing leaves nothing behind.
    fn drop(&mut self) {
        if let Out::File(_, 0, Some(path)) = &self.out {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Journal {
    /// Writes to a stream that cannot be resumed.
    #[must_use]
    pub fn stream(name: &str, out: Box<dyn Write + Send>) -> Self {
        Journal { out: Out::Stream(out), name: name.into() }
    }

    /// Opens a file. With `resume` it returns what the file contains; otherwise the file must be new or empty.
    pub fn open(path: &Path, resume: bool) -> Result<(Journal, Resumed), Failure> {
        let name = path.display().to_string();
        let bad = |message: String| Failure::from(Problem::of_file(&problem::RUN_OUT, &name, message));
        if name.ends_with(".gz") || name.ends_with(".zst") {
            return Err(bad(
                "traces are appended as plain lines, and this name is of a compressed file".into()
            ));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(bad(format!("the folder {} does not exist; create it first", folder.display())));
        }
        if path.is_dir() {
            return Err(bad("this is a folder; name a file in it".into()));
        }
        let new = !path.exists();
        let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
        // A pipe cannot be opened for both.
        let opened = opened.or_else(|e| OpenOptions::new().append(true).open(path).map_err(|_| e));
        let mut file = opened.map_err(|e| bad(format!("this file cannot be written to: {e}")))?;
        let meta = file.metadata().map_err(|e| bad(e.to_string()))?;
        if !meta.is_file() {
            if resume {
                return Err(bad("this is no plain file, so that nothing can be resumed from it".into()));
            }
            return Ok((Journal::stream(&name, Box::new(file)), Resumed::default()));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(bad("another run is writing to this file".into())),
            Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(e)) => return Err(bad(format!("this file cannot be locked: {e}"))),
        }
        if !resume && meta.len() > 0 {
            let message = "this file already holds something, and nothing is overwritten";
            return Err(Problem::of_file(&problem::RUN_OUT_EXISTS, &name, message).into());
        }
        let (held, length, open_end) = if meta.len() > 0 { read(&file, &name)? } else { Default::default() };
        if length < meta.len() {
            file.set_len(length).map_err(unreadable(&name))?;
        }
        if open_end {
            file.write_all(b"\n").map_err(unreadable(&name))?;
        }
        let out = Out::File(file, length + u64::from(open_end), new.then(|| path.to_owned()));
        Ok((Journal { out, name }, held))
    }

    /// The file's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Appends one line, whole or not at all.
    pub fn append(&mut self, line: &str) -> io::Result<()> {
        let bytes = [line.as_bytes(), b"\n"].concat();
        match &mut self.out {
            Out::Stream(out) => out.write_all(&bytes).and_then(|()| out.flush()),
            Out::File(file, length, _) => {
                let written = file.write_all(&bytes);
                match written {
                    Ok(()) => *length += bytes.len() as u64,
                    // A full disk may have taken a part of it.
                    Err(_) => _ = file.set_len(*length),
                }
                written
            }
        }
    }
}

fn unreadable(name: &str) -> impl Fn(io::Error) -> Failure {
    |e| Problem::of_file(&problem::UNREADABLE, name, e.to_string()).into()
}

/// Reads what a file holds: the requests, the length of its whole lines, and whether the last one lacks its line end.
fn read(mut file: &File, name: &str) -> Result<(Resumed, u64, bool), Failure> {
    let source: Arc<str> = name.into();
    file.seek(SeekFrom::Start(0)).map_err(unreadable(name))?;
    let mut reader = BufReader::with_capacity(1 << 18, file);
    let (mut held, mut length, mut open_end) = (Resumed::default(), 0, false);
    let (mut problems, mut line) = (Vec::new(), Vec::new());
    for number in 1.. {
        line.clear();
        let mut limited = reader.by_ref().take(LINE_LIMIT as u64 + 1);
        if limited.read_until(b'\n', &mut line).map_err(unreadable(name))? == 0 {
            break;
        }
        open_end = line.last() != Some(&b'\n');
        if open_end && line.len() > LINE_LIMIT {
            let message = format!("line {number} is longer than 64 MiB");
            return Err(Problem::of_file(&problem::LINE_TOO_LONG, name, message).into());
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\n', '\r']);
        match request(text) {
            Ok(found) => held.requests.extend(found),
            Err(_) if open_end => {
                (held.torn, open_end) = (true, false);
                break;
            }
            Err(Wrong { span, message, expected, .. }) => {
                let kind = &problem::RUN_OUT_FOREIGN;
                problems.push(Problem::at(kind, &source, number, text, span, message, expected));
            }
        }
        length += line.len() as u64;
    }
    if problems.is_empty() { Ok((held, length, open_end)) } else { Err(Failure::new(problems)) }
}

/// The request that a line is of, and whether it was answered; `None` for a blank line.
fn request(line: &str) -> Result<Option<(Key, bool)>, Wrong> {
    if line.trim().is_empty() {
        return Ok(None);
    }
    let (mut end, mut in_head, mut ok, mut known) = (0, true, true, 0);
    object(line, &problem::RUN_OUT_FOREIGN, |reader, key| {
        in_head &= HEAD.contains(&key);
        known += u8::from(in_head && matches!(key, "q" | "seed" | "jitter"));
        if key == "ok" && reader.peek()? == Kind::Bool {
            ok = reader.boolean()?;
        } else {
            reader.skip()?;
        }
        if in_head {
            end = reader.at();
        }
        Ok(())
    })
    .map_err(|wrong| match wrong.kind.slug == problem::BAD_JSON.slug {
        true => wrong,
        false => Wrong { expected: "expected a trace".into(), ..wrong },
    })?;
    if known < 3 {
        let message = "`karat run` did not write this line: it does not begin with qid, q, seed and jitter";
        return Err(Wrong::new(&problem::RUN_OUT_FOREIGN, 0..1, "", message, "expected a trace of a run"));
    }
    Ok(Some((key(&line[..end]), ok)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const ONE: &str = r#"{"qid":"A1","q":"x?","seed":0,"jitter":"none","answer":"a","e2e_ms":1.000}"#;
    const TWO: &str = r#"{"qid":"A2","q":"y?","seed":0,"jitter":"none","knobs":{"k":[1]},"e2e_ms":1.000,"ok":false,"reason":"x"}"#;

    fn file(text: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("t.jsonl"), text).unwrap();
        folder
    }

    fn refused(path: &Path, resume: bool) -> Failure {
        Journal::open(path, resume).err().unwrap()
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = file("x");
        for (name, slug) in [("t.jsonl", "run/out-exists"), ("new.jsonl.gz", "run/out")] {
            assert_eq!(refused(&folder.path().join(name), false).problems[0].kind.slug, slug);
        }
        let (mut journal, _) = Journal::open(&folder.path().join("new.jsonl"), false).unwrap();
        journal.append(ONE).unwrap();
        journal.append(TWO).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("new.jsonl")).unwrap(), format!("{ONE}\n{TWO}\n"));
        let failure = refused(&folder.path().join("new.jsonl"), true);
        assert!(failure.problems[0].message.contains("another run"), "{failure}");
        let unused = folder.path().join("unused.jsonl");
        drop(Journal::open(&unused, false).unwrap());
        assert!(!unused.exists(), "a run that wrote nothing leaves nothing behind");
    }

    #[test]
    fn a_torn_end_is_cut_and_the_rest_is_known() {
        for cut in 1..TWO.len() {
            let folder = file(&format!("{ONE}\n{}", &TWO[..cut]));
            let path = folder.path().join("t.jsonl");
            let (mut journal, held) = Journal::open(&path, true).unwrap();
            assert!(held.torn && held.requests.len() == 1);
            let head = &ONE[..ONE.find(",\"answer\"").unwrap()];
            assert_eq!(held.requests.get(&key(head)), Some(&true));
            journal.append(TWO).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{ONE}\n{TWO}\n"));
        }
    }

    #[test]
    fn a_whole_last_line_without_its_end_is_kept() {
        let folder = file(&format!("{ONE}\r\n\n{TWO}"));
        let path = folder.path().join("t.jsonl");
        let (mut journal, held) = Journal::open(&path, true).unwrap();
        assert!(!held.torn);
        let head = &TWO[..TWO.find(",\"e2e_ms\"").unwrap()];
        assert_eq!((held.requests.len(), held.requests[&key(head)]), (2, false));
        journal.append(ONE).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), format!("{ONE}\r\n\n{TWO}\n{ONE}\n"));
    }

    #[test]
    fn a_file_of_something_else_is_not_touched() {
        let text = format!("{ONE}\nhello\n[1]\n{{\"qid\":\"A1\",\"question\":\"x?\"}}\n{}", &TWO[..9]);
        let folder = file(&text);
        let path = folder.path().join("t.jsonl");
        let failure = refused(&path, true);
        let lines: Vec<u64> = failure.problems.iter().map(|problem| problem.line).collect();
        assert_eq!((lines, failure.problems[0].kind.slug), (vec![2, 3, 4], "run/out-foreign"));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}
