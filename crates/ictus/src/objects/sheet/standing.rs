//! A sheet in its standing waves: the scheme of the grid, to rounding, for less than half the work.
//!
//! Where the edges let it, the waves `φ_mn = √(2/Nx) sin(mπi/Nx) √(2/Ny) sin(nπj/Ny)` are the modes of the *grid*: with u = Σ q φ the
//! step of stencil.rs falls apart into one oscillator per wave, with δxx = -X_m and δyy = -Y_n,
//!
//! ```text
//! d⁺ = r d - c q + B φᵀI f,    q⁺ = q + d⁺,    r = b - sx X - sy Y,    c = xx X² + 2 xy XY + yy Y² + x X + y Y
//! ```
//!
//! as many waves as points, none left out. Frequencies, dispersion, losses, energies (poles.rs) and what a force at a place does are
//! those of the grid; four operations for a wave take the place of up to 26 for a point. What it costs instead is two operations per wave
//! for every place that is heard and three for every place that is pushed: such places are *ports*, whose displacement each pass adds up.
//! A push corrects what all ports read through the admittances between them and reaches the waves in the next pass.
//!
//! Not for clamped plates (their modes are no products), nor where many things touch, nor where losses all but stop a wave in one step:
//! the account of energy finds the move before the last from the last by dividing by r.

use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};

use super::super::lanes::{LANES, Lanes, fold, load};
use super::super::{At, Body, ObjectError, Place, Support, quiet};
use super::grid::Grid;
use super::stencil::{Constants, round};
use super::{Sheet, no_such_place, patch};

mod kernel;
mod port;
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
    /// Whether a sheet can be, and with so many ports had better be, stepped in its standing waves.
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
        let mut standing = Self {
            kind,
            grid: *grid,
            mobility: *mobility,
            along,
            down,
            waves: Waves { octets, columns, persistence_along, persistence_down },
            inverse_persistence,
            ports: Vec::new(),
            admittances: Vec::new(),
            stepped: false,
            initial: None,
            level: Level::baseline(),
        };
        standing.start_from(sheet);
        standing
    }

    /// Takes over displacement and last move of every node.
    fn start_from(&mut self, sheet: &Sheet) {
        if sheet.initial.is_none() {
            return;
        }
        let (now, previous) = (sheet.now.all(), sheet.previous.all());
        // Along the rows first: for every wave along and node down, then down.
        let (waves, rows) = (self.along.count(), self.down.count());
        let mut half = vec![[0.0; 2]; waves * rows];
        for (row, half) in half.chunks_exact_mut(waves).enumerate() {
            for (wave, sums) in half.iter_mut().enumerate() {
                for (column, sine) in self.along.along(wave + 1).enumerate() {
                    let node = self.grid.index(column + 1, row + 1);
                    sums[0] += sine * now[node];
                    sums[1] += sine * (now[node] - previous[node]);
                }
            }
        }
        for row in 0..rows {
            for wave in 0..waves {
                let mut sums = [0.0; 2];
                for (down, sine) in self.down.along(row + 1).enumerate() {
                    let [displacement, last_move] = half[down * waves + wave];
                    sums = [sums[0] + sine * displacement, sums[1] + sine * last_move];
                }
                let octet = &mut self.waves.octets[row * self.waves.columns + wave / LANES];
                [octet.displacement.0[wave % LANES], octet.last_move.0[wave % LANES]] = sums;
            }
        }
        self.initial = Some(self.waves.octets.iter().map(|octet| [octet.displacement, octet.last_move]).collect());
    }

    /// Adds a port at a place that will be heard or pushed in every sample. Takes memory.
    pub fn attach(&mut self, place: &Support) -> Support {
        let Support::Cross(cross) = place else { return *place };
        let weights = Weights {
            along: vec![Lanes::default(); self.waves.columns],
            down: vec![0.0; self.waves.persistence_down.len()],
        };
        let port = self.ports.len();
        self.ports.push(Port { cross: *cross, weights, displacements: [0.0; 3], force: 0.0 });
        self.admittances.resize((port + 1) * (port + 1), 0.0);
        self.place_port(port, *cross);
        Support::Port { port }
    }

    /// Moves a port to another place. What it pushed where it was stays there.
    pub fn move_port(&mut self, port: usize, place: &Support) {
        if let Support::Cross(cross) = place {
            self.complete();
            self.place_port(port, *cross);
        }
    }

    /// Works out what a port at a place reads and does. All pushes have reached the waves.
    fn place_port(&mut self, index: usize, cross: Cross) {
        let Some(port) = self.ports.get_mut(index) else { return };
        port.cross = cross;
        let along = port.weights.along.iter_mut().flat_map(|lanes| &mut lanes.0).take(self.along.count());
        self.along.weigh(cross.first[0], &cross.along, along);
        self.down.weigh(cross.first[1], &cross.down, port.weights.down.iter_mut());
        self.ports[index].displacements = [At::Previous, At::Now, At::Next].map(|at| self.read_cross(&cross, at));
        self.fill_admittances();
    }

    fn fill_admittances(&mut self) {
        let ports = &self.ports;
        let pairs = ports.iter().flat_map(|here| ports.iter().map(move |there| here.cross.overlap(&there.cross)));
        for (admittance, overlap) in self.admittances.iter_mut().zip(pairs) {
            *admittance = self.mobility * overlap;
        }
    }

    /// Lets all forces on ports reach the waves.
    fn complete(&mut self) {
        let Self { ports, waves, mobility, level, .. } = self;
        for port in ports.iter_mut().filter(|port| port.force != 0.0) {
            let push = Push { weights: &port.weights, by: *mobility * std::mem::take(&mut port.force) };
            dispatch!(*level, simd => kernel::complete(simd, waves, push));
        }
    }

    /// The free step of all waves, and its sums at all ports.
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
        let push = |index: usize| port_push(ports, pushed[index], *mobility);
        let sums = match pushes {
            0 => read_in_step(simd, waves, [], ports),
            1 => read_in_step(simd, waves, [push(0)], ports),
            2 => read_in_step(simd, waves, [push(0), push(1)], ports),
            _ => read_in_step(simd, waves, [push(0), push(1), push(2)], ports),
        };
        for (port, sum) in ports.iter_mut().zip(sums) {
            port.displacements[2] = sum;
        }
        for port in ports.iter_mut().skip(MOST_READS) {
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

    /// Displacement in m of any place, port or not.
    fn read_cross(&self, cross: &Cross, at: At) -> f64 {
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

    /// What forces on ports will add to eight waves.
    #[inline(always)]
    fn push_on<S: Simd>(&self, simd: S, row: usize, column: usize) -> f64x8<S> {
        let mut push = f64x8::splat(simd, 0.0);
        for port in &self.ports {
            if port.force != 0.0 {
                push += load(simd, &port.weights.along[column]) * (self.mobility * port.force * port.weights.down[row]);
            }
        }
        push
    }

    /// The move of the step before the last, from `d = r d⁻ - c u⁻`.
    #[inline(always)]
    fn move_before<S: Simd>(&self, simd: S, row: usize, column: usize, octet: &Octet) -> f64x8<S> {
        let d = load(simd, &octet.last_move);
        let before = load(simd, &octet.displacement) - d;
        let kept = d + load(simd, &octet.restoring) * before;
        match self.inverse_persistence.get(row * self.waves.columns + column) {
            Some(inverse) => kept * load(simd, inverse),
            None => kept,
        }
    }

    #[inline(always)]
    fn persistence<S: Simd>(&self, simd: S, row: usize, column: usize) -> f64x8<S> {
        load(simd, &self.waves.persistence_along[column]) + self.waves.persistence_down[row]
    }

    /// 8B times the stored energy: see poles.rs.
    #[inline(always)]
    fn stored<S: Simd>(&self, simd: S) -> f64 {
        kernel::sum(
            simd,
            &self.waves,
            #[inline(always)]
            |_| 1.0,
            #[inline(always)]
            |row, column, octet| {
                let d = load(simd, &octet.last_move);
                let u = load(simd, &octet.displacement);
                // Between a step and the next sample, that of the step before.
                let (u, d) = if self.stepped {
                    (u - d, self.move_before(simd, row, column, octet))
                } else {
                    let push = self.push_on(simd, row, column);
                    (u + push, d + push)
                };
                let c = load(simd, &octet.restoring);
                let sum = u * 2.0 - d;
                let move_weight = (self.persistence(simd, row, column) + 1.0) * 2.0 - c;
                move_weight.max(f64x8::splat(simd, 0.0)) * (d * d) + c * (sum * sum)
            },
        )
    }

    /// 4B times the energy lost in the step.
    #[inline(always)]
    fn dissipated<S: Simd>(&self, simd: S) -> f64 {
        kernel::sum(
            simd,
            &self.waves,
            #[inline(always)]
            |_| 1.0,
            #[inline(always)]
            |row, column, octet| {
                let last = load(simd, &octet.last_move) + self.push_on(simd, row, column);
                let moves = last + self.move_before(simd, row, column, octet);
                (f64x8::splat(simd, 1.0) - self.persistence(simd, row, column)) * (moves * moves)
            },
        )
    }

    /// Adds up every row of waves with the sines at one column of nodes.
    #[inline(always)]
    fn add_along<S: Simd>(&self, simd: S, sines: &[Lanes], column: &mut [f64]) {
        for (at, (row, sum)) in self.waves.octets.chunks_exact(self.waves.columns).zip(column).enumerate() {
            let mut total = f64x8::splat(simd, 0.0);
            for (index, octet) in row.iter().enumerate() {
                total += load(simd, &sines[index]) * (load(simd, &octet.displacement) + self.push_on(simd, at, index));
            }
            *sum = fold(total);
        }
    }

    fn cross<'a>(&'a self, support: &'a Support) -> Option<&'a Cross> {
        match support {
            Support::Cross(cross) => Some(cross),
            Support::Port { port } => self.ports.get(*port).map(|port| &port.cross),
            _ => None,
        }
    }
}

/// What a port pushes.
#[inline(always)]
fn port_push(ports: &[Port], port: usize, mobility: f64) -> Push<'_> {
    Push { weights: &ports[port].weights, by: mobility * ports[port].force }
}

/// A step that takes the first ports along.
#[inline(always)]
fn read_in_step<S: Simd, const PUSHES: usize>(
    simd: S,
    waves: &mut Waves,
    pushes: [Push<'_>; PUSHES],
    ports: &[Port],
) -> [f64; MOST_READS] {
    let mut sums = [0.0; MOST_READS];
    match ports {
        [] => {
            kernel::step(simd, waves, pushes, []);
        }
        [a] => [sums[0]] = kernel::step(simd, waves, pushes, [&a.weights]),
        [a, b] => [sums[0], sums[1]] = kernel::step(simd, waves, pushes, [&a.weights, &b.weights]),
        [a, b, c] => {
            [sums[0], sums[1], sums[2]] = kernel::step(simd, waves, pushes, [&a.weights, &b.weights, &c.weights]);
        }
        [a, b, c, d, ..] => {
            sums = kernel::step(simd, waves, pushes, [&a.weights, &b.weights, &c.weights, &d.weights]);
        }
    }
    sums
}

impl Body for Standing {
    fn free_step<S: Simd>(&mut self, simd: S) {
        self.level = simd.level();
        self.stepped = true;
        dispatch!(self.level, simd => self.pass(simd));
    }

    #[inline]
    fn read(&self, support: &Support, at: At) -> f64 {
        match support {
            Support::Port { port } => self.ports.get(*port).map_or(0.0, |port| port.displacements[at as usize]),
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
            self.place_port(index, self.ports[index].cross);
        }
    }

    fn dimensions(&self) -> [usize; 2] {
        self.grid.segments.map(|n| n + 1)
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn shape(&self, out: &mut [f64]) {
        out.fill(0.0);
        for node in 1..=self.along.count() {
            let mut sines = [Lanes::default(); MOST_ALONG.div_ceil(LANES)];
            let flat = sines.iter_mut().flat_map(|lanes| &mut lanes.0);
            flat.zip(self.along.along(node)).for_each(|(out, sine)| *out = sine);
            // What every row of waves adds up to in this column of nodes.
            let mut column = [0.0; MOST_DOWN];
            dispatch!(self.level, simd => self.add_along(simd, &sines, &mut column));
            for below in 1..=self.down.count() {
                let [x, y] = self.grid.in_memory_order([node, below]);
                let terms = self.down.along(below).zip(&column);
                if let Some(out) = out.get_mut(y * self.dimensions()[0] + x) {
                    *out = terms.map(|(sine, along)| sine * along).sum();
                }
            }
        }
    }

    fn quieten(&mut self) {
        for octet in &mut self.waves.octets {
            for lanes in [&mut octet.displacement, &mut octet.last_move] {
                lanes.0.iter_mut().for_each(|value| *value = quiet(*value));
            }
        }
    }
}
