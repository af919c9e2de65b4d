//! `sumito serve`: the web app. It is what the program does when nothing else is asked for.

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;
use sumito_server::{Config, LogFormat, Network};

/// Serve the web app: play, watch, analyse
///
/// Settings come from these flags, before them from variables such as SUMITO_PORT, before them from a file
/// (--config), and else have their defaults.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Read settings from a file in TOML
    #[arg(long, value_name = "FILE", env = "SUMITO_CONFIG")]
    config: Option<PathBuf>,
    /// Listen on this address instead of this machine's own: others can reach the server then [default: 127.0.0.1]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// The port; if it is taken, the next free one [default: 7161]
    #[arg(long)]
    port: Option<u16>,
    /// The file to keep games in [default: sumito.db]
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// Serve the pages from a folder instead of those in the program, for work on them
    #[arg(long, value_name = "DIR")]
    web_dir: Option<PathBuf>,
    /// Threads that search [default: one for each core]
    #[arg(long, value_name = "N")]
    search_threads: Option<usize>,
    /// Requests a second from one address, in the long run [default: 100]
    #[arg(long, value_name = "N")]
    rate: Option<u32>,
    /// Believe the address that a proxy on this machine tells in X-Forwarded-For
    #[arg(long)]
    behind_proxy: bool,
    /// Believe a proxy at this address or in this network; may be given several times
    #[arg(long, value_name = "ADDRESS")]
    proxy: Vec<Network>,
    /// Answer to this name; may be given several times [default: addresses and localhost]
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// What links to this server begin with, such as `https://sumito.example`; it answers to that name, too
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
    /// Have accounts, so that people meet here
    #[arg(long)]
    arena: bool,
    /// What to log: error, warn, info, debug [default: info]
    #[arg(long, value_name = "LEVEL")]
    log: Option<String>,
    /// Log one JSON object a line
    #[arg(long)]
    log_json: bool,
}

impl Args {
    fn config(self) -> anyhow::Result<Config> {
        // The file is named by a variable of its own, which is no setting.
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| name != "SUMITO_CONFIG");
        let mut config = Config::load(self.config.as_deref(), variables)?;
        config.listen = self.listen.unwrap_or(config.listen);
        config.port = self.port.unwrap_or(config.port);
        config.database = self.database.unwrap_or(config.database);
        config.web_dir = self.web_dir.or(config.web_dir);
        config.search_threads = self.search_threads.unwrap_or(config.search_threads);
        config.rate = self.rate.unwrap_or(config.rate);
        config.burst = config.burst.max(config.rate);
        config.behind_proxy |= self.behind_proxy;
        config.proxies.extend(self.proxy);
        config.hosts.extend(self.host);
        config.public_url = self.public_url.or(config.public_url);
        config.arena |= self.arena;
        config.log = self.log.unwrap_or(config.log);
        if self.log_json {
            config.log_format = LogFormat::Json;
        }
        Ok(config.checked()?)
    }
}

pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let open = args.open;
    let config = args.config()?;
    if let Some(folder) = &config.web_dir
        && !folder.is_dir()
    {
        anyhow::bail!("--web-dir {}: expected a folder", folder.display());
    }
    let database = std::path::absolute(&config.database).unwrap_or(config.database.clone());
    sumito_server::run(config, |address| {
        let url = url(address);
        // Whoever started the program may not listen; the server runs all the same.
        let mut out = std::io::stdout();
        let _ =
            writeln!(out, "Sumito is at {url} (games are kept in {}; Ctrl-C ends it)", database.display());
        let _ = out.flush();
        if open && let Err(error) = browse(&url) {
            tell!("sumito: {error:#}");
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The page's address as a browser takes it.
fn url(address: SocketAddr) -> String {
    match address.ip() {
        ip if ip.is_unspecified() => format!("http://127.0.0.1:{}/", address.port()),
        _ => format!("http://{address}/"),
    }
}

/// Opens the page.
fn browse(url: &str) -> anyhow::Result<()> {
    let (program, args): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/c", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(args).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
        .spawn()
        .with_context(|| format!("cannot open the browser with {program}; the page is at {url}"))?;
    Ok(())
}
