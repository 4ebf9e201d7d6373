//! Circles by Ritz's method: energies of polynomials, no Bessel function and no condition on moment or shear.

use super::*;

/// Points and weights of Gauss's rule from 0 to 1.
pub(super) fn gauss(count: usize) -> Vec<(f64, f64)> {
    let point = |index: usize| {
        let mut x = libm::cos(PI * (index as f64 + 0.75) / (count as f64 + 0.5));
        let mut slope = 1.0;
        for _ in 0..20 {
            let (mut before, mut value) = (1.0, x);
            for n in 2..=count {
                let n = n as f64;
                (before, value) = (value, ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n);
            }
            slope = count as f64 * (x * value - before) / (x * x - 1.0);
            x -= value / slope;
        }
        (0.5 * (1.0 + x), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..count).map(point).collect()
}

/// A function of r with its first two derivatives.
type Jet = [f64; 3];

fn times(a: Jet, b: Jet) -> Jet {
    [a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2]]
}

/// `r^m (1-r²)^e P_j(2r²-1)`, j below a count, P the Jacobi polynomials that make them orthogonal over the circle.
fn trial(order: usize, exponent: usize, count: usize, r: f64) -> Vec<Jet> {
    let mut factor = [1.0, 0.0, 0.0];
    (0..order).for_each(|_| factor = times(factor, [r, 1.0, 0.0]));
    (0..exponent).for_each(|_| factor = times(factor, [1.0 - r * r, -2.0 * r, -2.0]));
    let argument = [2.0 * r * r - 1.0, 4.0 * r, 4.0];
    let (a, b) = (2.0 * exponent as f64, order as f64);
    let half = 0.5 * (a + b + 2.0);
    let first = [a + 1.0 + half * (argument[0] - 1.0), half * argument[1], half * argument[2]];
    let mut polynomials = vec![[1.0, 0.0, 0.0], first];
    for n in 2..count {
        let (twice, n) = (2.0 * n as f64 + a + b, n as f64);
        let [before, here] = [polynomials[polynomials.len() - 2], polynomials[polynomials.len() - 1]];
        let with_argument = times(argument, here);
        polynomials.push(std::array::from_fn(|i| {
            let up = (twice - 1.0) * (twice * (twice - 2.0) * with_argument[i] + (a * a - b * b) * here[i]);
            let down = 2.0 * (n + a - 1.0) * (n + b - 1.0) * twice * before[i];
            (up - down) / (2.0 * n * (n + a + b) * (twice - 2.0))
        }));
    }
    polynomials.into_iter().map(|polynomial| times(factor, polynomial)).collect()
}

/// λ² (of a membrane λ) for m nodal diameters, ascending; the lower half is accurate.
fn frequencies(name: &str, poissons_ratio: f64, order: usize) -> Vec<f64> {
    let count = 16;
    let exponent = match name {
        "clamped" => 2,
        "free" => 0,
        _ => 1,
    };
    let m = order as f64;
    let (mut stiffness, mut mass) = (vec![vec![0.0; count]; count], vec![vec![0.0; count]; count]);
    for (r, weight) in gauss(60) {
        let trial = trial(order, exponent, count, r);
        for (i, a) in trial.iter().enumerate() {
            for (j, b) in trial.iter().enumerate() {
                let around = |f: &Jet| f[1] / r - m * m * f[0] / (r * r);
                let twist = |f: &Jet| m * (f[1] / r - f[0] / (r * r));
                let energy = if name == "membrane" {
                    a[1] * b[1] + m * m * a[0] * b[0] / (r * r)
                } else {
                    let laplacian = (a[2] + around(a)) * (b[2] + around(b));
                    let curvature = 0.5 * (a[2] * around(b) + b[2] * around(a)) - twist(a) * twist(b);
                    laplacian - 2.0 * (1.0 - poissons_ratio) * curvature
                };
                stiffness[i][j] += weight * r * energy;
                mass[i][j] += weight * r * a[0] * b[0];
            }
        }
    }
    let mut squares = eigenvalues(stiffness, mass);
    squares.sort_by(f64::total_cmp);
    squares.iter().map(|square| square.max(0.0).sqrt()).collect()
}

/// Of K x = e M x: Cholesky's factors of M, then Jacobi's rotations.
fn eigenvalues(mut k: Vec<Vec<f64>>, mut m: Vec<Vec<f64>>) -> Vec<f64> {
    let n = k.len();
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|l| m[i][l] * m[j][l]).sum();
            m[i][j] = if i == j { (m[i][i] - sum).sqrt() } else { (m[i][j] - sum) / m[j][j] };
        }
    }
    // L⁻¹ K, transposed, and again; rows of K are its columns.
    for _ in 0..2 {
        for column in &mut k {
            for row in 0..n {
                let sum: f64 = (0..row).map(|l| m[row][l] * column[l]).sum();
                column[row] = (column[row] - sum) / m[row][row];
            }
        }
        k = (0..n).map(|i| (0..n).map(|j| k[j][i]).collect()).collect();
    }
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                if k[p][q] == 0.0 {
                    continue;
                }
                let (sine, cosine) = libm::sincos(0.5 * libm::atan(2.0 * k[p][q] / (k[q][q] - k[p][p])));
                for row in &mut k {
                    (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
                }
                let (above, below) = k.split_at_mut(q);
                for (a, b) in above[p].iter_mut().zip(&mut below[0]) {
                    (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
                }
            }
        }
    }
    (0..n).map(|i| k[i][i]).collect()
}

#[test]
fn frequencies_are_those_of_ritzs_method_none_missing_none_twice() {
    let highest = 15.0;
    for poissons_ratio in [-0.4, 0.0, 0.3, 0.45] {
        for (name, circle) in circles(poissons_ratio, highest) {
            let limit = if name == "membrane" { highest } else { highest * highest };
            let mut expected = Vec::new();
            for order in 0..20 {
                for frequency in frequencies(name, poissons_ratio, order).into_iter().filter(|value| *value < limit) {
                    expected.extend((0..if order == 0 { 1 } else { 2 }).map(|_| frequency));
                }
            }
            expected.sort_by(f64::total_cmp);
            assert_eq!(circle.modes().len(), expected.len(), "{name}");
            for (mode, expected) in circle.modes().iter().zip(&expected) {
                let found = TAU * mode.frequency;
                assert!(
                    (found - expected).abs() < if *expected < 1e-3 { 1e-6 } else { 1e-11 * expected },
                    "{name} {poissons_ratio}: {found} {expected}"
                );
            }
        }
    }
}
