//! A game's record with the review written into it: marks, values, and what would have been better.

use anyhow::Result;
use sumito_engine::analysis::{Judgement, Review, report};
use sumito_rules::record::{Line, Ply, Record};

use super::text;

/// Of a better line, this many moves are written.
const LINE: usize = 8;

/// The record with every move's value, in its own notation. Comments and variations that are there stay.
pub(super) fn annotated(record: &Record, review: &Review) -> Result<Record> {
    let notation = record.notation()?;
    let mut record = record.clone();
    record.set_tag("Annotator", concat!("Sumito ", env!("CARGO_PKG_VERSION")));
    let moves = review.moves.iter().zip(&review.positions);
    for (ply, (reviewed, before)) in record.line.plies.iter_mut().skip(review.first).zip(moves) {
        let chance = text::percent(reviewed.chance);
        let value = format!("{}/{} {chance}%", text::short_score(reviewed.score), before.depth());
        if reviewed.judgement == Judgement::Good {
            ply.comments.push(value);
            continue;
        }
        ply.comments.push(format!("{value}, {}% lost", text::percent(reviewed.loss)));
        // One opinion on a move is enough.
        ply.glyphs.retain(|glyph| !(1..=6).contains(glyph));
        ply.glyphs.splice(0..0, reviewed.judgement.glyph());
        let moves = before.lines.first().map_or(&[][..], |line| &line.moves[..line.moves.len().min(LINE)]);
        let mut better: Vec<Ply> = report::written(&before.position, moves, notation)
            .into_iter()
            .map(|text| Ply { text, ..Ply::default() })
            .collect();
        if let Some(first) = better.first_mut() {
            let chance = text::percent(reviewed.best_chance);
            first.comments.push(format!("{} {chance}%", text::short_score(reviewed.best_score)));
        }
        ply.variations.push(Line { comments: Vec::new(), plies: better });
    }
    Ok(record)
}
