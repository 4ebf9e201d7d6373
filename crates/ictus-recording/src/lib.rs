//! Recordings: WAV, FLAC, MP3 and OGG Vorbis files as samples, at the rate of the file or at any other.
//!
//! The kind of a file is told by its first bytes, not by its name. What is too long is refused while it is read, before memory is taken for it;
//! a file that ends early says so. Nothing here is for an audio callback: it reads files and allocates.
//!
//! ```no_run
//! use ictus_recording::{Part, Recording};
//!
//! let knock = Recording::read("knock.wav".as_ref(), Part::default())?;
//! let force = knock.mono();                      // all channels together, divided by their number
//! let at_rate = knock.at_rate(48_000)?;          // every channel resampled
//! # Ok::<(), ictus_recording::RecordingError>(())
//! ```

mod decode;
mod resample;

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::Path;

pub use resample::resampled;

/// Most samples of all channels together that are read unless less is asked for: 512 MB.
pub const MOST_SAMPLES: usize = 1 << 26;

/// Most channels of a file.
pub const MOST_CHANNELS: usize = 255;

/// Highest rate of a file in Hz, and the highest that a recording is brought to.
pub const HIGHEST_RATE: u32 = 10_000_000;

/// A recording, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The samples, channel by channel, all equally long; 1 is full scale.
    pub channels: Vec<Vec<f64>>,
    /// Samples per second.
    pub rate: u32,
    /// The kind of file.
    pub format: Format,
    /// Bits of a sample; 0 where the file does not store samples (MP3, OGG).
    pub bits: u32,
    /// Whether the file's samples are floating point numbers.
    pub is_float: bool,
}

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// RIFF WAVE.
    Wav,
    /// Free lossless audio codec.
    Flac,
    /// MPEG layer III.
    Mp3,
    /// Vorbis in OGG.
    Ogg,
}

impl Format {
    /// As people write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wav => "WAV",
            Self::Flac => "FLAC",
            Self::Mp3 => "MP3",
            Self::Ogg => "OGG",
        }
    }

    /// The kind of a file that begins with these bytes.
    fn of(head: &[u8]) -> Option<Self> {
        match head {
            [b'R', b'I', b'F', b'F', ..] => Some(Self::Wav),
            [b'f', b'L', b'a', b'C', ..] => Some(Self::Flac),
            [b'O', b'g', b'g', b'S', ..] => Some(Self::Ogg),
            [b'I', b'D', b'3', ..] => Some(Self::Mp3),
            // The mark of a frame, MPEG 1 or 2, layer III.
            [0xff, second, ..] if second & 0xe6 == 0xe2 => Some(Self::Mp3),
            _ => None,
        }
    }
}

/// What is wanted of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Where to begin in s, 0 or more.
    pub from: f64,
    /// Where to end in s; at the end of the file without one.
    pub to: Option<f64>,
    /// Most samples of all channels together; what has more is refused.
    pub most: usize,
}

impl Default for Part {
    fn default() -> Self {
        Self { from: 0.0, to: None, most: MOST_SAMPLES }
    }
}

/// Why a recording cannot be had. Each is the end of a sentence that begins with the file's name.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// There is no such file.
    #[error("does not exist")]
    NoSuchFile,
    /// It is a folder.
    #[error("is a folder, not a sound")]
    Folder,
    /// The system does not let us read it.
    #[error("cannot be read: {0}")]
    Unreadable(String),
    /// It is no sound, or of an unknown kind.
    #[error("is no sound that can be read: it must be a WAV, FLAC, MP3 or OGG file")]
    Unknown,
    /// It begins as a sound and is none.
    #[error("cannot be read: as a {format} file it is damaged ({reason})")]
    Damaged {
        /// What it begins as.
        format: &'static str,
        /// What the decoder says.
        reason: String,
    },
    /// It ends before it should.
    #[error("cannot be read: it ends after {frames} of {expected} samples")]
    EndsEarly {
        /// Samples of each channel that there are.
        frames: u64,
        /// Samples of each channel that its header promises.
        expected: u64,
    },
    /// It is too long.
    #[error("is longer than {most} samples of each channel, the most that are read: take a part of it")]
    TooLong {
        /// Most samples of each channel.
        most: usize,
    },
    /// Nothing is in it.
    #[error("holds no samples")]
    Empty,
    /// Nothing is in the part that was asked for.
    #[error("holds no samples between these times")]
    EmptyPart,
    /// A sample is no number.
    #[error("cannot be used: sample {index} is {value}, not a number")]
    NotANumber {
        /// Which, from 0, of its channel.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// It cannot be brought to that rate.
    #[error("cannot be brought from {from} Hz to {to} Hz: {reason}")]
    Rate {
        /// The file's rate.
        from: u32,
        /// The rate that is wanted.
        to: u32,
        /// Why.
        reason: String,
    },
}

impl Recording {
    /// Reads a part of a file.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(path: &Path, part: Part) -> Result<Self, RecordingError> {
        let failed = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => RecordingError::NoSuchFile,
            std::io::ErrorKind::IsADirectory => RecordingError::Folder,
            _ => RecordingError::Unreadable(error.to_string()),
        };
        let mut file = File::open(path).map_err(failed)?;
        let data = file.metadata().map_err(failed)?;
        if data.is_dir() {
            return Err(RecordingError::Folder);
        }
        if !data.is_file() {
            // A pipe cannot go back to where it began: all of it is taken, as far as samples of 8 bytes could fill what is allowed.
            return Self::from_reader(&mut BufReader::new(file), part);
        }
        let mut head = [0; 4];
        let read = read_up_to(&mut file, &mut head).map_err(failed)?;
        file.rewind().map_err(failed)?;
        decode::decode(Box::new(file), Format::of(&head[..read]).ok_or(RecordingError::Unknown)?, part)
    }

    /// Reads a part of what comes from a pipe, standard input for example.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn from_reader(reader: &mut dyn Read, part: Part) -> Result<Self, RecordingError> {
        Self::from_bytes(Self::bytes_of(reader, part)?, part)
    }

    /// What comes from a pipe, as far as it can be a recording: for [`Recording::from_bytes`], now and again.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn bytes_of(reader: &mut dyn Read, part: Part) -> Result<Vec<u8>, RecordingError> {
        let most = (part.most as u64).saturating_mul(8).saturating_add(1 << 16);
        let mut bytes = Vec::new();
        reader.take(most).read_to_end(&mut bytes).map_err(|error| RecordingError::Unreadable(error.to_string()))?;
        Ok(bytes)
    }

    /// Reads a part of a file that is in memory.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn from_bytes(bytes: Vec<u8>, part: Part) -> Result<Self, RecordingError> {
        let format = Format::of(&bytes).ok_or(RecordingError::Unknown)?;
        decode::decode(Box::new(Cursor::new(bytes)), format, part)
    }

    /// Samples of each channel.
    pub fn frames(&self) -> usize {
        self.channels.first().map_or(0, Vec::len)
    }

    /// How long it is in s.
    pub fn duration(&self) -> f64 {
        self.frames() as f64 / f64::from(self.rate)
    }

    /// The mean of all channels.
    pub fn mono(&self) -> Vec<f64> {
        let scale = 1.0 / self.channels.len().max(1) as f64;
        (0..self.frames()).map(|n| scale * self.channels.iter().map(|channel| channel[n]).sum::<f64>()).collect()
    }

    /// The same sound at another rate in Hz, of the same length within a sample: what happens at a time stays at that time.
    ///
    /// # Errors
    /// The rate cannot be reached, or there would be too many samples.
    pub fn at_rate(&self, rate: u32) -> Result<Self, RecordingError> {
        let channels = self.channels.iter().map(|channel| resampled(channel, self.rate, rate));
        Ok(Self { channels: channels.collect::<Result<_, _>>()?, rate, ..*self })
    }
}

/// Fills as much of a buffer as there is; how much that is.
fn read_up_to(file: &mut File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..])? {
            0 => break,
            count => filled += count,
        }
    }
    Ok(filled)
}
