//! Opens, updates and writes the file, so that neither two writers nor a killed one do harm.
//!
//! SQLite with its rollback journal, not its write-ahead log: a history is one file that can be copied or committed at
//! any time, it can be read where nothing may be written, and it works on shared folders. Writers queue: each takes the
//! write lock before it looks, so that nobody decides on what another one is changing. One killed half-way leaves a
//! journal, and whoever opens the file next undoes what is not whole.

use std::path::Path;
use std::time::Duration;

use karat_engine::problem::{self, Kind, Problem};
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

/// What leads from each version of the tables to the next one.
const MIGRATIONS: &[&str] = &[include_str!("0001.sql")];
/// The version of the tables that this karat writes.
pub(super) const VERSION: i64 = MIGRATIONS.len() as i64;
/// What marks a file as a history: "karA" as a number.
const OURS: i64 = 0x6b61_7241;
/// How long to wait for another writer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Opens a history that is there.
pub(super) fn open(path: &Path) -> Result<Connection, Problem> {
    if !Path::new(".").join(path).exists() {
        let message = "there is no such file; the first run that is recorded makes it".to_owned();
        return Err(named(path, &problem::HISTORY_UNAVAILABLE, message));
    }
    connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
}

/// Writes in one transaction: all of it, or nothing. The file is made where there is none.
pub(super) fn write(
    path: &Path,
    change: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> Result<(), Problem> {
    let bad = |e: rusqlite::Error| problem(path, &e);
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
    // The folder is synced too: a run that was recorded survives a power cut.
    connection.pragma_update(None, "synchronous", "EXTRA").map_err(bad)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(bad)?;
    for migration in &MIGRATIONS[version(path, &transaction)?..] {
        transaction.execute_batch(migration).map_err(bad)?;
    }
    transaction.pragma_update(None, "application_id", OURS).map_err(bad)?;
    transaction.pragma_update(None, "user_version", VERSION).map_err(bad)?;
    change(&transaction).map_err(bad)?;
    transaction.commit().map_err(bad)
}

/// The version of the tables in a file; a new file has 0. Refuses what is not a history, or a newer one.
pub(super) fn version(path: &Path, connection: &Connection) -> Result<usize, Problem> {
    let bad = |e: rusqlite::Error| problem(path, &e);
    let number = |pragma: &str| connection.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0));
    let (version, mark) = (number("user_version").map_err(bad)?, number("application_id").map_err(bad)?);
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(bad)?;
    if mark != OURS && (tables, version, mark) != (0, 0, 0) {
        return Err(named(path, &problem::HISTORY_FOREIGN, "a database of another program".into()));
    }
    match usize::try_from(version) {
        Ok(version) if version <= MIGRATIONS.len() => Ok(version),
        _ => {
            let message = format!(
                "version {version} of the tables; karat {} knows up to {VERSION}",
                env!("CARGO_PKG_VERSION")
            );
            Err(named(path, &problem::HISTORY_NEWER, message))
        }
    }
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, Problem> {
    // `./` so that no name means anything but a file: SQLite keeps `:memory:` and the empty name for itself.
    let place = Path::new(".").join(path);
    if path.as_os_str().is_empty() || place.is_dir() {
        let message = "this is a folder; name a file in it".to_owned();
        return Err(named(path, &problem::HISTORY_UNAVAILABLE, message));
    }
    let connection = Connection::open_with_flags(place, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let bad = |e: rusqlite::Error| problem(path, &e);
    let connection = connection.map_err(bad)?;
    connection.busy_timeout(PATIENCE).map_err(bad)?;
    // The file may come from anywhere: what its tables say must not call functions, and odd pages are looked at.
    connection.pragma_update(None, "trusted_schema", false).map_err(bad)?;
    connection.pragma_update(None, "cell_size_check", true).map_err(bad)?;
    Ok(connection)
}

/// What SQLite complains about, as a problem that says what to do.
pub(super) fn problem(path: &Path, e: &rusqlite::Error) -> Problem {
    let kind = match e.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => &problem::HISTORY_FOREIGN,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => &problem::HISTORY_BUSY,
        Some(ErrorCode::DatabaseCorrupt) => &problem::HISTORY_DAMAGED,
        // No such table, a row of another shape: somebody's hands were in it.
        Some(ErrorCode::Unknown | ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch) | None => {
            &problem::HISTORY_DAMAGED
        }
        Some(_) => &problem::HISTORY_UNAVAILABLE,
    };
    let message = match e {
        rusqlite::Error::SqliteFailure(_, Some(text)) => text.clone(),
        other => other.to_string(),
    };
    named(path, kind, message)
}

pub(super) fn named(path: &Path, kind: &'static Kind, message: String) -> Problem {
    Problem::of_file(kind, &path.display().to_string(), message)
}
