//! Boards without a game: positions after moves, and texts that someone pastes.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use sumito_rules::record::{GameResult, ReadError, Reader, Record};
use sumito_rules::{Game, Notation, PositionFormat, Rules};
use utoipa::ToSchema;

use super::{notation, play_all, start};
use crate::domain::client::Client;
use crate::domain::error::{self, AppError, Cause, Fault};
use crate::domain::limits::{self, MOST_NODES};
use crate::http::extract::Body;
use crate::state::App;
use crate::view::position::MOST_MOVES;
use crate::view::position::{MoveView, PositionView};
use crate::view::rules::{RulesRequest, rules};
use crate::view::tree::{LineView, whole};
use crate::view::words::ResultWord;

/// A position, and moves from it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BoardRequest {
    /// A position in any format.
    fen: Option<String>,
    /// Or a layout.
    layout: Option<String>,
    rules: Option<RulesRequest>,
    moves: Option<Vec<String>>,
    /// The moves' notation, Aba-Pro if not given.
    notation: Option<String>,
}

/// A position, and how it came about.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BoardView {
    position: PositionView,
    line: Vec<WalkedMove>,
}

/// A move on the way.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WalkedMove {
    #[serde(rename = "move")]
    view: MoveView,
    /// The position after it.
    fen: String,
}

/// The position after some moves
#[utoipa::path(post, operation_id = "walk", path = "/api/v1/positions", tag = "boards",
    request_body = BoardRequest,
    responses((status = 200, body = BoardView)))]
pub(crate) async fn positions(
    State(app): State<App>,
    client: Client,
    Body(request): Body<BoardRequest>,
) -> Result<Response, AppError> {
    app.builds.json(client, move || walk(&request)).await
}

fn walk(request: &BoardRequest) -> Result<BoardView, AppError> {
    let start = start(request.layout.as_deref(), request.fen.as_deref())?;
    let mut game = Game::new(rules(request.rules.clone())?, start);
    let notation = notation(request.notation.as_deref())?;
    play_all(&mut game, request.moves.as_deref().unwrap_or_default(), notation, "moves")?;
    let steps = game.moves().iter().zip(game.positions().windows(2));
    let line = steps
        .map(|(&m, pair)| WalkedMove { view: MoveView::new(&pair[0], m), fen: pair[1].to_string() })
        .collect();
    Ok(BoardView { position: PositionView::new(&game), line })
}

/// A text that someone pastes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParseRequest {
    text: String,
    /// The moves' notation, if it is known.
    notation: Option<String>,
}

/// What a text is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Parsed {
    /// A position.
    Position {
        /// `fen`, `kaa`, `bcit` or `cells`.
        #[schema(value_type = String)]
        format: &'static str,
        position: Box<PositionView>,
    },
    /// Games.
    Games { games: Vec<ParsedGame> },
}

/// A game of a text.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ParsedGame {
    tags: BTreeMap<String, String>,
    start_fen: String,
    #[schema(value_type = Option<ResultWord>)]
    result: Option<&'static str>,
    #[schema(value_type = String)]
    notation: &'static str,
    line: LineView,
}

/// Games of a text that are shown.
const SHOWN: usize = 50;

/// What a text is: a position in any format, or games in any notation
#[utoipa::path(post, operation_id = "parse_text", path = "/api/v1/parse", tag = "boards",
    request_body = ParseRequest,
    responses((status = 200, body = Parsed)))]
pub(crate) async fn parse(
    State(app): State<App>,
    client: Client,
    Body(request): Body<ParseRequest>,
) -> Result<Response, AppError> {
    let forced = request.notation.as_deref().map(|name| notation(Some(name))).transpose()?;
    app.builds.json(client, move || read(&request.text, forced)).await
}

fn read(text: &str, forced: Option<Notation>) -> Result<Parsed, AppError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(nothing("expected a position or a game, found nothing"));
    }
    let format = PositionFormat::detect(text);
    let as_position = format.parse(text);
    if let Ok(position) = as_position {
        let position = Box::new(PositionView::new(&Game::new(Rules::OFFICIAL, position)));
        return Ok(Parsed::Position { format: format.name(), position });
    }
    let mut left = MOST_NODES;
    let records = Reader::new(text.as_bytes()).with_limits(limits::RECORD).take(SHOWN);
    let games = records.map(|record| {
        let record = record.map_err(|error| match error {
            ReadError::Limit(..) => error::unreadable(&error).at("text"),
            _ => nothing(error.to_string()),
        })?;
        let nodes = limits::nodes(&record.line);
        let more = || Cause::MovesTooMany { most: MOST_NODES, found: MOST_NODES - left + nodes }.at("text");
        left = left.checked_sub(nodes).ok_or_else(more)?;
        game(&record, forced)
    });
    match games.collect::<Result<Vec<_>, AppError>>() {
        Ok(games) if !games.is_empty() => Ok(Parsed::Games { games }),
        // A text of one line with the marks of a position was meant to be one.
        Err(_) | Ok(_) if !text.contains('\n') && text.contains(['/', '_']) => match as_position {
            Err(error) => Err(error::position(text, &error).at("text")),
            Ok(_) => Err(AppError::internal()),
        },
        Ok(_) => Err(Cause::TextUnreadable {}.at("text")),
        Err(error) => Err(error),
    }
}

/// What is neither a position nor a game.
fn nothing(why: impl Into<String>) -> AppError {
    Cause::TextUnreadable {}.at("text").saying(why)
}

fn game(record: &Record, forced: Option<Notation>) -> Result<ParsedGame, AppError> {
    let found = record.line.plies.len();
    if found > MOST_MOVES {
        return Err(Cause::MovesTooMany { most: MOST_MOVES, found }.at("text"));
    }
    let start = record.start().map_err(|error| error::record(record, &error).at("text"))?;
    let notation = forced.map_or_else(|| record.notation(), Ok);
    let notation = notation.map_err(|error| error::record(record, &error).at("text"))?;
    let line = whole(&record.line, start, notation);
    let result = match record.result {
        GameResult::Black => Some("black"),
        GameResult::White => Some("white"),
        GameResult::Draw => Some("draw"),
        GameResult::Unknown => None,
    };
    Ok(ParsedGame {
        tags: record.tags.iter().map(|tag| (tag.name.clone(), tag.value.clone())).collect(),
        start_fen: start.to_string(),
        result,
        notation: notation.name(),
        // Words whose first is no move at all were not meant as a game.
        line: line.map_err(|error| match error.fault() {
            Fault { cause: Cause::MoveSyntax { .. }, field: Some(field), message, .. }
                if field == "moves[0]" =>
            {
                nothing(message)
            }
            _ => error,
        })?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> String {
        match read(text, None) {
            Ok(Parsed::Position { format, .. }) => format.to_string(),
            Ok(Parsed::Games { games }) => {
                let moves: Vec<usize> = games.iter().map(|game| game.line.plies.len()).collect();
                format!("{} {moves:?}", games[0].notation)
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_pasted_text_is_taken_for_what_it_is() {
        let fen = "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1";
        assert_eq!(kind(fen), "fen");
        assert_eq!(kind("0a12b123c23g78h789i89_0a45b456c56g45h456i56"), "kaa");
        assert_eq!(kind("a1b2 i5h5"), "aba-pro [2]");
        assert_eq!(kind("1. a1d4 i5f5"), "nacre [2]");
        assert_eq!(kind("i-A1-1"), "bcit [1]");
        assert_eq!(
            kind("[Variant \"standard\"]\n\n1. a1b1 (1. a2b2) *\n\n[Variant \"belgian\"]\n\n1. a1b2 *"),
            "aba-pro [1, 1]"
        );
    }

    #[test]
    fn what_is_nothing_is_refused_with_its_place() {
        assert!(kind("ss1SS/8").contains("line 1, column"), "{}", kind("ss1SS/8"));
        assert!(kind("1. e5e6").contains("e5e6"), "{}", kind("1. e5e6"));
        assert!(kind("hello world").contains("expected"), "{}", kind("hello world"));
        assert!(kind(" ").contains("found nothing"));
        let fault = |text: &str| read(text, None).err().map(|error| error.fault()).expect(text);
        let (code, field) = (fault("1. a1b2 a1b2").cause.code(), fault("1. a1b2 a1b2").field);
        assert_eq!((code, field.as_deref()), ("move.no_marble", Some("moves[1]")));
        assert_eq!(fault("hello world").cause.code(), "text.unreadable");
        assert_eq!(fault(&"a1b2 i5h5 ".repeat(10_001)).cause.code(), "record.limit");
    }
}
