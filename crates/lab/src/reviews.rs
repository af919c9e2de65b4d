//! Recorded games, searched through as units of work and kept in a folder game by game: what winning chances are fitted to.

use std::path::Path;

use serde::Serialize;
use sumito_agents::Stop;
use sumito_engine::network::Network;
use sumito_rules::Game;
use sumito_rules::record::GameResult;

use crate::data::chances::{GameChances, ReviewUnit, WeighedMove};
use crate::opening::Opening;
use crate::run::{Journal, RunError, RunKind};
use crate::work::{Executor, Unit, WorkError, in_order};

const KIND: RunKind = RunKind {
    what: "a review of recorded games",
    settings: "review.json",
    progress: "moves.jsonl",
    repeats_settings: false,
};

/// What decides a review.
#[derive(Serialize)]
struct Identity {
    games: usize,
    /// Tells other games with as many apart.
    positions: String,
    nodes: u64,
    network: String,
}

/// A review of recorded games.
pub struct GameReviews<'a> {
    /// The games, and how they ended.
    pub games: &'a [(Game, GameResult)],
    /// Nodes for each position.
    pub nodes: u64,
    /// Who searches.
    pub executor: &'a dyn Executor,
    /// Where what is done is kept, and gone on from after a stop.
    pub dir: Option<&'a Path>,
    /// Ends the work early.
    pub stop: &'a Stop,
}

impl GameReviews<'_> {
    /// Reviews the games that are not reviewed yet, and tells how many are each time. None if it was stopped before all were.
    pub fn run(&self, progress: &mut dyn FnMut(usize)) -> Result<Option<GameChances>, ReviewError> {
        let mut reviews: Vec<Vec<WeighedMove>> = Vec::with_capacity(self.games.len());
        let open = |dir| {
            Journal::open(dir, KIND, &self.identity(), |line| {
                reviews.push(serde_json::from_str(line).map_err(|why| why.to_string())?);
                Ok(())
            })
        };
        let mut journal = self.dir.map(open).transpose()?;
        progress(reviews.len());
        let mut units =
            self.games[reviews.len().min(self.games.len())..].iter().map(|(game, _)| self.unit(game));
        in_order::<ReviewError>(self.executor, &mut units, self.stop, &mut |_, outcome| {
            let moves = outcome.moves();
            if let Some(journal) = &mut journal {
                journal.append(&moves)?;
            }
            reviews.push(moves);
            progress(reviews.len());
            Ok(true)
        })?;
        let results = self.games.iter().map(|(_, result)| *result);
        Ok((reviews.len() == self.games.len()).then(|| GameChances::of(results.zip(&reviews))))
    }

    fn unit(&self, game: &Game) -> Unit {
        let opening = Opening {
            name: "a recorded game".to_string(),
            start: *game.start(),
            moves: game.moves().to_vec(),
        };
        Unit::Review(Box::new(ReviewUnit { rules: *game.rules(), game: opening, nodes: self.nodes }))
    }

    fn identity(&self) -> Identity {
        // FNV-1a over the hashes of all positions.
        let positions = self.games.iter().flat_map(|(game, _)| game.positions());
        let hash = positions.fold(0xcbf2_9ce4_8422_2325_u64, |hash, position| {
            (hash ^ position.hash()).wrapping_mul(0x0100_0000_01b3)
        });
        Identity {
            games: self.games.len(),
            positions: format!("{hash:016x}"),
            nodes: self.nodes,
            network: format!("{:016x}", Network::shipped().fingerprint()),
        }
    }
}

/// Why games cannot be reviewed.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The folder.
    #[error(transparent)]
    Folder(#[from] RunError),
    /// A unit could not be done.
    #[error(transparent)]
    Unit(#[from] WorkError),
}

#[cfg(test)]
mod tests {
    use sumito_engine::WdlModel;
    use sumito_rules::{Layout, Rules};

    use super::*;
    use crate::data::chances::Weigher;
    use crate::work::Threads;

    /// Games of a few moves, the n-th legal one each time.
    fn games() -> Vec<(Game, GameResult)> {
        let game = |nth: usize| {
            let mut game = Game::new(Rules::OFFICIAL, Layout::all()[0].position());
            for _ in 0..6 {
                let moves = game.legal_moves();
                game.play(moves[nth % moves.len()]).expect("legal");
            }
            game
        };
        let results = [GameResult::Black, GameResult::White, GameResult::Draw, GameResult::Unknown];
        (0..12).map(|nth| (game(7 * nth), results[nth % 4])).collect()
    }

    /// The review of these games, stopped as soon as so many are done.
    fn review(
        games: &[(Game, GameResult)],
        threads: usize,
        dir: Option<&Path>,
        most: usize,
    ) -> Result<Option<GameChances>, ReviewError> {
        let (stop, executor) = (Stop::default(), Threads::new(threads));
        let reviews = GameReviews { games, nodes: 50, executor: &executor, dir, stop: &stop };
        reviews.run(&mut |done| {
            if done >= most {
                stop.request();
            }
        })
    }

    #[test]
    fn any_number_of_threads_finds_the_same() {
        let games = games();
        let [one, two] =
            [1, 2].map(|threads| review(&games, threads, None, usize::MAX).expect("done").expect("all"));
        assert_eq!(one.sample.table(), two.sample.table());
        assert_eq!(one.losses(&WdlModel::PEOPLE), two.losses(&WdlModel::PEOPLE));
        assert_eq!(one.losses(&WdlModel::PEOPLE).moves(), 72);
        let positions = one.sample.fitted.positions() + one.sample.held_back.positions();
        assert_eq!(positions, 54.0, "games without a result have no positions here");
    }

    #[test]
    fn a_review_that_was_stopped_goes_on_where_it_was() {
        let (games, dir) = (games(), tempfile::tempdir().expect("a folder"));
        assert!(review(&games, 1, Some(dir.path()), 5).expect("stopped in good order").is_none());
        let lines = || {
            let text = std::fs::read_to_string(dir.path().join(KIND.progress)).expect("the moves");
            text.lines().map(str::to_string).collect::<Vec<_>>()
        };
        let before = lines();
        assert_eq!(before.len(), 5);
        let resumed = review(&games, 2, Some(dir.path()), usize::MAX).expect("done").expect("all");
        assert_eq!((lines().len(), &lines()[..5]), (12, &before[..]));
        let whole = review(&games, 1, None, usize::MAX).expect("done").expect("all");
        assert_eq!(resumed.sample.table(), whole.sample.table());
        let error = review(&games[..11], 1, Some(dir.path()), usize::MAX).err().expect("other games");
        assert!(error.to_string().contains("games, positions"), "{error}");
    }

    #[test]
    fn a_unit_can_be_sent_and_one_that_cannot_be_played_is_an_error() {
        let (games, stop) = (games(), Stop::default());
        let reviews =
            GameReviews { games: &games, nodes: 50, executor: &Threads::new(1), dir: None, stop: &stop };
        let unit = reviews.unit(&games[0].0);
        let text = serde_json::to_string(&unit).expect("plain data");
        assert_eq!(serde_json::from_str::<Unit>(&text).expect("read again"), unit);
        let Unit::Review(mut unit) = unit else { unreachable!("a review") };
        let repeated = unit.game.moves[0];
        unit.game.moves.insert(0, repeated);
        assert!(Weigher::new().weigh(&unit, &stop).is_err());
    }
}
