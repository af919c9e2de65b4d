//! Standings and cross tables of tournaments that can be counted by hand.

use sumito_rules::Color;

use crate::domain::pairing::cross::cross_table;
use crate::domain::pairing::standings::{ArenaSheet, arena_standings, standings};
use crate::domain::pairing::streak::ArenaResult::{Draw, Loss, Win};
use crate::domain::pairing::swiss::{Swiss, SwissError};
use crate::domain::pairing::tiebreak::{Format, TieBreak};
use crate::domain::pairing::{
    Entrant, Pairing, PairingResult, PlayerId, Points, Presence, Rest, Resting, Round,
};

fn entrants(count: u32) -> Vec<Entrant> {
    (0..count)
        .map(|i| Entrant { id: PlayerId(i), rating: 2000 - i as i32, head_start: Points::NONE })
        .collect()
}

fn game(black: u32, white: u32, result: PairingResult) -> Pairing {
    Pairing { black: PlayerId(black), white: PlayerId(white), result: Some(result) }
}

fn black_wins(black: u32, white: u32) -> Pairing {
    game(black, white, PairingResult::Won(Color::Black))
}

fn round(pairings: &[Pairing]) -> Round {
    Round { pairings: pairings.to_vec(), resting: Vec::new() }
}

/// 0 beats 2 and 1; 3 beats 1; 2 and 3 draw. Points: 0 two, 3 one and a half, 2 a half, 1 none.
fn small() -> Vec<Round> {
    vec![
        round(&[black_wins(0, 2), black_wins(3, 1)]),
        round(&[black_wins(0, 1), game(2, 3, PairingResult::Drawn)]),
    ]
}

#[test]
fn sums_of_a_small_tournament() {
    let all = [TieBreak::Buchholz, TieBreak::BuchholzCutOne, TieBreak::SonnebornBerger, TieBreak::Wins];
    let found = standings(&entrants(4), &small(), Format::Swiss, &all, 1);
    let lines: Vec<_> = found.iter().map(|it| (it.player.0, it.points.0, it.tie_breaks.as_slice())).collect();
    // As an opponent, player 1 keeps its 0 points: it has played to the end.
    assert_eq!(lines[0], (0, 4, &[1, 1, 2, 2][..]));
    assert_eq!(lines[1], (3, 3, &[1, 1, 1, 1][..]));
    assert_eq!(lines[2], (2, 1, &[7, 4, 3, 0][..]));
    assert_eq!(lines[3], (1, 0, &[7, 4, 0, 0][..]));
}

#[test]
fn direct_encounter_decides_only_among_those_who_have_all_met() {
    let rounds = [round(&[black_wins(1, 0), black_wins(2, 3)]), round(&[black_wins(0, 3), black_wins(4, 1)])];
    let place = |count: u32, rounds: &[Round]| {
        let found = standings(&entrants(count), rounds, Format::Swiss, &[TieBreak::DirectEncounter], 1);
        found.iter().map(|it| (it.player.0, it.place)).collect::<Vec<_>>()
    };
    // 0, 1, 2 and 4 have a point each and have not all met.
    assert_eq!(place(5, &rounds), [(0, 1), (1, 1), (2, 1), (4, 1), (3, 5)]);
    let rounds = [round(&[black_wins(1, 0)]), round(&[black_wins(0, 2), black_wins(3, 1)])];
    let found = place(4, &rounds);
    assert_eq!(found[..3], [(0, 1), (1, 1), (3, 1)]);
    let rounds = [round(&[black_wins(1, 0)]), round(&[black_wins(0, 2)])];
    assert_eq!(place(3, &rounds), [(1, 1), (0, 2), (2, 3)]);
}

#[test]
fn who_withdraws_costs_the_opponents_little() {
    let mut rounds = vec![round(&[black_wins(0, 1), black_wins(2, 3)])];
    rounds.push(round(&[black_wins(0, 2)]));
    let away = |player: u32| Resting { player: PlayerId(player), rest: Rest::Away };
    rounds[1].resting = vec![away(1), away(3)];
    let found = standings(&entrants(4), &rounds, Format::Swiss, &[TieBreak::Buchholz], 1);
    // 1 has no points, and half a one for the round it was away: 1 + 2.
    assert_eq!((found[0].player.0, found[0].tie_breaks[0]), (0, 3));
}

#[test]
fn a_cross_table_has_each_game_twice() {
    let lines = standings(&entrants(4), &small(), Format::RoundRobin, &TieBreak::ROUND_ROBIN, 1);
    let table = cross_table(&entrants(4), &small(), lines);
    let points = |row: usize, column: usize| {
        table[row].cells[column].iter().filter_map(|it| it.points).sum::<Points>()
    };
    assert_eq!(points(0, 2), Points::ONE);
    assert_eq!((points(1, 2), points(2, 1)), (Points::HALF, Points::HALF));
    assert_eq!(table.iter().flat_map(|row| row.cells.iter().flatten()).count(), 8);
}

#[test]
fn a_forfeited_game_was_not_played() {
    let rounds = [round(&[game(0, 1, PairingResult::Forfeited(Color::White))])];
    let both = entrants(2);
    let swiss = Swiss { entrants: &both, rounds: &rounds, seed: 1 };
    let next = swiss.pair(|_| Presence::Plays).unwrap();
    assert_eq!(next.pairings.len(), 1, "they can be paired again");
    let found = standings(&both, &rounds, Format::Swiss, &[TieBreak::Wins], 1);
    assert_eq!((found[0].points, found[0].tie_breaks[0], found[0].games), (Points::ONE, 0, 0));
}

#[test]
fn a_round_is_not_paired_before_the_last_one_has_ended() {
    let mut rounds = small();
    rounds[1].pairings[0].result = None;
    let all = entrants(4);
    let swiss = Swiss { entrants: &all, rounds: &rounds, seed: 1 };
    assert_eq!(
        swiss.pair(|_| Presence::Plays),
        Err(SwissError::Unfinished { round: 1, player: PlayerId(0) })
    );
    let found = Swiss { rounds: &[], ..swiss }
        .pair(|player| if player.0 == 0 { Presence::Plays } else { Presence::Away });
    assert_eq!(found, Err(SwissError::TooFew { found: 1 }));
}

#[test]
fn the_first_round_is_the_upper_half_against_the_lower_with_alternating_colors() {
    let all = entrants(9);
    let round = Swiss { entrants: &all, rounds: &[], seed: 1 }.pair(|_| Presence::Plays).unwrap();
    let pairs: Vec<_> =
        round.pairings.iter().map(|it| (it.black.0.min(it.white.0), it.black.0.max(it.white.0))).collect();
    assert_eq!(pairs, [(0, 4), (1, 5), (2, 6), (3, 7)]);
    let upper: Vec<bool> = round.pairings.iter().map(|it| it.black.0 < 4).collect();
    assert!(upper.windows(2).all(|it| it[0] != it[1]));
    assert_eq!(round.resting, [Resting { player: PlayerId(8), rest: Rest::Bye }]);
}

#[test]
fn an_arena_is_won_by_points_then_by_performance() {
    let sheet = |i: usize, games: &[(i32, crate::domain::pairing::streak::ArenaResult)]| ArenaSheet {
        entrant: entrants(3)[i],
        games: games.to_vec(),
    };
    let sheets = [
        sheet(0, &[(1500, Win), (1500, Loss)]),
        sheet(1, &[(1900, Win), (1500, Loss)]),
        sheet(2, &[(1000, Win), (1000, Win), (1000, Draw)]),
    ];
    let found = arena_standings(&sheets, 1);
    let lines: Vec<_> = found.iter().map(|it| (it.player.0, it.points, it.performance)).collect();
    assert_eq!(lines, [(2, 6, 1333), (1, 2, 1700), (0, 2, 1500)]);
}
