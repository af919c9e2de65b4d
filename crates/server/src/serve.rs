//! The server on its socket: which port, how many connections, how long each may take, and how it ends.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt;

use crate::api::socket::ended;
use crate::app::app;
use crate::clock::now;
use crate::config::Config;
use crate::state::App;

/// Ports that are tried after one that is taken.
const TRIED: u16 = 100;
/// How often games that nobody wants leave the memory.
const SWEEP: Duration = Duration::from_secs(30);

/// Takes the address, or the next free port.
pub async fn bind(config: &Config) -> io::Result<TcpListener> {
    let mut address = config.address();
    loop {
        match TcpListener::bind(address).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && address.port() != 0 => {
                let next = address.port().checked_add(1).filter(|port| port - config.port <= TRIED);
                address.set_port(next.ok_or(error)?);
            }
            other => return other,
        }
    }
}

/// Answers requests until `end` comes, then ends well: no new connections, requests under way are answered, all that
/// was to be written is.
pub async fn serve(app: App, listener: TcpListener, end: impl Future<Output = ()>) -> io::Result<()> {
    let router = self::app(app.clone());
    let places = Arc::new(Semaphore::new(app.config.connections));
    let sweeper = tokio::spawn(sweep(app.clone()));
    app.resume().await;
    let mut end = std::pin::pin!(end);
    loop {
        let (stream, address) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(connection) => connection,
                Err(error) => {
                    // Too many open files, or a client that left at once: others can still come.
                    tracing::warn!(%error, "a connection was not taken");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut end => break,
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            tracing::warn!("too many connections");
            continue;
        };
        let (app, router) = (app.clone(), router.clone());
        tokio::spawn(async move {
            app.metrics.connections.add(1);
            connection(&app, stream, address, router).await;
            app.metrics.connections.add(-1);
            drop(place);
        });
    }
    tracing::info!("ending");
    drop(listener);
    sweeper.abort();
    app.ending.send_replace(true);
    let waits = Duration::from_secs(app.config.shutdown_s);
    // When all places are free again, all connections have ended.
    let all = places.acquire_many(app.config.connections as u32);
    if tokio::time::timeout(waits, all).await.is_err() {
        tracing::warn!("some requests were still under way");
    }
    app.close().await;
    Ok(())
}

/// One connection. It has so long for each request's headers; requests have their own limit.
async fn connection(app: &App, stream: TcpStream, address: SocketAddr, router: Router) {
    // A move is a small message that must not wait for a larger one.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection may be slow");
    }
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(address));
        let router = router.clone();
        async move {
            let answered: Result<_, Infallible> = router.oneshot(request).await;
            answered
        }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.config.timeout())
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let mut ending = app.ending.subscribe();
    let result = tokio::select! {
        result = connection.as_mut() => result,
        () = ended(&mut ending) => {
            // The request under way is answered, and no other one taken.
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, "a connection ended");
    }
}

/// Lets games that nobody wants leave the memory.
async fn sweep(app: App) {
    loop {
        tokio::time::sleep(SWEEP).await;
        app.games.sweep(now());
        app.metrics.games.set(app.games_in_memory() as i64);
    }
}
