//! Runs an experiment: networks, searches, games, and then the report.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sumito_agents::Stop;

use super::definition::{Definition, Size};
use super::learn::{Networks, Trained};
use super::report;
use super::result::{Published, command};
use super::table::ReportTable;
use super::values::Values;
use crate::learn::{LearnError, Learner};
use crate::run::{Provenance, RunError, at, replace, today};
use crate::runner::MatchError;
use crate::work::{Executor, WorkError};

/// Told how far the work is: what is counted, how many are done, of how many.
pub type LabProgress<'a> = &'a mut dyn FnMut(&str, usize, usize);
pub(super) type Tell<'a> = LabProgress<'a>;

/// An experiment to run.
pub struct Lab<'a> {
    /// What to do.
    pub definition: &'a Definition,
    /// How much of it.
    pub size: Size,
    /// The folder of results; this one's is below it, by its name.
    pub out: &'a Path,
    /// Who has games played and searches made. Searches whose time counts are made here, one at a time.
    pub executor: &'a dyn Executor,
    /// Set from outside to stop; what is done is kept.
    pub stop: &'a Stop,
}

/// Why an experiment has no result.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// It was stopped.
    #[error("stopped")]
    Stopped,
    /// There is nothing to run.
    #[error("experiment {0} only lists claims that no program can check")]
    Nothing(String),
    /// A quick run would replace what took long.
    #[error("{} is the full result: give a quick run another folder with --out", .0.display())]
    Full(PathBuf),
    /// Something in it cannot be done.
    #[error("{0}")]
    Work(String),
    /// A search cannot be made.
    #[error(transparent)]
    Unit(#[from] WorkError),
    /// Games cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A network cannot be trained.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// It cannot be kept on disk.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl LabError {
    /// Whether the work that is kept belongs to an earlier definition.
    pub fn is_outdated(&self) -> bool {
        matches!(
            self,
            LabError::Run(RunError::Other { .. })
                | LabError::Match(MatchError::Run(RunError::Other { .. }))
                | LabError::Learn(LearnError::Run(RunError::Other { .. }))
        )
    }
}

/// What every kind of work needs to know.
#[derive(Clone, Copy)]
pub(super) struct LabJob<'a> {
    pub(super) size: Size,
    pub(super) seed: u64,
    pub(super) executor: &'a dyn Executor,
    /// Where the work is kept.
    pub(super) dir: &'a Path,
    pub(super) stop: &'a Stop,
}

/// What one kind of work brings.
#[derive(Default)]
pub(super) struct Measured {
    /// What the file with its rows is called if another kind of work comes before it.
    pub(super) file: &'static str,
    pub(super) tables: Vec<ReportTable>,
    /// Pictures by the names of their files, without the ending.
    pub(super) plots: Vec<(String, String)>,
    /// Everything, row by row.
    pub(super) data: ReportTable,
    pub(super) values: Values,
}

impl Lab<'_> {
    /// The folder of this experiment's result.
    pub fn dir(&self) -> PathBuf {
        self.out.join(&self.definition.name)
    }

    /// Where games and searches are kept, so that a run can go on.
    fn work(&self) -> PathBuf {
        self.dir().join("work").join(self.size.to_string())
    }

    /// Forgets what earlier runs of this size did.
    pub fn forget(&self) -> Result<(), LabError> {
        let work = self.work();
        match fs::remove_dir_all(&work) {
            Err(why) if why.kind() != std::io::ErrorKind::NotFound => Err(at(&work)(why).into()),
            _ => Ok(()),
        }
    }

    /// Does what is left to do, and writes the result.
    pub fn run(&self, tell: LabProgress<'_>) -> Result<Published, LabError> {
        let definition = self.definition;
        if !definition.can_run() {
            return Err(LabError::Nothing(definition.name.clone()));
        }
        let path = Published::path(self.out, &definition.name);
        let there = Published::read(self.out, &definition.name).map_err(LabError::Work)?;
        if self.size == Size::Quick && there.is_some_and(|there| there.size == Size::Full) {
            return Err(LabError::Full(path));
        }
        let work = self.work();
        fs::create_dir_all(&work).map_err(at(&work))?;
        let (start, clock) = (Instant::now(), work.join("seconds"));
        let before: u64 =
            fs::read_to_string(&clock).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
        let measured = self.measure(&work, tell);
        let seconds = before + start.elapsed().as_secs();
        replace(&clock, format!("{seconds}\n"))?;
        let measured = measured?;
        let mut values = Values::default();
        definition.given.iter().for_each(|given| values.set(&given.key, given.measured()));
        measured.iter().for_each(|one| values.extend(one.values.clone()));
        let published = Published {
            name: definition.name.clone(),
            size: self.size,
            seed: definition.seed,
            version: env!("CARGO_PKG_VERSION").to_string(),
            provenance: Some(Provenance::of_this_program().clone()),
            date: Some(today()),
            command: Some(command(&definition.name, self.size)),
            threads: self.executor.width(),
            seconds,
            values,
        };
        self.write(&published, &measured)?;
        Ok(published)
    }

    fn measure(&self, work: &Path, tell: LabProgress<'_>) -> Result<Vec<Measured>, LabError> {
        let networks = self.train(&work.join("learn"), tell)?;
        let mut measured = Vec::new();
        let Lab { definition, size, executor, stop, .. } = *self;
        let dirs = ["games", "count", "islands", "curiosities"].map(|name| work.join(name));
        let [games, count, islands, records] =
            dirs.each_ref().map(|dir| LabJob { size, seed: definition.seed, executor, dir, stop });
        if let Some(work) = &definition.games {
            measured.push(work.run(games, &networks, tell)?);
        }
        if let Some(work) = &definition.count {
            measured.push(work.run(count, tell)?);
        }
        if let Some(work) = &definition.islands {
            measured.push(work.run(islands, tell)?);
        }
        if let Some(work) = &definition.curiosities {
            measured.push(work.run(records, tell)?);
        }
        Ok(measured)
    }

    /// Trains the networks that are not there yet, and tells where they are.
    fn train(&self, dir: &Path, tell: LabProgress<'_>) -> Result<Networks, LabError> {
        let networks = self.definition.networks(self.size).map_err(LabError::Work)?;
        let whole = networks.values().map(Vec::len).sum();
        let (mut trained, mut done) = (Networks::new(), 0);
        for (id, seeded) in networks {
            let mut files = Vec::new();
            for settings in &seeded {
                tell("networks", done, whole);
                let own = if seeded.len() > 1 { format!("{id}-seed={}", settings.seed) } else { id.clone() };
                let dir = dir.join(own);
                let report = Learner { settings, dir: &dir, stop: self.stop }.run(&mut |_| ())?;
                if !report.finished {
                    return Err(LabError::Stopped);
                }
                files.push(dir.join("network.txt").display().to_string());
                done += 1;
            }
            trained.insert(id, Trained { files, settings: seeded[0].clone() });
        }
        Ok(trained)
    }

    fn write(&self, published: &Published, measured: &[Measured]) -> Result<(), LabError> {
        let dir = self.dir();
        for (number, one) in measured.iter().enumerate() {
            let name = if number == 0 { "data.csv" } else { one.file };
            replace(&dir.join(name), one.data.csv())?;
            for (name, svg) in &one.plots {
                replace(&dir.join(format!("{name}.svg")), svg)?;
            }
        }
        replace(&dir.join("report.md"), report::write(self.definition, published, measured))?;
        // The last, since it says that all the others are there.
        Ok(replace(&dir.join("result.json"), published.text())?)
    }
}
