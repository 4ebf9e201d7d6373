//! The strike to rounding: an adaptive Runge-Kutta method in contact, the closed motion of free modes out of it.
//!
//! In contact the steps are those of Dormand and Prince's fifth-order pair, no longer than to the next sample; a release is found by shortening the last step
//! until the compression is 0. Out of contact the hammer flies straight and every mode rings,
//!
//! ```text
//! x(t) = e^(-σt) [ x (cos ωt + σ sin ωt/ω) + v sin ωt/ω ],    ω² = ω_j² - σ²
//! ```
//!
//! and the next touch is where that motion crosses. A touch and release between two samples of one flight is not seen.

use super::{Mode, Strike, StrikeError, Struck, Touch};
use crate::impact::FailureKind;
use crate::laws::{ContactLaw, HuntCrossley};

/// Error allowed in a step, in parts of the largest compression and of the hammer's velocity.
const TOLERANCE: f64 = 1e-10;
/// Most steps of a strike, besides those from sample to sample: one that needs more is not one the numbers can hold.
const MOST_STEPS: usize = 50_000;

impl Strike {
    /// The strike integrated to about ten digits, for `samples` samples after the first touch.
    ///
    /// # Errors
    /// A parameter is out of range, or the motion is not finite.
    pub fn integrated(&self, samples: usize) -> Result<Struck, StrikeError> {
        let mut motion = Motion::new(self, samples)?;
        let mut struck = Struck::default();
        let k = 1.0 / self.rate;
        for sample in 0..=samples {
            if sample > 0 {
                motion.advance((sample - 1) as f64 * k, k, &mut struck.contacts)?;
            }
            struck.displacement.push(motion.struck_point(&motion.state));
            struck.compression.push(motion.compression(&motion.state).0);
            struck.force.push(if motion.touching.is_some() { motion.force(&motion.state) } else { 0.0 });
        }
        Ok(struck)
    }
}

/// Everything that moves: displacement and velocity of the hammer, then of each mode.
struct Motion {
    law: HuntCrossley,
    modes: Vec<Mode>,
    inverse_mass: f64,
    state: Vec<f64>,
    /// Time in s and velocity in m/s of the touch, while they touch.
    touching: Option<(f64, f64)>,
    /// What an error is measured by: a displacement in m and a velocity in m/s.
    scale: [f64; 2],
    /// Length in s of the step to try next.
    step: f64,
    /// Steps that may still be taken.
    steps_left: usize,
    /// Free motion of the modes over one sample.
    sample: Vec<FreeMotion>,
    slopes: [Vec<f64>; 7],
    stage: Vec<f64>,
    trial: Vec<f64>,
}

impl Motion {
    fn new(strike: &Strike, samples: usize) -> Result<Self, StrikeError> {
        let modes = strike.modes()?;
        let hammer = &strike.hammer;
        let size = 2 + 2 * modes.len();
        let scale = [hammer.max_compression(), hammer.velocity];
        if !scale.iter().all(|s| s.is_finite() && *s > 0.0) {
            return Err(FailureKind::NotFinite.into());
        }
        let mut state = vec![0.0; size];
        state[1] = hammer.velocity;
        Ok(Self {
            law: strike.law()?,
            sample: modes.iter().map(|mode| FreeMotion::of(mode, 1.0 / strike.rate)).collect(),
            modes,
            inverse_mass: 1.0 / hammer.mass,
            touching: Some((0.0, hammer.velocity)),
            step: 1e-3 * scale[0] / scale[1],
            steps_left: MOST_STEPS + samples,
            scale,
            slopes: std::array::from_fn(|_| vec![0.0; size]),
            stage: state.clone(),
            trial: state.clone(),
            state,
        })
    }

    fn struck_point(&self, state: &[f64]) -> f64 {
        self.modes.iter().zip(state[2..].chunks_exact(2)).map(|(mode, x)| mode.weight * x[0]).sum()
    }

    /// Compression and its velocity.
    fn compression(&self, state: &[f64]) -> (f64, f64) {
        let velocity: f64 = self.modes.iter().zip(state[2..].chunks_exact(2)).map(|(mode, x)| mode.weight * x[1]).sum();
        (state[0] - self.struck_point(state), state[1] - velocity)
    }

    fn force(&self, state: &[f64]) -> f64 {
        let (compression, velocity) = self.compression(state);
        self.law.force(compression) * (1.0 + self.law.dissipation() * velocity)
    }

    /// Moves on by `duration` s from `time` s, through as many contacts and flights as there are.
    fn advance(&mut self, time: f64, duration: f64, contacts: &mut Vec<Touch>) -> Result<(), FailureKind> {
        let mut left = duration;
        while self.steps_left > 0 {
            self.steps_left -= 1;
            let now = time + duration - left;
            match self.touching {
                None => {
                    let flown = self.fly(left, left == duration);
                    left -= flown;
                    if left <= 0.0 {
                        return Ok(());
                    }
                    self.touching = Some((time + duration - left, self.compression(&self.state).1));
                    self.step = self.step.min(1e-3 * self.scale[0] / self.scale[1]);
                }
                Some((start, v_in)) => {
                    let (taken, released) = self.step_in_contact(left)?;
                    left -= taken;
                    if released {
                        let v_out = self.compression(&self.state).1;
                        contacts.push(Touch { start, end: now + taken, v_in, v_out });
                        self.touching = None;
                    }
                    if left <= 1e-15 * duration {
                        return Ok(());
                    }
                }
            }
        }
        Err(FailureKind::NoConvergence)
    }

    /// One accepted step, at most `most` s; returns its length and whether it ended in a release.
    fn step_in_contact(&mut self, most: f64) -> Result<(f64, bool), FailureKind> {
        for _ in 0..200 {
            let step = self.step.min(most);
            let error = self.try_step(step);
            if !error.is_finite() {
                self.step = 0.1 * step;
                continue;
            }
            let factor = (0.9 * error.max(1e-10).powf(-0.2)).clamp(0.2, 5.0);
            if error > 1.0 {
                self.step = factor * step;
                continue;
            }
            let (compression, velocity) = self.compression(&self.trial);
            if compression <= 0.0 && velocity < 0.0 {
                let taken = self.release_within(step, compression, velocity);
                std::mem::swap(&mut self.state, &mut self.trial);
                return Ok((taken, true));
            }
            // A step cut by a sample says nothing about the next one.
            if step == self.step || factor < 1.0 {
                self.step = factor * step;
            }
            std::mem::swap(&mut self.state, &mut self.trial);
            return Ok((step, false));
        }
        Err(FailureKind::NoConvergence)
    }

    /// Shortens a step that went past the release until it ends there; the end is left in `trial`.
    fn release_within(&mut self, step: f64, compression: f64, velocity: f64) -> f64 {
        let (mut length, mut past, mut slope) = (step, compression, velocity);
        for _ in 0..20 {
            let next = (length - past / slope).clamp(0.0, step);
            if (next - length).abs() <= 1e-15 * step || slope >= 0.0 {
                break;
            }
            length = next;
            self.try_step(length);
            (past, slope) = self.compression(&self.trial);
        }
        length
    }

    /// The state one step of the pair later, in `trial`; returns its error in parts of what is allowed.
    fn try_step(&mut self, step: f64) -> f64 {
        let Self { slopes, stage, trial, state, .. } = self;
        let (mut slopes, mut stage, mut trial) = (std::mem::take(slopes), std::mem::take(stage), std::mem::take(trial));
        for row in 0..7 {
            stage.copy_from_slice(state);
            for (slope, weight) in slopes.iter().zip(STAGES[row]) {
                stage.iter_mut().zip(slope).for_each(|(x, s)| *x += step * weight * s);
            }
            if row == 6 {
                trial.copy_from_slice(&stage);
            }
            // The last row is the step itself.
            let mut slope = std::mem::take(&mut slopes[row]);
            derivative(&self.law, &self.modes, self.inverse_mass, &stage, &mut slope);
            slopes[row] = slope;
        }
        let error = |i: usize| {
            let difference: f64 = slopes.iter().zip(ERROR).map(|(slope, weight)| weight * slope[i]).sum();
            (step * difference / (TOLERANCE * self.scale[i % 2])).abs()
        };
        let largest = (0..trial.len())
            .map(error)
            .fold(0.0, |largest: f64, e| if e > largest || e.is_nan() { e } else { largest });
        (self.slopes, self.stage, self.trial) = (slopes, stage, trial);
        largest
    }

    /// Flies for `most` s, a whole sample or what is left of it, or to the next touch; returns how long.
    fn fly(&mut self, most: f64, whole_sample: bool) -> f64 {
        let from = self.state.clone();
        if whole_sample {
            self.state[0] += self.state[1] * most;
            let modes = self.state[2..].chunks_exact_mut(2);
            self.sample.iter().zip(modes).for_each(|(motion, x)| motion.apply(x));
        } else {
            self.state = self.flown(&from, most);
        }
        if self.compression(&self.state).0 <= 0.0 {
            return most;
        }
        let (mut before, mut after) = (0.0, most);
        while after - before > 1e-14 * most {
            let middle = 0.5 * (before + after);
            if self.compression(&self.flown(&from, middle)).0 > 0.0 {
                after = middle;
            } else {
                before = middle;
            }
        }
        self.state = self.flown(&from, after);
        after
    }

    /// The state after some time in s without a force.
    fn flown(&self, from: &[f64], time: f64) -> Vec<f64> {
        let mut state = from.to_vec();
        state[0] += state[1] * time;
        for (mode, x) in self.modes.iter().zip(state[2..].chunks_exact_mut(2)) {
            FreeMotion::of(mode, time).apply(x);
        }
        state
    }
}

/// Rates of change of everything that moves, in contact.
fn derivative(law: &HuntCrossley, modes: &[Mode], inverse_mass: f64, state: &[f64], slope: &mut [f64]) {
    let (mut compression, mut velocity) = (state[0], state[1]);
    for (mode, x) in modes.iter().zip(state[2..].chunks_exact(2)) {
        compression -= mode.weight * x[0];
        velocity -= mode.weight * x[1];
    }
    let force = law.force(compression) * (1.0 + law.dissipation() * velocity);
    slope[0] = state[1];
    slope[1] = -force * inverse_mass;
    for ((mode, x), rate) in modes.iter().zip(state[2..].chunks_exact(2)).zip(slope[2..].chunks_exact_mut(2)) {
        rate[0] = x[1];
        rate[1] = mode.response * force - mode.stiffness * x[0] - 2.0 * mode.sigma * x[1];
    }
}

/// What a mode's displacement and velocity become after some time without a force.
struct FreeMotion {
    displacement: [f64; 2],
    velocity: [f64; 2],
}

impl FreeMotion {
    fn of(mode: &Mode, time: f64) -> Self {
        let squared = mode.stiffness - mode.sigma * mode.sigma;
        let omega = squared.abs().sqrt();
        let angle = omega * time;
        // cos and sin(angle)/omega, or their hyperbolic kin when overdamped.
        let (cosine, sine) =
            if squared > 0.0 { (libm::cos(angle), libm::sin(angle)) } else { (libm::cosh(angle), libm::sinh(angle)) };
        let sine = if angle > 0.0 { sine / omega } else { time };
        let decay = libm::exp(-mode.sigma * time);
        Self {
            displacement: [decay * (cosine + mode.sigma * sine), decay * sine],
            velocity: [-decay * mode.stiffness * sine, decay * (cosine - mode.sigma * sine)],
        }
    }

    fn apply(&self, x: &mut [f64]) {
        let [position, velocity] = [x[0], x[1]];
        x[0] = self.displacement[0] * position + self.displacement[1] * velocity;
        x[1] = self.velocity[0] * position + self.velocity[1] * velocity;
    }
}

/// Dormand and Prince's stages; the last row is the fifth-order step.
const STAGES: [[f64; 6]; 7] = [
    [0.0; 6],
    [1.0 / 5.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 40.0, 9.0 / 40.0, 0.0, 0.0, 0.0, 0.0],
    [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0, 0.0, 0.0, 0.0],
    [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0, 0.0, 0.0],
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0, 0.0],
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Difference of the fifth- and fourth-order steps.
const ERROR: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];
