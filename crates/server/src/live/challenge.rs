//! Challenges as they are sent, accepted, declined and called off. They are in the store; whoever they concern is told.

use std::sync::Arc;

use sumito_rules::{Color, Layout};

use super::begin::GameSetup;
use super::game::LiveGame;
use super::hall::Hall;
use crate::domain::bot::Proposal;
use crate::domain::challenge::{Challenge, ChallengeState, KEPT, MOST_RECEIVED, MOST_SENT};
use crate::domain::client::Client;
use crate::domain::date::now;
use crate::domain::error::{AppError, Cause};
use crate::domain::game::ClockSetting;
use crate::domain::ids;
use crate::domain::person::{Person, PersonId, Role};
use crate::store::bots::ChallengeWrite;
use crate::store::{Reply, Write};

/// What somebody proposes.
#[derive(Clone, Debug)]
pub(crate) struct ChallengeTerms {
    pub(crate) layout: &'static Layout,
    pub(crate) clock: ClockSetting,
    pub(crate) rated: bool,
    /// The colour that the challenger wants.
    pub(crate) color: Option<Color>,
}

/// Seconds after which some of the challenges that are open may have been answered.
const LATER: u32 = 60;
const DAY: i64 = 24 * 3600 * 1000;

impl Hall {
    /// Challenges somebody.
    pub(crate) async fn challenge(
        &self,
        challenger: Person,
        dest: Person,
        terms: ChallengeTerms,
    ) -> Result<Challenge, AppError> {
        if challenger.id == dest.id {
            return Err(Cause::ChallengeOwn {}.at("name"));
        }
        if self.store.strangers(challenger.id).await?.contains(&dest.id) {
            // Like somebody who accepts nobody of that kind: who is blocked is not told.
            let what = if challenger.role.is_bot() { "bots" } else { "people" };
            return Err(Cause::ChallengeUnfit { what }.at(what));
        }
        self.check_fit(&challenger, &dest, &terms).await?;
        self.check_bot_games(&challenger, &dest).await?;
        let ChallengeTerms { layout, clock, rated, color } = terms;
        let (id, created, state) = (ids::id(), now(), ChallengeState::Open);
        let challenge = Challenge { id, challenger, dest, layout, clock, rated, color, created, state };
        let new =
            ChallengeWrite::New { challenge: challenge.clone(), sent: MOST_SENT, received: MOST_RECEIVED };
        match self.store.write(Write::Challenge(Box::new(new))).await? {
            Reply::Full => {
                return Err(AppError::from(Cause::RateChallengesOpen { most: MOST_SENT }).retry_after(LATER));
            }
            Reply::Refused => {
                return Err(
                    AppError::from(Cause::RateChallengesWaiting { most: MOST_RECEIVED }).retry_after(LATER)
                );
            }
            _ => {}
        }
        self.feeds.challenge(challenge.clone());
        Ok(challenge)
    }

    /// Refuses a game that a program has said not to accept, by what it says about itself.
    pub(crate) async fn check_fit(
        &self,
        by: &Person,
        bot: &Person,
        terms: &ChallengeTerms,
    ) -> Result<(), AppError> {
        let Some(known) = self.store.bot(bot.id).await? else { return Ok(()) };
        let games = self.store.running(bot.id).await?.len();
        let proposal = Proposal {
            layout: terms.layout.name,
            clock: terms.clock,
            rated: terms.rated,
            rating: self.seeker(by.clone(), terms.clock).await?.rating,
            by_bot: by.role == Role::Bot,
            games,
        };
        match known.accepts.refuses(&proposal) {
            None => Ok(()),
            Some(what) => Err(Cause::ChallengeUnfit { what }.at(what)),
        }
    }

    /// Refuses programs that have played each other too often today. The house's own may always be challenged.
    pub(crate) async fn check_bot_games(&self, one: &Person, other: &Person) -> Result<(), AppError> {
        if one.role != Role::Bot || other.role != Role::Bot {
            return Ok(());
        }
        let (at, most) = (now(), self.bot_games);
        for person in [one, other] {
            if self.store.bot(person.id).await?.is_some_and(|bot| bot.anchor.is_some()) {
                continue;
            }
            let begun = self.store.bot_games(person.id, at - DAY).await?;
            if begun.len() >= most {
                // When the one is a day old that has to be.
                let frees = begun[begun.len() - most] + DAY - at;
                let seconds = u32::try_from(frees / 1000 + 1).unwrap_or(1);
                let cause = Cause::RateBotGames { name: person.name.clone(), most };
                return Err(AppError::from(cause).retry_after(seconds));
            }
        }
        Ok(())
    }

    /// A challenge that is open, for one of its two sides.
    async fn open_challenge(&self, id: &str) -> Result<Challenge, AppError> {
        let found = self.store.challenge(id).await?;
        found
            .filter(|known| known.state == ChallengeState::Open)
            .ok_or_else(|| Cause::ChallengeGone {}.at("id"))
    }

    /// The person who was challenged accepts, and the game begins. It has the id of the challenge.
    pub(crate) async fn accept_challenge(
        &self,
        id: &str,
        by: PersonId,
        client: Client,
    ) -> Result<Arc<LiveGame>, AppError> {
        let challenge = self.open_challenge(id).await?;
        if challenge.dest.id != by {
            return Err(Cause::ChallengeOther {}.at("id"));
        }
        self.check_bot_games(&challenge.challenger, &challenge.dest).await?;
        let own = challenge.color.unwrap_or_else(|| Color::ALL[usize::from(ids::coin())]);
        let mut players = sumito_rules::ByColor::new(challenge.dest.clone(), challenge.dest);
        players[own] = challenge.challenger;
        let setup = GameSetup::between(players, challenge.layout, challenge.clock, challenge.rated);
        let accept = |game, places| {
            let accept = ChallengeWrite::Accept { id: id.to_string(), game, places };
            Write::Challenge(Box::new(accept))
        };
        let (live, _) = self.begin_by(setup, client, id.to_string(), accept).await?;
        Ok(live)
    }

    /// The person who was challenged declines, or the challenger calls it off.
    pub(crate) async fn close_challenge(
        &self,
        id: &str,
        by: PersonId,
        state: ChallengeState,
    ) -> Result<Challenge, AppError> {
        let challenge = self.open_challenge(id).await?;
        let is_dest = matches!(state, ChallengeState::Declined(_));
        if by != if is_dest { challenge.dest.id } else { challenge.challenger.id } {
            return Err(Cause::ChallengeOther {}.at("id"));
        }
        self.end_challenge(challenge, state).await?.ok_or_else(|| Cause::ChallengeGone {}.at("id"))
    }

    async fn end_challenge(
        &self,
        challenge: Challenge,
        state: ChallengeState,
    ) -> Result<Option<Challenge>, AppError> {
        let close = ChallengeWrite::Close { id: challenge.id.clone(), state, at: now() };
        if self.store.write(Write::Challenge(Box::new(close))).await? == Reply::Refused {
            return Ok(None);
        }
        let challenge = Challenge { state, ..challenge };
        self.feeds.challenge(challenge.clone());
        Ok(Some(challenge))
    }

    /// Calls off the challenges that nobody has answered for long, and forgets those that are long answered.
    pub(super) async fn expire_challenges(&self) -> Result<(), AppError> {
        let before = now() - KEPT;
        for challenge in self.store.stale_challenges(before).await? {
            self.end_challenge(challenge, ChallengeState::Canceled).await?;
        }
        if self.store.has_old_challenges(before).await? {
            self.store.write(Write::Challenge(Box::new(ChallengeWrite::Forget { before }))).await?;
        }
        Ok(())
    }
}
