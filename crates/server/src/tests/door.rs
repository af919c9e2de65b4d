//! Connections on a real port: how many, how long, and from where.

use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::sockets::Listening;

/// Nothing here takes this long on a machine that does anything at all.
const LONG: Duration = Duration::from_secs(120);

/// A connection from one of this machine's own addresses. Linux has all of 127.0.0.0/8.
async fn from(last: u8, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    let own = if cfg!(target_os = "linux") { last } else { 1 };
    socket.bind((Ipv4Addr::new(127, 0, 0, own), 0).into()).expect("an address of this machine");
    tokio::time::timeout(LONG, socket.connect(to)).await.expect("in time").expect("a connection")
}

/// Asks whether the server is well, and gives the status; nothing if the connection was closed instead.
async fn ask(stream: &mut TcpStream) -> Option<u16> {
    let sent = stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await;
    let mut answer = [0; 4096];
    let read = tokio::time::timeout(LONG, stream.read(&mut answer)).await.expect("in time");
    let text = String::from_utf8_lossy(&answer[..read.ok()?]).into_owned();
    sent.ok()?;
    text.split(' ').nth(1)?.parse().ok()
}

/// Reads until the other end closes, and gives what came.
async fn rest(stream: &mut TcpStream) -> String {
    let mut all = Vec::new();
    let read = tokio::time::timeout(LONG, stream.read_to_end(&mut all)).await.expect("in time");
    // Closing with something unread is a reset, which ends a connection as well.
    let _ = read;
    String::from_utf8_lossy(&all).into_owned()
}

async fn until_open(server: &Listening, count: usize) {
    let wanted = format!("sumito_connections {count}\n");
    for _ in 0..6000 {
        if server.site.app.metrics.text().contains(&wanted) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("expected {wanted}: {}", server.site.app.metrics.text());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn one_address_cannot_keep_others_out_with_connections() {
    let server = Listening::with(|config| (config.connections, config.address_connections) = (12, 5)).await;
    let mut idle = Vec::new();
    for _ in 0..5 {
        idle.push(from(1, server.address).await);
    }
    until_open(&server, 5).await;
    assert_eq!(ask(&mut from(1, server.address).await).await, None, "it has its places");
    assert_eq!(ask(&mut from(2, server.address).await).await, Some(200), "others have theirs");
    until_open(&server, 5).await;
    for last in [3, 3, 3, 3, 4, 4, 4] {
        idle.push(from(last, server.address).await);
    }
    until_open(&server, 12).await;
    assert_eq!(ask(&mut from(5, server.address).await).await, None, "all places are taken");
    for stream in &mut idle {
        assert_eq!(ask(stream).await, Some(200), "whoever has a place is served");
    }
    idle.pop();
    until_open(&server, 11).await;
    assert_eq!(ask(&mut from(5, server.address).await).await, Some(200), "there is room again");
    assert!(server.site.app.metrics.text().contains("sumito_connections_refused_total 2\n"));
}

#[tokio::test]
async fn a_proxy_is_not_limited_as_one_address() {
    let server = Listening::with(|config| {
        (config.connections, config.address_connections, config.behind_proxy) = (12, 5, true);
    })
    .await;
    let mut idle = Vec::new();
    for _ in 0..12 {
        idle.push(from(1, server.address).await);
    }
    until_open(&server, 12).await;
    for stream in &mut idle {
        assert_eq!(ask(stream).await, Some(200));
    }
}

#[tokio::test]
async fn a_connection_whose_other_end_takes_nothing_is_ended() {
    let server = Listening::with(|config| config.write_timeout_s = 1).await;
    let mut stream = from(1, server.address).await;
    // Far more than fits into the buffers of both ends.
    let question = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(question.repeat(500).as_bytes()).await.expect("sent");
    stream.readable().await.expect("the first answer");
    until_open(&server, 0).await;
    assert_eq!(server.site.app.door.shares.bytes.in_use(), 0);
}

#[tokio::test]
async fn a_connection_without_a_request_is_ended_after_a_while() {
    let server = Listening::with(|config| config.timeout_s = 1).await;
    let mut silent = from(1, server.address).await;
    let mut done = from(1, server.address).await;
    assert_eq!(ask(&mut done).await, Some(200));
    let mut half = from(1, server.address).await;
    half.write_all(b"GET /healthz HTTP/1.1\r\nHost: loc").await.expect("sent");
    for stream in [&mut silent, &mut done, &mut half] {
        rest(stream).await;
    }
    until_open(&server, 0).await;
}

#[tokio::test]
async fn a_body_that_comes_too_slowly_is_refused_and_its_connection_ended() {
    let server = Listening::with(|config| config.timeout_s = 1).await;
    let mut stream = from(1, server.address).await;
    let head = "POST /api/v1/imports HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n1. a1b2 ";
    stream.write_all(head.as_bytes()).await.expect("sent");
    let answer = rest(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    until_open(&server, 0).await;
    assert_eq!(server.site.app.imports.running(), 0);
}
