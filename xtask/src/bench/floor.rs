//! The floors: how fast can the bytes be read at all, and how fast with every value skipped unparsed?
//!
//! Both read blocks of a mebibyte with two threads, as karat does; the second validates each line with serde_json's
//! `IgnoredAny`, the field's usual way to parse and discard.

use std::fs::File;
use std::io::Read;
use std::sync::Mutex;
use std::thread;

use crate::Outcome;

/// Reads a file to its end; prints how many lines it saw.
pub(crate) fn run(kind: &str, threads: usize, path: &str) -> Outcome {
    let parse = match kind {
        "newline" => false,
        "skip" => true,
        _ => return Err("usage: xtask floor newline|skip THREADS FILE".into()),
    };
    let file = File::open(path).map_err(|e| format!("{path}: {e}"))?;
    let shared = Mutex::new((file, Vec::new()));
    let lines: Result<Vec<u64>, String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(|| work(&shared, parse))).collect();
        workers.into_iter().map(|worker| worker.join().map_err(|_| "a worker panicked".to_owned())?).collect()
    });
    eprintln!("{} lines", lines?.iter().sum::<u64>());
    Ok(())
}

/// A file and what was read of it behind the last line end.
type Shared = Mutex<(File, Vec<u8>)>;

fn work(shared: &Shared, parse: bool) -> Result<u64, String> {
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
        while let Some(end) = memchr::memchr(b'\n', rest) {
            if parse {
                serde_json::from_slice::<serde::de::IgnoredAny>(&rest[..end]).map_err(|e| e.to_string())?;
            }
            lines += 1;
            rest = &rest[end + 1..];
        }
    }
}
