//! What reviews of recorded games say: how their positions ended, and what their moves lost.

use sumito_engine::analysis::Judgement;
use sumito_engine::{Score, WdlModel};
use sumito_rules::Color;
use sumito_rules::record::GameResult;

use super::reviews::WeighedMove;
use super::{ChanceSample, HELD_BACK};
use crate::stats::Ending;

/// What reviews of recorded games say.
#[derive(Clone, Default)]
pub struct GameChances {
    /// The positions of games with a known result.
    pub sample: ChanceSample,
    /// Every move of every game.
    moves: Vec<WeighedMove>,
}

impl GameChances {
    /// Of games by their results and their moves.
    pub(crate) fn of<'a>(games: impl Iterator<Item = (GameResult, &'a Vec<WeighedMove>)>) -> GameChances {
        let mut all = GameChances::default();
        for (number, (result, moves)) in games.enumerate() {
            let held_back = number as u32 % HELD_BACK == HELD_BACK - 1;
            let outcomes = if held_back { &mut all.sample.held_back } else { &mut all.sample.fitted };
            for weighed in moves {
                let ending = match (result, weighed.mover) {
                    (GameResult::Unknown, _) => continue,
                    (GameResult::Draw, _) => Ending::Draw,
                    (GameResult::Black, Color::Black) | (GameResult::White, Color::White) => Ending::Win,
                    _ => Ending::Loss,
                };
                outcomes.add(hundredths(weighed.best), weighed.gone, ending);
            }
            all.moves.extend(moves);
        }
        all
    }

    /// How much the moves lost by a model.
    pub fn losses(&self, model: &WdlModel) -> MoveLosses {
        let mut losses = MoveLosses::default();
        for weighed in &self.moves {
            let worth = |score| model.worth(score, weighed.gone).expected();
            losses.add((worth(weighed.best) - worth(weighed.played)).max(0.0));
        }
        losses
    }
}

/// A value in hundredths of a marble; a win is more than any.
fn hundredths(score: Score) -> i32 {
    match score {
        Score::Marbles(value) => value,
        Score::Value(value) => (100.0 * value) as i32,
        Score::Win(moves) => 30_000 * moves.signum().max(i32::from(moves == 0)),
    }
}

/// How many moves lost how much of a game, in hundredths of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLosses {
    /// For each whole number of hundredths from 0 to 100.
    counts: [u64; 101],
}

impl Default for MoveLosses {
    fn default() -> MoveLosses {
        MoveLosses { counts: [0; 101] }
    }
}

/// The first line of a table of losses.
const HEAD: &str = "loss\tmoves";

impl MoveLosses {
    fn add(&mut self, loss: f64) {
        // A bound of so many hundredths belongs to the worse judgement, rounding errors or not.
        self.counts[((loss * 100.0 + 1e-9) as usize).min(100)] += 1;
    }

    /// As text, a line for each hundredth.
    pub fn table(&self) -> String {
        let lines = self.counts.iter().enumerate().map(|(loss, moves)| format!("{loss}\t{moves}\n"));
        format!("{HEAD}\n{}", lines.collect::<String>())
    }

    /// Reads what [`MoveLosses::table`] made. Lines that begin with `#` are for people.
    pub fn parse(text: &str) -> Result<MoveLosses, String> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let mut losses = MoveLosses::default();
        let whole = lines.next() == Some(HEAD)
            && losses.counts.iter_mut().enumerate().all(|(loss, moves)| {
                let fields = lines.next().and_then(|line| line.split_once('\t'));
                let read = fields.filter(|(number, _)| *number == loss.to_string());
                read.and_then(|(_, count)| count.parse().ok()).map(|count| *moves = count).is_some()
            });
        whole
            .then_some(losses)
            .ok_or_else(|| "expected a table of losses from 0 to 100 hundredths".to_string())
    }

    /// How many moves there are.
    pub fn moves(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The share of the moves with this judgement.
    pub fn share(&self, judgement: Judgement) -> f64 {
        let of = |loss: usize| Judgement::of(loss as f64 / 100.0) == judgement;
        let count: u64 = (0..=100).filter(|&loss| of(loss)).map(|loss| self.counts[loss]).sum();
        count as f64 / self.moves().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_read_back_and_shared_out_by_judgement() {
        let mut losses = MoveLosses::default();
        [0.0, 0.0, 0.99, 1.0].into_iter().for_each(|loss| losses.add(loss));
        assert_eq!(MoveLosses::parse(&losses.table()), Ok(losses.clone()));
        assert_eq!((losses.share(Judgement::Good), losses.share(Judgement::Blunder)), (0.5, 0.5));
        assert!(MoveLosses::parse("loss\tmoves\n0\t1\n").is_err());
    }
}
