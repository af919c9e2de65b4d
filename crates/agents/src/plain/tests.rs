use sumito_rules::{Game, Position, Rules, fen};

use super::*;
use crate::agent::Score;
use crate::spec;
use crate::testing::positions;

/// Every switch that leaves the value of minimax as it is.
const EXACT: [&str; 9] = [
    "alpha-beta=on",
    "alpha-beta=on,presorting=on",
    "alpha-beta=on,marbles-first=on",
    "alpha-beta=on,forcing-first=on",
    "alpha-beta=on,history=on",
    "alpha-beta=on,killers=on",
    "alpha-beta=on,table=on",
    "alpha-beta=on,aspiration=on,window=0.5",
    "alpha-beta=on,zero-window=on",
];
/// Those that change it: they leave moves out, or look further.
const OTHERS: [&str; 5] = [
    "alpha-beta=on,funnel=on,width=0",
    "alpha-beta=on,quiescence=on",
    "alpha-beta=on,node-windows=on,window=0.1",
    "alpha-beta=on,null-move=on",
    "alpha-beta=on,late-move-reductions=on",
];

fn search(spec: &str, position: Position, depth: u32) -> (Move, Option<Score>, u64) {
    let mut agent = spec::build(spec).expect("a spec");
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let (mut score, mut nodes) = (None, 0);
    let game = Game::new(Rules::OFFICIAL, position);
    let m =
        agent.choose(&game, &limits, &mut |info| (score, nodes) = (info.score, info.nodes)).expect("a move");
    (m, score, nodes)
}

#[test]
fn ideas_that_only_save_work_find_the_value_of_minimax() {
    for position in positions() {
        let (_, value, whole) = search("plain", position, 3);
        for switches in EXACT {
            let (_, found, nodes) = search(&format!("plain:{switches}"), position, 3);
            assert_eq!(found, value, "{switches} {}", fen::write(&position));
            assert!(nodes < whole, "{switches}: {nodes} of {whole}");
        }
    }
}

#[test]
fn every_other_idea_makes_another_search() {
    let counts = |switches: &str| {
        positions().into_iter().map(|at| search(&format!("plain:{switches}"), at, 4)).collect::<Vec<_>>()
    };
    let plain = counts("alpha-beta=on");
    for switches in OTHERS {
        assert_ne!(counts(switches), plain, "{switches}");
    }
}

#[test]
fn minimax_with_aba_pros_score_is_aba_pros_minimax() {
    for position in positions() {
        let (_, value, _) = search("plain", position, 2);
        let (_, theirs, _) = search("aba-pro:search=minimax", position, 2);
        match (value, theirs) {
            (Some(Score::Value(ours)), Some(Score::Value(theirs))) => {
                assert!((ours - theirs).abs() < 0.01, "{ours} {theirs}");
            }
            both => assert_eq!(both.0, both.1),
        }
    }
}

#[test]
fn every_evaluation_takes_a_win_at_once() {
    let position = fen::parse("5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1").expect("a FEN");
    for name in eval::NAMES {
        let (m, score, _) = search(&format!("plain:eval={name}"), position, 2);
        assert!(position.ejects(m) && score == Some(Score::Win(1)), "{name}");
    }
}

#[test]
fn an_idea_that_needs_a_window_is_refused_without_one() {
    for name in NEED_ALPHA_BETA {
        let error = spec::build(&format!("plain:{name}=on")).err().expect("refused").to_string();
        assert!(error.contains(name) && error.contains("alpha-beta=on"), "{error}");
    }
}

#[test]
fn one_node_is_enough_for_a_legal_move() {
    let limits = Limits { nodes: Some(1), ..Limits::default() };
    for position in positions() {
        let mut agent = spec::build("plain:alpha-beta=on,table=on").expect("a spec");
        let game = Game::new(Rules::OFFICIAL, position);
        let m = agent.choose(&game, &limits, &mut |_| ()).expect("a move");
        assert!(position.is_legal(m));
    }
}
