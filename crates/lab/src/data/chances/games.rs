//! Recorded games, reviewed at fixed nodes: how their positions ended, and what their moves lost.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use sumito_engine::analysis::{Judgement, Review};
use sumito_engine::{Engine, EngineOptions, Limits, Score, WdlModel};
use sumito_rules::record::GameResult;
use sumito_rules::{Color, Game};

use super::{ChanceSample, HELD_BACK};
use crate::stats::Ending;

/// What reviews of recorded games say.
#[derive(Clone, Default)]
pub struct GameChances {
    /// The positions of games with a known result.
    pub sample: ChanceSample,
    /// Every move of every game: marbles gone before it, the value of the best move and its own, for its player.
    moves: Vec<(usize, Score, Score)>,
}

impl GameChances {
    /// Reviews games on so many threads, with so many nodes for each position. Every game is searched with an empty table,
    /// so that the same games give the same answer.
    pub fn of(
        games: &[(Game, GameResult)],
        nodes: u64,
        threads: usize,
        progress: &(dyn Fn(usize) + Sync),
    ) -> GameChances {
        let (next, all) = (AtomicUsize::new(0), Mutex::new(GameChances::default()));
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    let mut engine = Engine::new(EngineOptions { hash: 8, ..EngineOptions::default() });
                    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some((game, result)) = games.get(number) else { break };
                        engine.new_game();
                        let review = engine.review(game, &limits, &mut |_| ());
                        all.lock().expect("no thread panics").add(number, &review, *result);
                        progress(number);
                    }
                });
            }
        });
        all.into_inner().expect("no thread panics")
    }

    fn add(&mut self, number: usize, review: &Review, result: GameResult) {
        for (findings, moved) in review.positions.iter().zip(&review.moves) {
            let gone = WdlModel::gone(&findings.position);
            self.moves.push((gone, moved.best_score, moved.score));
            let ending = match (result, findings.position.turn()) {
                (GameResult::Unknown, _) => continue,
                (GameResult::Draw, _) => Ending::Draw,
                (GameResult::Black, Color::Black) | (GameResult::White, Color::White) => Ending::Win,
                _ => Ending::Loss,
            };
            let held_back = number as u32 % HELD_BACK == HELD_BACK - 1;
            let outcomes = if held_back { &mut self.sample.held_back } else { &mut self.sample.fitted };
            outcomes.add(hundredths(moved.best_score), gone, ending);
        }
    }

    /// How much the moves lost by a model.
    pub fn losses(&self, model: &WdlModel) -> MoveLosses {
        let mut losses = MoveLosses::default();
        for &(gone, best, played) in &self.moves {
            let worth = |score| model.worth(score, gone).expected();
            losses.add((worth(best) - worth(played)).max(0.0));
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
    use sumito_rules::{Layout, Rules};

    /// Games of a few moves, the n-th legal one each time.
    fn games() -> Vec<(Game, GameResult)> {
        let game = |nth: usize| {
            let mut game = Game::new(Rules::OFFICIAL, Layout::all()[0].position());
            for _ in 0..6 {
                let moves = game.legal_moves();
                game.play(moves[nth % moves.len()]).expect("legal");
            }
            game
        };
        let results = [GameResult::Black, GameResult::White, GameResult::Draw, GameResult::Unknown];
        (0..12).map(|nth| (game(7 * nth), results[nth % 4])).collect()
    }

    #[test]
    fn any_number_of_threads_counts_the_same() {
        let games = games();
        let [one, two] = [1, 2].map(|threads| GameChances::of(&games, 50, threads, &|_| ()));
        assert_eq!(one.sample.table(), two.sample.table());
        assert_eq!(one.losses(&WdlModel::PEOPLE), two.losses(&WdlModel::PEOPLE));
        assert_eq!(one.losses(&WdlModel::PEOPLE).moves(), 72);
        let positions = one.sample.fitted.positions() + one.sample.held_back.positions();
        assert_eq!(positions, 54.0, "games without a result have no positions here");
    }

    #[test]
    fn losses_are_read_back_and_shared_out_by_judgement() {
        let mut losses = MoveLosses::default();
        [0.0, 0.0, 0.99, 1.0].into_iter().for_each(|loss| losses.add(loss));
        assert_eq!(MoveLosses::parse(&losses.table()), Ok(losses.clone()));
        assert_eq!((losses.share(Judgement::Good), losses.share(Judgement::Blunder)), (0.5, 0.5));
        assert!(MoveLosses::parse("loss\tmoves\n0\t1\n").is_err());
    }
}
