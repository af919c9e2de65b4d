//! The real program as a server, and a small client for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// A running server; it is killed when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

impl Server {
    /// Starts the program in a folder, on any free port unless the arguments name one.
    pub(crate) fn start(folder: &Path, args: &[&str]) -> Server {
        Server::spawn(folder, Command::new(assert_cmd::cargo::cargo_bin!("sumito")), args)
    }

    /// Starts the program with a limit of the shell's `ulimit`, such as `-f 1024`.
    pub(crate) fn limited(folder: &Path, limit: &str, args: &[&str]) -> Server {
        let mut command = Command::new("bash");
        command.args(["-c", &format!("ulimit {limit} && exec \"$0\" \"$@\"")]);
        command.arg(assert_cmd::cargo::cargo_bin!("sumito"));
        Server::spawn(folder, command, args)
    }

    /// Runs a command that is the program; its log goes to a file in the folder.
    fn spawn(folder: &Path, mut command: Command, args: &[&str]) -> Server {
        let log = std::fs::File::create(folder.join("log.txt")).expect("a file");
        command.current_dir(folder).stderr(log);
        Server::launch(command, args)
    }

    /// Starts the program by a command that ends in it.
    pub(crate) fn launch(mut command: Command, args: &[&str]) -> Server {
        command.args(args).stdout(Stdio::piped());
        if !args.contains(&"--port") {
            command.args(["--port", "0"]);
        }
        let mut child = command.spawn().expect("the program");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        Server { address: address.unwrap_or_else(|| panic!("no address in {line:?}")).to_string(), child }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it without a word, as `kill -9` does.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }

    /// Asks it to end, and gives its exit code.
    pub(crate) fn terminate(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-TERM", &id]).status().expect("kill");
        assert!(status.success());
        self.child.wait().expect("ended").code()
    }

    pub(crate) fn request(&self, method: &str, path: &str, key: &str, body: &str) -> (u16, String) {
        self.request_as("application/json", method, path, key, body)
    }

    /// A request with a body of another kind.
    pub(crate) fn request_as(
        &self,
        kind: &str,
        method: &str,
        path: &str,
        key: &str,
        body: &str,
    ) -> (u16, String) {
        let fields = format!("Authorization: Bearer {key}\r\nContent-Type: {kind}\r\n");
        let (status, _, body) = self.exchange(method, path, &fields, body);
        (status, body)
    }

    /// A request of somebody's browser: the status, the cookie that it is given, the answer.
    pub(crate) fn ask(
        &self,
        cookie: &str,
        method: &str,
        path: &str,
        body: &Value,
    ) -> (u16, Option<String>, Value) {
        let fields = format!("Cookie: {cookie}\r\nContent-Type: application/json\r\n");
        let (status, head, body) = self.exchange(method, path, &fields, &body.to_string());
        let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        let cookie = cookie.and_then(|cookie| cookie.split(';').next()).map(str::to_string);
        (status, cookie, serde_json::from_str(&body).unwrap_or(Value::Null))
    }

    /// A request with fields of its own: the status, the head and the body of the answer.
    fn exchange(&self, method: &str, path: &str, fields: &str, body: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(300))).expect("a limit");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{fields}Content-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("sent");
        stream.write_all(body.as_bytes()).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let text = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").expect("an answer with a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, head.to_string(), body.to_string())
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        let (status, body) = self.request("GET", path, "", "");
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap_or(Value::String(body))
    }

    pub(crate) fn post(&self, path: &str, key: &str, body: &Value) -> (u16, Value) {
        let (status, body) = self.request("POST", path, key, &body.to_string());
        (status, serde_json::from_str(&body).expect("JSON"))
    }

    /// Begins a game of two persons: its id and its key.
    pub(crate) fn begin(&self) -> (String, String) {
        let (status, answer) = self.post("/api/v1/games", "", &json!({}));
        assert_eq!(status, 201, "{answer}");
        let text = |value: &Value| value.as_str().expect("a text").to_string();
        (text(&answer["game"]["id"]), text(&answer["key"]))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
