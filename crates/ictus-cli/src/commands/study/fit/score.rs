//! What a fit found of an object: how far off, what was missed, what is too much.

use std::f64::consts::TAU;

use ictus_analysis::fit::{FitSettings, ModalFit, fit};

use super::objects::{self, Mode, RATE};

/// Level in dB beside the strongest mode above which none may be missed.
pub const HEARD: f64 = -50.0;

/// What became of objects.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Objects.
    pub objects: usize,
    /// Modes they have.
    pub modes: usize,
    /// Errors of the modes that were found: in cents, in per cent of T60, in dB.
    pub errors: [Vec<f64>; 3],
    /// The same in units of the uncertainty that the fit stated; of frequency and T60.
    pub stated: [Vec<f64>; 2],
    /// Modes that were not found.
    pub missed: usize,
    /// Modes found that are none.
    pub extra: usize,
}

impl Score {
    /// Of one object in noise of this level in dB.
    pub fn of(seed: u64, noise: f64) -> Self {
        let modes = objects::modes(seed);
        let sound = objects::sound(&modes, noise, seed);
        match fit(&[&sound], RATE, FitSettings::default()) {
            Ok(found) => Self::matched(&modes, &found),
            Err(_) => Self { objects: 1, modes: modes.len(), missed: modes.len(), ..Self::default() },
        }
    }

    /// Each mode takes the nearest found, if that is within half of its bandwidth.
    fn matched(modes: &[Mode], found: &ModalFit) -> Self {
        let mut score = Self { objects: 1, modes: modes.len(), ..Self::default() };
        let mut left: Vec<usize> = (0..found.modes.len()).collect();
        let onset = found.takes[0].onset - objects::LEAD as f64 / RATE;
        for [frequency, t60, amplitude, _] in modes {
            let sigma = 1000f64.ln() / t60;
            let distance = |k: usize| {
                let other = &found.modes[k];
                (TAU * (other.frequency - frequency)).hypot(1000f64.ln() / other.t60 - sigma)
            };
            let nearest = (0..left.len()).min_by(|&i, &j| distance(left[i]).total_cmp(&distance(left[j])));
            let Some(place) = nearest.filter(|&i| distance(left[i]) < sigma) else {
                score.missed += 1;
                continue;
            };
            let mode = &found.modes[left.swap_remove(place)];
            // At the beginning of the sound, wherever the fit took that to be.
            let heard = mode.amplitudes[0].norm() * (1000f64.ln() / mode.t60 * onset).exp();
            let off = [
                1200.0 * (mode.frequency / frequency).log2(),
                100.0 * (mode.t60 / t60 - 1.0),
                20.0 * (heard / amplitude).log10(),
            ];
            score.errors.iter_mut().zip(off).for_each(|(errors, off)| errors.push(off.abs()));
            score.stated[0].push((mode.frequency - frequency) / mode.frequency_error);
            score.stated[1].push((mode.t60 / t60 - 1.0) / mode.t60_error);
        }
        score.extra = left.len();
        score
    }

    /// With another.
    pub fn with(mut self, other: Self) -> Self {
        self.objects += other.objects;
        self.modes += other.modes;
        self.missed += other.missed;
        self.extra += other.extra;
        self.errors.iter_mut().zip(other.errors).for_each(|(all, more)| all.extend(more));
        self.stated.iter_mut().zip(other.stated).for_each(|(all, more)| all.extend(more));
        self
    }

    /// The error that 95 of 100 are below: cents, per cent, dB.
    pub fn p95(&self) -> [f64; 3] {
        [0, 1, 2].map(|which| quantile(&self.errors[which], 0.95))
    }

    /// The middle error.
    pub fn median(&self) -> [f64; 3] {
        [0, 1, 2].map(|which| quantile(&self.errors[which], 0.5))
    }

    /// Part of the errors of frequency and T60 that are within two of their stated deviations: 0.95 if these are true.
    pub fn within_two(&self) -> [f64; 2] {
        [0, 1].map(|which| {
            let all = &self.stated[which];
            all.iter().filter(|x| x.abs() < 2.0).count() as f64 / all.len().max(1) as f64
        })
    }
}

fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(((sorted.len() as f64 * part) as usize).min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A few of the objects of the study, few modes and many.
    #[test]
    fn modes_of_objects_made_by_chance_come_back() {
        let score = [1, 3, 4, 5].into_iter().map(|seed| Score::of(seed, -60.0)).fold(Score::default(), Score::with);
        let [cents, decay, level] = score.p95();
        assert!(score.modes > 60 && score.missed == 0 && score.extra == 0, "{score:?}");
        assert!(cents <= 0.5 && decay <= 3.0 && level <= 0.5, "{cents} {decay} {level}");
        let within = score.within_two();
        assert!(within.iter().all(|part| *part > 0.85), "{within:?}");
    }

    #[test]
    fn a_mode_that_is_not_there_is_counted() {
        let modes = [[440.0, 1.0, 1.0, 0.3], [900.0, 0.5, 0.5, 1.0]];
        let sound = objects::sound(&modes, -60.0, 1);
        let found = fit(&[&sound], RATE, FitSettings::default()).expect("is an impact");
        let score = Score::matched(&modes[..1], &found);
        assert_eq!((score.missed, score.extra), (0, 1));
        let score = Score::matched(&[modes[0], modes[1], [2000.0, 1.0, 0.1, 0.0]], &found);
        assert_eq!((score.missed, score.extra), (1, 0));
    }
}
