//! The thread that plays: one for every connection, with its own instrument.
//!
//! Orders come in through one ring and packets (audio, states) go out through another, so that playing neither locks nor
//! waits for the socket. It makes audio only as far as the page wants it, and sleeps in between. Other threads read and build scenes
//! (builders.rs) while it plays on.

use std::convert::Infallible;
use std::sync::Arc;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use rtrb::{Consumer, Producer, RingBuffer};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Notify, OwnedSemaphorePermit, oneshot};

use ictus_page::protocol::{Gesture, Reply};
use ictus_page::{BLOCK, MOST_STATE_BYTES, Playing, Stage};

/// Furthest time in s that audio is made ahead, whatever is wanted.
const FURTHEST_AHEAD: f64 = 0.5;

/// Bytes that fit between the thread and the socket: the largest state with its audio, and half a second of both for most scenes.
const ROOM: usize = 2 * MOST_STATE_BYTES;

/// Bytes before a packet in the ring that tell its length.
const LENGTH_BYTES: usize = 4;

/// What the connection tells the thread.
pub enum Order {
    /// Make audio up to this frame.
    Want(u64),
    /// Mark what is made from here on.
    Mark(u32),
    /// Play this.
    Play(Gesture),
    /// Be driven by this sound.
    Hear(Vec<f32>),
    /// Play on this instrument; its number, which its states carry.
    TakeUp(Box<Stage>, u16),
}

/// A page's place among those that play. Dropping it frees the place, and then tells whoever waits for that.
pub struct Place {
    // In the order in which they are dropped.
    _permit: OwnedSemaphorePermit,
    _freed: oneshot::Sender<Infallible>,
}

impl Place {
    /// A place by its permit, and what is ready when the place is free.
    pub fn new(permit: OwnedSemaphorePermit) -> (Self, impl Future) {
        let (freed, waiting) = oneshot::channel();
        (Self { _permit: permit, _freed: freed }, waiting)
    }
}

/// The connection's end of a performer.
pub struct Performer {
    orders: Producer<Order>,
    packets: Consumer<u8>,
    thread: Thread,
}

impl Performer {
    /// Starts the thread. It ends when this is dropped, and leaves its place then.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(rate: f64, replies: UnboundedSender<Reply>, bell: Arc<Notify>, place: Place) -> std::io::Result<Self> {
        let (orders, incoming) = RingBuffer::new(4096);
        let (outgoing, packets) = RingBuffer::new(ROOM);
        let player =
            Player { rate, orders: incoming, packets: outgoing, replies, bell, playing: Playing::new(rate), wanted: 0 };
        let thread = thread::Builder::new().name("ictus performer".into()).spawn(move || {
            player.run();
            drop(place);
        })?;
        Ok(Self { orders, packets, thread: thread.thread().clone() })
    }

    /// Gives an order; `false` if too many are waiting.
    pub fn order(&mut self, order: Order) -> bool {
        let taken = self.orders.push(order).is_ok();
        self.thread.unpark();
        taken
    }

    /// Whether the thread has ended.
    pub fn has_ended(&self) -> bool {
        self.packets.is_abandoned()
    }

    /// Takes the next packet out, if one is complete.
    pub fn next_packet(&mut self) -> Option<Vec<u8>> {
        let head = self.packets.read_chunk(LENGTH_BYTES).ok()?;
        let mut length = [0; LENGTH_BYTES];
        let (first, second) = head.as_slices();
        length[..first.len()].copy_from_slice(first);
        length[first.len()..].copy_from_slice(second);
        let length = u32::from_le_bytes(length) as usize;
        let whole = self.packets.read_chunk(LENGTH_BYTES + length).ok()?;
        let (first, second) = whole.as_slices();
        let mut packet = Vec::with_capacity(LENGTH_BYTES + length);
        packet.extend_from_slice(first);
        packet.extend_from_slice(second);
        whole.commit_all();
        packet.drain(..LENGTH_BYTES);
        self.thread.unpark();
        Some(packet)
    }
}

impl Drop for Performer {
    fn drop(&mut self) {
        // The ring to the thread is abandoned once this is dropped; it looks now and then, so waking it is only a courtesy.
        self.thread.unpark();
    }
}

/// The thread's own state.
struct Player {
    rate: f64,
    orders: Consumer<Order>,
    packets: Producer<u8>,
    replies: UnboundedSender<Reply>,
    bell: Arc<Notify>,
    playing: Playing,
    /// Frames wanted since the start.
    wanted: u64,
}

impl Player {
    fn run(mut self) {
        while self.is_listened_to() {
            while let Ok(order) = self.orders.pop() {
                self.obey(order);
                // A page that has left wants none of what it asked for before.
                if !self.is_listened_to() {
                    return;
                }
            }
            let is_wanted = self.playing.made() + BLOCK as u64 <= self.wanted;
            if is_wanted && self.playing.has_instrument() && self.has_room() {
                self.make_block();
            } else {
                thread::park_timeout(Duration::from_millis(50));
            }
        }
    }

    fn is_listened_to(&self) -> bool {
        !self.orders.is_abandoned() && !self.packets.is_abandoned()
    }

    fn has_room(&self) -> bool {
        let [audio, state] = self.playing.packet_bytes();
        self.packets.slots() >= LENGTH_BYTES + audio + LENGTH_BYTES + state
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Want(frame) => {
                let furthest = self.playing.made() + (FURTHEST_AHEAD * self.rate) as u64;
                self.wanted = self.wanted.max(frame.min(furthest));
            }
            Order::Mark(mark) => self.playing.mark(mark),
            Order::Play(gesture) => {
                if let Some(refused) = self.playing.play(&gesture) {
                    let _ = self.replies.send(refused);
                }
            }
            Order::Hear(samples) => self.playing.hear(samples.into_iter()),
            Order::TakeUp(instrument, generation) => self.playing.take_up(instrument, generation),
        }
    }

    fn make_block(&mut self) {
        let begun = Instant::now();
        if !self.playing.make_audio() {
            return;
        }
        self.playing.took(begun.elapsed().as_secs_f64());
        send(&mut self.packets, self.playing.audio());
        if self.playing.make_state() {
            send(&mut self.packets, self.playing.state());
        }
        self.bell.notify_one();
    }
}

/// Puts a packet into the ring, its length first. There is room: it was asked before the block.
fn send(packets: &mut Producer<u8>, packet: &[u8]) {
    let length = (packet.len() as u32).to_le_bytes();
    if let Ok(chunk) = packets.write_chunk_uninit(LENGTH_BYTES + packet.len()) {
        chunk.fill_from_iter(length.iter().chain(packet).copied());
    }
}
