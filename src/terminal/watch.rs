//! A game of two agents without a screen: one line for each move, or the whole game as JSON.

use std::io::Write;
use std::thread;

use serde_json::json;
use sumito_rules::{Color, Notation, diagram, fen};

use super::SessionSetup;
use super::staff::Staff;
use super::table::{TerminalTable, score_text};

pub(super) fn run(setup: SessionSetup, json: bool, out: &mut impl Write) -> anyhow::Result<()> {
    let SessionSetup { mut table, agents, rules, notation, delay, mut archive } = setup;
    let mut staff = Staff::new(agents, &table);
    if !json {
        writeln!(
            out,
            "{:>4}  {:5}  {:12} {:>10} {:>5} {:>10} {:>9}",
            "", "", "move", "score", "depth", "nodes", "time"
        )?;
    }
    while !table.is_over() {
        if !table.turns().is_empty() {
            thread::sleep(delay.unwrap_or_default());
        }
        if turn(&mut table, &mut staff) && !json {
            writeln!(out, "{}", line(&table, notation))?;
            out.flush()?;
        }
    }
    archive.update(&table)?;
    if json {
        writeln!(out, "{:#}", to_json(&table, &rules, notation))?;
        return Ok(());
    }
    let shown = diagram::text(table.position(), None);
    writeln!(out, "\n{shown}\n{}", table.ending())?;
    if let Some(summary) = archive.summary() {
        writeln!(out, "{summary}")?;
    }
    Ok(())
}

/// Lets the side to move have its turn. Says whether it made a move: otherwise it has lost.
pub(super) fn turn(table: &mut TerminalTable, staff: &mut Staff) -> bool {
    let before = table.turns().len();
    staff.ask(table);
    let (result, info, time) = staff.answer();
    table.answer(result, info, time);
    table.turns().len() > before
}

/// The last move: number, colour, move, score, depth, nodes, time.
pub(super) fn line(table: &TerminalTable, notation: Notation) -> String {
    let m = table.record(table.turns().len() - 1, notation);
    let position = &table.game().positions()[table.turns().len() - 1];
    let number = format!("{}.", position.move_number());
    let known = |text: Option<String>| text.unwrap_or("-".to_string());
    let (score, depth) = (known(score_text(m.score, m.win)), known(m.depth.map(|depth| depth.to_string())));
    let nodes = known(m.nodes.map(|nodes| nodes.to_string()));
    let (turn, seconds) = (position.turn(), m.time_us as f64 / 1e6);
    format!("{number:>4}  {turn:5}  {:12} {score:>10} {depth:>5} {nodes:>10} {seconds:>8.3}s", m.text)
}

fn to_json(table: &TerminalTable, rules: &str, notation: Notation) -> serde_json::Value {
    let moves: Vec<_> = (0..table.turns().len()).map(|ply| table.record(ply, notation)).collect();
    let score = |color| table.position().score(color);
    json!({
        "black": table.seats.black.name,
        "white": table.seats.white.name,
        "rules": rules,
        "start": fen::write(table.game().start()),
        "notation": notation.name(),
        "moves": moves,
        "fen": fen::write(table.position()),
        "score": { "black": score(Color::Black), "white": score(Color::White) },
        "outcome": table.game().outcome(),
        "ending": table.ending(),
    })
}
