//! `sumito train`: trains the engine's network on positions of self-play, with progress, and kept so that it can go on.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use comfy_table::{CellAlignment, Table, presets};
use sumito_engine::network::Weights;
use sumito_lab::train::{Epoch, TrainReport, TrainSamples, TrainSettings, Trainer};

use crate::interrupt::{conclude, stop_on_interrupt};
use crate::progress::Progress;

/// Train the engine's network on positions of self-play
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito train gen0.data --out runs/gen0
  sumito train gen0.data gen1.data --out runs/wide --width 256 --epochs 30 --buckets pairs
  sumito train gen0.data --out runs/lines --width 64 --inputs cells+lines3+turned

The folder gets network.net for the engine, report.json, loss.csv, the picture loss.svg, and a checkpoint after each
epoch, from which the same command goes on. On the same number of threads the same command makes the same network.")]
pub(crate) struct Args {
    /// Files that `sumito datagen` made
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The folder for the network and all that goes with it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Begin with this network instead of random weights; it may be narrower, and see the board turned or not
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    #[command(flatten)]
    settings: TrainSettings,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let start = args.start.as_deref().map(read_network).transpose()?;
    let settings = TrainSettings { start: start.as_ref().map(Weights::fingerprint), ..args.settings };
    settings.check().map_err(anyhow::Error::msg)?;
    ensure!(args.threads != Some(0), "--threads: expected at least one, found 0");
    let stop = stop_on_interrupt()?;
    let reading = Progress::bytes();
    let samples = TrainSamples::read(&args.data, &settings, &mut |done, whole| reading.update(done, whole))?;
    drop(reading);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or(processors);
    let (settings, samples) = (&settings, &samples);
    let trainer = Trainer { settings, samples, start: start.as_ref(), threads, dir: &args.out, stop: &stop };
    let bar = Progress::long("positions");
    let mut told = 0;
    let report = trainer.run(&mut |progress| {
        if progress.resumed {
            // Epochs of an earlier run were told of by it.
            told = progress.history.len();
            bar.resume(progress.positions);
        }
        progress.history[told..].iter().for_each(|epoch| bar.line(&line(epoch)));
        told = progress.history.len();
        bar.report(progress.positions, progress.whole, || format!("loss {:.6}", progress.loss));
    })?;
    drop(bar);
    let stopped =
        (!report.finished).then(|| format!("{} of {} epochs", report.epochs.len(), settings.epochs));
    conclude(&report, args.json, || text(&report, &args.out), stopped)
}

fn read_network(path: &Path) -> Result<Weights> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    Weights::from_bytes(&bytes).with_context(|| path.display().to_string())
}

fn line(epoch: &Epoch) -> String {
    let Epoch { epoch, train, validation, rate, speed } = epoch;
    let validation = validation.map_or(String::new(), |loss| format!(", validation {loss:.6}"));
    format!("epoch {epoch}: loss {train:.6}{validation}, rate {rate:.6}, {speed:.0} positions/s")
}

fn text(report: &TrainReport, out: &Path) -> Result<String> {
    let mut lines = Vec::new();
    let last = report.epochs.last().map(line);
    lines.push(format!(
        "{} positions, and {} of other games for validation",
        report.positions, report.validation
    ));
    lines.extend(last);
    let rounding = &report.rounding;
    lines.push(format!(
        "Rounding for the engine: loss {:.6} instead of {:.6}, values differ by {:.1} hundredths of a marble on average \
         and {:.0} at most",
        rounding.engine_loss, rounding.trained_loss, rounding.mean_difference, rounding.max_difference
    ));
    if let Some(scale) = report.result_scale {
        lines.push(format!("The search's scores foretell the results best at a scale of {scale:.0}"));
    }
    lines.push(leads(report).to_string());
    let size = std::fs::metadata(out.join("network.net")).context("the network is not there")?.len();
    lines.push(format!("{}: {size} bytes", out.join("network.net").display()));
    Ok(lines.join("\n") + "\n")
}

/// What the network says of a lead: it must go on growing.
fn leads(report: &TrainReport) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["marbles ahead", "positions", "mean score", "mean value", "mean result"]);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for lead in &report.leads {
        table.add_row([
            format!("{:+}", lead.lead),
            lead.positions.to_string(),
            format!("{:+.0}", lead.score),
            format!("{:+.0}", lead.value),
            format!("{:.1} %", lead.result * 100.0),
        ]);
    }
    table
}
