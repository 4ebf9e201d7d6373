//! How a point gives way to a force that lasts: its inverse mass over 1, 2, 4 … 512 samples.
//!
//! A newton held for n samples moves an oscillator by `½ B e_n/e_1`, `e_n = 2 - 2 cos nθ`; a free mass by `½ B n²`. So over n samples a mode is a mass
//! whose response to one step is `B e_n/(n² e_1)`, the less the sooner it swings back, and `e_2n = e_n (4 - e_n)` gives the next from the last. A string, bar or plate is light where it is
//! struck for a sample, and the heavier the longer the blow: a contact must know this to tell how long it will last.

use super::poles::Poles;

/// Lengths in samples that are looked at: powers of two.
const LENGTHS: usize = 10;

/// Part of the give that is left after four half-lives where waves run off.
const MOST_LEFT: f64 = 0.35;

/// Displacement in m per newton and step that a free mass would show if it moved as far as the point does under a force held for 1, 2, 4 … 512 samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Accelerance([f64; LENGTHS]);

impl Accelerance {
    /// Adds a mode of these poles that a newton at the point moves so far in one step, in m.
    #[inline]
    pub(super) fn add_mode(&mut self, response: f64, poles: &Poles) {
        let (mut part, mut swing) = (response, poles.restoring.clamp(0.0, 4.0));
        for sum in &mut self.0 {
            *sum += part;
            part *= 0.25 * (4.0 - swing);
            swing *= 4.0 - swing;
        }
    }

    /// Both of two points that push each other apart.
    pub(crate) fn beside(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(sum, other)| *sum += other);
        self
    }

    /// The same over a number of samples, between those that are known.
    pub(crate) fn over(&self, samples: f64) -> f64 {
        let place = libm::log2(samples.max(1.0)).min((LENGTHS - 1) as f64);
        let first = (place as usize).min(LENGTHS - 2);
        let part = place - first as f64;
        (1.0 - part) * self.0[first] + part * self.0[first + 1]
    }

    /// Samples after which a point from which waves run off gives way half as much as at once: about a period of the highest of them. `None` for
    /// what is mostly mass: of a string or a plate an eighth is left four times as late, of a bar a quarter, of a mass all.
    pub(crate) fn half_life(&self) -> Option<f64> {
        let half = 0.5 * self.0[0];
        let after = self.0.iter().position(|over| *over <= half).filter(|after| *after > 0)?;
        let [above, below] = [self.0[after - 1], self.0[after]];
        let samples = libm::exp2((after - 1) as f64 + (above - half) / (above - below));
        (self.over(4.0 * samples) < MOST_LEFT * self.0[0]).then_some(samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::poles::Oscillator;

    /// By pushing it in every sample, half as much in the first.
    #[test]
    fn a_mode_gives_way_as_it_does_when_it_is_pushed_for_so_long() {
        for frequency in [0.0, 300.0, 4000.0, 19_000.0] {
            let poles = Oscillator::new(0.02, frequency, 0.0, 48_000.0).unwrap().poles();
            let mut accelerance = Accelerance::default();
            accelerance.add_mode(poles.response, &poles);
            let (mut place, mut last_move, mut force) = (0.0, 0.0, 0.5);
            for samples in 1..=128_u32 {
                last_move = poles.free_move(place - last_move, last_move) + poles.response * force;
                (place, force) = (place + last_move, 1.0);
                if samples.is_power_of_two() {
                    let (length, found) = (f64::from(samples), accelerance.over(f64::from(samples)));
                    let expected = 2.0 * place / (length * length);
                    assert!((found - expected).abs() < 1e-12 * poles.response, "{frequency} Hz, {samples} samples");
                }
            }
        }
    }
}
