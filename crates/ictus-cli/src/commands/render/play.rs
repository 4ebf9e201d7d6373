//! Plays a scene to its end and keeps what was heard and what happened.

use ictus_render::{Performance, Played, RenderError, Watch};
use indicatif::ProgressBar;

use super::plan::{Level, Plan};
use crate::error::Error;
use crate::sinks::Spool;
use crate::sinks::sound::Sound;

/// What came of playing a scene.
pub struct Take {
    /// The sound, faded and at its level.
    pub sound: Sound,
    /// What happened: energies and forces over time if pictures are wanted.
    pub played: Played,
}

/// Plays a scene as planned.
pub fn play(plan: &Plan, bar: &ProgressBar) -> Result<Take, Error> {
    let failed = |error: RenderError| match error {
        RenderError::Build(error) => Error::Input(format!("{}: {error}", plan.name)),
        other => Error::Run { scene: plan.name.clone(), reason: other.to_string() },
    };
    let drawn = plan.plot.is_some();
    let watch = Watch { account: plan.account, energies: drawn, forces: drawn };
    let mut performance = Performance::new(&plan.scene, plan.extent, plan.oversample, watch).map_err(failed)?;
    let mut samples = Spool::beside(&plan.output);
    while let Some(heard) = performance.next().map_err(failed)? {
        samples.push(heard).map_err(|source| Error::write("-o", &plan.output, source))?;
        bar.set_position(performance.computed() as u64);
    }
    let played = performance.finish().map_err(failed)?;
    let (rate, channels) = (plan.extent.rate, plan.extent.channels);
    let sound = Sound::new(rate, channels, played.frames, plan.scene.output, &plan.output, samples);
    let mut sound = sound.among((1 + plan.stems.len()) * usize::from(channels));
    sound.gain = match plan.level {
        Level::Gain(decibels) => amplitude(decibels),
        Level::Peak(decibels) => normalising(decibels, sound.peak()?),
    };
    Ok(Take { sound, played })
}

/// The factor of a level in dB.
fn amplitude(decibels: f64) -> f64 {
    10f64.powf(decibels / 20.0)
}

/// The factor that brings a sound of this peak to a level in dB. Silence stays what it is.
fn normalising(decibels: f64, peak: f64) -> f64 {
    if peak > 0.0 { amplitude(decibels) / peak } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_is_a_gain_or_a_peak() {
        assert_eq!(amplitude(20.0), 10.0);
        assert!((0.25 * normalising(-6.0, 0.25) - 0.501_187).abs() < 1e-6);
        assert_eq!(normalising(-6.0, 0.0), 1.0);
    }
}
