//! Poles of a sub-band by ESPRIT (Roy and Kailath, IEEE Trans. ASSP 37 (1989)).
//!
//! With the Hankel matrix X of a band, L samples high, over all takes together, R = X Xᴴ has the poles' vectors [1, z, z², …] as the space of its
//! large eigenvalues, U. A step in time is a product with Φ on it, U↑ Φ = U↓, whose eigenvalues are the z.
//! The order is the number of eigenvalues above those of noise alone; what it counts too many is taken out by the
//! test of the whole fit.

use realfft::num_complex::Complex;

use super::eigen::{general, hermitian};

/// Height of the Hankel matrix at most.
const HIGHEST: usize = 32;

/// How far above the mean of noise its largest eigenvalue may be: a band is wider than what its window lets through.
const ABOVE: f64 = 8.0;

/// Poles of a band at most.
const MOST: usize = 14;

/// Part of the last row that must lie outside of the space of the poles: without noise more poles are counted than a band can part.
const LEAST_REST: f64 = 1e-7;

/// Poles per frame of these sequences, one for each take; `noise` is the power of noise in them.
pub fn poles(takes: &[Vec<Complex<f64>>], noise: &[f64]) -> Vec<Complex<f64>> {
    let shortest = takes.iter().map(Vec::len).min().unwrap_or(0);
    let height = (shortest / 2).min(HIGHEST);
    if height < 2 {
        return vec![];
    }
    let mut matrix = vec![Complex::default(); height * height];
    for (take, noise) in takes.iter().zip(noise) {
        let columns = take.len() - height + 1;
        add_covariance(&mut matrix, take, height, 1.0 / (noise.max(f64::MIN_POSITIVE) * columns as f64));
    }
    let (values, vectors) = hermitian(height, matrix);
    let limit = ABOVE * takes.len() as f64;
    let mut order = values.iter().take_while(|value| **value > limit).count().min(MOST).min(height - 1);
    // What the last row has outside of the space; where that is nothing, a step in time does not follow from it.
    let rest = |order: usize| 1.0 - vectors[..order].iter().map(|vector| vector[height - 1].norm_sqr()).sum::<f64>();
    while order > 0 && rest(order) < LEAST_REST {
        order -= 1;
    }
    if order == 0 {
        return vec![];
    }
    let (signal, rest) = (&vectors[..order], rest(order));
    let last: Vec<Complex<f64>> = signal.iter().map(|vector| vector[height - 1]).collect();
    // U↑ᴴ U↓, then (U↑ᴴ U↑)⁻¹ = 1 + v vᴴ / (1 - |v|²) of it, v the conjugates of the last row.
    let mut step = vec![Complex::default(); order * order];
    for (i, a) in signal.iter().enumerate() {
        for (j, b) in signal.iter().enumerate() {
            step[i * order + j] = a[..height - 1].iter().zip(&b[1..]).map(|(x, y)| x.conj() * y).sum();
        }
    }
    for j in 0..order {
        let along: Complex<f64> = (0..order).map(|i| last[i] * step[i * order + j]).sum();
        (0..order).for_each(|i| step[i * order + j] += last[i].conj() * along / rest);
    }
    general(order, step)
}

/// Adds X Xᴴ; each diagonal follows from its first element.
fn add_covariance(matrix: &mut [Complex<f64>], x: &[Complex<f64>], height: usize, scale: f64) {
    let columns = x.len() - height + 1;
    for apart in 0..height {
        let mut sum: Complex<f64> = (0..columns).map(|k| x[k + apart] * x[k].conj()).sum();
        for j in 0..height - apart {
            if j > 0 {
                sum += x[j + columns - 1 + apart] * x[j + columns - 1].conj() - x[j - 1 + apart] * x[j - 1].conj();
            }
            let i = j + apart;
            matrix[i * height + j] += sum * scale;
            if apart > 0 {
                matrix[j * height + i] += sum.conj() * scale;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poles_without_noise_are_found_to_rounding() {
        let wanted = [(-0.01, 0.3), (-0.012, 0.33), (-0.1, -2.0)].map(|(d, w)| Complex::new(d, w));
        let sequence = |k: usize, turn: f64| -> Complex<f64> {
            wanted
                .iter()
                .enumerate()
                .map(|(i, s)| Complex::from_polar(1.0, turn * i as f64) * (s * k as f64).exp())
                .sum()
        };
        let takes: Vec<Vec<Complex<f64>>> =
            [0.3, 2.0].map(|turn| (0..90).map(|k| sequence(k, turn)).collect()).to_vec();
        let found = poles(&takes, &[1e-12; 2]);
        assert_eq!(found.len(), 3, "{found:?}");
        for s in wanted {
            let nearest = found.iter().map(|z| (z - s.exp()).norm()).fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-8, "{s}: {nearest}");
        }
    }
}
