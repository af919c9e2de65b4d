//! Where games of self-play begin: a layout after random moves, or marbles scattered over the board.

use sumito_engine::Rng;
use sumito_rules::{Bitboard, ByColor, Cell, Color, Game, Position, Rules};

use super::settings::DataSettings;
use crate::opening::{self, Opening, OpeningError};

/// The most marbles that are missing on each side of a scattered board.
const MOST_MISSING: usize = 3;

/// Draws the starts of games.
pub struct Starts {
    layouts: Vec<Opening>,
    plies: [usize; 2],
    scattered: f64,
    rules: Rules,
}

impl Starts {
    /// The starts that the settings ask for.
    pub fn new(settings: &DataSettings) -> Result<Starts, OpeningError> {
        let rules = Rules::named(&settings.rules).unwrap_or(Rules::PLAYSTRATEGY);
        Ok(Starts {
            layouts: opening::layouts(&settings.layouts)?,
            plies: settings.random_plies,
            scattered: settings.scattered,
            // A limit of plies is the generator's business, not one that the search should play for.
            rules: Rules { ply_cap: None, quiet_cap: None, ..rules },
        })
    }

    /// A game after its opening. It is never over.
    pub fn draw(&self, rng: &mut Rng) -> Game {
        loop {
            let game = if rng.unit() < self.scattered { self.scattered(rng) } else { self.opened(rng) };
            if let Some(game) = game.filter(|game| game.outcome().is_none()) {
                return game;
            }
        }
    }

    fn opened(&self, rng: &mut Rng) -> Option<Game> {
        let layout = &self.layouts[rng.below(self.layouts.len())];
        let plies = self.plies[0] + rng.below(self.plies[1] - self.plies[0] + 1);
        layout.with_random_moves(plies, rng)?.game(self.rules).ok()
    }

    fn scattered(&self, rng: &mut Rng) -> Option<Game> {
        let missing = ByColor::new(rng.below(MOST_MISSING + 1), rng.below(MOST_MISSING + 1));
        let turn = Color::ALL[rng.below(2)];
        let mut cells = Cell::ALL;
        rng.shuffle(&mut cells);
        let counts = missing.map(|missing| sumito_rules::MAX_MARBLES - missing);
        let set = |cells: &[Cell]| cells.iter().copied().collect::<Bitboard>();
        let marbles =
            ByColor::new(set(&cells[..counts.black]), set(&cells[counts.black..counts.black + counts.white]));
        let score = ByColor::new(missing.white as u8, missing.black as u8);
        let position = Position::with_score(marbles, score, turn).ok()?;
        Some(Game::new(self.rules, position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(scattered: f64) -> Vec<Game> {
        let settings = DataSettings { scattered, ..DataSettings::default() };
        let starts = Starts::new(&settings).expect("layouts");
        let mut rng = Rng::new(3);
        (0..400).map(|_| starts.draw(&mut rng)).collect()
    }

    #[test]
    fn layouts_are_left_by_four_to_eleven_random_plies() {
        let games = starts(0.0);
        let mut plies: Vec<usize> = games.iter().map(|game| game.moves().len()).collect();
        plies.sort_unstable();
        plies.dedup();
        assert_eq!(plies, (4..=11).collect::<Vec<_>>());
        assert!(games.iter().all(|game| game.outcome().is_none() && game.position().quiet() >= 4));
    }

    #[test]
    fn scattered_boards_miss_up_to_three_marbles_on_each_side() {
        let games = starts(1.0);
        for color in Color::ALL {
            let mut missing: Vec<usize> = games
                .iter()
                .map(|game| {
                    let position = game.position();
                    assert_eq!(14 - position.marbles(color).len(), usize::from(position.score(!color)));
                    14 - position.marbles(color).len()
                })
                .collect();
            missing.sort_unstable();
            missing.dedup();
            assert_eq!(missing, [0, 1, 2, 3]);
            assert!(games.iter().any(|game| game.turn() == color));
        }
        assert!(games.iter().all(|game| game.moves().is_empty()));
    }

    #[test]
    fn the_mix_is_as_asked_for() {
        let scattered = starts(0.25).iter().filter(|game| game.moves().is_empty()).count();
        assert!((70..=130).contains(&scattered), "{scattered} of 400");
    }
}
