//! The line from a bot to its server: over a network, or to the router of the same process.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, BodyDataStream};
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, Response, header};
use futures_util::StreamExt;
use http_body_util::{BodyExt, Limited};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tower::ServiceExt;

use super::BotError;
use crate::api::bot::identity::HousePlayer;
use crate::domain::person::PersonId;

/// The longest answer, and the longest line of a stream.
const LONGEST: usize = 4 << 20;

/// Why something did not reach the server, or nothing came back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LineError {
    /// The line is cut.
    #[error("{0}")]
    Cut(String),
    /// Nothing came for too long.
    #[error("the server says nothing")]
    Silent,
    /// The stream has ended.
    #[error("the server has ended the stream")]
    Ended,
    /// The server says no.
    #[error("{status} {code}: {message}")]
    Refused { status: u16, code: String, message: String, after: Option<u64> },
}

impl LineError {
    /// The seconds after which the server wants to be asked again.
    pub(crate) fn seconds(&self) -> Option<u64> {
        match self {
            LineError::Refused { after, .. } => *after,
            _ => None,
        }
    }
}

fn cut(error: impl fmt::Display) -> LineError {
    LineError::Cut(error.to_string())
}

/// A line to a server; cheap to clone.
#[derive(Clone)]
pub(crate) struct Line {
    way: Way,
    /// Silence for so long is taken for a cut.
    patience: Duration,
}

#[derive(Clone)]
enum Way {
    Far {
        /// With its port.
        host: String,
        token: String,
    },
    House {
        router: Router,
        player: PersonId,
        address: SocketAddr,
    },
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.way {
            Way::Far { host, .. } => write!(f, "http://{host}"),
            Way::House { .. } => f.write_str("home"),
        }
    }
}

impl Line {
    /// A line over a network.
    pub(crate) fn far(server: &str, token: &str, patience: Duration) -> Result<Line, BotError> {
        let wrong = || BotError::Address(server.to_string());
        let host = server.strip_prefix("http://").ok_or_else(wrong)?.trim_end_matches('/');
        let uri: axum::http::Uri = format!("http://{host}/").parse().map_err(|_| wrong())?;
        let authority = uri.authority().filter(|_| uri.path() == "/").ok_or_else(wrong)?;
        let host = match authority.port_u16() {
            Some(_) => authority.to_string(),
            None => format!("{authority}:80"),
        };
        Ok(Line { way: Way::Far { host, token: token.trim().to_string() }, patience })
    }

    /// A line within the house. Each player has an address of its own there, so that no share of requests is that of all.
    pub(crate) fn house(router: Router, player: PersonId, number: u8, patience: Duration) -> Line {
        let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::new(127, 7, 1, number)), 0);
        Line { way: Way::House { router, player, address }, patience }
    }

    /// The first wait before the line is tried again.
    pub(crate) fn least_wait(&self) -> Duration {
        (self.patience / 20).min(Duration::from_secs(1))
    }

    /// Asks for something that is answered at once.
    pub(crate) async fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Value, LineError> {
        let answer = async {
            let response = self.send(method, path, body).await?;
            let body = Limited::new(response.into_body(), LONGEST).collect().await.map_err(cut)?;
            Ok(serde_json::from_slice(&body.to_bytes()).unwrap_or(Value::Null))
        };
        timeout(self.patience, answer).await.unwrap_or(Err(LineError::Silent))
    }

    /// Asks for a stream of lines.
    pub(crate) async fn stream(&self, path: &str) -> Result<LineStream, LineError> {
        let response = timeout(self.patience, self.send("GET", path, None)).await;
        let body = response.unwrap_or(Err(LineError::Silent))?.into_body();
        Ok(LineStream { data: body.into_data_stream(), rest: Vec::new(), patience: self.patience })
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Response<Body>, LineError> {
        let method: Method = method.parse().map_err(cut)?;
        let mut request = Request::builder().method(method).uri(path);
        if let Way::Far { host, token } = &self.way {
            request =
                request.header(header::HOST, host).header(header::AUTHORIZATION, format!("Bearer {token}"));
            request = request.header(header::USER_AGENT, concat!("sumito/", env!("CARGO_PKG_VERSION")));
        }
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let text = body.map(Value::to_string).unwrap_or_default();
        let mut request = request.body(Body::from(text)).map_err(cut)?;
        let response = match &self.way {
            Way::Far { host, .. } => far(host, request).await?,
            Way::House { router, player, address } => {
                request.extensions_mut().insert(HousePlayer(*player));
                request.extensions_mut().insert(ConnectInfo(*address));
                let Ok(response) = router.clone().oneshot(request).await;
                response
            }
        };
        if response.status().is_success() { Ok(response) } else { Err(refused(response).await) }
    }
}

/// Sends a request over a connection of its own: what is wrong with one says nothing about another.
async fn far(host: &str, request: Request<Body>) -> Result<Response<Body>, LineError> {
    let stream = TcpStream::connect(host).await.map_err(cut)?;
    stream.set_nodelay(true).map_err(cut)?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(cut)?;
    // It ends with the request and its answer.
    tokio::spawn(connection);
    sender.send_request(request).await.map(|response| response.map(Body::new)).map_err(cut)
}

/// What a server says that does not do what it was asked for.
async fn refused(response: Response<Body>) -> LineError {
    let (parts, body) = response.into_parts();
    let after = parts.headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    let body = match Limited::new(body, LONGEST).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) => return cut(error),
    };
    let answer: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let part = |name: &str| answer["error"][name].as_str().unwrap_or_default().to_string();
    LineError::Refused { status: parts.status.as_u16(), code: part("code"), message: part("message"), after }
}

/// A stream of lines.
pub(crate) struct LineStream {
    data: BodyDataStream,
    rest: Vec<u8>,
    patience: Duration,
}

impl LineStream {
    /// The next line that says something; nothing when the stream has ended well. Nothing is lost if it is no longer waited for.
    pub(crate) async fn next(&mut self) -> Result<Option<Value>, LineError> {
        loop {
            if let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                if line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                return serde_json::from_slice(&line).map(Some).map_err(cut);
            }
            match timeout(self.patience, self.data.next()).await {
                Err(_) => return Err(LineError::Silent),
                Ok(None) => return Ok(None),
                Ok(Some(Err(error))) => return Err(cut(error)),
                Ok(Some(Ok(data))) => self.rest.extend_from_slice(&data),
            }
            if self.rest.len() > LONGEST {
                return Err(cut("a line of the server is too long"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_that_can_be_reached() {
        let patience = Duration::from_secs(1);
        for (server, expected) in [
            ("http://127.0.0.1:7161", "http://127.0.0.1:7161"),
            ("http://localhost/", "http://localhost:80"),
            ("http://[::1]:1", "http://[::1]:1"),
        ] {
            assert_eq!(Line::far(server, "x", patience).expect(server).to_string(), expected);
        }
        for server in
            ["", "localhost:7161", "ftp://localhost", "http://", "http://a b", "http://localhost/api"]
        {
            let error = Line::far(server, "x", patience).err().expect(server);
            assert_eq!(error, BotError::Address(server.to_string()));
        }
    }
}
