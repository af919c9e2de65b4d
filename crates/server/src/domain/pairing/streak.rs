//! How an arena counts: 2 for a win, 1 for a draw, and twice as much after two wins in a row, until a game is not won. Of draws in a row only
//! the first brings anything, or two friends could trade them. (lichess's arena counts so; it also excuses long draws.)

/// How a game of an arena ended for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArenaResult {
    /// Won, also because the other did not come.
    Win,
    /// Nobody won.
    Draw,
    /// Lost, or not played.
    Loss,
}

/// What a game brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ArenaScore {
    /// Points.
    pub(crate) points: u32,
    /// Whether they counted double.
    pub(crate) double: bool,
}

/// Wins in a row after which games count double.
pub(crate) const WINS_FOR_DOUBLE: usize = 2;

/// What each game brought, in the order in which they ended.
#[must_use]
pub(crate) fn scores(results: &[ArenaResult]) -> Vec<ArenaScore> {
    let mut wins = 0;
    let mut drew = false;
    let score = |result: &ArenaResult| {
        let double = wins >= WINS_FOR_DOUBLE;
        let base = match result {
            ArenaResult::Win => 2,
            ArenaResult::Draw => u32::from(!drew),
            ArenaResult::Loss => 0,
        };
        wins = if *result == ArenaResult::Win { wins + 1 } else { 0 };
        drew = *result == ArenaResult::Draw || (drew && *result == ArenaResult::Loss);
        ArenaScore { points: if double { 2 * base } else { base }, double }
    };
    results.iter().map(score).collect()
}

/// Whether the next game counts double.
#[must_use]
pub(crate) fn is_doubled(results: &[ArenaResult]) -> bool {
    results.iter().rev().take_while(|result| **result == ArenaResult::Win).count() >= WINS_FOR_DOUBLE
}

#[cfg(test)]
mod tests {
    use super::ArenaResult::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn two_wins_double_what_follows_until_one_is_not_won() {
        let points: Vec<u32> =
            scores(&[Win, Win, Win, Draw, Win, Win, Loss, Win]).iter().map(|it| it.points).collect();
        assert_eq!(points, [2, 2, 4, 2, 2, 2, 0, 2]);
    }

    #[test]
    fn of_draws_without_a_win_between_only_the_first_counts() {
        let points: Vec<u32> =
            scores(&[Draw, Draw, Loss, Draw, Win, Draw]).iter().map(|it| it.points).collect();
        assert_eq!(points, [1, 0, 0, 0, 2, 1]);
    }
}
