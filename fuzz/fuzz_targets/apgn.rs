//! Any bytes: read as game records; what is read is written, and read back the same.
#![no_main]

use sumito_fuzz::fuzz_target;
use sumito_rules::record::Reader;

fuzz_target!(|bytes: &[u8]| {
    for record in Reader::new(bytes).flatten() {
        let written = record.to_string();
        let again = Reader::new(written.as_bytes()).next().expect("a record").expect("our own text");
        assert_eq!(again.to_string(), written);
        assert_eq!(again.replay().is_ok(), record.replay().is_ok());
    }
});
