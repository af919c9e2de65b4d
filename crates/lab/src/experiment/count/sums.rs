//! What searches come to: means and sums by name, tables and pictures.

use std::collections::BTreeMap;

use super::super::chart::{Chart, ChartSeries, MANY, Style};
use super::super::definition::Size;
use super::super::positions::PositionSet;
use super::super::table::ReportTable;
use super::super::values::{MeasuredValue, Values, digits, number};
use super::{Cell, Count, CountPlot, CountTable, Over, Variant};
use crate::counter::{MEASURES, TIMES};

/// How far off a time may be that was taken only once.
const ONCE: f64 = 0.1;
/// The least that any time may be off.
const LEAST: f64 = 0.01;

/// All searches, to be summed up.
pub(super) struct Sums<'a> {
    pub(super) count: &'a Count,
    pub(super) size: Size,
    pub(super) cells: &'a [Cell],
}

impl Sums<'_> {
    /// The searches of a variant on a set at a depth.
    fn of(&self, variant: &str, set: &str, depth: u32) -> impl Iterator<Item = &Cell> {
        let (variant, set) = (variant.to_string(), set.to_string());
        self.cells
            .iter()
            .filter(move |cell| (&cell.variant, &cell.set, cell.depth) == (&variant, &set, depth))
    }

    /// A measure at every position, of all repeats that of the shortest time.
    fn by_position(&self, variant: &str, set: &str, depth: u32, measure: &str) -> BTreeMap<usize, f64> {
        let best = |(at, mut repeats): (usize, Vec<f64>)| (at, repeats.swap_remove(0));
        self.repeats(variant, set, depth, measure).into_iter().map(best).collect()
    }

    /// A measure at every position, of every repeat, that of the shortest time first.
    fn repeats(&self, variant: &str, set: &str, depth: u32, measure: &str) -> BTreeMap<usize, Vec<f64>> {
        let mut all: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for cell in self.of(variant, set, depth) {
            if let Some(value) = cell.counts.measure(measure, depth) {
                all.entry(cell.position).or_default().push(value);
            }
        }
        for repeats in all.values_mut() {
            repeats.sort_by(f64::total_cmp);
            if measure == "speed" {
                repeats.reverse();
            }
        }
        all
    }

    /// How far off the sum of a measure may be, as a part of it: a time by as much as the second shortest repeats differ
    /// from the shortest, anything else not at all.
    fn error(&self, variant: &str, set: &str, depth: u32, measure: &str) -> f64 {
        if !TIMES.contains(&measure) {
            return 0.0;
        }
        let repeats = self.repeats(variant, set, depth, measure);
        let sum = |place: usize| repeats.values().map(|times| times.get(place)).sum::<Option<f64>>();
        match (sum(0), sum(1)) {
            (Some(first), Some(second)) if first > 0.0 => ((second - first).abs() / first).max(LEAST),
            _ => ONCE,
        }
    }

    fn depths<'v>(&self, variant: &'v Variant) -> &'v [u32] {
        variant.depths.of(self.size)
    }

    fn deepest(&self, variant: &Variant) -> u32 {
        self.depths(variant).iter().copied().max().unwrap_or(1)
    }

    /// Means and sums under `variant.set.measure` for the deepest search and `variant.set.measure@depth` for each.
    pub(super) fn values(&self) -> Values {
        let mut values = Values::default();
        for variant in &self.count.variants {
            for set in &self.count.sets {
                for &depth in self.depths(variant) {
                    let plies = (1..=depth).map(|ply| format!("ply-{ply}"));
                    for measure in MEASURES.iter().map(ToString::to_string).chain(plies) {
                        let found = self.by_position(&variant.id, &set.id, depth, &measure);
                        let total: f64 = found.values().sum();
                        if found.is_empty() {
                            continue;
                        }
                        let mean = total / found.len() as f64;
                        let error = self.error(&variant.id, &set.id, depth, &measure);
                        for (key, value) in [(measure.clone(), mean), (format!("total-{measure}"), total)] {
                            let key = format!("{}.{}.{key}", variant.id, set.id);
                            let value = MeasuredValue {
                                value,
                                low: value * (1.0 - error),
                                high: value * (1.0 + error),
                            };
                            values.set(format!("{key}@{depth}"), value);
                            if depth == self.deepest(variant) {
                                values.set(key, value);
                            }
                        }
                    }
                }
            }
        }
        self.spread(&mut values);
        self.optimal(&mut values);
        self.agreement(&mut values);
        values
    }

    /// How much longer than the shortest the repeats of a search took, on average and in percent.
    fn spread(&self, values: &mut Values) {
        for variant in &self.count.variants {
            for set in &self.count.sets {
                let depth = self.deepest(variant);
                let least = self.by_position(&variant.id, &set.id, depth, "wall-ms");
                let longer: Vec<f64> = self
                    .of(&variant.id, &set.id, depth)
                    .filter_map(|cell| {
                        Some(cell.counts.measure("wall-ms", depth)? / least.get(&cell.position)?)
                    })
                    .collect();
                if longer.len() > least.len() {
                    let repeats = longer.len() as f64 / least.len() as f64;
                    // The shortest itself is not among those that took longer.
                    let mean = longer.iter().map(|ratio| ratio - 1.0).sum::<f64>() / longer.len() as f64;
                    let mean = 100.0 * mean * repeats / (repeats - 1.0);
                    values.set(format!("{}.{}.spread", variant.id, set.id), MeasuredValue::exact(mean));
                }
            }
        }
    }

    /// What the best possible order would leave, by the formula that document 003 states.
    fn optimal(&self, values: &mut Values) {
        for variant in self.count.variants.iter().filter(|variant| !variant.optimal_of.is_empty()) {
            for set in &self.count.sets {
                let Some(b) = values.get(&format!("{}.{}.moves", variant.optimal_of, set.id)) else {
                    continue;
                };
                for &depth in self.depths(variant) {
                    let (b, d) = (b.value, f64::from(depth));
                    let leaves = if depth.is_multiple_of(2) {
                        2.0 * b.powf(d / 2.0) - 1.0
                    } else {
                        b.powf((d + 1.0) / 2.0) + b.powf((d - 1.0) / 2.0) - 1.0
                    };
                    for (measure, number) in [("leaves", leaves), ("branching", leaves.powf(1.0 / d))] {
                        let key = format!("{}.{}.{measure}", variant.id, set.id);
                        values.set(format!("{key}@{depth}"), MeasuredValue::exact(number));
                        if depth == self.deepest(variant) {
                            values.set(key, MeasuredValue::exact(number));
                        }
                    }
                }
            }
        }
    }

    /// The part of the searches, in percent, in which a variant finds the same value as the first, at its depths.
    fn agreement(&self, values: &mut Values) {
        let Some(first) = self.count.variants.first() else { return };
        for variant in &self.count.variants[1..] {
            for set in &self.count.sets {
                let known: BTreeMap<(u32, usize), (Option<f64>, &str)> = self
                    .cells
                    .iter()
                    .filter(|cell| cell.variant == first.id && cell.set == set.id)
                    .map(|cell| ((cell.depth, cell.position), (cell.counts.value, cell.counts.best.as_str())))
                    .collect();
                let ours = self.cells.iter().filter(|cell| cell.variant == variant.id && cell.set == set.id);
                let pairs: Vec<_> = ours
                    .filter_map(|cell| Some((known.get(&(cell.depth, cell.position))?, &cell.counts)))
                    .collect();
                if pairs.is_empty() {
                    continue;
                }
                let same = |matches: usize| MeasuredValue::exact(100.0 * matches as f64 / pairs.len() as f64);
                let value = pairs.iter().filter(|(known, counts)| known.0 == counts.value).count();
                let best = pairs.iter().filter(|(known, counts)| known.1 == counts.best).count();
                values.set(format!("{}.{}.same-value", variant.id, set.id), same(value));
                values.set(format!("{}.{}.same-move", variant.id, set.id), same(best));
            }
        }
    }

    fn sets(&self, only: &[String]) -> Vec<&PositionSet> {
        self.count.sets.iter().filter(|set| only.is_empty() || only.contains(&set.id)).collect()
    }

    pub(super) fn table(&self, table: &CountTable, values: &Values) -> ReportTable {
        let columns: Vec<(&PositionSet, &String)> = table
            .measures
            .iter()
            .flat_map(|measure| self.sets(&table.sets).into_iter().map(move |set| (set, measure)))
            .collect();
        let mut out = ReportTable::new(&table.title, &["", "depth"], 1);
        for (set, measure) in &columns {
            let name = format!("{}, {}", set.label(), measure.replace('-', " "));
            if table.paper.is_empty() {
                out.head.push(name);
            } else {
                out.head.extend([format!("{name}: paper"), format!("{name}: ours")]);
            }
        }
        for variant in &self.count.variants {
            let label = if variant.label.is_empty() { &variant.id } else { &variant.label };
            let mut row = vec![label.clone(), self.deepest(variant).to_string()];
            for (place, (set, measure)) in columns.iter().enumerate() {
                if !table.paper.is_empty() {
                    let paper = table.paper.get(&variant.id).and_then(|row| row.get(place));
                    row.push(paper.map_or(String::new(), |text| values.fill(text)));
                }
                let value = values.get(&format!("{}.{}.{measure}", variant.id, set.id));
                row.push(value.map_or("-".to_string(), |v| number(v.value, digits(v.value))));
            }
            out.rows.push(row);
        }
        out
    }

    pub(super) fn chart(&self, plot: &CountPlot, values: &Values) -> Chart {
        let mut series = Vec::new();
        for (name, points) in &plot.paper {
            let points = points.iter().filter_map(|point| point.place(values)).collect();
            series.push(ChartSeries { name: format!("{name} (paper)"), points, style: Style::Dashed });
        }
        let sets = self.sets(&plot.sets);
        let variants = self.count.variants.iter();
        for variant in variants.filter(|v| plot.variants.is_empty() || plot.variants.contains(&v.id)) {
            for set in &sets {
                let label = if variant.label.is_empty() { &variant.id } else { &variant.label };
                let name = if sets.len() > 1 { format!("{label}, {}", set.label()) } else { label.clone() };
                let points = self.points(plot, variant, set, values);
                let style = match plot.over {
                    Over::Depth | Over::Ply => Style::Line,
                    Over::Position if points.len() <= MANY => Style::Line,
                    Over::Position => Style::Thin,
                    Over::Reference | Over::Repeats => Style::Points,
                };
                if !points.is_empty() {
                    series.push(ChartSeries { name, points, style });
                }
            }
        }
        Chart {
            title: plot.title.clone(),
            x: plot.x.clone(),
            y: plot.y.clone(),
            log_x: plot.log && matches!(plot.over, Over::Reference | Over::Repeats),
            log_y: plot.log,
            labels: Vec::new(),
            guide: None,
            series,
        }
    }

    fn points(
        &self,
        plot: &CountPlot,
        variant: &Variant,
        set: &PositionSet,
        values: &Values,
    ) -> Vec<(f64, MeasuredValue)> {
        let depth = self.deepest(variant);
        let own = || self.by_position(&variant.id, &set.id, depth, &plot.measure);
        let exact = |x: f64, y: f64| (x, MeasuredValue::exact(y));
        match plot.over {
            Over::Depth => {
                let key = |depth| format!("{}.{}.{}@{depth}", variant.id, set.id, plot.measure);
                let depths = self.depths(variant).iter();
                depths.filter_map(|&depth| Some((f64::from(depth), values.get(&key(depth))?))).collect()
            }
            Over::Ply => {
                let key = |ply| format!("{}.{}.ply-{ply}@{depth}", variant.id, set.id);
                (1..=depth).filter_map(|ply| Some((f64::from(ply), values.get(&key(ply))?))).collect()
            }
            Over::Position => own().into_iter().map(|(at, y)| exact(at as f64 + 1.0, y)).collect(),
            Over::Reference => {
                let reference = self.count.variants.iter().find(|one| one.id == plot.reference);
                let Some(reference) = reference else { return Vec::new() };
                let x = self.by_position(&reference.id, &set.id, self.deepest(reference), &plot.measure);
                own().into_iter().filter_map(|(at, y)| Some(exact(*x.get(&at)?, y))).collect()
            }
            Over::Repeats => {
                let least = own();
                let cells = self.of(&variant.id, &set.id, depth);
                let point = |cell: &Cell| {
                    let y = cell.counts.measure(&plot.measure, depth)?;
                    Some(exact(*least.get(&cell.position)?, y))
                };
                cells.filter_map(point).collect()
            }
        }
    }
}

/// Every search in a row; times last, since they alone change from run to run.
pub(super) fn data(cells: &[Cell]) -> ReportTable {
    let head = [
        "variant",
        "set",
        "position",
        "depth",
        "repeat",
        "best",
        "value",
        "nodes",
        "leaves",
        "interior",
        "moves",
        "evaluations",
        "tree",
        "plies",
        "cpu_us",
        "wall_us",
    ];
    let mut table = ReportTable::new("", &head, 2);
    let maybe = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
    for cell in cells {
        let Cell { variant, set, depth, repeat, position, counts } = cell;
        let plies: Vec<String> = counts.plies.iter().map(|(n, m)| format!("{n}:{m}")).collect();
        table.rows.push(vec![
            variant.clone(),
            set.clone(),
            (position + 1).to_string(),
            depth.to_string(),
            (repeat + 1).to_string(),
            counts.best.clone(),
            counts.value.map_or(String::new(), |value| value.to_string()),
            counts.nodes.to_string(),
            maybe(counts.leaves),
            maybe(counts.interior),
            maybe(counts.moves),
            maybe(counts.evaluations),
            maybe(counts.tree),
            plies.join(" "),
            maybe(counts.cpu_us),
            maybe(counts.wall_us),
        ]);
    }
    table
}
