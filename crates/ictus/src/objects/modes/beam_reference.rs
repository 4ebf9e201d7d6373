//! An independent solution for the tests: Rayleigh and Ritz with polynomials, and the inertia of K - b²M.
//!
//! ```text
//! stretched  K = ∫ W''² + τW'²,             M = ∫ W²
//! thick      K = ∫ Ψ'² + (W' - Ψ)²/s²,      M = ∫ W² + r²Ψ²
//! ```
//!
//! The polynomials are 0 (and level) where the ends demand it; moments and forces vanish by themselves. As many modes lie below b as
//! K - b²M has negative pivots (Sylvester).

use super::sampled::gauss;
use super::waves::Law;
use crate::objects::End;

/// Polynomials for each field.
const DEGREE: usize = 26;

pub(super) struct Ritz {
    stiffness: Vec<Vec<f64>>,
    mass: Vec<Vec<f64>>,
}

/// Value and two derivatives of Legendre polynomial k times x^first (1 - x)^second, on 0 to 1.
fn polynomials(x: f64, powers: [i32; 2]) -> Vec<[f64; 3]> {
    let mut legendre = vec![[1.0, 0.0, 0.0], [2.0 * x - 1.0, 2.0, 0.0]];
    for k in 2..DEGREE {
        let (order, one, two) = (k as f64, legendre[k - 1], legendre[k - 2]);
        let next = |n: usize| {
            let product = (2.0 * x - 1.0) * one[n] + if n > 0 { 2.0 * n as f64 * one[n - 1] } else { 0.0 };
            ((2.0 * order - 1.0) * product - (order - 1.0) * two[n]) / order
        };
        legendre.push([next(0), next(1), next(2)]);
    }
    let power = |x: f64, n: i32, sign: f64| {
        let n_ = f64::from(n);
        let second = if n > 1 { n_ * (n_ - 1.0) * x.powi(n - 2) } else { 0.0 };
        [x.powi(n), if n > 0 { sign * n_ * x.powi(n - 1) } else { 0.0 }, second]
    };
    let times = |a: [f64; 3], b: [f64; 3]| {
        [a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2]]
    };
    let factor = times(power(x, powers[0], 1.0), power(1.0 - x, powers[1], -1.0));
    legendre.into_iter().map(|polynomial| times(polynomial, factor)).collect()
}

/// Adds the square of a field, given what each unknown adds to it.
fn add(matrix: &mut [Vec<f64>], field: &[f64], factor: f64) {
    for (row, one) in matrix.iter_mut().zip(field) {
        row.iter_mut().zip(field).for_each(|(entry, other)| *entry += factor * one * other);
    }
}

impl Ritz {
    pub fn new(law: Law, ends: [End; 2]) -> Self {
        let thick = matches!(law, Law::Thick { .. });
        let size = if thick { 2 * DEGREE } else { DEGREE };
        let (mut stiffness, mut mass) = (vec![vec![0.0; size]; size], vec![vec![0.0; size]; size]);
        for (x, weight) in gauss(DEGREE + 6) {
            match law {
                Law::Stretched { tension } => {
                    let powers = ends.map(|end| match end {
                        End::Free => 0,
                        End::SimplySupported => 1,
                        End::Clamped => 2,
                    });
                    let deflection = polynomials(x, powers);
                    let of = |n: usize| -> Vec<f64> { deflection.iter().map(|values| values[n]).collect() };
                    add(&mut stiffness, &of(2), weight);
                    add(&mut stiffness, &of(1), weight * tension);
                    add(&mut mass, &of(0), weight);
                }
                Law::Thick { rotary, shear } => {
                    let deflection = polynomials(x, ends.map(|end| i32::from(end != End::Free)));
                    let rotation = polynomials(x, ends.map(|end| i32::from(end == End::Clamped)));
                    // Unknowns by degree, W before Ψ.
                    let both = |w: [f64; 3], r: [f64; 3]| -> Vec<f64> {
                        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
                        deflection.iter().zip(&rotation).flat_map(|(a, b)| [dot(w, *a), dot(r, *b)]).collect()
                    };
                    add(&mut stiffness, &both([0.0; 3], [0.0, 1.0, 0.0]), weight);
                    add(&mut stiffness, &both([0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]), weight / shear);
                    add(&mut mass, &both([1.0, 0.0, 0.0], [0.0; 3]), weight);
                    add(&mut mass, &both([0.0; 3], [1.0, 0.0, 0.0]), weight * rotary);
                }
            }
        }
        Self { stiffness, mass }
    }

    /// Modes below the frequency b.
    pub fn count(&self, frequency: f64) -> usize {
        let size = self.mass.len();
        let square = frequency * frequency;
        let mut rows: Vec<Vec<f64>> =
            (0..size).map(|i| (0..size).map(|j| self.stiffness[i][j] - square * self.mass[i][j]).collect()).collect();
        let mut negative = 0;
        for step in 0..size {
            let pivot = rows[step].clone();
            negative += usize::from(pivot[step] < 0.0);
            for row in rows.iter_mut().skip(step + 1) {
                let part = row[step] / pivot[step];
                row.iter_mut().zip(&pivot).skip(step).for_each(|(value, above)| *value -= part * above);
            }
        }
        negative
    }
}
