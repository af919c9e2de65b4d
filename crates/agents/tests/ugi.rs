//! The server of the protocol, driven in memory.

mod common;
#[path = "common/talk.rs"]
mod talk;

use std::sync::mpsc::channel;

use common::mock_command;
use sumito_engine::Rng;
use sumito_rules::{Layout, Notation};
use talk::{Talk, is_error};

/// The spec string of a mock engine of this manner.
fn mock_spec(manner: &str) -> String {
    format!("ugi:'{}' {manner}", mock_command(&[])[0])
}

#[test]
fn the_introduction_names_the_agent_and_its_options() {
    let talk = Talk::with("random");
    talk.send("ugi");
    let lines = talk.until("ugiok");
    assert!(lines[0].starts_with("id name Sumito ") && lines[0].ends_with(" random"), "{lines:?}");
    assert!(lines[1].starts_with("id author "));
    let max = i64::MAX;
    assert_eq!(
        lines[2..],
        [
            format!("option name seed type spin default 1 min 0 max {max}"),
            "option name Rules type combo default official var official var playstrategy var bcit \
             var cornell var tournament var mso"
                .into(),
            "ugiok".into()
        ]
    );
}

#[test]
fn the_words_of_chess_are_understood() {
    let talk = Talk::with("random");
    talk.send("uci");
    assert_eq!(talk.until("uciok").last().map(String::as_str), Some("uciok"));
    assert_eq!(talk.hear("ucinewgame"), [""; 0]);
}

#[test]
fn an_option_builds_the_agent_anew() {
    let (one, other) = (Talk::with("random"), Talk::with("random:seed=99"));
    assert_eq!(one.hear("setoption name Seed value 99"), [""; 0]);
    let moves = |talk: &Talk| (0..5).map(|_| talk.best_move("go depth 1")).collect::<Vec<_>>();
    assert_eq!(moves(&one), moves(&other));
}

#[test]
fn a_wrong_option_is_an_error() {
    let talk = Talk::with("random");
    for line in [
        "setoption",
        "setoption name seed value x",
        "setoption name sed value 1",
        "setoption name Rules value chess",
    ] {
        assert!(is_error(&talk.hear(line)), "{line}");
    }
}

#[test]
fn positions_are_set_up_in_all_ways() {
    let talk = Talk::with("random");
    let start = "response ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1";
    assert_eq!(talk.fen(), start);
    talk.send("position startpos moves a1b2");
    assert_eq!(talk.fen(), "response ss1SS/sssSSS/1ss1SS1/8/9/3S4/1SS1ss1/SSSsss/1S1ss 0 0 w 1 1");
    talk.send("position fen s4/6/7/8/9/8/7/6/4S 1 0 b 0 1 moves a5a4 i5i6");
    assert_eq!(talk.fen(), "response 1s3/6/7/8/9/8/7/6/3S1 1 0 b 2 2");
    talk.send("position layout Belgian Daisy");
    assert_eq!(talk.fen(), start);
}

#[test]
fn a_bad_position_is_an_error_and_leaves_the_old_one() {
    let talk = Talk::with("random");
    talk.send("position startpos moves a1b2");
    let before = talk.fen();
    for line in [
        "position",
        "position nowhere",
        "position fen",
        "position fen 5/6",
        "position layout nothing-like-it",
        "position startpos moves a1b2 e5e6",
        "position startpos moves a1b2 i5h5 \u{7}",
        "position fen s4/6/7/8/9/8/7/6/4S 1 0 b 0 1 moves a1b2",
    ] {
        assert!(is_error(&talk.hear(line)), "{line}");
        assert_eq!(talk.fen(), before, "{line}");
    }
}

#[test]
fn queries_are_answered_in_two_words() {
    let talk = Talk::with("random");
    let check = |position: &str, expected: [&str; 3]| {
        talk.send(position);
        let responses = ["gameover", "p1turn", "result"].map(|what| talk.hear(&format!("query {what}")));
        assert_eq!(responses, expected.map(|word| vec![format!("response {word}")]), "{position}");
    };
    check("position startpos", ["false", "true", "none"]);
    check("position startpos moves a1b2", ["false", "false", "none"]);
    check("position fen 5/6/7/8/9/8/7/6/2SSs 5 3 b 0 1 moves a3a4", ["true", "false", "p1win"]);
    check("position fen s4/6/7/8/9/8/7/6/4S 0 6 b 0 1", ["true", "true", "p2win"]);
    check(&format!("position fen {SHUFFLE} {SHUFFLED}"), ["true", "true", "draw"]);
}

const SHUFFLE: &str = "s4/6/7/8/9/8/7/6/4S 1 0 b 0 1 moves a5a4 i5i6 a4a5 i6i5";
const SHUFFLED: &str = "a5a4 i5i6 a4a5 i6i5";

#[test]
fn rules_also_judge_the_game_on_the_board() {
    let talk = Talk::with("random");
    talk.send(&format!("position fen {SHUFFLE} a5b5 i5i6 b5a5 i6i5"));
    assert_eq!(talk.hear("query result"), ["response none"], "no move is made and undone twice");
    talk.send("setoption name Rules value playstrategy");
    assert_eq!(talk.hear("query result"), ["response draw"], "the third time");
}

#[test]
fn a_new_game_begins_at_the_start() {
    let talk = Talk::with("random");
    let start = talk.fen();
    talk.send("position startpos moves a1b2");
    talk.send("uginewgame");
    assert_eq!(talk.fen(), start);
}

#[test]
fn every_kind_of_limit_gives_a_legal_move() {
    let talk = Talk::with("random");
    let start = Layout::named("belgian-daisy").expect("a layout").position();
    for go in [
        "go",
        "go movetime 10",
        "go depth 2",
        "go nodes 1",
        "go p1time 100 p2time 100 p1inc 1 p2inc 1",
        "go btime 100 wtime 100",
        "go nodes 10 depth 1 movetime 5",
    ] {
        let text = talk.best_move(go);
        assert!(Notation::AbaPro.parse(&start, &text).is_ok(), "{go}: {text}");
    }
}

#[test]
fn a_go_with_a_bad_number_starts_nothing() {
    let talk = Talk::with("random");
    assert!(is_error(&talk.hear("go depth deep")));
    assert!(is_error(&talk.hear("go movetime")));
}

#[test]
fn an_infinite_search_answers_only_when_stopped() {
    let talk = Talk::with("random");
    assert_eq!(talk.hear("go infinite"), [""; 0]);
    for _ in 0..100 {
        assert_eq!(talk.hear(""), [""; 0]);
    }
    talk.send("stop");
    assert_eq!(talk.until("bestmove").len(), 1);
}

#[test]
fn a_pondering_search_answers_only_when_the_expected_move_is_made() {
    let talk = Talk::with("random");
    assert_eq!(talk.hear("go ponder depth 1"), [""; 0]);
    for _ in 0..100 {
        assert_eq!(talk.hear(""), [""; 0]);
    }
    talk.send("ponderhit");
    assert_eq!(talk.until("bestmove").len(), 1);
}

#[test]
fn a_pondering_search_answers_when_stopped() {
    let talk = Talk::with("random");
    assert_eq!(talk.hear("go ponder depth 1"), [""; 0]);
    talk.send("stop");
    assert_eq!(talk.until("bestmove").len(), 1);
    assert_eq!(talk.hear("ponderhit"), [""; 0], "nothing ponders any more");
}

#[test]
fn an_engine_behind_the_server_hears_that_the_expected_move_was_made() {
    let talk = Talk::with(&mock_spec("patient"));
    talk.send("go ponder movetime 60000");
    talk.until("info depth 1");
    assert_eq!(talk.best_move("ponderhit"), "a2b3");
}

#[test]
fn an_agent_that_chooses_among_all_moves_says_so() {
    let talk = Talk::with(&mock_spec("plain"));
    talk.send("go searchmoves a2b3 depth 1");
    let lines = talk.until("bestmove");
    assert!(is_error(&lines[..1]) && lines[0].contains("searchmoves"), "{lines:?}");
    assert_eq!(lines[1..], ["bestmove a1b2"]);
}

#[test]
fn an_illegal_move_to_choose_starts_nothing() {
    let talk = Talk::with("random");
    assert!(is_error(&talk.hear("go searchmoves a1b2 e5e6")));
}

#[test]
fn the_server_listens_while_its_agent_thinks() {
    let talk = Talk::with(&mock_spec("patient"));
    talk.send("go infinite");
    assert_eq!(talk.hear("query p1turn"), ["response true"]);
    assert_eq!(talk.best_move("stop"), "a1b2");
}

#[test]
fn a_second_search_waits_for_the_end_of_the_first() {
    let talk = Talk::with(&mock_spec("patient"));
    assert_eq!(talk.hear("go infinite"), [""; 0]);
    assert!(is_error(&talk.hear("go depth 1")));
    // Sent at once, as scripts do.
    talk.send("stop\nposition startpos\ngo infinite\nquery p1turn\nstop");
    let mut lines = talk.until("bestmove");
    lines.extend(talk.until("bestmove"));
    assert_eq!(lines, ["bestmove a1b2", "response true", "bestmove a1b2"]);
}

#[test]
fn what_changes_during_a_search_holds_for_the_next() {
    let talk = Talk::with("random:seed=1");
    talk.send("go infinite");
    assert_eq!(talk.hear("setoption name seed value 99"), [""; 0]);
    assert_eq!(talk.hear("position startpos moves a1b2"), [""; 0]);
    talk.send("stop");
    talk.until("bestmove");
    let other = Talk::with("random:seed=99");
    assert_eq!(
        talk.best_move("go"),
        other.best_move("position startpos moves a1b2\ngo"),
        "the agent with the new seed, in the new position"
    );
}

#[test]
fn quit_ends_a_running_search() {
    let talk = Talk::with(&mock_spec("patient"));
    talk.send("go infinite\nquit");
    assert_eq!(talk.finish(), [""; 0]);
}

#[test]
fn the_end_of_the_input_is_a_quit() {
    let Talk { input, lines, server } = Talk::with(&mock_spec("patient"));
    input.send(b"isready\ngo infinite\n".to_vec()).expect("the server listens");
    drop(input);
    let (input, _) = channel();
    assert_eq!(Talk { input, lines, server }.finish(), ["readyok"]);
}

#[test]
fn a_game_that_is_lost_has_no_best_move() {
    let talk = Talk::with("random");
    talk.send("position fen s4/6/7/8/9/8/7/6/4S 0 6 b 0 1");
    assert_eq!(talk.best_move("go"), "none");
}

#[test]
fn a_drawn_game_is_played_on_if_asked() {
    let talk = Talk::with("random");
    talk.send(&format!("position fen {SHUFFLE} {SHUFFLED}"));
    assert_ne!(talk.best_move("go"), "none");
}

#[test]
fn an_agent_that_fails_has_no_best_move_and_is_built_anew() {
    let talk = Talk::with(&mock_spec("crash"));
    assert_eq!(["go", "go"].map(|go| talk.best_move(go)), ["a1b2", "none"]);
    talk.send("uginewgame");
    assert_eq!(talk.best_move("go"), "a1b2");
}

#[test]
fn a_line_that_is_too_long_is_one_error_and_the_next_one_is_heard() {
    let talk = Talk::with("random");
    let game = format!("position startpos moves {}", "a1b2 ".repeat(1 << 18));
    assert_eq!(
        talk.hear(&game),
        ["info string error: expected lines of at most 262144 bytes, found a longer one"]
    );
    assert_eq!(talk.hear("query p1turn"), ["response true"]);
}

#[test]
fn unknown_commands_are_errors_on_one_line() {
    let talk = Talk::with("random");
    for line in ["hello", "query", "query weather", "go_", "query p1turn now"] {
        assert!(is_error(&talk.hear(line)), "{line}");
    }
}

#[test]
fn no_input_confuses_the_server() {
    let talk = Talk::with("random");
    let words = [
        "ugi",
        "position",
        "startpos",
        "fen",
        "moves",
        "a1b2",
        "i5h5",
        "go",
        "depth",
        "movetime",
        "1",
        "-1",
        "99999999999999999999",
        "stop",
        "setoption",
        "name",
        "value",
        "seed",
        "Rules",
        "bcit",
        "query",
        "fen",
        "5/6/7/8/9/8/7/6/5",
        "b",
        "layout",
        "uginewgame",
        "infinite",
        "ponder",
        "ponderhit",
        "searchmoves",
        "nodes",
        "p1time",
        "\u{fffd}",
        "é",
        "\0",
    ];
    let mut rng = Rng::new(7);
    for _ in 0..3000 {
        let line: Vec<&str> = (0..rng.below(6)).map(|_| words[rng.below(words.len())]).collect();
        talk.send(&line.join(" "));
        let bytes: Vec<u8> = (0..rng.below(20)).map(|_| rng.next_u64() as u8).collect();
        talk.send_bytes(&bytes);
    }
    // A search may still be ending, with another one behind it.
    talk.send("stop\nstop\nposition startpos\nquery fen");
    let start = "response ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1";
    assert_eq!(talk.until(start).last().map(String::as_str), Some(start));
}
