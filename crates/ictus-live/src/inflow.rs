//! The bytes below a web socket, counted and taken in turns.
//!
//! The library takes frame after frame until it has a whole message. A page that sends empty pieces of one for ever would keep it, and with
//! it the thread that serves all pages, without ever saying anything that could be counted (two seconds of silence on every other page). So
//! bytes are counted here, and after [`TURN`] of them the others have their turn.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::pace::RawPace;

/// Bytes that are taken in before other pages have their turn: some thousand frames, half a millisecond.
const TURN: usize = 16 << 10;

/// A stream that gives a page so many bytes per second to say.
#[derive(Debug)]
pub struct Inflow<S> {
    below: S,
    /// None once nobody listens to what is said.
    pace: Option<RawPace>,
    taken: usize,
}

impl<S> Inflow<S> {
    pub fn new(below: S) -> Self {
        Self { below, pace: Some(RawPace::default()), taken: 0 }
    }

    /// From here on what comes is not listened to, so it may be as much as it likes.
    pub fn ignore(&mut self) {
        self.pace = None;
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Inflow<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.taken >= TURN {
            this.taken = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(TURN.min(buffer.remaining())));
        ready!(Pin::new(&mut this.below).poll_read(context, &mut part))?;
        let read = part.filled().len();
        buffer.advance(read);
        this.taken += read;
        let is_within = this.pace.as_mut().is_none_or(|pace| pace.allows(read, Instant::now()));
        Poll::Ready(if is_within { Ok(()) } else { Err(io::ErrorKind::QuotaExceeded.into()) })
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Inflow<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().below).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().below).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().below).poll_shutdown(context)
    }
}
