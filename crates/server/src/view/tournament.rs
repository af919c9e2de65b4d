//! Tournaments as clients see them.

use std::collections::HashMap;

use axum::extract::ws::Utf8Bytes;
use serde::{Deserialize, Serialize};
use sumito_rules::Color;
use utoipa::ToSchema;

use super::game::ClockView;
use super::words::ColorWord;
use crate::domain::class::Class;
use crate::domain::error::{AppError, within};
use crate::domain::pairing::PlayerId;
use crate::domain::pairing::cross::CrossRow;
use crate::domain::pairing::round_robin::Cycles;
use crate::domain::tournament::settings::{Settings, System, Welcome};
use crate::domain::tournament::table::{Line, in_points, round_text};
use crate::domain::tournament::{Board, Stage, Times, Tournament, result_name};
use crate::store::tournaments::ListedTournament;

/// How players are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum SystemView {
    /// Everybody meets everybody, once or twice.
    RoundRobin {
        cycles: u32,
    },
    Swiss {
        rounds: u32,
    },
    Arena {
        minutes: u32,
    },
}

impl SystemView {
    pub(crate) fn checked(self) -> Result<System, AppError> {
        Ok(match self {
            SystemView::RoundRobin { cycles } => {
                within("system.cycles", cycles, 1, 2)?;
                System::RoundRobin(if cycles == 2 { Cycles::Two } else { Cycles::One })
            }
            SystemView::Swiss { rounds } => System::Swiss(rounds),
            SystemView::Arena { minutes } => System::Arena(minutes),
        })
    }
}

impl From<System> for SystemView {
    fn from(system: System) -> SystemView {
        match system {
            System::RoundRobin(cycles) => {
                SystemView::RoundRobin { cycles: if cycles == Cycles::Two { 2 } else { 1 } }
            }
            System::Swiss(rounds) => SystemView::Swiss { rounds },
            System::Arena(minutes) => SystemView::Arena { minutes },
        }
    }
}

/// What a tournament is, and how far.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TournamentSummary {
    id: String,
    name: String,
    /// Who made it; empty if the account is closed.
    by: String,
    system: SystemView,
    /// Null for another one in each round.
    #[schema(value_type = Option<String>)]
    layout: Option<&'static str>,
    clock: ClockView,
    class: Option<Class>,
    rated: bool,
    welcome: Welcome,
    /// Whether one may join after it has begun.
    late: bool,
    stage: Stage,
    /// Moments are in milliseconds since 1970.
    created: i64,
    starts: i64,
    began: Option<i64>,
    /// When an arena ends, or any tournament has ended.
    ends: Option<i64>,
    /// How many take or took part.
    entered: u64,
}

impl TournamentSummary {
    fn new(
        id: String,
        by: String,
        settings: &Settings,
        (stage, times): (Stage, Times),
        entered: u64,
    ) -> Self {
        TournamentSummary {
            id,
            by,
            name: settings.name.clone(),
            system: settings.system.into(),
            layout: settings.layout.map(|layout| layout.name),
            clock: settings.clock.into(),
            class: Class::of(Some(settings.clock)),
            rated: settings.rated,
            welcome: settings.welcome,
            late: settings.late,
            stage,
            created: times.created,
            starts: times.starts,
            began: times.began,
            ends: times.ends,
            entered,
        }
    }
}

impl From<ListedTournament> for TournamentSummary {
    fn from(it: ListedTournament) -> TournamentSummary {
        TournamentSummary::new(it.id, it.by, &it.settings, (it.stage, it.times), it.players)
    }
}

/// A tournament with its standings and what is being played.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TournamentView {
    #[serde(flatten)]
    summary: TournamentSummary,
    /// Grows with every change.
    version: i64,
    /// The rounds that have begun, and all of them; an arena has as many as there is time for.
    round: u32,
    rounds: Option<u32>,
    /// What decides between players with as many points, in this order.
    #[schema(value_type = Vec<String>)]
    tie_breaks: Vec<&'static str>,
    /// The first one first.
    standings: Vec<StandingView>,
    /// The games under way, those of the best players first.
    playing: Vec<TournamentGame>,
}

/// A player's line of the standings.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct StandingView {
    /// From 1; players whom nothing separates share it.
    place: usize,
    /// Empty if the account is closed.
    name: String,
    bot: bool,
    /// When they joined.
    rating: i32,
    /// Whether they play on.
    here: bool,
    points: f64,
    tie_breaks: Vec<f64>,
    /// Over the board.
    games: usize,
    /// Whether the next game of an arena counts twice.
    doubled: bool,
    /// The game that they play now.
    game: Option<String>,
}

/// A game of a tournament.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct TournamentGame {
    /// From 1; of an arena each moment at which some were paired.
    round: u32,
    /// From 1.
    board: u32,
    black: String,
    white: String,
    layout: String,
    /// Its id; none if there was nobody to play it.
    game: Option<String>,
    /// `black`, `white`, `draw`, `black-absent`, `white-absent`, `unplayed`; none while it is played.
    #[schema(value_type = Option<String>)]
    result: Option<&'static str>,
    ended: Option<i64>,
}

impl TournamentGame {
    pub(crate) fn new(tournament: &Tournament, board: &Board) -> TournamentGame {
        let name = |color: Color| tournament.player(board.pairing.player(color)).name.clone();
        TournamentGame {
            round: board.round + 1,
            board: board.number + 1,
            black: name(Color::Black),
            white: name(Color::White),
            layout: board.layout.clone(),
            game: board.game.clone(),
            result: board.pairing.result.map(result_name),
            ended: board.ended,
        }
    }
}

impl TournamentView {
    pub(crate) fn new(tournament: &Tournament) -> TournamentView {
        let open: Vec<&Board> = tournament.boards.iter().filter(|board| board.is_open()).collect();
        let games: HashMap<PlayerId, &String> = open
            .iter()
            .flat_map(|board| [board.pairing.black, board.pairing.white].map(|player| (player, board)))
            .filter_map(|(player, board)| Some((player, board.game.as_ref()?)))
            .collect();
        let lines = tournament.standings();
        let places: HashMap<PlayerId, usize> = lines.iter().map(|line| (line.player, line.place)).collect();
        let mut playing = open;
        playing.sort_by_key(|board| places[&board.pairing.black].min(places[&board.pairing.white]));
        let line = |line: Line| {
            let player = tournament.player(line.player);
            StandingView {
                place: line.place,
                name: player.name.clone(),
                bot: player.is_bot,
                rating: player.rating,
                here: player.here,
                points: line.points,
                tie_breaks: line.tie_breaks,
                games: line.games,
                doubled: line.is_doubled,
                game: games.get(&line.player).map(ToString::to_string),
            }
        };
        let (settings, players) = (&tournament.settings, tournament.players.len());
        TournamentView {
            summary: TournamentSummary::new(
                tournament.id.clone(),
                tournament.by_name.clone(),
                settings,
                (tournament.stage, tournament.times),
                players as u64,
            ),
            version: tournament.version,
            round: tournament.rounds_begun(),
            rounds: settings.system.rounds(players).map(|rounds| rounds as u32),
            tie_breaks: tournament.tie_breaks(),
            standings: lines.into_iter().map(line).collect(),
            playing: playing.into_iter().map(|board| TournamentGame::new(tournament, board)).collect(),
        }
    }
}

/// What happens in a tournament.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum TournamentEvent {
    /// All of it: first, and after changes.
    Tournament { tournament: Box<TournamentView> },
    /// A game of one's own has begun.
    Game { game: String },
}

/// A tournament as those hear of it who follow it.
pub(crate) fn told(tournament: &Tournament) -> Utf8Bytes {
    text(&TournamentEvent::Tournament { tournament: Box::new(TournamentView::new(tournament)) })
}

pub(crate) fn text(event: &TournamentEvent) -> Utf8Bytes {
    serde_json::to_string(event).expect("plain data").into()
}

/// A player's row of the cross table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CrossRowView {
    place: usize,
    name: String,
    rating: i32,
    points: f64,
    tie_breaks: Vec<f64>,
    /// Each round in a word, such as `12b1`: the row of the opponent from 1, the own side, and the result (`1`, `½`, `0`, `*` while it is played, `+` and
    /// `-` without a game); `bye1`, `bye½` and `-` for rounds without an opponent.
    rounds: Vec<String>,
    /// For each row of the table the games against that player.
    cells: Vec<Vec<CrossCell>>,
}

/// A game as its row's player sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CrossCell {
    /// From 1.
    round: usize,
    #[schema(value_type = ColorWord)]
    color: Color,
    /// None while it is played.
    points: Option<f64>,
    /// Whether it was not played.
    forfeit: bool,
}

/// The rows of the cross table.
pub(crate) fn cross_rows(tournament: &Tournament, rows: Vec<CrossRow>) -> Vec<CrossRowView> {
    let lines: HashMap<PlayerId, Line> =
        tournament.standings().into_iter().map(|line| (line.player, line)).collect();
    let numbers: HashMap<PlayerId, usize> = rows.iter().map(|row| row.standing.player).zip(1..).collect();
    let cell = |game: crate::domain::pairing::cross::CrossGame| CrossCell {
        round: game.round + 1,
        color: game.color,
        points: game.points.map(in_points),
        forfeit: game.forfeit,
    };
    let view = |row: CrossRow| {
        let id = row.standing.player;
        let player = tournament.player(id);
        CrossRowView {
            place: row.standing.place,
            name: player.name.clone(),
            rating: player.rating,
            points: in_points(row.standing.points),
            tie_breaks: lines[&id].tie_breaks.clone(),
            rounds: row.rounds.into_iter().map(|entry| round_text(entry, |other| numbers[&other])).collect(),
            cells: row.cells.into_iter().map(|games| games.into_iter().map(cell).collect()).collect(),
        }
    };
    rows.into_iter().map(view).collect()
}

/// The standings as a table: a line for each player, a column for each tie-break, and in a tournament of rounds one for each of them.
pub(crate) fn csv(tournament: &Tournament) -> String {
    let rows = tournament.cross().map(|rows| cross_rows(tournament, rows));
    let rounds = rows.iter().flatten().map(|row| row.rounds.len()).max().unwrap_or(0);
    let mut head: Vec<String> = ["place", "name", "rating", "points"].map(str::to_string).into();
    head.extend(tournament.tie_breaks().into_iter().map(str::to_string));
    head.push("games".to_string());
    head.extend((1..=rounds).map(|round| format!("round-{round}")));
    let mut text = head.join(",") + "\n";
    for (at, line) in tournament.standings().into_iter().enumerate() {
        let player = tournament.player(line.player);
        let mut fields = vec![
            line.place.to_string(),
            player.name.clone(),
            player.rating.to_string(),
            line.points.to_string(),
        ];
        fields.extend(line.tie_breaks.iter().map(f64::to_string));
        fields.push(line.games.to_string());
        fields.extend(rows.iter().flat_map(|rows| rows[at].rounds.clone()));
        text += &(fields.join(",") + "\n");
    }
    text
}
