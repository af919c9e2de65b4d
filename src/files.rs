//! Files and pipes: input from either, output that is whole or not there at all.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

/// Opens a file for reading, or standard input for `-`. Also tells the file's size, if it has one.
pub(crate) fn open(path: &Path) -> anyhow::Result<(Box<dyn BufRead>, Option<u64>)> {
    if path.as_os_str() == "-" {
        return Ok((Box::new(BufReader::new(io::stdin())), None));
    }
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let data = file.metadata().with_context(|| format!("cannot read {}", path.display()))?;
    if data.is_dir() {
        bail!("cannot read {}: expected a file, found a folder", path.display());
    }
    Ok((Box::new(BufReader::with_capacity(1 << 16, file)), Some(data.len())))
}

/// Reads a whole text from a file, or from standard input for `-`.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = open(path)?.0.read_to_string(&mut text);
    read.map(|_| text).with_context(|| format!("cannot read {}: expected a text in UTF-8", path.display()))
}

/// Output to a file, which appears under its name only when it is complete, or to standard output.
pub(crate) enum Output {
    Standard(BufWriter<io::Stdout>),
    File(BufWriter<NamedTempFile>, PathBuf),
}

impl Output {
    pub(crate) fn create(path: Option<&Path>) -> anyhow::Result<Output> {
        let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
            return Ok(Output::Standard(BufWriter::new(io::stdout())));
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = tempfile::Builder::new()
            .prefix(".sumito-")
            .permissions(readable())
            .tempfile_in(folder)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Output::File(BufWriter::new(file), path.to_path_buf()))
    }

    /// Completes the output.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self {
            Output::Standard(mut out) => out.flush()?,
            Output::File(out, path) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error);
                let written = file.and_then(|file| file.persist(&path).map_err(|error| error.error));
                written.with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        Ok(())
    }
}

/// What a new file's permissions are: a temporary file's would keep others out.
fn readable() -> std::fs::Permissions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::Permissions::from_mode(0o666)
    }
    #[cfg(not(unix))]
    {
        std::fs::metadata(".").map(|data| data.permissions()).expect("the current folder is there")
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(out) => out.write(bytes),
            Output::File(out, _) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.flush(),
            Output::File(out, _) => out.flush(),
        }
    }
}

/// Prints text to standard output.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = Output::create(None)?;
    out.write_all(text.as_bytes())?;
    out.finish()
}

/// Prints a value as JSON to standard output.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string_pretty(value)?))
}
