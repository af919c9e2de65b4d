//! Care for a database from outside the server: what `sumito database` does. Everything but [`restore`] works beside a
//! running server.

use std::io;
use std::path::{Path, PathBuf};

pub use crate::domain::date::Month;
use crate::domain::person::Person;
pub use crate::domain::person::Role;
use crate::domain::{date, ids};
pub use crate::store::maintain::{CheckReport, PeopleResult};
use crate::store::people::PersonWrite;
use crate::store::{StoreError, maintain};

fn block_on<T>(work: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime =
        runtime.map_err(|error| StoreError::Open { file: PathBuf::new(), why: error.to_string() })?;
    runtime.block_on(work)
}

/// Checks the file and every game in it.
pub fn check(file: &Path) -> Result<CheckReport, StoreError> {
    block_on(maintain::check(file))
}

/// How people did against each agent.
pub fn people(file: &Path) -> Result<Vec<PeopleResult>, StoreError> {
    block_on(maintain::people(file))
}

/// Copies a database to a new file.
pub fn backup(file: &Path, to: &Path) -> Result<(), StoreError> {
    block_on(maintain::backup(file, to))
}

/// Puts a copy in a database's place, if no server has it; gives the name that the old file has got.
pub fn restore(copy: &Path, file: &Path) -> Result<Option<PathBuf>, StoreError> {
    block_on(maintain::restore(copy, file))
}

/// Deletes a game. False if there is none with this id.
pub fn delete(file: &Path, id: &str) -> Result<bool, StoreError> {
    block_on(maintain::delete(file, id))
}

/// Writes all games that can be read as APGN, or those that were begun in a month.
pub fn export(file: &Path, month: Option<Month>, out: &mut dyn io::Write) -> Result<CheckReport, StoreError> {
    block_on(maintain::export(file, month, out))
}

/// Somebody with an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The name.
    pub name: String,
    /// What they are here.
    pub role: Role,
    /// When the account was made, in milliseconds since 1970.
    pub created: i64,
}

/// Everybody with an account, by name.
pub fn accounts(file: &Path) -> Result<Vec<Account>, StoreError> {
    let persons = block_on(maintain::persons(file))?;
    let account = |person: Person| Account { name: person.name, role: person.role, created: person.created };
    Ok(persons.into_iter().map(account).collect())
}

/// Makes somebody what they are to be. False if nobody has the name.
pub fn set_role(file: &Path, name: &str, role: Role) -> Result<bool, StoreError> {
    block_on(maintain::change_person(file, name, |person| PersonWrite::Role { person, role }))
}

/// Gives somebody who has lost password and codes one new code, which replaces the others. Nothing if nobody has the name.
pub fn new_code(file: &Path, name: &str) -> Result<Option<String>, StoreError> {
    let code = ids::id();
    let recovery = vec![ids::hashed(&code)];
    let found =
        block_on(maintain::change_person(file, name, |person| PersonWrite::Recovery { person, recovery }))?;
    Ok(found.then_some(code))
}

/// Closes an account: the name goes. False if nobody has the name but one of the house's players.
pub fn close_account(file: &Path, name: &str) -> Result<bool, StoreError> {
    let at = date::now();
    block_on(maintain::change_person(file, name, |person| PersonWrite::Close { person, at }))
}

/// Computes all ratings again from the rated games; gives how many there are, and how many were kept otherwise, which are put right.
pub fn ratings(file: &Path) -> Result<(usize, usize), StoreError> {
    block_on(maintain::ratings(file))
}
