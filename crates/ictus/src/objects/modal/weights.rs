//! The weights w√B of the points of a modal object, as a pass over the modes wants them.
//!
//! [`WIDTH`] eights of modes of one point lie beside those of the next point: what the points have pushed is gathered for these modes, the modes are
//! stepped and read at all points before the next modes come. So every weight is fetched once a sample; on a board with thirty points they are
//! most of what a sample reads.

use super::super::lanes::{LANES, Lanes};
use super::octet_and_lane;

/// Eights of modes that are stepped before they are read.
pub(super) const WIDTH: usize = 4;

/// Weights where there is no point.
static NOTHING: Lanes = Lanes([0.0; LANES]);

/// The weights of all points.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    lanes: Vec<[Lanes; WIDTH]>,
    /// Points there is room for.
    room: usize,
}

/// The weights of one point, by eights of modes.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    lanes: &'a [[Lanes; WIDTH]],
    stride: usize,
}

impl Weights {
    /// Makes room for so many points of so many eights of modes.
    pub(super) fn widen(&mut self, room: usize, octets: usize) {
        let mut wider = vec![[Lanes::default(); WIDTH]; room * octets.div_ceil(WIDTH)];
        if self.room > 0 {
            for (new, old) in wider.chunks_exact_mut(room).zip(self.lanes.chunks_exact(self.room)) {
                new[..self.room].copy_from_slice(old);
            }
        }
        (self.lanes, self.room) = (wider, room);
    }

    /// Of some eights of modes, the weights of all points, by their numbers.
    #[inline(always)]
    pub(super) fn block(&self, index: usize) -> &[[Lanes; WIDTH]] {
        &self.lanes[index * self.room..][..self.room]
    }

    pub(super) fn row(&self, point: usize) -> Row<'_> {
        Row { lanes: self.lanes.get(point..).unwrap_or(&[]), stride: self.room }
    }

    /// The weight of a mode at a point.
    pub(super) fn at(&self, point: usize, mode: usize) -> f64 {
        let (octet, lane) = octet_and_lane(mode);
        self.row(point).octet(octet).0[lane]
    }

    pub(super) fn at_mut(&mut self, point: usize, mode: usize) -> &mut f64 {
        let (octet, lane) = octet_and_lane(mode);
        &mut self.lanes[octet / WIDTH * self.room + point][octet % WIDTH].0[lane]
    }

    /// Divides those of a mode at all points.
    pub(super) fn divide(&mut self, mode: usize, by: f64) {
        (0..self.room).for_each(|point| *self.at_mut(point, mode) /= by);
    }
}

impl<'a> Row<'a> {
    /// A row that stands alone.
    pub(super) fn alone(lanes: &'a [[Lanes; WIDTH]]) -> Self {
        Self { lanes, stride: 1 }
    }

    /// The weights of eight modes.
    #[inline(always)]
    pub(super) fn octet(&self, index: usize) -> &'a Lanes {
        self.lanes.get(index / WIDTH * self.stride).map_or(&NOTHING, |lanes| &lanes[index % WIDTH])
    }
}
