//! The grid of a sheet: how many points the stability bound allows, and where each one lies in memory.
//!
//! With cells of hx by hy, the largest eigenvalue of the five-point Laplacian stays below `B = 4/hx² + 4/hy²`. The energy
//! (objects/mod.rs) is a positive form if every mode keeps `σ1kβ² + k²(c²β² + κ²β⁴)/4 ≤ 1`, so the grid must satisfy
//!
//! ```text
//! B ≤ (8/k²) / (p + √(p² + 16κ²/k²)),   p = c² + 4σ1/k
//! ```
//!
//! or, for square cells of side h, `h² ≥ c²k² + 4σ1k + √((c²k² + 4σ1k)² + 16κ²k²)`: PHYSICS section 5's
//! `h ≥ 2√(k(σ1 + √(κ² + σ1²)))` for a plate and `h² ≥ 2c²k² + 8σ1k` for a membrane. The sides need not be multiples of one h:
//! `N = ⌊L/1.005h⌋` segments along each gives hx = Lx/Nx > h and hy = Ly/Ny > h, so the bound holds with a margin ([`GRID_MARGIN`]) and both
//! sides come out exact. A grid that is asked for may go up to the bound.
//!
//! Clamped edges keep the same bound: reflect the shape evenly in all four edges; on that torus the Laplacian's norm is at
//! most B, and the squared Laplacian of the reflected shape counts interior points fully and edge points by half, which is the
//! clamped form.

use super::super::{GRID_MARGIN, ObjectError};

/// Least segments along a side: four nodes for the cubic interpolation, and no point that touches both edges.
const LEAST_SEGMENTS: usize = 4;

/// Cells per cache line; rows begin on one and strips of any vector width end within one.
pub(crate) const LINE: usize = 8;

/// Array index of node (0, 0), the corner of the fixed edge: node (1, 1), the first that moves, begins a line.
const CORNER: usize = LINE - 1;

/// The constants of the wave equation that the bound depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Medium {
    /// c² in m²/s²: tension over surface density.
    pub wave_speed_squared: f64,
    /// κ² in m⁴/s²: bending stiffness over surface density.
    pub stiffness_squared: f64,
    /// σ0 in 1/s.
    pub sigma0: f64,
    /// σ1 in m²/s.
    pub sigma1: f64,
}

impl Medium {
    /// The largest `B = 4/hx² + 4/hy²` that is stable at time step k.
    pub fn largest_laplacian(&self, k: f64) -> f64 {
        let p = self.wave_speed_squared + 4.0 * self.sigma1 / k;
        8.0 / (k * k) / (p + (p * p + 16.0 * self.stiffness_squared / (k * k)).sqrt())
    }
}

/// Rounding units of grace: the true largest eigenvalue is below B by a factor cos²(π/2N).
const GRACE: f64 = 1.0 + 1e-12;

/// `B = 4/hx² + 4/hy²` of cells with sides in m.
fn laplacian([x, y]: [f64; 2]) -> f64 {
    4.0 / (x * x) + 4.0 / (y * y)
}

/// Nodes and cells of a sheet, in the caller's x and y and in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    /// Segments along x and y.
    pub segments: [usize; 2],
    /// Sides of a cell in m along x and y.
    pub cell: [f64; 2],
    /// Whether y, not x, runs along the rows in memory.
    turned: bool,
    /// Array elements from one row to the next.
    pub stride: usize,
}

impl Grid {
    /// The finest grid on `sides` (m) that is stable at time step `k` with a margin, or the grid asked for if it is stable.
    pub fn new(
        sides: [f64; 2],
        medium: &Medium,
        k: f64,
        wanted: Option<[usize; 2]>,
        most_points: usize,
    ) -> Result<Self, ObjectError> {
        let bound = medium.largest_laplacian(k);
        let segments = match wanted {
            None => {
                let per_metre = (bound / 8.0).sqrt() * GRACE / GRID_MARGIN;
                [(sides[0] * per_metre).floor(), (sides[1] * per_metre).floor()]
            }
            Some(wanted) => wanted.map(|n| n as f64),
        };
        let moving = |n: [f64; 2]| (n[0] - 1.0).max(0.0) * (n[1] - 1.0).max(0.0);
        if wanted.is_some() {
            let used = laplacian([sides[0] / segments[0], sides[1] / segments[1]]);
            if used > bound * GRACE {
                let scale = (bound / used).sqrt();
                let most = moving(segments.map(|n| (n * scale).floor())) as usize;
                return Err(ObjectError::Unstable { points: moving(segments) as usize, most });
            }
        }
        let shorter = segments[0].min(segments[1]);
        if shorter.is_nan() || shorter < LEAST_SEGMENTS as f64 {
            // Counted along the shorter side, edges included: the whole grid may still have many.
            return Err(ObjectError::TooSmall { points: shorter as usize + 1, least: LEAST_SEGMENTS + 1 });
        }
        // No memory holds 2⁴⁰ points, whatever limit the caller sets.
        let limit = most_points.min(usize::try_from(1_u64 << 40).unwrap_or(usize::MAX));
        if moving(segments) > limit as f64 {
            return Err(ObjectError::TooLarge { points: moving(segments) as usize, limit });
        }
        let segments = segments.map(|n| n as usize);
        let cell = [sides[0] / segments[0] as f64, sides[1] / segments[1] as f64];
        // Rows run along the longer side. Down the longer side the kernel would have fewer strips to enter, which gains 6 % at
        // 60×40 points, but a long thin plate (134×17) falls out of the first cache: 1720 ns instead of 1430.
        let turned = segments[1] > segments[0];
        let along = segments[usize::from(turned)];
        // Whole lines of moving cells lie between lines of fixed ones; an odd number of lines spreads the rows over the cache
        // sets.
        let stride = LINE * (((along - 1).div_ceil(LINE) + 2) | 1);
        Ok(Self { segments, cell, turned, stride })
    }

    /// Whether the spacing is the margin above the bound, or more.
    pub fn keeps_margin(&self, medium: &Medium, k: f64) -> bool {
        laplacian(self.cell) * GRID_MARGIN * GRID_MARGIN <= medium.largest_laplacian(k) * GRACE
    }

    /// Segments along a row, and from the first row to the last.
    pub fn along_and_down(&self) -> [usize; 2] {
        self.in_memory_order(self.segments)
    }

    /// Turns a pair given as (x, y) into (along a row, down the rows).
    pub fn in_memory_order<T: Copy>(&self, [x, y]: [T; 2]) -> [T; 2] {
        if self.turned { [y, x] } else { [x, y] }
    }

    /// Array index of a node, counted from 0 on the fixed edge, along a row and down the rows.
    pub fn index(&self, along: usize, down: usize) -> usize {
        CORNER + down * self.stride + along
    }

    /// The node of an array index: along a row and down the rows.
    pub fn node(&self, index: usize) -> [usize; 2] {
        [(index - CORNER) % self.stride, (index - CORNER) / self.stride]
    }

    /// Points that move.
    #[cfg(test)]
    pub fn points(&self) -> usize {
        (self.segments[0] - 1) * (self.segments[1] - 1)
    }

    /// Array elements of a field, the fixed edge and the spare cells included.
    pub fn len(&self) -> usize {
        LINE + (self.along_and_down()[1] + 1) * self.stride
    }
}

/// One value per array element, the first on a cache line.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    memory: Vec<f64>,
    start: usize,
    len: usize,
}

impl Field {
    /// A field of zeros.
    pub fn zeros(len: usize) -> Self {
        let memory = vec![0.0; len + LINE];
        // `align_offset` may decline to answer; then the field is only slower.
        let start = memory.as_ptr().align_offset(LINE * size_of::<f64>()).min(LINE);
        Self { memory, start, len }
    }

    /// All elements.
    pub fn all(&self) -> &[f64] {
        &self.memory[self.start..self.start + self.len]
    }

    /// All elements, to change.
    pub fn all_mut(&mut self) -> &mut [f64] {
        &mut self.memory[self.start..self.start + self.len]
    }
}
