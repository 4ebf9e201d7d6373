//! The thread that plays: one for every connection, with its own instrument.
//!
//! Orders come in through one ring and packets (audio, states) go out through another, so that playing neither locks nor
//! waits for the socket. It makes audio only as far as the page wants it, and sleeps in between. Scenes are read and built on
//! a thread of their own while the old one plays on.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use rtrb::{Consumer, Producer, RingBuffer};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Notify, OwnedSemaphorePermit};

use crate::frames::{CHANNELS, StateHead, push_number, write_audio_head, write_state_head};
use crate::gallery::Gallery;
use crate::limiter::Limiter;
use crate::protocol::{Gesture, Problem, Reply};
use crate::stage::Stage;

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

/// Bytes that fit between the thread and the socket.
const ROOM: usize = 1 << 20;

/// What the connection tells the thread.
#[derive(Debug)]
pub enum Order {
    /// Make audio up to this frame.
    Want(u64),
    /// Mark what is made from here on.
    Mark(u32),
    /// Play this.
    Play(Gesture),
    /// Read this scene and play it.
    Open(String),
}

/// The connection's end of a performer.
pub struct Performer {
    orders: Producer<Order>,
    packets: Consumer<u8>,
    thread: Thread,
}

impl Performer {
    /// Starts the thread. It ends when this is dropped, and gives the permit back then.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        gallery: Arc<Gallery>,
        rate: f64,
        replies: UnboundedSender<Reply>,
        bell: Arc<Notify>,
        permit: OwnedSemaphorePermit,
    ) -> std::io::Result<Self> {
        let (orders, incoming) = RingBuffer::new(4096);
        let (outgoing, packets) = RingBuffer::new(ROOM);
        let playing = Playing {
            gallery,
            rate,
            orders: incoming,
            packets: outgoing,
            replies,
            bell,
            instrument: None,
            opening: None,
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
            packet: Vec::with_capacity(1 << 18),
        };
        let thread = thread::Builder::new().name("ictus performer".into()).spawn(move || {
            playing.run();
            drop(permit);
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
        let head = self.packets.read_chunk(4).ok()?;
        let mut length = [0; 4];
        let (first, second) = head.as_slices();
        length[..first.len()].copy_from_slice(first);
        length[first.len()..].copy_from_slice(second);
        let length = u32::from_le_bytes(length) as usize;
        let whole = self.packets.read_chunk(4 + length).ok()?;
        let (first, second) = whole.as_slices();
        let mut packet = Vec::with_capacity(4 + length);
        packet.extend_from_slice(first);
        packet.extend_from_slice(second);
        whole.commit_all();
        packet.drain(..4);
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

type Opened = Result<Box<Stage>, Vec<Problem>>;

/// The thread's own state.
struct Playing {
    gallery: Arc<Gallery>,
    rate: f64,
    orders: Consumer<Order>,
    packets: Producer<u8>,
    replies: UnboundedSender<Reply>,
    bell: Arc<Notify>,
    instrument: Option<Box<Stage>>,
    /// A scene that is being read, and its name.
    opening: Option<(String, Receiver<Opened>)>,
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
        while !self.orders.is_abandoned() && !self.packets.is_abandoned() {
            while let Ok(order) = self.orders.pop() {
                self.obey(order);
            }
            self.look_at_opening();
            if self.made + BLOCK as u64 <= self.wanted && self.instrument.is_some() && self.has_room() {
                self.make_block();
            } else {
                let patience = if self.opening.is_some() { 2 } else { 50 };
                thread::park_timeout(Duration::from_millis(patience));
            }
        }
    }

    fn has_room(&self) -> bool {
        self.packets.slots() >= self.packet.capacity() + BLOCK * CHANNELS * 4 + 64
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
            Order::Open(scene) => self.open(scene),
        }
    }

    fn open(&mut self, scene: String) {
        let (sender, receiver) = channel();
        let (gallery, name, rate, waiting) = (self.gallery.clone(), scene.clone(), self.rate, thread::current());
        let spawned = thread::Builder::new().name("ictus builder".into()).spawn(move || {
            // The performer may have left meanwhile.
            let _ = sender.send(gallery.open(&name, rate));
            waiting.unpark();
        });
        match spawned {
            Ok(_) => self.opening = Some((scene, receiver)),
            Err(error) => self.report(&scene, vec![Problem::plain(error.to_string())]),
        }
    }

    fn look_at_opening(&mut self) {
        let Some((scene, receiver)) = &self.opening else { return };
        let outcome = match receiver.try_recv() {
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => Err(vec![Problem::plain("the scene could not be built".into())]),
            Ok(outcome) => outcome,
        };
        let scene = scene.clone();
        self.opening = None;
        match outcome {
            Ok(instrument) => self.take_up(instrument),
            Err(problems) => self.report(&scene, problems),
        }
    }

    fn take_up(&mut self, instrument: Box<Stage>) {
        self.generation = self.generation.wrapping_add(1);
        let mut description = instrument.describe();
        description.generation = self.generation;
        self.instrument = Some(instrument);
        self.next_state = self.made;
        (self.load, self.overloaded, self.breakdowns) = (0.0, 0, 0);
        let _ = self.replies.send(Reply::Instrument(Box::new(description)));
        self.bell.notify_one();
    }

    fn report(&self, scene: &str, problems: Vec<Problem>) {
        let _ = self.replies.send(Reply::Problems { scene: scene.to_owned(), problems });
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
        if let Ok(chunk) = self.packets.write_chunk_uninit(4 + self.packet.len()) {
            chunk.fill_from_iter(length.iter().chain(&self.packet).copied());
        }
    }
}
