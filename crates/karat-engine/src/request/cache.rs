//! The cache of a run: which files were read already, and what was made of them?

use std::any::Any;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::input::Source;
use crate::problem::Failure;

/// A file, and what was asked of it.
type Wanted = (PathBuf, Vec<String>);

/// Files that were read already, and what was made of them: what several suites read is read once.
#[derive(Default)]
pub struct Cache {
    files: Mutex<HashMap<PathBuf, Source>>,
    loaded: Mutex<HashMap<Wanted, Arc<dyn Any + Send + Sync>>>,
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

    /// What `load` makes of a file, made once for each list of words.
    pub(super) fn loaded<T: Any + Send + Sync>(
        &self,
        path: &Path,
        words: &[String],
        load: impl FnOnce(&Source) -> Result<T, Failure>,
    ) -> Result<Arc<T>, Failure> {
        let key = (path.to_owned(), words.to_vec());
        let known = self.loaded.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(Ok(made)) = known.map(Arc::downcast) {
            return Ok(made);
        }
        let made = Arc::new(load(&self.file(path)?)?);
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).insert(key, made.clone());
        Ok(made)
    }
}
