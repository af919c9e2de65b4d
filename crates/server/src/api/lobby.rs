//! The lobby: searches for a game as they come and go, and what one does about them, over a WebSocket. A search lasts as long
//! as the socket of whoever searches.

use axum::extract::ws::{Utf8Bytes, WebSocket};
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};
use sumito_rules::Layout;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::find_layout;
use super::me::Me;
use super::socket::{
    Empty, End, Received, SocketListener, SocketOpening, gathered, id_of, reply, send, trouble, unknown_type,
};
use crate::domain::class::Class;
use crate::domain::client::Client;
use crate::domain::error::{AppError, Cause};
use crate::domain::game::ClockSetting;
use crate::domain::permit::Action;
use crate::domain::person::{Person, PersonId};
use crate::domain::tournament::settings::sound_layouts;
use crate::http::extract::{message, named};
use crate::live::lobby::{Pairing, Sought, Terms};
use crate::live::uncancelled;
use crate::state::App;
use crate::view::game::ClockView;
use crate::view::lobby::show;
use crate::view::seat::SeatChoice;

/// What somebody may say.
enum LobbyMessage {
    /// They look for a game.
    Seek(Wish),
    /// They take up a search.
    Accept(Named),
    /// They no longer look for one.
    Cancel(Cancelled),
    /// Are you there?
    Ping,
}

/// A game that somebody wants.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    id: Value,
    /// A layout's name, or `random`; the Belgian Daisy if it is not given.
    layout: Option<String>,
    clock: ClockView,
    /// Whether ratings change; they do unless it is said otherwise.
    rated: Option<bool>,
    color: Option<SeatChoice>,
    /// The least and the most rating of the other side.
    range: Option<(i32, i32)>,
}

/// A search by its id.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    id: Value,
    seek: String,
}

/// Which search ends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cancelled {
    /// One that waits without whoever searches; else the one that does not.
    seek: Option<String>,
}

fn lobby_message(text: &str) -> Result<LobbyMessage, AppError> {
    let (kind, rest) = message(text)?;
    match kind.as_str() {
        "seek" => named(rest).map(LobbyMessage::Seek),
        "accept" => named(rest).map(LobbyMessage::Accept),
        "cancel" => named(rest).map(LobbyMessage::Cancel),
        "ping" => named::<Empty>(rest).map(|_| LobbyMessage::Ping),
        _ => Err(unknown_type(&["seek", "accept", "cancel", "ping"], kind)),
    }
}

impl Wish {
    fn terms(&self) -> Result<Terms, AppError> {
        let clock: ClockSetting = self.clock.checked()?.into();
        // Without a class there is no rating.
        Class::of(Some(clock)).ok_or_else(AppError::internal)?;
        let layout = match self.layout.as_deref() {
            None => Layout::named("belgian-daisy").expect("a layout of ours"),
            Some("random") => any_layout(),
            Some(name) => find_layout(name)?,
        };
        let color = match self.color {
            None | Some(SeatChoice::Random) => None,
            Some(choice) => Some(choice.color()),
        };
        let range = self.range.unwrap_or((i32::MIN, i32::MAX));
        Ok(Terms { layout, clock, rated: self.rated.unwrap_or(true), color, range })
    }
}

/// Any layout of which no source doubts a cell.
pub(super) fn any_layout() -> &'static Layout {
    let sound = sound_layouts();
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    sound[u32::from_le_bytes(bytes) as usize % sound.len()]
}

/// Follow the lobby, and look for a game (WebSocket)
pub(crate) async fn live(me: Me, opening: SocketOpening) -> Result<Response, AppError> {
    let (app, person) = (me.app.clone(), me.person().map(|person| person.id));
    opening.open(&app, move |app, mut socket| async move {
        let (tell, hear) = mpsc::unbounded_channel();
        if let Some(person) = person {
            app.lobby.enter(person, &tell);
        }
        let visit = Visit { app, client: me.client, person, tell };
        let end = visit.follow(&mut socket, hear).await;
        visit.app.lobby.leave(&visit.tell);
        (socket, end)
    })
}

/// Somebody's visit to the lobby.
struct Visit {
    app: App,
    client: Client,
    /// Whose account it was when they came.
    person: Option<PersonId>,
    /// Where they hear of games that have begun.
    tell: UnboundedSender<String>,
}

impl Visit {
    async fn follow(&self, socket: &mut WebSocket, mut games: UnboundedReceiver<String>) -> End {
        let mut changes = self.app.lobby.listen();
        let mut listener = SocketListener::new(&self.app, self.client);
        loop {
            changes.borrow_and_update();
            if !send(socket, self.app.lobby.shown(show).to(self.person)).await {
                return End::Left;
            }
            // The server's own end is told by the listener.
            let mut changed = std::pin::pin!(gathered(&mut changes));
            loop {
                let goes_on = tokio::select! {
                    () = &mut changed => break,
                    Some(game) = games.recv() => send(socket, began(&game)).await,
                    came = listener.next(socket) => match came {
                        Received::Text(text) => send(socket, self.answer(&text).await).await,
                        Received::Reply(message) => reply(socket, message).await,
                        Received::Lag(_) => true,
                        Received::End(end) => return end,
                    },
                };
                if !goes_on {
                    return End::Left;
                }
            }
        }
    }

    async fn answer(&self, text: &str) -> Utf8Bytes {
        let (id, result) = match lobby_message(text) {
            Err(error) => (id_of(text), Err(error)),
            Ok(LobbyMessage::Ping) => return json!({ "type": "pong" }).to_string().into(),
            Ok(LobbyMessage::Cancel(Cancelled { seek })) => (None, self.cancel(seek).await.map(|()| None)),
            Ok(LobbyMessage::Seek(wish)) => (Some(wish.id.clone()), self.seek(wish).await),
            Ok(LobbyMessage::Accept(named)) => (Some(named.id), self.accept(&named.seek).await),
        };
        match result {
            Ok(Some(game)) => began(&game),
            Ok(None) => json!({ "type": "ack", "id": id }).to_string().into(),
            Err(error) => trouble(id, &error),
        }
    }

    /// The person as they are now, if they may look for a game: the account may have been closed since they came.
    async fn person(&self) -> Result<Person, AppError> {
        let person = match self.person {
            Some(id) => self.app.store.person_by_id(id).await?,
            None => None,
        };
        Action::Seek.check(person.as_ref().map(|person| person.role))?;
        person.ok_or_else(|| Cause::AccountMissing {}.into())
    }

    /// Looks for a game; its id if somebody was there already.
    async fn seek(&self, wish: Wish) -> Result<Option<String>, AppError> {
        let (person, terms) = (self.person().await?, wish.terms()?);
        self.app.door.talk.seek(self.client, person.id)?;
        let by = self.app.seeker(person, terms.clock).await?;
        match self.app.lobby.seek(by, terms, self.tell.clone())? {
            Sought::Found(pairing) => self.begin(pairing).await.map(Some),
            Sought::Waits => Ok(None),
            Sought::Keep(seek) => self.app.keep_seek(seek).await.map(|()| None),
        }
    }

    /// Ends a search.
    async fn cancel(&self, seek: Option<String>) -> Result<(), AppError> {
        let Some(id) = seek else {
            self.app.lobby.cancel(&self.tell);
            return Ok(());
        };
        let person = self.person().await?.id;
        self.app.end_seek(id, person).await
    }

    async fn accept(&self, seek: &str) -> Result<Option<String>, AppError> {
        let person = self.person().await?;
        let clock = self.app.lobby.clock_of(seek)?;
        let by = self.app.seeker(person, clock).await?;
        let pairing = self.app.lobby.accept(seek, &by)?;
        self.begin(pairing).await.map(Some)
    }

    /// Begins the game of two who have found each other; both come to it.
    async fn begin(&self, pairing: Pairing) -> Result<String, AppError> {
        let (app, client) = (self.app.clone(), self.client);
        uncancelled(async move { app.begin_sought(pairing, client).await.map(|live| live.id.clone()) }).await
    }
}

/// That a game has begun.
fn began(id: &str) -> Utf8Bytes {
    json!({ "type": "game", "game": id }).to_string().into()
}
