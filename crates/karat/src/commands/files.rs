//! How the names on the command line become files to read, in every verb alike.

use karat_engine::input::Source;
use karat_engine::problem::{self, Failure, Problem};

/// One file; `-` is standard input.
pub(crate) fn one(name: &str) -> Source {
    if name == "-" { Source::stdin() } else { Source::file(name) }
}

/// Files and patterns, in their order.
pub(crate) fn expand(arguments: &[String]) -> Result<Vec<Source>, Failure> {
    let mut sources = Vec::new();
    for argument in arguments {
        sources.extend(Source::expand(argument)?);
    }
    Ok(sources)
}

/// Refuses to read standard input more than once.
pub(crate) fn standard_input_once<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), Failure> {
    if names.filter(|name| *name == "-").count() > 1 {
        let message = "standard input can be read only once";
        return Err(Problem::of_file(&problem::UNREADABLE, "<stdin>", message).into());
    }
    Ok(())
}
