//! Where is the project's configuration, and what day is it?

use std::path::Path;

use jiff::civil::Date;
use karat_engine::input::Source;
use karat_engine::problem::{self, Failure, Problem};
use karat_engine::text;
use karat_suites::config::Config;
use karat_suites::waive;

use crate::commands::Suites;

/// What the configuration is called unless another name is given.
pub(crate) const NAME: &str = "karat.toml";

/// Reads a configuration; names of files in it are relative to its folder.
pub(crate) fn read(path: &Path, suites: Suites) -> Result<Config, Failure> {
    let name = path.display().to_string();
    if !path.exists() {
        let expected = "`karat init` writes a working example".into();
        let problem = Problem::of_file(&problem::CONFIG_INVALID, &name, "there is no such file");
        return Err(Problem { expected, ..problem }.into());
    }
    let text = Source::file(path).text()?;
    Config::parse(&name, &text, path.parent().unwrap_or(Path::new("")), suites)
}

/// The day: the given one, or the system's in UTC.
pub(crate) fn today(given: Option<&str>) -> Result<Date, String> {
    match given {
        Some(text) => waive::date(text)
            .ok_or_else(|| format!("--today \"{}\" is no day; expected YYYY-MM-DD", text::visible(text))),
        None => Ok(jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()),
    }
}
