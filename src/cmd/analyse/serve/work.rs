//! Jobs: requests that were understood, and the thread that does them one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Duration;

use serde_json::{Value, json};
use sumito_engine::{Engine, Limits};
use sumito_rules::record::{Reader, Record};
use sumito_rules::{Game, Layout, Notation, PlayError, PositionFormat, Rules};

use super::request::{Request, Verb};
use super::{Defaults, Event};

/// For requests without any limit of their own.
const POSITION_TIME: Duration = Duration::from_secs(1);
const REVIEW_TIME: Duration = Duration::from_millis(500);
/// What a request may ask for.
const MOST_LINES: usize = 256;
const DEEPEST: u32 = 127;
const FARTHEST_MATE: u32 = 60;
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// A request that was understood.
pub(super) struct AnalysisJob {
    review: bool,
    partial: bool,
    fresh: bool,
    /// Whether only a stop ends it.
    pub(super) endless: bool,
    game: Game,
    pub(super) limits: Limits,
    notation: Notation,
}

impl AnalysisJob {
    /// What a request means, or what was expected in it.
    pub(super) fn new(request: &Request, defaults: &Defaults) -> Result<AnalysisJob, String> {
        let review = request.verb == Verb::Review;
        let notation = request.notation.unwrap_or(defaults.notation);
        let game = game(request, defaults, notation)?;
        if review && game.moves().is_empty() {
            return Err("moves: expected a game with at least one move, found none".into());
        }
        let only_positions = [
            ("infinite", request.infinite),
            ("mate", request.mate.is_some()),
            ("only", request.only.is_some()),
        ];
        if let Some((field, _)) = only_positions.into_iter().find(|(_, given)| review && *given) {
            return Err(format!("{field}: expected for analyse alone, found for a review"));
        }
        let limits = limits(request, defaults, &game, notation)?;
        Ok(AnalysisJob {
            review,
            partial: request.partial,
            fresh: request.fresh,
            endless: request.infinite,
            game,
            limits,
            notation,
        })
    }

    /// Does it. Reports on the way go to the loop.
    fn run(&self, engine: &mut Engine, events: &SyncSender<Event>) -> Value {
        // If the loop is gone, nobody listens.
        let tell = |report: Value| {
            let _ = events.send(Event::Partial(report));
        };
        if self.fresh {
            engine.new_game();
        }
        if self.review {
            let review = engine.review(&self.game, &self.limits, &mut |at| {
                if self.partial {
                    let position = at.findings.report(self.notation);
                    tell(json!({ "done": at.done, "whole": at.whole, "ply": at.ply, "position": position }));
                }
            });
            return json!(review.report(self.notation));
        }
        let findings = engine.analyse(&self.game, &self.limits, &mut |findings| {
            if self.partial {
                tell(json!(findings.report(self.notation)));
            }
        });
        json!(findings.report(self.notation))
    }
}

/// What the worker's thread does until no more jobs can come. A job that panics takes the engine's memory with it, but
/// neither the engine nor the loop.
pub(super) fn run(mut engine: Engine, jobs: &Receiver<AnalysisJob>, events: &SyncSender<Event>) {
    for job in jobs {
        let result = catch_unwind(AssertUnwindSafe(|| job.run(&mut engine, events)));
        let result = result.map_err(|_| {
            engine.new_game();
            "the engine broke down on this request".to_string()
        });
        if events.send(Event::Done(result)).is_err() {
            return;
        }
    }
}

fn game(request: &Request, defaults: &Defaults, notation: Notation) -> Result<Game, String> {
    let rules = match &request.rules {
        None => defaults.rules,
        Some(name) => Rules::named(name).ok_or_else(|| {
            let names = Rules::PRESETS.map(|(name, _)| name).join(", ");
            format!("rules: expected one of {names}, found '{name}'")
        })?,
    };
    let sources = [request.layout.is_some(), request.fen.is_some(), request.apgn.is_some()];
    if sources.into_iter().filter(|&given| given).count() > 1 {
        return Err("expected at most one of layout, fen and apgn, found several".into());
    }
    let mut game = match (&request.layout, &request.fen, &request.apgn) {
        (Some(name), ..) => {
            Game::new(rules, Layout::find(name).map_err(|why| format!("layout: {why}"))?.position())
        }
        (_, Some(text), _) => {
            let position = PositionFormat::detect(text).parse(text).map_err(|why| format!("fen: {why}"))?;
            Game::new(rules, position)
        }
        (.., Some(text)) => recorded(text, rules)?,
        _ => Game::new(rules, Layout::all()[0].position()),
    };
    for (at, text) in request.moves.iter().flat_map(|moves| moves.texts()).enumerate() {
        let wrong = |why: String| format!("moves: move {}, '{text}': {why}", at + 1);
        let m = notation.parse(game.position(), text).map_err(|why| wrong(why.to_string()))?;
        game.play(m).map_err(|why| wrong(why.to_string()))?;
    }
    Ok(game)
}

fn recorded(text: &str, rules: Rules) -> Result<Game, String> {
    let wrong = |why: &dyn std::fmt::Display| format!("apgn: {why}");
    let record: Record = match Reader::new(text.as_bytes()).next() {
        None => return Err("apgn: expected a game, found none".into()),
        Some(record) => record.map_err(|why| wrong(&why))?,
    };
    let replayed = record.replay().map_err(|why| wrong(&why))?;
    let mut game = Game::new(rules, *replayed.start());
    for (ply, &m) in replayed.moves().iter().enumerate() {
        match game.play(m) {
            Ok(()) => {}
            Err(PlayError::Over(outcome)) => {
                return Err(format!(
                    "rules: expected rules under which the game has all its {} plies, found some that end it after {ply} ({})",
                    replayed.moves().len(),
                    outcome.reason
                ));
            }
            Err(why) => return Err(wrong(&why)),
        }
    }
    Ok(game)
}

fn limits(request: &Request, defaults: &Defaults, game: &Game, notation: Notation) -> Result<Limits, String> {
    let within = |name: &str, value: Option<u64>, most: u64| match value {
        Some(value) if !(1..=most).contains(&value) => {
            Err(format!("{name}: expected a whole number from 1 to {most}, found {value}"))
        }
        _ => Ok(()),
    };
    within("depth", request.depth.map(u64::from), DEEPEST.into())?;
    within("nodes", request.nodes, u64::MAX)?;
    within("time_ms", request.time_ms, LONGEST.as_millis() as u64)?;
    within("mate", request.mate.map(u64::from), FARTHEST_MATE.into())?;
    within("lines", request.lines.map(|lines| lines as u64), MOST_LINES as u64)?;
    let own = request.depth.is_some() || request.nodes.is_some() || request.time_ms.is_some();
    if request.infinite && own {
        return Err("infinite: expected no other limit, found one".into());
    }
    let mut moves = Vec::new();
    for text in request.only.iter().flat_map(|only| only.texts()) {
        moves.push(notation.parse(game.position(), text).map_err(|why| format!("only: {why}"))?);
    }
    let mut limits = Limits {
        move_time: request.time_ms.map(Duration::from_millis),
        nodes: request.nodes,
        depth: request.depth,
        mate: request.mate,
        lines: request.lines.unwrap_or(defaults.limits.lines).max(1),
        moves,
        ..Limits::default()
    };
    if !own && !request.infinite {
        let unlimited = defaults.limits.depth.is_none() && defaults.limits.nodes.is_none();
        let time = if request.verb == Verb::Review { REVIEW_TIME } else { POSITION_TIME };
        (limits.depth, limits.nodes) = (defaults.limits.depth, defaults.limits.nodes);
        limits.move_time = defaults.time.or(unlimited.then_some(time));
    }
    Ok(limits)
}
