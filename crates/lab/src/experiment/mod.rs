//! The papers' experiments, run again: a definition in `experiments/`, one command, and a report that puts our numbers
//! beside the paper's.
//!
//! A [`Definition`] is data: the claim, what to search (`count`) or to play (`games`), the networks to train
//! before, and the checks that turn measured values into verdicts. [`Lab`] runs one and writes `report.md`, `data.csv`,
//! `result.json` and pictures; [`overview`] sums up all results, and [`document`] makes one document of them.

mod chart;
mod check;
mod claim;
mod count;
mod curiosities;
mod definition;
pub mod document;
mod games;
mod islands;
mod lab;
mod learn;
mod library;
pub mod overview;
mod paper;
mod part;
mod played;
mod positions;
pub mod quoted;
mod report;
mod result;
mod score;
mod table;
#[cfg(test)]
mod tests;
mod values;

pub use check::{CheckFinding, Needed, Sample};
pub use claim::{ClaimVerdict, Finding};
pub use definition::{Definition, DefinitionError, Size};
pub use lab::{Lab, LabError, LabProgress};
pub use library::{find, library, read};
pub use paper::Paper;
pub use result::Published;
pub use values::MeasuredValue;
