//! The cross table: each player's results against each other, and round by round.

use std::collections::HashMap;

use sumito_rules::Color;

use super::card::{Entry, cards};
use super::record::{Entrant, PairingResult, PlayerId, Points, Round};
use super::standings::Standing;

/// A game as its row's player sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CrossGame {
    /// From 0.
    pub(crate) round: usize,
    /// The own side.
    pub(crate) color: Color,
    /// None while it is played.
    pub(crate) points: Option<Points>,
    /// Whether it was not played.
    pub(crate) forfeit: bool,
}

/// A player's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CrossRow {
    /// The line of the standings.
    pub(crate) standing: Standing,
    /// The rounds; an opponent of a Swiss tournament is printed by its place.
    pub(crate) rounds: Vec<Entry>,
    /// For each row of the table the games against that player.
    pub(crate) cells: Vec<Vec<CrossGame>>,
}

/// The table in the order of the standings.
#[must_use]
pub(crate) fn cross_table(entrants: &[Entrant], rounds: &[Round], standings: Vec<Standing>) -> Vec<CrossRow> {
    let mut entries: HashMap<PlayerId, Vec<Entry>> =
        cards(entrants, rounds).into_iter().map(|card| (card.entrant.id, card.entries)).collect();
    let column: HashMap<PlayerId, usize> =
        standings.iter().enumerate().map(|(i, it)| (it.player, i)).collect();
    let row = |standing: Standing| {
        let rounds = entries.remove(&standing.player).unwrap_or_default();
        let mut cells = vec![Vec::new(); column.len()];
        for (round, entry) in rounds.iter().enumerate() {
            if let Entry::Met { opponent, color, result } = *entry
                && let Some(&at) = column.get(&opponent)
            {
                let points = result.map(|result| result.points(color));
                let forfeit = result.is_some_and(|result| !PairingResult::is_played(result));
                cells[at].push(CrossGame { round, color, points, forfeit });
            }
        }
        CrossRow { standing, rounds, cells }
    };
    standings.into_iter().map(row).collect()
}
