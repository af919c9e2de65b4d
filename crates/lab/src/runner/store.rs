//! A match on disk: `match.json` says what it is, `games.jsonl` grows by one line a game, and the results are
//! written when it ends or is interrupted.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::apgn;
use crate::config::MatchConfig;
use crate::csv;
use crate::referee::GameRecord;
use crate::run::{Journal, RunError, RunFolder, RunKind, at, for_each_line, pretty};
use crate::tally::MatchReport;

/// The folder of a match, open for writing.
#[derive(Debug)]
pub(super) struct MatchFolder(Journal);

const KIND: RunKind =
    RunKind { what: "a match", settings: "match.json", progress: "games.jsonl", repeats_settings: false };

impl MatchConfig {
    /// The match that a folder holds, if there is one.
    pub fn read(dir: &Path) -> Option<MatchConfig> {
        serde_json::from_slice(&std::fs::read(dir.join(KIND.settings)).ok()?).ok()
    }
}

impl MatchFolder {
    /// Creates the folder or opens it to resume, and hands over the games that are there.
    pub(super) fn open(
        dir: &Path,
        config: &MatchConfig,
        mut found: impl FnMut(GameRecord) -> Result<(), String>,
    ) -> Result<MatchFolder, RunError> {
        let folder = RunFolder::open(dir, KIND)?;
        if config.shorter().is_some_and(|shorter| MatchConfig::read(dir) == Some(shorter)) {
            folder.write_settings(config)?;
        }
        folder.begin(config)?;
        let mut seen = HashSet::new();
        let journal = Journal::read(folder, |text| {
            let result: GameRecord = serde_json::from_str(text).map_err(|why| why.to_string())?;
            if !seen.insert(result.index) {
                return Err(format!("game {} comes up again", result.index));
            }
            found(result)
        })?;
        Ok(MatchFolder(journal))
    }

    /// Adds a game.
    pub(super) fn append(&mut self, result: &GameRecord) -> Result<(), RunError> {
        self.0.append(result)
    }

    /// Writes `results.json`, `results.csv` and `games.apgn`.
    pub(super) fn write_results(&self, report: &MatchReport) -> Result<(), RunError> {
        self.0.folder().replace("results.json", pretty(report))?;
        self.0.folder().replace("results.csv", csv::write(report))?;
        self.write_apgn()
    }

    /// All games in the order of the schedule. They are read one by one, since a long match may not fit into
    /// memory.
    fn write_apgn(&self) -> Result<(), RunError> {
        let (source, target) = (self.0.path(), self.0.folder().path("games.apgn"));
        let mut places = BTreeMap::new();
        for_each_line(source, |start, text| {
            #[derive(serde::Deserialize)]
            struct Key {
                index: usize,
            }
            let key: Key = serde_json::from_str(text).map_err(|why| why.to_string())?;
            places.insert(key.index, (start, text.len()));
            Ok(())
        })?;
        let mut games = File::open(source).map_err(at(source))?;
        let mut apgn = BufWriter::new(File::create(&target).map_err(at(&target))?);
        for (start, length) in places.into_values() {
            let mut line = vec![0; length];
            games.seek(SeekFrom::Start(start)).map_err(at(source))?;
            games.read_exact(&mut line).map_err(at(source))?;
            let result: GameRecord =
                serde_json::from_slice(&line).map_err(io::Error::from).map_err(at(source))?;
            apgn.write_all(apgn::write(&result).as_bytes()).map_err(at(&target))?;
        }
        apgn.flush().map_err(at(&target))
    }
}
