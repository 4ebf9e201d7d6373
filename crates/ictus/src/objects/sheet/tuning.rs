//! A membrane in tune on its grid: the wave speed for which its lowest mode rings at the frequency asked for.
//!
//! The mode is a sampled half wave along either side, so that `k²c²β²` with the β² of the grid (sheet.rs) is the eigenvalue that
//! [`super::super::ringing`] wants.

use std::f64::consts::{PI, TAU};

use super::super::ObjectError;
use super::super::ringing::ModeLoss;
use super::grid::{Grid, Medium};

/// The finest grid that is stable with a margin, or the one asked for, and the medium whose lowest mode rings at `frequency` (Hz) on it; `guess` is a
/// medium near it.
pub(super) fn tune(
    sides: [f64; 2],
    guess: &Medium,
    frequency: f64,
    k: f64,
    wanted: Option<[usize; 2]>,
    most_points: usize,
) -> Result<(Grid, Medium), ObjectError> {
    let mut grid = Grid::new(sides, guess, k, wanted, most_points)?;
    loop {
        let half_wave = |side: usize| 2.0 / grid.cell[side] * libm::sin(0.5 * PI / grid.segments[side] as f64);
        let (x, y) = (half_wave(0), half_wave(1));
        let beta_squared = x * x + y * y;
        let phase = TAU * frequency * k;
        let loss = ModeLoss::new(guess.sigma0 * k, guess.sigma1 * k * beta_squared, phase);
        let medium = Medium { wave_speed_squared: loss.eigenvalue(phase) / (k * k * beta_squared), ..*guess };
        if wanted.is_some() {
            return Ok((Grid::new(sides, &medium, k, wanted, most_points)?, medium));
        }
        if grid.keeps_margin(&medium, k) {
            return Ok((grid, medium));
        }
        grid = Grid::new(sides, guess, k, Some(grid.segments.map(|n| n - 1)), most_points)?;
    }
}
