//! The impacts: 200 with known results, and one made ever harder.

use ictus::impact::Problem;
use ictus::laws::HuntCrossley;
use serde::Deserialize;

/// Sample rate in Hz.
pub const RATE: f64 = 44_100.0;
/// Phases at which each reference impact is started.
const PHASES: usize = 8;
/// Phases at which each hard impact is started.
const HARD_PHASES: u32 = 64;
/// Powers of ten of the stiffness of the hard impacts, in N/m^1.5.
pub const HARD_DECADES: std::ops::RangeInclusive<i32> = 8..=14;

/// An impact with its exact results in SI units: the reference the library is tested against, too.
#[derive(Deserialize)]
struct Reference {
    mass: f64,
    stiffness: f64,
    exponent: f64,
    dissipation: f64,
    velocity: f64,
    max_compression: f64,
    output_velocity: f64,
    contact_time: f64,
}

/// One impact started at one phase, with what is exactly true of it.
pub struct Case {
    /// Number of the impact it belongs to.
    pub impact: usize,
    /// Samples of flight before the wall, 2 to 3.
    pub approach: f64,
    /// The mass, the wall and the start.
    pub problem: Problem,
    /// Largest compression in m.
    pub max_compression: f64,
    /// Velocity after release in m/s.
    pub output_velocity: f64,
    /// Duration of the contact in s.
    pub contact_time: f64,
}

impl Case {
    /// Exact duration of the contact in samples.
    pub fn length(&self) -> f64 {
        self.contact_time * RATE
    }

    /// Whether the wall dissipates.
    pub fn is_damped(&self) -> bool {
        self.output_velocity != -self.problem.velocity
    }

    /// Samples after which even a slow release is over.
    pub fn samples(&self) -> usize {
        (self.length() * 1.3) as usize + 20
    }
}

/// The reference impacts, each at eight phases of a fixed random sequence.
pub fn reference() -> Vec<Case> {
    let impacts: Vec<Reference> = serde_json::from_str(include_str!("../../../ictus/tests/data/impacts.json"))
        .expect("the embedded impacts are sound");
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let started = impacts.iter().enumerate().flat_map(|(index, impact)| {
        let phases: Vec<f64> = (0..PHASES).map(|_| random()).collect();
        phases.into_iter().map(move |phase| impact.started(index, phase))
    });
    started.collect()
}

impl Reference {
    fn started(&self, index: usize, phase: f64) -> Case {
        let law = HuntCrossley::new(self.stiffness, self.exponent, self.dissipation);
        Case {
            impact: index,
            approach: 2.0 + phase,
            problem: Problem {
                mass: self.mass,
                law: law.expect("the embedded impacts are sound").into(),
                acceleration: 0.0,
                displacement: -(2.0 + phase) * self.velocity / RATE,
                velocity: self.velocity,
                rate: RATE,
            },
            max_compression: self.max_compression,
            output_velocity: self.output_velocity,
            contact_time: self.contact_time,
        }
    }
}

/// P09's case (b) with a stiffness of 10^`decade` N/m^1.5, at 64 phases.
pub fn hard(decade: i32) -> Vec<Case> {
    let mut impact = Reference {
        mass: 1e-2,
        stiffness: 10f64.powi(decade),
        exponent: 1.5,
        dissipation: 0.5,
        velocity: 1.0,
        max_compression: 0.0,
        output_velocity: 0.0,
        contact_time: 0.0,
    };
    if let Some(exact) = impact.started(0, 0.0).problem.exact() {
        impact.max_compression = exact.max_compression();
        impact.output_velocity = exact.output_velocity();
        impact.contact_time = exact.contact_time();
    }
    (0..HARD_PHASES).map(|phase| impact.started(0, f64::from(phase) / f64::from(HARD_PHASES))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_1600_cases_of_200_impacts_and_64_hard_ones() {
        let cases = reference();
        assert_eq!(cases.len(), 1600);
        assert_eq!(cases.last().map(|case| case.impact), Some(199));
        assert!(cases.iter().all(|case| (2.0..3.0).contains(&case.approach)));
        for decade in HARD_DECADES {
            assert_eq!(hard(decade).len(), 64);
        }
    }
}
