//! What players do: move, take back, resign, offer a draw, play again, ask for help.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use serde::Deserialize;
use sumito_agents::{Info, Limits};
use sumito_engine::analysis::report::written;
use sumito_rules::{Color, Game, Move, Notation};
use tokio::sync::oneshot;
use utoipa::ToSchema;

use super::{key, notation};
use crate::client::Client;
use crate::error::{AppError, Cause};
use crate::extract::Body;
use crate::growth::MOVE_BYTES;
use crate::live::{ControlRequest, firmly};
use crate::search::pool::{Kind, Next, Turn};
use crate::search::thought::{Found, Thought};
use crate::state::App;
use crate::view::game::{GameView, Hint, MoveAck, NewGame};
use crate::view::position::MoveView;
use crate::view::score::{ScoreView, WdlView};
use crate::view::seat::Spec;
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
pub(crate) async fn moves(
    State(app): State<App>,
    Path(id): Path<String>,
    client: Client,
    headers: HeaderMap,
    Body(request): Body<MoveRequest>,
) -> Result<Json<MoveAck>, AppError> {
    app.charge(client, MOVE_BYTES)?;
    let (live, key) = (app.games.get(&app, &id).await?, key(&headers));
    live.recognise(&app, key.as_deref(), client).await;
    let notation = notation(request.notation.as_deref())?;
    let text = request.text;
    firmly(async move { live.play(&app, key.as_deref(), (&text, notation), request.ply).await.map(Json) })
        .await
}

/// Moves to take back.
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
    State(app): State<App>,
    Path(id): Path<String>,
    client: Client,
    headers: HeaderMap,
    Body(request): Body<TakebackRequest>,
) -> Result<Json<GameView>, AppError> {
    let (live, key) = (app.games.get(&app, &id).await?, key(&headers));
    live.recognise(&app, key.as_deref(), client).await;
    firmly(async move { live.take_back(&app, key.as_deref(), request.plies).await.map(Json) }).await
}

/// Who.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ColorRequest {
    /// The side; the person's, or of two persons the one to move, if not given.
    #[schema(value_type = Option<ColorWord>)]
    color: Option<Color>,
}

/// Resign
#[utoipa::path(post, operation_id = "resign", path = "/api/v1/games/{id}/resign", tag = "play",
    params(("id" = String, Path)),
    request_body = ColorRequest, security(("key" = [])),
    responses((status = 200, body = GameView)))]
pub(crate) async fn resign(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(request): Body<ColorRequest>,
) -> Result<Json<GameView>, AppError> {
    let (live, key) = (app.games.get(&app, &id).await?, key(&headers));
    firmly(async move { live.resign(&app, key.as_deref(), request.color).await.map(Json) }).await
}

/// Offer a draw, or accept the other side's offer
#[utoipa::path(post, operation_id = "offer_draw", path = "/api/v1/games/{id}/draw", tag = "play",
    params(("id" = String, Path)),
    request_body = ColorRequest, security(("key" = [])),
    responses((status = 200, body = GameView)))]
pub(crate) async fn draw(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(request): Body<ColorRequest>,
) -> Result<Json<GameView>, AppError> {
    let (live, key) = (app.games.get(&app, &id).await?, key(&headers));
    firmly(async move { live.draw(&app, key.as_deref(), request.color).await.map(Json) }).await
}

/// Nothing to say.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// Play again with the colours exchanged
#[utoipa::path(post, operation_id = "rematch", path = "/api/v1/games/{id}/rematch", tag = "play",
    params(("id" = String, Path)),
    request_body = Nothing, security(("key" = [])),
    responses((status = 201, body = NewGame)))]
pub(crate) async fn rematch(
    State(app): State<App>,
    Path(id): Path<String>,
    client: Client,
    headers: HeaderMap,
    Body(_): Body<Nothing>,
) -> Result<(StatusCode, Json<NewGame>), AppError> {
    let (live, key) = (app.games.get(&app, &id).await?, key(&headers));
    firmly(async move {
        let (next, key) = live.rematch(&app, key.as_deref(), client).await?;
        let game = next.view(&*next.lock().await);
        Ok((StatusCode::CREATED, Json(NewGame { key, game })))
    })
    .await
}

/// Pause, go on, step, or change the speed of agents
#[utoipa::path(post, operation_id = "control_game", path = "/api/v1/games/{id}/control", tag = "play",
    params(("id" = String, Path)),
    request_body = ControlRequest, security(("key" = [])),
    responses((status = 200, body = GameView)))]
pub(crate) async fn control(
    State(app): State<App>,
    Path(id): Path<String>,
    client: Client,
    headers: HeaderMap,
    Body(request): Body<ControlRequest>,
) -> Result<Json<GameView>, AppError> {
    let (live, key) = (app.games.get(&app, &id).await?, key(&headers));
    live.recognise(&app, key.as_deref(), client).await;
    firmly(async move { live.control(&app, key.as_deref(), request).await.map(Json) }).await
}

/// Positions that a hint looks at: about a third of a second.
const HINT_NODES: u64 = 150_000;

/// A good move in the game's position
#[utoipa::path(post, operation_id = "get_hint", path = "/api/v1/games/{id}/hint", tag = "play",
    params(("id" = String, Path)),
    request_body = Nothing, responses((status = 200, body = Hint)))]
pub(crate) async fn hint(
    State(app): State<App>,
    Path(id): Path<String>,
    client: Client,
    Body(_): Body<Nothing>,
) -> Result<Json<Hint>, AppError> {
    let live = app.games.get(&app, &id).await?;
    let game = {
        let table = live.lock().await;
        table.refuse_if_over()?;
        table.game().clone()
    };
    let spec = Spec::new("sumito")?;
    let limits = Limits { nodes: Some(HINT_NODES), ..Limits::default() };
    let (m, info) = ask(&app, (Kind::Short, client), spec, game.clone(), limits).await?;
    let position = game.position();
    let info = info.unwrap_or_default();
    let line = if info.line.first() == Some(&m) { info.line } else { vec![m] };
    Ok(Json(Hint {
        view: MoveView::new(position, m),
        score: info.score.map(ScoreView::of_agent),
        wdl: info.wdl.map(WdlView::from),
        line: written(position, &line, Notation::AbaPro),
    }))
}

/// Has an agent think about a game's position, while the client waits; if it leaves, the search ends.
pub(crate) async fn ask(
    app: &App,
    (kind, client): (Kind, Client),
    spec: Spec,
    game: Game,
    limits: Limits,
) -> Result<(Move, Option<Info>), AppError> {
    let (send, receive) = oneshot::channel();
    let (mut send, mut last) = (Some(send), None);
    // What an agent knows of another position does no harm, but for agents that remember their game.
    let mut thought = Thought::new(spec, game, None, limits);
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
    let _ticket = app.pool.submit(kind, app.owner(client), work)?;
    match receive.await {
        Ok((Found::Chosen(Ok(m)), info)) => Ok((m, info)),
        Ok((Found::Chosen(Err(why)), _)) => Err(Cause::AgentFailed { why: why.to_string() }.at("agent")),
        Ok((Found::Unmade(why), _)) => Err(Cause::AgentFailed { why }.at("agent")),
        Ok((Found::Broken(why), _)) => {
            tracing::error!(why, "an agent broke");
            Err(AppError::internal())
        }
        Err(_) if app.pool.is_closed() => Err(Cause::ServerEnding {}.into()),
        Err(_) => Err(AppError::internal()),
    }
}
