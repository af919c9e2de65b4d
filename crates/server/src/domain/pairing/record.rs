//! What is recorded of a tournament that is played in rounds.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use sumito_rules::Color;

/// A player within one tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlayerId(pub(crate) u32);

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.0)
    }
}

/// Points in halves: a win is two of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Points(pub(crate) i32);

impl Points {
    /// For a loss.
    pub(crate) const NONE: Points = Points(0);
    /// For a draw.
    pub(crate) const HALF: Points = Points(1);
    /// For a win.
    pub(crate) const ONE: Points = Points(2);
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
pub(crate) struct Entrant {
    /// Who.
    pub(crate) id: PlayerId,
    /// How good when the tournament began, or when the player joined it: the order of equals, and of the first round. It does not change later.
    pub(crate) rating: i32,
    /// What a late joiner is given for rounds that were missed.
    pub(crate) head_start: Points,
}

/// What a player does in the round that is to be paired. Who has withdrawn, pauses or has not joined yet is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// Wants an opponent.
    Plays,
    /// Asked in time for half a point without a game.
    HalfPointBye,
    /// Is not there.
    Away,
}

/// How a game of a round ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PairingResult {
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
    pub(crate) fn points(self, side: Color) -> Points {
        match self {
            PairingResult::Won(winner) if winner == side => Points::ONE,
            PairingResult::Forfeited(absent) if absent != side => Points::ONE,
            PairingResult::Drawn => Points::HALF,
            _ => Points::NONE,
        }
    }

    /// Whether there was a game.
    #[must_use]
    pub(crate) fn is_played(self) -> bool {
        matches!(self, PairingResult::Won(_) | PairingResult::Drawn)
    }
}

/// Two players who meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pairing {
    /// Moves first.
    pub(crate) black: PlayerId,
    /// Moves second.
    pub(crate) white: PlayerId,
    /// None while they play.
    pub(crate) result: Option<PairingResult>,
}

impl Pairing {
    /// The side of a player, who may have none here.
    #[must_use]
    pub(crate) fn color_of(&self, player: PlayerId) -> Option<Color> {
        match player {
            it if it == self.black => Some(Color::Black),
            it if it == self.white => Some(Color::White),
            _ => None,
        }
    }

    /// The player of a side.
    #[must_use]
    pub(crate) fn player(&self, side: Color) -> PlayerId {
        match side {
            Color::Black => self.black,
            Color::White => self.white,
        }
    }
}

/// Why somebody has no opponent in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
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
pub(crate) struct Resting {
    /// Who.
    pub(crate) player: PlayerId,
    /// Why.
    pub(crate) rest: Rest,
}

/// A round: the pairings, the first boards first, and those who do not play. Who is in neither had not joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Round {
    /// Who plays.
    pub(crate) pairings: Vec<Pairing>,
    /// Who does not.
    pub(crate) resting: Vec<Resting>,
}
