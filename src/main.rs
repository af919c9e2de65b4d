//! The `sumito` program: one subcommand a file, below `cmd`.

// They panic when nobody reads any more, as in `sumito agents | head -1`: output goes through `files`, which gives an error
// that ends the program quietly, and remarks through `tell`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

/// A line on standard error, for whoever reads it. Unlike `eprintln`, it does not end the work if nobody does any more.
macro_rules! tell {
    ($($line:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($line)*);
    }};
}

mod cmd;
mod files;
mod input;
mod interrupt;
mod progress;
mod terminal;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// The Abalone system: agents of the literature, matches between them, rules, notations and game records.
///
/// Abalone is the marble game on a hexagon of 61 cells: push six of the opponent's marbles off the board.
#[derive(Parser)]
#[command(version, propagate_version = true, max_term_width = 100, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten, next_help_heading = "The web app, which starts without a command")]
    serve: cmd::serve::Args,
}

#[derive(Subcommand)]
enum Command {
    Serve(Box<cmd::serve::Args>),
    Play(Box<cmd::play::Args>),
    Bot(Box<cmd::bot::Args>),
    Analyse(Box<cmd::analyse::Args>),
    Agents(cmd::agents::Args),
    Match(Box<cmd::matches::Args>),
    Rate(cmd::rate::Args),
    Database(cmd::database::Args),
    Admin(cmd::admin::Args),
    Lab(cmd::lab::Args),
    Datagen(Box<cmd::datagen::Args>),
    Train(Box<cmd::train::Args>),
    Data(cmd::data::Args),
    Tune(cmd::tune::Args),
    Learn(cmd::learn::Args),
    Evolve(Box<cmd::evolve::Args>),
    Ugi(cmd::ugi::Args),
    #[command(hide = true)]
    Unit(cmd::unit::Args),
    CheckEngine(cmd::check_engine::Args),
    Eval(cmd::eval::Args),
    Solve(cmd::solve::Args),
    Bench(cmd::bench::Args),
    Perft(cmd::perft::Args),
    Show(cmd::show::Args),
    Moves(cmd::moves::Args),
    States(cmd::states::Args),
    Convert(cmd::convert::Args),
    Replay(cmd::replay::Args),
    Layouts(cmd::layouts::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
}

fn main() -> ExitCode {
    let result = run(Cli::parse());
    // A thread that still thinks may have an engine of its own, which does not end with us.
    sumito_agents::external::end_all();
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell!("sumito: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        None => cmd::serve::run(cli.serve),
        Some(Command::Serve(args)) => cmd::serve::run(*args),
        Some(Command::Play(args)) => cmd::play::run(*args),
        Some(Command::Bot(args)) => cmd::bot::run(*args),
        Some(Command::Analyse(args)) => cmd::analyse::run(*args),
        Some(Command::Agents(args)) => cmd::agents::run(args),
        Some(Command::Match(args)) => cmd::matches::run(*args),
        Some(Command::Rate(args)) => cmd::rate::run(args),
        Some(Command::Admin(args)) => cmd::admin::run(args),
        Some(Command::Database(args)) => cmd::database::run(args),
        Some(Command::Lab(args)) => cmd::lab::run(args),
        Some(Command::Datagen(args)) => cmd::datagen::run(*args),
        Some(Command::Train(args)) => cmd::train::run(*args),
        Some(Command::Data(args)) => cmd::data::run(args),
        Some(Command::Tune(args)) => cmd::tune::run(args),
        Some(Command::Learn(args)) => cmd::learn::run(args),
        Some(Command::Evolve(args)) => cmd::evolve::run(*args),
        Some(Command::Ugi(args)) => cmd::ugi::run(args),
        Some(Command::Unit(args)) => cmd::unit::run(args),
        Some(Command::CheckEngine(args)) => cmd::check_engine::run(args),
        Some(Command::Eval(args)) => cmd::eval::run(args),
        Some(Command::Solve(args)) => cmd::solve::run(args),
        Some(Command::Bench(args)) => cmd::bench::run(args),
        Some(Command::Perft(args)) => cmd::perft::run(args),
        Some(Command::Show(args)) => cmd::show::run(args),
        Some(Command::Moves(args)) => cmd::moves::run(args),
        Some(Command::States(args)) => cmd::states::run(args),
        Some(Command::Convert(args)) => cmd::convert::run(args),
        Some(Command::Replay(args)) => cmd::replay::run(args),
        Some(Command::Layouts(args)) => cmd::layouts::run(args),
        Some(Command::Completions(args)) => cmd::completions::run(args, Cli::command()),
        Some(Command::Man(args)) => cmd::man::run(args, Cli::command()),
    }
}

/// Whoever reads our output may stop reading at any time: that is not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind)
    };
    error.chain().any(|cause| kind(cause) == Some(std::io::ErrorKind::BrokenPipe))
}
