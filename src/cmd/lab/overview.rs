//! `sumito lab overview`: every claim of the papers with our numbers and the verdict.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Error, Result};
use sumito_lab::experiment::{library, overview};

use crate::files::print;

/// Print every claim of the papers, what we measured, and the verdict, as Markdown
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of results
    #[arg(long, default_value = "experiments/results", value_name = "DIR")]
    results: PathBuf,
    /// The way to that folder from where the overview is kept, for its links
    #[arg(long, default_value = "results", value_name = "PATH")]
    link: String,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    print(&overview::write(&library()?, &args.results, &args.link).map_err(Error::msg)?)?;
    Ok(ExitCode::SUCCESS)
}
