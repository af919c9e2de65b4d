//! `sumito perft`: counts the leaves of the game tree.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;
use std::time::Instant;

use clap::value_parser;
use serde::Serialize;
use sumito_rules::{Notation, fen, perft};

use crate::files;
use crate::input::PositionArgs;
use crate::progress::Progress;

/// Count the positions that can be reached in a number of plies
///
/// Prints the count on standard output and the speed on standard error. The count is the standard test of a
/// program's rules: a line ends with the sixth ejection, repetition and caps are ignored.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// How many threads count
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Show the count of each move
    #[arg(long)]
    divide: bool,
    /// Print JSON: nodes, seconds, leaves_per_second and what was counted
    #[arg(long)]
    json: bool,
    /// How many plies
    #[arg(value_parser = value_parser!(u32).range(0..=30))]
    depth: u32,
}

#[derive(Serialize)]
struct Report {
    fen: String,
    depth: u32,
    threads: u16,
    nodes: u64,
    seconds: f64,
    leaves_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<BTreeMap<String, u64>>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let position = args.position.position()?;
    let start = Instant::now();
    let moves = {
        let progress = Progress::parts();
        let tell = |done: usize, of: usize| progress.update(done as u64, of as u64);
        perft::divide(&position, args.depth, args.threads.into(), &tell)
    };
    let seconds = start.elapsed().as_secs_f64();
    let nodes = if args.depth == 0 { 1 } else { moves.iter().map(|(_, count)| count).sum() };
    let named = moves.iter().map(|&(m, count)| (Notation::AbaPro.write(&position, m), count));
    let report = Report {
        fen: fen::write(&position),
        depth: args.depth,
        threads: args.threads,
        nodes,
        seconds,
        leaves_per_second: nodes as f64 / seconds.max(1e-9),
        divide: args.divide.then(|| named.collect()),
    };
    if args.json {
        files::print_json(&report)?;
    } else {
        files::print(&report.text())?;
        let million = report.leaves_per_second / 1e6;
        let threads =
            if args.threads == 1 { "1 thread".to_string() } else { format!("{} threads", args.threads) };
        tell!("{seconds:.3} s, {million:.1} million leaves/s, {threads}");
    }
    Ok(ExitCode::SUCCESS)
}

impl Report {
    fn text(&self) -> String {
        let mut text = String::new();
        for (name, count) in self.divide.iter().flatten() {
            writeln!(text, "{name} {count}").expect("writing to a string");
        }
        writeln!(text, "{}", self.nodes).expect("writing to a string");
        text
    }
}
