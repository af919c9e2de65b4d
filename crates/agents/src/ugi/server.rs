//! Serves an agent over UGI: a loop over one stream of events, so that it listens while the agent thinks.
//!
//! One thread reads the input and, during a search, another one runs the agent. Both report to the loop,
//! which alone writes to the output.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use sumito_rules::{Color, Game, Move, Notation, Position, Rules, fen};

use super::seat::Seat;
use crate::agent::{Agent, Info, Limits, Ponder};
use crate::entry::Entry;
use crate::lines::{Found, read_line, skip_line, too_long};
use crate::options::Options;
use crate::protocol::{go, info, option, position};
use crate::spec::{AgentSpec, SpecError};
use crate::spelling::suggestion;

/// Serves the agent of a spec string until `quit` or the end of the input.
///
/// ```
/// let mut output = Vec::new();
/// sumito_agents::ugi::serve("random", &b"isready\nquit\n"[..], &mut output).expect("an agent");
/// assert_eq!(output, b"readyok\n");
/// ```
pub fn serve(spec: &str, input: impl BufRead + Send + 'static, output: impl Write) -> Result<(), ServeError> {
    let spec: AgentSpec = spec.parse().map_err(ServeError::Spec)?;
    let (entry, options) = spec.resolve().map_err(ServeError::Spec)?;
    serve_seat(Seat::new(spec, entry, options), input, output)
}

/// Serves an agent that is not in the registry, so that a program of its own can be an engine: see
/// `examples/crowd.rs`.
pub fn serve_entry(
    entry: &'static Entry,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError> {
    serve_seat(Seat::new(AgentSpec::of(entry), entry, Options::defaults(entry.options)), input, output)
}

fn serve_seat(
    seat: Seat,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError> {
    let why = |why| ServeError::Spec(SpecError::Build { spec: seat.spec().to_string(), why });
    let agent = Some(seat.build().map_err(why)?);
    let (events, inbox) = sync_channel(QUEUE);
    let rules = Rules::default();
    let game = Game::new(rules, position::startpos());
    let lines = events.clone();
    thread::spawn(move || read_lines(input, &lines));
    let mut server = Server {
        output,
        events,
        seat,
        agent,
        rules,
        game,
        is_new: true,
        search: None,
        backlog: VecDeque::new(),
    };
    let result = server.run(&inbox);
    server.give_up(&inbox);
    result.map_err(ServeError::Output)
}

/// Why an agent could not be served.
#[derive(Debug)]
pub enum ServeError {
    /// There is no such agent.
    Spec(SpecError),
    /// The output could not be written.
    Output(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Spec(why) => why.fmt(f),
            ServeError::Output(why) => write!(f, "the output could not be written: {why}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Events that may wait for the loop before their senders do.
const QUEUE: usize = 256;
/// The longest line in bytes, enough for a game of 40,000 plies; what is longer is refused. With the queue this limits what
/// waits to 64 MiB.
const LONGEST_LINE: usize = 1 << 18;
/// How long a search may take to end after `quit`.
const PARTING: Duration = Duration::from_secs(1);

enum Event {
    Line(String),
    /// A line that was too long to be kept.
    TooLong,
    EndOfInput,
    Info(Info),
    /// The search is over; the agent comes back unless it broke.
    Done(Option<Box<dyn Agent>>, Result<Move, String>),
}

/// Sends the input line by line. Bytes that are no text are replaced, so that nothing ends the loop but
/// the end of the input.
fn read_lines(mut input: impl BufRead, events: &SyncSender<Event>) {
    let mut line = Vec::new();
    loop {
        let event = match read_line(&mut input, &mut line, LONGEST_LINE) {
            Ok(Found::Line) => Event::Line(String::from_utf8_lossy(&line).into_owned()),
            Ok(Found::TooLong) if skip_line(&mut input).is_ok() => Event::TooLong,
            _ => break,
        };
        if events.send(event).is_err() {
            return;
        }
    }
    // The loop may be gone already.
    let _ = events.send(Event::EndOfInput);
}

/// A search under way, or one whose answer waits for `stop` or `ponderhit`.
struct Search {
    position: Position,
    limits: Limits,
    answer: Option<String>,
}

impl Search {
    /// Whether its answer is wanted only when it is told to stop, or that the other side has moved as expected.
    fn must_wait(&self) -> bool {
        (self.limits.infinite || self.limits.is_pondering()) && !self.limits.stop.is_requested()
    }
}

struct Server<W> {
    output: W,
    events: SyncSender<Event>,
    seat: Seat,
    /// Away during a search.
    agent: Option<Box<dyn Agent>>,
    rules: Rules,
    game: Game,
    /// Whether the agent has yet to hear that a game begins.
    is_new: bool,
    search: Option<Search>,
    /// What came in between `stop` and the answer to it, if the next `go` was among it.
    backlog: VecDeque<String>,
}

impl<W: Write> Server<W> {
    fn run(&mut self, inbox: &Receiver<Event>) -> io::Result<()> {
        for event in inbox {
            match event {
                Event::EndOfInput => break,
                Event::Line(line) if line.split_whitespace().next() == Some("quit") => break,
                Event::Line(line) => self.hear(line)?,
                Event::TooLong => self.say(&format!("info string error: {}", too_long(LONGEST_LINE)))?,
                Event::Info(info) => self.tell(&info)?,
                Event::Done(agent, answer) => {
                    self.finish(agent, answer)?;
                    for line in std::mem::take(&mut self.backlog) {
                        self.hear(line)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Ends the search, if one runs, and waits a moment for its agent: it may have a process to end.
    fn give_up(&mut self, inbox: &Receiver<Event>) {
        let Some(search) = self.search.take().filter(|search| search.answer.is_none()) else { return };
        search.limits.stop.request();
        let deadline = Instant::now() + PARTING;
        while let Ok(event) = inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            if matches!(event, Event::Done(..)) {
                return;
            }
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")?;
        self.output.flush()
    }

    fn hear(&mut self, line: String) -> io::Result<()> {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        let is_stopping = self.search.as_ref().is_some_and(|search| search.limits.stop.is_requested());
        let must_wait = !self.backlog.is_empty() || is_stopping && tokens.first() == Some(&"go");
        if must_wait && tokens.first() != Some(&"isready") {
            self.backlog.push_back(line);
            return Ok(());
        }
        let error = match tokens[..] {
            [] => return Ok(()),
            ["ugi", "all", ..] => return self.introduce("ugiok", true),
            ["ugi", ..] => return self.introduce("ugiok", false),
            ["uci", ..] => return self.introduce("uciok", false),
            ["isready", ..] => {
                self.make_ready();
                return self.say("readyok");
            }
            ["stop", ..] => return self.stop(),
            ["ponderhit", ..] => return self.ponder_hit(),
            ["query", what] => match self.response(what) {
                Ok(response) => return self.say(&format!("response {response}")),
                Err(why) => Err(why),
            },
            ["setoption", ref rest @ ..] => self.set_option(rest),
            ["uginewgame" | "ucinewgame", ..] => {
                self.is_new = true;
                self.game = Game::new(self.rules, position::startpos());
                Ok(())
            }
            ["position", ref rest @ ..] => position::parse(rest, &self.rules).map(|game| self.game = game),
            ["go", ref rest @ ..] => match go::parse(rest, self.game.position()) {
                Ok((limits, ignored)) => {
                    for word in ignored {
                        self.say(&format!("info string error: go: unknown word '{}'", printable(&word)))?;
                    }
                    return self.go(limits);
                }
                Err(why) => Err(why),
            },
            [command, ..] => Err(format!("unknown command '{command}'")),
        };
        match error {
            Ok(()) => Ok(()),
            Err(why) => self.say(&format!("info string error: {}", printable(&why))),
        }
    }

    fn introduce(&mut self, ok: &str, all: bool) -> io::Result<()> {
        self.say(&format!("id name Sumito {} {}", env!("CARGO_PKG_VERSION"), self.seat.spec()))?;
        self.say("id author the Sumito authors")?;
        for line in self.seat.option_lines(all).unwrap_or_default() {
            self.say(&line)?;
        }
        let rules = Rules::PRESETS.iter().find(|(_, rules)| *rules == self.rules);
        let names = Rules::PRESETS.iter().map(|(name, _)| *name);
        self.say(&option::write_combo("Rules", rules.map_or("official", |(name, _)| name), names))?;
        self.say(ok)
    }

    fn set_option(&mut self, tokens: &[&str]) -> Result<(), String> {
        let (name, value) = option::parse_set(tokens)?;
        if name.eq_ignore_ascii_case("rules") {
            return self.set_rules(&value);
        }
        // If a search is running, its agent is dropped when it comes back.
        self.is_new |= self.seat.set(&name, &value, &mut self.agent)?;
        Ok(())
    }

    /// Other rules, also for the game on the board.
    fn set_rules(&mut self, name: &str) -> Result<(), String> {
        self.rules = Rules::named(&name.to_lowercase()).ok_or_else(|| {
            let names = Rules::PRESETS.map(|(name, _)| name);
            format!("option 'Rules': unknown preset '{name}' ({})", suggestion(name, &names))
        })?;
        if let Ok(game) = position::replay(&self.rules, *self.game.start(), self.game.moves()) {
            self.game = game;
        }
        self.is_new = true;
        Ok(())
    }

    fn response(&self, what: &str) -> Result<String, String> {
        let outcome = self.game.outcome();
        Ok(match what {
            "gameover" => outcome.is_some().to_string(),
            "p1turn" => (self.game.turn() == Color::Black).to_string(),
            "result" => match outcome.map(|outcome| outcome.winner) {
                None => "none",
                Some(None) => "draw",
                Some(Some(Color::Black)) => "p1win",
                Some(Some(Color::White)) => "p2win",
            }
            .to_string(),
            "fen" => fen::write(self.game.position()),
            _ => return Err(format!("query: expected gameover, p1turn, result or fen, found '{what}'")),
        })
    }

    /// Has the agent built and its game begun, so that this takes no time from the first move. What fails is told by `go`.
    fn make_ready(&mut self) {
        if self.search.is_some() {
            return;
        }
        self.is_new |= self.agent.is_none();
        let Ok(mut agent) = self.agent.take().map_or_else(|| self.seat.build(), Ok) else { return };
        let rules = self.rules;
        let ready = catch_unwind(AssertUnwindSafe(|| {
            if self.is_new {
                agent.new_game(&rules, None);
            }
            agent
        }));
        self.is_new &= ready.is_err();
        self.agent = ready.ok();
    }

    fn go(&mut self, limits: Limits) -> io::Result<()> {
        if self.search.is_some() {
            return self.say("info string error: go: a search is running; stop it first");
        }
        let game = position::to_play_on(&self.game);
        if game.outcome().is_some() {
            self.say("info string error: go: the game is over")?;
            return self.say("bestmove none");
        }
        self.is_new |= self.agent.is_none();
        let agent = match self.agent.take().map_or_else(|| self.seat.build(), Ok) {
            Ok(agent) => agent,
            Err(why) => {
                self.say(&format!("info string error: {}", printable(&why)))?;
                return self.say("bestmove none");
            }
        };
        self.search = Some(Search { position: *game.position(), limits: limits.clone(), answer: None });
        let events = self.events.clone();
        let is_new = std::mem::take(&mut self.is_new);
        thread::spawn(move || think(agent, is_new, &game, &limits, &events));
        Ok(())
    }

    fn tell(&mut self, info: &Info) -> io::Result<()> {
        let Some(search) = &self.search else { return Ok(()) };
        let line = info::write(info, &search.position);
        self.say(&line)
    }

    fn finish(&mut self, agent: Option<Box<dyn Agent>>, answer: Result<Move, String>) -> io::Result<()> {
        // While it searched, another one may have been built in its place.
        self.agent = self.agent.take().or(agent);
        let Some(mut search) = self.search.take() else { return Ok(()) };
        let text = match answer {
            Ok(m) if search.position.is_legal(m) => {
                if !search.limits.moves.is_empty() && !search.limits.moves.contains(&m) {
                    self.say("info string error: go searchmoves: this agent chooses among all moves")?;
                }
                Notation::AbaPro.write(&search.position, m)
            }
            Ok(m) => {
                self.say(&format!("info string error: the agent chose an illegal move: {m:?}"))?;
                "none".into()
            }
            Err(why) => {
                self.say(&format!("info string error: {}", printable(&why)))?;
                "none".into()
            }
        };
        // Even if there is nothing left to think about.
        if search.must_wait() {
            search.answer = Some(text);
            self.search = Some(search);
            return Ok(());
        }
        self.say(&format!("bestmove {text}"))
    }

    fn stop(&mut self) -> io::Result<()> {
        let Some(search) = &self.search else { return Ok(()) };
        search.limits.stop.request();
        self.answer()
    }

    /// The other side made the expected move: the time begins.
    fn ponder_hit(&mut self) -> io::Result<()> {
        let Some(search) = &self.search else { return Ok(()) };
        search.limits.ponder.iter().for_each(Ponder::hit);
        self.answer()
    }

    /// Gives the answer that was kept back, unless it must wait still.
    fn answer(&mut self) -> io::Result<()> {
        let ready = self.search.take_if(|search| search.answer.is_some() && !search.must_wait());
        let Some(text) = ready.and_then(|search| search.answer) else { return Ok(()) };
        self.say(&format!("bestmove {text}"))
    }
}

/// What the thread of a search does.
fn think(mut agent: Box<dyn Agent>, is_new: bool, game: &Game, limits: &Limits, events: &SyncSender<Event>) {
    let mut report = |info: &Info| {
        // If the loop is gone, nobody listens.
        let _ = events.send(Event::Info(info.clone()));
    };
    let answer = catch_unwind(AssertUnwindSafe(|| {
        if is_new {
            agent.new_game(game.rules(), None);
        }
        agent.choose(game, limits, &mut report)
    }));
    let done = match answer {
        Ok(answer) => Event::Done(Some(agent), answer.map_err(|why| why.to_string())),
        Err(_) => Event::Done(None, Err("the agent broke down".into())),
    };
    let _ = events.send(done);
}

/// A text on one line, whatever it quotes.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(400).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::AgentError;

    struct Broken;

    impl Agent for Broken {
        fn name(&self) -> &str {
            "broken"
        }

        fn choose(&mut self, _: &Game, _: &Limits, _: &mut dyn FnMut(&Info)) -> Result<Move, AgentError> {
            panic!("as the test wants it")
        }
    }

    #[test]
    fn an_agent_that_panics_is_not_used_again() {
        let (events, inbox) = sync_channel(QUEUE);
        let game = Game::new(Rules::OFFICIAL, position::startpos());
        think(Box::new(Broken), true, &game, &Limits::default(), &events);
        let Ok(Event::Done(agent, answer)) = inbox.try_recv() else { panic!("no answer") };
        assert_eq!((agent.is_none(), answer), (true, Err("the agent broke down".to_string())));
    }

    #[test]
    fn errors_stay_on_one_line() {
        assert_eq!(printable("a\nb\u{7}c"), "a b c");
    }
}
