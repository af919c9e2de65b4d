//! `sumito data`: what a file of training data holds, and the model of winning chances fitted to it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Subcommand;
use comfy_table::{CellAlignment, Table, presets};
use sumito_lab::data::chances::{ChanceSample, Fit};
use sumito_lab::data::{Reader, Summary, plot};
use sumito_lab::stats::WdlCount;

use crate::files::{Output, print, print_json};
use crate::progress::Progress;

/// Look at training data that `sumito datagen` made
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(InfoArgs),
    FitWdl(FitArgs),
}

/// Count positions, games, results, scores and marbles
#[derive(clap::Args)]
struct InfoArgs {
    /// Files that `sumito datagen` made
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
}

/// Fit the model of winning chances, which the engine prints scores with, to the games' results
///
/// A side with the score s wins with the chance σ((s − a) / b) and loses with σ((−s − a) / b). a (`even`) and b
/// (`spread`) are straight lines over the marbles gone from the board. One game in ten is held back to measure the fit.
#[derive(clap::Args)]
struct FitArgs {
    /// Files that `sumito datagen` made
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Leave out positions with more plies since the last ejection, of games that went flat; 0 for none
    #[arg(long, default_value_t = 100, value_name = "N")]
    max_quiet: u16,
    /// Draw what was promised and what happened
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the fit as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        Command::Info(args) => info(&args)?,
        Command::FitWdl(args) => fit(&args)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn info(args: &InfoArgs) -> Result<()> {
    let mut summary = Summary::default();
    let mut text = String::new();
    for path in &args.files {
        let settings = serde_json::to_string(Reader::open(path)?.settings())?;
        writeln!(text, "{}: {settings}", path.display())?;
        summary.add_file(path)?;
    }
    if args.json {
        return print_json(&summary);
    }
    print(&(text + &describe(&summary)))
}

fn describe(summary: &Summary) -> String {
    let Summary { positions, games, results, pending, .. } = summary;
    let part = |count: u64| count as f64 / (*positions).max(1) as f64;
    let lines = [
        format!("positions   {positions}"),
        format!("games       {} with {:.1} positions each", games.games(), summary.positions_per_game()),
        format!("for Black   {} won-drawn-lost, {:.1} % drawn", wdl(*games), 100.0 * games.draw_ratio()),
        format!("positions'  {} won-drawn-lost for the side to move", wdl(*results)),
        format!("ejection    possible in {:.1} % of the positions", 100.0 * part(*pending)),
        format!("on average  ply {:.1}, search depth {:.1}", summary.mean_ply(), summary.mean_depth()),
    ];
    let bucket = Summary::BUCKET;
    let scores = summary
        .scores
        .iter()
        .map(|(&key, &count)| (format!("{:>6} to {:>6}", key * bucket, (key + 1) * bucket - 1), count));
    let marbles = summary.marbles.iter().map(|(&left, &count)| (format!("{left:>16}"), count));
    format!(
        "{}\n\nscore for the side to move\n{}\nmarbles left\n{}",
        lines.join("\n"),
        histogram(scores, *positions),
        histogram(marbles, *positions)
    )
}

fn fit(args: &FitArgs) -> Result<()> {
    let max_quiet = Some(args.max_quiet).filter(|&plies| plies > 0);
    let mut sample = ChanceSample::new(max_quiet);
    for path in &args.files {
        let mut reader = Reader::open(path)?;
        let progress = Progress::bytes();
        while let Some(chunk) = reader.next() {
            sample.add(&chunk?);
            let (read, whole) = reader.progress();
            progress.update(read, whole);
        }
    }
    let fit = sample.fit().context(
        "expected games that were won, drawn and lost to fit to, and at least ten of them; found too few",
    )?;
    if let Some(path) = &args.svg {
        let mut out = Output::create(Some(path))?;
        out.write_all(plot::calibration(&fit.calibration).as_bytes())?;
        out.finish()?;
    }
    if args.json { print_json(&fit) } else { print(&describe_fit(&fit)) }
}

fn describe_fit(fit: &Fit) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header([
        "positions",
        "points promised",
        "made",
        "won promised",
        "made",
        "drawn promised",
        "made",
    ]);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let percent = |part: f64| format!("{:.1} %", 100.0 * part);
    for bin in &fit.calibration {
        let (promised, made) = bin.points();
        let parts = [promised, made, bin.promised[2], bin.happened[2], bin.promised[1], bin.happened[1]];
        table.add_row([format!("{:.0}", bin.positions)].into_iter().chain(parts.map(percent)));
    }
    let ([even, even_slope], [spread, spread_slope]) = (fit.even, fit.spread);
    format!(
        "WdlModel {{ even: [{even:.1}, {even_slope:.2}], spread: [{spread:.1}, {spread_slope:.2}] }}\n\
         log-loss {:.4} on {:.0} positions; on {:.0} others {:.4}, the engine's present model {:.4}, without looking at \
         the position {:.4}\n{table}\n",
        fit.loss, fit.positions, fit.held_back, fit.held_back_loss, fit.current_loss, fit.blind_loss
    )
}

/// The width of the longest possible bar.
const WIDTH: f64 = 120.0;

fn histogram(rows: impl Iterator<Item = (String, u64)>, whole: u64) -> String {
    let row = |(title, count): (String, u64)| {
        let part = count as f64 / whole.max(1) as f64;
        let bar = "#".repeat((part * WIDTH).round() as usize);
        format!("{title} {count:>10} {:>5.1} % {bar}", 100.0 * part).trim_end().to_string() + "\n"
    };
    rows.map(row).collect()
}

fn wdl(games: WdlCount) -> String {
    format!("{}-{}-{}", games.wins, games.draws, games.losses)
}
