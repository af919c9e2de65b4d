//! The runner: has the games of a match played, keeps them on disk, and resumes where it stopped.
//!
//! A game does not depend on what was played before it, by whom, or in which run of the program: what an agent plays at
//! random follows from the seed that the schedule gives it.

mod collect;
mod store;
#[cfg(test)]
mod tests;

use std::path::Path;

use sumito_agents::Stop;

use crate::config::{MatchConfig, MatchConfigError};
use crate::opening::OpeningError;
use crate::referee::GameRecord;
use crate::run::RunError;
use crate::schedule::Fixture;
use crate::tally::{MatchReport, MatchTally};
use crate::work::{Executor, Factory, PairUnit, Unit, WorkError, in_order};
use collect::Collector;
use store::MatchFolder;

/// A match to run.
pub struct Runner<'a> {
    /// What to play.
    pub config: &'a MatchConfig,
    /// Who has the games played.
    pub executor: &'a dyn Executor,
    /// Where to keep games and results, if anywhere.
    pub dir: Option<&'a Path>,
    /// Builds every player once before the match begins, to see that it can be.
    pub build: Factory<'a>,
    /// Set from outside to end the match; games in progress are broken off and played again on resuming.
    pub stop: &'a Stop,
}

/// How far a match is, after each game.
pub struct MatchProgress<'a> {
    /// The game that ended.
    pub game: &'a GameRecord,
    /// Whether it was found on disk rather than played.
    pub resumed: bool,
    /// Games ended so far.
    pub ended: usize,
    /// Games of the whole schedule.
    pub scheduled: usize,
    /// The sums so far.
    pub tally: &'a MatchTally,
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// It makes no sense.
    #[error(transparent)]
    Config(#[from] MatchConfigError),
    /// A player cannot be built.
    #[error("{0}")]
    Player(String),
    /// An opening cannot be played.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// It cannot be kept on disk.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A game could not be played.
    #[error(transparent)]
    Work(#[from] WorkError),
}

impl Runner<'_> {
    /// Plays what is left of the match, and writes the results even if it was stopped.
    pub fn run(&self, on_game: &mut dyn FnMut(&MatchProgress<'_>)) -> Result<MatchReport, MatchError> {
        self.config.check()?;
        for player in &self.config.players {
            (self.build)(&player.spec).map_err(MatchError::Player)?;
        }
        let fixtures = self.config.schedule();
        let mut collector = Collector::new(self.config, &fixtures);
        let mut store = match self.dir {
            None => None,
            Some(dir) => Some(MatchFolder::open(dir, self.config, |game| collector.resume(game, on_game))?),
        };
        let outcome = self.play_rest(&fixtures, &mut collector, &mut store, on_game);
        let report = collector.report();
        if let Some(store) = store {
            store.write_results(&report)?;
        }
        outcome.map(|()| report)
    }

    /// Plays the games that have not ended yet, until all have, the test is decided or somebody stops it.
    fn play_rest(
        &self,
        fixtures: &[Fixture],
        collector: &mut Collector<'_>,
        store: &mut Option<MatchFolder>,
        on_game: &mut dyn FnMut(&MatchProgress<'_>),
    ) -> Result<(), MatchError> {
        if collector.is_decided() || self.stop.is_requested() {
            return Ok(());
        }
        let pending: Vec<&Fixture> =
            fixtures.iter().filter(|fixture| !collector.has(fixture.index)).collect();
        let mut keep = |games: Vec<GameRecord>| {
            for game in games {
                store.as_mut().map_or(Ok(()), |store| store.append(&game))?;
                collector.take(game, false, on_game);
            }
            Ok::<bool, MatchError>(!collector.is_decided())
        };
        let mut units = self.units(&pending).into_iter();
        let late = in_order(self.executor, &mut units, self.stop, &mut |_, outcome| keep(outcome.games()))?;
        // Stopped before an earlier game was over: what was played is kept all the same.
        late.into_iter().try_for_each(|outcome| keep(outcome.games()).map(|_| ()))
    }

    /// Pairs of games, or of each pair what is left or wanted at a time.
    fn units(&self, pending: &[&Fixture]) -> Vec<Unit> {
        let pairs = pending.chunk_by(|one, other| one.pair() == other.pair());
        pairs
            .flat_map(|pair| pair.chunks(self.executor.games_per_unit().max(1)))
            .map(|games| self.unit(games))
            .collect()
    }

    fn unit(&self, games: &[&Fixture]) -> Unit {
        let (config, first) = (self.config, games[0]);
        // As they sit in the pair's first game.
        let players = if first.index.is_multiple_of(2) { first.players } else { first.players.swapped() };
        Unit::Pair(Box::new(PairUnit {
            number: first.pair(),
            games: games.iter().map(|game| game.index % 2).collect(),
            players: [players.black, players.white].map(|number| config.players[number].clone()),
            opening: config.openings[first.opening].clone(),
            conduct: config.conduct,
            seed: config.seed,
            is_match: true,
        }))
    }
}
