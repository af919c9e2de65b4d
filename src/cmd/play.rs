//! `sumito play`: one game at the terminal, between people, agents, or one of each.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use sumito_agents::options::parse_time;
use sumito_lab::limit::LimitSpec;
use sumito_rules::{ByColor, Color, Game, Notation, Rules};

use crate::input::{PositionArgs, notation};
use crate::interrupt::end_on_interrupt;
use crate::terminal::{
    self, Archive, DefaultLimit, Face, HUMAN, SessionSetup, TerminalTable, is_person, seats,
};

/// Play a game at the terminal, or watch two agents play one
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito play                                  you are Black against sumito, a club player
  sumito play greedy human --layout standard   you are White
  sumito play human human --limit clock=10m+5s
  sumito play verloop aba-pro --limit depth=3 --save game.apgn

Without a terminal, your moves are read from standard input, one a line (`help` names the other
words), and a game of two agents is printed as it goes on.")]
pub(crate) struct Args {
    /// Black: `human`, or an agent such as `aba-pro:depth=4`; `AGENT@LIMIT` gives a limit of its own [default:
    /// human]
    #[arg(value_name = "BLACK")]
    black: Option<String>,
    /// White [default: sumito:level=6; an agent named alone plays White against you]
    #[arg(value_name = "WHITE")]
    white: Option<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// How the game ends: official, playstrategy, bcit, cornell, tournament or mso [default: official if a person
    /// plays, else tournament]
    #[arg(long, value_name = "PRESET")]
    rules: Option<String>,
    /// Time, nodes or depth: `movetime=1s`, `clock=10m+5s`, `nodes=1000`, `depth=4`, several with commas, or
    /// `none`; only a clock is for people too [default: the rules' time, else movetime=1s]
    #[arg(long, value_name = "LIMIT")]
    limit: Option<LimitSpec>,
    /// How moves are written
    #[arg(long, default_value = "aba-pro", value_parser = notation())]
    notation: Notation,
    /// Keep the finished game, or all of them, in this file
    #[arg(long, value_name = "FILE.apgn")]
    save: Option<PathBuf>,
    /// Time between the moves of two agents [default: 300ms on a screen, else none]
    #[arg(long, value_name = "TIME")]
    delay: Option<String>,
    /// Print the game of two agents as JSON when it is over
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let face = match args.json {
        true => Face::Json,
        false if io::stdout().is_terminal() && io::stdin().is_terminal() => Face::Screen,
        false => Face::Text,
    };
    if face != Face::Screen {
        end_on_interrupt()?;
    }
    let setup = setup(args)?;
    ensure!(face != Face::Json || !setup.table.has_people(), "--json: expected two agents, found a person");
    terminal::play(setup, face)?;
    Ok(ExitCode::SUCCESS)
}

fn setup(args: Args) -> anyhow::Result<SessionSetup> {
    let specs = specs(args.black, args.white);
    let with_people = Color::ALL.into_iter().any(|color| is_person(&specs[color]));
    let default = if with_people { "official" } else { "tournament" };
    let rules_name = args.rules.unwrap_or_else(|| default.to_string());
    let rules = rules(&rules_name)?;
    let default = DefaultLimit { given: args.limit, of_rules: LimitSpec::of_rules(&rules) };
    let (seats, agents) = seats(&specs, default)?;
    let game = Game::new(rules, args.position.position()?);
    if let Some(outcome) = game.outcome() {
        bail!("expected a position to play on, found one in which the game is over ({})", outcome.reason);
    }
    Ok(SessionSetup {
        table: TerminalTable::new(game, seats),
        agents,
        rules: rules_name,
        notation: args.notation,
        delay: args.delay.as_deref().map(delay).transpose()?,
        archive: Archive::new(args.save, args.notation)?,
    })
}

/// Who plays, given none, one or both of the names.
fn specs(black: Option<String>, white: Option<String>) -> ByColor<String> {
    let (person, agent) = (HUMAN.name.to_string(), "sumito:level=6".to_string());
    match (black, white) {
        (Some(black), Some(white)) => ByColor::new(black, white),
        (Some(alone), None) if !is_person(&alone) => ByColor::new(person, alone),
        (black, white) => ByColor::new(black.unwrap_or(person), white.unwrap_or(agent)),
    }
}

fn rules(name: &str) -> anyhow::Result<Rules> {
    let names = || Rules::PRESETS.map(|(preset, _)| preset).join(", ");
    Rules::named(name).with_context(|| format!("--rules: expected one of {}, found '{name}'", names()))
}

fn delay(text: &str) -> anyhow::Result<Duration> {
    parse_time(text).with_context(|| format!("--delay: expected a time such as 500ms, found '{text}'"))
}
