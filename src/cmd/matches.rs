//! `sumito match`: plays a match between agents, with a live table, and keeps it so that it can be resumed.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use sumito_lab::config::{MatchConfig, players};
use sumito_lab::runner::Runner;
use sumito_lab::schedule::Format;
use sumito_lab::sprt::Sprt;
use sumito_lab::stats::{Estimate, WdlCount};
use sumito_lab::tally::{MatchReport, MatchTally, PairingReport, PlayerReport, SprtReport};
use sumito_lab::work::{Threads, registered};

use crate::cmd::setting::Setting;
use crate::files::{print, print_json};
use crate::interrupt::{INTERRUPTED, command_line, free_processors, stop_on_interrupt};
use crate::progress::Progress;
use crate::terminal::is_person;

/// Play a match between two or more agents
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito match random greedy
  sumito match aba-pro:depth=4 verloop:depth=4 --limit none --out runs/depth4
  sumito match sumito sumito:level=4@nodes=5000 --sprt elo0=0,elo1=5 --games 20000 --out runs/level4

The games are played in pairs: each opening twice, with colours changed. With --out, every game is kept as it
ends, and the same command goes on where it was stopped.")]
pub(crate) struct Args {
    /// The players, such as `random` or `aba-pro:depth=4`; `AGENT@LIMIT` gives one a limit of its own
    #[arg(required = true, num_args = 2.., value_name = "AGENT")]
    agents: Vec<String>,
    /// The first against all others, instead of everybody against everybody
    #[arg(long)]
    gauntlet: bool,
    /// Games for each two players, an even number
    #[arg(long, default_value_t = 100, value_name = "N")]
    games: usize,
    #[command(flatten)]
    setting: Setting,
    /// Games at a time [default: one less than there are processors]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Stop as soon as a sequential test is decided: `elo0=0,elo1=5`, also alpha and beta (0.05)
    #[arg(long, value_name = "TEST")]
    sprt: Option<Sprt>,
    /// Seed of openings, their order, and players that make random choices
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// Keep games and results in this folder, and resume the match that is there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let config = config(&args)?;
    let stop = stop_on_interrupt()?;
    let executor = &Threads::new(args.concurrency.unwrap_or_else(free_processors));
    let bar = Progress::long("games");
    let dir = args.out.as_deref();
    let runner = Runner { config: &config, executor, dir, build: &registered, stop: &stop };
    let report = runner.run(&mut |progress| {
        if progress.resumed {
            bar.resume(progress.ended as u64);
        }
        bar.report(progress.ended as u64, progress.scheduled as u64, || state(progress.tally, &config));
    })?;
    drop(bar);
    if args.json {
        print_json(&report)?;
    } else {
        print(&text(&report, &config, args.out.as_deref()))?;
    }
    if report.finished {
        return Ok(ExitCode::SUCCESS);
    }
    tell!("Stopped after {} of {} games.", report.games, report.scheduled);
    match args.out {
        Some(_) => tell!("Go on with:\n  {}", command_line()),
        None => tell!("Nothing was kept; with --out DIR the same command could go on from here."),
    }
    Ok(ExitCode::from(INTERRUPTED))
}

fn config(args: &Args) -> Result<MatchConfig> {
    if let Some(spec) = args.agents.iter().find(|spec| is_person(spec)) {
        bail!("'{spec}': a person cannot play in a match, only at the terminal with `sumito play`");
    }
    ensure!(
        args.games > 0 && args.games.is_multiple_of(2),
        "--games: expected an even number, found {}",
        args.games
    );
    let pairs = args.games / 2;
    let conduct = args.setting.conduct()?;
    let config = MatchConfig {
        players: players(&args.agents, args.setting.limit(&conduct))?,
        format: if args.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
        pairs,
        seed: args.seed,
        conduct,
        sprt: args.sprt,
        openings: args.setting.openings(pairs, args.seed)?,
        grown: Vec::new(),
    };
    // With more games than before the match in the folder goes on.
    Ok(match args.out.as_deref().and_then(MatchConfig::read) {
        Some(there) => config.going_on(&there),
        None => config,
    })
}

/// Where a match is: a table on a terminal, else a line.
fn state(tally: &MatchTally, config: &MatchConfig) -> String {
    let report = tally.report(config, false);
    if !std::io::stderr().is_terminal() {
        return results(&report);
    }
    let test = report.sprt.as_ref().map_or(String::new(), |sprt| format!("\n{}", sprt_line(sprt)));
    format!("{}{test}", pairing_table(&report))
}

/// What every pairing has come to, in one line.
fn results(report: &MatchReport) -> String {
    let result =
        |pairing: &PairingReport| format!("{} {} {}", pairing.player, wdl(pairing.games), pairing.opponent);
    report.pairings.iter().map(result).collect::<Vec<_>>().join(", ")
}

fn text(report: &MatchReport, config: &MatchConfig, out: Option<&Path>) -> String {
    let mut lines = vec![pairing_table(report).to_string(), player_table(report).to_string()];
    lines.extend(report.sprt.as_ref().map(sprt_line));
    if config.pairs > config.openings.len() {
        lines.push(format!(
            "Note: {} openings for {} pairs of games; players that make no random choices repeat themselves.",
            config.openings.len(),
            config.pairs
        ));
    }
    lines.extend(out.map(|dir| format!("Kept in {}: games.apgn, results.json, results.csv", dir.display())));
    lines.join("\n") + "\n"
}

fn table(titles: &[&str], text_columns: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(titles);
    for column in table.column_iter_mut().skip(text_columns) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn pairing_table(report: &MatchReport) -> Table {
    let titles =
        ["player", "opponent", "W-D-L", "score", "Elo", "nElo", "LOS", "pairs 0-½-1-1½-2", "drawn", "plies"];
    let mut table = table(&titles, 2);
    for pairing in report.pairings.iter().filter(|pairing| pairing.games.games() > 0) {
        let PairingReport { player, opponent, games, estimate, pentanomial, .. } = pairing;
        table.add_row([
            player.clone(),
            opponent.clone(),
            wdl(*games),
            percent(games.points() / games.games() as f64),
            elo(estimate),
            plus_minus(estimate.nelo, estimate.nelo_error),
            percent(estimate.los),
            pentanomial.0.map(|n| n.to_string()).join("-"),
            percent(pairing.draw_ratio),
            maybe(pairing.average_plies, 1),
        ]);
    }
    table
}

fn player_table(report: &MatchReport) -> Table {
    let titles = [
        "player",
        "limit",
        "W-D-L",
        "score",
        "depth",
        "nodes/s",
        "ms/move",
        "lost by time",
        "illegal",
        "crash",
        "stall",
    ];
    let mut table = table(&titles, 2);
    for player in &report.players {
        let PlayerReport { name, limit, games, faults, .. } = player;
        table.add_row([
            name.clone(),
            limit.clone(),
            wdl(*games),
            percent(games.points() / games.games().max(1) as f64),
            maybe(player.depth, 1),
            maybe(player.nodes_per_second, 0),
            maybe(player.ms_per_move, 1),
            faults.time.to_string(),
            faults.illegal.to_string(),
            faults.crash.to_string(),
            faults.stall.to_string(),
        ]);
    }
    table
}

fn sprt_line(report: &SprtReport) -> String {
    let SprtReport { sprt, llr, lower, upper, verdict } = report;
    format!("SPRT {sprt}: LLR {llr:.2} ({lower:.2}, {upper:.2}), {verdict}")
}

fn wdl(games: WdlCount) -> String {
    format!("{}-{}-{}", games.wins, games.draws, games.losses)
}

fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

fn elo(estimate: &Estimate) -> String {
    plus_minus(estimate.elo, estimate.elo_error)
}

fn plus_minus(value: f64, error: f64) -> String {
    match (value.is_finite(), error.is_finite()) {
        (true, true) => format!("{value:+.1} ± {error:.1}"),
        (true, false) => format!("{value:+.1} ± ∞"),
        (false, _) => if value > 0.0 { "+∞" } else { "-∞" }.to_string(),
    }
}

fn maybe(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_string(), |value| format!("{value:.digits$}"))
}
