//! What programs see, in the words that their authors know from other servers: layouts are variants, classes of clocks are speeds.

use std::collections::BTreeMap;

use serde::Serialize;
use sumito_rules::{ByColor, Color, Layout, Notation, fen};
use utoipa::ToSchema;

use super::rules::RulesView;
use super::words::ColorWord;
use crate::domain::bot::Capabilities;
use crate::domain::challenge::{Challenge, ChallengeState, DeclineReason};
use crate::domain::class::Class;
use crate::domain::game::{ClockSetting, GameEnding};
use crate::domain::ladder::Standing;
use crate::domain::person::{Person, PersonId, Role};
use crate::domain::rating::{Rating, SYSTEM};
use crate::live::LiveTable;
use crate::live::feeds::GameNews;
use crate::live::lobby::Seeker;
use crate::store::bots::Bot;

/// The word that stands before the name of a program.
const TITLE: &str = "BOT";

fn title(role: Role) -> Option<&'static str> {
    (role == Role::Bot).then_some(TITLE)
}

/// A layout.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Variant {
    key: String,
    name: String,
    short: String,
}

impl Variant {
    pub(crate) fn of(layout: Option<&str>) -> Variant {
        let key = layout.unwrap_or("custom").to_string();
        let title =
            layout.and_then(Layout::named).map_or_else(|| key.clone(), |layout| layout.title.to_string());
        Variant { short: title.clone(), name: title, key }
    }
}

/// A name for a class of clocks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Perf {
    name: Option<Class>,
}

/// A player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PlayerView {
    /// The name in small letters.
    id: String,
    name: String,
    #[schema(value_type = Option<String>)]
    title: Option<&'static str>,
    rating: Option<i32>,
    provisional: bool,
    online: bool,
}

impl PlayerView {
    pub(crate) fn new(seeker: &Seeker, online: bool) -> PlayerView {
        let Seeker { person, rating, provisional, strangers: _ } = seeker;
        PlayerView {
            id: person.name.to_lowercase(),
            name: person.name.clone(),
            title: title(person.role),
            rating: Some(*rating),
            provisional: *provisional,
            online,
        }
    }

    /// Somebody without an account.
    pub(crate) fn guest(name: &str) -> PlayerView {
        let (id, name) = (name.to_lowercase(), name.to_string());
        PlayerView { id, name, title: None, rating: None, provisional: false, online: false }
    }
}

/// A clock, in seconds or in days for a move.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum TimeControlView {
    Clock { limit: u64, increment: u64, show: String },
    Correspondence { days_per_turn: f64 },
}

const DAY_MS: f64 = 86_400_000.0;

impl From<ClockSetting> for TimeControlView {
    fn from(clock: ClockSetting) -> TimeControlView {
        match clock {
            ClockSetting::Move { ms } => {
                TimeControlView::Correspondence { days_per_turn: ms as f64 / DAY_MS }
            }
            ClockSetting::Game { base_ms, increment_ms } => {
                let (limit, increment) = (base_ms / 1000, increment_ms / 1000);
                let show = format!("{}+{increment}", limit as f64 / 60.0);
                TimeControlView::Clock { limit, increment, show }
            }
        }
    }
}

/// A challenge.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChallengeView {
    /// Also that of the game, when it is accepted.
    id: String,
    url: String,
    /// `created`, `canceled` or `declined`.
    status: &'static str,
    challenger: PlayerView,
    dest_user: PlayerView,
    variant: Variant,
    rated: bool,
    speed: Option<Class>,
    time_control: TimeControlView,
    /// The colour that the challenger wants: `black`, `white` or `random`.
    color: String,
    perf: Perf,
    /// `in` or `out`.
    direction: Option<&'static str>,
    decline_reason: Option<&'static str>,
    decline_reason_key: Option<DeclineReason>,
}

/// Both players of a challenge.
pub(crate) struct Sides {
    pub(crate) challenger: PlayerView,
    pub(crate) dest: PlayerView,
}

impl ChallengeView {
    pub(crate) fn new(challenge: &Challenge, sides: Sides, seen_by: PersonId) -> ChallengeView {
        let class = Class::of(Some(challenge.clock));
        let reason = match challenge.state {
            ChallengeState::Declined(reason) => Some(reason),
            _ => None,
        };
        ChallengeView {
            id: challenge.id.clone(),
            url: format!("/game/{}", challenge.id),
            status: match challenge.state {
                ChallengeState::Open => "created",
                ChallengeState::Canceled => "canceled",
                ChallengeState::Declined(_) => "declined",
            },
            direction: if seen_by == challenge.challenger.id { Some("out") } else { Some("in") },
            challenger: sides.challenger,
            dest_user: sides.dest,
            variant: Variant::of(Some(challenge.layout.name)),
            rated: challenge.rated,
            speed: class,
            time_control: challenge.clock.into(),
            color: challenge.color.map_or_else(|| "random".to_string(), |color| word(color).to_string()),
            perf: Perf { name: class },
            decline_reason: reason.map(DeclineReason::text),
            decline_reason_key: reason,
        }
    }
}

fn word(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// What happens to an account.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum BotEvent {
    /// A game begins, or goes on when the stream begins.
    GameStart { game: GameInfo },
    /// A game is over.
    GameFinish { game: GameInfo },
    /// A challenge, to or from the account.
    Challenge { challenge: Box<ChallengeView> },
    /// It was called off.
    ChallengeCanceled { challenge: Box<ChallengeView> },
    /// It was declined.
    ChallengeDeclined { challenge: Box<ChallengeView> },
}

/// A game in short.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameInfo {
    id: String,
    game_id: String,
    full_id: String,
    #[schema(value_type = ColorWord)]
    color: Color,
    fen: String,
    has_moved: bool,
    is_my_turn: bool,
    last_move: String,
    opponent: OpponentView,
    rated: bool,
    speed: Option<Class>,
    perf: Option<Class>,
    variant: Variant,
    seconds_left: Option<u64>,
    source: &'static str,
    status: StatusView,
    #[schema(value_type = Option<ColorWord>)]
    winner: Option<Color>,
}

/// The other player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct OpponentView {
    id: String,
    username: String,
    rating: Option<i32>,
}

/// How a game stands, in a word.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StatusView {
    name: String,
}

/// The word for how a game stands.
fn status(ending: Option<&GameEnding>) -> String {
    let Some(ending) = ending else { return "started".to_string() };
    match (ending.reason.as_str(), ending.winner) {
        ("resignation", _) => "resign",
        ("time", _) => "outoftime",
        ("forfeit", _) => "noStart",
        (_, None) => "draw",
        (_, Some(_)) => "variantEnd",
    }
    .to_string()
}

impl GameInfo {
    /// The game as one of its sides sees it.
    pub(crate) fn new(news: &GameNews, color: Color, rating: Option<i32>) -> GameInfo {
        let (class, other) = (Class::of(news.clock), &news.names[!color]);
        GameInfo {
            id: news.id.clone(),
            game_id: news.id.clone(),
            full_id: news.id.clone(),
            color,
            fen: news.fen.clone(),
            has_moved: news.plies > usize::from(color == Color::White),
            is_my_turn: news.turn == color && news.ending.is_none() && !news.aborted,
            last_move: news.last_move.clone(),
            opponent: OpponentView { id: other.to_lowercase(), username: other.clone(), rating },
            rated: news.rated,
            speed: class,
            perf: class,
            variant: Variant::of(news.layout.map(|layout| layout.name)),
            seconds_left: news.left.map(|left| left[color] / 1000),
            source: "friend",
            status: StatusView {
                name: if news.aborted { "aborted".to_string() } else { status(news.ending.as_ref()) },
            },
            winner: news.ending.as_ref().and_then(|ending| ending.winner),
        }
    }
}

/// What happens in a game.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum GameEvent {
    /// All of it: first.
    GameFull(Box<GameFull>),
    /// How it stands, after every change.
    GameState(GameState),
    /// A player says something.
    ChatLine {
        #[schema(value_type = String)]
        room: &'static str,
        username: String,
        text: String,
    },
    /// The other side has left, or is back.
    OpponentGone { gone: bool },
}

/// A whole game.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GameFull {
    id: String,
    variant: Variant,
    speed: Option<Class>,
    perf: Perf,
    rated: bool,
    created_at: i64,
    black: PlayerView,
    white: PlayerView,
    /// The position at the beginning; Black's marbles are `S` there, White's `s`.
    initial_fen: String,
    /// How the game ends.
    rules: RulesView,
    /// In milliseconds.
    clock: Option<ClockPair>,
    days_per_turn: Option<f64>,
    state: TypedState,
}

/// How a game stands, within all of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TypedState {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    state: GameState,
}

/// A clock in milliseconds.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct ClockPair {
    initial: u64,
    increment: u64,
}

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct GameState {
    /// All moves in the notation of Aba-Pro, with spaces between them.
    moves: String,
    /// Milliseconds that the sides have left.
    wtime: u64,
    btime: u64,
    /// Milliseconds that a move adds.
    winc: u64,
    binc: u64,
    status: String,
    #[schema(value_type = Option<ColorWord>)]
    winner: Option<Color>,
    /// Who offers a draw.
    wdraw: bool,
    bdraw: bool,
    /// Who wants moves back.
    wtakeback: bool,
    btakeback: bool,
}

impl GameState {
    pub(crate) fn new(table: &LiveTable) -> GameState {
        let game = table.game();
        let moves = game.moves().iter().zip(game.positions());
        let moves: Vec<String> = moves.map(|(&m, before)| Notation::AbaPro.write(before, m)).collect();
        let left = table.clocks(std::time::Instant::now()).map(|(left, _)| left);
        // Without a clock there is as much as a month, which every client can read as a number of milliseconds.
        let left = left.unwrap_or(ByColor::new(u64::from(i32::MAX as u32), i32::MAX as u64));
        let increment = match table.clock {
            Some(ClockSetting::Game { increment_ms, .. }) => increment_ms,
            _ => 0,
        };
        let (ending, draw) = (table.outcome(), game.draw_offer());
        let takeback = table.offers.takeback.map(|offer| offer.by);
        GameState {
            moves: moves.join(" "),
            wtime: left.white,
            btime: left.black,
            winc: increment,
            binc: increment,
            status: status(ending.as_ref()),
            winner: ending.and_then(|ending| ending.winner),
            wdraw: draw == Some(Color::White),
            bdraw: draw == Some(Color::Black),
            wtakeback: takeback == Some(Color::White),
            btakeback: takeback == Some(Color::Black),
        }
    }

    /// What of it is not the time, which passes by itself.
    pub(crate) fn essence(&self) -> GameState {
        GameState { wtime: 0, btime: 0, ..self.clone() }
    }

    /// Whether the game goes on.
    pub(crate) fn goes_on(&self) -> bool {
        self.status == "started"
    }
}

impl GameFull {
    pub(crate) fn new(table: &LiveTable, players: ByColor<PlayerView>) -> GameFull {
        let class = Class::of(table.clock);
        let (clock, days_per_turn) = match table.clock {
            Some(ClockSetting::Game { base_ms, increment_ms }) => {
                (Some(ClockPair { initial: base_ms, increment: increment_ms }), None)
            }
            Some(ClockSetting::Move { ms }) => (None, Some(ms as f64 / DAY_MS)),
            None => (None, None),
        };
        GameFull {
            id: table.id.clone(),
            variant: Variant::of(table.layout.as_deref()),
            speed: class,
            perf: Perf { name: class },
            rated: table.rated,
            created_at: table.created,
            black: players.black,
            white: players.white,
            initial_fen: fen::write(table.game().start()),
            rules: RulesView::from(table.game().rules()),
            clock,
            days_per_turn,
            state: TypedState { kind: "gameState", state: GameState::new(table) },
        }
    }
}

/// A rating in a class of clocks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct PerfView {
    games: i64,
    rating: i32,
    /// The deviation.
    rd: i32,
    /// Whether it is not sure yet.
    prov: bool,
}

/// An account.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountView {
    /// The name in small letters.
    id: String,
    username: String,
    #[schema(value_type = Option<String>)]
    title: Option<&'static str>,
    created_at: i64,
    /// By class of clocks.
    perfs: BTreeMap<String, PerfView>,
    url: String,
    /// What a program accepts.
    accepts: Option<Capabilities>,
    /// The agent that one of the house's players is.
    agent: Option<String>,
    playing: Option<usize>,
}

impl AccountView {
    pub(crate) fn new(person: &Person, standings: &[(Class, Standing)], at: i64) -> AccountView {
        let perf = |(class, standing): &(Class, Standing)| {
            let rating: Rating = standing.now(at);
            let view = PerfView {
                games: standing.games,
                rating: rating.value.round() as i32,
                rd: rating.deviation.round() as i32,
                prov: SYSTEM.is_provisional(rating) && !rating.is_fixed(),
            };
            (class.name().to_string(), view)
        };
        AccountView {
            id: person.name.to_lowercase(),
            username: person.name.clone(),
            title: title(person.role),
            created_at: person.created,
            perfs: standings.iter().map(perf).collect(),
            url: format!("/people/{}", person.name),
            accepts: None,
            agent: None,
            playing: None,
        }
    }

    /// The same with what is known of a program, and how many games it plays.
    pub(crate) fn of_bot(self, bot: Bot, playing: usize) -> AccountView {
        AccountView { accepts: Some(bot.accepts), agent: bot.anchor, playing: Some(playing), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_shown_as_people_write_it() {
        let view =
            |clock: ClockSetting| serde_json::to_value(TimeControlView::from(clock)).expect("plain data");
        let blitz = view(ClockSetting::Game { base_ms: 300_000, increment_ms: 3000 });
        assert_eq!(
            blitz,
            serde_json::json!({ "type": "clock", "limit": 300, "increment": 3, "show": "5+3" })
        );
        let short = view(ClockSetting::Game { base_ms: 30_000, increment_ms: 0 });
        assert_eq!(short["show"], "0.5+0");
        let days = view(ClockSetting::Move { ms: 3 * 86_400_000 });
        assert_eq!(days, serde_json::json!({ "type": "correspondence", "daysPerTurn": 3.0 }));
    }
}
