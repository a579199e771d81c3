//! Where output goes, and how it is never half written.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use karat_report::formats::{self, Format};

use crate::cli::Color;

/// What is good, bad, unsure, less important and a title, in colours.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const BOLD: Style = Style::new().bold();

/// A text in a style, where colours are wanted.
pub(crate) fn paint(style: Style, text: &str, color: bool) -> String {
    if color { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// The standard streams and how they may be used.
#[derive(Clone, Copy)]
pub(crate) struct Terminal {
    color: Color,
    /// The verdict alone.
    pub(crate) quiet: bool,
}

impl Terminal {
    pub(crate) fn new(color: Color, quiet: bool) -> Self {
        Terminal { color, quiet }
    }

    /// Whether standard output takes colours.
    pub(crate) fn color_out(&self) -> bool {
        self.colors(AutoStream::choice(&io::stdout()))
    }

    /// Whether standard error takes colours.
    pub(crate) fn color_err(&self) -> bool {
        self.colors(AutoStream::choice(&io::stderr()))
    }

    fn colors(&self, found: ColorChoice) -> bool {
        match self.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => found != ColorChoice::Never,
        }
    }

    /// Whether somebody is looking at standard error.
    pub(crate) fn watched(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Writes to standard output. A reader that has gone away (`| head`) is not an error.
    pub(crate) fn print(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => done,
        }
    }

    /// Writes to standard error, as well as it can.
    pub(crate) fn complain(&self, text: &str) {
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}

/// What goes into a file.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    Report(&'static Format),
    Partial,
}

/// A file to write, checked before the work begins.
pub(crate) struct Target {
    path: PathBuf,
    kind: Kind,
}

/// Why a file cannot be written, and what would be right.
pub(crate) struct WrongTarget {
    /// What is wrong, with the file's name.
    pub(crate) message: String,
    /// What was expected, or what to do.
    pub(crate) expected: String,
}

impl Target {
    /// Picks the format by the name's ending and makes sure that the folder is there. `Err` speaks of `--out`.
    pub(crate) fn new(path: &Path) -> Result<Self, String> {
        Target::at(path).map_err(|WrongTarget { message, expected }| match expected.is_empty() {
            true => format!("--out {message}"),
            false => format!("--out {message}; {expected}"),
        })
    }

    /// Picks the format by the name's ending and makes sure that the folder is there.
    pub(crate) fn at(path: &Path) -> Result<Self, WrongTarget> {
        const PARTIAL: &str = ".partial";
        let name = path.display().to_string();
        let wrong = |why: &str, expected: &str| {
            Err(WrongTarget { message: format!("{name}: {why}"), expected: expected.into() })
        };
        let kind = match formats::for_file(&name) {
            Some(format) => Kind::Report(format),
            None if name.ends_with(PARTIAL) => Kind::Partial,
            None => {
                let endings = formats::ALL.iter().map(|f| f.ending).filter(|e| !e.is_empty());
                let known: Vec<&str> = endings.chain([PARTIAL]).collect();
                let expected = format!("expected one of {}", known.join(" "));
                return wrong("no format has this ending", &expected);
            }
        };
        let folder = folder_of(path);
        match fs::metadata(folder) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return wrong(&format!("{} is not a folder", folder.display()), ""),
            Err(_) => {
                return wrong(&format!("the folder {} does not exist", folder.display()), "create it first");
            }
        }
        if path.is_dir() {
            return wrong("this is a folder", "name a file in it");
        }
        Ok(Target { path: path.to_owned(), kind })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    pub(crate) fn is_partial(&self) -> bool {
        matches!(self.kind, Kind::Partial)
    }
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes every file whole or none of them: all are written beside their places first, then moved there.
pub(crate) fn write_all(files: &[(&Target, String)]) -> Result<(), String> {
    let failed = |target: &Target, e: &io::Error| format!("--out {}: {e}", target.path.display());
    let mut ready = Vec::new();
    for (target, text) in files {
        if target.path.exists() && !target.path.is_file() {
            // A pipe or a device cannot be moved over.
            fs::write(&target.path, text).map_err(|e| failed(target, &e))?;
            continue;
        }
        ready.push((*target, beside(&target.path, text).map_err(|e| failed(target, &e))?));
    }
    for (target, file) in ready {
        file.persist(&target.path).map_err(|e| failed(target, &e.error))?;
    }
    Ok(())
}

/// Appends to the summary of a GitHub step, where one runs: `GITHUB_STEP_SUMMARY` names the file.
pub(crate) fn summarise(text: &str) -> Result<(), String> {
    /// GitHub drops the whole summary above this.
    const MOST: u64 = 1024 * 1024;
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else {
        return Ok(());
    };
    let there = fs::metadata(&path).map_or(0, |meta| meta.len());
    if there + text.len() as u64 > MOST {
        return Err(
            "GITHUB_STEP_SUMMARY: the report does not fit into this step's summary (1,024 KiB)".into()
        );
    }
    let file = fs::OpenOptions::new().append(true).create(true).open(&path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(|e| format!("GITHUB_STEP_SUMMARY: {e}"))
}

/// Writes one file whole or not at all.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), String> {
    let written = beside(path, text).and_then(|file| Ok(file.persist(path).map(drop)?));
    written.map_err(|e| format!("{}: {e}", path.display()))
}

/// Writes a file beside its place, to be moved there.
fn beside(path: &Path, text: &str) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".karat-");
    #[cfg(unix)]
    // As a file that was created plainly: the umask decides.
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder_of(path))?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}
