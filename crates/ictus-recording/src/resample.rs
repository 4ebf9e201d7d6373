//! A sound at another rate: the product of spectra of blocks (`rubato`'s synchronous resampler), the delay of its filter taken off.

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::{Fft, FixedSync, Resampler, WindowFunction};

use crate::{HIGHEST_RATE, MOST_SAMPLES, RecordingError};

/// Length of the filter in samples of the lower rate, at least: as long as that of an oversampled render.
const FILTER: usize = 1024;

/// Longest block of the resampler: two rates without a common divisor need one as long as the rate.
const LONGEST: usize = 1 << 22;

/// Samples from one rate to another, both in Hz. The length is that of the input times the ratio, rounded up.
///
/// # Errors
/// A rate is 0 or too high, the rates have no common divisor and are both large, or there would be too many samples.
pub fn resampled(samples: &[f64], from: u32, to: u32) -> Result<Vec<f64>, RecordingError> {
    let refused = |reason: &str| RecordingError::Rate { from, to, reason: reason.to_owned() };
    if from == to {
        return Ok(samples.to_vec());
    }
    if !(1..=HIGHEST_RATE).contains(&from) || !(1..=HIGHEST_RATE).contains(&to) {
        return Err(refused("rates are whole numbers from 1 Hz to 10 MHz"));
    }
    let ratio = f64::from(to) / f64::from(from);
    if samples.len() as f64 * ratio > MOST_SAMPLES as f64 {
        return Err(refused("there would be too many samples"));
    }
    let divisor = gcd(from, to);
    if (from.max(to) / divisor) as usize > LONGEST {
        return Err(refused("these rates have no common divisor"));
    }
    // An even number of the smallest blocks: the middle of the filter is then a sample, and its delay a whole number of them.
    let smallest = 2 * (from / divisor) as usize;
    let block = smallest * (FILTER * (from as usize).div_ceil(from.min(to) as usize)).div_ceil(smallest);
    let other = |error: &dyn std::fmt::Display| refused(&error.to_string());
    let window = WindowFunction::BlackmanHarris2;
    let mut resampler = Fft::<f64>::new_custom(from as usize, to as usize, block, 1, 1, window, FixedSync::Both)
        .map_err(|e| other(&e))?;
    let input = InterleavedSlice::new(samples, 1, samples.len()).map_err(|e| other(&e))?;
    let output = resampler.process_all(&input, samples.len(), None).map_err(|e| other(&e))?;
    let mut output = output.take_data();
    // The resampler takes the length times a rounded ratio.
    output.truncate((samples.len() as u64 * u64::from(to)).div_ceil(u64::from(from)) as usize);
    Ok(output)
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
