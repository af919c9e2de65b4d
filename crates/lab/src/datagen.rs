//! Has games played and keeps their positions in a file, in the order of the games' numbers: the file does not depend on
//! who plays them, or on how often the work was interrupted.

use std::path::Path;

use sumito_agents::Stop;

use crate::data::selfplay::SelfPlayGame;
use crate::data::{DataError, DataSettings, DataWriter, Summary};
use crate::work::{Executor, SelfPlayUnit, Unit, WorkError, in_order};

/// Why there is no data, or no more of it.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    /// The settings make no sense.
    #[error("{0}")]
    Settings(String),
    /// Games are played, but none of their positions is kept.
    #[error(
        "expected positions to keep, found none in {0} games on end: more nodes, a larger score or another way of keeping would find some"
    )]
    Nothing(usize),
    /// The file cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Games cannot be played.
    #[error(transparent)]
    Work(#[from] WorkError),
}

/// Data to make.
pub struct Generator<'a> {
    /// How.
    pub settings: &'a DataSettings,
    /// End with the game that completes so many positions.
    pub positions: u64,
    /// Who has the games played; it must know the network that the settings name.
    pub executor: &'a dyn Executor,
    /// The file, which is created or gone on with.
    pub out: &'a Path,
    /// Set from outside to end the work; games in progress are broken off and played again on going on.
    pub stop: &'a Stop,
}

/// So many games on end without a position to keep are enough to say that there are none.
const BARREN: usize = 1000;

impl Generator<'_> {
    /// Plays until there are enough positions, and says what the file holds then. Calls `on_game` with what it holds at the
    /// start and after every game.
    pub fn run(&self, on_game: &mut dyn FnMut(&Summary)) -> Result<Summary, GenerateError> {
        self.settings.check().map_err(GenerateError::Settings)?;
        let mut summary = Summary::default();
        let mut writer = DataWriter::open(self.out, self.settings, |records| summary.add(records))?;
        on_game(&summary);
        let first = summary.next_game();
        if summary.positions < self.positions {
            let mut barren = 0;
            let played = self.play(first, &mut |played| {
                barren = if played.records.is_empty() { barren + 1 } else { 0 };
                if barren == BARREN {
                    return Err(GenerateError::Nothing(BARREN));
                }
                writer.append(&played.records)?;
                summary.add(&played.records);
                on_game(&summary);
                Ok(summary.positions < self.positions)
            });
            // What could be kept before an error is kept.
            played.and(writer.flush().map_err(GenerateError::from))?;
        }
        Ok(summary)
    }

    /// Has the games from a number on played, and hands them over in order, until `keep` has enough or somebody stops it.
    fn play(
        &self,
        first: u32,
        keep: &mut dyn FnMut(&SelfPlayGame) -> Result<bool, GenerateError>,
    ) -> Result<(), GenerateError> {
        let games = self.executor.games_per_unit().max(1) as u32;
        let unit = |first| Unit::SelfPlay(SelfPlayUnit { settings: self.settings.clone(), first, games });
        let mut units = (first..).step_by(games as usize).map(unit);
        let mut merge = |games: Vec<SelfPlayGame>| -> Result<bool, GenerateError> {
            for game in &games {
                if !keep(game)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        in_order(self.executor, &mut units, self.stop, &mut |_, outcome| merge(outcome.self_play()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{LEAST_NODES, read_all};
    use crate::work::Threads;

    fn generate(path: &Path, positions: u64, threads: usize) -> Summary {
        let settings = DataSettings { nodes: 80, hash: 1, max_plies: 50, ..DataSettings::default() };
        let (executor, stop) = (Threads::new(threads), Stop::default());
        let generator =
            Generator { settings: &settings, positions, executor: &executor, out: path, stop: &stop };
        generator.run(&mut |_| ()).expect("generated")
    }

    #[test]
    fn the_file_is_the_same_for_any_number_of_threads() {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = ["one", "two"].map(|name| folder.path().join(name));
        for (path, threads) in paths.iter().zip([1, 3]) {
            generate(path, 100, threads);
        }
        let [one, two] = paths.map(|path| std::fs::read(path).expect("a file"));
        assert_eq!(one, two);
    }

    #[test]
    fn going_on_gives_the_same_records_as_one_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
        let summary = generate(&whole, 160, 1);
        let first = generate(&parts, 60, 1);
        assert!(first.positions >= 60 && first.positions < 160);
        assert_eq!(generate(&parts, 160, 2), summary);
        assert_eq!(read_all(&parts).expect("whole"), read_all(&whole).expect("whole"));
    }

    #[test]
    fn a_finished_file_is_left_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        generate(&path, 100, 1);
        let bytes = std::fs::read(&path).expect("a file");
        generate(&path, 100, 1);
        assert_eq!(std::fs::read(&path).expect("a file"), bytes);
    }

    #[test]
    fn settings_under_which_nothing_is_kept_end_with_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        // Every game is too long when its opening is over.
        let settings = DataSettings {
            max_plies: 4,
            scattered: 0.0,
            nodes: LEAST_NODES,
            hash: 1,
            ..DataSettings::default()
        };
        let generator = Generator {
            settings: &settings,
            positions: 1,
            executor: &Threads::new(2),
            out: &folder.path().join("data"),
            stop: &Stop::default(),
        };
        let error = generator.run(&mut |_| ()).expect_err("nothing to keep");
        assert!(matches!(error, GenerateError::Nothing(BARREN)), "{error}");
    }

    #[test]
    fn the_fewest_nodes_are_enough_for_some_positions() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = DataSettings { nodes: LEAST_NODES, hash: 1, ..DataSettings::default() };
        let generator = Generator {
            settings: &settings,
            positions: 10,
            executor: &Threads::new(1),
            out: &folder.path().join("data"),
            stop: &Stop::default(),
        };
        assert!(generator.run(&mut |_| ()).expect("generated").positions >= 10);
    }

    #[test]
    fn a_stop_keeps_what_is_done() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        let settings = DataSettings { nodes: 80, hash: 1, max_plies: 50, ..DataSettings::default() };
        let stop = Stop::default();
        let generator = Generator {
            settings: &settings,
            positions: 1 << 40,
            executor: &Threads::new(1),
            out: &path,
            stop: &stop,
        };
        let summary = generator.run(&mut |summary| {
            if summary.games.games() == 3 {
                stop.request();
            }
        });
        let summary = summary.expect("stopped");
        assert!(summary.games.games() >= 3);
        assert_eq!(read_all(&path).expect("whole").len() as u64, summary.positions);
    }
}
