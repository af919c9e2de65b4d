//! Positions to search: random openings, positions of games that agents play, or given ones.

use serde::{Deserialize, Serialize};
use sumito_agents::Limits;
use sumito_rules::{Color, Game, Rules};

use super::definition::{BySize, Size, check_agent};
use crate::opening::{self, Opening};
use crate::schedule;

/// A set of positions, as a definition describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PositionSet {
    /// What values call it.
    pub id: String,
    /// What tables call it.
    #[serde(default)]
    pub label: String,
    /// The layouts from which it comes, as in `sumito match --layouts`.
    #[serde(default = "standard")]
    pub layouts: String,
    /// Random moves on top of each, as in `sumito match --random-plies`.
    #[serde(default)]
    pub random_plies: usize,
    /// How many positions; of one game, how many turns of the first player.
    pub count: BySize<usize>,
    /// Both players of games from there; without `ejected` one game gives all positions, in order.
    #[serde(default)]
    pub play: Vec<String>,
    /// Of each game, the first position with so many marbles pushed off or more.
    #[serde(default)]
    pub ejected: Option<u8>,
    /// With `ejected`: the least and the most legal moves that the position has.
    #[serde(default)]
    pub choices: Option<(usize, usize)>,
    /// Given positions instead.
    #[serde(default)]
    pub fens: Vec<String>,
}

fn standard() -> String {
    "standard".to_string()
}

/// A game is given up after so many plies.
const LONGEST: u32 = 400;

/// The positions of a set.
pub(super) struct Drawn {
    pub(super) games: Vec<Game>,
    /// Whether they are one game, whose players remember what they saw.
    pub(super) linked: bool,
}

impl Drawn {
    /// Some of the games as data.
    pub(super) fn openings(&self, range: std::ops::Range<usize>) -> Vec<Opening> {
        let opening =
            |game: &Game| Opening { name: String::new(), start: *game.start(), moves: game.moves().to_vec() };
        self.games[range].iter().map(opening).collect()
    }
}

impl PositionSet {
    /// What tables call it.
    pub(super) fn label(&self) -> &str {
        if self.label.is_empty() { &self.id } else { &self.label }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let wrong = |why: &dyn std::fmt::Display| format!("positions '{}': {why}", self.id);
        opening::layouts(&self.layouts).map_err(|why| wrong(&why))?;
        if !self.fens.is_empty() {
            opening::from_fens(&self.fens.join("\n")).map_err(|why| wrong(&why))?;
        }
        if !matches!(self.play.len(), 0 | 2) {
            return Err(wrong(&format!("expected two players, found {}", self.play.len())));
        }
        if self.ejected.is_some() && self.play.is_empty() {
            return Err(wrong(&"expected players of the games (play = [..., ...])"));
        }
        if self.choices.is_some() && self.ejected.is_none() {
            return Err(wrong(&"expected how many marbles are off (ejected = N), for the legal moves"));
        }
        self.play.iter().try_for_each(|spec| check_agent(spec))
    }

    /// The positions, always the same for the same seed.
    pub(super) fn draw(&self, size: Size, seed: u64) -> Result<Drawn, String> {
        let count = *self.count.of(size);
        let openings = self.openings(count, seed)?;
        let start = |opening: &Opening| opening.game(Rules::OFFICIAL).map_err(|why| why.to_string());
        if self.play.is_empty() {
            let games = openings.iter().cycle().take(count).map(start).collect::<Result<_, _>>()?;
            return Ok(Drawn { games, linked: false });
        }
        let Some(wanted) = self.ejected else {
            let game = start(openings.first().ok_or("expected a layout")?)?;
            let games = self.turns(game, seed, count)?;
            return Ok(Drawn { games, linked: true });
        };
        let mut games = Vec::new();
        for (number, opening) in openings.iter().enumerate() {
            let mut found = None;
            self.play(start(opening)?, seed + number as u64, &mut |game| {
                if game.outcome().is_none() && self.is_wanted(game, wanted) {
                    found = Some(game.clone());
                }
                found.is_none()
            })?;
            games.extend(found);
            if games.len() == count {
                break;
            }
        }
        if games.len() < count {
            return Err(format!("positions '{}': found only {} of {count}", self.id, games.len()));
        }
        Ok(Drawn { games, linked: false })
    }

    /// Whether so many marbles are off, and there are as many legal moves as there shall be.
    fn is_wanted(&self, game: &Game, ejected: u8) -> bool {
        let off: u8 = Color::ALL.iter().map(|&color| game.position().score(color)).sum();
        let fits = |(least, most)| (least..=most).contains(&game.legal_moves().len());
        off >= ejected && self.choices.is_none_or(fits)
    }

    fn openings(&self, count: usize, seed: u64) -> Result<Vec<Opening>, String> {
        let text = |why: opening::OpeningError| why.to_string();
        if !self.fens.is_empty() {
            return opening::from_fens(&self.fens.join("\n")).map_err(text);
        }
        let bases = opening::layouts(&self.layouts).map_err(text)?;
        if self.random_plies == 0 {
            return Ok(bases);
        }
        // Not every game reaches the position that is wanted.
        let spare = match (self.ejected, self.choices) {
            (None, _) => 1,
            (_, None) => 4,
            _ => 16,
        };
        opening::randomised(&bases, self.random_plies, count * spare, seed).map_err(text)
    }

    /// The game up to each turn of the first player.
    fn turns(&self, game: Game, seed: u64, count: usize) -> Result<Vec<Game>, String> {
        let first = game.turn();
        let mut games = Vec::new();
        self.play(game, seed, &mut |game| {
            if game.turn() == first && game.outcome().is_none() {
                games.push(game.clone());
            }
            games.len() < count
        })?;
        Ok(games)
    }

    /// Plays a game as long as somebody wants to see more of it.
    fn play(&self, mut game: Game, seed: u64, see: &mut dyn FnMut(&Game) -> bool) -> Result<(), String> {
        let seeds = schedule::seeds(seed, 0);
        let mut players = Vec::new();
        for (color, spec) in Color::ALL.into_iter().zip(&self.play) {
            let mut agent = sumito_agents::build(spec).map_err(|why| why.to_string())?;
            agent.new_game(game.rules(), Some(seeds[color]));
            players.push(agent);
        }
        while see(&game) && game.outcome().is_none() && game.moves().len() < LONGEST as usize {
            let agent = &mut players[usize::from(game.turn() == Color::White)];
            let m = agent.choose(&game, &Limits::default(), &mut |_| ()).map_err(|why| why.to_string())?;
            game.play(m).map_err(|why| why.to_string())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(text: &str) -> Drawn {
        let set: PositionSet = toml::from_str(&format!("id = 's'\n{text}")).expect("a set");
        set.check().expect("a good set");
        set.draw(Size::Quick, 3).expect("positions")
    }

    #[test]
    fn random_openings_are_the_same_for_the_same_seed() {
        let text = "layouts = 'standard,belgian-daisy'\nrandom-plies = 4\ncount = 6";
        let positions = |drawn: Drawn| drawn.games.iter().map(|game| *game.position()).collect::<Vec<_>>();
        let (one, other) = (positions(draw(text)), positions(draw(text)));
        assert_eq!((one.len(), &one), (6, &other));
        assert!(one.iter().all(|position| position.ply() == 4));
    }

    #[test]
    fn endings_have_the_marbles_off_that_were_asked_for() {
        let drawn = draw("play = ['greedy', 'greedy']\nrandom-plies = 6\nejected = 4\ncount = 3");
        let off = |game: &Game| game.position().score(Color::Black) + game.position().score(Color::White);
        assert_eq!(drawn.games.iter().map(off).collect::<Vec<_>>(), [4, 4, 4]);
        assert!(!drawn.linked);
    }

    #[test]
    fn endings_have_as_many_legal_moves_as_were_asked_for() {
        let text = "play = ['greedy', 'greedy']\nrandom-plies = 6\nejected = 3\ncount = 3";
        let moves =
            |drawn: Drawn| drawn.games.iter().map(|game| game.legal_moves().len()).collect::<Vec<_>>();
        let chosen = moves(draw(&format!("{text}\nchoices = [60, 70]")));
        assert!(chosen.len() == 3 && chosen.iter().all(|moves| (60..=70).contains(moves)), "{chosen:?}");
        assert!(moves(draw(text)).iter().any(|moves| !(60..=70).contains(moves)));
    }

    #[test]
    fn one_game_gives_the_first_players_turns_in_order() {
        let drawn = draw("play = ['random', 'random']\ncount = 5");
        let plies: Vec<usize> = drawn.games.iter().map(|game| game.moves().len()).collect();
        assert_eq!((plies, drawn.linked), (vec![0, 2, 4, 6, 8], true));
    }

    #[test]
    fn a_set_that_cannot_be_drawn_is_refused() {
        let check = |text: &str| {
            let set: PositionSet = toml::from_str(&format!("id = 's'\ncount = 1\n{text}")).expect("a set");
            set.check().expect_err("refused")
        };
        assert!(check("layouts = 'standart'").contains("did you mean standard"));
        assert!(check("play = ['random']").contains("expected two players, found 1"));
        assert!(check("ejected = 3").contains("expected players"));
        assert!(check("choices = [60, 70]").contains("expected how many marbles are off"));
        assert!(check("fens = ['x']").contains("positions 's'"));
    }
}
