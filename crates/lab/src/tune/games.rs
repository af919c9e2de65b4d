//! Plays the pairs of games that a tuning asks for, on several threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use sumito_agents::Stop;
use sumito_rules::{ByColor, Color};

use crate::limit::LimitSpec;
use crate::opening::Opening;
use crate::referee::{Conduct, GameResult, Referee, Seat, real_time};
use crate::runner::{Factory, MatchError};
use crate::schedule::seeds;
use crate::stats::Ending;

/// Two players for a pair of games on one opening with colours changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its place among all pairs: the seeds of its players follow from it.
    pub number: usize,
    /// The opening by number.
    pub opening: usize,
    /// The players' specs. The first has black in the first game.
    pub specs: [String; 2],
}

/// How a game ended for the first player of its pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Won, drawn or lost.
    pub ending: Ending,
    /// Marbles it pushed off.
    pub pushed: u8,
    /// Marbles it lost.
    pub lost: u8,
    /// Whether a player lost by its time, an illegal move or a breakdown.
    pub is_fault: bool,
}

/// Who plays the games, and how.
pub struct Games<'a> {
    /// How long the players may think.
    pub limit: LimitSpec,
    /// How games are judged.
    pub conduct: &'a Conduct,
    /// The openings.
    pub openings: &'a [Opening],
    /// The seed of players that make random choices.
    pub seed: u64,
    /// Games at a time.
    pub threads: usize,
    /// Who builds the players.
    pub build: Factory<'a>,
    /// Set from outside to break the games off.
    pub stop: &'a Stop,
}

impl Games<'_> {
    /// Plays pairs; `None` if they were broken off. Calls `on_game` after every game.
    pub fn play(
        &self,
        pairs: &[Pair],
        on_game: &(dyn Fn() + Sync),
    ) -> Result<Option<Vec<[Ended; 2]>>, MatchError> {
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let ended = Mutex::new(Vec::new());
        let work = || {
            while !failed.load(Ordering::Relaxed) && !self.stop.is_requested() {
                let game = next.fetch_add(1, Ordering::Relaxed);
                let Some(pair) = pairs.get(game / 2) else { return };
                let result = self.play_one(pair, game % 2);
                failed.fetch_or(result.is_err(), Ordering::Relaxed);
                ended.lock().expect("no worker panics with the lock").push((game, result));
                on_game();
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, 2 * pairs.len().max(1)) {
                scope.spawn(work);
            }
        });
        let mut results = vec![[None; 2]; pairs.len()];
        for (game, result) in ended.into_inner().expect("no worker panics with the lock") {
            results[game / 2][game % 2] = result?;
        }
        Ok(results.into_iter().map(|[one, other]| Some([one?, other?])).collect())
    }

    /// Plays the first or second game of a pair, with new agents: nothing is left over from other values.
    fn play_one(&self, pair: &Pair, game: usize) -> Result<Option<Ended>, MatchError> {
        let index = 2 * pair.number + game;
        let seeds = seeds(self.seed, index);
        let first = Color::ALL[game];
        let spec = |color: Color| &pair.specs[usize::from(color != first)];
        let build = |color: Color| (self.build)(spec(color)).map_err(MatchError::Player);
        let (mut black, mut white) = (build(Color::Black)?, build(Color::White)?);
        let seats = ByColor::new(
            Seat { name: spec(Color::Black), agent: &mut *black, limit: self.limit, seed: seeds.black },
            Seat { name: spec(Color::White), agent: &mut *white, limit: self.limit, seed: seeds.white },
        );
        let referee = Referee { conduct: self.conduct, now: &real_time(), stop: self.stop };
        let result = referee.play(index, &self.openings[pair.opening], seats)?;
        Ok(result.map(|result| summary(&result, first)))
    }
}

fn summary(result: &GameResult, first: Color) -> Ended {
    Ended {
        ending: result.ending(first),
        pushed: result.score[first],
        lost: result.score[!first],
        is_fault: result.fault.is_some(),
    }
}
