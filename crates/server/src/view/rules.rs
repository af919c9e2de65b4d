//! Rules as requests give them and answers show them: the name of a preset, or a preset with changes.

use serde::{Deserialize, Serialize};
use sumito_rules::{AtCap, Repetition, Rules};
use utoipa::ToSchema;

use crate::domain::error::{AppError, Cause, Words, within};
use crate::view::words::{AtCapWord, RepetitionWord};

/// How games end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RulesView {
    /// The preset that has just these rules.
    pub(crate) preset: Option<String>,
    pub(crate) marbles_to_win: u8,
    /// `off`, `threefold` or `make-and-undo`.
    #[schema(value_type = RepetitionWord)]
    pub(crate) repetition: Repetition,
    /// Plies after which the game ends.
    pub(crate) ply_cap: Option<u32>,
    /// Plies without an ejection after which the game ends.
    pub(crate) quiet_cap: Option<u32>,
    /// What decides at a limit: `ejections`, or it is a `draw`.
    #[schema(value_type = AtCapWord)]
    pub(crate) at_cap: AtCap,
}

impl From<&Rules> for RulesView {
    fn from(rules: &Rules) -> RulesView {
        RulesView {
            preset: rules.preset().map(str::to_string),
            marbles_to_win: rules.marbles_to_win,
            repetition: rules.repetition,
            ply_cap: rules.ply_cap,
            quiet_cap: rules.quiet_cap,
            at_cap: rules.at_cap,
        }
    }
}

/// Rules as a request gives them.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "expected the name of a preset, or an object with preset, marbles_to_win, repetition, ply_cap, quiet_cap, at_cap"
)]
pub(crate) enum RulesRequest {
    /// A preset such as `official`.
    Preset(String),
    /// A preset with changes.
    Changed(ChangedRules),
}

/// A preset with changes; what is absent is as in the preset.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangedRules {
    preset: Option<String>,
    #[schema(minimum = 1, maximum = 6)]
    marbles_to_win: Option<u8>,
    #[schema(value_type = Option<RepetitionWord>)]
    repetition: Option<Repetition>,
    ply_cap: Option<u32>,
    quiet_cap: Option<u32>,
    #[schema(value_type = Option<AtCapWord>)]
    at_cap: Option<AtCap>,
}

/// The most plies that a cap may be.
const LONGEST: u64 = 10_000;

fn preset(name: &str, field: &str) -> Result<Rules, AppError> {
    Rules::named(name).map(|rules| Rules { clock: None, ..rules }).ok_or_else(|| {
        let known = Words(Rules::PRESETS.iter().map(|(name, _)| *name).collect());
        Cause::WordUnknown { known, found: name.to_string() }.at(field)
    })
}

/// The rules of a request; the official ones if it says nothing.
pub(crate) fn rules(request: Option<RulesRequest>) -> Result<Rules, AppError> {
    let changed = match request {
        None => return Ok(Rules::OFFICIAL),
        Some(RulesRequest::Preset(name)) => return preset(&name, "rules"),
        Some(RulesRequest::Changed(changed)) => changed,
    };
    let base = changed.preset.map_or(Ok(Rules::OFFICIAL), |name| preset(&name, "rules.preset"))?;
    let rules = Rules {
        marbles_to_win: changed.marbles_to_win.unwrap_or(base.marbles_to_win),
        repetition: changed.repetition.unwrap_or(base.repetition),
        ply_cap: changed.ply_cap.or(base.ply_cap),
        quiet_cap: changed.quiet_cap.or(base.quiet_cap),
        at_cap: changed.at_cap.unwrap_or(base.at_cap),
        clock: None,
    };
    within("rules.marbles_to_win", rules.marbles_to_win, 1, 6)?;
    within("rules.ply_cap", rules.ply_cap.unwrap_or(1), 1, LONGEST)?;
    within("rules.quiet_cap", rules.quiet_cap.unwrap_or(1), 1, LONGEST)?;
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Rules, AppError> {
        rules(serde_json::from_str(text).expect("JSON"))
    }

    #[test]
    fn rules_are_a_preset_or_one_with_changes() {
        assert_eq!(read("null"), Ok(Rules::OFFICIAL));
        assert_eq!(read("\"tournament\""), Ok(Rules::TOURNAMENT));
        let changed = read(r#"{"preset":"playstrategy","marbles_to_win":3}"#).expect("rules");
        assert_eq!(changed, Rules { marbles_to_win: 3, ..Rules::PLAYSTRATEGY });
        assert_eq!(RulesView::from(&changed).preset, None);
        assert_eq!(RulesView::from(&Rules::MSO).preset.as_deref(), Some("playstrategy"));
    }

    #[test]
    fn rules_that_make_no_sense_are_refused_by_name() {
        for (text, field) in [
            ("\"mine\"", "rules"),
            (r#"{"preset":"mine"}"#, "rules.preset"),
            (r#"{"marbles_to_win":0}"#, "rules.marbles_to_win"),
            (r#"{"ply_cap":0}"#, "rules.ply_cap"),
        ] {
            assert_eq!(read(text).expect_err(text).fault().field.as_deref(), Some(field));
        }
    }
}
