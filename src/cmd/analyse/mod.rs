//! `sumito analyse`: the engine's lines in a position, or a game reviewed move by move.
//!
//! `subject` finds out what is to be analysed, `position` and `game` do it for people and as JSON, `graph`, `svg` and
//! `annotate` show a review in three ways; `serve` does the same for programs, one JSON object a line.

mod annotate;
mod game;
mod graph;
mod position;
mod serve;
mod subject;
mod svg;
mod text;

use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::value_parser;
use sumito_engine::{Engine, EngineOptions, Limits, network};
use sumito_rules::{Game, Move, Notation, Rules};

use crate::input::{PositionArgs, notation, rules, time};
use crate::interrupt::stop_on_interrupt;
use subject::Subject;

/// Analyse a position, or review a game move by move
///
/// A position: the best lines, how far ahead each leaves the side to move (with +1.00, people make three points of four),
/// and the chances to win, draw and lose. A game: the winning chance as a graph, what each move cost, what would have
/// been better, and both sides' accuracy.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito analyse belgian-daisy --multipv 3 --time 10s
  sumito analyse \"5/6/7/8/3SSs3/8/7/6/5 0 0 b 0 1\" --depth 12 --json
  sumito analyse game.apgn --svg game.svg --apgn annotated.apgn
  sumito analyse games.apgn --game 7 --ply 40      one position of a game
  sumito analyse --serve                           requests as JSON lines, see docs/analyse-protocol.md

Ctrl-C ends a search and prints what it has found so far.")]
pub(crate) struct Args {
    /// A FEN or a position in another format, a layout's name, a file with a game or a position, or - for
    /// standard input [default: belgian-daisy]
    #[arg(value_name = "FEN|GAME", conflicts_with = "PositionArgs")]
    input: Option<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// Which game of the file, from 1 [default: the first]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// Of a game, only the position after this many plies
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Plies to look ahead in each position
    #[arg(long, value_name = "PLIES", value_parser = value_parser!(u32).range(1..=127))]
    depth: Option<u32>,
    /// Time for each position [default, if neither depth nor nodes are given: 5s, and 500ms for those of a game]
    #[arg(long, value_parser = time)]
    time: Option<Duration>,
    /// Positions to look at for each position
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search a position until Ctrl-C
    #[arg(long, conflicts_with_all = ["depth", "time", "nodes"])]
    infinite: bool,
    /// End as soon as a win in at most so many moves is proved
    #[arg(long, value_name = "MOVES", value_parser = value_parser!(u32).range(1..=60))]
    mate: Option<u32>,
    /// How many best lines
    #[arg(long, alias = "lines", value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// The moves to choose among, with blanks between them
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// Threads that search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The table's size in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// The network that judges positions: a file, or `hand` for the hand-written evaluation [default: the shipped one]
    #[arg(long, default_value = "", hide_default_value = true, value_name = "FILE")]
    net: String,
    /// How the game ends [default: official; a game that goes on after that is reviewed without draws by repetition]
    #[arg(long, value_name = "PRESET", value_parser = rules())]
    rules: Option<Rules>,
    /// How moves are written
    #[arg(long, default_value = "aba-pro", value_parser = notation())]
    notation: Notation,
    /// How the moves of the game are written, if not as its Notation tag says
    #[arg(long, value_parser = notation())]
    from_notation: Option<Notation>,
    /// Draw the graph of a game into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the game with marks, values and better lines into this file
    #[arg(long, value_name = "FILE")]
    apgn: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Answer requests on standard input until it ends, one JSON object a line; limits are defaults for them
    #[arg(long, conflicts_with_all = ["input", "PositionArgs", "game", "ply", "moves", "svg", "apgn", "infinite", "mate", "from_notation"])]
    serve: bool,
}

/// For a position that somebody waits for.
const POSITION_TIME: Duration = Duration::from_secs(5);
/// For each position of a game: a minute or so for a game of usual length.
const GAME_TIME: Duration = Duration::from_millis(500);

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    if args.serve {
        return serve(&args);
    }
    let subject = subject::find(&args)?;
    let stop = stop_on_interrupt()?;
    match &subject {
        Subject::Position(game) => {
            let (option, given) =
                if args.svg.is_some() { ("svg", true) } else { ("apgn", args.apgn.is_some()) };
            ensure!(!given, "--{option}: expected a game to review, found a position");
            let limits = Limits { stop: stop.clone(), ..limits(&args, POSITION_TIME, moves(&args, game)?) };
            position::run(&args, game, &limits)
        }
        Subject::Game(subject) => {
            let only_positions = [
                ("infinite", args.infinite),
                ("mate", args.mate.is_some()),
                ("moves", !args.moves.is_empty()),
            ];
            for (option, given) in only_positions {
                ensure!(!given, "--{option}: expected a position, found a game (choose one with --ply)");
            }
            let limits = Limits { stop: stop.clone(), ..limits(&args, GAME_TIME, Vec::new()) };
            game::run(&args, subject, &limits)
        }
    }
}

fn serve(args: &Args) -> Result<ExitCode> {
    let defaults = serve::Defaults {
        limits: Limits { move_time: None, ..limits(args, Duration::ZERO, Vec::new()) },
        time: args.time,
        rules: args.rules.unwrap_or_default(),
        notation: args.notation,
    };
    match serve::serve(engine(args)?, defaults, BufReader::new(io::stdin()), io::stdout()) {
        // Whoever listened is gone: nothing is left to do.
        Err(why) if why.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        result => result.map(|()| ExitCode::SUCCESS).context("the output could not be written"),
    }
}

fn engine(args: &Args) -> Result<Engine> {
    let (hash, threads) = (args.hash as usize, args.threads.into());
    let network = network::named(&args.net, std::fs::read).context("--net")?;
    Ok(Engine::new(EngineOptions { hash, threads, network, ..EngineOptions::default() }))
}

/// The limits that were asked for; this time if there are none.
fn limits(args: &Args, time: Duration, moves: Vec<Move>) -> Limits {
    let unlimited = args.depth.is_none() && args.nodes.is_none() && !args.infinite;
    Limits {
        move_time: args.time.or(unlimited.then_some(time)),
        nodes: args.nodes,
        depth: args.depth,
        mate: args.mate,
        lines: args.multipv.into(),
        moves,
        ..Limits::default()
    }
}

fn moves(args: &Args, game: &Game) -> Result<Vec<Move>> {
    let read =
        |text| args.notation.parse(game.position(), text).with_context(|| format!("--moves: '{text}'"));
    args.moves.split_whitespace().map(read).collect()
}
