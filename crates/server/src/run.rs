//! The server as a program runs it: logs, threads, the socket, and the signals that end it.

use std::io;
use std::net::SocketAddr;

use tokio::net::TcpListener;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt};

use crate::config::{Config, LogFormat};
use crate::door::files::make_room;
use crate::serve::{bind, serve, serve_numbers};
use crate::state::App;
use crate::store::StoreError;

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// Where it was to listen.
        address: SocketAddr,
        /// What went wrong.
        error: io::Error,
    },
    /// What to log.
    #[error("log: expected a level such as info, found '{0}'")]
    Log(String),
    /// The system.
    #[error("the server cannot run: {0}")]
    System(#[from] io::Error),
}

/// Runs the server until Ctrl-C or a request to terminate; `ready` hears its address.
pub fn run(mut config: Config, ready: impl FnOnce(SocketAddr)) -> Result<(), ServerError> {
    log(&config)?;
    make_room(&mut config);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_name("server").build()?;
    runtime.block_on(async {
        let _kept = survive_file_limits()?;
        let app = App::new(config.clone()).await?;
        let address = config.address();
        let listener = bind(&config).await.map_err(|error| ServerError::Listen { address, error })?;
        let address = listener.local_addr()?;
        tracing::info!(%address, database = %config.database.display(), threads = config.threads(), "serving");
        if let Some(port) = config.metrics_port {
            let address = SocketAddr::new(config.listen, port);
            let listener = TcpListener::bind(address).await;
            let listener = listener.map_err(|error| ServerError::Listen { address, error })?;
            tracing::info!(address = %listener.local_addr()?, "the numbers have a port of their own");
            tokio::spawn(serve_numbers(app.clone(), listener));
        }
        for opening in openings(&config) {
            tracing::warn!("{opening}");
        }
        let pages = app.clone();
        tokio::task::spawn_blocking(move || pages.warm());
        app.store.say(&format!("process {}, http://{address}/", std::process::id()));
        ready(address);
        serve(app, listener, signal()).await?;
        Ok(())
    })
}

fn log(config: &Config) -> Result<(), ServerError> {
    let filter: Targets = config.log.parse().map_err(|_| ServerError::Log(config.log.clone()))?;
    let is_terminal = io::IsTerminal::is_terminal(&io::stderr());
    // A log that cannot be written, on a full disk for instance, must not end the server.
    let lines = fmt::layer().with_writer(io::stderr).with_ansi(is_terminal).log_internal_errors(false);
    let lines = match config.log_format {
        LogFormat::Text => lines.with_target(false).boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    // A program that runs two servers has its log already.
    let _ = tracing_subscriber::registry().with(lines).with(filter).try_init();
    Ok(())
}

/// What is open to others, so that nobody opens it without knowing.
fn openings(config: &Config) -> Vec<&'static str> {
    let mut all = Vec::new();
    if !config.listen.is_loopback() {
        all.push("other machines can reach this server (listen)");
        if config.has_proxy() {
            all.push(
                "other machines than the proxy can reach this server, too, unless a firewall keeps them off",
            );
        } else {
            all.push("there is no TLS: what clients and server say to each other can be read on the way");
        }
    }
    if !config.is_private() && config.hosts.is_empty() && config.public_url.is_none() {
        all.push(
            "no name is listed (hosts, public_url): the server answers to addresses and localhost alone",
        );
    }
    if !config.is_private() && config.metrics_port.is_none() {
        all.push("everyone who can reach the server can read its numbers at /metrics (metrics_port)");
    }
    all
}

/// Makes a limit on the size of files an error of the write that meets it; without this it would end the process.
#[cfg(unix)]
fn survive_file_limits() -> io::Result<tokio::signal::unix::Signal> {
    let number = rustix::process::Signal::XFSZ.as_raw();
    tokio::signal::unix::signal(tokio::signal::unix::SignalKind::from_raw(number))
}

#[cfg(not(unix))]
fn survive_file_limits() -> io::Result<()> {
    Ok(())
}

/// Comes back when the program is to end.
async fn signal() {
    let interrupt = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        let kind = tokio::signal::unix::SignalKind::terminate();
        if let Ok(mut terminate) = tokio::signal::unix::signal(kind) {
            tokio::select! {
                _ = interrupt => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = interrupt.await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn what_is_open_is_told_and_nothing_else() {
        let about = |config: &Config| {
            let told = openings(config).join("\n");
            ["other machines can", "TLS", "than the proxy", "no name", "/metrics"]
                .map(|word| told.contains(word))
        };
        assert_eq!(about(&Config::default()), [false; 5]);
        let open = Config { listen: Ipv4Addr::UNSPECIFIED.into(), ..Config::default() };
        assert_eq!(about(&open), [true, true, false, true, true]);
        let proxied = Config {
            behind_proxy: true,
            public_url: Some("https://sumito.example".to_string()),
            metrics_port: Some(9000),
            ..Config::default()
        };
        assert_eq!(about(&proxied), [false; 5]);
        let far = Config { listen: Ipv4Addr::UNSPECIFIED.into(), ..proxied };
        assert_eq!(about(&far), [true, false, true, false, false]);
    }
}
