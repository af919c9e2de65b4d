//! Conditional moves: what somebody will answer to moves of the other side, told beforehand, so that a game in which moves take days goes on by
//! itself where both know what comes.

use sumito_rules::{Color, Game, Move, Notation};

use super::error::{self, AppError, Cause, within};

/// The most lines of a plan, and the most moves of a line.
pub(crate) const MOST_LINES: usize = 10;
pub(crate) const MOST_MOVES: usize = 20;

/// Lines that begin with a move of the other side and end with one of one's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan(pub(crate) Vec<Vec<Move>>);

impl Plan {
    /// A plan of a side whose turn it is not.
    pub(crate) fn new(game: &Game, color: Color, lines: &[Vec<String>]) -> Result<Plan, AppError> {
        if game.turn() == color {
            return Err(Cause::PlanTurn {}.at("lines"));
        }
        within("lines", lines.len(), 0, MOST_LINES as u64)?;
        let lines = lines.iter().enumerate();
        let plan = lines.map(|(at, texts)| line(game, texts, at)).collect::<Result<Vec<_>, _>>()?;
        for (at, one) in plan.iter().enumerate() {
            if plan[..at].iter().any(|other| contradict(one, other)) {
                return Err(Cause::PlanTwice {}.at(format!("lines[{at}]")));
            }
        }
        Ok(Plan(plan))
    }

    /// The answer to a move.
    pub(crate) fn reply(&self, to: Move) -> Option<Move> {
        self.0.iter().find(|line| line.first() == Some(&to)).and_then(|line| line.get(1)).copied()
    }

    /// What is left of the plan after a move of the other side and one's own.
    #[must_use]
    pub(crate) fn after(&self, theirs: Move, own: Move) -> Plan {
        let goes_on = |line: &&Vec<Move>| line.len() > 2 && line[..2] == [theirs, own];
        Plan(self.0.iter().filter(goes_on).map(|line| line[2..].to_vec()).collect())
    }
}

/// The moves of a line, which are legal one after the other.
fn line(game: &Game, texts: &[String], number: usize) -> Result<Vec<Move>, AppError> {
    let field = format!("lines[{number}]");
    within(&field, texts.len(), 2, MOST_MOVES as u64)?;
    if texts.len() % 2 == 1 {
        return Err(Cause::PlanOdd {}.at(field));
    }
    let mut game = game.clone();
    let moves = texts.iter().enumerate().map(|(ply, text)| {
        let at = || format!("{field}[{ply}]");
        let m =
            Notation::AbaPro.parse(game.position(), text).map_err(|error| error::illegal(&error).at(at()))?;
        game.play(m).map_err(|error| error::unplayable(&error).at(at()))?;
        Ok(m)
    });
    moves.collect()
}

/// Whether two lines have different answers to the same moves, or the same ones.
fn contradict(one: &[Move], other: &[Move]) -> bool {
    let common = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    // The first move in which they differ is an answer of one's own, or there is none.
    common % 2 == 1 || common == one.len().min(other.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::{Layout, Rules};

    fn game() -> Game {
        Game::new(Rules::PLAYSTRATEGY, Layout::named("belgian-daisy").expect("a layout").position())
    }

    fn plan(lines: &[&str]) -> Result<Plan, &'static str> {
        let lines: Vec<Vec<String>> =
            lines.iter().map(|line| line.split_whitespace().map(str::to_string).collect()).collect();
        Plan::new(&game(), Color::White, &lines).map_err(|error| error.fault().cause.code())
    }

    #[test]
    fn a_plan_answers_move_by_move_and_ends_where_the_other_side_leaves_it() {
        let plan = plan(&["a1b2 i5h5 b2c3 h5g5", "a2b3 i6h6"]).expect("a plan");
        let moves = plan.0[0].clone();
        assert_eq!(plan.reply(moves[0]), Some(moves[1]));
        let rest = plan.after(moves[0], moves[1]);
        assert_eq!((rest.0.len(), rest.reply(moves[2])), (1, Some(moves[3])));
        assert_eq!(rest.after(moves[2], moves[3]), Plan::default());
        assert_eq!((rest.reply(moves[0]), plan.after(moves[0], moves[3])), (None, Plan::default()));
    }

    #[test]
    fn a_plan_is_legal_ends_with_ones_own_move_and_says_nothing_twice() {
        for (lines, expected) in [
            (vec!["a1b2"], "number.range"),
            (vec!["a1b2 i5h5 b2c3"], "plan.odd"),
            (vec!["a1b2 a2b3"], "move.no_marble"),
            (vec!["a1b2 i5h5", "a1b2 i6h6"], "plan.twice"),
            (vec!["a1b2 i5h5", "a1b2 i5h5"], "plan.twice"),
            (vec!["a1b2 i5h5", "a1b2 i5h5 b2c3 h5g5"], "plan.twice"),
            (vec!["a1b2 i5h5"; 11], "number.range"),
        ] {
            assert_eq!(plan(&lines).expect_err("no plan"), expected, "{lines:?}");
        }
        assert!(
            plan(&["a1b2 i5h5 b2c3 h5g5", "a1b2 i5h5 a2b3 i6h6"]).is_ok(),
            "they part at a move of the other side"
        );
        let own = Plan::new(&game(), Color::Black, &[]);
        assert_eq!(own.expect_err("the turn").fault().cause.code(), "plan.turn");
    }
}
