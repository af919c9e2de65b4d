//! Work as data: a [`Unit`] says what to do, a [`UnitWorker`] does it the same way wherever it is, and the [`UnitOutcome`]s are
//! merged in the order of the units, in whatever order they come. Who has units done is an [`Executor`]: threads of this
//! program ([`Threads`]), or whoever takes a unit as JSON and sends back its outcome, such as `sumito unit`.
//!
//! At fixed nodes or depth an outcome depends on its unit alone. So a unit may be done on any machine, again if it was
//! lost, or twice; what comes out is the same to the byte, but for the time that moves took.

mod order;
mod threads;
mod unit;
mod worker;

use sumito_agents::Stop;

pub use order::{Work, in_order};
pub use threads::Threads;
pub use unit::{PairUnit, SelfPlayUnit, Unit, UnitOutcome};
pub use worker::{Factory, Networks, UnitWorker, registered};

/// Who has units done.
pub trait Executor {
    /// How many units it does at a time.
    fn width(&self) -> usize;

    /// How many games a unit should have at most: few where a hand-over costs nothing, more where it does.
    fn games_per_unit(&self) -> usize;

    /// Takes units from the work and gives back their outcomes until there is nothing left to do, the work is over,
    /// or a stop is requested. Outcomes may come in any order, and more than once.
    fn execute(&self, work: &mut Work<'_>, stop: &Stop) -> Result<(), WorkError>;
}

/// Why a unit could not be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WorkError(pub String);
