//! Keeps the finished games of a sitting in a file.

use std::io::Write;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::ensure;
use sumito_lab::referee::MoveRecord;
use sumito_rules::Notation;
use sumito_rules::record::{Date, Record};

use super::table::{TerminalTable, score_text};
use crate::files::Output;

/// A file for finished games, if one was asked for.
pub(crate) struct Archive {
    path: Option<PathBuf>,
    notation: Notation,
    /// The games that were finished before the one at hand.
    earlier: Vec<Record>,
    /// The game at hand, once it is finished and in the file.
    kept: Option<Record>,
}

impl Archive {
    /// Finds out at once whether the file can be written, not when the game is over.
    pub(crate) fn new(path: Option<PathBuf>, notation: Notation) -> anyhow::Result<Archive> {
        if let Some(path) = &path {
            ensure!(
                path.as_os_str() != "-" && !path.is_dir(),
                "--save: expected a file, found '{}'",
                path.display()
            );
            Output::create(Some(path))?;
        }
        Ok(Archive { path, notation, earlier: Vec::new(), kept: None })
    }

    /// Keeps the game if it is finished and not kept yet. A game that was taken up again replaces its earlier end.
    pub(super) fn update(&mut self, table: &TerminalTable) -> anyhow::Result<()> {
        let Some(path) = self.path.as_deref().filter(|_| table.is_over()) else { return Ok(()) };
        let record = record(table, self.notation);
        if self.kept.as_ref() == Some(&record) {
            return Ok(());
        }
        let mut out = Output::create(Some(path))?;
        for record in self.earlier.iter().chain([&record]) {
            writeln!(out, "{record}")?;
        }
        self.kept = Some(record);
        out.finish()
    }

    /// Another game begins.
    pub(super) fn next_game(&mut self) {
        self.earlier.extend(self.kept.take());
    }

    /// What became of the games, if there is a file for them.
    pub(super) fn summary(&self) -> Option<String> {
        let path = self.path.as_ref()?.display();
        let games = self.earlier.len() + usize::from(self.kept.is_some());
        Some(match games {
            0 => format!("No game was finished: nothing was saved in {path}"),
            1 => format!("Saved in {path}"),
            _ => format!("{games} games saved in {path}"),
        })
    }
}

fn record(table: &TerminalTable, notation: Notation) -> Record {
    let mut record = Record::default();
    record.set_tag("Event", "Sumito game");
    record.set_tag("Date", today());
    record.set_tag("Black", &table.seats.black.name);
    record.set_tag("White", &table.seats.white.name);
    let game = Record::from_game(table.game(), notation);
    for tag in &game.tags {
        record.set_tag(&tag.name, &tag.value);
    }
    (record.line, record.result) = (game.line, game.result);
    for (ply, written) in record.line.plies.iter_mut().enumerate() {
        written.comments.push(comment(&table.record(ply, notation)));
    }
    record
}

/// `+1.50/6 12345n 0.098s`: value for the mover, depth, nodes and time, as far as they are known.
fn comment(m: &MoveRecord) -> String {
    let depth = m.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
    let judged = score_text(m.score, m.win).unwrap_or_default() + &depth;
    let nodes = m.nodes.map(|nodes| format!("{nodes}n"));
    let time = format!("{:.3}s", m.time_us as f64 / 1e6);
    let parts = [Some(judged).filter(|text| !text.is_empty()), nodes, Some(time)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The date in UTC, as records write it.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Date::from_days((since.as_secs() / 86_400) as i64).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_has_what_is_known() {
        let silent = MoveRecord { time_us: 1_500_000, ..MoveRecord::default() };
        assert_eq!(comment(&silent), "1.500s");
        let talkative = MoveRecord { win: Some(-3), depth: Some(5), nodes: Some(77), ..silent };
        assert_eq!(comment(&talkative), "-W3/5 77n 1.500s");
    }
}
