//! A child process that speaks in lines. Nothing here waits without an end: writing goes through a thread,
//! reading through another, and the child ends with its owner.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Lines that wait to be read before those about the search are dropped and the child has to wait.
const QUEUE: usize = 1024;
/// The longest line; what is longer is read as several.
const LONGEST_LINE: u64 = 1 << 16;
/// How much of the error output is kept, for the report of a crash.
const COMPLAINT: usize = 300;
/// How long a child has to leave by itself, or to be seen gone after it closed its output.
const PARTING: Duration = Duration::from_millis(200);
/// How long to wait for the error output of a child that has ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A running child.
pub(crate) struct Process {
    child: Child,
    input: Option<SyncSender<String>>,
    lines: Receiver<String>,
    complaint: Arc<Mutex<String>>,
    /// Fills the complaint, until the error output is closed.
    listener: Option<JoinHandle<()>>,
}

impl Process {
    /// Starts a program with its arguments.
    pub(crate) fn start(command: &[String]) -> Result<Process, String> {
        let [program, arguments @ ..] = command else { return Err("expected a command".into()) };
        let mut child = apart(&mut Command::new(program))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|why| format!("'{program}' could not be started: {why}"))?;
        let complaint = Arc::default();
        let (input, commands) = sync_channel(QUEUE);
        let (replies, lines) = sync_channel(QUEUE);
        let mut listener = None;
        if let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        {
            let kept = Arc::clone(&complaint);
            thread::spawn(move || write_lines(stdin, &commands));
            thread::spawn(move || read_lines(stdout, &replies));
            listener = Some(thread::spawn(move || keep_last(stderr, &kept)));
        }
        Ok(Process { child, input: Some(input), lines, complaint, listener })
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
            Ok(line) => Ok(Some(line)),
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
        let mut why = match self.exit(PARTING) {
            Some(status) => status.to_string(),
            None => "it closed its output".to_string(),
        };
        self.end();
        // The last words may still be on their way; a grandchild could keep them open for ever.
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
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= until {
                return None;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Ends the child by force.
    pub(crate) fn end(&mut self) {
        self.input = None;
        // Both fail only if it has ended before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        if self.exit(PARTING).is_none() {
            self.end();
        }
    }
}

/// The child is gone, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ended(pub(crate) String);

/// Out of reach of a Ctrl-C at the terminal, which is meant for us: a child that it ended would look as if it had
/// crashed.
fn apart(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(command, 0x200); // CREATE_NEW_PROCESS_GROUP
    command
}

fn write_lines(mut input: ChildStdin, commands: &Receiver<String>) {
    for line in commands {
        if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(output: ChildStdout, replies: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while matches!(output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line), Ok(1..)) {
        let text = String::from_utf8_lossy(&line).into_owned();
        line.clear();
        let can_be_missed = text.starts_with("info");
        let is_heard = match replies.try_send(text) {
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
    while matches!(errors.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line), Ok(1..)) {
        let Ok(mut kept) = kept.lock() else { return };
        kept.push_str(&String::from_utf8_lossy(&line));
        let surplus = kept.chars().count().saturating_sub(COMPLAINT);
        *kept = kept.chars().skip(surplus).collect();
        line.clear();
    }
}
