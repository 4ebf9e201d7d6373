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
//! Their derivatives are the usual rows: δxxxx next to a simply supported end (5, -4, 1), next to a clamped one (7, -4,
//! 1), on and next to a free one (2, -4, 2) and (-2, 5, -4, 1); δxx on a free one 2(u_1 - u_0). The row next to an end
//! is thus that of the interior with a value beyond the end: `-u_1`, `u_1`, `2u_0 - u_1`.
//!
//! **Stability.** Take the grid with both ends free and u even about them: its δxx has eigenvalues in [-4, 0] in the
//! mass-weighted norm, and its tension and bending energies are ⟨u, -δxx u⟩ and ⟨δxx u, δxx u⟩. Every end above gives
//! those energies with terms left out (C at a simply supported or free end) or with u_0 = 0. So no end raises an
//! eigenvalue above 4 and 16: the bound of the interior holds for all nine pairs. It is reached only by a line without
//! stiffness, free at both ends, in (-1)^i: there the spacing gets a margin ([`super::grid::FREE_MARGIN`]), or that
//! shape could grow as (-1)^n n.

use super::grid::Grid;
use super::pieces::{Row, Slot, row_and_lane};

/// How an end of a string or bar is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Whether a line that is stiff can move or turn between such ends.
    pub(in crate::objects) fn let_turn(ends: [End; 2]) -> bool {
        matches!(ends, [End::Free, End::Free] | [End::Free, End::SimplySupported] | [End::SimplySupported, End::Free])
    }

    /// Displacement one spacing beyond a held end, over that of the node next to the end, that makes the interior's δxxxx right there.
    pub(super) fn beyond(self) -> f64 {
        match self {
            Self::SimplySupported => -1.0,
            Self::Clamped => 1.0,
            // See `FreeEnd`.
            Self::Free => 0.0,
        }
    }
}

/// The step of a free end and the node next to it.
///
/// With stiffness the node next to the end has a row of the interior's form, but a value beyond the end would be
/// rounded at the size of u: the two are stepped here, from differences alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeEnd {
    keep: f64,
    drag: f64,
    end_bend: f64,
    end_curvature: f64,
    near: f64,
    far: f64,
    /// Where the four nodes at either end lie, the ends first.
    slots: [[Slot; 4]; 2],
}

/// A node's new step v⁺ and its bend -δxx u.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    step: f64,
    bend: f64,
}

impl FreeEnd {
    pub(super) fn new(grid: &Grid) -> Self {
        let share = 1.0 / (1.0 + grid.loss);
        let (tension, far, drag) = (grid.tension * share, grid.stiffness * share, grid.bend_loss * share);
        let (pieces, last) = (grid.pieces(), grid.segments);
        Self {
            keep: grid.keep,
            drag,
            end_bend: tension + drag,
            end_curvature: 2.0 * far,
            near: tension + 4.0 * far + drag,
            far,
            slots: [[0, 1, 2, 3], [last, last - 1, last - 2, last - 3]]
                .map(|nodes| nodes.map(|node| pieces.slot(node))),
        }
    }

    /// -δxx at a free end.
    pub(super) fn bend(end: f64, inner: f64) -> f64 {
        2.0 * (end - inner)
    }

    /// New steps v⁺ and bends -δxx u of both ends and of the nodes next to them, from rows that still hold v and -δxx u⁻.
    #[inline(never)]
    pub(super) fn step(&self, rows: &[Row], now: usize) -> [[Node; 2]; 2] {
        self.slots.map(|slots| self.step_one(slots, rows, now))
    }

    /// Those of one end: four nodes, the end first.
    fn step_one(&self, slots: [Slot; 4], rows: &[Row], now: usize) -> [Node; 2] {
        let [end, inner, second, third] = slots.map(|slot| {
            let (row, lane) = row_and_lane(slot);
            rows[row].samples[now & 1].0[lane]
        });
        let kept = [slots[0], slots[1]].map(|slot| {
            let (row, lane) = row_and_lane(slot);
            self.keep * rows[row].step.0[lane] + self.drag * rows[row].bend.0[lane]
        });
        let (slope, next_slope) = (inner - end, second - inner);
        let end_bend = Self::bend(end, inner);
        let end_pull = self.end_bend * end_bend + self.end_curvature * (next_slope - slope);
        let inner_bend = slope - next_slope;
        let inner_pull = self.near * inner_bend - self.far * (2.0 * slope + (inner - third));
        [Node { step: kept[0] - end_pull, bend: end_bend }, Node { step: kept[1] - inner_pull, bend: inner_bend }]
    }

    /// Puts them in their place at the ends that are free.
    #[inline(never)]
    pub(super) fn write(&self, ends: [End; 2], stepped: [[Node; 2]; 2], rows: &mut [Row], now: usize) {
        for ((slots, end), stepped) in self.slots.into_iter().zip(ends).zip(stepped) {
            if end != End::Free {
                continue;
            }
            for (slot, stepped) in slots.into_iter().zip(stepped) {
                let (row, lane) = row_and_lane(slot);
                let row = &mut rows[row];
                row.samples[(now & 1) ^ 1].0[lane] = row.samples[now & 1].0[lane] + stepped.step;
                row.step.0[lane] = stepped.step;
                row.bend.0[lane] = stepped.bend;
            }
        }
    }
}
