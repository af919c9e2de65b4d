//! What decides between players with equal points (after FIDE handbook C.07, simplified).
//!
//! Rounds without a game in a Swiss tournament: for a player's own sum, a round without an opponent counts as one against somebody who has the player's own points;
//! for an opponent's sum, the rounds after a player's last game count as half a point each, so that who withdraws costs the others little.
//! In a round robin everything counts as it stands.

use std::collections::HashMap;

use super::card::{Card, Entry};
use super::record::{PlayerId, Points, Rest};

/// A way to decide. All values are whole numbers; more is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TieBreak {
    /// Points in the games between those who are still equal, if all of them have met. In halves.
    DirectEncounter,
    /// The sum of the opponents' points. In halves.
    Buchholz,
    /// The same without the weakest opponent.
    BuchholzCutOne,
    /// The opponents' points, times what was won against them. In quarters.
    SonnebornBerger,
    /// Games that were won over the board.
    Wins,
}

impl TieBreak {
    /// The usual order in a Swiss tournament.
    pub(crate) const SWISS: [TieBreak; 5] = [
        TieBreak::BuchholzCutOne,
        TieBreak::Buchholz,
        TieBreak::SonnebornBerger,
        TieBreak::DirectEncounter,
        TieBreak::Wins,
    ];
    /// The usual order in a round robin.
    pub(crate) const ROUND_ROBIN: [TieBreak; 3] =
        [TieBreak::SonnebornBerger, TieBreak::DirectEncounter, TieBreak::Wins];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            TieBreak::DirectEncounter => "direct",
            TieBreak::Buchholz => "buchholz",
            TieBreak::BuchholzCutOne => "buchholz-cut-1",
            TieBreak::SonnebornBerger => "sonneborn-berger",
            TieBreak::Wins => "wins",
        }
    }

    /// A value in points, or in games.
    pub(crate) fn in_points(self, value: i64) -> f64 {
        let parts = match self {
            TieBreak::DirectEncounter | TieBreak::Buchholz | TieBreak::BuchholzCutOne => 2.0,
            TieBreak::SonnebornBerger => 4.0,
            TieBreak::Wins => 1.0,
        };
        value as f64 / parts
    }
}

/// What rounds without a game mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// They are made up for.
    Swiss,
    /// They count as they stand.
    RoundRobin,
}

/// Every player's points as they count for opponents.
pub(super) struct OpponentPoints {
    format: Format,
    points: HashMap<PlayerId, i64>,
}

impl OpponentPoints {
    pub(super) fn new(cards: &[Card], format: Format) -> OpponentPoints {
        let points = |card: &Card| match format {
            Format::Swiss => as_opponent(card),
            Format::RoundRobin => i64::from(card.points.0),
        };
        OpponentPoints { format, points: cards.iter().map(|card| (card.entrant.id, points(card))).collect() }
    }
}

fn as_opponent(card: &Card) -> i64 {
    let absent =
        card.entries.iter().rev().take_while(|entry| entry.is_unplayed() && entry.points() == Points::NONE);
    i64::from(card.points.0) + absent.count() as i64 * i64::from(Points::HALF.0)
}

/// A player's value. `group` are those who are still equal, the player included.
pub(super) fn value(tie_break: TieBreak, card: &Card, group: &[&Card], points: &OpponentPoints) -> i64 {
    match tie_break {
        TieBreak::DirectEncounter => direct_encounter(card, group),
        TieBreak::Buchholz => opponents(card, points).map(|it| it.points).sum(),
        TieBreak::BuchholzCutOne => {
            let all = || opponents(card, points).map(|it| it.points);
            all().sum::<i64>() - all().min().unwrap_or(0)
        }
        TieBreak::SonnebornBerger => opponents(card, points).map(|it| it.points * it.won).sum(),
        TieBreak::Wins => card.wins() as i64,
    }
}

/// What one round brings to the sums.
struct Opponent {
    points: i64,
    won: i64,
}

fn opponents<'a>(card: &'a Card, points: &'a OpponentPoints) -> impl Iterator<Item = Opponent> + 'a {
    card.entries.iter().filter_map(move |entry| {
        let own = i64::from(card.points.0);
        let as_it_stands = points.format == Format::RoundRobin || !entry.is_unplayed();
        let opponent_points = match entry {
            Entry::Met { result: None, .. } | Entry::Rested(Rest::Free) => return None,
            Entry::Met { opponent, .. } if as_it_stands => *points.points.get(opponent)?,
            _ if points.format == Format::RoundRobin => return None,
            _ => own,
        };
        Some(Opponent { points: opponent_points, won: i64::from(entry.points().0) })
    })
}

fn direct_encounter(card: &Card, group: &[&Card]) -> i64 {
    let all_met =
        group.iter().all(|a| group.iter().all(|b| a.entrant.id == b.entrant.id || a.met(b.entrant.id) > 0));
    if !all_met {
        return 0;
    }
    let against_group = |entry: &&Entry| match entry {
        Entry::Met { opponent, .. } => {
            !entry.is_unplayed() && group.iter().any(|it| it.entrant.id == *opponent)
        }
        Entry::Rested(_) => false,
    };
    card.entries.iter().filter(against_group).map(|entry| i64::from(entry.points().0)).sum()
}
