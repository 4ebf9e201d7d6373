//! A line in tune on its grid: the tension or stiffness for which its lowest mode rings at the frequency asked for.
//!
//! With the energies of [`super::edges`] in units of the grid, a shape u has the eigenvalue
//!
//! ```text
//! e = (λ² Σ (Δu)² + μ² Σ w C²) / Σ m u² = λ² S + μ² B
//! ```
//!
//! if it is a mode, and [`super::super::ringing`] says which e rings at ω. The mode comes from inverse iteration with a banded
//! factorisation. e grows with λ² at the rate S, since the shape of a mode is stationary: so `λ² = (e - μ²B)/S` is Newton's
//! step towards the tension, and as e is concave in λ² it closes in from below. For a bar `μ² = e/B` is exact at once.

use super::super::ringing::ModeLoss;
use super::edges::End;
use super::grid::Grid;

/// What is chosen so that a line rings at a frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tuned {
    /// The tension, as a string is tuned.
    Tension,
    /// The bending stiffness, as a bar's Young's modulus is found.
    Stiffness,
}

/// Newton's steps at most; four or five are needed.
const PASSES: usize = 50;
/// Inverse iterations per step at most: each brings the quotient nearer by 16 or more.
const ITERATIONS: usize = 60;
/// Least tension, as a part of the first guess.
const LEAST_TENSION: f64 = 1e-9;

/// The lowest mode that a line has besides moving as a whole.
#[derive(Clone, Debug)]
pub(super) struct Mode {
    /// u of all nodes.
    pub(super) shape: Vec<f64>,
    /// S, also (βh)².
    pub(super) stretch: f64,
    /// B.
    pub(super) bend: f64,
}

/// Where a string's pitch is, for bending it while it sounds.
///
/// Ends that resist turning shorten a stiff string by a length that goes with 1/√T, so that near its tension T the eigenvalue is
/// `e = αT + β√T + γ`, in T its built value, its slope S there and its value at a quarter of T. For simply supported ends β = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pitch {
    /// λ² as built.
    tension: f64,
    /// S of its lowest mode.
    stretch: f64,
    /// α.
    curvature: f64,
    loss: ModeLoss,
    /// φ = ωk of its lowest mode as built.
    phase: f64,
    /// Largest ratio to that frequency which the grid is laid for.
    pub(super) largest: f64,
}

impl Pitch {
    /// The pitch of a string on a grid that is laid for some ratio to it.
    pub(super) fn of(grid: &Grid, largest: f64) -> Self {
        let mode = Mode::lowest(grid, None);
        let eigenvalue = mode.eigenvalue(grid);
        let loss = mode.loss(grid, ModeLoss::default().phase(eigenvalue));
        let slack = Grid { tension: 0.25 * grid.tension, ..*grid };
        let fall = Mode::lowest(&slack, Some(mode.shape)).eigenvalue(&slack) - eigenvalue;
        // With x = √T and y = -x/2 the way to the slack string: fall = α y² + 2xS y.
        let curvature = 4.0 * (fall / grid.tension + mode.stretch);
        Self { tension: grid.tension, stretch: mode.stretch, curvature, loss, phase: loss.phase(eigenvalue), largest }
    }

    /// λ² at which the lowest mode rings at a ratio to the frequency it was built with; not a number if there is none.
    pub(super) fn tension_at(&self, ratio: f64) -> f64 {
        let rise = self.loss.eigenvalue(ratio * self.phase) - self.loss.eigenvalue(self.phase);
        let root = self.tension.sqrt();
        let slope = 2.0 * root * self.stretch;
        let higher = 2.0 * rise / (slope + (slope * slope + 4.0 * self.curvature * rise).sqrt());
        self.tension + higher * (2.0 * root + higher)
    }
}

/// The grid with the tension or stiffness for which its lowest mode rings at phase φ = ωk; `None` if stiffness alone rings higher.
pub(super) fn tune(mut grid: Grid, tuned: Tuned, phase: f64) -> Option<Grid> {
    let least = LEAST_TENSION * grid.tension;
    let mut shape = None;
    for _ in 0..PASSES {
        let mode = Mode::lowest(&grid, shape);
        let wanted = mode.loss(&grid, phase).eigenvalue(phase);
        let (parameter, after) = match tuned {
            Tuned::Tension => (&mut grid.tension, (wanted - grid.stiffness * mode.bend) / mode.stretch),
            Tuned::Stiffness => (&mut grid.stiffness, wanted / mode.bend),
        };
        let before = *parameter;
        if !after.is_finite() || after <= least && before <= least {
            return None;
        }
        // The first step may fall short of a tension that is there: from the least one, the next will not.
        *parameter = after.max(least);
        if (after / before - 1.0).abs() < 1e-14 {
            break;
        }
        shape = Some(mode.shape);
    }
    Some(grid)
}

impl Mode {
    /// The lowest mode of a grid, from a shape near it if there is one.
    pub(super) fn lowest(grid: &Grid, start: Option<Vec<f64>>) -> Self {
        let nodes = grid.segments + 1;
        let rigid = rigid_shapes(grid);
        // Any shape without symmetry will do.
        let mut shape = start.unwrap_or_else(|| {
            (0..nodes).map(|node| node as f64 / grid.segments as f64).map(|x| 0.2 + x * x * (1.4 - x)).collect()
        });
        // What moves as a whole needs a shift to be solved for; one near the eigenvalue keeps the iteration short.
        let shift = if rigid.is_empty() { 0.0 } else { quick_eigenvalue(grid) };
        let factor = Banded::new(grid, shift);
        let (mut stretch, mut bend, mut last) = (0.0, 0.0, 0.0);
        for _ in 0..ITERATIONS {
            for (node, u) in shape.iter_mut().enumerate() {
                *u = if grid.is_fixed(node) { 0.0 } else { mass(grid, node) * *u };
            }
            factor.solve(&mut shape);
            rigid.iter().for_each(|rigid| remove(grid, rigid, &mut shape));
            let size = dot(grid, &shape, &shape).sqrt();
            shape.iter_mut().for_each(|u| *u /= size);
            (stretch, bend) = energies(grid, &shape);
            let eigenvalue = grid.tension * stretch + grid.stiffness * bend;
            if (eigenvalue - last).abs() <= 1e-15 * eigenvalue {
                break;
            }
            last = eigenvalue;
        }
        Self { shape, stretch, bend }
    }

    /// e on a grid.
    fn eigenvalue(&self, grid: &Grid) -> f64 {
        grid.tension * self.stretch + grid.stiffness * self.bend
    }

    /// How the mode loses energy, ringing at phase φ.
    fn loss(&self, grid: &Grid, phase: f64) -> ModeLoss {
        ModeLoss::new(grid.loss, 0.5 * grid.bend_loss * self.stretch, phase)
    }
}

/// An eigenvalue of the size of the lowest one: that of a half wave.
fn quick_eigenvalue(grid: &Grid) -> f64 {
    let angle = std::f64::consts::PI / grid.segments as f64;
    let squared = angle * angle;
    grid.tension * squared + grid.stiffness * squared * squared
}

/// Share of a node in the mass: half at an end.
pub(super) fn mass(grid: &Grid, node: usize) -> f64 {
    if node == 0 || node == grid.segments { 0.5 } else { 1.0 }
}

fn dot(grid: &Grid, a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).enumerate().map(|(node, (a, b))| mass(grid, node) * a * b).sum()
}

/// Shapes that cost no energy, at right angles to each other.
pub(super) fn rigid_shapes(grid: &Grid) -> Vec<Vec<f64>> {
    let sampled =
        |shape: fn(f64) -> f64| (0..=grid.segments).map(|node| shape(node as f64 / grid.segments as f64)).collect();
    let turns = grid.tension == 0.0;
    match grid.ends {
        [End::Free, End::Free] if turns => vec![sampled(|_| 1.0), sampled(|x| x - 0.5)],
        [End::Free, End::Free] => vec![sampled(|_| 1.0)],
        [End::SimplySupported, End::Free] if turns => vec![sampled(|x| x)],
        [End::Free, End::SimplySupported] if turns => vec![sampled(|x| 1.0 - x)],
        _ => vec![],
    }
}

/// Takes a rigid shape out of another.
fn remove(grid: &Grid, rigid: &[f64], shape: &mut [f64]) {
    let part = dot(grid, rigid, shape) / dot(grid, rigid, rigid);
    shape.iter_mut().zip(rigid).for_each(|(u, rigid)| *u -= part * rigid);
}

/// Σ (Δu)² and Σ w C²: sums of squares, which lose no digits.
fn energies(grid: &Grid, u: &[f64]) -> (f64, f64) {
    let squared = |x: f64| x * x;
    let stretch = u.windows(2).map(|u| squared(u[1] - u[0])).sum();
    let inner: f64 = u.windows(3).map(|u| squared((u[2] - u[1]) - (u[1] - u[0]))).sum();
    let last = grid.segments;
    let clamped =
        [(grid.ends[0], u[1]), (grid.ends[1], u[last - 1])].into_iter().filter(|(end, _)| *end == End::Clamped);
    (stretch, inner + clamped.map(|(_, inner)| 2.0 * inner * inner).sum::<f64>())
}

/// L D Lᵀ of the matrix behind the energies plus a shift of the masses, two places either side of the diagonal.
struct Banded {
    diagonal: Vec<f64>,
    near: Vec<f64>,
    far: Vec<f64>,
}

impl Banded {
    fn new(grid: &Grid, shift: f64) -> Self {
        let last = grid.segments;
        let mut matrix = Self { diagonal: vec![0.0; last + 1], near: vec![0.0; last + 1], far: vec![0.0; last + 1] };
        let Self { diagonal, near, far } = &mut matrix;
        for node in 0..last {
            diagonal[node] += grid.tension;
            diagonal[node + 1] += grid.tension;
            near[node] -= grid.tension;
        }
        for node in 1..last {
            diagonal[node - 1] += grid.stiffness;
            diagonal[node] += 4.0 * grid.stiffness;
            diagonal[node + 1] += grid.stiffness;
            near[node - 1] -= 2.0 * grid.stiffness;
            near[node] -= 2.0 * grid.stiffness;
            far[node - 1] += grid.stiffness;
        }
        for (end, inner) in [(grid.ends[0], 1), (grid.ends[1], last - 1)] {
            if end == End::Clamped {
                diagonal[inner] += 2.0 * grid.stiffness;
            }
        }
        (0..=last).for_each(|node| diagonal[node] += shift * mass(grid, node));
        if grid.is_fixed(0) {
            (diagonal[0], near[0], far[0]) = (1.0, 0.0, 0.0);
        }
        if grid.is_fixed(last) {
            (diagonal[last], near[last - 1], far[last - 2]) = (1.0, 0.0, 0.0);
        }
        matrix.factorise();
        matrix
    }

    fn factorise(&mut self) {
        let Self { diagonal, near, far } = self;
        for i in 0..diagonal.len() {
            if i >= 1 {
                diagonal[i] -= near[i - 1] * near[i - 1] * diagonal[i - 1];
            }
            if i >= 2 {
                diagonal[i] -= far[i - 2] * far[i - 2] * diagonal[i - 2];
            }
            // Positive in exact arithmetic.
            diagonal[i] = diagonal[i].max(f64::MIN_POSITIVE);
            if i >= 1 {
                near[i] -= far[i - 1] * near[i - 1] * diagonal[i - 1];
            }
            near[i] /= diagonal[i];
            far[i] /= diagonal[i];
        }
    }

    fn solve(&self, x: &mut [f64]) {
        let count = x.len();
        for i in 0..count {
            if i >= 1 {
                x[i] -= self.near[i - 1] * x[i - 1];
            }
            if i >= 2 {
                x[i] -= self.far[i - 2] * x[i - 2];
            }
        }
        for i in (0..count).rev() {
            x[i] /= self.diagonal[i];
            if i + 1 < count {
                x[i] -= self.near[i] * x[i + 1];
            }
            if i + 2 < count {
                x[i] -= self.far[i] * x[i + 2];
            }
        }
    }
}
