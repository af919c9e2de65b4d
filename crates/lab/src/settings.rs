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
