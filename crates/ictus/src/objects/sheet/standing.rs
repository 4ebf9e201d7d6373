//! A sheet in its standing waves: the scheme of the grid, to rounding, for about half the time.
//!
//! Where the edges let it, the waves `φ_mn = √(2/Nx) sin(mπi/Nx) √(2/Ny) sin(nπj/Ny)` are the modes of the *grid*: with u = Σ q φ the
//! step of stencil.rs falls apart into one oscillator per wave, with δxx = -X_m and δyy = -Y_n,
//!
//! ```text
//! d⁺ = r d - c q + B φᵀI f,    q⁺ = q + d⁺,    r = b - sx X - sy Y,    c = xx X² + 2 xy XY + yy Y² + x X + y Y
//! ```
//!
//! as many waves as points, none left out. Frequencies, dispersion, losses, energies (poles.rs) and what a force at a place does are
//! those of the grid; five operations for a wave take the place of up to 26 for a point. What it costs instead is two operations per wave
//! for every place that is heard and three for every place that is pushed: such places are *ports*, whose displacement each pass adds up
//! while they are followed. A push corrects what all ports read through the admittances between them and reaches the waves in the next pass.
//!
//! Not for clamped plates (their modes are no products), nor where many things touch, nor where losses all but stop a wave in one step:
//! the account of energy finds the move before the last from the last by dividing by r. The files below it: `kernel` the pass over all waves,
//! `port` places, `sines` the waves along a side, `shape` from nodes to waves and back, `account` the energy.

use fearless_simd::{Level, Simd, dispatch};

use super::super::lanes::{LANES, Lanes, load};
use super::super::{At, Body, ObjectError, Place, Support, quiet};
use super::grid::Grid;
use super::stencil::{Constants, round};
use super::{Sheet, no_such_place, patch};

mod account;
mod kernel;
mod port;
mod shape;
mod sines;

use kernel::{MOST_PUSHES, MOST_READS, Octet, Push, Waves, Weights};
pub(crate) use port::Cross;
use port::Port;
use sines::Sines;

/// Most waves along a row and rows.
const MOST_ALONG: usize = 256;
const MOST_DOWN: usize = 128;

/// Most places on plates and on membranes that may be heard or pushed before the grid is the faster way: with all of them pushed but two,
/// 31×21 segments of a plate take 540 instead of 610 ns with four and 740 instead of 690 with five, 135×18 take 1310 instead of 1800 and 1810 instead
/// of 1890 (Ice Lake, AVX-512, the contacts included); of a membrane 390 instead of 430 with three and 560 instead of 520 with four.
const MOST_PORTS: usize = 5;
const MOST_MEMBRANE_PORTS: usize = 3;

/// Least r of all waves.
const LEAST_PERSISTENCE: f64 = 0.5;

/// A membrane or plate that moves, in its standing waves.
#[derive(Debug)]
pub(crate) struct Standing {
    kind: &'static str,
    grid: Grid,
    /// B, displacement over one step per newton on one node, in m/N.
    mobility: f64,
    along: Sines,
    down: Sines,
    waves: Waves,
    /// 1/r of every wave, for the account of energy; empty if nothing is lost.
    inverse_persistence: Vec<Lanes>,
    /// For drawing.
    sines_at_rows: Vec<Vec<Lanes>>,
    ports: Vec<Port>,
    /// B times the overlap of the places of two ports, in m/N, row by row.
    admittances: Vec<f64>,
    /// Whether the latest sample is still the next one.
    stepped: bool,
    /// Displacements and moves at the start, if it does not start flat and at rest.
    initial: Option<Vec<[Lanes; 2]>>,
    /// The level of the last step; the account uses it too.
    level: Level,
}

impl Standing {
    /// Whether a sheet can be, and with so many ports followed had better be, stepped in its standing waves.
    pub fn suits(sheet: &Sheet, ports: usize) -> bool {
        let [along, down] = sheet.grid.along_and_down();
        let Constants { b, sx, sy, oddness, .. } = sheet.constants;
        let sines = oddness > 0.0 || !sheet.stencil.bends;
        let lasting = b - 4.0 * (sx + sy) >= LEAST_PERSISTENCE;
        let most_ports = if sheet.stencil.bends { MOST_PORTS } else { MOST_MEMBRANE_PORTS };
        sines && lasting && ports <= most_ports && along - 1 <= MOST_ALONG && down - 1 <= MOST_DOWN
    }

    /// A sheet that [`suits`](Self::suits), from where it is.
    pub fn of(sheet: &Sheet) -> Self {
        let Sheet { kind, grid, constants, mobility, .. } = sheet;
        let [along, down] = grid.along_and_down().map(Sines::new);
        let Constants { b, xx, xy, yy, x, y, sx, sy, .. } = *constants;
        let columns = along.count().div_ceil(LANES);
        // Rounded like all constants of the stencil, so that their sums are exact.
        let mut persistence_along = vec![Lanes([b; LANES]); columns];
        for wave in 0..along.count() {
            persistence_along[wave / LANES].0[wave % LANES] = b - round(sx * along.eigenvalue(wave + 1));
        }
        let persistence_down: Vec<f64> = (1..=down.count()).map(|wave| -round(sy * down.eigenvalue(wave))).collect();
        let mut octets = vec![Octet::default(); columns * down.count()];
        for (row, octets) in octets.chunks_exact_mut(columns).enumerate() {
            let vertical = down.eigenvalue(row + 1);
            for wave in 0..along.count() {
                let horizontal = along.eigenvalue(wave + 1);
                let bending =
                    xx * horizontal * horizontal + 2.0 * xy * (horizontal * vertical) + yy * vertical * vertical;
                octets[wave / LANES].restoring.0[wave % LANES] = bending + (x * horizontal + y * vertical);
            }
        }
        let lossy = b != 1.0 || sx != 0.0 || sy != 0.0;
        let inverse = |index: usize| {
            let (row, column) = (index / columns, index % columns);
            Lanes(persistence_along[column].0.map(|along| 1.0 / (along + persistence_down[row])))
        };
        let inverse_persistence = if lossy { (0..octets.len()).map(inverse).collect() } else { Vec::new() };
        let sines_at_rows = shape::sines_at_rows(&down);
        let mut standing = Self {
            kind,
            grid: *grid,
            mobility: *mobility,
            along,
            down,
            waves: Waves { octets, columns, persistence_along, persistence_down },
            inverse_persistence,
            sines_at_rows,
            ports: Vec::new(),
            admittances: Vec::new(),
            stepped: false,
            initial: None,
            level: Level::baseline(),
        };
        standing.start_from(sheet);
        standing
    }

    /// The free step by a level that is known at run time: compiled once for each, and not once more for each turn.
    fn step_at(&mut self, level: Level) {
        self.level = level;
        self.stepped = true;
        dispatch!(level, simd => self.pass(simd));
    }

    /// The free step of all waves, and its sums at all followed ports.
    #[inline(always)]
    fn pass<S: Simd>(&mut self, simd: S) {
        let Self { waves, ports, mobility, .. } = self;
        // What cannot go along with the pass goes before it and after it.
        let mut pushed = [0; MOST_PUSHES];
        let mut pushes = 0;
        for (index, port) in ports.iter().enumerate().filter(|(_, port)| port.force != 0.0) {
            if pushes < MOST_PUSHES {
                pushed[pushes] = index;
                pushes += 1;
            } else {
                kernel::complete(simd, waves, Push { weights: &port.weights, by: *mobility * port.force });
            }
        }
        let mut read = [0; MOST_READS];
        let mut reads = 0;
        for (index, _) in ports.iter().enumerate().filter(|(_, port)| port.followed).take(MOST_READS) {
            read[reads] = index;
            reads += 1;
        }
        let push = |index: usize| port_push(ports, pushed[index], *mobility);
        let read = &read[..reads];
        let sums = match pushes {
            0 => read_in_step(simd, waves, [], ports, read),
            1 => read_in_step(simd, waves, [push(0)], ports, read),
            2 => read_in_step(simd, waves, [push(0), push(1)], ports, read),
            _ => read_in_step(simd, waves, [push(0), push(1), push(2)], ports, read),
        };
        for (index, sum) in read.iter().zip(sums) {
            ports[*index].displacements[2] = sum;
        }
        for port in ports.iter_mut().filter(|port| port.followed).skip(MOST_READS) {
            let Weights { along, down } = &port.weights;
            port.displacements[2] = kernel::sum(
                simd,
                waves,
                #[inline(always)]
                |row| down[row],
                #[inline(always)]
                |_, column, octet| load(simd, &along[column]) * load(simd, &octet.displacement),
            );
        }
        ports.iter_mut().for_each(|port| port.force = 0.0);
    }
}

/// What a port pushes.
#[inline(always)]
fn port_push(ports: &[Port], port: usize, mobility: f64) -> Push<'_> {
    Push { weights: &ports[port].weights, by: mobility * ports[port].force }
}

/// A step that takes some reads along.
#[inline(always)]
fn read_in_step<S: Simd, const PUSHES: usize>(
    simd: S,
    waves: &mut Waves,
    pushes: [Push<'_>; PUSHES],
    ports: &[Port],
    read: &[usize],
) -> [f64; MOST_READS] {
    let mut sums = [0.0; MOST_READS];
    let at = |port: usize| &ports[port].weights;
    match *read {
        [] => {
            kernel::step(simd, waves, pushes, []);
        }
        [a] => [sums[0]] = kernel::step(simd, waves, pushes, [at(a)]),
        [a, b] => [sums[0], sums[1]] = kernel::step(simd, waves, pushes, [at(a), at(b)]),
        [a, b, c] => [sums[0], sums[1], sums[2]] = kernel::step(simd, waves, pushes, [at(a), at(b), at(c)]),
        [a, b, c, d, ..] => sums = kernel::step(simd, waves, pushes, [at(a), at(b), at(c), at(d)]),
    }
    sums
}

impl Body for Standing {
    fn free_step<S: Simd>(&mut self, simd: S) {
        self.step_at(simd.level());
    }

    #[inline]
    fn read(&self, support: &Support, at: At) -> f64 {
        match support {
            Support::Port { port } => match self.ports.get(*port) {
                Some(port) if port.followed => port.displacements[at as usize],
                Some(port) => self.read_cross(&port.cross, at),
                None => 0.0,
            },
            Support::Cross(cross) => self.read_cross(cross, at),
            _ => 0.0,
        }
    }

    #[inline]
    fn push(&mut self, support: &Support, force: f64) {
        let Support::Port { port: pushed } = *support else { return };
        let count = self.ports.len();
        let row = self.admittances.iter().skip(pushed * count);
        for (port, admittance) in self.ports.iter_mut().zip(row) {
            port.displacements[2] += admittance * force;
        }
        if let Some(port) = self.ports.get_mut(pushed) {
            port.force += force;
        }
    }

    fn admittance(&self, here: &Support, there: &Support) -> f64 {
        match (self.cross(here), self.cross(there)) {
            (Some(here), Some(there)) => self.mobility * here.overlap(there),
            _ => 0.0,
        }
    }

    fn dissipated_in_step(&self) -> f64 {
        if self.inverse_persistence.is_empty() {
            return 0.0;
        }
        dispatch!(self.level, simd => self.dissipated(simd)) / (4.0 * self.mobility)
    }

    #[inline]
    fn advance(&mut self) {
        self.stepped = false;
        for port in &mut self.ports {
            let [_, now, next] = port.displacements;
            port.displacements = [now, next, next];
        }
    }

    fn stored_energy(&self) -> f64 {
        dispatch!(self.level, simd => self.stored(simd)) / (8.0 * self.mobility)
    }

    fn support(&self, place: Place) -> Result<Support, ObjectError> {
        let factors = patch::factors_at(&self.grid, place).ok_or_else(|| no_such_place(self.kind, place))?;
        Ok(Support::Cross(Cross::new(factors)))
    }

    fn attach(&mut self, support: &Support, followed: bool) -> Support {
        match support {
            Support::Cross(cross) => self.add_port(cross, followed),
            attached => *attached,
        }
    }

    fn follow(&mut self, support: &Support, follow: bool) {
        if let Support::Port { port } = *support {
            self.follow_port(port, follow);
        }
    }

    fn move_point(&mut self, support: &Support, place: Place) -> Result<Support, ObjectError> {
        match (*support, self.support(place)?) {
            (Support::Port { port }, Support::Cross(cross)) => {
                self.move_port(port, &cross);
                Ok(*support)
            }
            (_, there) => Ok(there),
        }
    }

    fn reset(&mut self) {
        match &self.initial {
            Some(initial) => {
                for (octet, [displacement, last_move]) in self.waves.octets.iter_mut().zip(initial) {
                    (octet.displacement, octet.last_move) = (*displacement, *last_move);
                }
            }
            None => self.waves.octets.iter_mut().for_each(|octet| {
                (octet.displacement, octet.last_move) = Default::default();
            }),
        }
        self.stepped = false;
        self.ports.iter_mut().for_each(|port| port.force = 0.0);
        for index in 0..self.ports.len() {
            if self.ports[index].followed {
                self.read_port(index);
            }
        }
    }

    fn dimensions(&self) -> [usize; 2] {
        self.grid.segments.map(|n| n + 1)
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn shape(&self, out: &mut [f64]) {
        self.write_shape(out);
    }

    fn quieten(&mut self) {
        for octet in &mut self.waves.octets {
            for lanes in [&mut octet.displacement, &mut octet.last_move] {
                lanes.0.iter_mut().for_each(|value| *value = quiet(*value));
            }
        }
    }
}
