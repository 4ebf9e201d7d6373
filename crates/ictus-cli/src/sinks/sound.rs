//! Sound files: WAV and FLAC, told by the file's ending.

use std::path::Path;

use super::{WholeFile, flac, wav};
use crate::error::Error;

/// Samples to be written: 1 is full scale.
pub struct Sound {
    /// Samples per second and channel.
    pub rate: u32,
    /// Number of channels, at least 1.
    pub channels: u16,
    /// The channels' samples, interleaved.
    pub samples: Vec<f64>,
}

impl Sound {
    /// Number of samples of each channel.
    pub fn frames(&self) -> usize {
        self.samples.len() / usize::from(self.channels).max(1)
    }

    /// One channel by itself; of the first, `index` is 0.
    pub fn channel(&self, index: usize) -> Vec<f64> {
        self.samples.iter().skip(index).step_by(usize::from(self.channels).max(1)).copied().collect()
    }

    /// Largest magnitude of any sample.
    pub fn peak(&self) -> f64 {
        self.samples.iter().fold(0.0, |peak, sample| peak.max(sample.abs()))
    }
}

/// How a sample is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Depth {
    /// 16-bit integers, dithered.
    #[value(name = "16")]
    Int16,
    /// 24-bit integers.
    #[value(name = "24")]
    Int24,
    /// 32-bit floating point, which holds what exceeds full scale too.
    #[value(name = "32f")]
    Float32,
}

impl Depth {
    /// What sound is stored in unless something else is asked for.
    pub const DEFAULT: Self = Self::Int24;

    /// Bytes of a sample.
    pub fn bytes(self) -> u16 {
        match self {
            Self::Int16 => 2,
            Self::Int24 => 3,
            Self::Float32 => 4,
        }
    }

    /// For people to read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Int16 => "16 bits",
            Self::Int24 => "24 bits",
            Self::Float32 => "32-bit float",
        }
    }
}

/// The kind of sound file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Uncompressed.
    Wav,
    /// Compressed without loss, integers only.
    Flac,
}

impl Container {
    /// The endings, without the dot.
    pub const ENDINGS: [&str; 2] = ["wav", "flac"];

    /// The kind of a file of that name, if its ending is a known one.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        [Self::Wav, Self::Flac]
            .into_iter()
            .zip(Self::ENDINGS)
            .find(|(_, known)| ending.eq_ignore_ascii_case(known))
            .map(|(container, _)| container)
    }
}

/// Writes a sound for `path`, which the user gave with `option`; it gets its name when it is kept. The seed is that of the
/// dither.
pub fn stage(option: &'static str, path: &Path, sound: &Sound, depth: Depth, seed: u64) -> Result<WholeFile, Error> {
    let mut file = WholeFile::create(option, path)?;
    match Container::of(path) {
        Some(Container::Flac) => {
            let bytes =
                flac::encoded(sound, depth, seed).map_err(|reason| Error::Encode { path: path.into(), reason })?;
            file.put(&bytes)?;
        }
        _ => wav::encode(sound, depth, seed, |bytes| file.put(bytes))?,
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_container_is_told_by_the_ending() {
        assert_eq!(Container::of(Path::new("a/b.wav")), Some(Container::Wav));
        assert_eq!(Container::of(Path::new("b.FLAC")), Some(Container::Flac));
        for other in ["b.mp3", "wav", ".wav", "b.wav.gz", ""] {
            assert_eq!(Container::of(Path::new(other)), None, "{other}");
        }
    }

    #[test]
    fn a_channel_is_every_nth_sample() {
        let sound = Sound { rate: 48_000, channels: 2, samples: vec![0.1, -0.9, 0.2, 0.3] };
        assert_eq!((sound.frames(), sound.channel(1), sound.peak()), (2, vec![-0.9, 0.3], 0.9));
    }
}
