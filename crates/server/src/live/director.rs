//! Directors of tournaments: each starts one, has its rounds paired, begins the games, and ends it. All that a director knows is in the
//! database, so that another one goes on after any end of the program: it first begins the games that were paired and not begun.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use sumito_rules::{ByColor, Color, Game, Layout, Rules};
use tokio::sync::watch;

use super::begin::{BoardOf, GameSetup, Seating};
use super::hall::Hall;
use super::tournaments::Room;
use crate::domain::date::now;
use crate::domain::error::{AppError, Kind};
use crate::domain::seat::Seat;
use crate::domain::tournament::{Board, Next, Tournament};
use crate::store::tournaments::TournamentList;

/// How long a director waits after something could not be written.
const RETRY: Duration = Duration::from_secs(2);
/// When games have ended, so long others are waited for that end at the same time.
const GATHERED: Duration = Duration::from_millis(200);
/// The longest wait: the clock of the machine may be set.
const LONGEST: i64 = 60_000;
/// Tournaments that are taken up when the server starts: all that there may be.
const ALL: u32 = 1000;

/// One who sees to a tournament.
pub(crate) struct Director {
    hall: Hall,
    id: String,
    room: Arc<Room>,
    /// Games that were begun, or taken up after a restart.
    begun: HashSet<String>,
}

impl Hall {
    /// Sets directors to all tournaments, from here on also to new ones, until the server ends.
    pub(crate) async fn direct_all(&self, mut ending: watch::Receiver<bool>) {
        *self.tournaments.ending.lock().unwrap_or_else(PoisonError::into_inner) = Some(ending.clone());
        if !self.direct_open().await {
            let hall = self.clone();
            tokio::spawn(async move {
                loop {
                    tokio::select! {
                        () = tokio::time::sleep(RETRY) => {}
                        () = crate::live::ended(&mut ending) => return,
                    }
                    if hall.direct_open().await {
                        return;
                    }
                }
            });
        }
    }

    /// Sets directors to the tournaments that are not over; says whether they could be read.
    async fn direct_open(&self) -> bool {
        match self.store.tournaments(TournamentList::Open, ALL).await {
            Ok(open) => open.iter().for_each(|tournament| self.direct(&tournament.id)),
            Err(error) => {
                tracing::warn!(%error, "no tournament was taken up again yet");
                return false;
            }
        }
        true
    }

    /// Sets a director to a tournament that has none, on a server that has them.
    pub(super) fn direct(&self, id: &str) {
        let ending = self.tournaments.ending.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(ending) = ending.filter(|_| self.tournaments.take_up(id)) else { return };
        let director = Director::new(self, id);
        let (hall, id) = (self.clone(), id.to_string());
        tokio::spawn(async move {
            director.run(ending).await;
            hall.tournaments.leave(&id);
        });
    }
}

impl Director {
    pub(crate) fn new(hall: &Hall, id: &str) -> Director {
        let room = hall.tournaments.room(id);
        Director { hall: hall.clone(), id: id.to_string(), room, begun: HashSet::new() }
    }

    /// Directs until the tournament is over.
    async fn run(mut self, mut ending: watch::Receiver<bool>) {
        loop {
            let wait = match self.step(now()).await {
                Ok(None) => return,
                Ok(Some(until)) => Duration::from_millis((until - now()).clamp(0, LONGEST) as u64),
                Err(error) => {
                    if !matches!(error.kind(), Kind::Busy | Kind::Storage) {
                        tracing::error!(id = self.id, %error, "a tournament cannot go on");
                    }
                    RETRY
                }
            };
            tokio::select! {
                () = self.room.wake.notified() => tokio::time::sleep(GATHERED).await,
                () = tokio::time::sleep(wait) => {}
                () = crate::live::ended(&mut ending) => return,
            }
        }
    }

    /// Does all that is to be done at a moment; gives when to look again if nothing happens before, and nothing for a tournament that is over.
    pub(crate) async fn step(&mut self, at: i64) -> Result<Option<i64>, AppError> {
        loop {
            let tournament = Arc::new(self.hall.tournament(&self.id).await?);
            self.begin_games(&tournament).await?;
            let seen = Arc::clone(&tournament);
            // A round of hundreds takes a while to be paired.
            let next = tokio::task::spawn_blocking(move || seen.next(at)).await;
            match next.map_err(|_| AppError::internal())? {
                Next::Wait(_) if tournament.stage.is_final() => return Ok(None),
                Next::Wait(until) => return Ok(Some(until.unwrap_or(at + LONGEST))),
                // If it is refused, a game has ended meanwhile, and all is looked at again.
                Next::Make(change) => {
                    self.hall.keep_alone(&self.room, &tournament, change).await?;
                }
            }
        }
    }

    /// Begins the games that were paired, once: a game that is there already is only taken up.
    async fn begin_games(&mut self, tournament: &Tournament) -> Result<(), AppError> {
        for board in tournament.boards.iter().filter(|board| board.is_open()) {
            let Some(game) = board.game.as_ref().filter(|game| !self.begun.contains(*game)) else { continue };
            match self.hall.game(game).await {
                Ok(live) => live.touch(&self.hall).await,
                Err(error) if error.kind() == Kind::NotFound => self.begin(tournament, board, game).await?,
                // The others go on. Whoever directs the tournament sees that this one does not.
                Err(error) if error.kind() == Kind::Damaged => {
                    tracing::error!(id = self.id, game, %error, "a game of a tournament cannot go on");
                    self.begun.insert(game.clone());
                    continue;
                }
                Err(error) => return Err(error),
            }
            self.begun.insert(game.clone());
            for color in Color::ALL {
                self.hall.lobby.tell(tournament.player(board.pairing.player(color)).person, game);
            }
        }
        Ok(())
    }

    async fn begin(&self, tournament: &Tournament, board: &Board, game: &str) -> Result<(), AppError> {
        let sides = ByColor::new(Color::Black, Color::White);
        let players = sides.map(|color| tournament.player(board.pairing.player(color)));
        let layout = Layout::named(&board.layout).unwrap_or(&Layout::all()[0]);
        let setup = GameSetup {
            game: Game::new(Rules::PLAYSTRATEGY, layout.position()),
            seats: players.map(|player| Seat::Human { name: player.name.clone() }),
            clock: Some(tournament.settings.clock),
            paused: false,
            delay_ms: 0,
            think_ms: ByColor::new(1000, 1000),
            seating: Seating::Pair(players.map(|player| player.person)),
            rated: tournament.settings.rated,
        };
        let round = format!("{}.{}", board.round + 1, board.number + 1);
        let of = BoardOf { game, tournament: &tournament.id, event: &tournament.settings.name, round };
        self.hall.begin_board(setup, of).await
    }
}
