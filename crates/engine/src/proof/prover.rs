//! Depth-first proof-number search (Nagai 2002) for one attacker. A node is a position and the number of moves that
//! the attacker has left, so that the graph has no cycles and a disproof means what it says.

use sumito_rules::{Move, Position};

use super::goal::{Goal, Sight};
use super::meter::Meter;
use super::numbers::{INFINITE, Numbers};
use super::table::{Key, Table};

/// The search for the win of one side, which can be interrupted and taken up again.
pub(super) struct Prover {
    pub(super) goal: Goal,
    table: Table,
    /// The children of the nodes on the way to the current one, the latest node's last.
    pub(super) children: Vec<Child>,
    /// The attacker's move in the node that was proved last.
    pub(super) winning_move: Option<Move>,
    /// The reply that last refuted a move two moves before the end.
    refutation: Option<Move>,
}

/// A move and what is known about the position after it.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub(super) m: Move,
    pub(super) known: Known,
}

/// Numbers, and if proved, in how many moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) numbers: Numbers,
    pub(super) moves: u8,
}

impl Known {
    const LOST: Known = Known { numbers: Numbers::DISPROVED, moves: 0 };

    fn won(moves: u8) -> Known {
        Known { numbers: Numbers::PROVED, moves }
    }
}

impl Prover {
    pub(super) fn new(goal: Goal, megabytes: usize) -> Prover {
        let table = Table::new(megabytes);
        Prover { goal, table, children: Vec::new(), winning_move: None, refutation: None }
    }

    /// Searches until the node is settled or the search halts.
    pub(super) fn settle(&mut self, meter: &mut Meter<'_>, position: &Position, left: u8) -> Known {
        self.search(meter, position, left, Numbers::LIMITLESS)
    }

    /// Whether the side to move is the attacker.
    pub(super) fn attacks(&self, position: &Position) -> bool {
        position.turn() == self.goal.attacker
    }

    /// Searches a node until one of its numbers reaches its limit.
    fn search(&mut self, meter: &mut Meter<'_>, position: &Position, left: u8, limit: Numbers) -> Known {
        let before = meter.nodes;
        let attacks = self.attacks(position);
        let known = if attacks && left == 2 {
            self.attack_at_end(meter, position)
        } else {
            let base = self.children.len();
            self.expand(meter, position, left);
            let known = self.develop(meter, position, left, limit, base);
            self.children.truncate(base);
            known
        };
        let key = Key::new(position, self.goal.quiet(position));
        self.table.put(key, left, known.numbers, known.moves, meter.nodes - before);
        known
    }

    /// Searches the most promising child again and again.
    fn develop(
        &mut self,
        meter: &mut Meter<'_>,
        position: &Position,
        left: u8,
        limit: Numbers,
        base: usize,
    ) -> Known {
        let attacks = self.attacks(position);
        loop {
            let known = gather(&self.children[base..], attacks);
            let numbers = known.numbers;
            let beyond = numbers.proof >= limit.proof || numbers.disproof >= limit.disproof;
            if attacks && numbers.is_proved() {
                self.winning_move = winning_move(&self.children[base..]);
            }
            if numbers.is_settled() || beyond || meter.is_halted() {
                return known;
            }
            let (index, limit) = choose(&self.children[base..], attacks, numbers, limit);
            let m = self.children[base + index].m;
            let next = position.play_unchecked(m);
            self.children[base + index].known = self.search(meter, &next, left - u8::from(attacks), limit);
        }
    }

    /// Puts the children of a node behind those of its ancestors. If one of them decides the node, it alone is there.
    pub(super) fn expand(&mut self, meter: &mut Meter<'_>, position: &Position, left: u8) {
        let (base, attacks) = (self.children.len(), self.attacks(position));
        let after = left - u8::from(attacks);
        let moves = position.legal_moves();
        let eject = attacks && self.goal.must_eject(position, left);
        for m in &moves {
            if eject && !position.ejects(m) {
                continue;
            }
            let known = self.look(meter, &position.play_unchecked(m), after);
            let decides = if attacks { known.numbers.is_proved() } else { known.numbers.is_disproved() };
            if decides {
                self.children.truncate(base);
            }
            self.children.push(Child { m, known });
            if decides {
                return;
            }
        }
    }

    /// What is known about a position without a search.
    fn look(&mut self, meter: &mut Meter<'_>, position: &Position, left: u8) -> Known {
        meter.count();
        match self.goal.sight(position, left) {
            Sight::Won(moves) => return Known::won(moves),
            Sight::Lost => return Known::LOST,
            Sight::Open => (),
        }
        let entry = self.table.get(Key::new(position, self.goal.quiet(position)), left);
        if let Some(moves) = entry.won.filter(|&moves| moves <= left) {
            return Known::won(moves);
        }
        if entry.lost.is_some_and(|lost| lost >= left) {
            return Known::LOST;
        }
        Known { numbers: entry.numbers.unwrap_or_else(|| self.guess(position)), moves: 0 }
    }

    /// The numbers of a position that was never searched. They steer the search and decide nothing: a move that
    /// threatens to push a marble off is likelier to win and harder to refute.
    fn guess(&self, position: &Position) -> Numbers {
        let needs = 2 * u32::from(self.goal.needs(position, self.goal.attacker));
        match self.attacks(position) {
            true => Numbers { proof: needs, disproof: 1 },
            false if position.count_ejections(self.goal.attacker) > 0 => {
                Numbers { proof: needs, disproof: 6 }
            }
            false => Numbers { proof: needs + 6, disproof: 1 },
        }
    }

    /// Whether the attacker wins in two moves: a plain search, which needs no table.
    fn attack_at_end(&mut self, meter: &mut Meter<'_>, position: &Position) -> Known {
        let eject = self.goal.must_eject(position, 2);
        for m in &position.legal_moves() {
            if eject && !position.ejects(m) {
                continue;
            }
            let next = position.play_unchecked(m);
            meter.count();
            if meter.stopped {
                return Known { numbers: self.guess(position), moves: 0 };
            }
            let moves = match self.goal.sight(&next, 1) {
                Sight::Won(moves) => moves + 1,
                Sight::Open if self.wins_at_end(meter, &next) => 2,
                _ => continue,
            };
            self.winning_move = Some(m);
            return Known::won(moves);
        }
        Known::LOST
    }

    /// Whether every reply loses to one more move.
    fn wins_at_end(&mut self, meter: &mut Meter<'_>, position: &Position) -> bool {
        if let Some(m) = self.refutation.filter(|&m| position.is_legal(m))
            && !self.loses_at_end(meter, position, m)
        {
            return false;
        }
        for m in &position.legal_moves() {
            if !self.loses_at_end(meter, position, m) {
                self.refutation = Some(m);
                return false;
            }
        }
        true
    }

    fn loses_at_end(&mut self, meter: &mut Meter<'_>, position: &Position, m: Move) -> bool {
        meter.count();
        self.goal.sight(&position.play_unchecked(m), 1) != Sight::Lost
    }
}

/// The move that wins soonest.
fn winning_move(children: &[Child]) -> Option<Move> {
    let won = children.iter().filter(|child| child.known.numbers.is_proved());
    won.min_by_key(|child| child.known.moves).map(|child| child.m)
}

/// The numbers of a node from those of its children.
fn gather(children: &[Child], attacks: bool) -> Known {
    let (mut proof, mut disproof, mut moves) =
        if attacks { (INFINITE, 0, u8::MAX) } else { (0, INFINITE, 0) };
    for Child { known: Known { numbers, moves: child }, .. } in children {
        if attacks {
            proof = proof.min(numbers.proof);
            disproof = add(disproof, numbers.disproof);
            if numbers.is_proved() {
                moves = moves.min(child + 1);
            }
        } else {
            proof = add(proof, numbers.proof);
            disproof = disproof.min(numbers.disproof);
            moves = moves.max(*child);
        }
    }
    Known { numbers: Numbers { proof, disproof }, moves }
}

/// A sum that reaches infinity only if a part is infinite.
fn add(sum: u32, part: u32) -> u32 {
    if sum == INFINITE || part == INFINITE { INFINITE } else { (sum + part).min(INFINITE - 1) }
}

/// The most promising child, and the limits within which it stays that.
fn choose(children: &[Child], attacks: bool, sum: Numbers, limit: Numbers) -> (usize, Numbers) {
    let rank = |numbers: Numbers| if attacks { numbers.proof } else { numbers.disproof };
    let (mut best, mut first, mut second) = (0, INFINITE, INFINITE);
    for (index, child) in children.iter().enumerate() {
        let rank = rank(child.known.numbers);
        if rank < first {
            (best, second, first) = (index, first, rank);
        } else {
            second = second.min(rank);
        }
    }
    let numbers = children[best].known.numbers;
    // A quarter more than the second best, so that the search does not go to and fro (Pawlewicz and Lew 2006).
    let rival = second.saturating_add(second / 4).saturating_add(1).min(INFINITE);
    let share = |limit: u32, sum: u32, own: u32| {
        if limit >= INFINITE { INFINITE } else { limit - sum + own }
    };
    let limit = if attacks {
        Numbers {
            proof: limit.proof.min(rival),
            disproof: share(limit.disproof, sum.disproof, numbers.disproof),
        }
    } else {
        Numbers { proof: share(limit.proof, sum.proof, numbers.proof), disproof: limit.disproof.min(rival) }
    };
    (best, limit)
}
