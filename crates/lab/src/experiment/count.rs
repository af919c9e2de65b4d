//! Searches to count: every variant of an agent on every position, at several depths.

mod sums;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use serde::{Deserialize, Serialize};
use sumito_agents::Stop;

use super::counter::{Counter, Counts, MEASURES, TIMES};
use super::definition::{BySize, Size, check_agent};
use super::lab::{Job, LabError, Measured, Tell};
use super::positions::{Drawn, Set};
use crate::tune::journal::{Journal, Names};
use sums::{Sums, data};

/// What to search and count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Count {
    /// How often every search is repeated; the shortest time counts.
    #[serde(default = "once")]
    pub repeats: BySize<usize>,
    /// The positions.
    #[serde(rename = "set")]
    pub sets: Vec<Set>,
    /// The agents.
    #[serde(rename = "variant")]
    pub variants: Vec<Variant>,
    /// The tables of the report.
    #[serde(default, rename = "table")]
    pub tables: Vec<CountTable>,
    /// The pictures.
    #[serde(default, rename = "plot")]
    pub plots: Vec<CountPlot>,
}

fn once() -> BySize<usize> {
    BySize::Same(1)
}

/// An agent with some settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Variant {
    /// What values call it.
    pub id: String,
    /// What tables call it.
    #[serde(default)]
    pub label: String,
    /// The agent's spec.
    #[serde(default)]
    pub agent: String,
    /// The depths to search.
    #[serde(default = "no_depths")]
    pub depths: BySize<Vec<u32>>,
    /// Threads that do nothing but keep the processors busy meanwhile.
    #[serde(default)]
    pub load: usize,
    /// Instead of an agent: the leaves that alpha-beta sees with the best order, by Knuth and Moore, in a tree with the
    /// moves per position of this variant.
    #[serde(default)]
    pub optimal_of: String,
}

fn no_depths() -> BySize<Vec<u32>> {
    BySize::Same(Vec::new())
}

/// A table: a row for each variant, a column for each measure of each set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CountTable {
    /// Its title.
    pub title: String,
    /// What it shows, by the names of `Counts::measure`; `total-` before one is the sum over the positions.
    pub measures: Vec<String>,
    /// Only these sets.
    #[serde(default)]
    pub sets: Vec<String>,
    /// The paper's numbers by variant: one for each column, in their order.
    #[serde(default)]
    pub paper: BTreeMap<String, Vec<String>>,
}

/// A picture of counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CountPlot {
    /// The file's name.
    pub file: String,
    /// Its title.
    pub title: String,
    /// What is on the horizontal axis.
    pub over: Over,
    /// What is on the vertical axis.
    pub measure: String,
    /// The vertical axis in words.
    pub y: String,
    /// The horizontal axis in words.
    pub x: String,
    /// Only these sets.
    #[serde(default)]
    pub sets: Vec<String>,
    /// Only these variants.
    #[serde(default)]
    pub variants: Vec<String>,
    /// Whether the vertical axis, and of a scatter also the horizontal one, is logarithmic.
    #[serde(default)]
    pub log: bool,
    /// For `over = "reference"`: whose value is on the horizontal axis.
    #[serde(default)]
    pub reference: String,
    /// The paper's curves by name.
    #[serde(default)]
    pub paper: BTreeMap<String, Vec<(f64, f64)>>,
}

/// What is on the horizontal axis of a picture of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// The depth.
    Depth,
    /// The ply of the deepest search.
    Ply,
    /// The value of another variant at the same position: a point for each position.
    Reference,
    /// The shortest time of all repeats at the same position: a point for each repeat.
    Repeats,
    /// The number of the position.
    Position,
}

/// A search that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Cell {
    variant: String,
    set: String,
    depth: u32,
    repeat: usize,
    position: usize,
    counts: Counts,
}

/// Searches that one thread makes in a row: those of a game, whose agent remembers, or a single one.
struct Task<'a> {
    variant: &'a Variant,
    set: &'a Set,
    drawn: &'a Drawn,
    depth: u32,
    repeat: usize,
    positions: std::ops::Range<usize>,
    timed: bool,
}

const NAMES: Names = Names { what: "count", config: "count.json", lines: "cells.jsonl" };

impl Count {
    pub(super) fn check(&self) -> Result<(), String> {
        self.sets.iter().try_for_each(Set::check)?;
        for variant in self.variants.iter().filter(|variant| variant.optimal_of.is_empty()) {
            check_agent(&variant.agent)?;
            Counter::new(&variant.agent)?;
            if variant.depths.of(Size::Quick).is_empty() {
                return Err(format!("variant '{}': expected depths", variant.id));
            }
        }
        let plots = self.plots.iter().map(|plot| &plot.measure);
        let measures = self.tables.iter().flat_map(|table| &table.measures).chain(plots);
        for measure in measures {
            let name = measure.trim_start_matches("total-");
            if !MEASURES.contains(&name) && !name.starts_with("ply") {
                return Err(format!(
                    "expected a measure ({}, ply, ply-N), found '{name}'",
                    MEASURES.join(", ")
                ));
            }
        }
        Ok(())
    }

    /// Whether any number shown is a time.
    pub(super) fn is_timed(&self) -> bool {
        let plots = self.plots.iter().map(|plot| plot.measure.as_str());
        let tables = self.tables.iter().flat_map(|table| table.measures.iter().map(String::as_str));
        plots.chain(tables).any(|measure| TIMES.contains(&measure.trim_start_matches("total-")))
    }

    /// Makes all searches that have not been made yet, and sums them up. Times are measured on one thread alone.
    pub(super) fn run(&self, job: Job<'_>, tell: Tell<'_>) -> Result<Measured, LabError> {
        let Job { size, seed, threads, dir, stop } = job;
        let mut cells: Vec<Cell> = Vec::new();
        let identity = serde_json::json!({ "count": self.identity(), "size": size, "seed": seed });
        let mut journal = Journal::open(dir, NAMES, &identity, |line| {
            cells.push(serde_json::from_str(line).map_err(|why| why.to_string())?);
            Ok(())
        })?;
        let mut drawn = BTreeMap::new();
        for set in &self.sets {
            drawn.insert(set.id.as_str(), set.draw(size, seed).map_err(LabError::Work)?);
        }
        let tasks = self.tasks(size, &drawn);
        let whole: usize = tasks.iter().map(|task| task.positions.len()).sum();
        let made =
            |task: &Task<'_>| cells.iter().filter(|cell| task.holds(cell)).count() == task.positions.len();
        let pending: Vec<&Task<'_>> = tasks.iter().filter(|task| !made(task)).collect();
        // What an interruption left of a game is searched again from its start.
        cells.retain(|cell| !pending.iter().any(|task| task.holds(cell)));
        let mut done = whole - pending.iter().map(|task| task.positions.len()).sum::<usize>();
        tell("searches", done, whole);
        let threads = if self.is_timed() { 1 } else { threads };
        self.search(&pending, threads, stop, &mut |found| {
            for cell in &found {
                journal.append(cell)?;
            }
            done += found.len();
            cells.extend(found);
            tell("searches", done, whole);
            Ok(())
        })?;
        if stop.is_requested() && done < whole {
            return Err(LabError::Stopped);
        }
        Ok(self.sum_up(size, cells))
    }

    /// What decides the counts: not what is made of them.
    fn identity(&self) -> Count {
        Count { tables: Vec::new(), plots: Vec::new(), ..self.clone() }
    }

    fn tasks<'a>(&'a self, size: Size, drawn: &'a BTreeMap<&str, Drawn>) -> Vec<Task<'a>> {
        let mut tasks = Vec::new();
        for repeat in 0..*self.repeats.of(size) {
            for set in &self.sets {
                let drawn = &drawn[set.id.as_str()];
                for variant in self.variants.iter().filter(|variant| variant.optimal_of.is_empty()) {
                    for &depth in variant.depths.of(size) {
                        let whole = 0..drawn.games.len();
                        let timed = self.is_timed();
                        let task = |positions| Task { variant, set, drawn, depth, repeat, positions, timed };
                        if drawn.linked {
                            tasks.push(task(whole));
                        } else {
                            tasks.extend(whole.map(|position| task(position..position + 1)));
                        }
                    }
                }
            }
        }
        tasks
    }

    /// Lets threads make the searches, and keeps those of each task as it ends.
    fn search(
        &self,
        tasks: &[&Task<'_>],
        threads: usize,
        stop: &Stop,
        keep: &mut dyn FnMut(Vec<Cell>) -> Result<(), LabError>,
    ) -> Result<(), LabError> {
        let (next, halt) = (AtomicUsize::new(0), Stop::default());
        let (sender, receiver) = mpsc::sync_channel(0);
        std::thread::scope(|scope| {
            for _ in 0..threads.clamp(1, tasks.len().max(1)) {
                let (sender, next, halt) = (sender.clone(), &next, &halt);
                scope.spawn(move || {
                    while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let result = task.run(stop);
                        let over = !matches!(result, Ok(Some(_)));
                        if sender.send(result).is_err() || over || halt.is_requested() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut outcome = Ok(());
            for result in &receiver {
                let kept = match result {
                    Ok(Some(cells)) => keep(cells),
                    Ok(None) => Ok(()),
                    Err(why) => Err(LabError::Work(why)),
                };
                outcome = outcome.and(kept);
                if outcome.is_err() {
                    halt.request();
                }
            }
            halt.request();
            outcome
        })
    }

    fn sum_up(&self, size: Size, mut cells: Vec<Cell>) -> Measured {
        let place = |cell: &Cell| {
            let of = |ids: Vec<&String>, id: &String| ids.iter().position(|one| *one == id);
            (
                of(self.variants.iter().map(|variant| &variant.id).collect(), &cell.variant),
                of(self.sets.iter().map(|set| &set.id).collect(), &cell.set),
                cell.depth,
                cell.position,
                cell.repeat,
            )
        };
        cells.sort_by_key(place);
        let sums = Sums { count: self, size, cells: &cells };
        let values = sums.values();
        Measured {
            tables: self.tables.iter().map(|table| sums.table(table, &values)).collect(),
            plots: self
                .plots
                .iter()
                .map(|plot| (plot.file.clone(), sums.chart(plot, &values).svg()))
                .collect(),
            data: data(&cells),
            values,
        }
    }
}

impl Task<'_> {
    /// Whether a search is one of these.
    fn holds(&self, cell: &Cell) -> bool {
        (cell.variant.as_str(), cell.set.as_str(), cell.depth, cell.repeat)
            == (self.variant.id.as_str(), self.set.id.as_str(), self.depth, self.repeat)
            && self.positions.contains(&cell.position)
    }

    /// The searches, unless they were stopped, with the load that the variant asks for.
    fn run(&self, stop: &Stop) -> Result<Option<Vec<Cell>>, String> {
        let over = Stop::default();
        std::thread::scope(|scope| {
            for _ in 0..self.variant.load {
                scope.spawn(|| {
                    while !over.is_requested() {
                        std::hint::spin_loop();
                    }
                });
            }
            let cells = self.search(stop);
            over.request();
            cells
        })
    }

    fn search(&self, stop: &Stop) -> Result<Option<Vec<Cell>>, String> {
        let mut counter = Counter::new(&self.variant.agent)?;
        let mut cells = Vec::new();
        for position in self.positions.clone() {
            let game = &self.drawn.games[position];
            if position == self.positions.start {
                counter.new_game(game);
            }
            let Some(counts) = counter.count(game, self.depth, self.timed, stop)? else { return Ok(None) };
            cells.push(Cell {
                variant: self.variant.id.clone(),
                set: self.set.id.clone(),
                depth: self.depth,
                repeat: self.repeat,
                position,
                counts,
            });
        }
        Ok(Some(cells))
    }
}
