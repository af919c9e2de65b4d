//! A child process that speaks in lines. Nothing here waits without an end: writing goes through a thread,
//! reading through another, and the child ends with its owner. What it can make us keep is limited too.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::group::Group;
use crate::lines::{Found, read_line, too_long};

/// Lines that wait to be read before those about the search are dropped and the child has to wait.
const QUEUE: usize = 256;
/// The longest line in bytes. A child that says more without an end of line is ended. With the queue this limits what a
/// child can make us keep to 16 MiB.
const LONGEST_LINE: usize = 1 << 16;
/// How much of the error output is kept, for the report of a crash.
const COMPLAINT: usize = 300;
/// How long a child that closed its output has to be seen gone, so that its exit status can be told.
const CLOSING: Duration = Duration::from_secs(2);
/// How long to wait for the error output of a child that has ended. Only a child of its own that has left its group can
/// keep that open.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// A running child.
pub(crate) struct Process {
    /// There is none where a script speaks in its place.
    group: Option<Group>,
    input: Option<SyncSender<String>>,
    lines: Receiver<Result<String, TooLong>>,
    complaint: Arc<Mutex<String>>,
    /// Fills the complaint, until the error output is closed.
    listener: Option<JoinHandle<()>>,
    /// How long it has to leave by itself.
    parting: Duration,
}

/// A line was too long to be kept.
struct TooLong;

impl Process {
    /// Starts a program with its arguments. When this is dropped, the program has so long to leave by itself.
    pub(crate) fn start(command: &[String], parting: Duration) -> Result<Process, String> {
        let [program, arguments @ ..] = command else { return Err("expected a command".into()) };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group =
            Group::spawn(&mut command).map_err(|why| format!("'{program}' could not be started: {why}"))?;
        let complaint = Arc::default();
        let (input, commands) = sync_channel(QUEUE);
        let (replies, lines) = sync_channel(QUEUE);
        let mut listener = None;
        if let (Some(stdin), Some(stdout), Some(stderr)) =
            (group.child.stdin.take(), group.child.stdout.take(), group.child.stderr.take())
        {
            let kept = Arc::clone(&complaint);
            thread::spawn(move || write_lines(stdin, &commands));
            thread::spawn(move || read_lines(stdout, &replies));
            listener = Some(thread::spawn(move || keep_last(stderr, &kept)));
        }
        Ok(Process { group: Some(group), input: Some(input), lines, complaint, listener, parting })
    }

    /// No child: what it would say is known beforehand, and what it hears goes nowhere.
    #[cfg(fuzzing)]
    pub(crate) fn scripted(said: Vec<u8>) -> Process {
        let (replies, lines) = sync_channel(QUEUE);
        thread::spawn(move || read_lines(std::io::Cursor::new(said), &replies));
        let parting = Duration::ZERO;
        Process { group: None, input: None, lines, complaint: Arc::default(), listener: None, parting }
    }

    /// Sends a line, without waiting for the child to read it. A child that reads nothing at all is ended;
    /// the next attempt to hear from it says so.
    pub(crate) fn send(&mut self, line: impl Into<String>) {
        let sent = self.input.as_ref().map(|input| input.try_send(line.into()));
        if let Some(Err(TrySendError::Full(_))) = sent {
            self.end();
        }
    }

    /// The next line, or `None` if there is none until then.
    pub(crate) fn next(&mut self, until: Instant) -> Result<Option<String>, Ended> {
        match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Ok(line)) => Ok(Some(line)),
            Ok(Err(TooLong)) => {
                self.end();
                Err(Ended(too_long(LONGEST_LINE)))
            }
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.why_ended()),
        }
    }

    /// Reads lines until one of them gives an answer; `None` if none does in time.
    pub(crate) fn wait_for<T>(
        &mut self,
        patience: Duration,
        mut answer: impl FnMut(&[&str]) -> Option<T>,
    ) -> Result<Option<T>, Ended> {
        let until = Instant::now() + patience;
        while let Some(line) = self.next(until)? {
            let tokens: Vec<&str> = line.split_whitespace().collect();
            if let Some(answer) = answer(&tokens) {
                return Ok(Some(answer));
            }
            // A child that never falls silent must not hold us beyond the deadline.
            if Instant::now() >= until {
                break;
            }
        }
        Ok(None)
    }

    fn why_ended(&mut self) -> Ended {
        let mut why = match self.exit(CLOSING) {
            Some(status) => status.to_string(),
            None => "it closed its output".to_string(),
        };
        self.end();
        // The last words may still be on their way.
        let until = Instant::now() + LAST_WORDS;
        while self.listener.as_ref().is_some_and(|thread| !thread.is_finished()) && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
        let complaint = self.complaint.lock().map(|text| text.trim().to_string()).unwrap_or_default();
        if !complaint.is_empty() {
            why = format!("{why}; {}", complaint.replace(['\n', '\r'], " "));
        }
        Ended(why)
    }

    /// How the child ended, if it does so in time.
    pub(crate) fn exit(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
        let group = self.group.as_mut()?;
        loop {
            if let Some(status) = group.try_wait() {
                return Some(status);
            }
            if Instant::now() >= until {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Ends the child and all its children by force.
    pub(crate) fn end(&mut self) {
        self.input = None;
        if let Some(group) = &mut self.group {
            group.end();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        if self.exit(self.parting).is_none() {
            self.end();
        }
    }
}

/// The child is gone, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ended(pub(crate) String);

fn write_lines(mut input: ChildStdin, commands: &Receiver<String>) {
    for line in commands {
        if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(output: impl Read, replies: &SyncSender<Result<String, TooLong>>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        match read_line(&mut output, &mut line, LONGEST_LINE) {
            Ok(Found::Line) => {}
            Ok(Found::TooLong) => {
                // The owner may be gone.
                let _ = replies.send(Err(TooLong));
                return;
            }
            Ok(Found::End) | Err(_) => return,
        }
        let text = String::from_utf8_lossy(&line).into_owned();
        let can_be_missed = text.starts_with("info");
        let is_heard = match replies.try_send(Ok(text)) {
            Err(TrySendError::Full(text)) => can_be_missed || replies.send(text).is_ok(),
            sent => sent.is_ok(),
        };
        if !is_heard {
            return;
        }
    }
}

fn keep_last(errors: ChildStderr, kept: &Mutex<String>) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    while matches!(errors.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut line), Ok(1..)) {
        let Ok(mut kept) = kept.lock() else { return };
        kept.push_str(&String::from_utf8_lossy(&line));
        let surplus = kept.chars().count().saturating_sub(COMPLAINT);
        *kept = kept.chars().skip(surplus).collect();
        line.clear();
    }
}
