//! What any agent thinks of a position: its evaluation, its move, and the terms where it has them.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use sumito_agents::{Limits, evaluations};
use sumito_engine::analysis::report::{ScoreReport, written};
use sumito_engine::network::Network;
use sumito_engine::{Score, eval};
use sumito_rules::{Game, Notation, Position, Rules};
use utoipa::{IntoParams, ToSchema};

use super::play::ask;
use super::position;
use crate::domain::client::Client;
use crate::domain::error::{AppError, within};
use crate::domain::seat::Spec;
use crate::http::extract::QueryParams;
use crate::search::pool::WorkKind;
use crate::search::thought::Thought;
use crate::state::App;
use crate::view::position::MoveView;
use crate::view::score::{ScoreView, WdlView, among_people};

/// Whose opinion of what.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpinionQuery {
    /// The agent's spec.
    #[param(min_length = 1)]
    agent: String,
    /// The position in any format.
    #[param(min_length = 1)]
    fen: String,
    /// How long it may think, half a second if not given.
    #[param(minimum = 10, maximum = 10_000)]
    time_ms: Option<u64>,
    /// The seed of its random choices, which without one go on or are always the same.
    seed: Option<u64>,
}

/// What an agent thinks of a position.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Opinion {
    agent: String,
    /// Its evaluation of the position alone, for the side to move.
    #[serde(rename = "static")]
    at_once: Option<ScoreView>,
    /// What it found by searching.
    score: Option<ScoreView>,
    wdl: Option<WdlView>,
    depth: u32,
    nodes: u64,
    #[serde(rename = "move")]
    view: Option<MoveView>,
    line: Vec<String>,
    /// The terms of its evaluation, in hundredths of a marble.
    terms: Option<Vec<TermView>>,
}

/// A term of an evaluation.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TermView {
    #[schema(value_type = String)]
    name: &'static str,
    black: i32,
    white: i32,
}

/// What an agent thinks of a position
#[utoipa::path(get, operation_id = "get_opinion", path = "/api/v1/opinion", tag = "boards",
    params(OpinionQuery),
    responses((status = 200, body = Opinion)))]
pub(crate) async fn opinion(
    State(app): State<App>,
    client: Client,
    QueryParams(query): QueryParams<OpinionQuery>,
) -> Result<Json<Opinion>, AppError> {
    let spec = Spec::new(&query.agent)?;
    let time = query.time_ms.unwrap_or(500);
    within("time_ms", time, 10, 10_000)?;
    let position = position(&query.fen)?;
    let game = Game::new(Rules::OFFICIAL, position);
    let at_once = at_once(&spec, &position);
    let terms = spec.is_flagship().then(|| terms(&position));
    let (found, info) = if game.outcome().is_some() {
        (None, None)
    } else {
        let limits = Limits { move_time: Some(Duration::from_millis(time)), ..Limits::default() };
        let thought = Thought::new(spec.clone(), game, None, limits).seeded(query.seed);
        let (m, info) = ask(&app, (WorkKind::Move, client), thought).await?;
        (Some(m), info)
    };
    let info = info.unwrap_or_default();
    let wdl = among_people(&info, &position).map(WdlView::from);
    let line = if info.line.first() == found.as_ref() { info.line } else { found.into_iter().collect() };
    Ok(Json(Opinion {
        at_once,
        score: info.score.map(ScoreView::of_agent),
        wdl,
        depth: info.depth,
        nodes: info.nodes,
        view: found.map(|m| MoveView::new(&position, m)),
        line: written(&position, &line, Notation::AbaPro),
        terms,
        agent: spec.text,
    }))
}

fn terms(position: &Position) -> Vec<TermView> {
    let all = eval::trace(position).into_iter().filter(|term| term.black != 0 || term.white != 0);
    all.map(|term| TermView { name: term.name, black: term.black, white: term.white }).collect()
}

/// An agent's evaluation of a position without a search, where it has one.
fn at_once(spec: &Spec, position: &Position) -> Option<ScoreView> {
    let (entry, options) = sumito_agents::resolve(&spec.text).ok()?;
    let name = match entry.name {
        "sumito" => {
            let value = match options.text("net") {
                "" => Network::shipped().evaluate(position, None),
                _ => eval::evaluate(position),
            };
            return Some(ScoreReport::from(Score::Marbles(value)).into());
        }
        "maastricht" | "maastricht-mcts" => format!("maastricht-{}", options.text("eval")),
        "bcit" => format!("bcit-{}", options.text("heuristic")),
        "greedy" | "plain" => options.text("eval").to_string(),
        name => name.to_string(),
    };
    let (_, make) = evaluations().find(|(known, _)| *known == name)?;
    let value = make()(position, position.turn());
    Some(ScoreView::of_agent(Score::Value(value)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::Layout;

    #[test]
    fn every_agent_with_an_evaluation_has_an_opinion_at_once() {
        let position = Layout::all()[0].position();
        for entry in sumito_agents::registry::entries() {
            let has_one = !["random", "maastricht-rules"].contains(&entry.name);
            let spec = Spec::new(entry.name).expect("an agent");
            assert_eq!(at_once(&spec, &position).is_some(), has_one, "{}", entry.name);
        }
    }
}
