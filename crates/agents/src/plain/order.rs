//! In which order the moves of a node are searched, and what is remembered for it.

use sumito_rules::{Color, Move, MoveList, Position};

use super::PlainIdeas;

/// Moves that cut before.
pub(super) struct Favourites {
    /// By side and move: the squares of the depths at which it cut.
    history: Vec<u32>,
    /// By ply: the last two that cut.
    killers: Vec<[Option<Move>; 2]>,
}

const MOVES: usize = 1 << 16;

impl Favourites {
    pub(super) fn new(ideas: &PlainIdeas, plies: usize) -> Favourites {
        let history = if ideas.history { vec![0; 2 * MOVES] } else { Vec::new() };
        Favourites { history, killers: vec![[None; 2]; plies] }
    }

    pub(super) fn forget(&mut self) {
        self.history.fill(0);
        self.killers.fill([None; 2]);
    }

    fn place(side: Color, m: Move) -> usize {
        usize::from(side == Color::White) * MOVES + usize::from(m.bits())
    }

    /// A move has cut.
    pub(super) fn reward(&mut self, side: Color, m: Move, depth: u32, ply: usize) {
        if let Some(slot) = self.history.get_mut(Favourites::place(side, m)) {
            *slot = slot.saturating_add(depth * depth);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
    }
}

/// What orders the moves of one node.
pub(super) struct Order<'a> {
    pub(super) ideas: &'a PlainIdeas,
    pub(super) favourites: &'a Favourites,
    pub(super) position: &'a Position,
    pub(super) ply: usize,
    /// The table's move.
    pub(super) first: Option<Move>,
}

/// A move with the static value of what it leads to, for the mover, where presorting is on.
pub(super) type Sorted = (Move, i32);

impl Order<'_> {
    /// The moves, those first that are likely to cut; `value` is that of what a move leads to.
    pub(super) fn sort(&self, moves: &MoveList, value: &dyn Fn(Move) -> i32) -> Vec<Sorted> {
        let mut sorted: Vec<Sorted> = moves.iter().map(|&m| (m, value(m))).collect();
        // Stable, and without an idea all keys are alike: the order of generation stays.
        sorted.sort_by_cached_key(|&(m, value)| std::cmp::Reverse(self.key(m, value)));
        sorted
    }

    /// The greater, the sooner: the table's move, killers, forcing moves, the static value, history, marbles.
    fn key(&self, m: Move, value: i32) -> (bool, bool, u8, i32, u32, usize) {
        let Order { ideas, favourites, position, ply, first } = *self;
        let is_killer = ideas.killers && favourites.killers[ply].contains(&Some(m));
        let force = if !ideas.forcing_first {
            0
        } else if position.ejects(m) {
            2
        } else {
            u8::from(position.pushed(m) > 0)
        };
        let history = match ideas.history {
            true => favourites.history[Favourites::place(position.turn(), m)],
            false => 0,
        };
        let marbles = if ideas.marbles_first { m.count() + position.pushed(m) } else { 0 };
        (first == Some(m), is_killer, force, value, history, marbles)
    }
}
