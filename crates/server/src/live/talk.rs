//! What people say to each other in a game. A line is written first and told after, to those of its own room.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use sumito_rules::Color;
use tokio::sync::broadcast;

use super::event::Event;
use super::game::LiveGame;
use super::hall::Hall;
use super::table::LiveTable;
use crate::domain::chat::{ChatLine, ChatRoom, MOST_LINES, checked};
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause};
use crate::domain::keys::{Credentials, Speaker};
use crate::domain::permit::Action;
use crate::domain::person::Person;
use crate::store::{Reply, Write};

/// Something that was said, for whoever is in its room.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) line: Arc<ChatLine>,
    /// The line as a message.
    pub(crate) message: Utf8Bytes,
}

impl LiveGame {
    /// Hears what is said in any room.
    pub(crate) fn overhear(&self) -> broadcast::Receiver<Said> {
        self.talk.subscribe()
    }

    /// The seat of somebody in a game in which people talk.
    fn seat_to_talk(table: &LiveTable, who: &Credentials) -> Result<Option<Color>, AppError> {
        if !table.keys.is_pair() {
            return Err(Cause::ChatNone {}.at("id"));
        }
        let Ok(Speaker::Seat(color)) = table.keys.speaker(who) else { return Ok(None) };
        Ok(Some(color))
    }

    /// What was said where somebody may listen.
    pub(crate) async fn said(
        &self,
        hall: &Hall,
        who: &Credentials,
    ) -> Result<(ChatRoom, Vec<ChatLine>), AppError> {
        let (game, seat) = {
            let table = self.lock().await;
            (table.num, Self::seat_to_talk(&table, who)?)
        };
        let room = ChatRoom::of(seat);
        Ok((room, hall.store.chat(game, room).await?))
    }

    /// Somebody says something: a player to the other one, anybody else with an account to those who look on.
    pub(crate) async fn speak(
        &self,
        hall: &Hall,
        (who, person): (&Credentials, Option<&Person>),
        text: &str,
    ) -> Result<ChatLine, AppError> {
        let (game, seat, name, player) = {
            let table = self.lock().await;
            let seat = Self::seat_to_talk(&table, who)?;
            let name = seat.map(|color| table.seats[color].name().to_string());
            (table.num, seat, name, seat.and_then(|color| table.keys.persons()[color]))
        };
        if seat.is_none() {
            Action::TalkWatching.check(person.map(|person| person.role))?;
        }
        let name = name.or(person.map(|person| person.name.clone())).unwrap_or_default();
        // Whose seat it is speaks, also with nothing but its key.
        let person = player.or(person.map(|person| person.id));
        if let Some(person) = person
            && hall.store.is_mute(person, now()).await?
        {
            return Err(Cause::ChatMute {}.at("text"));
        }
        let (room, text) = (ChatRoom::of(seat), checked(text)?);
        let line = ChatLine { room, at: now(), side: seat, person, name, text };
        let write = Write::Chat { game, id: self.id.clone(), line: Box::new(line.clone()) };
        match hall.store.write(write).await? {
            Reply::Refused => return Err(Cause::GameGone {}.at("id")),
            Reply::Full => return Err(Cause::ChatFull { most: MOST_LINES }.at("text")),
            _ => {}
        }
        // Nobody may be there to hear it.
        let message = (hall.render())(&Event::Chat { line: &line });
        let _ = self.talk.send(Said { line: Arc::new(line.clone()), message });
        Ok(line)
    }
}
