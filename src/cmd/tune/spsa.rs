//! `sumito tune spsa`: lets an agent play itself with numbers a little up and down, and follows the winner.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail, ensure};
use comfy_table::{CellAlignment, Table, presets};
use sumito_lab::stats::WdlCount;
use sumito_lab::tune::param::{declared, tunables};
use sumito_lab::tune::spsa::{Spsa, SpsaConfig, SpsaGames, SpsaPlan, SpsaReport};
use sumito_lab::tune::steps::TuneFolder;
use sumito_lab::work::registered;

use crate::cmd::setting::Series;
use crate::cmd::tune::TuneProgress;
use crate::interrupt::{conclude, stop_on_interrupt};
use crate::terminal::is_person;

/// Tune by games of the agent against itself (SPSA)
///
/// Every pair of games moves all numbers at once, each up or down by chance, and plays the agent with these values
/// against the one with the opposite values, on one opening with colours changed. Then all numbers go a little to
/// the side of the winner.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito tune spsa --all --agent sumito:hash=4 --limit nodes=5000 --games 20000 --random-plies 4 --out runs/all
  sumito tune spsa --param rfp_margin --param lmr_base:0:120:20 --limit movetime=50ms --out runs/two
  sumito tune spsa --agent bcit:factor=1.2 --param factor:0.5:3:0.1 --limit depth=2 --out runs/bcit

Every iteration is kept as it ends, and the same command goes on where it was stopped. With a limit in nodes or
depth the same seed gives the same values, on any number of threads. Gains: of N pairs of games, pair k looks
step*(N/k)^0.101 to either side, and a game more won than lost moves a number by that times
rate*((A+N)/(A+k))^0.602*(k/N)^0.202, A = N/10.")]
pub(crate) struct Args {
    /// The agent to tune; what its spec sets is where the tuning starts
    #[arg(long, default_value = "sumito", value_name = "SPEC")]
    agent: String,
    /// A number to tune, as often as you like: NAME or NAME:min:max:step [default: the option's range, and the
    /// step of the engine's table or a twentieth of the range]
    #[arg(long = "param", value_name = "NAME", required_unless_present = "all")]
    params: Vec<String>,
    /// Tune every number that the agent declares for it (`sumito agents --all` lists them), those named by
    /// --param with their own range
    #[arg(long)]
    all: bool,
    /// Iterations: how often the values change
    #[arg(long, default_value_t = 1000, value_name = "N")]
    iterations: usize,
    /// Games in all, instead of iterations
    #[arg(long, conflicts_with = "iterations", value_name = "N")]
    games: Option<usize>,
    /// Pairs of games in each iteration, each pair with moves of its own
    #[arg(long, default_value_t = 4, value_name = "N")]
    pairs: usize,
    /// The learning rate at the end: the part of a step by which a won game moves a number. Short tunings need
    /// more, such as 0.01
    #[arg(long, default_value_t = 0.002, value_name = "R")]
    rate: f64,
    #[command(flatten)]
    series: Series,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let config = config(&args)?;
    let mut spsa = Spsa::new(&config.plan);
    let stop = stop_on_interrupt()?;
    let mut folder = TuneFolder::open(&args.series.out, &config, &mut spsa)?;
    let executor = args.series.executor();
    let games = SpsaGames::new(&config, &executor, &stop);
    let progress = TuneProgress::new(spsa.games().games(), 2 * config.plan.all_pairs() as u64, state);
    let outcome = progress.run(&mut spsa, &mut folder, |spsa, on_games| games.play(&spsa.probes(), on_games));
    // What was learned before games could no longer be played is there and worth seeing.
    let report = SpsaReport::new(&config, &spsa);
    folder.write("result.json", &format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    folder.write("values.svg", &spsa.picture(&config))?;
    outcome?;
    let stopped =
        (!report.finished).then(|| format!("{} of {} iterations", report.iterations, report.scheduled));
    conclude(&report, args.series.json, || Ok(text(&report, &args.series.out)), stopped)
}

fn config(args: &Args) -> Result<SpsaConfig> {
    let agent = &args.agent;
    ensure!(!is_person(agent), "'{agent}': a person cannot be tuned");
    let conduct = args.series.setting.conduct()?;
    let params = tunables(agent, &names(args)?)?;
    let iterations = iterations(args)?;
    let plan = SpsaPlan { params, iterations, pairs: args.pairs, rate: args.rate, seed: args.series.seed };
    let config = SpsaConfig {
        agent: agent.clone(),
        limit: args.series.setting.limit(&conduct),
        conduct,
        openings: args.series.setting.openings(plan.all_pairs(), args.series.seed)?,
        plan,
    };
    config.check(&registered)?;
    Ok(config)
}

/// The parameters as texts: with `--all` the declared ones, except that those given by `--param` are as given.
fn names(args: &Args) -> Result<Vec<String>> {
    let mut texts = args.params.clone();
    if args.all {
        let is_given = |name: &String| args.params.iter().any(|text| text.split(':').next() == Some(name));
        texts.extend(declared(&args.agent)?.into_iter().filter(|name| !is_given(name)));
    }
    Ok(texts)
}

fn iterations(args: &Args) -> Result<usize> {
    let Some(games) = args.games else { return Ok(args.iterations) };
    let each = 2 * args.pairs;
    if each == 0 || games == 0 || !games.is_multiple_of(each) {
        bail!("--games: expected a multiple of {each} ({} pairs an iteration), found {games}", args.pairs);
    }
    Ok(games / each)
}

/// Where a tuning is, in a line.
fn state(spsa: &Spsa<'_>) -> String {
    let params = spsa.plan().params.iter().zip(spsa.values());
    let values: Vec<String> =
        params.map(|(param, &value)| format!("{}={}", param.name, param.text(value))).collect();
    format!(
        "iteration {} of {}, {} games, {}: {}",
        spsa.iterations(),
        spsa.plan().iterations,
        spsa.games().games(),
        wdl(spsa.games()),
        values.join(" ")
    )
}

fn text(report: &SpsaReport, out: &Path) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["name", "start", "now", "change", "in steps"]);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for param in &report.params {
        table.add_row([
            param.name.clone(),
            param.start.to_string(),
            param.text.clone(),
            format!("{:+.2}", param.now - param.start),
            format!("{:+.2}", param.steps),
        ]);
    }
    let games = report.games;
    let mut lines = vec![
        table.to_string(),
        format!("{} iterations, {} games: {}", report.iterations, games.games(), wdl(games)),
    ];
    if report.faults > 0 {
        lines.push(format!(
            "Note: {} games were lost by time, an illegal move or a breakdown.",
            report.faults
        ));
    }
    lines.push(format!("\nAs a spec:\n  {}", report.spec));
    if !report.table.is_empty() {
        lines.push(format!("\nFor the engine's table:\n    {}", report.table.join("\n    ")));
    }
    lines.push(format!("\nKept in {}: iterations.jsonl, result.json, values.svg", out.display()));
    lines.join("\n") + "\n"
}

fn wdl(games: WdlCount) -> String {
    format!("{}-{}-{}", games.wins, games.draws, games.losses)
}
