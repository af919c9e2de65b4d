//! The static evaluation: the source paper's weighted sum of metrics, or Aba-Pro's as the thesis rebuilt it.

use sumito_rules::{Bitboard, Cell, Color, Position};

use super::{distance, metrics};

/// The value of a won game, and, negated, of a lost one.
pub(super) const WIN: i32 = 1_000_000_000;

/// What each metric weighs; all are positive, the evaluation knows which ones are bad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weights {
    pub(super) marbles: i32,
    pub(super) coherence: i32,
    pub(super) distance: i32,
    pub(super) formation: i32,
    pub(super) single: i32,
    pub(super) double: i32,
    pub(super) immediate: i32,
    pub(super) trapped: i32,
    pub(super) triangulation: i32,
}

/// The definitions of coherence (5.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Coherence {
    /// What the thesis ran.
    Star,
    /// What the source paper says.
    Source,
    /// What the thesis proposes.
    Proposed,
}

/// The definitions of the distance to the middle (5.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Distance {
    /// To Aba-Pro's reference point instead of the middle.
    pub(super) weighted: bool,
    /// Along paths around the enemy.
    pub(super) path: bool,
}

/// Everything that the value of a position depends on, the position apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Evaluator {
    /// Aba-Pro's evaluation instead of the source paper's.
    pub(super) aba_pro: bool,
    pub(super) weights: Weights,
    pub(super) coherence: Coherence,
    pub(super) distance: Distance,
    /// Formation breaks count for each axis.
    pub(super) by_axis: bool,
    /// The enemy's metrics are subtracted (6.3).
    pub(super) both: bool,
    /// The program's slips instead of the text.
    pub(super) program: bool,
    /// Formation breaks and triangulations count only where the enemy wants to be (5.1).
    pub(super) desired: bool,
    /// Aba-Pro's reference point.
    pub(super) reference: distance::Reference,
    /// The distance of an ejected marble in Aba-Pro's evaluation.
    pub(super) ejected: i32,
    /// Ejections that win.
    pub(super) to_win: u8,
}

impl Evaluator {
    /// The value of a position for a side, whoever is to move.
    #[inline]
    pub(super) fn value(&self, position: &Position, side: Color) -> i32 {
        if let Some(winner) = self.winner(position) {
            return if winner == side { WIN } else { -WIN };
        }
        if self.aba_pro { self.aba_pro(position, side) } else { self.source(position, side) }
    }

    /// Who has pushed off enough.
    #[inline]
    pub(super) fn winner(&self, position: &Position) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| position.score(color) >= self.to_win)
    }

    fn source(&self, position: &Position, side: Color) -> i32 {
        let goal = self.goal(position);
        let score = |color| i32::from(position.score(color));
        let mut value = self.weights.marbles * (score(side) - score(!side));
        value += self.metrics(position, side, goal);
        if self.both {
            value -= self.metrics(position, !side, goal);
        }
        value
    }

    /// The cell that marbles should be near.
    fn goal(&self, position: &Position) -> Cell {
        if self.distance.weighted { self.reference.of(position) } else { Cell::CENTRE }
    }

    #[inline]
    fn metrics(&self, position: &Position, color: Color, goal: Cell) -> i32 {
        // The program overwrites the first team's count with the second's, so that of the formation breaks
        // and dangers only White's remain; with one team alone nothing is overwritten.
        let overwritten = self.program && self.both && color == Color::Black;
        self.shape(position, color, goal) + if overwritten { 0 } else { self.contact(position, color) }
    }

    #[inline]
    fn shape(&self, position: &Position, color: Color, goal: Cell) -> i32 {
        let (own, enemy, weights) = (position.marbles(color), position.marbles(!color), &self.weights);
        let coherence = match self.coherence {
            Coherence::Star => metrics::star(own),
            Coherence::Source => metrics::neighbours(own),
            Coherence::Proposed => metrics::lines(own),
        };
        let distance = match self.distance {
            Distance { path: true, .. } => distance::along_paths(own, enemy, goal),
            Distance { weighted: true, .. } => distance::to_cell(own, goal),
            _ => distance::to_middle(own),
        };
        let distance = distance + distance::EJECTED * i32::from(position.score(!color));
        let mut value = weights.coherence * coherence - weights.distance * distance;
        if weights.triangulation != 0 {
            value += weights.triangulation * metrics::triangulation(own, self.wanted(enemy));
        }
        value
    }

    #[inline]
    fn contact(&self, position: &Position, color: Color) -> i32 {
        let (own, enemy, weights) = (position.marbles(color), position.marbles(!color), &self.weights);
        let held = own & self.wanted(enemy);
        let formation = if self.by_axis {
            metrics::formation_break_axes(held, enemy)
        } else {
            metrics::formation_break(held, enemy)
        };
        let (single, double) = metrics::danger(own, enemy);
        let mut value = weights.formation * formation - weights.single * single - weights.double * double;
        if weights.immediate != 0 {
            let count = if self.program {
                metrics::in_immediate_danger_anyhow(own, enemy)
            } else {
                metrics::in_immediate_danger(own, enemy)
            };
            value -= weights.immediate * count.len() as i32;
        }
        if weights.trapped != 0 {
            value -= weights.trapped * metrics::trapped(position, color);
        }
        value
    }

    /// The cells on which a formation break or a triangulation counts.
    #[inline(always)]
    fn wanted(&self, enemy: Bitboard) -> Bitboard {
        if self.desired { metrics::desired(enemy) } else { Bitboard::ALL }
    }

    /// 6.5: the enemy's distances to the reference point minus the own ones.
    fn aba_pro(&self, position: &Position, side: Color) -> i32 {
        let goal = self.reference.of(position);
        let sum = |color: Color| {
            let lost = i32::from(position.score(!color));
            distance::to_cell(position.marbles(color), goal) + self.ejected * lost
        };
        sum(!side) - sum(side)
    }
}
