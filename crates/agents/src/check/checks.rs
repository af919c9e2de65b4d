//! The checks, one function each.

use std::time::Duration;

use sumito_rules::{ByColor, Color, Game, fen};

use super::positions;
use super::session::{Session, read};
use super::{Task, Verdict};
use crate::agent::{Clock, Limits};
use crate::protocol::{option, position};

/// Every check, the handshake first.
pub(super) const ALL: &[Task] = &[
    Task::new("handshake: ugi, ugiok", handshake),
    Task::new("options can be read", options),
    Task::new("isready, readyok", |session| Ok(Verdict::passed(took(session.ready()?)))),
    Task::search("legal move: opening", |session| legal_moves(session, &positions::openings())),
    Task::search("legal move: middle game", |session| legal_moves(session, &positions::middle_games())),
    Task::search("legal move: only one", |session| legal_moves(session, &[positions::only_move()])),
    Task::search("legal move: ejection possible", ejection),
    Task::search("legal move: after 300 plies", |session| legal_moves(session, &[positions::long_game()])),
    Task::search("go movetime", move_time),
    Task::search("go with clocks", clocks),
    Task::search("go depth", |session| {
        limited(session, &[1, 2], |depth| Limits { depth: Some(depth), ..Limits::default() })
    }),
    Task::search("go nodes", |session| {
        limited(session, &[1, 1000], |nodes| Limits { nodes: Some(nodes.into()), ..Limits::default() })
    }),
    Task::search("go infinite, stop", stop),
    Task::search("stop right after go", stop_at_once),
    Task::search("isready while searching", ready_while_searching),
    Task::new("unknown commands survived", |session| survives(session, GARBAGE)),
    Task::new("bad positions survived", |session| survives(session, BAD_POSITIONS)),
    Task::new("illegal moves survived", |session| survives(session, BAD_MOVES)),
    Task::search("uginewgame twice", new_games),
    Task::new("query", queries),
];

/// What ends the process, so that it comes last.
pub(super) const LAST: &[Task] =
    &[Task::new("quit ends the process", quit), Task::search("restart after a crash", crash)];

const GARBAGE: &[&str] =
    &["", "   ", "hello", "go go go depth x", "setoption", "position", "query", "\u{1}\u{2} \u{fffd}"];
const BAD_POSITIONS: &[&str] = &[
    "position fen",
    "position fen nonsense",
    "position fen 9/9/9/9/9/9/9/9/9 0 0 b 0 1",
    "position fen SSSSS/SSSSSS/SSSSSSS/8/9/8/7/6/5 0 0 b 0 1",
    "position fen ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 x 0 1",
];
const BAD_MOVES: &[&str] =
    &["position startpos moves e5e6", "position startpos moves a1b2 a1b2", "position startpos moves z9"];

pub(super) fn took(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

fn short() -> Limits {
    Limits { move_time: Some(Duration::from_millis(50)), ..Limits::default() }
}

fn handshake(session: &mut Session) -> Result<Verdict, String> {
    session.engine()?;
    let name = session.introduction.iter().find_map(|line| line.strip_prefix("id name "));
    name.map(Verdict::passed).ok_or_else(|| "no 'id name' before 'ugiok'".to_string())
}

fn options(session: &mut Session) -> Result<Verdict, String> {
    session.engine()?;
    let mut names = Vec::new();
    for line in &session.introduction {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        if let ["option", ref rest @ ..] = tokens[..] {
            names.push(option::parse(rest).map_err(|why| format!("'{line}': {why}"))?.name);
        }
    }
    Ok(Verdict::passed(match names.len() {
        0 => "none".to_string(),
        1..=8 => names.join(", "),
        many => format!("{} and {} more", names[..8].join(", "), many - 8),
    }))
}

fn legal_moves(session: &mut Session, games: &[Game]) -> Result<Verdict, String> {
    let mut answers = Vec::new();
    for game in games {
        answers.push(session.ask(game, &short(), Duration::ZERO)?.text);
    }
    Ok(Verdict::passed(answers.join(", ")))
}

fn ejection(session: &mut Session) -> Result<Verdict, String> {
    let game = positions::ejection();
    let answer = session.ask(&game, &short(), Duration::ZERO)?;
    let ejects = if game.position().ejects(answer.chosen) { "ejects" } else { "does not eject" };
    Ok(Verdict::passed(format!("{} ({ejects})", answer.text)))
}

fn move_time(session: &mut Session) -> Result<Verdict, String> {
    let mut times = Vec::new();
    for ms in [20, 100, 400] {
        let limit = Duration::from_millis(ms);
        let limits = Limits { move_time: Some(limit), ..Limits::default() };
        let time = session.ask(&positions::openings()[0], &limits, limit)?.time;
        in_time(time, limit, session)?;
        times.push(format!("{} of {ms} ms", time.as_millis()));
    }
    Ok(Verdict::passed(times.join(", ")))
}

pub(super) fn in_time(time: Duration, limit: Duration, session: &Session) -> Result<(), String> {
    let grace = session.waits.grace;
    if time <= limit + grace {
        return Ok(());
    }
    Err(format!("answered after {}, allowed are {} and {} more", took(time), took(limit), took(grace)))
}

fn clocks(session: &mut Session) -> Result<Verdict, String> {
    let clock = |left, increment| Clock {
        left: Duration::from_millis(left),
        increment: Duration::from_millis(increment),
    };
    let mut times = Vec::new();
    for game in &positions::middle_games()[..2] {
        // The other side's clock is much fuller: whoever reads the wrong one is late.
        let clocks = ByColor::new(clock(1000, 10), clock(60_000, 10));
        let clocks = if game.turn() == Color::Black { clocks } else { clocks.swapped() };
        let limits = Limits { clock: Some(clocks), ..Limits::default() };
        let limit = clocks[game.turn()].left;
        let time = session.ask(game, &limits, limit)?.time;
        in_time(time, limit, session)?;
        times.push(format!("{} of {} ms", time.as_millis(), limit.as_millis()));
    }
    Ok(Verdict::passed(times.join(", ")))
}

fn limited(session: &mut Session, values: &[u32], limits: fn(u32) -> Limits) -> Result<Verdict, String> {
    let limit = session.waits.search * 2;
    let mut answers = Vec::new();
    for &value in values {
        let answer = session.ask(&positions::openings()[0], &limits(value), limit)?;
        answers.push(format!("{value}: {} in {}", answer.text, took(answer.time)));
    }
    Ok(Verdict::passed(answers.join(", ")))
}

/// Begins a search without an end.
fn search(session: &mut Session, game: &Game) -> Result<(), String> {
    session.send(&position::write(game))?;
    session.ready()?;
    session.send("go infinite")
}

pub(super) fn best_move(tokens: &[&str]) -> Option<String> {
    (tokens.first() == Some(&"bestmove")).then(|| tokens.join(" "))
}

/// Ends a search and reads its answer.
fn end_search(session: &mut Session, game: &Game) -> Result<(String, Duration), String> {
    session.send("stop")?;
    let patience = session.waits.search;
    let answer = session.hear(patience, best_move)?;
    session.hangs |= answer.is_none();
    let (line, time) = answer.ok_or_else(|| format!("no 'bestmove' within {patience:?} of 'stop'"))?;
    Ok((read(game, &line)?.1, time))
}

fn stop(session: &mut Session) -> Result<Verdict, String> {
    let game = &positions::middle_games()[0];
    search(session, game)?;
    if let Some((line, _)) = session.hear(Duration::from_millis(200), best_move)? {
        return Err(format!("answered '{line}' before 'stop'"));
    }
    let (text, time) = end_search(session, game)?;
    in_time(time, Duration::ZERO, session)?;
    Ok(Verdict::passed(format!("{text} {} after stop", took(time))))
}

/// A `stop` may come before the search has got anywhere.
fn stop_at_once(session: &mut Session) -> Result<Verdict, String> {
    let mut slowest = Duration::ZERO;
    for game in &positions::middle_games() {
        search(session, game)?;
        slowest = slowest.max(end_search(session, game)?.1);
    }
    in_time(slowest, Duration::ZERO, session)?;
    Ok(Verdict::passed(format!("{} at most", took(slowest))))
}

fn ready_while_searching(session: &mut Session) -> Result<Verdict, String> {
    let game = &positions::middle_games()[1];
    search(session, game)?;
    session.send("isready")?;
    let patience = session.waits.start;
    let first = session.hear(patience, |tokens| match tokens {
        ["readyok"] => Some(true),
        ["bestmove", ..] => Some(false),
        _ => None,
    })?;
    match first {
        Some((true, time)) => {
            end_search(session, game)?;
            Ok(Verdict::passed(took(time)))
        }
        Some((false, _)) => {
            session.hear(patience, |tokens| (tokens == ["readyok"]).then_some(()))?;
            Ok(Verdict::skipped("its search was over before"))
        }
        None => Err(format!("no 'readyok' within {patience:?}")),
    }
}

fn survives(session: &mut Session, lines: &[&str]) -> Result<Verdict, String> {
    for line in lines {
        session.send(line)?;
        session.ready().map_err(|why| format!("after '{line}': {why}"))?;
    }
    if session.hangs {
        return Ok(Verdict::passed(format!("{} lines, no search after them", lines.len())));
    }
    let answer = session.ask(&positions::openings()[0], &short(), Duration::ZERO)?;
    Ok(Verdict::passed(format!("{} lines, then {}", lines.len(), answer.text)))
}

fn new_games(session: &mut Session) -> Result<Verdict, String> {
    let mut answers = Vec::new();
    for game in &positions::openings()[..2] {
        session.send("uginewgame")?;
        session.send("uginewgame")?;
        session.ready()?;
        answers.push(session.ask(game, &short(), Duration::ZERO)?.text);
    }
    Ok(Verdict::passed(answers.join(", ")))
}

/// What the engine responds to a query, if anything before it is ready again.
fn query(session: &mut Session, what: &str) -> Result<Option<String>, String> {
    session.send(&format!("query {what}"))?;
    session.send("isready")?;
    let mut response = None;
    let ready = session.hear(session.waits.start, |tokens| {
        if let ["response", rest @ ..] = tokens {
            response = Some(rest.join(" "));
        }
        (tokens == ["readyok"]).then_some(())
    })?;
    ready.ok_or("no 'readyok' after a query")?;
    Ok(response)
}

fn queries(session: &mut Session) -> Result<Verdict, String> {
    let [start, later, won, lost] = positions::for_queries();
    let expected = [
        (&start, [("gameover", "false"), ("p1turn", "true"), ("result", "none")]),
        (&later, [("gameover", "false"), ("p1turn", "false"), ("result", "none")]),
        (&won, [("gameover", "true"), ("p1turn", "false"), ("result", "p1win")]),
        (&lost, [("gameover", "true"), ("p1turn", "true"), ("result", "p2win")]),
    ];
    for (game, pairs) in expected {
        session.send(&position::write(game))?;
        for (what, answer) in pairs {
            match query(session, what)? {
                None => return Ok(Verdict::skipped(format!("'query {what}' is not answered"))),
                Some(found) if found == answer => {}
                Some(found) => {
                    let place = fen::write(game.position());
                    return Err(format!("query {what}: expected '{answer}', found '{found}' at {place}"));
                }
            }
        }
    }
    let has_fen = has_right_fen(session, &later)?;
    Ok(Verdict::passed(if has_fen { "gameover, p1turn, result, fen" } else { "gameover, p1turn, result" }))
}

/// Whether the engine tells its position, which is then the right one.
fn has_right_fen(session: &mut Session, game: &Game) -> Result<bool, String> {
    session.send(&position::write(game))?;
    let Some(found) = query(session, "fen")? else { return Ok(false) };
    match fen::parse(&found) {
        Ok(position) if position.same_board(game.position()) => Ok(true),
        _ => Err(format!("query fen: expected '{}', found '{found}'", fen::write(game.position()))),
    }
}

fn quit(session: &mut Session) -> Result<Verdict, String> {
    let patience = session.waits.quit;
    let mut process = session.take()?;
    process.send("quit");
    let status = process.exit(patience);
    // It has had its time.
    process.end();
    status
        .map(|status| Verdict::passed(status.to_string()))
        .ok_or_else(|| format!("still there after {patience:?}"))
}

fn crash(session: &mut Session) -> Result<Verdict, String> {
    search(session, &positions::middle_games()[0])?;
    let mut process = session.take()?;
    process.end();
    let answer = session.ask(&positions::openings()[0], &short(), Duration::ZERO)?;
    Ok(Verdict::passed(format!("ended in a search, then {}", answer.text)))
}
