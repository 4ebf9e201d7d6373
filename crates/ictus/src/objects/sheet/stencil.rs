//! The coefficients of one step of a sheet.
//!
//! With `a = σ0k`, `b = (1-a)/(1+a)` and `g = 1/(1+a) = (1+b)/2`, the three-point form is, in undivided differences,
//!
//! ```text
//! u⁺ = u + b(u - u⁻) - (xx δxxxx + 2 xy δxxyy + yy δyyyy) u + (x δxx + y δyy) u + (sx δxx + sy δyy)(u - u⁻)
//! xx = gκ²k²/hx⁴,  xy = gκ²k²/hx²hy²,  yy = gκ²k²/hy⁴,  x = gc²k²/hx²,  y = gc²k²/hy²,  sx = 2gσ1k/hx²,  sy = 2gσ1k/hy²
//! ```
//!
//! Beyond the fixed edge (u = 0) a simply supported plate continues oddly and a clamped one evenly: one more or one less `xx` on
//! the centre coefficient of the points next to the edge. The Laplacian of the loss sees u = 0 on the edge in both.
//!
//! All constants are rounded to multiples of 2⁻⁵⁰. Every sum of them below is then exact, so the stencil applied to a constant or
//! a slope gives exactly 0; otherwise the rounding of the centre coefficient would act as a spring of stiffness 1e-16/k² to
//! ground, which is 1e-11 of the stiffness of a mode at 20 Hz and shows in the energy balance. Energies use the same
//! rounded constants. The price is a tuning error of 1e-14.

use super::grid::{Grid, LINE, Medium};

/// What lies beyond the fixed edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Odd continuation: no bending moment at the edge.
    Odd,
    /// Even continuation: no slope at the edge.
    Even,
}

/// The constants above: x along a row, y down the rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constants {
    pub b: f64,
    pub xx: f64,
    pub xy: f64,
    pub yy: f64,
    pub x: f64,
    pub y: f64,
    pub sx: f64,
    pub sy: f64,
    /// +1 for an odd continuation, -1 for an even one.
    pub oddness: f64,
}

impl Constants {
    pub fn new(medium: &Medium, grid: &Grid, beyond: Beyond, k: f64) -> Self {
        let [hx, hy] = grid.in_memory_order(grid.cell);
        let a = medium.sigma0 * k;
        let b = round((1.0 - a) / (1.0 + a));
        let g = 0.5 * (1.0 + b);
        let stiffness = g * medium.stiffness_squared * k * k;
        let tension = g * medium.wave_speed_squared * k * k;
        let loss = 2.0 * g * medium.sigma1 * k;
        let (x2, y2) = (hx * hx, hy * hy);
        Self {
            b,
            xx: round(stiffness / (x2 * x2)),
            xy: round(stiffness / (x2 * y2)),
            yy: round(stiffness / (y2 * y2)),
            x: round(tension / x2),
            y: round(tension / y2),
            sx: round(loss / x2),
            sy: round(loss / y2),
            oddness: match beyond {
                Beyond::Odd => 1.0,
                Beyond::Even => -1.0,
            },
        }
    }

    /// g = 1/(1 + σ0k).
    pub fn g(&self) -> f64 {
        0.5 * (1.0 + self.b)
    }

    /// a = σ0k.
    pub fn a(&self) -> f64 {
        (1.0 - self.b) / (1.0 + self.b)
    }
}

/// Rounds to a multiple of 2⁻⁵⁰.
pub(crate) fn round(value: f64) -> f64 {
    const QUANTUM: f64 = 1.0 / (1u64 << 50) as f64;
    (value / QUANTUM).round() * QUANTUM
}

/// The coefficients of the columns of one cache line, so that the edges need no branch: next to an edge the centre differs, and in
/// the spare cells that fill the last line all are 0, which keeps them at 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Columns {
    /// Of u: the point itself.
    pub centre: [f64; LINE],
    /// Of u: left and right neighbours, and those one further.
    pub beside: [f64; LINE],
    pub far_beside: [f64; LINE],
    /// Of u: neighbours in the rows above and below, their neighbours beside, and those two rows away.
    pub above: [f64; LINE],
    pub diagonal: [f64; LINE],
    pub far_above: [f64; LINE],
    /// Of u in the first and last row: what the row beyond the edge adds.
    pub beyond: [f64; LINE],
    /// Of u⁻: the point itself, its neighbours beside, and above and below.
    pub previous: [f64; LINE],
    pub previous_beside: [f64; LINE],
    pub previous_above: [f64; LINE],
}

/// No loss: u⁻ enters as itself, without a coefficient.
pub(crate) const LOSSLESS: u8 = 0;
/// σ0 alone: u⁻ enters with a coefficient.
pub(crate) const UNIFORM: u8 = 1;
/// σ1: u⁻ enters through its neighbours too.
pub(crate) const VISCOUS: u8 = 2;

/// The coefficients of a whole sheet.
#[derive(Clone, Debug)]
pub(crate) struct Stencil {
    /// Line by line.
    pub lines: Vec<Columns>,
    /// Columns that move.
    pub columns: usize,
    /// How u⁻ enters: [`LOSSLESS`], [`UNIFORM`] or [`VISCOUS`].
    pub loss: u8,
    /// Whether u enters through its second neighbours (κ > 0).
    pub bends: bool,
}

impl Stencil {
    pub fn new(constants: &Constants, grid: &Grid) -> Self {
        let Constants { b, xx, xy, yy, x, y, sx, sy, oddness } = *constants;
        let columns = grid.along_and_down()[0] - 1;
        let mut lines = vec![Columns::default(); columns.div_ceil(LINE)];
        for column in 0..columns {
            let (line, at) = (&mut lines[column / LINE], column % LINE);
            line.centre[at] = 1.0 + b - (6.0 * xx + 8.0 * xy + 6.0 * yy) - 2.0 * (x + y) - 2.0 * (sx + sy);
            if column == 0 || column + 1 == columns {
                line.centre[at] += oddness * xx;
            }
            line.beside[at] = 4.0 * (xx + xy) + x + sx;
            line.far_beside[at] = -xx;
            line.above[at] = 4.0 * (yy + xy) + y + sy;
            line.diagonal[at] = -2.0 * xy;
            line.far_above[at] = -yy;
            line.beyond[at] = oddness * yy;
            line.previous[at] = 2.0 * (sx + sy) - b;
            line.previous_beside[at] = -sx;
            line.previous_above[at] = -sy;
        }
        let loss = match (b == 1.0, sx == 0.0 && sy == 0.0) {
            (true, true) => LOSSLESS,
            (false, true) => UNIFORM,
            (_, false) => VISCOUS,
        };
        Self { lines, columns, loss, bends: xx != 0.0 || xy != 0.0 || yy != 0.0 }
    }
}
