//! The arena: who has finished waits for the next opponent, until the time is over. Each call pairs some of those who wait.

use sumito_rules::Color;

use super::colors::ColorHistory;
use super::lot::Lot;
use super::matching::Graph;
use super::record::{Pairing, PlayerId};
use super::weight::Weight;

/// Milliseconds since some beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Millis(pub(crate) u64);

impl Millis {
    fn since(self, earlier: Millis) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// Somebody who waits for an opponent.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    /// Who.
    pub(crate) player: PlayerId,
    /// The place in the standings, from 0; before the first game, by rating.
    pub(crate) rank: u32,
    /// When the waiting began.
    pub(crate) since: Millis,
    /// The opponent of the last game.
    pub(crate) last_opponent: Option<PlayerId>,
    /// The colours of all games.
    pub(crate) colors: ColorHistory,
}

/// Those who wait at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pool<'a> {
    /// They.
    pub(crate) waiting: &'a [Waiting],
    /// How many play at this moment: they will come back.
    pub(crate) playing: usize,
    /// The moment.
    pub(crate) now: Millis,
    /// From when on nobody is paired.
    pub(crate) ends: Millis,
    /// Breaks ties of colours.
    pub(crate) seed: u64,
}

/// A player has the same colour at most this often in a row.
pub(crate) const LONGEST_STREAK: usize = 3;
/// Opponents are at first at most this share of the players apart in the standings, or `LEAST_REACH`. Guessed.
const REACH_SHARE: u64 = 8;
/// Places.
const LEAST_REACH: u64 = 3;
/// The reach grows by itself in this time: after eight times as long everybody can meet everybody. Guessed.
const REACH_GROWS: u64 = 2_000;

/// Pairs in number; then the waiting that ends; then small distances; then colours that alternate.
type Worth = Weight<4>;

/// What may be asked of a pairing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strictness {
    /// Everything.
    Full,
    /// Nobody else can come: two who have just met may meet again, with any colours.
    None,
}

impl Pool<'_> {
    /// Who plays now. Nobody meets the last opponent again, or has a colour for the fourth time in a row, unless nobody is left to wait for.
    #[must_use]
    pub(crate) fn pair(&self) -> Vec<Pairing> {
        if self.now >= self.ends {
            return Vec::new();
        }
        let mut waiting: Vec<&Waiting> = self.waiting.iter().collect();
        waiting.sort_by_key(|it| (it.rank, it.player));
        let found = self.matched(&waiting, Strictness::Full);
        if found.is_empty() && self.playing == 0 && self.is_stuck(&waiting) {
            return self.matched(&waiting, Strictness::None);
        }
        found
    }

    /// Whether it does not help to wait: it is not only the distance that forbids each pair.
    fn is_stuck(&self, waiting: &[&Waiting]) -> bool {
        let pairs =
            waiting.iter().enumerate().flat_map(|(i, a)| waiting[i + 1..].iter().map(move |b| (a, b)));
        pairs.into_iter().all(|(a, b)| just_met(a, b) || self.colors(a, b, Strictness::Full).is_none())
    }

    fn matched(&self, waiting: &[&Waiting], strictness: Strictness) -> Vec<Pairing> {
        let graph = Graph::new(waiting.len(), |a, b| self.worth(waiting[a], waiting[b], strictness));
        let mate = graph.heaviest_matching();
        let pairs = mate
            .iter()
            .enumerate()
            .filter_map(|(a, b)| b.filter(|b| a < *b).map(|b| (waiting[a], waiting[b])));
        pairs.map(|(a, b)| self.pairing(a, b, strictness)).collect()
    }

    fn worth(&self, a: &Waiting, b: &Waiting, strictness: Strictness) -> Option<Worth> {
        let distance = u64::from(a.rank.abs_diff(b.rank));
        let is_near = distance <= self.reach(a).max(self.reach(b));
        if strictness == Strictness::Full && (just_met(a, b) || !is_near) {
            return None;
        }
        let (_, cost) = self.colors(a, b, strictness)?;
        // In whole seconds: equal weights are matched faster.
        let waited = (self.now.since(a.since) + self.now.since(b.since)) / 1000;
        Some(Weight([1, waited as i64, -((distance * distance) as i64), -cost]))
    }

    /// How far in the standings an opponent may be.
    fn reach(&self, it: &Waiting) -> u64 {
        let players = (self.waiting.len() + self.playing) as u64;
        let first = (players / REACH_SHARE).max(LEAST_REACH);
        first + first * self.now.since(it.since) / REACH_GROWS
    }

    /// The colour of the first one, and how bad the choice is; none if every choice breaks the rule.
    fn colors(&self, a: &Waiting, b: &Waiting, strictness: Strictness) -> Option<(Color, i64)> {
        let cost = |color: Color| {
            let (mine, its) = (burden(&a.colors, color), burden(&b.colors, !color));
            let breaks = too_long(&a.colors, color) || too_long(&b.colors, !color);
            (strictness == Strictness::None || !breaks).then_some((mine + its, color))
        };
        let first = if Lot::of(self.seed ^ u64::from(a.player.0), b.player.0).is_multiple_of(2) {
            Color::Black
        } else {
            Color::White
        };
        let options = [cost(first), cost(!first)];
        options.into_iter().flatten().min_by_key(|(cost, _)| *cost).map(|(cost, color)| (color, cost))
    }

    fn pairing(&self, a: &Waiting, b: &Waiting, strictness: Strictness) -> Pairing {
        let (color, _) = self.colors(a, b, strictness).expect("only pairs with colours are matched");
        match color {
            Color::Black => Pairing { black: a.player, white: b.player, result: None },
            Color::White => Pairing { black: b.player, white: a.player, result: None },
        }
    }
}

fn just_met(a: &Waiting, b: &Waiting) -> bool {
    a.last_opponent == Some(b.player) || b.last_opponent == Some(a.player)
}

/// What is against a colour: imbalance first, then the same as last time.
fn burden(colors: &ColorHistory, color: Color) -> i64 {
    let sign = if color == Color::Black { 1 } else { -1 };
    2 * i64::from(sign * colors.difference()) + i64::from(colors.last() == Some(color))
}

fn too_long(colors: &ColorHistory, color: Color) -> bool {
    colors.last() == Some(color) && colors.streak() >= LONGEST_STREAK
}
