//! `sumito lab report`: reports written anew, when claims or reasons were changed but not what is measured.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Error, Result};
use sumito_lab::experiment::{Published, library};

use crate::files::{Output, print};

/// Write the published reports anew with the claims and reasons of the definitions as they are now; the numbers stay
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of results
    #[arg(long, default_value = "experiments/results", value_name = "DIR")]
    results: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    for definition in library()? {
        if let Some(published) = Published::read(&args.results, &definition.name).map_err(Error::msg)? {
            let (path, text) = published.report(&definition, &args.results).map_err(Error::msg)?;
            let mut out = Output::create(Some(&path))?;
            out.write_all(text.as_bytes())?;
            out.finish()?;
            print(&format!("{}\n", path.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
