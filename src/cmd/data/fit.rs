//! `sumito data fit-wdl`: a model of winning chances, fitted to training data or to recorded games.

use std::fs::File;
use std::io::{BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use comfy_table::{CellAlignment, Table, presets};
use sumito_engine::analysis::Judgement;
use sumito_lab::data::chances::{ChanceSample, Fit, GameChances, MoveLosses};
use sumito_lab::data::{Reader, plot};
use sumito_lab::reviews::GameReviews;
use sumito_lab::work::Threads;
use sumito_rules::record;

use crate::files::{Output, print, print_json};
use crate::interrupt::{INTERRUPTED, command_line, stop_on_interrupt};
use crate::progress::Progress;

/// Fit a model of winning chances to the results of games
///
/// A side with the score s wins with the chance σ((s − a) / b) and loses with σ((−s − a) / b). a (`even`) and b
/// (`spread`) are straight lines over the marbles gone from the board. One game in ten is held back to measure the fit.
///
/// A FILE is training data, a table that `--table` wrote, or a record of games (APGN), whose positions are searched first.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Files that `sumito datagen` made, tables, or records of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Leave out positions of training data with more plies since the last ejection, of games that went flat; 0 for none
    #[arg(long, default_value_t = 100, value_name = "N")]
    max_quiet: u16,
    /// Nodes for each position of a recorded game
    #[arg(long, default_value_t = 2000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Threads that search recorded games; all cores by default
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Keep the searches of recorded games in a folder, where the same command goes on after a stop
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Write how positions ended by score and marbles gone, to fit to again
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Write how much the moves of recorded games lost, by the model that is fitted
    #[arg(long, value_name = "FILE")]
    losses: Option<PathBuf>,
    /// Draw what was promised and what happened
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print the fit as JSON
    #[arg(long)]
    json: bool,
}

/// What a file is, by its first bytes.
enum Kind {
    Data,
    Table,
    Games,
}

pub(super) fn run(args: &Args) -> Result<ExitCode> {
    let max_quiet = Some(args.max_quiet).filter(|&plies| plies > 0);
    let (mut sample, mut reviewed) = (ChanceSample::new(max_quiet), None);
    for path in &args.files {
        match kind(path)? {
            Kind::Data => add_data(&mut sample, path)?,
            Kind::Table => {
                let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
                sample
                    .add_table(&text)
                    .map_err(anyhow::Error::msg)
                    .with_context(|| path.display().to_string())?;
            }
            Kind::Games if args.files.len() == 1 => {
                let Some(found) = review(args, path)? else { return Ok(ExitCode::from(INTERRUPTED)) };
                sample = found.sample.clone();
                reviewed = Some(found);
            }
            Kind::Games => {
                bail!("{}: expected a record of games alone, found other files with it", path.display())
            }
        }
    }
    let fit = sample.fit().context(
        "expected games that were won, drawn and lost to fit to, and at least ten of them; found too few",
    )?;
    keep(args.svg.as_deref(), || plot::calibration(&fit.calibration))?;
    keep(args.table.as_deref(), || sample.table())?;
    let losses = reviewed.map(|found| found.losses(&fit.model()));
    match (&losses, &args.losses) {
        (Some(losses), path) => keep(path.as_deref(), || losses.table())?,
        (None, Some(_)) => bail!("expected a record of games for --losses, found none"),
        (None, None) => {}
    }
    if args.json {
        print_json(&fit)?;
    } else {
        print(&(describe_fit(&fit) + &losses.as_ref().map(describe_losses).unwrap_or_default()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn kind(path: &Path) -> Result<Kind> {
    let mut start = Vec::new();
    let file = File::open(path).with_context(|| path.display().to_string())?;
    file.take(8).read_to_end(&mut start).with_context(|| path.display().to_string())?;
    let is_table = start.starts_with(b"#") || start.starts_with(b"part\t");
    Ok(match start.starts_with(b"SUMITODT") {
        true => Kind::Data,
        false if is_table => Kind::Table,
        false => Kind::Games,
    })
}

fn add_data(sample: &mut ChanceSample, path: &Path) -> Result<()> {
    let mut reader = Reader::open(path)?;
    let progress = Progress::bytes();
    while let Some(chunk) = reader.next() {
        sample.add(&chunk?);
        let (read, whole) = reader.progress();
        progress.update(read, whole);
    }
    Ok(())
}

/// Searches all positions of the games in a record; none if that was stopped. Games that cannot be read are left out, and told.
fn review(args: &Args, path: &Path) -> Result<Option<GameChances>> {
    let input = BufReader::new(File::open(path).with_context(|| path.display().to_string())?);
    let (mut games, mut unreadable) = (Vec::new(), 0);
    for record in record::Reader::new(input) {
        let record = record.with_context(|| path.display().to_string())?;
        match record.replay() {
            Ok(game) => games.push((game, record.result)),
            Err(_) => unreadable += 1,
        }
    }
    if games.is_empty() {
        bail!("{}: expected training data, a table or games, found none of them", path.display());
    }
    if unreadable > 0 {
        tell!("{unreadable} of {} games cannot be played through and are left out", games.len() + unreadable);
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let executor = Threads::new(args.threads.unwrap_or(processors));
    let (stop, bar, whole) = (stop_on_interrupt()?, Progress::long("games"), games.len() as u64);
    let reviews = GameReviews {
        games: &games,
        nodes: args.nodes,
        executor: &executor,
        dir: args.out.as_deref(),
        stop: &stop,
    };
    let (mut first, mut done) = (true, 0);
    let found = reviews.run(&mut |games| {
        done = games as u64;
        if std::mem::take(&mut first) {
            bar.resume(done);
        }
        bar.update(done, whole);
    })?;
    drop(bar);
    if found.is_none() {
        match &args.out {
            Some(_) => tell!("Stopped after {done} of {whole} games. Go on with:\n  {}", command_line()),
            None => {
                tell!("Stopped after {done} of {whole} games. With --out FOLDER they would have been kept.");
            }
        }
    }
    Ok(found)
}

fn keep(path: Option<&Path>, text: impl FnOnce() -> String) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let mut out = Output::create(Some(path))?;
    out.write_all(text().as_bytes())?;
    out.finish()
}

fn describe_fit(fit: &Fit) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header([
        "positions",
        "points promised",
        "made",
        "won promised",
        "made",
        "drawn promised",
        "made",
    ]);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let percent = |part: f64| format!("{:.1} %", 100.0 * part);
    for bin in &fit.calibration {
        let (promised, made) = bin.points();
        let parts = [promised, made, bin.promised[2], bin.happened[2], bin.promised[1], bin.happened[1]];
        table.add_row([format!("{:.0}", bin.positions)].into_iter().chain(parts.map(percent)));
    }
    let ([even, even_slope], [spread, spread_slope]) = (fit.even, fit.spread);
    format!(
        "WdlModel {{ even: [{even:.1}, {even_slope:.2}], spread: [{spread:.1}, {spread_slope:.2}] }}\n\
         log-loss {:.4} on {:.0} positions; on {:.0} others {:.4}, by the engine's models {:.4} (its own games) and {:.4} (people's), without looking at \
         the position {:.4}\n{table}\n",
        fit.loss,
        fit.positions,
        fit.held_back,
        fit.held_back_loss,
        fit.self_play_loss,
        fit.people_loss,
        fit.blind_loss
    )
}

fn describe_losses(losses: &MoveLosses) -> String {
    let share =
        |judgement: Judgement| format!("{} {:.1} %", judgement.mark(), 100.0 * losses.share(judgement));
    let shares = [Judgement::Inaccuracy, Judgement::Mistake, Judgement::Blunder].map(share);
    format!("{} moves: {}\n", losses.moves(), shares.join(", "))
}
