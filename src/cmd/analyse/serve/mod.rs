//! Analysis for programs: one request a line, one answer a line, both JSON objects. `docs/analyse-protocol.md`
//! describes them.
//!
//! One thread reads the input, another one has the engine. Both report to the loop, which alone keeps the queue and
//! writes to the output, so no two answers mix, and a request is heard while another is worked on.

mod queue;
mod request;
#[cfg(test)]
mod tests;
mod work;

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use sumito_agents::lines::{Found, read_line, skip_line, too_long};
use sumito_engine::{Engine, Limits, Stop};
use sumito_rules::{Notation, Rules};

use queue::RequestQueue;
use request::{Request, Verb};
use work::AnalysisJob;

/// What holds for requests that say nothing else.
#[derive(Clone)]
pub(super) struct Defaults {
    /// Depth, nodes and lines.
    pub(super) limits: Limits,
    /// Time for a position, if one was given.
    pub(super) time: Option<Duration>,
    pub(super) rules: Rules,
    pub(super) notation: Notation,
}

/// Events that may wait for the loop before their senders do.
const QUEUE: usize = 16;
/// The longest line in bytes; what is longer is refused. With the queue this limits what waits to 64 MiB.
const LONGEST_LINE: usize = 1 << 22;

enum Event {
    /// A line, or what is wrong with it.
    Line(Result<String, String>),
    EndOfInput,
    /// A report of the job that is worked on.
    Partial(Value),
    /// The job is done, with its result or what went wrong.
    Done(Result<Value, String>),
}

/// Answers requests until the input ends or one of them says `quit`.
///
/// At the end of the input the requests that wait are still answered; searches without an end are ended then.
pub(super) fn serve(
    engine: Engine,
    defaults: Defaults,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let (events, inbox) = sync_channel(QUEUE);
    let (jobs, to_do) = channel();
    let reports = events.clone();
    let worker = thread::spawn(move || work::run(engine, &to_do, &reports));
    thread::spawn(move || read_lines(input, &events));
    let mut server = Server {
        output,
        defaults,
        jobs,
        queue: RequestQueue::default(),
        running: None,
        line: 0,
        ending: false,
    };
    let result = server.run(&inbox);
    server.stop_all();
    // The worker ends when nobody gives it jobs and nobody hears its reports.
    drop((server, inbox));
    let _ = worker.join();
    result
}

/// Sends the input line by line. Nothing ends it but the end of the input.
fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    let mut line = Vec::new();
    loop {
        let text = match read_line(&mut input, &mut line, LONGEST_LINE) {
            Ok(Found::Line) => String::from_utf8(std::mem::take(&mut line)).map_err(|why| {
                let at = why.utf8_error().valid_up_to() + 1;
                format!("expected a text in UTF-8, found something else at byte {at}")
            }),
            Ok(Found::TooLong) if skip_line(&mut input).is_ok() => Err(too_long(LONGEST_LINE)),
            _ => break,
        };
        if events.send(Event::Line(text)).is_err() {
            return;
        }
    }
    // The loop may be gone already.
    let _ = events.send(Event::EndOfInput);
}

/// The job that is worked on.
struct Running {
    id: Value,
    stop: Stop,
    endless: bool,
    cancelled: bool,
}

struct Server<W> {
    output: W,
    defaults: Defaults,
    jobs: Sender<AnalysisJob>,
    queue: RequestQueue<AnalysisJob>,
    running: Option<Running>,
    /// Lines heard so far.
    line: usize,
    /// Whether the input is at its end.
    ending: bool,
}

impl<W: Write> Server<W> {
    fn run(&mut self, inbox: &Receiver<Event>) -> io::Result<()> {
        for event in inbox {
            match event {
                Event::Line(line) => {
                    self.line += 1;
                    if !self.hear(line)? {
                        return Ok(());
                    }
                }
                Event::EndOfInput => {
                    self.ending = true;
                    self.running
                        .iter()
                        .filter(|running| running.endless)
                        .for_each(|running| running.stop.request());
                }
                Event::Partial(report) => self.tell_partial(report)?,
                Event::Done(result) => self.finish(result)?,
            }
            self.start_next();
            if self.ending && self.running.is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Ends whatever is going on, and forgets what waits.
    fn stop_all(&mut self) {
        self.queue = RequestQueue::default();
        self.running.iter().for_each(|running| running.stop.request());
    }

    fn say(&mut self, answer: &Value) -> io::Result<()> {
        writeln!(self.output, "{answer}")?;
        self.output.flush()
    }

    fn refuse(&mut self, id: Value, why: &str) -> io::Result<()> {
        let line = self.line;
        self.say(&json!({ "id": id, "type": "error", "line": line, "message": why }))
    }

    /// Takes in a line; `false` if it is the last.
    fn hear(&mut self, line: Result<String, String>) -> io::Result<bool> {
        let text = match line {
            Ok(text) if text.trim().is_empty() => return Ok(true),
            Ok(text) => text,
            Err(why) => return self.refuse(Value::Null, &why).map(|()| true),
        };
        let request = match Request::parse(text.trim_end()) {
            Ok(request) => request,
            Err(why) => return self.refuse(request::id_of(&text), &why).map(|()| true),
        };
        let id = request.id.clone().unwrap_or_default();
        match request.verb {
            Verb::Quit => return Ok(false),
            Verb::Ping => self.say(&json!({ "id": id, "type": "pong" }))?,
            Verb::Cancel | Verb::Stop => self.end_job(&id, request.verb)?,
            Verb::Analyse | Verb::Review => self.take_job(id, &request)?,
        }
        Ok(true)
    }

    fn take_job(&mut self, id: Value, request: &Request) -> io::Result<()> {
        if id.is_null() {
            return self.refuse(id, "expected an id, a string or a whole number, found none");
        }
        if self.is_running(&id) || self.queue.contains(&id) {
            return self.refuse(id.clone(), &format!("expected an id that is not in use, found {id}"));
        }
        match AnalysisJob::new(request, &self.defaults) {
            Ok(job) => {
                self.queue.push(id, request.priority.unwrap_or(0), job);
                Ok(())
            }
            Err(why) => self.refuse(id, &why),
        }
    }

    /// `cancel` leaves no result; `stop` gives the one so far.
    fn end_job(&mut self, id: &Value, verb: Verb) -> io::Result<()> {
        if let Some(running) = self.running.as_mut().filter(|running| running.id == *id) {
            running.stop.request();
            running.cancelled |= verb == Verb::Cancel;
            return Ok(());
        }
        match self.queue.remove(id) {
            Some(_) => self.say(&json!({ "id": id, "type": "cancelled" })),
            None => self.refuse(id.clone(), "expected the id of a request that waits or is worked on"),
        }
    }

    fn is_running(&self, id: &Value) -> bool {
        self.running.as_ref().is_some_and(|running| running.id == *id)
    }

    fn start_next(&mut self) {
        if self.running.is_some() {
            return;
        }
        let Some((id, job)) = self.queue.pop() else { return };
        let running = Running { id, stop: job.limits.stop.clone(), endless: job.endless, cancelled: false };
        if running.endless && self.ending {
            // Nobody is left to end it; it gives what it finds at once.
            running.stop.request();
        }
        self.running = Some(running);
        self.jobs.send(job).expect("the worker lives as long as the loop");
    }

    fn tell_partial(&mut self, report: Value) -> io::Result<()> {
        let Some(running) = self.running.as_ref().filter(|running| !running.cancelled) else { return Ok(()) };
        let answer = json!({ "id": running.id, "type": "partial", "partial": report });
        self.say(&answer)
    }

    fn finish(&mut self, result: Result<Value, String>) -> io::Result<()> {
        let Some(running) = self.running.take() else { return Ok(()) };
        match result {
            _ if running.cancelled => self.say(&json!({ "id": running.id, "type": "cancelled" })),
            Ok(result) => self.say(&json!({ "id": running.id, "type": "result", "result": result })),
            Err(why) => self.say(&json!({ "id": running.id, "type": "error", "message": why })),
        }
    }
}
