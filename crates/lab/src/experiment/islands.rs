//! How long an evolution takes with its two islands one after the other, and with a thread for each of them.
//!
//! Detry et al. 2023 (section 5.4) ran each island in a thread of its own until the exchange, and so do we. The result is
//! the same either way; only the time differs.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use sumito_agents::Stop;
use sumito_rules::Rules;

use super::definition::{BySize, Size, check_agent};
use super::lab::{LabError, LabJob, Measured, Tell};
use super::table::ReportTable;
use super::values::{MeasuredValue, Values, number};
use crate::limit::LimitSpec;
use crate::opening;
use crate::referee::Conduct;
use crate::run::{Journal, RunKind};
use crate::tune::evolve::{
    Bout, Crossover, Evolution, EvolveConfig, EvolveGames, EvolvePlan, EvolveStage, GameSums, Preset,
    Scoring, preset,
};
use crate::tune::param::ranged;
use crate::work::Threads;

/// An evolution to time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Islands {
    /// The agent whose weights evolve, and their coach.
    pub agent: String,
    /// Members of each of the two islands.
    pub members: BySize<usize>,
    /// Generations, of which each is timed.
    pub generations: BySize<usize>,
    /// Random plies at the beginning of a game.
    #[serde(default)]
    pub random_plies: usize,
    /// Plies after which more ejections win.
    pub max_plies: u32,
    /// How often it is repeated; the shortest time counts.
    pub repeats: BySize<usize>,
}

/// Where the islands' games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Way {
    /// One island after the other.
    OneThread,
    /// Each island in a thread of its own.
    TwoThreads,
}

const WAYS: [Way; 2] = [Way::OneThread, Way::TwoThreads];

impl Way {
    fn id(self) -> &'static str {
        match self {
            Way::OneThread => "one-thread",
            Way::TwoThreads => "two-threads",
        }
    }
}

/// An evolution that was timed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Timed {
    way: Way,
    repeat: usize,
    ms: f64,
    games: u64,
}

const KIND: RunKind =
    RunKind { what: "islands", settings: "islands.json", progress: "times.jsonl", repeats_settings: false };

impl Islands {
    pub(super) fn check(&self, seed: u64) -> Result<(), String> {
        check_agent(&self.agent)?;
        [Size::Quick, Size::Full].into_iter().try_for_each(|size| self.config(size, seed).map(|_| ()))
    }

    /// Times both ways in turn, as often as wanted.
    pub(super) fn run(&self, job: LabJob<'_>, tell: Tell<'_>) -> Result<Measured, LabError> {
        let LabJob { size, seed, dir, stop, .. } = job;
        let mut times: Vec<Timed> = Vec::new();
        let identity = serde_json::json!({ "islands": self, "size": size, "seed": seed });
        let mut journal = Journal::open(dir, KIND, &identity, |line| {
            times.push(serde_json::from_str(line).map_err(|why| why.to_string())?);
            Ok(())
        })?;
        let config = self.config(size, seed).map_err(LabError::Work)?;
        let whole = WAYS.len() * self.repeats.of(size);
        for done in times.len()..whole {
            tell("evolutions", done, whole);
            let way = WAYS[done % WAYS.len()];
            let start = Instant::now();
            let evolution = evolve(&config, way, stop)?;
            let ms = start.elapsed().as_secs_f64() * 1e3;
            let timed = Timed { way, repeat: done / WAYS.len(), ms, games: evolution.games().games() };
            journal.append(&timed)?;
            times.push(timed);
        }
        tell("evolutions", whole, whole);
        Ok(sum_up(&times))
    }

    fn config(&self, size: Size, seed: u64) -> Result<EvolveConfig, String> {
        let Preset { agent, weights } = preset(&self.agent, false).map_err(|why| why.to_string())?;
        let (island, generations) = (*self.members.of(size), *self.generations.of(size));
        let plan = EvolvePlan {
            weights: ranged(&agent, &weights).map_err(|why| why.to_string())?,
            island,
            generations,
            pairs: 1,
            survivors: island / 4,
            spread: 1.0,
            crossover: Crossover::default(),
            mutation: 0.05,
            reach: 0.2,
            scoring: Scoring::default(),
            group: 2,
            rounds: 0,
            round_openings: 1,
            final_pairs: 1,
            seed,
        };
        plan.check().map_err(|why| why.to_string())?;
        let limit = LimitSpec { move_time: None, clock: None, nodes: None, depth: Some(1) };
        let rules = Rules { ply_cap: Some(self.max_plies), ..Rules::TOURNAMENT };
        let openings = opening::layouts("standard")
            .and_then(|bases| opening::randomised(&bases, self.random_plies, plan.openings(), seed))
            .map_err(|why| why.to_string())?;
        let (coach, conduct) = (self.agent.clone(), Conduct::new(rules));
        Ok(EvolveConfig { agent, coach, plan, limit, final_limit: limit, conduct, openings })
    }
}

/// Runs the generations of an evolution.
fn evolve<'c>(config: &'c EvolveConfig, way: Way, stop: &Stop) -> Result<Evolution<'c>, LabError> {
    let mut evolution = Evolution::new(&config.plan);
    while matches!(evolution.stage(), EvolveStage::Islands(_)) {
        let bouts = evolution.bouts();
        let (one, other) = bouts.split_at(bouts.len() / 2);
        let play = |bouts: &[Bout]| {
            let alone = Threads::new(1);
            let games = EvolveGames::new(config, &alone, stop);
            games.play(evolution.stage(), bouts, &mut |_| ())
        };
        let [one, other] = match way {
            Way::OneThread => [play(one), play(other)],
            Way::TwoThreads => std::thread::scope(|scope| {
                let second = scope.spawn(|| play(other));
                [play(one), second.join().expect("an island does not panic")]
            }),
        };
        let (Some(mut results), Some(others)) = (one?, other?) else { return Err(LabError::Stopped) };
        results.extend(others);
        let results: Vec<GameSums> = results;
        evolution.learn(&results);
    }
    Ok(evolution)
}

/// The shortest time of one way, with an interval as wide as the difference to the second shortest, at least 1 %; a
/// single one is exact to a tenth.
fn shortest(times: &[Timed], way: Way) -> MeasuredValue {
    let mut sorted: Vec<f64> = times.iter().filter(|timed| timed.way == way).map(|timed| timed.ms).collect();
    sorted.sort_by(f64::total_cmp);
    let value = sorted.first().copied().unwrap_or(f64::NAN);
    let error = sorted.get(1).map_or(0.1 * value, |second| (second - value).max(0.01 * value));
    MeasuredValue { value, low: value - error, high: value + error }
}

fn sum_up(times: &[Timed]) -> Measured {
    let mut values = Values::default();
    let [one, two] = WAYS.map(|way| shortest(times, way));
    let faster =
        MeasuredValue { value: one.value / two.value, low: one.low / two.high, high: one.high / two.low };
    let mut table = ReportTable::new("The same evolution", &["islands", "ms", "faster"], 1);
    for (way, ms, ratio) in [(WAYS[0], one, None), (WAYS[1], two, Some(faster))] {
        values.set(format!("islands.{}.wall-ms", way.id()), ms);
        let label = way.id().replace('-', " ");
        table.rows.push(vec![label, ms.text(0), ratio.map_or(String::new(), |ratio| ratio.text(2))]);
    }
    values.set("islands.faster", faster);
    let mut data = ReportTable::new("", &["islands", "repeat", "games", "wall-ms"], 1);
    for timed in times {
        let (repeat, games) = (timed.repeat.to_string(), timed.games.to_string());
        data.rows.push(vec![timed.way.id().to_string(), repeat, games, number(timed.ms, 1)]);
    }
    Measured { file: "islands.csv", tables: vec![table], plots: Vec::new(), data, values }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn islands() -> Islands {
        let text = "agent = 'maastricht:depth=1'\nmembers = 4\ngenerations = 2\nrandom-plies = 4\n\
                    max-plies = 20\nrepeats = 1";
        toml::from_str(text).expect("islands")
    }

    #[test]
    fn a_thread_for_each_island_changes_nothing_but_the_time() {
        let config = islands().config(Size::Quick, 1).expect("an evolution");
        let histories = WAYS.map(|way| {
            let evolution = evolve(&config, way, &Stop::default()).expect("generations");
            evolution.history().to_vec()
        });
        assert_eq!(histories[0].len(), 2);
        assert_eq!(histories[0], histories[1]);
    }

    #[test]
    fn the_shortest_times_make_the_ratio() {
        let timed = |way, ms| Timed { way, repeat: 0, ms, games: 8 };
        let times = [
            timed(Way::OneThread, 260.0),
            timed(Way::TwoThreads, 200.0),
            timed(Way::OneThread, 250.0),
            timed(Way::TwoThreads, 290.0),
        ];
        let faster = sum_up(&times).values.get("islands.faster").expect("the ratio");
        let expected = [1.25, 240.0 / 290.0, 260.0 / 110.0];
        for (found, expected) in [faster.value, faster.low, faster.high].into_iter().zip(expected) {
            assert!((found - expected).abs() < 0.001, "{found} instead of {expected}");
        }
    }

    #[test]
    fn an_agent_without_weights_is_refused() {
        let none = Islands { agent: "random".to_string(), ..islands() };
        assert!(none.check(1).expect_err("refused").contains("no weights are known"));
    }
}
