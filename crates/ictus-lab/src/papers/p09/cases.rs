//! The two hard impacts of P09 that its Table 1 and figures 5 to 8 are about, and its soft one.

use ictus::impact::exact::WallImpact;
use ictus::impact::{Problem, Run, Scheme, Settings, run, scheme};
use ictus::laws::{HuntCrossley, LawError};

/// Sample rate of every simulation in P09, in Hz.
pub const RATE: f64 = 44_100.0;
/// Mass of every simulation in P09, in kg.
const MASS: f64 = 1e-2;
/// The four schemes of P09, in its order.
pub const SCHEMES: [&str; 4] = ["am1", "verlet", "heun", "rk4"];

/// Figure 5 and Table 1(a): μ v_in → 0.
pub const CASE_A: Case = Case { stiffness: 1e7, dissipation: 0.1, exponent: 1.1, velocity: 0.3 };
/// Figure 6 and Table 1(b): figure 1's parameters at 1 m/s.
pub const CASE_B: Case = Case { stiffness: 1e9, dissipation: 0.5, exponent: 1.5, velocity: 1.0 };

/// Figure 4: soft, with μ, α and v_in as printed. K cannot be read in the copy at hand; this one makes the contact last hundreds
/// of samples, as the text says.
pub const SOFT: Case = Case { stiffness: 1e5, dissipation: 0.5, exponent: 1.6, velocity: 0.3 };

/// One impact of P09: what it varies, in SI units.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// K in N/m^α.
    pub stiffness: f64,
    /// μ in s/m.
    pub dissipation: f64,
    /// α.
    pub exponent: f64,
    /// v_in in m/s.
    pub velocity: f64,
}

impl Case {
    /// Its closed results.
    pub fn exact(&self) -> WallImpact {
        let Self { stiffness, dissipation, exponent, velocity } = *self;
        WallImpact { mass: MASS, stiffness, exponent, dissipation, velocity }
    }

    /// The mass at the wall's surface at sample 0, as P09 starts.
    pub fn problem(&self) -> Result<Problem, LawError> {
        let law = HuntCrossley::new(self.stiffness, self.exponent, self.dissipation)?.into();
        let velocity = self.velocity;
        Ok(Problem { mass: MASS, law, acceleration: 0.0, displacement: 0.0, velocity, rate: RATE })
    }

    /// A scheme's run at P09's sample rate, long enough to leave the wall.
    pub fn run(&self, name: &str) -> Result<Run, Box<dyn std::error::Error + Send + Sync>> {
        self.run_at(name, RATE)
    }

    /// The same at another sample rate in Hz.
    pub fn run_at(&self, name: &str, rate: f64) -> Result<Run, Box<dyn std::error::Error + Send + Sync>> {
        let samples = ((1.6 * self.exact().contact_time() + 8.0 / RATE) * rate) as usize;
        Ok(run(listed(name)?, &Problem { rate, ..self.problem()? }, &Settings::default(), samples))
    }
}

/// The scheme of that name.
pub fn listed(name: &str) -> Result<&'static Scheme, String> {
    scheme(name).ok_or_else(|| format!("there is no scheme {name}"))
}
