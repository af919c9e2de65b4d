//! What games count, and how many of them nobody won: the trouble that the paper had.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::stats::{Ending, WdlCount};
use crate::tune::games::EndedGame;

/// What a game counts for the fitness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// A point for a win, half a point for a draw.
    #[default]
    Points,
    /// A point for a win on the board; whatever else ends a game, half a point and a twelfth more or less for each
    /// marble of lead. So games without a winner tell good from bad too.
    Ejections,
}

/// A whole point, so that sums are exact.
const POINT: u64 = 12;

/// The sum of some games for one of the players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u64; 6]", into = "[u64; 6]")]
pub struct GameSums {
    /// Games by the rules in force.
    pub games: WdlCount,
    /// The score in twelfths of a point.
    pub twelfths: u64,
    /// Games in which nobody pushed off as many marbles as it takes to win.
    pub open: u64,
    /// Games that a player lost by its time, an illegal move or a breakdown.
    pub faults: u64,
}

impl From<[u64; 6]> for GameSums {
    fn from([wins, draws, losses, twelfths, open, faults]: [u64; 6]) -> GameSums {
        GameSums { games: WdlCount::new(wins, draws, losses), twelfths, open, faults }
    }
}

impl From<GameSums> for [u64; 6] {
    fn from(GameSums { games, twelfths, open, faults }: GameSums) -> [u64; 6] {
        [games.wins, games.draws, games.losses, twelfths, open, faults]
    }
}

impl GameSums {
    /// Games in all.
    pub fn games(self) -> u64 {
        self.games.games()
    }

    /// The mean score, from 0 to 1; a half without games.
    pub fn score(self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.twelfths as f64 / (POINT * self.games()) as f64 }
    }

    /// The part of the games that was drawn.
    pub fn drawn(self) -> f64 {
        self.games.draw_ratio()
    }

    /// The part of the games that nobody won on the board.
    pub fn undecided(self) -> f64 {
        self.open as f64 / self.games().max(1) as f64
    }

    /// The same games for the other player.
    #[must_use]
    pub fn reversed(self) -> GameSums {
        let twelfths = POINT * self.games() - self.twelfths;
        GameSums { games: self.games.reversed(), twelfths, ..self }
    }

    /// Counts a game that so many marbles win.
    pub fn add(&mut self, game: EndedGame, scoring: Scoring, to_win: u8) {
        let is_open = game.pushed < to_win && game.lost < to_win;
        self.games.add(game.ending);
        self.open += u64::from(is_open);
        self.faults += u64::from(game.is_fault);
        let lead = i64::from(game.pushed) - i64::from(game.lost);
        self.twelfths += match (scoring, game.ending) {
            (Scoring::Ejections, _) if is_open && !game.is_fault => {
                (POINT as i64 / 2 + lead).clamp(0, POINT as i64) as u64
            }
            (_, Ending::Win) => POINT,
            (_, Ending::Draw) => POINT / 2,
            (_, Ending::Loss) => 0,
        };
    }
}

impl AddAssign for GameSums {
    fn add_assign(&mut self, other: GameSums) {
        self.games += other.games;
        self.twelfths += other.twelfths;
        self.open += other.open;
        self.faults += other.faults;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(ending: Ending, pushed: u8, lost: u8, scoring: Scoring) -> GameSums {
        let mut record = GameSums::default();
        record.add(EndedGame { ending, pushed, lost, is_fault: false }, scoring, 6);
        record
    }

    #[test]
    fn by_points_a_lead_at_the_end_counts_as_the_rules_say() {
        let twelfths = |ending, pushed, lost| record(ending, pushed, lost, Scoring::Points).twelfths;
        assert_eq!(twelfths(Ending::Win, 6, 5), 12);
        assert_eq!(twelfths(Ending::Win, 1, 0), 12);
        assert_eq!(twelfths(Ending::Draw, 3, 1), 6);
        assert_eq!(twelfths(Ending::Loss, 0, 1), 0);
    }

    #[test]
    fn by_ejections_only_a_win_on_the_board_is_whole() {
        let twelfths = |ending, pushed, lost| record(ending, pushed, lost, Scoring::Ejections).twelfths;
        assert_eq!(twelfths(Ending::Win, 6, 5), 12);
        assert_eq!(twelfths(Ending::Loss, 5, 6), 0);
        assert_eq!(twelfths(Ending::Win, 1, 0), 7);
        assert_eq!(twelfths(Ending::Draw, 3, 1), 8);
        assert_eq!(twelfths(Ending::Draw, 2, 2), 6);
    }

    #[test]
    fn a_fault_is_a_loss_whatever_the_lead() {
        let mut record = GameSums::default();
        let game = EndedGame { ending: Ending::Loss, pushed: 5, lost: 0, is_fault: true };
        record.add(game, Scoring::Ejections, 6);
        assert_eq!((record.twelfths, record.faults, record.open), (0, 1, 1));
    }

    #[test]
    fn drawn_and_undecided_are_told_apart() {
        let mut all = record(Ending::Win, 6, 0, Scoring::Points);
        all += record(Ending::Win, 1, 0, Scoring::Points);
        all += record(Ending::Draw, 0, 0, Scoring::Points);
        all += record(Ending::Loss, 0, 6, Scoring::Points);
        assert_eq!((all.drawn(), all.undecided(), all.score()), (0.25, 0.5, 0.625));
        assert_eq!(all.reversed().score(), 0.375);
        assert_eq!(all.reversed().reversed(), all);
    }
}
