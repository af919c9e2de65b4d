//! Lines from a client to the UGI server, whose agent answers at once: every answer is a line of the protocol, every
//! `isready` is answered, and no `go` by two moves.
#![no_main]

use sumito_agents::options::{OptionSpec, choice, flag, float, int, text, time};
use sumito_agents::registry::Entry;
use sumito_agents::{Agent, AgentError, Info, Limits, Score, ugi};
use sumito_fuzz::fuzz_target;
use sumito_rules::{Game, Move};

/// Plays the first legal move.
struct First;

impl Agent for First {
    fn name(&self) -> &str {
        "first"
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        tell: &mut dyn FnMut(&Info),
    ) -> Result<Move, AgentError> {
        let moves = game.legal_moves();
        let m = limits.moves.first().or(moves.first()).copied().ok_or(AgentError::NoMove)?;
        tell(&Info { depth: 1, score: Some(Score::Value(0.5)), line: vec![m], ..Info::default() });
        Ok(m)
    }
}

const OPTIONS: &[OptionSpec] = &[
    int("depth", 1, (1, 9), "").labelled("Depth"),
    float("width", 0.5, (0.0, 1.0), ""),
    flag("table", true, ""),
    choice("side", &["own", "both"], ""),
    time("time", ""),
    text("name", "").hidden(),
];

static ENTRY: Entry =
    Entry { name: "first", summary: "", source: "", options: OPTIONS, build: |_, _| Ok(Box::new(First)) };

fuzz_target!(|bytes: &[u8]| {
    let mut output = Vec::new();
    ugi::serve_entry(&ENTRY, std::io::Cursor::new(bytes.to_vec()), &mut output)
        .expect("memory can be written");
    let output = String::from_utf8(output).expect("text");
    const KNOWN: [&str; 8] = ["id", "option", "ugiok", "uciok", "readyok", "info", "bestmove", "response"];
    for line in output.lines() {
        assert!(KNOWN.contains(&line.split_whitespace().next().unwrap_or_default()), "{line}");
    }
    let text = String::from_utf8_lossy(bytes);
    let heard: Vec<&str> =
        text.split('\n').map(|line| line.split_whitespace().next().unwrap_or("")).collect();
    let heard = heard.split(|word| *word == "quit").next().unwrap_or_default();
    let asked = |word: &str| heard.iter().filter(|first| **first == word).count();
    let said =
        |word: &str| output.lines().filter(|line| line.split_whitespace().next() == Some(word)).count();
    assert_eq!(said("readyok"), asked("isready"));
    assert!(said("bestmove") <= asked("go"), "{output}");
});
