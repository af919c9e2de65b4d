//! The kinds of work for the threads that search.

use std::time::Duration;

/// The kinds of work, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WorkKind {
    /// What takes a few hundredths of a second: a move of a level.
    Quick,
    /// What takes less than a second: a hint.
    Short,
    /// Another agent's move, an opinion: someone waits for it.
    Move,
    /// An analysis without an end.
    Study,
    /// A review of a game.
    Review,
}

/// What a kind is ahead of the next one.
pub(crate) const HEAD_START: Duration = Duration::from_millis(600);

impl WorkKind {
    pub(crate) const ALL: [WorkKind; 5] =
        [WorkKind::Quick, WorkKind::Short, WorkKind::Move, WorkKind::Study, WorkKind::Review];

    /// How much later than the most urgent kind it comes, in its client's time.
    pub(crate) fn delay(self) -> Duration {
        HEAD_START * self as u32
    }

    /// Whether it can be interrupted, to go on later.
    pub(crate) fn gives_way(self) -> bool {
        self >= WorkKind::Move
    }

    /// Whether a client's other work of this kind is begun before one that was interrupted goes on. A move that has begun
    /// keeps memory until it ends, so it goes first; a study has no end.
    pub(crate) fn alternates(self) -> bool {
        self == WorkKind::Study
    }
}
