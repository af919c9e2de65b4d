//! Arguments that several subcommands share.

use anyhow::Context;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use sumito_rules::{Layout, Notation, Position, PositionFormat};

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
