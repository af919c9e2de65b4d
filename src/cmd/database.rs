//! `sumito database`: care for the file with the games, beside a running server.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use comfy_table::{Table, presets};
use sumito_lab::experiment::MeasuredValue;
use sumito_lab::stats::WdlCount;
use sumito_server::database::{self, CheckReport, Month, PeopleResult};

use crate::files::{Output, print, print_json};

/// Back up, check, restore and export the web app's database, sum up people's results, and delete games
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write a consistent copy to a new file; the server may go on
    Backup {
        /// The new file
        to: PathBuf,
        #[command(flatten)]
        of: Of,
    },
    /// Check the file and replay every game; exit code 1 if anything is damaged
    Check {
        #[command(flatten)]
        of: Of,
    },
    /// Put a copy in the database's place, after a check of it; refused while a server runs
    Restore {
        /// The copy
        from: PathBuf,
        #[command(flatten)]
        of: Of,
    },
    /// Delete games by their ids, also damaged ones; the server may go on
    Delete {
        /// The ids
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
        #[command(flatten)]
        of: Of,
    },
    /// How people did against each agent: games won, drawn and lost, and their score with its 95 % interval
    People {
        /// Print JSON: agent, won, drawn, lost
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        of: Of,
    },
    /// Compute all ratings again from the rated games and what happened to them, and put right those that were kept otherwise
    Ratings {
        #[command(flatten)]
        of: Of,
    },
    /// Write all games that can be read as APGN
    Export {
        /// Only games that were begun in this month (in UTC), such as 2026-11
        #[arg(long, value_name = "YEAR-MONTH")]
        month: Option<Month>,
        /// The file to write; else the standard output
        #[arg(long, short, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        of: Of,
    },
}

#[derive(clap::Args)]
struct Of {
    /// The file with the games
    #[arg(long, value_name = "FILE", env = "SUMITO_DATABASE", default_value = "sumito.db")]
    database: PathBuf,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.task {
        Task::Backup { to, of } => {
            database::backup(&of.database, &to)?;
            print(&format!("{} is a copy of {}\n", to.display(), of.database.display()))?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Check { of } => check(&database::check(&of.database)?),
        Task::Restore { from, of } => restore(&from, &of.database),
        Task::Delete { ids, of } => delete(&ids, &of.database),
        Task::People { json, of } => people(json, &of.database),
        Task::Ratings { of } => {
            let (all, wrong) = database::ratings(&of.database)?;
            print(&format!("{all} ratings, {wrong} of them put right\n"))?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Export { month, out, of } => export(month, out.as_deref(), &of.database),
    }
}

fn damaged(report: &CheckReport) {
    for (id, why) in &report.damaged {
        tell!("sumito: game {id} is damaged: {why}");
    }
}

fn check(report: &CheckReport) -> anyhow::Result<ExitCode> {
    let mut text: String = report.faults.iter().map(|fault| format!("{fault}\n")).collect();
    damaged(report);
    text += &format!(
        "version {}, {} games can be replayed, {} are damaged, {} faults in the file\n",
        report.version,
        report.games,
        report.damaged.len(),
        report.faults.len()
    );
    print(&text)?;
    Ok(if report.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn restore(from: &Path, file: &Path) -> anyhow::Result<ExitCode> {
    let aside = database::restore(from, file)?;
    print(&format!("{} is now a copy of {}\n", file.display(), from.display()))?;
    if let Some(aside) = aside {
        print(&format!("what was there before is {}\n", aside.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn delete(ids: &[String], file: &Path) -> anyhow::Result<ExitCode> {
    let mut all = true;
    for id in ids {
        if database::delete(file, id)? {
            print(&format!("game {id} is deleted\n"))?;
        } else {
            tell!("sumito: expected the id of a game, found '{id}'");
            all = false;
        }
    }
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

fn people(json: bool, file: &Path) -> anyhow::Result<ExitCode> {
    let results = database::people(file)?;
    if json {
        let row = |PeopleResult { agent, won, drawn, lost }: &PeopleResult| serde_json::json!({ "agent": agent, "won": won, "drawn": drawn, "lost": lost });
        print_json(&results.iter().map(row).collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["agent", "games", "people's W-D-L", "people's score"]);
    for PeopleResult { agent, won, drawn, lost } in &results {
        let games = WdlCount::new(*won, *drawn, *lost);
        table.add_row([
            agent.clone(),
            games.games().to_string(),
            format!("{won}-{drawn}-{lost}"),
            format!("{} %", MeasuredValue::score(games).text(1)),
        ]);
    }
    print(&format!("{table}\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn export(month: Option<Month>, out: Option<&Path>, file: &Path) -> anyhow::Result<ExitCode> {
    let mut out = Output::create(out)?;
    let report = database::export(file, month, &mut out)?;
    out.finish()?;
    damaged(&report);
    tell!("sumito: {} games written, {} damaged", report.games, report.damaged.len());
    Ok(if report.damaged.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
