//! Counts every term for one side.

use sumito_rules::{Bitboard, Cell};

use super::geometry::Shape;
use super::lanes::{Found, Lane, SIDES};
use super::terms::{Slot, TERMS};

/// The terms, and as many empty places as fill whole vectors.
pub(super) const WIDTH: usize = TERMS.next_multiple_of(16);

/// How often each term applies to a side.
pub(super) type Counts = [i16; WIDTH];

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

/// How many own marbles each cell has beside it, as three binary digits, the lowest first.
pub(super) type Digits = [Bitboard; 3];

/// The neighbours of both sides.
#[inline(always)]
pub(super) fn digits(found: &Found) -> [Digits; 2] {
    SIDES.map(|[a, b]| {
        let [low, other, carry, other_carry] =
            [found.ones[a], found.ones[b], found.twos[a], found.twos[b]].map(Bitboard::from_bits);
        let last = low & other;
        let half = carry ^ other_carry;
        [low ^ other, half ^ last, carry & other_carry | last & half]
    })
}

/// The slots of terms that count differently for the side to move.
struct Turn {
    push21: Slot,
    push31: Slot,
    push32: Slot,
    pushed: Slot,
    to_rim: Slot,
    eject: Slot,
    victim: Slot,
    victims: Slot,
}

const MOVER: Turn = Turn {
    push21: Slot::Push21,
    push31: Slot::Push31,
    push32: Slot::Push32,
    pushed: Slot::Pushed,
    to_rim: Slot::ToRim,
    eject: Slot::Eject,
    victim: Slot::Victim,
    victims: Slot::Victims,
};
const WAITER: Turn = Turn {
    push21: Slot::Push21Wait,
    push31: Slot::Push31Wait,
    push32: Slot::Push32Wait,
    pushed: Slot::PushedWait,
    to_rim: Slot::ToRimWait,
    eject: Slot::EjectWait,
    victim: Slot::VictimWait,
    victims: Slot::VictimsWait,
};

/// The counts of one side: the mover, number 0, or the other, number 1.
#[inline(always)]
pub(super) fn count<const SIDE: usize>(
    own: Bitboard,
    digits: &[Digits; 2],
    shape: &Shape,
    found: &Found,
) -> Counts {
    let mut counts = [0; WIDTH];
    counts[Slot::Tempo as usize] = i16::from(SIDE == 0);
    counts[Slot::Marbles as usize] = own.len() as i16;
    counts[Slot::Distance as usize] = shape.distance;
    counts[Slot::Spread as usize] = shape.spread;
    counts[Slot::Offset as usize] = shape.offset;
    count_places(own, digits[SIDE], digits[1 - SIDE], &mut counts);
    count_lines::<SIDE>(found, &mut counts);
    counts
}

/// Where marbles stand, and beside whom.
#[inline(always)]
fn count_places(own: Bitboard, friends: Digits, foes: Digits, counts: &mut Counts) {
    let mut put = |slot: Slot, set: Bitboard| counts[slot as usize] = set.len() as i16;
    put(Slot::Heart, own & HEART);
    put(Slot::Ring2, own & RING2);
    put(Slot::Ring3, own & RING3);
    put(Slot::Corner, own & CORNERS);
    let [ones, twos, fours] = friends;
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
    let [ones, twos, fours] = foes;
    let (some, three) = (ones | twos | fours, ones & twos);
    let (one, two) = (ones - twos - fours, twos - ones - fours);
    put(Slot::Foe0, own - some);
    put(Slot::Foe1, own & one);
    put(Slot::Foe3, own & three);
    put(Slot::Foe4, own & fours);
    put(Slot::Lost, weak & (three | fours));
    put(Slot::RimFoe1, own & Bitboard::RIM & one);
    put(Slot::RimFoe2, own & Bitboard::RIM & two);
    put(Slot::RimFoe3, own & Bitboard::RIM & (three | fours));
    put(Slot::Ring3Foe, own & RING3 & some);
    put(Slot::Ring2Foe, own & RING2 & some);
}

/// What stands in a row, and what can be pushed, and off.
#[inline(always)]
fn count_lines<const SIDE: usize>(found: &Found, counts: &mut Counts) {
    let [a, b] = SIDES[SIDE];
    let turn = if SIDE == 0 { &MOVER } else { &WAITER };
    let mut put = |slot: Slot, count: u64| counts[slot as usize] = count as i16;
    put(Slot::Triple, found.triples[a]);
    put(Slot::Quad, found.quads[a]);
    put(Slot::Split, found.splits[a]);
    put(Slot::Split2, found.wide_splits[a]);
    put(Slot::Gap, found.gaps[a]);
    let sum = |lane: &Lane| lane[a] + lane[b];
    put(turn.push21, sum(&found.push21));
    put(turn.push31, sum(&found.push31));
    put(turn.push32, sum(&found.push32));
    put(turn.eject, sum(&found.ejections));
    put(Slot::Blocked, sum(&found.blocked));
    put(Slot::Half, sum(&found.half));
    put(Slot::Far, sum(&found.far));
    let union = |lane: &Lane| u64::from((lane[a] | lane[b]).count_ones());
    put(turn.pushed, union(&found.pushed));
    put(turn.to_rim, union(&found.to_rim));
    put(Slot::Aimed, union(&found.aimed));
    let victims = union(&found.victims);
    put(turn.victim, u64::from(victims > 0));
    put(turn.victims, u64::from(victims > 1));
}
