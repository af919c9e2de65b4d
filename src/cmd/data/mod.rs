//! `sumito data`: what a file of training data holds, and models of winning chances fitted to games.

mod fit;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;
use sumito_lab::data::{Reader, Summary};
use sumito_lab::stats::WdlCount;

use crate::files::{print, print_json};

/// Look at training data that `sumito datagen` made
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Info(InfoArgs),
    FitWdl(fit::Args),
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

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    match args.command {
        Command::Info(args) => info(&args).map(|()| ExitCode::SUCCESS),
        Command::FitWdl(args) => fit::run(&args),
    }
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
