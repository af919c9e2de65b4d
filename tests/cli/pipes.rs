//! Readers that stop reading: `sumito ... | head -1`, with the errors in the same pipe or not. Whatever the command, it
//! ends as if its last word had been read, and leaves what it was to leave.

use std::io::{BufRead, BufReader, Write, pipe};
use std::process::{Command as Process, Output, Stdio};

use tempfile::TempDir;

use crate::support::{folder_with_data, json, output, started, sumito};

/// What each command reads. A server has tests of its own, and so has the care for its database.
const COMMANDS: [(&str, &str); 36] = [
    ("--help", ""),
    ("play --help", ""),
    ("agents", ""),
    ("layouts", ""),
    ("show", ""),
    ("moves", ""),
    ("perft 2 --divide", ""),
    ("bench 1", ""),
    ("eval standard", ""),
    ("solve 5/6/7/8/9/8/7/5S/2SSs_5_3_b_0_1", ""),
    ("states board.input", ""),
    ("convert --to fen out/games.apgn", ""),
    ("replay out/games.apgn", ""),
    ("completions bash", ""),
    ("man", ""),
    ("analyse standard --depth 1 --hash 1", ""),
    ("analyse out/games.apgn --depth 1 --hash 1", ""),
    ("analyse --serve --hash 1", "{\"id\":1,\"type\":\"position\",\"depth\":1}\n"),
    ("ugi", "ugi\nisready\ngo depth 1\nquit\n"),
    ("check-engine ./no-such-engine", ""),
    ("play random random --limit none", ""),
    ("play random random --json --limit none", ""),
    ("play human random --limit none", "moves\nhint\nundo\nboard\n"),
    ("match random random --games 2 --layouts standard --max-plies 20", ""),
    ("rate out", ""),
    ("datagen --out more.data --positions 20 --nodes 50 --threads 1 --hash 1", ""),
    ("data info some.data", ""),
    ("data fit-wdl some.data", ""),
    ("train some.data --width 16 --epochs 1 --batch 100 --threads 1 --out trained", ""),
    ("learn cornell-td --games 1 --hidden 3 --ply-cap 20 --test-games 2 --out learned", ""),
    ("tune texel some.data --out fitted --epochs 1 --batch 100", ""),
    (
        "tune spsa --agent bcit:factor=1.2 --param factor:0.5:3:0.1 --iterations 1 --pairs 1 --limit depth=1 \
      --layouts standard --max-plies 10 --out tuned",
        "",
    ),
    (
        "evolve --island 4 --generations 1 --rounds 1 --final-pairs 1 --layouts standard --max-plies 10 --out bred",
        "",
    ),
    ("lab list", ""),
    ("unit --timeless", ""),
    ("lab run mine.toml --out lab", ""),
];

/// A folder with all that the commands read.
fn prepared() -> TempDir {
    let folder = folder_with_data("--positions 600 --max-plies 60 --decided 300,2");
    output(&folder, "match random random --games 2 --layouts standard --max-plies 20 --out out");
    std::fs::write(folder.path().join("board.input"), "b\nC5b,E4b,E5b,D5w\n").unwrap();
    let experiment = "title = 'Mine'\nwhere = 'here'\nabout = 'A test.'\n[games]\nmax-plies = 20\n[[games.part]]\n\
                      id = 'p'\nplayers = ['greedy', 'random']\ngames = 2\n";
    std::fs::write(folder.path().join("mine.toml"), experiment).unwrap();
    folder
}

/// The writing end of a pipe that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = pipe().unwrap();
    drop(reader);
    writer.into()
}

fn run(folder: &TempDir, command: &str, input: &str, errors: Stdio) -> Output {
    // A blank in an argument is written as a low line here.
    let args =
        command.split(' ').map(|arg| if arg.contains('/') { arg.replace('_', " ") } else { arg.to_string() });
    let mut child = Process::new(env!("CARGO_BIN_EXE_sumito"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(closed())
        .stderr(errors)
        .spawn()
        .unwrap();
    // It may have ended before it read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn every_command_is_run() {
    let help = output(&prepared(), "--help");
    let listed = help.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let listed = listed.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    let missing = |name: &&str| !COMMANDS.iter().any(|(command, _)| command.split(' ').next() == Some(name));
    assert_eq!(listed.filter(missing).collect::<Vec<_>>(), ["serve", "bot", "database", "admin", "help"]);
}

#[test]
fn no_command_minds_that_nobody_reads_its_output() {
    let folder = prepared();
    for (command, input) in COMMANDS {
        let output = run(&folder, command, input, Stdio::piped());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{command}: {said}");
        assert!(!said.contains("panicked") && !said.contains("pipe"), "{command}: {said}");
    }
}

#[test]
fn no_command_minds_that_nobody_reads_its_errors_either() {
    let folder = prepared();
    for (command, input) in COMMANDS {
        assert_eq!(run(&folder, command, input, closed()).status.code(), Some(0), "{command}");
    }
    assert_eq!(run(&folder, "eval no-such-layout", "", closed()).status.code(), Some(2));
}

#[test]
fn a_training_run_of_which_one_line_is_read_ends_well() {
    let folder = prepared();
    let train = "train some.data --width 16 --epochs 1 --batch 100 --threads 1 --out run";
    let mut child = started(&folder, train);
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("positions"), "{line}");
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(json(&folder, &format!("{train} --json"))["finished"], true);
    sumito(&folder, "agents sumito").assert().success();
}
