//! The pages in a real Firefox, over WebDriver BiDi, which it speaks by itself: that they work in another browser, too.

use std::net::TcpStream;
use std::process::Child;

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::launch::{Kind, Started};
use crate::page::until_true;
use crate::server::Server;

const FIREFOX: Kind = Kind {
    names: &["firefox-esr", "firefox"],
    variable: "FIREFOX",
    package: "firefox-esr",
    told: "WebDriver BiDi listening on ",
    arguments: |profile| {
        let flags =
            ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"].map(str::to_string);
        flags.into_iter().chain([profile.display().to_string()]).collect()
    },
};

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
        let Started { process, address, profile } = FIREFOX.start();
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
        if !until_true(expression, |text| self.eval(text)) {
            let seen = self.eval("document.body.innerText.slice(0, 1500)");
            panic!("expected {expression}\nseen: {seen}\nfaults: {:?}", self.faults);
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
