//! Runs a scheme and measures what a listener and a researcher would ask: when it touched, how deep, how fast it left.

use super::{Failure, Problem, Sample, Scheme, Settings, Stepper};
use crate::laws::ContactLaw;

/// One contact of the mass with the wall, its ends interpolated between samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Time of first touch in s.
    pub start: f64,
    /// Time of release in s; `None` while still touching at the end of the run.
    pub end: Option<f64>,
}

/// A scheme's trajectory and what was measured on it. "First" means the first contact of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// One entry per sample, from sample 0.
    pub samples: Vec<Sample>,
    /// Every contact of the run.
    pub contacts: Vec<Contact>,
    /// Largest sampled compression of the first contact in m.
    pub max_compression: f64,
    /// Duration of the first contact in s.
    pub contact_time: Option<f64>,
    /// Velocity after the first release in m/s, taken back to the wall if there is gravity.
    pub output_velocity: Option<f64>,
    /// Kinetic and stored energy in J after the first release, taken back to the wall if there is gravity; at the end of the
    /// run if there was no release.
    pub final_energy: f64,
    /// Largest inward force of the wall in N: a wall should not pull.
    pub pull: f64,
    /// Energy left in the contact after the first release in J.
    pub trapped_energy: f64,
    /// Largest drift of `T + V + dissipated - supplied`, relative to the largest energy of the run, for schemes that
    /// account for every joule.
    pub energy_residual: Option<f64>,
    /// Most Newton iterations spent on one sample.
    pub iterations_max: u32,
    /// Why the run ended early, if it did.
    pub failure: Option<Failure>,
}

/// Steps `scheme` on `problem` for `samples` samples after sample 0.
pub fn run(scheme: &Scheme, problem: &Problem, settings: &Settings, samples: usize) -> Run {
    let mut trace = Trace::default();
    let mut failure = None;
    match (scheme.start)(problem, settings) {
        Err(kind) => failure = Some(Failure { kind, sample: 0 }),
        Ok(mut stepper) => {
            trace.samples.reserve_exact(samples + 1);
            trace.record(stepper.as_ref());
            for sample in 1..=samples {
                if let Err(kind) = stepper.step() {
                    failure = Some(Failure { kind, sample });
                    break;
                }
                trace.record(stepper.as_ref());
            }
        }
    }
    trace.measure(problem, failure)
}

/// Samples and balance as they come out of the stepper.
#[derive(Default)]
struct Trace {
    samples: Vec<Sample>,
    /// `T + V + dissipated - supplied` at the first sample, and its largest deviation since.
    balance: Option<f64>,
    deviation: f64,
    largest_energy: f64,
}

impl Trace {
    fn record(&mut self, stepper: &dyn Stepper) {
        let sample = stepper.sample();
        let energy = sample.kinetic + sample.potential;
        if let Some(dissipated) = stepper.dissipated() {
            let balance = energy + dissipated - stepper.supplied();
            let first = *self.balance.get_or_insert(balance);
            self.deviation = self.deviation.max((balance - first).abs());
        }
        self.largest_energy = self.largest_energy.max(energy);
        self.samples.push(sample);
    }

    fn measure(self, problem: &Problem, failure: Option<Failure>) -> Run {
        let first = FirstContact::find(&self.samples, problem);
        let settled = first.settled.and_then(|n| self.samples.get(n));
        let energy_residual =
            (self.balance.is_some() && self.largest_energy > 0.0).then_some(self.deviation / self.largest_energy);
        Run {
            max_compression: first.max_compression,
            contact_time: first.contacts.first().and_then(|contact| Some(contact.end? - contact.start)),
            output_velocity: first.output_velocity,
            final_energy: match (first.output_velocity, settled) {
                (Some(velocity), Some(sample)) => 0.5 * problem.mass * velocity * velocity + sample.potential,
                _ => self.samples.last().map_or(0.0, |sample| sample.kinetic + sample.potential),
            },
            pull: self.samples.iter().fold(0.0, |pull, s| f64::max(pull, -s.force)),
            trapped_energy: settled.map_or(0.0, |s| s.potential),
            iterations_max: self.samples.iter().map(|s| s.iterations).max().unwrap_or(0),
            contacts: first.contacts,
            samples: self.samples,
            energy_residual,
            failure,
        }
    }
}

/// All contacts, and the details of the first.
#[derive(Default)]
struct FirstContact {
    contacts: Vec<Contact>,
    max_compression: f64,
    output_velocity: Option<f64>,
    /// The second sample outside the wall after the first release: every scheme's forces are over by then.
    settled: Option<usize>,
}

impl FirstContact {
    fn find(samples: &[Sample], problem: &Problem) -> Self {
        let mut found = Self::default();
        let Some(surface) = problem.law.surface() else { return found };
        let depth = |n: usize| samples[n].displacement - surface;
        let touches = |n: usize| depth(n) > 0.0 || samples[n].force != 0.0;
        // Where the path from one sample to the next crosses the surface.
        let crossing = |n: usize| ((n as f64) + depth(n) / (depth(n) - depth(n + 1))) / problem.rate;

        let mut n = 0;
        while n < samples.len() {
            if !touches(n) {
                n += 1;
                continue;
            }
            let begin = n;
            while n < samples.len() && touches(n) {
                n += 1;
            }
            let inside = |n: &usize| depth(*n) > 0.0;
            let (start, end) = match ((begin..n).find(inside), (begin..n).rfind(inside)) {
                (Some(first), Some(last)) => (
                    if first == 0 { 0.0 } else { crossing(first - 1) },
                    (last + 1 < samples.len()).then(|| crossing(last)),
                ),
                // Over before a sample lay inside.
                _ => (begin as f64 / problem.rate, (n < samples.len()).then_some(begin as f64 / problem.rate)),
            };
            if found.contacts.is_empty() {
                found.max_compression = (begin..n).map(depth).fold(0.0, f64::max);
                found.release(samples, n + 1, end, problem);
            }
            found.contacts.push(Contact { start, end });
        }
        found
    }

    fn release(&mut self, samples: &[Sample], settled: usize, end: Option<f64>, problem: &Problem) {
        if let (Some(sample), Some(end)) = (samples.get(settled), end) {
            self.settled = Some(settled);
            self.output_velocity = Some(sample.velocity - problem.acceleration * (settled as f64 / problem.rate - end));
        }
    }
}
