//! What players do: move, take back, resign, offer a draw, play again, ask for help.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sumito_agents::{Info, Limits};
use sumito_engine::analysis::report::written;
use sumito_rules::{Color, Move, Notation};
use tokio::sync::oneshot;
use utoipa::ToSchema;

use super::asked::Asked;
use super::games::agent_times;
use super::notation;
use crate::domain::client::Client;
use crate::domain::error::{AppError, Cause};
use crate::domain::seat::Spec;
use crate::door::growth::MOVE_BYTES;
use crate::http::extract::Body;
use crate::live::{Control, Rematch, uncancelled};
use crate::search::pool::{Next, SearchWork, Ticket, Turn, WorkKind};
use crate::search::thought::{Thought, ThoughtResult};
use crate::state::App;
use crate::view::game::{GameView, Hint, MoveAck, NewGame};
use crate::view::position::MoveView;
use crate::view::score::{ScoreView, WdlView, among_people};
use crate::view::words::ColorWord;

/// A move.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveRequest {
    /// The move.
    #[serde(rename = "move")]
    pub(crate) text: String,
    /// How many moves were played before it.
    pub(crate) ply: usize,
    /// Its notation, Aba-Pro if not given.
    pub(crate) notation: Option<String>,
}

/// Play a move; the answer comes when it is in the database
#[utoipa::path(post, operation_id = "play_move", path = "/api/v1/games/{id}/moves", tag = "play",
    params(("id" = String, Path)),
    request_body = MoveRequest, security(("key" = [])),
    responses((status = 200, body = MoveAck)))]
pub(crate) async fn moves(asked: Asked, Body(request): Body<MoveRequest>) -> Result<Json<MoveAck>, AppError> {
    asked.app.charge(asked.client, MOVE_BYTES)?;
    asked.recognise().await;
    let notation = notation(request.notation.as_deref())?;
    uncancelled(async move {
        let played = (request.text.as_str(), notation);
        let table = asked.live.play(&asked.app, &asked.who, played, Some(request.ply)).await?;
        Ok(Json(MoveAck::last(&table)))
    })
    .await
}

/// Moves to take back; of two persons with a key each, one asks for it and the other agrees.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TakebackRequest {
    /// How many; as many as it takes to get to the person's last turn if not given.
    plies: Option<usize>,
}

/// Take moves back
#[utoipa::path(post, operation_id = "take_back", path = "/api/v1/games/{id}/takeback", tag = "play",
    params(("id" = String, Path)),
    request_body = TakebackRequest, security(("key" = [])),
    responses((status = 200, body = GameView)))]
pub(crate) async fn takeback(
    asked: Asked,
    Body(request): Body<TakebackRequest>,
) -> Result<Json<GameView>, AppError> {
    asked.recognise().await;
    uncancelled(async move {
        let table = asked.live.take_back(&asked.app, &asked.who, request.plies).await?;
        Ok(asked.answer(&table))
    })
    .await
}

/// Who.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ColorRequest {
    /// The side; that of the key, the person's, or of two persons the one to move, if not given.
    #[schema(value_type = Option<ColorWord>)]
    color: Option<Color>,
}

/// Resign
#[utoipa::path(post, operation_id = "resign", path = "/api/v1/games/{id}/resign", tag = "play",
    params(("id" = String, Path)),
    request_body = ColorRequest, security(("key" = [])),
    responses((status = 200, body = GameView)))]
pub(crate) async fn resign(
    asked: Asked,
    Body(request): Body<ColorRequest>,
) -> Result<Json<GameView>, AppError> {
    uncancelled(async move {
        let table = asked.live.resign(&asked.app, &asked.who, request.color).await?;
        Ok(asked.answer(&table))
    })
    .await
}

/// Offer a draw, or accept the other side's offer
#[utoipa::path(post, operation_id = "offer_draw", path = "/api/v1/games/{id}/draw", tag = "play",
    params(("id" = String, Path)),
    request_body = ColorRequest, security(("key" = [])),
    responses((status = 200, body = GameView)))]
pub(crate) async fn draw(
    asked: Asked,
    Body(request): Body<ColorRequest>,
) -> Result<Json<GameView>, AppError> {
    uncancelled(async move {
        let table = asked.live.draw(&asked.app, &asked.who, request.color).await?;
        Ok(asked.answer(&table))
    })
    .await
}

/// Nothing to say.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// Play again with the colours exchanged; of two persons with a key each, one offers it (202) and the other begins it
#[utoipa::path(post, operation_id = "rematch", path = "/api/v1/games/{id}/rematch", tag = "play",
    params(("id" = String, Path)),
    request_body = Nothing, security(("key" = [])),
    responses((status = 201, body = NewGame), (status = 202, body = GameView)))]
pub(crate) async fn rematch(asked: Asked, Body(_): Body<Nothing>) -> Result<Response, AppError> {
    uncancelled(async move {
        Ok(match asked.live.rematch(&asked.app, &asked.who, asked.client).await? {
            Rematch::Begun(live, key) => NewGame::answer(&live, (&asked.who, key)).await.into_response(),
            Rematch::Offered => {
                let game = asked.answer(&*asked.live.lock().await);
                (StatusCode::ACCEPTED, game).into_response()
            }
        })
    })
    .await
}

/// How a game between agents goes on.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ControlRequest {
    paused: Option<bool>,
    delay_ms: Option<u64>,
    /// Of both sides, unless `white_think_ms` says otherwise.
    think_ms: Option<u64>,
    white_think_ms: Option<u64>,
    /// Play one move of an agent while the game is paused.
    step: Option<bool>,
}

impl ControlRequest {
    fn checked(self) -> Result<Control, AppError> {
        let think_ms = agent_times(self.delay_ms, self.think_ms, self.white_think_ms)?;
        let ControlRequest { paused, delay_ms, step, .. } = self;
        Ok(Control { paused, delay_ms, think_ms, step: step == Some(true) })
    }
}

/// Pause, go on, step, or change the speed of agents
#[utoipa::path(post, operation_id = "control_game", path = "/api/v1/games/{id}/control", tag = "play",
    params(("id" = String, Path)),
    request_body = ControlRequest, security(("key" = [])),
    responses((status = 200, body = GameView)))]
pub(crate) async fn control(
    asked: Asked,
    Body(request): Body<ControlRequest>,
) -> Result<Json<GameView>, AppError> {
    asked.recognise().await;
    asked.live.admit(&asked.who).await?;
    let control = request.checked()?;
    uncancelled(async move {
        let table = asked.live.control(&asked.app, &asked.who, control).await?;
        Ok(asked.answer(&table))
    })
    .await
}

/// Positions that a hint looks at: about a third of a second.
const HINT_NODES: u64 = 150_000;

/// A good move in the game's position; not while two persons with a key each play
#[utoipa::path(post, operation_id = "get_hint", path = "/api/v1/games/{id}/hint", tag = "play",
    params(("id" = String, Path)),
    request_body = Nothing, responses((status = 200, body = Hint)))]
pub(crate) async fn hint(asked: Asked, Body(_): Body<Nothing>) -> Result<Json<Hint>, AppError> {
    let game = {
        let table = asked.live.lock().await;
        table.refuse_help()?;
        table.refuse_if_over()?;
        table.game().clone()
    };
    let spec = Spec::new("sumito")?;
    let limits = Limits { nodes: Some(HINT_NODES), ..Limits::default() };
    let thought = Thought::new(spec, game.clone(), None, limits);
    let (m, info) = ask(&asked.app, (WorkKind::Short, asked.client), thought).await?;
    let position = game.position();
    let info = info.unwrap_or_default();
    let wdl = among_people(&info, position).map(WdlView::from);
    let line = if info.line.first() == Some(&m) { info.line } else { vec![m] };
    Ok(Json(Hint {
        view: MoveView::new(position, m),
        score: info.score.map(ScoreView::of_agent),
        wdl,
        line: written(position, &line, Notation::AbaPro),
    }))
}

/// Has an agent think about a game's position, while the client waits; if it leaves, the search ends.
pub(crate) async fn ask(
    app: &App,
    (kind, client): (WorkKind, Client),
    thought: Thought,
) -> Result<(Move, Option<Info>), AppError> {
    thought_of(app, thought, |work| app.pool.submit(kind, app.owner(client), work)).await
}

/// What comes of a thought that is submitted like this; if nobody waits for it any more, the search ends.
pub(crate) async fn thought_of(
    app: &App,
    mut thought: Thought,
    submit: impl FnOnce(SearchWork) -> Result<Ticket, AppError>,
) -> Result<(Move, Option<Info>), AppError> {
    let (send, receive) = oneshot::channel();
    let (mut send, mut last) = (Some(send), None);
    let work = Box::new(move |turn: &mut Turn<'_>| {
        let mut hear = |info: &Info| {
            if info.rank == 0 {
                last = Some(info.clone());
            }
        };
        let Some(found) = thought.go_on(turn, true, &mut hear) else { return Next::Again };
        if let Some(send) = send.take() {
            let _ = send.send((found, last.take()));
        }
        Next::Done
    });
    let _ticket = submit(work)?;
    match receive.await {
        Ok((ThoughtResult::Chosen(Ok(m)), info)) => Ok((m, info)),
        Ok((ThoughtResult::Chosen(Err(why)), _)) => {
            Err(Cause::AgentFailed { why: why.to_string() }.at("agent"))
        }
        Ok((ThoughtResult::Unmade(why), _)) => Err(Cause::AgentFailed { why }.at("agent")),
        Ok((ThoughtResult::Broken(why), _)) => {
            tracing::error!(why, "an agent broke");
            Err(AppError::internal())
        }
        Err(_) if app.pool.is_closed() => Err(Cause::ServerEnding {}.into()),
        Err(_) => Err(AppError::internal()),
    }
}
