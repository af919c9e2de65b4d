//! The pages in a real Firefox, over WebDriver BiDi, which it speaks by itself: that they work in another browser, too.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::server::Server;

/// Where a browser may be; the variable `FIREFOX` names another.
const NAMES: [&str; 2] = ["firefox-esr", "firefox"];
/// So long anything may take. A bound against hanging, not a measure.
const PATIENCE: Duration = Duration::from_secs(300);

/// A browser with one page. It ends when this is dropped.
struct Firefox {
    process: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    context: String,
    last: u64,
    /// What the console told as errors.
    faults: Vec<String>,
    _profile: TempDir,
}

impl Firefox {
    fn start() -> Firefox {
        let named = std::env::var("FIREFOX").ok();
        let names: Vec<&str> = named.as_deref().map_or(NAMES.to_vec(), |name| vec![name]);
        let profile = tempfile::tempdir().unwrap();
        let mut process = names.iter().find_map(|name| launch(name, &profile)).unwrap_or_else(|| {
            panic!("expected a browser, found none of {names:?}: `apt-get install firefox-esr`, or set FIREFOX to its path")
        });
        let address = address(&mut process);
        let (socket, _) =
            tungstenite::connect(format!("{address}/session")).expect("the browser's own address");
        let mut browser = Firefox {
            process,
            socket,
            context: String::new(),
            last: 0,
            faults: Vec::new(),
            _profile: profile,
        };
        browser.send("session.new", json!({ "capabilities": {} }));
        browser.send("session.subscribe", json!({ "events": ["log.entryAdded"] }));
        let tree = browser.send("browsingContext.getTree", json!({}));
        browser.context = tree["contexts"][0]["context"].as_str().unwrap().to_string();
        browser
    }

    /// Sends a command and waits for its answer; what the console says meanwhile is kept.
    fn send(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let command = json!({ "id": self.last, "method": method, "params": params });
        self.socket.send(Message::text(command.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().expect("the browser answers") else { continue };
            let mut heard: Value = serde_json::from_str(&text).unwrap();
            if heard["method"] == "log.entryAdded" && heard["params"]["level"] == "error" {
                self.faults.push(heard["params"]["text"].to_string());
            }
            if heard["id"] == self.last {
                assert_eq!(heard["type"], "success", "{method}: {heard}");
                return heard["result"].take();
            }
        }
    }

    fn goto(&mut self, url: &str) {
        let params = json!({ "context": self.context, "url": url, "wait": "complete" });
        self.send("browsingContext.navigate", params);
    }

    /// The value of an expression as JSON; promises are waited for.
    fn eval(&mut self, expression: &str) -> Value {
        let target = json!({ "context": self.context });
        let whole = format!("Promise.resolve({expression}).then((value) => JSON.stringify(value ?? null))");
        let params = json!({ "expression": whole, "target": target, "awaitPromise": true });
        let answer = self.send("script.evaluate", params);
        let text = answer["result"]["value"].as_str();
        serde_json::from_str(text.unwrap_or_else(|| panic!("{expression}: {answer}"))).unwrap()
    }

    /// Waits until an expression is true.
    fn wait(&mut self, expression: &str) {
        let begin = Instant::now();
        let guarded =
            format!("(() => {{ try {{ return Boolean({expression}) }} catch {{ return false }} }})()");
        while self.eval(&guarded) != json!(true) {
            if begin.elapsed() > PATIENCE {
                let seen = self.eval("document.body.innerText.slice(0, 1500)");
                panic!("expected {expression}\nseen: {seen}\nfaults: {:?}", self.faults);
            }
            std::thread::sleep(Duration::from_millis(15));
        }
    }

    /// Presses and lets go in the middle of an element.
    fn click(&mut self, selector: &str) {
        self.wait(&format!("document.querySelector({})", json!(selector)));
        let at = self.eval(&format!(
            "(() => {{ const b = document.querySelector({}).getBoundingClientRect(); \
             return [Math.round(b.x + b.width / 2), Math.round(b.y + b.height / 2)]; }})()",
            json!(selector)
        ));
        let actions = json!([
            { "type": "pointerMove", "x": at[0], "y": at[1] },
            { "type": "pointerDown", "button": 0 },
            { "type": "pointerUp", "button": 0 },
        ]);
        let pointer = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.send("input.performActions", json!({ "context": self.context, "actions": [pointer] }));
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn launch(name: &str, profile: &TempDir) -> Option<Child> {
    Command::new(name)
        .args(["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"])
        .arg(profile.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .ok()
}

/// The browser tells it when it is ready.
fn address(process: &mut Child) -> String {
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    let address = lines
        .by_ref()
        .map_while(Result::ok)
        .find_map(|line| line.strip_prefix("WebDriver BiDi listening on ").map(str::to_string))
        .expect("the browser tells its address");
    std::thread::spawn(move || lines.for_each(drop));
    address
}

#[test]
#[ignore = "needs Firefox"]
fn a_move_is_played_and_answered_and_a_position_analysed_in_firefox() {
    let server = Server::start(&[]);
    let mut browser = Firefox::start();
    browser.goto(&server.address);
    browser.wait("document.querySelector('sumito-board').own.length > 0");
    for selector in ["[data-cell=a1] .hit", "[data-cell=c3] .hit", ".handle[data-direction=north-east]"] {
        browser.click(selector);
    }
    browser.wait("location.pathname.startsWith('/game/')");
    browser.wait("document.querySelectorAll('.moves button').length === 2");
    browser.wait("document.querySelector('sumito-board').own.length > 0");

    browser.goto(&format!("{}/analyse", server.address));
    browser.wait("document.querySelector('.engine-line .chip')?.textContent");
    assert!(browser.faults.is_empty(), "the console says: {:#?}", browser.faults);
}
