//! `sumito lab`: the papers' experiments, run again.

mod list;
mod overview;
mod paper;
mod report;
mod run;
mod show;

use std::process::ExitCode;

/// Run the papers' experiments again, and see what came out
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    List(list::Args),
    Run(run::Args),
    Show(show::Args),
    Report(report::Args),
    Overview(overview::Args),
    Paper(paper::Args),
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::List(args) => list::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Overview(args) => overview::run(&args),
        Command::Paper(args) => paper::run(&args),
    }
}
