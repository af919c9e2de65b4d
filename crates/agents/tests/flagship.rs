//! The flagship behind the protocol: its options, limits and lines.

#[path = "common/talk.rs"]
mod talk;

use talk::Talk;

/// The word after another one in an `info` line.
fn word<'a>(line: &'a str, name: &str) -> &'a str {
    let mut words = line.split(' ').skip_while(|word| *word != name);
    words.nth(1).unwrap_or_else(|| panic!("no '{name}' in '{line}'"))
}

/// What a search says until its answer, without times and speeds.
fn timeless(talk: &Talk, go: &str) -> Vec<String> {
    talk.send(go);
    let lines = talk.until("bestmove");
    let strip = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let is_time = |i: usize| i > 0 && ["nps", "time"].contains(&words[i - 1]);
        let kept = words.iter().enumerate().map(|(i, word)| if is_time(i) { "-" } else { word });
        kept.collect::<Vec<_>>().join(" ")
    };
    lines.iter().map(strip).collect()
}

#[test]
fn the_options_have_the_names_that_programs_expect() {
    let talk = Talk::with("sumito:hash=1");
    talk.send("ugi");
    let names: Vec<String> = talk
        .until("ugiok")
        .iter()
        .filter_map(|line| Some(line.strip_prefix("option name ")?.split(' ').next()?.to_string()))
        .collect();
    assert_eq!(
        names,
        ["Hash", "Threads", "MultiPV", "Level", "Nodes", "Seed", "Contempt", "MoveOverhead", "Net", "Rules"]
    );
}

#[test]
fn options_are_set_by_the_names_of_the_protocol_and_of_specs() {
    let talk = Talk::with("sumito:hash=1");
    for (name, value) in [
        ("Hash", "2"),
        ("hash", "1"),
        ("MOVEOVERHEAD", "5"),
        ("overhead", "6"),
        ("multipv", "2"),
        ("Contempt", "-10"),
        ("rfp_margin", "80"),
    ] {
        assert_eq!(talk.hear(&format!("setoption name {name} value {value}")), [""; 0], "{name}");
    }
    talk.send("ugi");
    let name = talk.until("ugiok").remove(0);
    let expected = "sumito:hash=1,hash=1,overhead=6,multipv=2,contempt=-10,rfp_margin=80";
    assert!(name.ends_with(expected), "{name}");
}

#[test]
fn an_info_line_has_all_fields_in_order() {
    let talk = Talk::with("sumito:hash=1");
    talk.send("go depth 3");
    let lines = talk.until("bestmove");
    let names = ["depth", "seldepth", "multipv", "score", "wdl", "nodes", "nps", "hashfull", "time", "pv"];
    let places: Vec<usize> = names
        .iter()
        .map(|name| lines[0].find(&format!(" {name} ")).unwrap_or_else(|| panic!("{name}")))
        .collect();
    assert!(places.is_sorted(), "{}", lines[0]);
}

#[test]
fn several_lines_are_told_best_first_with_different_moves() {
    let talk = Talk::with("sumito:hash=1");
    assert_eq!(talk.hear("setoption name MultiPV value 3"), [""; 0]);
    talk.send("go depth 4");
    let lines = talk.until("bestmove");
    let deepest: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("info") && word(line, "depth") == "4").collect();
    let ranks: Vec<&str> = deepest.iter().map(|line| word(line, "multipv")).collect();
    assert_eq!(ranks, ["1", "2", "3"]);
    let scores: Vec<i32> = deepest.iter().map(|line| word(line, "cp").parse().expect("a number")).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    let mut moves: Vec<&str> = deepest.iter().map(|line| word(line, "pv")).collect();
    assert_eq!(lines.last().map(String::as_str), Some(&*format!("bestmove {}", moves[0])));
    moves.sort_unstable();
    moves.dedup();
    assert_eq!(moves.len(), 3);
}

#[test]
fn only_the_moves_asked_for_are_played() {
    let talk = Talk::with("sumito:hash=1");
    for m in ["a1b2", "b1c2", "i9h8"] {
        talk.send("position startpos");
        assert_eq!(talk.best_move(&format!("go depth 3 searchmoves {m}")), m);
    }
    assert!(["a1b2", "b1c2"].contains(&&*talk.best_move("go nodes 1 searchmoves a1b2 b1c2")));
}

#[test]
fn a_win_that_is_looked_for_ends_the_search() {
    let talk = Talk::with("sumito:hash=1");
    talk.send("position fen 5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1");
    talk.send("go mate 1");
    let lines = talk.until("bestmove");
    assert!(lines[lines.len() - 2].contains(" score mate 1 wdl 1000 0 0 "), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("bestmove a3a4"));
}

#[test]
fn a_win_is_looked_for_at_any_distance() {
    let talk = Talk::with("sumito:hash=1");
    talk.send("go mate 4294967295 nodes 1000");
    talk.until("bestmove");
}

#[test]
fn no_time_counts_until_the_expected_move_is_made() {
    let talk = Talk::with("sumito:hash=1");
    talk.send("go ponder movetime 1");
    // Far more than a millisecond's work.
    talk.until("info depth 9 ");
    talk.send("ponderhit");
    talk.until("bestmove");
}

#[test]
fn a_win_that_is_asked_for_is_one_by_the_moves_asked_for() {
    let talk = Talk::with("sumito:hash=1");
    talk.send("position fen 5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1");
    talk.send("go mate 1");
    assert_eq!(talk.until("bestmove").last().map(String::as_str), Some("bestmove a3a4"));
    talk.send("go mate 1 depth 3 searchmoves a4b4");
    assert_eq!(talk.until("bestmove").last().map(String::as_str), Some("bestmove a4b4"));
}

#[test]
fn a_win_that_is_asked_for_and_not_found_leaves_something_for_the_search() {
    let talk = Talk::with("sumito:hash=1");
    talk.send("go mate 20 nodes 20000");
    assert!(talk.until("bestmove").iter().any(|line| line.starts_with("info depth")));
}

#[test]
fn a_search_after_one_that_looked_for_a_win_while_pondering_is_answered() {
    let talk = Talk::with("sumito:hash=1");
    talk.send("go ponder mate 20 movetime 20");
    talk.send("ponderhit");
    talk.until("bestmove");
    talk.send("go depth 3");
    assert!(talk.until("bestmove").iter().any(|line| line.starts_with("info depth 3")));
}

#[test]
fn the_same_search_says_the_same_after_a_new_game() {
    let talk = Talk::with("sumito:hash=1");
    let first = timeless(&talk, "go depth 7");
    assert_ne!(timeless(&talk, "go depth 7"), first, "the table knows it now");
    talk.send("uginewgame");
    assert_eq!(timeless(&talk, "go depth 7"), first);
    assert_eq!(timeless(&Talk::with("sumito:hash=1"), "go depth 7"), first, "as does another engine");
}

#[test]
fn the_number_of_lines_does_not_clear_the_table_but_another_size_does() {
    let talk = Talk::with("sumito:hash=1");
    let first = timeless(&talk, "go depth 7");
    talk.send("setoption name MultiPV value 2\nsetoption name MultiPV value 1");
    assert_ne!(timeless(&talk, "go depth 7"), first);
    talk.send("setoption name Hash value 2\nsetoption name Hash value 1");
    assert_eq!(timeless(&talk, "go depth 7"), first);
}
