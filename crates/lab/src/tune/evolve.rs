//! The genetic algorithm on two islands of Detry et al. 2023 (section 5.4), over the numbers of any agent.
//!
//! The paper's steps, with its authors' program for what the paper leaves open:
//!
//! * Two islands of 100 sets of weights. The fitness of a set is its score in games against a coach, the agent with
//!   its published weights.
//! * In each generation the best quarter of an island stays. The others make room for children of parents that are
//!   chosen by rank on the first island and by fitness, as slices of a pie, on the second. A child is the mean of
//!   its parents weighted by fitness, and one in twenty changes in one number.
//! * Then the islands exchange half of their members, chosen by lot.
//! * At the end the best hundred of both islands meet in ten tournaments of ten, everybody against everybody. The ten
//!   winners have a child of every two of them, in either order; a winner with itself is the winner again. These
//!   hundred are the entrants of the next round.
//! * The winners of the last round and the best of the islands play the coach once more, longer; the best of them is
//!   the result. Neither the paper nor the program has this: the tournament alone does not say who is best.
//!
//! The program's slips are not followed (its islands select alike, and get their own emigrants back), nor its unit
//! length of a set: here every number has its range, as whole numbers need it. Since fitness is noise to a good part,
//! all members play in every generation, on the same openings, and the games of those that stay add up.

mod breed;
mod config;
mod draws;
mod games;
mod preset;
mod report;
mod select;
mod store;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use sumito_engine::Rng;

use crate::tune::param::TunedParam;
pub use breed::Crossover;
pub use config::{EvolveConfig, EvolveError};
pub use draws::{GameSums, Scoring};
pub use games::EvolveGames;
pub use preset::{Preset, PresetError, preset};
pub use report::{EvolveReport, EvolvedWeight};
pub use select::Selection;
pub use store::EvolveLine;

/// What decides an evolution, apart from the games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvolvePlan {
    /// The numbers that evolve.
    pub weights: Vec<TunedParam>,
    /// Members of each of the two islands.
    pub island: usize,
    /// Generations on the islands.
    pub generations: usize,
    /// Pairs of games of each member against the coach in a generation.
    pub pairs: usize,
    /// How many of an island stay as they are.
    pub survivors: usize,
    /// The part of the ranges, around the agent's own values, where the first members are; 1 is everywhere.
    pub spread: f64,
    /// How two parents make a child.
    pub crossover: Crossover,
    /// The part of the children that change in one number.
    pub mutation: f64,
    /// How far such a change goes at most, as a part of the range.
    pub reach: f64,
    /// What a game counts.
    pub scoring: Scoring,
    /// Players in a tournament, and tournaments in a round.
    pub group: usize,
    /// Rounds of tournaments.
    pub rounds: usize,
    /// Openings in a round. On a single one members much alike only win with the better colour.
    pub round_openings: usize,
    /// Pairs of games of each finalist against the coach.
    pub final_pairs: usize,
    /// The seed of all choices.
    pub seed: u64,
}

/// A set of weights, and its games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Member {
    /// A value for each number.
    pub values: Vec<f64>,
    /// Against the coach; in a tournament, against the others.
    pub record: GameSums,
}

/// A pair of games to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Bout {
    /// Its place among all pairs.
    pub number: usize,
    /// Which of the openings, in their order by lot: all that are to be compared play the same.
    pub round: usize,
    /// Whose record the result is.
    pub first: Vec<f64>,
    /// The opponent; the coach if there is none.
    pub second: Option<Vec<f64>>,
}

/// Where an evolution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvolveStage {
    /// On the islands, so many generations done.
    Islands(usize),
    /// In the tournaments, so many rounds done.
    Tournament(usize),
    /// The last games against the coach.
    Final,
    /// At its end.
    Over,
}

/// What a step brought: a generation, a round of tournaments, or the final.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvolveStep {
    /// Which step.
    pub stage: EvolveStage,
    /// Its games.
    pub games: GameSums,
    /// The islands in a generation, otherwise all together.
    pub parts: Vec<StepPart>,
    /// The best set of weights.
    pub best: Vec<f64>,
}

/// What a step brought a group of members.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StepPart {
    /// The fitness of its best member, by all games of that member so far.
    pub best: f64,
    /// The mean score of the step's games.
    pub mean: f64,
    /// The same for the members that stayed from the generation before: chosen by other games, they are not
    /// flattered by luck as the best are.
    pub stayed: Option<f64>,
}

/// The selection on each island.
pub const ISLANDS: [Selection; 2] = [Selection::Rank, Selection::Pie];

impl EvolvePlan {
    /// Games in all.
    pub fn all_games(&self) -> u64 {
        let stages = (0..self.generations)
            .map(EvolveStage::Islands)
            .chain((0..self.rounds).map(EvolveStage::Tournament))
            .chain([EvolveStage::Final]);
        stages.map(|stage| 2 * self.bouts_in(stage) as u64).sum()
    }

    /// How many openings are needed so that none comes up again.
    pub fn openings(&self) -> usize {
        self.generations * self.pairs + self.rounds * self.round_openings + self.final_pairs
    }

    /// Pairs of games in a step.
    fn bouts_in(&self, stage: EvolveStage) -> usize {
        match stage {
            EvolveStage::Islands(_) => 2 * self.island * self.pairs,
            EvolveStage::Tournament(_) => self.group * self.group * (self.group - 1) / 2,
            EvolveStage::Final => self.finalists() * self.final_pairs,
            EvolveStage::Over => 0,
        }
    }

    /// The winners of the last round and as many of the islands; the latter alone without tournaments.
    fn finalists(&self) -> usize {
        let most = 2 * self.island;
        (if self.rounds > 0 { 2 * self.group } else { self.group }).min(most)
    }

    /// The random numbers of a step: nothing has to be kept between steps.
    fn rng(&self, step: usize) -> Rng {
        Rng::new(self.seed ^ Rng::new(step as u64).next_u64())
    }

    /// The stage after another.
    fn after(&self, stage: EvolveStage) -> EvolveStage {
        match stage {
            EvolveStage::Islands(done) if done + 1 < self.generations => EvolveStage::Islands(done + 1),
            EvolveStage::Islands(_) if self.rounds > 0 => EvolveStage::Tournament(0),
            EvolveStage::Tournament(done) if done + 1 < self.rounds => EvolveStage::Tournament(done + 1),
            EvolveStage::Islands(_) | EvolveStage::Tournament(_) => EvolveStage::Final,
            EvolveStage::Final | EvolveStage::Over => EvolveStage::Over,
        }
    }
}

impl Member {
    fn new(values: Vec<f64>) -> Member {
        Member { values, record: GameSums::default() }
    }

    fn fitness(&self) -> f64 {
        self.record.score()
    }
}

/// An evolution in progress. It knows no games: it says which to play and learns from their results.
#[derive(Clone, Debug)]
pub struct Evolution<'a> {
    plan: &'a EvolvePlan,
    stage: EvolveStage,
    islands: [Vec<Member>; 2],
    /// In a tournament those who play it, group by group; in the final the finalists.
    entrants: Vec<Member>,
    /// The best of the islands, for the final.
    natives: Vec<Member>,
    history: Vec<EvolveStep>,
}

impl<'a> Evolution<'a> {
    /// With members by lot.
    pub fn new(plan: &'a EvolvePlan) -> Evolution<'a> {
        let mut rng = plan.rng(usize::MAX);
        let mut island = || (0..plan.island).map(|_| Member::new(breed::random(plan, &mut rng))).collect();
        let islands = [island(), island()];
        let (entrants, natives, history) = (Vec::new(), Vec::new(), Vec::new());
        Evolution { plan, stage: EvolveStage::Islands(0), islands, entrants, natives, history }
    }

    /// What it follows.
    pub fn plan(&self) -> &'a EvolvePlan {
        self.plan
    }

    /// Where it is.
    pub fn stage(&self) -> EvolveStage {
        self.stage
    }

    /// What every step so far brought.
    pub fn history(&self) -> &[EvolveStep] {
        &self.history
    }

    /// Whether all is done.
    pub fn is_finished(&self) -> bool {
        self.stage == EvolveStage::Over
    }

    /// All games so far, for those whose fitness they were.
    pub fn games(&self) -> GameSums {
        let mut all = GameSums::default();
        self.history.iter().for_each(|step| all += step.games);
        all
    }

    /// The best set of weights so far; the agent's own values before the first generation.
    pub fn best(&self) -> Vec<f64> {
        let own = || self.plan.weights.iter().map(|weight| weight.start).collect();
        self.history.last().map_or_else(own, |step| step.best.clone())
    }

    /// The pairs of games of the next step.
    pub fn bouts(&self) -> Vec<Bout> {
        let plan = self.plan;
        let bout = |round, first: &Member, second: Option<&Member>| Bout {
            number: 0,
            round,
            first: first.values.clone(),
            second: second.map(|member| member.values.clone()),
        };
        let tournaments = plan.generations * plan.pairs;
        let mut bouts: Vec<Bout> = match self.stage {
            EvolveStage::Islands(done) => {
                let rounds = done * plan.pairs..(done + 1) * plan.pairs;
                let members = self.islands.iter().flatten();
                members
                    .flat_map(|member| rounds.clone().map(move |round| bout(round, member, None)))
                    .collect()
            }
            EvolveStage::Tournament(done) => {
                let pairings = select::pairings(self.entrants.len(), plan.group).into_iter();
                let entrant = |i: usize| &self.entrants[i];
                let first = tournaments + done * plan.round_openings;
                // So nobody has an opening twice before having had all.
                let round =
                    |i: usize, j: usize| first + (i % plan.group + j % plan.group) % plan.round_openings;
                pairings.map(|(i, j)| bout(round(i, j), entrant(i), Some(entrant(j)))).collect()
            }
            EvolveStage::Final => {
                let first = tournaments + plan.rounds * plan.round_openings;
                let rounds = first..first + plan.final_pairs;
                let members = self.entrants.iter();
                members
                    .flat_map(|member| rounds.clone().map(move |round| bout(round, member, None)))
                    .collect()
            }
            EvolveStage::Over => Vec::new(),
        };
        let played = self.games().games() as usize / 2;
        for (bout, number) in bouts.iter_mut().zip(played..) {
            bout.number = number;
        }
        bouts
    }

    /// Goes a step further by the results of its games, one for each bout.
    pub fn learn(&mut self, results: &[GameSums]) {
        let mut rng = self.plan.rng(self.history.len());
        match self.stage {
            EvolveStage::Islands(_) => self.generation(results, &mut rng),
            EvolveStage::Tournament(_) => self.round(results, &mut rng),
            EvolveStage::Final => self.end(results),
            EvolveStage::Over => {}
        }
        self.stage = self.plan.after(self.stage);
    }

    fn generation(&mut self, results: &[GameSums], rng: &mut Rng) {
        let (plan, mut parts) = (self.plan, Vec::new());
        let each = results.chunks(plan.island * plan.pairs);
        for (island, results) in self.islands.iter_mut().zip(each) {
            let stayed = stayed(island, results, plan.pairs);
            book(island, results, plan.pairs);
            island.sort_by(|one, other| other.fitness().total_cmp(&one.fitness()));
            parts.push(StepPart { best: island[0].fitness(), mean: sum(results).score(), stayed });
        }
        let best = best_of(self.islands.iter().flatten()).values.clone();
        self.history.push(EvolveStep { stage: self.stage, games: sum(results), parts, best });
        if matches!(plan.after(self.stage), EvolveStage::Islands(_)) {
            for (island, selection) in self.islands.iter_mut().zip(ISLANDS) {
                breed::next(plan, selection, island, rng);
            }
            let [one, other] = &mut self.islands;
            select::exchange(one, other, rng);
        } else {
            self.leave_islands(rng);
        }
    }

    /// The best of both islands go to the tournaments, or to the final if there are none.
    fn leave_islands(&mut self, rng: &mut Rng) {
        let plan = self.plan;
        let mut all: Vec<Member> = self.islands.iter().flatten().cloned().collect();
        all.sort_by(|one, other| other.fitness().total_cmp(&one.fitness()));
        self.natives = all[..plan.group.min(all.len())].to_vec();
        if plan.rounds == 0 {
            self.entrants = fresh(&self.natives);
            return;
        }
        self.entrants = fresh(&all[..plan.group * plan.group]);
        rng.shuffle(&mut self.entrants);
    }

    fn round(&mut self, results: &[GameSums], rng: &mut Rng) {
        let plan = self.plan;
        for (&(i, j), &result) in select::pairings(self.entrants.len(), plan.group).iter().zip(results) {
            self.entrants[i].record += result;
            self.entrants[j].record += result.reversed();
        }
        let winners: Vec<Member> =
            self.entrants.chunks(plan.group).map(|group| best_of(group).clone()).collect();
        let best = best_of(&winners);
        let mean = winners.iter().map(Member::fitness).sum::<f64>() / winners.len() as f64;
        let parts = vec![StepPart { best: best.fitness(), mean, stayed: None }];
        let (games, best) = (sum(results), best.values.clone());
        self.history.push(EvolveStep { stage: self.stage, games, parts, best });
        if plan.after(self.stage) == EvolveStage::Final {
            self.entrants = fresh(&winners);
            self.entrants.extend(fresh(&self.natives));
        } else {
            self.entrants = breed::offspring(plan, &winners, rng);
            rng.shuffle(&mut self.entrants);
        }
    }

    fn end(&mut self, results: &[GameSums]) {
        book(&mut self.entrants, results, self.plan.final_pairs);
        let best = best_of(&self.entrants);
        let parts = vec![StepPart { best: best.fitness(), mean: sum(results).score(), stayed: None }];
        let (games, best) = (sum(results), best.values.clone());
        self.history.push(EvolveStep { stage: self.stage, games, parts, best });
    }

    /// The games of the best in the final against the coach, once they are played.
    pub fn champion(&self) -> Option<GameSums> {
        self.is_finished().then(|| best_of(&self.entrants).record)
    }
}

/// Adds the results to the members' records, so many for each.
fn book(members: &mut [Member], results: &[GameSums], each: usize) {
    for (member, results) in members.iter_mut().zip(results.chunks(each)) {
        member.record += sum(results);
    }
}

/// The score of those who have played before, so many results for each member.
fn stayed(members: &[Member], results: &[GameSums], each: usize) -> Option<f64> {
    let mut games = GameSums::default();
    for (member, results) in members.iter().zip(results.chunks(each)) {
        if member.record.games() > 0 {
            games += sum(results);
        }
    }
    (games.games() > 0).then(|| games.score())
}

fn sum(results: &[GameSums]) -> GameSums {
    let mut sum = GameSums::default();
    results.iter().for_each(|&result| sum += result);
    sum
}

/// The first of the fittest.
fn best_of<'m>(members: impl IntoIterator<Item = &'m Member>) -> &'m Member {
    let better =
        |one: &'m Member, other: &'m Member| if other.fitness() > one.fitness() { other } else { one };
    members.into_iter().reduce(better).expect("no group is empty")
}

/// The same members without their games.
fn fresh(members: &[Member]) -> Vec<Member> {
    members.iter().map(|member| Member::new(member.values.clone())).collect()
}
