//! Measures of sound, for any signal: a slice of samples and its rate in hertz.
//!
//! | question | answer |
//! | --- | --- |
//! | which frequencies, how strong? | [`Spectrum`], [`Spectrogram`] |
//! | how bright is the attack? | [`centroid_track`], [`average_centroid`] |
//! | which note? | [`fundamental`], [`partial_near`], [`cents`] |
//! | how long does it ring? | [`decay_time`], [`band_decay_times`], [`partial_decay_time`]; after each of several strokes: [`LevelTrack`] |
//! | when did things touch, how hard? | [`contacts_from_compression`], [`contacts_from_force`] |
//! | how loud? | [`loudness`] |
//! | all of these in a few numbers | [`Features`] |
//! | all of these, partial by partial | [`measure()`] |
//! | which contact makes such an impact? | [`design`] |
//! | which modes ring after a recorded impact? | [`fit`](mod@fit) |
//! | the same sound at a lower rate | [`Decimator`] |
//!
//! Every function takes plain samples, so a recording serves as well as a simulation. Bad input
//! is an [`AnalysisError`] that names what was expected and what came; a quantity the sound does
//! not have (the pitch of silence) is `None`. Nothing here panics, and no measure is NaN.
//!
//! These functions allocate. They are for offline use, not for an audio callback.
//!
//! ```
//! use ictus_analysis::{cents, partial_near};
//!
//! let rate = 48_000.0;
//! let tone: Vec<f64> = (0..48_000)
//!     .map(|n| (std::f64::consts::TAU * 440.5 * n as f64 / rate).sin())
//!     .collect();
//! let partial = partial_near(&tone, rate, 440.0, 50.0)?.expect("a partial near A4");
//! assert!(cents(440.5, partial.frequency).abs() < 0.1);
//! # Ok::<(), ictus_analysis::AnalysisError>(())
//! ```

mod bands;
mod centroid;
mod contacts;
mod decay;
mod decimate;
pub mod design;
mod error;
mod falls;
mod features;
pub mod fit;
mod frames;
mod heterodyne;
mod loudness;
mod measure;
mod partial;
mod pitch;
mod spectrogram;
mod spectrum;
mod transform;
mod window;

#[cfg(test)]
mod test_signals;

pub use bands::{BandDecay, Bandwidth, band_decay_times};
pub use centroid::{ATTACK_SECONDS, CentroidFrame, Weighting, average_centroid, centroid_track};
pub use contacts::{ContactEvent, ForceContacts, contacts_from_compression, contacts_from_force};
pub use decay::{FitRange, decay_time, partial_decay_time};
pub use decimate::Decimator;
pub use error::{AnalysisError, LARGEST_FRAME, LARGEST_SAMPLE};
pub use falls::{Fall, LevelMeter, LevelTrack};
pub use features::{Features, mean_from_onset};
pub use frames::Framing;
pub use loudness::{Loudness, LoudnessMeter, loudness};
pub use measure::{Click, Decay, Harmonics, Levels, MeasureSettings, MeasuredPartial, Measures, Stereo, measure};
pub use partial::{Partial, cents, partial_near};
pub use pitch::{Pitch, PitchRange, fundamental};
pub use spectrogram::{LARGEST_SPECTROGRAM, Spectrogram};
pub use spectrum::{Peak, Spectrum, decibels};
pub use window::Window;
