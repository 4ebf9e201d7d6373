//! A string as the notes step it.

use ictus::objects::{Loss, Method, Place, StringMass, StringPitch, StringSpec};

use super::K;
use super::compared::Seen;

/// A string of the notes: ρA, T, EI, losses, grid.
pub struct Line {
    pub density: f64,
    pub tension: f64,
    pub bending: f64,
    pub sigma: [f64; 2],
    pub spacing: f64,
}

impl Line {
    pub const SEGMENTS: usize = 60;

    pub fn spec(&self) -> StringSpec {
        // EI = E π r⁴/4 with r = 1 mm.
        let radius: f64 = 1e-3;
        StringSpec {
            length: self.spacing * Self::SEGMENTS as f64,
            pitch: StringPitch::Tension(self.tension),
            radius,
            mass: StringMass::PerLength(self.density),
            youngs_modulus: self.bending * 4.0 / (std::f64::consts::PI * radius.powi(4)),
            loss: Loss::sigma(self.sigma[0], self.sigma[1]),
            method: Method::Grid,
            segments: Some(Self::SEGMENTS),
            ..StringSpec::default()
        }
    }

    pub fn second(&self, u: &[f64], l: usize) -> f64 {
        (u[l + 1] - 2.0 * u[l] + u[l - 1]) / self.spacing.powi(2)
    }

    fn fourth(&self, u: &[f64], l: usize) -> f64 {
        (u[l + 2] - 4.0 * u[l + 1] + 6.0 * u[l] - 4.0 * u[l - 1] + u[l - 2]) / self.spacing.powi(4)
    }

    /// The coefficient of u⁺ without a contact, (59) with ρA on the loss.
    pub fn inertia(&self) -> f64 {
        self.density * (1.0 / (K * K) + self.sigma[0] / K)
    }

    /// The known side without a contact, (46a).
    pub fn known(&self, seen: &Seen, l: usize) -> f64 {
        let (u, b) = (&seen.now, &seen.before);
        self.density / (K * K) * (2.0 * u[l] - b[l]) + self.tension * self.second(u, l)
            - self.bending * self.fourth(u, l)
            + self.density * self.sigma[0] / K * b[l]
            + 2.0 * self.density * self.sigma[1] * (self.second(u, l) - self.second(b, l)) / K
    }
}

pub const LIMP: Line = Line { density: 5e-3, tension: 60.0, bending: 0.0, sigma: [0.0; 2], spacing: 0.02 };
pub const STIFF: Line = Line { density: 5e-3, tension: 60.0, bending: 2e-3, sigma: [0.7, 3e-3], spacing: 0.02 };

/// The place of a grid point.
pub fn node(l: usize) -> Place {
    Place::Along(l as f64 / Line::SEGMENTS as f64)
}
