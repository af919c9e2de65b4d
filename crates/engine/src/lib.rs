//! The flagship: search, evaluation, time and threads. It prints nothing and touches no file or socket; what it
//! finds goes to a callback.

pub mod analysis;
mod bench;
mod engine;
pub mod eval;
mod finish;
mod history;
mod ideas;
mod info;
mod level;
mod limits;
mod memory;
pub mod network;
mod node;
mod options;
mod params;
mod pause;
mod picker;
mod proof;
mod reductions;
mod rng;
mod score;
mod search;
mod table;
mod threads;
mod time;
mod wdl;

pub use bench::{Bench, bench};
pub use engine::Engine;
pub use ideas::{Idea, Ideas};
pub use info::Info;
pub use level::Level;
pub use limits::{Clock, Limits, Ponder, Stop};
pub use options::EngineOptions;
pub use params::{Param, Params};
pub use pause::Pause;
pub use proof::{Proof, ProofInfo, ProofLimits, Win};
pub use rng::Rng;
pub use score::Score;
pub use wdl::{Wdl, WdlModel};
