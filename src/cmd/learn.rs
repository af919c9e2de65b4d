//! `sumito learn`: lets an agent of the literature learn as its paper says, with progress, and kept so that it can go on.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use sumito_lab::learn::{LearnReport, LearnSettings, Learner, Point};
use sumito_lab::stats::WdlCount;

use crate::interrupt::{conclude, stop_on_interrupt};
use crate::progress::Progress;

/// Let an agent of the literature learn by playing itself
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    agent: AgentArg,
}

#[derive(clap::Subcommand)]
enum AgentArg {
    CornellTd(Box<CornellTd>),
}

/// The network of Lee and Noh's agent, by TD(lambda)
///
/// Both players of a game share the network, which moves at every step towards the reward and its own next value.
/// Now and then it is tested against random moves.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito learn cornell-td --out runs/daisy
  sumito learn cornell-td --layout the-wall --games 2000 --seed 3 --out runs/wall
  sumito match cornell-td:weights=runs/daisy/network.txt random --layouts german-daisy --rules cornell

The folder gets network.txt for the agent, report.json, curve.csv, the picture curve.svg, and a checkpoint after each
test, from which the same command goes on. One seed makes one network.")]
struct CornellTd {
    /// The folder for the network and all that goes with it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    settings: LearnSettings,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let AgentArg::CornellTd(args) = args.agent;
    let settings = args.settings;
    settings.check().map_err(anyhow::Error::msg)?;
    let stop = stop_on_interrupt()?;
    let learner = Learner { settings: &settings, dir: &args.out, stop: &stop };
    let bar = Progress::long("games");
    let mut told = 0;
    let report = learner.run(&mut |progress| {
        if progress.resumed {
            // Tests of an earlier run were told of by it.
            told = progress.points.len();
            bar.resume(progress.games as u64);
        }
        progress.points[told..].iter().for_each(|point| bar.line(&line(point)));
        told = progress.points.len();
        let epsilon = progress.epsilon;
        bar.report(progress.games as u64, settings.games as u64, || format!("epsilon {epsilon:.3}"));
    })?;
    drop(bar);
    let stopped = (!report.finished).then(|| format!("{} of {} games", report.games, settings.games));
    conclude(&report, args.json, || Ok(text(&report, &args.out)), stopped)
}

fn line(point: &Point) -> String {
    let Point { games, exam, decided, plies, error } = point;
    let WdlCount { wins, draws, losses } = exam.games;
    let mut line =
        format!("game {games}: {wins}-{draws}-{losses} against random, marbles {}-{}", exam.won, exam.lost);
    if *games > 0 {
        let won = 100.0 * decided;
        line.push_str(&format!("; self-play {won:.0} % won, {plies:.0} plies, mean error {error:.4}"));
    }
    line
}

fn text(report: &LearnReport, out: &Path) -> String {
    let last = report.points.last().map(line).unwrap_or_default();
    let network = out.join("network.txt");
    format!(
        "{} games, {} moves\n{last}\nKept in {}: network.txt, report.json, curve.csv, curve.svg\n\
         Play it with:\n  cornell-td:weights={}\n",
        report.games,
        report.moves,
        out.display(),
        network.display()
    )
}
