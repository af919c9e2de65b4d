//! Why a run cannot be kept, or gone on with.

use std::io;
use std::path::{Path, PathBuf};

/// Why a run cannot be kept, or gone on with.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Reading or writing failed.
    #[error("{}: {why}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What went wrong.
        why: io::Error,
    },
    /// The folder belongs to another run.
    #[error("{} holds {} (its {fields} differ): choose another folder, or repeat its settings to resume it",
        dir.display(), another(what))]
    Other {
        /// The folder.
        dir: PathBuf,
        /// What it holds.
        what: &'static str,
        /// What differs.
        fields: String,
    },
    /// Something was done, but nothing says what.
    #[error("{} has {progress} but no {settings}: expected the folder of {what}, or an empty one", dir.display())]
    NoSettings {
        /// The folder.
        dir: PathBuf,
        /// What it should hold.
        what: &'static str,
        /// The file that is not there.
        settings: &'static str,
        /// The file that is.
        progress: &'static str,
    },
    /// A line that does not belong there.
    #[error("{} line {line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A checkpoint that cannot be gone on from.
    #[error("{}: {why}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Somebody else is writing there.
    #[error("{}: another process is at work there", .0.display())]
    Locked(PathBuf),
}

/// Ties an input or output error to its path.
pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> RunError {
    move |why| RunError::Io { path: path.to_path_buf(), why }
}

/// "another match" for "a match".
fn another(what: &str) -> String {
    let name = what.split_once(' ').map_or(what, |(_, name)| name);
    format!("another {name}")
}
