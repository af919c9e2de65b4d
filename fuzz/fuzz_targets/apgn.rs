//! Any bytes: read as game records and as dates; what is read is written, and read back the same.
#![no_main]

use sumito_fuzz::fuzz_target;
use sumito_rules::record::{Date, Reader};

fuzz_target!(|bytes: &[u8]| {
    for record in Reader::new(bytes).flatten() {
        let written = record.to_string();
        let again = Reader::new(written.as_bytes()).next().expect("a record").expect("our own text");
        assert_eq!(again.to_string(), written);
        assert_eq!(again.replay().is_ok(), record.replay().is_ok());
        record.tag("Date").into_iter().for_each(date);
    }
    std::str::from_utf8(bytes).into_iter().flat_map(str::lines).for_each(date);
});

/// A text that may be a date: a day of the calendar, and the same one when it is written.
fn date(text: &str) {
    if let Some(date) = Date::parse(text) {
        assert_eq!(Date::parse(&date.to_string()), Some(date));
        assert_eq!(Date::from_days(date.days()), date);
    }
}
