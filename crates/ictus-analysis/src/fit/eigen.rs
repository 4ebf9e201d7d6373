//! Eigenvalues of small complex matrices.
//!
//! A Hermitian one by Jacobi's rotations, which find small eigenvalues beside large ones and vectors that are orthogonal to rounding; a
//! general one by QR steps with Wilkinson's shift on its Hessenberg form (Golub and Van Loan, Matrix Computations, 7.4 and 8.5).
//!
//! Rejected: nalgebra's, which take two hundred lines fewer here and ten seconds more of every first build.

use realfft::num_complex::Complex;

type C = Complex<f64>;

/// Sweeps over all pairs; six to eight are usual.
const MOST_SWEEPS: usize = 30;

/// QR steps for one eigenvalue; two to three are usual.
const MOST_STEPS: usize = 60;

/// Eigenvalues in falling order, and their vectors as rows, of the Hermitian matrix given row by row.
pub fn hermitian(size: usize, mut a: Vec<C>) -> (Vec<f64>, Vec<Vec<C>>) {
    let mut vectors = vec![vec![C::new(0.0, 0.0); size]; size];
    for (i, row) in vectors.iter_mut().enumerate() {
        row[i] = C::new(1.0, 0.0);
    }
    let total: f64 = a.iter().map(C::norm_sqr).sum();
    for _ in 0..MOST_SWEEPS {
        let mut beside = 0.0;
        for p in 0..size {
            for q in p + 1..size {
                let pivot = a[p * size + q];
                let power = pivot.norm_sqr();
                beside += power;
                if power <= 1e-34 * total {
                    continue;
                }
                let length = power.sqrt();
                let phase = pivot / length;
                let half = (a[q * size + q].re - a[p * size + p].re) / (2.0 * length);
                let t = half.signum() / (half.abs() + half.hypot(1.0));
                let cosine = 1.0 / t.hypot(1.0);
                let sine = phase * (t * cosine);
                rotate(size, &mut a, &mut vectors, (p, q), (cosine, sine));
            }
        }
        if beside <= 1e-32 * total {
            break;
        }
    }
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&i, &j| a[j * size + j].re.total_cmp(&a[i * size + i].re));
    (
        order.iter().map(|&i| a[i * size + i].re).collect(),
        order.iter().map(|&i| std::mem::take(&mut vectors[i])).collect(),
    )
}

/// Columns p, q become c p - s̄ q and s p + c q; rows by the conjugates. Vectors are kept as rows.
fn rotate(size: usize, a: &mut [C], vectors: &mut [Vec<C>], (p, q): (usize, usize), (cosine, sine): (f64, C)) {
    for k in 0..size {
        let (x, y) = (a[k * size + p], a[k * size + q]);
        a[k * size + p] = x * cosine - y * sine.conj();
        a[k * size + q] = x * sine + y * cosine;
    }
    let (upper, lower) = a.split_at_mut(q * size);
    for (x, y) in upper[p * size..][..size].iter_mut().zip(&mut lower[..size]) {
        (*x, *y) = (*x * cosine - *y * sine, *x * sine.conj() + *y * cosine);
    }
    let (before, after) = vectors.split_at_mut(q);
    for (x, y) in before[p].iter_mut().zip(&mut after[0]) {
        (*x, *y) = (*x * cosine - *y * sine.conj(), *x * sine + *y * cosine);
    }
}

/// Eigenvalues of any square matrix, given row by row; those found before the steps ran out.
pub fn general(size: usize, mut a: Vec<C>) -> Vec<C> {
    hessenberg(size, &mut a);
    let mut found = Vec::with_capacity(size);
    let (mut end, mut steps) = (size, 0);
    while end > 0 {
        let at = |i: usize, j: usize| a[i * size + j];
        let small = |i: usize| at(i, i - 1).norm() <= 1e-15 * (at(i, i).norm() + at(i - 1, i - 1).norm());
        let start = (1..end).rev().find(|&i| small(i)).unwrap_or(0);
        if start + 1 == end {
            found.push(at(end - 1, end - 1));
            (end, steps) = (end - 1, 0);
            continue;
        }
        steps += 1;
        if steps > MOST_STEPS {
            break;
        }
        let shift = if steps % 11 == 10 {
            at(end - 1, end - 1) + at(end - 1, end - 2).norm()
        } else {
            wilkinson([at(end - 2, end - 2), at(end - 2, end - 1), at(end - 1, end - 2), at(end - 1, end - 1)])
        };
        qr_step(size, &mut a, start..end, shift);
    }
    found
}

/// The eigenvalue of a matrix of two rows that is nearer to its last element.
fn wilkinson([a, b, c, d]: [C; 4]) -> C {
    let half = (a - d) * 0.5;
    let root = (half * half + b * c).sqrt();
    let (one, other) = (d + half + root, d + half - root);
    if (one - d).norm() < (other - d).norm() { one } else { other }
}

/// Householder's reflections, column by column.
fn hessenberg(size: usize, a: &mut [C]) {
    for column in 0..size.saturating_sub(2) {
        let mut v: Vec<C> = (column + 1..size).map(|i| a[i * size + column]).collect();
        let length = v.iter().map(C::norm_sqr).sum::<f64>().sqrt();
        if length == 0.0 {
            continue;
        }
        let phase = if v[0].norm() > 0.0 { v[0] / v[0].norm() } else { C::new(1.0, 0.0) };
        v[0] += phase * length;
        let power: f64 = v.iter().map(C::norm_sqr).sum();
        for j in 0..size {
            let sum: C = v.iter().enumerate().map(|(i, x)| x.conj() * a[(column + 1 + i) * size + j]).sum();
            let sum = sum * (2.0 / power);
            v.iter().enumerate().for_each(|(i, x)| a[(column + 1 + i) * size + j] -= *x * sum);
        }
        for row in a.chunks_exact_mut(size) {
            let sum: C = v.iter().zip(&row[column + 1..]).map(|(x, y)| *y * *x).sum();
            let sum = sum * (2.0 / power);
            v.iter().zip(&mut row[column + 1..]).for_each(|(x, y)| *y -= sum * x.conj());
        }
    }
}

/// A - shift = QR by rotations; A becomes RQ + shift, within the rows of `range`.
fn qr_step(size: usize, a: &mut [C], range: std::ops::Range<usize>, shift: C) {
    range.clone().for_each(|i| a[i * size + i] -= shift);
    let mut turns = Vec::with_capacity(range.len());
    for k in range.start..range.end - 1 {
        let (x, y) = (a[k * size + k], a[(k + 1) * size + k]);
        let length = (x.norm_sqr() + y.norm_sqr()).sqrt();
        let (c, s) = if length > 0.0 { (x / length, y / length) } else { (C::new(1.0, 0.0), C::new(0.0, 0.0)) };
        for j in k..range.end {
            let (x, y) = (a[k * size + j], a[(k + 1) * size + j]);
            a[k * size + j] = c.conj() * x + s.conj() * y;
            a[(k + 1) * size + j] = c * y - s * x;
        }
        turns.push((c, s));
    }
    for (k, (c, s)) in (range.start..).zip(turns) {
        for i in range.start..(k + 2).min(range.end) {
            let (x, y) = (a[i * size + k], a[i * size + k + 1]);
            a[i * size + k] = x * c + y * s;
            a[i * size + k + 1] = y * c.conj() - x * s.conj();
        }
    }
    range.for_each(|i| a[i * size + i] += shift);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: usize) -> C {
        C::new((n as f64 * 1.7 + 0.3).sin(), (n as f64 * 2.9 + 0.1).cos())
    }

    #[test]
    fn vectors_of_a_hermitian_matrix_are_only_stretched_by_it() {
        let size = 13;
        let mut a = vec![C::new(0.0, 0.0); size * size];
        for i in 0..size {
            for j in 0..=i {
                let x = number(i * size + j) * 0.1f64.powi((i + j) as i32 / 3);
                a[i * size + j] = x;
                a[j * size + i] = x.conj();
            }
            a[i * size + i].im = 0.0;
        }
        let (values, vectors) = hermitian(size, a.clone());
        for (value, vector) in values.iter().zip(&vectors) {
            for i in 0..size {
                let image: C = (0..size).map(|j| a[i * size + j] * vector[j]).sum();
                assert!((image - vector[i] * *value).norm() < 1e-13, "{value}");
            }
        }
        assert!(values.windows(2).all(|pair| pair[0] >= pair[1]));
    }

    #[test]
    fn eigenvalues_of_a_companion_are_the_roots_of_its_polynomial() {
        // Roots near each other and on the unit circle, as poles of a sub-band are.
        let roots: Vec<C> =
            (0..9).map(|n| C::from_polar(0.99 - 0.01 * f64::from(n), 0.11 * f64::from(n * n) - 0.4)).collect();
        let mut polynomial = vec![C::new(1.0, 0.0)];
        for root in &roots {
            polynomial.push(C::new(0.0, 0.0));
            for k in (1..polynomial.len()).rev() {
                let before = polynomial[k - 1];
                polynomial[k] -= before * root;
            }
        }
        let size = roots.len();
        let mut a = vec![C::new(0.0, 0.0); size * size];
        for k in 0..size {
            a[k] = -polynomial[k + 1];
            if k > 0 {
                a[k * size + k - 1] = C::new(1.0, 0.0);
            }
        }
        let found = general(size, a);
        assert_eq!(found.len(), size);
        for root in roots {
            let nearest = found.iter().map(|value| (value - root).norm()).fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-7, "{root}: {nearest}");
        }
    }

    #[test]
    fn a_full_matrix_keeps_its_trace_and_the_trace_of_its_square() {
        let size = 12;
        let a: Vec<C> = (0..size * size).map(number).collect();
        let values = general(size, a.clone());
        let trace: C = (0..size).map(|i| a[i * size + i]).sum();
        let square: C = (0..size)
            .flat_map(|i| (0..size).map(move |j| (i, j)))
            .map(|(i, j)| a[i * size + j] * a[j * size + i])
            .sum();
        assert!((values.iter().sum::<C>() - trace).norm() < 1e-11);
        assert!((values.iter().map(|v| v * v).sum::<C>() - square).norm() < 1e-10);
    }
}
