//! `sumito evolve`: better weights of an agent by the genetic algorithm on two islands.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use comfy_table::{CellAlignment, Table, presets};
use sumito_lab::limit::LimitSpec;
use sumito_lab::tune::evolve::{
    Crossover, Evolution, EvolveConfig, EvolveGames, EvolvePlan, EvolveReport, ISLANDS, Preset, Scoring,
    StepPart, preset,
};
use sumito_lab::tune::param::ranged;
use sumito_lab::tune::steps::TuneFolder;
use sumito_lab::work::registered;

use crate::cmd::setting::Series;
use crate::cmd::tune::TuneProgress;
use crate::interrupt::{conclude, stop_on_interrupt};
use crate::terminal::is_person;

/// Evolve an agent's weights on two islands (a genetic algorithm)
///
/// Sets of weights play the agent with its own ones, the coach. On one island parents are chosen by rank, on the
/// other by fitness; after each generation the islands exchange half of their members. The best of both meet in
/// tournaments whose winners have a child of every two, and in the end the best play the coach once more.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito evolve --agent maastricht --random-plies 4 --out runs/neutral
  sumito evolve --agent maastricht --nine --spread 0.3 --score ejections --random-plies 4 --out runs/nine
  sumito evolve --agent bcit --weight factor:0:5 --weight bonus:0:50 --limit depth=2 --out runs/bcit
  sumito evolve --agent 'maastricht:weights=3;2;6;1.8;35;1750' --weight weights.5:0:99 --out runs/fifth

Without --limit everybody looks one ply ahead, as in the games of the paper's program.
Every generation, round of tournaments and the final are kept as they end, and the same command goes on where it was
stopped. With a limit in nodes or depth the same seed gives the same weights, on any number of threads.
The folder gets steps.csv (fitness, and the games nobody won), fitness.svg and result.json.")]
pub(crate) struct Args {
    /// The agent whose weights evolve
    #[arg(long, default_value = "maastricht", value_name = "SPEC")]
    agent: String,
    /// A weight, as often as you like: NAME, or NAME:MIN:MAX; `weights.3` is the third of an option `weights=1;2;3`
    /// [default: those of the evaluation of maastricht, bcit (jason's) or verloop]
    #[arg(long = "weight", value_name = "NAME")]
    weights: Vec<String>,
    /// Evolve the nine sets of maastricht's neutral evaluation together, each for its state of the board
    #[arg(long, conflicts_with = "weights")]
    nine: bool,
    /// Against whom fitness is measured [default: the agent as given]
    #[arg(long, value_name = "SPEC")]
    coach: Option<String>,
    /// Members of each of the two islands
    #[arg(long, default_value_t = 100, value_name = "N")]
    island: usize,
    /// Generations on the islands
    #[arg(long, default_value_t = 20, value_name = "N")]
    generations: usize,
    /// Pairs of games of each member against the coach in a generation
    #[arg(long, default_value_t = 1, value_name = "N")]
    pairs: usize,
    /// Members of an island that stay; children take the places of the others [default: a quarter]
    #[arg(long, value_name = "N")]
    survivors: Option<usize>,
    /// Where the first members are: in this part of the ranges around the agent's own values; 1 is everywhere
    #[arg(long, default_value_t = 1.0, value_name = "PART", allow_negative_numbers = true)]
    spread: f64,
    /// How two parents make a child
    #[arg(long, value_enum, default_value_t)]
    crossover: Crossover,
    /// The part of the children that change in one weight
    #[arg(long, default_value_t = 0.05, value_name = "PART", allow_negative_numbers = true)]
    mutation: f64,
    /// How far such a change goes at most, as a part of the weight's range
    #[arg(long, default_value_t = 0.2, value_name = "PART", allow_negative_numbers = true)]
    reach: f64,
    /// What a game counts
    #[arg(long, value_enum, default_value_t)]
    score: Scoring,
    /// Players in a tournament, and tournaments in a round [default: 10, or fewer on small islands]
    #[arg(long, value_name = "N")]
    group: Option<usize>,
    /// Rounds of tournaments
    #[arg(long, default_value_t = 2, value_name = "N")]
    rounds: usize,
    /// Openings in a round of tournaments; on a single one members much alike only win with the better colour
    /// [default: as many as there are players in a tournament]
    #[arg(long, value_name = "N")]
    round_openings: Option<usize>,
    /// Pairs of games of each finalist against the coach
    #[arg(long, default_value_t = 50, value_name = "N")]
    final_pairs: usize,
    /// The limit in the final [default: as in all other games]
    #[arg(long, value_name = "LIMIT")]
    final_limit: Option<LimitSpec>,
    #[command(flatten)]
    series: Series,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let config = config(&args)?;
    let mut evolution = Evolution::new(&config.plan);
    let stop = stop_on_interrupt()?;
    let mut folder = TuneFolder::open(&args.series.out, &config, &mut evolution)?;
    let executor = args.series.executor();
    let games = EvolveGames::new(&config, &executor, &stop);
    let progress = TuneProgress::new(evolution.games().games(), config.plan.all_games(), state);
    let outcome = progress.run(&mut evolution, &mut folder, |evolution, on_games| {
        games.play(evolution.stage(), &evolution.bouts(), on_games)
    });
    // What was found before games could no longer be played is there and worth seeing.
    let report = EvolveReport::new(&config, &evolution);
    folder.write("result.json", &format!("{}\n", serde_json::to_string_pretty(&report)?))?;
    folder.write("steps.csv", &evolution.csv())?;
    folder.write("fitness.svg", &evolution.picture(&config))?;
    outcome?;
    let stopped = (!report.finished).then(|| format!("{} of {} steps", report.steps, report.scheduled));
    conclude(&report, args.series.json, || Ok(text(&report, &evolution, &args.series.out)), stopped)
}

/// The limit when none is given: one ply, as the paper's program played its games.
const ONE_PLY: LimitSpec = LimitSpec { move_time: None, clock: None, nodes: None, depth: Some(1) };

fn config(args: &Args) -> Result<EvolveConfig> {
    for spec in [Some(&args.agent), args.coach.as_ref()].into_iter().flatten() {
        ensure!(!is_person(spec), "'{spec}': a person cannot play the games of an evolution");
    }
    let conduct = args.series.setting.conduct()?;
    let Preset { agent, weights } = if args.weights.is_empty() {
        preset(&args.agent, args.nine)?
    } else {
        Preset { agent: args.agent.clone(), weights: args.weights.clone() }
    };
    let group = args.group.unwrap_or_else(|| args.island.saturating_mul(2).isqrt().clamp(2, 10));
    let plan = EvolvePlan {
        weights: ranged(&agent, &weights)?,
        island: args.island,
        generations: args.generations,
        pairs: args.pairs,
        survivors: args.survivors.unwrap_or(args.island / 4),
        spread: args.spread,
        crossover: args.crossover,
        mutation: args.mutation,
        reach: args.reach,
        scoring: args.score,
        group,
        rounds: args.rounds,
        round_openings: args.round_openings.unwrap_or(group),
        final_pairs: args.final_pairs,
        seed: args.series.seed,
    };
    plan.check()?;
    let limit = args.series.setting.limit_or(&conduct, ONE_PLY);
    let config = EvolveConfig {
        agent,
        coach: args.coach.clone().unwrap_or_else(|| args.agent.clone()),
        limit,
        final_limit: args.final_limit.unwrap_or(limit),
        conduct,
        openings: args.series.setting.openings(plan.openings(), args.series.seed)?,
        plan,
    };
    config.check(&registered)?;
    Ok(config)
}

/// Where an evolution is, in a line.
fn state(evolution: &Evolution<'_>) -> String {
    let Some(step) = evolution.history().last() else { return "generation 1".to_string() };
    let parts: Vec<String> = match &step.parts[..] {
        [all] => vec![format!("best {}", percent(all.best))],
        islands => {
            let named = islands.iter().zip(ISLANDS);
            named
                .map(|(part, island)| {
                    format!("{} best {} mean {}", island.name(), percent(part.best), percent(part.mean))
                })
                .collect()
        }
    };
    let (games, drawn) = (evolution.games().games(), percent(step.games.drawn()));
    format!("{}, {games} games: {}, drawn {drawn}", step.name(), parts.join(", "))
}

fn text(report: &EvolveReport, evolution: &Evolution<'_>, out: &Path) -> String {
    let mut lines = vec![steps(evolution), weights(report)];
    lines.push(format!(
        "{} games, {} drawn, {} not won on the board by anybody",
        report.games,
        percent(report.drawn),
        percent(report.undecided)
    ));
    if let (Some(games), Some(score)) = (report.final_games, report.final_score) {
        lines.push(format!(
            "The best in the final against {}: {}-{}-{}, score {} (chosen by these games: play a match to know)",
            report.coach,
            games.wins,
            games.draws,
            games.losses,
            percent(score)
        ));
    }
    if report.faults > 0 {
        lines.push(format!(
            "Note: {} games were lost by time, an illegal move or a breakdown.",
            report.faults
        ));
    }
    lines.push(format!("\nAs a spec:\n  '{}'", report.spec));
    lines.push(format!("\nKept in {}: steps.jsonl, steps.csv, fitness.svg, result.json", out.display()));
    lines.join("\n") + "\n"
}

/// A table of all steps.
fn steps(evolution: &Evolution<'_>) -> String {
    let mut table = table(&[
        "step",
        "games",
        "rank best",
        "stayed",
        "mean",
        "pie best",
        "stayed",
        "mean",
        "drawn",
        "not won",
    ]);
    for step in evolution.history() {
        let stayed = |part: &StepPart| part.stayed.map_or(String::new(), percent);
        let parts = step.parts.iter().flat_map(|part| [percent(part.best), stayed(part), percent(part.mean)]);
        let mut row = vec![step.name(), step.games.games().to_string()];
        row.extend(parts);
        row.resize(8, String::new());
        row.extend([percent(step.games.drawn()), percent(step.games.undecided())]);
        table.add_row(row);
    }
    format!(
        "{table}\n(In a tournament: the best winner and the mean of all winners, of both islands together)\n"
    )
}

fn weights(report: &EvolveReport) -> String {
    let mut table = table(&["weight", "from", "to", "own", "best"]);
    for weight in &report.weights {
        let [min, max, own] = [weight.min, weight.max, weight.own].map(|number| number.to_string());
        table.add_row([&weight.name, &min, &max, &own, &weight.best]);
    }
    format!("{table}\n")
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn percent(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}
