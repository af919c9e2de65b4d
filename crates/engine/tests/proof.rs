//! The proof search against a plain search by the rules alone, on small boards and after repetitions and near
//! caps.

#![allow(clippy::unwrap_used)]

mod support;

use sumito_engine::{Proof, ProofLimits, Stop, Win};
use sumito_rules::{
    Bitboard, ByColor, Cell, Color, Game, Layout, Outcome, Position, Reason, Repetition, Rules, fen,
};
use support::Dice;

/// Whether a side wins on the board in so many of its moves, by trying everything.
fn wins(game: &Game, attacker: Color, moves: u32) -> bool {
    let on_board = |outcome: Outcome| matches!(outcome.reason, Reason::Ejections | Reason::NoMoves);
    support::wins(&mut game.clone(), attacker, moves, on_board)
}

impl Dice {
    /// Marbles on some of the cells that are at most so far from a corner.
    fn position(&mut self, reach: u8, marbles: ByColor<usize>, score: ByColor<u8>) -> Position {
        let corner: Cell = ["a1", "a5", "e9", "i5"][self.roll(4)].parse().unwrap();
        let mut area = Bitboard::from(corner);
        (0..reach).for_each(|_| area |= area.neighbours());
        let mut cells: Vec<Cell> = area.sorted().collect();
        let sets = marbles.map(|count| {
            (0..count).fold(Bitboard::EMPTY, |set, _| {
                set | Bitboard::from(cells.swap_remove(self.roll(cells.len())))
            })
        });
        Position::with_score(sets, score, Color::ALL[self.roll(2)]).unwrap()
    }
}

fn prove(game: &Game, winner: Color, moves: u32) -> Proof {
    let limits =
        ProofLimits { winner: Some(winner), moves: Some(moves), memory: 1, ..ProofLimits::default() };
    Proof::search(game, &limits, &mut |_| ())
}

/// The fewest moves up to so many in which plain search finds a win.
fn fewest(game: &Game, winner: Color, most: u32) -> Option<u32> {
    (1..=most).find(|&moves| wins(game, winner, moves))
}

/// Whether a line ends with the win that was claimed, and each reply in it is as good as any.
fn check_line(game: &Game, win: &Win) {
    let mut game = game.clone();
    let mut left = win.moves;
    for &m in &win.line {
        assert_eq!(fewest(&game, win.winner, left), Some(left), "{}", game.position());
        left -= u32::from(game.turn() == win.winner);
        game.play(m).unwrap();
    }
    assert_eq!((game.outcome().and_then(|outcome| outcome.winner), left), (Some(win.winner), 0));
}

/// Compares both searches for both sides; how many wins there were.
fn compare(game: &Game, most: u32) -> usize {
    let mut found = 0;
    for winner in Color::ALL {
        let truth = fewest(game, winner, most);
        match prove(game, winner, most) {
            Proof::Proved(win) => {
                assert_eq!(
                    (Some(win.moves), win.winner, win.shortest),
                    (truth, winner, true),
                    "{}",
                    game.position()
                );
                check_line(game, &win);
                found += 1;
            }
            other => {
                assert_eq!((other, truth), (Proof::Disproved { moves: most }, None), "{}", game.position());
            }
        }
    }
    found
}

/// How many sides have a win, by the proof search.
fn count_wins(game: &Game, most: u32) -> usize {
    let won = |&winner: &Color| matches!(prove(game, winner, most), Proof::Proved(_));
    Color::ALL.iter().filter(|winner| won(winner)).count()
}

#[test]
fn a_proof_says_what_plain_search_says() {
    let (mut dice, mut found) = (Dice(1), 0);
    for _ in 0..300 {
        let (reach, counts) = (2 + dice.roll(2) as u8, ByColor::new(2 + dice.roll(3), 2 + dice.roll(2)));
        let score = ByColor::new(4 + dice.roll(2) as u8, 4 + dice.roll(2) as u8);
        found += compare(&Game::new(Rules::OFFICIAL, dice.position(reach, counts, score)), 2);
    }
    assert!(found > 10, "only {found} wins");
}

/// As above with three moves, where the table and the proof numbers are at work.
#[test]
#[ignore = "some seconds of plain search in a release build"]
fn a_longer_proof_says_what_plain_search_says() {
    let (mut dice, mut found) = (Dice(6), 0);
    for _ in 0..400 {
        let (reach, counts) = (2 + dice.roll(2) as u8, ByColor::new(2 + dice.roll(2), 2));
        let score = ByColor::new(4 + dice.roll(2) as u8, 4 + dice.roll(2) as u8);
        found += compare(&Game::new(Rules::OFFICIAL, dice.position(reach, counts, score)), 3);
    }
    assert!(found > 10, "only {found} wins");
}

#[test]
fn a_side_shut_in_has_lost_though_more_marbles_are_needed() {
    let (mut dice, mut found) = (Dice(2), 0);
    for _ in 0..2000 {
        let counts = ByColor::new(5 + dice.roll(3), 1 + dice.roll(2));
        let score = ByColor::new(dice.roll(5) as u8, 3);
        let position = dice.position(2, counts, score).with_turn(Color::Black);
        let game = Game::new(Rules::OFFICIAL, position);
        let most = 1 + u32::from(position.count_moves() < 12);
        if game.outcome().is_none() && compare(&game, most) > 0 {
            found += usize::from(6 - u32::from(position.score(Color::Black)) > most);
        }
    }
    assert!(found > 10, "only {found} wins without enough marbles");
}

#[test]
fn caps_end_a_win_that_comes_too_late() {
    let (mut dice, mut late) = (Dice(3), 0);
    for round in 0..2000 {
        let cap = 1 + dice.roll(4) as u32;
        let caps = if round % 2 == 0 { (Some(cap), None) } else { (None, Some(cap)) };
        let rules = Rules { ply_cap: caps.0, quiet_cap: caps.1, ..Rules::CORNELL };
        let score = ByColor::new(5, 4 + dice.roll(2) as u8);
        let position = dice.position(2, ByColor::new(3, 2), score);
        let free = count_wins(&Game::new(Rules::TOURNAMENT, position), 2);
        if free > 0 {
            late += free - compare(&Game::new(rules, position), 2);
        }
    }
    assert!(late > 2, "only {late} wins came too late");
}

/// A game whose last moves go to and fro: every position up to twice, and a few more plies.
fn shuffled(dice: &mut Dice, rules: Rules, start: Position, plies: usize) -> Option<Game> {
    let mut game = Game::new(rules, start);
    let back = |game: &Game| {
        let before = game.positions()[game.positions().len() - 3].marbles(game.turn());
        let position = game.position();
        position
            .legal_moves()
            .into_iter()
            .find(|&m| position.play_unchecked(m).marbles(game.turn()) == before)
    };
    for ply in 0..plies {
        let legal = game.legal_moves();
        let m = match ply {
            0 | 1 => *legal.get(dice.roll(legal.len().max(1)))?,
            2 | 3 => back(&game)?,
            _ => game.moves()[ply - 4],
        };
        game.play(m).ok()?;
    }
    game.outcome().is_none().then_some(game)
}

#[test]
fn a_repetition_that_the_past_has_prepared_is_no_win() {
    let (mut dice, mut games, mut spoilt) = (Dice(4), 0, 0);
    for _ in 0..3000 {
        let rules = Rules { repetition: Repetition::Threefold, ..Rules::OFFICIAL };
        let start = dice.position(2, ByColor::new(3, 2), ByColor::new(5, 4));
        let plies = 4 + dice.roll(4);
        let Some(game) = shuffled(&mut dice, rules, start, plies) else { continue };
        games += 1;
        let free = count_wins(&Game::new(rules, *game.position()), 2);
        if free > 0 {
            spoilt += free - compare(&game, 2);
        }
    }
    assert!(games > 50 && spoilt > 0, "{games} games, {spoilt} wins spoilt");
}

#[test]
fn under_the_authors_ruling_nothing_false_is_claimed_after_a_rally() {
    let (mut dice, mut games, mut won) = (Dice(5), 0, 0);
    for _ in 0..400 {
        let start = dice.position(2, ByColor::new(3, 2), ByColor::new(5, 4));
        let plies = 4 + dice.roll(4);
        let Some(game) = shuffled(&mut dice, Rules::OFFICIAL, start, plies) else { continue };
        games += 1;
        for winner in Color::ALL {
            let truth = fewest(&game, winner, 2);
            match prove(&game, winner, 2) {
                Proof::Proved(win) => {
                    won += 1;
                    assert!(
                        truth
                            .is_some_and(|truth| truth <= win.moves && (!win.shortest || truth == win.moves))
                    );
                }
                Proof::Disproved { moves } => assert_eq!((truth, moves), (None, 2)),
                Proof::Unknown { disproved } => assert!(truth.is_none_or(|truth| truth > disproved)),
            }
        }
    }
    assert!(games > 50 && won > 10, "{games} games, {won} wins");
}

#[test]
fn a_search_that_is_stopped_or_out_of_nodes_claims_nothing() {
    let game = Game::new(Rules::OFFICIAL, Layout::all()[0].position());
    let stop = Stop::default();
    stop.request();
    let limits = ProofLimits { memory: 1, ..ProofLimits::default() };
    for limits in [
        ProofLimits { nodes: Some(5000), ..limits.clone() },
        ProofLimits { stop, ..limits.clone() },
        ProofLimits { time: Some(std::time::Duration::ZERO), ..limits },
    ] {
        let mut nodes = 0;
        let proof = Proof::search(&game, &limits, &mut |info| nodes = info.nodes);
        assert!(matches!(proof, Proof::Unknown { disproved: 1..6 }), "{proof:?}");
        assert!(nodes < 10_000);
    }
}

#[test]
fn a_game_that_is_over_has_no_win_ahead() {
    let over = fen::parse("5/6/7/8/9/8/7/5S/2SSs 6 3 w 0 1").unwrap();
    let proof = prove(&Game::new(Rules::OFFICIAL, over), Color::Black, 3);
    assert_eq!(proof, Proof::Disproved { moves: 3 });
}

#[test]
fn both_sides_are_looked_at_if_none_is_named() {
    // Two marbles stand before the rim, and White can save only one.
    let position = fen::parse("5/6/7/8/sSS6/8/7/6/2SSs 5 3 w 0 1").unwrap();
    for turn in Color::ALL {
        let game = Game::new(Rules::OFFICIAL, position.with_turn(turn));
        let Proof::Proved(win) = Proof::search(&game, &ProofLimits::default(), &mut |_| ()) else {
            panic!("no win with {turn} to move")
        };
        assert_eq!((win.winner, win.moves, win.shortest), (Color::Black, 1, true));
        check_line(&game, &win);
    }
}
