//! In which order moves are tried: the table's move, ejections, pushes, killers, then by history.

use sumito_rules::{Cell, Color, Direction, Move, MoveList, Position};

/// What was good before: by side and move, and as an answer to the move before.
pub(crate) struct History {
    quiet: Vec<[i16; Move::TABLE]>,
    counter: Vec<Option<Move>>,
}

const LIMIT: i32 = 16_000;

impl History {
    pub(crate) fn new() -> History {
        History { quiet: vec![[0; Move::TABLE]; 2], counter: vec![None; 2 * Move::TABLE] }
    }

    pub(crate) fn quiet(&self, side: Color, m: Move) -> i32 {
        self.quiet[side.index()][usize::from(m.bits())].into()
    }

    /// Moves a move's history towards its limit; the nearer it is, the less.
    pub(crate) fn update(&mut self, side: Color, m: Move, bonus: i32) {
        let slot = &mut self.quiet[side.index()][usize::from(m.bits())];
        let old = i32::from(*slot);
        *slot = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }

    pub(crate) fn counter(&self, side: Color, last: Option<Move>) -> Option<Move> {
        self.counter[side.index() * Move::TABLE + usize::from(last?.bits())]
    }

    pub(crate) fn set_counter(&mut self, side: Color, last: Option<Move>, answer: Move) {
        if let Some(last) = last {
            self.counter[side.index() * Move::TABLE + usize::from(last.bits())] = Some(answer);
        }
    }
}

/// The kind of a move, as far as ordering and reductions care.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Quiet,
    Push,
    Ejection,
}

/// Whether a legal move pushes, and whether it pushes off.
#[inline]
pub(crate) fn kind(position: &Position, m: Move) -> Kind {
    if m.count() == 1 || m.is_broadside() {
        return Kind::Quiet;
    }
    let direction = m.direction();
    let enemy = position.enemy();
    let Some(first) = m.tail().steps(direction, m.count()).filter(|&cell| enemy.contains(cell)) else {
        return Kind::Quiet;
    };
    match first.step(direction) {
        None => Kind::Ejection,
        Some(second) if enemy.contains(second) && second.step(direction).is_none() => Kind::Ejection,
        Some(_) => Kind::Push,
    }
}

/// A move with its place in the order.
#[derive(Clone, Copy)]
pub(crate) struct Ranked {
    pub(crate) m: Move,
    pub(crate) kind: Kind,
    pub(crate) rank: i32,
}

/// Fills the places of a picker that no move takes.
const BLANK: Ranked = match Move::inline(Cell::CENTRE, Direction::East, 1) {
    Some(m) => Ranked { m, kind: Kind::Quiet, rank: 0 },
    None => panic!("a marble can go east from the centre"),
};

/// Gives out the moves of a position, best first, sorting only as far as it is asked.
pub(crate) struct Picker {
    moves: [Ranked; MoveList::CAPACITY],
    len: usize,
    next: usize,
}

/// The moves that deserve to come early.
pub(crate) struct Favourites {
    pub(crate) table: Option<Move>,
    pub(crate) killers: [Option<Move>; 2],
    pub(crate) counter: Option<Move>,
}

impl Picker {
    pub(crate) fn new(position: &Position, favourites: &Favourites, history: &History) -> Picker {
        let mut picker = Picker { moves: [BLANK; MoveList::CAPACITY], len: 0, next: 0 };
        let side = position.turn();
        position.for_each_move(|m| {
            let kind = kind(position, m);
            let rank = rank(m, kind, favourites) + history.quiet(side, m) + 200 * m.count() as i32;
            picker.moves[picker.len] = Ranked { m, kind, rank };
            picker.len += 1;
        });
        picker
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

fn rank(m: Move, kind: Kind, favourites: &Favourites) -> i32 {
    if favourites.table == Some(m) {
        return 10_000_000;
    }
    let favoured = match Some(m) {
        killer if killer == favourites.killers[0] => 60_000,
        killer if killer == favourites.killers[1] => 50_000,
        counter if counter == favourites.counter => 40_000,
        _ => 0,
    };
    match kind {
        Kind::Ejection => 1_000_000,
        Kind::Push => favoured + 8_000,
        Kind::Quiet => favoured,
    }
}

impl Iterator for Picker {
    type Item = Ranked;

    #[inline]
    fn next(&mut self) -> Option<Ranked> {
        let rest = &mut self.moves[self.next..self.len];
        let best = (0..rest.len()).max_by_key(|&i| (rest[i].rank, std::cmp::Reverse(i)))?;
        rest.swap(0, best);
        self.next += 1;
        Some(rest[0])
    }
}
