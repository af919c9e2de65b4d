//! The value of a position for the side to move: hundredths of a marble, or a win in so many plies.

/// A value; 100 is about a marble.
pub(crate) type Value = i32;

/// A win now. A win in n plies is n less.
pub(crate) const WIN: Value = 30_000;
/// A win by the lead at a cap, at this moment: less than any win by marbles.
pub(crate) const CAP_WIN: Value = 20_000;
/// The deepest a line can get.
pub(crate) const MAX_PLY: usize = 128;
/// Beyond every value.
pub(crate) const INFINITY: Value = WIN + 1;
/// Whoever is at least this far ahead has won within the search's horizon.
pub(crate) const WON: Value = WIN - MAX_PLY as Value;

/// The value of a position for the side to move, as the world sees it; larger is better.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Score {
    /// Hundredths of a marble: the flagship's unit.
    Marbles(i32),
    /// In the unit of another player.
    Value(f64),
    /// The game is won in so many moves of the winner; negative if it is the other side that wins.
    Win(i32),
}

impl Score {
    /// The value in marbles or the player's own unit, unless the game is won.
    pub fn value(self) -> Option<f64> {
        match self {
            Score::Marbles(value) => Some(f64::from(value) / 100.0),
            Score::Value(value) => Some(value),
            Score::Win(_) => None,
        }
    }

    /// In how many moves the game is won, if it is; negative if it is the other side that wins.
    pub fn win(self) -> Option<i32> {
        match self {
            Score::Win(moves) => Some(moves),
            Score::Marbles(_) | Score::Value(_) => None,
        }
    }

    pub(crate) fn new(value: Value) -> Score {
        let moves = (WIN - value.abs() + 1) / 2;
        match value {
            WON.. => Score::Win(moves),
            _ if value <= -WON => Score::Win(-moves),
            _ => Score::Marbles(value),
        }
    }
}

/// A value relative to this node, for the table: wins are counted from here.
pub(crate) fn to_table(value: Value, ply: usize) -> Value {
    match value {
        WON.. => value + ply as Value,
        _ if value <= -WON => value - ply as Value,
        _ => value,
    }
}

/// The other way.
pub(crate) fn from_table(value: Value, ply: usize) -> Value {
    match value {
        WON.. => value - ply as Value,
        _ if value <= -WON => value + ply as Value,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_in_one_ply_is_a_win_in_one_move() {
        assert_eq!(Score::new(WIN - 1), Score::Win(1));
        assert_eq!(Score::new(WIN - 3), Score::Win(2));
        assert_eq!(Score::new(-(WIN - 2)), Score::Win(-1));
        assert_eq!(Score::new(-(WIN - 4)), Score::Win(-2));
    }

    #[test]
    fn a_win_keeps_its_distance_through_the_table() {
        let value = WIN - 9;
        assert_eq!(from_table(to_table(value, 4), 4), value);
        assert_eq!(to_table(value, 4), WIN - 5);
    }
}
