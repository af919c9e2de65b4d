//! A game as a record, made without holding the game; and what an annotated import says about its moves.

use std::collections::BTreeMap;
use std::sync::Arc;

use sumito_rules::record::{GameResult, Reader, Record};
use sumito_rules::{ByColor, Color, Game, Notation, Outcome, Reason};

use crate::view::game::Source;
use crate::view::seat::Seat;
use crate::view::tree::glyph;

/// The record in a text of our own.
fn read(text: &str) -> Option<Record> {
    Reader::new(text.as_bytes()).next()?.ok()
}

/// What an annotated import says about its moves.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) of: Vec<Note>,
    pub(super) has_variations: bool,
}

/// What it says about one of them.
pub(super) struct Note {
    pub(super) comment: Option<String>,
    pub(super) glyph: Option<String>,
}

impl Notes {
    pub(super) fn read(text: &str) -> Notes {
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
    pub(super) id: String,
    pub(super) source: Source,
    pub(super) created: i64,
    pub(super) seats: ByColor<Seat>,
    pub(super) tags: BTreeMap<String, String>,
    pub(super) record: Option<Arc<str>>,
    pub(crate) game: Game,
    /// Nobody if the game goes on; nobody's win is a draw.
    pub(super) winner: Option<Option<Color>>,
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
            record.set_tag("Event", "Sumito");
            record.set_tag("Site", self.id.clone());
            record.set_tag("Date", crate::api::date(self.created));
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
