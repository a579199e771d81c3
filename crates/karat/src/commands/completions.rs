//! `karat completions`: a completion script, from the same declarations as the parser.

use clap_complete::Shell;

use super::Suites;
use crate::cli;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  karat completions bash > ~/.local/share/bash-completion/completions/karat\n  karat completions zsh > ~/.zfunc/_karat\n  karat completions fish > ~/.config/fish/completions/karat.fish"
)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args, suites: Suites) -> String {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::command(suites), "karat", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
