//! What there is to choose.

use axum::Json;
use axum::extract::State;

use crate::state::App;
use crate::view::meta::Meta;

/// What there is: agents, levels, layouts, rules, notations, limits
#[utoipa::path(get, operation_id = "get_meta", path = "/api/v1/meta", tag = "server",
    responses((status = 200, body = Meta)))]
pub(crate) async fn meta(State(app): State<App>) -> Json<Meta> {
    Json(Meta::new(&app.config))
}
