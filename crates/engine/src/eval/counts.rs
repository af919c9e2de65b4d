//! Counts every term for one side, over sets of marbles at once.

use sumito_rules::{Bitboard, Cell, Direction};

use super::geometry::Shape;
use super::terms::{Slot, TERMS};

/// How often each term applies to a side.
pub type Counts = [i16; TERMS];

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

/// For each direction, the cells inside the rim from which a step leads on to it.
const RIMWARD: [Bitboard; 6] = rimward_table();

const fn rimward_table() -> [Bitboard; 6] {
    let mut table = [Bitboard::EMPTY; 6];
    let mut d = 0;
    while d < 6 {
        let before = Bitboard::RIM.before(Direction::ALL[d]).bits();
        table[d] = Bitboard::from_bits(before & !Bitboard::RIM.bits());
        d += 1;
    }
    table
}

const CORNERS: Bitboard = corners();

const fn corners() -> Bitboard {
    let mut set = Bitboard::EMPTY;
    let mut i = 0;
    while i < 61 {
        let cell = Cell::ALL[i];
        let (row, number) = (cell.row(), cell.number());
        if cell.ring() == 4 && (row == 5 || number == 5 || row == number) {
            set.insert(cell);
        }
        i += 1;
    }
    set
}

const RING2: Bitboard = Bitboard::ring(2);
const RING3: Bitboard = Bitboard::ring(3);
const HEART: Bitboard = Bitboard::from_bits(Bitboard::ring(0).bits() | Bitboard::ring(1).bits());

/// The body once for each direction, which is then a constant.
macro_rules! each {
    ([$($name:ident)*], $direction:ident => $body:expr) => {
        $({
            const $direction: Direction = Direction::$name;
            $body
        })*
    };
}

macro_rules! each_direction {
    ($direction:ident => $body:expr) => {
        each!([East NorthEast NorthWest West SouthWest SouthEast], $direction => $body)
    };
}

macro_rules! each_axis {
    ($direction:ident => $body:expr) => {
        each!([East NorthEast NorthWest], $direction => $body)
    };
}

/// A set moved one step in each of the six directions.
type Moved = [Bitboard; 6];

#[inline(always)]
fn moved(set: Bitboard) -> Moved {
    let mut all = [Bitboard::EMPTY; 6];
    each_direction!(D => all[D as usize] = set.shift(D));
    all
}

/// How many of six sets each cell is in, as three binary digits, the lowest first.
#[inline(always)]
fn tally([a, b, c, d, e, f]: Moved) -> [Bitboard; 3] {
    let add = |a: Bitboard, b: Bitboard, c: Bitboard| (a ^ b ^ c, a & b | c & (a ^ b));
    let (low, carry) = add(a, b, c);
    let (other, other_carry) = add(d, e, f);
    let last = low & other;
    let (twos, fours) = add(carry, other_carry, last);
    [low ^ other, twos, fours]
}

/// What both sides' marbles look like, moved one step in every direction.
pub(super) struct Board {
    pub(super) own: Bitboard,
    pub(super) enemy: Bitboard,
    pub(super) own_moved: Moved,
    pub(super) enemy_moved: Moved,
    /// The empty cells, moved one step in every direction.
    pub(super) empty_moved: Moved,
}

impl Board {
    #[inline(always)]
    pub(super) fn new(own: Bitboard, enemy: Bitboard) -> Board {
        let empty_moved = moved(!(own | enemy));
        Board { own, enemy, own_moved: moved(own), enemy_moved: moved(enemy), empty_moved }
    }

    #[inline(always)]
    pub(super) fn swapped(self) -> Board {
        let Board { own, enemy, own_moved, enemy_moved, empty_moved } = self;
        Board { own: enemy, enemy: own, own_moved: enemy_moved, enemy_moved: own_moved, empty_moved }
    }
}

/// The slots of terms that count differently for the side to move.
struct Turn {
    push: [Slot; 3],
    pushed: Slot,
    to_rim: Slot,
    eject: Slot,
    victim: Slot,
    victims: Slot,
}

const MOVER: Turn = Turn {
    push: [Slot::Push21, Slot::Push31, Slot::Push32],
    pushed: Slot::Pushed,
    to_rim: Slot::ToRim,
    eject: Slot::Eject,
    victim: Slot::Victim,
    victims: Slot::Victims,
};
const WAITER: Turn = Turn {
    push: [Slot::Push21Wait, Slot::Push31Wait, Slot::Push32Wait],
    pushed: Slot::PushedWait,
    to_rim: Slot::ToRimWait,
    eject: Slot::EjectWait,
    victim: Slot::VictimWait,
    victims: Slot::VictimsWait,
};

#[inline(always)]
fn len(set: Bitboard) -> i16 {
    set.len() as i16
}

/// The counts of the side whose marbles are the board's own.
#[inline(always)]
pub(super) fn count<const MOVES: bool>(board: &Board, shape: &Shape) -> Counts {
    let mut counts = [0; TERMS];
    counts[Slot::Tempo as usize] = i16::from(MOVES);
    counts[Slot::Marbles as usize] = len(board.own);
    counts[Slot::Distance as usize] = shape.distance;
    counts[Slot::Spread as usize] = shape.spread;
    counts[Slot::Reach as usize] = shape.reach;
    counts[Slot::Offset as usize] = shape.offset;
    count_places(board, &mut counts);
    count_lines(board, &mut counts);
    count_pushes(board, if MOVES { &MOVER } else { &WAITER }, &mut counts);
    counts
}

/// Where marbles stand, and beside whom.
#[inline(always)]
fn count_places(board: &Board, counts: &mut Counts) {
    let own = board.own;
    let mut put = |slot: Slot, set: Bitboard| counts[slot as usize] = len(set);
    put(Slot::Heart, own & HEART);
    put(Slot::Ring2, own & RING2);
    put(Slot::Ring3, own & RING3);
    put(Slot::Corner, own & CORNERS);
    let [ones, twos, fours] = tally(board.own_moved);
    let few = own - fours;
    put(Slot::Alone, few - ones - twos);
    put(Slot::Friend1, (few & ones) - twos);
    put(Slot::Friend2, (few & twos) - ones);
    let four = (own & fours) - ones - twos;
    put(Slot::Friend4, four);
    put(Slot::RimFirm, four & Bitboard::RIM);
    put(Slot::Friend5, own & fours & ones);
    put(Slot::Friend6, own & fours & twos);
    let weak = few - twos;
    let [ones, twos, fours] = tally(board.enemy_moved);
    let (zero, three) = (ones | twos | fours, ones & twos);
    let (one, two) = (ones - twos - fours, twos - ones - fours);
    put(Slot::Foe0, own - zero);
    put(Slot::Foe1, own & one);
    put(Slot::Foe3, own & three);
    put(Slot::Foe4, own & fours);
    put(Slot::Lost, weak & (three | fours));
    put(Slot::RimFoe1, own & Bitboard::RIM & one);
    put(Slot::RimFoe2, own & Bitboard::RIM & two);
    put(Slot::RimFoe3, own & Bitboard::RIM & (three | fours));
    put(Slot::Ring3Foe, own & RING3 & zero);
    put(Slot::Ring2Foe, own & RING2 & zero);
}

/// What stands in a row.
#[inline(always)]
fn count_lines(board: &Board, counts: &mut Counts) {
    let Board { own, enemy, own_moved, .. } = board;
    let (own, enemy) = (*own, *enemy);
    let empty = !(own | enemy);
    let mut sums = [0; 5];
    each_axis!(A => {
        let (from, to) = (own_moved[A as usize], own_moved[A.opposite() as usize]);
        let both = from & to;
        let middle = own & both;
        sums[0] += len(middle);
        sums[1] += len(middle & middle.shift(A));
        sums[2] += len(enemy & both);
        sums[3] += len((enemy & from).shift(A) & enemy & to);
        sums[4] += len(empty & both);
    });
    let slots = [Slot::Triple, Slot::Quad, Slot::Split, Slot::Split2, Slot::Gap];
    slots.into_iter().zip(sums).for_each(|(slot, sum)| counts[slot as usize] = sum);
}

/// What the side can push, and off.
#[inline(always)]
fn count_pushes(board: &Board, turn: &Turn, counts: &mut Counts) {
    let Board { own, enemy, own_moved, empty_moved, .. } = board;
    let (own, enemy) = (*own, *enemy);
    let empty = !(own | enemy);
    let mut pushes = [0; 3];
    let (mut blocked, mut ejections, mut half, mut far) = (0, 0, 0, 0);
    let [mut pushed, mut to_rim, mut victims, mut aimed] = [Bitboard::EMPTY; 4];
    each_direction!(D => {
        const EXIT: Bitboard = EXITS[D as usize];
        let back = D.opposite() as usize;
        // Cells with one, two, three own marbles behind them.
        let one = own_moved[D as usize];
        let two = (own & one).shift(D);
        let three = (own & two).shift(D);
        let last = enemy & (empty_moved[back] | EXIT);
        let single = two & last;
        let second = (three & enemy).shift(D) & last;
        pushes[0] += len(single - three);
        pushes[1] += len(single & three);
        pushes[2] += len(second);
        blocked += len(enemy & two & own_moved[back]);
        let moved = single | second;
        pushed |= moved | second.before(D);
        to_rim |= moved & RIMWARD[D as usize];
        ejections += len(single & EXIT) + len(second & EXIT);
        victims |= moved & EXIT;
        let edge = enemy & EXIT;
        aimed |= edge & one;
        half += len((edge & one) - two);
        far += len(edge & (empty & two).shift(D));
    });
    let mut put = |slot: Slot, count: i16| counts[slot as usize] = count;
    for (slot, count) in turn.push.into_iter().zip(pushes) {
        put(slot, count);
    }
    put(turn.pushed, len(pushed));
    put(turn.to_rim, len(to_rim));
    put(turn.eject, ejections);
    put(turn.victim, i16::from(!victims.is_empty()));
    put(turn.victims, i16::from(victims.len() > 1));
    put(Slot::Blocked, blocked);
    put(Slot::Aimed, len(aimed));
    put(Slot::Half, half);
    put(Slot::Far, far);
}
