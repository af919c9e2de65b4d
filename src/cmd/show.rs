//! `sumito show`: draws a position.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use serde_json::json;
use sumito_rules::{Color, Game, Notation, PositionFormat, Rules, diagram};

use crate::files::{Output, print_json};
use crate::input::{PositionArgs, notation};

/// Draw a position as text or as an SVG picture
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Moves to play first, with blanks between them
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    play: String,
    /// A move to show with arrows
    #[arg(long = "move", value_name = "MOVE")]
    shown: Option<String>,
    /// How the moves are written
    #[arg(long, default_value = "aba-pro", value_parser = notation())]
    notation: Notation,
    /// Draw an SVG picture
    #[arg(long)]
    svg: bool,
    /// Write to a file; a name that ends in .svg gives a picture
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print JSON: the position in every format, scores, side to move, number of legal moves
    #[arg(long, conflicts_with_all = ["svg", "output"])]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut game = Game::new(Rules::OFFICIAL, args.position.position()?);
    for text in args.play.split_whitespace() {
        let m =
            args.notation.parse(game.position(), text).with_context(|| format!("--play: move '{text}'"))?;
        game.play(m).with_context(|| format!("--play: move '{text}'"))?;
    }
    let position = game.position();
    let shown =
        args.shown.as_ref().map(|text| args.notation.parse(position, text)).transpose().context("--move")?;
    if args.json {
        let formats =
            PositionFormat::ALL.map(|format| (format.name().to_string(), json!(format.write(position))));
        let mut report = serde_json::Map::from_iter(formats);
        report.insert("turn".into(), json!(position.turn()));
        report.insert("black_score".into(), json!(position.score(Color::Black)));
        report.insert("white_score".into(), json!(position.score(Color::White)));
        report.insert("legal_moves".into(), json!(game.legal_moves().len()));
        report.insert("outcome".into(), json!(game.outcome()));
        print_json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    let svg =
        args.svg || args.output.as_ref().is_some_and(|path| path.extension().is_some_and(|e| e == "svg"));
    let drawn = if svg { diagram::svg(position, shown) } else { diagram::text(position, shown) };
    let mut out = Output::create(args.output.as_deref())?;
    out.write_all(drawn.as_bytes())?;
    out.finish()?;
    Ok(ExitCode::SUCCESS)
}
