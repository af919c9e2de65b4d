//! How a tournament stands, whatever its system.

use super::settings::System;
use super::{Stage, Tournament};
use crate::domain::pairing::card::Entry;
use crate::domain::pairing::cross::{CrossRow, cross_table};
use crate::domain::pairing::round_robin::after_withdrawals;
use crate::domain::pairing::standings::{ArenaSheet, ArenaStanding, Standing, arena_standings, standings};
use crate::domain::pairing::streak::{ArenaResult, is_doubled};
use crate::domain::pairing::tiebreak::{Format, TieBreak};
use crate::domain::pairing::{PairingResult, PlayerId, Points, Round};

/// A player's line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) player: PlayerId,
    /// From 1; players whom nothing separates share it.
    pub(crate) place: usize,
    pub(crate) points: f64,
    /// In the order of [`Tournament::tie_breaks`].
    pub(crate) tie_breaks: Vec<f64>,
    /// Over the board.
    pub(crate) games: usize,
    /// Whether the next game of an arena counts twice.
    pub(crate) is_doubled: bool,
}

impl Tournament {
    /// What decides between players with as many points, by name.
    pub(crate) fn tie_breaks(&self) -> Vec<&'static str> {
        match self.settings.system {
            System::Arena(_) => vec!["performance"],
            _ => self.deciding().1.iter().map(|tie_break| tie_break.name()).collect(),
        }
    }

    fn deciding(&self) -> (Format, &'static [TieBreak]) {
        match self.settings.system {
            System::RoundRobin(_) => (Format::RoundRobin, &TieBreak::ROUND_ROBIN),
            _ => (Format::Swiss, &TieBreak::SWISS),
        }
    }

    /// The standings, the first one first.
    pub(crate) fn standings(&self) -> Vec<Line> {
        if let System::Arena(_) = self.settings.system {
            let sheets = self.sheets();
            let doubled = |player: PlayerId| {
                let results: Vec<_> = sheets[player.0 as usize].games.iter().map(|(_, it)| *it).collect();
                is_doubled(&results)
            };
            let line = |it: ArenaStanding| Line {
                player: it.player,
                place: it.place,
                points: f64::from(it.points),
                tie_breaks: vec![f64::from(it.performance)],
                games: it.games,
                is_doubled: doubled(it.player),
            };
            return arena_standings(&sheets, self.seed).into_iter().map(line).collect();
        }
        let (_, tie_breaks) = self.deciding();
        let line = |it: Standing| Line {
            player: it.player,
            place: it.place,
            points: in_points(it.points),
            tie_breaks: tie_breaks.iter().zip(it.tie_breaks).map(|(by, value)| by.in_points(value)).collect(),
            games: it.games,
            is_doubled: false,
        };
        self.round_standings().into_iter().map(line).collect()
    }

    /// The rounds as they count: in a round robin that is over, who left early is taken out.
    fn counted(&self) -> Vec<Round> {
        let rounds = self.rounds();
        if !matches!(self.settings.system, System::RoundRobin(_)) || self.stage != Stage::Over {
            return rounds;
        }
        let gone: Vec<PlayerId> = self.players.iter().filter(|it| !it.here).map(super::Player::id).collect();
        after_withdrawals(&rounds, &gone)
    }

    fn round_standings(&self) -> Vec<Standing> {
        let (format, tie_breaks) = self.deciding();
        standings(&self.entrants(), &self.counted(), format, tie_breaks, self.seed)
    }

    /// The cross table, in the order of the standings. An arena has none.
    pub(crate) fn cross(&self) -> Option<Vec<CrossRow>> {
        match self.settings.system {
            System::Arena(_) => None,
            _ => Some(cross_table(&self.entrants(), &self.counted(), self.round_standings())),
        }
    }

    pub(super) fn arena_standings(&self) -> Vec<ArenaStanding> {
        arena_standings(&self.sheets(), self.seed)
    }

    /// What each player has done in an arena: what ends after its time does not count.
    fn sheets(&self) -> Vec<ArenaSheet> {
        let sheet = |entrant| ArenaSheet { entrant, games: Vec::new() };
        let mut sheets: Vec<ArenaSheet> = self.entrants().into_iter().map(sheet).collect();
        let ends = self.times.ends.unwrap_or(i64::MAX);
        let mut ended: Vec<_> = self
            .boards
            .iter()
            .filter_map(|board| Some((board.ended?, board.pairing, board.pairing.result?)))
            .filter(|(at, ..)| *at <= ends)
            .collect();
        ended.sort_by_key(|(at, ..)| *at);
        for (_, pairing, result) in ended {
            for color in sumito_rules::Color::ALL {
                let (own, other) = (pairing.player(color), pairing.player(!color));
                let rating = self.player(other).rating;
                sheets[own.0 as usize].games.push((rating, arena_result(result, color)));
            }
        }
        sheets
    }
}

fn arena_result(result: PairingResult, side: sumito_rules::Color) -> ArenaResult {
    match result.points(side) {
        Points::ONE => ArenaResult::Win,
        Points::HALF => ArenaResult::Draw,
        _ => ArenaResult::Loss,
    }
}

/// Halves as points.
pub(crate) fn in_points(points: Points) -> f64 {
    f64::from(points.0) / 2.0
}

/// A round in one line's words, as cross tables print it: the opponent's place, the side and the result, such as `12b1`; `-` marks what was not
/// played.
pub(crate) fn round_text(entry: Entry, place: impl Fn(PlayerId) -> usize) -> String {
    let points = match entry.points() {
        Points::ONE => "1",
        Points::HALF => "½",
        _ => "0",
    };
    match entry {
        Entry::Met { opponent, color, result } => {
            let side = if color == sumito_rules::Color::Black { 'b' } else { 'w' };
            let place = place(opponent);
            match result {
                None => format!("{place}{side}*"),
                Some(result) if result.is_played() => format!("{place}{side}{points}"),
                Some(_) => format!("{place}{side}{}", if points == "1" { "+" } else { "-" }),
            }
        }
        Entry::Rested(_) if points == "0" => "-".to_string(),
        Entry::Rested(_) => format!("bye{points}"),
    }
}
