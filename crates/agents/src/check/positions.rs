//! The games in which an engine is asked for a move.

use sumito_engine::Rng;
use sumito_rules::{Color, Game, Layout, Position, Repetition, Rules, fen};

use crate::protocol::position::startpos;

/// Rules that end no game early, so that every engine agrees that it goes on.
const OPEN: Rules = Rules { repetition: Repetition::Off, ..Rules::OFFICIAL };

fn from_fen(text: &str) -> Game {
    Game::new(OPEN, fen::parse(text).expect("a FEN"))
}

/// A game of so many random plies in which nobody comes to six. The moves differ from ply to ply, so that
/// no rule about repetition applies.
fn random_game(start: Position, plies: usize, seed: u64) -> Game {
    let mut rng = Rng::new(seed);
    let mut game = Game::new(OPEN, start);
    while game.moves().len() < plies {
        let mut moves = game.legal_moves().to_vec();
        rng.shuffle(&mut moves);
        let goes_on = |next: &Position| {
            let is_new = !game.positions().iter().any(|earlier| earlier.same_board(next));
            is_new && next.can_move() && Color::ALL.into_iter().all(|color| next.score(color) < 5)
        };
        let next = moves.into_iter().find(|&m| goes_on(&game.position().play_unchecked(m)));
        game.play(next.expect("fourteen marbles have a new place to go")).expect("a legal move");
    }
    game
}

/// The starting positions of three layouts, and one with a move played.
pub(super) fn openings() -> Vec<Game> {
    let layout = |name| Layout::named(name).expect("a known layout").position();
    vec![
        Game::new(OPEN, startpos()),
        random_game(startpos(), 1, 1),
        Game::new(OPEN, layout("standard")),
        Game::new(OPEN, layout("german-daisy")),
    ]
}

/// Games of 40 to 61 plies: as moves, and as a bare position with Black and with White to move.
pub(super) fn middle_games() -> Vec<Game> {
    let bare = |plies, seed| Game::new(OPEN, *random_game(startpos(), plies, seed).position());
    vec![bare(40, 2), random_game(startpos(), 61, 3), bare(51, 4)]
}

/// White has exactly one legal move.
pub(super) fn only_move() -> Game {
    from_fen("sssss/ssSSSS/sSS4/sS1S4/sS7/1S6/2S4/6/S3S 4 1 w 3 41")
}

/// Black can push a marble off.
pub(super) fn ejection() -> Game {
    from_fen("5/6/2s4/3ss3/3ss4/2SSS3/7/3SS1/2SSs 1 1 b 4 20")
}

/// A game of 300 plies.
pub(super) fn long_game() -> Game {
    random_game(startpos(), 300, 5)
}

/// A start, a game in which Player 2 is to move, one won by Player 1 and one won by Player 2.
pub(super) fn for_queries() -> [Game; 4] {
    [
        Game::new(OPEN, startpos()),
        random_game(startpos(), 1, 6),
        from_fen("5/6/3s3/8/4S4/8/7/6/5 6 3 w 0 30"),
        from_fen("5/6/3s3/8/4S4/8/7/6/5 3 6 b 0 30"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_move_is_the_only_one() {
        assert_eq!(only_move().legal_moves().len(), 1);
    }

    #[test]
    fn a_marble_can_be_pushed_off() {
        let game = ejection();
        assert!(game.legal_moves().iter().any(|&m| game.position().ejects(m)));
    }

    #[test]
    fn middle_games_have_both_sides_to_move() {
        let turns: Vec<Color> = middle_games().iter().map(Game::turn).collect();
        assert_eq!(turns[..2], [Color::Black, Color::White]);
    }

    #[test]
    fn a_long_game_is_not_over_under_any_rules_without_a_cap() {
        let game = long_game();
        assert_eq!((game.moves().len(), game.outcome(), game.repetitions()), (300, None, 1));
    }
}
