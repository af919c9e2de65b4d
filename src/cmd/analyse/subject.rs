//! What is to be analysed: a position or a game, from the command line, a file or a pipe.

use std::io::BufRead;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use sumito_rules::record::{ReadError, Reader, Record};
use sumito_rules::{Game, Layout, PlayError, Position, PositionFormat, Reason, Rules};

use super::Args;
use crate::files;
use crate::input::is_games;

/// What is to be analysed.
pub(super) enum Subject {
    /// The last position of a game, or a position alone.
    Position(Game),
    /// A game with moves.
    Game(Box<Recorded>),
}

/// A game from a file.
pub(super) struct Recorded {
    pub(super) record: Record,
    pub(super) game: Game,
    /// What is to be said about the choice of game or rules.
    pub(super) notes: Vec<String>,
}

pub(super) fn find(args: &Args) -> Result<Subject> {
    let Some(input) = &args.input else { return position(args, args.position.position()?) };
    if input == "-" || Path::new(input).exists() {
        return read(args, Path::new(input));
    }
    if let Some(layout) = Layout::named(input) {
        return position(args, layout.position());
    }
    let word = input.split_whitespace().next().unwrap_or_default();
    let is_fen = !word.is_empty() && word.chars().all(|c| "sSbBwW123456789/".contains(c));
    if is_fen || PositionFormat::detect(input) != PositionFormat::Fen {
        return position(args, PositionFormat::detect(input).parse(input).context("FEN|GAME")?);
    }
    let near = Layout::find(input).expect_err("it was looked for").near_misses();
    let hint =
        if near.is_empty() { String::new() } else { format!(" (did you mean {}?)", near.join(" or ")) };
    bail!("FEN|GAME: expected a FEN, the name of a layout, or a file that is there, found '{input}'{hint}")
}

fn position(args: &Args, position: Position) -> Result<Subject> {
    for (name, given) in [("game", args.game.is_some()), ("ply", args.ply.is_some())] {
        ensure!(!given, "--{name}: expected a file of games, found a position");
    }
    Ok(Subject::Position(Game::new(args.rules.unwrap_or_default(), position)))
}

fn read(args: &Args, path: &Path) -> Result<Subject> {
    let name =
        if path.as_os_str() == "-" { "standard input".to_string() } else { path.display().to_string() };
    let mut input = files::open(path)?.0;
    let start = input.fill_buf().with_context(|| format!("cannot read {name}"))?;
    if is_games(&String::from_utf8_lossy(start)) {
        return recorded(args, input, &name);
    }
    let mut text = String::new();
    let read = input.read_to_string(&mut text);
    read.with_context(|| format!("cannot read {name}: expected a text in UTF-8"))?;
    let text = text.trim();
    ensure!(!text.is_empty(), "{name}: expected a position or a game, found nothing");
    position(args, PositionFormat::detect(text).parse(text).context(name)?)
}

/// The game that was chosen from a file.
fn recorded(args: &Args, input: impl BufRead, name: &str) -> Result<Subject> {
    let number = args.game.unwrap_or(1);
    let mut records = Reader::new(input);
    let mut record = None;
    for at in 1..=number {
        record = Some(match records.next() {
            Some(Err(ReadError::Syntax(_) | ReadError::Limit(..))) if at < number => continue,
            Some(record) => record.with_context(|| format!("{name}, game {at}"))?,
            None if at == 1 => bail!("{name}: expected a game, found none"),
            None => bail!("--game: expected at most {}, the games in {name}, found {number}", at - 1),
        });
    }
    let mut record = record.with_context(|| format!("{name}: expected a game"))?;
    if let Some(notation) = args.from_notation {
        record.set_tag("Notation", notation.tag());
    }
    let replayed = record.replay().with_context(|| format!("{name}, game {number}"))?;
    let mut notes = Vec::new();
    if args.game.is_none() && records.next().is_some() {
        notes.push(format!("{name} has several games: this is the first (--game N chooses another)"));
    }
    let game =
        under_rules(args.rules, replayed, &mut notes).with_context(|| format!("{name}, game {number}"))?;
    let moves = game.moves().len();
    if let Some(ply) = args.ply {
        ensure!(ply <= moves, "--ply: expected at most {moves}, the plies of the game, found {ply}");
        return Ok(Subject::Position(first_plies(game, ply)));
    }
    ensure!(
        moves > 0,
        "{name}, game {number}: expected a game with moves, found none (--ply 0 for its position)"
    );
    Ok(Subject::Game(Box::new(Recorded { record, game, notes })))
}

/// The game under the rules that were asked for. People play on after a draw by repetition: without rules of
/// their own, such games are taken as they are.
fn under_rules(rules: Option<Rules>, replayed: Game, notes: &mut Vec<String>) -> Result<Game> {
    match (played_again(rules.unwrap_or_default(), &replayed), rules) {
        (Ok(game), _) => Ok(game),
        (Err((ply, reason)), Some(_)) => bail!(
            "--rules: expected rules under which the game has all its {} plies, found some that end it after {ply} ({reason})",
            replayed.moves().len()
        ),
        (Err((ply, reason)), None) => {
            notes.push(format!("the game is over after {ply} plies ({reason}); reviewed as if it were not"));
            Ok(replayed)
        }
    }
}

/// The same moves under other rules, or when and why they end the game too early.
fn played_again(rules: Rules, replayed: &Game) -> Result<Game, (usize, Reason)> {
    let mut game = Game::new(rules, *replayed.start());
    for (ply, &m) in replayed.moves().iter().enumerate() {
        match game.play(m) {
            Err(PlayError::Over(outcome)) => return Err((ply, outcome.reason)),
            played => played.expect("the moves were legal"),
        }
    }
    Ok(game)
}

fn first_plies(mut game: Game, plies: usize) -> Game {
    while game.moves().len() > plies {
        game.take_back();
    }
    game
}
