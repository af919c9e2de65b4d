//! `sumito eval`: the static evaluation of a position, term by term.

use std::process::ExitCode;

use comfy_table::{CellAlignment, Table, presets};
use sumito_engine::{Engine, Options, eval};

use crate::files;
use crate::input::PositionArgs;

/// Show what the flagship's evaluation says about a position, term by term
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Print JSON: terms with black and white, and the value for the side to move
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let position = args.position.position()?;
    let (terms, value) =
        (eval::trace(&position), Engine::new(Options { hash: 1, ..Options::default() }).eval(&position));
    if args.json {
        let term = |term: &eval::Term| serde_json::json!({ "name": term.name, "black": term.black, "white": term.white });
        let terms: Vec<_> = terms.iter().map(term).collect();
        files::print_json(&serde_json::json!({ "terms": terms, "value": value }))?;
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
    files::print(&format!("{table}\n{value:+} for {}, in hundredths of a marble\n", position.turn()))?;
    Ok(ExitCode::SUCCESS)
}
