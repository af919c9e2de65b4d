//! `sumito layouts`: lists the starting layouts.

use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets};
use sumito_rules::{Color, Layout, diagram, fen};

use crate::files;

/// List the starting layouts, or show one
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A layout's name or alias
    name: Option<String>,
    /// Print JSON: name, title, aliases, cells, agree, sources, dispute, fen
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let layouts = match &args.name {
        None => Layout::all(),
        Some(name) => std::slice::from_ref(Layout::find(name)?),
    };
    if args.json {
        let with_fen = |layout: &Layout| {
            let mut value = serde_json::to_value(layout).expect("a layout is plain data");
            value["fen"] = fen::write(&layout.position()).into();
            value
        };
        files::print_json(&layouts.iter().map(with_fen).collect::<Vec<_>>())?;
    } else if args.name.is_some() {
        files::print(&layouts.iter().map(one).collect::<String>())?;
    } else {
        files::print(&format!("{}\n", table(layouts)))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn agreement(layout: &Layout) -> String {
    let mark = if layout.is_disputed() { " disputed" } else { "" };
    format!("{} of {}{mark}", layout.agree, layout.sources)
}

fn table(layouts: &[Layout]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["name", "title", "marbles", "moves", "sources that agree", "aliases"]);
    for layout in layouts {
        let start = layout.position();
        let [black, white] = Color::ALL.map(|color| start.marbles(color).len());
        table.add_row([
            layout.name.to_string(),
            layout.title.to_string(),
            format!("{black} v {white}"),
            start.legal_moves().len().to_string(),
            agreement(layout),
            layout.aliases.join(", "),
        ]);
    }
    table
}

fn one(layout: &Layout) -> String {
    let start = layout.position();
    let dispute = if layout.is_disputed() { format!(" ({})", layout.dispute) } else { String::new() };
    format!(
        "{} ({})\naliases: {}\nsources that agree: {}{dispute}\n{}\n\n{}",
        layout.title,
        layout.name,
        layout.aliases.join(", "),
        agreement(layout),
        fen::write(&start),
        diagram::text(&start, None),
    )
}
