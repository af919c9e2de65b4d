//! Arguments that several subcommands share.

use std::time::Duration;

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sumito_agents::options::parse_time;
use sumito_rules::{Layout, Notation, Position, PositionFormat, Rules};

/// A position on the command line.
#[derive(clap::Args)]
#[group(multiple = false)]
pub(crate) struct PositionArgs {
    /// A starting layout by name or alias (see `sumito layouts`) [default: belgian-daisy]
    #[arg(long, value_name = "NAME")]
    layout: Option<String>,
    /// A position as FEN; the other position formats are recognised too
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
}

impl PositionArgs {
    pub(crate) fn position(&self) -> anyhow::Result<Position> {
        match (&self.layout, &self.fen) {
            (Some(name), _) => Ok(Layout::find(name).context("--layout")?.position()),
            (None, Some(text)) => PositionFormat::detect(text).parse(text).context("--fen"),
            (None, None) => Ok(Layout::all()[0].position()),
        }
    }
}

/// Lets clap show the notations and read one.
pub(crate) fn notation() -> impl TypedValueParser<Value = Notation> {
    PossibleValuesParser::new(Notation::ALL.map(Notation::name))
        .map(|name| name.parse().expect("one of the possible values"))
}

/// Lets clap show the rules' presets and read one.
pub(crate) fn rules() -> impl TypedValueParser<Value = Rules> {
    PossibleValuesParser::new(Rules::PRESETS.map(|(name, _)| name))
        .map(|name| Rules::named(&name).expect("one of the possible values"))
}

/// Lets clap read a time such as 500ms or 2s.
pub(crate) fn time(text: &str) -> Result<Duration, String> {
    let time = parse_time(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| "expected a time such as 500ms, 2s or 1m".to_string())
}

/// Whether a text, by its beginning, is a file of games and not of positions.
pub(crate) fn is_games(start: &str) -> bool {
    let start = start.trim_start();
    let word = start.split_whitespace().next().unwrap_or_default();
    let numbered = word.split_once('.').is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    start.starts_with(['[', '{', ';']) || numbered && !word.contains('/')
}
