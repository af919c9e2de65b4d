//! The limits of the system: files, their size, and what the log tells.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use serde_json::json;

use super::process::Server;

/// Asks on a connection that stays open; the status, or nothing if the server has closed it.
fn ask(stream: &mut TcpStream) -> Option<u16> {
    stream.set_read_timeout(Some(Duration::from_secs(120))).expect("a limit");
    let sent = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let mut answer = [0; 4096];
    match stream.read(&mut answer) {
        Ok(0) => None,
        Ok(count) => {
            sent.expect("an open connection");
            String::from_utf8_lossy(&answer[..count]).split(' ').nth(1)?.parse().ok()
        }
        Err(error) if error.kind() == ErrorKind::ConnectionReset => None,
        Err(error) => panic!("neither answered nor closed: {error}"),
    }
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_not_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::limited(folder.path(), "-f 1024", &[]);
    let begun = (0..5000).position(|_| {
        let (status, answer) = server.post("/api/v1/games", "", &json!({}));
        assert!([201, 507].contains(&status), "{answer}");
        status == 507
    });
    let begun = begun.expect("a megabyte has an end");
    assert!(begun > 3, "{begun} games fit");
    assert_eq!(server.get("/healthz")["status"], "ok", "the server goes on");
    let (status, answer) = server.post("/api/v1/games", "", &json!({}));
    assert_eq!((status, &answer["error"]["kind"]), (507, &json!("storage")));
    assert_eq!(server.get("/api/v1/games?limit=1")["total"], begun, "every game that was acknowledged");
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn the_program_raises_its_own_limit_on_open_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::limited(folder.path(), "-Sn 64", &[]);
    let mut open: Vec<TcpStream> =
        (0..150).map(|_| TcpStream::connect(&server.address).expect("a connection")).collect();
    for (number, stream) in open.iter_mut().enumerate() {
        assert_eq!(ask(stream), Some(200), "connection {number}");
    }
}

#[test]
fn fewer_files_mean_fewer_connections_and_those_are_served() {
    let folder = tempfile::tempdir().expect("a folder");
    // Hard and soft: 256 files are kept for other things.
    let server = Server::limited(folder.path(), "-n 300", &[]);
    let mut open: Vec<TcpStream> =
        (0..80).map(|_| TcpStream::connect(&server.address).expect("a connection")).collect();
    let answers: Vec<Option<u16>> = open.iter_mut().map(ask).collect();
    let served = answers.iter().filter(|answer| **answer == Some(200)).count();
    assert_eq!((served, answers.iter().filter(|answer| answer.is_none()).count()), (44, 36));
    drop(open);
    let mut later = (0..3000).map(|_| {
        std::thread::sleep(Duration::from_millis(20));
        ask(&mut TcpStream::connect(&server.address).expect("a connection"))
    });
    assert!(later.any(|answer| answer == Some(200)), "there is room again");
    let log = log(folder.path());
    assert!(log.contains("allows fewer connections") && log.contains("connections=44"), "{log}");
}

fn log(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("log.txt")).expect("the log")
}

#[test]
fn the_log_tells_who_asked_for_what_and_the_numbers_have_their_own_port() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("sumito.toml"), "metrics_port = 0\n").expect("written");
    let server = Server::start(folder.path(), &["--config", "sumito.toml"]);
    server.get("/api/v1/games");
    server.get("/healthz");
    server.get("/robots.txt");
    assert_eq!(server.request("GET", "/metrics", "", "").0, 404);
    let text = log(folder.path());
    let line = |path: &str| text.lines().find(|line| line.contains(&format!("path=\"{path}\"")));
    let told = line("/api/v1/games").unwrap_or_else(|| panic!("{text}"));
    for part in ["INFO", "method=GET", "status=200", "ms=", "client=127.0.0.1"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!((line("/healthz"), line("/robots.txt")), (None, None), "what comes often is for debugging");
    let own = text.lines().find(|line| line.contains("a port of their own")).expect("the port is told");
    let address = own.split("address=").nth(1).expect("an address").trim().to_string();
    let mut stream = TcpStream::connect(&address).expect("a connection");
    stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200 ") && answer.contains("sumito_connections"), "{answer}");
}
