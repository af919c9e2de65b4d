//! Engines for tests: `serve SPEC` serves an agent of the registry on the standard streams, every other
//! first argument names a way to misbehave. They think about the Belgian Daisy only, and play a1b2.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

/// Longer than any test waits: its owner must end it.
const FOR_EVER: Duration = Duration::from_secs(3600);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments[..] {
        ["serve", spec] => return serve(spec),
        ["mute"] => {
            thread::sleep(FOR_EVER);
            Ok(())
        }
        ["log", file] => log(file, |_| true),
        ["log-and-stall", file] => log(file, |_| false),
        ["log-and-hang", file] => log(file, |line| line != "go infinite"),
        [manner] => misbehave(manner),
        _ => Err(io::Error::other("expected serve SPEC, log FILE, or a manner")),
    };
    // A broken pipe means that the other side is gone.
    if result.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn serve(spec: &str) -> ExitCode {
    match sumito_agents::ugi::serve(spec, io::BufReader::new(io::stdin()), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn say(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(bytes)?;
    output.write_all(b"\n")?;
    output.flush()
}

/// The part of the protocol that every manner keeps to. True if the line was answered by it.
fn introduce(line: &str) -> io::Result<bool> {
    match line {
        "ugi" => {
            say(b"id name mock")?;
            say(b"option name Level type spin default 1 min 1 max 9")?;
            say(b"option name Rules type combo default official var official var bcit")?;
            say(b"ugiok")?;
        }
        "isready" => say(b"readyok")?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes down every line that it hears, and behaves, but for the searches that it leaves without an answer.
fn log(file: &str, answers: fn(&str) -> bool) -> io::Result<()> {
    let mut log = OpenOptions::new().create(true).append(true).open(file)?;
    for line in io::stdin().lines() {
        let line = line?;
        writeln!(log, "{line}")?;
        if line == "quit" {
            break;
        }
        if !introduce(&line)? && line.starts_with("go") && answers(&line) {
            say(b"info depth 3 score cp 150 nodes 77 nps 1000 time 77 pv a1b2 i5h5")?;
            say(b"info depth 3 multipv 2 score cp 50 nodes 77 time 77 pv a2b3")?;
            say(b"bestmove a1b2")?;
        }
    }
    Ok(())
}

fn misbehave(manner: &str) -> io::Result<()> {
    let mut searches = 0;
    for line in io::stdin().lock().split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        if manner == "endless-hello" && line == "ugi" {
            answer("endless-line", 0)?;
        }
        if manner == "talkative-hello" && line == "ugi" {
            answer("flood-forever", 0)?;
        }
        if manner == "many-options" && line == "ugi" {
            for i in 0..2000 {
                say(format!("option name Number{i} type spin default 1 min 1 max 9").as_bytes())?;
            }
        }
        if manner == "one-line" && line == "ugi" {
            say(b"option name MultiPV type spin default 1 min 1 max 9")?;
        }
        if introduce(&line)? {
            continue;
        }
        match line.split(' ').next().unwrap_or_default() {
            "go" => {
                searches += 1;
                let ponders = line.starts_with("go ponder");
                if ponders {
                    say(b"info depth 1 nodes 1 time 1")?;
                }
                if !(ponders && manner == "dreamer") {
                    answer(manner, searches)?;
                }
            }
            "ponderhit" if manner == "patient" => say(b"bestmove a2b3")?,
            "stop" if matches!(manner, "patient" | "dreamer") => say(b"bestmove a1b2")?,
            "quit" if manner != "stubborn" => break,
            "hello" if manner == "touchy" => break,
            _ => {}
        }
    }
    if manner == "stubborn" {
        thread::sleep(FOR_EVER);
    }
    Ok(())
}

fn answer(manner: &str, searches: u32) -> io::Result<()> {
    match manner {
        "crash" if searches == 2 => {
            eprintln!("out of marbles");
            std::process::exit(3);
        }
        "stall" | "patient" => Ok(()),
        "one-line" => {
            say(b"info depth 1 nodes 1 time 1 pv a1b2")?;
            say(b"bestmove a1b2")
        }
        "slow" => {
            thread::sleep(Duration::from_millis(150));
            say(b"bestmove a1b2")
        }
        "cheat" => say(b"bestmove e5e6"),
        "garbage" => {
            say(b"\xff\xfe\x00 info depth")?;
            say(b"info depth -1 score cp pv pv pv")?;
            say(b"bestmove \xff\x07?")
        }
        "wordless" => say(b"bestmove"),
        "chatty" => say(b"bestmove a1b2 because it is best"),
        // A second answer to the same question, which is none to the next.
        "twice" => {
            say(b"bestmove a1b2")?;
            say(b"bestmove e5e6")
        }
        "flood" => {
            for i in 0..100_000 {
                say(format!("info depth 1 nodes {i}").as_bytes())?;
            }
            say(b"bestmove a1b2")
        }
        "flood-forever" => loop {
            say(&[b'x'; 200])?;
        },
        "longest-line" => {
            say(&[&b"info string "[..], &[b'x'; (1 << 16) - 12]].concat())?;
            say(b"bestmove a1b2")
        }
        "endless-line" => loop {
            io::stdout().write_all(&[b'x'; 4096])?;
        },
        _ => say(b"bestmove a1b2"),
    }
}
