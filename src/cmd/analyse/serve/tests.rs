//! The loop, driven by texts and pipes.

use std::io::{BufReader, Read};
use std::sync::mpsc::{Receiver, Sender, channel};

use super::*;
use sumito_engine::EngineOptions;

fn engine() -> Engine {
    Engine::new(EngineOptions { hash: 1, ..EngineOptions::default() })
}

fn defaults() -> Defaults {
    Defaults { limits: Limits::default(), time: None, rules: Rules::OFFICIAL, notation: Notation::AbaPro }
}

/// The answers to an input that is there at once.
fn answers(input: &str) -> Vec<Value> {
    let mut output = Vec::new();
    serve(engine(), defaults(), BufReader::new(std::io::Cursor::new(input.to_string())), &mut output)
        .expect("memory takes everything");
    let text = String::from_utf8(output).expect("a text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON on every line")).collect()
}

fn ids_and_types(answers: &[Value]) -> Vec<(String, &str)> {
    let id = |answer: &Value| answer["id"].as_str().map_or(answer["id"].to_string(), str::to_string);
    answers.iter().map(|answer| (id(answer), answer["type"].as_str().expect("a type"))).collect()
}

/// An input that goes on as a test sends to it.
struct Typed(Receiver<String>, Vec<u8>);

impl Read for Typed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default().into_bytes();
        }
        let count = self.1.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

/// An output whose lines a test receives one by one.
struct Heard(Sender<Value>, Vec<u8>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.1);
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.0.send(serde_json::from_slice(&line).expect("JSON")).map_err(gone)
    }
}

/// A running server to talk to.
fn conversation() -> (Sender<String>, Receiver<Value>, thread::JoinHandle<io::Result<()>>) {
    let ((input, typed), (heard, output)) = (channel(), channel());
    let server = thread::spawn(move || {
        serve(engine(), defaults(), BufReader::new(Typed(typed, Vec::new())), Heard(heard, Vec::new()))
    });
    (input, output, server)
}

fn send(input: &Sender<String>, line: &str) {
    input.send(format!("{line}\n")).expect("the server listens");
}

#[test]
fn a_position_is_answered_with_its_lines() {
    let answers = answers(r#"{"do":"analyse","id":"a","layout":"standard","moves":"a1b1","depth":3}"#);
    assert_eq!(ids_and_types(&answers), [("a".into(), "result")]);
    let result = &answers[0]["result"];
    assert_eq!((&result["turn"], &result["depth"]), (&json!("white"), &json!(3)));
    assert_eq!(result["best"], result["lines"][0]["moves"][0]);
}

#[test]
fn a_game_is_answered_with_its_review() {
    let answers = answers(
        "{\"do\":\"review\",\"id\":1,\"moves\":[\"a1b2\",\"i5h5\"],\"depth\":2,\"partial\":true}\n\
         {\"do\":\"review\",\"id\":2,\"apgn\":\"[Variant \\\"standard\\\"]\\n\\n1. a1b1 *\",\"depth\":2}",
    );
    let expected = [("1", "partial"), ("1", "partial"), ("1", "partial"), ("1", "result"), ("2", "result")];
    assert_eq!(ids_and_types(&answers), expected.map(|(id, kind)| (id.to_string(), kind)));
    let plies: Vec<&Value> = answers[..3].iter().map(|answer| &answer["partial"]["ply"]).collect();
    assert_eq!(plies, [&json!(2), &json!(1), &json!(0)]);
    let review = &answers[3]["result"];
    assert_eq!((&review["complete"], &review["moves"][1]["move"]), (&json!(true), &json!("i5h5")));
    assert!(review["sides"]["black"]["accuracy"].is_number());
    assert_eq!(answers[4]["result"]["moves"][0]["move"], "a1b1");
}

#[test]
fn reports_on_the_way_come_only_if_they_are_asked_for() {
    let answers = answers(
        "{\"do\":\"analyse\",\"id\":1,\"depth\":3}\n{\"do\":\"analyse\",\"id\":2,\"depth\":3,\"partial\":true}",
    );
    let of = |id: u64, kind: &str| {
        answers.iter().filter(|answer| answer["id"] == id && answer["type"] == kind).count()
    };
    assert_eq!((of(1, "partial"), of(1, "result"), of(2, "result")), (0, 1, 1));
    assert!(of(2, "partial") >= 3);
}

#[test]
fn higher_priorities_are_answered_first() {
    let (input, output, server) = conversation();
    send(&input, r#"{"do":"analyse","id":"first","infinite":true,"partial":true}"#);
    assert_eq!(output.recv().expect("a report")["id"], "first");
    for (id, priority) in [("low", 0), ("high", 9), ("low too", 0), ("high too", 9)] {
        send(&input, &json!({ "do": "analyse", "id": id, "priority": priority, "depth": 1 }).to_string());
    }
    send(&input, r#"{"do":"cancel","id":"first"}"#);
    drop(input);
    let answers: Vec<Value> = output.iter().filter(|answer| answer["type"] != "partial").collect();
    let order: Vec<&str> = answers.iter().filter_map(|answer| answer["id"].as_str()).collect();
    assert_eq!(order, ["first", "high", "high too", "low", "low too"]);
    assert_eq!(answers[0]["type"], "cancelled");
    server.join().expect("no panic").expect("an output");
}

#[test]
fn a_request_that_waits_can_be_cancelled_and_one_that_runs_can_be_stopped_with_its_result() {
    let (input, output, server) = conversation();
    send(&input, r#"{"do":"analyse","id":"runs","infinite":true,"partial":true}"#);
    assert_eq!(output.recv().expect("a report")["type"], "partial");
    send(&input, r#"{"do":"analyse","id":"waits","depth":1}"#);
    send(&input, r#"{"do":"cancel","id":"waits"}"#);
    send(&input, r#"{"do":"stop","id":"runs"}"#);
    let mut answers = output.iter().filter(|answer| answer["type"] != "partial");
    assert_eq!(answers.next().expect("an answer"), json!({ "id": "waits", "type": "cancelled" }));
    let stopped = answers.next().expect("an answer");
    assert_eq!((&stopped["id"], &stopped["type"]), (&json!("runs"), &json!("result")));
    assert!(stopped["result"]["best"].is_string());
    send(&input, r#"{"do":"quit"}"#);
    assert_eq!(answers.next(), None);
    server.join().expect("no panic").expect("an output");
}

#[test]
fn an_id_can_be_used_again_once_it_is_answered_but_not_before() {
    let (input, output, server) = conversation();
    send(&input, r#"{"do":"analyse","id":1,"infinite":true}"#);
    send(&input, r#"{"do":"analyse","id":1,"depth":1}"#);
    let refused = output.recv().expect("an answer");
    assert_eq!((&refused["type"], &refused["line"]), (&json!("error"), &json!(2)));
    assert!(refused["message"].as_str().expect("a text").contains("not in use"));
    send(&input, r#"{"do":"cancel","id":1}"#);
    assert_eq!(output.recv().expect("an answer")["type"], "cancelled");
    send(&input, r#"{"do":"analyse","id":1,"depth":1}"#);
    assert_eq!(output.recv().expect("an answer")["type"], "result");
    drop(input);
    server.join().expect("no panic").expect("an output");
}

#[test]
fn bad_lines_are_answered_with_an_error_and_the_next_one_is_heard() {
    let bad = [
        ("nonsense", "expected a request"),
        (r#"{"do":"analyse"}"#, "expected an id"),
        (r#"{"do":"analyse","id":1,"fen":"ss1SS/8"}"#, "fen: line 1, column 7: expected"),
        (r#"{"do":"analyse","id":1,"layout":"belgian-dasy"}"#, "did you mean belgian-daisy"),
        (r#"{"do":"analyse","id":1,"layout":"standard","fen":"x"}"#, "at most one of layout, fen and apgn"),
        (r#"{"do":"analyse","id":1,"moves":"a1b2 a1b2"}"#, "moves: move 2, 'a1b2'"),
        (r#"{"do":"analyse","id":1,"depth":0}"#, "depth: expected a whole number from 1 to 127, found 0"),
        (
            r#"{"do":"analyse","id":1,"lines":1000}"#,
            "lines: expected a whole number from 1 to 256, found 1000",
        ),
        (r#"{"do":"analyse","id":1,"rules":"mine"}"#, "rules: expected one of official, playstrategy"),
        (r#"{"do":"analyse","id":1,"infinite":true,"depth":3}"#, "infinite: expected no other limit"),
        (r#"{"do":"analyse","id":1,"only":"e5e6"}"#, "only: "),
        (r#"{"do":"review","id":1}"#, "at least one move"),
        (r#"{"do":"review","id":1,"moves":"a1b2","infinite":true}"#, "infinite: expected for analyse alone"),
        (r#"{"do":"review","id":1,"apgn":"1. a1b2 {"}"#, "apgn: line 1, column 9: expected '}'"),
        (r#"{"do":"cancel","id":77}"#, "expected the id of a request"),
    ];
    let input: Vec<&str> =
        bad.iter().map(|(line, _)| *line).chain(["", r#"{"do":"ping","id":"p"}"#]).collect();
    let answers = answers(&input.join("\n"));
    assert_eq!(answers.len(), bad.len() + 1);
    for ((number, (line, expected)), answer) in (1..).zip(bad).zip(&answers) {
        assert_eq!((&answer["type"], &answer["line"]), (&json!("error"), &json!(number)), "{line}");
        let message = answer["message"].as_str().expect("a text");
        assert!(message.contains(expected), "{line}: {message}");
        assert_eq!(answer["id"], request::id_of(line), "{line}");
    }
    assert_eq!(answers.last(), Some(&json!({ "id": "p", "type": "pong" })));
}

#[test]
fn bytes_that_are_no_text_are_an_error_too() {
    let mut output = Vec::new();
    let input = b"\xff\xfe\n{\"do\":\"ping\",\"id\":1}\n".to_vec();
    serve(engine(), defaults(), BufReader::new(std::io::Cursor::new(input)), &mut output).expect("memory");
    let text = String::from_utf8(output).expect("a text");
    assert!(text.starts_with("{\"id\":null,\"line\":1,\"message\":\"expected a text in UTF-8"), "{text}");
    assert!(text.contains("pong"), "{text}");
}

#[test]
fn a_line_that_is_too_long_is_refused_as_one() {
    let long = format!("{}\n{{\"do\":\"ping\",\"id\":1}}\n", "x".repeat(LONGEST_LINE + 100_000));
    let answers = answers(&long);
    assert_eq!(ids_and_types(&answers), [("null".into(), "error"), ("1".into(), "pong")]);
    assert_eq!(answers[0]["message"], "expected lines of at most 4194304 bytes, found a longer one");
}

#[test]
fn at_the_end_of_the_input_everything_is_answered_and_what_has_no_end_is_ended() {
    let answers = answers(
        "{\"do\":\"analyse\",\"id\":\"a\",\"infinite\":true}\n{\"do\":\"analyse\",\"id\":\"b\",\"depth\":2}\n\
         {\"do\":\"analyse\",\"id\":\"c\",\"infinite\":true}",
    );
    let expected = [("a", "result"), ("b", "result"), ("c", "result")];
    assert_eq!(ids_and_types(&answers), expected.map(|(id, kind)| (id.to_string(), kind)));
}

#[test]
fn quit_ends_without_answering_what_waits() {
    let answers =
        answers("{\"do\":\"analyse\",\"id\":\"a\",\"infinite\":true}\n{\"do\":\"quit\"}\n{\"do\":\"ping\"}");
    assert_eq!(answers, Vec::<Value>::new());
}

#[test]
fn a_fresh_request_depends_on_nothing_before() {
    let request = |id| json!({ "do": "analyse", "id": id, "depth": 5, "fresh": true }).to_string();
    let answers = answers(&format!("{}\n{}", request(1), request(2)));
    let result = |at: usize| (&answers[at]["result"]["nodes"], &answers[at]["result"]["lines"]);
    assert_eq!(result(0), result(1));
}

#[test]
fn an_output_that_is_gone_ends_the_server() {
    let (input, output, server) = conversation();
    drop(output);
    send(&input, r#"{"do":"ping","id":1}"#);
    let why = server.join().expect("no panic").expect_err("nobody listens");
    assert_eq!(why.kind(), io::ErrorKind::BrokenPipe);
}
