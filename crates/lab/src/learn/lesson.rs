//! One game of self-play, from which both players learn.

use sumito_agents::cornell::{Network, greedy};
use sumito_engine::Rng;
use sumito_rules::{Color, Game, Move, Position, Reason};

use super::pupil::Pupil;
use super::settings::{LearnSettings, StopRule};

/// What a game was like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Lesson {
    pub(super) plies: u64,
    /// Whether somebody won, also by a lead when it was cut short.
    pub(super) is_decided: bool,
    /// The sum of the errors without their signs, and how many there were.
    pub(super) errors: f64,
    pub(super) steps: u64,
}

impl Lesson {
    fn count(&mut self, error: Option<f64>) {
        self.errors += error.map_or(0.0, f64::abs);
        self.steps += u64::from(error.is_some());
    }
}

/// Plays a game and lets the network learn from it. What is random depends on the game's number alone, so that
/// nothing has to be kept between games.
pub(super) fn play(
    settings: &LearnSettings,
    start: Position,
    number: usize,
    moves_before: u64,
    network: &mut Network,
) -> Lesson {
    let mut rng = Rng::new(settings.seed ^ Rng::new(number as u64).next_u64());
    let mut pupils = [Pupil::new(settings, network), Pupil::new(settings, network)];
    let mut game = Game::new(settings.rules(), start);
    let mut lesson = Lesson::default();
    while !is_over(settings, &game) {
        let epsilon = settings.epsilon_at(number, moves_before + lesson.plies);
        let moves = game.legal_moves();
        let m = choose(network, game.position(), &moves, epsilon, &mut rng);
        let mover = game.turn();
        game.play(m).expect("a legal move in a game that goes on");
        lesson.plies += 1;
        let inputs = network.features(game.position(), mover);
        lesson.count(pupils[mover as usize].arrive(network, &inputs, lead(&game, mover)));
    }
    let outcome = game.outcome();
    let is_whole = outcome.is_some_and(|end| matches!(end.reason, Reason::Ejections | Reason::NoMoves));
    for color in Color::ALL {
        let won = outcome.and_then(|end| end.winner).map_or(0, |winner| if winner == color { 1 } else { -1 });
        let result = is_whole.then_some(won);
        lesson.count(pupils[color as usize].finish(network, lead(&game, color), result));
    }
    lesson.is_decided = lead(&game, Color::Black) != 0 || is_whole;
    lesson
}

/// The network's choice, or now and then any move.
fn choose(network: &Network, position: &Position, moves: &[Move], epsilon: f64, rng: &mut Rng) -> Move {
    let choice = if epsilon > 0.0 && rng.unit() < epsilon {
        rng.pick(moves)
    } else {
        greedy(network, position, moves, || false).map(|(m, _)| m)
    };
    choice.expect("a game without legal moves is over")
}

fn is_over(settings: &LearnSettings, game: &Game) -> bool {
    game.outcome().is_some() || settings.ends == StopRule::Revisit && game.repetitions() > 1
}

/// How many marbles a player is ahead.
pub(super) fn lead(game: &Game, color: Color) -> i32 {
    let score = |color| i32::from(game.position().score(color));
    score(color) - score(!color)
}
