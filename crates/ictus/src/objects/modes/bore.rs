//! What walls and open ends take from air that swings in a tube. The equations are those of [`tube`](super::super::tube).

use std::f64::consts::TAU;

use super::super::tube::AIR;

/// Kinematic viscosity ν of air in m²/s, at 20 °C.
const VISCOSITY: f64 = 1.51e-5;
/// 1 + (γ-1)/√Pr: heat that the walls take adds to friction, with γ = 1.402 and Pr = 0.708.
const FRICTION_AND_HEAT: f64 = 1.4778;

/// The inside of a tube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bore {
    /// r in m.
    pub radius: f64,
    /// Length L' in m of the column, with what swings outside.
    pub column: f64,
    /// How many of its ends are open.
    pub open_ends: usize,
}

impl Bore {
    /// What the walls take from a mode of a frequency in Hz: σ_wall in 1/s.
    pub(crate) fn wall(&self, frequency: f64) -> f64 {
        libm::sqrt(0.5 * TAU * frequency * VISCOSITY) * FRICTION_AND_HEAT / self.radius
    }

    /// What walls and open ends take from it, in 1/s.
    pub(crate) fn sigma(&self, frequency: f64) -> f64 {
        let [_, speed] = AIR;
        let round = TAU * frequency * self.radius / speed;
        // The resistance of a mouth in parts of ρcS.
        let mouth = (0.25 * round * round).min(1.0);
        self.wall(frequency) + self.open_ends as f64 * mouth * speed / self.column
    }
}
