//! What is kept of searches for games in which moves take days.

use sumito_rules::Color;

use crate::domain::canonical::Place;
use crate::domain::game::ClockSetting;
use crate::domain::kept::KeptGame;
use crate::domain::person::PersonId;

/// A search that waits without whoever searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptSeek {
    pub(crate) id: String,
    pub(crate) person: PersonId,
    pub(crate) created: i64,
    pub(crate) layout: String,
    pub(crate) clock: ClockSetting,
    pub(crate) rated: bool,
    pub(crate) color: Option<Color>,
    /// The least and the most rating of the other side.
    pub(crate) range: (i32, i32),
}

/// A change of the searches that are kept.
#[derive(Debug)]
pub(crate) enum SeekWrite {
    /// One more; refused if the account is closed, full if it has as many as one may have.
    New { seek: KeptSeek, most: usize },
    /// Somebody no longer looks for a game; refused if it was not their search.
    End { id: String, person: PersonId },
    /// It is taken up, and the game begins; refused if somebody was faster.
    TakeUp { id: String, game: Box<KeptGame>, places: Vec<Place> },
    /// Those from before a moment end.
    Expire { before: i64 },
}
