//! Challenges: somebody wants to play with somebody, who accepts or declines.

use serde::{Deserialize, Serialize};
use sumito_rules::{Color, Layout};
use utoipa::ToSchema;

use super::game::ClockSetting;
use super::person::Person;

/// Open challenges that somebody may have sent.
pub(crate) const MOST_SENT: usize = 20;
/// Open challenges that may wait for somebody.
pub(crate) const MOST_RECEIVED: usize = 50;
/// Milliseconds after which nobody need answer any more.
pub(crate) const KEPT: i64 = 24 * 3600 * 1000;

/// A challenge.
#[derive(Clone, Debug)]
pub(crate) struct Challenge {
    pub(crate) id: String,
    pub(crate) challenger: Person,
    pub(crate) dest: Person,
    pub(crate) layout: &'static Layout,
    pub(crate) clock: ClockSetting,
    pub(crate) rated: bool,
    /// The colour that the challenger wants; either if none.
    pub(crate) color: Option<Color>,
    pub(crate) created: i64,
    pub(crate) state: ChallengeState,
}

/// How far a challenge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChallengeState {
    Open,
    /// Whoever sent it, or time, has called it off.
    Canceled,
    Declined(DeclineReason),
}

/// Why somebody declines, in the words that authors of programs know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum DeclineReason {
    #[default]
    Generic,
    Later,
    TooFast,
    TooSlow,
    TimeControl,
    Rated,
    Casual,
    Standard,
    Variant,
    NoBot,
    OnlyBot,
}

impl DeclineReason {
    pub(crate) const ALL: [DeclineReason; 11] = [
        DeclineReason::Generic,
        DeclineReason::Later,
        DeclineReason::TooFast,
        DeclineReason::TooSlow,
        DeclineReason::TimeControl,
        DeclineReason::Rated,
        DeclineReason::Casual,
        DeclineReason::Standard,
        DeclineReason::Variant,
        DeclineReason::NoBot,
        DeclineReason::OnlyBot,
    ];

    /// The word for it.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            DeclineReason::Generic => "generic",
            DeclineReason::Later => "later",
            DeclineReason::TooFast => "tooFast",
            DeclineReason::TooSlow => "tooSlow",
            DeclineReason::TimeControl => "timeControl",
            DeclineReason::Rated => "rated",
            DeclineReason::Casual => "casual",
            DeclineReason::Standard => "standard",
            DeclineReason::Variant => "variant",
            DeclineReason::NoBot => "noBot",
            DeclineReason::OnlyBot => "onlyBot",
        }
    }

    /// In a sentence.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            DeclineReason::Generic => "I'm not accepting challenges at the moment.",
            DeclineReason::Later => "This is not the right time for me, please ask again later.",
            DeclineReason::TooFast => "This time control is too fast for me.",
            DeclineReason::TooSlow => "This time control is too slow for me.",
            DeclineReason::TimeControl => "I'm not accepting challenges with this time control.",
            DeclineReason::Rated => "Please send me a rated challenge instead.",
            DeclineReason::Casual => "Please send me a challenge that is not rated instead.",
            DeclineReason::Standard => "I'm only playing the standard layout at the moment.",
            DeclineReason::Variant => "I'm not willing to play this layout right now.",
            DeclineReason::NoBot => "I'm not accepting challenges from bots.",
            DeclineReason::OnlyBot => "I'm only accepting challenges from bots.",
        }
    }

    /// The reason for a word in any spelling of its letters.
    pub(crate) fn named(word: &str) -> Option<DeclineReason> {
        DeclineReason::ALL.into_iter().find(|reason| reason.key().eq_ignore_ascii_case(word))
    }
}

impl ChallengeState {
    /// The word by which it is kept.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            ChallengeState::Open => "open",
            ChallengeState::Canceled => "canceled",
            ChallengeState::Declined(reason) => reason.key(),
        }
    }

    pub(crate) fn named(word: &str) -> Option<ChallengeState> {
        match word {
            "open" => Some(ChallengeState::Open),
            "canceled" => Some(ChallengeState::Canceled),
            reason => DeclineReason::named(reason).map(ChallengeState::Declined),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_its_word_and_every_reason_the_word_that_it_is_sent_with() {
        let declined = DeclineReason::ALL.map(ChallengeState::Declined);
        for state in [ChallengeState::Open, ChallengeState::Canceled].into_iter().chain(declined) {
            assert_eq!(ChallengeState::named(state.word()), Some(state));
        }
        for reason in DeclineReason::ALL {
            assert_eq!(serde_json::to_value(reason).expect("plain data"), reason.key());
        }
        assert_eq!(DeclineReason::named("nobot"), Some(DeclineReason::NoBot));
    }
}
