//! `sumito datagen`: positions of self-play for tuning and training, with progress, and kept so that it can go on.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use sumito_agents::{Stop, network};
use sumito_lab::data::{Decided, Generator, Keep, Progress, Settings};
use sumito_lab::stats::Wdl;
use sumito_lab::work::{Networks, Threads};

use crate::files::print;
use crate::interrupt::{INTERRUPTED, command_line, stop_on_interrupt};

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
    /// Positions that the engine looks at for each move, at least 30
    #[arg(long, default_value_t = 1500, value_name = "N")]
    nodes: u64,
    /// By how much of itself the number of nodes varies from move to move, 0 to 1
    #[arg(long, default_value_t = 0.0, value_name = "PART")]
    nodes_jitter: f64,
    /// The engine's table in megabytes, for each game at a time
    #[arg(long, default_value_t = 4, value_name = "MB")]
    hash: usize,
    /// The network that judges positions: a file, or `hand` for the hand-written evaluation [default: the shipped one]
    #[arg(long, default_value = "", hide_default_value = true, value_name = "FILE")]
    net: String,
    /// Starting layouts: names or FENs with commas, `all`, or `sound` (those whose cells no source disputes)
    #[arg(long, default_value = "sound", value_name = "LIST")]
    layouts: String,
    /// The least and the most random plies after a layout, none of which pushes a marble off
    #[arg(long, default_value = "4,11", value_name = "LEAST,MOST")]
    random_plies: String,
    /// The part of the games that starts from scattered marbles instead of a layout, with up to three off on each side
    #[arg(long, default_value_t = 0.5, value_name = "PART")]
    scattered: f64,
    /// How games end: official, playstrategy, bcit, cornell, tournament or mso, without their limits of plies
    #[arg(long, default_value = "playstrategy", value_name = "PRESET")]
    rules: String,
    /// A game of so many plies is drawn
    #[arg(long, default_value_t = 400, value_name = "N")]
    max_plies: usize,
    /// A game without an ejection for so many plies is drawn; 0 for never
    #[arg(long, default_value_t = 150, value_name = "N")]
    max_quiet: u16,
    /// End a game when the winner's score has been SCORE or more for PLIES on end, by both sides' searches; a forced
    /// win always ends it
    #[arg(long, value_name = "SCORE,PLIES")]
    decided: Option<String>,
    /// Positions to keep, of those after the random plies with an undecided score
    #[arg(long, value_enum, default_value_t = KeepArg::Quiet, value_name = "WHICH")]
    keep: KeepArg,
    /// A score of this size, in hundredths of a marble, is decided
    #[arg(long, default_value_t = 10_000, value_name = "SCORE")]
    max_score: i32,
    /// Seed of starts and of the nodes' jitter
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum KeepArg {
    /// All
    All,
    /// Those whose best move pushes nothing off
    Quiet,
    /// Those in which the side to move can push nothing off
    Calm,
}

impl From<KeepArg> for Keep {
    fn from(arg: KeepArg) -> Keep {
        match arg {
            KeepArg::All => Keep::All,
            KeepArg::Quiet => Keep::Quiet,
            KeepArg::Calm => Keep::Calm,
        }
    }
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let network = network(&args.net).map_err(anyhow::Error::msg)?;
    let mut settings = settings(&args)?;
    settings.judge = Networks::name(network.as_ref());
    let stop = Stop::default();
    stop_on_interrupt(&stop)?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = Threads::new(args.threads.unwrap_or(processors));
    let networks = network.map(Networks::with).unwrap_or_default();
    let mut live = Live::new(args.positions);
    let generator = Generator {
        settings: &settings,
        positions: args.positions,
        executor: &Threads { networks, ..threads },
        out: &args.out,
        stop: &stop,
    };
    let summary = generator.run(&mut |progress| live.update(progress))?;
    live.bar.finish_and_clear();
    let path = args.out.display();
    let done = format!("{} positions of {} in {path}\n", summary.positions, games(summary.games));
    print(&done)?;
    if summary.positions >= args.positions {
        return Ok(ExitCode::SUCCESS);
    }
    tell!("Stopped before the {} positions wanted. Go on with:\n  {}", args.positions, command_line());
    Ok(ExitCode::from(INTERRUPTED))
}

fn settings(args: &Args) -> Result<Settings> {
    let settings = Settings {
        seed: args.seed,
        nodes: args.nodes,
        nodes_jitter: args.nodes_jitter,
        hash: args.hash,
        layouts: args.layouts.clone(),
        random_plies: pair(&args.random_plies)
            .with_context(|| {
                format!("--random-plies: expected two numbers such as 4,11, found '{}'", args.random_plies)
            })?
            .into(),
        scattered: args.scattered,
        rules: args.rules.clone(),
        max_plies: args.max_plies,
        max_quiet: Some(args.max_quiet).filter(|&plies| plies > 0),
        decided: args.decided.as_deref().map(decided).transpose()?,
        keep: args.keep.into(),
        max_score: args.max_score,
        ..Settings::default()
    };
    settings.check().map_err(anyhow::Error::msg)?;
    ensure!(args.positions > 0, "--positions: expected at least one, found 0");
    Ok(settings)
}

fn decided(text: &str) -> Result<Decided> {
    let parts = pair(text).filter(|&(score, plies)| score > 0 && plies > 0);
    let (score, plies) = parts.with_context(|| {
        format!("--decided: expected a score and a number of plies such as 1500,6, found '{text}'")
    })?;
    Ok(Decided { score: i32::try_from(score)?, plies })
}

fn pair(text: &str) -> Option<(usize, usize)> {
    let (one, other) = text.split_once(',')?;
    Some((one.trim().parse().ok()?, other.trim().parse().ok()?))
}

fn games(games: Wdl) -> String {
    format!("{} games (Black {}-{}-{})", games.games(), games.wins, games.draws, games.losses)
}

/// The progress on standard error: a bar on a terminal, a line a minute elsewhere.
struct Live {
    bar: ProgressBar,
    wanted: u64,
    start: Instant,
    told: Instant,
}

/// How often a line is printed where there is no terminal.
const INTERVAL: Duration = Duration::from_secs(60);

impl Live {
    fn new(wanted: u64) -> Live {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new(wanted) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{bar:40} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Live { bar, wanted, start: Instant::now(), told: Instant::now() }
    }

    fn update(&mut self, progress: &Progress<'_>) {
        let summary = progress.summary;
        self.bar.set_position(summary.positions.min(self.wanted));
        let due = self.told.elapsed() >= INTERVAL;
        if self.bar.is_hidden() && !due {
            return;
        }
        let new = summary.positions - progress.resumed;
        let speed = new as f64 / self.start.elapsed().as_secs_f64();
        let left = self.wanted.saturating_sub(summary.positions) as f64 / speed.max(1e-3);
        let line = format!(
            "{} of {} positions, {speed:.0}/s, {}, {} left",
            summary.positions,
            self.wanted,
            games(summary.games),
            if new == 0 {
                "some time".to_string()
            } else {
                HumanDuration(Duration::from_secs(left as u64)).to_string()
            }
        );
        if self.bar.is_hidden() {
            self.told = Instant::now();
            tell!("{line}");
        } else {
            self.bar.set_message(line);
        }
    }
}
