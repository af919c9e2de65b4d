//! `sumito convert`: positions and games from one format to another.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use serde_json::json;
use sumito_rules::record::{ReadError, Reader, Record};
use sumito_rules::{Game, Notation, ParseError, Position, PositionFormat, Rules};

use crate::files::{self, Output};
use crate::input::{is_games, notation};
use crate::progress::Tracked;

/// Convert positions and games from one format to another
///
/// Positions come one a line (in BCIT's format, two lines each). A game becomes its last position, a position a
/// game without moves.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The input's format [default: what it looks like]
    #[arg(long, value_enum)]
    from: Option<Format>,
    /// The output's format
    #[arg(long, value_enum, required_unless_present = "json")]
    to: Option<Format>,
    /// How the moves of games are written in the output
    #[arg(long, default_value = "aba-pro", value_parser = notation())]
    notation: Notation,
    /// How the moves of games are written in the input, if not as their Notation tag says
    #[arg(long, value_parser = notation())]
    from_notation: Option<Notation>,
    /// Of a game, the position after this many plies instead of the last
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Print JSON lines instead: each position in all formats, each game with tags and moves
    #[arg(long, conflicts_with = "to")]
    json: bool,
    /// The input; - for standard input
    #[arg(default_value = "-", hide_default_value = true)]
    input: PathBuf,
    /// The output [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// PlayStrategy FEN
    Fen,
    /// KAA position reference
    Kaa,
    /// BCIT course input: side to move, then the marbles
    Bcit,
    /// 61 characters, row I first
    #[value(alias = "61", alias = "pos61")]
    Cells,
    /// Games; Verloop's game files are read as well
    #[value(alias = "verloop")]
    Apgn,
}

impl Format {
    fn position(self) -> Option<PositionFormat> {
        match self {
            Format::Fen => Some(PositionFormat::Fen),
            Format::Kaa => Some(PositionFormat::Kaa),
            Format::Bcit => Some(PositionFormat::Bcit),
            Format::Cells => Some(PositionFormat::Cells),
            Format::Apgn => None,
        }
    }
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let (input, size) = files::open(&args.input)?;
    let mut input = BufReader::new(Tracked::new(input, size));
    let name = if args.input.as_os_str() == "-" { Path::new("standard input") } else { &args.input };
    let from = match args.from {
        Some(from) => from,
        None => detect(&mut input).with_context(|| format!("cannot read {}", name.display()))?,
    };
    let mut out = Output::create(args.output.as_deref())?;
    let count = match from.position() {
        None => games(&args, input, &mut out),
        Some(format) => positions(&args, format, input, &mut out),
    };
    if count.with_context(|| name.display().to_string())? == 0 {
        bail!("{}: expected a position or a game, found nothing", name.display());
    }
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// Looks at the beginning of the input without taking it.
fn detect(input: &mut impl BufRead) -> std::io::Result<Format> {
    let start = String::from_utf8_lossy(input.fill_buf()?).into_owned();
    if is_games(&start) {
        return Ok(Format::Apgn);
    }
    Ok(match PositionFormat::detect(&start) {
        PositionFormat::Fen => Format::Fen,
        PositionFormat::Kaa => Format::Kaa,
        PositionFormat::Bcit => Format::Bcit,
        PositionFormat::Cells => Format::Cells,
    })
}

fn games(args: &Args, input: impl BufRead, out: &mut Output) -> anyhow::Result<usize> {
    let mut count = 0;
    for record in Reader::new(input) {
        count += 1;
        let mut record = match record {
            Ok(record) => record,
            Err(ReadError::Syntax(error) | ReadError::Limit(_, error)) => {
                return Err(error).with_context(|| format!("game {count}"));
            }
            Err(error) => return Err(error.into()),
        };
        if let Some(notation) = args.from_notation {
            record.set_tag("Notation", notation.tag());
        }
        write_game(args, &record, count, out).with_context(|| format!("game {count}"))?;
    }
    Ok(count)
}

fn write_game(args: &Args, record: &Record, count: usize, out: &mut Output) -> anyhow::Result<()> {
    let game = record.replay()?;
    match args.to.map(Format::position) {
        None => writeln!(out, "{}", game_json(args, record, &game)?)?,
        Some(Some(format)) => {
            let ply = args.ply.unwrap_or(game.moves().len());
            let Some(position) = game.positions().get(ply) else {
                bail!("--ply: expected at most {}, found {ply}", game.moves().len())
            };
            writeln!(out, "{}", format.write(position))?;
        }
        Some(None) => {
            let separator = if count > 1 { "\n" } else { "" };
            write!(out, "{separator}{}", record.rewritten(args.notation)?)?;
        }
    }
    Ok(())
}

fn game_json(args: &Args, record: &Record, game: &Game) -> anyhow::Result<serde_json::Value> {
    let tags: BTreeMap<&str, &str> =
        record.tags.iter().map(|tag| (tag.name.as_str(), tag.value.as_str())).collect();
    let moves: Vec<String> = game
        .moves()
        .iter()
        .zip(game.positions())
        .map(|(&m, position)| args.notation.write(position, m))
        .collect();
    let fen = |position| PositionFormat::Fen.write(position);
    Ok(json!({
        "tags": tags,
        "start": fen(game.start()),
        "notation": args.notation.name(),
        "moves": moves,
        "final": fen(game.position()),
        "result": record.result.to_string(),
    }))
}

fn positions(
    args: &Args,
    format: PositionFormat,
    input: impl Read,
    out: &mut Output,
) -> anyhow::Result<usize> {
    let mut count = 0;
    let mut lines = BufReader::new(input).lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        let mut text = line.context("expected a text in UTF-8")?;
        if text.trim().is_empty() {
            continue;
        }
        if format == PositionFormat::Bcit && text.trim().len() == 1 {
            let marbles = lines.next().map(|(line, _)| line).transpose()?;
            text = format!("{text}\n{}", marbles.unwrap_or_default());
        }
        let position =
            format.parse(&text).map_err(|error| ParseError { line: error.line + number - 1, ..error })?;
        count += 1;
        write_position(args, &position, count, out)?;
    }
    Ok(count)
}

fn write_position(args: &Args, position: &Position, count: usize, out: &mut Output) -> anyhow::Result<()> {
    match args.to.map(Format::position) {
        None => {
            let formats =
                PositionFormat::ALL.map(|format| (format.name().to_string(), json!(format.write(position))));
            writeln!(out, "{}", serde_json::Value::Object(formats.into_iter().collect()))?;
        }
        Some(Some(format)) => writeln!(out, "{}", format.write(position))?,
        Some(None) => {
            let separator = if count > 1 { "\n" } else { "" };
            let game = Game::new(Rules::OFFICIAL, *position);
            write!(out, "{separator}{}", Record::from_game(&game, args.notation))?;
        }
    }
    Ok(())
}
