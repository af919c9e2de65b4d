//! The lobby as clients see it.

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use sumito_rules::Color;
use utoipa::ToSchema;

use super::game::ClockView;
use super::words::ColorWord;
use crate::domain::class::Class;
use crate::domain::person::PersonId;
use crate::live::lobby::{Seek, Shown, ShownSeek};

/// What happens in the lobby.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[cfg_attr(not(test), expect(dead_code, reason = "only described: it is put together by `message`"))]
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

impl SeekView {
    fn new(seek: &Seek, own: bool) -> SeekView {
        SeekView {
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
            own,
        }
    }
}

/// All searches as messages: each search is written once, however many look at them.
pub(crate) fn show(seeks: &[Seek]) -> Shown {
    let write = |seek: &Seek, own| serde_json::to_string(&SeekView::new(seek, own)).expect("plain data");
    let each =
        |seek: &Seek| ShownSeek { by: seek.by.person.id, own: write(seek, true), others: write(seek, false) };
    let each: Vec<ShownSeek> = seeks.iter().map(each).collect();
    Shown { all: message(each.iter().map(|seek| seek.others.as_str())), each }
}

/// A [`LobbyEvent::Seeks`] of searches that are written already.
fn message<'a>(seeks: impl Iterator<Item = &'a str>) -> Utf8Bytes {
    format!(r#"{{"type":"seeks","seeks":[{}]}}"#, seeks.collect::<Vec<_>>().join(",")).into()
}

impl Shown {
    /// As somebody sees them.
    pub(crate) fn to(&self, person: Option<PersonId>) -> Utf8Bytes {
        let is_own = |seek: &ShownSeek| person == Some(seek.by);
        if !self.each.iter().any(is_own) {
            return self.all.clone();
        }
        message(self.each.iter().map(|seek| if is_own(seek) { &*seek.own } else { &*seek.others }))
    }
}

#[cfg(test)]
mod tests {
    use sumito_rules::Layout;

    use super::*;
    use crate::domain::game::ClockSetting;
    use crate::domain::person::{Person, Role};
    use crate::live::lobby::{Seeker, Terms};

    fn seek(id: i64, name: &str) -> Seek {
        let person = Person { id: PersonId(id), name: name.to_string(), role: Role::Person, created: 0 };
        let by = Seeker { person, rating: 1500, provisional: true, strangers: Vec::new() };
        let layout = Layout::named("standard").expect("a layout");
        let clock = ClockSetting::Move { ms: 30_000 };
        let terms = Terms { layout, clock, rated: true, color: None, range: (0, 3000) };
        Seek::kept((format!("seek{id}"), 0), by, terms)
    }

    #[test]
    fn whoever_searches_sees_which_search_is_theirs() {
        let seeks = [seek(1, "Anna"), seek(2, "Ben"), seek(1, "Anna")];
        let shown = show(&seeks);
        for (person, own) in [(None, [false; 3]), (Some(3), [false; 3]), (Some(1), [true, false, true])] {
            let views = seeks.iter().zip(own).map(|(seek, own)| SeekView::new(seek, own)).collect();
            let expected = serde_json::to_string(&LobbyEvent::Seeks { seeks: views }).expect("plain data");
            assert_eq!(shown.to(person.map(PersonId)).as_str(), expected);
        }
        let none = LobbyEvent::Seeks { seeks: Vec::new() };
        assert_eq!(show(&[]).to(None).as_str(), serde_json::to_string(&none).expect("plain data"));
    }
}
