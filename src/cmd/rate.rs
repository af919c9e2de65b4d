//! `sumito rate`: ratings with error bars over the games of any number of matches.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use comfy_table::{CellAlignment, Table, presets};
use sumito_lab::rating::{Anchor, Ratings, Results};

use crate::files::{print, print_json};

/// Rate the players of one or more matches
///
/// Players of the same name are one player, whatever time they had: rate matches at the same limit together, or give
/// the players limits of their own (`AGENT@LIMIT`), which are then part of their names.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito rate runs/*
  sumito rate runs/night --anchor aba-pro:depth=4=1500")]
pub(crate) struct Args {
    /// Folders that `sumito match --out` made, or their games.jsonl
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// A player with a fixed rating [default: the mean of all players is 0]
    #[arg(long, value_name = "NAME=ELO")]
    anchor: Option<String>,
    /// Print the ratings as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let mut results = Results::default();
    for dir in &args.dirs {
        results.read(dir)?;
    }
    let anchor = args.anchor.as_deref().map_or(Ok(Anchor::Mean), anchor)?;
    let ratings = results.ratings(&anchor)?;
    if args.json {
        print_json(&ratings)?;
    } else {
        print(&text(&ratings))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The name may hold `=` itself, as specs do, so the last one counts.
fn anchor(text: &str) -> Result<Anchor> {
    let parts = text.rsplit_once('=').and_then(|(name, elo)| Some((name, elo.trim().parse::<f64>().ok()?)));
    let (name, elo) = parts.filter(|(_, elo)| elo.is_finite()).with_context(|| {
        format!("--anchor: expected a player and a rating such as random=0, found '{text}'")
    })?;
    Ok(Anchor::Player(name.to_string(), elo))
}

fn text(ratings: &Ratings) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["#", "player", "Elo", "±", "games", "W-D-L", "score", "drawn"]);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for (rank, rating) in (1..).zip(&ratings.players) {
        let games = rating.games;
        table.add_row([
            rank.to_string(),
            rating.name.clone(),
            format!("{:.1}", rating.elo),
            format!("{:.1}", rating.error),
            games.games().to_string(),
            format!("{}-{}-{}", games.wins, games.draws, games.losses),
            format!("{:.1} %", rating.score * 100.0),
            format!("{:.1} %", games.draw_ratio() * 100.0),
        ]);
    }
    let mut text = format!("{table}\n");
    if ratings.virtual_draws {
        text.push_str(
            "Note: some players won or lost all games against the others, or never met them. Every player was given \
             one virtual draw, without which these ratings would be infinite.\n",
        );
    }
    text
}
