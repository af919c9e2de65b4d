//! Takes in the games as they end, and applies the sequential test.

use std::collections::{BTreeMap, HashSet};

use super::MatchProgress;
use crate::config::MatchConfig;
use crate::referee::GameRecord;
use crate::schedule::Fixture;
use crate::sprt::SprtVerdict;
use crate::tally::{MatchReport, MatchTally};

/// The games so far.
///
/// A test looks at the pairs in the order of the schedule, each once the ones before it have ended, and at
/// nothing after the pair that decides it. So its verdict does not depend on which games are quick, how many
/// threads play, or whether the match was interrupted.
pub(super) struct Collector<'a> {
    config: &'a MatchConfig,
    fixtures: &'a [Fixture],
    ended: HashSet<usize>,
    tally: MatchTally,
    /// Games that the test has not come to yet.
    waiting: BTreeMap<usize, GameRecord>,
    /// The next game that the test looks at.
    next: usize,
    decided: bool,
}

impl<'a> Collector<'a> {
    pub(super) fn new(config: &'a MatchConfig, fixtures: &'a [Fixture]) -> Collector<'a> {
        Collector {
            config,
            fixtures,
            ended: HashSet::new(),
            tally: MatchTally::new(config),
            waiting: BTreeMap::new(),
            next: 0,
            decided: false,
        }
    }

    pub(super) fn has(&self, index: usize) -> bool {
        self.ended.contains(&index)
    }

    pub(super) fn is_decided(&self) -> bool {
        self.decided
    }

    /// Takes a game from disk, if it is one of the schedule.
    pub(super) fn resume(
        &mut self,
        game: GameRecord,
        on_game: &mut dyn FnMut(&MatchProgress<'_>),
    ) -> Result<(), String> {
        let name = |number: usize| &self.config.players[number].name;
        let is_ours = self.fixtures.get(game.index).is_some_and(|fixture| {
            (name(fixture.players.black), name(fixture.players.white))
                == (&game.players.black, &game.players.white)
                && self.config.openings[fixture.opening] == game.opening
        });
        if !is_ours {
            return Err(format!("expected a game of the schedule, found game {}", game.index));
        }
        self.take(game, true, on_game);
        Ok(())
    }

    /// Takes a game that has ended.
    pub(super) fn take(
        &mut self,
        game: GameRecord,
        resumed: bool,
        on_game: &mut dyn FnMut(&MatchProgress<'_>),
    ) {
        self.ended.insert(game.index);
        if self.config.sprt.is_none() {
            self.tally.add(&self.fixtures[game.index], &game);
            return self.tell(&game, resumed, on_game);
        }
        self.waiting.insert(game.index, game.clone());
        self.advance();
        self.tell(&game, resumed, on_game);
    }

    /// Lets the test look at the pairs that have ended and are next.
    fn advance(&mut self) {
        let Some(sprt) = self.config.sprt else { return };
        while !self.decided
            && self.waiting.contains_key(&self.next)
            && self.waiting.contains_key(&(self.next + 1))
        {
            for index in [self.next, self.next + 1] {
                if let Some(game) = self.waiting.remove(&index) {
                    self.tally.add(&self.fixtures[index], &game);
                }
            }
            self.next += 2;
            self.decided = sprt.verdict(&self.tally.pairs()) != SprtVerdict::Undecided;
        }
    }

    fn tell(&self, game: &GameRecord, resumed: bool, on_game: &mut dyn FnMut(&MatchProgress<'_>)) {
        let (ended, scheduled) = (self.ended.len(), self.fixtures.len());
        on_game(&MatchProgress { game, resumed, ended, scheduled, tally: &self.tally });
    }

    /// What the games say. Of an undecided test all of them count, of a decided one those that decided it.
    pub(super) fn report(mut self) -> MatchReport {
        if !self.decided {
            for (index, game) in std::mem::take(&mut self.waiting) {
                self.tally.add(&self.fixtures[index], &game);
            }
        }
        let finished = self.decided || self.ended.len() == self.fixtures.len();
        self.tally.report(self.config, finished)
    }
}
