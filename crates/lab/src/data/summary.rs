//! What a file of training data holds, in numbers.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use sumito_rules::Color;

use super::file::{DataError, Reader};
use super::record::DataRecord;
use crate::stats::WdlCount;

/// Counts over records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// How many positions.
    pub positions: u64,
    /// How the games with a position here ended for Black.
    pub games: WdlCount,
    /// How the positions' games ended for the side to move.
    pub results: WdlCount,
    /// In how many positions the side to move can push a marble off.
    pub pending: u64,
    /// Positions by score for the side to move: the key is the score divided by [`Summary::BUCKET`], rounded down.
    pub scores: BTreeMap<i32, u64>,
    /// Positions by marbles left on the board, of both sides.
    pub marbles: BTreeMap<usize, u64>,
    /// Positions by the plies that the search completed.
    pub depths: BTreeMap<u8, u64>,
    /// The sum of the positions' plies since the start of their games.
    plies: u64,
    #[serde(skip)]
    last: Option<u32>,
}

impl Summary {
    /// The width of a score's bucket, in hundredths of a marble.
    pub const BUCKET: i32 = 200;

    /// Counts a whole file.
    pub fn add_file(&mut self, path: &Path) -> Result<(), DataError> {
        for chunk in Reader::open(path)? {
            self.add(&chunk?);
        }
        // The next file's games are numbered anew.
        self.last = None;
        Ok(())
    }

    /// Counts records, which come in the order of their file.
    pub fn add(&mut self, records: &[DataRecord]) {
        for record in records {
            let position = &record.position;
            if self.last.replace(record.game) != Some(record.game) {
                let black = position.turn() == Color::Black;
                self.games.add(if black { record.ending } else { record.ending.reversed() });
            }
            self.positions += 1;
            self.results.add(record.ending);
            self.pending += u64::from(record.is_pending());
            self.plies += u64::from(position.ply());
            let left = Color::ALL.map(|color| position.marbles(color).len()).into_iter().sum();
            *self.scores.entry(i32::from(record.score).div_euclid(Summary::BUCKET)).or_default() += 1;
            *self.marbles.entry(left).or_default() += 1;
            *self.depths.entry(record.depth).or_default() += 1;
        }
    }

    /// The number of the game that comes after those here.
    pub fn next_game(&self) -> u32 {
        self.last.map_or(0, |last| last + 1)
    }

    /// Positions kept of a game, on average.
    pub fn positions_per_game(&self) -> f64 {
        self.positions as f64 / self.games.games().max(1) as f64
    }

    /// The mean of the plies at which the positions were.
    pub fn mean_ply(&self) -> f64 {
        self.plies as f64 / self.positions.max(1) as f64
    }

    /// The mean of the plies that the searches completed.
    pub fn mean_depth(&self) -> f64 {
        let sum: u64 = self.depths.iter().map(|(&depth, &count)| u64::from(depth) * count).sum();
        sum as f64 / self.positions.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::records;
    use super::*;
    use crate::stats::Ending;

    #[test]
    fn every_position_is_counted_once_in_each_table_and_every_game_once() {
        let records = records(1000, 4);
        let mut summary = Summary::default();
        summary.add(&records[..300]);
        summary.add(&records[300..]);
        let all = |table: Vec<&u64>| table.into_iter().sum::<u64>();
        assert_eq!(summary.positions, 1000);
        assert_eq!(all(summary.scores.values().collect()), 1000);
        assert_eq!(all(summary.marbles.values().collect()), 1000);
        assert_eq!(summary.results.games(), 1000);
        let last = records[999].game;
        assert_eq!((summary.games.games(), summary.next_game()), (u64::from(last) + 1, last + 1));
    }

    #[test]
    fn scores_below_zero_round_down() {
        let mut record = records(1, 4)[0];
        let mut summary = Summary::default();
        for score in [-1, 0, 199, -200, -201] {
            record.score = score;
            summary.add(&[record]);
        }
        assert_eq!(summary.scores, BTreeMap::from([(-2, 1), (-1, 2), (0, 2)]));
    }

    #[test]
    fn a_game_counts_for_black_whoever_is_to_move() {
        let mut record = records(1, 4)[0];
        record.ending = Ending::Win;
        record.position = record.position.with_turn(Color::White);
        let mut summary = Summary::default();
        summary.add(&[record]);
        assert_eq!((summary.games, summary.results), (WdlCount::new(0, 0, 1), WdlCount::new(1, 0, 0)));
    }
}
