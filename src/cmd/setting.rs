//! How games are played, for the commands that play many: openings, limits, rules and adjudication.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use sumito_agents::options::parse_time;
use sumito_lab::limit::LimitSpec;
use sumito_lab::opening::{self, Opening};
use sumito_lab::referee::{Conduct, ResignRule};
use sumito_lab::work::Threads;
use sumito_rules::Rules;

use crate::interrupt::free_processors;

/// The arguments about games.
#[derive(clap::Args)]
pub(crate) struct Setting {
    /// Starting layouts: names or FENs with commas, `all`, or `sound` (those whose cells no source disputes)
    #[arg(long, default_value = "sound", value_name = "LIST")]
    layouts: String,
    /// A file of openings: APGN games, all of whose moves are played, or one FEN a line
    #[arg(long, conflicts_with = "layouts", value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Random moves at the start of every pair of games, none of which pushes a marble off
    #[arg(long, default_value_t = 0, value_name = "K")]
    random_plies: usize,
    /// Time, nodes or depth: `movetime=100ms`, `clock=60s+0.6s`, `nodes=1000`, `depth=4`, several with commas,
    /// or `none` [default: the rules' time, else movetime=100ms]
    #[arg(long, value_name = "LIMIT")]
    limit: Option<LimitSpec>,
    /// How games end: official, playstrategy, bcit, cornell, tournament or mso
    #[arg(long, default_value = "tournament", value_name = "PRESET")]
    rules: String,
    /// After so many plies a game ends as at the rules' own limit
    #[arg(long, default_value_t = 1000, value_name = "N")]
    max_plies: u32,
    /// What a player may take beyond its time
    #[arg(long, default_value = "20ms", value_name = "TIME")]
    grace: String,
    /// End a game when both players' scores have been beyond SCORE for PLIES moves on end; only for players
    /// whose scores have the same unit
    #[arg(long, value_name = "SCORE,PLIES")]
    resign: Option<String>,
}

/// The arguments of work that plays many games and is kept in a folder.
#[derive(clap::Args)]
pub(crate) struct Series {
    #[command(flatten)]
    pub(crate) setting: Setting,
    /// Games at a time [default: one less than there are processors]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Seed of all choices, the openings, and players that make random choices
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub(crate) seed: u64,
    /// The folder that keeps everything, and from which it is resumed
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl Series {
    /// Who plays the games.
    pub(crate) fn executor(&self) -> Threads<'static> {
        Threads::new(self.threads.unwrap_or_else(free_processors))
    }
}

impl Setting {
    /// The rules and how the referee judges.
    pub(crate) fn conduct(&self) -> Result<Conduct> {
        let Some(mut rules) = Rules::named(&self.rules) else {
            let names: Vec<&str> = Rules::PRESETS.iter().map(|(name, _)| *name).collect();
            bail!("--rules: expected one of {}, found '{}'", names.join(", "), self.rules);
        };
        rules.ply_cap = Some(rules.ply_cap.map_or(self.max_plies, |cap| cap.min(self.max_plies)));
        let grace = parse_time(&self.grace)
            .with_context(|| format!("--grace: expected a time such as 20ms, found '{}'", self.grace))?;
        let resign = self.resign.as_deref().map(resign_rule).transpose()?;
        Ok(Conduct { grace, resign, ..Conduct::new(rules) })
    }

    /// The common limit: the one given, the rules' own, or 100 ms a move.
    pub(crate) fn limit(&self, conduct: &Conduct) -> LimitSpec {
        self.limit_or(conduct, LimitSpec::move_time(Duration::from_millis(100)))
    }

    /// The common limit: the one given, the rules' own, or the one for neither.
    pub(crate) fn limit_or(&self, conduct: &Conduct, otherwise: LimitSpec) -> LimitSpec {
        self.limit.or(LimitSpec::of_rules(&conduct.rules)).unwrap_or(otherwise)
    }

    /// The openings for so many pairs of games.
    pub(crate) fn openings(&self, pairs: usize, seed: u64) -> Result<Vec<Opening>> {
        let bases = match &self.openings {
            None => opening::layouts(&self.layouts).context("--layouts")?,
            Some(path) => {
                let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
                opening::from_text(&text).with_context(|| path.display().to_string())?
            }
        };
        if self.random_plies == 0 {
            return Ok(bases);
        }
        Ok(opening::randomised(&bases, self.random_plies, pairs, seed)?)
    }
}

fn resign_rule(text: &str) -> Result<ResignRule> {
    let parts = text.split_once(',').and_then(|(score, plies)| {
        Some(ResignRule { score: score.trim().parse().ok()?, plies: plies.trim().parse().ok()? })
    });
    let rule = parts.filter(|rule| rule.score > 0.0 && rule.plies >= 2);
    rule.with_context(|| {
        format!("--resign: expected a score and at least 2 plies such as 500,6, found '{text}'")
    })
}
