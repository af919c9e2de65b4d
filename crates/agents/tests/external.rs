//! External engines, behaving and misbehaving, as agents.

mod common;

use std::path::PathBuf;
use std::time::Duration;

use common::{PATIENCE, mock_command};
use sumito_agents::external::{EngineSpec, External, Patience};
use sumito_agents::{Agent, AgentError, Clock, Info, Limits, Score, build};
use sumito_rules::{ByColor, Game, Layout, Notation, Rules};

/// The spec string of a mock engine with these arguments.
fn mock_spec(arguments: &str) -> String {
    format!("ugi:'{}' {arguments}", mock_command(&[])[0])
}

fn start() -> Game {
    Game::new(Rules::OFFICIAL, Layout::named("belgian-daisy").expect("a layout").position())
}

/// An agent that waits for whatever must come.
const PATIENT: Patience = Patience { start: PATIENCE, answer: PATIENCE, quit: PATIENCE };
/// An agent that does not wait long for an answer that never comes, nor for a process that never ends.
const HASTY: Patience =
    Patience { answer: Duration::from_millis(300), quit: Duration::from_millis(100), ..PATIENT };

fn started(arguments: &str, patience: Patience) -> Result<External, String> {
    let spec = mock_spec(arguments);
    External::start(&spec, EngineSpec::parse(&spec)?, patience)
}

fn mock(arguments: &str) -> Result<External, String> {
    started(arguments, PATIENT)
}

fn short() -> Limits {
    Limits { move_time: Some(Duration::from_millis(50)), ..Limits::default() }
}

/// What the agent answers at the start, as text.
fn answer(agent: &mut External) -> Result<String, AgentError> {
    let game = start();
    agent.choose(&game, &short(), &mut |_| {}).map(|m| Notation::AbaPro.write(game.position(), m))
}

fn ask(manner: &str) -> Result<String, AgentError> {
    answer(&mut mock(manner).expect("the mock starts"))
}

/// The same of an engine that never answers.
fn ask_in_vain(manner: &str) -> Result<String, AgentError> {
    answer(&mut started(manner, HASTY).expect("the mock starts"))
}

#[test]
fn the_registry_builds_an_engine_that_plays_a_game() {
    let mut agent = build(&mock_spec("serve random:seed=5")).expect("the mock starts");
    let mut game = Game::new(Rules::BCIT, *start().position());
    agent.new_game(game.rules(), None);
    while game.outcome().is_none() {
        let m = agent.choose(&game, &short(), &mut |_| {}).expect("a legal move");
        game.play(m).expect("a legal move");
    }
    assert_eq!(game.moves().len(), 60);
}

#[test]
fn an_engine_hears_options_rules_the_whole_game_and_all_limits() {
    let log = LogFile::new("hears");
    let spec = mock_spec(&format!("log '{}'", log.0.display())).replacen("ugi:", "ugi[level=7]:", 1);
    let mut agent = build(&spec).expect("the mock starts");
    // Rules are known by their name even if a runner has its own ply cap.
    let mut game = Game::new(Rules { ply_cap: Some(40), ..Rules::BCIT }, *start().position());
    for text in ["a1b2", "i5h5"] {
        game.play(Notation::AbaPro.parse(game.position(), text).expect("legal")).expect("legal");
    }
    let clock = |ms| Clock { left: Duration::from_millis(ms), increment: Duration::from_millis(1) };
    let limits = Limits {
        clock: Some(ByColor::new(clock(5000), clock(6000))),
        nodes: Some(9),
        depth: Some(2),
        ..Limits::default()
    };
    agent.new_game(game.rules(), None);
    // The engine plays a1b2 whatever the position.
    assert_eq!(agent.choose(&game, &limits, &mut |_| {}), Err(AgentError::Illegal("a1b2".into())));
    drop(agent);
    let heard = std::fs::read_to_string(&log.0).expect("the log");
    let expected = [
        "ugi",
        "setoption name Level value 7",
        "isready",
        "setoption name Rules value bcit",
        "uginewgame",
        "isready",
        "position startpos moves a1b2 i5h5",
        "isready",
        "go p1time 5000 p2time 6000 p1inc 1 p2inc 1 nodes 9 depth 2",
        "quit",
    ];
    assert_eq!(heard.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn info_lines_are_reported() {
    let log = LogFile::new("info");
    let mut agent = mock(&format!("log '{}'", log.0.display())).expect("the mock starts");
    let game = start();
    let mut infos: Vec<Info> = Vec::new();
    agent.choose(&game, &short(), &mut |info| infos.push(info.clone())).expect("a legal move");
    let [info, second] = &infos[..] else { panic!("two lines, not {infos:?}") };
    assert_eq!((info.depth, info.nodes, info.score), (3, 77, Some(Score::Value(1.5))));
    assert_eq!((info.line.len(), info.rank, second.rank), (2, 0, 1));
}

#[test]
fn a_crash_is_reported_with_the_last_words() {
    let mut agent = mock("crash").expect("the mock starts");
    assert_eq!(answer(&mut agent), Ok("a1b2".into()));
    match answer(&mut agent) {
        Err(AgentError::Crashed(why)) => assert!(why.contains("out of marbles"), "{why}"),
        other => panic!("expected a crash, found {other:?}"),
    }
}

#[test]
fn a_crashed_engine_starts_again_with_the_next_game() {
    let mut agent = mock("crash").expect("the mock starts");
    assert!(answer(&mut agent).is_ok() && answer(&mut agent).is_err());
    assert!(matches!(answer(&mut agent), Err(AgentError::Crashed(_))), "it stays away within the game");
    agent.new_game(&Rules::OFFICIAL, None);
    assert_eq!(answer(&mut agent), Ok("a1b2".into()));
}

#[test]
fn a_stalling_engine_is_late() {
    assert!(matches!(ask_in_vain("stall"), Err(AgentError::TimedOut(_))));
}

#[test]
fn an_engine_that_floods_without_answering_is_late() {
    assert!(matches!(ask_in_vain("flood-forever"), Err(AgentError::TimedOut(_))));
}

/// What is told of a line that is too long.
const TOO_LONG: &str = "expected lines of at most 65536 bytes, found a longer one";

#[test]
fn an_engine_whose_line_never_ends_is_ended_with_the_reason() {
    // Nothing else ends this search: it has no time, and the engine would write for ever.
    let mut agent = mock("endless-line").expect("the mock starts");
    let limits = Limits { infinite: true, ..Limits::default() };
    let answer = agent.choose(&start(), &limits, &mut |_| {});
    assert_eq!(answer, Err(AgentError::Crashed(TOO_LONG.into())));
}

#[test]
fn a_line_may_be_as_long_as_is_allowed() {
    assert_eq!(ask("longest-line"), Ok("a1b2".into()));
}

#[test]
fn an_engine_whose_introduction_never_ends_is_ended_with_the_reason() {
    let error = mock("endless-hello").err().expect("no handshake");
    assert_eq!(error, format!("the engine ended at the start: {TOO_LONG}"));
    let error = mock("many-options").err().expect("no handshake");
    assert_eq!(error, "expected at most 1024 options before 'ugiok', found more");
}

#[test]
fn a_flood_of_info_lines_does_not_hide_the_answer() {
    let mut agent = mock("flood").expect("the mock starts");
    let limits = Limits { move_time: Some(Duration::from_secs(60)), ..Limits::default() };
    assert!(agent.choose(&start(), &limits, &mut |_| {}).is_ok());
}

#[test]
fn an_illegal_move_is_named() {
    assert_eq!(ask("cheat"), Err(AgentError::Illegal("e5e6".into())));
}

#[test]
fn garbage_is_an_illegal_move() {
    assert!(matches!(ask("garbage"), Err(AgentError::Illegal(_))));
    assert_eq!(ask("wordless"), Err(AgentError::Illegal("bestmove".into())));
}

#[test]
fn words_after_the_move_do_no_harm() {
    assert_eq!(ask("chatty"), Ok("a1b2".into()));
}

#[test]
fn a_second_answer_is_not_taken_for_the_next_one() {
    let mut agent = mock("twice").expect("the mock starts");
    assert_eq!((answer(&mut agent), answer(&mut agent)), (Ok("a1b2".into()), Ok("a1b2".into())));
}

#[test]
fn a_request_to_stop_reaches_the_engine() {
    let mut agent = mock("patient").expect("the mock starts");
    let limits = Limits { infinite: true, ..Limits::default() };
    limits.stop.request();
    assert!(agent.choose(&start(), &limits, &mut |_| {}).is_ok());
}

#[test]
fn an_engine_that_says_nothing_fails_to_start() {
    let patience = Patience { start: Duration::from_millis(200), ..HASTY };
    let error = started("mute", patience).err().expect("no handshake");
    assert!(error.contains("ugiok"), "{error}");
}

#[cfg(unix)]
#[test]
fn an_engine_is_in_a_process_group_of_its_own() {
    // Ctrl-C at a terminal goes to the whole group. This engine introduces itself only if it leads its own.
    let script = r#"read ugi; test "$(ps -o pgid= -p $$)" -eq $$ && echo ugiok; read isready; echo readyok"#;
    let command = ["sh", "-c", script].map(str::to_string).to_vec();
    let spec = EngineSpec { command, options: Vec::new() };
    assert!(External::start("sh", spec, PATIENT).is_ok());
}

#[test]
fn a_missing_program_is_named() {
    let error = build("ugi:./no-such-engine").err().expect("no such program").to_string();
    assert!(error.contains("'./no-such-engine' could not be started"), "{error}");
}

#[test]
fn an_option_that_the_engine_does_not_have_is_an_error() {
    let spec = mock_spec("stall").replacen("ugi:", "ugi[Levle=3]:", 1);
    let error = build(&spec).err().expect("no such option").to_string();
    assert!(error.contains("no option 'Levle' (did you mean Level)"), "{error}");
}

#[test]
fn an_engine_ends_with_its_agent_even_if_it_does_not_want_to() {
    let patience = Patience { quit: HASTY.quit, ..PATIENT };
    let mut agent = started("stubborn", patience).expect("the mock starts");
    assert_eq!(answer(&mut agent), Ok("a1b2".into()));
    let (gone, is_gone) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        drop(agent);
        gone.send(())
    });
    // Its own end would come after an hour.
    assert_eq!(is_gone.recv_timeout(PATIENCE), Ok(()));
}

/// A script that answers like an engine and has started a process that outlives it by far, whose number it writes down.
#[cfg(unix)]
fn script_with_a_child(file: &LogFile, go: &str) -> EngineSpec {
    let script = format!(
        "sleep 3600 & echo $! >'{0}.part'; mv '{0}.part' '{0}'; while read x; do case $x in ugi) echo ugiok;; \
         isready) echo readyok;; go*) {go};; quit) exit;; esac; done",
        file.0.display()
    );
    EngineSpec { command: vec!["sh".into(), "-c".into(), script], options: vec![] }
}

/// Whether the process whose number is in a file has ended, or does so while one waits.
#[cfg(unix)]
fn has_ended(file: &LogFile) -> bool {
    let number = std::fs::read_to_string(&file.0).expect("a number");
    let until = std::time::Instant::now() + PATIENCE;
    while std::time::Instant::now() < until {
        let listed = std::process::Command::new("ps").args(["-o", "stat=", "-p", number.trim()]).output();
        let state = String::from_utf8(listed.expect("ps").stdout).expect("a text");
        // One that has ended may wait for its new parent to notice.
        if state.trim().is_empty() || state.starts_with('Z') {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[cfg(unix)]
#[test]
fn the_children_of_an_engine_end_with_it_when_it_leaves_by_itself() {
    let file = LogFile::new("leaves");
    let spec = script_with_a_child(&file, "echo bestmove a1b2");
    let mut agent = External::start("leaves", spec, PATIENT).expect("the script starts");
    assert_eq!(answer(&mut agent), Ok("a1b2".into()));
    drop(agent);
    assert!(has_ended(&file));
}

#[cfg(unix)]
#[test]
fn the_children_of_an_engine_end_with_it_when_it_is_ended_by_force() {
    let file = LogFile::new("forced");
    // It hears nothing any more once it is to search.
    let spec = script_with_a_child(&file, "sleep 3600");
    let mut agent = External::start("forced", spec, HASTY).expect("the script starts");
    assert!(matches!(answer(&mut agent), Err(AgentError::TimedOut(_))));
    assert!(has_ended(&file), "though the agent is there still");
}

#[cfg(unix)]
#[test]
fn the_children_of_an_engine_end_with_it_when_it_crashes() {
    let file = LogFile::new("crashes");
    // The child has its output too, which would stay open.
    let spec = script_with_a_child(&file, "kill -9 $$");
    let mut agent = External::start("crashes", spec, HASTY).expect("the script starts");
    assert!(answer(&mut agent).is_err());
    drop(agent);
    assert!(has_ended(&file));
}

#[cfg(unix)]
#[test]
fn an_engine_that_closes_its_output_counts_as_crashed() {
    let script = "while read x; do case $x in ugi) echo ugiok;; isready) echo readyok;; \
        go*) exec >&- sleep 3600;; esac; done";
    let spec = EngineSpec { command: vec!["sh".into(), "-c".into(), script.into()], options: vec![] };
    let mut agent = External::start("closing", spec, PATIENT).expect("the script starts");
    assert_eq!(answer(&mut agent), Err(AgentError::Crashed("it closed its output".into())));
}

#[test]
fn a_game_that_is_over_is_not_sent() {
    let mut agent = mock("stall").expect("the mock starts");
    let mut game = start();
    game.resign(game.turn());
    assert_eq!(agent.choose(&game, &short(), &mut |_| {}), Err(AgentError::NoMove));
}

/// A file in the temporary folder that goes with its test.
struct LogFile(PathBuf);

impl LogFile {
    fn new(name: &str) -> LogFile {
        let file = format!("sumito-mock-{}-{name}.log", std::process::id());
        LogFile(std::env::temp_dir().join(file))
    }
}

impl Drop for LogFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
