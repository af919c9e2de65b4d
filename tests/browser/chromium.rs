//! A Chromium process and the line to it: commands out, answers and events in.

use std::collections::VecDeque;
use std::net::TcpStream;
use std::process::Child;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

use crate::launch::{Kind, Started};

const CHROMIUM: Kind = Kind {
    names: &["chromium", "chromium-browser", "google-chrome", "chrome"],
    variable: "CHROMIUM",
    package: "chromium",
    told: "DevTools listening on ",
    arguments: |profile| {
        let own = format!("--user-data-dir={}", profile.display());
        std::iter::once(own).chain(FLAGS.map(str::to_string)).collect()
    },
};

const FLAGS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--remote-debugging-port=0",
    "about:blank",
];

/// A browser with one page. It ends when this is dropped.
pub(crate) struct Chromium {
    process: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    session: String,
    last: u64,
    /// Events that were not looked at yet.
    pub(crate) events: VecDeque<Value>,
    _profile: TempDir,
}

impl Chromium {
    /// Starts a browser.
    pub(crate) fn start() -> Chromium {
        let Started { process, address, profile } = CHROMIUM.start();
        let (socket, _) = tungstenite::connect(&address).expect("the browser's own address");
        let mut browser = Chromium {
            process,
            socket,
            session: String::new(),
            last: 0,
            events: VecDeque::new(),
            _profile: profile,
        };
        browser.attach();
        browser
    }

    fn attach(&mut self) {
        let target = self.send("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            self.send("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        self.session = attached["sessionId"].as_str().unwrap().to_string();
        for domain in ["Page", "Runtime", "Log", "Network", "DOM"] {
            self.send(&format!("{domain}.enable"), json!({}));
        }
    }

    /// Sends a command and waits for its answer; events that come first are kept.
    pub(crate) fn send(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut command = json!({ "id": self.last, "method": method, "params": params });
        if !self.session.is_empty() {
            command["sessionId"] = json!(self.session);
        }
        self.socket.send(Message::text(command.to_string())).expect("the browser listens");
        loop {
            let message = self.socket.read().expect("the browser answers");
            let Ok(text) = message.to_text() else { continue };
            let Ok(mut value) = serde_json::from_str::<Value>(text) else { continue };
            if value["id"] == json!(self.last) {
                assert!(value["error"].is_null(), "{method}: {}", value["error"]);
                return value["result"].take();
            }
            if value["id"].is_null() {
                self.events.push_back(value);
            }
        }
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // The browser ends its own helpers when it is asked to; a kill would leave them.
        let close = json!({ "id": u32::MAX, "method": "Browser.close" }).to_string();
        let asked = self.socket.send(Message::text(close)).is_ok();
        for _ in 0..100 {
            if asked && matches!(self.process.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
