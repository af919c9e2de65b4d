//! Which moves are legal: all of them at once, how many there are, and the test of a single one.

use crate::bitboard::Bitboard;
use crate::cell::{Cell, Direction};
use crate::color::Color;
use crate::moves::{Move, MoveList};
use crate::position::{IllegalMove, Position};

/// The own marbles from which a move in one direction can start, found for all of them at once.
struct Starts {
    /// Tails of moves in line, by the number of own marbles, one to three. A tail is in one set only.
    inline: [Bitboard; 3],
    /// For both axes of [`across`], the lower ends of pairs and of triples.
    broadside: [[Bitboard; 2]; 2],
}

impl Starts {
    #[inline(always)]
    fn new(own: Bitboard, enemy: Bitboard, direction: Direction) -> Starts {
        let before_empty = (!(own | enemy)).before(direction);
        // Enemy marbles that one more marble can push, alone or as the nearer of two.
        let last = enemy & (before_empty | EXITS[direction as usize]);
        let before_last = last.before(direction);
        let nearer = enemy & before_last;

        let free = own & before_empty;
        let facing_one = own & before_last;
        let facing_two = own & nearer.before(direction);
        let two = own & (free | facing_one).before(direction);
        let second = own & facing_two.before(direction);
        let three = own & (two | second).before(direction);
        let [a, b] = across(direction);
        let (pair, other) = (free & free.before(a), free & free.before(b));
        let broadside = [[pair, pair & pair.before(a)], [other, other & other.before(b)]];
        Starts { inline: [free, two, three], broadside }
    }

    #[inline(always)]
    fn count(&self) -> u32 {
        let [one, two, three] = self.inline;
        let [[pairs, triples], [other_pairs, other_triples]] = self.broadside;
        let sideways = pairs.len() + triples.len() + other_pairs.len() + other_triples.len();
        ((one | two | three).len() + sideways) as u32
    }
}

/// The two axes along which a line can move sideways in this direction.
#[inline(always)]
const fn across(direction: Direction) -> [Direction; 2] {
    [direction.turned(1).axis(), direction.turned(2).axis()]
}

/// The cell whose index is 0, for the moves that [`MoveList::push_all`] takes as a model.
const FIRST: Cell = Cell::CENTRE;

/// For each direction, the cells from which a step leaves the board.
const EXITS: [Bitboard; 6] = exits_table();

const fn exits_table() -> [Bitboard; 6] {
    let mut table = [Bitboard::EMPTY; 6];
    let mut d = 0;
    while d < 6 {
        table[d] = Bitboard::from_bits(!Bitboard::ALL.before(Direction::ALL[d]).bits());
        d += 1;
    }
    table
}

/// The body once for each direction, which is then a constant: eight times as fast as a loop.
macro_rules! each_direction {
    ($direction:ident => $body:expr) => {
        each_direction!($direction => $body, East NorthEast NorthWest West SouthWest SouthEast)
    };
    ($direction:ident => $body:expr, $($name:ident)*) => {
        $({
            const $direction: Direction = Direction::$name;
            $body
        })*
    };
}

/// The tails of two and of three marbles that can push an enemy marble off in this direction.
#[inline(always)]
fn ejecting(own: Bitboard, enemy: Bitboard, direction: Direction) -> [Bitboard; 2] {
    pushing(own, enemy, enemy & EXITS[direction as usize], direction)
}

/// The tails of two and of three marbles that can push so that `last` is the foremost enemy marble.
#[inline(always)]
fn pushing(own: Bitboard, enemy: Bitboard, last: Bitboard, direction: Direction) -> [Bitboard; 2] {
    let before_last = last.before(direction);
    let two = own & (own & before_last).before(direction);
    let second = own & (own & (enemy & before_last).before(direction)).before(direction);
    [two, own & (two | second).before(direction)]
}

/// How many moves a side with these marbles has.
#[inline(always)]
fn count(own: Bitboard, enemy: Bitboard) -> u32 {
    let mut moves = 0;
    each_direction!(DIRECTION => moves += Starts::new(own, enemy, DIRECTION).count());
    moves
}

/// How many moves there are in all positions together, given by own and enemy marbles. A loop without
/// branches over plain words: the compiler counts several positions at once in vector registers.
#[inline(never)]
pub(crate) fn count_all(own: &[Bitboard], enemy: &[Bitboard]) -> u64 {
    own.iter().zip(enemy).map(|(&own, &enemy)| u64::from(count(own, enemy))).sum()
}

impl MoveList {
    /// Adds the pushes of two and of three marbles from these tails: seldom any.
    #[inline(always)]
    fn push_inline(&mut self, [two, three]: [Bitboard; 2], direction: Direction) {
        if !(two | three).is_empty() {
            self.push_all(two, Move::pack_inline(FIRST, direction, 2));
            self.push_all(three, Move::pack_inline(FIRST, direction, 3));
        }
    }
}

impl Position {
    /// Every legal move. The order is the same each time and has no meaning.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.for_each_move(|m| list.push(m));
        list
    }

    /// Calls `f` with every legal move, in the order of [`Position::legal_moves`].
    #[inline]
    pub fn for_each_move(&self, mut f: impl FnMut(Move)) {
        let (own, enemy) = (self.own(), self.enemy());
        each_direction!(DIRECTION => {
            let starts = Starts::new(own, enemy, DIRECTION);
            for (set, count) in starts.inline.into_iter().zip(1..) {
                set.iter().for_each(|tail| f(Move::pack_inline(tail, DIRECTION, count)));
            }
            for (axis, sets) in across(DIRECTION).into_iter().zip(starts.broadside) {
                for (set, count) in sets.into_iter().zip(2..) {
                    set.iter().for_each(|tail| f(Move::pack_broadside(tail, axis, DIRECTION, count)));
                }
            }
        });
    }

    /// Adds every legal move that pushes a marble off the board.
    #[inline]
    pub fn add_ejections(&self, list: &mut MoveList) {
        let (own, enemy) = (self.own(), self.enemy());
        if (enemy & Bitboard::RIM).is_empty() {
            return;
        }
        each_direction!(DIRECTION => {
            list.push_inline(ejecting(own, enemy, DIRECTION), DIRECTION);
        });
    }

    /// Adds every legal move that pushes and leaves all marbles on the board.
    #[inline]
    pub fn add_pushes(&self, list: &mut MoveList) {
        let (own, enemy, empty) = (self.own(), self.enemy(), self.empty());
        each_direction!(DIRECTION => {
            let last = enemy & empty.before(DIRECTION);
            list.push_inline(pushing(own, enemy, last, DIRECTION), DIRECTION);
        });
    }

    /// Adds every legal move that pushes nothing.
    #[inline]
    pub fn add_quiet_moves(&self, list: &mut MoveList) {
        let (own, empty) = (self.own(), self.empty());
        each_direction!(DIRECTION => {
            let one = own & empty.before(DIRECTION);
            let two = own & one.before(DIRECTION);
            let three = own & two.before(DIRECTION);
            for (set, count) in [one, two, three].into_iter().zip(1..) {
                list.push_all(set, Move::pack_inline(FIRST, DIRECTION, count));
            }
            for axis in across(DIRECTION) {
                let pair = one & one.before(axis);
                let triple = pair & pair.before(axis);
                for (set, count) in [pair, triple].into_iter().zip(2..) {
                    list.push_all(set, Move::pack_broadside(FIRST, axis, DIRECTION, count));
                }
            }
        });
    }

    /// How many moves a side would have that push a marble off, if it were to move.
    #[inline]
    pub fn count_ejections(&self, color: Color) -> usize {
        let (own, enemy) = (self.marbles(color), self.marbles(!color));
        let mut moves = 0;
        each_direction!(DIRECTION => {
            let [two, three] = ejecting(own, enemy, DIRECTION);
            moves += two.len() + three.len();
        });
        moves
    }

    /// How many legal moves there are, without making a list.
    #[inline]
    pub fn count_moves(&self) -> usize {
        count(self.own(), self.enemy()) as usize
    }

    /// Whether the side to move has a legal move.
    pub fn can_move(&self) -> bool {
        self.count_moves() > 0
    }

    /// Whether a move is legal here.
    #[inline]
    pub fn is_legal(&self, m: Move) -> bool {
        // The first test alone settles most: `check` would look for the cell to name.
        self.own().contains_all(m.cells()) && self.check(m).is_ok()
    }

    /// Says why a move is not legal here, if it is not.
    pub fn check(&self, m: Move) -> Result<(), IllegalMove> {
        if let Some(cell) = (m.cells() - self.own()).sorted().next() {
            return Err(IllegalMove::NoMarble { cell, turn: self.turn() });
        }
        if m.is_broadside() {
            let targets = m.cells().shift(m.direction());
            return match (targets - self.empty()).sorted().next() {
                Some(cell) => Err(IllegalMove::NotEmpty(cell)),
                None => Ok(()),
            };
        }
        self.check_inline(m)
    }

    fn check_inline(&self, m: Move) -> Result<(), IllegalMove> {
        let (direction, own) = (m.direction(), m.count());
        let Some(ahead) = m.head().step(direction) else { return Err(IllegalMove::LeavesBoard(m.head())) };
        if self.own().contains(ahead) {
            let too_long = own == 3;
            return Err(if too_long {
                IllegalMove::LineTooLong(m.tail())
            } else {
                IllegalMove::OwnInTheWay(ahead)
            });
        }
        let mut enemies = 0;
        let mut behind = Some(ahead);
        while let Some(cell) = behind.filter(|&cell| self.enemy().contains(cell)) {
            enemies += 1;
            behind = cell.step(direction);
        }
        match behind {
            _ if enemies > 0 && enemies >= own => Err(IllegalMove::TooWeak { own, enemy: ahead }),
            Some(cell) if self.own().contains(cell) => Err(IllegalMove::PushBlocked(cell)),
            _ => Ok(()),
        }
    }

    /// How many enemy marbles a legal move pushes, 0 to 2.
    pub fn pushed(&self, m: Move) -> usize {
        if m.is_broadside() {
            return 0;
        }
        let mut cell = m.head().step(m.direction());
        let mut pushed = 0;
        while let Some(enemy) = cell.filter(|&c| self.enemy().contains(c)) {
            pushed += 1;
            cell = enemy.step(m.direction());
        }
        pushed
    }

    /// Whether a legal move pushes a marble off the board.
    pub fn ejects(&self, m: Move) -> bool {
        self.pushed(m) > 0 && self.landing(m).is_none()
    }

    /// Where the foremost marble of a legal move in line ends up, own or pushed; `None` if it is ejected.
    pub(crate) fn landing(&self, m: Move) -> Option<Cell> {
        m.tail().steps(m.direction(), m.count() + self.pushed(m))
    }
}
