//! Any text: read as the server's configuration. What follows a line of dashes are variables of the environment.
#![no_main]

use sumito_fuzz::{folder, fuzz_target};
use sumito_server::Config;

fuzz_target!(|text: &str| {
    let (file, variables) = text.split_once("\n---\n").unwrap_or((text, ""));
    let path = folder().join("sumito.toml");
    std::fs::write(&path, file).expect("written");
    let pairs = variables.lines().filter_map(|line| line.split_once('='));
    let environment = pairs.map(|(name, value)| (name.to_string(), value.to_string()));
    match Config::load(Some(&path), environment) {
        Ok(config) => {
            assert!(config.threads() > 0 && !config.timeout().is_zero());
            assert_eq!(config.clone().checked().expect("checked when read"), config);
        }
        Err(why) => assert!(!why.to_string().is_empty()),
    }
});
