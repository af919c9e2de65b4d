//! A page that is open: what one does with it, and what one sees.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::server::Server;

/// So long a page may take for anything. A bound against hanging, not a measure.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// Asks a page for an expression until it is true; whether it became so in time. What fails meanwhile is not true yet.
pub(crate) fn until_true(expression: &str, mut eval: impl FnMut(&str) -> Value) -> bool {
    let begin = Instant::now();
    let guarded = format!("(() => {{ try {{ return Boolean({expression}) }} catch {{ return false }} }})()");
    while eval(&guarded) != json!(true) {
        if begin.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(15));
    }
    true
}

/// How the browser is held.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) touch: bool,
    pub(crate) dark: bool,
    pub(crate) language: &'static str,
}

impl Default for Look {
    fn default() -> Look {
        Look { width: 1200, height: 900, touch: false, dark: false, language: "en-GB" }
    }
}

/// A page with its browser and its server.
pub(crate) struct Page {
    pub(crate) browser: Chromium,
    pub(crate) server: Server,
    /// Bytes that came over the wire.
    pub(crate) bytes: f64,
    /// Requests that were sent.
    pub(crate) requests: usize,
    faults: Vec<String>,
}

impl Page {
    /// Opens a path. Marbles do not roll, so that nothing has to be waited for.
    pub(crate) fn open(path: &str, look: Look) -> Page {
        Page::open_at(path, look, &[])
    }

    /// The same with each module as a file of its own, so that tests can import what the page has imported, and ask faster
    /// than people do.
    pub(crate) fn open_modules(path: &str, look: Look) -> Page {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/web");
        Page::open_at(
            path,
            look,
            &[("SUMITO_WEB_DIR", folder), ("SUMITO_RATE", "100000"), ("SUMITO_BURST", "100000")],
        )
    }

    /// The same on a server with settings of its own, as variables.
    pub(crate) fn open_at(path: &str, look: Look, settings: &[(&str, &str)]) -> Page {
        Page::on(Server::start(settings), path, look)
    }

    /// Another person's browser, with a memory of its own, on the same server.
    pub(crate) fn beside(&self, path: &str, look: Look) -> Page {
        Page::on(self.server.visited(), path, look)
    }

    fn on(server: Server, path: &str, look: Look) -> Page {
        let browser = Chromium::start();
        let mut page = Page { browser, server, bytes: 0.0, requests: 0, faults: Vec::new() };
        page.hold(look);
        page.command(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": "if (!localStorage.getItem('sumito.settings')) \
                localStorage.setItem('sumito.settings', JSON.stringify({ motion: false }));" }),
        );
        page.goto(path);
        page
    }

    pub(crate) fn hold(&mut self, look: Look) {
        let Look { width, height, touch, dark, language } = look;
        self.command(
            "Emulation.setDeviceMetricsOverride",
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch }),
        );
        self.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": touch }));
        let scheme = if dark { "dark" } else { "light" };
        self.command(
            "Emulation.setEmulatedMedia",
            json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
        );
        let agent = self.eval("navigator.userAgent");
        self.command(
            "Emulation.setUserAgentOverride",
            json!({ "userAgent": agent, "acceptLanguage": language }),
        );
    }

    pub(crate) fn command(&mut self, method: &str, params: Value) -> Value {
        let answer = self.browser.send(method, params);
        self.hear();
        answer
    }

    /// Keeps what events say about faults and bytes.
    fn hear(&mut self) {
        while let Some(event) = self.browser.events.pop_front() {
            let params = &event["params"];
            match event["method"].as_str().unwrap_or_default() {
                "Runtime.exceptionThrown" => self.faults.push(params["exceptionDetails"].to_string()),
                "Runtime.consoleAPICalled" if params["type"] == "error" || params["type"] == "warning" => {
                    self.faults.push(params["args"].to_string());
                }
                "Log.entryAdded"
                    if params["entry"]["level"] == "error" || params["entry"]["level"] == "warning" =>
                {
                    self.faults.push(params["entry"].to_string());
                }
                "Network.loadingFinished" => {
                    self.bytes += params["encodedDataLength"].as_f64().unwrap_or(0.0);
                }
                "Network.requestWillBeSent" => {
                    self.requests += 1;
                    let url = params["request"]["url"].as_str().unwrap_or_default();
                    let ours = [self.server.address.as_str(), "data:", "blob:", "about:"];
                    if !ours.iter().any(|known| url.starts_with(known)) {
                        self.faults.push(format!("a request that leaves the machine: {url}"));
                    }
                }
                _ => {}
            }
        }
    }

    /// Goes to a path and waits until its page is ready.
    pub(crate) fn goto(&mut self, path: &str) {
        let url = format!("{}{path}", self.server.address);
        self.command("Page.navigate", json!({ "url": url }));
        let wanted = path.split(['?', '#']).next().unwrap_or_default();
        self.wait(&format!(
            "location.pathname.startsWith({}) && document.documentElement.dataset.ready !== undefined",
            json!(wanted)
        ));
    }

    /// The value of an expression; promises are waited for.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let params = json!({
            "expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true,
        });
        let mut answer = self.command("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].take()
    }

    pub(crate) fn text(&mut self, expression: &str) -> String {
        let value = self.eval(expression);
        value
            .as_str()
            .unwrap_or_else(|| panic!("expected a text from {expression}, found {value}"))
            .to_string()
    }

    pub(crate) fn number(&mut self, expression: &str) -> f64 {
        let value = self.eval(expression);
        value.as_f64().unwrap_or_else(|| panic!("expected a number from {expression}, found {value}"))
    }

    /// Waits until an expression is true.
    pub(crate) fn wait(&mut self, expression: &str) {
        if !until_true(expression, |text| self.eval(text)) {
            let seen = self.eval("document.body.innerText.slice(0, 1500)");
            panic!("expected {expression}\nseen: {seen}\nfaults: {:?}", self.faults);
        }
    }

    /// Waits until the page has stood where it is for ten frames: a finger that lets go while it moves leaves it gliding, and what is measured
    /// then is elsewhere when it is touched.
    pub(crate) fn rest(&mut self) {
        self.eval(
            "new Promise((done) => { let at = scrollY, still = 0; const look = () => { \
             still = scrollY === at ? still + 1 : 0; at = scrollY; \
             if (still < 10) requestAnimationFrame(look); else done(); }; look(); })",
        );
    }

    /// Timers of this length never end from here on.
    pub(crate) fn never_after(&mut self, ms: u32) {
        self.eval(&format!(
            "(() => {{ const real = setTimeout; \
             window.setTimeout = (call, ms, ...more) => ms === {ms} ? 0 : real(call, ms, ...more); }})()"
        ));
    }

    /// The middle of an element on the screen, unfolded and scrolled into sight, once it is there.
    pub(crate) fn middle(&mut self, selector: &str) -> (f64, f64) {
        self.wait(&format!("document.querySelector({})", json!(selector)));
        let at = self.eval(&format!(
            "(() => {{ const e = document.querySelector({}); if (!e) return null; \
             for (let d = e; (d = d.parentElement?.closest('details')); ) \
               if (!d.open && !d.querySelector(':scope > summary')?.contains(e)) d.open = true; \
             const r = e.getBoundingClientRect(); \
             if (r.top < 60 || r.bottom > innerHeight) e.scrollIntoView({{ block: 'center' }}); \
             const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()",
            json!(selector)
        ));
        match (at[0].as_f64(), at[1].as_f64()) {
            (Some(x), Some(y)) => (x, y),
            _ => panic!("there is no {selector}"),
        }
    }

    fn mouse(&mut self, kind: &str, (x, y): (f64, f64), buttons: u32) {
        let button = if kind == "mouseMoved" && buttons == 0 { "none" } else { "left" };
        self.command(
            "Input.dispatchMouseEvent",
            json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 }),
        );
    }

    pub(crate) fn click_at(&mut self, at: (f64, f64)) {
        self.mouse("mouseMoved", at, 0);
        self.mouse("mousePressed", at, 1);
        self.mouse("mouseReleased", at, 0);
    }

    pub(crate) fn click(&mut self, selector: &str) {
        let at = self.middle(selector);
        self.click_at(at);
    }

    /// Presses at the first point and lets go at the last.
    pub(crate) fn drag(&mut self, points: &[(f64, f64)]) {
        let [first, rest @ ..] = points else { return };
        self.mouse("mouseMoved", *first, 0);
        self.mouse("mousePressed", *first, 1);
        for at in rest {
            self.mouse("mouseMoved", *at, 1);
        }
        self.mouse("mouseReleased", *rest.last().unwrap_or(first), 0);
    }

    fn touch(&mut self, kind: &str, at: Option<(f64, f64)>) {
        let points: Vec<Value> = at.iter().map(|(x, y)| json!({ "x": x, "y": y })).collect();
        self.command("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    }

    pub(crate) fn tap_at(&mut self, at: (f64, f64)) {
        self.touch("touchStart", Some(at));
        self.touch("touchEnd", None);
    }

    pub(crate) fn tap(&mut self, selector: &str) {
        let at = self.middle(selector);
        self.tap_at(at);
    }

    /// The same as a drag, by finger.
    pub(crate) fn swipe(&mut self, points: &[(f64, f64)]) {
        let [first, rest @ ..] = points else { return };
        self.touch("touchStart", Some(*first));
        for at in rest {
            self.touch("touchMove", Some(*at));
        }
        self.touch("touchEnd", None);
    }

    /// Presses a key: `("Enter", "Enter")`, `("w", "KeyW")`.
    pub(crate) fn key(&mut self, key: &str, code: &str) {
        let number = match key {
            "Enter" => 13,
            "Escape" => 27,
            "Tab" => 9,
            " " => 32,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            _ => 0,
        };
        let mut down =
            json!({ "type": "keyDown", "key": key, "code": code, "windowsVirtualKeyCode": number });
        match key {
            "Enter" => down["text"] = json!("\r"),
            _ if key.chars().count() == 1 => down["text"] = json!(key),
            _ => {}
        }
        self.command("Input.dispatchKeyEvent", down);
        let up = json!({ "type": "keyUp", "key": key, "code": code, "windowsVirtualKeyCode": number });
        self.command("Input.dispatchKeyEvent", up);
    }

    /// Types a text into the field that has the keyboard.
    pub(crate) fn type_text(&mut self, text: &str) {
        self.command("Input.insertText", json!({ "text": text }));
    }

    /// Chooses in a `<select>` as a person would: the page hears of it.
    pub(crate) fn choose(&mut self, selector: &str, value: &str) {
        self.eval(&format!(
            "(() => {{ const e = document.querySelector({}); e.value = {}; \
             if (e.value !== {}) throw new Error('there is no such option'); \
             e.dispatchEvent(new Event('input', {{ bubbles: true }})); \
             e.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()",
            json!(selector),
            json!(value),
            json!(value)
        ));
    }

    /// Gives a file to an `<input type="file">`.
    pub(crate) fn give_file(&mut self, selector: &str, file: &std::path::Path) {
        let expression = format!("document.querySelector({})", json!(selector));
        let found = self.command("Runtime.evaluate", json!({ "expression": expression }));
        let object = &found["result"]["objectId"];
        self.command("DOM.setFileInputFiles", json!({ "files": [file], "objectId": object }));
    }

    /// Forgets the faults whose text has this in it: what a test brings about on purpose.
    pub(crate) fn forgive(&mut self, text: &str) {
        self.eval("new Promise((done) => setTimeout(done, 50))");
        self.faults.retain(|fault| !fault.contains(text));
    }

    /// Nothing may have been told as a fault; ends every test.
    pub(crate) fn no_faults(mut self) {
        self.eval("new Promise((done) => setTimeout(done, 50))");
        assert!(self.faults.is_empty(), "the console says: {:#?}", self.faults);
    }
}
