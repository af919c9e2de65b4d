//! All that an external engine says, in place of the engine: it is met, told of a game, and asked for moves. What is
//! understood are legal moves.
#![no_main]

use sumito_agents::external::{EngineSpec, External};
use sumito_agents::{Agent, Info, Limits};
use sumito_fuzz::fuzz_target;
use sumito_rules::{Game, Layout, Rules};

fuzz_target!(|bytes: &[u8]| {
    let options = vec![("Hash".to_string(), "1".to_string())];
    let spec =
        EngineSpec { command: Vec::new(), options: if bytes.len() % 2 == 0 { options } else { Vec::new() } };
    let Ok(mut engine) = External::scripted(spec, bytes.to_vec()) else { return };
    let mut game = Game::new(Rules::OFFICIAL, Layout::all()[0].position());
    engine.new_game(game.rules(), None);
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    while game.outcome().is_none() {
        let position = *game.position();
        let mut hear = |info: &Info| {
            let play = |at: sumito_rules::Position, &m: &_| at.play(m);
            info.line.iter().try_fold(position, play).expect("a line of legal moves");
        };
        let Ok(m) = engine.choose(&game, &limits, &mut hear) else { return };
        game.play(m).expect("a legal move");
    }
});
