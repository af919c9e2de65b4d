//! What was played from a position in all games.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sumito_rules::{Game, Repetition, Rules};
use utoipa::{IntoParams, ToSchema};

use super::games::{Common, ResultName};
use super::start;
use crate::domain::canonical::Canonical;
use crate::domain::error::AppError;
use crate::domain::game::Source;
use crate::http::extract::QueryParams;
use crate::state::App;
use crate::view::position::{MoveView, PositionView};

/// Which position, in which games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpeningsQuery {
    /// The position in any format.
    fen: Option<String>,
    /// Or the layout; the Belgian Daisy if neither is given.
    layout: Option<String>,
    player: Option<String>,
    agent: Option<String>,
    result: Option<ResultName>,
    source: Option<Source>,
    min_plies: Option<u32>,
    max_plies: Option<u32>,
}

/// A position, and what was played from it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpeningsView {
    position: PositionView,
    /// Games with a move from it.
    games: u32,
    /// The most played first.
    moves: Vec<TriedView>,
}

/// A move, with the results of its games.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TriedView {
    #[serde(rename = "move")]
    view: MoveView,
    games: u32,
    black_wins: u32,
    white_wins: u32,
    draws: u32,
    /// Of the games that have ended.
    average_plies: Option<f64>,
    after_fen: String,
}

/// What was played from a position; symmetric positions and transpositions are one
#[utoipa::path(get, operation_id = "get_openings", path = "/api/v1/openings", tag = "games",
    params(OpeningsQuery),
    responses((status = 200, body = OpeningsView)))]
pub(crate) async fn openings(
    State(app): State<App>,
    QueryParams(query): QueryParams<OpeningsQuery>,
) -> Result<Json<OpeningsView>, AppError> {
    let position = start(query.layout.as_deref(), query.fen.as_deref())?;
    let OpeningsQuery { player, agent, result, source, min_plies, max_plies, .. } = query;
    let common = Common { player, agent, layout: None, result, source, min_plies, max_plies };
    let filter = common.filter()?;
    let canonical = Canonical::new(&position);
    let (games, tried) = app.store.explore(canonical.hash, &filter).await?;
    let moves = tried.into_iter().filter_map(|tried| {
        // A position with the same hash and other marbles would have other moves.
        let m = canonical.back(tried.m).filter(|&m| position.is_legal(m))?;
        Some(TriedView {
            view: MoveView::new(&position, m),
            games: tried.games,
            black_wins: tried.black_wins,
            white_wins: tried.white_wins,
            draws: tried.draws,
            average_plies: tried.average_plies.map(|plies| (plies * 10.0).round() / 10.0),
            after_fen: position.play_unchecked(m).to_string(),
        })
    });
    let moves = moves.collect();
    let rules = Rules { repetition: Repetition::Off, ..Rules::OFFICIAL };
    Ok(Json(OpeningsView { position: PositionView::new(&Game::new(rules, position)), games, moves }))
}
