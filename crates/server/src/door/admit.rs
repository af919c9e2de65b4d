//! Which requests of a client are admitted: not too often, not too many at a time, and not too much to be sent at once.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Frame, SizeHint};

use super::Door;
use super::quota::Held;
use crate::domain::client::Client;
use crate::domain::error::AppError;

/// Bodies and answers up to this size are not counted: a connection has as much in its buffers.
pub(crate) const SMALL: usize = 64 << 10;

/// Refuses what goes beyond a client's share.
pub(crate) async fn limit(
    State(door): State<Door>,
    client: Client,
    request: Request,
    next: Next,
) -> Response {
    match admit(&door, client, request, next).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn admit(door: &Door, client: Client, request: Request, next: Next) -> Result<Response, AppError> {
    door.shares.take(client, Instant::now())?;
    let under_way = door.shares.requests.take(client, 1)?;
    let response = next.run(request).await;
    let mut held = vec![under_way];
    let size = response.body().size_hint().lower() as usize;
    if size > SMALL {
        // Whoever does not read what was asked for keeps it in memory: it is counted until it is sent.
        held.push(door.shares.bytes.take(client, size)?);
    }
    Ok(response.map(|body| Body::new(Counted { body, held })))
}

/// An answer that holds what it was counted as until it is sent, or nobody wants it any more.
struct Counted {
    body: Body,
    held: Vec<Held<Client>>,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.held.clear();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
