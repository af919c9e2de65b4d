//! Today as a date.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: u64 = 86_400;

/// Today, in UTC: `2026-11-18`.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / DAY)
}

/// The date so many days after 1970-01-01 (the Gregorian calendar in eras of 400 years that begin in March).
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn days_become_dates_with_leap_years() {
        let found = [0, 58, 59, 11_016, 11_017, 19_782, 20_775].map(date);
        let dates = [
            "1970-01-01",
            "1970-02-28",
            "1970-03-01",
            "2000-02-29",
            "2000-03-01",
            "2024-02-29",
            "2026-11-18",
        ];
        assert_eq!(found, dates);
    }
}
