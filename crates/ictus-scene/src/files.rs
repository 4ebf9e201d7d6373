//! Files that a scene names: sounds that its signals follow, and scenes that it uses.
//!
//! The reader touches no disk. Whoever has a scene's folder gives it to the [`Source`](crate::Source); a text without one cannot name files.

use std::fmt::Debug;

use crate::source::Source;

/// Where the files are that a scene names.
pub trait Files: Debug + Send + Sync {
    /// A passage of a sound at a rate in Hz: the mean of its channels, 1 being full scale.
    ///
    /// # Errors
    /// Why it cannot be had.
    fn sound(&self, name: &str, passage: Passage) -> Result<Vec<f64>, Missing>;

    /// Another scene, with where its own files are.
    ///
    /// # Errors
    /// Why it cannot be had: the end of a sentence that begins with the file's name.
    fn scene(&self, name: &str) -> Result<Source, String>;
}

/// What is wanted of a sound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// Where it begins, in s.
    pub start: f64,
    /// How long it is at most, in s; to the end of the file without one.
    pub length: Option<f64>,
    /// Samples per second that it is brought to.
    pub rate: f64,
    /// Most samples at that rate: what is longer is refused before memory is taken for it.
    pub most: usize,
}

/// Why a file cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It is longer than what there is room for.
    TooLong,
    /// Anything else: the end of a sentence that begins with the file's name.
    Because(String),
}

/// What a signal of a scene was read from: what the writer says instead of its samples.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    /// The force that follows it, by its place.
    pub(crate) force: usize,
    pub(crate) file: String,
    pub(crate) start: f64,
    pub(crate) length: Option<f64>,
    /// Of the samples: a scene whose samples were changed since is written with them.
    pub(crate) print: u64,
}

impl Recorded {
    pub(crate) fn new(force: usize, file: &str, passage: &Passage, samples: &[f64]) -> Self {
        let Passage { start, length, .. } = *passage;
        Self { force, file: file.to_owned(), start, length, print: print_of(samples) }
    }

    /// Whether a signal is what was read.
    pub(crate) fn is(&self, force: usize, samples: &[f64]) -> bool {
        self.force == force && self.print == print_of(samples)
    }
}

/// FNV-1a of the samples' bits and their number.
fn print_of(samples: &[f64]) -> u64 {
    let step = |print: u64, bits: u64| (print ^ bits).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29);
    samples
        .iter()
        .fold(step(0xcbf2_9ce4_8422_2325, samples.len() as u64), |print, sample| step(print, sample.to_bits()))
}
