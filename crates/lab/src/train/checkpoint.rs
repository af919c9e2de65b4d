//! A training run that can go on exactly where it was: all its numbers, and how far it is.
//!
//! The file: the eight letters `SUMITOCK`, u32 version, u32 length of the state, the state as JSON, then the
//! network's numbers, the optimiser's means and its squares as f32, then u64 FNV-1a of all that. All numbers are
//! little-endian.

use serde::{Deserialize, Serialize};

use super::adam::Adam;
use super::model::{Model, NetworkShape};
use super::settings::TrainSettings;

const MAGIC: &[u8; 8] = b"SUMITOCK";
const VERSION: u32 = 1;

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct TrainState {
    /// Epochs that are over.
    pub(super) epoch: usize,
    /// Batches of this epoch that are over.
    pub(super) batch: usize,
    /// The bits of the sum of this epoch's losses: as a decimal number it would not come back the same.
    pub(super) loss: u64,
    /// Seconds of work so far.
    pub(super) seconds: f64,
    /// A number that names the data.
    pub(super) data: u64,
    pub(super) steps: u64,
    pub(super) history: Vec<Epoch>,
}

/// What an epoch gave.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, from 1.
    pub epoch: usize,
    /// The mean loss while it was learned from.
    pub train: f64,
    /// The mean loss on the games kept for validation; none without such games.
    pub validation: Option<f64>,
    /// The size of steps at its end.
    pub rate: f64,
    /// Positions for each second.
    pub speed: f64,
}

/// The bytes of a checkpoint.
pub(super) fn to_bytes(state: &TrainState, settings: &TrainSettings, model: &Model, adam: &Adam) -> Vec<u8> {
    let text = serde_json::to_string(&(settings, state)).expect("plain data");
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    for part in [&model.values, &adam.mean, &adam.square] {
        bytes.extend(part.iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// Reads a checkpoint, or says what is wrong with it.
pub(super) fn from_bytes(bytes: &[u8]) -> Result<(TrainSettings, TrainState, Model, Adam), String> {
    let start = bytes.get(..16).filter(|start| &start[..8] == MAGIC);
    let start = start.ok_or("expected a checkpoint, which begins with SUMITOCK")?;
    let word = |at: usize| u32::from_le_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]]);
    if word(8) != VERSION {
        return Err(format!("expected version {VERSION}, found {}", word(8)));
    }
    let (body, sum) = bytes.split_last_chunk::<8>().ok_or("expected more bytes")?;
    if checksum(body) != u64::from_le_bytes(*sum) {
        return Err("the checksum is wrong: the file is damaged or cut off".to_string());
    }
    let end = 16 + word(12) as usize;
    let text = body.get(16..end).ok_or("expected a longer state")?;
    let (settings, state): (TrainSettings, TrainState) =
        serde_json::from_slice(text).map_err(|why| format!("expected a state as JSON: {why}"))?;
    settings.check()?;
    let shape = NetworkShape::new(&settings);
    let size = shape.size();
    let numbers = body[end..].as_chunks::<4>().0;
    if body.len() - end != 12 * size {
        return Err(format!("expected {} bytes of numbers, found {}", 12 * size, body.len() - end));
    }
    let part = |i: usize| numbers[i * size..][..size].iter().map(|&four| f32::from_le_bytes(four)).collect();
    let mut model = Model::new(shape, settings.seed);
    model.values = part(0);
    let adam = Adam { mean: part(1), square: part(2), steps: state.steps, ..Adam::new(&shape) };
    Ok((settings, state, model, adam))
}

/// The bytes of the checkpoint that was read, for the fuzzer.
#[cfg(fuzzing)]
pub fn reread_checkpoint(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let (settings, state, model, adam) = from_bytes(bytes)?;
    Ok(to_bytes(&state, &settings, &model, &adam))
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> (TrainSettings, TrainState, Model, Adam) {
        let settings = TrainSettings { width: 16, ..TrainSettings::default() };
        let model = Model::new(NetworkShape::new(&settings), 3);
        let mut adam = Adam::new(&model.shape);
        adam.mean[3] = 0.1;
        adam.square[4] = f32::MIN_POSITIVE;
        adam.steps = 12;
        let epoch = Epoch { epoch: 1, train: 0.5, validation: None, rate: 0.001, speed: 1.5 };
        let state = TrainState {
            epoch: 1,
            batch: 7,
            loss: 0.1f64.to_bits(),
            seconds: 2.5,
            data: 9,
            steps: 12,
            history: vec![epoch],
        };
        (settings, state, model, adam)
    }

    #[test]
    fn a_checkpoint_reads_back_as_it_was_written() {
        let (settings, state, model, adam) = checkpoint();
        let bytes = to_bytes(&state, &settings, &model, &adam);
        assert_eq!(from_bytes(&bytes), Ok((settings, state, model, adam)));
    }

    #[test]
    fn a_broken_checkpoint_is_an_error() {
        let (settings, state, model, adam) = checkpoint();
        let bytes = to_bytes(&state, &settings, &model, &adam);
        for length in [0, 5, 15, 16, 40, bytes.len() - 1] {
            assert!(from_bytes(&bytes[..length]).is_err(), "{length} bytes");
        }
        for at in (0..bytes.len()).step_by(97) {
            let mut broken = bytes.clone();
            broken[at] ^= 4;
            assert!(from_bytes(&broken).is_err(), "byte {at}");
        }
    }
}
