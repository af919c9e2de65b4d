//! `sumito tune texel`: fits the weights of the hand-written evaluation to positions of self-play.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use sumito_lab::train::Epoch;
use sumito_lab::tune::texel::{TexelReport, TexelSamples, TexelSettings, TexelTuner};

use crate::interrupt::{conclude, stop_on_interrupt};
use crate::progress::Progress;

/// Tune the hand-written evaluation by positions of self-play (Texel)
///
/// A logistic regression: the weights under which the evaluation foretells results and scores of the search best.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito tune texel gen0.data --out runs/weights
  sumito tune texel gen0.data gen1.data --lambda 0.8 --epochs 60 --fresh --out runs/anew

The folder gets weights.rs (the tables of the engine's source), report.json, loss.csv, the picture loss.svg, and a
checkpoint after each epoch, from which the same command goes on.")]
pub(crate) struct Args {
    /// Files that `sumito datagen` made
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The folder for the weights and all that goes with them
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    settings: TexelSettings,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let settings = args.settings;
    settings.check().map_err(anyhow::Error::msg)?;
    let stop = stop_on_interrupt()?;
    let reading = Progress::bytes();
    let samples = TexelSamples::read(&args.data, &settings, &mut |done, whole| reading.update(done, whole))?;
    drop(reading);
    let bar = Progress::parts();
    let tuner = TexelTuner { settings: &settings, samples: &samples, dir: &args.out, stop: &stop };
    let report = tuner.run(&mut |epoch| {
        bar.line(&line(epoch));
        bar.update(epoch.epoch as u64, settings.epochs as u64);
    })?;
    drop(bar);
    let stopped =
        (!report.finished).then(|| format!("{} of {} epochs", report.epochs.len(), settings.epochs));
    conclude(&report, args.json, || Ok(text(&report, &args.out)), stopped)
}

fn line(epoch: &Epoch) -> String {
    let Epoch { epoch, train, validation, rate, speed } = epoch;
    let validation = validation.map_or(String::new(), |loss| format!(", validation {loss:.6}"));
    format!("epoch {epoch}: loss {train:.6}{validation}, rate {rate:.5}, {speed:.0} positions/s")
}

fn text(report: &TexelReport, out: &Path) -> String {
    let results = report.results;
    format!(
        "{}\n{} positions, and {} of other games for validation\n\
         Results are foretold with a mean surprise of {:.5} by the engine's weights, {:.5} by the new ones, and {:.5} by \
         the search's scores (at a scale of {:.0})\nKept in {}: weights.rs, report.json, loss.csv, loss.svg\n",
        report.source,
        report.positions,
        report.validation,
        results.engine,
        results.tuned,
        results.search,
        report.score_scale,
        out.display()
    )
}
