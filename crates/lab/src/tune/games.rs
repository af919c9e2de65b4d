//! Has the pairs of games played that a tuning asks for.

use sumito_agents::Stop;
use sumito_rules::Color;

use crate::config::Player;
use crate::limit::LimitSpec;
use crate::opening::Opening;
use crate::referee::{Conduct, GameRecord};
use crate::runner::MatchError;
use crate::stats::Ending;
use crate::work::{Executor, PairUnit, Unit, in_order};

/// Two players for a pair of games on one opening with colours changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TunePair {
    /// Its place among all pairs: the seeds of its players follow from it.
    pub number: usize,
    /// The opening by number.
    pub opening: usize,
    /// The players' specs. The first has black in the first game.
    pub specs: [String; 2],
}

/// How a game ended for the first player of its pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedGame {
    /// Won, drawn or lost.
    pub ending: Ending,
    /// Marbles it pushed off.
    pub pushed: u8,
    /// Marbles it lost.
    pub lost: u8,
    /// Whether a player lost by its time, an illegal move or a breakdown.
    pub is_fault: bool,
}

/// How the games of a tuning are played, and by whom.
pub struct PairGames<'a> {
    /// How long the players may think.
    pub limit: LimitSpec,
    /// How games are judged.
    pub conduct: &'a Conduct,
    /// The openings.
    pub openings: &'a [Opening],
    /// The seed of players that make random choices.
    pub seed: u64,
    /// Who has the games played.
    pub executor: &'a dyn Executor,
    /// Set from outside to break the games off.
    pub stop: &'a Stop,
}

impl PairGames<'_> {
    /// Plays pairs; `None` if they were broken off. Calls `on_games` with how many more games have ended.
    pub fn play(
        &self,
        pairs: &[TunePair],
        on_games: &mut dyn FnMut(usize),
    ) -> Result<Option<Vec<[EndedGame; 2]>>, MatchError> {
        let games: &[&[usize]] = if self.executor.games_per_unit() > 1 { &[&[0, 1]] } else { &[&[0], &[1]] };
        let mut units = pairs.iter().flat_map(|pair| games.iter().map(move |games| self.unit(pair, games)));
        let mut ended = Vec::with_capacity(2 * pairs.len());
        in_order::<MatchError>(self.executor, &mut units, self.stop, &mut |_, outcome| {
            let games = outcome.games();
            on_games(games.len());
            ended.extend(games.iter().map(summary));
            Ok(true)
        })?;
        let (ended, _) = ended.as_chunks::<2>();
        Ok((ended.len() == pairs.len()).then(|| ended.to_vec()))
    }

    /// The players are new ones: nothing is left over from other values.
    fn unit(&self, pair: &TunePair, games: &[usize]) -> Unit {
        let player = |spec: &String| Player { name: spec.clone(), spec: spec.clone(), limit: self.limit };
        Unit::Pair(Box::new(PairUnit {
            number: pair.number,
            games: games.to_vec(),
            players: pair.specs.each_ref().map(player),
            opening: self.openings[pair.opening].clone(),
            conduct: *self.conduct,
            seed: self.seed,
            is_match: false,
        }))
    }
}

fn summary(result: &GameRecord) -> EndedGame {
    let first = if result.index.is_multiple_of(2) { Color::Black } else { Color::White };
    EndedGame {
        ending: result.ending(first),
        pushed: result.score[first],
        lost: result.score[!first],
        is_fault: result.fault.is_some(),
    }
}
