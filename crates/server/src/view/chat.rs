//! What people say in a game, as clients see it.

use serde::Serialize;
use sumito_rules::Color;
use utoipa::ToSchema;

use super::words::ColorWord;
use crate::domain::chat::{ChatLine, ChatRoom};

/// Something that was said.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ChatLineView {
    pub(crate) room: ChatRoom,
    /// When, in milliseconds since 1970.
    pub(crate) at: i64,
    /// The seat of a player; null for a spectator.
    #[schema(value_type = Option<ColorWord>)]
    pub(crate) side: Option<Color>,
    /// Who said it; empty for a player without a name.
    pub(crate) name: String,
    /// Plain text, whatever it looks like.
    pub(crate) text: String,
}

impl From<&ChatLine> for ChatLineView {
    fn from(line: &ChatLine) -> ChatLineView {
        let ChatLine { room, at, side, name, text, person: _ } = line.clone();
        ChatLineView { room, at, side, name, text }
    }
}

/// What was said where whoever asks may listen.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ChatView {
    pub(crate) room: ChatRoom,
    /// The oldest first.
    pub(crate) lines: Vec<ChatLineView>,
}
