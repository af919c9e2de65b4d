//! Plays games on several threads and keeps their positions in a file, in the order of the games' numbers: the file
//! does not depend on how many threads there are, or on how often the work was interrupted.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::Duration;

use sumito_agents::Stop;
use sumito_engine::network::Network;

use super::file::{DataError, Writer};
use super::selfplay::{Played, SelfPlay};
use super::settings::Settings;
use super::summary::Summary;

/// Data to make.
pub struct Generator<'a> {
    /// How.
    pub settings: &'a Settings,
    /// The network that the settings name, if they do.
    pub network: Option<&'a Arc<Network>>,
    /// End with the game that completes so many positions.
    pub positions: u64,
    /// How many games at a time.
    pub threads: usize,
    /// The file, which is created or gone on with.
    pub out: &'a Path,
    /// Set from outside to end the work; games in progress are broken off and played again on going on.
    pub stop: &'a Stop,
}

/// How far the work is.
pub struct Progress<'a> {
    /// What the file holds.
    pub summary: &'a Summary,
    /// Positions that were found in it at the start.
    pub resumed: u64,
}

/// So many games on end without a position to keep are enough to say that there are none.
const BARREN: usize = 1000;
/// How often the generator looks whether it was stopped.
const LOOK: Duration = Duration::from_millis(50);

impl Generator<'_> {
    /// Plays until there are enough positions, and says what the file holds then.
    pub fn run(&self, on_game: &mut dyn FnMut(&Progress<'_>)) -> Result<Summary, DataError> {
        self.settings.check().map_err(DataError::Settings)?;
        let mut summary = Summary::default();
        let mut writer = Writer::open(self.out, self.settings, |records| summary.add(records))?;
        let resumed = summary.positions;
        on_game(&Progress { summary: &summary, resumed });
        let first = summary.next_game();
        if summary.positions < self.positions {
            let mut barren = 0;
            let played = self.play(first, &mut |played| {
                barren = if played.records.is_empty() { barren + 1 } else { 0 };
                if barren == BARREN {
                    return Err(DataError::Nothing(BARREN));
                }
                writer.append(&played.records)?;
                summary.add(&played.records);
                on_game(&Progress { summary: &summary, resumed });
                Ok(summary.positions < self.positions)
            });
            // What could be kept before an error is kept.
            played.and(writer.flush())?;
        }
        Ok(summary)
    }

    /// Plays the games from a number on, and hands them over in order, until `keep` has enough or somebody stops it.
    fn play(
        &self,
        first: u32,
        keep: &mut dyn FnMut(&Played) -> Result<bool, DataError>,
    ) -> Result<(), DataError> {
        let (next, halt) = (AtomicU32::new(first), Stop::default());
        let (sender, receiver) = mpsc::sync_channel(self.threads);
        let players = (0..self.threads.max(1)).map(|_| SelfPlay::new(self.settings, self.network));
        let players = players.collect::<Result<Vec<_>, _>>();
        let players = players.map_err(|why| DataError::Settings(why.to_string()))?;
        std::thread::scope(|scope| {
            for player in players {
                let (sender, next, halt) = (sender.clone(), &next, &halt);
                scope.spawn(move || work(player, next, halt, &sender));
            }
            drop(sender);
            let mut ended = Ended { next: first, waiting: BTreeMap::new() };
            let mut goes_on = Ok(true);
            loop {
                if self.stop.is_requested() || !matches!(goes_on, Ok(true)) {
                    halt.request();
                }
                match receiver.recv_timeout(LOOK) {
                    Ok(played) => ended.take(played),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return goes_on.map(|_| ()),
                }
                while let (Ok(true), Some(played)) = (&goes_on, ended.due()) {
                    goes_on = keep(&played);
                }
            }
        })
    }
}

/// Games that have ended, and which one is due.
struct Ended {
    next: u32,
    waiting: BTreeMap<u32, Played>,
}

impl Ended {
    fn take(&mut self, played: Played) {
        self.waiting.insert(played.game, played);
    }

    fn due(&mut self) -> Option<Played> {
        let played = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(played)
    }
}

fn work(mut player: SelfPlay<'_>, next: &AtomicU32, halt: &Stop, ended: &SyncSender<Played>) {
    while !halt.is_requested() {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(played) = player.play(number, halt) else { return };
        // Nobody listens any more only if the generator's thread has panicked.
        if ended.send(played).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::read_all;
    use super::super::settings::LEAST_NODES;
    use super::*;

    fn generate(path: &Path, positions: u64, threads: usize) -> Summary {
        let settings = Settings { nodes: 80, hash: 1, max_plies: 50, ..Settings::default() };
        let stop = Stop::default();
        let generator =
            Generator { settings: &settings, network: None, positions, threads, out: path, stop: &stop };
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
        let settings =
            Settings { max_plies: 4, scattered: 0.0, nodes: LEAST_NODES, hash: 1, ..Settings::default() };
        let generator = Generator {
            settings: &settings,
            network: None,
            positions: 1,
            threads: 2,
            out: &folder.path().join("data"),
            stop: &Stop::default(),
        };
        let error = generator.run(&mut |_| ()).expect_err("nothing to keep");
        assert!(matches!(error, DataError::Nothing(BARREN)), "{error}");
    }

    #[test]
    fn the_fewest_nodes_are_enough_for_some_positions() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings { nodes: LEAST_NODES, hash: 1, ..Settings::default() };
        let generator = Generator {
            settings: &settings,
            network: None,
            positions: 10,
            threads: 1,
            out: &folder.path().join("data"),
            stop: &Stop::default(),
        };
        assert!(generator.run(&mut |_| ()).expect("generated").positions >= 10);
    }

    #[test]
    fn a_stop_keeps_what_is_done() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("data");
        let settings = Settings { nodes: 80, hash: 1, max_plies: 50, ..Settings::default() };
        let stop = Stop::default();
        let generator = Generator {
            settings: &settings,
            network: None,
            positions: 1 << 40,
            threads: 1,
            out: &path,
            stop: &stop,
        };
        let summary = generator.run(&mut |progress| {
            if progress.summary.games.games() == 3 {
                stop.request();
            }
        });
        let summary = summary.expect("stopped");
        assert!(summary.games.games() >= 3);
        assert_eq!(read_all(&path).expect("whole").len() as u64, summary.positions);
    }
}
