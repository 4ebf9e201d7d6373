//! The door: connections are let in, and those that only stand in it are shown out.
//!
//! A connection has a few seconds for the head of a request and half a minute for all its requests; a page's socket leaves the door when
//! it is opened. There is room for a bounded number. When it is full, the one that came first makes way for a new one: a browser's own
//! connection is done within milliseconds, so what has stood there longest is a half request or somebody who does not read.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};
use tower_service::Service;

use crate::lan::Local;

/// Most connections that are not a page's open socket.
const MOST: usize = 64;

/// Time a connection has to send the head of a request, and may do nothing between two.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time after which a connection that is no socket ends.
const LONGEST: Duration = Duration::from_secs(30);

/// Time to wait when the system has no connection to give.
const RECOVERY: Duration = Duration::from_millis(50);

/// Bytes that the head of a request may have.
const MOST_HEAD: usize = 16 << 10;

/// Lets connections in for ever.
pub async fn keep(listener: TcpListener, app: Router) -> Infallible {
    let mut tasks = JoinSet::new();
    // In the order in which they came.
    let mut inside: VecDeque<AbortHandle> = VecDeque::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    inside.retain(|connection| !connection.is_finished());
                    if inside.len() >= MOST && let Some(first) = inside.pop_front() {
                        first.abort();
                    }
                    inside.push_back(tasks.spawn(attend(stream, app.clone())));
                }
                // The page that wanted in has left, or the system has no more files to open: others will leave.
                Err(_) => tokio::time::sleep(RECOVERY).await,
            },
            Some(_) = tasks.join_next() => {}
        }
    }
}

async fn attend(stream: TcpStream, app: Router) {
    let Ok(local) = stream.local_addr().map(Local) else { return };
    // A block of audio is small and must not wait for the next one to fill a packet.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(local);
        app.clone().call(request.map(Body::new))
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(MOST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // Whatever its end, it is nobody else's business.
    let _ = tokio::time::timeout(LONGEST, connection).await;
}
