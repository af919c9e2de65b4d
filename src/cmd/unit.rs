//! `sumito unit`: does pieces of work for another program, which gives each as a line of JSON and gets its outcome back.

use std::io::{BufRead, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};
use sumito_agents::Stop;
use sumito_lab::work::{Networks, Unit, UnitWorker, registered};

/// Do units of work: a line of JSON for each on standard input, its outcome on standard output
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Let the players' clocks stand still: then an outcome depends on its unit alone
    #[arg(long)]
    timeless: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let (networks, stop, mut out) = (Networks::default(), Stop::default(), std::io::stdout().lock());
    let mut worker = UnitWorker::new(&registered, &networks, args.timeless);
    for line in std::io::stdin().lock().lines() {
        let unit: Unit = serde_json::from_str(&line?).context("expected a unit of work as JSON")?;
        let outcome = worker.perform(&unit, &stop).map_err(|why| why.to_string());
        writeln!(out, "{}", serde_json::to_string(&outcome)?)?;
        out.flush()?;
    }
    Ok(ExitCode::SUCCESS)
}
