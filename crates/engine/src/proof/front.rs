//! The search for the win of one side, from below and from above: one more move at a time, which finds the shortest
//! win but grows with every move, and at once with many moves, which finds a long forced win if there is one.

use sumito_rules::{Game, Move, Position};

use super::goal::Goal;
use super::meter::Meter;
use super::prover::Prover;

pub(super) struct Front {
    prover: Prover,
    root: Position,
    /// There is no win in so many moves.
    pub(super) lost: u8,
    /// A win: in how many moves, and how.
    pub(super) won: Option<(u8, Vec<Move>)>,
}

/// So many moves may a win have that is looked for at once.
const FAR: u8 = 12;

impl Front {
    pub(super) fn new(game: &Game, goal: Goal, megabytes: usize) -> Front {
        Front { prover: Prover::new(goal, megabytes), root: *game.position(), lost: 0, won: None }
    }

    pub(super) fn goal(&self) -> &Goal {
        &self.prover.goal
    }

    /// Whether the shortest win is known, or that there is none.
    pub(super) fn is_done(&self) -> bool {
        self.lost >= self.most()
    }

    /// The most moves of a win that is still worth looking for.
    fn most(&self) -> u8 {
        self.won.as_ref().map_or(self.goal().most, |(moves, _)| moves - 1)
    }

    /// Goes on for about so many positions.
    pub(super) fn advance(&mut self, meter: &mut Meter<'_>, slice: u64) {
        meter.pause_after(slice);
        while !self.is_done() && self.settle(meter, self.lost + 1) {}
        let far = self.most().min(FAR.max(self.lost + 2));
        if far > self.lost + 1 && !meter.stopped {
            meter.pause_after(slice);
            self.settle(meter, far);
        }
    }

    /// Looks for a win in so many moves. Whether that is settled now.
    fn settle(&mut self, meter: &mut Meter<'_>, left: u8) -> bool {
        let known = self.prover.settle(meter, &self.root, left);
        if known.numbers.is_disproved() {
            self.lost = left;
        } else if known.numbers.is_proved() {
            meter.pause_after(meter.nodes.max(LINE_NODES));
            let line = self.prover.line(meter, &self.root, known.moves);
            self.won = Some((known.moves, line));
        }
        known.numbers.is_settled()
    }
}

/// At least so many positions may be looked at for the moves of a line.
const LINE_NODES: u64 = 100_000;
