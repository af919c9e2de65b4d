//! Accounts of programs: what a token is good for, and which games a program accepts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::class::Class;
use super::error::{AppError, Cause, within};
use super::game::ClockSetting;

/// What a token is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) enum Scope {
    /// Play: follow events and games, move, answer offers and challenges, challenge others.
    #[serde(rename = "bot:play")]
    Play,
    /// Hear of challenges.
    #[serde(rename = "challenge:read")]
    ReadChallenges,
    /// Challenge others, and answer challenges.
    #[serde(rename = "challenge:write")]
    WriteChallenges,
}

impl Scope {
    pub(crate) const ALL: [Scope; 3] = [Scope::Play, Scope::ReadChallenges, Scope::WriteChallenges];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Scope::Play => "bot:play",
            Scope::ReadChallenges => "challenge:read",
            Scope::WriteChallenges => "challenge:write",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.name() == name)
    }
}

/// What a token begins with, so that one that lies about is known for what it is.
pub(crate) const PREFIX: &str = "smt_";

/// Whether a text is a token, or once was.
pub(crate) fn is_token(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Programs of one person.
pub(crate) const MOST_BOTS: usize = 5;
/// Tokens of one program.
pub(crate) const MOST_TOKENS: usize = 10;
/// Days for which a token may be good.
pub(crate) const LONGEST_DAYS: u64 = 3650;
/// Games that a program may play at a time.
pub(crate) const MOST_GAMES: u32 = 64;
/// Seconds of the longest clock.
const DAY: u32 = 24 * 3600;

/// Which games a program accepts. What is not said is accepted; four games at a time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Capabilities {
    /// Names of layouts; all if there is none.
    pub(crate) layouts: Vec<String>,
    /// Classes of clocks; all if there is none.
    pub(crate) speeds: Vec<Class>,
    /// The least and the most seconds that a clock may begin with.
    pub(crate) limit: (u32, u32),
    /// The least and the most seconds that a move may add.
    pub(crate) increment: (u32, u32),
    /// Whether rated games are accepted.
    pub(crate) rated: bool,
    /// Whether games that are not rated are.
    pub(crate) casual: bool,
    /// Whether people are accepted.
    pub(crate) people: bool,
    /// Whether other programs are.
    pub(crate) bots: bool,
    /// The least and the most rating of the other side.
    pub(crate) rating: (i32, i32),
    /// How many games at a time.
    pub(crate) games: u32,
}

impl Default for Capabilities {
    fn default() -> Capabilities {
        Capabilities {
            layouts: Vec::new(),
            speeds: Vec::new(),
            limit: (0, DAY),
            increment: (0, DAY),
            rated: true,
            casual: true,
            people: true,
            bots: true,
            rating: (-10_000, 10_000),
            games: 4,
        }
    }
}

/// A game that somebody wants to play with a program.
#[derive(Clone, Debug)]
pub(crate) struct Proposal<'a> {
    pub(crate) layout: &'a str,
    pub(crate) clock: ClockSetting,
    pub(crate) rated: bool,
    /// Of whoever proposes it, in the class of the clock.
    pub(crate) rating: i32,
    pub(crate) by_bot: bool,
    /// The games that the program plays already.
    pub(crate) games: usize,
}

impl Capabilities {
    /// Refuses what makes no sense.
    pub(crate) fn checked(self) -> Result<Capabilities, AppError> {
        within("games", self.games, 1, MOST_GAMES.into())?;
        for (field, (least, most)) in [("limit", self.limit), ("increment", self.increment)] {
            within(field, most, least.into(), DAY.into())?;
        }
        if self.rating.0 > self.rating.1 {
            let expected = "the least rating before the most".to_string();
            return Err(Cause::FieldType { expected }.at("rating"));
        }
        Ok(self)
    }

    /// What it is about a game for which the program does not accept it.
    pub(crate) fn refuses(&self, game: &Proposal<'_>) -> Option<&'static str> {
        let within = |range: (u32, u32), ms: u64| {
            (u64::from(range.0) * 1000..=u64::from(range.1) * 1000).contains(&ms)
        };
        let clock = match game.clock {
            ClockSetting::Move { .. } => true,
            ClockSetting::Game { base_ms, increment_ms } => {
                within(self.limit, base_ms) && within(self.increment, increment_ms)
            }
        };
        let layout = self.layouts.is_empty() || self.layouts.iter().any(|name| name == game.layout);
        let class = Class::of(Some(game.clock));
        let speed = self.speeds.is_empty() || class.is_some_and(|class| self.speeds.contains(&class));
        let checks = [
            (layout, "layout"),
            (speed, "speed"),
            (clock, "clock"),
            (self.rated || !game.rated, "rated"),
            (self.casual || game.rated, "casual"),
            (self.bots || !game.by_bot, "bots"),
            (self.people || game.by_bot, "people"),
            ((self.rating.0..=self.rating.1).contains(&game.rating), "rating"),
            (game.games < self.games as usize, "games"),
        ];
        checks.into_iter().find(|(fits, _)| !fits).map(|(_, what)| what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_accepts_what_it_says_and_names_what_it_does_not() {
        let game = |base_ms, increment_ms| ClockSetting::Game { base_ms, increment_ms };
        let proposal = Proposal {
            layout: "standard",
            clock: game(300_000, 3000),
            rated: true,
            rating: 1500,
            by_bot: false,
            games: 3,
        };
        let all = Capabilities::default();
        assert_eq!(all.refuses(&proposal), None);
        assert_eq!(all.refuses(&Proposal { games: 4, ..proposal.clone() }), Some("games"));
        let casual = Proposal { rated: false, by_bot: true, ..proposal.clone() };
        for (accepts, game, expected) in [
            (
                Capabilities { layouts: vec!["belgian-daisy".into()], ..all.clone() },
                &proposal,
                Some("layout"),
            ),
            (Capabilities { speeds: vec![Class::Bullet], ..all.clone() }, &proposal, Some("speed")),
            (Capabilities { limit: (300, 300), ..all.clone() }, &proposal, None),
            (Capabilities { limit: (301, 400), ..all.clone() }, &proposal, Some("clock")),
            (Capabilities { increment: (0, 2), ..all.clone() }, &proposal, Some("clock")),
            (Capabilities { rated: false, ..all.clone() }, &proposal, Some("rated")),
            (Capabilities { casual: false, ..all.clone() }, &casual, Some("casual")),
            (Capabilities { casual: false, ..all.clone() }, &proposal, None),
            (Capabilities { bots: false, ..all.clone() }, &casual, Some("bots")),
            (Capabilities { people: false, ..all.clone() }, &proposal, Some("people")),
            (Capabilities { rating: (1501, 3000), ..all.clone() }, &proposal, Some("rating")),
        ] {
            assert_eq!(accepts.refuses(game), expected, "{accepts:?}");
        }
        let days = ClockSetting::Move { ms: 3 * 86_400_000 };
        assert_eq!(
            Capabilities { limit: (60, 60), ..all }.refuses(&Proposal { clock: days, ..proposal }),
            None
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_its_field() {
        let all = Capabilities::default();
        for (wrong, field) in [
            (Capabilities { games: 0, ..all.clone() }, "games"),
            (Capabilities { games: MOST_GAMES + 1, ..all.clone() }, "games"),
            (Capabilities { limit: (10, 5), ..all.clone() }, "limit"),
            (Capabilities { increment: (0, DAY + 1), ..all.clone() }, "increment"),
            (Capabilities { rating: (2000, 1000), ..all.clone() }, "rating"),
        ] {
            let error = wrong.checked().expect_err(field);
            assert_eq!(error.fault().field.as_deref(), Some(field));
        }
        assert!(all.checked().is_ok());
        for scope in Scope::ALL {
            assert_eq!(Scope::named(scope.name()), Some(scope));
        }
    }
}
