//! `sumito datagen`: positions of self-play for tuning and training, with progress, and kept so that it can go on.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use sumito_engine::network;
use sumito_lab::data::DataSettings;
use sumito_lab::datagen::Generator;
use sumito_lab::stats::WdlCount;
use sumito_lab::work::{Networks, Threads};

use crate::files::print;
use crate::interrupt::{INTERRUPTED, command_line, stop_on_interrupt};
use crate::progress::Progress;

/// Make training data by self-play of the engine
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito datagen --out gen0.data --positions 1000000
  sumito datagen --out gen1.data --positions 5000000 --nodes 5000 --scattered 0.3 --threads 2
  sumito data info gen0.data

The file grows as games end, and the same command goes on where it was stopped; with a larger --positions it goes on
with a finished file. What is in it depends on the settings alone, not on threads or interruptions.")]
pub(crate) struct Args {
    /// The file, which is created or gone on with
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many positions to make
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    positions: u64,
    /// Games at a time [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The network that judges positions: a file, or `hand` for the hand-written evaluation [default: the shipped one]
    #[arg(long, default_value = "", hide_default_value = true, value_name = "FILE")]
    net: String,
    #[command(flatten)]
    settings: DataSettings,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let network = network::named(&args.net, std::fs::read)?;
    let max_quiet = args.settings.max_quiet.filter(|&plies| plies > 0);
    let settings = DataSettings { max_quiet, judge: Networks::name(network.as_ref()), ..args.settings };
    settings.check().map_err(anyhow::Error::msg)?;
    ensure!(args.positions > 0, "--positions: expected at least one, found 0");
    let stop = stop_on_interrupt()?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = Threads::new(args.threads.unwrap_or(processors));
    let networks = network.map(Networks::with).unwrap_or_default();
    let bar = Progress::long("positions");
    let mut is_first = true;
    let generator = Generator {
        settings: &settings,
        positions: args.positions,
        executor: &Threads { networks, ..threads },
        out: &args.out,
        stop: &stop,
    };
    let summary = generator.run(&mut |summary| {
        if std::mem::take(&mut is_first) {
            bar.resume(summary.positions);
        }
        bar.report(summary.positions.min(args.positions), args.positions, || games(summary.games));
    })?;
    drop(bar);
    let path = args.out.display();
    let done = format!("{} positions of {} in {path}\n", summary.positions, games(summary.games));
    print(&done)?;
    if summary.positions >= args.positions {
        return Ok(ExitCode::SUCCESS);
    }
    tell!("Stopped before the {} positions wanted. Go on with:\n  {}", args.positions, command_line());
    Ok(ExitCode::from(INTERRUPTED))
}

fn games(games: WdlCount) -> String {
    format!("{} games (Black {}-{}-{})", games.games(), games.wins, games.draws, games.losses)
}
