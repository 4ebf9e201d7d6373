//! Where the nodes of a line lie in memory: eight pieces side by side.
//!
//! ```text
//!         lane 0    lane 1    …         lane 7
//! row 0                                 node 0      the head
//! row 1   1         H + 1               7H + 1
//! row 2   2         H + 2
//! …
//! row H   H         2H                  8H
//! tail    H + 1 …                              two rows: rows 1 and 2 of the next lane, put there in every step
//! ```
//!
//! So a node and its neighbours lie in one lane of rows that follow each other: eight nodes are stepped at a time without exchanging
//! lanes, and every difference of neighbours is worked out once (strings of 100 and 226 points 49 and 84 ns instead of 62 and 123 with
//! nodes in a row, Ice Lake). All that a step needs of eight nodes lies side by side, and the next sample takes the place of the previous one: a
//! step touches four lines of memory for them (each of 1000 strings 62 ns; 70 with three samples in turn). Slots after the last node stay at 0.

use super::super::lanes::{LANES, Lanes};

/// Rows beside those of the pieces: head and tail.
const BESIDE: usize = 3;

/// Eight nodes, one of each piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    /// Displacements u in m: now, and the next in place of the previous.
    pub samples: [Lanes; 2],
    /// The last step v = u - u⁻ in m.
    pub step: Lanes,
    /// The bend -δxx u⁻ in m, asked for only with σ1.
    pub bend: Lanes,
}

/// Where a node lies: lane `slot % LANES` of row `slot / LANES`, the head being row 0.
pub(super) type Slot = usize;

/// Row and lane of a slot.
#[inline(always)]
pub(super) fn row_and_lane(slot: Slot) -> (usize, usize) {
    (slot / LANES, slot % LANES)
}

/// The layout of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pieces {
    /// H, nodes of a piece; at least 2, so that the tail is whole.
    pub height: usize,
    /// N, the last node.
    pub last: usize,
}

impl Pieces {
    /// For the nodes 0 to `last`.
    pub(super) fn new(last: usize) -> Self {
        Self { height: last.div_ceil(LANES).max(2), last }
    }

    /// Rows in memory.
    pub(super) fn rows(&self) -> usize {
        self.height + BESIDE
    }

    /// Where a node of the line lies.
    pub(super) fn slot(&self, node: usize) -> Slot {
        debug_assert!(node <= self.last);
        match node.checked_sub(1) {
            None => LANES - 1,
            Some(index) => LANES * (index % self.height + 1) + index / self.height,
        }
    }

    /// The slots of the nodes 0 to N, in order.
    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> + use<> {
        let (height, last) = (self.height, self.last);
        let behind = (0..LANES).flat_map(move |lane| (1..=height).map(move |row| LANES * row + lane));
        std::iter::once(LANES - 1).chain(behind).take(last + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_has_a_slot_of_its_own_in_order() {
        for last in 3..200 {
            let pieces = Pieces::new(last);
            let mut taken = vec![false; LANES * (pieces.height + 1)];
            for node in 0..=last {
                assert!(!std::mem::replace(&mut taken[pieces.slot(node)], true), "{last}: node {node}");
            }
            assert!(pieces.slots().eq((0..=last).map(|node| pieces.slot(node))), "{last}");
        }
    }

    #[test]
    fn neighbours_are_in_rows_that_follow_each_other() {
        let pieces = Pieces::new(101);
        for node in 1..101 {
            let [(row, lane), (next, beside)] = [node, node + 1].map(|node| row_and_lane(pieces.slot(node)));
            assert!((next, beside) == (row + 1, lane) || (row, next, beside) == (pieces.height, 1, lane + 1));
        }
    }
}
