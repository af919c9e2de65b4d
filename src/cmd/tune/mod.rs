//! `sumito tune`: better values for the numbers of an agent.

mod spsa;
mod steps;
mod texel;

use std::process::ExitCode;

use anyhow::Result;

pub(crate) use steps::TuneProgress;

/// Look for better values of an agent's numbers
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    by: By,
}

#[derive(clap::Subcommand)]
enum By {
    Spsa(Box<spsa::Args>),
    Texel(texel::Args),
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    match args.by {
        By::Spsa(args) => spsa::run(*args),
        By::Texel(args) => texel::run(args),
    }
}
