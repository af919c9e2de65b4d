//! The terminal app: one game between people, agents, or one of each.
//!
//! A `TerminalTable` is the game with its players and clocks; a `Staff` lets the agents think in threads of their own.
//! On top of these two there are three ways to play: the screen (`ui` runs a `Session`, `view` and `board` draw
//! it), lines on the standard streams (`lines`), and a plain log of two agents (`watch`).

mod board;
mod lines;
mod save;
mod seat;
mod select;
mod session;
mod staff;
mod table;
#[cfg(test)]
mod tests;
mod ui;
mod view;
mod watch;

use std::io;
use std::time::Duration;

use sumito_rules::Notation;

pub(crate) use save::Archive;
use seat::Agents;
pub(crate) use seat::{DefaultLimit, HUMAN, is_person, seats};
pub(crate) use table::TerminalTable;

/// Time between the moves of two agents on a screen, for eyes to follow.
const SCREEN_DELAY: Duration = Duration::from_millis(300);

/// Everything that a game needs, checked.
pub(crate) struct SessionSetup {
    pub(crate) table: TerminalTable,
    pub(crate) agents: Agents,
    /// The rules' name.
    pub(crate) rules: String,
    pub(crate) notation: Notation,
    /// Time between the moves of two agents, if it was asked for.
    pub(crate) delay: Option<Duration>,
    pub(crate) archive: Archive,
}

/// What the person sees of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// A screen, with keys.
    Screen,
    /// Lines of text.
    Text,
    /// One JSON object at the end, of a game between agents.
    Json,
}

/// Plays a game, or on a screen several.
pub(crate) fn play(setup: SessionSetup, face: Face) -> anyhow::Result<()> {
    let out = io::stdout;
    match face {
        Face::Screen => ui::run(setup),
        Face::Text if setup.table.has_people() => {
            lines::run(setup, lines::standard_input(), &mut out().lock())
        }
        Face::Text | Face::Json => watch::run(setup, face == Face::Json, &mut out().lock()),
    }
}
