//! A test of the network: games against random moves.

use serde::{Deserialize, Serialize};
use sumito_agents::cornell::{Network, greedy};
use sumito_engine::Rng;
use sumito_rules::{Color, Game, Position};

use super::settings::LearnSettings;
use crate::stats::{Ending, WdlCount};

/// Games of a network against random moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exam {
    /// How they ended.
    #[serde(flatten)]
    pub games: WdlCount,
    /// Marbles that the network pushed off.
    pub won: u64,
    /// Marbles that it lost.
    pub lost: u64,
}

impl Exam {
    /// Lets the network play as many games as the settings say, Black and White in turn. The games' chances are the
    /// same at every test, so that only the network makes a difference.
    pub(super) fn sit(settings: &LearnSettings, start: Position, network: &Network) -> Exam {
        let mut exam = Exam::default();
        for number in 0..settings.test_games {
            let color = if number.is_multiple_of(2) { Color::Black } else { Color::White };
            // Beyond the numbers of games of self-play.
            let mut rng = Rng::new(settings.seed ^ Rng::new(!(number as u64)).next_u64());
            let mut game = Game::new(settings.rules(), start);
            while game.outcome().is_none() {
                let moves = game.legal_moves();
                let m = if game.turn() == color {
                    greedy(network, game.position(), &moves, || false).map(|(m, _)| m)
                } else {
                    rng.pick(&moves)
                };
                game.play(m.expect("a legal move")).expect("a legal move in a game that goes on");
            }
            let winner = game.outcome().and_then(|end| end.winner);
            exam.games.add(
                winner.map_or(
                    Ending::Draw,
                    |winner| {
                        if winner == color { Ending::Win } else { Ending::Loss }
                    },
                ),
            );
            exam.won += u64::from(game.position().score(color));
            exam.lost += u64::from(game.position().score(!color));
        }
        exam
    }

    /// Games won, in hundredths.
    pub fn percent(&self) -> f64 {
        100.0 * self.games.wins as f64 / self.games.games().max(1) as f64
    }
}
