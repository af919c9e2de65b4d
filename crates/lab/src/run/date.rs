//! Today as a date.

use std::time::{SystemTime, UNIX_EPOCH};

use sumito_rules::record::Date;

/// Today, in UTC: `2026-11-18`.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    Date::from_days((seconds / 86_400) as i64).to_string().replace('.', "-")
}
