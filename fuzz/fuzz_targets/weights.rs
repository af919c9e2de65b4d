//! Any text: read as the weights of `cornell-td`; what is read is finite, judges positions and is written the same.
#![no_main]

use sumito_agents::cornell::Network;
use sumito_fuzz::fuzz_target;
use sumito_rules::{Color, Layout};

fuzz_target!(|text: &str| {
    let Ok(network) = text.parse::<Network>() else { return };
    assert!(network.parameters().iter().all(|value| value.is_finite()));
    assert_eq!(network.to_string().parse(), Ok(network.clone()));
    let position = Layout::all()[0].position();
    let _ = network.judge(&position, Color::Black);
});
