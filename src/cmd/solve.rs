//! `sumito solve`: proves forced wins.

use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::value_parser;
use indicatif::ProgressBar;
use serde::Serialize;
use sumito_agents::options::parse_time;
use sumito_engine::{Proof, ProofInfo, ProofLimits};
use sumito_rules::{Color, Game, Notation, ParseError, PositionFormat, Rules, fen};

use crate::files;
use crate::input::notation;
use crate::interrupt::{INTERRUPTED, stop_on_interrupt};

/// Prove that a side can force the win, or that it cannot in so many moves
///
/// The win is the last marble that the rules ask for, or to leave the other side without a move. Prints the shortest
/// one with the replies that hold out longest. What is printed as a win or as none is certain.
///
/// Exit code 0 if every position is settled, 1 if time or nodes ran out.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito solve \"5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1\"
  sumito solve positions.txt --mate 4 --time 10s --json")]
pub(crate) struct Args {
    /// A position as FEN or in another position format; or a file with one a line, - for standard input
    #[arg(value_name = "FEN|FILE")]
    input: String,
    /// Look for wins in at most so many moves of the winner [default: any number]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=100))]
    mate: Option<u32>,
    /// Whose win to look for
    #[arg(long, value_enum, default_value = "either")]
    winner: Winner,
    /// Look at no more than so many positions for each
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Take no longer for each, such as 10s, or `none`
    #[arg(long, default_value = "60s", value_name = "TIME")]
    time: String,
    /// Memory to use, in megabytes
    #[arg(long, default_value_t = 256, value_name = "MB", value_parser = value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// How games end: official, playstrategy, bcit, cornell, tournament or mso
    #[arg(long, default_value = "official", value_name = "PRESET")]
    rules: String,
    /// How moves are written
    #[arg(long, default_value = "aba-pro", value_parser = notation())]
    notation: Notation,
    /// Print JSON: fen, result, winner, moves, shortest, line, disproved, nodes, seconds; a list for a file
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Winner {
    /// The side to move
    Mover,
    /// The side that is not
    Other,
    /// Whoever wins
    Either,
}

impl Winner {
    fn color(self, turn: Color) -> Option<Color> {
        match self {
            Winner::Mover => Some(turn),
            Winner::Other => Some(!turn),
            Winner::Either => None,
        }
    }
}

/// What is said about a position.
#[derive(Serialize)]
struct Answer {
    fen: String,
    /// `win`, `none` or `unknown`.
    result: &'static str,
    winner: Option<Color>,
    /// Moves of the winner.
    moves: Option<u32>,
    /// Whether no shorter win exists for certain.
    shortest: Option<bool>,
    line: Vec<String>,
    /// There is no win in so many moves.
    disproved: u32,
    nodes: u64,
    seconds: f64,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let (games, is_list) = games(&args)?;
    let time = match args.time.as_str() {
        "none" => None,
        text => Some(parse_time(text).with_context(|| {
            format!("--time: expected a time such as 10s or 500ms, or none, found '{text}'")
        })?),
    };
    let stop = stop_on_interrupt()?;
    let mut answers = Vec::new();
    for (number, game) in &games {
        let limits = ProofLimits {
            winner: args.winner.color(game.turn()),
            moves: args.mate,
            nodes: args.nodes,
            time,
            memory: args.hash as usize,
            stop: stop.clone(),
            ..ProofLimits::default()
        };
        let answer = solve(game, &limits, args.notation);
        if !args.json {
            let place = if is_list { format!("line {number}: ") } else { String::new() };
            files::print(&format!("{place}{}\n", answer.text()))?;
        }
        answers.push(answer);
        if stop.is_requested() {
            break;
        }
    }
    if args.json && is_list {
        files::print_json(&answers)?;
    } else if args.json {
        answers.first().map_or(Ok(()), files::print_json)?;
    }
    Ok(if stop.is_requested() {
        ExitCode::from(INTERRUPTED)
    } else if answers.iter().any(|answer| answer.result == "unknown") {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// The games to solve with their line numbers, and whether they come from a file.
fn games(args: &Args) -> Result<(Vec<(usize, Game)>, bool)> {
    let Some(rules) = Rules::named(&args.rules) else {
        let names: Vec<&str> = Rules::PRESETS.iter().map(|(name, _)| *name).collect();
        bail!("--rules: expected one of {}, found '{}'", names.join(", "), args.rules);
    };
    let path = Path::new(&args.input);
    if args.input != "-" && !path.exists() {
        let game = game(rules, &args.input, 1).context("expected a position or the name of a file")?;
        return Ok((vec![(1, game)], false));
    }
    let text = files::read(path)?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let games: Vec<(usize, Game)> = lines
        .map(|(number, line)| Ok((number, game(rules, line, number).with_context(|| args.input.clone())?)))
        .collect::<Result<_>>()?;
    ensure!(!games.is_empty(), "{}: expected one position a line, found none", args.input);
    Ok((games, true))
}

/// The game that begins with a position, which stands in this line of the input.
fn game(rules: Rules, text: &str, line: usize) -> Result<Game> {
    let position = PositionFormat::detect(text).parse(text).map_err(|error| ParseError { line, ..error })?;
    let game = Game::new(rules, position);
    if let Some(outcome) = game.outcome() {
        bail!("line {line}: expected a game that goes on, found one that is over ({})", outcome.reason);
    }
    Ok(game)
}

fn solve(game: &Game, limits: &ProofLimits, notation: Notation) -> Answer {
    let bar =
        if std::io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
    bar.enable_steady_tick(Duration::from_millis(250));
    let mut last = ProofInfo { win: None, disproved: 0, nodes: 0, time: Duration::ZERO };
    let proof = Proof::search(game, limits, &mut |info| {
        bar.set_message(progress(info));
        last = info.clone();
    });
    bar.finish_and_clear();
    let (result, win) = match proof {
        Proof::Proved(win) => ("win", Some(win)),
        Proof::Disproved { moves } => {
            last.disproved = moves;
            ("none", None)
        }
        Proof::Unknown { .. } => ("unknown", None),
    };
    let mut position = *game.position();
    let mut write = |&m| {
        let text = notation.write(&position, m);
        position = position.play_unchecked(m);
        text
    };
    Answer {
        fen: fen::write(game.position()),
        result,
        winner: win.as_ref().map(|win| win.winner),
        moves: win.as_ref().map(|win| win.moves),
        shortest: win.as_ref().map(|win| win.shortest),
        line: win.iter().flat_map(|win| &win.line).map(&mut write).collect(),
        disproved: last.disproved,
        nodes: last.nodes,
        seconds: last.time.as_secs_f64(),
    }
}

fn progress(info: &ProofInfo) -> String {
    let found = info
        .win
        .as_ref()
        .map_or(String::new(), |win| format!("{} wins in {}, ", win.winner, moves(win.moves)));
    format!("{found}no win in {}, {} nodes", moves(info.disproved), info.nodes)
}

/// `1 move`, `2 moves`.
fn moves(count: u32) -> String {
    format!("{count} move{}", if count == 1 { "" } else { "s" })
}

impl Answer {
    fn text(&self) -> String {
        let work = format!("{} nodes, {:.3} s", self.nodes, self.seconds);
        match (self.winner, self.moves) {
            (Some(winner), Some(count)) => {
                let fewer = if self.shortest == Some(true) { "" } else { " or fewer" };
                format!("{winner} wins in {}{fewer}: {} ({work})", moves(count), self.line.join(" "))
            }
            _ if self.result == "none" => format!("No forced win in {} ({work})", moves(self.disproved)),
            _ => format!("Not settled: no win in {}, more is not known ({work})", moves(self.disproved)),
        }
    }
}
