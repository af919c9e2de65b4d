//! A game as a record, made without holding the game; and what an annotated import says about its moves.

use std::collections::BTreeMap;
use std::sync::Arc;

use sumito_rules::record::{GameResult, Reader, Record};
use sumito_rules::{ByColor, Color, Game, Notation, Outcome, Reason};

use super::date::date;
use super::game::Source;
use super::seat::Seat;

/// A glyph as people write it.
pub(crate) fn glyph(number: u8) -> String {
    match number {
        1..=6 => ["!", "?", "!!", "??", "!?", "?!"][usize::from(number) - 1].to_string(),
        _ => format!("${number}"),
    }
}

/// The record in a text of our own.
fn read(text: &str) -> Option<Record> {
    Reader::new(text.as_bytes()).next()?.ok()
}

/// What an annotated import says about its moves.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) of: Vec<Note>,
    pub(crate) has_variations: bool,
}

/// What it says about one of them.
pub(crate) struct Note {
    pub(crate) comment: Option<String>,
    pub(crate) glyph: Option<String>,
}

impl Notes {
    pub(crate) fn read(text: &str) -> Notes {
        let plies = read(text).map(|record| record.line.plies).unwrap_or_default();
        let has_variations = plies.iter().any(|ply| !ply.variations.is_empty());
        let note = |ply: sumito_rules::record::Ply| Note {
            comment: Some(ply.comments.join(" ")).filter(|text| !text.is_empty()),
            glyph: ply.glyphs.first().map(|&number| glyph(number)),
        };
        Notes { of: plies.into_iter().map(note).collect(), has_variations }
    }
}

/// What a game's record is made of.
pub(crate) struct Written {
    pub(crate) id: String,
    pub(crate) source: Source,
    pub(crate) created: i64,
    pub(crate) seats: ByColor<Seat>,
    pub(crate) tags: BTreeMap<String, String>,
    pub(crate) record: Option<Arc<str>>,
    pub(crate) game: Game,
    /// Nobody if the game goes on; nobody's win is a draw.
    pub(crate) winner: Option<Option<Color>>,
}

impl Written {
    /// The game as a record.
    pub(crate) fn record(&self) -> Record {
        if let Some(record) = self.record.as_deref().and_then(read) {
            return record;
        }
        let mut record = Record::default();
        for (name, value) in &self.tags {
            record.set_tag(name, value.clone());
        }
        if self.source != Source::Import {
            if record.tag("Event").is_none() {
                record.set_tag("Event", "Sumito");
            }
            record.set_tag("Site", self.id.clone());
            record.set_tag("Date", date(self.created));
            record.set_tag("Black", player(&self.seats.black));
            record.set_tag("White", player(&self.seats.white));
        }
        let made = Record::from_game(&self.game, Notation::AbaPro);
        let has_start = ["Variant", "Position", "FEN"].iter().any(|name| record.tag(name).is_some());
        for tag in made.tags {
            let is_start = ["Variant", "SetUp", "Position"].contains(&tag.name.as_str());
            let keeps = tag.name == "Termination" && record.tag("Termination").is_some();
            if !(is_start && has_start || keeps) {
                record.set_tag(&tag.name, tag.value);
            }
        }
        record.line = made.line;
        let outcome = |winner| Outcome { winner, reason: Reason::Ejections };
        record.result = GameResult::of(self.winner.map(outcome));
        record.set_tag("Result", record.result.to_string());
        record
    }
}

fn player(seat: &Seat) -> String {
    match (seat, seat.name()) {
        (_, name) if !name.is_empty() => name.to_string(),
        (Seat::Agent { spec, .. }, _) => spec.clone(),
        (Seat::Human { .. }, _) => "?".to_string(),
    }
}
