//! Random requests made from the interface's own description: whatever comes, the answer is a good one or an error of
//! the client's with a message in JSON that names a field.

use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, TestRunner};

use super::*;

/// Bytes that decide what a request is like; zeroes when they are used up.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, n: usize) -> usize {
        let value = |byte: Option<&u8>| usize::from(byte.copied().unwrap_or(0));
        (value(self.0.next()) * 256 + value(self.0.next())) % n.max(1)
    }

    fn pick<'b, T>(&mut self, items: &'b [T]) -> &'b T {
        &items[self.below(items.len())]
    }
}

/// Things that some field somewhere takes, and things that none does.
const WORDS: &[&str] = &[
    "",
    "a1b2",
    "i5h5",
    "c6c7d6",
    "belgian-daisy",
    "standard",
    "official",
    "aba-pro",
    "nacre",
    "black",
    "white",
    "sumito:level=1",
    "random",
    "ugi:/bin/true",
    "human",
    "agent",
    "move",
    "game",
    "newest",
    "play",
    "night",
    "true",
    "ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1",
    "5/6/7/8/9/8/7/6/2SSs 5 5 b 0 1",
    "ss1SS/8",
    "1. a1b2 (1. a2b3 {x}) i5h5 *",
    "\u{0}",
    "\u{1F600}é",
    "../../etc/passwd",
    "%",
    "'; DROP TABLE game; --",
    "-1",
    "0",
    "1",
    "99999999999999999999",
    "1e400",
    "NaN",
    "[]",
    "null",
];

fn word(choices: &mut Choices<'_>) -> String {
    match choices.below(12) {
        0 => "x".repeat(choices.below(3000)),
        _ => choices.pick(WORDS).to_string(),
    }
}

/// Any value.
fn anything(choices: &mut Choices<'_>, depth: usize) -> Value {
    match choices.below(if depth == 0 { 7 } else { 9 }) {
        0 => Value::Null,
        1 => json!(choices.below(2) == 0),
        2 => json!(choices.below(300)),
        3 => json!(-1),
        4 => json!(u64::MAX),
        5 => json!(0.5),
        6 => json!(word(choices)),
        7 => (0..choices.below(4)).map(|_| anything(choices, depth - 1)).collect(),
        _ => {
            let fields = (0..choices.below(4)).map(|_| (word(choices), anything(choices, depth - 1)));
            Value::Object(fields.collect())
        }
    }
}

/// A value of a schema, most of the time.
fn of_schema(schema: &Value, document: &Value, choices: &mut Choices<'_>, depth: usize) -> Value {
    if depth == 0 || choices.below(12) == 0 {
        return anything(choices, depth.min(2));
    }
    if let Some(path) = schema["$ref"].as_str() {
        let found = document.pointer(path.trim_start_matches('#')).expect("a schema of the document");
        return of_schema(found, document, choices, depth - 1);
    }
    for several in ["oneOf", "anyOf"] {
        if let Some(options) = schema[several].as_array() {
            return of_schema(choices.pick(options), document, choices, depth - 1);
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let mut all = serde_json::Map::new();
        for part in parts {
            if let Value::Object(fields) = of_schema(part, document, choices, depth - 1) {
                all.extend(fields);
            }
        }
        return Value::Object(all);
    }
    if let Some(values) = schema["enum"].as_array() {
        return choices.pick(values).clone();
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => choices.pick(kinds).clone(),
        kind => kind.clone(),
    };
    match kind.as_str() {
        Some("object") => {
            let none = serde_json::Map::new();
            let fields = schema["properties"].as_object().unwrap_or(&none);
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let mut object = serde_json::Map::new();
            for (name, field) in fields {
                if required.contains(&json!(name)) || choices.below(3) == 0 {
                    object.insert(name.clone(), of_schema(field, document, choices, depth - 1));
                }
            }
            if choices.below(20) == 0 {
                object.insert(word(choices), anything(choices, 1));
            }
            Value::Object(object)
        }
        Some("array") => {
            (0..choices.below(4)).map(|_| of_schema(&schema["items"], document, choices, depth - 1)).collect()
        }
        Some("string") => json!(word(choices)),
        Some("integer") => json!(choices.below(3000)),
        Some("number") => json!(choices.below(300) as f64 / 7.0),
        Some("boolean") => json!(choices.below(2) == 0),
        Some("null") => Value::Null,
        _ => anything(choices, 2),
    }
}

fn encoded(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// A request for an operation of the document.
fn request(document: &Value, ids: &[(String, String)], choices: &mut Choices<'_>) -> (String, Request<Body>) {
    let paths = document["paths"].as_object().expect("paths");
    let operations: Vec<(&String, &String, &Value)> = paths
        .iter()
        .flat_map(|(path, methods)| {
            methods
                .as_object()
                .expect("methods")
                .iter()
                .map(move |(method, operation)| (path, method, operation))
        })
        .collect();
    let (path, method, operation) = *choices.pick(&operations);
    let (id, key) = choices.pick(ids).clone();
    let id = if choices.below(4) == 0 { encoded(&word(choices)).replace('+', "%20") } else { id };
    let mut url = path.replace("{id}", if id.is_empty() { "x" } else { &id });
    let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
    let mut query = Vec::new();
    for parameter in parameters.iter().filter(|parameter| parameter["in"] == "query") {
        if parameter["required"] == true || choices.below(3) == 0 {
            let value = match of_schema(&parameter["schema"], document, choices, 4) {
                Value::String(text) => text,
                other => other.to_string(),
            };
            query.push(format!("{}={}", parameter["name"].as_str().expect("a name"), encoded(&value)));
        }
    }
    if choices.below(30) == 0 {
        query.push(encoded(&word(choices)));
    }
    if !query.is_empty() {
        url = format!("{url}?{}", query.join("&"));
    }
    let content = operation["requestBody"]["content"].as_object().and_then(|content| content.iter().next());
    let (kind, body) = match content {
        None => (None, String::new()),
        Some((kind, media)) => {
            let value = of_schema(&media["schema"], document, choices, 6);
            let text = match (&value, choices.below(25)) {
                (_, 0) => word(choices),
                (Value::String(text), _) if kind == "text/plain" => text.clone(),
                _ => value.to_string(),
            };
            (Some(kind.clone()), text)
        }
    };
    let method = if choices.below(40) == 0 { "DELETE" } else { method };
    let mut builder = Request::builder().method(method.to_uppercase().as_str()).uri(&url);
    if let Some(kind) = kind.filter(|_| choices.below(30) > 0) {
        builder = builder.header(header::CONTENT_TYPE, kind);
    }
    if choices.below(3) > 0 {
        builder = builder.header(header::AUTHORIZATION, format!("Bearer {key}"));
    }
    let told = format!("{method} {url} {body}");
    (told, builder.body(Body::from(body)).expect("a request"))
}

fn check(
    told: &str,
    (status, headers, body): &(StatusCode, HeaderMap, Vec<u8>),
) -> Result<(), TestCaseError> {
    prop_assert!(!status.is_server_error(), "{told}: {status} {}", String::from_utf8_lossy(body));
    if status.is_client_error() {
        let answer: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
        let error = &answer["error"];
        prop_assert!(error["code"].is_string() && error["message"].is_string(), "{told}: {status} {answer}");
        let names_a_field = error["field"].as_str().is_some_and(|field| !field.is_empty());
        prop_assert!(names_a_field || error["kind"] == "too_many", "{told}: {answer}");
        prop_assert_eq!(&headers[header::CONTENT_TYPE], "application/json", "{}", told);
    }
    Ok(())
}

/// The answer; of a stream, which goes on for ever, its head.
async fn answered(site: &Site, request: Request<Body>) -> (StatusCode, HeaderMap, Vec<u8>) {
    let (parts, body) = site.router.clone().oneshot(request).await.expect("never fails").into_parts();
    let goes_on = parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/x-ndjson");
    let bytes = if goes_on {
        Vec::new()
    } else {
        body.collect().await.expect("a body in memory").to_bytes().to_vec()
    };
    (parts.status, parts.headers, bytes)
}

#[test]
fn ten_thousand_random_requests_are_answered_well_or_refused_by_a_field() {
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    // No search at all: what searches find is tested elsewhere, and here it would take the time of the test.
    let site = runtime.block_on(Site::with(|config| config.searches = 0));
    let mut ids = Vec::new();
    for request in [
        json!({}),
        json!({ "moves": ["a1b2", "i5h5"] }),
        json!({ "fen": "5/6/7/8/9/8/7/5S/2SSs 5 3 b 0 1", "moves": ["a3a4"] }),
        json!({ "white": { "kind": "agent", "spec": "random" }, "paused": true }),
        json!({ "clock": { "kind": "game", "base_ms": 86_400_000, "increment_ms": 0 } }),
    ] {
        ids.push(runtime.block_on(site.begin(request)));
    }
    let document = crate::document();
    let mut met = std::collections::BTreeMap::new();
    let mut runner = TestRunner::new(Runs { cases: 10_000, failure_persistence: None, ..Runs::default() });
    let choices = proptest::collection::vec(any::<u8>(), 0..160);
    let met_by = std::cell::RefCell::new(&mut met);
    let result = runner.run(&choices, |bytes| {
        let (told, request) = request(&document, &ids, &mut Choices(bytes.iter()));
        let answer = runtime.block_on(answered(&site, request));
        *met_by.borrow_mut().entry(answer.0.as_u16()).or_insert(0) += 1;
        check(&told, &answer)
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    // The requests are neither all good nor all bad.
    for status in [200, 201, 202, 400, 401, 404, 405, 409, 415, 422] {
        assert!(met.contains_key(&status), "{status}: {met:?}");
    }
}
