//! The cache of a run: which files and gold sets were read already?

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::gold::Gold;
use crate::input::Source;
use crate::problem::Failure;

/// A gold file, and the fields to slice it by.
type Wanted = (PathBuf, Vec<String>);

/// Files and gold sets that were read already: what several suites read is read once.
#[derive(Default)]
pub struct Cache {
    files: Mutex<HashMap<PathBuf, Source>>,
    golds: Mutex<HashMap<Wanted, Arc<Gold>>>,
}

impl Cache {
    /// Files up to this size are kept; larger ones are opened again.
    const LARGEST: u64 = 512 << 20;

    /// A small file that is read at once, its bytes kept for whoever reads it next.
    pub fn file(&self, path: &Path) -> Result<Source, Failure> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(source) = files.get(path) {
            return Ok(source.clone());
        }
        let source = Source::file(path);
        let small = source.size().is_some_and(|size| size <= Self::LARGEST);
        let source = if small { source.into_memory()? } else { source };
        files.insert(path.to_owned(), source.clone());
        Ok(source)
    }

    /// The gold set of `answers` and its like, loaded once for each list of slices.
    pub(super) fn gold(&self, path: &Path, slices: &[String], threads: usize) -> Result<Arc<Gold>, Failure> {
        let key = (path.to_owned(), slices.to_vec());
        let known = self.golds.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(gold) = known {
            return Ok(gold);
        }
        let gold = Arc::new(Gold::load(&self.file(path)?, slices, threads)?);
        self.golds.lock().unwrap_or_else(PoisonError::into_inner).insert(key, gold.clone());
        Ok(gold)
    }
}
