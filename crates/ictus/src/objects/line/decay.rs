//! A line that loses as asked for: its energies as sums of squares, which [`super::super::slope`] wants.
//!
//! In units of the grid they are those of [`super::edges`]: `xᵀKx = λ² Σ (Δu)² + μ² Σ w C²`, `xᵀLx = Σ (Δu)²`.

use super::super::bar::lowest_root;
use super::super::loss::{GridLoss, wave_number_squared};
use super::super::modes::Surroundings;
use super::super::slope::{Squares, Visit, plane_wave, steepness};
use super::super::{Loss, ObjectError};
use super::edges::End;
use super::grid::{Grid, LineSpec};
use super::tuning;
use std::f64::consts::{PI, TAU};

impl LineSpec {
    /// The same line with the rates σ0 and σ1 of a loss.
    pub(crate) fn decaying(
        self,
        loss: &Loss,
        surroundings: Surroundings,
        rate: f64,
        most_points: usize,
    ) -> Result<Self, ObjectError> {
        let (wave_speed, stiffness) = self.speeds();
        let endless = |omega: f64| wave_number_squared(omega, wave_speed, stiffness);
        let with = |[sigma0, sigma1]: [f64; 2]| Self { sigma0, sigma1, ..self };
        let lay = |rates: [f64; 2]| {
            let (grid, _) = Grid::new(&with(rates), rate, most_points)?;
            Ok(move |eigenvalue: f64| grid.slope(eigenvalue))
        };
        GridLoss::new(loss, surroundings, self.lowest(), endless)?.rates(rate, endless, lay).map(with)
    }
}

impl LineSpec {
    /// About the lowest frequency in Hz: that asked for, or that of a wave as long as that of the lowest mode of a bar or of a limp string.
    fn lowest(&self) -> f64 {
        if let Some((_, frequency)) = self.tuning {
            return frequency;
        }
        let (wave_speed, stiffness) = self.speeds();
        let root = if self.tension > 0.0 { PI } else { lowest_root(self.ends) };
        let beta = root / self.length;
        beta * libm::hypot(wave_speed, stiffness * beta) / TAU
    }
}

impl Grid {
    /// S in 1/m² at the eigenvalue of a frequency.
    fn slope(&self, eigenvalue: f64) -> f64 {
        let plane = self.stiffness == 0.0 || self.ends == [End::SimplySupported; 2];
        let steepness = if plane { 1.0 } else { steepness(self, eigenvalue) };
        steepness * self.plane_wave(eigenvalue) / (self.spacing * self.spacing)
    }
}

impl Squares for Grid {
    fn count(&self) -> usize {
        self.segments + 1
    }

    fn reach(&self) -> usize {
        2
    }

    fn mass(&self, node: usize) -> f64 {
        if self.is_fixed(node) { 0.0 } else { tuning::mass(self, node) }
    }

    fn each(&self, square: &mut Visit<'_>) {
        let last = self.segments;
        for node in 0..last {
            square(&[(node, -1.0), (node + 1, 1.0)], self.tension, 1.0);
        }
        for node in 1..last {
            square(&[(node - 1, 1.0), (node, -2.0), (node + 1, 1.0)], self.stiffness, 0.0);
        }
        for (end, inner) in [(self.ends[0], 1), (self.ends[1], last - 1)] {
            if end == End::Clamped {
                square(&[(inner, 2.0)], 0.5 * self.stiffness, 0.0);
            }
        }
    }

    fn rigid(&self) -> Vec<Vec<f64>> {
        tuning::rigid_shapes(self)
    }

    fn plane_wave(&self, eigenvalue: f64) -> f64 {
        plane_wave(eigenvalue, self.tension, self.stiffness)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::spec;
    use super::*;

    /// S in 1/m² of a bar of 1 m where a mode of wave number β rings, on a fine grid.
    fn slope_of_a_bar(ends: [End; 2], beta: f64) -> f64 {
        let line = LineSpec { segments: Some(250), ..spec((0.0, 1.0), ends, [0.0; 2]) };
        let (grid, _) = Grid::new(&line, 200_000.0, 1000).unwrap();
        let wave = beta * beta * grid.time_step;
        grid.slope(wave * wave)
    }

    /// βL and S L² of the first three modes: with α = (cosh βL - cos βL)/(sinh βL - sin βL), S is αβ(αβ - 2/L) between clamped ends and αβ(αβ + 6/L)
    /// between free ones.
    #[test]
    fn slopes_of_the_modes_of_bars_are_those_of_the_textbook() {
        let alpha = |beta: f64| (beta.cosh() - beta.cos()) / (beta.sinh() - beta.sin());
        for beta in [4.730_040_744_862_704, 7.853_204_624_095_838, 10.995_607_838_001_671] {
            let product = beta * alpha(beta);
            for (end, exact) in [(End::Clamped, product * (product - 2.0)), (End::Free, product * (product + 6.0))] {
                let slope = slope_of_a_bar([end; 2], beta);
                assert!((slope / exact - 1.0).abs() < 2e-3, "{end:?} {beta}: {slope} {exact}");
            }
        }
        for p in [1.0, 2.0, 5.0] {
            let slope = slope_of_a_bar([End::SimplySupported; 2], p * PI);
            assert!((slope / (p * PI).powi(2) - 1.0).abs() < 1e-9);
        }
    }

    /// Far below the lowest mode that bends, moving and turning as a whole must not speak for it.
    #[test]
    fn slope_grows_with_frequency_from_nothing_up() {
        for left in [End::SimplySupported, End::Clamped, End::Free] {
            for right in [End::SimplySupported, End::Clamped, End::Free] {
                let slopes = [0.01, 0.3, 1.0, 2.0, 4.0, 8.0, 20.0].map(|beta| slope_of_a_bar([left, right], beta));
                assert!(slopes.windows(2).all(|pair| pair[0] < pair[1]), "{left:?} {right:?}: {slopes:?}");
                assert!(slopes[0] < 1e-3, "{left:?} {right:?}: {slopes:?}");
            }
        }
    }
}
