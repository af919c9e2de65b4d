//! `sumito learn`: lets an agent of the literature learn as its paper says, with progress, and kept so that it can go on.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use sumito_agents::Stop;
use sumito_lab::learn::{Ends, Learner, Pace, Point, Progress, Report, Reward, Risk, Settings};
use sumito_lab::stats::Wdl;

use crate::files::{print, print_json};
use crate::interrupt::{INTERRUPTED, command_line, stop_on_interrupt};

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
    /// The layout from which every game starts
    #[arg(long, default_value = "german-daisy", value_name = "NAME")]
    layout: String,
    /// Games of self-play
    #[arg(long, default_value_t = Settings::default().games, value_name = "N")]
    games: usize,
    /// Hidden nodes of the network
    #[arg(long, default_value_t = Settings::default().hidden, value_name = "N")]
    hidden: usize,
    /// How long the trace of earlier positions lasts, 0 to 1
    #[arg(long, default_value_t = Settings::default().lambda, value_name = "X")]
    lambda: f64,
    /// The learning rate
    #[arg(long, default_value_t = Settings::default().alpha, value_name = "X")]
    alpha: f64,
    /// The discount of each step
    #[arg(long, default_value_t = Settings::default().gamma, value_name = "X")]
    gamma: f64,
    /// Gains count 1 - X times and losses 1 + X times, -1 to 1: below 0 seeks risk
    #[arg(long, default_value_t = Settings::default().kappa, value_name = "X", allow_negative_numbers = true)]
    kappa: f64,
    /// Which gains and losses these are
    #[arg(long, value_enum, default_value_t = RiskArg::Reward, value_name = "WHICH")]
    risk: RiskArg,
    /// What every move costs
    #[arg(long, default_value_t = Settings::default().move_penalty, value_name = "X")]
    move_penalty: f64,
    /// What is rewarded
    #[arg(long, value_enum, default_value_t = RewardArg::Lead, value_name = "WHAT")]
    reward: RewardArg,
    /// The chance of a random move at the start
    #[arg(long, default_value_t = Settings::default().epsilon, value_name = "X")]
    epsilon: f64,
    /// The least chance of a random move
    #[arg(long, default_value_t = Settings::default().epsilon_end, value_name = "X")]
    epsilon_end: f64,
    /// By what the chance is multiplied
    #[arg(long, default_value_t = Settings::default().epsilon_decay, value_name = "X")]
    epsilon_decay: f64,
    /// How often it is
    #[arg(long, value_enum, default_value_t = PaceArg::Game, value_name = "WHEN")]
    decay_per: PaceArg,
    /// What ends a game that nobody wins
    #[arg(long, value_enum, default_value_t = EndsArg::Caps, value_name = "RULE")]
    stop: EndsArg,
    /// After so many plies without an ejection a game ends
    #[arg(long, default_value_t = Settings::default().quiet_cap, value_name = "N")]
    quiet_cap: u32,
    /// After so many plies a game ends
    #[arg(long, default_value_t = Settings::default().ply_cap, value_name = "N")]
    ply_cap: u32,
    /// Games of self-play between two tests against random
    #[arg(long, default_value_t = Settings::default().test_every, value_name = "N")]
    test_every: usize,
    /// Games of a test
    #[arg(long, default_value_t = Settings::default().test_games, value_name = "N")]
    test_games: usize,
    /// Seed of the first weights, of random moves, and of the tests
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum RewardArg {
    /// At every step the lead in marbles
    Lead,
    /// A marble when it is pushed off, and the result
    Ejections,
    /// The result
    Result,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum RiskArg {
    /// Rewards, as in the report
    Reward,
    /// Errors, as by Mihatsch and Neuneier
    Error,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum PaceArg {
    /// After every game
    Game,
    /// After every move
    Move,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum EndsArg {
    /// The caps alone
    Caps,
    /// Also the first position that comes up again
    Revisit,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let AgentArg::CornellTd(args) = args.agent;
    let settings = settings(&args);
    settings.check().map_err(anyhow::Error::msg)?;
    let stop = Stop::default();
    stop_on_interrupt(&stop)?;
    let learner = Learner { settings: &settings, dir: &args.out, stop: &stop };
    let mut live = Live::new(settings.games);
    let report = learner.run(&mut |progress| live.update(progress))?;
    live.bar.finish_and_clear();
    if args.json {
        print_json(&report)?;
    } else {
        print(&text(&report, &args.out))?;
    }
    if report.finished {
        return Ok(ExitCode::SUCCESS);
    }
    tell!("Stopped after {} of {} games. Go on with:\n  {}", report.games, settings.games, command_line());
    Ok(ExitCode::from(INTERRUPTED))
}

fn settings(args: &CornellTd) -> Settings {
    Settings {
        layout: args.layout.clone(),
        games: args.games,
        hidden: args.hidden,
        lambda: args.lambda,
        alpha: args.alpha,
        gamma: args.gamma,
        kappa: args.kappa,
        risk: match args.risk {
            RiskArg::Reward => Risk::Reward,
            RiskArg::Error => Risk::Error,
        },
        move_penalty: args.move_penalty,
        reward: match args.reward {
            RewardArg::Lead => Reward::Lead,
            RewardArg::Ejections => Reward::Ejections,
            RewardArg::Result => Reward::Result,
        },
        epsilon: args.epsilon,
        epsilon_end: args.epsilon_end,
        epsilon_decay: args.epsilon_decay,
        decay_per: match args.decay_per {
            PaceArg::Game => Pace::Game,
            PaceArg::Move => Pace::Move,
        },
        ends: match args.stop {
            EndsArg::Caps => Ends::Caps,
            EndsArg::Revisit => Ends::Revisit,
        },
        quiet_cap: args.quiet_cap,
        ply_cap: args.ply_cap,
        test_every: args.test_every,
        test_games: args.test_games,
        seed: args.seed,
    }
}

/// The progress on standard error: a bar on a terminal, and a line for each test.
struct Live {
    bar: ProgressBar,
    points: usize,
    drawn: Instant,
}

/// How often the bar is drawn anew.
const REDRAW: Duration = Duration::from_millis(250);

impl Live {
    fn new(games: usize) -> Live {
        let terminal = std::io::stderr().is_terminal();
        let bar = if terminal { ProgressBar::new(games as u64) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Live { bar, points: 0, drawn: Instant::now() }
    }

    fn update(&mut self, progress: &Progress<'_>) {
        if progress.resumed {
            // Tests of an earlier run were told of by it, and say nothing about how long the rest will take.
            self.points = progress.points.len();
            self.bar.set_position(progress.games as u64);
            self.bar.reset_eta();
        }
        for point in &progress.points[self.points..] {
            self.tell(&line(point));
        }
        self.points = progress.points.len();
        if self.drawn.elapsed() < REDRAW {
            return;
        }
        self.drawn = Instant::now();
        self.bar.set_position(progress.games as u64);
        let (speed, left) = (self.bar.per_sec(), HumanDuration(self.bar.eta()));
        self.bar.set_message(format!("epsilon {:.3}, {speed:.0} games/s, {left:#} left", progress.epsilon));
    }

    fn tell(&self, line: &str) {
        if self.bar.is_hidden() {
            tell!("{line}");
        } else {
            self.bar.println(line);
        }
    }
}

fn line(point: &Point) -> String {
    let Point { games, exam, decided, plies, error } = point;
    let Wdl { wins, draws, losses } = exam.games;
    let mut line =
        format!("game {games}: {wins}-{draws}-{losses} against random, marbles {}-{}", exam.won, exam.lost);
    if *games > 0 {
        let won = 100.0 * decided;
        line.push_str(&format!("; self-play {won:.0} % won, {plies:.0} plies, mean error {error:.4}"));
    }
    line
}

fn text(report: &Report, out: &Path) -> String {
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
