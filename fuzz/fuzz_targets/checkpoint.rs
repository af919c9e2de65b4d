//! Checkpoints of a training run: a state as JSON, and numbers, with a checksum that fits. What is read is written the
//! same. The first line is the state; of the numbers there are as many as the state asks for, or any.
#![no_main]

use sumito_fuzz::{Choices, fnv, fuzz_target};
use sumito_lab::train::{NetworkShape, TrainSettings, reread_checkpoint};

fuzz_target!(|bytes: &[u8]| {
    let _ = reread_checkpoint(bytes);
    let cut = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (state, rest) = bytes.split_at(cut);
    let mut choices = Choices(rest.get(1..).unwrap_or_default());
    let settings =
        serde_json::from_slice::<(TrainSettings, serde_json::Value)>(state).map(|(settings, _)| settings);
    let Some(settings) = settings.ok().filter(|settings| settings.width <= 64) else { return };
    let numbers = match settings.check() {
        Ok(()) => 3 * NetworkShape::new(&settings).size(),
        Err(_) => choices.below(100),
    };
    let mut file = b"SUMITOCK\x01\0\0\0".to_vec();
    file.extend((state.len() as u32).to_le_bytes());
    file.extend(state);
    let pattern: Vec<u8> = (0..32).map(|_| choices.byte()).collect();
    file.extend(pattern.iter().cycle().take(4 * numbers));
    file.extend(fnv(&[&file]).to_le_bytes());
    if let Ok(again) = reread_checkpoint(&file) {
        // The state may be written in another way, but that one is kept.
        assert_eq!(reread_checkpoint(&again), Ok(again));
    }
});
