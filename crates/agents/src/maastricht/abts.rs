//! Alpha-beta tree search (ABTS, sections 3 and 5.1): minimax to a fixed depth, with or without pruning,
//! and what section 6.1 counts of it.

use std::collections::HashSet;
use std::time::Duration;

use sumito_engine::Rng;
use sumito_rules::{ByColor, Color, Move, Position};

use super::eval::{EndValue, Evaluator, WIN};
use super::features::scores;
use super::order::{Ordered, Ordering};
use super::table::Table;
use crate::agent::Limits;
use crate::watch::Watch;

/// How to search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// What a leaf is worth.
    pub evaluator: Evaluator,
    /// Whether alpha-beta pruning is on (section 5.1.1).
    pub pruning: bool,
    /// In which order moves are tried (section 5.1.3).
    pub ordering: Ordering,
    /// Whether static values are kept in a transposition table (section 3.4).
    pub table: bool,
    /// Among equally good moves, take the last instead of the first. With pruning, a move that is only
    /// known to be no better counts as equally good, as in the authors' program.
    pub last: bool,
    /// What the sixth ejection is worth.
    pub ends: EndValue,
    /// How many ejections end the game.
    pub marbles_to_win: u8,
}

impl Settings {
    /// The document's search with this evaluation.
    pub fn new(evaluator: Evaluator) -> Settings {
        Settings {
            evaluator,
            pruning: true,
            ordering: Ordering::Full,
            table: true,
            last: false,
            ends: EndValue::Win,
            marbles_to_win: 6,
        }
    }
}

/// What a search found, and what it cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The move.
    pub best: Move,
    /// Its value for the side to move.
    pub value: f64,
    /// The document's "investigated nodes": children returned from, but not the ones that cut.
    pub investigated: u64,
    /// Static evaluations made; what the table knew is not among them.
    pub evaluations: u64,
}

/// Searches a position to a depth without any limit, for measurements. `seed` is that of random ordering.
/// `None` if there is no legal move.
pub fn search(position: &Position, depth: u32, settings: &Settings, seed: u64) -> Option<Found> {
    let mut watch = Watch::new(&Limits::default(), None, position.turn());
    let (mut table, mut rng) = (Table::new(settings.table), Rng::new(seed));
    let mut search = Search::new(position, settings, &mut watch, &mut table, &mut rng);
    let (best, value) = search.root(position, depth).best?;
    Some(Found { best, value, investigated: search.investigated, evaluations: search.evaluations })
}

/// How many static evaluations it takes to build the whole game tree as the document does (sections 3.1
/// and 6.1.1): one for each node but the root, or with the table one for each different position. The tree
/// does not stop at the end of the game.
pub fn tree_evaluations(root: &Position, depth: u32, table: bool) -> u64 {
    if !table {
        return (1..=depth).map(|depth| sumito_rules::perft::count(root, depth)).sum();
    }
    let mut known = HashSet::new();
    let mut generation = vec![*root];
    for _ in 0..depth {
        // A position seen before has children seen before: it need not be followed again.
        let mut next = Vec::new();
        for parent in &generation {
            parent.for_each_move(|m| {
                let child = parent.play_unchecked(m);
                if known.insert(child.hash()) {
                    next.push(child);
                }
            });
        }
        generation = next;
    }
    known.len() as u64
}

/// A search under way.
pub(super) struct Search<'a> {
    settings: &'a Settings,
    watch: &'a mut Watch,
    table: &'a mut Table,
    rng: &'a mut Rng,
    player: Color,
    /// The ply of the root: a win is worth more the nearer it is.
    root_ply: u16,
    /// The scores at the root, from which losses count.
    before: ByColor<u8>,
    pub(super) investigated: u64,
    pub(super) evaluations: u64,
}

/// What a search of the root came to.
pub(super) struct Iteration {
    /// The best of the moves whose search was finished, and its value.
    pub(super) best: Option<(Move, f64)>,
    /// Whether all of them were.
    pub(super) complete: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        root: &Position,
        settings: &'a Settings,
        watch: &'a mut Watch,
        table: &'a mut Table,
        rng: &'a mut Rng,
    ) -> Search<'a> {
        table.begin_search();
        let (player, root_ply, before) = (root.turn(), root.ply(), scores(root));
        let (investigated, evaluations) = (0, 0);
        Search { settings, watch, table, rng, player, root_ply, before, investigated, evaluations }
    }

    /// Searches the moves of the root, to a depth of at least one.
    pub(super) fn root(&mut self, position: &Position, depth: u32) -> Iteration {
        let mut best: Option<(Move, f64)> = None;
        for m in Ordered::new(position, self.settings.ordering, self.rng).iter() {
            let alpha = best.map_or(f64::NEG_INFINITY, |(_, value)| value);
            let value = -self.value(&position.play_unchecked(m), depth - 1, f64::NEG_INFINITY, -alpha);
            if self.watch.expired() {
                return Iteration { best, complete: false };
            }
            self.investigated += 1;
            if best.is_none_or(|(_, found)| value > found || self.settings.last && value == found) {
                best = Some((m, value));
            }
        }
        Iteration { best, complete: true }
    }

    /// The value of a position for its side to move. Without pruning the window never closes. The value
    /// has no meaning once the watch has expired.
    fn value(&mut self, position: &Position, depth: u32, mut alpha: f64, beta: f64) -> f64 {
        if self.watch.tick() {
            return 0.0;
        }
        if self.is_end(position) {
            return self.end(position);
        }
        if depth == 0 {
            return self.leaf(position);
        }
        let mut best = f64::NEG_INFINITY;
        for m in Ordered::new(position, self.settings.ordering, self.rng).iter() {
            let value = -self.value(&position.play_unchecked(m), depth - 1, -beta, -alpha);
            if self.watch.expired() {
                return 0.0;
            }
            best = best.max(value);
            if self.settings.pruning {
                alpha = alpha.max(value);
                if alpha >= beta {
                    return best;
                }
            }
            self.investigated += 1;
        }
        // Without a move the position is a leaf of the tree.
        if best == f64::NEG_INFINITY { self.leaf(position) } else { best }
    }

    pub(super) fn nodes(&self) -> u64 {
        self.watch.nodes()
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    fn is_end(&self, position: &Position) -> bool {
        self.settings.ends != EndValue::Ignore
            && position.score(!position.turn()) >= self.settings.marbles_to_win
    }

    /// The value of the end of the game for the side to move, which has lost.
    fn end(&mut self, position: &Position) -> f64 {
        match self.settings.ends {
            EndValue::Win => f64::from(position.ply().saturating_sub(self.root_ply)) - WIN,
            EndValue::Leaf | EndValue::Ignore => self.leaf(position),
        }
    }

    /// The static value for the side to move. It is always the root player's value, also at even depths,
    /// where the authors' program would take the other player's.
    fn leaf(&mut self, position: &Position) -> f64 {
        let value = if self.settings.table {
            match self.table.get(position.hash()) {
                Some(value) => value,
                None => {
                    let value = self.evaluate(position);
                    self.table.put(position.hash(), value);
                    value
                }
            }
        } else {
            self.evaluate(position)
        };
        if position.turn() == self.player { value } else { -value }
    }

    fn evaluate(&mut self, position: &Position) -> f64 {
        self.evaluations += 1;
        self.settings.evaluator.value(position, self.player, self.before)
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::{Layout, fen, perft};

    use super::super::eval::{Function, Neutral};
    use super::*;
    use crate::testing::positions;

    const ORDERINGS: [Ordering; 3] = [Ordering::Full, Ordering::Simple, Ordering::Random];

    /// The definition: the best of the children's values for the side to move, without any refinement.
    fn minimax(position: &Position, depth: u32, root: &Position, evaluator: &Evaluator) -> f64 {
        let mover = !position.turn();
        let moves = position.legal_moves();
        if position.score(mover) >= 6 {
            let won = WIN - f64::from(position.ply() - root.ply());
            return if mover == root.turn() { won } else { -won };
        }
        if depth == 0 || moves.is_empty() {
            return evaluator.value(position, root.turn(), scores(root));
        }
        let values = moves.iter().map(|&m| minimax(&position.play_unchecked(m), depth - 1, root, evaluator));
        if position.turn() == root.turn() {
            values.fold(f64::NEG_INFINITY, f64::max)
        } else {
            values.fold(f64::INFINITY, f64::min)
        }
    }

    fn assert_lossless(function: Function) {
        let evaluator = Evaluator::new(function);
        for position in positions() {
            for depth in 1..=3 {
                let expected = minimax(&position, depth, &position, &evaluator);
                for (ordering, table) in ORDERINGS.into_iter().flat_map(|o| [(o, true), (o, false)]) {
                    let settings = Settings { ordering, table, ..Settings::new(evaluator) };
                    let found = search(&position, depth, &settings, 1).expect("a move");
                    assert_eq!(found.value, expected, "{ordering:?}, table {table}, {depth}: {position:?}");
                    let next = position.play_unchecked(found.best);
                    assert_eq!(minimax(&next, depth - 1, &position, &evaluator), expected, "{position:?}");
                }
            }
        }
    }

    #[test]
    fn pruning_orderings_and_table_do_not_change_the_neutral_value() {
        assert_lossless(Function::Neutral);
    }

    #[test]
    fn pruning_orderings_and_table_do_not_change_the_offensive_value() {
        assert_lossless(Function::Offensive);
    }

    #[test]
    fn pruning_orderings_and_table_do_not_change_the_defensive_value() {
        assert_lossless(Function::Defensive);
    }

    #[test]
    fn pruning_orderings_and_table_do_not_change_the_mixed_value() {
        assert_lossless(Function::Mix);
    }

    #[test]
    fn pruning_does_not_change_the_move() {
        for position in positions() {
            let pruned = Settings::new(Evaluator::new(Function::Neutral));
            let whole = Settings { pruning: false, ..pruned };
            let best = |settings| search(&position, 3, settings, 1).expect("a move").best;
            assert_eq!(best(&pruned), best(&whole), "{position:?}");
        }
    }

    #[test]
    fn without_pruning_every_node_is_investigated() {
        let start = Layout::named("belgian-daisy").expect("a layout").position();
        let pruned = Settings::new(Evaluator::new(Function::Neutral));
        let whole = Settings { pruning: false, table: false, ..pruned };
        let all = search(&start, 3, &whole, 1).expect("a move");
        let leaves = perft::count(&start, 3);
        assert_eq!((all.investigated, all.evaluations), (52 + 2692 + leaves, leaves));
        let some = search(&start, 3, &pruned, 1).expect("a move");
        assert!(some.investigated * 5 < all.investigated, "{some:?} of {all:?}");
        assert!(some.evaluations <= some.investigated, "{some:?}");
    }

    #[test]
    fn a_cutting_child_is_not_counted() {
        // A marble on A1 against one on I9: both have three moves. The replies come in the order I8, H8, H9,
        // at distances 4, 3, 4 from the centre. After B1, at 4 itself, f1 is 0, -1, 0: all three replies are
        // investigated, and the least is 3 x -1. After B2, at 3, f1 is 1, 0, 1: all three again, the least
        // is 0. After A2, at 4, the first reply has f1 = 0, no better than B2: it cuts, and is not counted.
        // In all 3 + 3 + 0 replies and three moves.
        let position = fen::parse("4s/6/7/8/9/8/7/6/S4").expect("a FEN");
        let settings = Settings::new(Evaluator::new(Function::Neutral));
        let found = search(&position, 2, &settings, 1).expect("a move");
        assert_eq!((found.investigated, found.value), (9, 0.0));
    }

    #[test]
    fn the_last_of_equal_moves_is_taken_on_demand() {
        // A lone marble in the middle: all its moves are equal.
        let position = fen::parse("4s/6/7/8/4S4/8/7/6/5").expect("a FEN");
        let first = Settings::new(Evaluator::new(Function::Neutral));
        let last = Settings { last: true, ..first };
        let order: Vec<Move> = Ordered::new(&position, Ordering::Full, &mut Rng::new(1)).iter().collect();
        let best = |settings| search(&position, 1, settings, 1).map(|found| found.best);
        assert_eq!((best(&first), best(&last)), (order.first().copied(), order.last().copied()));
    }

    #[test]
    fn the_game_goes_on_past_its_end_on_demand_only() {
        // E7 and E8 push E9 off and win.
        let position = fen::parse("5/6/7/8/6SSs/8/7/6/2ssS 5 0 b 0 1").expect("a FEN");
        let mut stops = Settings { ends: EndValue::Leaf, ..Settings::new(Evaluator::new(Function::Neutral)) };
        stops.evaluator.weights.neutral = Neutral::constant(Neutral::TENTH);
        let goes_on = Settings { ends: EndValue::Ignore, ..stops };
        let value = |settings| search(&position, 2, settings, 1).expect("a move").value;
        // At the end f1 = (4 + 4) - (3 + 4 + 4), f2 = 2 - 2, f4 = -1 (A4), f5 = 1: -3 - 1 + 100000. A reply,
        // such as A3 and A4 to B4 and B5, makes it less.
        assert_eq!(value(&stops), 99_996.0);
        assert!(value(&goes_on) < value(&stops));
    }

    #[test]
    fn a_win_is_worth_more_than_a_later_one_and_a_loss_the_opposite() {
        // E7 and E8 push E9 off and win.
        let position = fen::parse("5/6/7/8/6SSs/8/7/6/2ssS 5 0 b 0 1").expect("a FEN");
        let settings = Settings::new(Evaluator::new(Function::Neutral));
        let value = |position, depth| search(&position, depth, &settings, 1).expect("a move").value;
        assert_eq!([1, 2, 3].map(|depth| value(position, depth)), [WIN - 1.0; 3]);
        // White to move cannot save E9, which has no way out; A1 may go where it likes.
        let walled = fen::parse("5/6/7/7S/6SSs/7S/7/6/s4 5 0 w 0 1").expect("a FEN");
        assert_eq!(value(walled, 2), 2.0 - WIN);
    }

    #[test]
    fn the_tree_costs_an_evaluation_for_each_node_or_each_position() {
        let start = Layout::named("belgian-daisy").expect("a layout").position();
        assert_eq!(tree_evaluations(&start, 2, false), 52 + 2692);
        let mut positions = HashSet::new();
        start.for_each_move(|a| {
            let one = start.play_unchecked(a);
            positions.insert(one.hash());
            one.for_each_move(|b| {
                let two = one.play_unchecked(b);
                positions.insert(two.hash());
                two.for_each_move(|c| {
                    positions.insert(two.play_unchecked(c).hash());
                });
            });
        });
        assert_eq!(tree_evaluations(&start, 3, true), positions.len() as u64);
        assert!(tree_evaluations(&start, 3, true) < tree_evaluations(&start, 3, false));
    }
}
