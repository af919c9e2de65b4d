//! Settings, declared once: a field with what it means, its default, and what it is called as an argument. From that come
//! the file, the defaults, and with the feature `clap` the flags of the command line with their help.

/// Declares settings.
///
/// `name: Type = default, "UNIT";` is a flag `--name UNIT` with that default; more for clap follows in parentheses.
/// `name: Type = default, (...);` leaves everything to the parentheses: flags without a value, or whose default is none.
macro_rules! settings {
    (
        $(#[$about:meta])*
        pub struct $name:ident {
            $(
                $(#[$doc:meta])*
                $field:ident: $type:ty = $default:expr $(, $unit:literal)? $(, ($($arg:tt)*))?;
            )*
        }
    ) => {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "clap", derive(clap::Args))]
        $(#[$about])*
        pub struct $name {
            $(
                $(#[$doc])*
                $(#[cfg_attr(feature = "clap", arg(long, default_value_t = $default, value_name = $unit))])?
                $(#[cfg_attr(feature = "clap", arg($($arg)*))])?
                pub $field: $type,
            )*
        }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $default),* }
            }
        }
    };
}

pub(crate) use settings;

/// Refuses the first of some numbers that is out of its range: "expected {what}, found {number}".
pub(crate) fn check(rules: &[(bool, &str, &dyn std::fmt::Display)]) -> Result<(), String> {
    match rules.iter().find(|(holds, ..)| !holds) {
        Some((_, what, found)) => Err(format!("expected {what}, found {found}")),
        None => Ok(()),
    }
}

#[cfg(all(test, feature = "clap"))]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    /// What the command line makes of no flags at all.
    fn without_flags<T: Args + FromArgMatches>() -> T {
        let matches = T::augment_args(Command::new("test")).get_matches_from(["test"]);
        T::from_arg_matches(&matches).expect("settings")
    }

    #[test]
    fn without_flags_all_settings_are_the_defaults() {
        assert_eq!(without_flags::<crate::train::TrainSettings>(), crate::train::TrainSettings::default());
        assert_eq!(
            without_flags::<crate::tune::texel::TexelSettings>(),
            crate::tune::texel::TexelSettings::default()
        );
        assert_eq!(without_flags::<crate::learn::LearnSettings>(), crate::learn::LearnSettings::default());
        assert_eq!(without_flags::<crate::data::DataSettings>(), crate::data::DataSettings::default());
    }
}
