//! The canonical form of a position: of its twelve symmetric forms the one with the least hash, so that games that are
//! the same but for a turn or a mirror are found together.

use sumito_rules::{Game, Move, Position, Symmetry};

/// A position's canonical form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Canonical {
    /// Its hash; the database's numbers have a sign.
    pub(crate) hash: i64,
    /// The symmetries that lead to it, as bits: several if the position is symmetric itself.
    to: u16,
}

impl Canonical {
    pub(crate) fn new(position: &Position) -> Canonical {
        let mut best = Canonical { hash: i64::MAX, to: 0 };
        for (number, symmetry) in Symmetry::ALL.into_iter().enumerate() {
            let hash = symmetry.position(position).hash() as i64;
            if hash < best.hash || best.to == 0 {
                best = Canonical { hash, to: 1 << number };
            } else if hash == best.hash {
                best.to |= 1 << number;
            }
        }
        best
    }

    fn symmetries(self) -> impl Iterator<Item = Symmetry> {
        Symmetry::ALL
            .into_iter()
            .enumerate()
            .filter(move |(number, _)| self.to >> number & 1 == 1)
            .map(|(_, s)| s)
    }

    /// A move of the position as a number that its symmetric moves share.
    pub(crate) fn turned(self, m: Move) -> u16 {
        self.symmetries().map(|symmetry| symmetry.apply(m).bits()).min().unwrap_or_default()
    }

    /// A move of the position that has this number.
    pub(crate) fn back(self, number: u16) -> Option<Move> {
        let m = Move::from_bits(number)?;
        self.symmetries().next().map(|symmetry| symmetry.inverse().apply(m))
    }
}

/// A position of a game, as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) hash: i64,
    pub(crate) ply: u32,
    /// The move from it; 0 if it is the last.
    pub(crate) m: u16,
}

/// All positions of a game from a ply on.
pub(crate) fn places(game: &Game, from: usize) -> Vec<Place> {
    let plies = (from..).zip(game.positions().get(from..).unwrap_or_default());
    plies
        .map(|(ply, position)| {
            let canonical = Canonical::new(position);
            let m = game.moves().get(ply).map_or(0, |&m| canonical.turned(m));
            Place { hash: canonical.hash, ply: ply as u32, m }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use sumito_rules::{Layout, Rules};

    #[test]
    fn symmetric_positions_share_their_hash_and_symmetric_moves_their_number() {
        let mut position = Layout::all()[0].position();
        for turn in 0..30 {
            let canonical = Canonical::new(&position);
            let moves = position.legal_moves();
            for symmetry in Symmetry::ALL {
                let other = Canonical::new(&symmetry.position(&position));
                assert_eq!(other.hash, canonical.hash);
                for m in &moves {
                    assert_eq!(other.turned(symmetry.apply(m)), canonical.turned(m));
                }
            }
            position = position.play_unchecked(moves[turn * 31 % moves.len()]);
        }
    }

    #[test]
    fn a_number_leads_back_to_a_move_that_has_it() {
        let position = Layout::named("standard").expect("a layout").position();
        let canonical = Canonical::new(&position);
        for m in &position.legal_moves() {
            let back = canonical.back(canonical.turned(m)).expect("a move");
            assert!(position.is_legal(back));
            assert_eq!(canonical.turned(back), canonical.turned(m));
        }
    }

    #[test]
    fn the_first_moves_of_a_symmetric_layout_are_merged() {
        let position = Layout::all()[0].position();
        let canonical = Canonical::new(&position);
        let numbers: BTreeSet<u16> = position.legal_moves().iter().map(|&m| canonical.turned(m)).collect();
        assert_eq!((position.legal_moves().len(), numbers.len()), (52, 26));
    }

    #[test]
    fn a_game_has_a_place_for_each_position() {
        let mut game = Game::new(Rules::OFFICIAL, Layout::all()[0].position());
        for _ in 0..3 {
            let m = game.legal_moves()[0];
            game.play(m).expect("legal");
        }
        let all = places(&game, 0);
        assert_eq!(
            all.iter().map(|place| (place.ply, place.m != 0)).collect::<Vec<_>>(),
            [(0, true), (1, true), (2, true), (3, false)]
        );
        assert_eq!(places(&game, 2), all[2..]);
    }
}
