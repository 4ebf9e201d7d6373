//! Which harmonic each partial is, how far from it, and how stiff the string is.
//!
//! A stiff string's partials follow `(f_n/n)² = F²(1 + B n²)`. From the pitch on, each partial is looked for where those below it say, and the law is fitted to all that were
//! found. What is none of them is compared with the nearest multiple of the first partial.

use super::partials::MeasuredPartial;
use crate::error::AnalysisError;
use crate::partial::cents;
use crate::pitch::{PitchRange, fundamental};

/// Time in s in which the pitch is measured.
const PITCH_SECONDS: f64 = 1.0;

/// How far a partial may be from where the law says, in parts of the fundamental and in cents.
const NEAR: (f64, f64) = (0.3, 60.0);

/// Fewest partials whose stiffness is told.
const FEWEST: usize = 4;

/// Largest error in cents of a law that is told.
const LARGEST_ERROR: f64 = 8.0;

/// A first partial may be this far below the strongest, in dB, where nothing repeats.
const FAINT: f64 = 30.0;

/// Fundamental and stiffness of a sound with partials.
#[derive(Debug, Clone, PartialEq)]
pub struct Harmonics {
    /// Fundamental frequency in Hz; `None` where nothing repeats.
    pub pitch: Option<f64>,
    /// Frequency in Hz that partials are multiples of: the first partial, or where it would be. Without a pitch the lowest partial within 30 dB of the strongest.
    pub reference: f64,
    /// Inharmonicity B of a stiff string; `None` unless four partials or more follow its law within 8 cents.
    pub inharmonicity: Option<f64>,
    /// Root mean square in cents of what the law leaves.
    pub error: Option<f64>,
    /// How many partials follow the law.
    pub followers: usize,
}

/// The law, in squares: `(f/n)² = a + b n²`.
#[derive(Clone, Copy)]
struct Law {
    a: f64,
    b: f64,
}

impl Law {
    fn frequency(self, number: f64) -> f64 {
        number * (self.a + self.b * number * number).max(0.25 * self.a).sqrt()
    }

    /// The law nearest to partials of these numbers and frequencies, in cents; a harmonic one of fewer than three.
    fn of(found: &[(f64, f64)]) -> Option<Self> {
        let (mut s, mut x, mut xx, mut y, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for &(number, frequency) in found {
            let (square, value) = (number * number, (frequency / number).powi(2));
            // A cent is the same part of every square.
            let weight = 1.0 / (value * value);
            (s, x, xx) = (s + weight, x + weight * square, xx + weight * square * square);
            (y, xy) = (y + weight * value, xy + weight * square * value);
        }
        let determinant = s * xx - x * x;
        if found.len() < 3 || determinant <= 1e-12 * s * xx {
            return (s > 0.0).then_some(Self { a: y / s, b: 0.0 });
        }
        Some(Self { a: (y * xx - xy * x) / determinant, b: (xy * s - y * x) / determinant })
    }
}

/// Numbers the partials.
pub(super) fn of(
    channels: &[&[f64]],
    rate: f64,
    partials: &mut [MeasuredPartial],
) -> Result<Option<Harmonics>, AnalysisError> {
    let strongest = partials.iter().fold(0.0_f64, |most, partial| most.max(partial.amplitude));
    let faint = strongest * 10f64.powf(-FAINT / 20.0);
    let Some(lowest) = partials.iter().find(|partial| partial.amplitude >= faint).map(|partial| partial.frequency)
    else {
        return Ok(None);
    };
    // Of the loudest channel: in the mean of all, partials may cancel.
    let energy = |channel: &&&[f64]| channel.iter().map(|x| x * x).sum::<f64>();
    let loudest = channels.iter().max_by(|a, b| energy(a).total_cmp(&energy(b))).copied().unwrap_or_default();
    let tone = &loudest[..loudest.len().min((PITCH_SECONDS * rate).ceil() as usize)];
    let pitch = fundamental(tone, rate, PitchRange::default())?.map(|pitch| pitch.frequency);
    let Some(pitch) = pitch else {
        return Ok(Some(Harmonics { pitch: None, reference: lowest, inharmonicity: None, error: None, followers: 0 }));
    };
    let (law, numbers) = followed(pitch, partials);
    let found: Vec<(f64, f64)> = numbers.iter().map(|&(index, number)| (number, partials[index].frequency)).collect();
    let first = found.iter().find(|(number, _)| *number == 1.0).map(|(_, frequency)| *frequency);
    let reference = first.unwrap_or_else(|| law.frequency(1.0));
    for (index, partial) in partials.iter_mut().enumerate() {
        let follows = numbers.iter().find(|(follower, _)| *follower == index);
        let number = follows.map_or_else(|| (partial.frequency / reference).round().max(1.0), |(_, number)| *number);
        partial.harmonic = Some(number as u32);
        partial.deviation = Some(cents(number * reference, partial.frequency)).filter(|cents| cents.is_finite());
    }
    let squares =
        found.iter().map(|(number, frequency)| cents(law.frequency(*number), *frequency).powi(2)).sum::<f64>();
    let error = (squares / found.len().max(1) as f64).sqrt();
    let holds = found.len() >= FEWEST && error < LARGEST_ERROR;
    Ok(Some(Harmonics {
        pitch: Some(pitch),
        reference,
        inharmonicity: holds.then(|| (law.b / law.a).max(0.0)),
        error: holds.then_some(error),
        followers: found.len(),
    }))
}

/// The law that starts at a pitch, and the partials that follow it with their numbers.
fn followed(pitch: f64, partials: &[MeasuredPartial]) -> (Law, Vec<(usize, f64)>) {
    let mut law = Law { a: pitch * pitch, b: 0.0 };
    let mut numbers: Vec<(usize, f64)> = Vec::new();
    let mut found: Vec<(f64, f64)> = Vec::new();
    let highest = partials.last().map_or(0.0, |partial| partial.frequency);
    let mut number = 1.0;
    while law.frequency(number) <= highest + pitch && number <= 1000.0 {
        let expected = law.frequency(number);
        // One that is fainter may lie nearer by chance.
        let near = |partial: &&(usize, &MeasuredPartial)| {
            let frequency = partial.1.frequency;
            (frequency - expected).abs() < NEAR.0 * pitch && cents(expected, frequency).abs() < NEAR.1
        };
        let all: Vec<(usize, &MeasuredPartial)> = partials.iter().enumerate().collect();
        let loudest = all.iter().filter(near).max_by(|a, b| a.1.amplitude.total_cmp(&b.1.amplitude));
        if let Some(&(index, partial)) = loudest
            && numbers.last().is_none_or(|(last, _)| *last < index)
        {
            numbers.push((index, number));
            found.push((number, partial.frequency));
            law = Law::of(&found).unwrap_or(law);
        }
        number += 1.0;
    }
    (law, numbers)
}
