//! What one player has done so far, derived from the rounds.

use std::collections::HashMap;

use sumito_rules::Color;

use super::colors::ColorHistory;
use super::record::{Entrant, PairingResult, PlayerId, Points, Rest, Round};

/// What a round was for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A game, or one that was not played.
    Met {
        /// Whom.
        opponent: PlayerId,
        /// The player's own side.
        color: Color,
        /// None while it is played.
        result: Option<PairingResult>,
    },
    /// No opponent.
    Rested(Rest),
}

/// Where a player went in a round from the own score group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Float {
    /// To somebody with fewer points; a point without a game counts as this, too.
    Down,
    /// To somebody with more points.
    Up,
}

/// A player's way through the tournament.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    /// Who.
    pub(crate) entrant: Entrant,
    /// One for every round, those before the player joined included.
    pub(crate) entries: Vec<Entry>,
    /// All points.
    pub(crate) points: Points,
    /// Sides of the games that were played.
    pub(crate) colors: ColorHistory,
    /// In the last round.
    pub(crate) last_float: Option<Float>,
}

impl Card {
    fn new(entrant: Entrant) -> Card {
        let colors = ColorHistory::default();
        Card { entrant, entries: Vec::new(), points: entrant.head_start, colors, last_float: None }
    }

    /// How many games were played (or are being played) against somebody.
    #[must_use]
    pub(crate) fn met(&self, other: PlayerId) -> usize {
        let against = |entry: &&Entry| match entry {
            Entry::Met { opponent, result, .. } => {
                *opponent == other && result.is_none_or(PairingResult::is_played)
            }
            Entry::Rested(_) => false,
        };
        self.entries.iter().filter(against).count()
    }

    /// How many whole points came without a game: byes, and wins by forfeit.
    #[must_use]
    pub(crate) fn byes(&self) -> usize {
        self.entries.iter().filter(|entry| entry.is_unplayed() && entry.points() == Points::ONE).count()
    }

    /// How many games were won over the board.
    #[must_use]
    pub(crate) fn wins(&self) -> usize {
        self.entries.iter().filter(|entry| !entry.is_unplayed() && entry.points() == Points::ONE).count()
    }

    fn add(&mut self, entry: Entry, float: Option<Float>) {
        self.points = self.points + entry.points();
        self.last_float =
            if entry.is_unplayed() && entry.points() == Points::ONE { Some(Float::Down) } else { float };
        if let Entry::Met { color, .. } = entry
            && !entry.is_unplayed()
        {
            self.colors.push(color);
        }
        self.entries.push(entry);
    }
}

impl Entry {
    /// What it brought.
    #[must_use]
    pub(crate) fn points(self) -> Points {
        match self {
            Entry::Met { color, result: Some(result), .. } => result.points(color),
            Entry::Met { result: None, .. } | Entry::Rested(Rest::Away | Rest::Free) => Points::NONE,
            Entry::Rested(Rest::Bye) => Points::ONE,
            Entry::Rested(Rest::HalfPointBye) => Points::HALF,
        }
    }

    /// Whether there was no game in this round and never will be.
    #[must_use]
    pub(crate) fn is_unplayed(self) -> bool {
        match self {
            Entry::Met { result, .. } => result.is_some_and(|result| !result.is_played()),
            Entry::Rested(_) => true,
        }
    }
}

/// The cards of all entrants, in their order. Players of a round who are not among the entrants are passed over.
#[must_use]
pub(crate) fn cards(entrants: &[Entrant], rounds: &[Round]) -> Vec<Card> {
    let mut cards: Vec<Card> = entrants.iter().map(|entrant| Card::new(*entrant)).collect();
    let index: HashMap<PlayerId, usize> = entrants.iter().enumerate().map(|(i, it)| (it.id, i)).collect();
    for round in rounds {
        let mut entries = vec![(Entry::Rested(Rest::Away), None); cards.len()];
        for resting in &round.resting {
            if let Some(&i) = index.get(&resting.player) {
                entries[i].0 = Entry::Rested(resting.rest);
            }
        }
        for pairing in &round.pairings {
            for color in [Color::Black, Color::White] {
                let (player, opponent) = (pairing.player(color), pairing.player(!color));
                let (Some(&i), Some(&other)) = (index.get(&player), index.get(&opponent)) else { continue };
                let float = match cards[i].points.cmp(&cards[other].points) {
                    std::cmp::Ordering::Greater => Some(Float::Down),
                    std::cmp::Ordering::Less => Some(Float::Up),
                    std::cmp::Ordering::Equal => None,
                };
                let played = pairing.result.is_none_or(PairingResult::is_played);
                let entry = Entry::Met { opponent, color, result: pairing.result };
                entries[i] = (entry, float.filter(|_| played));
            }
        }
        for (card, (entry, float)) in cards.iter_mut().zip(entries) {
            card.add(entry, float);
        }
    }
    cards
}
