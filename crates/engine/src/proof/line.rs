//! The moves of a proved win: the attacker's, and the replies that hold out longest.

use sumito_rules::{Move, Position};

use super::meter::Meter;
use super::prover::{Child, Prover};

impl Prover {
    /// The line of a win that is proved in so many moves. If the search must halt, its end may be missing.
    pub(super) fn line(&mut self, meter: &mut Meter<'_>, root: &Position, moves: u8) -> Vec<Move> {
        let (mut position, mut left, mut line) = (*root, moves, Vec::new());
        if self.attacks(root)
            && let Some(m) = self.winning_move
        {
            line.push(m);
            position = position.play_unchecked(m);
            left -= 1;
        }
        while !self.goal.is_reached(&position) {
            let step = if self.attacks(&position) {
                self.winning_step(meter, &position, left)
            } else {
                self.longest_step(meter, &position, left)
            };
            let Some((m, after)) = step else { break };
            line.push(m);
            position = position.play_unchecked(m);
            left = after;
        }
        line
    }

    fn children(&mut self, meter: &mut Meter<'_>, position: &Position, left: u8) -> Vec<Child> {
        let base = self.children.len();
        self.expand(meter, position, left);
        self.children.split_off(base)
    }

    /// A move that wins in the moves left, and how many are left after it.
    fn winning_step(&mut self, meter: &mut Meter<'_>, position: &Position, left: u8) -> Option<(Move, u8)> {
        let mut children = self.children(meter, position, left);
        children.sort_by_key(|child| child.known.numbers.proof);
        children.into_iter().find_map(|Child { m, mut known }| {
            if !known.numbers.is_settled() {
                known = self.settle(meter, &position.play_unchecked(m), left - 1);
            }
            known.numbers.is_proved().then_some((m, known.moves))
        })
    }

    /// The reply that takes the attacker the most moves, and how many. All of them lose in the moves left.
    fn longest_step(
        &mut self,
        meter: &mut Meter<'_>,
        position: &Position,
        mut left: u8,
    ) -> Option<(Move, u8)> {
        while left > 1 {
            let mut children = self.children(meter, position, left - 1);
            children.sort_by_key(|child| child.known.numbers.disproof);
            let mut longest = None;
            for Child { m, mut known } in children {
                if !known.numbers.is_settled() {
                    known = self.settle(meter, &position.play_unchecked(m), left - 1);
                }
                if !known.numbers.is_proved() {
                    return Some((m, left)); // it holds out, or there was no time to see that it does not
                }
                longest = longest.max(Some(known.moves));
            }
            left = longest?;
        }
        position.legal_moves().first().map(|&m| (m, left))
    }
}
