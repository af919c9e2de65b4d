//! Searches to count: every variant of an agent on every position, at several depths.

mod sums;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::check::PaperPoint;
use super::definition::{BySize, Size, check_agent};
use super::lab::{LabError, LabJob, Measured, Tell};
use super::positions::{Drawn, PositionSet};
use crate::counter::{CountUnit, MEASURES, SearchCounter, SearchCounts, TIMES};
use crate::run::{Journal, RunKind};
use crate::work::{Executor, Threads, Unit, in_order};
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
    pub sets: Vec<PositionSet>,
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
    /// What it shows, by the names of `SearchCounts::measure`; `total-` before one is the sum over the positions.
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
    pub paper: BTreeMap<String, Vec<PaperPoint>>,
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
    counts: SearchCounts,
}

/// Searches that are made in a row: those of a game, whose agent remembers, or a single one.
struct Task<'a> {
    variant: &'a Variant,
    set: &'a PositionSet,
    drawn: &'a Drawn,
    depth: u32,
    repeat: usize,
    positions: std::ops::Range<usize>,
    timed: bool,
}

const KIND: RunKind =
    RunKind { what: "a count", settings: "count.json", progress: "cells.jsonl", repeats_settings: false };

impl Count {
    pub(super) fn check(&self) -> Result<(), String> {
        self.sets.iter().try_for_each(PositionSet::check)?;
        for variant in self.variants.iter().filter(|variant| variant.optimal_of.is_empty()) {
            check_agent(&variant.agent)?;
            SearchCounter::new(&variant.agent)?;
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
    pub(super) fn run(&self, job: LabJob<'_>, tell: Tell<'_>) -> Result<Measured, LabError> {
        let LabJob { size, seed, executor, dir, stop } = job;
        let mut cells: Vec<Cell> = Vec::new();
        let identity = serde_json::json!({ "count": self.identity(), "size": size, "seed": seed });
        let mut journal = Journal::open(dir, KIND, &identity, |line| {
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
        // Times are those of searches that have this machine to themselves.
        let alone = Threads::new(1);
        let executor: &dyn Executor = if self.is_timed() { &alone } else { executor };
        let mut units = pending.iter().map(|task| task.unit());
        in_order::<LabError>(executor, &mut units, stop, &mut |number, outcome| {
            let found: Vec<Cell> = pending[number].cells(outcome.counts()).collect();
            found.iter().try_for_each(|cell| journal.append(cell))?;
            done += found.len();
            cells.extend(found);
            tell("searches", done, whole);
            Ok(true)
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
            file: "counts.csv",
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

    fn unit(&self) -> Unit {
        Unit::Count(CountUnit {
            agent: self.variant.agent.clone(),
            depth: self.depth,
            positions: self.drawn.openings(self.positions.clone()),
            timed: self.timed,
            load: self.variant.load,
        })
    }

    /// What was counted, with where it belongs.
    fn cells(&self, counts: Vec<SearchCounts>) -> impl Iterator<Item = Cell> {
        self.positions.clone().zip(counts).map(|(position, counts)| Cell {
            variant: self.variant.id.clone(),
            set: self.set.id.clone(),
            depth: self.depth,
            repeat: self.repeat,
            position,
            counts,
        })
    }
}
