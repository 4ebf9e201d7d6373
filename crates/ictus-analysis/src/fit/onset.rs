//! Where an impact begins, and what speaks against there being one to fit.
//!
//! Power in short blocks: the impact begins where it rises above what was there before, for good. A recording that is silent, clipped or too
//! short, that swells instead of being struck, or in which more is struck later, is no single impact; it is told what was found.

/// Length of a block in s.
const BLOCK: f64 = 0.000_5;

/// Shortest sound after the onset that can be fitted, in s.
pub const SHORTEST: f64 = 0.05;

/// Below this peak a recording is silent: -120 dB.
const SILENT: f64 = 1e-6;

/// Samples at the peak in a row, and in all, that make a recording clipped.
const FLAT: usize = 4;

/// A second impact raises the power over 10 ms this many times above any in the 50 ms before.
const RISE: f64 = 4.0;

/// Part of the first impact's power below which a second one is part of the noise.
const LOUD: f64 = 3e-3;

/// What a recording is, if it is no impact that can be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// Nothing is heard.
    #[error("it is silent: no sample is above -120 dB of full scale")]
    Silent,
    /// The peaks are cut off.
    #[error(
        "it is clipped: {runs} of its peaks are flat, {samples} samples at {level:.1} dB of full scale; the modes of a clipped sound are not those of the object"
    )]
    Clipped {
        /// Peaks that are cut.
        runs: usize,
        /// Samples in them.
        samples: usize,
        /// Where they are cut, in dB.
        level: f64,
    },
    /// Too little of it.
    #[error("it is too short: {seconds:.3} s from the impact on, and modes need {SHORTEST} s")]
    Short {
        /// What there is, in s.
        seconds: f64,
    },
    /// Nothing was struck.
    #[error(
        "no impact was found: the sound is loudest {seconds:.2} s after it begins, and what is struck is loudest at once"
    )]
    Swells {
        /// From the beginning to the loudest, in s.
        seconds: f64,
    },
    /// Struck more than once.
    #[error(
        "it holds more than one impact, or music: at {first:.3} s, and again at {second:.3} s; fit one of them, with --from and --to"
    )]
    Several {
        /// When the first begins, in s.
        first: f64,
        /// When the next begins, in s.
        second: f64,
    },
    /// Nothing that rings.
    #[error("no modes stand above the noise")]
    Noise,
    /// A setting is out of range.
    #[error("{0}")]
    Setting(String),
}

/// Where the impact is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Onset {
    /// First sample of it.
    pub sample: usize,
    /// Sample from which on the modes are surely free.
    pub free: usize,
    /// Last sample and one of what is to be fitted.
    pub end: usize,
}

impl Onset {
    /// Finds it.
    ///
    /// # Errors
    /// What the recording is instead.
    pub fn of(samples: &[f64], rate: f64) -> Result<Self, Unfit> {
        let peak = samples.iter().fold(0.0_f64, |most, y| most.max(y.abs()));
        if peak < SILENT {
            return Err(Unfit::Silent);
        }
        clipped(samples, peak)?;
        let block = ((BLOCK * rate) as usize).max(1);
        let powers: Vec<f64> =
            samples.chunks(block).map(|part| part.iter().map(|y| y * y).sum::<f64>() / part.len() as f64).collect();
        let loudest = (0..powers.len()).max_by(|&i, &j| powers[i].total_cmp(&powers[j])).unwrap_or(0);
        let first = beginning(&powers, loudest);
        let seconds = |blocks: usize| (blocks * block) as f64 / rate;
        if seconds(loudest - first) > 0.15 {
            return Err(Unfit::Swells { seconds: seconds(loudest - first) });
        }
        let wide = ((0.01 / BLOCK) as usize).max(1);
        if let Some(second) = second(&powers, loudest, wide) {
            return Err(Unfit::Several { first: seconds(first), second: seconds(second) });
        }
        let before = samples[..first * block].iter().fold(0.0_f64, |most, y| most.max(y.abs()));
        let near = &samples[(first.saturating_sub(1)) * block..];
        let level = (1.5 * before).max(1e-3 * peak);
        let sample = (first.saturating_sub(1)) * block + near.iter().position(|y| y.abs() > level).unwrap_or(0);
        let after = |seconds: f64| (seconds * rate) as usize;
        // Half the power is there before the stroke is over.
        let half = (first..=loudest).find(|&n| powers[n] > 0.5 * powers[loudest]).unwrap_or(loudest);
        let rise = (half * block).saturating_sub(sample).min(after(0.03));
        let free = (sample + 3 * rise + after(0.0015)).min(samples.len());
        let end = samples.len().min(sample + after(12.0));
        if end < free + after(SHORTEST) {
            return Err(Unfit::Short { seconds: (end - sample.min(end)) as f64 / rate });
        }
        Ok(Self { sample, free, end })
    }
}

/// The block where the rise to the loudest begins: the last before it that is as quiet as most before.
fn beginning(powers: &[f64], loudest: usize) -> usize {
    let mut before: Vec<f64> = powers[..loudest].to_vec();
    before.sort_by(f64::total_cmp);
    // A recording may begin with the impact: then there is nothing quiet.
    let quiet = before.get(before.len() / 4).copied().unwrap_or(0.0);
    let limit = (10.0 * quiet).clamp(1e-5 * powers[loudest], 0.01 * powers[loudest]);
    (0..loudest).rev().find(|&block| powers[block] < limit).map_or(0, |block| block + 1)
}

/// A block in which something begins anew, loud enough to matter.
fn second(powers: &[f64], loudest: usize, wide: usize) -> Option<usize> {
    let mean = |start: usize| powers[start..start + wide].iter().sum::<f64>() / wide as f64;
    let last = powers.len().saturating_sub(3 * wide);
    let first = (loudest < last).then(|| mean(loudest))?;
    // Beats rise too: but on both sides of where they vanish, so that within 50 ms before it was as loud.
    (loudest + 6 * wide..last).find(|&block| {
        let before = (1..=5).map(|back| mean(block - back * wide)).fold(0.0, f64::max);
        mean(block).min(mean(block + wide)) > (RISE * before).max(LOUD * first)
    })
}

fn clipped(samples: &[f64], peak: f64) -> Result<(), Unfit> {
    let flat = |y: &f64| y.abs() >= peak * (1.0 - 1e-4);
    let (mut runs, mut count, mut run) = (0, 0, 0);
    for y in samples.iter().chain(&[0.0]) {
        if flat(y) {
            run += 1;
            continue;
        }
        if run >= FLAT {
            runs += 1;
            count += run;
        }
        run = 0;
    }
    if runs >= 2 { Err(Unfit::Clipped { runs, samples: count, level: 20.0 * peak.log10() }) } else { Ok(()) }
}
