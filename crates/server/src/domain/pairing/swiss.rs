//! A round of a Swiss tournament, as one maximum-weight matching. Close to FIDE's rules (handbook C.04.1 and C.04.3), but where those
//! go through the score groups from the top, here all groups are weighed at once: the criteria below, each only after all before it.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;

use sumito_rules::Color;

use super::card::{Card, Float, cards};
use super::colors;
use super::lot::Lot;
use super::matching::Graph;
use super::record::{Entrant, Pairing, PlayerId, Presence, Rest, Resting, Round};
use super::weight::Weight;

/// What is decided, in this order: everybody has an opponent or the bye; nobody meets anybody again; nobody has a second point without a
/// game; no rule of colours is broken; the bye goes to the lowest; score differences are small, then their squares; nobody floats in the same
/// direction as in the last round; strong, then mild claims to a colour are met; and each group's upper half meets its lower half in order.
const CRITERIA: usize = 11;
type Price = Weight<CRITERIA>;

/// Why a round cannot be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SwissError {
    /// A game of an earlier round has no result.
    Unfinished {
        /// The round, from 0.
        round: usize,
        /// One of its players.
        player: PlayerId,
    },
    /// Fewer than two players are there.
    TooFew {
        /// How many.
        found: usize,
    },
    /// Somebody entered twice.
    Twice(PlayerId),
    /// Somebody is in an earlier round who did not enter.
    Unknown(PlayerId),
}

impl fmt::Display for SwissError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SwissError::Unfinished { round, player } => {
                write!(f, "expected all results of round {}, but the game of {player} has none", round + 1)
            }
            SwissError::TooFew { found } => {
                write!(f, "expected two or more players for a round, found {found}")
            }
            SwissError::Twice(player) => write!(f, "expected every player once, found {player} twice"),
            SwissError::Unknown(player) => {
                write!(f, "expected players who entered, found {player} in a round")
            }
        }
    }
}

impl std::error::Error for SwissError {}

/// A Swiss tournament so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swiss<'a> {
    /// Everybody who ever entered, those who withdrew included.
    pub(crate) entrants: &'a [Entrant],
    /// The rounds, with all results.
    pub(crate) rounds: &'a [Round],
    /// Draws lots among equals, and for the first colour.
    pub(crate) seed: u64,
}

/// A player of the round, in the order of the standings.
struct Seat {
    card: Card,
    /// Players with the same points are a group.
    group_size: i64,
    place_in_group: i64,
    /// In the order of the beginning: who has Black by chance.
    number: usize,
}

impl Swiss<'_> {
    /// The next round. `presence` is asked once for every entrant.
    pub(crate) fn pair(&self, mut presence: impl FnMut(PlayerId) -> Presence) -> Result<Round, SwissError> {
        self.check()?;
        let mut resting = Vec::new();
        let mut playing = Vec::new();
        for card in cards(self.entrants, self.rounds) {
            let player = card.entrant.id;
            match presence(player) {
                Presence::Plays => playing.push(card),
                Presence::HalfPointBye => resting.push(Resting { player, rest: Rest::HalfPointBye }),
                Presence::Away => resting.push(Resting { player, rest: Rest::Away }),
            }
        }
        if playing.len() < 2 {
            return Err(SwissError::TooFew { found: playing.len() });
        }
        let seats = self.seats(playing);
        let mate = self.graph(&seats).heaviest_matching();
        let mut pairings = Vec::new();
        for (a, b) in mate.iter().enumerate().filter_map(|(a, b)| b.map(|b| (a, b))).filter(|(a, b)| a < b) {
            match seats.get(b) {
                Some(_) => pairings.push(self.pairing(&seats[a], &seats[b])),
                None => resting.push(Resting { player: seats[a].card.entrant.id, rest: Rest::Bye }),
            }
        }
        resting.sort_by_key(|it| it.player);
        Ok(Round { pairings, resting })
    }

    /// The players who play, in the order of the standings, and what each pairing of them is worth.
    #[cfg(test)]
    pub(super) fn worths(
        &self,
        presence: impl Fn(PlayerId) -> Presence,
    ) -> (Vec<PlayerId>, Vec<(usize, usize, Price)>) {
        let mut playing = cards(self.entrants, self.rounds);
        playing.retain(|card| presence(card.entrant.id) == Presence::Plays);
        let seats = self.seats(playing);
        let mut worths = Vec::new();
        for a in 0..seats.len() {
            for b in a + 1..seats.len() {
                worths.push((a, b, self.worth_of_game(&seats[a], &seats[b])));
            }
            if !seats.len().is_multiple_of(2) {
                worths.push((a, seats.len(), worth_of_bye(&seats[a].card, seats.len() - 1 - a)));
            }
        }
        (seats.iter().map(|seat| seat.card.entrant.id).collect(), worths)
    }

    fn check(&self) -> Result<(), SwissError> {
        let mut known = HashSet::new();
        if let Some(twice) = self.entrants.iter().find(|entrant| !known.insert(entrant.id)) {
            return Err(SwissError::Twice(twice.id));
        }
        for (round, it) in self.rounds.iter().enumerate() {
            let rested = it.resting.iter().map(|it| it.player);
            let players = it.pairings.iter().flat_map(|it| [it.black, it.white]).chain(rested);
            if let Some(unknown) = players.into_iter().find(|player| !known.contains(player)) {
                return Err(SwissError::Unknown(unknown));
            }
            if let Some(open) = it.pairings.iter().find(|pairing| pairing.result.is_none()) {
                return Err(SwissError::Unfinished { round, player: open.black });
            }
        }
        Ok(())
    }

    /// Higher ratings first; equal ones by lot.
    fn order(&self, entrant: &Entrant) -> (Reverse<i32>, u64, PlayerId) {
        (Reverse(entrant.rating), Lot::of(self.seed, entrant.id.0), entrant.id)
    }

    fn seats(&self, mut playing: Vec<Card>) -> Vec<Seat> {
        let mut order: Vec<_> = self.entrants.iter().map(|entrant| self.order(entrant)).collect();
        order.sort_unstable();
        playing.sort_by_key(|card| (Reverse(card.points), self.order(&card.entrant)));
        let points: Vec<_> = playing.iter().map(|card| card.points).collect();
        let seat = |(place, card): (usize, Card)| {
            let first = points.partition_point(|it| *it > card.points);
            let last = points.partition_point(|it| *it >= card.points);
            let number = order.partition_point(|it| *it < self.order(&card.entrant));
            Seat { group_size: (last - first) as i64, place_in_group: (place - first) as i64, number, card }
        };
        playing.into_iter().enumerate().map(seat).collect()
    }

    /// The players as vertices, in the order of the standings; behind them the bye, if there is one.
    fn graph(&self, seats: &[Seat]) -> Graph<CRITERIA> {
        let players = seats.len();
        Graph::new(players.next_multiple_of(2), |a, b| {
            Some(match seats.get(b) {
                Some(second) => self.worth_of_game(&seats[a], second),
                None => worth_of_bye(&seats[a].card, players - 1 - a),
            })
        })
    }

    fn worth_of_game(&self, first: &Seat, second: &Seat) -> Price {
        let (a, b) = (&first.card, &second.card);
        let gap = i64::from(a.points.0 - b.points.0);
        let floats = |card: &Card, float: Float| i64::from(gap > 0 && card.last_float == Some(float));
        let color = self.colors(first, second).cost;
        Weight([
            1,
            -(a.met(b.entrant.id) as i64),
            0,
            -color.broken,
            0,
            -gap,
            -gap * gap,
            -(floats(a, Float::Down) + floats(b, Float::Up)),
            -color.strong,
            -color.mild,
            -fold(first, second),
        ])
    }

    fn colors(&self, first: &Seat, second: &Seat) -> colors::ColorChoice {
        let lot = if Lot::new(self.seed).draw().is_multiple_of(2) { Color::Black } else { Color::White };
        let opening = if first.number.is_multiple_of(2) { lot } else { !lot };
        colors::choose(&first.card.colors, &second.card.colors, opening)
    }

    fn pairing(&self, first: &Seat, second: &Seat) -> Pairing {
        let (a, b) = (first.card.entrant.id, second.card.entrant.id);
        match self.colors(first, second).first {
            Color::Black => Pairing { black: a, white: b, result: None },
            Color::White => Pairing { black: b, white: a, result: None },
        }
    }
}

/// How far a pairing is from the ideal order. In a group of 2m, the i-th meets the (m + i)-th; who leaves a group downwards is its last one, and meets
/// the first of the group below.
fn fold(first: &Seat, second: &Seat) -> i64 {
    if first.card.points == second.card.points {
        (second.place_in_group - first.place_in_group - first.group_size / 2).pow(2)
    } else {
        (first.group_size - 1 - first.place_in_group).pow(2) + second.place_in_group.pow(2)
    }
}

fn worth_of_bye(card: &Card, players_below: usize) -> Price {
    let mut worth = Weight::ZERO;
    worth.0[0] = 1;
    worth.0[2] = -(card.byes() as i64);
    worth.0[4] = -(players_below as i64);
    worth
}
