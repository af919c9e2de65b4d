//! The agents of Detry, Imparato, Podevyn, Poliakov, Schapira, Thirion and Yap 2023, *Coding an Abalone
//! Game-Playing Agent* (Maastricht University): alpha-beta tree search, Monte-Carlo tree search, and the
//! rule-based agent.
//!
//! | section | here |
//! | --- | --- |
//! | 3 game tree, 3.4 transposition table | [`search`], [`tree_evaluations`], `table.rs` |
//! | 4.1 heuristics | [`View`] |
//! | 4.2 to 4.4 evaluation functions, figure 2 | [`Evaluator`], [`Weights`] |
//! | 5.1 minimax, alpha-beta, move ordering | agent `maastricht`, [`search`], [`Ordering`] |
//! | 5.2 Monte-Carlo tree search | agent `maastricht-mcts` |
//! | 5.3 rule-based algorithm | agent `maastricht-rules` |
//!
//! Where the document is open or its results hang on the authors' program, these readings were chosen:
//!
//! * The tree is not built in memory: a recursive search gives the same move and value. What building it
//!   would cost is counted by [`tree_evaluations`].
//! * Leaves are valued for the player at the root, at any depth. (`depth` is 3 by default; the program values
//!   them for whoever moved last, which is the same at odd depths.)
//! * f5 and f6 count from the root of the search. The static evaluations for other agents know no root and count from the start
//!   of the game.
//! * Figure 2 with f1 >= 5 and f2 < 0: the third line. w6 is 50 x w5 in all lines (`w6=program` for the
//!   program's two exceptions), and there are nine of them (`tenth=on` for the program's tenth).
//! * The offensive and defensive weights are the program's. The defensive function takes differences, as its
//!   formula says, with w1 = +10; `defence=own` is the program's form with -10.
//! * The first of equally good moves is played; `choice=last` is the program's. Within a class of the
//!   ordering, moves come in the program's order.
//! * The end of the game is a win or a loss, the nearer the better or worse, in the tree and in simulated games.
//!   The document has no value for it, and by figure 2's first set, with w5 = 0, an agent would decline a win:
//!   `ends=leaf` is that letter, `ends=ignore` searches on past the end, as the program does.
//! * The table keeps static values with a verified 64-bit key; the program's 26-bit key is not copied.
//! * With a limit of time or nodes the search deepens from 1 to `depth`, so that it always has an answer.
//! * Monte-Carlo: the "current score" of the weighting function is the root's; `scale=program` moves the 5
//!   out of the root sign. Scores and selection never change sides (`opponent=min` is an extra). A leaf is
//!   expanded with all its moves, one of which is simulated, as section 5.2 says; `expand=own` is the program,
//!   which simulates only at its own turn and otherwise begins a new selection. There is one sample for each
//!   second of the time for the move, rounded up.

mod abts;
mod eval;
mod features;
mod mcts;
mod order;
mod player;
mod rules;
mod table;
mod tree;

pub use abts::{Found, Settings, search, tree_evaluations};
pub use eval::{EndValue, Evaluator, Function, Neutral, Set, WIN, Weights};
pub use features::{View, scores};
pub use order::Ordering;

pub(crate) use mcts::ENTRY as MCTS;
pub(crate) use player::ENTRY as ABTS;
pub(crate) use rules::ENTRY as RULES;

use sumito_rules::ByColor;

use crate::agent::{Evaluation, Named};

const SOURCE: &str = "Detry et al. 2023, Coding an Abalone Game-Playing Agent";

/// The evaluation functions by name, with losses counted from the start of the game.
pub(crate) static EVALUATIONS: &[Named] = &[
    ("maastricht-neutral", || evaluation(Function::Neutral)),
    ("maastricht-offensive", || evaluation(Function::Offensive)),
    ("maastricht-defensive", || evaluation(Function::Defensive)),
];

fn evaluation(function: Function) -> Evaluation {
    let evaluator = Evaluator::new(function);
    Box::new(move |position, player| evaluator.value(position, player, ByColor::default()))
}

/// The neutral evaluation with one set of weights for all states of the board.
pub(crate) fn constant(set: Set) -> Evaluation {
    let mut evaluator = Evaluator::new(Function::Neutral);
    evaluator.weights.neutral = Neutral::constant(set);
    Box::new(move |position, player| evaluator.value(position, player, ByColor::default()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sumito_rules::{Color, Game, Layout, Rules, fen};

    use super::*;
    use crate::agent::Limits;
    use crate::spec;
    use crate::testing::positions;

    const SPECS: [&str; 20] = [
        "maastricht",
        "maastricht:search=minimax,depth=2",
        "maastricht:ordering=simple,table=off",
        "maastricht:ordering=random,seed=7,choice=last",
        "maastricht:eval=offensive,ends=ignore",
        "maastricht:eval=offensive,ends=leaf",
        "maastricht:eval=defensive",
        "maastricht:eval=defensive,defence=own",
        "maastricht:eval=mix",
        "maastricht:tenth=on,w6=program",
        "maastricht:weights=3;2;6;1.8;35;1750",
        "maastricht:eval=offensive,weights=-2;3;100;30;7",
        "maastricht:eval=defensive,weights=1;1;15;-1000",
        "maastricht-mcts",
        "maastricht-mcts:ends=ignore",
        "maastricht-mcts:c=1.4,plays=4,samples=1,scale=program,opponent=min,expand=own",
        "maastricht-mcts:eval=defensive,memory=1,seed=3",
        "maastricht-mcts:time=60s,samples=1",
        "maastricht-rules",
        "maastricht-rules:seed=9",
    ];

    fn assert_legal_within(limits: &Limits) {
        for spec in SPECS {
            let mut agent = spec::build(spec).expect("a valid spec");
            assert_eq!(agent.name(), spec);
            for position in positions() {
                let game = Game::new(Rules::OFFICIAL, position);
                let m = agent.choose(&game, limits, &mut |_| ()).expect("a move");
                assert!(position.is_legal(m), "{spec} at {position:?}");
            }
        }
    }

    #[test]
    fn every_variant_answers_a_legal_move_in_a_millisecond() {
        assert_legal_within(&Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() });
    }

    #[test]
    fn every_variant_answers_a_legal_move_with_one_node() {
        assert_legal_within(&Limits { nodes: Some(1), ..Limits::default() });
    }

    #[test]
    fn equal_seeds_and_nodes_give_equal_games() {
        for spec in SPECS {
            let play = || {
                let mut agent = spec::build(spec).expect("a valid spec");
                let start = Layout::named("belgian-daisy").expect("a layout").position();
                let mut game = Game::new(Rules::OFFICIAL, start);
                for _ in 0..6 {
                    let limits = Limits { nodes: Some(300), ..Limits::default() };
                    let m = agent.choose(&game, &limits, &mut |_| ()).expect("a move");
                    game.play(m).expect("a legal move");
                }
                game.moves().to_vec()
            };
            assert_eq!(play(), play(), "{spec}");
        }
    }

    #[test]
    fn wrong_weights_are_refused_with_a_reason() {
        for (spec, why) in [
            ("maastricht:weights=1;2", "expected 6 or 54 numbers, found 2"),
            ("maastricht:weights=1;2;x;4;5;6", "expected numbers with semicolons between them"),
            ("maastricht:eval=offensive,weights=1", "expected 5 numbers, found 1"),
            ("maastricht-mcts:eval=mix,weights=1", "expected none"),
        ] {
            let error = spec::build(spec).err().expect("refused").to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn the_evaluations_have_their_names_and_values() {
        let position = fen::parse("5/6/7/8/6SSs/8/7/6/5 1 0 b 0 1").expect("a FEN");
        let values: Vec<(&str, f64)> =
            EVALUATIONS.iter().map(|(name, make)| (*name, make()(&position, Color::White))).collect();
        // For White: f1 = 1, f2 = -2, f4 = -1, f6 = 1, no own neighbours or pushes, own distance 4.
        let expected = [
            ("maastricht-neutral", 3.3 - 4.0 - 1.8 - 1750.0),
            ("maastricht-offensive", -8.0),
            ("maastricht-defensive", -10_160.0),
        ];
        for ((name, value), (expected_name, expected)) in values.into_iter().zip(expected) {
            assert_eq!(name, expected_name);
            assert!((value - expected).abs() < 1e-9, "{name}: {value}");
        }
    }
}
