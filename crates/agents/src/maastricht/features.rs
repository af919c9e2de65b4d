//! The ten heuristics of section 4.1, counted with sets of cells.

use sumito_rules::{Bitboard, ByColor, Color, Direction, Position};

/// A position as one player sees it: what the heuristics f1 to f8 are functions of.
///
/// The view is that of a player, not of the side to move. The document speaks of the current player and
/// searches to depth 3, where the two are the same at the leaves.
#[derive(Clone, Copy, Debug)]
pub struct View {
    own: Bitboard,
    enemy: Bitboard,
    own_lost: u8,
    enemy_lost: u8,
}

impl View {
    /// The position as `player` sees it. `before` are the scores at the beginning of the search: losses
    /// count from there (f5 and f6).
    #[inline]
    pub fn new(position: &Position, player: Color, before: ByColor<u8>) -> View {
        let won_since = |color| position.score(color).saturating_sub(before[color]);
        View {
            own: position.marbles(player),
            enemy: position.marbles(!player),
            own_lost: won_since(!player),
            enemy_lost: won_since(player),
        }
    }

    /// Distance from the centre: the enemy's sum minus one's own, so that nearer is positive.
    #[inline]
    pub fn f1(&self) -> i32 {
        distance(self.enemy) - distance(self.own)
    }

    /// One's own sum of distances from the centre.
    #[inline]
    pub fn f1bis(&self) -> i32 {
        distance(self.own)
    }

    /// Cohesion: one's own pairs of marble and neighbour minus the enemy's.
    #[inline]
    pub fn f2(&self) -> i32 {
        neighbours(self.own) - neighbours(self.enemy)
    }

    /// One's own pairs of marble and neighbour; two adjacent marbles are two pairs.
    #[inline]
    pub fn f2bis(&self) -> i32 {
        neighbours(self.own)
    }

    /// Strong groups broken: own marbles between two enemies, once for each axis, minus the enemy's.
    #[inline]
    pub fn f3(&self) -> i32 {
        between(self.own, self.enemy) - between(self.enemy, self.own)
    }

    /// Contacts: own marbles between an own and an enemy marble, once for each axis, minus the enemy's.
    #[inline]
    pub fn f4(&self) -> i32 {
        contacts(self.own, self.enemy) - contacts(self.enemy, self.own)
    }

    /// One's own part of [`View::f4`].
    #[inline]
    pub fn f4_own(&self) -> i32 {
        contacts(self.own, self.enemy)
    }

    /// Enemy marbles lost since the beginning of the search.
    #[inline]
    pub fn f5(&self) -> i32 {
        self.enemy_lost.into()
    }

    /// Own marbles lost since the beginning of the search.
    #[inline]
    pub fn f6(&self) -> i32 {
        self.own_lost.into()
    }

    /// Sumito positions: moves that would push an enemy marble off, were it one's turn.
    #[inline]
    pub fn f7(&self) -> i32 {
        pushes(self.own, self.enemy, Bitboard::EMPTY)
    }

    /// Pushing positions: moves that would push an enemy marble at all, those of [`View::f7`] among them.
    #[inline]
    pub fn f8(&self) -> i32 {
        pushes(self.own, self.enemy, !(self.own | self.enemy))
    }

    /// How many more marbles than the enemy one has on the board.
    pub(super) fn lead(&self) -> i32 {
        self.own.len() as i32 - self.enemy.len() as i32
    }

    /// How many marbles the enemy has on the board.
    #[inline]
    pub(super) fn enemies(&self) -> usize {
        self.enemy.len()
    }
}

/// Both players' scores: at the root of a search, what f5 and f6 count from.
pub fn scores(position: &Position) -> ByColor<u8> {
    ByColor::new(position.score(Color::Black), position.score(Color::White))
}

const fn union(a: Bitboard, b: Bitboard) -> Bitboard {
    Bitboard::from_bits(a.bits() | b.bits())
}

/// The distances from the centre, 0 to 4, as binary digits: the cells whose distance has the bit.
const DIGITS: [Bitboard; 3] = [
    union(Bitboard::ring(1), Bitboard::ring(3)),
    union(Bitboard::ring(2), Bitboard::ring(3)),
    Bitboard::ring(4),
];

#[inline]
fn distance(marbles: Bitboard) -> i32 {
    let [ones, twos, fours] = DIGITS.map(|cells| (marbles & cells).len() as i32);
    ones + 2 * twos + 4 * fours
}

/// The sum of a count over the three axes, each of them a constant to the compiler.
#[inline(always)]
fn over_axes(count: impl Fn(Direction) -> usize) -> i32 {
    let [a, b, c] = Direction::AXES;
    (count(a) + count(b) + count(c)) as i32
}

#[inline(always)]
fn neighbours(marbles: Bitboard) -> i32 {
    2 * over_axes(|axis| (marbles & marbles.shift(axis)).len())
}

#[inline(always)]
fn between(own: Bitboard, enemy: Bitboard) -> i32 {
    over_axes(|axis| (own & enemy.shift(axis) & enemy.before(axis)).len())
}

#[inline(always)]
fn contacts(own: Bitboard, enemy: Bitboard) -> i32 {
    over_axes(|axis| {
        let ahead = own.shift(axis) & enemy.before(axis);
        let behind = enemy.shift(axis) & own.before(axis);
        (own & (ahead | behind)).len()
    })
}

/// For each direction, the cells from which a step leaves the board.
const EXITS: [Bitboard; 6] = {
    let mut exits = [Bitboard::EMPTY; 6];
    let mut d = 0;
    while d < 6 {
        exits[d] = Bitboard::from_bits(!Bitboard::ALL.before(Direction::ALL[d]).bits());
        d += 1;
    }
    exits
};

/// How many moves of two and three own marbles push one or two enemies off the board, or on to a cell of
/// `free`.
#[inline(always)]
fn pushes(own: Bitboard, enemy: Bitboard, free: Bitboard) -> i32 {
    let [a, b, c, d, e, f] = Direction::ALL;
    let count = |direction| pushes_towards(own, enemy, free, direction);
    (count(a) + count(b) + count(c) + count(d) + count(e) + count(f)) as i32
}

#[inline(always)]
fn pushes_towards(own: Bitboard, enemy: Bitboard, free: Bitboard, direction: Direction) -> usize {
    let last = enemy & (EXITS[direction as usize] | free.before(direction));
    let before_last = last.before(direction);
    let pair_on_one = own & (own & before_last).before(direction);
    let pair_on_two = own & (own & (enemy & before_last).before(direction)).before(direction);
    let triple = own & (pair_on_one | pair_on_two).before(direction);
    pair_on_one.len() + triple.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::positions;

    fn views() -> impl Iterator<Item = (Position, Color, View)> {
        let both = |position| Color::ALL.map(|color| (position, color));
        let views = positions().into_iter().flat_map(both);
        views.map(|(position, color)| (position, color, View::new(&position, color, ByColor::default())))
    }

    #[test]
    fn distances_are_those_of_the_cells() {
        for (position, color, view) in views() {
            let sum = |color| position.marbles(color).iter().map(|cell| i32::from(cell.ring())).sum::<i32>();
            assert_eq!((view.f1bis(), view.f1()), (sum(color), sum(!color) - sum(color)));
        }
    }

    #[test]
    fn neighbours_breaks_and_contacts_are_those_of_the_cells() {
        for (position, color, view) in views() {
            let count = |color: Color| {
                let at = |cell: Option<sumito_rules::Cell>| cell.and_then(|cell| position.at(cell));
                let mut counts = [0; 3];
                for cell in position.marbles(color) {
                    for d in Direction::ALL {
                        let (ahead, behind) = (at(cell.step(d)), at(cell.step(d.opposite())));
                        counts[0] += i32::from(ahead == Some(color));
                        counts[1] += i32::from(ahead == Some(!color) && behind == Some(!color));
                        counts[2] += i32::from(ahead == Some(!color) && behind == Some(color));
                    }
                }
                // Each axis was seen from both ends, which a break looks the same from.
                [counts[0], counts[1] / 2, counts[2]]
            };
            let (own, enemy) = (count(color), count(!color));
            assert_eq!([view.f2(), view.f3(), view.f4()], [0, 1, 2].map(|i| own[i] - enemy[i]));
            assert_eq!([view.f2bis(), view.f4_own()], [own[0], own[2]]);
        }
    }

    #[test]
    fn sumito_and_pushing_positions_are_the_legal_moves_that_eject_and_push() {
        for (position, color, view) in views() {
            let turn = position.with_turn(color);
            let moves = turn.legal_moves();
            let ejecting = moves.iter().filter(|&&m| turn.ejects(m)).count() as i32;
            let pushing = moves.iter().filter(|&&m| turn.pushed(m) > 0).count() as i32;
            assert_eq!((view.f7(), view.f8()), (ejecting, pushing), "{turn:?}");
        }
    }
}
