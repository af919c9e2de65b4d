//! What holds for every position: round trips, legality, hashes, symmetries, and agreement with a second
//! implementation of the rules.

#![allow(clippy::unwrap_used)]

mod reference;

use std::collections::BTreeSet;

use proptest::prelude::*;
use sumito_rules::record::{Reader, Record};
use sumito_rules::{
    Bitboard, ByColor, Cell, Color, Game, Layout, Move, MoveList, Notation, Position, PositionFormat, Rules,
    Symmetry, fen,
};

/// Any board of at most 14 marbles a side, with scores that fit.
fn any_position() -> impl Strategy<Value = Position> {
    let cells = Just(Cell::ALL.to_vec()).prop_shuffle();
    (cells, 0..=14usize, 0..=14usize, 0..=6u8, 0..=6u8, any::<bool>(), 0..300u16, 0..300u16).prop_map(
        |(cells, black, white, b, w, white_moves, quiet, ply)| {
            let take = |cells: &[Cell]| cells.iter().copied().collect::<Bitboard>();
            let marbles = ByColor::new(take(&cells[..black]), take(&cells[black..black + white]));
            let score = ByColor::new(b.min(14 - white as u8), w.min(14 - black as u8));
            let turn = if white_moves { Color::White } else { Color::Black };
            let position = Position::with_score(marbles, score, turn).unwrap();
            position.with_counters(quiet, ply * 2 + turn.index() as u16)
        },
    )
}

/// A position that a game of random moves reaches.
fn played_position() -> impl Strategy<Value = Position> {
    (0..Layout::all().len(), prop::collection::vec(any::<prop::sample::Index>(), 0..120)).prop_map(
        |(layout, choices)| {
            let mut game = Game::new(Rules::OFFICIAL, Layout::all()[layout].position());
            for choice in choices {
                let moves = game.legal_moves();
                if moves.is_empty() {
                    break;
                }
                game.play(*choice.get(&moves)).unwrap();
            }
            *game.position()
        },
    )
}

/// A text that is a FEN, its counters often near the largest that can be read.
fn any_fen() -> impl Strategy<Value = String> {
    let quiet = prop_oneof![0..300u32, 65_530..=65_535u32];
    let number = prop_oneof![0..300u32, 32_760..=32_768u32];
    (any_position(), quiet, number).prop_map(|(position, quiet, number)| {
        let text = fen::write(&position.with_counters(0, 0));
        format!("{} {quiet} {number}", text.strip_suffix(" 0 1").expect("two counters"))
    })
}

fn position() -> impl Strategy<Value = Position> {
    prop_oneof![any_position(), played_position()]
}

proptest! {
    #[test]
    fn every_move_is_an_ejection_or_another_push_or_quiet(position in position()) {
        let mut kinds = [Position::add_ejections, Position::add_pushes, Position::add_quiet_moves].map(|add| {
            let mut list = MoveList::new();
            add(&position, &mut list);
            list.iter().map(|m| m.bits()).collect::<Vec<_>>()
        });
        let kind = |m: Move| if position.ejects(m) { 0 } else if position.pushed(m) > 0 { 1 } else { 2 };
        let mut expected = [Vec::new(), Vec::new(), Vec::new()];
        position.for_each_move(|m| expected[kind(m)].push(m.bits()));
        kinds.iter_mut().chain(&mut expected).for_each(|list| list.sort_unstable());
        prop_assert_eq!(kinds, expected);
    }

    #[test]
    fn a_move_is_legal_if_and_only_if_it_is_listed(position in position()) {
        let listed: BTreeSet<u16> = position.legal_moves().iter().map(|m| m.bits()).collect();
        prop_assert_eq!(listed.len(), position.legal_moves().len());
        prop_assert_eq!(listed.len(), position.count_moves());
        for bits in 0..=u16::MAX {
            let legal = Move::from_bits(bits).is_some_and(|m| position.is_legal(m));
            prop_assert_eq!(legal, listed.contains(&bits), "bits {:#06x}", bits);
        }
    }

    #[test]
    fn the_ejections_are_the_legal_moves_that_eject(position in position()) {
        let mut ejections = MoveList::new();
        position.add_ejections(&mut ejections);
        let listed: BTreeSet<u16> =
            position.legal_moves().iter().filter(|m| position.ejects(**m)).map(|m| m.bits()).collect();
        prop_assert_eq!(ejections.len(), listed.len());
        prop_assert_eq!(position.count_ejections(position.turn()), listed.len());
        prop_assert_eq!(ejections.iter().map(|m| m.bits()).collect::<BTreeSet<_>>(), listed);
    }

    #[test]
    fn the_second_implementation_reaches_the_same_boards(position in position()) {
        let successors = reference::successors(&reference::board(&position), position.turn());
        let ours: BTreeSet<_> = position
            .legal_moves()
            .iter()
            .map(|&m| {
                let after = reference::board(&position.play(m).unwrap());
                after.into_iter().map(|(place, color)| (place, color == Color::Black)).collect::<Vec<_>>()
            })
            .collect();
        prop_assert_eq!(ours.len(), position.legal_moves().len(), "two moves lead to one board");
        prop_assert_eq!(ours, successors);
    }

    #[test]
    fn the_hash_and_the_counts_are_the_same_when_computed_anew(position in position()) {
        prop_assert_eq!(position.hash(), position.fresh_hash());
        for &m in &*position.legal_moves() {
            let next = position.play(m).unwrap();
            prop_assert_eq!(next.hash(), next.fresh_hash());
            let lost = position.enemy().len() - next.own().len();
            prop_assert_eq!(lost, usize::from(position.ejects(m)));
            prop_assert_eq!(usize::from(next.score(position.turn()) - position.score(position.turn())), lost);
            prop_assert_eq!(next.quiet(), if lost > 0 { 0 } else { position.quiet() + 1 });
            prop_assert!(next.validate().is_ok());
        }
    }

    #[test]
    fn moves_and_symmetries_commute(position in position(), swap in any::<bool>()) {
        let position = if swap { position.swapped() } else { position };
        for symmetry in Symmetry::ALL {
            let image = symmetry.position(&position);
            prop_assert_eq!(symmetry.inverse().position(&image), position);
            for &m in &*position.legal_moves() {
                let moved = image.play(symmetry.apply(m)).unwrap();
                prop_assert_eq!(moved, symmetry.position(&position.play(m).unwrap()));
            }
        }
    }

    #[test]
    fn every_move_reads_back_in_every_notation(position in position()) {
        for notation in Notation::ALL {
            for &m in &*position.legal_moves() {
                let text = notation.write(&position, m);
                prop_assert_eq!(notation.parse(&position, &text), Ok(m), "{} {}", notation, text);
            }
        }
    }

    #[test]
    fn broadside_ends_are_read_in_both_orders(position in position()) {
        for &m in position.legal_moves().iter().filter(|m| m.is_broadside()) {
            let (low, high) = (m.tail(), m.head());
            let to = high.step(m.direction()).unwrap();
            prop_assert_eq!(Notation::AbaPro.parse(&position, &format!("{high}{low}{to}")), Ok(m));
            let turned = format!("s-{high:?}-{low:?}-{}", m.direction().hour());
            prop_assert_eq!(Notation::Bcit.parse(&position, &turned), Ok(m));
        }
    }

    #[test]
    fn every_position_reads_back_in_every_format(position in position()) {
        prop_assert_eq!(fen::parse(&fen::write(&position)), Ok(position));
        for format in PositionFormat::ALL.into_iter().filter(|_| !position.own().is_empty()) {
            let text = format.write(&position);
            let read = format.parse(&text).unwrap();
            for color in Color::ALL {
                prop_assert_eq!(read.marbles(color), position.marbles(color), "{:?} {}", format, text);
            }
        }
    }

    #[test]
    fn a_played_game_reads_back_from_its_record(position in played_position(), choices in prop::collection::vec(any::<prop::sample::Index>(), 0..60)) {
        let rules = Rules { repetition: sumito_rules::Repetition::Off, ..Rules::OFFICIAL };
        let mut game = Game::new(rules, position);
        for choice in choices {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(*choice.get(&moves)).unwrap();
        }
        for notation in Notation::ALL {
            let text = Record::from_game(&game, notation).to_string();
            let record = Reader::new(text.as_bytes()).next().unwrap().unwrap();
            let again = record.replay().unwrap();
            prop_assert_eq!(again.positions(), game.positions());
            prop_assert_eq!(again.outcome(), game.outcome());
            let one_line = Reader::new(text.replace('\n', " ").as_bytes()).next().unwrap().unwrap();
            prop_assert_eq!(one_line.to_string(), text);
        }
    }

    #[test]
    fn whatever_is_played_from_any_readable_position_can_be_written_and_read_again(
        text in any_fen(), choices in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let Ok(start) = fen::parse(&text) else { return Ok(()) };
        let mut game = Game::new(Rules { repetition: sumito_rules::Repetition::Off, ..Rules::OFFICIAL }, start);
        for choice in choices {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(*choice.get(&moves)).unwrap();
            let position = *game.position();
            prop_assert_eq!(position.hash(), position.fresh_hash());
            prop_assert_eq!(usize::from(position.ply() % 2), position.turn().index());
            for format in PositionFormat::ALL {
                let read = format.parse(&format.write(&position));
                let read = read.unwrap_or_else(|why| panic!("{format:?} {position}: {why}"));
                prop_assert_eq!(read.marbles(Color::Black), position.marbles(Color::Black));
                prop_assert_eq!(read.marbles(Color::White), position.marbles(Color::White));
                prop_assert!(format != PositionFormat::Fen || read == position, "{} from {}", position, text);
            }
        }
        for notation in Notation::ALL {
            let record = Record::from_game(&game, notation).to_string();
            let again = Reader::new(record.as_bytes()).next().unwrap().unwrap().replay().unwrap();
            prop_assert_eq!(again.positions(), game.positions());
        }
    }

    #[test]
    fn no_text_makes_a_parser_panic(text in "\\PC{0,80}", position in position()) {
        for format in PositionFormat::ALL {
            let _ = format.parse(&text);
        }
        for notation in Notation::ALL {
            let _ = notation.parse(&position, &text);
        }
        let _ = PositionFormat::detect(&text);
        let _ = Reader::new(text.as_bytes()).count();
    }

    #[test]
    fn text_like_ours_makes_no_parser_panic(text in "[a-iA-IsSbw0-9/ ._,$!?(){};\\[\\]\"*-]{0,80}", position in position()) {
        for format in PositionFormat::ALL {
            if let Ok(read) = format.parse(&text) {
                prop_assert!(read.validate().is_ok());
            }
        }
        for notation in Notation::ALL {
            if let Ok(m) = notation.parse(&position, &text) {
                prop_assert!(position.is_legal(m));
            }
        }
        for record in Reader::new(text.as_bytes()).flatten() {
            let _ = record.replay();
            let written = record.to_string();
            let again = Reader::new(written.as_bytes()).next().unwrap().unwrap();
            prop_assert_eq!(again.to_string(), written);
        }
    }
}
