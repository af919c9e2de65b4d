//! What the engine makes of a position or of a whole game: results to keep, where a search only reports in passing.
//!
//! ```
//! use sumito_engine::{Engine, Limits, EngineOptions};
//! use sumito_rules::{Game, Layout, Rules};
//! let game = Game::new(Rules::OFFICIAL, Layout::named("belgian-daisy").expect("a layout").position());
//! let mut engine = Engine::new(EngineOptions { hash: 1, ..EngineOptions::default() });
//! let limits = Limits { depth: Some(3), ..Limits::default() };
//! let findings = engine.analyse(&game, &limits, &mut |_| ());
//! assert!(game.position().is_legal(findings.best().expect("a move")));
//! ```

mod findings;
mod judgement;
pub mod report;
mod review;

pub use findings::{Findings, Line};
pub use judgement::{BLUNDER, INACCURACY, Judgement, MISTAKE, accuracy};
pub use review::{BASIS, Course, Progress, Review, Reviewed, Tally};
