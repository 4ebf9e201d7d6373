//! One lossless collision of C14: how long it lasts, exactly and by a scheme.
//!
//! The duration of a discrete contact is read off the flights before and after it: both are straight lines, and the
//! contact lasts from where the first meets the wall's surface to where the second leaves it. So measured, the source's
//! exact-duration two-point scheme lasts π/ω to rounding, whatever the phase; crossings interpolated inside the wall would
//! not tell.

use ictus::impact::exact::WallImpact;
use ictus::impact::{Problem, Run, Settings, run, scheme};
use ictus::laws::OneSidedPower;

/// Why a collision could not be computed.
pub type Failed = Box<dyn std::error::Error + Send + Sync>;

/// The schemes compared, in the source's order.
pub const SCHEMES: [&str; 2] = ["two-point", "three-point"];

/// A mass that flies into a lossless wall, in SI units.
#[derive(Clone, Copy, Debug)]
pub struct Collision {
    /// m in kg.
    pub mass: f64,
    /// K in N/m^α.
    pub stiffness: f64,
    /// α.
    pub exponent: f64,
    /// v0 in m/s.
    pub velocity: f64,
    /// Distance from the wall at sample 0 in m.
    pub distance: f64,
    /// Sample rate in Hz.
    pub rate: f64,
}

impl Collision {
    /// The collision of figures 3 and 4 with a wall of this stiffness in N/m: 1 kg, 0.1 mm before it, 1 m/s, 50 kHz.
    pub fn of_source(stiffness: f64) -> Self {
        Self { mass: 1.0, stiffness, exponent: 1.0, velocity: 1.0, distance: 1e-4, rate: 50e3 }
    }

    /// One at unit mass, velocity and rate whose exact contact lasts `length` samples, started `phase` samples before the wall.
    pub fn of_length(exponent: f64, length: f64, phase: f64) -> Self {
        let unit = Self { mass: 1.0, stiffness: 1.0, exponent, velocity: 1.0, distance: phase, rate: 1.0 };
        // The contact time goes with K^(-1/(α+1)).
        Self { stiffness: (unit.duration() / length).powf(exponent + 1.0), ..unit }
    }

    /// Its closed results.
    pub fn exact(&self) -> WallImpact {
        let Self { mass, stiffness, exponent, velocity, .. } = *self;
        WallImpact { mass, stiffness, exponent, dissipation: 0.0, velocity }
    }

    /// Exact duration of the contact in s.
    pub fn duration(&self) -> f64 {
        self.exact().contact_time()
    }

    /// The same in samples.
    pub fn length(&self) -> f64 {
        self.duration() * self.rate
    }

    /// The collision by a scheme, for that many samples.
    pub fn run(&self, name: &str, samples: usize) -> Result<Run, Failed> {
        let law = OneSidedPower::new(self.stiffness, self.exponent, 0.0)?.into();
        let Self { mass, velocity, rate, .. } = *self;
        let problem = Problem { mass, law, acceleration: 0.0, displacement: -self.distance, velocity, rate };
        let scheme = scheme(name).ok_or_else(|| format!("there is no scheme {name}"))?;
        let run = run(scheme, &problem, &Settings::default(), samples);
        match run.failure {
            Some(failure) => Err(format!("{name}: {failure}").into()),
            None => Ok(run),
        }
    }

    /// Duration of the contact by a scheme in s: from the first flight's end to the second flight's start.
    pub fn simulated(&self, name: &str) -> Result<f64, Failed> {
        // At least two samples inside, and one of flight on either side, however stiff the wall.
        let flight = self.distance / self.velocity;
        let samples = ((1.3 * self.duration() + flight) * self.rate) as usize + 8;
        let run = self.run(name, samples)?;
        let last = run.samples.last().filter(|last| last.displacement <= 0.0 && last.velocity < 0.0);
        let last = last.ok_or("the mass did not leave the wall")?;
        Ok(samples as f64 / self.rate - last.displacement / last.velocity - flight)
    }

    /// Number of samples inside the wall.
    pub fn samples_inside(&self, name: &str) -> Result<usize, Failed> {
        let samples = (self.length() + self.distance / self.velocity * self.rate) as usize + 10;
        Ok(self.run(name, samples)?.samples.iter().filter(|sample| sample.displacement > 0.0).count())
    }

    /// Points (t, y) of the exact motion from 0 to `end` s, for a linear wall: (14).
    pub fn exact_path(&self, end: f64) -> Vec<(f64, f64)> {
        let omega = (self.stiffness / self.mass).sqrt();
        let (touch, leave) = (self.distance / self.velocity, self.distance / self.velocity + self.duration());
        let at = |t: f64| match t {
            t if t < touch => self.velocity * (t - touch),
            t if t < leave => self.velocity / omega * (omega * (t - touch)).sin(),
            t => -self.velocity * (t - leave),
        };
        (0..=2000).map(|n| end * f64::from(n) / 2000.0).map(|t| (t, at(t))).collect()
    }

    /// Largest drift of a scheme's energy, as a part of it.
    pub fn energy_drift(&self, name: &str) -> Result<f64, Failed> {
        let samples = (self.length() + self.distance / self.velocity * self.rate) as usize + 10;
        self.run(name, samples)?.energy_residual.ok_or_else(|| format!("{name} keeps no account of energy").into())
    }
}
