//! What people say to each other in a game.

use serde::{Deserialize, Serialize};
use sumito_rules::Color;
use utoipa::ToSchema;

use super::error::{AppError, Cause};
use super::person::PersonId;

/// Who hears a line: players and spectators do not hear each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChatRoom {
    Players,
    Spectators,
}

/// The most letters of a line.
pub(crate) const LONGEST: usize = 140;
/// The most lines of a room in a game.
pub(crate) const MOST_LINES: usize = 300;

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChatLine {
    pub(crate) room: ChatRoom,
    pub(crate) at: i64,
    /// The seat of a player.
    pub(crate) side: Option<Color>,
    pub(crate) person: Option<PersonId>,
    /// Empty for a player without a name.
    pub(crate) name: String,
    pub(crate) text: String,
}

impl ChatRoom {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            ChatRoom::Players => "players",
            ChatRoom::Spectators => "spectators",
        }
    }

    pub(crate) fn named(name: &str) -> Option<ChatRoom> {
        [ChatRoom::Players, ChatRoom::Spectators].into_iter().find(|room| room.name() == name)
    }

    /// The room of somebody with this seat, or with none.
    pub(crate) fn of(seat: Option<Color>) -> ChatRoom {
        if seat.is_some() { ChatRoom::Players } else { ChatRoom::Spectators }
    }
}

/// Letters that turn the direction of what comes after them, so that a line could seem to say something else.
const TURNING: [char; 11] = [
    '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}', '\u{2066}',
    '\u{2067}', '\u{2068}', '\u{2069}',
];

/// One line of plain text that is not empty.
pub(crate) fn checked(text: &str) -> Result<String, AppError> {
    let text: String = text.trim().chars().filter(|letter| !TURNING.contains(letter)).collect();
    if text.trim().is_empty() {
        return Err(Cause::ChatEmpty {}.at("text"));
    }
    if text.chars().count() > LONGEST || text.chars().any(char::is_control) {
        return Err(Cause::TextTooLong { most: LONGEST }.at("text"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_short_and_says_something() {
        assert_eq!(checked(" <b>Hi</b> ").expect("plain text"), "<b>Hi</b>");
        assert_eq!(checked("a\u{202e}b").expect("plain text"), "ab");
        assert_eq!(checked(&"é".repeat(140)).expect("as long as may be").chars().count(), 140);
        for (text, code) in [
            ("  ", "chat.empty"),
            ("\u{202e}", "chat.empty"),
            ("a\nb", "text.too_long"),
            (&"x".repeat(141), "text.too_long"),
        ] {
            assert_eq!(checked(text).expect_err(text).fault().cause.code(), code);
        }
    }
}
