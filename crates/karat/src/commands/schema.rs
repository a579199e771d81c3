//! `karat schema`: the JSON Schema of a file that karat reads or writes.

use karat_engine::text;
use karat_report::schema;

use super::Suites;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  karat schema\n  karat schema answers.gold > gold.schema.json")]
pub(crate) struct Args {
    /// Which schema; no name lists them
    name: Option<String>,
}

pub(crate) fn run(args: &Args, suites: Suites) -> Result<String, String> {
    let all = schema::all(suites);
    let Some(name) = &args.name else {
        return Ok(all.iter().map(|schema| format!("{:<15} {}\n", schema.name, schema.summary)).collect());
    };
    match all.iter().find(|schema| schema.name == *name) {
        Some(schema) => Ok(format!("{:#}\n", schema.schema)),
        None => {
            let known: Vec<&str> = all.iter().map(|schema| schema.name.as_str()).collect();
            Err(format!("no schema is called `{}`; there are: {}", text::visible(name), known.join(", ")))
        }
    }
}
