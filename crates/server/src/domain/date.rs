//! Moments in milliseconds since 1970, and the dates of records.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A moment as a date, `2016.09.19`.
pub(crate) fn date(ms: i64) -> String {
    let days = ms.div_euclid(86_400_000);
    // Days since the first of March of a year that is a multiple of 400: leap days come last then.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let rest = day - (365 * year + year / 4 - year / 100);
    let month = (5 * rest + 2) / 153;
    let (day, month) = (rest - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

/// A date as a moment.
pub(crate) fn moment(date: &str) -> Option<i64> {
    let mut parts = date.split(['.', '-', '/']).map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some()
        || !(1..=9999).contains(&year)
        || !(1..=12).contains(&month)
        || !(1..=31).contains(&day)
    {
        return None;
    }
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(days * 86_400_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_moments_are_one_to_one() {
        for date in ["1970.01.01", "2000.02.29", "2016.09.19", "1900.03.01", "2026.12.31"] {
            assert_eq!(super::date(moment(date).expect("a date")), date);
        }
        assert_eq!((moment("1970.01.02"), moment("1969.12.31")), (Some(86_400_000), Some(-86_400_000)));
        assert!(
            ["", "????.??.??", "2016", "2016.13.01", "2016.1.1.1"].iter().all(|text| moment(text).is_none())
        );
    }
}
