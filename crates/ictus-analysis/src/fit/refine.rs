//! Least squares in the time domain, over all modes and all takes at once:
//!
//! ```text
//! y_r[n] = Σ_k Re(c_rk e^{s_k n}) + noise,      minimise Σ_r w_r Σ_n (y_r - model)²
//! ```
//!
//! Linear in the amplitudes c, which are solved for exactly at any poles s; steps of Gauss and Newton in the poles, with the derivatives n e^{sn} and
//! what the amplitudes can take over of them projected out (variable projection, Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973)),
//! kept short where they do not help (Marquardt). All products of two oscillations are sums in closed form, so that only the
//! projections of the sound take time in proportion to its length.

use realfft::num_complex::Complex;

use super::Pole;
use super::dense::{Cholesky, Square, dot};
use super::sums::{powers, project};

/// Steps at most.
const MOST_STEPS: usize = 40;

/// Steps end when all poles move less than this part of their uncertainty in white noise.
const SETTLED: f64 = 0.02;

/// Steps end too when they explain no more than this, in units of the noise's variance.
const UNCHANGED: f64 = 0.003;

/// Part of a derivative that is never taken over by the amplitudes.
const TAKEN_OVER: f64 = 1e-11;

/// A take: samples from where the modes are free, and the weight of its squares, 1 / variance of its noise.
#[derive(Clone, Copy)]
pub struct Take<'a> {
    /// Samples.
    pub samples: &'a [f64],
    /// Weight.
    pub weight: f64,
}

/// Amplitudes of all modes in one take, and the matrices there.
struct Solved {
    amplitudes: Vec<Pole>,
    factor: Cholesky,
    /// Rows of poles against those of amplitudes.
    cross: Vec<f64>,
    own: Square,
    gradient: Vec<f64>,
    explained: f64,
}

/// Poles and amplitudes that fit best, and how well they are known.
pub struct Refined {
    /// s per sample.
    pub poles: Vec<Pole>,
    /// c, take by take.
    pub amplitudes: Vec<Vec<Pole>>,
    /// Covariance of σ and ω, per sample, times the variance of the noise where weights are 1: [σσ, ωω].
    pub pole_variances: Vec<[f64; 2]>,
    /// For each take and mode: variance of the relative amplitude, and how far c stands above its uncertainty: cᵀ Cov⁻¹ c.
    pub amplitude_variances: Vec<Vec<[f64; 2]>>,
}

/// The element of a matrix between columns (Re v, -Im v) and (Re w, -Im w), from Σ v w and Σ v w*.
fn block(product: Pole, conjugate: Pole) -> [[f64; 2]; 2] {
    let (sum, difference) = (product + conjugate, conjugate - product);
    [[0.5 * sum.re, 0.5 * difference.im], [-0.5 * sum.im, 0.5 * difference.re]]
}

fn put(matrix: &mut [f64], width: usize, (i, j): (usize, usize), block: [[f64; 2]; 2]) {
    for (a, row) in block.iter().enumerate() {
        matrix[(2 * i + a) * width + 2 * j..][..2].copy_from_slice(row);
    }
}

fn solve(take: &Take<'_>, poles: &[Pole]) -> Solved {
    let (modes, width) = (poles.len(), 2 * poles.len());
    let mut sums = vec![[[Complex::default(); 3]; 2]; modes * modes];
    let mut gram = Square::zero(width);
    for i in 0..modes {
        for j in 0..=i {
            let product = powers(poles[i] + poles[j], take.samples.len());
            let conjugate = powers(poles[i] + poles[j].conj(), take.samples.len());
            sums[i * modes + j] = [product, conjugate];
            sums[j * modes + i] = [product, conjugate.map(|x| x.conj())];
            put(&mut gram.elements, width, (i, j), block(product[0], conjugate[0]));
        }
    }
    let factor = Cholesky::new(&gram);
    let projections: Vec<[Pole; 2]> = poles.iter().map(|s| project(take.samples, *s)).collect();
    let data: Vec<f64> = projections.iter().flat_map(|p| [p[0].re, -p[0].im]).collect();
    let mut solution = data.clone();
    factor.solve(&mut solution);
    let amplitudes: Vec<Pole> = solution.chunks_exact(2).map(|c| Complex::new(c[0], c[1])).collect();

    let mut cross = vec![0.0; width * width];
    let mut own = Square::zero(width);
    for i in 0..modes {
        for j in 0..modes {
            let [product, conjugate] = sums[i * modes + j];
            let (c, d) = (amplitudes[i], amplitudes[j]);
            put(&mut cross, width, (i, j), block(c * product[1], c * conjugate[1]));
            put(&mut own.elements, width, (i, j), block(c * d * product[2], c * d.conj() * conjugate[2]));
        }
    }
    let mut gradient: Vec<f64> =
        projections.iter().zip(&amplitudes).flat_map(|(p, c)| [(c * p[1]).re, -(c * p[1]).im]).collect();
    for (row, value) in gradient.iter_mut().enumerate() {
        *value -= dot(&cross[row * width..][..width], &solution);
    }
    // Rows become L⁻¹ of what they have in common with the amplitudes, which is projected out.
    for row in cross.chunks_exact_mut(width.max(1)) {
        factor.forward(row);
    }
    for i in 0..width {
        for j in 0..=i {
            let common = dot(&cross[i * width..][..width], &cross[j * width..][..width]);
            // What amplitudes take over entirely is left to rounding, which may be below 0.
            let value =
                if i == j { (own.at(i, i) - common).max(TAKEN_OVER * own.at(i, i)) } else { own.at(i, j) - common };
            *own.at_mut(i, j) = value;
            *own.at_mut(j, i) = value;
        }
    }
    Solved { explained: dot(&data, &solution), amplitudes, factor, cross, own, gradient }
}

/// All takes at these poles.
struct Point {
    poles: Vec<Pole>,
    takes: Vec<Solved>,
    explained: f64,
}

impl Point {
    fn at(takes: &[Take<'_>], poles: Vec<Pole>) -> Self {
        let solved: Vec<Solved> = takes.iter().map(|take| solve(take, &poles)).collect();
        let explained = solved.iter().zip(takes).map(|(solved, take)| take.weight * solved.explained).sum();
        Self { poles, takes: solved, explained }
    }

    /// What is known of the poles. Derivatives are by s N of the longest take.
    fn normal(&self, takes: &[Take<'_>]) -> (Square, Vec<f64>) {
        let width = 2 * self.poles.len();
        let (mut matrix, mut gradient) = (Square::zero(width), vec![0.0; width]);
        for (solved, take) in self.takes.iter().zip(takes) {
            let n = take.samples.len() as f64;
            matrix.elements.iter_mut().zip(&solved.own.elements).for_each(|(sum, x)| *sum += take.weight * n * n * x);
            gradient.iter_mut().zip(&solved.gradient).for_each(|(sum, x)| *sum += take.weight * n * x);
        }
        (matrix, gradient)
    }
}

/// A pole that decays, by at least a little over the longest take, and lies between 0 and half the rate.
fn within(s: Pole, longest: usize) -> Pole {
    let least = 0.05 / longest as f64;
    Complex::new(s.re.min(-least).max(-2.0), s.im.clamp(least, std::f64::consts::PI - least))
}

/// From these poles to the nearest that fit best.
pub fn refine(takes: &[Take<'_>], poles: &[Pole]) -> Refined {
    let longest = takes.iter().map(|take| take.samples.len()).max().unwrap_or(1);
    let mut point = Point::at(takes, poles.iter().map(|s| within(*s, longest)).collect());
    let mut damping = 1e-6;
    let mut curvature = point.normal(takes);
    for _ in 0..MOST_STEPS {
        let mut matrix = curvature.0.clone();
        for i in 0..matrix.size {
            *matrix.at_mut(i, i) *= 1.0 + damping;
        }
        let factor = Cholesky::new(&matrix);
        let mut step = curvature.1.clone();
        factor.solve(&mut step);
        let uncertain = |i: usize| 1.0 / curvature.0.at(i, i).max(f64::MIN_POSITIVE).sqrt();
        let settled = step.iter().enumerate().all(|(i, x)| x.abs() < SETTLED * uncertain(i));
        if step.iter().any(|x| !x.is_finite()) {
            break;
        }
        let moved: Vec<Pole> = point
            .poles
            .iter()
            .zip(step.chunks_exact(2))
            .map(|(s, x)| {
                let longest_step = 0.5 * (s.re.abs() + 2.0 / longest as f64);
                let x = Complex::new(x[0], x[1]);
                within(s + x * (longest_step / x.norm().max(longest_step)), longest)
            })
            .collect();
        let next = Point::at(takes, moved);
        if next.explained >= point.explained {
            let settled = settled || next.explained - point.explained < UNCHANGED;
            point = next;
            curvature = point.normal(takes);
            damping = (0.1 * damping).max(1e-9);
            if settled {
                break;
            }
        } else if settled || damping > 1e6 {
            break;
        } else {
            damping = (damping * 30.0).max(1e-3);
        }
    }
    known(takes, point)
}

/// Uncertainties at the optimum.
fn known(takes: &[Take<'_>], point: Point) -> Refined {
    let (matrix, _) = point.normal(takes);
    let modes = point.poles.len();
    let covariance = Cholesky::new(&matrix).inverse();
    let pole_variances =
        (0..modes).map(|k| [covariance.at(2 * k, 2 * k), covariance.at(2 * k + 1, 2 * k + 1)]).collect();
    let of_take = |(solved, take): (&Solved, &Take<'_>)| {
        let n = take.samples.len() as f64;
        (0..modes).map(|k| amplitude_known(solved, &covariance, (take.weight, n), k)).collect()
    };
    let amplitude_variances = point.takes.iter().zip(takes).map(of_take).collect();
    let amplitudes = point.takes.into_iter().map(|solved| solved.amplitudes).collect();
    Refined { poles: point.poles, amplitudes, pole_variances, amplitude_variances }
}

/// The uncertainty of one amplitude: as if the poles were known, and what their own adds.
fn amplitude_known(solved: &Solved, poles: &Square, (weight, n): (f64, f64), mode: usize) -> [f64; 2] {
    let width = poles.size;
    // G⁻¹ = L⁻ᵀ L⁻¹: column by column of the two that matter.
    let columns: Vec<Vec<f64>> = (0..2)
        .map(|part| {
            let mut column = vec![0.0; width];
            column[2 * mode + part] = 1.0;
            solved.factor.forward(&mut column);
            column
        })
        .collect();
    let from_poles: Vec<Vec<f64>> = columns
        .iter()
        .map(|column| (0..width).map(|row| n * dot(&solved.cross[row * width..][..width], column)).collect())
        .collect();
    let known = |a: usize, b: usize| dot(&columns[a], &columns[b]) / weight;
    let element = |a: usize, b: usize| {
        let through: f64 = (0..width).map(|i| from_poles[a][i] * dot(poles.row(i), &from_poles[b])).sum();
        known(a, b) + through
    };
    let (mut xx, mut xy, mut yy) = (element(0, 0), element(0, 1), element(1, 1));
    // Poles so near each other that rounding decides their covariance: then as if they were known.
    if !(xx > 0.0 && yy > 0.0 && xx * yy > xy * xy) {
        (xx, xy, yy) = (known(0, 0), known(0, 1), known(1, 1));
    }
    let c = solved.amplitudes[mode];
    let determinant = (xx * yy - xy * xy).max(f64::MIN_POSITIVE);
    let stands = (c.re * c.re * yy - 2.0 * c.re * c.im * xy + c.im * c.im * xx) / determinant;
    let power = c.norm_sqr().max(f64::MIN_POSITIVE);
    let along = (c.re * c.re * xx + 2.0 * c.re * c.im * xy + c.im * c.im * yy) / power;
    [along / power, stands]
}
