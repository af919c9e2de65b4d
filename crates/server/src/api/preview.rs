//! What other places show of a game: a picture for link previews, a film of its moves, and the page's head that names them.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use sumito_rules::{Color, Position};
use utoipa::IntoParams;

use super::asked::Asked;
use crate::domain::error::{AppError, Kind, within};
use crate::domain::ids::hex;
use crate::domain::seat::Seat;
use crate::http::assets::{self, Assets, is_known};
use crate::http::extract::{PathId, QueryParams};
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
    headers: HeaderMap,
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
    let drawing = Drawing { kind: "image/png", tag: tag("png", flip, &[position]) };
    drawing.answer(&asked, &headers, move || Raster::of(&position, PREVIEW, flip).png()).await
}

/// A game as a film of its moves
#[utoipa::path(get, operation_id = "get_game_film", path = "/api/v1/games/{id}/film.gif", tag = "games",
    params(("id" = String, Path), FilmQuery),
    responses((status = 200, body = String, content_type = "image/gif")))]
pub(crate) async fn film(
    asked: Asked,
    headers: HeaderMap,
    QueryParams(query): QueryParams<FilmQuery>,
) -> Result<Response, AppError> {
    let positions = steps(asked.live.lock().await.game().positions());
    let flip = query.flip == Some(true);
    let drawing = Drawing { kind: "image/gif", tag: tag("gif", flip, &positions) };
    drawing.answer(&asked, &headers, move || raster::film(&positions, FILM, flip)).await
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

/// What is drawn, by its type and its tag.
struct Drawing {
    kind: &'static str,
    tag: String,
}

impl Drawing {
    /// The drawing, or that the client has it already: nothing is drawn twice for one.
    async fn answer(
        self,
        asked: &Asked,
        headers: &HeaderMap,
        draw: impl FnOnce() -> Vec<u8> + Send + 'static,
    ) -> Result<Response, AppError> {
        let told = [(header::CACHE_CONTROL, "no-cache".to_string()), (header::ETAG, self.tag)];
        if is_known(headers, &told[1].1) {
            return Ok((StatusCode::NOT_MODIFIED, told).into_response());
        }
        let file = asked.app.builds.draw(asked.client, draw).await?;
        Ok((told, [(header::CONTENT_TYPE, self.kind)], file).into_response())
    }
}

/// The same tag for the same drawing by the same program.
fn tag(kind: &str, flip: bool, positions: &[Position]) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{} {kind} {flip}", env!("CARGO_PKG_VERSION")));
    positions.iter().for_each(|position| hash.update(position.to_string()));
    format!("\"{}\"", hex(&hash.finalize()[..12]))
}

/// A page that shows a game, with a head that tells other places what it shows. A game that nobody knows has the page as it is,
/// which says so.
pub(crate) async fn page(
    State(app): State<App>,
    State(pages): State<Arc<Assets>>,
    PathId(id): PathId,
    request: Request,
) -> Response {
    let live = match app.game(&id).await {
        Ok(live) => live,
        Err(error) if error.kind() == Kind::NotFound => {
            return assets::astray(assets::serve(State(pages), request).await);
        }
        Err(_) => return assets::serve(State(pages), request).await,
    };
    let Some(page) = pages.page() else { return assets::serve(State(pages), request).await };
    let head = {
        let table = live.lock().await;
        let shown = Shown::new(request.uri(), table.game().moves().len());
        head(&table, &shown, &id, &pages, app.config.public_url.as_deref())
    };
    let page = page.replacen("</head>", &format!("{head}</head>"), 1);
    ([(header::CACHE_CONTROL, "no-cache")], Html(page)).into_response()
}

/// What a link to a page with a game shows of it.
struct Shown {
    path: String,
    /// Moves played before it, and whether the address says so.
    ply: usize,
    is_given: bool,
}

impl Shown {
    fn new(uri: &Uri, moves: usize) -> Shown {
        let pairs = uri.query().unwrap_or_default().split('&');
        let given = pairs.filter_map(|pair| pair.strip_prefix("ply=")?.parse::<usize>().ok()).next();
        Shown {
            path: uri.path().to_string(),
            ply: given.unwrap_or(moves).min(moves),
            is_given: given.is_some(),
        }
    }
}

/// What people call a player, as the pages do in English.
fn name(seat: &Seat, pages: &Assets) -> String {
    let text = |key: &str| pages.english(key);
    match seat {
        Seat::Human { name } if name.is_empty() => text("seat.human").unwrap_or_else(|| "Player".to_string()),
        Seat::Human { name } => name.clone(),
        Seat::Agent { level: Some(level), name, .. } => {
            let called = text(&format!("level.{level}")).zip(text("level.name"));
            called.map_or(name.clone(), |(called, form)| {
                form.replace("{name}", &called).replace("{n}", &level.to_string())
            })
        }
        Seat::Agent { spec, name, level: None } => {
            let (agent, options) = spec.split_once(':').unwrap_or((spec, ""));
            match text(&format!("persona.{agent}")) {
                Some(called) if options.is_empty() => called,
                Some(called) => format!("{called} ({options})"),
                None => name.clone(),
            }
        }
    }
}

/// What a link preview reads. Addresses have to be whole there: without a public one there is no picture.
fn head(table: &LiveTable, shown: &Shown, id: &str, pages: &Assets, public: Option<&str>) -> String {
    let Shown { path, ply, is_given } = shown;
    let [black, white] = Color::ALL.map(|side| table.game().positions()[*ply].score(side));
    let [first, second] = Color::ALL.map(|side| name(&table.seats[side], pages));
    let title = format!("{first} – {second}: {black}–{white}");
    let moves = table.game().moves().len();
    let when = if *is_given { format!("after move {ply} of {moves}") } else { format!("{moves} moves") };
    // What a friend sees of the link in their messages.
    let (title, description) = match table.keys.free() {
        Some(_) => {
            ("Play me at Abalone".to_string(), "An invitation to a game: open the link and join".to_string())
        }
        None => (title, format!("A game of Abalone, {when}")),
    };
    let mut tags = vec![
        ("og:site_name", "Sumito".to_string()),
        ("og:type", "website".to_string()),
        ("og:title", title),
        ("og:description", description),
    ];
    if let Some(public) = public {
        let query = if *is_given { format!("?ply={ply}") } else { String::new() };
        tags.extend([
            ("og:url", format!("{public}{path}{query}")),
            ("og:image", format!("{public}/api/v1/games/{id}/picture.png?ply={ply}")),
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
