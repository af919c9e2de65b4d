//! A conversation with the server of the protocol, in memory.

#![allow(dead_code, reason = "not every test file needs all of it")]

use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use sumito_agents::ugi;

/// Far more than any answer takes, on the busiest machine too: whoever waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(300);

/// The reading end of a pipe in memory.
struct Pipe(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let n = self.1.len().min(buffer.len());
        buffer[..n].copy_from_slice(&self.1[..n]);
        self.1.drain(..n);
        Ok(n)
    }
}

/// Passes on every complete line.
struct Lines(Sender<String>, Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend(bytes);
        while let Some(end) = self.1.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.1.drain(..=end).collect();
            let line = String::from_utf8(line).expect("the server writes UTF-8");
            let _ = self.0.send(line.trim_end().to_string());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A conversation with a server.
pub(crate) struct Talk {
    pub(crate) input: Sender<Vec<u8>>,
    pub(crate) lines: Receiver<String>,
    pub(crate) server: JoinHandle<()>,
}

impl Talk {
    /// With a server of this agent.
    pub(crate) fn with(spec: &str) -> Talk {
        let (input, bytes) = channel();
        let (sender, lines) = channel();
        let spec = spec.to_string();
        let server = thread::spawn(move || {
            let input = BufReader::new(Pipe(bytes, Vec::new()));
            ugi::serve(&spec, input, Lines(sender, Vec::new())).expect("an agent");
        });
        Talk { input, lines, server }
    }

    /// Sends lines.
    pub(crate) fn send(&self, text: &str) {
        self.send_bytes(text.as_bytes());
    }

    /// Sends a line of any bytes.
    pub(crate) fn send_bytes(&self, bytes: &[u8]) {
        self.input.send([bytes, b"\n"].concat()).expect("the server listens");
    }

    /// All lines up to the first one that begins like this.
    pub(crate) fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(why) => panic!("no '{start}' after {lines:?}: {why}"),
            }
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    /// What the server says to these lines until it is ready again, without the `readyok`.
    pub(crate) fn hear(&self, text: &str) -> Vec<String> {
        self.send(text);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The move that it plays.
    pub(crate) fn best_move(&self, go: &str) -> String {
        self.send(go);
        let line = self.until("bestmove").pop().expect("a line");
        let [_, text] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("two words, not '{line}'") };
        text.to_string()
    }

    /// The response to a query of the position.
    pub(crate) fn fen(&self) -> String {
        self.hear("query fen").pop().expect("a response")
    }

    /// Waits until the server has returned: no more lines can come then.
    pub(crate) fn finish(self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                Err(why) => panic!("the server does not end: {why}"),
            }
        }
        self.server.join().expect("the server ends well");
        lines
    }
}

/// Whether this is one line with an error.
pub(crate) fn is_error(lines: &[String]) -> bool {
    matches!(lines, [line] if line.starts_with("info string error: "))
}
