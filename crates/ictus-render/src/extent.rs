//! How much sound a scene comes to: the one place that says whether it can be rendered, for `render` and for `check`.

use ictus_scene::Scene;

use crate::error::RenderError;

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
    /// Most samples of all channels together, whatever they are kept in.
    pub const LARGEST: f64 = MOST_SAMPLES;

    /// Of a scene's sound at a rate in Hz with a tail of at most so many s, where at most so many samples of all channels can be kept; or
    /// why it cannot be. `name` is what the scene is called.
    ///
    /// # Errors
    /// The rate is none of a sound file, or there would be too much sound.
    pub fn of(scene: &Scene, name: &str, rate: f64, tail: f64, samples: f64) -> Result<Self, RenderError> {
        let rate = whole_rate(rate).map_err(|allowed| RenderError::Rate { name: name.to_owned(), rate, allowed })?;
        let channels = scene.model.pickups.first().map_or(1, |pickup| pickup.gains.len());
        let hertz = f64::from(rate);
        let most = MOST_SAMPLES.min(samples) / channels as f64;
        let frames = (scene.duration * hertz).round().max(1.0);
        let tail = (tail * hertz).round();
        if frames + tail > most {
            return Err(RenderError::TooLong {
                name: name.to_owned(),
                seconds: (frames + tail) / hertz,
                channels,
                rate,
                most: (most / hertz).floor(),
            });
        }
        Ok(Self {
            rate,
            channels: u16::try_from(channels).unwrap_or(u16::MAX),
            frames: frames as usize,
            tail: tail as usize,
        })
    }

    /// Most samples of each channel, with all of the tail.
    pub fn longest(&self) -> usize {
        self.frames + self.tail
    }
}

/// A rate in Hz that a file can have, or what is allowed.
///
/// # Errors
/// What is allowed: completes "the rate is …, but …".
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
