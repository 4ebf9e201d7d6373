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

use crate::frames::{AUDIO_HEADER, CHANNELS, STATE_HEADER, StateHead, push_number, write_audio_head, write_state_head};
use crate::limiter::Limiter;
use crate::protocol::{Gesture, Reply};
use crate::stage::{MOST_STATE_BYTES, Stage};

/// Frames of a block of audio.
pub const BLOCK: usize = 128;

/// States drawn per second.
const STATES_PER_SECOND: f64 = 60.0;

/// Furthest time in s that audio is made ahead, whatever is wanted.
const FURTHEST_AHEAD: f64 = 0.5;

/// Share of the time there is, beyond which the energy account is given up to make room.
const ACCOUNT_GIVEN_UP: f64 = 0.85;

/// States in a row that bear such a load before that is done: two seconds.
const OVERLOAD_BORNE: u32 = 120;

/// Bytes that fit between the thread and the socket: the largest state with its audio, and half a second of both for most scenes.
const ROOM: usize = 2 * MOST_STATE_BYTES;

/// Bytes of a block of audio.
const AUDIO_BYTES: usize = AUDIO_HEADER + 4 * BLOCK * CHANNELS;

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
        let playing = Playing {
            rate,
            orders: incoming,
            packets: outgoing,
            replies,
            bell,
            instrument: None,
            state_bytes: 0,
            limiter: Limiter::new(rate),
            made: 0,
            wanted: 0,
            mark: 0,
            generation: 0,
            next_state: 0,
            load: 0.0,
            overloaded: 0,
            was_broken: false,
            breakdowns: 0,
            block: vec![0.0; BLOCK * CHANNELS],
            packet: Vec::new(),
        };
        let thread = thread::Builder::new().name("ictus performer".into()).spawn(move || {
            playing.run();
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
struct Playing {
    rate: f64,
    orders: Consumer<Order>,
    packets: Producer<u8>,
    replies: UnboundedSender<Reply>,
    bell: Arc<Notify>,
    instrument: Option<Box<Stage>>,
    /// Length of its states.
    state_bytes: usize,
    limiter: Limiter,
    /// Frames made and wanted since the start.
    made: u64,
    wanted: u64,
    mark: u32,
    /// Number of the instrument, so that the page knows which one a state is of.
    generation: u16,
    next_state: u64,
    load: f64,
    /// States in a row that found the load too high.
    overloaded: u32,
    was_broken: bool,
    breakdowns: u64,
    block: Vec<f64>,
    packet: Vec<u8>,
}

impl Playing {
    fn run(mut self) {
        while self.is_listened_to() {
            while let Ok(order) = self.orders.pop() {
                self.obey(order);
                // A page that has left wants none of what it asked for before.
                if !self.is_listened_to() {
                    return;
                }
            }
            if self.made + BLOCK as u64 <= self.wanted && self.instrument.is_some() && self.has_room() {
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
        self.packets.slots() >= LENGTH_BYTES + AUDIO_BYTES + LENGTH_BYTES + self.state_bytes
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Want(frame) => {
                let furthest = self.made + (FURTHEST_AHEAD * self.rate) as u64;
                self.wanted = self.wanted.max(frame.min(furthest));
            }
            Order::Mark(mark) => self.mark = mark,
            Order::Play(gesture) => {
                let refused = self.instrument.as_mut().and_then(|instrument| instrument.play(&gesture).err());
                if let Some(message) = refused {
                    let _ = self.replies.send(Reply::Refused { message });
                }
            }
            Order::TakeUp(instrument, generation) => self.take_up(instrument, generation),
        }
    }

    fn take_up(&mut self, instrument: Box<Stage>, generation: u16) {
        self.generation = generation;
        self.state_bytes = STATE_HEADER + instrument.state_bytes();
        self.packet.reserve(self.state_bytes.max(AUDIO_BYTES));
        self.instrument = Some(instrument);
        self.next_state = self.made;
        (self.load, self.overloaded, self.breakdowns) = (0.0, 0, 0);
    }

    fn make_block(&mut self) {
        let Some(instrument) = self.instrument.as_mut() else { return };
        let begun = Instant::now();
        instrument.process(&mut self.block);
        for frame in self.block.chunks_exact_mut(CHANNELS) {
            frame.copy_from_slice(&self.limiter.step([frame[0], frame[1]]));
        }
        let share = begun.elapsed().as_secs_f64() * self.rate / BLOCK as f64;
        self.load += 0.02 * (share - self.load);
        if self.limiter.take_broken() {
            instrument.rest();
            self.was_broken = true;
        }
        self.packet.clear();
        write_audio_head(&mut self.packet, BLOCK as u16, self.mark, self.made);
        self.block.iter().for_each(|sample| push_number(&mut self.packet, *sample as f32));
        self.made += BLOCK as u64;
        self.send_packet();
        if self.made >= self.next_state {
            self.next_state = self.made + (self.rate / STATES_PER_SECOND) as u64;
            self.make_state();
        }
        self.bell.notify_one();
    }

    fn make_state(&mut self) {
        let Some(instrument) = self.instrument.as_mut() else { return };
        let account = instrument.account();
        self.overloaded = if self.load > ACCOUNT_GIVEN_UP { self.overloaded + 1 } else { 0 };
        if account.kept && self.overloaded > OVERLOAD_BORNE {
            let _ = instrument.play(&Gesture::Account { keep: false });
        }
        let head = StateHead {
            generation: self.generation,
            account_kept: account.kept,
            was_broken: std::mem::take(&mut self.was_broken) || account.breakdowns > self.breakdowns,
            frame: self.made,
            load: self.load as f32,
            limiter: self.limiter.take_smallest_gain() as f32,
            residual: account.residual as f32,
            stored: account.stored as f32,
        };
        self.breakdowns = account.breakdowns;
        self.packet.clear();
        write_state_head(&mut self.packet, &head);
        instrument.write_state(&mut self.packet);
        self.send_packet();
    }

    /// Puts the packet into the ring, its length first. There is room: it was asked before the block.
    fn send_packet(&mut self) {
        let length = (self.packet.len() as u32).to_le_bytes();
        if let Ok(chunk) = self.packets.write_chunk_uninit(LENGTH_BYTES + self.packet.len()) {
            chunk.fill_from_iter(length.iter().chain(&self.packet).copied());
        }
    }
}
