//! `sumito bench`: a fixed piece of search, whose node count names the engine's behaviour.

use std::process::ExitCode;

use clap::value_parser;
use sumito_engine::{Bench, bench, network};

use crate::files;

/// Search fixed positions to a fixed depth on one thread
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How deep
    #[arg(default_value_t = 12, value_parser = value_parser!(u32).range(1..=40))]
    depth: u32,
    /// The network that judges positions: a file, or `hand` for the hand-written evaluation [default: the shipped one]
    #[arg(long, default_value = "", hide_default_value = true, value_name = "FILE")]
    net: String,
    /// Print JSON: nodes, seconds, nodes_per_second
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let Bench { nodes, time } = bench(args.depth, network::named(&args.net, std::fs::read)?.as_ref());
    let (seconds, speed) = (time.as_secs_f64(), nodes as f64 / time.as_secs_f64().max(1e-9));
    if args.json {
        files::print_json(
            &serde_json::json!({ "nodes": nodes, "seconds": seconds, "nodes_per_second": speed }),
        )?;
    } else {
        files::print(&format!("{nodes} nodes, {seconds:.3} s, {speed:.0} nodes/s\n"))?;
    }
    Ok(ExitCode::SUCCESS)
}
