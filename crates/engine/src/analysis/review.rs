//! A whole game, move by move: what was best, what was played, and what that cost.
//!
//! The game is searched from its end to its start, so that the table already knows what came of each move when the
//! position before it is searched.

use std::sync::LazyLock;

use sumito_rules::{ByColor, Color, Game, Move, Outcome, Reason};

use super::findings::Findings;
use super::judgement::{BLUNDER, INACCURACY, Judgement, MISTAKE, accuracy};
use crate::engine::Engine;
use crate::limits::Limits;
use crate::network::Network;
use crate::score::{CAP_WIN, Score};
use crate::wdl::WdlModel;

/// What reviews with the shipped network rest on: the network, the model of people's chances, and the bounds of
/// judgements. A review that was kept with another basis would not be made like that today.
pub static BASIS: LazyLock<String> = LazyLock::new(|| {
    let (network, WdlModel { even, spread }) = (Network::shipped().fingerprint(), WdlModel::PEOPLE);
    format!("network {network:016x}, chances {even:?} {spread:?}, marks {INACCURACY} {MISTAKE} {BLUNDER}")
});

/// A game with the engine's judgement on every move.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// How many plies of the game come before the first position here: none, unless the review was stopped.
    pub first: usize,
    /// The positions from there on, one more than there are moves.
    pub positions: Vec<Findings>,
    /// The moves that lead from each position to the next.
    pub moves: Vec<Reviewed>,
}

/// A move of a reviewed game.
#[derive(Clone, Debug, PartialEq)]
pub struct Reviewed {
    /// Who played it.
    pub mover: Color,
    /// The move.
    pub played: Move,
    /// The best move instead, or the same.
    pub best: Move,
    /// What the move was worth to its player.
    pub score: Score,
    /// What the best one was worth.
    pub best_score: Score,
    /// The player's winning chance after the move, a draw counting half.
    pub chance: f64,
    /// The winning chance after the best one.
    pub best_chance: f64,
    /// How much winning chance the move lost, of 1 for a whole game.
    pub loss: f64,
    /// What that makes of it.
    pub judgement: Judgement,
}

/// One side's moves summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Tally {
    /// How many moves were reviewed.
    pub moves: usize,
    /// The mean of the moves' accuracy in percent; 100 without moves.
    pub accuracy: f64,
    /// The mean loss of winning chance.
    pub loss: f64,
    /// Moves that were inaccuracies, and no worse.
    pub inaccuracies: usize,
    /// Moves that were mistakes, and no worse.
    pub mistakes: usize,
    /// Moves that were blunders.
    pub blunders: usize,
}

/// How far a review is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Positions that are done.
    pub done: usize,
    /// Positions in all.
    pub whole: usize,
    /// How many plies of the game come before the position that was just finished.
    pub ply: usize,
    /// What was found there.
    pub findings: &'a Findings,
}

impl Review {
    /// Whether the review was not stopped before it was through.
    pub fn is_complete(&self) -> bool {
        self.first == 0
    }

    /// Both sides' moves summed up.
    pub fn tally(&self) -> ByColor<Tally> {
        ByColor::new(Color::Black, Color::White).map(|side| {
            let moves: Vec<&Reviewed> = self.moves.iter().filter(|reviewed| reviewed.mover == side).collect();
            let count = |judgement| moves.iter().filter(|reviewed| reviewed.judgement == judgement).count();
            let mean = |value: &dyn Fn(&Reviewed) -> f64| {
                moves.iter().map(|reviewed| value(reviewed)).sum::<f64>() / moves.len().max(1) as f64
            };
            Tally {
                moves: moves.len(),
                accuracy: if moves.is_empty() { 100.0 } else { mean(&|reviewed| accuracy(reviewed.loss)) },
                loss: mean(&|reviewed| reviewed.loss),
                inaccuracies: count(Judgement::Inaccuracy),
                mistakes: count(Judgement::Mistake),
                blunders: count(Judgement::Blunder),
            }
        })
    }
}

impl Engine {
    /// Reviews a game, with these limits for each position. The progress is told of each position that is done, the
    /// last one first. A stop leaves the positions that are done.
    ///
    /// A game that ended by resignation, time or agreement is reviewed to its last position like any other.
    pub fn review(&mut self, game: &Game, limits: &Limits, progress: &mut dyn FnMut(Progress<'_>)) -> Review {
        let mut course = Course::new(game);
        while let Some(position) = course.to_do() {
            let findings = self.analyse(position, limits, &mut |_| ());
            if limits.stop.is_requested() {
                break;
            }
            progress(course.add(findings));
        }
        course.review()
    }
}

/// A review under way, for those who search its positions themselves: one after the other, the last one first.
#[derive(Clone, Debug)]
pub struct Course {
    /// The game up to the position that is next.
    game: Game,
    played: Vec<Move>,
    whole: usize,
    /// What was found, the last position first.
    positions: Vec<Findings>,
}

impl Course {
    /// The review of a game, with nothing done yet.
    pub fn new(game: &Game) -> Course {
        let game = on_the_board(game);
        let (played, whole) = (game.moves().to_vec(), game.positions().len());
        Course { game, played, whole, positions: Vec::with_capacity(whole) }
    }

    /// The position to search next, as a game that ends there; none when all are done.
    pub fn to_do(&self) -> Option<&Game> {
        (self.positions.len() < self.whole).then_some(&self.game)
    }

    /// Takes in what was found at the position that was next.
    pub fn add(&mut self, findings: Findings) -> Progress<'_> {
        let ply = self.game.moves().len();
        self.positions.push(findings);
        self.game.take_back();
        let findings = self.positions.last().expect("just pushed");
        Progress { done: self.positions.len(), whole: self.whole, ply, findings }
    }

    /// The review, as far as it is done.
    pub fn review(mut self) -> Review {
        self.positions.reverse();
        let first = self.whole - self.positions.len();
        let pairs = self.positions.windows(2).zip(self.played.into_iter().skip(first));
        let moves = pairs.filter_map(|(pair, m)| judge(&pair[0], m, &pair[1])).collect();
        Review { first, positions: self.positions, moves }
    }
}

/// The same moves without whatever ended the game off the board.
fn on_the_board(game: &Game) -> Game {
    let mut copy = Game::new(*game.rules(), *game.start());
    for &m in game.moves() {
        copy.play(m).expect("the moves of a game are legal");
    }
    copy
}

/// What a move from one position to the next was worth. `None` only if nothing was found out about the first.
fn judge(before: &Findings, played: Move, after: &Findings) -> Option<Reviewed> {
    let best = before.lines.first()?;
    let mover = before.position.turn();
    let gone = WdlModel::gone(&before.position);
    let chance = |score| WdlModel::PEOPLE.worth(score, gone).expected();
    let (score, chance_after) =
        match (before.lines.iter().find(|line| line.moves.first() == Some(&played)), after.outcome) {
            (_, Some(outcome)) => ended(outcome, mover),
            (Some(line), None) => (line.score, chance(line.score)),
            (None, None) => {
                let score = for_the_mover(at_the_same_horizon(before, after));
                (score, chance(score))
            }
        };
    let best_move = *best.moves.first()?;
    // What turned out better than the search had thought is no worse than its best.
    let best_chance = if best_move == played { chance_after } else { chance(best.score).max(chance_after) };
    let loss = best_chance - chance_after;
    Some(Reviewed {
        mover,
        played,
        best: best_move,
        score,
        best_score: if best_move == played { score } else { best.score },
        chance: chance_after,
        best_chance,
        loss,
        judgement: Judgement::of(loss),
    })
}

/// The value of the position after a move, for the side to move there, as far ahead as the best move was looked at:
/// a deeper look at one of two moves would not be fair to the other. Where an end of the game is proved on either
/// side, there is no horizon.
fn at_the_same_horizon(before: &Findings, after: &Findings) -> Score {
    let value = |findings: &Findings| findings.lines.first().map_or(Score::Marbles(0), |line| line.score);
    let last = value(after);
    if matches!(last, Score::Win(_)) || matches!(value(before), Score::Win(_)) {
        return last;
    }
    let horizon = before.depth().saturating_sub(1);
    let same = after.depths.iter().find(|(depth, _)| *depth == horizon);
    same.map_or(last, |(_, score)| *score)
}

/// A value after a move, as the one who made it saw it before.
fn for_the_mover(score: Score) -> Score {
    match score {
        Score::Marbles(value) => Score::Marbles(-value),
        Score::Value(value) => Score::Value(-value),
        // The move itself is one of those that the winner needed.
        Score::Win(moves) if moves <= 0 => Score::Win(1 - moves),
        Score::Win(moves) => Score::Win(-moves),
    }
}

/// The worth of a move that ended the game, and the winning chance it left.
fn ended(outcome: Outcome, mover: Color) -> (Score, f64) {
    let sign = match outcome.winner {
        None => return (Score::Marbles(0), 0.5),
        Some(winner) if winner == mover => 1,
        Some(_) => -1,
    };
    let score = match outcome.reason {
        Reason::PlyCap | Reason::QuietCap => Score::Marbles(sign * CAP_WIN),
        _ => Score::Win(sign),
    };
    (score, f64::from((1 + sign) / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::EngineOptions;
    use sumito_rules::{Layout, Notation, Position, Rules, fen};

    fn played(rules: Rules, start: Position, moves: &str) -> Game {
        let mut game = Game::new(rules, start);
        for text in moves.split_whitespace() {
            let m = Notation::AbaPro.parse(game.position(), text).expect("a legal move");
            game.play(m).expect("the game goes on");
        }
        game
    }

    fn review(game: &Game, depth: u32) -> Review {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        Engine::new(EngineOptions { hash: 4, ..EngineOptions::default() }).review(game, &limits, &mut |_| ())
    }

    /// Black to move can push the sixth marble off on a5.
    const WON: &str = "s4/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1";

    #[test]
    fn a_win_that_is_taken_loses_nothing() {
        let game = played(Rules::OFFICIAL, fen::parse(WON).expect("a FEN"), "a3a4");
        let review = review(&game, 3);
        let reviewed = &review.moves[0];
        assert_eq!(
            (reviewed.judgement, reviewed.score, reviewed.best),
            (Judgement::Good, Score::Win(1), reviewed.played)
        );
        assert_eq!((reviewed.loss, reviewed.chance), (0.0, 1.0));
        assert_eq!((review.positions.len(), review.positions[1].lines.len()), (2, 0));
    }

    #[test]
    fn a_win_that_is_missed_names_the_winning_move() {
        // Both sides can push a sixth marble off: whoever does not loses.
        let start = fen::parse("Sss2/6/7/8/9/8/7/6/2SSs 5 5 b 0 1").expect("a FEN");
        let game = played(Rules::OFFICIAL, start, "a4b4 i7i6");
        let review = review(&game, 4);
        let reviewed = &review.moves[0];
        assert_eq!(Notation::AbaPro.write(&start, reviewed.best), "a3a4");
        assert_eq!((reviewed.best_score, reviewed.score), (Score::Win(1), Score::Win(-1)));
        assert_eq!((reviewed.loss, reviewed.judgement), (1.0, Judgement::Blunder));
        assert_eq!(review.moves[1].judgement, Judgement::Good);
        let tally = review.tally();
        assert_eq!((tally.black.moves, tally.black.blunders), (1, 1));
        assert!(tally.black.accuracy < 50.0 && tally.black.loss == reviewed.loss);
    }

    #[test]
    fn every_position_is_told_from_the_last_to_the_first() {
        let game = played(Rules::OFFICIAL, Layout::all()[0].position(), "a1b2 i5h5 a2b3");
        let mut told = Vec::new();
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let mut engine = Engine::new(EngineOptions { hash: 1, ..EngineOptions::default() });
        let review = engine.review(&game, &limits, &mut |progress| {
            told.push((progress.done, progress.whole, progress.ply, progress.findings.position));
        });
        let expected: Vec<_> = (1..=4).map(|done| (done, 4, 4 - done, game.positions()[4 - done])).collect();
        assert_eq!(told, expected);
        assert!(review.is_complete() && review.first == 0);
        assert_eq!(review.moves.iter().map(|reviewed| reviewed.played).collect::<Vec<_>>(), game.moves());
        let positions: Vec<Position> = review.positions.iter().map(|findings| findings.position).collect();
        assert_eq!(positions, game.positions());
    }

    #[test]
    fn a_stop_leaves_the_end_of_the_game() {
        let game = played(Rules::OFFICIAL, Layout::all()[0].position(), "a1b2 i5h5 a2b3 i6h6");
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let mut engine = Engine::new(EngineOptions { hash: 1, ..EngineOptions::default() });
        let review = engine.review(&game, &limits, &mut |progress| {
            if progress.done == 2 {
                limits.stop.request();
            }
        });
        assert_eq!((review.first, review.positions.len(), review.moves.len()), (3, 2, 1));
        assert!(!review.is_complete());
        assert_eq!((review.moves[0].played, review.moves[0].mover), (game.moves()[3], Color::White));
    }

    #[test]
    fn a_resigned_game_is_reviewed_to_its_last_position() {
        let mut game = played(Rules::OFFICIAL, Layout::all()[0].position(), "a1b2 i5h5");
        game.resign(Color::White);
        let review = review(&game, 2);
        assert_eq!((review.positions.len(), review.moves.len()), (3, 2));
        assert!(review.positions[2].best().is_some());
    }

    #[test]
    fn the_same_review_twice_is_the_same() {
        let game = played(Rules::OFFICIAL, Layout::all()[1].position(), "a1b1 i9h9 a2b2");
        let judged = |review: Review| -> Vec<_> {
            review.moves.iter().map(|reviewed| (reviewed.best, reviewed.score, reviewed.best_score)).collect()
        };
        assert_eq!(judged(review(&game, 4)), judged(review(&game, 4)));
    }

    #[test]
    fn a_draw_by_repetition_is_worth_half() {
        let shuffle = "a5a4 i5i6 a4a5 i6i5 a5a4 i5i6 a4a5 i6i5";
        let start = fen::parse("s4/6/7/8/9/8/7/6/4S 1 0 b 0 1").expect("a FEN");
        let review = review(&played(Rules::PLAYSTRATEGY, start, shuffle), 2);
        let last = review.moves.last().expect("a move");
        assert_eq!((last.score, last.chance), (Score::Marbles(0), 0.5));
    }

    #[test]
    fn a_lead_at_the_cap_wins_and_being_behind_loses() {
        let cap = |winner| ended(Outcome { winner, reason: Reason::PlyCap }, Color::Black);
        assert_eq!(cap(Some(Color::Black)), (Score::Marbles(CAP_WIN), 1.0));
        assert_eq!(cap(Some(Color::White)), (Score::Marbles(-CAP_WIN), 0.0));
        assert_eq!(cap(None), (Score::Marbles(0), 0.5));
    }

    #[test]
    fn a_value_is_turned_around_with_its_move_counted() {
        assert_eq!(for_the_mover(Score::Marbles(30)), Score::Marbles(-30));
        assert_eq!(for_the_mover(Score::Win(2)), Score::Win(-2));
        assert_eq!(for_the_mover(Score::Win(-2)), Score::Win(3));
    }

    #[test]
    fn a_move_is_compared_with_the_best_one_at_the_same_horizon() {
        let game = played(Rules::OFFICIAL, Layout::all()[0].position(), "a1b2");
        let mut findings = review(&game, 3).positions;
        let (mut after, before) = (findings.remove(1), findings.remove(0));
        after.depths = vec![(1, Score::Marbles(11)), (2, Score::Marbles(22)), (3, Score::Marbles(33))];
        after.lines[0].score = Score::Marbles(33);
        assert_eq!(at_the_same_horizon(&before, &after), Score::Marbles(22));
        after.depths.truncate(1);
        assert_eq!(at_the_same_horizon(&before, &after), Score::Marbles(33), "the last if there is no other");
        after.lines[0].score = Score::Win(-4);
        after.depths = vec![(2, Score::Marbles(22))];
        assert_eq!(at_the_same_horizon(&before, &after), Score::Win(-4), "what is proven stands");
    }
}
