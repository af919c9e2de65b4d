//! `sumito bot`: an agent plays on a server of others, as an account of its own.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use sumito_agents::{AgentSpec, Limits};
use sumito_lab::limit::LimitSpec;
use sumito_server::{BotSettings, run_bot};

use crate::files::print;

/// Have an agent play on a server, by the interface for bots
///
/// It accepts the challenges that fit what it declares, plays its games, comes back when its line is cut, and takes its games up again when it is
/// started anew. It ends with Ctrl-C, and with code 2 if the server refuses its token.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  sumito bot --server http://127.0.0.1:7161 --token-file bot.token --agent sumito:level=8
  sumito bot --server http://arena.example --token-file bot.token --agent 'ugi:./my-engine' --games 2
  sumito bot --token-file bot.token --agent aba-pro:depth=4 --speed blitz --speed rapid --only rated
  sumito bot --token-file bot.token --agent sumito:level=8 --tournament k7m2p9x4qa

A person makes the bot's account and its token on the page of their own account.")]
pub(crate) struct Args {
    /// The server's address
    #[arg(long, value_name = "URL", env = "SUMITO_BOT_SERVER", default_value = "http://127.0.0.1:7161")]
    server: String,
    /// The file with the token, which nobody else should be able to read
    #[arg(long, value_name = "FILE")]
    token_file: PathBuf,
    /// The agent: a name with options, or `ugi:COMMAND` for a program that speaks UGI
    #[arg(long, value_name = "SPEC")]
    agent: AgentSpec,
    /// What limits a move besides the clock: `movetime=1s`, `nodes=1000`, `depth=4`
    #[arg(long, value_name = "LIMIT")]
    limit: Option<LimitSpec>,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    games: u32,
    /// Accept this layout alone; may be given several times
    #[arg(long, value_name = "NAME")]
    layout: Vec<String>,
    /// Accept clocks of this class alone; may be given several times
    #[arg(long, value_name = "CLASS", value_parser = ["bullet", "blitz", "rapid", "correspondence"])]
    speed: Vec<String>,
    /// Accept only games of this kind, or this kind of opponents; may be given several times
    #[arg(long, value_name = "KIND", value_parser = ["rated", "casual", "people", "bots"])]
    only: Vec<String>,
    /// Take part in this tournament, by its id; may be given several times
    #[arg(long, value_name = "ID")]
    tournament: Vec<String>,
    /// Seconds of silence after which the line is taken for cut
    #[arg(long, value_name = "SECONDS", default_value_t = 25, value_parser = clap::value_parser!(u64).range(1..=600))]
    patience: u64,
    /// Print what would be declared to the server, and end
    #[arg(long)]
    dry_run: bool,
}

impl Args {
    /// What the bot accepts.
    fn accepts(&self) -> Value {
        let only = |kind: &str| self.only.iter().any(|word| word == kind);
        json!({
            "layouts": self.layout,
            "speeds": self.speed,
            "games": self.games,
            "rated": !only("casual"),
            "casual": !only("rated"),
            "people": !only("bots"),
            "bots": !only("people"),
        })
    }
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let accepts = args.accepts();
    args.agent.resolve().context("--agent")?;
    if args.dry_run {
        print(&format!("{accepts:#}\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let file = args.token_file.display();
    let token = std::fs::read_to_string(&args.token_file).with_context(|| format!("--token-file {file}"))?;
    let token = token.trim().to_string();
    let is_token = !token.is_empty() && token.chars().all(|c| c.is_ascii_graphic());
    ensure!(is_token, "--token-file {file}: expected a token such as smt_abc, found something else");
    let limits = args.limit.map_or_else(Limits::default, |limit| Limits {
        nodes: limit.nodes,
        depth: limit.depth,
        move_time: limit.move_time,
        ..Limits::default()
    });
    let settings = BotSettings {
        server: args.server,
        token,
        agent: args.agent,
        limits,
        accepts,
        tournaments: args.tournament,
        patience: Duration::from_secs(args.patience),
    };
    run_bot(&settings, Arc::new(|line: &str| tell!("{line}")))?;
    Ok(ExitCode::SUCCESS)
}
