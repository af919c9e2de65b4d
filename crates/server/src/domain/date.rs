//! Moments in milliseconds since 1970, and the dates of records.

use std::time::{SystemTime, UNIX_EPOCH};

use sumito_rules::record::Date;

/// Now.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

const DAY: i64 = 86_400_000;

/// A moment as a date, `2016.09.19`.
pub(crate) fn date(ms: i64) -> String {
    Date::from_days(ms.div_euclid(DAY)).to_string()
}

/// A date as a moment.
pub(crate) fn moment(date: &str) -> Option<i64> {
    Date::parse(date).map(|date| date.days() * DAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_moments_are_one_to_one() {
        for day in ["1970.01.01", "2000.02.29", "2016.09.19", "1900.03.01", "2026.12.31"] {
            assert_eq!(date(moment(day).expect("a date")), day);
        }
        assert_eq!((moment("1970.01.02"), moment("1969.12.31")), (Some(DAY), Some(-DAY)));
        assert_eq!(moment("????.??.??"), None);
    }
}
