//! Sound files: WAV and FLAC, told by the file's ending.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use ictus_scene::scene::Output;

use super::{Spool, WholeFile, flac, is_standard_output, wav};
use crate::error::Error;

/// Frames handed on at a time where nothing else is asked for.
pub const BLOCK: usize = 4096;

/// A sound to be written: samples as they were computed, of which 1 is full scale, and what is done to them.
pub struct Sound {
    /// Samples per second and channel.
    pub rate: u32,
    /// Number of channels, at least 1.
    pub channels: u16,
    /// Factor that all samples are multiplied by.
    pub gain: f64,
    /// The key it sounds as, 60 being C4, if the file is to say so.
    pub root: Option<u8>,
    frames: usize,
    /// How it goes to silence.
    output: Output,
    /// The file it is for.
    path: PathBuf,
    /// The channels' samples, interleaved with those of its parts.
    samples: Rc<RefCell<Spool>>,
    /// Channels of which it is some, and the first of them that is its own.
    stride: usize,
    first: usize,
}

impl Sound {
    /// The first `frames` of what was computed for a file, faded as the scene's output asks.
    pub fn new(rate: u32, channels: u16, frames: usize, output: Output, path: &Path, samples: Spool) -> Self {
        Self {
            rate,
            channels,
            gain: 1.0,
            root: None,
            frames,
            output,
            path: path.to_owned(),
            samples: Rc::new(RefCell::new(samples)),
            stride: channels.into(),
            first: 0,
        }
    }

    /// The same with samples of more channels, of which its own are the first.
    #[must_use]
    pub fn among(self, channels: usize) -> Self {
        Self { stride: channels, ..self }
    }

    /// A part: as many channels as it has itself, from a channel behind its own on.
    pub fn part(&self, first: usize) -> Self {
        Self { first, path: self.path.clone(), samples: self.samples.clone(), ..*self }
    }

    /// Number of samples of each channel.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Number of samples of all channels together.
    pub fn count(&self) -> usize {
        self.frames * usize::from(self.channels)
    }

    /// Hands on the finished samples in blocks of so many frames; the last may be shorter.
    pub fn each_block(&self, frames: usize, mut take: impl FnMut(&[f64]) -> Result<(), Error>) -> Result<(), Error> {
        let channels = usize::from(self.channels);
        let mut block = vec![0.0; frames * channels];
        for first in (0..self.frames).step_by(frames) {
            let count = frames.min(self.frames - first);
            let block = &mut block[..count * channels];
            self.read(first, block)?;
            take(block)?;
        }
        Ok(())
    }

    /// Reads finished samples from a frame on, whole frames.
    pub fn read(&self, first: usize, block: &mut [f64]) -> Result<(), Error> {
        let channels = usize::from(self.channels);
        let mut samples = self.samples.borrow_mut();
        let read = match self.stride {
            stride if stride == channels => samples.read(first * channels, block),
            stride => {
                let mut all = vec![0.0; block.len() / channels * stride];
                samples.read(first * stride, &mut all).map(|()| {
                    let frames = block.chunks_exact_mut(channels).zip(all.chunks_exact(stride));
                    frames.for_each(|(own, all)| own.copy_from_slice(&all[self.first..self.first + channels]));
                })
            }
        };
        read.map_err(|source| Error::write("-o", &self.path, source))?;
        self.output.fade_out(block, channels, f64::from(self.rate), first as u64, self.frames as u64);
        block.iter_mut().for_each(|sample| *sample *= self.gain);
        Ok(())
    }

    /// Largest magnitude of any sample.
    pub fn peak(&self) -> Result<f64, Error> {
        let mut peak = 0.0f64;
        self.each_block(BLOCK, |block| {
            peak = block.iter().fold(peak, |peak, sample| peak.max(sample.abs()));
            Ok(())
        })?;
        Ok(peak)
    }

    /// A sound of these samples, for tests.
    #[cfg(test)]
    pub fn of(rate: u32, channels: u16, samples: &[f64]) -> Self {
        let path = Path::new("test.wav");
        let mut spool = Spool::beside(path);
        spool.push(samples).expect("fits into memory");
        Self::new(
            rate,
            channels,
            samples.len() / usize::from(channels),
            Output { fade: 0.0, ..Output::default() },
            path,
            spool,
        )
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
    let mut file = match is_standard_output(path) {
        true => WholeFile::standard_output(option),
        false => WholeFile::create(option, path)?,
    };
    match Container::of(path) {
        Some(Container::Flac) => {
            let head =
                flac::encode(
                    sound,
                    path,
                    depth,
                    seed,
                    |bytes| {
                        if file.can_go_back() { file.put(bytes) } else { Ok(()) }
                    },
                )?;
            if file.can_go_back() {
                file.replace_start(&head)?;
            } else {
                // A pipe takes the beginning first: it is known by now, and the rest is made once more.
                let mut is_head = true;
                flac::encode(sound, path, depth, seed, |bytes| {
                    file.put(if std::mem::take(&mut is_head) { &head } else { bytes })
                })?;
            }
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

    fn finished(sound: &Sound) -> Vec<f64> {
        let mut all = Vec::new();
        let read = sound.each_block(BLOCK, |block| {
            all.extend_from_slice(block);
            Ok(())
        });
        read.expect("can be read");
        all
    }

    #[test]
    fn blocks_are_the_whole_sound_in_order() {
        let samples: Vec<f64> = (0..30_000).map(f64::from).collect();
        let sound = Sound::of(48_000, 2, &samples);
        assert_eq!((sound.frames(), sound.count()), (15_000, 30_000));
        assert_eq!(finished(&sound), samples);
        assert_eq!(sound.peak().ok(), Some(29_999.0));
    }

    #[test]
    fn a_fade_ends_in_silence_and_leaves_what_is_before_it() {
        let mut spool = Spool::beside(Path::new("test.wav"));
        spool.push(&[1.0; 220]).expect("fits into memory");
        // Ten frames too many were computed.
        let sound = Sound::new(1000, 2, 100, Output { fade: 0.02, ..Output::default() }, Path::new("test.wav"), spool);
        let samples = finished(&sound);
        assert_eq!(samples.len(), 200);
        assert!(samples[..160].iter().all(|&sample| sample == 1.0));
        assert!(samples[160..].windows(3).all(|frames| frames[0] >= frames[2]));
        assert_eq!(samples[198..], [0.0, 0.0]);
    }
}
