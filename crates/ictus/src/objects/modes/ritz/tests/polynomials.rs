//! The same plates by another basis and another method: products of polynomials, integrals from their coefficients, Jacobi's rotations.

use super::super::super::rectangle::{Edge, Stiffness};

/// Degree of the polynomials along each side.
const DEGREE: usize = 15;

/// Coefficients of 1, t, t², ….
type Polynomial = Vec<f64>;

fn product(a: &[f64], b: &[f64]) -> Polynomial {
    let mut out = vec![0.0; a.len() + b.len() - 1];
    for (i, a) in a.iter().enumerate() {
        b.iter().enumerate().for_each(|(j, b)| out[i + j] += a * b);
    }
    out
}

/// By the fraction of the side, t = 2x - 1.
fn derivative(a: &[f64]) -> Polynomial {
    let mut out: Polynomial = a.iter().enumerate().skip(1).map(|(i, a)| 2.0 * i as f64 * a).collect();
    out.push(0.0);
    out
}

/// ∫ a b over the side.
fn integral(a: &[f64], b: &[f64]) -> f64 {
    product(a, b).iter().enumerate().step_by(2).map(|(i, c)| c / (i + 1) as f64).sum()
}

/// Orthonormal polynomials that keep to their ends.
fn basis(ends: [Edge; 2]) -> Vec<Polynomial> {
    let mut edge = vec![1.0];
    for (end, factor) in ends.iter().zip([[1.0, 1.0], [1.0, -1.0]]) {
        let conditions = [Edge::Free, Edge::Supported, Edge::Clamped].iter().position(|kind| kind == end).unwrap();
        (0..conditions).for_each(|_| edge = product(&edge, &factor));
    }
    let mut all: Vec<Polynomial> = Vec::new();
    while edge.len() <= DEGREE + 1 {
        // Each is the one before times t, made orthogonal: the three-term recurrence.
        let mut next = all.last().map_or(edge.clone(), |last| product(last, &[0.0, 1.0]));
        for _ in 0..3 {
            for other in &all {
                let part = integral(&next, other);
                next.iter_mut().zip(other).for_each(|(next, other)| *next -= part * other);
            }
        }
        let length = integral(&next, &next).sqrt();
        next.iter_mut().for_each(|c| *c /= length);
        all.push(next);
        edge.push(0.0);
    }
    all
}

/// Angular frequencies of a plate of surface density 1, ascending; those of rigid motion are 0 but for rounding.
pub(super) fn angular(sides: [f64; 2], stiffness: &Stiffness, edges: [[Edge; 2]; 2]) -> Vec<f64> {
    let [x, y] = edges.map(basis);
    let table = |all: &[Polynomial], left: usize, right: usize| -> Vec<Vec<f64>> {
        let derived = |order: usize| -> Vec<Polynomial> {
            all.iter().map(|a| (0..order).fold(a.clone(), |a, _| derivative(&a))).collect()
        };
        let (left, right) = (derived(left), derived(right));
        left.iter().map(|a| right.iter().map(|b| integral(a, b)).collect()).collect()
    };
    let [bend_x, bend_y] = [table(&x, 2, 2), table(&y, 2, 2)];
    let [mixed_x, mixed_y] = [table(&x, 2, 0), table(&y, 2, 0)];
    let [tilt_x, tilt_y] = [table(&x, 1, 1), table(&y, 1, 1)];
    let [a, b] = sides.map(|side| side * side);
    let pairs: Vec<(usize, usize)> = (0..x.len()).flat_map(|i| (0..y.len()).map(move |j| (i, j))).collect();
    let mut matrix: Vec<Vec<f64>> = Vec::new();
    for &(i, j) in &pairs {
        let element = |&(k, l): &(usize, usize)| {
            let same = |a: usize, b: usize| f64::from(u8::from(a == b));
            stiffness.along / (a * a) * bend_x[i][k] * same(j, l)
                + stiffness.across / (b * b) * same(i, k) * bend_y[j][l]
                + stiffness.coupling / (a * b) * (mixed_x[i][k] * mixed_y[l][j] + mixed_x[k][i] * mixed_y[j][l])
                + 4.0 * stiffness.twisting / (a * b) * tilt_x[i][k] * tilt_y[j][l]
        };
        matrix.push(pairs.iter().map(element).collect());
    }
    let mut values: Vec<f64> = jacobi(matrix).iter().map(|value| value.max(0.0).sqrt()).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// Eigenvalues of a symmetric matrix.
fn jacobi(mut a: Vec<Vec<f64>>) -> Vec<f64> {
    let size = a.len();
    for _ in 0..30 {
        let mut turned = false;
        for p in 0..size {
            for q in p + 1..size {
                // Relative to the two on the diagonal: small eigenvalues keep their digits.
                if a[p][q].abs() <= 1e-13 * (a[p][p].abs() * a[q][q].abs()).sqrt() + 1e-12 {
                    continue;
                }
                turned = true;
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = 1.0_f64.copysign(theta) / (theta.abs() + theta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for row in &mut a {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                let (above, below) = a.split_at_mut(q);
                for (x, y) in above[p].iter_mut().zip(below[0].iter_mut()) {
                    (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
                }
            }
        }
        if !turned {
            break;
        }
    }
    (0..size).map(|i| a[i][i]).collect()
}
