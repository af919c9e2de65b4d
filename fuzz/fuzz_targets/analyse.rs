//! Any text: read as a line of `sumito analyse --serve`.
#![no_main]

#[allow(dead_code)]
#[path = "../../src/cmd/analyse/serve/request.rs"]
mod request;

use sumito_fuzz::fuzz_target;

fuzz_target!(|line: &str| {
    let id = request::id_of(line);
    match request::Request::parse(line) {
        Ok(request) => {
            assert_eq!(request.id.unwrap_or_default(), id);
            request.moves.iter().for_each(|moves| assert!(moves.texts().len() <= line.len()));
        }
        Err(why) => assert!(why.starts_with("expected a request")),
    }
});
