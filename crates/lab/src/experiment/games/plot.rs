//! Pictures of games.

use std::collections::BTreeMap;

use super::super::chart::{Chart, ChartSeries, MANY, Style};
use super::super::played::{self, Played};
use super::super::values::{MeasuredValue, Values};
use super::{Ended, GamePlot, Show, elo, units};

impl GamePlot {
    pub(super) fn chart(&self, ended: &[Ended], values: &Values) -> Chart {
        let ours: Vec<&Ended> = ended.iter().filter(|one| one.meeting.id.starts_with(&self.part)).collect();
        let mut series = Vec::new();
        for (name, points) in &self.paper {
            let points = points.iter().filter_map(|point| point.place(values)).collect();
            series.push(ChartSeries { name: format!("{name} (paper)"), points, style: Style::Dashed });
        }
        let mut labels = Vec::new();
        match self.show {
            Show::Curve => series.extend(self.curves(&ours, values)),
            Show::Dots => {
                series.extend(self.curves(&ours, values));
                spread(&mut series, self.log_x);
            }
            Show::Rows => {
                let rows;
                (labels, rows) = self.rows(&ours, values);
                series.extend(rows);
            }
            Show::Ratings => {
                if let Some(ratings) = ours.first().and_then(|one| one.ratings.as_ref()) {
                    labels = ratings.players.iter().map(|one| one.name.clone()).collect();
                    let points = ratings.players.iter().enumerate();
                    let points = points.map(|(row, one)| (row as f64, elo(one))).collect();
                    series.push(ChartSeries { name: "Elo".to_string(), points, style: Style::Points });
                }
            }
            Show::Progress => series.extend(progress(&ours, false)),
            Show::DistinctProgress => series.extend(progress(&ours, true)),
            Show::NodesByMove => series.extend(nodes_by_move(&ours)),
            Show::Differences => series.push(self.differences(&ours, values)),
        }
        let (title, x, y) = (self.title.clone(), self.x.clone(), self.y.clone());
        // Half of the points is what two equal players have.
        let is_score = self.measure.starts_with("score") || self.measure == "black";
        let shows_measure = matches!(self.show, Show::Curve | Show::Dots | Show::Rows);
        let even = if self.measure == "elo" { Some(0.0) } else { is_score.then_some(50.0) };
        let guide = even.filter(|_| shows_measure);
        Chart { title, x, y, log_x: self.log_x, log_y: self.log, labels, guide, series }
    }

    /// A row for each label, the greatest value of any series first if they are sorted, and a series for each of the parts' series.
    fn rows(&self, ended: &[&Ended], values: &Values) -> (Vec<String>, Vec<ChartSeries>) {
        let ended = units(ended.iter().copied());
        let value = |one: &Ended| values.get(&format!("{}.{}", one.meeting.key(), self.measure));
        let found: Vec<(&Ended, MeasuredValue)> =
            ended.iter().filter_map(|one| Some((*one, value(one)?))).collect();
        let mut labels: Vec<&str> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for one in &ended {
            for (list, text) in [(&mut labels, &one.meeting.label), (&mut names, &one.meeting.series)] {
                if !list.contains(&text.as_str()) {
                    list.push(text);
                }
            }
        }
        if self.sorted {
            let most = |label: &str| {
                let own = found.iter().filter(|(one, _)| one.meeting.label == label);
                own.map(|(_, value)| value.value).fold(f64::NEG_INFINITY, f64::max)
            };
            labels.sort_by(|a, b| most(b).total_cmp(&most(a)));
        }
        let point = |(one, value): &(&Ended, MeasuredValue)| {
            let row = labels.iter().position(|label| *label == one.meeting.label)?;
            Some((row as f64, *value))
        };
        let series = |name: &&str| ChartSeries {
            name: if name.is_empty() { "ours".to_string() } else { (*name).to_string() },
            points: found.iter().filter(|(one, _)| one.meeting.series == *name).filter_map(point).collect(),
            style: Style::Points,
        };
        let series = names.iter().map(series).collect();
        (labels.into_iter().map(str::to_string).collect(), series)
    }

    fn curves(&self, ended: &[&Ended], values: &Values) -> Vec<ChartSeries> {
        let ended = units(ended.iter().copied());
        let mut names: Vec<&str> = Vec::new();
        for one in &ended {
            if !names.contains(&one.meeting.series.as_str()) {
                names.push(&one.meeting.series);
            }
        }
        let point = |one: &&Ended| {
            let value = values.get(&format!("{}.{}", one.meeting.key(), self.measure))?;
            Some((one.meeting.x?, value))
        };
        let series = |name: &str| {
            let ours = ended.iter().filter(|one| one.meeting.series == name);
            let mut points: Vec<_> = ours.filter_map(point).collect();
            // A curve may be of several parts.
            points.sort_by(|(a, _), (b, _)| a.total_cmp(b));
            ChartSeries { name: name.to_string(), points, style: Style::Line }
        };
        names.into_iter().map(series).collect()
    }

    fn differences(&self, ended: &[&Ended], values: &Values) -> ChartSeries {
        let mut counts: BTreeMap<i64, f64> = BTreeMap::new();
        for one in units(ended.iter().copied()) {
            let marbles = |key: &str| values.get(&format!("{}.marbles-{key}", one.meeting.key()));
            if let (Some(a), Some(b)) = (marbles("a"), marbles("b")) {
                *counts.entry((a.value - b.value).round() as i64).or_default() += 1.0;
            }
        }
        let points = counts.into_iter().map(|(x, y)| (x as f64, MeasuredValue::exact(y))).collect();
        ChartSeries { name: "ours".to_string(), points, style: Style::Bars }
    }
}

/// Makes dots of curves: each series has its own place beside `x`, and its dots there lie side by side in the order of their
/// values. Their errors are left out, where so many would hide each other.
fn spread(series: &mut [ChartSeries], is_log: bool) {
    /// How much room the dots of one `x` take, in units of the scale or of its powers of ten.
    const ROOM: f64 = 0.6;
    let count = series.len() as f64;
    for (number, one) in series.iter_mut().enumerate() {
        one.style = Style::Points;
        one.points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.value.total_cmp(&b.1.value)));
        let all: Vec<f64> = one.points.iter().map(|point| point.0).collect();
        for (place, (x, value)) in one.points.iter_mut().enumerate() {
            let same = all.iter().filter(|other| **other == *x).count() as f64;
            let before = all[..place].iter().filter(|other| **other == *x).count() as f64;
            let within = (before + 0.5) / same * 0.8 + 0.1;
            let by = ROOM * ((number as f64 + within) / count - 0.5);
            *x = if is_log { *x * 10f64.powf(by) } else { *x + by };
            *value = MeasuredValue::exact(value.value);
        }
    }
}

/// The first player's lead over the turns, a line without a name for each game.
fn progress(ended: &[&Ended], distinct: bool) -> Vec<ChartSeries> {
    let mut lines = Vec::new();
    for one in ended {
        let all: Vec<&Played> = one.games.iter().collect();
        let games = if distinct { played::distinct(&all) } else { all };
        for game in games {
            let points =
                game.lead.iter().enumerate().step_by(2).chain(game.lead.iter().enumerate().next_back());
            let points = points.map(|(ply, &lead)| (ply as f64 / 2.0, MeasuredValue::exact(f64::from(lead))));
            lines.push(ChartSeries { name: String::new(), points: points.collect(), style: Style::Thin });
        }
    }
    lines
}

/// The nodes of each player, move by move, as long as at least half of the games go on.
fn nodes_by_move(ended: &[&Ended]) -> Vec<ChartSeries> {
    let mut series = Vec::new();
    for one in ended {
        for player in &one.meeting.config.players {
            let name = &player.name;
            let games =
                one.games.iter().filter(|game| [&game.players.black, &game.players.white].contains(&name));
            let moves: Vec<&Vec<played::MoveStats>> =
                games.map(|game| &game.moves[game.color_of(name)]).collect();
            let points = (0..).map_while(|at| {
                let nodes: Vec<f64> =
                    moves.iter().filter_map(|steps| steps.get(at)?.nodes.map(|nodes| nodes as f64)).collect();
                let goes_on = !nodes.is_empty() && 2 * nodes.len() >= moves.len();
                goes_on.then(|| {
                    (at as f64 + 1.0, MeasuredValue::exact(nodes.iter().sum::<f64>() / nodes.len() as f64))
                })
            });
            let points: Vec<(f64, MeasuredValue)> = points.collect();
            if !points.is_empty() {
                let style = if points.len() > MANY { Style::Thin } else { Style::Line };
                series.push(ChartSeries { name: name.clone(), points, style });
            }
        }
    }
    series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_of_one_place_lie_side_by_side_and_those_of_another_series_beside_them() {
        let points = |values: &[f64]| values.iter().map(|&y| (0.01, MeasuredValue::exact(y))).collect();
        let dots = |name: &str, values: &[f64]| ChartSeries {
            name: name.to_string(),
            points: points(values),
            style: Style::Line,
        };
        let mut series = [dots("one", &[3.0, 1.0, 2.0]), dots("other", &[5.0])];
        spread(&mut series, true);
        let heights: Vec<f64> = series[0].points.iter().map(|(_, y)| y.value).collect();
        let places: Vec<f64> = series.iter().flat_map(|one| one.points.iter().map(|(x, _)| *x)).collect();
        assert_eq!(heights, [1.0, 2.0, 3.0]);
        assert!(places.windows(2).all(|two| two[0] < two[1]), "{places:?}");
        assert!(places.iter().all(|x| (0.005..0.02).contains(x)), "{places:?}");
    }
}
