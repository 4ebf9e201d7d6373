//! A sound to be measured: a part of a recording, or samples.

use std::path::Path;

use ictus_recording::{Part, Recording, RecordingError};

/// A sound, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Sound {
    /// The samples, channel by channel; 1 is full scale.
    pub channels: Vec<Vec<f64>>,
    /// Samples per second.
    pub rate: u32,
    /// `WAV`, `FLAC`, `MP3` or `OGG`; `samples` if it is from no file.
    pub format: &'static str,
    /// Bits of a sample; 0 where a file does not store samples.
    pub bits: u32,
    /// Whether samples are floating point numbers.
    pub is_float: bool,
}

impl Sound {
    /// Reads a file's part between two times in s; or one sentence that says why it cannot be read.
    pub fn read(path: &Path, from: f64, to: Option<f64>) -> Result<Self, String> {
        let name = path.display();
        let recording = Recording::read(path, Part { from, to, ..Part::default() }).map_err(|error| match error {
            RecordingError::NoSuchFile => format!("there is no file {name}"),
            RecordingError::TooLong { .. } => format!("{name} {error} with --from and --to"),
            error => format!("{name} {error}"),
        })?;
        let Recording { channels, rate, format, bits, is_float } = recording;
        Ok(Self { channels, rate, format: format.name(), bits, is_float })
    }
}
