//! `sumito agents`: who there is to play, and what can be set.

use std::fmt::Write;
use std::process::ExitCode;

use comfy_table::{ContentArrangement, Table, presets::NOTHING};
use serde_json::{Value, json};
use sumito_agents::options::OptionSpec;
use sumito_agents::registry::{Entry, entries};
use sumito_agents::{SpecError, external};

use crate::files::{print, print_json};
use crate::terminal::HUMAN;

/// List the agents, or show one of them with its options.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The agent to show
    name: Option<String>,
    /// Show the options for tuners too
    #[arg(long)]
    all: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let all: Vec<&Entry> = entries().iter().copied().chain([&external::ENTRY, &HUMAN]).collect();
    let shown = match &args.name {
        None => all,
        Some(name) => {
            let found = all.into_iter().find(|entry| entry.name == name);
            vec![found.ok_or_else(|| SpecError::UnknownAgent { name: name.clone() })?]
        }
    };
    match (args.json, args.name, &shown[..]) {
        (true, Some(_), [entry]) => print_json(&to_json(entry, args.all))?,
        (true, ..) => {
            let list: Vec<Value> = shown.iter().map(|entry| to_json(entry, args.all)).collect();
            print_json(&list)?;
        }
        (false, Some(_), [entry]) => print(&one(entry, args.all))?,
        (false, ..) => print(&list(&shown, args.all))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The options to show.
fn options(entry: &Entry, all: bool) -> impl Iterator<Item = &'static OptionSpec> {
    entry.options.iter().filter(move |option| all || !option.is_hidden)
}

fn list(shown: &[&Entry], all: bool) -> String {
    let mut text: String = shown.iter().map(|entry| one(entry, all) + "\n").collect();
    text.push_str("A spec names an agent and sets its options: NAME:option=value,option=value\n");
    text
}

fn one(entry: &Entry, all: bool) -> String {
    let mut text = format!("{}: {}\n", entry.name, entry.summary);
    if !entry.source.is_empty() {
        writeln!(text, "  source: {}", entry.source).expect("writing to a string");
    }
    if options(entry, all).next().is_none() {
        return text;
    }
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    for option in options(entry, all) {
        let setting = format!("  {}={}", option.name, default_of(option));
        table.add_row([setting, option.kind.expected(), option.help.to_string()]);
    }
    writeln!(text, "{table}").expect("writing to a string");
    text
}

/// The default, or a dash where nothing is set.
fn default_of(option: &OptionSpec) -> String {
    let text = option.kind.default_text();
    if text.is_empty() { "-".to_string() } else { text }
}

fn to_json(entry: &Entry, all: bool) -> Value {
    let options: Vec<Value> = options(entry, all).map(option_to_json).collect();
    json!({ "name": entry.name, "summary": entry.summary, "source": entry.source, "options": options })
}

fn option_to_json(option: &OptionSpec) -> Value {
    use sumito_agents::options::Kind;
    let range = match option.kind {
        Kind::Float { min, max, .. } => json!({ "min": min, "max": max }),
        Kind::Flag(_) => json!(["on", "off"]),
        Kind::Choice(words) => json!(words),
        kind => kind.whole().map_or(Value::Null, |range| json!({ "min": range.start(), "max": range.end() })),
    };
    let (kind, default) = (option.kind.word(), option.kind.default_text());
    json!({ "name": option.name, "kind": kind, "default": default, "range": range, "help": option.help })
}
