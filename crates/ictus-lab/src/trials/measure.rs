//! Runs a scheme over the cases and sums up its errors.

use ictus::impact::{Scheme, Settings, run};
use rayon::prelude::*;

use super::cases::Case;

/// How far one run is off. Errors are relative, and infinite where there was no release to measure.
#[derive(Clone, Copy, Debug)]
pub struct Errors {
    /// Of the speed after release.
    pub rebound: f64,
    /// Of the contact time.
    pub contact_time: f64,
    /// Of the largest compression.
    pub compression: f64,
    /// Largest inward force, in parts of the largest force.
    pub pull: f64,
    /// Energy left in the contact, in parts of the energy at the start.
    pub trapped: f64,
    /// Largest drift of the energy balance.
    pub residual: f64,
}

/// Errors of a scheme in every case, in the order of the cases.
pub fn measure(scheme: &Scheme, settings: &Settings, cases: &[Case]) -> Vec<Errors> {
    cases.par_iter().map(|case| errors(scheme, settings, case)).collect()
}

fn errors(scheme: &Scheme, settings: &Settings, case: &Case) -> Errors {
    let measured = run(scheme, &case.problem, settings, case.samples());
    let off = |value: Option<f64>, truth: f64| value.map_or(f64::INFINITY, |value| (value / truth - 1.0).abs());
    let largest_force = measured.samples.iter().fold(f64::MIN_POSITIVE, |force, sample| force.max(sample.force));
    let energy = 0.5 * case.problem.mass * case.problem.velocity * case.problem.velocity;
    Errors {
        rebound: off(measured.output_velocity, case.output_velocity),
        contact_time: off(measured.contact_time, case.contact_time),
        compression: off(Some(measured.max_compression), case.max_compression),
        pull: measured.pull / largest_force,
        trapped: measured.trapped_energy / energy,
        residual: measured.energy_residual.unwrap_or(f64::INFINITY),
    }
}

/// Median, 95th percentile and maximum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Half of the values are below.
    pub median: f64,
    /// 95 % of the values are below.
    pub p95: f64,
    /// The largest.
    pub max: f64,
}

impl Spread {
    /// The spread of some values; zero of none.
    pub fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.collect();
        sorted.sort_by(f64::total_cmp);
        let at = |percent: usize| sorted.get(sorted.len() * percent / 100).copied().unwrap_or(0.0);
        Self { median: at(50), p95: at(95), max: sorted.last().copied().unwrap_or(0.0) }
    }
}

/// A scheme's errors over all cases.
pub struct Summary {
    /// Rebound of the impacts that lose energy.
    pub damped_rebound: Spread,
    /// Rebound of those that do not.
    pub lossless_rebound: Spread,
    /// Contact time.
    pub contact_time: Spread,
    /// Largest compression.
    pub compression: Spread,
    /// Largest pull.
    pub pull: f64,
    /// Most energy left.
    pub trapped: f64,
    /// Largest drift of the energy balance.
    pub residual: f64,
}

impl Summary {
    /// Sums up errors that belong to these cases, in the same order.
    pub fn of(errors: &[Errors], cases: &[Case]) -> Self {
        let rebound = |damped: bool| {
            let chosen = errors.iter().zip(cases).filter(move |(_, case)| case.is_damped() == damped);
            Spread::of(chosen.map(|(errors, _)| errors.rebound))
        };
        let spread = |of: fn(&Errors) -> f64| Spread::of(errors.iter().map(of));
        Self {
            damped_rebound: rebound(true),
            lossless_rebound: rebound(false),
            contact_time: spread(|errors| errors.contact_time),
            compression: spread(|errors| errors.compression),
            pull: spread(|errors| errors.pull).max,
            trapped: spread(|errors| errors.trapped).max,
            residual: spread(|errors| errors.residual).max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_the_sorted_values() {
        let spread = Spread::of((0..200).rev().map(f64::from));
        assert_eq!(spread, Spread { median: 100.0, p95: 190.0, max: 199.0 });
        assert_eq!(Spread::of(std::iter::empty()).max, 0.0);
    }
}
