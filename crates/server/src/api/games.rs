//! Games as resources: begin one, get one, list them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use sumito_rules::{ByColor, Color, Game, Notation, Rules};
use utoipa::{IntoParams, ToSchema};

use super::asked::Asked;
use super::me::Visitor;
use super::{find_layout, play_all, position, start};
use crate::domain::canonical::Canonical;
use crate::domain::client::Client;
use crate::domain::error::{AppError, Cause, within};
use crate::domain::game::Source;
use crate::domain::keys::Credentials;
use crate::domain::seat::Seat;
use crate::http::extract::{Body, PathId, QueryParams};
use crate::live::{GameSetup, Seating, uncancelled};
use crate::state::App;
use crate::store::query::{Called, Filter, ListOrder, PageCursor, PageQuery, ResultFilter};
use crate::view::game::{ClockView, GameSummary, GameView, NewGame};
use crate::view::position::PositionView;
use crate::view::rules::{RulesRequest, rules};
use crate::view::seat::{FriendRequest, SeatRequest, checked_name};

/// A game to begin.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGameRequest {
    /// The name of a layout; the Belgian Daisy if neither it nor `fen` is given.
    layout: Option<String>,
    /// A position in any format.
    fen: Option<String>,
    rules: Option<RulesRequest>,
    black: Option<SeatRequest>,
    white: Option<SeatRequest>,
    /// Instead of `black` and `white`: two persons with a key each.
    friend: Option<FriendRequest>,
    clock: Option<ClockView>,
    /// Moves that were played already, in Aba-Pro notation.
    moves: Option<Vec<String>>,
    paused: Option<bool>,
    delay_ms: Option<u64>,
    /// The time of agents for a move, without a clock; of both sides, unless `white_think_ms` says otherwise.
    think_ms: Option<u64>,
    white_think_ms: Option<u64>,
}

/// The longest that agents may be told to wait or think.
const LONGEST_DELAY: u64 = 60_000;

/// Checks the times of agents, if they are given, and says how long each side may think.
pub(crate) fn agent_times(
    delay_ms: Option<u64>,
    think_ms: Option<u64>,
    white_think_ms: Option<u64>,
) -> Result<ByColor<Option<u64>>, AppError> {
    within("delay_ms", delay_ms.unwrap_or(0), 0, LONGEST_DELAY)?;
    within("think_ms", think_ms.unwrap_or(10), 10, LONGEST_DELAY)?;
    within("white_think_ms", white_think_ms.unwrap_or(10), 10, LONGEST_DELAY)?;
    Ok(ByColor::new(think_ms, white_think_ms.or(think_ms)))
}

/// Who plays, and whose keys open the seats. One person with an account plays by its name.
fn seats(
    black: Option<SeatRequest>,
    white: Option<SeatRequest>,
    friend: Option<FriendRequest>,
    by: Visitor,
) -> Result<(ByColor<Seat>, Seating), AppError> {
    let Visitor { who: Credentials { person, .. }, name, .. } = by;
    let Some(friend) = friend else {
        let seat =
            |request: Option<SeatRequest>, field| request.map_or(Ok(Seat::person()), |seat| seat.seat(field));
        let mut seats = ByColor::new(seat(black, "black")?, seat(white, "white")?);
        // Of two at one device nobody knows which of them it is.
        let alone =
            Color::ALL.into_iter().find(|&color| seats[color].is_human() && !seats[!color].is_human());
        if let (Some(color), Some(name)) = (alone, name) {
            seats[color] = Seat::Human { name };
        }
        return Ok((seats, Seating::Shared(person.filter(|_| alone.is_some()))));
    };
    if black.is_some() || white.is_some() {
        return Err(Cause::FriendSeats {}.at("friend"));
    }
    let color = friend.color.color();
    let mut seats = ByColor::new(Seat::person(), Seat::person());
    let given = checked_name(friend.name.unwrap_or_default(), "friend.name")?;
    seats[color] = Seat::Human { name: name.unwrap_or(given) };
    Ok((seats, Seating::Friend(color, person)))
}

impl NewGameRequest {
    fn setup(self, by: Visitor) -> Result<GameSetup, AppError> {
        let position = start(self.layout.as_deref(), self.fen.as_deref())?;
        let mut game = Game::new(rules(self.rules)?, position);
        if game.outcome().is_some() {
            return Err(Cause::StartOver {}.at("fen"));
        }
        play_all(&mut game, self.moves.as_deref().unwrap_or_default(), Notation::AbaPro, "moves")?;
        let (seats, seating) = seats(self.black, self.white, self.friend, by)?;
        if self.paused == Some(true) && !matches!(seating, Seating::Shared(_)) {
            return Err(Cause::GameTwo {}.at("paused"));
        }
        let think_ms = agent_times(self.delay_ms, self.think_ms, self.white_think_ms)?;
        Ok(GameSetup {
            game,
            seats,
            seating,
            clock: self.clock.map(ClockView::checked).transpose()?.map(Into::into),
            paused: self.paused.unwrap_or(false),
            delay_ms: self.delay_ms.unwrap_or(0),
            think_ms: think_ms.map(|ms| ms.unwrap_or(1000)),
            rated: false,
        })
    }
}

/// Begin a game
#[utoipa::path(post, operation_id = "create_game", path = "/api/v1/games", tag = "games",
    request_body = NewGameRequest,
    responses((status = 201, body = NewGame)))]
pub(crate) async fn create(
    State(app): State<App>,
    client: Client,
    visitor: Visitor,
    Body(request): Body<NewGameRequest>,
) -> Result<(StatusCode, Json<NewGame>), AppError> {
    uncancelled(async move {
        let who = visitor.who.clone();
        // Many moves take a while to be played.
        let setup = app.builds.run(client, move || request.setup(visitor)).await?;
        let (live, key) = app.begin(setup, client).await?;
        Ok(NewGame::answer(&live, (&who, key)).await)
    })
    .await
}

/// A game
#[utoipa::path(get, operation_id = "get_game", path = "/api/v1/games/{id}", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = GameView)))]
pub(crate) async fn get(asked: Asked) -> Json<GameView> {
    asked.live.touch(&asked.app).await;
    asked.answer(&*asked.live.lock().await)
}

/// Delete a game, with its review; also one that is damaged
#[utoipa::path(delete, operation_id = "delete_game", path = "/api/v1/games/{id}", tag = "games",
    params(("id" = String, Path)), security(("key" = [])),
    responses((status = 204)))]
pub(crate) async fn delete(
    State(app): State<App>,
    PathId(id): PathId,
    visitor: Visitor,
) -> Result<StatusCode, AppError> {
    uncancelled(async move {
        app.games.delete(&app, &id, &visitor.who).await?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Which position of a game.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct AtPly {
    /// Moves played before it; the last position if not given.
    ply: Option<usize>,
}

/// A position of a game
#[utoipa::path(get, operation_id = "get_position", path = "/api/v1/games/{id}/position", tag = "games",
    params(("id" = String, Path), AtPly),
    responses((status = 200, body = PositionView)))]
pub(crate) async fn at_ply(
    asked: Asked,
    QueryParams(at): QueryParams<AtPly>,
) -> Result<Json<PositionView>, AppError> {
    let table = asked.live.lock().await;
    let played = table.game().moves().len();
    let ply = at.ply.unwrap_or(played);
    within("ply", ply, 0, played as u64)?;
    Ok(Json(PositionView::of(&table, ply)))
}

/// Which games.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListQuery {
    /// Only these games: ids with commas between them, at most 100.
    ids: Option<String>,
    /// Part of a player's name.
    player: Option<String>,
    /// With `player`: agents that go by that name as well, as specs with semicolons between them, at most 100. A spec stands for all
    /// that begin with it and have more options.
    player_agents: Option<String>,
    /// With `player`: games that go by that name as well, as ids with commas between them, at most 100.
    player_ids: Option<String>,
    /// Somebody with an account who plays, by the name.
    person: Option<String>,
    /// Part of an agent's spec.
    agent: Option<String>,
    layout: Option<String>,
    result: Option<ResultName>,
    source: Option<Source>,
    min_plies: Option<u32>,
    max_plies: Option<u32>,
    /// Moves from the start of the layout, with commas; symmetric openings are found too.
    opening: Option<String>,
    /// A position that occurs in the game, in any symmetric form.
    fen: Option<String>,
    sort: Option<Sort>,
    /// How many games, 20 if not given.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
    /// Where the page begins: `next` of the page before.
    cursor: Option<String>,
}

/// How games ended.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResultName {
    Black,
    White,
    Draw,
    /// They run, or nobody knows.
    None,
}

impl From<ResultName> for ResultFilter {
    fn from(name: ResultName) -> ResultFilter {
        match name {
            ResultName::Black => ResultFilter::Black,
            ResultName::White => ResultFilter::White,
            ResultName::Draw => ResultFilter::Draw,
            ResultName::None => ResultFilter::None,
        }
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Sort {
    Newest,
    Oldest,
    Longest,
    Shortest,
}

impl From<Sort> for ListOrder {
    fn from(sort: Sort) -> ListOrder {
        match sort {
            Sort::Newest => ListOrder::Newest,
            Sort::Oldest => ListOrder::Oldest,
            Sort::Longest => ListOrder::Longest,
            Sort::Shortest => ListOrder::Shortest,
        }
    }
}

/// A page of games.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GamePage {
    games: Vec<GameSummary>,
    /// How many there are in all.
    total: u64,
    /// Where the next page begins.
    next: Option<String>,
}

/// The longest text to look for.
const LONGEST: usize = 200;

/// Checks a text to look for.
fn text(field: &str, text: Option<String>) -> Result<Option<String>, AppError> {
    match text {
        Some(text) if text.len() > LONGEST || text.contains('\0') => {
            Err(Cause::TextTooLong { most: LONGEST }.at(field))
        }
        text => Ok(text),
    }
}

/// The most that can be listed in a field.
const LISTED: usize = 100;

/// What a field lists.
fn several_in(field: &str, text: &str, between: char) -> Result<Vec<String>, AppError> {
    let all: Vec<String> =
        text.split(between).map(str::trim).filter(|one| !one.is_empty()).map(str::to_string).collect();
    within(field, all.len(), 0, LISTED as u64)?;
    all.into_iter().map(|one| self::text(field, Some(one)).map(Option::unwrap_or_default)).collect()
}

/// The name of a layout by any of its names.
pub(crate) fn layout(name: Option<&str>) -> Result<Option<String>, AppError> {
    Ok(name.map(find_layout).transpose()?.map(|layout| layout.name.to_string()))
}

/// What games and openings are filtered by.
#[derive(Debug, Default)]
pub(crate) struct Common {
    pub(crate) player: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) layout: Option<String>,
    pub(crate) result: Option<ResultName>,
    pub(crate) source: Option<Source>,
    pub(crate) min_plies: Option<u32>,
    pub(crate) max_plies: Option<u32>,
}

impl Common {
    pub(crate) fn filter(self) -> Result<Filter, AppError> {
        Ok(Filter {
            player: text("player", self.player)?,
            agent: text("agent", self.agent)?,
            layout: layout(self.layout.as_deref())?,
            result: self.result.map(ResultFilter::from),
            source: self.source,
            min_plies: self.min_plies,
            max_plies: self.max_plies,
            ..Filter::default()
        })
    }
}

impl ListQuery {
    fn filter(self) -> Result<Filter, AppError> {
        let place = self.fen.as_deref().map(position).transpose()?.map(|found| Canonical::new(&found).hash);
        let opening = match &self.opening {
            None => None,
            Some(moves) => {
                let mut game = Game::new(Rules::OFFICIAL, start(self.layout.as_deref(), None)?);
                let moves: Vec<String> =
                    moves.split([',', ' ']).filter(|one| !one.is_empty()).map(str::to_string).collect();
                play_all(&mut game, &moves, Notation::AbaPro, "opening")?;
                Some((Canonical::new(game.position()).hash, moves.len() as u32))
            }
        };
        let ids = self.ids.map(|ids| several_in("ids", &ids, ',')).transpose()?;
        let several = |field, text: Option<String>, between| {
            text.map_or(Ok(Vec::new()), |text| several_in(field, &text, between))
        };
        let called = Called {
            agents: several("player_agents", self.player_agents, ';')?,
            ids: several("player_ids", self.player_ids, ',')?,
        };
        let ListQuery { player, agent, layout, result, source, min_plies, max_plies, .. } = self;
        let common = Common { player, agent, layout, result, source, min_plies, max_plies };
        Ok(Filter { opening, place, ids, called, ..common.filter()? })
    }
}

/// Games by what is asked for
#[utoipa::path(get, operation_id = "list_games", path = "/api/v1/games", tag = "games", params(ListQuery),
    responses((status = 200, body = GamePage)))]
pub(crate) async fn list(
    State(app): State<App>,
    QueryParams(query): QueryParams<ListQuery>,
) -> Result<Json<GamePage>, AppError> {
    let limit = query.limit.unwrap_or(20);
    within("limit", limit, 1, 100)?;
    let wrong = || Cause::CursorUnknown {}.at("cursor");
    let after = query.cursor.as_deref().map(|text| PageCursor::parse(text).ok_or_else(wrong)).transpose()?;
    let order = query.sort.map(ListOrder::from).unwrap_or_default();
    let person = match &query.person {
        Some(name) => Some(app.person(name).await?.id),
        None => None,
    };
    let filter = Filter { person, ..query.filter()? };
    let page = app.store.list(&PageQuery { filter, order, after, limit }).await?;
    Ok(Json(GamePage {
        games: page.games.into_iter().map(GameSummary::from).collect(),
        total: page.total,
        next: page.next.map(|cursor| cursor.to_string()),
    }))
}
