//! The ends of a line, each with its own row of the matrices.
//!
//! Both matrices come from discrete potential energies, so they are symmetric and the energy is exact. In units of h,
//!
//! ```text
//! tension  ½ T/h  Σ (u_{i+1} - u_i)²                 over all N segments
//! bending  ½ EI/h³ Σ w_i C_i²,   C_i = u_{i+1} - 2u_i + u_{i-1}    over nodes; at the ends
//!   simply supported: u = 0, C = 0      clamped: u = 0, C_0 = 2u_1 with w = ½      free: C = 0, mass ρAh/2
//! ```
//!
//! Their derivatives are the usual rows: δxxxx next to a simply supported end (5, -4, 1), next to a clamped one (7, -4, 1), on
//! and next to a free one (2, -4, 2) and (-2, 5, -4, 1); δxx on a free one 2(u_1 - u_0). The row next to an end is thus that
//! of the interior with a value beyond the end: `-u_1`, `u_1`, `2u_0 - u_1`.
//!
//! **Stability.** Take the grid with both ends free and u even about them: its δxx has eigenvalues in [-4, 0] in the mass-weighted
//! norm, and its tension and bending energies are ⟨u, -δxx u⟩ and ⟨δxx u, δxx u⟩. Every end above gives those energies with terms
//! left out (C at a simply supported or free end) or with u_0 = 0. So no end raises an eigenvalue above 4 and 16: the bound of the
//! interior holds for all nine pairs. It is reached only by a line without stiffness, free at both ends, in (-1)^i: there the
//! spacing gets a margin ([`super::grid::FREE_MARGIN`]), or that shape could grow as (-1)^n n.

use super::grid::Grid;

/// How an end of a string or bar is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// It cannot move but can turn: a string on its nut.
    #[default]
    SimplySupported,
    /// It can neither move nor turn: a bar in a vice. Without stiffness the same as simply supported.
    Clamped,
    /// It moves and turns freely: the end of a xylophone bar.
    Free,
}

impl End {
    /// Displacement one spacing beyond the end that makes the interior's δxxxx right at the node next to the end.
    pub(super) fn beyond(self, end: f64, inner: f64) -> f64 {
        match self {
            Self::SimplySupported => -inner,
            Self::Clamped => inner,
            Self::Free => end + (end - inner),
        }
    }
}

/// The step of a node at a free end.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndRow {
    keep: f64,
    drag: f64,
    bend: f64,
    curvature: f64,
}

impl EndRow {
    pub(super) fn new(grid: &Grid) -> Self {
        let share = 1.0 / (1.0 + grid.loss);
        Self {
            keep: grid.keep,
            drag: grid.bend_loss * share,
            bend: (grid.tension + grid.bend_loss) * share,
            curvature: 2.0 * grid.stiffness * share,
        }
    }

    /// -δxx at a free end.
    pub(super) fn bend(end: f64, inner: f64) -> f64 {
        2.0 * (end - inner)
    }

    /// Steps an end: its index and those of its two neighbours, its step v and bend -δxx u⁻ as they were, then the rows.
    #[inline]
    pub(super) fn step(
        &self,
        [end, inner, second]: [usize; 3],
        (old_step, old_bend): (f64, f64),
        now: &[f64],
        next: &mut [f64],
        step: &mut [f64],
        bends: &mut [f64],
    ) {
        let bend = Self::bend(now[end], now[inner]);
        let curvature = (now[second] - now[inner]) - (now[inner] - now[end]);
        let kept = self.keep * old_step + self.drag * old_bend;
        let new_step = kept - (self.bend * bend + self.curvature * curvature);
        step[end] = new_step;
        next[end] = now[end] + new_step;
        if let Some(slot) = bends.get_mut(end) {
            *slot = bend;
        }
    }
}
