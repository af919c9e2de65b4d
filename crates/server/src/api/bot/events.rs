//! What happens to an account, as a stream: games that begin and end, challenges. It begins with how everything stands, so that
//! who comes back has missed nothing.

use std::collections::HashSet;

use axum::response::Response;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::challenge::view;
use super::identity::Identity;
use super::stream as lines_for;
use crate::domain::bot::Scope;
use crate::domain::challenge::{Challenge, ChallengeState};
use crate::domain::error::AppError;
use crate::domain::permit::Action;
use crate::domain::person::PersonId;
use crate::http::ndjson::{Gone, Lines};
use crate::live::feeds::{FeedEvent, GameNews};
use crate::state::App;
use crate::view::bot::{BotEvent, GameInfo};

/// Follow one's games and challenges. A second stream of the same account ends the first
#[utoipa::path(get, operation_id = "stream_events", path = "/api/stream/event", tag = "bot",
    security(("token" = [])),
    responses((status = 200, body = BotEvent, content_type = "application/x-ndjson")))]
pub(crate) async fn stream(me: Identity) -> Result<Response, AppError> {
    me.check(Action::Challenge, &[Scope::Play, Scope::ReadChallenges])?;
    let (app, person) = (me.app.clone(), me.person.id);
    lines_for(&me, move |lines| {
        // Whoever has the answer is here.
        let events = app.feeds.listen(person);
        Stream { app, person, lines, told: HashSet::new() }.run(events)
    })
}

/// A stream to somebody.
struct Stream {
    app: App,
    person: PersonId,
    lines: Lines,
    /// Games whose beginning was told.
    told: HashSet<String>,
}

impl Stream {
    async fn run(mut self, mut events: Receiver<FeedEvent>) -> Result<(), Gone> {
        'anew: loop {
            if let Err(error) = self.all().await {
                match error {
                    Trouble::Gone => return Err(Gone),
                    Trouble::Store(error) => {
                        tracing::warn!(%error, "a stream of events begins without what was there")
                    }
                }
                return Ok(());
            }
            loop {
                match events.recv().await {
                    Ok(FeedEvent::Elsewhere) | Err(RecvError::Closed) => return Ok(()),
                    Ok(event) => self.tell(event).await?,
                    // Too slow for single events: how everything stands brings it up to date.
                    Err(RecvError::Lagged(_)) => {
                        events = events.resubscribe();
                        continue 'anew;
                    }
                }
            }
        }
    }

    /// How everything stands.
    async fn all(&mut self) -> Result<(), Trouble> {
        for id in self.app.store.running(self.person).await? {
            let Ok(live) = self.app.game(&id).await else { continue };
            let news = GameNews::new(&*live.lock().await);
            if news.ending.is_none() {
                self.began(&news).await?;
            }
        }
        for challenge in self.app.store.challenges(self.person).await? {
            // What was canceled meanwhile is not there, and says so by that; who waits for an answer gets it.
            let is_told = match challenge.state {
                ChallengeState::Open => true,
                ChallengeState::Canceled => false,
                ChallengeState::Declined(_) => challenge.challenger.id == self.person,
            };
            if is_told {
                self.challenge(&challenge).await?;
            }
        }
        Ok(())
    }

    async fn tell(&mut self, event: FeedEvent) -> Result<(), Gone> {
        match event {
            FeedEvent::Challenge(challenge) => self.challenge(&challenge).await,
            FeedEvent::Began(news) => self.began(&news).await,
            FeedEvent::Ended(news) => {
                self.told.remove(&news.id);
                match self.info(&news).await {
                    Some(game) => self.lines.send(&BotEvent::GameFinish { game }).await,
                    None => Ok(()),
                }
            }
            FeedEvent::Elsewhere => Ok(()),
        }
    }

    async fn began(&mut self, news: &GameNews) -> Result<(), Gone> {
        if !self.told.insert(news.id.clone()) {
            return Ok(());
        }
        match self.info(news).await {
            Some(game) => self.lines.send(&BotEvent::GameStart { game }).await,
            None => Ok(()),
        }
    }

    /// The game as the listener sees it.
    async fn info(&self, news: &GameNews) -> Option<GameInfo> {
        let color = news.side(self.person)?;
        let rating = match (news.persons[!color], news.clock) {
            (Some(other), Some(clock)) => match self.app.store.person_by_id(other).await {
                Ok(Some(other)) => self.app.seeker(other, clock).await.ok().map(|seeker| seeker.rating),
                _ => None,
            },
            _ => None,
        };
        Some(GameInfo::new(news, color, rating))
    }

    async fn challenge(&self, challenge: &Challenge) -> Result<(), Gone> {
        let view = match view(&self.app, challenge, self.person).await {
            Ok(view) => Box::new(view),
            Err(error) => {
                tracing::warn!(%error, "a challenge was not told");
                return Ok(());
            }
        };
        let event = match challenge.state {
            ChallengeState::Open => BotEvent::Challenge { challenge: view },
            ChallengeState::Canceled => BotEvent::ChallengeCanceled { challenge: view },
            ChallengeState::Declined(_) => BotEvent::ChallengeDeclined { challenge: view },
        };
        self.lines.send(&event).await
    }
}

/// Why a stream does not begin.
enum Trouble {
    Gone,
    Store(AppError),
}

impl From<Gone> for Trouble {
    fn from(_: Gone) -> Trouble {
        Trouble::Gone
    }
}

impl From<AppError> for Trouble {
    fn from(error: AppError) -> Trouble {
        Trouble::Store(error)
    }
}
