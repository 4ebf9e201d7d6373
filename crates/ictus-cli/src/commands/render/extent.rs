//! How much sound a scene comes to: the one place that says whether it can be rendered, for `render` and for `check`.

use ictus::math::Plain;
use ictus_scene::Scene;

use crate::error::Error;
use crate::sinks::sound::Depth;
use crate::sinks::wav;

/// Rates a sound file may have, in Hz: those that scenes may have.
const RATES: (f64, f64) = (8000.0, 768_000.0);
/// Most samples of all channels together that a render may have. While it is computed, eight bytes of each are on the disk.
const MOST_SAMPLES: f64 = (1u64 << 28) as f64;

/// How much sound there will be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Samples per second and channel.
    pub rate: u32,
    /// Number of channels.
    pub channels: u16,
    /// Length in samples of each channel, without the tail.
    pub frames: usize,
    /// Most samples of the tail.
    pub tail: usize,
}

impl Extent {
    /// Of a scene's sound at a rate in Hz with a tail of at most so many s, in a file of that depth; or why it cannot be. `name` is what
    /// the scene is called.
    pub fn of(scene: &Scene, name: &str, rate: f64, tail: f64, depth: Depth) -> Result<Self, Error> {
        let rate = whole_rate(rate)
            .map_err(|allowed| Error::Input(format!("{name}: the rate is {} Hz, but {allowed}", Plain(rate))))?;
        let channels = scene.model.pickups.first().map_or(1, |pickup| pickup.gains.len());
        let hertz = f64::from(rate);
        let most = MOST_SAMPLES.min(wav::LARGEST as f64 / f64::from(depth.bytes())) / channels as f64;
        let frames = (scene.duration * hertz).round().max(1.0);
        let tail = (tail * hertz).round();
        if frames + tail > most {
            return Err(Error::Input(format!(
                "{name}: the sound would be {} s long, but {channels} {} at {rate} Hz can be at most {} s long",
                Plain((frames + tail) / hertz),
                if channels == 1 { "channel" } else { "channels" },
                (most / hertz).floor(),
            )));
        }
        Ok(Self {
            rate,
            channels: u16::try_from(channels).unwrap_or(u16::MAX),
            frames: frames as usize,
            tail: tail as usize,
        })
    }
}

/// A rate in Hz that a file can have, or what is allowed.
pub fn whole_rate(rate: f64) -> Result<u32, String> {
    let (lowest, highest) = RATES;
    let whole = rate.fract() == 0.0 && (lowest..=highest).contains(&rate);
    if whole { Ok(rate as u32) } else { Err(format!("must be a whole number of Hz from {lowest} to {highest}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_whole_numbers() {
        assert_eq!(whole_rate(44_100.0), Ok(44_100));
        for bad in [999.0, 7999.0, 44_100.5, 768_001.0, 1e9] {
            assert!(whole_rate(bad).is_err(), "{bad}");
        }
    }
}
