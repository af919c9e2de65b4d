//! The pages' types are made from the document of the interface, and never by hand:
//! `TYPES_UPDATE=1 cargo test --test types` writes them after a change.

#![allow(clippy::expect_used, missing_docs, reason = "a failed test may panic, and its name describes it")]

use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

const HEAD: &str = "\
// What the server takes and gives, as types, made from its OpenAPI document by `tests/types.rs`:
// not to be changed by hand. Nothing here runs; `docs/api.md` says what each field means.
";

/// All schemas of the document as JSDoc.
fn typedefs(document: &Value) -> String {
    let schemas = document["components"]["schemas"].as_object().expect("the document has schemas");
    let mut text = HEAD.to_string();
    for (name, schema) in schemas {
        match schema["properties"].as_object() {
            Some(_) => object(&mut text, name, schema),
            None => {
                let _ = writeln!(
                    text,
                    "\n/** {}@typedef {{{}}} {name} */",
                    described(schema, ". "),
                    kind(schema)
                );
            }
        }
    }
    text + "\nexport {};\n"
}

fn object(text: &mut String, name: &str, schema: &Value) {
    let about = described(schema, "\n");
    let about = if about.is_empty() { about } else { format!(" * {about}") };
    let _ = writeln!(text, "\n/**\n{about} * @typedef {{object}} {name}");
    for (field, of) in schema["properties"].as_object().into_iter().flatten() {
        let shown = if is_required(schema, field) { field.clone() } else { format!("[{field}]") };
        let line = format!(" * @property {{{}}} {shown} {}", kind(of), described(of, ""));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push_str(" */\n");
}

/// The first line of a description, with what comes after it.
fn described(schema: &Value, after: &str) -> String {
    let first = schema["description"].as_str().unwrap_or_default().lines().next().unwrap_or_default();
    let first = if after.is_empty() { first } else { first.trim_end_matches('.') };
    if first.is_empty() { String::new() } else { format!("{first}{after}") }
}

fn is_required(schema: &Value, field: &str) -> bool {
    schema["required"].as_array().is_some_and(|names| names.iter().any(|name| name == field))
}

/// A schema as a type.
fn kind(schema: &Value) -> String {
    let list = |name: &str| schema[name].as_array().map(|all| all.iter().map(kind).collect::<Vec<_>>());
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        return union(values.iter().map(Value::to_string));
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(kinds) = list("oneOf").or_else(|| list("anyOf")) {
        return union(kinds.into_iter());
    }
    if let Some(parts) = list("allOf") {
        return parts.iter().map(|part| single(part)).collect::<Vec<_>>().join(" & ");
    }
    match &schema["type"] {
        Value::Array(names) => {
            union(names.iter().map(|name| plain(name.as_str().unwrap_or_default(), schema)))
        }
        name => plain(name.as_str().unwrap_or_default(), schema),
    }
}

/// A type by the name that JSON Schema has for it.
fn plain(name: &str, schema: &Value) -> String {
    match name {
        "string" | "boolean" | "null" => name.to_string(),
        "integer" | "number" => "number".to_string(),
        "array" => format!("{}[]", single(&kind(&schema["items"]))),
        "object" if schema["properties"].is_object() => {
            let fields = schema["properties"].as_object().into_iter().flatten().map(|(field, of)| {
                let mark = if is_required(schema, field) { "" } else { "?" };
                format!("{field}{mark}: {}", kind(of))
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        "object" if schema["additionalProperties"].is_object() => {
            format!("Record<string, {}>", kind(&schema["additionalProperties"]))
        }
        _ => "any".to_string(),
    }
}

fn union(kinds: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for kind in kinds {
        if !all.contains(&kind) {
            all.push(kind);
        }
    }
    // What may be null says so last.
    all.sort_by_key(|kind| kind == "null");
    all.join(" | ")
}

/// A type that can stand beside others.
fn single(kind: &str) -> String {
    let is_mixed = kind.contains(" | ") && !kind.starts_with('{');
    if is_mixed { format!("({kind})") } else { kind.to_string() }
}

#[test]
fn the_types_of_the_pages_are_those_of_the_interface() {
    let document = serde_json::to_value(sumito_server::document()).expect("a document is JSON");
    let wanted = typedefs(&document);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/lib/types.js");
    if std::env::var_os("TYPES_UPDATE").is_some() {
        std::fs::write(&file, &wanted).expect("web/lib/types.js can be written");
    }
    let found = std::fs::read_to_string(&file).expect("web/lib/types.js");
    let differs = wanted.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
    assert!(
        wanted == found,
        "web/lib/types.js is stale: `TYPES_UPDATE=1 cargo test --test types` writes it anew. {differs:?}"
    );
}

#[test]
fn every_form_of_schema_becomes_a_type() {
    for (schema, wanted) in [
        (r##"{"$ref": "#/components/schemas/Pair"}"##, "Pair"),
        (r#"{"type": "string", "enum": ["black", "white"]}"#, r#""black" | "white""#),
        (r#"{"type": ["integer", "null"]}"#, "number | null"),
        (r##"{"oneOf": [{"type": "null"}, {"$ref": "#/x/Pair"}]}"##, "Pair | null"),
        (r#"{"type": "array", "items": {"type": ["string", "null"]}}"#, "(string | null)[]"),
        (
            r#"{"type": "object", "required": ["a"], "properties": {"a": {"type": "number"}, "b": {}}}"#,
            "{a: number, b?: any}",
        ),
        (r#"{"type": "object", "additionalProperties": {"type": "string"}}"#, "Record<string, string>"),
        (r##"{"allOf": [{"$ref": "#/x/Pair"}, {"type": "object", "properties": {}}]}"##, "Pair & {}"),
    ] {
        let schema: Value = serde_json::from_str(schema).expect("JSON");
        assert_eq!(kind(&schema), wanted);
    }
}
