//! One server for one database: a lock on a file beside it, which the system takes back when the process ends, however
//! it ends. The file says who has it.

use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::StoreError;

/// The right to write to a database, until it is dropped.
#[derive(Debug)]
pub(crate) struct DatabaseLock {
    file: File,
}

/// A file beside the database, by what is added to its name.
pub(super) fn beside(database: &Path, suffix: &str) -> PathBuf {
    let mut name: OsString = database.file_name().unwrap_or_default().to_os_string();
    name.push(suffix);
    database.with_file_name(name)
}

/// The one path of a file that may be known by several, and may not be there yet.
fn canonical(database: &Path) -> PathBuf {
    if let Ok(path) = database.canonicalize() {
        return path;
    }
    let folder = database.parent().filter(|folder| !folder.as_os_str().is_empty());
    match (folder.unwrap_or(Path::new(".")).canonicalize(), database.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => database.to_path_buf(),
    }
}

impl DatabaseLock {
    /// Takes the lock, or says who has it.
    pub(crate) fn take(database: &Path) -> Result<DatabaseLock, StoreError> {
        let path = beside(&canonical(database), "-lock");
        let wrong = |error: std::io::Error| StoreError::Open {
            file: database.to_path_buf(),
            why: format!("its lock {} cannot be taken: {error}", path.display()),
        };
        let options = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = options.map_err(wrong)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::Error(error)) => return Err(wrong(error)),
            Err(TryLockError::WouldBlock) => {
                let mut by = String::new();
                // Some systems do not let others read a locked file.
                let _ = file.read_to_string(&mut by);
                let by = by.lines().next().filter(|line| !line.is_empty()).unwrap_or("another process");
                return Err(StoreError::InUse { file: database.to_path_buf(), by: by.to_string() });
            }
        }
        let mut lock = DatabaseLock { file };
        lock.say(&format!("process {}", std::process::id()));
        Ok(lock)
    }

    /// Tells others who has it, in one line.
    pub(crate) fn say(&mut self, who: &str) {
        let said = self
            .file
            .set_len(0)
            .and_then(|()| self.file.seek(SeekFrom::Start(0)))
            .and_then(|_| writeln!(self.file, "{who}"));
        if let Err(error) = said {
            // A full disk; the lock itself holds.
            tracing::debug!(%error, "the lock does not say who has it");
        }
    }
}

impl Drop for DatabaseLock {
    fn drop(&mut self) {
        // Nobody has it any more; the lock goes with the file's handle.
        let _ = self.file.set_len(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_has_one_lock_by_whatever_path_and_it_says_who_has_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("games.db");
        let mut lock = DatabaseLock::take(&database).expect("free");
        lock.say("process 7, http://127.0.0.1:1/");
        let other = folder.path().join(".").join("games.db");
        let error = DatabaseLock::take(&other).expect_err("taken").to_string();
        assert!(error.contains("in use by process 7, http://127.0.0.1:1/"), "{error}");
        drop(lock);
        DatabaseLock::take(&database).expect("free again");
    }
}
