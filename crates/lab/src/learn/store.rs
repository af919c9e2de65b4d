//! A run on disk: `learn.json` says what it is, `checkpoint.json` how far, `curve.csv` and `curve.svg` how it went,
//! `network.txt` is what it made so far, and `report.json` what that is worth.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::run::{Point, Report, Since, State};
use super::settings::Settings;
use crate::runner::{StoreError, at, difference, pretty, replace};
use crate::tune::plot::{Curve, Plot};

/// Why a run ended early or never began.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Settings without sense.
    #[error("{0}")]
    Settings(String),
    /// Reading or writing failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder belongs to another run.
    #[error("{} holds another run (its {fields} differ): choose another folder, or repeat its settings to resume it", dir.display())]
    OtherRun {
        /// The folder.
        dir: PathBuf,
        /// What differs.
        fields: String,
    },
    /// A checkpoint that cannot be gone on from.
    #[error("{}: expected the checkpoint of a run: {why}", path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Somebody else is writing there.
    #[error("{}: another process is learning there", .0.display())]
    Locked(PathBuf),
    /// The learning rate was too high.
    #[error("the network's parameters grew without bounds in game {games}: expected a smaller alpha")]
    Diverged {
        /// Games that were played.
        games: usize,
    },
}

/// The folder of a run. As long as it is open nobody else can learn there.
pub(super) struct Store {
    dir: PathBuf,
    _lock: File,
}

const SETTINGS: &str = "learn.json";
const CHECKPOINT: &str = "checkpoint.json";

/// A state on disk. The network is a text of its own, which comes back to the last bit; numbers of JSON do not.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    games: usize,
    moves: u64,
    since: Since,
    points: Vec<Point>,
    network: String,
}

impl Store {
    /// Creates the folder, or opens it to go on with the run that is there.
    pub(super) fn open(dir: &Path, settings: &Settings) -> Result<(Store, Option<State>), LearnError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let path = dir.join(SETTINGS);
        let mut options = OpenOptions::new();
        let mut lock =
            options.read(true).write(true).create(true).truncate(false).open(&path).map_err(at(&path))?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LearnError::Locked(dir.to_path_buf()),
            TryLockError::Error(why) => at(&path)(why).into(),
        })?;
        let state = resume(dir, settings)?;
        if state.is_none() {
            lock.set_len(0).and_then(|()| writeln!(lock, "{}", pretty(settings))).map_err(at(&path))?;
        }
        Ok((Store { dir: dir.to_path_buf(), _lock: lock }, state))
    }

    /// Keeps where the run is, and how it went so far.
    pub(super) fn keep(&self, settings: &Settings, state: &State) -> Result<(), LearnError> {
        let network = state.network.to_string();
        self.replace("network.txt", &network)?;
        self.replace("curve.csv", &csv(&state.points))?;
        self.replace("curve.svg", &picture(settings, &state.points))?;
        let State { games, moves, since, ref points, .. } = *state;
        let checkpoint = Checkpoint { games, moves, since, points: points.clone(), network };
        // Last, since it says that the others are there.
        self.replace(CHECKPOINT, &(pretty(&checkpoint) + "\n"))
    }

    /// Keeps what came out.
    pub(super) fn keep_report(&self, report: &Report) -> Result<(), LearnError> {
        self.replace("report.json", &(pretty(report) + "\n"))
    }

    fn replace(&self, name: &str, text: &str) -> Result<(), LearnError> {
        Ok(replace(&self.dir.join(name), text)?)
    }
}

fn resume(dir: &Path, settings: &Settings) -> Result<Option<State>, LearnError> {
    let path = dir.join(CHECKPOINT);
    let bytes = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.map_err(at(&path))?,
    };
    let (there, own) = (dir.join(SETTINGS), pretty(settings) + "\n");
    let found = fs::read_to_string(&there).map_err(at(&there))?;
    if found != own {
        return Err(LearnError::OtherRun { dir: dir.to_path_buf(), fields: difference(&found, &own) });
    }
    let broken = |why: String| LearnError::Checkpoint { path: path.clone(), why };
    let Checkpoint { games, moves, since, points, network } =
        serde_json::from_slice(&bytes).map_err(|why| broken(why.to_string()))?;
    let network = network.parse().map_err(|why| broken(format!("its network: {why}")))?;
    Ok(Some(State { network, games, moves, since, points }))
}

/// The tests as a table.
fn csv(points: &[Point]) -> String {
    let mut text = String::from("games,wins,draws,losses,marbles_won,marbles_lost,decided,plies,error\n");
    for Point { games, exam, decided, plies, error } in points {
        let (wins, draws, losses) = (exam.games.wins, exam.games.draws, exam.games.losses);
        let (won, lost) = (exam.won, exam.lost);
        text.push_str(&format!("{games},{wins},{draws},{losses},{won},{lost},{decided},{plies},{error}\n"));
    }
    text
}

/// The learning curve.
fn picture(settings: &Settings, points: &[Point]) -> String {
    let curve = |name: &str, value: &dyn Fn(&Point) -> f64| Curve {
        name: name.to_string(),
        values: points.iter().map(value).collect(),
    };
    let curves = vec![
        curve("wins against random", &|point| point.exam.percent()),
        curve("marbles won, of all pushed off", &|Point { exam, .. }| {
            100.0 * exam.won as f64 / (exam.won + exam.lost).max(1) as f64
        }),
        curve("self-play games with a winner", &|point| 100.0 * f64::from(point.decided)),
    ];
    Plot {
        title: format!("cornell-td on {}", settings.layout),
        x: format!("tests, {} games of self-play apart", settings.test_every),
        y: "%".to_string(),
        curves,
    }
    .svg()
}
