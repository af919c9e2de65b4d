//! What columns keep as JSON. These types are the database's own: what the interface sends may change without them.

use serde::{Deserialize, Serialize};
use sumito_rules::{AtCap, Move, Repetition, Rules};

use crate::domain::game::ClockSetting;
use crate::domain::plan::Plan;
use crate::domain::value::Value;

/// The column `rules`.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredRules {
    /// The preset that has just these rules; only told.
    preset: Option<String>,
    marbles_to_win: u8,
    repetition: Repetition,
    ply_cap: Option<u32>,
    quiet_cap: Option<u32>,
    at_cap: AtCap,
}

impl From<&Rules> for StoredRules {
    fn from(rules: &Rules) -> StoredRules {
        let Rules { marbles_to_win, repetition, ply_cap, quiet_cap, at_cap, clock: _ } = *rules;
        let preset = rules.preset().map(str::to_string);
        StoredRules { preset, marbles_to_win, repetition, ply_cap, quiet_cap, at_cap }
    }
}

impl From<StoredRules> for Rules {
    fn from(stored: StoredRules) -> Rules {
        let StoredRules { preset: _, marbles_to_win, repetition, ply_cap, quiet_cap, at_cap } = stored;
        Rules { marbles_to_win, repetition, ply_cap, quiet_cap, at_cap, clock: None }
    }
}

/// The column `clock`.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum StoredClock {
    Move { ms: u64 },
    Game { base_ms: u64, increment_ms: u64 },
}

impl From<ClockSetting> for StoredClock {
    fn from(clock: ClockSetting) -> StoredClock {
        match clock {
            ClockSetting::Move { ms } => StoredClock::Move { ms },
            ClockSetting::Game { base_ms, increment_ms } => StoredClock::Game { base_ms, increment_ms },
        }
    }
}

impl From<StoredClock> for ClockSetting {
    fn from(stored: StoredClock) -> ClockSetting {
        match stored {
            StoredClock::Move { ms } => ClockSetting::Move { ms },
            StoredClock::Game { base_ms, increment_ms } => ClockSetting::Game { base_ms, increment_ms },
        }
    }
}

/// The columns `black_plan` and `white_plan`: the moves of each line, as the column `moves` has them.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct StoredPlan(Vec<Vec<u16>>);

impl StoredPlan {
    /// What is kept of a plan; nothing of an empty one.
    pub(super) fn of(plan: &Plan) -> Option<StoredPlan> {
        let lines = plan.0.iter().map(|line| line.iter().map(|m| m.bits()).collect());
        Some(StoredPlan(lines.collect())).filter(|stored| !stored.0.is_empty())
    }

    /// The plan, unless it has a move that is none.
    pub(super) fn plan(&self) -> Option<Plan> {
        let line = |line: &Vec<u16>| line.iter().map(|&bits| Move::from_bits(bits)).collect();
        self.0.iter().map(line).collect::<Option<_>>().map(Plan)
    }
}

/// The column `score` of the table `ply`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StoredValue {
    Marbles(f64),
    WinIn(u32),
    LossIn(u32),
    AtCap(Side),
    Value(f64),
}

/// Whom a limit of the rules lets win.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Side {
    Win,
    Loss,
}

impl From<Value> for StoredValue {
    fn from(value: Value) -> StoredValue {
        match value {
            Value::Marbles(value) => StoredValue::Marbles(value),
            Value::WinIn(moves) => StoredValue::WinIn(moves),
            Value::LossIn(moves) => StoredValue::LossIn(moves),
            Value::AtCap("win") => StoredValue::AtCap(Side::Win),
            Value::AtCap(_) => StoredValue::AtCap(Side::Loss),
            Value::Own(value) => StoredValue::Value(value),
        }
    }
}

impl From<StoredValue> for Value {
    fn from(stored: StoredValue) -> Value {
        match stored {
            StoredValue::Marbles(value) => Value::Marbles(value),
            StoredValue::WinIn(moves) => Value::WinIn(moves),
            StoredValue::LossIn(moves) => Value::LossIn(moves),
            StoredValue::AtCap(Side::Win) => Value::AtCap("win"),
            StoredValue::AtCap(Side::Loss) => Value::AtCap("loss"),
            StoredValue::Value(value) => Value::Own(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of rows that version 0.1.0 has written.
    #[test]
    fn what_older_programs_have_written_reads_and_is_written_the_same() {
        let rules = r#"{"preset":"official","marbles_to_win":6,"repetition":"off","ply_cap":null,"quiet_cap":null,"at_cap":"draw"}"#;
        let read: Rules = serde_json::from_str::<StoredRules>(rules).expect("rules").into();
        let again: Rules =
            serde_json::from_str::<StoredRules>(&text(&StoredRules::from(&read))).expect("rules").into();
        assert_eq!((read, read.marbles_to_win), (again, 6));
        for clock in
            [r#"{"kind":"move","ms":30000}"#, r#"{"kind":"game","base_ms":300000,"increment_ms":3000}"#]
        {
            let read: ClockSetting = serde_json::from_str::<StoredClock>(clock).expect("a clock").into();
            assert_eq!(text(&StoredClock::from(read)), clock);
        }
        for value in [
            r#"{"marbles":0.35}"#,
            r#"{"win_in":3}"#,
            r#"{"loss_in":2}"#,
            r#"{"at_cap":"win"}"#,
            r#"{"at_cap":"loss"}"#,
            r#"{"value":12.5}"#,
        ] {
            let read: Value = serde_json::from_str::<StoredValue>(value).expect("a value").into();
            assert_eq!(text(&StoredValue::from(read)), value);
        }
    }

    fn text(value: &impl Serialize) -> String {
        serde_json::to_string(value).expect("plain data")
    }
}
