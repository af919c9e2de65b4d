//! What can be done to a tournament: by those who take part, by whoever made it, and by its director.

use super::settings::System;
use super::{Board, Player, Stage, Times, Tournament};
use crate::domain::error::{AppError, Cause};
use crate::domain::pairing::{Points, Resting};
use crate::domain::person::PersonId;

/// A change, to be made to the version that it was decided for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// Somebody joins.
    Enter(Player),
    /// Somebody withdraws or comes back.
    Presence { player: u32, here: bool, at: i64 },
    /// Somebody asks for half a point without a game, in a round from 0.
    Bye { player: u32, round: u32 },
    /// It begins, pauses, goes on or ends.
    Stage(Stage, Times),
    /// A round, or what an arena pairs at one moment.
    Round(PairedRound),
}

/// A round that was paired.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PairedRound {
    pub(crate) round: u32,
    pub(crate) boards: Vec<Board>,
    pub(crate) resting: Vec<Resting>,
}

/// Somebody who wants to take part.
#[derive(Clone, Debug)]
pub(crate) struct Applicant {
    pub(crate) person: PersonId,
    pub(crate) name: String,
    pub(crate) is_bot: bool,
    /// In the class of the clock.
    pub(crate) rating: i32,
}

/// Somebody who joins late has half a point for each round that was missed, for at most so many: less than whoever plays wins on average.
const ROUNDS_MADE_UP: u32 = 2;

impl Tournament {
    /// Refuses what comes too late for a tournament that is over.
    fn refuse_if_over(&self) -> Result<(), AppError> {
        if self.stage.is_final() { Err(Cause::TournamentOver {}.at("id")) } else { Ok(()) }
    }

    /// Somebody joins, or comes back after having withdrawn.
    pub(crate) fn join(&self, who: Applicant, at: i64) -> Result<Change, AppError> {
        self.refuse_if_over()?;
        if let Some(player) = self.player_of(who.person) {
            if player.here {
                return Err(Cause::TournamentJoined {}.at("id"));
            }
            return Ok(Change::Presence { player: player.number, here: true, at });
        }
        if !self.settings.welcome.admits(who.is_bot) {
            return Err(Cause::TournamentWelcome { who: self.settings.welcome.name() }.at("id"));
        }
        let closes = !self.settings.late || matches!(self.settings.system, System::RoundRobin(_));
        if closes && self.stage != Stage::Planned {
            return Err(Cause::TournamentBegun {}.at("id"));
        }
        let most = self.settings.system.most_players();
        if self.players.len() >= most {
            return Err(Cause::TournamentFull { most }.at("id"));
        }
        let missed = match self.settings.system {
            System::Swiss(_) => self.rounds_begun().min(ROUNDS_MADE_UP) as i32,
            _ => 0,
        };
        Ok(Change::Enter(Player {
            number: self.players.len() as u32,
            person: who.person,
            name: who.name,
            is_bot: who.is_bot,
            rating: who.rating,
            head_start: Points(missed * Points::HALF.0),
            since: at,
            here: true,
            bye: None,
        }))
    }

    /// The player that a person is.
    fn entered(&self, person: PersonId) -> Result<&Player, AppError> {
        self.player_of(person).ok_or_else(|| Cause::TournamentNotJoined {}.at("id"))
    }

    /// Somebody withdraws. The game that they are in goes on.
    pub(crate) fn withdraw(&self, person: PersonId, at: i64) -> Result<Change, AppError> {
        self.refuse_if_over()?;
        let player = self.entered(person)?;
        if !player.here {
            return Err(Cause::TournamentNotJoined {}.at("id"));
        }
        Ok(Change::Presence { player: player.number, here: false, at })
    }

    /// Somebody asks for half a point without a game in the next round of a Swiss tournament: once, and not in the last round.
    pub(crate) fn ask_bye(&self, person: PersonId) -> Result<Change, AppError> {
        self.refuse_if_over()?;
        let (player, round) = (self.entered(person)?, self.rounds_begun());
        let is_open = match self.settings.system {
            System::Swiss(rounds) => round + 1 < rounds,
            _ => false,
        };
        if !is_open || player.bye.is_some() || !player.here {
            return Err(Cause::TournamentNoBye {}.at("id"));
        }
        Ok(Change::Bye { player: player.number, round })
    }

    /// It begins before its time.
    pub(crate) fn start(&self, at: i64) -> Result<Change, AppError> {
        if self.stage != Stage::Planned {
            return Err(self.stage_is(&[Stage::Planned]));
        }
        if self.here().count() < 2 {
            return Err(Cause::TournamentTooFew {}.at("id"));
        }
        Ok(self.began(at))
    }

    /// No game begins until it is resumed; those under way go on.
    pub(crate) fn pause(&self, at: i64) -> Result<Change, AppError> {
        match self.stage {
            Stage::Running => Ok(Change::Stage(Stage::Paused, Times { paused: Some(at), ..self.times })),
            _ => Err(self.stage_is(&[Stage::Running])),
        }
    }

    /// It goes on. An arena ends later by as long as it was paused.
    pub(crate) fn resume(&self, at: i64) -> Result<Change, AppError> {
        let Some(paused) = self.times.paused.filter(|_| self.stage == Stage::Paused) else {
            return Err(self.stage_is(&[Stage::Paused]));
        };
        let ends = self.times.ends.map(|ends| ends + (at - paused).max(0));
        Ok(Change::Stage(Stage::Running, Times { paused: None, ends, ..self.times }))
    }

    /// It is called off. Games under way go on, and count for ratings.
    pub(crate) fn cancel(&self, at: i64) -> Result<Change, AppError> {
        self.refuse_if_over()?;
        Ok(self.cancelled(at))
    }

    /// That it is called off.
    pub(super) fn cancelled(&self, at: i64) -> Change {
        Change::Stage(Stage::Cancelled, Times { ends: Some(at), paused: None, ..self.times })
    }

    fn stage_is(&self, expected: &[Stage]) -> AppError {
        let expected = crate::domain::error::Words(expected.iter().map(|stage| stage.name()).collect());
        Cause::TournamentStage { expected, found: self.stage.name() }.at("id")
    }

    /// That it begins.
    pub(super) fn began(&self, at: i64) -> Change {
        let ends = match self.settings.system {
            System::Arena(minutes) => Some(at + i64::from(minutes) * 60_000),
            _ => None,
        };
        Change::Stage(Stage::Running, Times { began: Some(at), ends, ..self.times })
    }

    /// The tournament after a change, or after one that somebody else has kept: what the store makes of it.
    #[cfg(test)]
    pub(crate) fn apply(&mut self, change: Change) {
        self.version += 1;
        match change {
            Change::Enter(player) => self.players.push(player),
            Change::Presence { player, here, at } => {
                let player = &mut self.players[player as usize];
                (player.here, player.since) = (here, at);
            }
            Change::Bye { player, round } => self.players[player as usize].bye = Some(round),
            Change::Stage(stage, times) => (self.stage, self.times) = (stage, times),
            Change::Round(PairedRound { round, boards, resting }) => {
                self.boards.extend(boards);
                self.resting.extend(resting.into_iter().map(|resting| (round, resting)));
            }
        }
    }

    /// The tournament after a game has ended.
    #[cfg(test)]
    pub(crate) fn end_board(&mut self, game: &str, result: crate::domain::pairing::PairingResult, at: i64) {
        use crate::domain::pairing::{PairingResult, PlayerId};
        let board = self.boards.iter_mut().find(|board| board.game.as_deref() == Some(game));
        let board = board.expect("a game of this tournament");
        (board.pairing.result, board.ended) = (Some(result), Some(at));
        if let PairingResult::Forfeited(side) = result {
            let PlayerId(absent) = board.pairing.player(side);
            self.players[absent as usize].here = false;
        }
        self.version += 1;
    }
}
