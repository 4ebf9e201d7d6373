//! From numbers to the integers of a sound file.
//!
//! 16 bits are dithered: the sum of two random numbers of a rectangular distribution, one step wide each, is added
//! before rounding. The error of rounding is then noise of constant power that knows nothing of the sound, instead of a
//! distortion that follows its decay. The random numbers come from the scene's seed, so that the same render gives the
//! same file. With 24 bits the error is below anything that is heard, and values are rounded as they are.

use ictus::math::random::SplitMix64;

/// Turns samples of which 1 is full scale into integers, one after the other.
pub struct Quantiser {
    full: f64,
    noise: Option<SplitMix64>,
}

impl Quantiser {
    /// For integers of `bits` bits, 16 or 24.
    pub fn new(bits: u32, seed: u64) -> Self {
        Self { full: f64::from(1i32 << (bits - 1)), noise: (bits == 16).then_some(SplitMix64(seed)) }
    }

    /// The integer of the next sample. What exceeds the range is held at its end.
    pub fn next(&mut self, sample: f64) -> i32 {
        let dither = self.noise.as_mut().map_or(0.0, |noise| noise.unit() - noise.unit());
        // A cast holds what is out of range at the ends, and makes 0 of what is no number.
        (sample * self.full + dither).round().clamp(-self.full, self.full - 1.0) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantised(samples: &[f64], bits: u32, seed: u64) -> impl Iterator<Item = i32> + '_ {
        let mut quantiser = Quantiser::new(bits, seed);
        samples.iter().map(move |sample| quantiser.next(*sample))
    }

    #[test]
    fn twenty_four_bits_are_rounded_to_the_nearest_step_and_held_at_the_ends() {
        let step = 1.0 / f64::from(1 << 23);
        let integers: Vec<i32> = quantised(&[0.0, 1.4 * step, -1.6 * step, 1.0, -1.0, 7.0, f64::NAN], 24, 1).collect();
        assert_eq!(integers, [0, 1, -2, 8_388_607, -8_388_608, 8_388_607, 0]);
    }

    #[test]
    fn dither_keeps_a_level_of_a_third_of_a_step_on_average() {
        let level = 1.0 / 3.0 / 32768.0;
        let integers: Vec<i32> = quantised(&vec![level; 200_000], 16, 7).collect();
        let mean = integers.iter().map(|&x| f64::from(x)).sum::<f64>() / 200_000.0;
        assert!((mean - 1.0 / 3.0).abs() < 0.01, "{mean}");
        assert!(integers.iter().all(|x| (-1..=2).contains(x)));
    }

    #[test]
    fn the_error_of_dithered_rounding_has_the_same_power_at_every_level() {
        for level in [0.0, 0.2, 0.5] {
            let constant = vec![level / 32768.0; 200_000];
            let errors = quantised(&constant, 16, 3).map(|x| (f64::from(x) - level).powi(2));
            let power = errors.sum::<f64>() / 200_000.0;
            assert!((power - 0.25).abs() < 0.01, "{level}: {power}");
        }
    }

    #[test]
    fn dither_follows_the_seed() {
        let dithered = |seed| quantised(&[1e-5; 100], 16, seed).collect::<Vec<_>>();
        assert_eq!(dithered(1), dithered(1));
        assert_ne!(dithered(1), dithered(2));
    }
}
