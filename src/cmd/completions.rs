//! `sumito completions`: completion scripts for shells.

use std::io::Write;
use std::process::ExitCode;

use clap_complete::Shell;

use crate::files::Output;

/// Print a completion script for a shell
#[derive(clap::Args)]
pub(crate) struct Args {
    shell: Shell,
}

pub(crate) fn run(args: Args, mut program: clap::Command) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "sumito", &mut script);
    let mut out = Output::create(None)?;
    out.write_all(&script)?;
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}
