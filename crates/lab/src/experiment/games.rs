//! Games to play: matches and tournaments, their scores with error bars, and the pictures made of them.

mod data;
mod plot;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sumito_agents::{AgentSpec, Evaluation, evaluations};
use sumito_rules::{ByColor, Color};

use super::check::PaperPoint;
use super::definition::{Size, check_agent};
use super::lab::{LabError, LabJob, Measured, Tell};
use super::learn::Networks;
use super::part::{Meeting, Part, Rows};
use super::played::{self, Played};
use super::table::ReportTable;
use super::values::{MeasuredValue, Values};
use crate::limit::LimitSpec;
use crate::rating::{Anchor, Difference, Rating, Ratings, Results};
use crate::runner::Runner;
use crate::work::registered;

/// What to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Games {
    /// How games end.
    #[serde(default = "tournament")]
    pub rules: String,
    /// After so many plies a game ends, whatever the rules say.
    #[serde(default)]
    pub max_plies: Option<u32>,
    /// Starting layouts.
    #[serde(default = "standard")]
    pub layouts: String,
    /// Random moves at the start of every pair of games.
    #[serde(default)]
    pub random_plies: usize,
    /// How long players without a limit of their own may think.
    #[serde(default)]
    pub limit: LimitSpec,
    /// The evaluation that judges positions, for `gain-a` and `gain-b`.
    #[serde(default)]
    pub judge: String,
    /// More columns for the table, by the names of values.
    #[serde(default)]
    pub columns: Vec<String>,
    /// The agents of parts that name none.
    #[serde(default)]
    pub players: Vec<String>,
    /// What tables call them.
    #[serde(default)]
    pub names: Vec<String>,
    /// Sums over several matches.
    #[serde(default, rename = "summary")]
    pub summaries: Vec<GamesSummary>,
    /// The matches.
    #[serde(rename = "part")]
    pub parts: Vec<Part>,
    /// The pictures.
    #[serde(default, rename = "plot")]
    pub plots: Vec<GamePlot>,
}

fn tournament() -> String {
    "tournament".to_string()
}

fn standard() -> String {
    "standard".to_string()
}

/// What several matches say together, under its id: how many there are (`parts`), in how many the first player
/// pushes off as many marbles as the other or more (`even-or-better`), how many it pushes off on average (`marbles`), its
/// score over all games together (`score`) and in the mean of the matches (`mean-score`), its best and worst score (`best`, `worst`), its mean score as
/// White (`score-white`) and in how many that is not even beyond its error (`lopsided`; where there are several networks, so many of all of
/// these, `networks`), the mean difference between its best and its worst network (`luck`), the mean share of draws (`drawn`), Black's mean
/// score, whoever plays it (`black`), and in how many that is
/// above or below one half beyond its error (`for-black`, `for-white`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GamesSummary {
    /// What values call it.
    pub id: String,
    /// The matches whose ids begin like one of these.
    pub parts: Vec<String>,
}

/// A picture of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GamePlot {
    /// The file's name.
    pub file: String,
    /// Its title.
    pub title: String,
    /// What it shows.
    pub show: Show,
    /// The value on the vertical axis.
    #[serde(default = "score")]
    pub measure: String,
    /// The horizontal axis in words.
    #[serde(default)]
    pub x: String,
    /// The vertical axis in words.
    pub y: String,
    /// Only parts whose id begins like this.
    #[serde(default)]
    pub part: String,
    /// Rows by their values, the largest first, instead of in the order of the parts.
    #[serde(default)]
    pub sorted: bool,
    /// Whether the vertical axis is logarithmic.
    #[serde(default)]
    pub log: bool,
    /// Whether the horizontal axis is.
    #[serde(default)]
    pub log_x: bool,
    /// The paper's curves by name.
    #[serde(default)]
    pub paper: BTreeMap<String, Vec<PaperPoint>>,
}

fn score() -> String {
    "score".to_string()
}

/// What a picture of games shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Show {
    /// A value of every part over its `x`.
    Curve,
    /// The same as dots side by side where several have the same `x`, a colour for each series.
    Dots,
    /// A value of every part, one row each.
    Rows,
    /// The ratings of the players of a tournament.
    Ratings,
    /// Black's lead in marbles over the turns, a line for each game.
    Progress,
    /// The same, one game of those that end on the same turn.
    DistinctProgress,
    /// The nodes of each player over the moves of the game, on average.
    NodesByMove,
    /// How many parts have which difference of marbles, on average over their games.
    Differences,
}

/// A match with its games.
struct Ended {
    meeting: Meeting,
    games: Vec<Played>,
    /// Of the players of a tournament.
    ratings: Option<Ratings>,
}

impl Games {
    pub(super) fn check(&self, size: Size, seed: u64, networks: &Networks) -> Result<(), String> {
        self.judge()?;
        let meetings = self.meetings(size, seed, networks)?;
        let players = meetings.iter().flat_map(|meeting| &meeting.config.players);
        let specs: BTreeSet<&str> = players.map(|player| player.spec.as_str()).collect();
        specs.into_iter().try_for_each(check_agent)
    }

    /// Whether anybody's time is limited.
    pub(super) fn is_timed(&self) -> bool {
        let timed = |limit: LimitSpec| limit.is_timed();
        let own = |part: &Part| part.limit.as_ref().is_some_and(|limit| timed(*limit.of(Size::Full)));
        let player = |text: &String| {
            let (spec, limit) = LimitSpec::split(text).unwrap_or((text, None));
            limit.is_some_and(timed) || spec.parse().is_ok_and(|spec: AgentSpec| spec.is_timed())
        };
        let text = |players: &[String]| players.iter().any(player);
        timed(self.limit)
            || text(&self.players)
            || self.parts.iter().any(|part| own(part) || text(&part.players))
    }

    fn judge(&self) -> Result<Option<Evaluation>, String> {
        if self.judge.is_empty() {
            return Ok(None);
        }
        let names: Vec<&str> = evaluations().map(|(name, _)| *name).collect();
        let found = evaluations().find(|(name, _)| *name == self.judge).map(|(_, make)| make());
        found.map(Some).ok_or_else(|| {
            format!("judge: expected an evaluation ({}), found '{}'", names.join(", "), self.judge)
        })
    }

    fn meetings(&self, size: Size, seed: u64, networks: &Networks) -> Result<Vec<Meeting>, String> {
        let mut meetings = Vec::new();
        for part in &self.parts {
            meetings.extend(part.meetings(self, size, seed, networks)?);
        }
        Ok(meetings)
    }

    /// Plays what has not been played yet, and sums it up.
    pub(super) fn run(
        &self,
        job: LabJob<'_>,
        networks: &Networks,
        tell: Tell<'_>,
    ) -> Result<Measured, LabError> {
        let LabJob { size, seed, executor, dir, stop } = job;
        let judge = self.judge().map_err(LabError::Work)?;
        let meetings = self.meetings(size, seed, networks).map_err(LabError::Work)?;
        let whole: usize = meetings.iter().map(|meeting| meeting.config.schedule().len()).sum();
        let (mut done, mut ended) = (0, Vec::new());
        for meeting in meetings {
            let folder = dir.join(&meeting.id);
            let mut games = Vec::new();
            let runner =
                Runner { config: &meeting.config, executor, dir: Some(&folder), build: &registered, stop };
            let report = runner.run(&mut |progress| {
                games.push(Played::new(progress.game, judge.as_ref()));
                tell("games", done + progress.ended, whole);
            })?;
            if !report.finished {
                return Err(LabError::Stopped);
            }
            done += games.len();
            games.sort_by_key(|game| game.index);
            let ratings = (meeting.config.players.len() > 2).then(|| ratings(&games)).transpose()?;
            ended.push(Ended { meeting, games, ratings });
        }
        Ok(self.sum_up(&ended))
    }

    fn sum_up(&self, ended: &[Ended]) -> Measured {
        let mut values = Values::default();
        // Networks that differ in their seeds alone count together, and of each only its score is told.
        for one in ended.iter().filter(|one| !one.meeting.is_seeded) {
            one.values(&mut values);
        }
        for (id, pool) in pools(ended) {
            let games: Vec<&Played> = pool.iter().flat_map(|one| &one.games).collect();
            played::sum_up(id, &games, &pool[0].meeting.config.players[0].name, &mut values);
            if pool[0].meeting.is_seeded {
                luck(id, &pool, &mut values);
            }
        }
        for summary in &self.summaries {
            summary.sum_up(ended, &mut values);
        }
        let mut tables = vec![self.pairings(ended, &values)];
        tables.extend(ended.iter().filter_map(|one| one.ranking(&values)));
        let charts = self.plots.iter().map(|plot| (plot.file.clone(), plot.chart(ended, &values)));
        // A part may be of runs of the other size alone.
        let plots =
            charts.filter(|(_, chart)| chart.has_points()).map(|(file, chart)| (file, chart.svg())).collect();
        Measured { file: "games.csv", tables, plots, data: data::rows(ended), values }
    }

    /// A row for every two players that met; in a large tournament, only its ranking tells.
    fn pairings(&self, ended: &[Ended], values: &Values) -> ReportTable {
        let mut table = ReportTable::new("", &["", "player", "opponent"], 3);
        let names = ["games", "W-D-L", "score, %", "score as Black, %", "marbles", "plies"];
        table.head.extend(names.map(str::to_string));
        table.head.extend(self.columns.iter().map(|column| column.replace('-', " ")));
        let has_paper = ended.iter().any(|one| !one.meeting.paper.is_empty());
        if has_paper {
            table.head.push("paper".to_string());
        }
        let mut pooled = Vec::new();
        let listed = ended.iter().filter(|one| one.meeting.config.players.len() <= MOST_LISTED);
        for one in listed.filter(|one| is_listed(one, ended, values)) {
            for (a, b, prefix) in one.pairs() {
                let (label, prefix, games) = match &one.meeting.pool {
                    None => (one.meeting.label.clone(), prefix, one.between(a, b)),
                    Some(pool) if pooled.contains(pool) => continue,
                    Some(pool) => {
                        pooled.push(pool.clone());
                        let ours = ended.iter().filter(|other| other.meeting.pool.as_ref() == Some(pool));
                        let games: Vec<&Played> = ours.clone().flat_map(|one| &one.games).collect();
                        (one.pool_label(pool, ours.count()), pool.clone(), games)
                    }
                };
                let mut row = vec![label, a.to_string(), b.to_string()];
                row.extend(numbers(&prefix, a, &games, values));
                for column in &self.columns {
                    let value = values.get(&format!("{prefix}.{column}"));
                    row.push(value.map_or("-".to_string(), |v| v.text(super::values::digits(v.value))));
                }
                if has_paper {
                    row.push(values.fill(&one.meeting.paper));
                }
                table.rows.push(row);
            }
        }
        table
    }
}

/// What the table says about games of a player under a prefix of values.
fn numbers(prefix: &str, player: &str, games: &[&Played], values: &Values) -> [String; 6] {
    let wdl = played::record(games.iter().map(|game| (*game, game.color_of(player))));
    let get = |key: &str, digits| {
        values.get(&format!("{prefix}.{key}")).map_or("-".to_string(), |v| v.text(digits))
    };
    let marbles = |key: &str| values.get(&format!("{prefix}.marbles-{key}")).map_or(0.0, |v| v.value);
    [
        wdl.games().to_string(),
        format!("{}-{}-{}", wdl.wins, wdl.draws, wdl.losses),
        get("score", 1),
        get("score-black", 1),
        format!("{:.2}-{:.2}", marbles("a"), marbles("b")),
        get("plies", 0),
    ]
}

/// Matches that a table of extremes has from either end.
const EXTREMES: usize = 5;

/// Whether the table has a match: all of a part, or those at either end and those of which the paper tells.
fn is_listed(one: &Ended, ended: &[Ended], values: &Values) -> bool {
    let meeting = &one.meeting;
    if meeting.rows == Rows::All || !meeting.paper.is_empty() {
        return true;
    }
    // Equal scores are told apart by marbles.
    let rank = |key: &str| {
        let get = |name: &str| values.get(&format!("{key}.{name}")).map_or(0.0, |v| v.value);
        (get("score"), get("marbles-a") - get("marbles-b"))
    };
    let mut ours: Vec<&str> = units(ended.iter().filter(|other| other.meeting.part == meeting.part))
        .iter()
        .map(|one| one.meeting.key())
        .collect();
    ours.sort_by(|a, b| rank(b).partial_cmp(&rank(a)).expect("scores are numbers"));
    let place = ours.iter().position(|key| *key == meeting.key()).expect("one of them");
    place < EXTREMES || place + EXTREMES >= ours.len()
}

/// One match of those that have the same players but for the seeds of their networks.
fn units<'a>(ended: impl Iterator<Item = &'a Ended>) -> Vec<&'a Ended> {
    let mut seen = BTreeSet::new();
    ended.filter(|one| seen.insert(one.meeting.key())).collect()
}

/// How much the seed matters: the least and the best score of the networks (`least`, `most`), their mean with the interval
/// over the networks (`by-network`), how many there are (`networks`), and of how many the score as White is not even beyond its
/// error (`lopsided`).
fn luck(id: &str, pool: &[&Ended], values: &mut Values) {
    let name = |one: &Ended| one.meeting.config.players[0].name.clone();
    let score = |one: &&Ended| played::score(&one.games.iter().collect::<Vec<_>>(), &name(one));
    let scores: Vec<MeasuredValue> = pool.iter().map(score).collect();
    let is_lopsided = |one: &&&Ended| {
        let (own, games) = (name(one), one.games.iter());
        let games = games.map(|game| (game, game.color_of(&own)));
        let white = MeasuredValue::score(played::record(games.filter(|(_, color)| *color == Color::White)));
        white.low > 50.0 || white.high < 50.0
    };
    let count = |count: usize| Some(MeasuredValue::exact(count as f64));
    let by_value = |a: &&MeasuredValue, b: &&MeasuredValue| a.value.total_cmp(&b.value);
    let mean = MeasuredValue::mean(&scores.iter().map(|score| score.value).collect::<Vec<_>>());
    let found = [
        ("least", scores.iter().min_by(by_value).copied()),
        ("most", scores.iter().max_by(by_value).copied()),
        ("by-network", mean),
        ("networks", count(pool.len())),
        ("lopsided", count(pool.iter().filter(is_lopsided).count())),
    ];
    for (key, value) in found {
        if let Some(value) = value {
            values.set(format!("{id}.{key}"), value);
        }
    }
}

/// The most players whose matches are listed one by one.
const MOST_LISTED: usize = 12;

/// The matches that are counted together, by the id of their part.
fn pools(ended: &[Ended]) -> BTreeMap<&str, Vec<&Ended>> {
    let mut pools: BTreeMap<&str, Vec<&Ended>> = BTreeMap::new();
    for one in ended {
        if let Some(pool) = &one.meeting.pool {
            pools.entry(pool).or_default().push(one);
        }
    }
    pools
}

impl GamesSummary {
    /// The matches that it sums up.
    fn of<'a>(&'a self, ended: &'a [Ended]) -> impl Iterator<Item = &'a Ended> {
        ended.iter().filter(|one| self.parts.iter().any(|part| one.meeting.id.starts_with(part)))
    }

    /// The score of the first player of each of its matches in all games.
    fn together(&self, ended: &[Ended]) -> MeasuredValue {
        let first = |one: &Ended| one.meeting.config.players[0].name.clone();
        let matches: Vec<(Vec<&Played>, String)> =
            self.of(ended).map(|one| (one.games.iter().collect(), first(one))).collect();
        played::score_of_matches(&matches)
    }

    fn sum_up(&self, ended: &[Ended], values: &mut Values) {
        let ids: Vec<&str> = units(self.of(ended)).into_iter().map(|one| one.meeting.key()).collect();
        let of = |key: &str| -> Vec<MeasuredValue> {
            ids.iter().filter_map(|id| values.get(&format!("{id}.{key}"))).collect()
        };
        let above = |key: &str| of(key).iter().filter(|v| v.low > 50.0).count();
        let below = |key: &str| of(key).iter().filter(|v| v.high < 50.0).count();
        let mean = |key: &str| MeasuredValue::mean(&of(key).iter().map(|v| v.value).collect::<Vec<_>>());
        let marbles = of("marbles-a").into_iter().zip(of("marbles-b"));
        let even = marbles.filter(|(own, other)| own.value >= other.value).count();
        let spread = of("most").into_iter().zip(of("least")).map(|(most, least)| most.value - least.value);
        let luck = MeasuredValue::mean(&spread.collect::<Vec<_>>());
        let count = |count: usize| Some(MeasuredValue::exact(count as f64));
        let sum = |key: &str| of(key).iter().map(|v| v.value).sum::<f64>() as usize;
        let is_seeded = !of("networks").is_empty();
        let lopsided = if is_seeded { sum("lopsided") } else { above("score-white") + below("score-white") };
        let found = [
            ("parts", count(ids.len())),
            ("networks", is_seeded.then(|| MeasuredValue::exact(sum("networks") as f64))),
            ("even-or-better", count(even)),
            ("marbles", mean("marbles-a")),
            ("score", Some(self.together(ended))),
            ("mean-score", mean("score")),
            ("best", of("score").into_iter().max_by(|a, b| a.value.total_cmp(&b.value))),
            ("worst", of("score").into_iter().min_by(|a, b| a.value.total_cmp(&b.value))),
            ("lopsided", count(lopsided)),
            ("score-white", mean("score-white")),
            ("luck", luck),
            ("drawn", mean("drawn")),
            ("black", mean("black")),
            ("for-black", count(above("black"))),
            ("for-white", count(below("black"))),
        ];
        for (key, value) in found {
            if let Some(value) = value {
                values.set(format!("{}.{key}", self.id), value);
            }
        }
    }
}

impl Ended {
    /// What the table calls so many matches that count together.
    fn pool_label(&self, pool: &str, matches: usize) -> String {
        if self.meeting.is_seeded {
            format!("{}, {matches} networks", self.meeting.label)
        } else {
            format!("{pool}, {matches} matches")
        }
    }

    /// Every two players that met, and what their values begin with.
    fn pairs(&self) -> Vec<(&str, &str, String)> {
        let players = &self.meeting.config.players;
        let pairs = crate::schedule::pairings(players.len(), self.meeting.config.format);
        let name = |number: usize| players[number].name.as_str();
        let id = &self.meeting.id;
        let prefix = |a: &str, b: &str| {
            if players.len() == 2 { id.clone() } else { format!("{id}.{a}-{b}") }
        };
        pairs.into_iter().map(|(a, b)| (name(a), name(b), prefix(name(a), name(b)))).collect()
    }

    fn between(&self, a: &str, b: &str) -> Vec<&Played> {
        let is_theirs = |players: &ByColor<String>| {
            let (black, white) = (players.black.as_str(), players.white.as_str());
            (black, white) == (a, b) || (black, white) == (b, a)
        };
        self.games.iter().filter(|game| is_theirs(&game.players)).collect()
    }

    fn values(&self, values: &mut Values) {
        for (a, b, prefix) in self.pairs() {
            played::sum_up(&prefix, &self.between(a, b), a, values);
        }
        if self.meeting.config.players.len() == 2 {
            return;
        }
        let id = &self.meeting.id;
        for player in &self.meeting.config.players {
            let name = &player.name;
            let is_in = |game: &&Played| [&game.players.black, &game.players.white].contains(&name);
            let own: Vec<&Played> = self.games.iter().filter(is_in).collect();
            played::sum_up(&format!("{id}.{name}"), &own, name, values);
        }
        let all: Vec<&Played> = self.games.iter().collect();
        played::sum_up(&format!("{id}.all"), &all, "", values);
        for rating in self.ratings.iter().flat_map(|ratings| &ratings.players) {
            values.set(format!("{id}.{}.elo", rating.name), elo(rating));
        }
        self.leads(values);
    }

    /// How much stronger each player is than each of the others, with the difference's own error; `half-width` is this error
    /// alone, of those about whom a tournament is made: the first player's.
    fn leads(&self, values: &mut Values) {
        let Some(ratings) = &self.ratings else { return };
        let first = &self.meeting.config.players[0].name;
        let players = || ratings.players.iter().enumerate();
        for ((place, one), (other, two)) in players().flat_map(|one| players().map(move |two| (one, two))) {
            if place == other {
                continue;
            }
            let lead = format!("{}.{} over {}", self.meeting.id, one.name, two.name);
            let found = difference(ratings.difference(place, other));
            values.set(format!("{lead}.elo"), found);
            // All games say something about it.
            values.set(format!("{lead}.games"), MeasuredValue::exact(self.games.len() as f64));
            if one.name == *first {
                values.set(format!("{lead}.half-width"), MeasuredValue::exact(found.error()));
            }
        }
    }

    /// The players of a tournament, the best first.
    fn ranking(&self, values: &Values) -> Option<ReportTable> {
        let ratings = self.ratings.as_ref()?;
        let draws = if ratings.virtual_draws { ", with one virtual draw for each player" } else { "" };
        let head = ["player", "Elo", "above the next", "games", "W-D-L", "score, %"];
        let mut table = ReportTable::new(&format!("{}: ranking{draws}", self.meeting.label), &head, 1);
        for (place, rating) in ratings.players.iter().enumerate() {
            let games = rating.games;
            let next = (place + 1 < ratings.players.len()).then(|| ratings.difference(place, place + 1));
            table.rows.push(vec![
                rating.name.clone(),
                elo(rating).text(0),
                next.map_or("-".to_string(), |next| difference(next).text(0)),
                games.games().to_string(),
                format!("{}-{}-{}", games.wins, games.draws, games.losses),
                MeasuredValue::score(games).text(1),
            ]);
        }
        let papers = ratings.players.iter().map(|one| values.fill(&self.meeting.by_player.of(&one.name)));
        let papers: Vec<String> = papers.collect();
        if papers.iter().any(|paper| !paper.is_empty()) {
            table.head.push("paper".to_string());
            table.rows.iter_mut().zip(papers).for_each(|(row, paper)| row.push(paper));
        }
        Some(table)
    }
}

/// The ratings of a tournament's players, whose mean is 0, the best first.
fn ratings(games: &[Played]) -> Result<Ratings, LabError> {
    let mut results = Results::default();
    for game in games {
        results.add(&game.players.black, &game.players.white, game.winner);
    }
    results.ratings(&Anchor::Mean).map_err(|why| LabError::Work(why.to_string()))
}

fn elo(rating: &Rating) -> MeasuredValue {
    MeasuredValue { value: rating.elo, low: rating.elo - rating.error, high: rating.elo + rating.error }
}

fn difference(Difference { elo, error }: Difference) -> MeasuredValue {
    MeasuredValue { value: elo, low: elo - error, high: elo + error }
}
