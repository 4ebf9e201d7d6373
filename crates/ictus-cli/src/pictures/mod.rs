//! Pictures of a sound, whether it was computed or recorded: its level with the lines of its decays, its spectrum note by note, and two sounds side by side.

mod compare;
mod level;
mod notes;

use std::path::Path;

use crate::error::Error;
use crate::sinks::sound;
use ictus_lab::measure;

pub use compare::figure as compared;
pub use level::panel as level;
pub use notes::NoteLevels;

/// Size of a wide panel in pixels.
pub const WIDE: (f64, f64) = (900.0, 360.0);

/// A sound that pictures are made of.
pub trait Heard {
    /// Samples per second.
    fn rate(&self) -> f64;
    /// Number of channels, at least 1.
    fn width(&self) -> usize;
    /// Number of samples of each channel.
    fn length(&self) -> usize;
    /// Reads samples from a frame on, interleaved, whole frames that are there.
    fn put(&self, first: usize, block: &mut [f64]) -> Result<(), Error>;

    /// How long it is, in s.
    fn seconds(&self) -> f64 {
        self.length() as f64 / self.rate()
    }
}

impl Heard for sound::Sound {
    fn rate(&self) -> f64 {
        f64::from(self.rate)
    }

    fn width(&self) -> usize {
        usize::from(self.channels)
    }

    fn length(&self) -> usize {
        self.frames()
    }

    fn put(&self, first: usize, block: &mut [f64]) -> Result<(), Error> {
        self.read(first, block)
    }
}

impl Heard for measure::Sound {
    fn rate(&self) -> f64 {
        f64::from(self.rate)
    }

    fn width(&self) -> usize {
        self.channels.len()
    }

    fn length(&self) -> usize {
        self.channels.first().map_or(0, Vec::len)
    }

    fn put(&self, first: usize, block: &mut [f64]) -> Result<(), Error> {
        for (frame, samples) in block.chunks_exact_mut(self.channels.len()).enumerate() {
            samples.iter_mut().zip(&self.channels).for_each(|(sample, channel)| *sample = channel[first + frame]);
        }
        Ok(())
    }
}

/// Reads the sound that `--compare` names.
pub fn other(path: &Path) -> Result<measure::Sound, Error> {
    measure::Sound::read(path, 0.0, None).map_err(|reason| Error::Input(format!("--compare: {reason}")))
}

/// What a file is called in a picture.
pub fn name(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
