//! The database beside the server: one server at a time, copies while it runs, checks, and putting a copy back.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use super::process::Server;

/// `sumito database ...` in a folder.
fn database(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    sumito(folder, &[&["database"], args].concat())
}

/// The program in a folder: its code, and what it says.
fn sumito(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("sumito"));
    let Output { status, stdout, stderr } =
        command.current_dir(folder).args(args).output().expect("the program");
    (status.code(), format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)))
}

/// Starts the program where it must not start, and gives what it says.
fn refused(folder: &Path, args: &[&str]) -> String {
    let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("sumito"));
    let run = command.current_dir(folder).args(args).args(["--port", "0"]).assert().code(2).stdout("");
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

fn play(server: &Server, (id, key): &(String, String), ply: usize, text: &str) {
    let body = json!({ "move": text, "ply": ply });
    let (status, answer) = server.post(&format!("/api/v1/games/{id}/moves"), key, &body);
    assert_eq!(status, 200, "{answer}");
}

fn plies(server: &Server, id: &str) -> usize {
    server.get(&format!("/api/v1/games/{id}"))["moves"].as_array().expect("moves").len()
}

#[test]
fn a_second_server_on_the_same_database_is_refused_and_told_who_has_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let who = format!("in use by process {}, http://{}/", server.id(), server.address);
    let text = refused(folder.path(), &[]);
    assert!(text.contains(&who), "{text}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("sumito.db", folder.path().join("other.db")).expect("a link");
        let text = refused(folder.path(), &["--database", "other.db"]);
        assert!(text.contains(&who), "by another name: {text}");
    }
    let game = server.begin();
    play(&server, &game, 0, "a1b2");
    server.kill();
    // The lock goes with the process, however it ends.
    let server = Server::start(folder.path(), &[]);
    assert_eq!(plies(&server, &game.0), 1);
}

#[test]
fn a_copy_is_made_beside_a_running_server_and_put_back_when_none_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let game = server.begin();
    play(&server, &game, 0, "a1b2");
    let (code, text) = database(folder.path(), &["backup", "copy.db"]);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = database(folder.path(), &["backup", "copy.db"]);
    assert!(code == Some(2) && text.contains("expected a name that is free"), "{text}");
    play(&server, &game, 1, "i5h5");
    let (code, text) = database(folder.path(), &["check"]);
    assert!(code == Some(0) && text.contains("1 games can be replayed, 0 are damaged"), "{text}");
    let (code, text) = database(folder.path(), &["restore", "copy.db"]);
    assert!(code == Some(2) && text.contains("in use by process"), "{text}");
    assert_eq!(server.terminate(), Some(0));
    let (code, text) = database(folder.path(), &["restore", "copy.db"]);
    assert!(code == Some(0) && text.contains("what was there before is"), "{text}");
    let aside = text.trim().rsplit(' ').next().expect("a name").to_string();
    let server = Server::start(folder.path(), &[]);
    assert_eq!(plies(&server, &game.0), 1, "as it was when it was copied");
    drop(server);
    let server = Server::start(folder.path(), &["--database", &aside]);
    assert_eq!(plies(&server, &game.0), 2, "what was there before is kept");
}

#[test]
fn games_are_exported_and_deleted_beside_a_running_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let (game, other) = (server.begin(), server.begin());
    play(&server, &game, 0, "a1b2");
    let (code, text) = database(folder.path(), &["export", "--out", "all.apgn"]);
    assert_eq!(code, Some(0), "{text}");
    let records = std::fs::read_to_string(folder.path().join("all.apgn")).expect("written");
    assert!(records.contains("a1b2") && records.contains(&game.0) && records.contains(&other.0), "{records}");
    let (code, text) = database(folder.path(), &["delete", &game.0]);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = database(folder.path(), &["delete", &game.0]);
    assert!(code == Some(2) && text.contains("expected the id of a game"), "{text}");
    let body = json!({ "move": "i5h5", "ply": 1 });
    let (status, answer) = server.post(&format!("/api/v1/games/{}/moves", game.0), &game.1, &body);
    assert_eq!((status, &answer["error"]["kind"]), (404, &json!("not_found")), "{answer}");
    assert_eq!(server.get("/api/v1/games")["total"], 1);
}

#[test]
fn peoples_results_are_summed_up_by_agent() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let won = "5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1";
    let agent = json!({ "kind": "agent", "spec": "random" });
    let (_, game) = server.post("/api/v1/games", "", &json!({ "fen": won, "white": agent }));
    let game = &game;
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_string();
    play(&server, &(text(&game["game"]["id"]), text(&game["key"])), 0, "a3a4");
    let (_, game) = server.post("/api/v1/games", "", &json!({ "white": agent }));
    let resign = format!("/api/v1/games/{}/resign", text(&game["game"]["id"]));
    assert_eq!(server.post(&resign, &text(&game["key"]), &json!({})).0, 200);
    // Games that go on, between two people, and between two agents do not count.
    server.begin();
    server.post("/api/v1/games", "", &json!({ "white": agent }));
    server.post("/api/v1/games", "", &json!({ "white": agent, "black": agent, "paused": true }));
    let (code, told) = database(folder.path(), &["people", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!((code, told), (Some(0), json!([{ "agent": "random", "won": 1, "drawn": 0, "lost": 1 }])));
    let (_, told) = database(folder.path(), &["people"]);
    assert!(told.contains("random") && told.contains("1-0-1") && told.contains("50.0 ±"), "{told}");
}

#[test]
fn a_damaged_file_is_refused_by_the_server_and_told_by_the_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    for _ in 0..40 {
        let game = server.begin();
        play(&server, &game, 0, "a1b2");
    }
    assert_eq!(server.terminate(), Some(0));
    let (code, text) = database(folder.path(), &["backup", "copy.db"]);
    assert_eq!(code, Some(0), "{text}");
    let file = folder.path().join("sumito.db");
    let mut bytes = std::fs::read(&file).expect("a database");
    // Pages in the middle, each with rubbish where its head is.
    let pages = bytes.len() / 4096;
    (pages / 3..pages).for_each(|page| bytes[page * 4096..page * 4096 + 64].fill(0xaa));
    std::fs::write(&file, &bytes).expect("written");
    let text = refused(folder.path(), &[]);
    assert!(text.contains("is damaged") && text.contains("sumito database restore"), "{text}");
    let (code, text) = database(folder.path(), &["check"]);
    assert!(code == Some(1) || code == Some(2), "{text}");
    let (code, text) = database(folder.path(), &["restore", "sumito.db", "--database", "new.db"]);
    assert!(code == Some(2) && text.contains("damaged"), "{text}");
    let (code, text) = database(folder.path(), &["restore", "copy.db"]);
    assert_eq!(code, Some(0), "{text}");
    let server = Server::start(folder.path(), &[]);
    assert_eq!(server.get("/api/v1/games")["total"], 40);
}

#[test]
fn accounts_are_looked_after_beside_a_running_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--arena"]);
    let admin = |args: &[&str]| sumito(folder.path(), &[&["admin"], args].concat());
    let account = json!({ "name": "Anna", "password": "six marbles off" });
    assert_eq!(server.post("/api/v1/account", "", &account).0, 201);
    let (code, text) = admin(&["list"]);
    assert!(code == Some(0) && text.contains("Anna") && text.contains("person"), "{text}");
    assert_eq!(admin(&["role", "anna", "admin"]).0, Some(0));
    assert_eq!(server.get("/api/v1/people/Anna")["person"]["role"], "admin");
    let (_, told) = admin(&["code", "Anna"]);
    let with = json!({ "name": "Anna", "code": told.trim(), "password": "another sentence" });
    assert_eq!(server.post("/api/v1/account/recover", "", &with).0, 200);
    for args in [&["role", "Ben", "admin"][..], &["code", "Ben"], &["close", "Ben"]] {
        let (code, text) = admin(args);
        assert!(code == Some(2) && text.contains("found 'Ben'"), "{text}");
    }
    assert_eq!(admin(&["role", "Anna", "emperor"]).0, Some(2));
    assert_eq!(admin(&["close", "Anna"]).0, Some(0));
    let (_, left) = admin(&["list", "--json"]);
    let left: Vec<Value> = serde_json::from_str(&left).expect("a list");
    assert!(left.iter().all(|account| account["role"] == "bot"), "the house alone: {left:?}");
    assert_eq!(server.post("/api/v1/account", "", &account).0, 201, "the name is free");
    let (code, text) = sumito(folder.path(), &["admin", "list", "--database", "none.db"]);
    assert!(code == Some(2) && text.contains("none.db"), "{text}");
}
