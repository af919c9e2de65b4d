//! Checks of what an engine may leave out. One that does not know a word is skipped; one that knows it must get it right.

use std::time::Duration;

use sumito_rules::{Move, Notation};

use super::checks::{best_move, in_time, took};
use super::positions;
use super::session::{Session, read};
use super::{Task, Verdict};
use crate::agent::{Info, Limits};
use crate::protocol::{option, position};

/// Every check.
pub(super) const ALL: &[Task] = &[
    Task::search("go searchmoves", search_moves),
    Task::search("MultiPV", multi_pv),
    Task::search("go ponder, ponderhit", ponder),
];

/// How many lines are asked for.
const LINES: usize = 3;
/// The time for a move after pondering.
const PONDER_TIME: Duration = Duration::from_millis(100);

fn search_moves(session: &mut Session) -> Result<Verdict, String> {
    let game = &positions::openings()[0];
    let mut answers = Vec::new();
    // Moves from the whole list: nobody likes all of them.
    for moves in game.legal_moves().chunks(2).step_by(6) {
        let limits = Limits { depth: Some(2), moves: moves.to_vec(), ..Limits::default() };
        let answer = session.ask(game, &limits, session.waits.search)?;
        if !moves.contains(&answer.chosen) {
            return Ok(Verdict::skipped(format!("{} is none of the moves asked for", answer.text)));
        }
        answers.push(answer.text);
    }
    Ok(Verdict::passed(answers.join(", ")))
}

fn multi_pv(session: &mut Session) -> Result<Verdict, String> {
    session.engine()?;
    let declared = session.introduction.iter().filter_map(|line| {
        let tokens: Vec<&str> = line.split_whitespace().collect();
        option::parse(tokens.strip_prefix(&["option"])?).ok()
    });
    let mut names = declared.map(|option| option.name);
    let Some(name) = names.find(|name| name.eq_ignore_ascii_case("multipv")) else {
        return Ok(Verdict::skipped("no option MultiPV"));
    };
    session.send(&format!("setoption name {name} value {LINES}"))?;
    let verdict = several_lines(session);
    session.send(&format!("setoption name {name} value 1"))?;
    verdict
}

/// The last line of each rank, all with different moves, the answer being that of the first.
fn several_lines(session: &mut Session) -> Result<Verdict, String> {
    let game = &positions::openings()[0];
    let mut lines: [Option<Move>; LINES] = [None; LINES];
    let mut keep = |info: &Info| {
        if let (Some(slot), Some(&m)) = (lines.get_mut(info.rank), info.line.first()) {
            *slot = Some(m);
        }
    };
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let answer = session.ask_and_hear(game, &limits, session.waits.search, &mut keep)?;
    let text =
        |m: &Option<Move>| m.map_or("none".to_string(), |m| Notation::AbaPro.write(game.position(), m));
    let texts: Vec<String> = lines.iter().map(text).collect();
    let told = texts.join(", ");
    if let Some(rank) = lines.iter().position(Option::is_none) {
        return Err(format!("expected {LINES} lines with a pv, none with multipv {}: {told}", rank + 1));
    }
    if (1..LINES).any(|i| lines[..i].contains(&lines[i])) {
        return Err(format!("expected {LINES} lines with different moves: {told}"));
    }
    if lines[0] != Some(answer.chosen) {
        return Err(format!("answered {}, which is not the first of the lines: {told}", answer.text));
    }
    Ok(Verdict::passed(told))
}

fn ponder(session: &mut Session) -> Result<Verdict, String> {
    let game = &positions::middle_games()[0];
    session.send(&position::write(game))?;
    session.ready()?;
    session.send(&format!("go ponder movetime {}", PONDER_TIME.as_millis()))?;
    if session.hear(PONDER_TIME * 3, best_move)?.is_some() {
        return Ok(Verdict::skipped("it answers without waiting for ponderhit"));
    }
    session.send("ponderhit")?;
    let limit = PONDER_TIME + session.waits.grace;
    if let Some((line, time)) = session.hear(limit, best_move)? {
        in_time(time, PONDER_TIME, session)?;
        return Ok(Verdict::passed(format!("{} {} after ponderhit", read(game, &line)?.1, took(time))));
    }
    session.send("stop")?;
    let knows_stop = session.hear(session.waits.search, best_move)?.is_some();
    session.restart();
    if knows_stop {
        Err(format!("no answer within {limit:?} of 'ponderhit'"))
    } else {
        Ok(Verdict::skipped("it does not ponder"))
    }
}
