//! The date of a record, as its tag `Date` has it.

use std::fmt;

/// A day of the Gregorian calendar, written `2016.09.19`.
///
/// ```
/// use sumito_rules::record::Date;
/// let day = Date::parse("2016.09.19").expect("a date");
/// assert_eq!(day.days(), 17_063);
/// assert_eq!(Date::from_days(17_064).to_string(), "2016.09.20");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    /// The year.
    pub year: i64,
    /// The month, from 1.
    pub month: i64,
    /// The day of the month, from 1.
    pub day: i64,
}

/// Days of 400 years, after which the calendar repeats itself.
const ERA: i64 = 146_097;
/// From the first of March of the year 0 to the first of January 1970. Years that begin in March have their leap day last.
const SHIFT: i64 = 719_468;

impl Date {
    /// The date so many days after the first of January 1970.
    pub fn from_days(days: i64) -> Date {
        let (era, day) = ((days + SHIFT).div_euclid(ERA), (days + SHIFT).rem_euclid(ERA));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let of_year = day - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        Date { year: era * 400 + year + i64::from(month <= 2), month, day }
    }

    /// How many days it is after the first of January 1970.
    pub fn days(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let of_year = (153 * ((self.month + 9) % 12) + 2) / 5 + self.day - 1;
        era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - SHIFT
    }

    /// A day of the years 1 to 9999 with its parts in the order of the tag; strokes and slashes may stand for the points.
    pub fn parse(text: &str) -> Option<Date> {
        let mut parts = text.split(['.', '-', '/']).map(|part| part.parse::<i64>().ok());
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        let date = Date { year, month, day };
        let may_be = (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
        // Not every month has 31 days.
        let is_date = may_be && parts.next().is_none() && Date::from_days(date.days()) == date;
        is_date.then_some(date)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates_with_leap_years() {
        for (days, date) in [
            (-1, "1969.12.31"),
            (0, "1970.01.01"),
            (58, "1970.02.28"),
            (59, "1970.03.01"),
            (11_016, "2000.02.29"),
            (11_017, "2000.03.01"),
            (19_782, "2024.02.29"),
            (20_453, "2025.12.31"),
            (20_775, "2026.11.18"),
        ] {
            assert_eq!(Date::from_days(days).to_string(), date);
            assert_eq!(Date::parse(date), Some(Date::from_days(days)));
        }
    }

    #[test]
    fn each_day_of_a_thousand_years_comes_back() {
        for days in -365_000..365_000 {
            assert_eq!(Date::from_days(days).days(), days);
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in
            ["", "????.??.??", "2016", "2016.13.01", "2016.1.1.1", "2016.00.01", "2023.02.29", "0.1.1"]
        {
            assert_eq!(Date::parse(text), None, "{text}");
        }
        assert_eq!(Date::parse("2016-9-19"), Date::parse("2016.09.19"));
    }
}
