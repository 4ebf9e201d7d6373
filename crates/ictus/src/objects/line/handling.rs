//! What is done to a line from outside: plucks, bent pitch, contacts at every node, quietening.

use super::super::lanes::Lanes;
use super::super::quiet;
use super::edges::FreeEnd;
use super::pieces::{Row, row_and_lane};
use super::{At, End, Line, ObjectError, Stencil, checked};

/// Lowest ratio to the built pitch that a string can be bent to.
const LOWEST_BEND: f64 = 0.25;

impl Line {
    /// Number of segments between grid points.
    pub(crate) fn segments(&self) -> usize {
        self.grid.segments
    }

    /// Length in m that the grid point nearest to a position (a fraction of the length) stands for: an end half of the others.
    pub(crate) fn cell_at(&self, position: f64) -> f64 {
        let node = (position * self.grid.segments as f64).round() as usize;
        if node == 0 || node >= self.grid.segments { 0.5 * self.grid.spacing } else { self.grid.spacing }
    }

    /// Adds a raised cosine at rest: centre and half-width as fractions of the length, height in m.
    pub(crate) fn pluck(&mut self, centre: f64, half_width: f64, height: f64) {
        let (grid, points) = (self.grid, self.points());
        for node in 0..points {
            let distance = (node as f64 / grid.segments as f64 - centre) / half_width;
            if distance.abs() < 1.0 && !grid.is_fixed(node) {
                let raised = 0.5 * height * (1.0 + libm::cos(std::f64::consts::PI * distance));
                let (row, lane) = row_and_lane(self.pieces.slot(node));
                for sample in &mut self.rows[row].samples {
                    sample.0[lane] += raised;
                }
            }
        }
        self.refresh_bend();
    }

    /// Changes the tension of a string so that its lowest mode rings at a ratio to the frequency it was built with; `None` if it is no
    /// string. The shape and the velocity stay, so the stored energy changes: the work of whoever turns the peg.
    pub(crate) fn bend(&mut self, ratio: f64) -> Option<Result<(), ObjectError>> {
        let pitch = self.pitch?;
        let allowed = "from 0.25 to the largest the string was built for";
        let in_range = checked("bend", ratio, allowed, |ratio| (LOWEST_BEND..=pitch.largest).contains(&ratio));
        let tension = in_range.and_then(|ratio| {
            let tension = pitch.tension_at(ratio);
            checked("bend", ratio, "above what stiffness alone gives", |_| tension > 0.0)?;
            Ok(tension)
        });
        Some(tension.map(|tension| {
            self.grid.tension = tension;
            self.stencil = Stencil::new(&self.grid);
            self.free_end = FreeEnd::new(&self.grid);
        }))
    }

    /// Sets what is below notice to 0.
    pub(super) fn quieten_nodes(&mut self) {
        let quieten = |lanes: &mut Lanes| lanes.0.iter_mut().for_each(|value| *value = quiet(*value));
        for Row { samples: [first, second], step, bend } in &mut self.rows {
            [first, second, step, bend].into_iter().for_each(quieten);
        }
        self.previous.iter_mut().for_each(quieten);
    }

    /// Works out the bend of the previous sample anew.
    pub(super) fn refresh_bend(&mut self) {
        let (ends, last, pieces) = (self.grid.ends, self.grid.segments, self.pieces);
        for node in 0..=last {
            let u = |node: usize| self.displacement(pieces.slot(node), At::Previous);
            let end = |end: End, inner: usize| if end == End::Free { FreeEnd::bend(u(node), u(inner)) } else { 0.0 };
            let bend = match node {
                0 => end(ends[0], 1),
                _ if node == last => end(ends[1], last - 1),
                _ => (u(node) - u(node - 1)) + (u(node) - u(node + 1)),
            };
            let (row, lane) = row_and_lane(pieces.slot(node));
            self.rows[row].bend.0[lane] = bend;
        }
    }
}
