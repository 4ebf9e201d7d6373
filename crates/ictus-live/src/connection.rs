//! One page on one socket, from hello to goodbye.
//!
//! A page that says something it should not is told so and let go; one that does not take what it asked for, or is silent for
//! too long, is let go too. Whatever it does, it holds up nobody else: it has its own performer, and its socket is only ever
//! waited for here.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::{Notify, OwnedSemaphorePermit, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::gallery::Gallery;
use crate::pace::Pace;
use crate::performer::{Order, Performer};
use crate::protocol::{Reply, Request, Session, VERSION, parse};

/// Most bytes of a message from a page.
pub const MOST_BYTES: usize = 16 << 10;

/// Bytes beyond which the socket itself refuses a message.
pub const HARD_LIMIT: usize = 64 << 10;

/// Sample rates in Hz that are played.
pub const RATES: std::ops::RangeInclusive<f64> = 8_000.0..=192_000.0;

/// Time a page has to say hello, and to take a packet.
const PATIENCE: Duration = Duration::from_secs(5);

/// Time after which a page that says nothing, not even an answer to a ping, is let go.
const SILENCE: Duration = Duration::from_secs(20);

/// Time between two looks at the scene's file.
const LOOK: Duration = Duration::from_millis(300);

/// Why a connection ends: a code of the protocol and a sentence.
struct End {
    code: &'static str,
    message: String,
}

impl End {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The page has left; there is nobody to tell.
    fn gone() -> Self {
        Self::new("gone", "")
    }

    /// Status of the closing frame (RFC 6455, 7.4.1).
    fn status(&self) -> u16 {
        match self.code {
            "oversized" => 1009,
            "stopping" => 1001,
            "too-many" => 1013,
            "malformed" | "hello" | "version" => 1002,
            _ => 1008,
        }
    }
}

/// Serves one page until it leaves or must be let go.
pub async fn serve(
    mut socket: WebSocket,
    gallery: Arc<Gallery>,
    permit: Option<OwnedSemaphorePermit>,
    stop: watch::Receiver<bool>,
) {
    let end = match permit {
        Some(permit) => converse(&mut socket, gallery, permit, stop).await,
        None => End::new("too-many", "as many pages as allowed are being played already"),
    };
    if end.code != "gone" {
        let (status, reply) = (end.status(), Reply::Error { code: end.code, message: end.message });
        // What cannot be told to a page that does not listen is not told.
        let _ = send(&mut socket, text(&reply)).await;
        let frame = CloseFrame { code: status, reason: "".into() };
        let _ = send(&mut socket, Message::Close(Some(frame))).await;
        // Waiting for its answer keeps the reply from being lost with the connection.
        let _ = timeout(Duration::from_millis(500), async { while let Some(Ok(_)) = socket.recv().await {} }).await;
    }
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), End> {
    match timeout(PATIENCE, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(End::gone()),
        Err(_) => Err(End::new("stalled", "the page does not take what it asked for")),
    }
}

fn text(reply: &Reply) -> Message {
    // A reply is plain data with text keys, so it can always be written.
    Message::Text(serde_json::to_string(reply).unwrap_or_default().into())
}

/// What a message asks for; `None` for what only keeps the connection alive.
fn read(message: Option<Result<Message, axum::Error>>, pace: &mut Pace) -> Result<Option<Request>, End> {
    let message = match message {
        None => return Err(End::gone()),
        Some(Err(error)) => {
            // The socket reports a message beyond its limit as an error of its own.
            let text = error.to_string();
            let large = text.contains("too long") || text.contains("capacity");
            return Err(if large { oversized() } else { End::new("malformed", "not a message of a web socket") });
        }
        Some(Ok(message)) => message,
    };
    if !pace.allows(Instant::now()) {
        return Err(End::new("too-fast", "too many messages"));
    }
    match message {
        Message::Text(text) if text.len() > MOST_BYTES => Err(oversized()),
        Message::Text(text) => parse(text.as_str()).map(Some).map_err(|error| End::new("malformed", error)),
        Message::Binary(_) => Err(End::new("malformed", "a page sends text only")),
        Message::Ping(_) | Message::Pong(_) => Ok(None),
        Message::Close(_) => Err(End::gone()),
    }
}

fn oversized() -> End {
    End::new("oversized", format!("a message has at most {MOST_BYTES} bytes"))
}

/// Waits for the hello: the rate and the scene asked for.
async fn greet(socket: &mut WebSocket, pace: &mut Pace) -> Result<(f64, Option<String>), End> {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        let message = tokio::time::timeout_at(deadline, socket.recv()).await;
        let message = message.map_err(|_| End::new("hello", "no hello in time"))?;
        match read(message, pace)? {
            None => {}
            Some(Request::Session(Session::Hello { version, rate, scene })) => {
                if version != VERSION {
                    return Err(End::new("version", format!("version {VERSION} is spoken here, not {version}")));
                }
                if !RATES.contains(&rate) {
                    return Err(End::new("hello", format!("a rate of {rate} Hz is not played")));
                }
                return Ok((rate, scene));
            }
            Some(_) => return Err(End::new("hello", "the first message must be a hello")),
        }
    }
}

async fn converse(
    socket: &mut WebSocket,
    gallery: Arc<Gallery>,
    permit: OwnedSemaphorePermit,
    mut stop: watch::Receiver<bool>,
) -> End {
    let mut pace = Pace::default();
    let (rate, scene) = match greet(socket, &mut pace).await {
        Ok(hello) => hello,
        Err(end) => return end,
    };
    let (replies, outgoing) = unbounded_channel();
    let bell = Arc::new(Notify::new());
    let scenes = gallery.list();
    let performer = Performer::start(gallery.clone(), rate, replies, bell.clone(), permit);
    let Ok(performer) = performer else { return End::new("too-many", "the system gives no thread to play in") };
    let welcome = Reply::Welcome { version: VERSION, program: env!("CARGO_PKG_VERSION"), scenes };
    let scene = scene.unwrap_or_else(|| gallery.first());
    let mut page =
        Page { socket, gallery, performer, outgoing, pace, scene: String::new(), stamp: None, heard: Instant::now() };
    if let Err(end) = send(page.socket, text(&welcome)).await {
        return end;
    }
    page.open(scene);
    match page.attend(&bell, &mut stop).await {
        Err(end) => end,
        Ok(never) => match never {},
    }
}

/// A connected page.
struct Page<'a> {
    socket: &'a mut WebSocket,
    gallery: Arc<Gallery>,
    performer: Performer,
    outgoing: UnboundedReceiver<Reply>,
    pace: Pace,
    /// The scene being played, and when its file changed last.
    scene: String,
    stamp: Option<(SystemTime, u64)>,
    heard: Instant,
}

impl Page<'_> {
    fn open(&mut self, scene: String) {
        self.stamp = self.gallery.stamp(&scene);
        self.scene.clone_from(&scene);
        self.performer.order(Order::Open(scene));
    }

    /// Sees to whatever comes next, until the connection ends.
    async fn attend(&mut self, bell: &Notify, stop: &mut watch::Receiver<bool>) -> Result<Infallible, End> {
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Skip);
        look.tick().await;
        loop {
            tokio::select! {
                message = self.socket.recv() => {
                    self.heard = Instant::now();
                    if let Some(request) = read(message, &mut self.pace)? {
                        self.obey(request)?;
                    }
                }
                () = bell.notified() => self.send_packets().await?,
                Some(reply) = self.outgoing.recv() => send(self.socket, text(&reply)).await?,
                _ = look.tick() => self.look_after().await?,
                _ = stop.changed() => return Err(End::new("stopping", "the program has been stopped")),
            }
        }
    }

    fn obey(&mut self, request: Request) -> Result<(), End> {
        let order = match request {
            Request::Session(Session::Hello { .. }) => return Err(End::new("hello", "hello was said before")),
            Request::Session(Session::Choose { scene }) => {
                self.open(scene);
                return Ok(());
            }
            Request::Session(Session::Want { frame }) => Order::Want(frame),
            Request::Session(Session::Ping { id }) => Order::Mark(id),
            Request::Play(gesture) => Order::Play(gesture),
        };
        if self.performer.order(order) {
            Ok(())
        } else {
            Err(End::new("too-fast", "more is asked for than can be done"))
        }
    }

    async fn send_packets(&mut self) -> Result<(), End> {
        // What was said before a block of audio is sent before it.
        while let Ok(reply) = self.outgoing.try_recv() {
            send(self.socket, text(&reply)).await?;
        }
        while let Some(packet) = self.performer.next_packet() {
            send(self.socket, Message::Binary(packet.into())).await?;
        }
        Ok(())
    }

    /// Reads the scene anew when its file has changed, and sees whether the page is still there.
    async fn look_after(&mut self) -> Result<(), End> {
        let stamp = self.gallery.stamp(&self.scene);
        if stamp != self.stamp {
            self.open(self.scene.clone());
        }
        if self.performer.has_ended() {
            return Err(End::new("stalled", "playing has ended"));
        }
        if self.heard.elapsed() > SILENCE {
            return Err(End::new("stalled", "the page has not been heard of for too long"));
        }
        send(self.socket, Message::Ping(Vec::new().into())).await
    }
}
