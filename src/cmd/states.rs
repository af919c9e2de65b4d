//! `sumito states`: the BCIT course's state-space generator.

mod form;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use serde::Serialize;
use sumito_rules::{Position, PositionFormat, write_marbles};

use self::form::Form;
use crate::files::{self, Output};

/// Generate all successor boards of a position, as the BCIT course defines it
///
/// For each `Test1.input` (side to move, then the marbles) writes `Test1.board` (one successor a line) and
/// `Test1.move` (the moves that lead there, line by line).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Input files, such as Test1.input
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// Write nothing; compare the boards with the .board file beside each input, in any order
    #[arg(long)]
    verify: bool,
    /// Write to this folder instead of the input's
    #[arg(long, value_name = "DIR", conflicts_with = "verify")]
    out: Option<PathBuf>,
    /// How moves are written
    #[arg(long, value_enum, default_value_t, conflicts_with = "verify")]
    form: Form,
    /// Print JSON: one object for each input
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    input: PathBuf,
    boards: usize,
    /// Boards that the file lacks; empty unless verifying.
    missing: Vec<String>,
    /// Boards of the file that no legal move reaches; empty unless verifying.
    wrong: Vec<String>,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut reports = Vec::new();
    // Everything is read and checked before anything is written.
    let mut positions = Vec::new();
    for input in &args.inputs {
        let text = files::read(input)?;
        let position = PositionFormat::Bcit.parse(&text).with_context(|| input.display().to_string())?;
        positions.push(position);
    }
    for (input, position) in args.inputs.iter().zip(&positions) {
        let report = if args.verify { verify(input, position)? } else { write(input, position, &args)? };
        if !args.json {
            files::print(&report.text(args.verify))?;
        }
        reports.push(report);
    }
    if args.json {
        files::print_json(&reports)?;
    }
    let good = reports.iter().all(|report| report.missing.is_empty() && report.wrong.is_empty());
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All moves with the boards they lead to.
fn successors(position: &Position, form: Form) -> Vec<(String, String)> {
    let moves = position.legal_moves();
    let board = |m| (form.write(position, m), write_marbles(&position.play_unchecked(m)));
    moves.iter().map(|&m| board(m)).collect()
}

fn write(input: &Path, position: &Position, args: &Args) -> anyhow::Result<Report> {
    let Some(name) = input.file_name().filter(|name| *name != "-") else {
        bail!("expected the name of an input file, found '{}'", input.display())
    };
    let beside = args.out.as_ref().map_or_else(|| input.to_path_buf(), |folder| folder.join(name));
    let (mut boards, mut moves) = (
        Output::create(Some(&beside.with_extension("board")))?,
        Output::create(Some(&beside.with_extension("move")))?,
    );
    let successors = successors(position, args.form);
    for (m, board) in &successors {
        writeln!(moves, "{m}")?;
        writeln!(boards, "{board}")?;
    }
    boards.finish()?;
    moves.finish()?;
    let boards = successors.len();
    Ok(Report { input: input.to_path_buf(), boards, missing: Vec::new(), wrong: Vec::new() })
}

fn verify(input: &Path, position: &Position) -> anyhow::Result<Report> {
    let file = input.with_extension("board");
    let mut theirs = BTreeSet::new();
    for (number, line) in files::read(&file)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
    {
        // Their order of marbles is free, too.
        let board = PositionFormat::Bcit.parse(line);
        let board = board.with_context(|| format!("{}, board {}", file.display(), number + 1))?;
        theirs.insert(write_marbles(&board));
    }
    let ours: BTreeSet<String> =
        successors(position, Form::Notation).into_iter().map(|(_, board)| board).collect();
    Ok(Report {
        input: input.to_path_buf(),
        boards: ours.len(),
        missing: ours.difference(&theirs).cloned().collect(),
        wrong: theirs.difference(&ours).cloned().collect(),
    })
}

impl Report {
    fn text(&self, verified: bool) -> String {
        let mut text = format!("{}: {} boards", self.input.display(), self.boards);
        if verified {
            let equal = self.missing.is_empty() && self.wrong.is_empty();
            let counts = format!(", {} missing, {} wrong", self.missing.len(), self.wrong.len());
            text.push_str(if equal { ", equal" } else { &counts });
        }
        text.push('\n');
        self.missing.iter().for_each(|board| text.push_str(&format!("  missing {board}\n")));
        self.wrong.iter().for_each(|board| text.push_str(&format!("  wrong   {board}\n")));
        text
    }
}
