//! The server on its socket: which port, how many connections, how long each may take, and how it ends.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tower::ServiceExt;

use crate::app::{app, numbers};
use crate::bot::house;
use crate::config::Config;
use crate::domain::client::Client;
use crate::domain::date::now;
use crate::door::patient::Patient;
use crate::door::place::ConnectionPlace;
use crate::door::quota::{Full, Quota};
use crate::live::ended;
use crate::state::App;

/// Ports that are tried after one that is taken.
const TRIED: u16 = 100;
/// How often games that nobody wants leave the memory.
const SWEEP: Duration = Duration::from_secs(30);
/// The time between two lines of the log about refused connections.
const TOLD: Duration = Duration::from_secs(10);
/// The longest head of a request.
const HEAD: usize = 64 << 10;
/// Connections to the port of the numbers: of one address, and in all.
const READERS: (usize, usize) = (16, 64);

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
    let sweeper = tokio::spawn(sweep(app.clone()));
    app.resume().await;
    if app.config.arena && app.config.house {
        house::open(&app).await;
    }
    let (open, mut closed) = mpsc::channel(1);
    let entrance =
        Entrance::new(&app, self::app(app.clone()), (app.config.address_connections, app.config.connections));
    tokio::select! {
        () = entrance.admit(&listener, open) => {}
        () = end => {}
    }
    tracing::info!("ending");
    drop(listener);
    sweeper.abort();
    app.ending.send_replace(true);
    let waits = Duration::from_secs(app.config.shutdown_s);
    // Each connection holds one end of the channel; when all are gone, so are the connections.
    if tokio::time::timeout(waits, closed.recv()).await.is_err() {
        tracing::warn!("some requests were still under way");
    }
    app.close().await;
    Ok(())
}

/// Gives the server's numbers on a port of their own, until it is dropped.
pub(crate) async fn serve_numbers(app: App, listener: TcpListener) {
    let (open, _closed) = mpsc::channel(1);
    let entrance = Entrance::new(&app, numbers(app.clone()), READERS);
    entrance.admit(&listener, open).await;
}

/// Where connections come in.
struct Entrance {
    app: App,
    router: Router,
    places: Arc<Quota<Client>>,
}

impl Entrance {
    fn new(app: &App, router: Router, (each, all): (usize, usize)) -> Entrance {
        Entrance { app: app.clone(), router, places: Quota::new("connections", each, all) }
    }

    /// Takes connections as they come. One that finds no place is closed at once, and others can still come.
    async fn admit(&self, listener: &TcpListener, open: mpsc::Sender<Infallible>) {
        let mut refusals = Refusals::default();
        loop {
            let (stream, address) = match listener.accept().await {
                Ok(connection) => connection,
                Err(error) => {
                    // Too many open files, or a client that left at once: others can still come.
                    tracing::warn!(%error, "a connection was not taken");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            match self.place(address, &open) {
                Ok(place) => {
                    let (app, router) = (self.app.clone(), self.router.clone());
                    tokio::spawn(connection(app, stream, address, router, place));
                }
                Err(full) => {
                    self.app.metrics.refused_connections.add(1);
                    refusals.add(full, address);
                }
            }
        }
    }

    /// A place for a connection. A proxy has as many as there are: its clients are counted by their requests.
    fn place(&self, address: SocketAddr, open: &mpsc::Sender<Infallible>) -> Result<ConnectionPlace, Full> {
        let client = Some(address.ip()).filter(|&peer| !self.app.config.trusts(peer)).map(Client::new);
        let held = self.places.try_take(client, 1)?;
        Ok(ConnectionPlace::new(Arc::clone(&self.app.metrics), held, open.clone()))
    }
}

/// Refused connections since the log last told of them.
#[derive(Default)]
struct Refusals {
    count: u64,
    told: Option<Instant>,
}

impl Refusals {
    /// Tells the log now and then: whoever floods the server should not flood the log.
    fn add(&mut self, full: Full, address: SocketAddr) {
        self.count += 1;
        if self.told.is_some_and(|told| told.elapsed() < TOLD) {
            return;
        }
        let (count, last) = (self.count, address.ip());
        match full {
            Full::Own => tracing::warn!(count, %last, "connections were refused: an address has too many"),
            Full::All => tracing::warn!(count, %last, "connections were refused: all places are taken"),
        }
        *self = Refusals { count: 0, told: Some(Instant::now()) };
    }
}

/// One connection. It has so long for each request's headers; requests have their own limit, and so have answers that
/// nobody takes.
async fn connection(
    app: App,
    stream: TcpStream,
    address: SocketAddr,
    router: Router,
    place: ConnectionPlace,
) {
    // A move is a small message that must not wait for a larger one.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection may be slow");
    }
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(address));
        request.extensions_mut().insert(place.clone());
        let router = router.clone();
        async move {
            let answered: Result<_, Infallible> = router.oneshot(request).await;
            answered
        }
    });
    let stream = Patient::new(stream, Duration::from_secs(app.config.write_timeout_s));
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.config.timeout())
        .max_buf_size(HEAD)
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
        app.expire().await;
        app.end_overdue().await;
        tokio::time::sleep(SWEEP).await;
        app.games.sweep(now());
        app.tournaments.sweep();
        app.metrics.games.set(app.games_in_memory() as i64);
    }
}
