//! Care for a database from outside the server: what `sumito database` does. Everything but [`restore`] works beside a
//! running server.

use std::io;
use std::path::{Path, PathBuf};

pub use crate::store::maintain::{CheckReport, PeopleResult};
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

/// Writes all games that can be read as APGN.
pub fn export(file: &Path, out: &mut dyn io::Write) -> Result<CheckReport, StoreError> {
    block_on(maintain::export(file, out))
}
