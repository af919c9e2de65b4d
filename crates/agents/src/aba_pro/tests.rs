//! What the score, the four searches and the options must do.

use std::time::Duration;

use sumito_rules::{Cell, Color, Game, Layout, Rules, Symmetry, fen};

use super::*;
use crate::spec;
use crate::testing::positions;

/// The score for Black in cells.
fn score(fen: &str, settings: Settings) -> f64 {
    let position = fen::parse(fen).expect("a FEN");
    f64::from(settings.geometry().evaluate(&position, Color::Black)) / f64::from(UNIT)
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "expected {expected}, found {found}");
}

/// Black on E5, White on E9: four steps apart on the middle row.
const ROW: &str = "5/6/7/8/4S3s/8/7/6/5 0 0 b 0 1";
/// Black on E5 and E6, White on the corners I5 and I9; White has lost two marbles, Black one.
const CORNERS: &str = "s3s/6/7/8/4SS3/8/7/6/5 2 1 b 0 1";

#[test]
fn on_one_line_the_reference_point_divides_the_way() {
    // R = (0 + 4 + 0/3) / (7/3) = 12/7 from E5. White: 4 - 12/7 = 16/7. Score: 16/7 - 12/7.
    assert_near(score(ROW, Settings::default()), 4.0 / 7.0);
}

#[test]
fn a_heavier_centre_draws_the_reference_point_to_it() {
    // R = 4 / 3. White: 8/3. Score: 8/3 - 4/3.
    assert_near(score(ROW, Settings { centre: 1.0, ..Settings::default() }), 4.0 / 3.0);
    // R = 2, halfway.
    assert_near(score(ROW, Settings { centre: 0.0, ..Settings::default() }), 0.0);
}

#[test]
fn distances_are_the_largest_of_three_differences() {
    // (row, number) from E5. Centres of mass: (0, 1/2) and (4, 2); R = 3/7 (4, 5/2) = (24, 15)/14, and
    // row - number is 9/14. In 14ths, the differences in row, number, row - number:
    // E5 (24, 15, 9), E6 (24, 1, 23), I5 (32, 15, 47), I9 (32, 41, 9).
    // Score: (47 + 41 - 24 - 24) / 14 = 20/7, and one more white marble lost: + 8.
    assert_near(score(CORNERS, Settings::default()), 20.0 / 7.0 + 8.0);
}

#[test]
fn a_lost_marble_counts_as_the_option_says() {
    assert_near(score(CORNERS, Settings { lost: 100.0, ..Settings::default() }), 20.0 / 7.0 + 100.0);
}

#[test]
fn rounding_moves_centres_of_mass_and_reference_point_to_cells() {
    // Centres of mass: (0, 1/2) goes to E5, the offsets preferring it to E6; (4, 2) is I7.
    // R = 3/7 (4, 2) = (1.71, 0.86) goes to (2, 1). Steps from there: E5 2, E6 2, I5 3, I9 3.
    assert_near(score(CORNERS, Settings { round: true, lost: 0.0, ..Settings::default() }), 2.0);
}

/// The score by its definition, marble by marble.
fn by_definition(position: &Position, color: Color, centre: f64) -> f64 {
    let place = |cell: Cell| (f64::from(cell.row()) - 5.0, f64::from(cell.number()) - 5.0);
    let mass = |color: Color| {
        let places = position.marbles(color).iter().map(place);
        let (row, number) = places.fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
        let count = position.marbles(color).len() as f64;
        (row / count, number / count)
    };
    let (black, white) = (mass(Color::Black), mass(Color::White));
    let r = ((black.0 + white.0) / (2.0 + centre), (black.1 + white.1) / (2.0 + centre));
    let distance = |cell: Cell| {
        let (row, number) = (place(cell).0 - r.0, place(cell).1 - r.1);
        row.abs().max(number.abs()).max((row - number).abs())
    };
    let sum = |color: Color| {
        position.marbles(color).iter().map(distance).sum::<f64>() + 8.0 * f64::from(position.score(!color))
    };
    sum(!color) - sum(color)
}

#[test]
fn the_fixed_point_score_is_the_definition() {
    for centre in [0.0, 1.0 / 3.0, 0.7, 1.0] {
        let geometry = Settings { centre, ..Settings::default() }.geometry();
        for position in positions() {
            let found = f64::from(geometry.evaluate(&position, position.turn())) / f64::from(UNIT);
            let expected = by_definition(&position, position.turn(), centre);
            assert!((found - expected).abs() < 1e-3, "{position:?}: expected {expected}, found {found}");
        }
    }
}

#[test]
fn turned_and_mirrored_positions_have_the_same_score() {
    let geometry = Settings::default().geometry();
    for position in positions() {
        let score = geometry.evaluate(&position, Color::Black);
        for symmetry in Symmetry::ALL {
            assert_eq!(geometry.evaluate(&symmetry.position(&position), Color::Black), score);
        }
    }
}

#[test]
fn the_players_scores_are_opposite() {
    for geometry in
        [Settings::default(), Settings { round: true, ..Settings::default() }].map(|s| s.geometry())
    {
        for position in positions() {
            let score = geometry.evaluate(&position, Color::Black);
            assert_eq!(geometry.evaluate(&position, Color::White), -score);
        }
    }
}

/// Minimax by its definition: the value for the side to move.
fn minimax(geometry: &Geometry, position: &Position, depth: u32, ply: i32) -> i32 {
    let moves = position.legal_moves();
    let values = moves.iter().map(|&m| {
        let next = position.play_unchecked(m);
        if next.score(position.turn()) >= 6 {
            2_000_000_000 - ply - 1
        } else if depth == 1 {
            geometry.evaluate(&next, position.turn())
        } else {
            -minimax(geometry, &next, depth - 1, ply + 1)
        }
    });
    values.max().unwrap_or(ply - 2_000_000_000)
}

fn value(position: &Position, depth: u32, settings: &Settings) -> i32 {
    let mut watch = Watch::new(&Limits::default(), None, position.turn());
    let geometry = settings.geometry();
    let mut searcher = Searcher::new(position, settings, &geometry, &mut watch);
    searcher.run(position, depth).expect("a move").1
}

fn assert_lossless(settings: &Settings) {
    for position in positions() {
        for depth in 1..=3 {
            let expected = minimax(&settings.geometry(), &position, depth, 0);
            assert_eq!(value(&position, depth, settings), expected, "{position:?} at depth {depth}");
        }
    }
}

#[test]
fn the_minimax_search_finds_the_minimax_value() {
    assert_lossless(&Settings { search: Search::Minimax, ..Settings::default() });
}

#[test]
fn alpha_beta_finds_the_minimax_value() {
    assert_lossless(&Settings { search: Search::AlphaBeta, ..Settings::default() });
}

#[test]
fn presorted_alpha_beta_finds_the_minimax_value() {
    assert_lossless(&Settings { search: Search::Presorted, ..Settings::default() });
}

#[test]
fn rounding_keeps_presorted_alpha_beta_lossless() {
    assert_lossless(&Settings { search: Search::Presorted, round: true, lost: 100.0, ..Settings::default() });
}

#[test]
fn a_funnel_wider_than_any_change_of_score_skips_nothing_that_matters() {
    for both_sides in [false, true] {
        assert_lossless(&Settings { width: MAX_WIDTH, both_sides, ..Settings::default() });
    }
}

#[test]
fn a_win_within_reach_is_found_past_every_score_and_the_sooner_preferred() {
    // One more marble wins: Black pushes A5 off at once.
    let position = fen::parse("5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1").expect("a FEN");
    for search in [Search::Heuristic, Search::Presorted, Search::AlphaBeta, Search::Minimax] {
        let analysis = analyse(&position, 3, &Settings { search, ..Settings::default() });
        assert_eq!(analysis.score, Some(Score::Win(1)), "{search:?}");
        assert!(analysis.best.is_some_and(|m| position.ejects(m)), "{search:?}");
    }
}

fn stats(search: Search, depth: u32) -> SearchStats {
    let start = Layout::named("belgian-daisy").expect("a layout").position();
    analyse(&start, depth, &Settings { search, ..Settings::default() }).stats
}

#[test]
fn minimax_counts_every_position_of_the_tree() {
    // Perft of the Belgian Daisy: 52 after one ply, 2,692 after two.
    assert_eq!(stats(Search::Minimax, 2), SearchStats { interior: 1 + 52, moves: 52 + 2692, leaves: 2692 });
}

#[test]
fn each_search_of_table_1_has_fewer_leaves_than_the_one_before() {
    let leaves = [Search::Minimax, Search::AlphaBeta, Search::Presorted, Search::Heuristic]
        .map(|search| stats(search, 4).leaves);
    assert!(leaves.is_sorted_by(|a, b| a > b), "{leaves:?}");
}

#[test]
fn the_endgame_option_turns_the_funnel_off() {
    let start = Layout::named("belgian-daisy").expect("a layout").position();
    let off = analyse(&start, 4, &Settings { endgame: 0, ..Settings::default() });
    let presorted = analyse(&start, 4, &Settings { search: Search::Presorted, ..Settings::default() });
    assert_eq!(off, presorted);
}

fn game() -> Game {
    Game::new(Rules::OFFICIAL, Layout::named("belgian-daisy").expect("a layout").position())
}

fn choose(spec: &str, limits: &Limits) -> (Move, Vec<Info>) {
    let mut infos = Vec::new();
    let mut agent = spec::build(spec).expect("a spec");
    let m = agent.choose(&game(), limits, &mut |info| infos.push(info.clone())).expect("a move");
    (m, infos)
}

#[test]
fn every_search_can_be_chosen_by_name() {
    let by_name = [
        ("heuristic", Search::Heuristic),
        ("presorted", Search::Presorted),
        ("alphabeta", Search::AlphaBeta),
        ("minimax", Search::Minimax),
    ];
    for (name, search) in by_name {
        let (_, infos) = choose(&format!("aba-pro:search={name},depth=3"), &Limits::default());
        let settings = Settings { search, ..Settings::default() };
        let expected = analyse(game().position(), 3, &settings);
        assert_eq!((infos[0].score, infos[0].depth), (expected.score, 3), "{name}");
    }
}

#[test]
fn the_declared_defaults_are_the_settings_defaults() {
    let agent = AbaPro::new("aba-pro", &Options::defaults(OPTIONS));
    assert_eq!(agent.settings, Settings::default());
}

#[test]
fn every_option_reaches_the_settings() {
    let spec = "aba-pro:width=3,sides=both,endgame=4,centre=0.5,round=on,lost=100,depth=5,time=2s";
    let (_, options) = spec::resolve(spec).expect("a spec");
    let agent = AbaPro::new(spec, &options);
    let expected = Settings {
        width: 3.0,
        both_sides: true,
        endgame: 4,
        centre: 0.5,
        round: true,
        lost: 100.0,
        ..Settings::default()
    };
    assert_eq!((agent.settings, agent.depth, agent.time), (expected, 5, Some(Duration::from_secs(2))));
}

#[test]
fn one_millisecond_is_enough_for_a_legal_move() {
    let limits = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
    assert!(game().position().is_legal(choose("aba-pro:depth=12", &limits).0));
}

#[test]
fn one_node_is_enough_for_a_legal_move() {
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    assert!(game().position().is_legal(choose("aba-pro", &limits).0));
}

#[test]
fn with_a_limit_on_nodes_the_search_deepens_step_by_step() {
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let (m, infos) = choose("aba-pro:depth=12", &limits);
    let depths: Vec<u32> = infos.iter().map(|info| info.depth).collect();
    assert!(depths.len() >= 3 && depths.iter().zip(1..).all(|(&depth, n)| depth == n), "{depths:?}");
    assert_eq!(infos.last().map(|info| info.line.clone()), Some(vec![m]));
}

#[test]
fn the_tighter_of_both_depths_holds() {
    let limits = Limits { depth: Some(2), ..Limits::default() };
    assert_eq!(choose("aba-pro:depth=4", &limits).1[0].depth, 2);
    let limits = Limits { depth: Some(9), ..Limits::default() };
    assert_eq!(choose("aba-pro:depth=3", &limits).1[0].depth, 3);
}
