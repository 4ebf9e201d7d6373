//! What is done to a modal object between samples: points that come, go and move, bent pitch, changed loss, plucks. Nothing here allocates but
//! what is done at build.

use fearless_simd::{dispatch, prelude::*};

use super::super::lanes::{LANES, Lanes, lanes, load};
use super::super::modes::projection;
use super::kernel::sum;
use super::points::between;
use super::weights::{Row, WIDTH};
use super::{
    At, Modal, ObjectError, Oscillator, Place, Places, Support, Use, checked, exact_part, limits, octet_and_lane, slot,
};

/// Most modes of a string, bar, membrane or plate. Modal objects may be given more; looking at a place of one then takes memory.
pub(super) const MOST_SHAPES: usize = 1 << 12;

/// Lowest ratio to the built pitch that a string can be bent to.
const LOWEST_BEND: f64 = 0.25;

impl Modal {
    /// Segments between the nodes of a string or bar: one more than it has modes, so that these are independent there. `None` for others.
    pub(crate) fn segments(&self) -> Option<usize> {
        matches!(self.places, Places::Line(_)).then_some(self.sources.len() + 1)
    }

    /// Prepares what is drawn of it, in so many numbers at most. Takes memory.
    pub(crate) fn prepare_drawing(&mut self, room: usize) {
        self.drawing = self.places.drawing(self.sources.len(), room);
    }

    /// Length in m that the node nearest to a position (a fraction of the length) stands for: an end half of the others.
    pub(crate) fn cell_at(&self, position: f64) -> f64 {
        let segments = self.sources.len() + 1;
        let node = (position * segments as f64).round() as usize;
        let cell = self.length / segments as f64;
        if node == 0 || node >= segments { 0.5 * cell } else { cell }
    }

    /// Lets all forces of the last steps arrive in the modes: from here on nothing is owed.
    fn settle(&mut self) {
        if !self.state.pushed.contains(&true) && !self.stretch.as_ref().is_some_and(|stretch| stretch.is_owing()) {
            return;
        }
        dispatch!(self.level, simd => {
            for index in 0..self.state.octets.len() {
                let [u, d] = self.motion_of(simd, index);
                let octet = &mut self.state.octets[index];
                u.store_array(&mut octet.displacement.0);
                d.store_array(&mut octet.last_move.0);
            }
        });
        self.state.pushed = Default::default();
        self.points.memory.settle();
        if let Some(stretch) = &mut self.stretch {
            stretch.settle();
        }
    }

    /// Works out how it stretches by the frequencies it has now, and how far it is stretched.
    pub(super) fn fit_stretch(&mut self) {
        let Some(mut stretch) = self.stretch.take() else { return };
        for mode in 0..self.sources.len() {
            self.tuned[mode] = (self.frequency(mode), self.sources[mode].ballast);
        }
        stretch.fit(&self.poles, &self.tuned, self.rate);
        self.stretch = Some(stretch);
        self.find_stretch();
    }

    /// How far it is stretched as it is now; nothing is owed to the modes.
    pub(super) fn find_stretch(&mut self) {
        if let Some(stretch) = &mut self.stretch {
            stretch.find_root(&self.state.octets, self.level);
        }
    }

    /// Takes memory for a point; it is read in every sample while it is followed.
    pub(super) fn add_point(&mut self, place: Place, purpose: Use, followed: bool) -> Support {
        let point = self.points.add(place, purpose, self.state.octets.len());
        if let Some(stretch) = &mut self.stretch {
            stretch.add_point();
        }
        self.put_point(point, place);
        self.follow_point(point, followed);
        Support::Modes { point }
    }

    /// Whether a point is heard or pushed in every sample from here on.
    pub(super) fn follow_point(&mut self, point: usize, follow: bool) {
        self.settle();
        self.points.follow(point, follow);
        self.read_point(point);
    }

    /// Puts a point at another place, which was checked.
    pub(super) fn put_point(&mut self, point: usize, place: Place) {
        self.settle();
        let [weights, _] = &mut self.scratch;
        self.places.weigh(place, weights);
        let (_, purpose) = self.points.places[point];
        self.points.places[point] = (place, purpose);
        for mode in 0..self.sources.len() {
            let weight = self.hearing(mode, purpose) * self.scratch[0][mode];
            *self.points.weights.at_mut(point, mode) = self.poles[mode].response.sqrt() * weight;
        }
        self.points.refresh(point, &self.poles);
        if let Some(stretch) = &mut self.stretch {
            stretch.put_row(point, self.points.weights.row(point));
        }
        self.read_point(point);
    }

    /// What the weight of a mode is multiplied by where it is heard.
    fn hearing(&self, mode: usize, purpose: Use) -> f64 {
        match purpose {
            Use::Touch => 1.0,
            Use::Velocity => self.sources[mode].ballast,
            Use::Displacement => self.sources[mode].ballast * exact_part(self.frequency(mode), self.rate),
            Use::Acceleration => {
                // The second difference of a swing is smaller than ω²k² by the square of this.
                let half = exact_part(0.5 * self.frequency(mode), self.rate);
                self.sources[mode].ballast * exact_part(self.frequency(mode), self.rate) / (half * half)
            }
        }
    }

    /// Reads the last two samples at a point from the modes, to which nothing is owed.
    fn read_point(&mut self, point: usize) {
        let (mut now, mut before) = (0.0, 0.0);
        let row = self.points.weights.row(point);
        for (index, octet) in self.state.octets.iter().enumerate() {
            let weights = row.octet(index);
            for lane in 0..LANES {
                let u = octet.displacement.0[lane];
                now += weights.0[lane] * u;
                before += weights.0[lane] * (u - octet.last_move.0[lane]);
            }
        }
        let clock = self.state.clock;
        let displacements = &mut self.points.memory.displacements;
        (displacements[slot(clock, 0)][point], displacements[slot(clock, 1)][point]) = (now, before);
    }

    /// Reads all points anew.
    pub(super) fn read_points(&mut self) {
        for point in 0..self.points.count() {
            self.read_point(point);
        }
    }

    /// Calls with w√B at a support.
    fn with_row<T>(&self, support: &Support, act: impl FnOnce(Row) -> T) -> T {
        match *support {
            Support::Modes { point } => act(self.points.weights.row(point)),
            Support::Seen(place) => {
                let count = self.sources.len();
                if count > MOST_SHAPES {
                    let mut weights = vec![0.0; count];
                    self.places.weigh(place, &mut weights);
                    let mut row = lanes(weights.iter().zip(&self.poles).map(|(w, poles)| poles.response.sqrt() * w));
                    row.resize(row.len().next_multiple_of(WIDTH), Lanes::default());
                    return act(Row::alone(row.as_chunks().0));
                }
                // On the stack: bodies are looked at while they play, and nothing is allocated then.
                let mut weights = [0.0; MOST_SHAPES];
                let mut row = [[Lanes::default(); WIDTH]; MOST_SHAPES / LANES / WIDTH];
                self.places.weigh(place, &mut weights[..count]);
                for (mode, weight) in weights.iter().enumerate().take(count) {
                    let (octet, lane) = octet_and_lane(mode);
                    row[octet / WIDTH][octet % WIDTH].0[lane] = self.poles[mode].response.sqrt() * weight;
                }
                act(Row::alone(&row))
            }
            _ => act(Row::alone(&[])),
        }
    }

    /// Displacement in m at a support that is not followed, between steps.
    pub(super) fn look(&self, support: &Support, at: At) -> f64 {
        let read = |row: Row| {
            dispatch!(self.level, simd => {
                sum(simd, self.state.octets.len(), |index| {
                    let [u, d] = self.motion_of(simd, index);
                    load(simd, row.octet(index)) * if at == At::Previous { u - d } else { u }
                })
            })
        };
        self.with_row(support, read)
    }

    /// Admittance between places of which one is not one of the points.
    pub(super) fn look_across(&self, here: &Support, there: &Support) -> f64 {
        let across = |a: Row, b: Row| between(a, b, &self.poles);
        self.with_row(here, |here| {
            self.with_row(there, |there| across(here, there).felt(across(here, here), across(there, there)).at_once)
        })
    }

    /// u and d over √B of one mode, with all that was pushed.
    pub(super) fn motion(&self, mode: usize) -> [f64; 2] {
        let (octet, lane) = octet_and_lane(mode);
        let push = |steps_before: usize| -> f64 {
            let slot = slot(self.state.clock, steps_before);
            if !self.state.pushed[slot] {
                return 0.0;
            }
            let weights = self.points.weights.block(octet / WIDTH);
            let forces = weights.iter().zip(&self.points.memory.forces[slot]);
            forces.map(|(weights, force)| weights[octet % WIDTH].0[lane] * force).sum()
        };
        let before = push(1);
        let moved = push(0) + self.poles[mode].carry * before;
        let (index, octet) = (octet, &self.state.octets[octet]);
        let moved = moved + self.stretch.as_ref().map_or(0.0, |stretch| stretch.owed_by(octet, index, lane));
        [octet.displacement.0[lane] + before + moved, octet.last_move.0[lane] + moved]
    }

    /// Displacement of one mode.
    pub(super) fn displacement_of(&self, mode: usize) -> f64 {
        self.motion(mode)[0] * self.poles[mode].response.sqrt()
    }

    /// A mode as it is now.
    fn oscillator(&self, mode: usize) -> Result<Oscillator, ObjectError> {
        let source = self.sources[mode];
        Oscillator::new(source.mass, self.frequency(mode), source.sigma * self.decay, self.rate)
    }

    /// Frequency in Hz of a mode as it is now.
    pub(super) fn frequency(&self, mode: usize) -> f64 {
        let source = self.sources[mode];
        match &self.bend {
            Some(bend) if bend.ratio != 1.0 => {
                (source.frequency * source.frequency + self.lift(bend.ratio) * source.slope).max(0.0).sqrt()
            }
            _ => source.frequency,
        }
    }

    /// By how much f² of a mode grows per squared slope when the lowest mode is bent by a ratio, in m²/s².
    fn lift(&self, ratio: f64) -> f64 {
        let lowest = self.sources.iter().find(|source| source.frequency > 0.0 && source.slope > 0.0);
        lowest.map_or(0.0, |lowest| (ratio * ratio - 1.0) * lowest.frequency * lowest.frequency / lowest.slope)
    }

    /// Changes the tension of a string so that its lowest mode rings at a ratio to the frequency it was built with; `None` if it is no
    /// string. The shape and the velocity stay, so the stored energy changes: the work of whoever turns the peg.
    pub(crate) fn bend(&mut self, ratio: f64) -> Option<Result<(), ObjectError>> {
        let bend = self.bend?;
        let allowed = "from 0.25 to the largest the string was built for";
        let in_range = checked("bend", ratio, allowed, |ratio| (LOWEST_BEND..=bend.largest).contains(&ratio));
        let slack = 4.0 * std::f64::consts::PI * std::f64::consts::PI * self.lift(ratio) + bend.wave_speed_squared;
        let taut =
            in_range.and_then(|ratio| checked("bend", ratio, "above what stiffness alone gives", |_| slack > 0.0));
        Some(taut.map(|ratio| {
            self.bend = Some(super::Bend { ratio, ..bend });
            self.work_out_poles();
        }))
    }

    /// Multiplies all decay rates as built by a factor: 2 halves every T60.
    pub(crate) fn damp(&mut self, factor: f64) -> Result<(), ObjectError> {
        checked("decay", factor, "from 0 to 1e6", |factor| (0.0..=1e6).contains(&factor))?;
        for source in &self.sources {
            checked("decay rate", source.sigma * factor, "from 0 to 1e9 1/s", |v| v <= limits::FASTEST_DECAY)?;
        }
        if factor != self.decay {
            self.decay = factor;
            self.work_out_poles();
        }
        Ok(())
    }

    /// Works out all steps anew; what moves keeps its displacement and its last move.
    fn work_out_poles(&mut self) {
        self.settle();
        for mode in 0..self.sources.len() {
            let Ok(oscillator) = self.oscillator(mode) else { continue };
            let (poles, (octet, lane)) = (oscillator.poles(), octet_and_lane(mode));
            let scale = (self.poles[mode].response / poles.response).sqrt();
            self.poles[mode] = poles;
            let held = &mut self.state.octets[octet];
            (held.persistence.0[lane], held.restoring.0[lane]) = (poles.persistence, poles.restoring);
            if scale != 1.0 {
                held.displacement.0[lane] *= scale;
                held.last_move.0[lane] *= scale;
                self.points.weights.divide(mode, scale);
                if let Some(initial) = &mut self.initial {
                    initial[octet].iter_mut().for_each(|lanes| lanes.0[lane] *= scale);
                }
            }
        }
        self.fit_stretch();
        for point in 0..self.points.count() {
            match self.points.places[point] {
                // How loud a displacement is heard goes with the frequency. On a line the weights are worked out anew, so that they are those of a
                // body that was built so, to the bit, whatever it went through; on a sheet that would take too long.
                (place, purpose) if purpose == Use::Displacement || matches!(self.places, Places::Line(_)) => {
                    self.put_point(point, place);
                }
                _ => {
                    self.points.refresh(point, &self.poles);
                    if let Some(stretch) = &mut self.stretch {
                        stretch.put_row(point, self.points.weights.row(point));
                    }
                }
            }
        }
    }

    /// Adds a raised cosine at rest: centre and half-width as fractions of the (first) side, height in m.
    pub(crate) fn pluck(&mut self, centre: Place, half_width: f64, height: f64) {
        self.settle();
        self.raise(centre, half_width, height, 0.0);
        self.read_points();
    }

    /// Starts with a raised cosine of displacement in m and velocity in m/s, and returns to it when reset.
    pub(crate) fn start(
        &mut self,
        centre: Place,
        half_width: f64,
        displacement: f64,
        velocity: f64,
    ) -> Result<(), ObjectError> {
        self.places.check(self.kind, centre)?;
        self.raise(centre, half_width, displacement, velocity);
        let state = |octet: &super::kernel::Octet| [octet.displacement, octet.last_move];
        self.initial = Some(self.state.octets.iter().map(state).collect());
        self.read_points();
        Ok(())
    }

    fn raise(&mut self, centre: Place, half_width: f64, displacement: f64, velocity: f64) {
        let [weights, projected] = &mut self.scratch;
        match (&self.places, centre) {
            (Places::Line(shapes), Place::Along(x)) => {
                projection::along(&**shapes, x, half_width, weights, projected);
            }
            (Places::Sheet(shapes), Place::On(x, y)) => {
                projection::on(&**shapes, [x, y], half_width, weights, projected);
            }
            _ => return,
        }
        for mode in 0..self.sources.len() {
            // As a blow would have left it: points that are heard take off again what a step makes too much of a force.
            let heard = exact_part(self.frequency(mode), self.rate);
            let share = self.scratch[1][mode] * self.mass / (self.sources[mode].mass * heard);
            let Ok(oscillator) = self.oscillator(mode) else { continue };
            let (u, d) = (share * displacement, oscillator.first_move(share * displacement, share * velocity));
            let (octet, lane) = octet_and_lane(mode);
            let scale = 1.0 / self.poles[mode].response.sqrt();
            let held = &mut self.state.octets[octet];
            held.displacement.0[lane] += scale * u;
            held.last_move.0[lane] += scale * d;
        }
        self.find_stretch();
    }
}
