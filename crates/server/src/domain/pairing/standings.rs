//! How a tournament stands: by points, then by one tie-break after the other.

use std::cmp::Reverse;

use super::card::{Card, cards};
use super::lot::Lot;
use super::record::{Entrant, PlayerId, Points, Round};
use super::streak::{ArenaResult, scores};
use super::tiebreak::{Format, OpponentPoints, TieBreak, value};

/// A player's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Who.
    pub(crate) player: PlayerId,
    /// From 1; players whom nothing separates share it.
    pub(crate) place: usize,
    /// Their points.
    pub(crate) points: Points,
    /// The values of the tie-breaks, in their order.
    pub(crate) tie_breaks: Vec<i64>,
    /// Games over the board.
    pub(crate) games: usize,
}

/// The standings, the first one first. Equals are listed by rating, then by lot.
#[must_use]
pub(crate) fn standings(
    entrants: &[Entrant],
    rounds: &[Round],
    format: Format,
    tie_breaks: &[TieBreak],
    seed: u64,
) -> Vec<Standing> {
    let cards = cards(entrants, rounds);
    let points = OpponentPoints::new(&cards, format);
    let mut order: Vec<&Card> = cards.iter().collect();
    order.sort_by_key(|card| {
        (
            Reverse(card.points),
            Reverse(card.entrant.rating),
            Lot::of(seed, card.entrant.id.0),
            card.entrant.id,
        )
    });
    let mut groups: Vec<Vec<Ranked<'_>>> =
        split(order.into_iter().map(Ranked::new).collect(), |it| it.card.points.0.into());
    for tie_break in tie_breaks {
        groups = groups.into_iter().flat_map(|group| decide(group, *tie_break, &points)).collect();
    }
    let mut place = 1;
    let mut found = Vec::new();
    for group in groups {
        let size = group.len();
        found.extend(group.into_iter().map(|it| it.standing(place)));
        place += size;
    }
    found
}

/// A card with the tie-breaks so far.
struct Ranked<'a> {
    card: &'a Card,
    tie_breaks: Vec<i64>,
}

impl<'a> Ranked<'a> {
    fn new(card: &'a Card) -> Ranked<'a> {
        Ranked { card, tie_breaks: Vec::new() }
    }

    fn standing(self, place: usize) -> Standing {
        let Ranked { card, tie_breaks } = self;
        let games = card.entries.iter().filter(|entry| !entry.is_unplayed()).count();
        Standing { player: card.entrant.id, place, points: card.points, tie_breaks, games }
    }
}

/// Divides a group of equals.
fn decide<'a>(
    mut group: Vec<Ranked<'a>>,
    tie_break: TieBreak,
    points: &OpponentPoints,
) -> Vec<Vec<Ranked<'a>>> {
    let members: Vec<&Card> = group.iter().map(|it| it.card).collect();
    for it in &mut group {
        it.tie_breaks.push(value(tie_break, it.card, &members, points));
    }
    let last = |it: &Ranked<'_>| it.tie_breaks.last().copied().unwrap_or(0);
    group.sort_by_key(|it| Reverse(last(it)));
    split(group, last)
}

/// Neighbours with the same key, together.
fn split<T>(sorted: Vec<T>, key: impl Fn(&T) -> i64) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for it in sorted {
        match groups.last_mut() {
            Some(group) if group.first().map(&key) == Some(key(&it)) => group.push(it),
            _ => groups.push(vec![it]),
        }
    }
    groups
}

/// What a player has done in an arena.
#[derive(Clone, Debug)]
pub(crate) struct ArenaSheet {
    /// Who; `head_start` does not count here.
    pub(crate) entrant: Entrant,
    /// Each game that ended in time, in the order of the ends: the opponent's rating, and the result.
    pub(crate) games: Vec<(i32, ArenaResult)>,
}

/// A player's line in an arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArenaStanding {
    /// Who.
    pub(crate) player: PlayerId,
    /// From 1.
    pub(crate) place: usize,
    /// With streaks.
    pub(crate) points: u32,
    /// The mean of the opponents' ratings, 500 more for a win and 500 less for a loss; 0 without a game.
    pub(crate) performance: i32,
    /// Games that count.
    pub(crate) games: usize,
}

/// The standings of an arena: by points, then by performance, then by rating and lot.
#[must_use]
pub(crate) fn arena_standings(sheets: &[ArenaSheet], seed: u64) -> Vec<ArenaStanding> {
    let mut lines: Vec<(ArenaStanding, i32)> =
        sheets.iter().map(|sheet| (line(sheet), sheet.entrant.rating)).collect();
    lines.sort_by_key(|(it, rating)| {
        (Reverse(it.points), Reverse(it.performance), Reverse(*rating), Lot::of(seed, it.player.0), it.player)
    });
    lines.into_iter().enumerate().map(|(i, (it, _))| ArenaStanding { place: i + 1, ..it }).collect()
}

fn line(sheet: &ArenaSheet) -> ArenaStanding {
    let results: Vec<ArenaResult> = sheet.games.iter().map(|(_, result)| *result).collect();
    let bonus = |result: ArenaResult| match result {
        ArenaResult::Win => 500,
        ArenaResult::Draw => 0,
        ArenaResult::Loss => -500,
    };
    let sum: i64 = sheet.games.iter().map(|(rating, result)| i64::from(rating + bonus(*result))).sum();
    ArenaStanding {
        player: sheet.entrant.id,
        place: 0,
        points: scores(&results).iter().map(|score| score.points).sum(),
        performance: sum.checked_div(results.len() as i64).unwrap_or(0) as i32,
        games: results.len(),
    }
}
