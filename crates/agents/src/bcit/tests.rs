//! Tests of the agent: the heuristics by hand, the search against plain minimax, the options.

use std::time::Duration;

use sumito_rules::{Bitboard, ByColor, Cell, Color, Game, Layout, Move, Position, Rules, fen};

use super::eval::{Author, Heuristic, UNIT, Version};
use super::order::Order;
use super::search::Setup;
use super::table::Table;
use super::{Bcit, ENTRY, EVALUATIONS};
use crate::agent::{Agent, Info, Limits, Score};
use crate::options::Options;
use crate::spec;
use crate::testing;
use crate::watch::Watch;

/// Black to move.
fn position(black: &str, white: &str) -> Position {
    let set = |cells: &str| {
        cells.split(' ').map(|cell| cell.parse::<Cell>().expect("a cell")).collect::<Bitboard>()
    };
    Position::new(ByColor::new(set(black), set(white)), Color::Black).expect("a position")
}

/// A marble in the centre against one in the corner.
fn duel() -> Position {
    position("e5", "a1")
}

/// A six-star against three in a row on the rim.
fn star() -> Position {
    position("e5 e4 e6 d4 d5 f5 f6", "a1 a2 a3")
}

/// A White marble surrounded by six of Black.
fn spy() -> Position {
    position("e4 e6 d4 d5 f5 f6", "e5")
}

/// The values of the five heuristics of the document for Black.
fn documented(position: &Position) -> [f64; 5] {
    let names = ["bcit-jason", "bcit-rongyi", "bcit-david", "bcit-sam", "bcit-jeff"];
    names.map(|name| {
        let (_, make) = EVALUATIONS.iter().find(|(known, _)| *known == name).expect("an evaluation");
        make()(position, Color::Black)
    })
}

/// The value of the heuristic that an agent with these options uses, in a game from a layout.
fn value(options: &str, layout: &str, position: &Position, player: Color) -> f64 {
    let start = Layout::named(layout).expect("a layout").position();
    f64::from(agent(options).version.heuristic(&start, player).value(position, player)) / f64::from(UNIT)
}

fn agent(options: &str) -> Bcit {
    let (_, options) = spec::resolve(&format!("bcit:{options}")).expect("a spec");
    Bcit::new("bcit", &options).expect("an agent")
}

#[test]
fn a_duel_is_valued_as_computed_by_hand() {
    // Jason: 110 + 5 - (100 + 1.2 x 1). Rongyi: 5 + 50 - (1 + 50). David: 13 + 50 - (1 + 50).
    // Sam: 1000 x 0 + 10 x 15 + (100 + 15) + (50 + 0) - (100 + 1) - (50 + 0).
    // Jeff: 10 + (0 + 3) + 50 - (1 + 3 + 50).
    assert_eq!(documented(&duel()), [13.8, 4.0, 12.0, 164.0, 9.0]);
}

#[test]
fn a_six_star_is_valued_as_computed_by_hand() {
    // The map of Jason and Rongyi: 5 + 6 x 4 = 29 and 3; neighbours: 6 + 6 x 3 = 24 and 1 + 2 + 1 = 4.
    // Jason: 7 x 110 + 29 + 24 + 5 - (3 x 100 + 1.2 x 3 + 4) = 828 - 307.6.
    // Rongyi: 29 + 350 - (3 + 150).
    // David: (13 + 6 x 10) + 3 + 3 rows + 350 - (3 + 1 row + 150) = 429 - 154.
    // Sam: 1000 x 4 + 10 x (15 + 10 + 10) + 7 x 150 + (15 + 6 x 10) + 24 - (3 x 150 + (1 + 2 + 2) + 4).
    // Jeff: (10 + 6 x 8) + (9 + 3) + 6 x (4 + 3) + 350 - (3 + (1 + 3) + (3 + 3) + (1 + 3) + 150) = 462 - 167.
    assert_eq!(documented(&star()), [520.4, 226.0, 275.0, 5040.0, 295.0]);
}

#[test]
fn a_spy_is_valued_as_computed_by_hand() {
    // Map 6 x 4 = 24 and 5; neighbours 6 x 2 = 12 and none.
    // Jason: 6 x 110 + 24 + 12 - (100 + 1.2 x 5 + 5) = 696 - 111.
    // Rongyi: 24 + 300 - 55. David: 60 + 300 - (13 + 50).
    // Sam: 1000 x 5 + 10 x 1 + 6 x 150 + 60 + 12 - (150 + 15). Jeff: 48 + 6 x (3 + 3) + 300 - (10 + 3 + 50).
    assert_eq!(documented(&spy()), [585.0, 269.0, 297.0, 5817.0, 321.0]);
}

#[test]
fn jasons_and_sams_values_depend_on_who_searches() {
    // Jason for White: 110 + 5 + 5 - (600 + 1.2 x 24 + 12). Sam for White: 1000 x -5 + 10 x 6 x 2 + 165 - 972, with the
    // push map 2 on all six cells around the centre.
    let white = |heuristic: &str| value(&format!("heuristic={heuristic}"), "standard", &spy(), Color::White);
    assert_eq!((white("jason"), white("sam"), white("jeff")), (-520.8, -5687.0, -321.0));
}

#[test]
fn jasons_program_weighs_the_map_five_times_and_drops_fractions() {
    // 7 x 110 + 5 x 29 + 24 + 1 - (300 + [1.2 x 6] + [1.2 x 7] + [1.2 x 6]) = 940 - 322.
    assert_eq!(value("compat=program", "standard", &star(), Color::Black), 618.0);
}

#[test]
fn jasons_constants_can_be_set() {
    // Map 5 and bonus 1, the factor at the map alone: 940 - (300 + 1.2 x 15 + 4).
    assert_eq!(value("map=5,bonus=1", "standard", &star(), Color::Black), 618.0);
    // As the duel with an own marble worth 130 and the factor 0.9: 135 - 100.9.
    assert_eq!(value("extra=30,factor=0.9", "standard", &duel(), Color::Black), 34.1);
    // Without the spy: 115 - 640.8.
    assert_eq!(value("spy=off", "standard", &spy(), Color::White), -525.8);
}

#[test]
fn sams_constants_can_multiply_map_and_allies() {
    let sam =
        |position: Position| value("heuristic=sam,constants=factors", "standard", &position, Color::Black);
    // 10 x 15 + 100 x 15 - 100 x 1.
    assert_eq!(sam(duel()), 1550.0);
    // 1000 x 4 + 10 x 35 + 100 x 75 + 50 x 24 - (100 x 5 + 50 x 4).
    assert_eq!(sam(star()), 12_350.0);
}

#[test]
fn jeffs_cohesion_can_weigh_more_than_his_map() {
    // 58 + 2 x (12 + 42) + 350 - (3 + 2 x 14 + 150).
    assert_eq!(value("heuristic=jeff,cohesion=2", "standard", &star(), Color::Black), 335.0);
}

#[test]
fn the_competition_version_goes_by_layout_and_colour() {
    // Map x 2, then the enemy's x factor without fraction, of E5 against A1 or the other way round:
    // Black: 110 + 2 x 9 - (100 + [1.2 x 2]), the same with 1.3, and 110 + 2 x 7 - (100 + [0.9 x 2]).
    // White: 110 + 2 x 1 - (100 + [f x 10]) with f = 1.4, 1.5, 1.4.
    let layouts = ["standard", "german-daisy", "belgian-daisy"];
    let magic = |player| layouts.map(|layout| value("magic", layout, &duel(), player));
    assert_eq!(magic(Color::Black), [26.0, 26.0, 23.0]);
    assert_eq!(magic(Color::White), [-2.0, -3.0, -2.0]);
}

#[test]
fn davids_program_reads_the_wrong_cells() {
    // Nobody is on I5 to I9 or H4: 10 x 73 + 700 - (10 x 3 + 300).
    assert_eq!(value("heuristic=david,compat=program", "standard", &star(), Color::Black), 1100.0);
    // Black is on all six: E5 then scores 3 rows and a cluster, I6, I7, I8 and H4 one row each.
    // 10 x (6 x 1 + 13) + 700 + (3 + 3 + 4) - (10 + 100).
    let noisy = position("i5 i6 i7 i8 i9 h4 e5", "a1");
    assert_eq!(value("heuristic=david,compat=program", "standard", &noisy, Color::Black), 790.0);
}

#[test]
fn sams_program_counts_empty_cells_for_white_and_the_map_of_the_side_to_move() {
    // Black to move: 10000 x (2 - 61) + 10 x 15 + (50 + 15 + 50) - (50 + 1 + 50); White to move: -10 x 1 instead.
    let sam = |position| value("heuristic=sam,compat=program", "standard", &position, Color::Black);
    assert_eq!(sam(duel()), -589_836.0);
    assert_eq!(sam(duel().with_turn(Color::White)), -589_996.0);
}

#[test]
fn jeffs_program_counts_every_neighbour_on_the_board() {
    // 58 + 7 x 6 + 350 - (3 + (3 + 4 + 4) + 150).
    assert_eq!(value("heuristic=jeff,compat=program", "standard", &star(), Color::Black), 286.0);
}

/// The value for the side to move by plain minimax. With quiescence, up to two plies more after an ejection.
fn minimax(root: &Position, position: &Position, heuristic: &Heuristic, level: i32, quiescence: bool) -> i32 {
    let sign = if position.turn() == root.turn() { 1 } else { -1 };
    let scores = |p: &Position| Color::ALL.map(|color| p.score(color));
    if scores(position).contains(&6) {
        return sign * heuristic.final_value(position, root.turn());
    }
    let extended = quiescence && level > -2 && scores(position) != scores(root);
    if level <= 0 && !extended {
        return sign * heuristic.value(position, root.turn());
    }
    let mut best = -1_000_000_000;
    position.for_each_move(|m| {
        best = best.max(-minimax(root, &position.play_unchecked(m), heuristic, level - 1, quiescence));
    });
    best
}

fn search(position: &Position, options: &Bcit, level: i32) -> (Move, i32) {
    let game = Game::new(Rules::OFFICIAL, *position);
    let heuristic = options.version.heuristic(game.start(), game.turn());
    let setup = Setup::new(&game, &heuristic, options.order, options.table.as_ref(), options.quiescence);
    let mut watches = options.watches(&Limits { depth: Some(8), ..Limits::default() }, game.turn());
    let found = setup.search(&setup.root_moves(), level, &mut watches);
    assert!(found.complete);
    found.best.expect("a move")
}

/// Compares the search with minimax at levels 1 to `deepest` on all test positions, for several options with the
/// same heuristic and the same value.
fn agrees_with_minimax(deepest: i32, variants: &[&str]) {
    let mut agents: Vec<Bcit> = variants.iter().map(|options| agent(options)).collect();
    for position in testing::positions() {
        let heuristic = agents[0].version.heuristic(&position, position.turn());
        for level in 1..=deepest {
            let exact = minimax(&position, &position, &heuristic, level, agents[0].quiescence);
            for (agent, options) in agents.iter_mut().zip(variants) {
                let (m, value) = search(&position, agent, level);
                assert_eq!(value, exact, "{options} at level {level} in {position:?}");
                let child = position.play_unchecked(m);
                if level < 3 {
                    let reached = -minimax(&position, &child, &heuristic, level - 1, agent.quiescence);
                    assert_eq!(reached, exact, "the move of {options} at level {level} in {position:?}");
                }
            }
            agents.iter_mut().filter_map(|agent| agent.table.as_mut()).for_each(Table::forget);
        }
    }
}

#[test]
fn jasons_search_finds_the_minimax_value_with_any_ordering_table_and_threads() {
    agrees_with_minimax(
        3,
        &["ordering=on", "ordering=off", "table=on", "table=on,slots=8", "threads=3,table=on"],
    );
}

#[test]
fn the_other_heuristics_find_the_minimax_value() {
    for heuristic in ["rongyi", "david", "sam", "jeff", "sam,constants=factors", "jeff,cohesion=3"] {
        let base = format!("heuristic={heuristic}");
        agrees_with_minimax(3, &[&base, &format!("{base},table=on"), &format!("{base},threads=2")]);
    }
}

#[test]
fn the_programs_heuristics_find_the_minimax_value() {
    for heuristic in ["jason", "david", "sam", "jeff"] {
        agrees_with_minimax(3, &[&format!("heuristic={heuristic},compat=program")]);
    }
}

#[test]
fn the_quiescence_search_finds_the_value_of_minimax_extended_in_the_same_way() {
    agrees_with_minimax(2, &["quiescence", "quiescence,table=on"]);
}

#[test]
fn a_table_kept_over_the_levels_changes_no_value() {
    let (with, without) = (agent("table=on"), agent("table=off"));
    for position in testing::positions().iter().skip(10) {
        for level in 1..=4 {
            assert_eq!(search(position, &with, level).1, search(position, &without, level).1);
        }
    }
}

#[test]
fn ordering_saves_nodes() {
    let nodes = |options: &str| -> u64 {
        let mut agent = agent(&format!("{options},firstmove=normal"));
        testing::positions()
            .iter()
            .map(|p| choose(&mut agent, p, depth(3)).1.last().expect("a report").nodes)
            .sum()
    };
    assert!(nodes("ordering=on") < nodes("ordering=off"));
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn choose(agent: &mut dyn Agent, position: &Position, limits: Limits) -> (Move, Vec<Info>) {
    let mut reports = Vec::new();
    let game = Game::new(Rules::OFFICIAL, *position);
    let m = agent.choose(&game, &limits, &mut |info| reports.push(info.clone())).expect("a move");
    (m, reports)
}

#[test]
fn every_level_is_reported_with_the_value_for_the_side_to_move() {
    let heuristic = Version::document(Author::Rongyi);
    for position in testing::positions().iter().take(6) {
        let (m, reports) = choose(&mut agent("heuristic=rongyi"), position, depth(3));
        assert_eq!(reports.iter().map(|info| info.depth).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(reports[2].line, [m]);
        let value = heuristic.heuristic(position, position.turn());
        let exact = minimax(position, position, &value, 3, false);
        assert_eq!(reports[2].score, Some(Score::Value(f64::from(exact) / f64::from(UNIT))));
    }
}

#[test]
fn the_own_depth_holds_when_it_is_the_tighter_one() {
    let start = Layout::named("standard").expect("a layout").position();
    for (own, given, expected) in [("depth=2", 3, 2), ("depth=3", 2, 2)] {
        let (_, reports) = choose(&mut agent(own), &start, depth(given));
        assert_eq!(reports.last().map(|info| info.depth), Some(expected));
    }
}

#[test]
fn every_variant_answers_a_legal_move_at_one_millisecond_and_at_one_node() {
    let hurried = [
        Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() },
        Limits { nodes: Some(1), ..Limits::default() },
    ];
    for options in
        ["", "threads=4", "table=on,slots=10", "heuristic=sam,quiescence", "magic,table=program,slots=10"]
    {
        let mut agent = agent(options);
        for (position, limits) in testing::positions().iter().zip(hurried.iter().cycle()) {
            let (m, _) = choose(&mut agent, position, limits.clone());
            assert!(position.is_legal(m), "{options}");
        }
    }
}

#[test]
fn a_request_to_stop_is_obeyed_after_the_first_level_at_the_latest() {
    let limits = Limits { infinite: true, ..Limits::default() };
    limits.stop.request();
    let start = Layout::named("belgian-daisy").expect("a layout").position();
    let (m, reports) = choose(&mut agent("threads=2,firstmove=normal"), &start, limits);
    assert!(start.is_legal(m) && reports.len() <= 1);
}

#[test]
fn the_node_limit_holds_for_all_threads_together() {
    for threads in ["threads=1", "threads=4"] {
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let (_, reports) = choose(&mut agent(threads), &testing::positions()[7], limits);
        assert!(reports.iter().all(|info| info.nodes <= 20_000) && !reports.is_empty());
    }
}

#[test]
fn blacks_first_move_is_random_among_the_best_and_no_other_is() {
    let start = Layout::named("belgian-daisy").expect("a layout").position();
    let with_seed = |seed, options: &str, position: &Position| {
        choose(&mut agent(&format!("heuristic=rongyi,seed={seed},{options}")), position, depth(1))
    };
    let (_, reports) = with_seed(1, "firstmove=normal", &start);
    let moves = |options: &str, position: &Position| -> Vec<Move> {
        (1..=8).map(|seed| with_seed(seed, options, position).0).collect()
    };
    let all_same = |moves: &[Move]| moves.windows(2).all(|pair| pair[0] == pair[1]);
    assert!(!all_same(&moves("firstmove=shuffle", &start)));
    assert!((1..=8).all(|seed| with_seed(seed, "firstmove=shuffle", &start).1[0].score == reports[0].score));
    assert!(all_same(&moves("firstmove=normal", &start)));
    let later = start.play_unchecked(start.legal_moves()[0]);
    assert!(all_same(&moves("firstmove=shuffle", &later)));
}

#[test]
fn the_same_seed_gives_the_same_search() {
    for position in testing::positions().iter().take(4) {
        let run = || {
            let (m, reports) = choose(&mut agent("seed=9,table=on"), position, depth(3));
            (m, reports.iter().map(|info| (info.nodes, info.score)).collect::<Vec<_>>())
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn the_search_ends_with_the_game_at_the_ply_limit() {
    // Black is ahead, and two plies are left: David's heuristic knows that the game is then won.
    let position = fen::parse("s4/6/7/8/9/8/7/6/4S 1 0 b 0 1").expect("a FEN");
    let game = Game::new(Rules { ply_cap: Some(2), ..Rules::BCIT }, position);
    let mut reports = Vec::new();
    for options in ["heuristic=david", "heuristic=david,table=on", "heuristic=david,table=program"] {
        reports.clear();
        let mut report = |info: &Info| reports.push((info.depth, info.score));
        agent(options).choose(&game, &depth(9), &mut report).expect("a move");
        assert_eq!(reports.last(), Some(&(2, Some(Score::Value(32767.0)))), "{options}");
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let won = fen::parse("s4/6/7/8/9/8/7/6/4S 6 0 b 0 1").expect("a FEN");
    let game = Game::new(Rules::OFFICIAL, won);
    assert!(agent("").choose(&game, &depth(1), &mut |_| {}).is_err());
}

#[test]
fn jasons_options_are_refused_with_other_heuristics() {
    for option in ["magic", "bonus=1", "spy=off", "extra=5", "factor=1.0"] {
        assert!(spec::build(&format!("bcit:{option}")).is_ok());
        let refused = spec::build(&format!("bcit:heuristic=sam,{option}")).err().expect("an error");
        assert!(refused.to_string().contains("heuristic=jason"), "{refused}");
    }
}

#[test]
fn sams_and_jeffs_options_are_refused_with_other_heuristics_and_with_their_programs() {
    for (author, option) in [("sam", "constants=factors"), ("jeff", "cohesion=2")] {
        assert!(spec::build(&format!("bcit:heuristic={author},{option}")).is_ok());
        for other in ["heuristic=rongyi".to_string(), format!("heuristic={author},compat=program")] {
            let refused = spec::build(&format!("bcit:{other},{option}")).err().expect("an error");
            assert!(refused.to_string().contains(&format!("heuristic={author} as in the text")), "{refused}");
        }
    }
}

#[test]
fn the_defaults_are_the_documents() {
    let agent = Bcit::new("bcit", &Options::defaults(ENTRY.options)).expect("an agent");
    assert_eq!((agent.version.author, agent.version.program, agent.threads), (Author::Jason, false, 1));
    assert!(agent.table.is_none() && !agent.quiescence && agent.shuffles && agent.stop == 10);
    assert!(std::ptr::eq(agent.order, Order::new(true)));
}

#[test]
fn nothing_but_the_default_time_limits_a_search_without_limits() {
    let left = |options: &str, limits: &Limits| {
        agent(options).watches(limits, Color::Black).iter().map(Watch::is_timed).collect::<Vec<_>>()
    };
    assert_eq!(left("", &Limits::default()), [true]);
    assert_eq!(left("depth=5", &Limits::default()), [false]);
    assert_eq!(left("", &depth(5)), [false]);
    assert_eq!(left("depth=5,time=1s,threads=2", &Limits::default()), [true, true]);
}
