//! `sumito replay`: checks game records move by move.

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use serde::Serialize;
use sumito_rules::Notation;
use sumito_rules::record::{GameResult, ReadError, Reader, Record, RecordError};

use crate::files;
use crate::progress::Tracked;

/// Check files of games: is every move legal?
///
/// Prints each game with an illegal move and a summary. Exit code 1 if there is such a game, 2 if a file cannot
/// be read as games at all.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// APGN files; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON: the summary, and the games with errors
    #[arg(long)]
    json: bool,
}

#[derive(Default, Serialize)]
struct Summary {
    games: u64,
    plies: u64,
    black_wins: u64,
    white_wins: u64,
    draws: u64,
    unknown: u64,
    /// Games that end by marbles pushed off.
    decided_on_the_board: u64,
    /// Games with an illegal move.
    illegal: Vec<Problem>,
    /// Games whose recorded result is not the one on the board.
    contradicted: Vec<Problem>,
    /// Games that are not well formed.
    malformed: Vec<Problem>,
}

#[derive(Serialize)]
struct Problem {
    file: PathBuf,
    /// Which game of the file, from 1.
    game: u64,
    title: String,
    error: String,
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut summary = Summary::default();
    for path in &args.files {
        summary.check_file(path)?;
    }
    if args.json {
        files::print_json(&summary)?;
    } else {
        files::print(&summary.text())?;
        for problem in &summary.malformed {
            tell!("sumito: {problem}");
        }
    }
    Ok(match summary {
        Summary { malformed, .. } if !malformed.is_empty() => ExitCode::from(2),
        Summary { illegal, .. } if !illegal.is_empty() => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

impl Summary {
    fn check_file(&mut self, path: &Path) -> anyhow::Result<()> {
        let (input, size) = files::open(path)?;
        let mut number = 0;
        for record in Reader::new(BufReader::new(Tracked::new(input, size))) {
            number += 1;
            let problem = |title: &str, error: String| Problem {
                file: path.to_path_buf(),
                game: number,
                title: title.to_string(),
                error,
            };
            match record {
                Ok(record) => self.check_game(&record, problem),
                Err(ReadError::Syntax(error) | ReadError::Limit(_, error)) => {
                    self.malformed.push(problem("", error.to_string()));
                }
                Err(error) => {
                    return Err(anyhow::Error::new(error).context(format!("cannot read {}", path.display())));
                }
            }
        }
        if number == 0 {
            bail!("{}: expected at least one game, found none", path.display());
        }
        Ok(())
    }

    fn check_game(&mut self, record: &Record, problem: impl Fn(&str, String) -> Problem) {
        self.games += 1;
        *match record.result {
            GameResult::Black => &mut self.black_wins,
            GameResult::White => &mut self.white_wins,
            GameResult::Draw => &mut self.draws,
            GameResult::Unknown => &mut self.unknown,
        } += 1;
        let title = title(record);
        match replay(record) {
            Ok((plies, on_board)) => {
                self.plies += plies as u64;
                self.decided_on_the_board += u64::from(on_board != GameResult::Unknown);
                let recorded = record.result;
                if on_board != GameResult::Unknown && recorded != GameResult::Unknown && on_board != recorded
                {
                    let error = format!("the record says {recorded}, the board {on_board}");
                    self.contradicted.push(problem(&title, error));
                }
            }
            Err(error) if error.is_illegal_move() => self.illegal.push(problem(&title, error.to_string())),
            Err(error) => self.malformed.push(problem(&title, error.to_string())),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (what, problems) in [("illegal move", &self.illegal), ("wrong result", &self.contradicted)] {
            problems.iter().for_each(|problem| text.push_str(&format!("{what}: {problem}\n")));
        }
        let Summary { games, plies, black_wins, white_wins, draws, unknown, decided_on_the_board, .. } = self;
        text.push_str(&format!("{games} games, {plies} plies\n"));
        text.push_str(&format!(
            "results: {black_wins} Black, {white_wins} White, {draws} drawn, {unknown} unknown\n"
        ));
        text.push_str(&format!("decided by marbles pushed off: {decided_on_the_board}"));
        text.push_str(&format!(", {} of them against the recorded result\n", self.contradicted.len()));
        text.push_str(&format!("games with an illegal move: {}\n", self.illegal.len()));
        text
    }
}

/// Plays a record, variations included: how many plies, and the result on the board.
fn replay(record: &Record) -> Result<(usize, GameResult), RecordError> {
    let game = record.replay()?;
    if record.line.plies.iter().any(|ply| !ply.variations.is_empty()) {
        record.rewritten(Notation::default())?;
    }
    Ok((game.moves().len(), GameResult::of(game.outcome())))
}

fn title(record: &Record) -> String {
    let tag = |name| record.tag(name).unwrap_or("?");
    format!("{}, {} v {}", tag("Event"), tag("Black"), tag("White"))
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Problem { file, game, title, error } = self;
        let title = if title.is_empty() { String::new() } else { format!(" ({title})") };
        write!(f, "{}, game {game}{title}: {error}", file.display())
    }
}
