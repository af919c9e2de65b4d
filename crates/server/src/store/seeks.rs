//! What is kept of searches for games in which moves take days.

use sumito_rules::Color;

use crate::domain::game::ClockSetting;
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
