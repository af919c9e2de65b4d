//! `sumito lab list`: the experiments, with paper, section, expected time and the state of the published result.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Error, Result};
use comfy_table::{ContentArrangement, Table, presets};
use sumito_lab::experiment::{Definition, Published, Size, library};

use crate::files::{print, print_json};

/// List the experiments: paper, section, expected time on one core, and which result is published
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of results
    #[arg(long, default_value = "experiments/results", value_name = "DIR")]
    results: PathBuf,
    /// Print JSON: name, paper, where, title, about, time, result
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut rows = Vec::new();
    for definition in library()?.into_iter().filter(Definition::can_run) {
        let published = Published::read(&args.results, &definition.name).map_err(Error::msg)?;
        rows.push((definition, published));
    }
    if args.json {
        print_json(&rows.iter().map(|(one, published)| json(one, published.as_ref())).collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["name", "where", "what", "quick", "full", "result"]);
    for (definition, published) in &rows {
        table.add_row([
            definition.name.clone(),
            definition.place.clone(),
            definition.title.clone(),
            time(definition, Size::Quick),
            time(definition, Size::Full),
            published.as_ref().map_or("none".to_string(), |published| published.size.to_string()),
        ]);
    }
    print(&format!("{table}\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn time(definition: &Definition, size: Size) -> String {
    definition.time.as_ref().map_or("-".to_string(), |time| time.of(size).clone())
}

fn json(definition: &Definition, published: Option<&Published>) -> serde_json::Value {
    serde_json::json!({
        "name": definition.name,
        "paper": definition.paper().map(|paper| paper.title),
        "where": definition.place,
        "title": definition.title,
        "about": definition.about,
        "time": { "quick": time(definition, Size::Quick), "full": time(definition, Size::Full) },
        "result": published.map(|published| published.size),
    })
}
