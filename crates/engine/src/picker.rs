//! Move ordering: the table's move (hash move), ejections, killers and the counter-move, then pushes and quiet moves by
//! history. The moves are made in stages (staged generation): what is not asked for is not made.

use sumito_rules::{Move, MoveList, Position};

use crate::history::Rows;

/// The kind of a move, as far as ordering and reductions care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Quiet,
    Push,
    Ejection,
}

/// Whether a legal move pushes, and whether it pushes off.
#[inline]
pub(crate) fn kind(position: &Position, m: Move) -> Kind {
    if m.count() == 1 || m.is_broadside() {
        return Kind::Quiet;
    }
    let direction = m.direction();
    let enemy = position.enemy();
    let Some(first) = m.tail().steps(direction, m.count()).filter(|&cell| enemy.contains(cell)) else {
        return Kind::Quiet;
    };
    match first.step(direction) {
        None => Kind::Ejection,
        Some(second) if enemy.contains(second) && second.step(direction).is_none() => Kind::Ejection,
        Some(_) => Kind::Push,
    }
}

/// Room for the moves of one node, kept so that it need not be cleared.
pub(crate) struct Moves {
    list: MoveList,
    /// For each move its score above its place, so that the greatest key names the best move; 0 if given out.
    keys: [u32; MoveList::CAPACITY],
    /// The first so many are pushes.
    pushes: usize,
}

/// Bits of a key for the place.
const PLACE: u32 = 9;
/// Lifts every score above zero.
const LIFT: i32 = 1 << 20;

impl Moves {
    pub(crate) fn new() -> Moves {
        Moves { list: MoveList::new(), keys: [0; MoveList::CAPACITY], pushes: 0 }
    }

    /// The moves that matter in quiescence: ejections, and if asked for, pushes after them.
    #[inline]
    pub(crate) fn make_forcing(&mut self, position: &Position, pushes: bool) {
        self.list.clear();
        position.add_ejections(&mut self.list);
        if pushes {
            position.add_pushes(&mut self.list);
        }
    }

    #[inline]
    pub(crate) fn get(&self, place: usize) -> Option<Move> {
        self.list.get(place).copied()
    }

    fn make_ejections(&mut self, position: &Position, rows: &Rows<'_>) {
        self.list.clear();
        position.add_ejections(&mut self.list);
        self.pushes = 0;
        self.rank(rows, 0);
    }

    fn make_rest(&mut self, position: &Position, rows: &Rows<'_>, push_bonus: i32) {
        self.list.clear();
        position.add_pushes(&mut self.list);
        self.pushes = self.list.len();
        position.add_quiet_moves(&mut self.list);
        self.rank(rows, push_bonus);
    }

    fn rank(&mut self, rows: &Rows<'_>, push_bonus: i32) {
        let key = |place: usize, m: Move, bonus: i32| {
            ((rows.score(m) + bonus + LIFT) as u32) << PLACE | (MoveList::CAPACITY - place) as u32
        };
        let (pushes, quiet) = self.list.split_at(self.pushes);
        let keys = self.keys.iter_mut().enumerate();
        let bonuses = pushes.iter().map(|&m| (m, push_bonus)).chain(quiet.iter().map(|&m| (m, 0)));
        for ((place, slot), (m, bonus)) in keys.zip(bonuses) {
            *slot = key(place, m, bonus);
        }
    }

    /// The best move that is left, with its score and place.
    #[inline]
    fn pop(&mut self) -> Option<(Move, i32, usize)> {
        let key = self.keys[..self.list.len()].iter().fold(0, |most, &key| most.max(key));
        if key == 0 {
            return None;
        }
        let place = MoveList::CAPACITY - (key & ((1 << PLACE) - 1)) as usize;
        self.keys[place] = 0;
        Some((self.list[place], (key >> PLACE) as i32 - LIFT, place))
    }
}

/// The moves that deserve to come early: killers, and the usual answer to the last move (counter-move).
pub(crate) type Favourites = [Option<Move>; 3];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Table,
    Ejections,
    Favourites(usize),
    Rest,
}

/// Gives out the moves of a position, best first.
pub(crate) struct Picker {
    table: Option<Move>,
    favourites: Favourites,
    stage: Stage,
    /// Whether the moves of the stage have been made.
    made: bool,
}

/// A move with its kind and what its history says.
#[derive(Clone, Copy)]
pub(crate) struct Picked {
    pub(crate) m: Move,
    pub(crate) kind: Kind,
    pub(crate) history: i32,
}

impl Picker {
    pub(crate) fn new(table: Option<Move>, favourites: Favourites) -> Picker {
        Picker { table, favourites, stage: Stage::Table, made: false }
    }

    /// The next move. `moves` is this picker's alone until there are none left.
    #[inline]
    pub(crate) fn next(
        &mut self,
        position: &Position,
        moves: &mut Moves,
        rows: &Rows<'_>,
        push_bonus: i32,
    ) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::Ejections;
                    self.table = self.table.filter(|&m| position.is_legal(m));
                    if let Some(m) = self.table {
                        return Some(Picked { m, kind: kind(position, m), history: rows.score(m) });
                    }
                }
                Stage::Ejections => {
                    if !self.made {
                        self.made = true;
                        moves.make_ejections(position, rows);
                    }
                    match moves.pop() {
                        Some((m, ..)) if self.table == Some(m) => {}
                        Some((m, history, _)) => return Some(Picked { m, kind: Kind::Ejection, history }),
                        None => (self.stage, self.made) = (Stage::Favourites(0), false),
                    }
                }
                Stage::Favourites(3) => self.stage = Stage::Rest,
                Stage::Favourites(place) => {
                    self.stage = Stage::Favourites(place + 1);
                    let Some(m) = self.favourite(position, place) else { continue };
                    let kind = kind(position, m);
                    if kind == Kind::Ejection {
                        self.favourites[place] = None;
                        continue;
                    }
                    return Some(Picked { m, kind, history: rows.score(m) });
                }
                Stage::Rest => {
                    if !self.made {
                        self.made = true;
                        moves.make_rest(position, rows, push_bonus);
                    }
                    let (m, score, place) = moves.pop()?;
                    if self.table == Some(m) || self.favourites.contains(&Some(m)) {
                        continue;
                    }
                    return Some(if place < moves.pushes {
                        Picked { m, kind: Kind::Push, history: score - push_bonus }
                    } else {
                        Picked { m, kind: Kind::Quiet, history: score }
                    });
                }
            }
        }
    }

    /// A favourite that is legal here and has not come before; one that is not is struck out.
    fn favourite(&mut self, position: &Position, place: usize) -> Option<Move> {
        let known = self.favourites[place]
            .filter(|&m| self.table != Some(m) && !self.favourites[..place].contains(&Some(m)));
        self.favourites[place] = known.filter(|&m| position.is_legal(m));
        self.favourites[place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Context, History};
    use sumito_rules::Layout;

    #[test]
    fn every_legal_move_comes_once_whatever_is_favoured() {
        let history = History::new();
        let mut moves = Moves::new();
        let mut position = Layout::named("belgian-daisy").expect("a layout").position();
        let mut favoured: Vec<Move> = Vec::new();
        for step in 0..200 {
            let legal = position.legal_moves();
            let pick = |n: usize| (!n.is_multiple_of(3)).then(|| legal[(7 * step + n) % legal.len()]);
            let favourites = [pick(step), favoured.last().copied(), pick(step + 1)];
            let mut picker = Picker::new(pick(step + 2), favourites);
            let rows = history.rows(position.turn(), Context::default());
            let mut found = Vec::new();
            while let Some(picked) = picker.next(&position, &mut moves, &rows, 100) {
                assert_eq!(picked.kind, kind(&position, picked.m));
                found.push(picked.m.bits());
            }
            let mut expected: Vec<u16> = legal.iter().map(|m| m.bits()).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
            let m = legal[step * step % legal.len()];
            favoured.push(m);
            position = position.play_unchecked(m);
        }
    }
}
