//! The floors: how fast can the bytes be read at all, how fast with what karat owes to each of them, and how fast with
//! every value skipped unparsed?
//!
//! All read blocks of a mebibyte with two threads, as karat does. The second looks whether a block is UTF-8 and takes its
//! fingerprint; the third validates each line with serde_json's `IgnoredAny`, the field's usual way to parse and discard,
//! which asks for neither.

use std::fs::File;
use std::io::Read;
use std::sync::Mutex;
use std::thread;

use crate::Outcome;

/// What is done to a block beside looking for its line ends.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Newline,
    Check,
    Skip,
}

/// Reads a file to its end; prints how many lines it saw.
pub(crate) fn run(kind: &str, threads: usize, path: &str) -> Outcome {
    let kind = match kind {
        "newline" => Kind::Newline,
        "check" => Kind::Check,
        "skip" => Kind::Skip,
        _ => return Err("usage: xtask floor newline|check|skip THREADS FILE".into()),
    };
    let file = File::open(path).map_err(|e| format!("{path}: {e}"))?;
    let shared = Mutex::new((file, Vec::new()));
    let lines: Result<Vec<u64>, String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(|| work(&shared, kind))).collect();
        workers.into_iter().map(|worker| worker.join().map_err(|_| "a worker panicked".to_owned())?).collect()
    });
    eprintln!("{} lines", lines?.iter().sum::<u64>());
    Ok(())
}

/// A file and what was read of it behind the last line end.
type Shared = Mutex<(File, Vec<u8>)>;

fn work(shared: &Shared, kind: Kind) -> Result<u64, String> {
    const BLOCK: usize = 1 << 20;
    let mut block = vec![0; 2 * BLOCK];
    let mut lines = 0;
    loop {
        let length = {
            let mut guard = shared.lock().map_err(|_| "a worker panicked".to_owned())?;
            let (file, carry) = &mut *guard;
            let mut filled = carry.len();
            block[..filled].copy_from_slice(carry);
            let end = filled + BLOCK;
            while filled < end {
                match file.read(&mut block[filled..end]).map_err(|e| e.to_string())? {
                    0 => break,
                    n => filled += n,
                }
            }
            let cut = memchr::memrchr(b'\n', &block[..filled]).map_or(filled, |at| at + 1);
            carry.clear();
            carry.extend_from_slice(&block[cut..filled]);
            cut
        };
        if length == 0 {
            return Ok(lines);
        }
        let mut rest = &block[..length];
        if kind == Kind::Check {
            simdutf8::basic::from_utf8(rest).map_err(|e| e.to_string())?;
            std::hint::black_box(blake3::hash(rest));
        }
        while let Some(end) = memchr::memchr(b'\n', rest) {
            if kind == Kind::Skip {
                serde_json::from_slice::<serde::de::IgnoredAny>(&rest[..end]).map_err(|e| e.to_string())?;
            }
            lines += 1;
            rest = &rest[end + 1..];
        }
    }
}
