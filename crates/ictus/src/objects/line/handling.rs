//! What is done to a line from outside: plucks, bent pitch, contacts at every node, quietening.

use super::super::quiet;
use super::edges::FreeEnd;
use super::{End, Line, NODE_0, ObjectError, Rows, Stencil, checked};

/// Lowest ratio to the built pitch that a string can be bent to.
const LOWEST_BEND: f64 = 0.25;

impl Line {
    /// Number of segments between grid points.
    pub(crate) fn segments(&self) -> usize {
        self.grid.segments
    }

    /// Grid points that can move.
    pub(crate) fn moving_points(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.points()).filter(|node| !self.grid.is_fixed(*node))
    }

    /// Length in m that the grid point nearest to a position (a fraction of the length) stands for: an end half of the others.
    pub(crate) fn cell_at(&self, position: f64) -> f64 {
        let node = (position * self.grid.segments as f64).round() as usize;
        if node == 0 || node >= self.grid.segments { 0.5 * self.grid.spacing } else { self.grid.spacing }
    }

    /// Adds a raised cosine at rest: centre and half-width as fractions of the length, height in m.
    pub(crate) fn pluck(&mut self, centre: f64, half_width: f64, height: f64) {
        let (grid, points) = (self.grid, self.points());
        let rows = Rows::split(&mut self.memory[self.origin..], self.stride, self.current, self.stencil.has_bend());
        for node in 0..points {
            let distance = (node as f64 / grid.segments as f64 - centre) / half_width;
            if distance.abs() < 1.0 && !grid.is_fixed(node) {
                let raised = 0.5 * height * (1.0 + libm::cos(std::f64::consts::PI * distance));
                rows.now[NODE_0 + node] += raised;
                rows.previous[NODE_0 + node] += raised;
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
        for value in &mut self.memory[self.origin..] {
            *value = quiet(*value);
        }
    }

    /// Works out the bend of the previous sample anew.
    pub(super) fn refresh_bend(&mut self) {
        let (ends, last) = (self.grid.ends, NODE_0 + self.grid.segments);
        let rows = Rows::split(&mut self.memory[self.origin..], self.stride, self.current, self.stencil.has_bend());
        if rows.bend.is_empty() {
            return;
        }
        let u = &rows.previous[..];
        for node in NODE_0 + 1..last {
            rows.bend[node] = (u[node] - u[node - 1]) + (u[node] - u[node + 1]);
        }
        for (node, inner, end) in [(NODE_0, NODE_0 + 1, ends[0]), (last, last - 1, ends[1])] {
            rows.bend[node] = if end == End::Free { FreeEnd::bend(u[node], u[inner]) } else { 0.0 };
        }
    }
}
