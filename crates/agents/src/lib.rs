//! Every player of Abalone behind one trait: the agents of the literature, the simple ones, and any
//! external engine. The agents of the papers have their own plain search on top of the rules.

pub mod aba_pro;
mod agent;
mod bcit;
pub mod check;
pub mod cornell;
mod entry;
pub mod external;
mod flagship;
mod greedy;
mod guard;
mod kind;
pub mod lines;
pub mod maastricht;
pub mod options;
mod plain;
mod protocol;
mod random;
pub mod registry;
mod seed;
mod spec;
pub mod spelling;
mod table;
#[cfg(test)]
mod testing;
pub mod ugi;
pub mod verloop;
mod watch;

pub use agent::{
    Agent, AgentError, Clock, Evaluation, Info, Limits, Listener, Named, Pause, Ponder, Score, Stop,
};
pub use greedy::evaluations;
pub use guard::guarded;
pub use spec::{AgentSpec, SpecError, build, resolve};
pub use table::{Table, TimeControl, TurnError};
pub use watch::Watch;
