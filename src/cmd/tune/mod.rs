//! `sumito tune`: better values for the numbers of an agent.

mod spsa;

use std::process::ExitCode;

use anyhow::Result;

/// Look for better values of an agent's numbers
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    by: By,
}

#[derive(clap::Subcommand)]
enum By {
    Spsa(Box<spsa::Args>),
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    match args.by {
        By::Spsa(args) => spsa::run(*args),
    }
}
