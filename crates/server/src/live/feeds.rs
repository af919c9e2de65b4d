//! What happens to somebody, wherever they are: challenges, and games that begin and end. Whoever listens hears of it; who comes
//! later finds in the store how it stands.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use sumito_rules::{ByColor, Color, Layout, Notation, fen};
use tokio::sync::broadcast;

use super::table::LiveTable;
use crate::domain::challenge::Challenge;
use crate::domain::game::{ClockSetting, GameEnding};
use crate::domain::person::PersonId;

/// What happens to somebody.
#[derive(Clone, Debug)]
pub(crate) enum FeedEvent {
    /// A challenge that they have sent or received: new, declined or canceled, as its state says.
    Challenge(Arc<Challenge>),
    /// A game of theirs has begun.
    Began(Arc<GameNews>),
    /// A game of theirs is over.
    Ended(Arc<GameNews>),
    /// They listen elsewhere from now on.
    Elsewhere,
}

/// How a game stands, in short.
#[derive(Clone, Debug)]
pub(crate) struct GameNews {
    pub(crate) id: String,
    pub(crate) persons: ByColor<Option<PersonId>>,
    pub(crate) names: ByColor<String>,
    pub(crate) layout: Option<&'static Layout>,
    pub(crate) clock: Option<ClockSetting>,
    /// Milliseconds that the sides have left, if there is a clock.
    pub(crate) left: Option<ByColor<u64>>,
    pub(crate) rated: bool,
    pub(crate) fen: String,
    pub(crate) turn: Color,
    pub(crate) plies: usize,
    pub(crate) last_move: String,
    pub(crate) ending: Option<GameEnding>,
    /// Whether it was called off, and is no more.
    pub(crate) aborted: bool,
}

impl GameNews {
    pub(crate) fn new(table: &LiveTable) -> GameNews {
        let game = table.game();
        let last = game.moves().last().zip(game.positions().iter().rev().nth(1));
        GameNews {
            id: table.id.clone(),
            persons: table.keys.persons(),
            names: ByColor::new(&table.seats.black, &table.seats.white).map(|seat| seat.name().to_string()),
            layout: table.layout.as_deref().and_then(Layout::named),
            clock: table.clock,
            left: table.clocks(Instant::now()).map(|(left, _)| left),
            rated: table.rated,
            fen: fen::write(game.position()),
            turn: game.turn(),
            plies: game.moves().len(),
            last_move: last.map(|(&m, before)| Notation::AbaPro.write(before, m)).unwrap_or_default(),
            ending: table.outcome(),
            aborted: false,
        }
    }

    /// The side of somebody.
    pub(crate) fn side(&self, person: PersonId) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.persons[color] == Some(person))
    }
}

/// Events that wait for a slow listener before it is told anew how everything stands.
const BACKLOG: usize = 256;

/// What is open no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shut {
    /// An account was closed.
    Person(PersonId),
    /// A token was revoked: its id.
    Token(String),
}

/// Those who listen.
pub(crate) struct Feeds {
    of: Mutex<HashMap<PersonId, broadcast::Sender<FeedEvent>>>,
    shut: broadcast::Sender<Shut>,
    /// The programs that listen, as they were last told.
    pub(crate) listed: tokio::sync::Mutex<Option<Listed>>,
}

/// Programs as they are told to whoever asks who is here.
pub(crate) struct Listed {
    pub(crate) at: Instant,
    /// Everybody who was here, programs or not.
    pub(crate) here: Vec<PersonId>,
    /// A line for each program.
    pub(crate) lines: Arc<Vec<Vec<u8>>>,
}

impl Default for Feeds {
    fn default() -> Feeds {
        let (of, listed) = (Mutex::default(), tokio::sync::Mutex::default());
        Feeds { of, shut: broadcast::Sender::new(BACKLOG), listed }
    }
}

impl Feeds {
    fn lock(&self) -> MutexGuard<'_, HashMap<PersonId, broadcast::Sender<FeedEvent>>> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens to what happens to somebody. Whoever listened for them before is told to end: one who comes back after their line was
    /// cut need not wait until that is noticed.
    pub(crate) fn listen(&self, person: PersonId) -> broadcast::Receiver<FeedEvent> {
        let mut all = self.lock();
        all.retain(|_, feed| feed.receiver_count() > 0);
        if let Some(before) = all.get(&person) {
            // The last one may just have left.
            let _ = before.send(FeedEvent::Elsewhere);
        }
        let (feed, listener) = broadcast::channel(BACKLOG);
        all.insert(person, feed);
        listener
    }

    /// Ends the streams that this has opened.
    pub(crate) fn shut(&self, what: Shut) {
        // There may be none.
        let _ = self.shut.send(what);
    }

    /// Comes back when the account or the token is shut by which a stream was opened.
    pub(crate) fn until_shut(
        &self,
        person: PersonId,
        token: Option<String>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let mut shut = self.shut.subscribe();
        let (person, token) = (Shut::Person(person), token.map(Shut::Token));
        async move {
            // One that was missed may have been this.
            while shut.recv().await.is_ok_and(|what| what != person && Some(what) != token) {}
        }
    }

    /// Whether somebody listens.
    pub(crate) fn is_online(&self, person: PersonId) -> bool {
        self.lock().get(&person).is_some_and(|feed| feed.receiver_count() > 0)
    }

    /// Everybody who listens, the oldest account first.
    pub(crate) fn online(&self) -> Vec<PersonId> {
        let all = self.lock();
        let here = all.iter().filter(|(_, feed)| feed.receiver_count() > 0);
        let mut here: Vec<PersonId> = here.map(|(person, _)| *person).collect();
        here.sort_by_key(|person| person.0);
        here
    }

    /// Tells somebody, if they listen.
    fn tell(&self, person: PersonId, event: FeedEvent) {
        if let Some(feed) = self.lock().get(&person) {
            let _ = feed.send(event);
        }
    }

    /// Tells both sides of a challenge how it stands.
    pub(crate) fn challenge(&self, challenge: Challenge) {
        let (from, to) = (challenge.challenger.id, challenge.dest.id);
        let event = FeedEvent::Challenge(Arc::new(challenge));
        self.tell(from, event.clone());
        self.tell(to, event);
    }

    /// Tells those who have an account that their game has begun, or is over.
    pub(super) fn game(&self, table: &LiveTable, aborted: bool) {
        let persons = table.keys.persons();
        if persons.black.is_none() && persons.white.is_none() {
            return;
        }
        let news = Arc::new(GameNews { aborted, ..GameNews::new(table) });
        for person in [persons.black, persons.white].into_iter().flatten() {
            let is_over = aborted || news.ending.is_some();
            let event = if is_over { FeedEvent::Ended } else { FeedEvent::Began };
            self.tell(person, event(Arc::clone(&news)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};

    use super::*;

    #[tokio::test]
    async fn a_stream_is_shut_with_its_token_or_its_account_alone() {
        let feeds = Feeds::default();
        let until = |token: Option<&str>| Box::pin(feeds.until_shut(PersonId(7), token.map(str::to_string)));
        let (one, mut other, mut none) = (until(Some("a")), until(Some("b")), until(None));
        feeds.shut(Shut::Token("a".to_string()));
        feeds.shut(Shut::Person(PersonId(8)));
        one.await;
        let mut context = Context::from_waker(Waker::noop());
        assert!(
            other.as_mut().poll(&mut context).is_pending() && none.as_mut().poll(&mut context).is_pending()
        );
        feeds.shut(Shut::Person(PersonId(7)));
        other.await;
        none.await;
    }

    #[test]
    fn who_listens_again_takes_the_place_of_who_listened_before() {
        let (feeds, person) = (Feeds::default(), PersonId(7));
        assert!(!feeds.is_online(person));
        let mut first = feeds.listen(person);
        let second = feeds.listen(person);
        assert!(matches!(first.try_recv(), Ok(FeedEvent::Elsewhere)));
        assert!(first.try_recv().is_err(), "it hears no more");
        assert_eq!(feeds.online(), [person]);
        drop(second);
        assert!(!feeds.is_online(person) && feeds.online().is_empty());
    }
}
