//! `sumito tune texel`: fits the weights of the hand-written evaluation to positions of self-play.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use sumito_agents::Stop;
use sumito_lab::train::Epoch;
use sumito_lab::tune::texel::{Report, Samples, Settings, Tuner};

use crate::files::{print, print_json};
use crate::interrupt::{INTERRUPTED, command_line, stop_on_interrupt};
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
    /// How often each position is used
    #[arg(long, default_value_t = 40, value_name = "N")]
    epochs: usize,
    /// Positions for each step of the weights
    #[arg(long, default_value_t = 8192, value_name = "N")]
    batch: usize,
    /// The size of a step at the start
    #[arg(long, default_value_t = 0.02, value_name = "RATE")]
    rate: f64,
    /// The part of the game's result in what is learned; the rest is the search's score
    #[arg(long, default_value_t = 0.6, value_name = "PART")]
    lambda: f64,
    /// The value that stands for a winning chance of 73 %, in hundredths of a marble: the unit of all weights
    #[arg(long, default_value_t = 208.0, value_name = "VALUE")]
    scale: f64,
    /// How strongly weights are pulled to nothing
    #[arg(long, default_value_t = 1e-5, value_name = "PART")]
    decay: f64,
    /// Start with all weights at nothing instead of the engine's
    #[arg(long)]
    fresh: bool,
    /// Leave out positions with more plies since the last ejection
    #[arg(long, default_value_t = 100, value_name = "PLIES")]
    max_quiet: u16,
    /// The part of the games that is not learned from but kept for validation
    #[arg(long, default_value_t = 0.1, value_name = "PART")]
    validation: f64,
    /// Seed of the order of positions
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let settings = settings(&args);
    settings.check().map_err(anyhow::Error::msg)?;
    let stop = Stop::default();
    stop_on_interrupt(&stop)?;
    let reading = Progress::bytes();
    let samples = Samples::read(&args.data, &settings, &mut |done, whole| reading.update(done, whole))?;
    drop(reading);
    let bar = Progress::parts();
    let tuner = Tuner { settings: &settings, samples: &samples, dir: &args.out, stop: &stop };
    let report = tuner.run(&mut |epoch| {
        tell!("{}", line(epoch));
        bar.update(epoch.epoch as u64, settings.epochs as u64);
    })?;
    drop(bar);
    if args.json {
        print_json(&report)?;
    } else {
        print(&text(&report, &args.out))?;
    }
    if report.finished {
        return Ok(ExitCode::SUCCESS);
    }
    let done = report.epochs.len();
    tell!("Stopped after {done} of {} epochs. Go on with:\n  {}", settings.epochs, command_line());
    Ok(ExitCode::from(INTERRUPTED))
}

fn settings(args: &Args) -> Settings {
    Settings {
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        lambda: args.lambda,
        scale: args.scale,
        decay: args.decay,
        fresh: args.fresh,
        max_quiet: args.max_quiet,
        validation: args.validation,
        seed: args.seed,
    }
}

fn line(epoch: &Epoch) -> String {
    let Epoch { epoch, train, validation, rate, speed } = epoch;
    let validation = validation.map_or(String::new(), |loss| format!(", validation {loss:.6}"));
    format!("epoch {epoch}: loss {train:.6}{validation}, rate {rate:.5}, {speed:.0} positions/s")
}

fn text(report: &Report, out: &Path) -> String {
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
