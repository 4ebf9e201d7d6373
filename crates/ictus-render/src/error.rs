//! Why a scene cannot be played to its end.

use ictus::math::Plain;
use ictus_analysis::AnalysisError;
use ictus_scene::instrument::BuildError;

/// Why a scene cannot be played to its end.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A sound cannot have this rate.
    #[error("{name}: the rate is {} Hz, but {allowed}", Plain(*.rate))]
    Rate {
        /// What the scene is called.
        name: String,
        /// The rate in Hz.
        rate: f64,
        /// What is allowed.
        allowed: String,
    },
    /// There would be more sound than is rendered.
    #[error(
        "{name}: the sound would be {} s long, but {channels} {} at {rate} Hz can be at most {most} s long",
        Plain(*.seconds),
        if *.channels == 1 { "channel" } else { "channels" }
    )]
    TooLong {
        /// What the scene is called.
        name: String,
        /// How long it would be in s.
        seconds: f64,
        /// Of how many channels.
        channels: usize,
        /// The rate in Hz.
        rate: u32,
        /// How long it can be in s.
        most: f64,
    },
    /// The scene's model cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The sound cannot be filtered down to its rate.
    #[error(transparent)]
    Filter(#[from] AnalysisError),
    /// The simulation left the numbers.
    #[error("the simulation diverged{}", .culprit.as_ref().map_or(String::new(), |name| format!(", first at `{name}`")))]
    Breakdown {
        /// The object or contact that did first, where it is known.
        culprit: Option<String>,
    },
}
