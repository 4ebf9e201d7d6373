//! A modal object: N oscillators side by side, seen through weights at P points.
//!
//! ```text
//! m_i utt_i = -m_i ω_i² u_i - 2 m_i σ_i ut_i + w_i(p) f(p),    η(p) = Σ_i w_i(p) u_i
//! ```
//!
//! Exact poles and energy per mode from [`super::poles`] (PHYSICS section 5); the balance of the object is the sum of theirs. Strings, bars,
//! membranes and plates are this too, with modes and weights from [`super::modes`].
//!
//! Displacements of modes are kept over √B, weights times √B, so that a newton at a point moves a mode by its weight there: the
//! same numbers push and add up.
//!
//! One sample goes through the modes once, and that pass waits for no contact. It makes the free step and sums it at all
//! points that are followed, so that reading is a look-up. A push corrects the sums of this step through the table of admittances
//! `Y(p,q) = Σ w_i(p) B_i w_i(q)` and those of the next free step through `Z(p,q) = Σ w_i(p) (1+r_i-c_i) B_i w_i(q)`, and is
//! remembered as one number per point; the modes themselves feel it two passes later, as the move it has become by then. So
//! with e = w f of a step, the arrays hold
//!
//! ```text
//! u⁺ without e⁺ and without (1+r-c) e,    d⁺ without e⁺ and without (r-c) e
//! ```
//!
//! and whoever looks at them adds these. So the processor can work on the next pass while a contact is still being solved.
//! Rejected: pushing into the modes at once (two more passes per contact), and at the start of the next pass (simpler, but each
//! sample waits for the sums, the sums for the modes and the modes for the force: some 10 ns more).
//!
//! **What is pushed and what is heard.** The step with exact poles answers a force by the right velocity, `(u⁺ - u⁻)/2k`, and by a displacement that
//! is too large by ωk/sin ωk; with a mass that is larger by as much, by the right displacement and too small a velocity. A contact
//! wants both. Bodies from [`super::modes`] take what lies between, the fourth root of that ratio: a string under four felts at 48 kHz is then off by 0.1, 0.4, 1.5
//! and 5.3 % of its waveform below 10 kHz, instead of 0.3, 0.8, 2.0 and 5.5 % with the mass as it is (`tests/struck_strings.rs`). With the second root felts are
//! met better still, but a bow at 3 % of the string no longer holds it (`tests/schelleng.rs`). Points that are heard have weights that make
//! up for it: a mode's velocity or displacement after a blow is exact at any frequency.
//!
//! [`places`] knows the weights of any place, [`points`] those that are touched or heard, [`state`] steps, [`energy`] keeps the account, and
//! [`handling`] does what is done between samples: points that move, pitch, loss and plucks.

mod energy;
mod handling;
mod kernel;
mod places;
mod points;
mod portrait;
mod spec;
mod state;

use std::sync::Arc;

use fearless_simd::{Level, Simd, dispatch, prelude::*};

use self::places::Places;
use self::points::Points;
pub use self::portrait::BodyMode;
pub use self::spec::{ModalSpec, ModeSpec, free_bar_fundamental};
use self::state::{State, slot};
use super::lanes::{LANES, Lanes};
use super::modes::{Mode, Shapes};
use super::poles::{Oscillator, Poles};
use super::{Accelerance, At, Body, ObjectError, Place, SMOOTHEST, Support, Use, checked, quiet};
use crate::limits;

/// An object in its modes, built for one sample rate.
#[derive(Clone, Debug)]
pub(crate) struct Modal {
    kind: &'static str,
    places: Places,
    sources: Vec<Source>,
    /// Sample rate in Hz.
    rate: f64,
    /// Mass in kg of the whole body, where it has one.
    mass: f64,
    /// Length in m of a string or bar.
    length: f64,
    poles: Vec<Poles>,
    points: Points,
    state: State,
    /// How it starts if not at rest: u and d.
    initial: Option<Vec<[Lanes; 2]>>,
    bend: Option<Bend>,
    /// What all decay rates are multiplied by.
    decay: f64,
    /// φ of the modes that are drawn at the points that are, mode by mode; empty until it is [prepared](Self::prepare_drawing).
    drawing: Vec<Vec<f64>>,
    /// Room for weights and projections.
    scratch: [Vec<f64>; 2],
    /// The level of the last step, the best there is before one; the account uses it.
    level: Level,
    smooth: bool,
    /// Modes of 0 Hz: moving and turning as a whole.
    rigid: Vec<usize>,
}

/// Modes from which on a body is one of waves to what presses on it. A tine of four rings under its pin, and bounces on it.
const FEWEST_FOR_WAVES: usize = 16;

/// What a mode is made of.
#[derive(Clone, Copy, Debug)]
struct Source {
    /// Frequency in Hz without loss.
    frequency: f64,
    /// Decay rate in 1/s.
    sigma: f64,
    /// Modal mass in kg, as it is pushed.
    mass: f64,
    /// By how much it is heavier than it is.
    ballast: f64,
    /// Mean squared slope in 1/m²; by its share in it a mode follows the tension.
    slope: f64,
}

/// How a string's pitch is bent.
///
/// `ω_i² = (T S_i + EI C_i)/ρA`: with another tension each mode moves by its slope, exactly with simply supported ends; with others the
/// shapes change too, which moves the frequencies by the square of that small change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bend {
    /// Largest ratio to the built pitch.
    pub largest: f64,
    /// T/ρA in m²/s².
    pub wave_speed_squared: f64,
    /// Where it is.
    pub ratio: f64,
}

/// A body that is built from a family of modes.
#[derive(Clone, Debug)]
pub(crate) struct ModalBody {
    /// What it is, in a word.
    pub kind: &'static str,
    pub shapes: Arc<dyn Shapes>,
    /// Whether its places are two fractions and not one.
    pub is_sheet: bool,
    /// Decay rate of each mode in 1/s.
    pub sigmas: Vec<f64>,
    /// Mass of the whole in kg.
    pub mass: f64,
    /// Length in m of a string or bar, else 0.
    pub length: f64,
    pub bend: Option<Bend>,
    /// Whether it is touched all along: then all modes answer a push alike, as if those that decay were lighter by (1+r)/2, less than a
    /// thousandth. On the nodes of a supported line, which has as many modes, contacts then do not feel each other within a step
    /// (PHYSICS section 11).
    pub touched_along: bool,
}

impl Modal {
    /// An object given by its modes and numbered points. Sample rate in Hz.
    pub fn new(spec: &ModalSpec, rate: f64) -> Result<Self, ObjectError> {
        spec::check_count(spec.modes.len())?;
        spec::check_point_count(spec.points.len())?;
        for weights in &spec.points {
            let per_mode = |_| weights.len() == spec.modes.len();
            checked("number of weights at a point", weights.len() as f64, "one for each mode", per_mode)?;
            for &weight in weights {
                checked("weight", weight, "at most 1e6 either way", |v| v.abs() <= 1e6)?;
            }
            let inverse_mass = spec.modes.iter().zip(weights).map(|(mode, weight)| weight * weight / mode.mass);
            limits::mass_at_point(inverse_mass.sum())?;
        }
        let source = |mode: &ModeSpec| {
            let sigma = mode.decay.sigma(mode.frequency)?;
            Ok(Source { frequency: mode.frequency, sigma, mass: mode.mass, ballast: 1.0, slope: 0.0 })
        };
        let sources = spec.modes.iter().map(source).collect::<Result<Vec<_>, _>>()?;
        Self::of_sources("modal object", Places::Numbered(spec.points.clone(), spec.whole()), sources, None, rate)
    }

    /// A string, bar, membrane or plate. Sample rate in Hz.
    pub fn of(body: ModalBody, rate: f64) -> Result<Self, ObjectError> {
        let ModalBody { kind, shapes, is_sheet, sigmas, mass, length, bend, touched_along } = body;
        checked("number of modes", shapes.modes().len() as f64, "from 1 to 4096", |_| {
            (1..=handling::MOST_SHAPES).contains(&shapes.modes().len())
        })?;
        let source = |(mode, sigma): (&Mode, f64)| {
            let ballast = if touched_along {
                0.5 * (1.0 + libm::exp(-2.0 * sigma / rate))
            } else {
                1.0 / exact_part(mode.frequency, rate).sqrt().sqrt()
            };
            Source { frequency: mode.frequency, sigma, mass: ballast * mode.mass, ballast, slope: mode.slope }
        };
        let sources: Vec<Source> = shapes.modes().iter().zip(sigmas).map(source).collect();
        // No shape is steeper than an end that moves by 2.
        limits::mass_at_point(sources.iter().map(|source| 4.0 / source.mass).sum())?;
        let places = if is_sheet { Places::Sheet(shapes) } else { Places::Line(shapes) };
        Ok(Self { mass, length, ..Self::of_sources(kind, places, sources, bend, rate)? })
    }

    fn of_sources(
        kind: &'static str,
        places: Places,
        sources: Vec<Source>,
        bend: Option<Bend>,
        rate: f64,
    ) -> Result<Self, ObjectError> {
        let poles = |source: &Source| Ok(Oscillator::new(source.mass, source.frequency, source.sigma, rate)?.poles());
        let poles = sources.iter().map(poles).collect::<Result<Vec<_>, _>>()?;
        let highest = SMOOTHEST * rate / bend.map_or(1.0, |bend| bend.largest);
        Ok(Self {
            kind,
            drawing: Vec::new(),
            places,
            rate,
            mass: 0.0,
            length: 0.0,
            points: Points::default(),
            state: State::at_rest(&poles),
            initial: None,
            bend,
            decay: 1.0,
            scratch: [vec![0.0; sources.len()], vec![0.0; sources.len()]],
            level: crate::simd::level(),
            rigid: (0..poles.len()).filter(|mode| poles[*mode].restoring == 0.0).collect(),
            smooth: sources.iter().all(|source| source.frequency <= highest),
            sources,
            poles,
        })
    }

    /// How many modes it has.
    pub fn mode_count(&self) -> usize {
        self.sources.len()
    }

    /// Whether waves run along it: a body of its shape's many modes, cut off at the highest that is kept.
    pub fn carries_waves(&self) -> bool {
        self.mass > 0.0 && self.poles.len() >= FEWEST_FOR_WAVES
    }

    /// Whether it moves smoothly from sample to sample.
    pub fn is_smooth(&self) -> bool {
        self.smooth
    }
}

impl Body for Modal {
    #[inline(always)]
    fn free_step<S: Simd>(&mut self, simd: S) {
        self.level = simd.level();
        self.state.stepped = true;
        self.state.step(simd, &mut self.points);
    }

    #[inline]
    fn read(&self, support: &Support, at: At) -> f64 {
        let steps_before = match at {
            At::Next => 0,
            At::Now => usize::from(self.state.stepped),
            At::Previous => 1 + usize::from(self.state.stepped),
        };
        match *support {
            Support::Modes { point } => match self.points.memory.followed.get(point) {
                Some(true) => self.points.memory.displacements[slot(self.state.clock, steps_before)][point],
                Some(false) => self.look(support, at),
                None => 0.0,
            },
            Support::Seen(_) => self.look(support, at),
            _ => 0.0,
        }
    }

    #[inline]
    fn push(&mut self, support: &Support, force: f64) {
        let Support::Modes { point } = *support else { return };
        let now = slot(self.state.clock, 0);
        self.points.push(point, force, now, self.level);
        self.state.pushed[now] = true;
    }

    #[inline]
    fn admittance(&self, here: &Support, there: &Support) -> f64 {
        match (*here, *there) {
            (Support::Modes { point: here }, Support::Modes { point: there }) => {
                self.points.admittance(here, there).at_once
            }
            _ => self.look_across(here, there),
        }
    }

    fn accelerance(&self, support: &Support) -> Option<Accelerance> {
        let Support::Modes { point } = *support else { return None };
        Some(self.points.accelerance(point, &self.poles))
    }

    fn reach(&self, support: &Support, energy: f64, samples: u64) -> f64 {
        let Support::Modes { point } = *support else { return f64::INFINITY };
        let mut reach = (self.points.largest[point][0] * energy).sqrt();
        for &mode in &self.rigid {
            let (octet, lane) = octet_and_lane(mode);
            let driven = samples as f64 * self.poles[mode].largest(energy)[1];
            reach += self.points.rows[point][octet].0[lane].abs() * (self.motion(mode)[0].abs() + driven);
        }
        reach
    }

    fn excursion(&self, support: &Support, energy: f64) -> [f64; 2] {
        let Support::Modes { point } = *support else { return [f64::INFINITY; 2] };
        if energy == 0.0 {
            return [0.0; 2];
        }
        let [displacement, step] = self.points.largest[point].map(|largest| (largest * energy).sqrt());
        let drifts = self.rigid.iter().any(|mode| self.points.rows[point][mode / LANES].0[mode % LANES] != 0.0);
        [if drifts { f64::INFINITY } else { displacement }, step]
    }

    fn ringing(&self, support: &Support) -> [f64; 2] {
        let Support::Modes { point } = *support else { return [f64::INFINITY; 2] };
        dispatch!(self.level, simd => {
            let mut sums = [0.0; 2];
            for (index, (poles, weights)) in self.poles.chunks(LANES).zip(&self.points.rows[point]).enumerate() {
                let [u, d] = self.motion_of(simd, index).map(|lanes| lanes.to_array());
                for (lane, poles) in poles.iter().enumerate() {
                    let (weight, energy) = (weights.0[lane].abs(), poles.response * poles.stored(u[lane], d[lane]));
                    let [displacement, step] = poles.largest(energy);
                    sums[0] += if weight > 0.0 && energy > 0.0 { weight * displacement } else { 0.0 };
                    sums[1] += weight * step;
                }
            }
            sums
        })
    }

    fn unrest(&self) -> f64 {
        dispatch!(self.level, simd => self.unrest_of_modes(simd))
    }

    fn open_books(&mut self) {
        self.open_account();
    }

    fn close_books(&mut self) -> f64 {
        dispatch!(self.level, simd => self.close_account(simd))
    }

    #[inline]
    fn advance(&mut self) {
        self.state.stepped = false;
    }

    fn stored_energy(&self) -> f64 {
        dispatch!(self.level, simd => self.stored(simd))
    }

    fn support(&self, place: Place) -> Result<Support, ObjectError> {
        self.places.check(self.kind, place)?;
        Ok(Support::Seen(place))
    }

    fn expect(&mut self, points: usize) {
        self.points.expect(points);
    }

    fn attach(&mut self, support: &Support, purpose: Use, followed: bool) -> Support {
        match *support {
            Support::Seen(place) => self.add_point(place, purpose, followed),
            attached => attached,
        }
    }

    fn follow(&mut self, support: &Support, follow: bool) {
        if let Support::Modes { point } = *support {
            self.follow_point(point, follow);
        }
    }

    fn move_point(&mut self, support: &Support, place: Place) -> Result<Support, ObjectError> {
        self.places.check(self.kind, place)?;
        match *support {
            Support::Modes { point } => {
                self.put_point(point, place);
                Ok(*support)
            }
            _ => Ok(Support::Seen(place)),
        }
    }

    fn reset(&mut self) {
        let state = &mut self.state;
        for octet in &mut state.octets {
            (octet.displacement, octet.last_move) = Default::default();
        }
        for (octet, [displacement, last_move]) in state.octets.iter_mut().zip(self.initial.iter().flatten()) {
            (octet.displacement, octet.last_move) = (*displacement, *last_move);
        }
        (state.pushed, state.clock, state.stepped) = Default::default();
        self.points.memory.clear();
        self.read_points();
    }

    fn dimensions(&self) -> [usize; 2] {
        self.places.dimensions()
    }

    fn kind(&self) -> &'static str {
        self.kind
    }

    fn shape(&self, out: &mut [f64]) {
        out.fill(0.0);
        for (mode, drawn) in self.drawing.iter().enumerate() {
            let displacement = self.displacement_of(mode);
            out.iter_mut().zip(drawn).for_each(|(out, weight)| *out += weight * displacement);
        }
    }

    fn quieten(&mut self) {
        for octet in &mut self.state.octets {
            for lanes in [&mut octet.displacement, &mut octet.last_move] {
                lanes.0.iter_mut().for_each(|value| *value = quiet(*value));
            }
        }
    }
}

/// sin(ωk)/ωk, from 1 down to 0 at Nyquist: the exact displacement of a mode after a blow, in parts of that which its step makes of a force.
fn exact_part(frequency: f64, rate: f64) -> f64 {
    let angle = std::f64::consts::TAU * frequency / rate;
    if angle > 1e-6 { (libm::sin(angle) / angle).max(1e-3) } else { 1.0 }
}

/// The lane of a mode and which eight it is in.
fn octet_and_lane(mode: usize) -> (usize, usize) {
    (mode / LANES, mode % LANES)
}
