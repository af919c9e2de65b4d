//! An experiment as its file says it: which claims, what to measure, how much of it, and with which seed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::check::ClaimCheck;
use super::claim::{Claim, Finding};
use super::count::Count;
use super::curiosities::Curiosities;
use super::games::Games;
use super::islands::Islands;
use super::learn::{Learn, Networks, Trained};
use super::paper::Paper;
use super::quoted;
use super::result::Published;
use super::values::MeasuredValue;

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// Enough to see the form of the result, in a minute or so.
    Quick,
    /// What is published.
    Full,
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Size::Quick => "quick",
            Size::Full => "full",
        })
    }
}

/// Something that may depend on the size: one value, or `{ quick = ..., full = ... }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BySize<T> {
    /// Different ones.
    Each {
        /// For the quick run.
        quick: T,
        /// For the full run.
        full: T,
    },
    /// The same for both.
    Same(T),
}

impl<T> BySize<T> {
    /// The one for a size.
    pub fn of(&self, size: Size) -> &T {
        match (self, size) {
            (BySize::Same(value), _)
            | (BySize::Each { quick: value, .. }, Size::Quick)
            | (BySize::Each { full: value, .. }, Size::Full) => value,
        }
    }
}

/// An experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Definition {
    /// Its name, `paper/experiment`: the path of its file below `experiments/`.
    #[serde(skip)]
    pub name: String,
    /// What it is about, in a few words.
    pub title: String,
    /// Where in the paper: a section, table or figure.
    #[serde(rename = "where")]
    pub place: String,
    /// What is claimed, in one sentence.
    pub about: String,
    /// The seed of everything that is drawn by lot.
    #[serde(default = "one")]
    pub seed: u64,
    /// How long it takes on one core, in words.
    #[serde(default)]
    pub time: Option<BySize<String>>,
    /// The paper's claims.
    #[serde(default, rename = "claim")]
    pub claims: Vec<Claim>,
    /// Numbers that were measured or computed elsewhere, for claims and texts.
    #[serde(default)]
    pub given: Vec<Given>,
    /// Networks to train first.
    #[serde(default)]
    pub learn: Vec<Learn>,
    /// Searches to count.
    #[serde(default)]
    pub count: Option<Count>,
    /// Games to play.
    #[serde(default)]
    pub games: Option<Games>,
    /// An evolution to time.
    #[serde(default)]
    pub islands: Option<Islands>,
    /// Records to look for.
    #[serde(default)]
    pub curiosities: Option<Curiosities>,
    /// Why our numbers agree with the paper's, or differ: a text with values in braces.
    #[serde(default)]
    pub discussion: String,
}

/// A number that no run of the experiment can bring, with where it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// What values call it.
    pub key: String,
    /// The number.
    pub value: f64,
    /// The lower end of its 95 % interval; the number itself if it is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Where it comes from.
    pub source: String,
}

impl Given {
    pub(super) fn measured(&self) -> MeasuredValue {
        let [low, high] = [self.low, self.high].map(|end| end.unwrap_or(self.value));
        MeasuredValue { value: self.value, low, high }
    }

    fn check(&self) -> Result<(), String> {
        let MeasuredValue { value, low, high } = self.measured();
        if !(low <= value && value <= high) {
            return Err(format!(
                "given '{}': expected low <= value <= high, found {low}, {value}, {high}",
                self.key
            ));
        }
        if self.source.trim().is_empty() {
            return Err(format!("given '{}': expected where it comes from", self.key));
        }
        Ok(())
    }
}

fn one() -> u64 {
    1
}

/// What is wrong with a definition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("experiment {name}: {why}")]
pub struct DefinitionError {
    /// Which one.
    pub name: String,
    /// What was expected, and where.
    pub why: String,
}

impl Definition {
    /// Reads a definition. Whether it can be run says [`Definition::check`].
    pub fn parse(name: &str, text: &str) -> Result<Definition, DefinitionError> {
        let error = |why: String| DefinitionError { name: name.to_string(), why };
        let mut definition: Definition =
            toml::from_str(text).map_err(|why| error(why.to_string().trim_end().to_string()))?;
        definition.name = name.to_string();
        definition.check_claims().map_err(error)?;
        quoted::check(text).map_err(error)?;
        definition.given.iter().try_for_each(Given::check).map_err(error)?;
        Ok(definition)
    }

    /// Refuses what cannot be run: builds every agent and draws every opening.
    pub fn check(&self) -> Result<(), DefinitionError> {
        self.check_work().map_err(|why| DefinitionError { name: self.name.clone(), why })
    }

    /// The document; experiments that somebody keeps elsewhere have none.
    pub fn paper(&self) -> Option<Paper> {
        Paper::of(self.name.split('/').next()?)
    }

    /// Whether there is anything to run. A file may also just list claims that no program can check.
    pub fn can_run(&self) -> bool {
        self.count.is_some() || self.games.is_some() || self.islands.is_some() || self.curiosities.is_some()
    }

    /// The title of the picture in a file of this name, without its ending.
    pub(super) fn picture(&self, file: &str) -> Option<&str> {
        let games = self.games.iter().flat_map(|games| &games.plots).map(|plot| (&plot.file, &plot.title));
        let count = self.count.iter().flat_map(|count| &count.plots).map(|plot| (&plot.file, &plot.title));
        games.chain(count).find(|(name, _)| *name == file).map(|(_, title)| title.as_str())
    }

    /// Whether its numbers depend on the speed of the machine.
    pub fn is_timed(&self) -> bool {
        self.islands.is_some()
            || self.count.as_ref().is_some_and(Count::is_timed)
            || self.games.as_ref().is_some_and(Games::is_timed)
    }

    /// What a result says about each claim; without one they are open.
    pub fn findings(&self, published: Option<&Published>) -> Vec<Finding> {
        match published {
            Some(published) => published.findings(self),
            None => self.claims.iter().map(Claim::open).collect(),
        }
    }

    fn check_claims(&self) -> Result<(), String> {
        for claim in &self.claims {
            if claim.check.is_empty() == claim.cannot.is_empty() {
                return Err(format!(
                    "claim '{}': expected either checks or why there can be none",
                    claim.says
                ));
            }
            if let Some(check) = claim.check.iter().find(|check| !check.compares()) {
                return Err(format!(
                    "check of '{}': expected above, below, or near together with within",
                    check.value
                ));
            }
            let keys = claim.check.iter().flat_map(ClaimCheck::keys);
            let no_number = |key: &&str| quoted::named(key).is_some_and(|quoted| quoted.value.is_none());
            if let Some(key) = keys.into_iter().find(no_number) {
                return Err(format!("check with '{key}': expected a number, found a score"));
            }
        }
        Ok(())
    }

    fn check_work(&self) -> Result<(), String> {
        if let Some(count) = &self.count {
            count.check()?;
        }
        if let Some(games) = &self.games {
            for size in [Size::Quick, Size::Full] {
                games.check(size, self.seed, &self.untrained(size)?)?;
            }
        }
        if let Some(islands) = &self.islands {
            islands.check(self.seed)?;
        }
        self.curiosities.as_ref().map_or(Ok(()), Curiosities::check)
    }

    /// The networks to train, with everything that decides them: by id, one for each seed.
    pub(super) fn networks(
        &self,
        size: Size,
    ) -> Result<BTreeMap<String, Vec<crate::learn::LearnSettings>>, String> {
        let mut networks = BTreeMap::new();
        for learn in &self.learn {
            networks.extend(learn.settings(size, self.seed)?);
        }
        Ok(networks)
    }

    /// The same, with another network in the place of each that is not there yet.
    fn untrained(&self, size: Size) -> Result<Networks, String> {
        let standing_in = |(id, seeded): (String, Vec<crate::learn::LearnSettings>)| {
            let files = vec!["german-daisy".to_string(); seeded.len()];
            (id, Trained { files, settings: seeded[0].clone() })
        };
        Ok(self.networks(size)?.into_iter().map(standing_in).collect())
    }
}

/// Refuses a spec that builds no agent.
pub(super) fn check_agent(spec: &str) -> Result<(), String> {
    sumito_agents::build(spec).map(|_| ()).map_err(|why| format!("agent '{spec}': {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "title = 'a'\nwhere = 'b'\nabout = 'c'\n";

    fn refusal(text: &str) -> String {
        let definition = Definition::parse("mine/test", &format!("{HEAD}{text}"));
        definition.and_then(|definition| definition.check()).expect_err("refused").to_string()
    }

    #[test]
    fn what_depends_on_the_size_may_be_one_value_or_two() {
        let both: BTreeMap<String, BySize<usize>> =
            toml::from_str("a = 3\nb = { quick = 1, full = 2 }").expect("sizes");
        assert_eq!((*both["a"].of(Size::Quick), *both["a"].of(Size::Full)), (3, 3));
        assert_eq!((*both["b"].of(Size::Quick), *both["b"].of(Size::Full)), (1, 2));
    }

    #[test]
    fn a_given_number_has_a_source_and_lies_in_its_interval() {
        let given = |rest: &str| refusal(&format!("[[given]]\nkey = 'people.plies'\nvalue = 101\n{rest}"));
        let found = given("source = 'a count'\nlow = 102");
        assert!(
            found.ends_with("given 'people.plies': expected low <= value <= high, found 102, 101, 101"),
            "{found}"
        );
        assert!(given("source = ' '").ends_with("given 'people.plies': expected where it comes from"));
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        assert!(refusal("titel = 'x'").contains("titel"), "{}", refusal("titel = 'x'"));
        let found = refusal("[[claim]]\nsays = 'x'");
        assert_eq!(found, "experiment mine/test: claim 'x': expected either checks or why there can be none");
        let quoted = "[[claim]]\nsays = 'x'\npaper = '{quoted.aba-pro-minimax-openin}'\ncannot = 'y'";
        let found = refusal(quoted);
        assert!(
            found.contains("line 6: expected a key of quoted.tsv") && found.contains("did you mean"),
            "{found}"
        );
        let score =
            "[[claim]]\nsays = 'x'\ncheck = [{ value = 'a', above = 'quoted.verloop-enemy-quality' }]";
        assert!(refusal(score).contains("expected a number, found a score"), "{}", refusal(score));
        let part = "[games]\n[[games.part]]\nid = 'p'\nplayers = ['random', 'verlop']\ngames = 2";
        assert!(refusal(part).contains("did you mean verloop"), "{}", refusal(part));
        let count = "[count]\n[[count.set]]\nid = 's'\ncount = 1\n[[count.variant]]\nid = 'v'\nagent = 'aba-pro:dept=2'\ndepths = [1]";
        assert!(refusal(count).contains("did you mean depth"), "{}", refusal(count));
    }

    #[test]
    fn what_is_given_as_arithmetic_is_computed_right() {
        let complexity = crate::experiment::find("cornell/complexity").expect("an experiment");
        let given = |key: &str| complexity.given.iter().find(|one| one.key == key).expect(key).value;
        let choose = |n: u32, k: u32| (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product::<f64>();
        let boards = |black, white| choose(61, black) * choose(61 - black, white);
        let all: f64 = (8..=14).flat_map(|black| (8..=14).map(move |white| boards(black, white))).sum();
        let plies = given("people.plies");
        for (key, log) in [
            ("states.log", all.log10()),
            ("states.unlike", (all / 12.0).log10()),
            ("states.full-unlike", (boards(14, 14) / 12.0).log10()),
            ("tree.report", 87.0 * 60f64.log10()),
            ("tree.people", plies * given("people.choices").log10()),
        ] {
            assert!((given(key) - log).abs() < 0.005, "{key}: {log}");
        }
    }
}
