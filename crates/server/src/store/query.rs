//! What can be asked of all games, and what comes of it.

use sumito_rules::{ByColor, Position};

use crate::domain::game::Source;
use crate::domain::person::PersonId;
use crate::domain::seat::Seat;

/// Which games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    /// Only these games, by their ids.
    pub(crate) ids: Option<Vec<String>>,
    /// Part of a player's name.
    pub(crate) player: Option<String>,
    /// Somebody with an account who plays.
    pub(crate) person: Option<PersonId>,
    /// What is found as well when a player is looked for.
    pub(crate) called: Called,
    /// Part of an agent's spec.
    pub(crate) agent: Option<String>,
    pub(crate) layout: Option<String>,
    pub(crate) result: Option<ResultFilter>,
    pub(crate) source: Option<Source>,
    pub(crate) min_plies: Option<u32>,
    pub(crate) max_plies: Option<u32>,
    /// A position's hash, and the ply at which it must occur.
    pub(crate) opening: Option<(i64, u32)>,
    /// A position's hash, at any ply.
    pub(crate) place: Option<i64>,
}

/// What goes by a name that the database does not know: the pages have names of their own for agents, and people for their
/// games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Called {
    /// Specs of agents, with whatever options.
    pub(crate) agents: Vec<String>,
    /// Games, by their ids.
    pub(crate) ids: Vec<String>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultFilter {
    Black,
    White,
    Draw,
    /// It runs, or nobody knows.
    None,
}

/// In which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ListOrder {
    #[default]
    Newest,
    Oldest,
    Longest,
    Shortest,
}

/// Where a page of a list begins: after the game with this key and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageCursor {
    pub(crate) key: i64,
    pub(crate) num: i64,
}

impl Filter {
    /// Whether it is all games.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Filter::default()
    }
}

impl PageCursor {
    pub(crate) fn parse(text: &str) -> Option<PageCursor> {
        // What was played before 1970 has a key below zero.
        let (key, num) = text.rsplit_once('-')?;
        Some(PageCursor { key: key.parse().ok()?, num: num.parse().ok()? })
    }
}

impl std::fmt::Display for PageCursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.key, self.num)
    }
}

/// A game in a list.
#[derive(Clone, Debug)]
pub(crate) struct ListedGame {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) source: Source,
    pub(crate) layout: Option<String>,
    pub(crate) seats: ByColor<Seat>,
    pub(crate) result: Option<String>,
    pub(crate) reason: Option<String>,
    pub(crate) plies: u32,
    /// The last position; none if what is kept of the game cannot be read.
    pub(crate) position: Option<Position>,
    pub(crate) fen: String,
    pub(crate) reviewed: bool,
    /// Where the position that was looked for occurs first.
    pub(crate) at: Option<u32>,
}

/// Which page of a list.
#[derive(Clone, Debug)]
pub(crate) struct PageQuery {
    pub(crate) filter: Filter,
    pub(crate) order: ListOrder,
    /// Where it begins, if not at the first game.
    pub(crate) after: Option<PageCursor>,
    /// How many games it has at most.
    pub(crate) limit: u32,
}

/// A page of a list.
pub(crate) struct Page {
    pub(crate) games: Vec<ListedGame>,
    /// How many there are in all.
    pub(crate) total: u64,
    /// Where the next page begins.
    pub(crate) next: Option<PageCursor>,
}

/// A move that was played from a position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tried {
    /// Its number in the position's canonical form; 0 for any move.
    pub(crate) m: u16,
    pub(crate) games: u32,
    pub(crate) black_wins: u32,
    pub(crate) white_wins: u32,
    pub(crate) draws: u32,
    /// Of the games that have ended.
    pub(crate) average_plies: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_reads_back() {
        for key in [1_700_000_000_000, -86_400_000] {
            let cursor = PageCursor { key, num: 7 };
            assert_eq!(PageCursor::parse(&cursor.to_string()), Some(cursor));
        }
        assert!(["", "7", "x-1", "1-", "--"].iter().all(|text| PageCursor::parse(text).is_none()));
    }
}
