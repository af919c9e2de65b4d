//! The description of the interface, made from the code that serves it.

use axum::Json;
use utoipa::openapi::OpenApi as Document;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::api;

#[derive(OpenApi)]
#[openapi(
    info(title = "Sumito", description = "Play, watch and analyse Abalone. WebSockets are described in docs/api.md."),
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
        api::play::takeback,
        api::play::resign,
        api::play::draw,
        api::play::rematch,
        api::play::control,
        api::play::hint,
        api::review::start,
        api::review::get,
        api::review::cancel,
        api::live::live,
        api::analysis::analysis,
        api::boards::positions,
        api::boards::parse,
        api::imports::create,
        api::imports::get,
        api::openings::openings,
        api::opinion::opinion,
        api::picture::picture,
    ),
    modifiers(&Key)
)]
struct Api;

/// The key of a game, as a header.
struct Key;

impl Modify for Key {
    fn modify(&self, document: &mut Document) {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("the key of a game"));
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("key", SecurityScheme::Http(scheme.build()));
    }
}

/// The description of the interface.
pub fn document() -> Document {
    Api::openapi()
}

/// This description
#[utoipa::path(get, path = "/api/v1/openapi.json", tag = "server", responses((status = 200, body = Object)))]
pub(crate) async fn description() -> Json<Document> {
    Json(document())
}
