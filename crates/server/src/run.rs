//! The server as a program runs it: logs, threads, the socket, and the signals that end it.

use std::io;
use std::net::SocketAddr;

use tracing_subscriber::EnvFilter;

use crate::config::{Config, LogFormat};
use crate::serve::{bind, serve};
use crate::state::App;
use crate::store::StoreError;

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
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
pub fn run(config: Config, ready: impl FnOnce(SocketAddr)) -> Result<(), RunError> {
    log(&config)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().thread_name("server").build()?;
    runtime.block_on(async {
        let app = App::new(config.clone()).await?;
        let address = config.address();
        let listener = bind(&config).await.map_err(|error| RunError::Listen { address, error })?;
        let address = listener.local_addr()?;
        tracing::info!(%address, database = %config.database.display(), threads = config.threads(), "serving");
        let pages = app.clone();
        tokio::task::spawn_blocking(move || pages.warm());
        ready(address);
        serve(app, listener, signal()).await?;
        Ok(())
    })
}

fn log(config: &Config) -> Result<(), RunError> {
    let filter = EnvFilter::try_new(&config.log).map_err(|_| RunError::Log(config.log.clone()))?;
    let is_terminal = io::IsTerminal::is_terminal(&io::stderr());
    let builder =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(is_terminal);
    // A program that runs two servers has its log already.
    let _ = match config.log_format {
        LogFormat::Text => builder.with_target(false).try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
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
