//! The lobby as clients see it.

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use sumito_rules::Color;
use utoipa::ToSchema;

use super::game::ClockView;
use super::words::ColorWord;
use crate::domain::class::Class;
use crate::domain::person::PersonId;
use crate::live::lobby::Seek;

/// What happens in the lobby.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum LobbyEvent {
    /// All searches: first, and after every change.
    Seeks { seeks: Vec<SeekView> },
}

/// A game that somebody looks for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SeekView {
    id: String,
    name: String,
    rating: i32,
    /// Whether the rating is not sure yet.
    provisional: bool,
    #[schema(value_type = String)]
    layout: &'static str,
    clock: ClockView,
    class: Option<Class>,
    rated: bool,
    /// The colour that whoever searches will have; null for either.
    #[schema(value_type = Option<ColorWord>)]
    color: Option<Color>,
    /// Whether it waits without whoever searches.
    waits: bool,
    /// Whether it is one's own.
    own: bool,
}

impl LobbyEvent {
    pub(crate) fn new(seeks: &[Seek], person: Option<PersonId>) -> LobbyEvent {
        let view = |seek: &Seek| SeekView {
            id: seek.id.clone(),
            name: seek.by.person.name.clone(),
            rating: seek.by.rating,
            provisional: seek.by.provisional,
            layout: seek.terms.layout.name,
            clock: seek.terms.clock.into(),
            class: Class::of(Some(seek.terms.clock)),
            rated: seek.terms.rated,
            color: seek.terms.color,
            waits: seek.is_kept(),
            own: person == Some(seek.by.person.id),
        };
        LobbyEvent::Seeks { seeks: seeks.iter().map(view).collect() }
    }

    pub(crate) fn text(&self) -> Utf8Bytes {
        serde_json::to_string(self).expect("plain data").into()
    }
}
