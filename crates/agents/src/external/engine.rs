//! The client's side of UGI: what is said to an engine, and what is understood of its answers.

use std::time::{Duration, Instant};

use sumito_rules::{Game, Move, Notation, Position, Rules};

use super::Patience;
use super::process::{Ended, Process};
use super::spec::EngineSpec;
use crate::agent::{AgentError, Info, Limits};
use crate::protocol::option::Declared;
use crate::protocol::{go, info, option, position};
use crate::spelling::suggestion;

/// How often a search looks whether it is to stop.
const POLL: Duration = Duration::from_millis(5);
/// The time for a move that nothing but depth or nodes limits.
const UNTIMED: Duration = Duration::from_secs(600);
/// The most options that an engine may declare.
pub(crate) const MOST_OPTIONS: usize = 1024;

/// An engine that has introduced itself.
pub(crate) struct Engine {
    process: Process,
    declared: Vec<Declared>,
    patience: Patience,
}

impl From<Ended> for AgentError {
    fn from(Ended(why): Ended) -> AgentError {
        AgentError::Crashed(why)
    }
}

impl Engine {
    /// Starts an engine, hears what it offers and sets its options. Fails with a sentence.
    pub(crate) fn start(spec: &EngineSpec, patience: Patience) -> Result<Engine, String> {
        Engine::meet(Process::start(&spec.command, patience.quit)?, spec, patience)
    }

    /// The same with a process that runs.
    pub(super) fn meet(
        mut process: Process,
        spec: &EngineSpec,
        patience: Patience,
    ) -> Result<Engine, String> {
        let mut declared = Vec::new();
        process.send("ugi");
        let hello = process.wait_for(patience.start, |tokens| match tokens {
            ["ugiok"] => Some(Ok(())),
            ["option", ..] if declared.len() == MOST_OPTIONS => Some(Err(too_many_options())),
            ["option", rest @ ..] => {
                declared.extend(option::parse(rest));
                None
            }
            _ => None,
        });
        let hello = hello.map_err(|Ended(why)| format!("the engine ended at the start: {why}"))?;
        hello.ok_or_else(|| {
            format!("the engine did not answer 'ugi' with 'ugiok' within {:?}", patience.start)
        })??;
        let mut engine = Engine { process, declared, patience };
        for (name, value) in &spec.options {
            engine.set(name, value)?;
        }
        engine.ready().map_err(|why| why.to_string())?;
        Ok(engine)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let known = self.declared.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let Some(option) = known else {
            let names: Vec<&str> = self.declared.iter().map(|option| option.name.as_str()).collect();
            return Err(format!("the engine has no option '{name}' ({})", suggestion(name, &names)));
        };
        self.process.send(format!("setoption name {} value {value}", option.name));
        Ok(())
    }

    /// Waits until the engine has done all that it was told.
    fn ready(&mut self) -> Result<(), AgentError> {
        self.process.send("isready");
        let ready =
            self.process.wait_for(self.patience.start, |tokens| (tokens == ["readyok"]).then_some(()))?;
        ready.ok_or(AgentError::TimedOut(self.patience.start))
    }

    /// Tells the engine that a game under these rules begins.
    pub(crate) fn new_game(&mut self, rules: &Rules) -> Result<(), AgentError> {
        // A runner may have set a ply cap of its own, which has no name.
        let is_named = |preset: &Rules| Rules { ply_cap: preset.ply_cap, ..*rules } == *preset;
        let name = Rules::PRESETS.iter().find(|(_, preset)| is_named(preset)).map(|(name, _)| *name);
        let offers = |option: &Declared, name: &str| {
            option.name.eq_ignore_ascii_case("rules") && option.words.iter().any(|word| word == name)
        };
        if let Some(name) = name.filter(|name| self.declared.iter().any(|option| offers(option, name))) {
            self.set("Rules", name).map_err(AgentError::Crashed)?;
        }
        self.process.send("uginewgame");
        self.ready()
    }

    /// Asks for a move.
    pub(crate) fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        report: &mut dyn FnMut(&Info),
    ) -> Result<Move, AgentError> {
        self.process.send(position::write(game));
        // Whatever is left of an earlier search comes before the answer to this.
        self.ready()?;
        let limit = time_limit(limits, game.position());
        let line = play(&mut self.process, game.position(), limits, (limit, self.patience.answer), report)?;
        read_answer(game.position(), &line)
    }
}

pub(crate) fn too_many_options() -> String {
    format!("expected at most {MOST_OPTIONS} options before 'ugiok', found more")
}

/// Sends `go` and returns the line with the answer. When the limit is over or a stop is requested, the engine
/// hears `stop`, and after its patience the caller hears that it is late.
pub(crate) fn play(
    process: &mut Process,
    position: &Position,
    limits: &Limits,
    (limit, patience): (Option<Duration>, Duration),
    report: &mut dyn FnMut(&Info),
) -> Result<String, AgentError> {
    process.send(go::write(limits, position));
    let (mut start, mut is_pondering) = (Instant::now(), limits.is_pondering());
    let mut deadline = None;
    loop {
        let now = Instant::now();
        if is_pondering && !limits.is_pondering() {
            process.send("ponderhit");
            (start, is_pondering) = (now, false);
        }
        let is_late = !is_pondering && limit.is_some_and(|limit| now >= start + limit);
        let is_due = is_late || limits.stop.is_requested();
        if deadline.is_none() && is_due {
            process.send("stop");
            deadline = Some(now + patience);
        }
        if deadline.is_some_and(|deadline| now >= deadline) {
            return Err(AgentError::TimedOut(start.elapsed()));
        }
        let Some(line) = process.next(now + POLL)? else { continue };
        let tokens: Vec<&str> = line.split_whitespace().collect();
        match tokens[..] {
            ["bestmove", ..] => return Ok(line.trim().to_string()),
            ["info", ref rest @ ..] => info::parse(rest, position).iter().for_each(&mut *report),
            _ => {}
        }
    }
}

/// The time in which an answer is due, unless it is to think until stopped.
fn time_limit(limits: &Limits, position: &Position) -> Option<Duration> {
    let clock = limits.clock.map(|clock| clock[position.turn()].left);
    let time = limits.move_time.into_iter().chain(clock).min();
    if limits.infinite { None } else { Some(time.unwrap_or(UNTIMED)) }
}

/// The move of a `bestmove` line.
fn read_answer(position: &Position, line: &str) -> Result<Move, AgentError> {
    let text = line.split_whitespace().nth(1).unwrap_or(line);
    let shown = || text.chars().filter(|c| !c.is_control()).take(40).collect();
    Notation::AbaPro.parse(position, text).map_err(|_| AgentError::Illegal(shown()))
}
