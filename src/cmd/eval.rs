//! `sumito eval`: the static evaluation of a position, term by term.

use std::process::ExitCode;

use anyhow::Context;
use comfy_table::{CellAlignment, Table, presets};
use sumito_engine::{Engine, EngineOptions, eval, network};
use sumito_rules::{Layout, PositionFormat};

use crate::files;
use crate::input::PositionArgs;

/// Show what the flagship's evaluations say about a position, the hand-written one term by term
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A position as FEN or in another format, or a layout's name
    #[arg(value_name = "FEN", conflicts_with = "PositionArgs")]
    input: Option<String>,
    #[command(flatten)]
    position: PositionArgs,
    /// The network: a file [default: the shipped one]
    #[arg(long, default_value = "", hide_default_value = true, value_name = "FILE")]
    net: String,
    /// Print JSON: terms with black and white, and the values for the side to move
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let position = match &args.input {
        None => args.position.position()?,
        Some(text) => match Layout::named(text) {
            Some(layout) => layout.position(),
            None => PositionFormat::detect(text).parse(text).context("FEN")?,
        },
    };
    let value =
        |network| Engine::new(EngineOptions { hash: 1, network, ..EngineOptions::default() }).eval(&position);
    let (terms, hand) = (eval::trace(&position), value(None));
    let learned = network::named(&args.net, std::fs::read)?.map(|network| value(Some(network)));
    if args.json {
        let term = |term: &eval::Term| serde_json::json!({ "name": term.name, "black": term.black, "white": term.white });
        let terms: Vec<_> = terms.iter().map(term).collect();
        files::print_json(&serde_json::json!({ "terms": terms, "value": hand, "network": learned }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["term", "Black", "White", "difference"]);
    for term in &terms {
        let numbers = [term.black, term.white, term.black - term.white].map(|n| n.to_string());
        table.add_row([term.name.to_string()].into_iter().chain(numbers));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let network = learned.map_or(String::new(), |value| format!("; the network says {value:+}"));
    files::print(&format!(
        "{table}\n{hand:+} for {}, in hundredths of a marble{network}\n",
        position.turn()
    ))?;
    Ok(ExitCode::SUCCESS)
}
