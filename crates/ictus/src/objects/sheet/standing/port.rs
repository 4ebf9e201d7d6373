//! Places on a sheet in its standing waves, and those that are heard or pushed in every sample.

use fearless_simd::{Simd, dispatch};

use super::super::super::lanes::{LANES, Lanes, load};
use super::super::super::{At, Support};
use super::kernel::{self, Push, Weights};
use super::{MOST_ALONG, MOST_DOWN, Standing};

/// A place between nodes: the first of four nodes along a row and of four rows, with the weights of the four each way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cross {
    pub first: [usize; 2],
    pub along: [f64; 4],
    pub down: [f64; 4],
}

impl Cross {
    pub(super) fn new([(along, along_weights), (down, down_weights)]: [(usize, [f64; 4]); 2]) -> Self {
        Self { first: [along, down], along: along_weights, down: down_weights }
    }

    /// Σ I I' over the nodes that two places share; the same either way round.
    pub(super) fn overlap(&self, other: &Self) -> f64 {
        let shared = |first: usize, weights: &[f64; 4], other: usize, other_weights: &[f64; 4]| -> f64 {
            let nodes = first.max(other)..(first + 4).min(other + 4);
            nodes.map(|node| weights[node - first] * other_weights[node - other]).sum()
        };
        shared(self.first[0], &self.along, other.first[0], &other.along)
            * shared(self.first[1], &self.down, other.first[1], &other.down)
    }
}

/// A place that is heard or pushed in every sample while it is followed.
#[derive(Clone, Debug)]
pub(super) struct Port {
    pub cross: Cross,
    /// Whether it is read in every step.
    pub followed: bool,
    /// Those of the place, if it is followed.
    pub weights: Weights,
    /// Displacement in m of the previous, the current and the next sample, if it is followed.
    pub displacements: [f64; 3],
    /// What the waves have yet to feel, in N.
    pub force: f64,
}

impl Standing {
    /// Adds a port at a place. Takes memory.
    pub(super) fn add_port(&mut self, cross: &Cross, followed: bool) -> Support {
        let weights = Weights {
            along: vec![Lanes::default(); self.waves.columns],
            down: vec![0.0; self.waves.persistence_down.len()],
        };
        let port = self.ports.len();
        self.ports.push(Port { cross: *cross, followed, weights, displacements: [0.0; 3], force: 0.0 });
        self.admittances = vec![0.0; (port + 1) * (port + 1)];
        (0..=port).for_each(|port| self.fill_admittances(port));
        self.weigh_port(port);
        Support::Port { port }
    }

    /// Moves a port to another place. What it pushed where it was stays there.
    pub(super) fn move_port(&mut self, index: usize, cross: &Cross) {
        let Some(port) = self.ports.get_mut(index) else { return };
        port.cross = *cross;
        let push = Push { weights: &port.weights, by: self.mobility * std::mem::take(&mut port.force) };
        if push.by != 0.0 {
            dispatch!(self.level, simd => kernel::complete(simd, &mut self.waves, push));
        }
        self.fill_admittances(index);
        self.weigh_port(index);
    }

    /// Follows a port from here on, or no longer: one that is not followed costs nothing, and looking at it costs a pass.
    pub(super) fn follow_port(&mut self, index: usize, follow: bool) {
        let Some(port) = self.ports.get_mut(index) else { return };
        if std::mem::replace(&mut port.followed, follow) != follow {
            self.weigh_port(index);
        }
    }

    /// Works out what a port reads where it is, if it is followed.
    fn weigh_port(&mut self, index: usize) {
        let port = &mut self.ports[index];
        if !port.followed {
            return;
        }
        let Cross { first, along, down } = port.cross;
        let lanes = port.weights.along.iter_mut().flat_map(|lanes| &mut lanes.0).take(self.along.count());
        self.along.weigh(first[0], &along, lanes);
        self.down.weigh(first[1], &down, port.weights.down.iter_mut());
        self.read_port(index);
    }

    /// Reads a port that is followed anew. Between steps.
    pub(super) fn read_port(&mut self, index: usize) {
        let Weights { along, down } = &self.ports[index].weights;
        let [previous, now] =
            [1, 0].map(|steps_before| dispatch!(self.level, simd => self.sum_at(simd, along, down, steps_before)));
        self.ports[index].displacements = [previous, now, now];
    }

    /// Works out what a port does to all others and they to it.
    fn fill_admittances(&mut self, index: usize) {
        let count = self.ports.len();
        for (other, port) in self.ports.iter().enumerate() {
            let admittance = self.mobility * self.ports[index].cross.overlap(&port.cross);
            self.admittances[index * count + other] = admittance;
            self.admittances[other * count + index] = admittance;
        }
    }

    /// Displacement in m of any place, followed or not.
    pub(super) fn read_cross(&self, cross: &Cross, at: At) -> f64 {
        let mut along = [Lanes::default(); MOST_ALONG.div_ceil(LANES)];
        let mut down = [0.0; MOST_DOWN];
        self.along.weigh(
            cross.first[0],
            &cross.along,
            along.iter_mut().flat_map(|lanes| &mut lanes.0).take(self.along.count()),
        );
        self.down.weigh(cross.first[1], &cross.down, down.iter_mut().take(self.down.count()));
        let steps_before = match at {
            At::Next => 0,
            At::Now => usize::from(self.stepped),
            At::Previous => 1 + usize::from(self.stepped),
        };
        dispatch!(self.level, simd => self.sum_at(simd, &along, &down, steps_before))
    }

    #[inline(always)]
    fn sum_at<S: Simd>(&self, simd: S, along: &[Lanes], down: &[f64], steps_before: usize) -> f64 {
        kernel::sum(
            simd,
            &self.waves,
            #[inline(always)]
            |row| down[row],
            #[inline(always)]
            |row, column, octet| {
                let u = load(simd, &octet.displacement);
                let d = load(simd, &octet.last_move);
                let value = match steps_before {
                    0 => u + self.push_on(simd, row, column),
                    1 => u - d,
                    _ => (u - d) - self.move_before(simd, row, column, octet),
                };
                load(simd, &along[column]) * value
            },
        )
    }

    pub(super) fn cross<'a>(&'a self, support: &'a Support) -> Option<&'a Cross> {
        match support {
            Support::Cross(cross) => Some(cross),
            Support::Port { port } => self.ports.get(*port).map(|port| &port.cross),
            _ => None,
        }
    }
}
