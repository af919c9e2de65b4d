//! `sumito admin`: accounts of a server's people, at the machine that has its database.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use comfy_table::{Table, presets};
use sumito_server::database::{self, Account, Role};

use crate::files::{print, print_json};

/// Look after the accounts of a server that has them; it may go on
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
    /// The file with the accounts
    #[arg(long, value_name = "FILE", env = "SUMITO_DATABASE", default_value = "sumito.db", global = true)]
    database: PathBuf,
}

#[derive(Subcommand)]
enum Task {
    /// Who has an account
    List {
        /// Print JSON: name, role, created
        #[arg(long)]
        json: bool,
    },
    /// Make somebody an administrator, a moderator, or one person among others again
    Role {
        /// The account's name
        name: String,
        /// What they are to be
        #[arg(value_parser = PossibleValuesParser::new(Role::GIVEN.map(Role::name)))]
        role: String,
    },
    /// Print a code with which somebody who has lost password and codes gets a new password; codes of before are void
    Code {
        /// The account's name
        name: String,
    },
    /// Compute all ratings again from the rated games, and put right those that were kept otherwise
    Ratings,
    /// Close an account: the name goes, and nobody can log in any more
    Close {
        /// The account's name
        name: String,
    },
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let file = &args.database;
    match args.task {
        Task::List { json } => list(&database::accounts(file)?, json),
        Task::Role { name, role } => {
            let role = Role::named(&role).expect("one of the possible values");
            let done = database::set_role(file, &name, role)?;
            told(&name, done.then(|| format!("{name} is now: {}\n", role.name())))
        }
        Task::Code { name } => {
            let code = database::new_code(file, &name)?;
            told(&name, code.map(|code| format!("{code}\n")))
        }
        Task::Ratings => {
            let (all, wrong) = database::ratings(file)?;
            print(&format!("{all} ratings, {wrong} of them put right\n"))?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Close { name } => {
            let done = database::close_account(file, &name)?;
            told(&name, done.then(|| format!("the account of {name} is closed\n")))
        }
    }
}

/// Prints what was done, or says that nobody has the name.
fn told(name: &str, done: Option<String>) -> anyhow::Result<ExitCode> {
    let Some(text) = done else {
        anyhow::bail!("expected the name of somebody with an account, found '{name}'")
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn list(accounts: &[Account], json: bool) -> anyhow::Result<ExitCode> {
    if json {
        let row = |Account { name, role, created }: &Account| serde_json::json!({ "name": name, "role": role.name(), "created": created });
        print_json(&accounts.iter().map(row).collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["name", "role"]);
    for account in accounts {
        table.add_row([account.name.as_str(), account.role.name()]);
    }
    print(&format!("{table}\n"))?;
    Ok(ExitCode::SUCCESS)
}
