//! The noise under the modes: the power that is left, from frequency to frequency.
//!
//! Of the powers in a few neighbouring bands, over the later half of the sound, the median: a mode that was not found raises few of them. The
//! power of noise in a band is distributed exponentially, so its mean is the median over ln 2.

use super::bank::{Bands, Bank};

/// Bands to both sides whose powers are taken together.
const NEIGHBOURS: usize = 8;

/// Powers taken of a band at most.
const TAKEN: usize = 24;

/// Variance per sample that noise would have if it were everywhere as it is in this band.
#[derive(Clone, Debug)]
pub struct Floor {
    variances: Vec<f64>,
    spacing: f64,
}

impl Floor {
    /// Of what is left of one sound; never below `least`.
    pub fn of(bank: &Bank, bands: &Bands, least: f64) -> Self {
        let start = bands.frames / 2;
        let every = (bands.frames - start).div_ceil(TAKEN).max(1);
        let powers: Vec<Vec<f64>> = (0..bank.count())
            .map(|band| bands.band(band)[start..].iter().step_by(every).map(|x| x.norm_sqr() / bank.noise).collect())
            .collect();
        let mut near = Vec::new();
        let variance = |band: usize| {
            near.clear();
            // The lowest and the highest bands have real values, or nothing.
            let range = band.saturating_sub(NEIGHBOURS).max(1)..(band + NEIGHBOURS + 1).min(bank.count() - 1);
            range.for_each(|band| near.extend_from_slice(&powers[band]));
            let middle = near.len() / 2;
            let median = if near.is_empty() { 0.0 } else { *near.select_nth_unstable_by(middle, f64::total_cmp).1 };
            (median / std::f64::consts::LN_2).max(least)
        };
        Self { variances: (0..bank.count()).map(variance).collect(), spacing: bank.centre(1) }
    }

    /// At a frequency in radians per sample.
    pub fn at(&self, frequency: f64) -> f64 {
        let band = (frequency / self.spacing).round().max(0.0) as usize;
        self.variances[band.min(self.variances.len() - 1)]
    }

    /// Mean over all frequencies.
    pub fn mean(&self) -> f64 {
        self.variances.iter().sum::<f64>() / self.variances.len() as f64
    }
}
