//! Any text: read as a table of how positions ended and as one of what moves lost. What was accepted is written and read the same.
#![no_main]

use sumito_fuzz::fuzz_target;
use sumito_lab::data::chances::{ChanceSample, MoveLosses};

fuzz_target!(|text: &str| {
    let mut sample = ChanceSample::default();
    match sample.add_table(text) {
        Err(why) => assert!(why.contains("expected")),
        Ok(()) => {
            let (table, mut again) = (sample.table(), ChanceSample::default());
            // Sums of many lines can be more than one line holds.
            if again.add_table(&table).is_ok() {
                assert_eq!(again.table(), table);
            }
            if let Some(fit) = sample.fit() {
                assert!(fit.loss.is_finite() && fit.held_back_loss.is_finite());
            }
        }
    }
    if let Ok(losses) = MoveLosses::parse(text) {
        assert_eq!(MoveLosses::parse(&losses.table()), Ok(losses));
    }
});
