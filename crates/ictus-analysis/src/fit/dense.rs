//! Small dense systems: Cholesky's factor of a positive matrix, with its rows and columns scaled first.

/// How much is added to the scaled diagonal, where two columns are the same to rounding.
const RIDGE: f64 = 1e-13;

/// A square matrix, row by row.
#[derive(Clone, Debug)]
pub struct Square {
    /// Rows.
    pub size: usize,
    /// All elements.
    pub elements: Vec<f64>,
}

impl Square {
    /// All zero.
    pub fn zero(size: usize) -> Self {
        Self { size, elements: vec![0.0; size * size] }
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.elements[row * self.size..][..self.size]
    }

    /// An element.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.elements[row * self.size + column]
    }

    /// An element to be changed.
    pub fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.elements[row * self.size + column]
    }
}

/// D L Lᵀ D = A, with D the roots of A's diagonal.
pub struct Cholesky {
    lower: Square,
    scale: Vec<f64>,
}

impl Cholesky {
    /// Of a positive matrix, of which the lower triangle is read.
    pub fn new(matrix: &Square) -> Self {
        let size = matrix.size;
        let scale: Vec<f64> = (0..size).map(|i| matrix.at(i, i).max(f64::MIN_POSITIVE).sqrt()).collect();
        let mut lower = Square::zero(size);
        for i in 0..size {
            for j in 0..=i {
                let (before, row) = lower.elements.split_at(i * size);
                let row_j = if j < i { &before[j * size..][..j] } else { &row[..j] };
                let sum: f64 = dot(&row[..j], row_j);
                let own = matrix.at(i, j) / (scale[i] * scale[j]) - sum;
                let value = if i == j { (own + RIDGE).max(RIDGE).sqrt() } else { own / lower.at(j, j) };
                *lower.at_mut(i, j) = value;
            }
        }
        Self { lower, scale }
    }

    /// L⁻¹ D⁻¹ b in place.
    pub fn forward(&self, b: &mut [f64]) {
        for i in 0..self.lower.size {
            let sum = dot(&self.lower.row(i)[..i], &b[..i]);
            b[i] = (b[i] / self.scale[i] - sum) / self.lower.at(i, i);
        }
    }

    /// A⁻¹ b in place.
    pub fn solve(&self, b: &mut [f64]) {
        self.forward(b);
        for i in (0..self.lower.size).rev() {
            b[i] /= self.lower.at(i, i);
            let value = b[i];
            for (x, lower) in b[..i].iter_mut().zip(self.lower.row(i)) {
                *x -= value * lower;
            }
            b[i] /= self.scale[i];
        }
    }

    /// A⁻¹.
    pub fn inverse(&self) -> Square {
        let size = self.lower.size;
        let mut inverse = Square::zero(size);
        for i in 0..size {
            let row = &mut inverse.elements[i * size..][..size];
            row[i] = 1.0;
            self.solve(row);
        }
        inverse
    }
}

/// In eight lanes, so that it compiles to vectors.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (wide_a, wide_b) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = wide_a.remainder().iter().zip(wide_b.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in wide_a.zip(wide_b) {
        for lane in 0..8 {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    rest + lanes.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_of_very_different_scales_is_solved() {
        let size = 19;
        let scale = |i: usize| 10f64.powi(i as i32 - 9);
        let mut matrix = Square::zero(size);
        for i in 0..size {
            for j in 0..size {
                *matrix.at_mut(i, j) = scale(i) * scale(j) * (0.5f64.powi((i as i32 - j as i32).abs()));
            }
        }
        let cholesky = Cholesky::new(&matrix);
        let wanted: Vec<f64> = (0..size).map(|i| (i as f64 + 0.3).sin() / scale(i)).collect();
        let mut found: Vec<f64> = (0..size).map(|i| dot(matrix.row(i), &wanted)).collect();
        cholesky.solve(&mut found);
        for (i, (a, b)) in wanted.iter().zip(&found).enumerate() {
            assert!((a - b).abs() * scale(i) < 1e-11, "{i}: {a} {b}");
        }
        let inverse = cholesky.inverse();
        let one = dot(inverse.row(3), &(0..size).map(|i| matrix.at(i, 3)).collect::<Vec<_>>());
        assert!((one - 1.0).abs() < 1e-9);
    }
}
