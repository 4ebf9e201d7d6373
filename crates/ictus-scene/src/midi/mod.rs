//! Standard MIDI Files, as a score for a scene's notes and controls.
//!
//! Formats 0 and 1, tempo maps, SMPTE time, running status, note on with velocity 0 as note off, the sustain pedal, the pitch wheel,
//! controllers and the pressure of a channel. All channels play the same instrument. What is in the file is [`Midi`]; what it does to a scene is
//! [`Midi::events`]. A file that is cut short or damaged is an error: half a piece is not what was asked for. Bytes after the last track are not
//! part of the piece: they are left out, and [`Midi::warnings`] tells of them.

mod clock;
mod error;
mod keyboard;
mod performance;
mod tracks;

use std::io::Read;
use std::path::Path;

pub use error::MidiError;
pub use keyboard::{Keyboard, PRESSURE, USUAL_BEND, wheel};

use crate::scene::NoteMap;

/// Largest file in bytes.
pub const LARGEST_FILE: usize = 16 << 20;

/// Most messages of one file.
pub const MOST_MESSAGES: usize = 1_000_000;

/// Longest piece in s.
pub const LONGEST: f64 = 86_400.0;

/// A piece of music: messages in order of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Midi {
    messages: Vec<Message>,
    /// Time in s of the last message, or of the end of the last track.
    end: f64,
    /// Bytes after the last chunk, which nothing was made of.
    trailing: usize,
}

/// Something a player did.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Message {
    /// When, in s.
    time: f64,
    /// On which channel, from 0 to 15.
    channel: u8,
    gesture: Gesture,
}

/// What a player can do.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gesture {
    /// A key goes down, this hard from 1 to 127.
    Strike { key: u8, velocity: u8 },
    /// A key comes up.
    Lift { key: u8 },
    /// A controller moves, from 0 to 127.
    Controller { number: u8, value: u8 },
    /// The keys of the channel are pressed after they are down, from 0 to 127.
    Pressure(u8),
    /// The pitch wheel moves, from -1 to 1.
    Wheel(f64),
}

/// Reads a MIDI file from its bytes.
pub fn parse(bytes: &[u8]) -> Result<Midi, MidiError> {
    if bytes.len() > LARGEST_FILE {
        return Err(MidiError::TooLarge { limit: LARGEST_FILE });
    }
    tracks::read(bytes)
}

/// Reads a MIDI file.
pub fn load(path: &Path) -> Result<Midi, MidiError> {
    let unreadable = |error| MidiError::Unreadable { path: path.display().to_string(), error };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    // One byte more than allowed: then it is known to be too large, and no more of it is read.
    file.take(LARGEST_FILE as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    parse(&bytes)
}

impl Midi {
    /// Time in s of the last event.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// How long it sounds in s: to the last event, and a tail of so many seconds for what still rings.
    pub fn duration(&self, tail: f64) -> f64 {
        self.end + tail
    }

    /// What a user should know about the file: whole sentences.
    pub fn warnings(&self) -> Vec<String> {
        let what = match self.trailing {
            0 => return Vec::new(),
            1 => "1 byte after the last track of the MIDI file does not belong to it and is ignored".to_owned(),
            count => format!("{count} bytes after the last track of the MIDI file do not belong to it and are ignored"),
        };
        vec![what]
    }

    /// How many keys are struck.
    pub fn notes(&self) -> usize {
        self.keys().count()
    }

    /// How many keys are struck that this instrument does not have: they stay silent.
    pub fn notes_without_key(&self, notes: &NoteMap) -> usize {
        self.keys().filter(|key| !notes.plays(*key)).count()
    }

    /// The keys that are struck, in order of time.
    fn keys(&self) -> impl Iterator<Item = u8> {
        self.messages.iter().filter_map(|message| match message.gesture {
            Gesture::Strike { key, .. } => Some(key),
            _ => None,
        })
    }
}
