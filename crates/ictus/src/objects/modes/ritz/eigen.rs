//! Eigenvalues and eigenvectors of a real symmetric matrix.
//!
//! ```text
//! A = Q T Qᵀ,     T y = λ y,     x = Q y
//! ```
//!
//! Householder's reflections make A tridiagonal, from the last row up (Martin, Reinsch and Wilkinson, Numer. Math. 11 (1968)); the implicit QL
//! method finds all λ of T (Martin and Wilkinson, Numer. Math. 12 (1968)); inverse iteration finds y where it is wanted, made orthogonal to
//! the neighbours whose λ is so near that rounding mixes them. If the small elements of A are at its top left, small λ keep
//! their own relative accuracy. Work: 4/3 n³ for T, 2 n² for each vector.
//!
//! Rejected: faer, 1.4 to 2.4 times faster from n = 350 on, but it takes minutes to compile, and its bits depend on the processor; nalgebra, slower at
//! every size, 2.2 times at n = 1000; QL with vectors, slower than nalgebra.

/// Sums run in this many lanes, so that they compile to vectors and have the same bits everywhere.
const LANES: usize = 8;

/// How near two eigenvalues are, in parts of the matrix, for their vectors to be made orthogonal.
const NEAR: f64 = 1e-5;

/// Rotations of the QL method for one eigenvalue; two are usual.
const MOST_SWEEPS: usize = 60;

/// Inverse iterations; after two the vector is at rounding.
const PASSES: usize = 3;

/// Vectors that are turned back together, while a reflection is at hand.
const BLOCK: usize = 16;

/// Eigenvalues below a limit, ascending, and their vectors.
pub(super) struct Eigen {
    /// λ.
    pub values: Vec<f64>,
    /// One row of the matrix's size for each, of length 1, its largest element above 0.
    pub vectors: Vec<f64>,
}

impl Eigen {
    /// Of the symmetric matrix of `size` rows whose lower triangle is given, row by row.
    pub(super) fn below(limit: f64, size: usize, mut matrix: Vec<f64>) -> Self {
        let tridiagonal = Tridiagonal::new(size, &mut matrix);
        let mut values = tridiagonal.values();
        values.sort_by(f64::total_cmp);
        values.truncate(values.partition_point(|&value| value < limit));
        let mut vectors = tridiagonal.vectors(&values);
        tridiagonal.turn_back(&matrix, &mut vectors);
        for vector in vectors.chunks_exact_mut(size.max(1)) {
            let largest = vector.iter().fold(0.0_f64, |most, &x| if x.abs() > most.abs() { x } else { most });
            if largest < 0.0 {
                vector.iter_mut().for_each(|x| *x = -*x);
            }
        }
        Self { values, vectors }
    }
}

/// T, and how strongly each reflection of Q acts; the reflections take the place of the matrix.
struct Tridiagonal {
    diagonal: Vec<f64>,
    /// Beside the diagonal; the last is 0.
    beside: Vec<f64>,
    strengths: Vec<f64>,
}

impl Tridiagonal {
    fn new(size: usize, matrix: &mut [f64]) -> Self {
        let (mut beside, mut strengths) = (vec![0.0; size], vec![0.0; size]);
        // v and w of the last reflection, which the rows get when the next one passes: once through the matrix instead of twice.
        let (mut last, mut next) = ([vec![0.0; size], vec![0.0; size]], [vec![0.0; size], vec![0.0; size]]);
        for i in (0..size).rev() {
            let (above, here) = matrix.split_at_mut(i * size);
            reflect(&mut here[..=i], &last, i);
            let mirror = &mut here[..i];
            if let Some((kept, others)) = mirror.split_last_mut() {
                let rest = dot(others, others);
                beside[i - 1] = *kept;
                if rest > 0.0 {
                    let length = -(*kept * *kept + rest).sqrt().copysign(*kept);
                    (beside[i - 1], strengths[i]) = (length, 1.0 - *kept / length);
                    others.iter_mut().for_each(|x| *x /= *kept - length);
                    *kept = 1.0;
                }
            }
            let [v, w] = &mut next;
            v[..i].copy_from_slice(mirror);
            w[..i].fill(0.0);
            for (r, row) in above.chunks_exact_mut(size).enumerate() {
                reflect(&mut row[..=r], &last, r);
                w[r] += row[r] * v[r] + dot_and_add(&row[..r], &v[..r], &mut w[..r], v[r]);
            }
            // w = s A v - ½ s² (vᵀAv) v, and A becomes A - v wᵀ - w vᵀ.
            w[..i].iter_mut().for_each(|w| *w *= strengths[i]);
            let part = 0.5 * strengths[i] * dot(&w[..i], &v[..i]);
            add(&mut w[..i], &v[..i], -part);
            std::mem::swap(&mut last, &mut next);
        }
        Self { diagonal: (0..size).map(|i| matrix[i * size + i]).collect(), beside, strengths }
    }

    /// All eigenvalues by the implicit QL method, in no order.
    fn values(&self) -> Vec<f64> {
        let (mut d, mut e) = (self.diagonal.clone(), self.beside.clone());
        let size = d.len();
        for first in 0..size {
            for _ in 0..MOST_SWEEPS {
                let mut last = first;
                while last + 1 < size && e[last].abs() > f64::EPSILON * (d[last].abs() + d[last + 1].abs()) {
                    last += 1;
                }
                if last == first {
                    break;
                }
                sweep(&mut d[first..=last], &mut e[first..=last]);
            }
        }
        d
    }

    /// One eigenvector of T for each of the ascending eigenvalues.
    fn vectors(&self, values: &[f64]) -> Vec<f64> {
        let size = self.diagonal.len();
        let norm = self.diagonal.iter().zip(&self.beside).map(|(d, e)| d.abs() + 2.0 * e.abs()).fold(0.0, f64::max);
        let mut vectors = vec![0.0; size * values.len()];
        let mut factors = Factors::of(size);
        let mut before = f64::NEG_INFINITY;
        for (index, &value) in values.iter().enumerate() {
            // Two equal shifts would find one vector twice.
            let size_of_value = value.abs().max(f64::EPSILON * norm);
            let shift = value.max(before + 4.0 * f64::EPSILON * size_of_value);
            before = shift;
            let tiny = (f64::EPSILON * size_of_value).max(f64::MIN_POSITIVE);
            factors.factor(&self.diagonal, &self.beside, shift, tiny);
            let nearest = values[..index].partition_point(|other| value - other > NEAR * norm);
            let (found, here) = vectors.split_at_mut(index * size);
            let vector = &mut here[..size];
            noise(index, vector);
            for _ in 0..PASSES {
                factors.solve(vector);
                let largest = vector.iter().fold(f64::MIN_POSITIVE, |most, x| x.abs().max(most));
                vector.iter_mut().for_each(|x| *x /= largest);
                for other in found[nearest * size..].chunks_exact(size) {
                    let part = dot(other, vector);
                    add(vector, other, -part);
                }
                let length = dot(vector, vector).sqrt().max(f64::MIN_POSITIVE);
                vector.iter_mut().for_each(|x| *x /= length);
            }
        }
        vectors
    }

    /// From vectors of T to vectors of A.
    fn turn_back(&self, reflections: &[f64], vectors: &mut [f64]) {
        let size = self.diagonal.len().max(1);
        for block in vectors.chunks_mut(BLOCK * size) {
            for (i, strength) in self.strengths.iter().enumerate() {
                let mirror = &reflections[i * size..i * size + i];
                for vector in block.chunks_exact_mut(size) {
                    let part = strength * dot(mirror, &vector[..i]);
                    add(&mut vector[..i], mirror, -part);
                }
            }
        }
    }
}

/// Takes `v_r w + w_r v` from the beginning of row r.
fn reflect(row: &mut [f64], [v, w]: &[Vec<f64>; 2], r: usize) {
    let (v_here, w_here) = (v[r], w[r]);
    for ((x, v), w) in row.iter_mut().zip(v).zip(w) {
        *x -= v_here * w + w_here * v;
    }
}

/// One sweep of the implicit QL method over a block that no zero divides.
fn sweep(d: &mut [f64], e: &mut [f64]) {
    let last = d.len() - 1;
    let half = (d[1] - d[0]) / (2.0 * e[0]);
    let mut g = d[last] - d[0] + e[0] / (half + libm::hypot(half, 1.0).copysign(half));
    let (mut sine, mut cosine, mut p) = (1.0, 1.0, 0.0);
    for i in (0..last).rev() {
        let (f, b) = (sine * e[i], cosine * e[i]);
        let r = (f * f + g * g).sqrt();
        e[i + 1] = r;
        if r == 0.0 {
            d[i + 1] -= p;
            e[last] = 0.0;
            return;
        }
        (sine, cosine) = (f / r, g / r);
        g = d[i + 1] - p;
        let q = (d[i] - g) * sine + 2.0 * cosine * b;
        p = sine * q;
        d[i + 1] = g + p;
        g = cosine * q - b;
    }
    d[0] -= p;
    e[0] = g;
    e[last] = 0.0;
}

/// Factors of T less a shift, rows exchanged where the pivot would be smaller.
struct Factors {
    /// The diagonal and the two beside it of the upper factor.
    upper: Vec<[f64; 3]>,
    lower: Vec<f64>,
    exchanged: Vec<bool>,
}

impl Factors {
    fn of(size: usize) -> Self {
        Self { upper: vec![[0.0; 3]; size], lower: vec![0.0; size], exchanged: vec![false; size] }
    }

    fn factor(&mut self, diagonal: &[f64], beside: &[f64], shift: f64, tiny: f64) {
        let (mut pivot, mut right) = (diagonal[0] - shift, beside[0]);
        for i in 0..diagonal.len() {
            let below = beside[i];
            let (next, far) =
                if i + 1 < diagonal.len() { (diagonal[i + 1] - shift, beside[i + 1]) } else { (0.0, 0.0) };
            self.exchanged[i] = below.abs() > pivot.abs();
            if self.exchanged[i] {
                self.lower[i] = pivot / below;
                self.upper[i] = [below, next, far];
                (pivot, right) = (right - self.lower[i] * next, -self.lower[i] * far);
            } else {
                let safe = if pivot.abs() < tiny { tiny } else { pivot };
                self.lower[i] = below / safe;
                self.upper[i] = [safe, right, 0.0];
                (pivot, right) = (next - self.lower[i] * right, far);
            }
        }
    }

    fn solve(&self, x: &mut [f64]) {
        let size = x.len();
        for i in 0..size - 1 {
            if self.exchanged[i] {
                x.swap(i, i + 1);
            }
            x[i + 1] -= self.lower[i] * x[i];
        }
        let (mut one, mut two) = (0.0, 0.0);
        for (x, upper) in x.iter_mut().zip(&self.upper).rev() {
            *x = (*x - upper[1] * one - upper[2] * two) / upper[0];
            (one, two) = (*x, one);
        }
    }
}

/// Numbers from -½ to ½ without a pattern, other ones for every vector (xorshift).
fn noise(index: usize, out: &mut [f64]) {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(index as u64 + 1);
    for x in out {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        *x = (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
    }
}

/// Σ a b.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f64>()
}

/// Adds a multiple of another vector.
pub(super) fn add(to: &mut [f64], other: &[f64], factor: f64) {
    to.iter_mut().zip(other).for_each(|(x, other)| *x += factor * other);
}

/// Σ a b, and adds a multiple of a.
fn dot_and_add(a: &[f64], b: &[f64], to: &mut [f64], factor: f64) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let (to, to_rest) = to.as_chunks_mut::<LANES>();
    let mut sums = [0.0; LANES];
    for ((a, b), to) in a.iter().zip(b).zip(to) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
            to[lane] += a[lane] * factor;
        }
    }
    add(to_rest, a_rest, factor);
    sums.iter().sum::<f64>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lower triangle of Σ λ x xᵀ with random orthonormal x.
    fn matrix_of(values: &[f64]) -> Vec<f64> {
        let size = values.len();
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for index in 0..size {
            let mut x = vec![0.0; size];
            noise(index + 77, &mut x);
            for _ in 0..2 {
                for other in &basis {
                    let part: f64 = other.iter().zip(&x).map(|(a, b)| a * b).sum();
                    x.iter_mut().zip(other).for_each(|(x, other)| *x -= part * other);
                }
            }
            let length = x.iter().map(|x| x * x).sum::<f64>().sqrt();
            basis.push(x.iter().map(|x| x / length).collect());
        }
        let element = |i: usize, j: usize| -> f64 { values.iter().zip(&basis).map(|(v, x)| v * x[i] * x[j]).sum() };
        (0..size * size).map(|k| element(k / size, k % size)).collect()
    }

    fn largest_error(matrix: &[f64], eigen: &Eigen, size: usize) -> f64 {
        let mut worst = 0.0_f64;
        for (value, x) in eigen.values.iter().zip(eigen.vectors.chunks_exact(size)) {
            for i in 0..size {
                let row: f64 = (0..size).map(|j| matrix[i * size + j] * x[j]).sum();
                worst = worst.max((row - value * x[i]).abs());
            }
            for y in eigen.vectors.chunks_exact(size) {
                let product: f64 = x.iter().zip(y).map(|(x, y)| x * y).sum();
                let right = f64::from(u8::from(std::ptr::eq(x, y)));
                worst = worst.max((product - right).abs());
            }
        }
        worst
    }

    #[test]
    fn vectors_solve_the_equation_and_are_orthonormal_where_eigenvalues_are_equal_near_or_apart() {
        let apart: Vec<f64> = (0..60).map(|i| 0.3 * f64::from(i) - 4.0).collect();
        let equal = vec![1.0, 1.0, 1.0, 2.0, 2.0, 0.0, 0.0, -3.0, 5.0, 5.0];
        let near: Vec<f64> = (0..40).map(|i| 1.0 + 1e-9 * f64::from(i % 7) + f64::from(i / 10)).collect();
        for mut values in [apart, equal, near, vec![0.0; 5], vec![3.0], vec![1.0, -1.0]] {
            let matrix = matrix_of(&values);
            let eigen = Eigen::below(f64::INFINITY, values.len(), matrix.clone());
            values.sort_by(f64::total_cmp);
            for (found, value) in eigen.values.iter().zip(&values) {
                assert!((found - value).abs() < 1e-13 * 20.0, "{found} {value}");
            }
            assert!(largest_error(&matrix, &eigen, values.len()) < 2e-10, "{values:?}");
        }
    }

    #[test]
    fn only_eigenvalues_below_the_limit_are_kept() {
        let eigen = Eigen::below(2.5, 4, matrix_of(&[4.0, 1.0, 3.0, 2.0]));
        assert_eq!((eigen.values.len(), eigen.vectors.len()), (2, 8));
        assert!(Eigen::below(0.5, 4, matrix_of(&[4.0, 1.0, 3.0, 2.0])).vectors.is_empty());
        assert!(Eigen::below(1.0, 0, Vec::new()).values.is_empty());
    }

    /// The second difference matrix with fixed ends has the eigenvalues 4 sin²(pπ/2(n+1)).
    #[test]
    fn a_chain_of_masses_has_its_textbook_frequencies() {
        let size = 100;
        let mut matrix = vec![0.0; size * size];
        for i in 0..size {
            matrix[i * size + i] = 2.0;
            if i > 0 {
                matrix[i * size + i - 1] = -1.0;
            }
        }
        let eigen = Eigen::below(10.0, size, matrix);
        for (p, value) in eigen.values.iter().enumerate() {
            let sine = libm::sin((p + 1) as f64 * std::f64::consts::PI / (2 * (size + 1)) as f64);
            assert!((value - 4.0 * sine * sine).abs() < 1e-14, "{p}");
        }
    }
}
