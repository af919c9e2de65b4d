//! One position of self-play in 32 bytes, all numbers little-endian:
//!
//! | bytes | what |
//! | --- | --- |
//! | 0 to 7 | Black's marbles: bit i is the cell with index i, bits 61 to 63 are zero |
//! | 8 to 15 | White's marbles |
//! | 16 to 19 | number of the game within its file, from 0 |
//! | 20 to 21 | score of the search for the side to move, in hundredths of a marble, signed |
//! | 22 to 23 | plies since the start of the game |
//! | 24 to 25 | plies since the last ejection |
//! | 26 to 27 | the best move: [`Move::bits`] |
//! | 28 | side to move: 0 Black, 1 White |
//! | 29 | marbles that Black has pushed off (bits 0 to 3) and White (bits 4 to 7) |
//! | 30 | how the game ended for the side to move: 0 lost, 1 drawn, 2 won |
//! | 31 | plies that the search completed, at most 255 |
//!
//! The marbles pushed off are told apart from those on the board because some layouts start with fewer than 14.

use sumito_rules::{Bitboard, ByColor, Color, Move, Position};

use crate::stats::Ending;

/// A position with what the search and the game said about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataRecord {
    /// Marbles, side to move, marbles pushed off, and both counters.
    pub position: Position,
    /// The number of the game within its file.
    pub game: u32,
    /// What the search said, for the side to move, in hundredths of a marble.
    pub score: i16,
    /// The best move.
    pub best: Move,
    /// How the game ended for the side to move.
    pub ending: Ending,
    /// Plies that the search completed.
    pub depth: u8,
}

impl DataRecord {
    /// How long a record is.
    pub const SIZE: usize = 32;

    /// The record as it lies on disk.
    pub fn to_bytes(&self) -> [u8; DataRecord::SIZE] {
        let position = &self.position;
        let mut bytes = [0; DataRecord::SIZE];
        bytes[0..8].copy_from_slice(&position.marbles(Color::Black).bits().to_le_bytes());
        bytes[8..16].copy_from_slice(&position.marbles(Color::White).bits().to_le_bytes());
        bytes[16..20].copy_from_slice(&self.game.to_le_bytes());
        bytes[20..22].copy_from_slice(&self.score.to_le_bytes());
        bytes[22..24].copy_from_slice(&position.ply().to_le_bytes());
        bytes[24..26].copy_from_slice(&position.quiet().to_le_bytes());
        bytes[26..28].copy_from_slice(&self.best.bits().to_le_bytes());
        bytes[28] = position.turn().index() as u8;
        bytes[29] = position.score(Color::Black) | position.score(Color::White) << 4;
        bytes[30] = self.ending as u8;
        bytes[31] = self.depth;
        bytes
    }

    /// Reads a record, or says what is wrong with it.
    pub fn from_bytes(bytes: &[u8; DataRecord::SIZE]) -> Result<DataRecord, String> {
        let marbles = ByColor::new(marbles(bytes, 0)?, marbles(bytes, 8)?);
        let turn = *Color::ALL
            .get(usize::from(bytes[28]))
            .ok_or_else(|| format!("expected 0 or 1 as the side to move, found {}", bytes[28]))?;
        let score = ByColor::new(bytes[29] & 15, bytes[29] >> 4);
        let position = Position::with_score(marbles, score, turn)
            .map_err(|why| why.to_string())?
            .with_counters(short(bytes, 24), short(bytes, 22));
        let best = Move::from_bits(short(bytes, 26)).filter(|&best| position.is_legal(best));
        let ending = match bytes[30] {
            0 => Ending::Loss,
            1 => Ending::Draw,
            2 => Ending::Win,
            other => return Err(format!("expected 0, 1 or 2 as the result, found {other}")),
        };
        Ok(DataRecord {
            position,
            game: u32::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]),
            score: short(bytes, 20) as i16,
            best: best
                .ok_or_else(|| format!("expected a legal move, found the bits {:#06x}", short(bytes, 26)))?,
            ending,
            depth: bytes[31],
        })
    }

    /// Whether the side to move can push a marble off at once.
    pub fn is_pending(&self) -> bool {
        self.position.count_ejections(self.position.turn()) > 0
    }
}

fn short(bytes: &[u8; DataRecord::SIZE], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn marbles(bytes: &[u8; DataRecord::SIZE], at: usize) -> Result<Bitboard, String> {
    let bits = bytes[at..at + 8].iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
    let set = Bitboard::from_bits(bits);
    if set.bits() == bits { Ok(set) } else { Err(format!("expected 61 cells, found the bits {bits:#x}")) }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use sumito_engine::Rng;
    use sumito_rules::{Layout, fen};

    /// Records along random walks.
    pub(crate) fn records(count: usize, seed: u64) -> Vec<DataRecord> {
        let mut rng = Rng::new(seed);
        let mut records = Vec::new();
        for game in 0.. {
            let mut position = Layout::all()[rng.below(Layout::all().len())].position();
            for _ in 0..60 {
                let Some(best) = rng.pick(&position.legal_moves()) else { break };
                if records.len() == count {
                    return records;
                }
                records.push(DataRecord {
                    position,
                    game,
                    score: rng.next_u64() as i16,
                    best,
                    ending: [Ending::Loss, Ending::Draw, Ending::Win][rng.below(3)],
                    depth: rng.below(256) as u8,
                });
                position = position.play_unchecked(best);
            }
        }
        records
    }

    #[test]
    fn records_read_back_as_written() {
        for record in records(2000, 1) {
            assert_eq!(DataRecord::from_bytes(&record.to_bytes()), Ok(record));
        }
    }

    #[test]
    fn the_layout_is_as_documented() {
        let position = fen::parse("5/6/7/8/4S4/8/7/6/4s 5 3 w 7 40").expect("a position");
        let best = position.legal_moves()[0];
        let record =
            DataRecord { position, game: 0x0403_0201, score: -2, best, ending: Ending::Draw, depth: 9 };
        let bytes = record.to_bytes();
        let black = position.marbles(Color::Black).iter().next().expect("a marble").index();
        assert_eq!(bytes[black / 8], 1 << (black % 8));
        assert_eq!(bytes[16..26], [1, 2, 3, 4, 0xfe, 0xff, 79, 0, 7, 0]);
        assert_eq!(bytes[28..], [1, 0x35, 1, 9]);
    }

    #[test]
    fn what_is_no_record_is_refused() {
        let good = records(1, 2)[0].to_bytes();
        for (at, value, words) in [
            (7, 0xff, "61 cells"),
            (28, 2, "side to move"),
            (30, 3, "result"),
            (27, 0xff, "a legal move"),
            (29, 0x0f, "at most 14 marbles"),
        ] {
            let mut bytes = good;
            bytes[at] = value;
            let why = DataRecord::from_bytes(&bytes).expect_err("broken");
            assert!(why.contains(words), "{why}");
        }
    }
}
