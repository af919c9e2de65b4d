//! A progress bar that shows itself only when the work takes more than a second.

use std::io::Read;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Progress of some long work, on standard error if that is a terminal.
pub(crate) struct Progress {
    start: Instant,
    bar: OnceLock<ProgressBar>,
    bytes: bool,
}

impl Progress {
    /// Progress counted in parts.
    pub(crate) fn parts() -> Progress {
        Progress::new(false)
    }

    /// Progress counted in bytes.
    pub(crate) fn bytes() -> Progress {
        Progress::new(true)
    }

    fn new(bytes: bool) -> Progress {
        Progress { start: Instant::now(), bar: OnceLock::new(), bytes }
    }

    /// So much of the whole is done. May be called from any thread.
    pub(crate) fn update(&self, done: u64, whole: u64) {
        if self.start.elapsed() > Duration::from_secs(1) {
            self.bar.get_or_init(|| self.make_bar(whole)).set_position(done);
        }
    }

    fn make_bar(&self, whole: u64) -> ProgressBar {
        let count = if self.bytes { "{bytes}/{total_bytes}" } else { "{pos}/{len}" };
        let style = ProgressStyle::with_template(&format!("{{wide_bar}} {count}, {{eta}} left"));
        ProgressBar::new(whole).with_style(style.expect("a valid template"))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// A reader that tells how far it is.
pub(crate) struct Tracked<R> {
    inner: R,
    read: u64,
    whole: u64,
    progress: Progress,
}

impl<R> Tracked<R> {
    /// Tracks a reader of a known size; of an unknown size, nothing is shown.
    pub(crate) fn new(inner: R, whole: Option<u64>) -> Tracked<R> {
        Tracked { inner, read: 0, whole: whole.unwrap_or(0), progress: Progress::bytes() }
    }
}

impl<R: Read> Read for Tracked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read += read as u64;
        if self.whole > 0 {
            self.progress.update(self.read, self.whole);
        }
        Ok(read)
    }
}
