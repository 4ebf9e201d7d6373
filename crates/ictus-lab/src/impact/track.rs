//! Motions as curves for a picture: what a scheme computed, and the exact one.
//!
//! Of long runs only the points a drawing needs are kept, so that every scheme's curves fit in memory. Energies
//! include that of the height over the wall when there is gravity.

use ictus::impact::{Problem, Sample};
use serde::Serialize;

use super::{Setup, reference};
use crate::simplify::simplified;

/// Points closer together than this part of a panel are drawn as one.
const TOLERANCE: f64 = 2e-4;
/// Runs of no more samples than this are drawn point by point.
const MOST_POINTS: usize = 1000;
/// Points of the exact orbit.
const ORBIT_POINTS: usize = 400;
/// Points of a flight between bounces.
const FLIGHT_POINTS: usize = 60;
/// Most bounces of the exact motion.
const MOST_BOUNCES: usize = 200;

/// The curves of one motion, in SI units.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Track {
    /// The scheme.
    pub name: &'static str,
    /// Velocity over compression, of the first impact.
    pub phase: Vec<(f64, f64)>,
    /// Force over compression, of the first impact.
    pub force: Vec<(f64, f64)>,
    /// Kinetic energy over time.
    pub kinetic: Vec<(f64, f64)>,
    /// Potential energy over time.
    pub potential: Vec<(f64, f64)>,
    /// Their sum over time.
    pub total: Vec<(f64, f64)>,
    /// Displacement over time.
    pub displacement: Vec<(f64, f64)>,
}

/// What the picture shows, in SI units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Extent {
    /// Deepest compression to expect.
    pub compression: f64,
    /// Velocity at the wall.
    pub velocity: f64,
    /// Largest force of the exact impact.
    pub force: f64,
    /// Energy at the first touch.
    pub energy: f64,
    /// First and last time.
    pub time: (f64, f64),
    /// When the first impact is over.
    pub first_impact: f64,
}

impl Extent {
    /// The extent of the exact motion.
    pub fn of(setup: &Setup) -> Self {
        let exact = &setup.exact;
        let step = 1.0 / setup.problem.rate;
        let contact = exact.contact_time();
        let orbit = reference::orbit(exact, &setup.problem.law, ORBIT_POINTS);
        let end = setup.samples as f64 * step;
        let around = (0.3 * contact).max(3.0 * step);
        let first_impact = (setup.approach + contact + around).min(end);
        let start = (setup.approach - around).min(end - step).max(0.0);
        Self {
            // A contact shorter than a sample is as deep as the mass flies in one.
            compression: exact.max_compression().max(exact.velocity * step),
            velocity: exact.velocity,
            force: orbit.iter().map(|point| point.2).fold(0.0, f64::max),
            energy: exact.initial_energy(),
            time: if setup.bounces() { (0.0, end) } else { (start, first_impact.max(start + step)) },
            first_impact,
        }
    }
}

impl Track {
    /// The motion a scheme computed.
    pub fn of(name: &'static str, samples: &[Sample], problem: &Problem, extent: &Extent) -> Self {
        let step = 1.0 / problem.rate;
        let between = has_energy_between_samples(samples, problem);
        let delay = if between { 0.5 } else { 0.0 };
        let weight = problem.mass * problem.acceleration;
        let height_energy = |n: usize| {
            let after = if between { (n + 1).min(samples.len() - 1) } else { n };
            -weight * (samples[n].displacement + samples[after].displacement) / 2.0
        };
        let kinetic = |n: usize| samples[n].kinetic;
        let potential = |n: usize| samples[n].potential + height_energy(n);

        let tolerance = if samples.len() > MOST_POINTS { TOLERANCE } else { 0.0 };
        let (start, end) = extent.time;
        let over_time = |value: &dyn Fn(usize) -> f64, delay: f64, size: f64| {
            let points = (0..samples.len()).map(|n| ((n as f64 + delay) * step, value(n)));
            let shown = |time: f64| time > start - 2.0 * step && time < end + 2.0 * step;
            simplified(points.filter(|point| shown(point.0)), (end - start, size), tolerance)
        };
        let impact = &samples[..samples.len().min((extent.first_impact / step).ceil() as usize + 2)];
        let phase = impact.iter().map(|sample| (sample.displacement, sample.velocity));
        let force = impact.iter().map(|sample| (sample.displacement, sample.force));
        Self {
            name,
            phase: simplified(phase, (extent.compression, extent.velocity), tolerance),
            force: simplified(force, (extent.compression, extent.force), tolerance),
            kinetic: over_time(&kinetic, delay, extent.energy),
            potential: over_time(&potential, delay, extent.energy),
            total: over_time(&|n| kinetic(n) + potential(n), delay, extent.energy),
            displacement: over_time(&|n| samples[n].displacement, 0.0, extent.compression),
        }
    }

    /// The exact motion: orbit of the first impact, and all bounces over time.
    pub fn exact(setup: &Setup, extent: &Extent) -> Self {
        let problem = &setup.problem;
        let orbit = reference::orbit(&setup.exact, &problem.law, ORBIT_POINTS);
        let mut track = Self {
            name: "exact",
            phase: orbit.iter().map(|point| (point.0, point.1)).collect(),
            force: orbit.iter().map(|point| (point.0, point.2)).collect(),
            ..Self::default()
        };
        let end = extent.time.1;
        track.fly(0.0, setup.approach.min(end), problem.displacement, problem.velocity, problem);
        let bounces = reference::bounces(setup.exact, setup.approach, problem.acceleration);
        for bounce in bounces.take(MOST_BOUNCES).take_while(|bounce| bounce.start < end) {
            let Some(motion) = reference::contact(&bounce.impact, problem.law) else {
                break;
            };
            for (time, sample) in motion {
                track.push(bounce.start + time, &sample, problem);
            }
            let next = if setup.bounces() { bounce.next().min(end) } else { end };
            track.fly(bounce.end, next, 0.0, bounce.impact.output_velocity(), problem);
        }
        track
    }

    fn fly(&mut self, from: f64, to: f64, displacement: f64, velocity: f64, problem: &Problem) {
        let Problem { mass, acceleration, .. } = problem;
        for index in 0..=FLIGHT_POINTS {
            let passed = (to - from) * index as f64 / FLIGHT_POINTS as f64;
            let speed = velocity + acceleration * passed;
            let sample = Sample {
                displacement: displacement + passed * (velocity + speed) / 2.0,
                kinetic: 0.5 * mass * speed * speed,
                ..Sample::default()
            };
            self.push(from + passed, &sample, problem);
        }
    }

    fn push(&mut self, time: f64, sample: &Sample, problem: &Problem) {
        let height_energy = -problem.mass * problem.acceleration * sample.displacement;
        let potential = sample.potential + height_energy;
        self.displacement.push((time, sample.displacement));
        self.kinetic.push((time, sample.kinetic));
        self.potential.push((time, potential));
        self.total.push((time, sample.kinetic + potential));
    }
}

/// Whether the energies are those half a sample later, as three-point schemes have them: their kinetic energy is
/// that of the velocity from this sample to the next.
fn has_energy_between_samples(samples: &[Sample], problem: &Problem) -> bool {
    samples.windows(2).all(|pair| {
        let velocity = (pair[1].displacement - pair[0].displacement) * problem.rate;
        let kinetic = 0.5 * problem.mass * velocity * velocity;
        (kinetic - pair[0].kinetic).abs() <= 1e-6 * (kinetic + pair[0].potential)
    })
}
