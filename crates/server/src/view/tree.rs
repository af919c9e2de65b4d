//! A record with its variations, comments and glyphs, every move with its marbles and the position after it.

use serde::Serialize;
use sumito_rules::record::Line;
use sumito_rules::{Notation, Position, fen};
use utoipa::ToSchema;

use crate::domain::error::{self, AppError, Cause};
use crate::domain::limits::{MOST_NODES, nodes};
use crate::domain::record::glyph;
use crate::view::position::MoveView;

/// Moves that follow each other.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct LineView {
    /// Before the first move.
    pub(crate) comments: Vec<String>,
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

/// A line for an answer, if it is not too long for one.
pub(crate) fn whole(line: &Line, start: Position, notation: Notation) -> Result<LineView, AppError> {
    let found = nodes(line);
    if found > MOST_NODES {
        return Err(Cause::MovesTooMany { most: MOST_NODES, found }.into());
    }
    self::line(line, (start, 0), notation)
}

/// A line played from a position that so many moves have led to; an error names the move. A record's nesting is bounded, and so
/// is the recursion.
fn line(line: &Line, (start, before): (Position, usize), notation: Notation) -> Result<LineView, AppError> {
    let mut position = start;
    let mut plies = Vec::with_capacity(line.plies.len());
    for (ply, written) in line.plies.iter().enumerate() {
        let from = (position, before + ply);
        let variations = written.variations.iter().map(|variation| self::line(variation, from, notation));
        let variations = variations.collect::<Result<Vec<_>, _>>()?;
        let parsed = notation.parse_at(&position, &written.text, written.place);
        let m = parsed.map_err(|error| error::illegal(&error).at(format!("moves[{}]", before + ply)))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use sumito_rules::Layout;
    use sumito_rules::record::Ply;

    #[test]
    fn a_record_that_is_too_long_for_an_answer_is_refused_before_one_is_made() {
        let ply = |text: &str| Ply { text: text.to_string(), ..Ply::default() };
        let start = Layout::all()[0].position();
        let walk = ["a1b2", "i5h5", "b2a1", "h5i5"].map(ply);
        let of = |count: usize| Line {
            comments: Vec::new(),
            plies: walk.iter().cycle().take(count).cloned().collect(),
        };
        let whole = |count| whole(&of(count), start, Notation::AbaPro).map(|line| line.plies.len());
        assert_eq!(whole(8), Ok(8));
        let why = whole(MOST_NODES + 1).expect_err("too long").to_string();
        assert_eq!(why, "expected at most 20000 moves, found 20001");
    }

    #[test]
    fn a_move_that_cannot_be_played_is_named_also_in_a_variation() {
        let field = |text: &str| {
            let record = sumito_rules::record::Reader::new(text.as_bytes()).next().expect("a record");
            let line = record.expect("well formed").line;
            let error = whole(&line, Layout::all()[0].position(), Notation::AbaPro).expect_err(text);
            error.fault().field
        };
        assert_eq!(field("1. a1b2 a1b2 *").as_deref(), Some("moves[1]"));
        assert_eq!(field("1. a1b2 i5h5 (1... i5h5 2. i5h5) *").as_deref(), Some("moves[2]"));
    }
}
