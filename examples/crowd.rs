//! An agent of one's own as a program of its own: it pushes off what it can and otherwise crowds the centre.

use std::io;

use sumito_agents::options::float;
use sumito_agents::registry::Entry;
use sumito_agents::ugi::{ServeError, serve_entry};
use sumito_agents::{Agent, AgentError, Info, Limits, Score};
use sumito_rules::{Color, Game, Move, Position};

static CROWD: Entry = Entry {
    name: "crowd",
    summary: "one ply ahead: marbles off the board, then closeness to the centre",
    source: "",
    options: &[float("centre", 0.1, (0.0, 10.0), "what a cell nearer to the centre is worth, in marbles")],
    build: |spec, options| Ok(Box::new(Crowd { name: spec.to_string(), centre: options.float("centre") })),
};

struct Crowd {
    name: String,
    centre: f64,
}

impl Crowd {
    /// What a player thinks of a position.
    fn value(&self, position: &Position, color: Color) -> f64 {
        let far = |color| position.marbles(color).iter().map(|cell| f64::from(cell.ring())).sum::<f64>();
        let off = |color| f64::from(position.score(color));
        off(color) - off(!color) + self.centre * (far(!color) - far(color))
    }
}

impl Agent for Crowd {
    fn name(&self) -> &str {
        &self.name
    }

    fn choose(&mut self, game: &Game, _: &Limits, report: &mut dyn FnMut(&Info)) -> Result<Move, AgentError> {
        let (position, moves) = (game.position(), game.legal_moves());
        let value = |m: Move| self.value(&position.play_unchecked(m), position.turn());
        let best = moves.iter().copied().max_by(|&a, &b| value(a).total_cmp(&value(b)));
        let best = best.ok_or(AgentError::NoMove)?;
        let score = Some(Score::Value(value(best)));
        report(&Info { depth: 1, nodes: moves.len() as u64, score, line: vec![best], ..Info::default() });
        Ok(best)
    }
}

fn main() -> Result<(), ServeError> {
    serve_entry(&CROWD, io::BufReader::new(io::stdin()), io::stdout())
}
