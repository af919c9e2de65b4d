//! A run on disk: `learn.json` says what it is, `checkpoint.json` how far, `curve.csv` and `curve.svg` how it went,
//! `network.txt` is what it made so far, and `report.json` what that is worth.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::run::{LearnReport, LearnState, Point, Since};
use super::settings::LearnSettings;
use crate::run::{RunError, RunFolder, RunKind, pretty};
use crate::tune::plot::{Curve, Plot};

/// Why a run ended early or never began.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Settings without sense.
    #[error("{0}")]
    Settings(String),
    /// It cannot be kept on disk.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The learning rate was too high.
    #[error("the network's parameters grew without bounds in game {games}: expected a smaller alpha")]
    Diverged {
        /// Games that were played.
        games: usize,
    },
}

/// The folder of a run.
pub(super) struct LearnFolder(RunFolder);

const KIND: RunKind =
    RunKind { what: "a run", settings: "learn.json", progress: "checkpoint.json", repeats_settings: false };

/// A state on disk. The network is a text of its own, which comes back to the last bit; numbers of JSON do not.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    games: usize,
    moves: u64,
    since: Since,
    points: Vec<Point>,
    network: String,
}

impl LearnFolder {
    /// Creates the folder, or opens it to go on with the run that is there.
    pub(super) fn open(
        dir: &Path,
        settings: &LearnSettings,
    ) -> Result<(LearnFolder, Option<LearnState>), RunError> {
        let folder = RunFolder::open(dir, KIND)?;
        folder.begin(settings)?;
        let broken = |why| folder.broken(format!("expected the checkpoint of a run: {why}"));
        let state = folder.checkpoint()?.map(|bytes| resume(&bytes).map_err(broken)).transpose()?;
        Ok((LearnFolder(folder), state))
    }

    /// Keeps where the run is, and how it went so far.
    pub(super) fn keep(&self, settings: &LearnSettings, state: &LearnState) -> Result<(), RunError> {
        let network = state.network.to_string();
        self.0.replace("network.txt", &network)?;
        self.0.replace("curve.csv", csv(&state.points))?;
        self.0.replace("curve.svg", picture(settings, &state.points))?;
        let LearnState { games, moves, since, ref points, .. } = *state;
        let checkpoint = Checkpoint { games, moves, since, points: points.clone(), network };
        // Last, since it says that the others are there.
        self.0.replace(KIND.progress, pretty(&checkpoint))
    }

    /// Keeps what came out.
    pub(super) fn keep_report(&self, report: &LearnReport) -> Result<(), RunError> {
        self.0.replace("report.json", pretty(report))
    }
}

fn resume(bytes: &[u8]) -> Result<LearnState, String> {
    let Checkpoint { games, moves, since, points, network } =
        serde_json::from_slice(bytes).map_err(|why| why.to_string())?;
    let network = network.parse().map_err(|why| format!("its network: {why}"))?;
    Ok(LearnState { network, games, moves, since, points })
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
fn picture(settings: &LearnSettings, points: &[Point]) -> String {
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
