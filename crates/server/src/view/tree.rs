//! A record with its variations, comments and glyphs, every move with its marbles and the position after it.

use serde::Serialize;
use sumito_rules::record::{Line, RecordError};
use sumito_rules::{Notation, Position, fen};
use utoipa::ToSchema;

use crate::view::position::MoveView;

/// Moves that follow each other.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct LineView {
    /// Before the first move.
    pub(crate) comments: Vec<String>,
    #[schema(no_recursion)]
    pub(crate) plies: Vec<PlyView>,
}

/// A move of a line.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct PlyView {
    #[serde(rename = "move")]
    pub(crate) view: MoveView,
    /// The position after it.
    pub(crate) fen: String,
    pub(crate) glyphs: Vec<String>,
    pub(crate) comments: Vec<String>,
    /// What could have been played instead.
    #[schema(no_recursion)]
    pub(crate) variations: Vec<LineView>,
}

/// A glyph as people write it.
pub(crate) fn glyph(number: u8) -> String {
    match number {
        1..=6 => ["!", "?", "!!", "??", "!?", "?!"][usize::from(number) - 1].to_string(),
        _ => format!("${number}"),
    }
}

/// A line played from a position. A record's nesting is bounded, and so is the recursion.
pub(crate) fn line(line: &Line, start: Position, notation: Notation) -> Result<LineView, RecordError> {
    let mut position = start;
    let mut plies = Vec::with_capacity(line.plies.len());
    for (ply, written) in line.plies.iter().enumerate() {
        let variations = written.variations.iter().map(|variation| self::line(variation, position, notation));
        let variations = variations.collect::<Result<Vec<_>, _>>()?;
        let parsed = notation.parse_at(&position, &written.text, written.place);
        let m = parsed.map_err(|error| RecordError::Move { ply, error })?;
        let view = MoveView::new(&position, m);
        position = position.play_unchecked(m);
        plies.push(PlyView {
            view,
            fen: fen::write(&position),
            glyphs: written.glyphs.iter().map(|&number| glyph(number)).collect(),
            comments: written.comments.clone(),
            variations,
        });
    }
    Ok(LineView { comments: line.comments.clone(), plies })
}
