//! A sheet that loses as asked for; of a clamped plate the energies as sums of squares, which [`super::super::slope`] wants.
//!
//! ```text
//! xᵀKx = κ²k² ( Σ (Δu)² + ½ Σ (Δu)² over the edges ),     xᵀLx = Σ (δx₊u/hx)² + Σ (δy₊u/hy)²
//! ```
//!
//! over nodes and segments; on an edge the even continuation makes Δu twice the displacement next to it, over h². A shaken plate of very many
//! nodes is solved for on a coarser grid: S/β² depends on how many waves there are along its sides, not on the cells. What the coarse
//! grid cannot hold is continued from the shortest waves it can: S/β² - 1 goes with 1/β.

use super::super::loss::{GridLoss, wave_number_squared};
use super::super::modes::Surroundings;
use super::super::slope::{Squares, Visit, plane_wave, steepness};
use super::super::{Loss, ObjectError};
use super::Material;
use super::grid::Medium;
use super::stencil::Beyond;
use std::f64::consts::{PI, TAU};

/// Most operations that solving for a shaken plate may take: a grid of 80 by 80, about a fifth of a second.
const MOST_WORK: f64 = 2e8;

/// Largest squared wave number, in units of a coarse cell, that is looked at there: a wave of five cells.
const SHORTEST: f64 = 1.5;

impl Material {
    /// The same sheet with the rates σ0 and σ1 of a loss.
    pub(crate) fn decaying(
        self,
        loss: &Loss,
        surroundings: Surroundings,
        rate: f64,
        most_points: usize,
    ) -> Result<Self, ObjectError> {
        let Medium { wave_speed_squared, stiffness_squared, .. } = self.medium;
        let endless = |omega: f64| wave_number_squared(omega, wave_speed_squared.sqrt(), stiffness_squared.sqrt());
        let with = |[sigma0, sigma1]: [f64; 2]| Self { medium: Medium { sigma0, sigma1, ..self.medium }, ..self };
        let lay = |rates: [f64; 2]| {
            let (grid, medium, k) = with(rates).lay(rate, most_points)?;
            let clamped = (self.beyond == Beyond::Even).then(|| Clamped::new(self.sides, grid.segments, &medium, k));
            let (tension, stiffness) = (medium.wave_speed_squared * k * k, medium.stiffness_squared * k * k);
            Ok(move |eigenvalue: f64| {
                let plane = plane_wave(eigenvalue, tension, stiffness);
                clamped.as_ref().map_or(plane, |clamped| clamped.slope(eigenvalue, plane))
            })
        };
        GridLoss::new(loss, surroundings, self.lowest(), endless)?.rates(rate, endless, lay).map(with)
    }
}

impl Material {
    /// About the lowest frequency in Hz: that asked for, or that of half a wave along either side, 1.8 times as high if clamped.
    fn lowest(&self) -> f64 {
        let Medium { wave_speed_squared, stiffness_squared, .. } = self.medium;
        let [x, y] = self.sides.map(|side| PI / side);
        let squared = x * x + y * y;
        let held = if self.beyond == Beyond::Even { 1.8 } else { 1.0 };
        let half_waves = held * (squared * (wave_speed_squared + stiffness_squared * squared)).sqrt() / TAU;
        self.fundamental.unwrap_or(half_waves)
    }
}

/// A clamped plate on a grid, its edges included.
struct Clamped {
    /// Segments along the shorter side and along the longer one: counted along the shorter one first, nodes are least work.
    segments: [usize; 2],
    /// 1/hx² and 1/hy² in 1/m².
    inverse_squares: [f64; 2],
    /// κ²k² in m⁴.
    stiffness: f64,
    /// Whether the plate itself has more nodes.
    is_coarse: bool,
}

impl Clamped {
    fn new(sides: [f64; 2], segments: [usize; 2], medium: &Medium, k: f64) -> Self {
        let order = if segments[0] <= segments[1] { [0, 1] } else { [1, 0] };
        let [short, long] = order.map(|side| segments[side] as f64);
        let work = 4.0 * (short * short * short) * long;
        let is_coarse = work > MOST_WORK;
        let scale = if is_coarse { (MOST_WORK / work).sqrt().sqrt() } else { 1.0 };
        let segments = order.map(|side| (segments[side] as f64 * scale).ceil().max(4.0));
        let inverse_squares = [0, 1].map(|at| {
            let per_metre = segments[at] / sides[order[at]];
            per_metre * per_metre
        });
        let stiffness = medium.stiffness_squared * k * k;
        Self { segments: segments.map(|n| n as usize), inverse_squares, stiffness, is_coarse }
    }

    /// S in 1/m² at an eigenvalue, plane waves of which have some squared wave number in 1/m².
    fn slope(&self, eigenvalue: f64, plane: f64) -> f64 {
        let shortest = SHORTEST * self.inverse_squares[0].min(self.inverse_squares[1]);
        if !self.is_coarse || plane <= shortest {
            return plane * steepness(self, eigenvalue);
        }
        let longer = steepness(self, self.stiffness * shortest * shortest);
        plane * (1.0 + (longer - 1.0) * (shortest / plane).sqrt())
    }

    /// Nodes from one row to the next.
    fn row(&self) -> usize {
        self.segments[0] + 1
    }
}

impl Squares for Clamped {
    fn count(&self) -> usize {
        self.row() * (self.segments[1] + 1)
    }

    fn reach(&self) -> usize {
        2 * self.row()
    }

    fn mass(&self, index: usize) -> f64 {
        let inside = |at: usize, last: usize| at > 0 && at < last;
        let moves = inside(index % self.row(), self.segments[0]) && inside(index / self.row(), self.segments[1]);
        f64::from(moves)
    }

    fn each(&self, square: &mut Visit<'_>) {
        let ([x, y], [columns, rows], row) = (self.inverse_squares, self.segments, self.row());
        for node in (0..self.count()).filter(|node| self.mass(*node) > 0.0) {
            let around = [(node, -2.0 * (x + y)), (node - 1, x), (node + 1, x), (node - row, y), (node + row, y)];
            square(&around, self.stiffness, 0.0);
        }
        for line in 0..rows {
            for node in line * row..line * row + columns {
                square(&[(node, -1.0), (node + 1, 1.0)], 0.0, x);
                square(&[(node, -1.0), (node + row, 1.0)], 0.0, y);
            }
        }
        let half = 0.5 * self.stiffness;
        let mut edge = |line: usize, column: usize, twice: f64| square(&[(line * row + column, twice)], half, 0.0);
        for line in 1..rows {
            edge(line, 1, 2.0 * x);
            edge(line, columns - 1, 2.0 * x);
        }
        for column in 1..columns {
            edge(1, column, 2.0 * y);
            edge(rows - 1, column, 2.0 * y);
        }
    }

    fn rigid(&self) -> Vec<Vec<f64>> {
        Vec::new()
    }

    fn plane_wave(&self, eigenvalue: f64) -> f64 {
        plane_wave(eigenvalue, 0.0, self.stiffness)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plate of 1.1 by 1 m with κk = h²/4, where it is just stable.
    fn plate(segments: [usize; 2]) -> Clamped {
        let cell = 1.0 / segments[1] as f64;
        let stiffness = 0.25 * cell * cell;
        let medium =
            Medium { wave_speed_squared: 0.0, stiffness_squared: stiffness * stiffness, sigma0: 0.0, sigma1: 0.0 };
        Clamped::new([1.1, 1.0], segments, &medium, 1.0)
    }

    /// ωL²/κ and SL² of two modes of a square plate: from Ritz's method with 36 products of (1 - x²)² x²ⁿ, the frequencies as in Leissa's tables.
    #[test]
    fn slopes_of_the_modes_of_a_clamped_square_are_those_of_ritz() {
        let square = Clamped { segments: [60; 2], inverse_squares: [3600.0; 2], stiffness: 1.0, is_coarse: false };
        for (frequency, exact) in [(35.985_19, 24.012_06), (220.032_8, 194.171_4)] {
            let slope = square.slope(frequency * frequency, frequency);
            assert!((slope / exact - 1.0).abs() < 5e-3, "{frequency}: {slope} {exact}");
        }
    }

    #[test]
    fn a_coarser_grid_knows_the_slopes_of_a_large_plate() {
        let large = plate([121, 110]);
        assert!(large.is_coarse && large.segments[0] < 110);
        let whole = Clamped { segments: [110, 121], inverse_squares: [110.0 * 110.0; 2], is_coarse: false, ..large };
        for plane in [30.0, 400.0, 3000.0, 20_000.0] {
            let eigenvalue = whole.stiffness * plane * plane;
            let [coarse, fine] = [&large, &whole].map(|plate| plate.slope(eigenvalue, plane));
            assert!((coarse / fine - 1.0).abs() < 0.01, "{plane}: {coarse} {fine}");
        }
    }
}
