//! What is recorded of a tournament that is played in rounds.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Not};

/// A player within one tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(pub u32);

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.0)
    }
}

/// A side. The server uses `sumito_rules::Color`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Moves first.
    Black,
    /// Moves second.
    White,
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// Points in halves: a win is two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(pub i32);

impl Points {
    /// For a loss.
    pub const NONE: Points = Points(0);
    /// For a draw.
    pub const HALF: Points = Points(1);
    /// For a win.
    pub const ONE: Points = Points(2);
}

impl Add for Points {
    type Output = Points;

    fn add(self, other: Points) -> Points {
        Points(self.0 + other.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(all: I) -> Points {
        all.fold(Points::NONE, Points::add)
    }
}

/// Somebody who takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Who.
    pub id: PlayerId,
    /// How good when the tournament began, or when the player joined it: the order of equals, and of the first round. It does not change later.
    pub rating: i32,
    /// What a late joiner is given for rounds that were missed.
    pub head_start: Points,
}

/// What a player does in the round that is to be paired. Who has withdrawn, pauses or has not joined yet is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Wants an opponent.
    Plays,
    /// Asked in time for half a point without a game.
    HalfPointBye,
    /// Is not there.
    Away,
}

/// How a game of a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingResult {
    /// A side won.
    Won(Color),
    /// Nobody did.
    Drawn,
    /// A side did not play: the other has the point, but no game was played.
    Forfeited(Color),
    /// Neither side played.
    Unplayed,
}

impl PairingResult {
    /// What a side has for it.
    #[must_use]
    pub fn points(self, side: Color) -> Points {
        match self {
            PairingResult::Won(winner) if winner == side => Points::ONE,
            PairingResult::Forfeited(absent) if absent != side => Points::ONE,
            PairingResult::Drawn => Points::HALF,
            _ => Points::NONE,
        }
    }

    /// Whether there was a game.
    #[must_use]
    pub fn is_played(self) -> bool {
        matches!(self, PairingResult::Won(_) | PairingResult::Drawn)
    }
}

/// Two players who meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// Moves first.
    pub black: PlayerId,
    /// Moves second.
    pub white: PlayerId,
    /// None while they play.
    pub result: Option<PairingResult>,
}

impl Pairing {
    /// The side of a player, who may have none here.
    #[must_use]
    pub fn color_of(&self, player: PlayerId) -> Option<Color> {
        match player {
            it if it == self.black => Some(Color::Black),
            it if it == self.white => Some(Color::White),
            _ => None,
        }
    }

    /// The player of a side.
    #[must_use]
    pub fn player(&self, side: Color) -> PlayerId {
        match side {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }
}

/// Why somebody has no opponent in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The number of players was odd: a whole point.
    Bye,
    /// The same in a round robin, where everybody's turn to rest comes: no point.
    Free,
    /// Asked for.
    HalfPointBye,
    /// Not there.
    Away,
}

/// Somebody without an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resting {
    /// Who.
    pub player: PlayerId,
    /// Why.
    pub rest: Rest,
}

/// A round: the pairings, the first boards first, and those who do not play. Who is in neither had not joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Who plays.
    pub pairings: Vec<Pairing>,
    /// Who does not.
    pub resting: Vec<Resting>,
}
