//! Clients at addresses of their own, all on one runtime: the loopback network has sixteen million of them.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

/// No answer takes so long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client: where it is, and where the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub(crate) server: SocketAddr,
    pub(crate) from: Ipv4Addr,
}

impl Client {
    /// A connection; with little room for what it does not read, if it is a slow reader.
    pub(crate) async fn connect(self, is_slow: bool) -> io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        if is_slow {
            socket.set_recv_buffer_size(4096)?;
        }
        socket.set_reuseaddr(true)?;
        socket.bind(SocketAddr::from((self.from, 0)))?;
        let stream = socket.connect(self.server).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// Sends a request and gives back the connection, from which nothing was read yet.
    pub(crate) async fn send(
        self,
        (method, path): (&str, &str),
        key: &str,
        (kind, body): (&str, &[u8]),
        is_slow: bool,
    ) -> io::Result<TcpStream> {
        let mut stream = self.connect(is_slow).await?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
             Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            self.server,
            body.len()
        );
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body).await?;
        Ok(stream)
    }

    /// A request in JSON: the status, and the body as far as it came.
    pub(crate) async fn ask(self, what: (&str, &str), key: &str, body: &Value) -> io::Result<(u16, Value)> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let stream = self.send(what, key, ("application/json", body.as_bytes()), false).await?;
        let (status, body) = answer(stream).await?;
        Ok((status, serde_json::from_str(&body).unwrap_or(Value::Null)))
    }

    /// A WebSocket.
    pub(crate) async fn open(self, path: &str) -> io::Result<WebSocketStream<TcpStream>> {
        self.open_as("", path).await
    }

    /// A WebSocket of somebody's browser.
    pub(crate) async fn open_as(self, cookie: &str, path: &str) -> io::Result<WebSocketStream<TcpStream>> {
        let stream = self.connect(false).await?;
        let url = format!("ws://{}{path}", self.server);
        let mut request = url.into_client_request().map_err(io::Error::other)?;
        request.headers_mut().insert("cookie", cookie.parse().map_err(io::Error::other)?);
        let opened = tokio::time::timeout(PATIENCE, client_async(request, stream)).await;
        let (socket, _) = opened.map_err(io::Error::from)?.map_err(io::Error::other)?;
        Ok(socket)
    }
}

/// Reads an answer to its end.
pub(crate) async fn answer(mut stream: TcpStream) -> io::Result<(u16, String)> {
    let mut bytes = Vec::new();
    tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.map_err(io::Error::from)??;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").ok_or(io::ErrorKind::UnexpectedEof)?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Ok((status.ok_or(io::ErrorKind::InvalidData)?, body.to_string()))
}
