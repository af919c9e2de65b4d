//! A game for people: the graph, a line for each move, and both sides summed up.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use sumito_engine::Limits;
use sumito_engine::analysis::report::ReviewReport;
use sumito_engine::analysis::{Judgement, Review};
use sumito_rules::record::{GameResult, Record};
use sumito_rules::{Color, Notation};

use super::subject::Recorded;
use super::{Args, annotate, engine, graph, svg, text};
use crate::files::{Output, print, print_json};
use crate::interrupt::INTERRUPTED;
use crate::progress::Progress;

pub(super) fn run(args: &Args, subject: &Recorded, limits: &Limits) -> Result<ExitCode> {
    let Recorded { record, game, notes } = subject;
    // Files that cannot be written are found out before the work, not after it.
    let (svg_file, apgn_file) = (output("svg", args.svg.as_deref())?, output("apgn", args.apgn.as_deref())?);
    let mut engine = engine(args)?;
    for note in notes {
        tell!("Note: {note}.");
    }
    let bar = Progress::parts();
    let review = engine.review(game, limits, &mut |at| bar.update(at.done as u64, at.whole as u64));
    drop(bar);
    let title = Title::new(record);
    if args.json {
        print_json(&Json { tags: tags(record), review: review.report(args.notation) })?;
    } else {
        print(&text(&review, &title, args.notation))?;
    }
    if !review.is_complete() {
        let (done, whole) = (review.positions.len(), game.positions().len());
        tell!("Stopped after {done} of {whole} positions, from the end of the game; no file was written.");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if let Some(file) = svg_file {
        write(file, &svg::draw(&review, &title, args.notation))?;
    }
    if let Some(file) = apgn_file {
        write(file, &annotate::annotated(record, &review)?.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
struct Json<'a> {
    tags: BTreeMap<&'a str, &'a str>,
    #[serde(flatten)]
    review: ReviewReport,
}

fn tags(record: &Record) -> BTreeMap<&str, &str> {
    record.tags.iter().map(|tag| (tag.name.as_str(), tag.value.as_str())).collect()
}

fn output(option: &str, path: Option<&Path>) -> Result<Option<Output>> {
    match path {
        Some(path) if path.as_os_str() == "-" => bail!("--{option}: expected a file, found -"),
        Some(path) => Output::create(Some(path)).map(Some),
        None => Ok(None),
    }
}

fn write(mut file: Output, text: &str) -> Result<()> {
    file.write_all(text.as_bytes())?;
    file.finish()
}

/// What a game is called.
pub(super) struct Title {
    event: Option<String>,
    /// `Black v White`, and the result if there is one.
    pub(super) players: String,
}

impl Title {
    fn new(record: &Record) -> Title {
        let tag = |name| record.tag(name).filter(|value| !value.is_empty() && *value != "?");
        let side = |name| tag(name).unwrap_or(name);
        let result = match record.result {
            GameResult::Unknown => String::new(),
            result => format!(", {result}"),
        };
        let players = format!("{} v {}{result}", side("Black"), side("White"));
        Title { event: tag("Event").map(str::to_string), players }
    }
}

impl fmt::Display for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.event {
            Some(event) => write!(f, "{event}: {}", self.players),
            None => f.pad(&self.players),
        }
    }
}

fn text(review: &Review, title: &Title, notation: Notation) -> String {
    let graph = graph::draw(review, width());
    format!("{title}\n\n{graph}\n{}\n\n{}\n", moves(review, notation), summary(review))
}

/// How wide the graph may be.
fn width() -> usize {
    const WITHOUT_A_TERMINAL: usize = 80;
    if !std::io::stdout().is_terminal() {
        return WITHOUT_A_TERMINAL;
    }
    ratatui::crossterm::terminal::size().map_or(WITHOUT_A_TERMINAL, |(columns, _)| columns.into())
}

fn table(titles: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(titles);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A line for each move; value and chance are its player's.
fn moves(review: &Review, notation: Notation) -> Table {
    let mut table = table(&["move", "", "lead", "chance %", "loss %", "better"]);
    for (reviewed, before) in review.moves.iter().zip(&review.positions) {
        let is_bad = reviewed.judgement != Judgement::Good;
        let better = format!(
            "{} ({})",
            notation.write(&before.position, reviewed.best),
            text::score(reviewed.best_score)
        );
        table.add_row([
            text::numbered(&before.position, reviewed.played, notation),
            reviewed.judgement.mark().to_string(),
            text::score(reviewed.score),
            text::percent(reviewed.chance),
            if reviewed.loss > 0.0005 { text::percent(reviewed.loss) } else { String::new() },
            if is_bad { better } else { String::new() },
        ]);
    }
    for left in [1, 5] {
        if let Some(column) = table.column_mut(left) {
            column.set_cell_alignment(CellAlignment::Left);
        }
    }
    table
}

fn summary(review: &Review) -> Table {
    let mut table = table(&["", "accuracy %", "mean loss %", "inaccuracies ?!", "mistakes ?", "blunders ??"]);
    let tally = review.tally();
    for side in Color::ALL {
        let tally = tally[side];
        table.add_row([
            side.to_string(),
            format!("{:.1}", tally.accuracy),
            text::percent(tally.loss),
            tally.inaccuracies.to_string(),
            tally.mistakes.to_string(),
            tally.blunders.to_string(),
        ]);
    }
    table
}
