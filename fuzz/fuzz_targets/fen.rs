//! Any text: read as a position in every format, and what is read is valid and reads back the same.
#![no_main]

use sumito_fuzz::fuzz_target;
use sumito_rules::{PositionFormat, fen};

fuzz_target!(|text: &str| {
    let _ = PositionFormat::detect(text);
    for format in PositionFormat::ALL {
        let Ok(position) = format.parse(text) else { continue };
        position.validate().expect("a parser gives valid positions");
        assert_eq!(fen::parse(&fen::write(&position)), Ok(position));
        assert_eq!(position.legal_moves().len(), position.count_moves());
    }
});
