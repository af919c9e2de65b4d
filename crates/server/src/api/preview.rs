//! What other places show of a game: a picture for link previews, a film of its moves, and the page's head that names them.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use sumito_rules::{Color, Position};
use utoipa::IntoParams;

use super::asked::Asked;
use crate::domain::client::Client;
use crate::domain::error::{AppError, within};
use crate::domain::seat::Seat;
use crate::http::assets::{self, Assets};
use crate::http::extract::QueryParams;
use crate::live::LiveTable;
use crate::state::App;
use crate::view::raster::{self, Raster};

/// As large as link previews are.
const PREVIEW: (usize, usize) = (1200, 630);
const FILM: (usize, usize) = (560, 400);
/// A longer game is shown in larger steps.
const MOST_FRAMES: usize = 400;

/// Which position, and from which side.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct PreviewQuery {
    /// Moves played before it; the last position if not given.
    ply: Option<usize>,
    /// Whether White is below.
    flip: Option<bool>,
}

/// From which side.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct FilmQuery {
    /// Whether White is below.
    flip: Option<bool>,
}

/// A position of a game as a picture of pixels
#[utoipa::path(get, operation_id = "get_game_picture", path = "/api/v1/games/{id}/picture.png", tag = "games",
    params(("id" = String, Path), PreviewQuery),
    responses((status = 200, body = String, content_type = "image/png")))]
pub(crate) async fn picture(
    asked: Asked,
    QueryParams(query): QueryParams<PreviewQuery>,
) -> Result<Response, AppError> {
    let position = {
        let table = asked.live.lock().await;
        let played = table.game().moves().len();
        let ply = query.ply.unwrap_or(played);
        within("ply", ply, 0, played as u64)?;
        table.game().positions()[ply]
    };
    let flip = query.flip == Some(true);
    drawn(&asked.app, asked.client, "image/png", move || Raster::of(&position, PREVIEW, flip).png()).await
}

/// A game as a film of its moves
#[utoipa::path(get, operation_id = "get_game_film", path = "/api/v1/games/{id}/film.gif", tag = "games",
    params(("id" = String, Path), FilmQuery),
    responses((status = 200, body = String, content_type = "image/gif")))]
pub(crate) async fn film(
    asked: Asked,
    QueryParams(query): QueryParams<FilmQuery>,
) -> Result<Response, AppError> {
    let positions = asked.live.lock().await.game().positions().to_vec();
    let flip = query.flip == Some(true);
    drawn(&asked.app, asked.client, "image/gif", move || raster::film(&steps(&positions), FILM, flip)).await
}

/// The positions of a film: all of them, or some in equal steps and the last.
fn steps(positions: &[Position]) -> Vec<Position> {
    let step = positions.len().div_ceil(MOST_FRAMES).max(1);
    let last = positions.len() - 1;
    positions
        .iter()
        .enumerate()
        .filter(|(ply, _)| ply % step == 0 || *ply == last)
        .map(|(_, at)| *at)
        .collect()
}

async fn drawn(
    app: &App,
    client: Client,
    kind: &'static str,
    draw: impl FnOnce() -> Vec<u8> + Send + 'static,
) -> Result<Response, AppError> {
    let file = app.builds.run(client, move || Ok(draw())).await?;
    Ok(([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], file).into_response())
}

/// The page of a game, with a head that tells other places what it shows. A game that nobody knows has the page as it is,
/// which says so.
pub(crate) async fn page(
    State(app): State<App>,
    State(pages): State<Arc<Assets>>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let (Some(page), Ok(live)) = (pages.page(), app.game(&id).await) else {
        return assets::serve(State(pages), request).await;
    };
    let head = head(&*live.lock().await, &id, app.config.public_url.as_deref());
    let page = page.replacen("</head>", &format!("{head}</head>"), 1);
    ([(header::CACHE_CONTROL, "no-cache")], Html(page)).into_response()
}

/// What a link preview reads. Addresses have to be whole there: without a public one there is no picture.
fn head(table: &LiveTable, id: &str, public: Option<&str>) -> String {
    let name = |side: Color| match &table.seats[side] {
        Seat::Human { name } if name.is_empty() => side.to_string(),
        seat => seat.name().to_string(),
    };
    let [black, white] = Color::ALL.map(|side| table.game().position().score(side));
    let title = format!("{} – {}: {black}–{white}", name(Color::Black), name(Color::White));
    let moves = table.game().moves().len();
    // What a friend sees of the link in their messages.
    let (title, description) = match table.keys.free() {
        Some(_) => {
            ("Play me at Abalone".to_string(), "An invitation to a game: open the link and join".to_string())
        }
        None => (title, format!("A game of Abalone, {moves} moves")),
    };
    let mut tags = vec![
        ("og:site_name", "Sumito".to_string()),
        ("og:type", "website".to_string()),
        ("og:title", title),
        ("og:description", description),
    ];
    if let Some(public) = public {
        tags.extend([
            ("og:url", format!("{public}/game/{id}")),
            ("og:image", format!("{public}/api/v1/games/{id}/picture.png?ply={moves}")),
            ("og:image:width", PREVIEW.0.to_string()),
            ("og:image:height", PREVIEW.1.to_string()),
            ("twitter:card", "summary_large_image".to_string()),
        ]);
    }
    let tag =
        |(name, text): (&str, String)| format!("<meta property=\"{name}\" content=\"{}\">\n", escaped(&text));
    tags.into_iter().map(tag).collect()
}

/// Text inside an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::Layout;

    #[test]
    fn a_long_film_has_its_first_and_last_position_and_not_too_many() {
        let start = Layout::all()[0].position();
        let end = start.play(start.legal_moves()[0]).expect("legal");
        let mut positions = vec![start; 5000];
        positions.push(end);
        let shown = steps(&positions);
        assert!(shown.len() <= MOST_FRAMES + 1 && shown[0] == start && shown.last() == Some(&end));
        assert_eq!(steps(&positions[4997..]).len(), 4);
    }
}
