//! D17: M. Ducceschi: a numerical scheme for various nonlinear forces, including collisions, which does not require an
//! iterative root finder (2017).

mod collision;
mod computability;
mod forces;
mod oscillator;
mod oscillators;

use super::Source;

/// Why something could not be computed.
type Failed = Box<dyn std::error::Error + Send + Sync>;

/// The values of the free parameter s that the source compares.
const FREE: [f64; 3] = [0.5, 1.0, 3.0];

/// The source and its items.
pub const SOURCE: Source = Source {
    id: "D17",
    title: "M. Ducceschi: a numerical scheme for nonlinear forces, including collisions, without an iterative root finder (2017)",
    items: &[
        forces::FIGURE_1,
        computability::FIGURE_2,
        oscillators::FIGURE_3,
        collision::FIGURE_4,
        collision::FIGURE_5,
        oscillators::FIGURE_6,
    ],
};
