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
//! [`places`] knows the weights of any place, [`points`] those that are touched or heard, [`weights`] how their weights lie in memory, [`state`] steps, [`energy`] keeps the account, and
//! [`handling`] does what is done between samples: points that move, pitch, loss and plucks.

mod body;
mod energy;
mod handling;
mod kernel;
mod places;
mod points;
mod portrait;
mod spec;
mod state;
mod stretch;
mod weights;

use std::sync::Arc;

use fearless_simd::Level;

use self::places::Places;
use self::points::Points;
pub use self::portrait::BodyMode;
pub use self::spec::{ModalSpec, ModeSpec, free_bar_fundamental};
use self::state::{State, slot};
pub(crate) use self::stretch::{Coupled, Stretch, Whole};
use super::lanes::{LANES, Lanes};
use super::modes::{Mode, Shapes};
use super::poles::{Oscillator, Poles};
use super::{At, ObjectError, Place, SMOOTHEST, Support, Use, checked};
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
    /// What it stores by being stretched, if its amplitude may be large.
    stretch: Option<Box<Stretch>>,
    /// Frequency in Hz and ballast of each mode as the stretching was last fitted to them; empty if it is not stretched.
    tuned: Vec<(f64, f64)>,
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
    /// What it stores by being stretched, if its amplitude may be large.
    pub stretch: Option<Stretch>,
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
        let ModalBody { kind, shapes, is_sheet, sigmas, mass, length, bend, stretch, touched_along } = body;
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
        let mut body = Self { mass, length, ..Self::of_sources(kind, places, sources, bend, rate)? };
        body.stretch = stretch.filter(|stretch| stretch.mode_count() == body.sources.len()).map(Box::new);
        if body.stretch.is_some() {
            body.tuned = vec![(0.0, 1.0); body.sources.len()];
        }
        body.fit_stretch();
        Ok(body)
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
            stretch: None,
            tuned: Vec::new(),
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

    /// Whether its amplitude may be large: then what a force does to its points depends on how it is bent.
    pub fn is_stretched(&self) -> bool {
        self.stretch.is_some()
    }

    /// By how much less than its admittance a point moves in this step, in m per newton at another, because that stretches it.
    #[inline]
    pub fn held_back(&self, here: &Support, there: &Support) -> f64 {
        match (&self.stretch, *here, *there) {
            (Some(stretch), Support::Modes { point: here }, Support::Modes { point: there }) => {
                stretch.held_back(here, there)
            }
            _ => 0.0,
        }
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

/// sin(ωk)/ωk, from 1 down to 0 at Nyquist: the exact displacement of a mode after a blow, in parts of that which its step makes of a force.
fn exact_part(frequency: f64, rate: f64) -> f64 {
    let angle = std::f64::consts::TAU * frequency / rate;
    if angle > 1e-6 { (libm::sin(angle) / angle).max(1e-3) } else { 1.0 }
}

/// The lane of a mode and which eight it is in.
fn octet_and_lane(mode: usize) -> (usize, usize) {
    (mode / LANES, mode % LANES)
}
