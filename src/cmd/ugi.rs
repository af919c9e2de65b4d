//! `sumito ugi`: any agent as an engine that other programs can talk to.

use std::io::{self, BufReader};
use std::process::ExitCode;

use sumito_agents::ugi::{ServeError, serve};

use crate::interrupt::end_on_interrupt;

/// Serve an agent over UGI on the standard streams.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agent, such as aba-pro:depth=5
    #[arg(long, value_name = "SPEC", default_value = "sumito")]
    agent: String,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    end_on_interrupt()?;
    match serve(&args.agent, BufReader::new(io::stdin()), io::stdout()) {
        // Whoever listened is gone: nothing is left to do.
        Err(ServeError::Output(why)) if why.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        result => result.map(|()| ExitCode::SUCCESS).map_err(Into::into),
    }
}
