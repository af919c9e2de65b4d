//! Settings are the same whether a program or the command line makes them.

#![cfg(feature = "clap")]

use clap::{Args, Command};
use sumito_lab::data::DataSettings;
use sumito_lab::learn::LearnSettings;
use sumito_lab::train::TrainSettings;
use sumito_lab::tune::texel::TexelSettings;

/// What the command line makes of no flags at all.
fn without_flags<T: Args>() -> T {
    let matches = T::augment_args(Command::new("test")).get_matches_from(["test"]);
    T::from_arg_matches(&matches).expect("settings")
}

#[test]
fn without_flags_all_settings_are_the_defaults() {
    assert_eq!(without_flags::<TrainSettings>(), TrainSettings::default());
    assert_eq!(without_flags::<TexelSettings>(), TexelSettings::default());
    assert_eq!(without_flags::<LearnSettings>(), LearnSettings::default());
    assert_eq!(without_flags::<DataSettings>(), DataSettings::default());
}
