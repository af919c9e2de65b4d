//! `sumito moves`: lists the legal moves of a position.

use std::process::ExitCode;

use sumito_rules::{Game, Notation, Rules, fen};

use crate::files;
use crate::input::{PositionArgs, notation};

/// List the legal moves of a position, one a line
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// How moves are written
    #[arg(long, default_value = "aba-pro", value_parser = notation())]
    notation: Notation,
    /// Print JSON: fen, notation, moves
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let position = args.position.position()?;
    // A position in which somebody has pushed off six has no moves: the game is over.
    let game = Game::new(Rules::OFFICIAL, position);
    let mut moves: Vec<String> =
        game.legal_moves().iter().map(|&m| args.notation.write(&position, m)).collect();
    moves.sort();
    if args.json {
        let report = serde_json::json!({
            "fen": fen::write(&position),
            "notation": args.notation.name(),
            "moves": moves,
        });
        files::print_json(&report)?;
    } else {
        files::print(&moves.iter().map(|text| format!("{text}\n")).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}
