//! What did the user name: a file, a pattern, standard input? And is it compressed?
//!
//! Compression is recognised by the first bytes, not by the name, so that it works through a pipe too.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use sha2::{Digest, Sha256};

use crate::natural;
use crate::problem::{self, Problem};

/// One input, named but not yet opened.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<str>,
    origin: Origin,
    /// What it was when it was read elsewhere, and whether it still is that.
    expected: Option<Arc<(String, OnceLock<bool>)>>,
}

#[derive(Clone, Debug)]
enum Origin {
    File(PathBuf),
    Stdin,
    Bytes(Arc<[u8]>),
}

/// An open source: decompressed bytes to read, and a fingerprint of the bytes as they are stored.
pub struct Opened {
    /// The decompressed bytes.
    pub reader: Box<dyn Read + Send>,
    /// The fingerprint so far of what was read underneath.
    pub hash: Hash,
    /// Whether a line can be read again by its offset.
    pub replayable: bool,
    /// Reading does not feed the fingerprint: whoever takes the bytes does, so that nobody waits for it who wants to read on.
    pub(super) by_taker: bool,
}

impl Source {
    /// A file by its path.
    #[must_use]
    pub fn file(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        Source { name: path.display().to_string().into(), origin: Origin::File(path), expected: None }
    }

    /// Standard input.
    #[must_use]
    pub fn stdin() -> Self {
        Source { name: "<stdin>".into(), origin: Origin::Stdin, expected: None }
    }

    /// Bytes that are already in memory, under a name for messages.
    #[must_use]
    pub fn bytes(name: &str, bytes: impl Into<Arc<[u8]>>) -> Self {
        Source { name: name.into(), origin: Origin::Bytes(bytes.into()), expected: None }
    }

    /// This source, to be read again by somebody who knows its fingerprint (`sha256:…`): its lines are given only if it is
    /// still the one that was read.
    #[must_use]
    pub fn expecting(self, fingerprint: String) -> Self {
        Source { expected: Some(Arc::new((fingerprint, OnceLock::new()))), ..self }
    }

    /// Whether it is what is expected; all of it is read once to find out.
    fn is_as_expected(&self) -> bool {
        let Some((fingerprint, known)) = self.expected.as_deref() else { return true };
        *known.get_or_init(|| {
            let Ok(Opened { mut reader, hash, .. }) = self.open() else { return false };
            io::copy(&mut reader, &mut io::sink()).is_ok() && hash.finish().to_string() == *fingerprint
        })
    }

    /// Everything that an argument names: `-`, a path, or a pattern such as `runs/*.jsonl.gz`. The files of a pattern come
    /// in natural order, the oldest of a rotated log first ([`natural::order`]), and one that is reached twice comes once.
    pub fn expand(argument: &str) -> Result<Vec<Source>, Problem> {
        if argument == "-" {
            return Ok(vec![Source::stdin()]);
        }
        let is_pattern = argument.contains(['*', '?', '[']);
        if !is_pattern || PathBuf::from(argument).exists() {
            return Ok(vec![Source::file(argument)]);
        }
        let bad = |message: String| Problem::of_file(&problem::UNREADABLE, argument, message);
        let paths = glob::glob(argument).map_err(|e| bad(format!("the pattern is wrong: {}", e.msg)))?;
        let (mut files, mut seen) = (Vec::new(), HashSet::new());
        for path in paths {
            let path = path.map_err(|e| bad(format!("{}: {}", e.path().display(), e.error())))?;
            if path.is_file() && path.canonicalize().is_ok_and(|real| seen.insert(real)) {
                files.push(path);
            }
        }
        files.sort_by_cached_key(|path| natural::order(&path.to_string_lossy()));
        let found: Vec<Source> = files.into_iter().map(Source::file).collect();
        if found.is_empty() { Err(bad("no file matches this pattern".into())) } else { Ok(found) }
    }

    /// The name as messages show it.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The file that it is of, links followed; `None` where it is not one.
    #[must_use]
    pub fn real_path(&self) -> Option<PathBuf> {
        match &self.origin {
            Origin::File(path) => path.canonicalize().ok().filter(|real| real.is_file()),
            Origin::Stdin | Origin::Bytes(_) => None,
        }
    }

    /// How many bytes are stored, where that is known without reading.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        match &self.origin {
            Origin::File(path) => path.metadata().ok().filter(|m| m.is_file()).map(|m| m.len()),
            Origin::Stdin => None,
            Origin::Bytes(bytes) => Some(bytes.len() as u64),
        }
    }

    /// Whether it can be opened and read a second time.
    pub fn lasts(&self) -> bool {
        match &self.origin {
            Origin::File(path) => path.is_file(),
            Origin::Stdin => false,
            Origin::Bytes(_) => true,
        }
    }

    /// This source with its stored bytes in memory, so that it can be read repeatedly.
    pub fn into_memory(self) -> Result<Self, Problem> {
        let Origin::File(path) = &self.origin else { return Ok(self) };
        if path.is_dir() {
            return Err(self.unreadable(&io::ErrorKind::IsADirectory.into()));
        }
        let bytes = std::fs::read(path).map_err(|e| self.unreadable(&e))?;
        Ok(Source { origin: Origin::Bytes(bytes.into()), ..self })
    }

    /// All of it as text.
    pub fn text(&self) -> Result<String, Problem> {
        let mut text = String::new();
        let mut reader = self.open()?.reader;
        reader.read_to_string(&mut text).map_err(|e| self.unreadable(&e))?;
        Ok(text)
    }

    /// Opens the source and looks at its first bytes.
    pub fn open(&self) -> Result<Opened, Problem> {
        self.open_with(true)
    }

    /// Opens the source; unless it is compressed or `on_reading`, its bytes are fingerprinted by whoever takes them: see
    /// [`Opened::by_taker`].
    pub(super) fn open_with(&self, on_reading: bool) -> Result<Opened, Problem> {
        let mut size = 0;
        let mut stored: Box<dyn Read + Send> = match &self.origin {
            Origin::File(path) => {
                let file = File::open(path).map_err(|e| self.unreadable(&e))?;
                if let Ok(about) = file.metadata() {
                    if about.is_dir() {
                        return Err(self.unreadable(&io::ErrorKind::IsADirectory.into()));
                    }
                    size = about.len();
                }
                Box::new(file)
            }
            Origin::Stdin => Box::new(io::stdin()),
            Origin::Bytes(bytes) => {
                size = bytes.len() as u64;
                Box::new(io::Cursor::new(bytes.clone()))
            }
        };
        let hash = Hash::new(size);
        let magic = magic(&mut stored).map_err(|e| self.unreadable(&e))?;
        let packed = magic.starts_with(&GZIP) || magic.starts_with(&ZSTD);
        let (by_taker, replayable) = (!on_reading && !packed, self.lasts() && !packed);
        let stored = io::Cursor::new(magic.clone()).chain(stored);
        if by_taker {
            return Ok(Opened { reader: Box::new(stored), hash, replayable, by_taker });
        }
        let hashed = Hashed { inner: stored, hash: hash.clone() };
        let buffered = BufReader::with_capacity(64 * 1024, hashed);
        let reader = decompressed(buffered, &magic).map_err(|e| self.unreadable(&e))?;
        Ok(Opened { reader, hash, replayable, by_taker })
    }

    /// Reads one line again, by the byte offset at which it starts.
    pub fn line_at(&self, offset: u64, limit: usize) -> io::Result<Vec<u8>> {
        if !self.is_as_expected() {
            return Err(io::Error::other("it has changed"));
        }
        let mut line = Vec::new();
        match &self.origin {
            // Looked at without opening it as an input: thousands of lines may be asked for, and nobody needs its hash.
            Origin::File(path) if plain(path)? => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(offset))?;
                BufReader::new(file.take(limit as u64)).read_until(b'\n', &mut line)?;
            }
            // Compressed: everything before the line has to be passed over.
            Origin::File(_) => {
                let mut reader = self.open().map_err(|_| io::Error::other("it cannot be opened"))?.reader;
                io::copy(&mut (&mut reader).take(offset), &mut io::sink())?;
                BufReader::new(reader.take(limit as u64)).read_until(b'\n', &mut line)?;
            }
            Origin::Bytes(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
                line.extend(rest.iter().take_while(|&&b| b != b'\n'));
            }
            Origin::Stdin => return Err(io::Error::other("standard input cannot be read twice")),
        }
        Ok(line)
    }

    /// Reads one line again as text, without its end; `None` where that is not possible any more.
    #[must_use]
    pub fn text_at(&self, offset: u64) -> Option<String> {
        let mut line = String::from_utf8(self.line_at(offset, crate::LINE_LIMIT).ok()?).ok()?;
        line.truncate(line.trim_end_matches(['\n', '\r']).len());
        Some(line)
    }

    /// The problem of a source that cannot be read on.
    pub fn unreadable(&self, error: &io::Error) -> Problem {
        Problem::of_file(&problem::UNREADABLE, &self.name, describe(error))
    }
}

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The stored bytes, decompressed if their first bytes say that they are compressed.
fn decompressed(stored: impl BufRead + Send + 'static, magic: &[u8]) -> io::Result<Box<dyn Read + Send>> {
    let unknown = |name: &str| {
        let message = format!("it is compressed with {name}, which this build of karat does not read");
        Err(io::Error::other(message))
    };
    match magic {
        #[cfg(feature = "gzip")]
        _ if magic.starts_with(&GZIP) => Ok(Box::new(flate2::bufread::MultiGzDecoder::new(stored))),
        #[cfg(feature = "zstd")]
        _ if magic.starts_with(&ZSTD) => Ok(Box::new(zstd::stream::read::Decoder::with_buffer(stored)?)),
        _ if magic.starts_with(&GZIP) => unknown("gzip"),
        _ if magic.starts_with(&ZSTD) => unknown("Zstandard"),
        _ => Ok(Box::new(stored)),
    }
}

/// Whether a file can be read from the middle: it is one, and it is not compressed.
fn plain(path: &Path) -> io::Result<bool> {
    if !path.is_file() {
        return Ok(false);
    }
    let magic = magic(File::open(path)?)?;
    Ok(!magic.starts_with(&GZIP) && !magic.starts_with(&ZSTD))
}

/// The first bytes, which say how the rest is compressed.
fn magic(stored: impl Read) -> io::Result<Vec<u8>> {
    let mut magic = Vec::with_capacity(ZSTD.len());
    stored.take(ZSTD.len() as u64).read_to_end(&mut magic)?;
    Ok(magic)
}

/// The operating system's message, without its number.
fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "this is a directory, not a file".into(),
        io::ErrorKind::UnexpectedEof => "the compressed file is truncated".into(),
        _ => error.to_string().split(" (os error").next().unwrap_or_default().to_owned(),
    }
}

/// The SHA-256 of several texts, each closed with a NUL, in hexadecimal.
#[must_use]
pub fn sha256<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    let mut digest = Sha256::new();
    for text in texts {
        digest.update(text);
        digest.update([0]);
    }
    hex(&digest.finalize())
}

/// Bytes as hexadecimal digits.
#[must_use]
pub fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Inputs up to this many stored bytes are fingerprinted with SHA-256, larger ones with BLAKE3.
pub const SHA256_LIMIT: u64 = 16 << 20;

/// A fingerprint of an input as it is stored.
///
/// SHA-256, which `sha256sum` checks, up to [`SHA256_LIMIT`]; beyond it BLAKE3, which `b3sum` checks and which is
/// several times as fast: hashing a log must not take longer than scoring it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Of a small input.
    pub sha256: Option<String>,
    /// Of a large one.
    pub blake3: Option<String>,
}

impl std::fmt::Display for Fingerprint {
    /// With its name: `sha256:…`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.sha256, &self.blake3) {
            (Some(hex), _) => write!(f, "sha256:{hex}"),
            (None, Some(hex)) => write!(f, "blake3:{hex}"),
            (None, None) => Ok(()),
        }
    }
}

/// A running fingerprint, shared between those that feed it and whoever asks for it at the end.
#[derive(Clone, Debug)]
pub struct Hash(Arc<(Mutex<Hashers>, Condvar)>);

#[derive(Debug)]
struct Hashers {
    bytes: u64,
    /// How many blocks were fed.
    turn: u32,
    /// `None` once the input is known to be a large one.
    sha256: Option<Sha256>,
    blake3: blake3::Hasher,
}

impl Hashers {
    fn update(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.sha256 = self.sha256.take().filter(|_| self.bytes <= SHA256_LIMIT);
        if let Some(sha256) = &mut self.sha256 {
            sha256.update(bytes);
        }
        self.blake3.update(bytes);
    }
}

impl Hash {
    /// Of an input that says it has `size` bytes; 0 where it does not say.
    fn new(size: u64) -> Self {
        let sha256 = (size <= SHA256_LIMIT).then(Sha256::new);
        let hashers = Hashers { bytes: 0, turn: 0, sha256, blake3: blake3::Hasher::new() };
        Hash(Arc::new((Mutex::new(hashers), Condvar::new())))
    }

    fn hashers(&self) -> MutexGuard<'_, Hashers> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until this many blocks were fed.
    fn after(&self, turn: u32) -> MutexGuard<'_, Hashers> {
        let wait = self.0.1.wait_while(self.hashers(), |hashers| hashers.turn < turn);
        wait.unwrap_or_else(PoisonError::into_inner)
    }

    /// Feeds a block, once those before it were fed.
    pub(super) fn feed(&self, turn: u32, bytes: &[u8]) {
        let mut hashers = self.after(turn);
        hashers.update(bytes);
        hashers.turn += 1;
        drop(hashers);
        self.0.1.notify_all();
    }

    /// Feeds what follows this many blocks and is in none.
    pub(super) fn feed_behind(&self, turn: u32, bytes: &[u8]) {
        self.after(turn).update(bytes);
    }

    /// The fingerprint of everything, once this many blocks were fed.
    pub(super) fn finish_after(&self, turn: u32) -> Fingerprint {
        drop(self.after(turn));
        self.finish()
    }

    /// The fingerprint of everything read so far.
    #[must_use]
    pub fn finish(&self) -> Fingerprint {
        let hashers = self.hashers();
        let sha256 = hashers.sha256.as_ref().map(|sha256| hex(&sha256.clone().finalize()));
        let blake3 = sha256.is_none().then(|| hashers.blake3.finalize().to_hex().to_string());
        Fingerprint { sha256, blake3 }
    }
}

struct Hashed<R> {
    inner: R,
    hash: Hash,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = loop {
            match self.inner.read(into) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                done => break done?,
            }
        };
        self.hash.hashers().update(&into[..n]);
        Ok(n)
    }
}
