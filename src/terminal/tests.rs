//! The screen without a terminal: keys in, state and drawn text out.

use std::time::Duration;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use sumito_agents::{AgentError, Info, Score};
use sumito_rules::{ByColor, Color, Game, Layout, Notation, Outcome, Position, Reason, Rules, fen};

use super::seat::{DefaultLimit, seats};
use super::session::{Action, Mode, Question, Session, Status};
use super::table::TerminalTable;
use super::view;

const NOW: Duration = Duration::ZERO;

fn session_from(start: Position, black: &str, white: &str) -> Session {
    let default = DefaultLimit { given: None, of_rules: None };
    let specs = ByColor::new(black.to_string(), white.to_string());
    let (seats, _) = seats(&specs, default).unwrap();
    let table = TerminalTable::new(Game::new(Rules::OFFICIAL, start), seats);
    Session::new(table, Notation::AbaPro, Duration::from_secs(1))
}

fn session(black: &str, white: &str) -> Session {
    session_from(Layout::named("standard").unwrap().position(), black, white)
}

fn press(session: &mut Session, code: KeyCode) -> Action {
    session.handle(KeyEvent::new(code, KeyModifiers::NONE), NOW)
}

/// Presses the keys of a text; `\n` is Enter.
fn keys(session: &mut Session, text: &str) -> Vec<Action> {
    let code = |letter| if letter == '\n' { KeyCode::Enter } else { KeyCode::Char(letter) };
    text.chars().map(|letter| press(session, code(letter))).collect()
}

fn error(session: &Session) -> &str {
    match &session.status {
        Status::Error(why) => why,
        other => panic!("expected an error, found {other:?}"),
    }
}

/// Lets the agent to move answer with a move.
fn answer(session: &mut Session, text: &str) {
    let m = Notation::AbaPro.parse(session.table.position(), text).unwrap();
    session.answer(Ok(m), None, NOW, NOW);
}

fn moves(session: &Session) -> String {
    let list = (0..session.table.turns().len()).map(|ply| session.table.record(ply, Notation::AbaPro).text);
    list.collect::<Vec<_>>().join(" ")
}

fn drawn(session: &Session, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| view::draw(frame, session, "a test", NOW)).unwrap();
    let lines = terminal.backend().to_string();
    lines.lines().map(|line| line.trim_matches('"').trim_end().to_string() + "\n").collect()
}

#[test]
fn marbles_are_selected_and_moved_with_the_pad() {
    let mut session = session("human", "random");
    session.cursor = "c3".parse().unwrap();
    assert_eq!(keys(&mut session, " d e"), [Action::None, Action::Cancel, Action::None, Action::None]);
    assert_eq!(moves(&session), "c3c4", "one marble takes the line along");
}

#[test]
fn arrows_and_corner_keys_move_the_cursor() {
    let mut session = session("human", "random");
    session.cursor = "e5".parse().unwrap();
    for (code, cell) in [
        (KeyCode::Left, "e4"),
        (KeyCode::Right, "e5"),
        (KeyCode::Home, "f5"),
        (KeyCode::PageUp, "g6"),
        (KeyCode::End, "f5"),
        (KeyCode::PageDown, "e5"),
    ] {
        press(&mut session, code);
        assert_eq!(session.cursor.to_string(), cell, "{code:?}");
    }
}

#[test]
fn going_up_and_down_keeps_the_column() {
    let mut session = session("human", "random");
    session.cursor = "e5".parse().unwrap();
    press(&mut session, KeyCode::Right);
    press(&mut session, KeyCode::Left);
    let mut seen = Vec::new();
    for _ in 0..4 {
        press(&mut session, KeyCode::Up);
        seen.push(session.cursor.to_string());
    }
    assert_eq!(seen, ["f6", "g6", "h7", "i7"]);
}

#[test]
fn without_a_selection_the_pad_moves_the_cursor() {
    let mut session = session("human", "random");
    session.cursor = "e5".parse().unwrap();
    keys(&mut session, "wwd");
    assert_eq!((session.cursor.to_string().as_str(), session.table.turns().len()), ("g6", 0));
}

#[test]
fn an_impossible_direction_is_explained_and_keeps_the_selection() {
    let mut session = session("human", "random");
    session.cursor = "a1".parse().unwrap();
    keys(&mut session, " z");
    assert!(error(&session).contains("would leave the board"), "{}", error(&session));
    assert_eq!(session.selection.len(), 1);
    press(&mut session, KeyCode::Esc);
    assert!(session.selection.is_empty());
}

#[test]
fn only_own_marbles_can_be_selected() {
    let mut session = session("human", "random");
    session.cursor = "i5".parse().unwrap();
    keys(&mut session, " ");
    assert_eq!(error(&session), "Black has no marble on i5");
}

#[test]
fn on_a_flipped_board_keys_follow_the_screen() {
    let mut session = session("human", "random");
    session.cursor = "c3".parse().unwrap();
    keys(&mut session, "f");
    press(&mut session, KeyCode::Left);
    assert_eq!(session.cursor.to_string(), "c4");
    keys(&mut session, " z");
    assert_eq!(moves(&session), "c4d5");
}

#[test]
fn who_plays_white_alone_sees_the_board_from_that_side() {
    assert!(session("random", "human").is_flipped);
    assert!(!session("human", "human").is_flipped);
}

#[test]
fn a_move_can_be_typed() {
    let mut session = session("human", "random");
    assert_eq!(keys(&mut session, "mc3d4\n").last(), Some(&Action::Cancel));
    assert_eq!((moves(&session).as_str(), &session.mode), ("c3d4", &Mode::Board));
}

#[test]
fn a_typing_error_stays_in_the_prompt() {
    let mut session = session("human", "random");
    keys(&mut session, "mc3e5\n");
    assert_eq!(session.mode, Mode::Prompt("c3e5".into()));
    assert!(error(&session).starts_with("c3e5: "), "{}", error(&session));
    press(&mut session, KeyCode::Backspace);
    press(&mut session, KeyCode::Backspace);
    keys(&mut session, "d4\n");
    assert_eq!(moves(&session), "c3d4");
}

#[test]
fn the_agent_is_asked_once_after_the_persons_move() {
    let mut session = session("human", "random");
    assert_eq!(session.tick(NOW), Action::None);
    keys(&mut session, "mc3d4\n");
    assert_eq!((session.tick(NOW), session.tick(NOW)), (Action::Ask, Action::None));
    answer(&mut session, "g7f6");
    assert_eq!((moves(&session).as_str(), session.tick(NOW)), ("c3d4 g7f6", Action::None));
}

#[test]
fn nothing_is_moved_while_the_agent_thinks() {
    let mut session = session("random", "human");
    session.tick(NOW);
    keys(&mut session, " ");
    assert_eq!(error(&session), "It is not your turn");
    keys(&mut session, "m");
    assert_eq!(session.mode, Mode::Board);
}

#[test]
fn undo_goes_back_to_the_persons_turn() {
    let mut session = session("human", "random");
    keys(&mut session, "mc3d4\n");
    session.tick(NOW);
    answer(&mut session, "g7f6");
    assert_eq!(keys(&mut session, "u"), [Action::Cancel]);
    assert_eq!((moves(&session).as_str(), session.table.game().turn()), ("", Color::Black));
    assert_eq!(keys(&mut session, "u"), [Action::None]);
    assert_eq!(error(&session), "There is no move of yours to take back");
}

#[test]
fn undo_interrupts_an_agent_that_thinks() {
    let mut session = session("human", "random");
    keys(&mut session, "mc3d4\n");
    assert_eq!(session.tick(NOW), Action::Ask);
    assert_eq!(keys(&mut session, "u"), [Action::Cancel]);
    assert_eq!((session.table.turns().len(), session.is_asked), (0, false));
}

#[test]
fn a_hint_is_asked_for_and_shown_until_a_key_ends_it() {
    let mut session = session("human", "random");
    assert_eq!(keys(&mut session, "h"), [Action::AskHint]);
    let m = Notation::AbaPro.parse(session.table.position(), "c3d4").unwrap();
    session.advise(Ok(m));
    assert_eq!((session.hint, &session.status), (Some(m), &Status::Note("Hint: c3d4".into())));
    assert!(drawn(&session, 80, 24).contains("?●?"));
    press(&mut session, KeyCode::Esc);
    assert_eq!(session.hint, None);
}

#[test]
fn resigning_needs_a_yes() {
    let mut session = session("human", "random");
    assert_eq!(keys(&mut session, "rx"), [Action::None, Action::None]);
    assert!(!session.table.is_over());
    assert_eq!(keys(&mut session, "ry"), [Action::None, Action::Cancel]);
    let outcome = Outcome { winner: Some(Color::White), reason: Reason::Resignation };
    assert_eq!(session.table.game().outcome(), Some(outcome));
}

#[test]
fn quitting_asks_only_if_something_would_be_lost() {
    let mut session = session("human", "human");
    assert_eq!(keys(&mut session, "q"), [Action::Quit]);
    keys(&mut session, "mc3d4\nmg7f6\n");
    assert_eq!(keys(&mut session, "q"), [Action::None]);
    assert_eq!(session.mode, Mode::Confirm(Question::Quit));
    assert_eq!(keys(&mut session, "q"), [Action::Quit]);
    keys(&mut session, "m");
    let interrupt = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(session.handle(interrupt, NOW), Action::Quit);
}

#[test]
fn a_new_game_begins_at_the_start() {
    let mut session = session("human", "human");
    keys(&mut session, "mc3d4\nmg7f6\n");
    assert_eq!(keys(&mut session, "ny"), [Action::None, Action::NewGame]);
    session.restart();
    assert_eq!((session.table.turns().len(), session.table.game().turn()), (0, Color::Black));
}

#[test]
fn a_clock_that_runs_out_ends_the_game() {
    let mut session = session("human@clock=60s", "random");
    session.tick(NOW);
    assert_eq!(session.tick(Duration::from_secs(60)), Action::None);
    assert_eq!(session.tick(Duration::from_secs(61)), Action::Cancel);
    assert!(drawn(&session, 80, 24).contains("White (random) wins: time"));
}

#[test]
fn an_agent_that_breaks_down_loses() {
    let mut session = session("random", "human");
    session.tick(NOW);
    session.answer(Err(AgentError::Crashed("gone".into())), None, NOW, NOW);
    let text = drawn(&session, 80, 24);
    assert!(text.contains("White (human) wins: forfeit"), "{text}");
    assert!(text.contains("Black: the engine ended: gone"), "{text}");
}

#[test]
fn an_illegal_answer_loses() {
    let mut session = session("random", "human");
    session.tick(NOW);
    let other_side =
        Notation::AbaPro.parse(&session.table.position().with_turn(Color::White), "g7f6").unwrap();
    session.answer(Ok(other_side), None, NOW, NOW);
    assert_eq!(session.table.game().outcome().map(|outcome| outcome.reason), Some(Reason::Forfeit));
}

#[test]
fn two_agents_advance_after_the_delay() {
    let mut session = session("random", "greedy");
    assert_eq!(session.tick(NOW), Action::Ask);
    answer(&mut session, "c3d4");
    assert_eq!(session.tick(Duration::from_millis(999)), Action::None);
    assert_eq!(session.tick(Duration::from_secs(1)), Action::Ask);
}

#[test]
fn two_agents_can_be_paused_and_stepped() {
    let mut session = session("random", "greedy");
    keys(&mut session, " ");
    assert_eq!(session.tick(Duration::from_secs(9)), Action::None);
    assert_eq!(press(&mut session, KeyCode::Right), Action::Ask);
    assert_eq!(press(&mut session, KeyCode::Right), Action::None, "the first step is still under way");
    answer(&mut session, "c3d4");
    assert_eq!(session.tick(Duration::from_secs(99)), Action::None);
    keys(&mut session, " ");
    assert_eq!(session.tick(Duration::from_secs(99)), Action::Ask);
    assert_eq!(keys(&mut session, "q"), [Action::Quit]);
}

#[test]
fn the_board_is_drawn_with_coordinates_selection_and_targets() {
    let mut session = session("human", "random");
    session.cursor = "c3".parse().unwrap();
    keys(&mut session, " ");
    let text = drawn(&session, 80, 24);
    for row in [
        "         I    ○   ○   ○   ○   ○",
        "   D    ·   ·   +   +   ·   ·   ·   ·    9",
        "     C    ·   +  {●}  ●   ●   +   ·    8",
        "                1   2   3   4   5",
    ] {
        assert!(text.lines().any(|line| line.starts_with(row)), "{row}\n{text}");
    }
    assert!(text.contains("w e   1 selected"), "{text}");
    assert!(text.contains("· ·\n"), "{text}");
}

#[test]
fn the_panel_has_clocks_trays_and_moves() {
    let start = fen::parse("5/6/7/8/SSSss4/8/7/6/2SSs 3 1 w 0 20").unwrap();
    let mut session = session_from(start, "human@clock=90s", "random@clock=2h");
    session.tick(NOW);
    answer(&mut session, "e5f5");
    let text = drawn(&session, 80, 24);
    for part in [">● human@clock=90s", "1:30", "2:00:00", "○○○··· 3", "●····· 1", "20. ...          e5f5"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(text.contains("‹○›") && text.contains('∘'), "{text}");
}

#[test]
fn what_an_agent_thinks_is_shown() {
    let mut session = session("random", "human");
    session.tick(NOW);
    let line = vec![Notation::AbaPro.parse(session.table.position(), "c3d4").unwrap()];
    session.hear(Info { depth: 3, nodes: 42, score: Some(Score::Value(1.5)), line, ..Info::default() });
    assert!(drawn(&session, 80, 24).contains("random thinks, 0.0 s  depth 3  +1.50  42 nodes  c3d4"));
}

#[test]
fn all_keys_are_named_on_a_screen_of_80_by_24() {
    let text = drawn(&session("human", "random"), 80, 24);
    for part in ["arrows", "PgUp PgDn", "space select", "m type a move", "u undo", "h hint", "q quit"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(drawn(&session("random", "greedy"), 80, 24).contains("space pause"));
}

#[test]
fn a_large_screen_has_a_large_board() {
    let text = drawn(&session("human", "random"), 120, 40);
    assert!(text.contains("╭───╮ ╭───╮") && text.contains("│ ● │") && text.contains("│ ○ │"), "{text}");
}

#[test]
fn a_screen_that_is_too_small_says_so() {
    assert!(drawn(&session("human", "random"), 60, 20).contains("60x20, at least 80x24 needed"));
}
