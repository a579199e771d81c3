//! `karat man`: the manual page, from the same declarations as the parser.

use super::Suites;
use crate::cli;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  karat man | man -l -\n  karat man answers > karat-answers.1")]
pub(crate) struct Args {
    /// The page of one command instead of karat's own
    command: Option<String>,
}

pub(crate) fn run(args: &Args, suites: Suites) -> Result<String, String> {
    let mut root = cli::command(suites);
    root.build();
    let page = match &args.command {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(command) => command.clone(),
            None => return Err(format!("no command is called `{}`", karat_engine::text::visible(name))),
        },
    };
    let mut roff = Vec::new();
    clap_mangen::Man::new(page).render(&mut roff).map_err(|e| e.to_string())?;
    Ok(String::from_utf8_lossy(&roff).into_owned())
}
