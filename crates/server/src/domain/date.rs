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

/// A month, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Month {
    year: u16,
    month: u8,
}

impl std::str::FromStr for Month {
    type Err = String;

    /// Reads `2026-11`.
    fn from_str(text: &str) -> Result<Month, String> {
        let wrong = || format!("expected a year and a month such as 2026-11, found '{text}'");
        let (year, month) = text.split_once('-').ok_or_else(wrong)?;
        if (year.len(), month.len()) != (4, 2) {
            return Err(wrong());
        }
        let month =
            Month { year: year.parse().map_err(|_| wrong())?, month: month.parse().map_err(|_| wrong())? };
        if (1..=12).contains(&month.month) { Ok(month) } else { Err(wrong()) }
    }
}

impl Month {
    /// Whether a moment is in it.
    pub(crate) fn has(self, ms: i64) -> bool {
        date(ms).starts_with(&format!("{:04}.{:02}.", self.year, self.month))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_begins_and_ends_at_midnight_in_utc() {
        let month: Month = "2026-11".parse().expect("a month");
        let (first, next) = (moment("2026.11.01").expect("a date"), moment("2026.12.01").expect("a date"));
        assert_eq!([first - 1, first, next - 1, next].map(|at| month.has(at)), [false, true, true, false]);
        for wrong in ["", "2026", "2026-13", "2026-00", "26-11", "2026-1"] {
            assert!(wrong.parse::<Month>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn dates_and_moments_are_one_to_one() {
        for day in ["1970.01.01", "2000.02.29", "2016.09.19", "1900.03.01", "2026.12.31"] {
            assert_eq!(date(moment(day).expect("a date")), day);
        }
        assert_eq!((moment("1970.01.02"), moment("1969.12.31")), (Some(DAY), Some(-DAY)));
        assert_eq!(moment("????.??.??"), None);
    }
}
