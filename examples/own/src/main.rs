//! An agent of one's own in a match against one of ours, and the last board on a page.

use std::{error::Error, fs};

use sumito_agents::{Agent, AgentError, AgentSpec, Info, Limits};
use sumito_rules::{Color, Game, Layout, Move, Rules, diagram};

/// Pushes off what it can, and otherwise makes the move after which it has the most moves itself.
struct Mobile;

impl Agent for Mobile {
    fn name(&self) -> &str {
        "mobile"
    }

    fn choose(&mut self, game: &Game, _: &Limits, _: &mut dyn FnMut(&Info)) -> Result<Move, AgentError> {
        let position = game.position();
        let value = |m: &Move| {
            let next = position.play_unchecked(*m);
            (position.ejects(*m), next.with_turn(position.turn()).count_moves())
        };
        game.legal_moves().into_iter().max_by_key(value).ok_or(AgentError::NoMove)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Rules { ply_cap: Some(300), ..Rules::PLAYSTRATEGY };
    let start = Layout::named("belgian-daisy").ok_or("no such layout")?.position();
    let mut theirs = "random".parse::<AgentSpec>()?.build()?;
    let (mut ours, mut won, mut page) = (Mobile, 0, String::new());
    for number in 0..10 {
        let color = Color::ALL[number % 2];
        let mut game = Game::new(rules, start);
        theirs.new_game(&rules, Some(number as u64));
        while game.outcome().is_none() {
            let agent: &mut dyn Agent = if game.turn() == color { &mut ours } else { theirs.as_mut() };
            let m = agent.choose(&game, &Limits::default(), &mut |_| ())?;
            game.play(m)?;
        }
        won += usize::from(game.outcome().and_then(|outcome| outcome.winner) == Some(color));
        page = diagram::svg(game.position(), game.moves().last().copied());
    }
    fs::write(
        "board.html",
        format!("<!doctype html>\n<title>mobile</title>\n{page}\n<p>{won} of 10 won.</p>\n"),
    )?;
    println!("mobile won {won} of 10 games against {}", theirs.name());
    Ok(())
}
