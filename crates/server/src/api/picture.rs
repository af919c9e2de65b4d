//! A position as a picture.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use sumito_rules::{Notation, diagram};
use utoipa::{IntoParams, ToSchema};

use super::position;
use crate::domain::client::Client;
use crate::domain::error::{self, AppError};
use crate::http::extract::QueryParams;
use crate::state::App;

/// Which picture.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct PictureQuery {
    /// The position in any format.
    #[param(min_length = 1)]
    fen: String,
    /// A move to draw as an arrow.
    #[serde(rename = "move")]
    #[param(rename = "move")]
    text: Option<String>,
    theme: Option<Theme>,
    /// Whether White is below.
    flip: Option<bool>,
}

/// The colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Theme {
    #[default]
    Wood,
    Night,
    Contrast,
    ColourBlind,
}

impl Theme {
    /// The colours of the picture in wood, and what stands for them.
    const fn colours(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Theme::Wood => &[],
            Theme::Night => &[
                ("#c9a26b", "#2b3140"),
                ("#7d5a2e", "#12151d"),
                ("#a98350", "#3b4356"),
                ("#8d6a3b", "#4c566d"),
                ("#6b6b6b", "#9aa3b5"),
                ("#1f7a4d", "#4cc38a"),
            ],
            Theme::Contrast => &[
                ("#c9a26b", "#ffffff"),
                ("#7d5a2e", "#000000"),
                ("#a98350", "#d9d9d9"),
                ("#8d6a3b", "#000000"),
                ("#6b6b6b", "#000000"),
                ("#6a6d75", "#000000"),
                ("#2a2c31", "#000000"),
                ("#8a8a86", "#000000"),
                ("#c3c1b8", "#ffffff"),
                ("#ecebe6", "#ffffff"),
                ("#1f7a4d", "#d10000"),
            ],
            // Blue and orange, which every kind of colour blindness tells apart.
            Theme::ColourBlind => &[
                ("#c9a26b", "#e8e4da"),
                ("#7d5a2e", "#5b5b5b"),
                ("#a98350", "#c9c4b6"),
                ("#8d6a3b", "#a39d8c"),
                ("#6a6d75", "#5b9bd5"),
                ("#2a2c31", "#1f5fa8"),
                ("#101114", "#0b3c7d"),
                ("#ffffff", "#ffe1b0"),
                ("#ecebe6", "#f2a541"),
                ("#c3c1b8", "#c9791a"),
                ("#1f7a4d", "#000000"),
            ],
        }
    }
}

/// A position as a picture
#[utoipa::path(get, operation_id = "get_picture", path = "/api/v1/picture.svg", tag = "boards",
    params(PictureQuery),
    responses((status = 200, body = String, content_type = "image/svg+xml")))]
pub(crate) async fn picture(
    State(app): State<App>,
    client: Client,
    QueryParams(query): QueryParams<PictureQuery>,
) -> Result<Response, AppError> {
    let svg = app.builds.run(client, move || draw(&query)).await?;
    // The picture's own style is part of it.
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
        (header::CACHE_CONTROL, "public, max-age=86400"),
    ];
    Ok((headers, svg).into_response())
}

fn draw(query: &PictureQuery) -> Result<String, AppError> {
    let position = position(&query.fen)?;
    let shown = query.text.as_deref().map(|text| Notation::AbaPro.parse(&position, text)).transpose();
    let shown = shown.map_err(|error| error::illegal(&error).at("move"))?;
    let mut svg = diagram::svg(&position, shown);
    if query.flip == Some(true) {
        svg = flipped(&svg);
    }
    for (from, to) in query.theme.unwrap_or_default().colours() {
        svg = svg.replace(from, to);
    }
    Ok(svg)
}

/// The picture turned by half a circle; texts and trays stay upright and on their side.
fn flipped(svg: &str) -> String {
    let turn = |line: &str| {
        let is_shape = ["<circle", "<line", "<text"].iter().any(|start| line.starts_with(start));
        if !is_shape {
            return line.to_string();
        }
        let beside = line.contains("r=\"17\"") || line.contains("class=\"side\"");
        let mut line = line.to_string();
        let names = [("cx", beside), ("x", beside), ("x1", false), ("x2", false)];
        for (name, stays) in names {
            if !stays {
                negate(&mut line, name);
            }
        }
        ["cy", "y", "y1", "y2"].iter().for_each(|name| negate(&mut line, name));
        line
    };
    svg.lines().map(|line| turn(line) + "\n").collect()
}

/// Turns a coordinate round.
fn negate(line: &mut String, name: &str) {
    let start = format!(" {name}=\"");
    let Some(at) = line.find(&start).map(|at| at + start.len()) else { return };
    let Some(end) = line[at..].find('"').map(|end| at + end) else { return };
    if let Ok(value) = line[at..end].parse::<f64>() {
        line.replace_range(at..end, &format!("{:.1}", -value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::Layout;

    #[test]
    fn every_theme_finds_its_colours_in_the_picture() {
        let svg = diagram::svg(&Layout::all()[0].position(), None);
        for theme in [Theme::Night, Theme::Contrast, Theme::ColourBlind] {
            for (from, _) in theme.colours() {
                assert!(svg.contains(from), "{theme:?}: {from}");
            }
        }
    }

    #[test]
    fn turning_a_picture_twice_gives_the_same() {
        let position = Layout::named("standard").expect("a layout").position();
        let m = position.legal_moves()[0];
        let svg = diagram::svg(&position, Some(m)).replace("=\"-0.0\"", "=\"0.0\"");
        let once = flipped(&svg).replace("=\"-0.0\"", "=\"0.0\"");
        assert_ne!(once, svg);
        assert_eq!(flipped(&once).replace("=\"-0.0\"", "=\"0.0\""), svg);
    }
}
