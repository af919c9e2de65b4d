//! What happens next in a tournament: it begins, a round is paired, it ends.

use sumito_rules::Color;

use super::change::{Change, PairedRound};
use super::settings::System;
use super::{Board, Stage, Times, Tournament};
use crate::domain::ids;
use crate::domain::pairing::arena::{Millis, Pool, Waiting};
use crate::domain::pairing::card::cards;
use crate::domain::pairing::round_robin::{Cycles, schedule};
use crate::domain::pairing::swiss::Swiss;
use crate::domain::pairing::{Pairing, PairingResult, PlayerId, Presence, Round};

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Next {
    /// Nothing until then, or until something happens.
    Wait(Option<i64>),
    /// This, if the tournament is still the same.
    Make(Change),
}

/// Between two rounds, so that everybody sees how it stands.
pub(crate) const BREAK: i64 = 5_000;
/// An arena pairs at most so often, so that there are several to choose from.
pub(crate) const GATHERED: i64 = 1_000;
/// A tournament that nobody resumes for a week is called off.
pub(crate) const LONGEST_PAUSE: i64 = 7 * 24 * 3_600_000;

impl Tournament {
    /// What is to be done at a moment.
    pub(crate) fn next(&self, at: i64) -> Next {
        match self.stage {
            Stage::Planned if at < self.times.starts => Next::Wait(Some(self.times.starts)),
            Stage::Planned if self.here().count() < 2 => Next::Make(self.cancelled(at)),
            Stage::Planned => Next::Make(self.began(at)),
            Stage::Running => match self.settings.system {
                System::RoundRobin(cycles) => {
                    self.next_round(at, |tournament, round| tournament.round_robin(cycles, round, at))
                }
                System::Swiss(_) => self.next_round(at, |tournament, round| tournament.swiss(round, at)),
                System::Arena(_) => self.next_of_arena(at),
            },
            Stage::Paused => match self.times.paused.unwrap_or(at) + LONGEST_PAUSE {
                until if at < until => Next::Wait(Some(until)),
                _ => Next::Make(self.cancelled(at)),
            },
            Stage::Over | Stage::Cancelled => Next::Wait(None),
        }
    }

    fn ended(&self, at: i64) -> Next {
        Next::Make(Change::Stage(Stage::Over, Times { ends: Some(at), ..self.times }))
    }

    /// The next round, when all games of the last one are over and there was a break.
    fn next_round(&self, at: i64, pair: impl Fn(&Tournament, u32) -> Option<PairedRound>) -> Next {
        let round = self.rounds_begun();
        let last = if round == 0 { &[] } else { self.boards_of(round - 1) };
        if last.iter().any(Board::is_open) {
            return Next::Wait(None);
        }
        let all = self.settings.system.rounds(self.players.len()).unwrap_or(0);
        if round as usize >= all {
            return self.ended(at);
        }
        let played = last.iter().filter(|board| board.game.is_some()).filter_map(|board| board.ended);
        if let Some(until) = played.max().map(|ended| ended + BREAK).filter(|until| at < *until) {
            return Next::Wait(Some(until));
        }
        pair(self, round).map_or_else(|| self.ended(at), |round| Next::Make(Change::Round(round)))
    }

    /// Who is away does not play, and the other side has the point.
    fn round_robin(&self, cycles: Cycles, round: u32, at: i64) -> Option<PairedRound> {
        let players: Vec<PlayerId> = self.players.iter().map(super::Player::id).collect();
        let mut paired = schedule(&players, cycles, self.seed).into_iter().nth(round as usize)?;
        for pairing in &mut paired.pairings {
            let is_away = |side: Color| !self.player(pairing.player(side)).here;
            pairing.result = match (is_away(Color::Black), is_away(Color::White)) {
                (false, false) => None,
                (true, false) => Some(PairingResult::Forfeited(Color::Black)),
                (false, true) => Some(PairingResult::Forfeited(Color::White)),
                (true, true) => Some(PairingResult::Unplayed),
            };
        }
        Some(self.paired(round, paired, at))
    }

    /// None if there are not two players left.
    fn swiss(&self, round: u32, at: i64) -> Option<PairedRound> {
        let (entrants, rounds) = (self.entrants(), self.rounds());
        let asked = |id: PlayerId| self.player(id).bye == Some(round);
        // Where a bye would leave nobody to play, there is none.
        let has_byes = self.here().filter(|player| !asked(player.id())).count() >= 2;
        let swiss = Swiss { entrants: &entrants, rounds: &rounds, seed: self.seed };
        let paired = swiss.pair(|id| match self.player(id).here {
            false => Presence::Away,
            true if has_byes && asked(id) => Presence::HalfPointBye,
            true => Presence::Plays,
        });
        paired.ok().map(|paired| self.paired(round, paired, at))
    }

    fn next_of_arena(&self, at: i64) -> Next {
        let ends = self.times.ends.unwrap_or(at);
        if at >= ends {
            return self.ended(at);
        }
        let last = self.boards.last().map_or(i64::MIN, |board| board.paired);
        if at < last.saturating_add(GATHERED) {
            return Next::Wait(Some((last + GATHERED).min(ends)));
        }
        let waiting = self.waiting();
        let playing = 2 * self.boards.iter().filter(|board| board.is_open()).count();
        let moment = |ms: i64| Millis(ms.max(0) as u64);
        let pool = Pool { waiting: &waiting, playing, now: moment(at), ends: moment(ends), seed: self.seed };
        let pairings = pool.pair();
        if pairings.is_empty() {
            // Who has waited for longer may meet somebody who is farther away.
            let soon = if waiting.len() > 1 { at + GATHERED } else { ends };
            return Next::Wait(Some(soon.min(ends)));
        }
        let round = Round { pairings, resting: Vec::new() };
        Next::Make(Change::Round(self.paired(self.rounds_begun(), round, at)))
    }

    /// Who waits for an opponent in an arena.
    fn waiting(&self) -> Vec<Waiting> {
        let began = self.times.began.unwrap_or_default();
        let mut waiting: Vec<Waiting> = self
            .players
            .iter()
            .map(|player| Waiting {
                player: player.id(),
                rank: 0,
                since: Millis(player.since.max(began).max(0) as u64),
                last_opponent: None,
                colors: Default::default(),
            })
            .collect();
        for (rank, line) in self.arena_standings().iter().enumerate() {
            waiting[line.player.0 as usize].rank = rank as u32;
        }
        for card in cards(&self.entrants(), &self.rounds()) {
            waiting[card.entrant.id.0 as usize].colors = card.colors;
        }
        let mut plays = vec![false; self.players.len()];
        for board in &self.boards {
            for (player, other) in
                [(board.pairing.black, board.pairing.white), (board.pairing.white, board.pairing.black)]
            {
                let at = player.0 as usize;
                plays[at] = board.is_open();
                waiting[at].last_opponent = Some(other);
                let ended = board.ended.unwrap_or_default().max(0) as u64;
                waiting[at].since = waiting[at].since.max(Millis(ended));
            }
        }
        waiting.retain(|it| !plays[it.player.0 as usize] && self.player(it.player).here);
        waiting
    }

    /// A round as it is kept.
    fn paired(&self, round: u32, paired: Round, at: i64) -> PairedRound {
        let layout = self.settings.layout_of(round, self.seed);
        let board = |(number, pairing): (u32, Pairing)| Board {
            round,
            number,
            pairing,
            layout: layout.name.to_string(),
            game: pairing.result.is_none().then(|| ids::of_board(&self.id, round, number)),
            paired: at,
            ended: pairing.result.map(|_| at),
        };
        let boards = (0..).zip(paired.pairings).map(board).collect();
        PairedRound { round, boards, resting: paired.resting }
    }
}
