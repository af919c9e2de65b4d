//! What the tests know of a tournament: kept by themselves from the rounds alone, not by the code that is tested.

use std::collections::HashMap;

use sumito_rules::Color;

use crate::domain::pairing::{PairingResult, PlayerId, Rest, Round};

/// A player's record.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) points: i32,
    pub(super) met: Vec<PlayerId>,
    pub(super) colors: Vec<Color>,
    /// Points without a game.
    pub(super) byes: i64,
    /// 1 down, -1 up.
    pub(super) float: i32,
}

impl Record {
    pub(super) fn balance(&self) -> i32 {
        self.colors.iter().map(|color| if *color == Color::Black { 1 } else { -1 }).sum()
    }

    /// Rules that a colour would break, in words of the issue: at most 2 more of one, never three in a row.
    pub(super) fn broken(&self, color: Color) -> i64 {
        let mut after = self.clone();
        after.colors.push(color);
        let row = after.colors.iter().rev().take_while(|it| **it == color).count();
        let wider = after.balance().abs() > 2 && after.balance().abs() > self.balance().abs();
        i64::from(wider) + i64::from(row > 2)
    }
}

/// The fewest rules that a pairing breaks.
pub(super) fn broken(a: &Record, b: &Record) -> i64 {
    let with = |color: Color| a.broken(color) + b.broken(!color);
    with(Color::Black).min(with(Color::White))
}

/// All records.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(pub(super) HashMap<PlayerId, Record>);

impl Ledger {
    pub(super) fn record(&self, player: PlayerId) -> &Record {
        &self.0[&player]
    }

    pub(super) fn enter(&mut self, player: PlayerId, head_start: i32) {
        self.0.insert(player, Record { points: head_start, ..Record::default() });
    }

    pub(super) fn add(&mut self, round: &Round) {
        let before: HashMap<PlayerId, i32> = self.0.iter().map(|(player, it)| (*player, it.points)).collect();
        self.0.values_mut().for_each(|it| it.float = 0);
        let mut entry = |player: PlayerId| self.0.get_mut(&player).expect("everybody entered").to_owned();
        let mut changed = Vec::new();
        for it in &round.pairings {
            for (player, other, color) in
                [(it.black, it.white, Color::Black), (it.white, it.black, Color::White)]
            {
                let mut record = entry(player);
                match it.result.expect("rounds are finished") {
                    PairingResult::Won(winner) => record.points += 2 * i32::from(winner == color),
                    PairingResult::Drawn => record.points += 1,
                    PairingResult::Forfeited(absent) if absent != color => {
                        (record.points, record.byes, record.float) = (record.points + 2, record.byes + 1, 1);
                    }
                    PairingResult::Forfeited(_) | PairingResult::Unplayed => {}
                }
                if matches!(it.result, Some(PairingResult::Won(_) | PairingResult::Drawn)) {
                    record.met.push(other);
                    record.colors.push(color);
                    record.float = (before[&player] - before[&other]).signum();
                }
                changed.push((player, record));
            }
        }
        for it in &round.resting {
            let mut record = entry(it.player);
            match it.rest {
                Rest::Bye => {
                    (record.points, record.byes, record.float) = (record.points + 2, record.byes + 1, 1);
                }
                Rest::HalfPointBye => record.points += 1,
                Rest::Away | Rest::Free => {}
            }
            changed.push((it.player, record));
        }
        self.0.extend(changed);
    }
}
