//! The web socket of one page: how it is opened, what comes in, what goes out, and how it ends.
//!
//! The library's own socket hides the stream below it. Here it is at hand, because a page that is let go while it is still talking must be
//! listened to a little longer: closing a stream with unread bytes in it makes the system throw away what the page has not read yet, and
//! with it the reason.

use std::future::Future;
use std::io::ErrorKind;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt, StreamExt};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Bytes, Error, Message, Utf8Bytes};

use ictus_page::protocol::MOST_WITH_TEXT;

use crate::inflow::Inflow;

/// Bytes beyond which a message is not even taken in.
const HARD_LIMIT: usize = MOST_WITH_TEXT + (64 << 10);

/// Time a page has to take a packet.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Time that a page which is let go has to take the reason and to stop talking.
const FAREWELL: Duration = Duration::from_secs(3);

/// The same for a page that has not taken anything for long already.
const SHORT_FAREWELL: Duration = Duration::from_millis(100);

/// An open socket.
pub struct Socket {
    stream: WebSocketStream<Inflow<TokioIo<Upgraded>>>,
}

/// What a page says.
pub enum Heard {
    /// A message.
    Text(Utf8Bytes),
    /// A message that is no text.
    Binary(Bytes),
    /// A sign of life; its length in bytes.
    Alive(usize),
    /// It says goodbye.
    Close,
    /// It has left without a goodbye.
    Gone,
    /// More bytes at once than the socket takes.
    Oversized,
    /// More bytes per second than a page may say, whatever they are.
    Flood,
    /// Nothing that the protocol of web sockets knows.
    Broken,
}

/// Why nothing could be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsent {
    /// The page has left.
    Gone,
    /// The page takes nothing.
    Stalled,
}

/// Opens a socket as a request asks for it; `then` has it once the page has been answered.
pub fn open<F>(mut request: Request, then: impl FnOnce(Socket) -> F + Send + 'static) -> Response
where
    F: Future<Output = ()> + Send + 'static,
{
    let Ok(response) = create_response_with_body(&request, Body::empty) else {
        return (StatusCode::BAD_REQUEST, "this address is for web sockets\n").into_response();
    };
    let upgrading = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        let Ok(Ok(upgraded)) = timeout(PATIENCE, upgrading).await else { return };
        let config = WebSocketConfig::default().max_message_size(Some(HARD_LIMIT)).max_frame_size(Some(HARD_LIMIT));
        let stream =
            WebSocketStream::from_raw_socket(Inflow::new(TokioIo::new(upgraded)), Role::Server, Some(config)).await;
        then(Socket { stream }).await;
    });
    response
}

impl Socket {
    /// What the page says next. Dropped before it is ready, it has taken nothing.
    pub async fn hear(&mut self) -> Heard {
        match self.stream.next().await {
            Some(Ok(Message::Text(text))) => Heard::Text(text),
            Some(Ok(Message::Binary(bytes))) => Heard::Binary(bytes),
            Some(Ok(Message::Ping(bytes) | Message::Pong(bytes))) => Heard::Alive(bytes.len()),
            Some(Ok(Message::Close(_))) => Heard::Close,
            Some(Ok(Message::Frame(_))) => Heard::Broken,
            Some(Err(Error::Capacity(_))) => Heard::Oversized,
            Some(Err(Error::Io(error))) if error.kind() == ErrorKind::QuotaExceeded => Heard::Flood,
            Some(Err(Error::Protocol(ProtocolError::ResetWithoutClosingHandshake))) => Heard::Gone,
            Some(Err(Error::Protocol(_) | Error::Utf8(_))) => Heard::Broken,
            Some(Err(_)) | None => Heard::Gone,
        }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// When the page has left, or takes nothing for [`PATIENCE`].
    pub async fn send(&mut self, message: Message) -> Result<(), Unsent> {
        match timeout(PATIENCE, self.stream.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Unsent::Gone),
            Err(_) => Err(Unsent::Stalled),
        }
    }

    /// Ends the connection with a last message and a status (RFC 6455, 7.4.1), or with an answer to the page's goodbye if there is none.
    /// Waits until the page has stopped talking, so that the reason is not lost on its way, but not for long.
    pub async fn end(mut self, last: Option<(Utf8Bytes, u16)>, has_stalled: bool) {
        let deadline = Instant::now() + if has_stalled { SHORT_FAREWELL } else { FAREWELL };
        self.stream.get_mut().ignore();
        let farewell = async {
            if let Some((text, status)) = last {
                let frame = CloseFrame { code: CloseCode::from(status), reason: Utf8Bytes::default() };
                self.stream.feed(Message::Text(text)).await?;
                self.stream.send(Message::Close(Some(frame))).await?;
            } else {
                // The library has put the answer to the goodbye into its buffer.
                self.stream.flush().await?;
            }
            Ok::<(), Error>(())
        };
        // What cannot be told to a page that does not listen is not told.
        let _ = timeout_at(deadline, farewell).await;
        let below = self.stream.get_mut();
        let _ = timeout_at(deadline, below.shutdown()).await;
        let mut ignored = [0; 4096];
        while let Ok(Ok(1..)) = timeout_at(deadline, below.read(&mut ignored)).await {}
    }
}
