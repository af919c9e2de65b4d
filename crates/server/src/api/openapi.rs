//! The description of the interface, made from the code that serves it. What holds for every path is added here, once.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use axum::Json;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;

use crate::api;
use crate::domain::error::ErrorBody;
use crate::view::event::LiveEvent;
use crate::view::lobby::LobbyEvent;
use crate::view::tournament::TournamentEvent;
use crate::view::tree::PlyView;

#[derive(OpenApi)]
#[openapi(
    info(title = "Sumito", description = "Play, watch and analyse Abalone. docs/api.md says what the fields mean."),
    tags(
        (name = "server", description = "the server itself, and what there is to choose"),
        (name = "games", description = "games: begin, find, read, import, delete"),
        (name = "play", description = "what players do in a game"),
        (name = "review", description = "where a game turned"),
        (name = "boards", description = "positions without a game"),
        (name = "tournaments", description = "tournaments of people and bots, on a server that has accounts"),
        (name = "bot", description = "programs that play: docs/bots.md has it all with examples"),
        (name = "peace", description = "blocks, reports, and what moderators do"),
        (name = "account", description = "people with an account, on a server that has them"),
    ),
    paths(
        api::meta::meta,
        api::health::healthz,
        api::health::readyz,
        api::games::delete,
        api::health::metrics,
        description,
        api::games::create,
        api::games::list,
        api::games::get,
        api::games::at_ply,
        api::records::apgn,
        api::records::tree,
        api::play::moves,
        api::friend::seat,
        api::friend::join,
        api::friend::decline,
        api::friend::abort,
        api::friend::claim,
        api::plan::get,
        api::plan::set,
        api::feed::now_played,
        api::feed::stream,
        api::chat::lines,
        api::chat::say,
        api::play::takeback,
        api::play::resign,
        api::play::draw,
        api::play::rematch,
        api::play::control,
        api::play::hint,
        api::review::start,
        api::review::get,
        api::review::cancel,
        api::boards::positions,
        api::boards::parse,
        api::imports::create,
        api::imports::get,
        api::openings::openings,
        api::opinion::opinion,
        api::picture::picture,
        api::preview::picture,
        api::preview::film,
        api::account::sign_up,
        api::account::get,
        api::account::log_in,
        api::account::log_out,
        api::account::recover,
        api::account::renew_recovery,
        api::account::change_password,
        api::account::sessions,
        api::account::end_others,
        api::account::end_session,
        api::account::close,
        api::bots::list,
        api::bots::create,
        api::bots::close,
        api::bots::give,
        api::bots::revoke,
        api::account::export,
        api::peace::blocked,
        api::peace::block,
        api::peace::unblock,
        api::peace::report,
        api::peace::reports,
        api::peace::settle,
        api::peace::mute,
        api::peace::close,
        api::peace::void,
        api::peace::audit,
        api::account::playing,
        api::account::record,
        api::account::person,
        api::tournaments::create,
        api::tournaments::list,
        api::tournaments::get,
        api::tournaments::games,
        api::tournaments::cross,
        api::tournaments::table,
        api::tournaments::apgn,
        api::tournaments::join,
        api::tournaments::withdraw,
        api::tournaments::bye,
        api::tournaments::start,
        api::tournaments::pause,
        api::tournaments::resume,
        api::tournaments::cancel,
        api::bot::account::get,
        api::bot::account::test,
        api::bot::account::online,
        api::bot::account::capabilities,
        api::bot::account::declare,
        api::bot::events::stream,
        api::bot::game::stream,
        api::bot::game::play,
        api::bot::game::abort,
        api::bot::game::resign,
        api::bot::game::draw,
        api::bot::game::takeback,
        api::bot::game::chat,
        api::bot::challenge::list,
        api::bot::challenge::get,
        api::bot::challenge::create,
        api::bot::challenge::accept,
        api::bot::challenge::decline,
        api::bot::challenge::cancel,
    ),
    // What only queries, errors and sockets have.
    components(schemas(
        ErrorBody,
        PlyView,
        api::games::ResultName,
        api::games::Sort,
        api::picture::Theme,
        LiveEvent<'static>,
        api::analysis::Lines<'static>,
        LobbyEvent,
        TournamentEvent,
    ))
)]
struct Api;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document = serde_json::to_value(Api::openapi()).expect("plain data");
    complete(&mut document);
    document
});

/// The description of the interface, as OpenAPI 3.1 in JSON.
pub fn document() -> Value {
    DOCUMENT.clone()
}

/// This description
#[utoipa::path(get, operation_id = "get_description", path = "/api/v1/openapi.json", tag = "server",
    responses((status = 200, body = Object)))]
pub(crate) async fn description() -> Json<&'static Value> {
    Json(&DOCUMENT)
}

/// Adds what holds for every path: errors, the key of a game, fields that are always there.
fn complete(document: &mut Value) {
    let Value::Object(document) = document else { return };
    let Value::Object(mut schemas) = document["components"]["schemas"].take() else { return };
    let (mut answers, mut requests) = (BTreeSet::new(), BTreeSet::new());
    for operation in operations(document) {
        for status in ["4XX", "5XX"] {
            let content = json!({ "application/json": { "schema": reference("ErrorBody") } });
            operation["responses"][status] = json!({ "description": "why not", "content": content });
        }
        if let Some(body) = operation.get_mut("requestBody")
            && let Some(name) = body["content"]["application/json"]["schema"]["$ref"].as_str().map(last)
        {
            // A body of which nothing is required may be missing.
            let is_required = schemas.get(name).is_some_and(|schema| schema.get("required").is_some());
            body["required"] = json!(is_required);
        }
        collect(&operation["responses"], &schemas, &mut answers);
        collect(operation.get("requestBody").unwrap_or(&Value::Null), &schemas, &mut requests);
        operation
            .get_mut("parameters")
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
            .for_each(may_be_empty);
    }
    for name in SOCKETS {
        collect(&reference(name), &schemas, &mut answers);
    }
    for (_, schema) in schemas.iter_mut().filter(|(name, _)| answers.contains(*name)) {
        fill(schema);
    }
    for (_, schema) in schemas.iter_mut().filter(|(name, _)| requests.contains(*name)) {
        close(schema);
    }
    document.insert(
        "x-websockets".to_string(),
        json!({
            "/api/v1/games/{id}/live": { "summary": "Follow a game, and play in it", "sends": reference("LiveEvent") },
            "/api/v1/lobby/live": { "summary": "Follow the lobby, and look for a game", "sends": reference("LobbyEvent") },
            "/api/v1/tournaments/{id}/live": { "summary": "Follow a tournament", "sends": reference("TournamentEvent") },
            "/api/v1/analysis": { "summary": "Analyse positions", "sends": reference("AnalysisLines") },
        }),
    );
    document["components"]["schemas"] = Value::Object(schemas);
    document.values_mut().for_each(unsigned);
    document["components"]["securitySchemes"] = json!({
        "key": { "type": "http", "scheme": "bearer", "description": "the key of a game" },
        "token": { "type": "http", "scheme": "bearer", "description": "the token of a program" },
    });
}

/// A parameter without a value counts as absent.
fn may_be_empty(parameter: &mut Value) {
    let is_text = parameter["schema"]["type"] == "string" || parameter["schema"]["type"][0] == "string";
    if parameter["in"] == "query" && parameter["required"] != true && !is_text {
        let schema = parameter["schema"].take();
        parameter["schema"] = json!({ "anyOf": [schema, { "type": "string", "maxLength": 0 }] });
    }
}

/// Unknown fields of requests are refused, also in what is one of several.
fn close(schema: &mut Value) {
    for variant in schema.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
        if variant.get("properties").is_some() {
            variant["additionalProperties"] = json!(false);
        }
    }
}

/// Whole numbers of 32 bits without a sign have twice the range that the format of their schema says.
fn unsigned(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(unsigned),
        Value::Object(fields) => {
            if fields.get("format").is_some_and(|format| format == "int32") && fields.contains_key("minimum")
            {
                fields.remove("format");
                fields.entry("maximum").or_insert(json!(u32::MAX));
            }
            fields.values_mut().for_each(unsigned);
        }
        _ => {}
    }
}

/// What is sent over sockets. OpenAPI has no word for them, so that they stand in an extension of their own.
const SOCKETS: [&str; 4] = ["LiveEvent", "AnalysisLines", "LobbyEvent", "TournamentEvent"];

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn operations(document: &mut Map<String, Value>) -> impl Iterator<Item = &mut Map<String, Value>> {
    let paths = document.get_mut("paths").and_then(Value::as_object_mut).into_iter();
    let items = paths.flat_map(|paths| paths.values_mut()).filter_map(Value::as_object_mut);
    items.flat_map(|item| item.values_mut()).filter_map(Value::as_object_mut)
}

/// The name at the end of a reference.
fn last(reference: &str) -> &str {
    reference.rsplit('/').next().unwrap_or_default()
}

/// The names of all schemas that a value refers to, and those refer to in turn.
fn collect(value: &Value, schemas: &Map<String, Value>, names: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, schemas, names)),
        Value::Object(fields) => {
            if let Some(name) = fields.get("$ref").and_then(Value::as_str).map(last)
                && names.insert(name.to_string())
                && let Some(schema) = schemas.get(name)
            {
                collect(schema, schemas, names);
            }
            fields.values().for_each(|field| collect(field, schemas, names));
        }
        _ => {}
    }
}

/// Fields of answers are always there, null when there is nothing to say.
fn fill(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(fill),
        Value::Object(fields) => {
            if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
                let all: Vec<&String> = properties.keys().collect();
                let all = json!(all);
                fields.insert("required".to_string(), all);
            }
            fields.values_mut().for_each(fill);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schemas(document: &Value) -> &Map<String, Value> {
        document["components"]["schemas"].as_object().expect("schemas")
    }

    #[test]
    fn every_reference_leads_to_a_schema() {
        let document = document();
        let mut names = BTreeSet::new();
        collect(&document, schemas(&document), &mut names);
        let missing: Vec<_> = names.iter().filter(|name| !schemas(&document).contains_key(*name)).collect();
        assert!(missing.is_empty() && names.len() > 50, "{missing:?} of {}", names.len());
    }

    #[test]
    fn every_operation_has_a_name_and_a_tag_of_its_own() {
        let mut document = document();
        let document = document.as_object_mut().expect("an object");
        let tags: Vec<Value> =
            document["tags"].as_array().expect("tags").iter().map(|tag| tag["name"].clone()).collect();
        let mut names = BTreeSet::new();
        for operation in operations(document) {
            let name = operation["operationId"].as_str().expect("a name").to_string();
            assert!(tags.contains(&operation["tags"][0]), "{name}");
            assert!(names.insert(name.clone()), "{name} is there twice");
        }
        assert_eq!(names.len(), 105);
    }

    #[test]
    fn every_cause_is_described_by_its_code() {
        let document = document();
        let causes = schemas(&document)["Cause"]["oneOf"].as_array().expect("causes");
        let codes: Vec<&Value> = causes.iter().map(|cause| &cause["properties"]["code"]["enum"][0]).collect();
        assert_eq!(codes.len(), crate::domain::error::ALL.len());
        for (code, ..) in crate::domain::error::ALL {
            assert!(codes.iter().any(|known| *known == code), "{code}");
        }
    }

    #[test]
    fn a_field_of_an_answer_is_required_and_an_optional_one_of_a_request_is_not() {
        let document = document();
        let required = |name: &str| schemas(&document)[name]["required"].as_array().map_or(0, Vec::len);
        let fields = |name: &str| schemas(&document)[name]["properties"].as_object().map_or(0, Map::len);
        assert_eq!((required("GameView"), fields("GameView")), (27, 27));
        assert_eq!((required("NewGameRequest"), fields("NewGameRequest")), (0, 12));
        assert_eq!((required("MoveRequest"), fields("MoveRequest")), (2, 3));
        let body = |path: &str| &document["paths"][path]["post"]["requestBody"]["required"];
        assert_eq!(body("/api/v1/games"), false);
        assert_eq!(body("/api/v1/games/{id}/moves"), true);
    }
}
