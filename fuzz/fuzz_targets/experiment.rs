//! Any text: read as a table of quoted numbers, and as the definition of an experiment, which is checked as before a run if it asks for little: no process, no
//! file, no large number.
#![no_main]

use serde_json::Value;
use sumito_fuzz::fuzz_target;
use sumito_lab::experiment::{Definition, quoted};

/// The largest number, text and list of a definition that is checked.
const SMALL: f64 = 40.0;
const SHORT: usize = 60;
const FEW: usize = 8;

fn is_small(value: &Value) -> bool {
    let harmless = |text: &str| {
        let numbers = text.split(|c: char| !c.is_ascii_digit());
        let large = numbers.filter_map(|number| number.parse::<f64>().ok()).any(|number| number > SMALL);
        !large
            && text.len() < SHORT
            && !["ugi", "net", "weights", "{", "file"].iter().any(|word| text.contains(word))
    };
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|number| number.abs() <= SMALL),
        Value::String(text) => harmless(text),
        Value::Array(values) => values.len() <= FEW && values.iter().all(is_small),
        Value::Object(fields) => {
            fields.len() <= 4 * FEW && fields.iter().all(|(name, value)| harmless(name) && is_small(value))
        }
        Value::Null | Value::Bool(_) => true,
    }
}

fuzz_target!(|text: &str| {
    match quoted::parse(text) {
        Err(why) => assert!(why.line > 0 && !why.why.is_empty()),
        Ok(table) => assert!(table.values().all(|number| number.fragment.contains(&number.printed))),
    }
    match Definition::parse("fuzz/definition", text) {
        Err(why) => assert!(!why.why.is_empty()),
        Ok(definition) => {
            let _ = (definition.can_run(), definition.is_timed(), definition.paper());
            if is_small(&serde_json::to_value(&definition).expect("plain data")) {
                let _ = definition.check();
            }
        }
    }
});
