//! Sums over damped oscillations: with the pole s per sample,
//!
//! ```text
//! S_p(N) = Σ_{n<N} n^p e^{sn}      P_p = Σ_{n<N} y_n (n/N)^p e^{sn}
//! ```
//!
//! S in closed form, and by doubling, S(2M) from S(M), where e^s is near 1: there nothing cancels however slowly it turns or decays, and the closed
//! form loses all digits.

use realfft::num_complex::Complex;

use super::Pole;

/// Samples of a block of the projection and of the synthesis: e^{sn} is computed once for each.
const BLOCK: usize = 64;

/// Sums that run side by side, so that they compile to vectors.
const LANES: usize = 4;

/// Blocks between two exact values of e^{sn}; between them it is multiplied.
const ANCHOR: usize = 32;

/// Exponent below which a decayed oscillation is left out: -174 dB.
const GONE: f64 = -20.0;

/// Distance of e^s from 1 above which the closed form loses five digits at most.
const APART: f64 = 0.02;

/// S_0, S_1 / N and S_2 / N² for N = `count`.
pub fn powers(s: Pole, count: usize) -> [Pole; 3] {
    let z = s.exp();
    if (z - 1.0).norm() > APART {
        return closed(s, z, count);
    }
    let [mut s0, mut s1, mut s2] = [Complex::new(0.0, 0.0); 3];
    let mut half = 0usize;
    for bit in (0..usize::BITS - count.leading_zeros()).rev() {
        let (m, turned) = (half as f64, (s * half as f64).exp());
        s2 += turned * (s2 + 2.0 * m * s1 + m * m * s0);
        s1 += turned * (s1 + m * s0);
        s0 += turned * s0;
        half *= 2;
        if count >> bit & 1 == 1 {
            let (m, term) = (half as f64, (s * half as f64).exp());
            s0 += term;
            s1 += m * term;
            s2 += m * m * term;
            half += 1;
        }
    }
    let n = count.max(1) as f64;
    [s0, s1 / n, s2 / (n * n)]
}

/// (z^N - 1)/(z - 1), and its derivatives by s.
fn closed(s: Pole, z: Pole, count: usize) -> [Pole; 3] {
    let n = count.max(1) as f64;
    let (last, part) = ((s * count as f64).exp(), 1.0 / (z - 1.0));
    let (through, end) = (z * part, count as f64 * last);
    let s0 = (last - 1.0) * part;
    let s1 = end * part - through * s0;
    let s2 = part * end * (count as f64 - 2.0 * through) - through * s0 * (1.0 - 2.0 * through);
    [s0, s1 / n, s2 / (n * n)]
}

/// How many of `count` samples an oscillation is worth following.
fn heard(s: Pole, count: usize) -> usize {
    if s.re < 0.0 { ((GONE / s.re) as usize).saturating_add(1).min(count) } else { count }
}

/// e^{sn} within a block.
fn turns(s: Pole) -> impl Iterator<Item = Pole> {
    (0..BLOCK).map(move |j| (s * j as f64).exp())
}

/// P_0 and P_1: how much of an oscillation, and of its change with s, is in the samples.
pub fn project(samples: &[f64], s: Pole) -> [Pole; 2] {
    let mut table = [[0.0; BLOCK]; 4];
    for (j, w) in turns(s).enumerate() {
        (table[0][j], table[1][j]) = (w.re, w.im);
        (table[2][j], table[3][j]) = (w.re * j as f64, w.im * j as f64);
    }
    let step = (s * BLOCK as f64).exp();
    let mut turned = Complex::new(1.0, 0.0);
    let [mut p0, mut p1] = [Complex::new(0.0, 0.0); 2];
    for (index, block) in samples[..heard(s, samples.len())].chunks(BLOCK).enumerate() {
        let start = (index * BLOCK) as f64;
        if index % ANCHOR == 0 {
            turned = (s * start).exp();
        }
        let sums = four_sums(block, &table);
        let (q0, q1) = (Complex::new(sums[0], sums[1]), Complex::new(sums[2], sums[3]));
        p0 += turned * q0;
        p1 += turned * (q0 * start + q1);
        turned *= step;
    }
    [p0, p1 / samples.len().max(1) as f64]
}

fn four_sums(block: &[f64], table: &[[f64; BLOCK]; 4]) -> [f64; 4] {
    let mut whole = [0.0; BLOCK];
    whole[..block.len()].copy_from_slice(block);
    let mut lanes = [[0.0; LANES]; 4];
    for start in (0..BLOCK).step_by(LANES) {
        for lane in 0..LANES {
            let y = whole[start + lane];
            for row in 0..4 {
                lanes[row][lane] += y * table[row][start + lane];
            }
        }
    }
    lanes.map(|lane| lane.iter().sum())
}

/// Takes Re(c e^{sn}) off the samples, n = 0 at `origin`, which may lie after the first of them: it then grows towards the start.
pub fn subtract(samples: &mut [f64], s: Pole, c: Pole, origin: usize) {
    let mut table = [[0.0; BLOCK]; 2];
    for (j, w) in turns(s).enumerate() {
        (table[0][j], table[1][j]) = (w.re, w.im);
    }
    let step = (s * BLOCK as f64).exp();
    let mut turned = Complex::new(0.0, 0.0);
    let end = origin.saturating_add(heard(s, samples.len())).min(samples.len());
    for (index, block) in samples[..end].chunks_mut(BLOCK).enumerate() {
        if index % ANCHOR == 0 {
            turned = c * (s * ((index * BLOCK) as f64 - origin as f64)).exp();
        }
        for (j, y) in block.iter_mut().enumerate() {
            *y -= turned.re * table[0][j] - turned.im * table[1][j];
        }
        turned *= step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_terms() {
        for (s, count) in [
            (Complex::new(-1e-4, 0.3), 1000),
            (Complex::new(-1e-9, 1e-8), 777),
            (Complex::new(0.0, 0.0), 64),
            (Complex::new(-0.2, 2.0), 1),
            (Complex::new(-1e-3, 0.021), 5000),
            (Complex::new(-1e-3, 6.3), 3001),
            (Complex::new(-3e-5, 1e-5), 4099),
        ] {
            let found = powers(s, count);
            for (p, found) in found.iter().enumerate() {
                let term = |n: usize| (s * n as f64).exp() * (n as f64 / count as f64).powi(p as i32);
                let sum: Pole = (0..count).map(term).sum();
                assert!((found - sum).norm() < 1e-11 * count as f64, "{s} {p}: {found} {sum}");
            }
        }
    }

    #[test]
    fn a_projection_is_the_sum_of_products_and_a_subtraction_leaves_nothing() {
        let s = Complex::new(-2e-4, 0.7);
        let c = Complex::new(0.3, -1.1);
        let samples: Vec<f64> = (0..5000).map(|n| (c * (s * (f64::from(n) - 300.0)).exp()).re).collect();
        let [p0, p1] = project(&samples, s);
        let terms = samples.iter().enumerate().map(|(n, y)| (s * n as f64).exp() * *y);
        let sum: Pole = terms.clone().sum();
        let turned: Pole = terms.enumerate().map(|(n, term)| term * (n as f64 / 5000.0)).sum();
        assert!((p0 - sum).norm() < 1e-9 && (p1 - turned).norm() < 1e-9);
        let mut left = samples;
        subtract(&mut left, s, c, 300);
        assert!(left.iter().all(|y| y.abs() < 1e-11));
    }
}
