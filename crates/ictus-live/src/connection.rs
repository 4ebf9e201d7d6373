//! One page on one socket, from hello to goodbye.
//!
//! A page that says something it should not is told so and let go; one that does not take what it asked for, or is silent for
//! too long, is let go too. Whatever it does, it holds up nobody else: it has its own performer, and its socket is only ever
//! waited for here.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, oneshot, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_tungstenite::tungstenite::{Bytes, Message};

use crate::builders::{Builders, Outcome, Wish};
use crate::catalogue::{Catalogue, Watched};
use crate::gallery::Stamp;
use crate::pace::Pace;
use crate::performer::{Order, Performer, Place};
use crate::socket::{Heard, PATIENCE, Socket, Unsent};
use ictus_page::frames::{MOST_SOUND, read_sound};
use ictus_page::protocol::{End, Reply, Request, Session, Wanted, check_tuning, greeted, heard};

/// Time after which a page that says nothing, not even an answer to a ping, is let go.
const SILENCE: Duration = Duration::from_secs(20);

/// Time that a performer has to leave its place before its page is told why.
const LEAVING: Duration = Duration::from_millis(500);

/// Time between two looks at the page and at the scene's file.
const LOOK: Duration = Duration::from_millis(300);

/// What all pages share.
pub struct Shared {
    /// The list of scenes and the files watched.
    pub catalogue: Catalogue,
    /// Those who build scenes.
    pub builders: Builders,
    /// Places for pages that are being let go.
    pub leaving: Arc<Semaphore>,
    /// Places for questions that wait for an answer.
    pub asking: Arc<Semaphore>,
    /// The turn of the question that is being answered.
    pub answering: Arc<Semaphore>,
}

/// The page has left; there is nobody to tell.
fn gone() -> End {
    End::new("gone", "")
}

/// The page has said goodbye.
fn closed() -> End {
    End::new("closed", "")
}

/// Status of the closing frame (RFC 6455, 7.4.1).
fn status(end: &End) -> u16 {
    match end.code {
        "oversized" => 1009,
        "stopping" => 1001,
        "too-many" => 1013,
        "malformed" | "hello" | "version" => 1002,
        _ => 1008,
    }
}

impl From<Unsent> for End {
    fn from(unsent: Unsent) -> Self {
        match unsent {
            Unsent::Gone => gone(),
            Unsent::Stalled => Self::new("stalled", "the page does not read what it asked for"),
        }
    }
}

/// Serves one page until it leaves or must be let go. Without a permit it is let go at once.
pub async fn serve(
    mut socket: Socket,
    shared: Arc<Shared>,
    permit: Option<OwnedSemaphorePermit>,
    stop: watch::Receiver<bool>,
) {
    let end = match permit {
        Some(permit) => {
            let (place, free) = Place::new(permit);
            let end = converse(&mut socket, &shared, place, stop).await;
            // Whoever is told that the connection has ended can count on the place, unless the thread is in the middle of a long step.
            let _ = timeout(LEAVING, free).await;
            end
        }
        None => End::new("too-many", "the largest number of pages is already playing"),
    };
    // Pages that were let go wait here for a while, so there is a bound to them too.
    let Ok(_leaving) = shared.leaving.try_acquire() else { return };
    let (status, has_stalled) = (status(&end), end.code == "stalled");
    match end.code {
        "gone" => {}
        "closed" => socket.end(None, false).await,
        _ => socket.end(Some((end.told().text().into(), status)), has_stalled).await,
    }
}

/// What a page says.
enum Said {
    /// A message.
    Request(Request),
    /// Sound that drives what is played.
    Sound(Vec<f32>),
}

/// What a message asks for; `None` for what only keeps the connection alive.
fn read(said: Heard, pace: &mut Pace) -> Result<Option<Said>, End> {
    let bytes = match &said {
        Heard::Text(text) => text.len(),
        Heard::Binary(bytes) => bytes.len(),
        Heard::Alive(bytes) => *bytes,
        _ => 0,
    };
    if !pace.allows(bytes, Instant::now()) || matches!(said, Heard::Flood) {
        return Err(End::new("too-fast", "too many messages, or too many bytes"));
    }
    match said {
        Heard::Text(text) => heard(text.as_str()).map(|request| Some(Said::Request(request))),
        Heard::Binary(bytes) => {
            let sound = read_sound(&bytes).ok_or_else(|| {
                End::new("malformed", format!("what is no text must be sound, of at most {MOST_SOUND} samples"))
            })?;
            Ok(Some(Said::Sound(sound.collect())))
        }
        Heard::Alive(_) => Ok(None),
        Heard::Close => Err(closed()),
        Heard::Gone => Err(gone()),
        Heard::Oversized => Err(End::oversized()),
        // Told above.
        Heard::Flood => Err(End::new("too-fast", "too many bytes")),
        Heard::Broken => Err(End::new("malformed", "not a valid web socket message")),
    }
}

/// Waits for the hello: the rate and the scene asked for.
async fn greet(socket: &mut Socket, pace: &mut Pace) -> Result<(f64, Option<Wanted>), End> {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        let message = tokio::time::timeout_at(deadline, socket.hear()).await;
        let message = message.map_err(|_| End::new("hello", "the page did not say hello in time"))?;
        match read(message, pace)? {
            None => {}
            Some(Said::Request(first)) => return greeted(first),
            Some(Said::Sound(_)) => return Err(End::new("hello", "the first message must be a hello")),
        }
    }
}

async fn converse(socket: &mut Socket, shared: &Shared, place: Place, mut stop: watch::Receiver<bool>) -> End {
    match admit(socket, shared, place, &mut stop).await {
        Err(end) => end,
        Ok(never) => match never {},
    }
}

async fn admit(
    socket: &mut Socket,
    shared: &Shared,
    place: Place,
    stop: &mut watch::Receiver<bool>,
) -> Result<Infallible, End> {
    let mut pace = Pace::default();
    let (rate, wanted) = greet(socket, &mut pace).await?;
    let listing = timeout(PATIENCE, shared.catalogue.listing()).await;
    let listing = listing.ok().flatten().ok_or_else(|| End::new("stalled", "the list of scenes is not ready"))?;
    let (replies, outgoing) = unbounded_channel();
    let bell = Arc::new(Notify::new());
    let performer = Performer::start(rate, replies.clone(), bell.clone(), place)
        .map_err(|_| End::new("too-many", "the system could not start a thread to play in"))?;
    socket.send(Message::Text(listing.welcome.clone())).await?;
    let mut page = Page {
        socket,
        shared,
        performer,
        replies,
        outgoing,
        pace,
        rate,
        wanted: Wanted { scene: listing.first.clone(), text: None },
        cents: Arc::default(),
        generation: 0,
        building: None,
        waits: false,
        built: None,
        heard: Instant::now(),
    };
    let first = wanted.unwrap_or_else(|| page.wanted.clone());
    page.open(first);
    page.attend(&bell, stop).await
}

/// A connected page.
struct Page<'a> {
    socket: &'a mut Socket,
    shared: &'a Shared,
    performer: Performer,
    replies: UnboundedSender<Reply>,
    outgoing: UnboundedReceiver<Reply>,
    pace: Pace,
    rate: f64,
    /// The scene that was asked for last.
    wanted: Wanted,
    /// How its keys are tuned.
    cents: Arc<[f64]>,
    /// Number of the instrument that was asked for last.
    generation: u16,
    /// The build under way.
    building: Option<oneshot::Receiver<Outcome>>,
    /// Whether the scene was asked for while another build was under way. One page has one build at a time, and only its newest wish counts.
    waits: bool,
    /// The file of the scene that was built last, and its state then.
    built: Option<(Arc<Watched>, Option<Stamp>)>,
    heard: Instant,
}

/// The outcome of a build; never ready without one.
async fn outcome(building: &mut Option<oneshot::Receiver<Outcome>>) -> Option<Outcome> {
    match building {
        Some(building) => building.await.ok(),
        None => pending().await,
    }
}

impl Page<'_> {
    fn open(&mut self, wanted: Wanted) {
        self.wanted = wanted;
        if self.building.is_some() {
            self.waits = true;
            return;
        }
        self.generation = self.generation.wrapping_add(1);
        let (wanted, cents) = (self.wanted.clone(), self.cents.clone());
        let wish = Wish { wanted, rate: self.rate, cents, generation: self.generation };
        self.building = Some(self.shared.builders.build(wish));
    }

    async fn take(&mut self, outcome: Option<Outcome>) -> Result<(), End> {
        self.building = None;
        if std::mem::take(&mut self.waits) {
            self.open(self.wanted.clone());
            return Ok(());
        }
        let outcome = outcome.unwrap_or_else(|| Outcome::failed(self.wanted.scene.clone()));
        // Looked at from here on: what the catalogue saw before the build says nothing. A text of the page's own has no file.
        let from_list = self.wanted.text.is_none();
        self.built = from_list.then(|| (self.shared.catalogue.watch(&self.wanted.scene), outcome.stamp));
        self.socket.send(Message::Text(outcome.told)).await?;
        match outcome.stage {
            Some(stage) => self.give(Order::TakeUp(stage, self.generation)),
            None => Ok(()),
        }
    }

    /// Sees to whatever comes next, until the connection ends.
    async fn attend(&mut self, bell: &Notify, stop: &mut watch::Receiver<bool>) -> Result<Infallible, End> {
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Skip);
        look.tick().await;
        loop {
            tokio::select! {
                heard = self.socket.hear() => {
                    self.heard = Instant::now();
                    match read(heard, &mut self.pace)? {
                        Some(Said::Request(request)) => self.obey(request)?,
                        Some(Said::Sound(samples)) => self.give(Order::Hear(samples))?,
                        None => {}
                    }
                }
                () = bell.notified() => self.send_packets().await?,
                Some(reply) = self.outgoing.recv() => self.socket.send(Message::Text(reply.text().into())).await?,
                outcome = outcome(&mut self.building) => self.take(outcome).await?,
                _ = look.tick() => self.look_after().await?,
                _ = stop.changed() => return Err(End::new("stopping", "the program has been stopped")),
            }
        }
    }

    fn obey(&mut self, request: Request) -> Result<(), End> {
        let order = match request {
            Request::Session(Session::Hello { .. }) => return Err(End::new("hello", "hello may be said only once")),
            Request::Session(Session::Choose { scene, text }) => {
                self.open(Wanted { scene, text });
                return Ok(());
            }
            Request::Session(Session::Tune { cents }) => {
                match check_tuning(&cents) {
                    Ok(()) => {
                        self.cents = cents.into();
                        self.open(self.wanted.clone());
                    }
                    Err(message) => self.refuse(message),
                }
                return Ok(());
            }
            Request::Session(Session::Want { frame }) => Order::Want(frame),
            Request::Session(Session::Ping { id }) => Order::Mark(id),
            Request::Play(gesture) => Order::Play(gesture),
        };
        self.give(order)
    }

    fn refuse(&self, message: String) {
        // The other end is this page's own.
        let _ = self.replies.send(Reply::Refused { message });
    }

    fn give(&mut self, order: Order) -> Result<(), End> {
        if self.performer.order(order) {
            Ok(())
        } else {
            Err(End::new("too-fast", "the page sends orders faster than they can be carried out"))
        }
    }

    async fn send_packets(&mut self) -> Result<(), End> {
        // What was said before a block of audio is sent before it.
        while let Ok(reply) = self.outgoing.try_recv() {
            self.socket.send(Message::Text(reply.text().into())).await?;
        }
        while let Some(packet) = self.performer.next_packet() {
            self.socket.send(Message::Binary(packet.into())).await?;
        }
        Ok(())
    }

    /// Reads the scene anew when its file has changed, and sees whether the page is still there.
    async fn look_after(&mut self) -> Result<(), End> {
        let has_changed = self.built.as_ref().is_some_and(|(watched, stamp)| watched.differs_from(*stamp));
        if has_changed && self.building.is_none() {
            self.open(self.wanted.clone());
        }
        if self.performer.has_ended() {
            return Err(End::new("stalled", "the instrument has stopped"));
        }
        if self.heard.elapsed() > SILENCE {
            return Err(End::new("stalled", "the page has not answered for too long"));
        }
        Ok(self.socket.send(Message::Ping(Bytes::new())).await?)
    }
}
