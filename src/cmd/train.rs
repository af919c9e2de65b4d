//! `sumito train`: trains the engine's network on positions of self-play, with progress, and kept so that it can go on.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use sumito_agents::Stop;
use sumito_engine::network::Weights;
use sumito_lab::train::{Buckets, Epoch, Loss, Progress, Report, Samples, Schedule, Settings, Trainer};

use crate::files::{print, print_json};
use crate::interrupt::{INTERRUPTED, command_line, stop_on_interrupt};
use crate::progress;

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
    /// What the network sees: cells, and with + any of lines3, lines4, lines5 (what lies on each row of so many
    /// cells), scores (marbles pushed off), clock (plies left until --cap) and turned (the board is turned so that all its
    /// forms look alike)
    #[arg(long, default_value = "cells+turned", value_name = "GROUPS")]
    inputs: String,
    /// Begin with this network instead of random weights; it may be narrower, and see the board turned or not
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Values in each player's half of the first layer, a multiple of 16
    #[arg(long, default_value_t = 128, value_name = "N")]
    width: usize,
    /// Outputs by the marbles pushed off so far
    #[arg(long, value_enum, default_value_t = BucketsArg::Sum, value_name = "WHICH")]
    buckets: BucketsArg,
    /// How often each position is used
    #[arg(long, default_value_t = 20, value_name = "N")]
    epochs: usize,
    /// Positions for each step of the weights
    #[arg(long, default_value_t = 512, value_name = "N")]
    batch: usize,
    /// The size of a step at the start
    #[arg(long, default_value_t = 0.002, value_name = "RATE")]
    rate: f64,
    /// The size of a step at the end, as a part of that at the start
    #[arg(long, default_value_t = 0.01, value_name = "PART")]
    final_rate: f64,
    /// How it gets there
    #[arg(long, value_enum, default_value_t = ScheduleArg::Cosine, value_name = "HOW")]
    schedule: ScheduleArg,
    /// The part of each step by which weights shrink
    #[arg(long, default_value_t = 0.01, value_name = "PART")]
    decay: f64,
    /// The part of the search's score in what is learned; the rest is the game's result
    #[arg(long, default_value_t = 1.0, value_name = "PART")]
    score_part: f64,
    /// The part of a score that comes from the plies after it in the game: each ply passes on so much of the next
    #[arg(long, default_value_t = 0.75, value_name = "PART")]
    lambda: f64,
    /// The score that stands for a winning chance of 73 %, in hundredths of a marble
    #[arg(long, default_value_t = 400, value_name = "SCORE")]
    scale: u32,
    /// What is made small: the squared error of chances, or their relative entropy
    #[arg(long, value_enum, default_value_t = LossArg::Squares, value_name = "WHICH")]
    loss: LossArg,
    /// Use positions as they are instead of turned and reflected at random
    #[arg(long)]
    no_symmetries: bool,
    /// The ply at which the games' cap lies, for the inputs of the clock
    #[arg(long, value_name = "PLY")]
    cap: Option<u32>,
    /// Leave out positions with more plies since the last ejection
    #[arg(long, value_name = "PLIES")]
    max_quiet: Option<u16>,
    /// The part of the games that is not learned from but kept for validation
    #[arg(long, default_value_t = 0.05, value_name = "PART")]
    validation: f64,
    /// Seed of the first weights, the order of positions and their symmetries
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum BucketsArg {
    /// One output for all
    One,
    /// Six, by the marbles that both sides have pushed off together
    Sum,
    /// Thirty-six, one for each pair of scores
    Pairs,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ScheduleArg {
    /// Along half a cosine
    Cosine,
    /// In four steps of the same factor
    Steps,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LossArg {
    /// The squared error
    Squares,
    /// The relative entropy
    Entropy,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let start = args.start.as_deref().map(read_network).transpose()?;
    let settings = Settings { start: start.as_ref().map(Weights::fingerprint), ..settings(&args) };
    settings.check().map_err(anyhow::Error::msg)?;
    ensure!(args.threads != Some(0), "--threads: expected at least one, found 0");
    let stop = Stop::default();
    stop_on_interrupt(&stop)?;
    let reading = progress::Progress::bytes();
    let samples = Samples::read(&args.data, &settings, &mut |done, whole| reading.update(done, whole))?;
    drop(reading);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.unwrap_or(processors);
    let (settings, samples) = (&settings, &samples);
    let trainer = Trainer { settings, samples, start: start.as_ref(), threads, dir: &args.out, stop: &stop };
    let mut live = Live::new();
    let report = trainer.run(&mut |progress| live.update(progress))?;
    live.bar.finish_and_clear();
    if args.json {
        print_json(&report)?;
    } else {
        print(&text(&report, &args.out)?)?;
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
        inputs: args.inputs.clone(),
        width: args.width,
        buckets: match args.buckets {
            BucketsArg::One => Buckets::One,
            BucketsArg::Sum => Buckets::Sum,
            BucketsArg::Pairs => Buckets::Pairs,
        },
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        final_rate: args.final_rate,
        schedule: match args.schedule {
            ScheduleArg::Cosine => Schedule::Cosine,
            ScheduleArg::Steps => Schedule::Steps,
        },
        decay: args.decay,
        score_part: args.score_part,
        lambda: args.lambda,
        scale: args.scale,
        loss: match args.loss {
            LossArg::Squares => Loss::Squares,
            LossArg::Entropy => Loss::Entropy,
        },
        symmetries: !args.no_symmetries,
        cap: args.cap,
        max_quiet: args.max_quiet,
        validation: args.validation,
        seed: args.seed,
        start: None,
    }
}

fn read_network(path: &Path) -> Result<Weights> {
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    Weights::from_bytes(&bytes).with_context(|| path.display().to_string())
}

/// The progress on standard error: a bar on a terminal, and a line for each epoch.
struct Live {
    bar: ProgressBar,
    epochs: usize,
    drawn: Instant,
}

/// How often the bar is drawn anew.
const REDRAW: Duration = Duration::from_millis(250);

impl Live {
    fn new() -> Live {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new(1) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{bar:40} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Live { bar, epochs: 0, drawn: Instant::now() }
    }

    fn update(&mut self, progress: &Progress<'_>) {
        if progress.resumed {
            // Epochs of an earlier run were told of by it, and say nothing about how long the rest will take.
            self.epochs = progress.history.len();
            self.bar.set_length(progress.whole);
            self.bar.set_position(progress.positions);
            self.bar.reset_eta();
        }
        for epoch in &progress.history[self.epochs..] {
            self.tell(&line(epoch));
        }
        self.epochs = progress.history.len();
        if self.drawn.elapsed() < REDRAW {
            return;
        }
        self.drawn = Instant::now();
        self.bar.set_length(progress.whole);
        self.bar.set_position(progress.positions);
        let (speed, left) = (self.bar.per_sec(), HumanDuration(self.bar.eta()));
        let loss = progress.loss;
        self.bar.set_message(format!("loss {loss:.6}, {speed:.0} positions/s, {left:#} left"));
    }

    fn tell(&self, line: &str) {
        if self.bar.is_hidden() {
            tell!("{line}");
        } else {
            self.bar.println(line);
        }
    }
}

fn line(epoch: &Epoch) -> String {
    let Epoch { epoch, train, validation, rate, speed } = epoch;
    let validation = validation.map_or(String::new(), |loss| format!(", validation {loss:.6}"));
    format!("epoch {epoch}: loss {train:.6}{validation}, rate {rate:.6}, {speed:.0} positions/s")
}

fn text(report: &Report, out: &Path) -> Result<String> {
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
fn leads(report: &Report) -> Table {
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
