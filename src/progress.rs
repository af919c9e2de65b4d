//! How far long work is: a bar on a terminal, else a line now and then. Work of less than a second shows nothing.

use std::io::Read;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Progress of some long work, on standard error. It may be told of from any thread.
pub(crate) struct Progress {
    /// What is counted, if lines should say so.
    what: &'static str,
    bar: ProgressBar,
    start: Instant,
    state: Mutex<State>,
}

struct State {
    /// When the bar was drawn or a line written last.
    told: Instant,
    /// What earlier runs did.
    resumed: u64,
}

/// Work that takes less shows nothing.
const SHORT: Duration = Duration::from_secs(1);
/// How often the bar is drawn anew.
const REDRAW: Duration = Duration::from_millis(250);
/// How often a line is written where there is no terminal.
const LINE: Duration = Duration::from_secs(60);

impl Progress {
    /// Work of minutes or hours, of which something is counted, with a line on where it is.
    pub(crate) fn long(what: &'static str) -> Progress {
        let counts = format!("{{pos}}/{{len}} {what}, {{per_sec}}, {{elapsed}} (still {{eta}})");
        Progress::new(what, &format!("{{msg}}\n{{bar:40}} {counts}"))
    }

    /// Progress counted in parts.
    pub(crate) fn parts() -> Progress {
        Progress::new("", "{wide_bar} {pos}/{len}, {eta} left")
    }

    /// Progress counted in bytes.
    pub(crate) fn bytes() -> Progress {
        Progress::new("", "{wide_bar} {bytes}/{total_bytes}, {eta} left")
    }

    fn new(what: &'static str, template: &str) -> Progress {
        let style = ProgressStyle::with_template(template).expect("a valid template");
        let now = Instant::now();
        let state = Mutex::new(State { told: now, resumed: 0 });
        Progress { what, bar: ProgressBar::new(0).with_style(style), start: now, state }
    }

    /// So much of the whole is done.
    pub(crate) fn update(&self, done: u64, whole: u64) {
        self.report(done, whole, String::new);
    }

    /// So much of the whole is done, and this is where it is. Work of another size is another work.
    pub(crate) fn report(&self, done: u64, whole: u64, state: impl FnOnce() -> String) {
        if self.bar.length() != Some(whole) {
            self.bar.set_length(whole);
            self.resume(done);
        }
        let mut told = self.state.lock().expect("nobody panics with the lock");
        let pause = if self.bar.is_hidden() { LINE } else { REDRAW };
        if self.start.elapsed() < SHORT || told.told.elapsed() < pause {
            return;
        }
        told.told = Instant::now();
        if !self.bar.is_hidden() {
            self.bar.set_message(state());
            self.bar.set_position(done);
        } else if !self.what.is_empty() {
            let (new, left) = (done.saturating_sub(told.resumed), whole.saturating_sub(done));
            let time = HumanDuration(self.start.elapsed().mul_f64(left as f64 / new.max(1) as f64));
            tell!("{done} of {whole} {}, still {time}: {}", self.what, state());
        }
    }

    /// Earlier runs did so much. That says nothing about how long the rest will take.
    pub(crate) fn resume(&self, done: u64) {
        self.bar.set_position(done);
        self.bar.reset_eta();
        self.state.lock().expect("nobody panics with the lock").resumed = done;
    }

    /// A line that stays, above the bar.
    pub(crate) fn line(&self, line: &str) {
        if self.bar.is_hidden() {
            tell!("{line}");
        } else {
            self.bar.println(line);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
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
