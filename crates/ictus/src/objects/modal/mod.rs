//! A modal object: N oscillators side by side, seen through weights at P points.
//!
//! ```text
//! m_i utt_i = -m_i ω_i² u_i - 2 m_i σ_i ut_i + w_i(p) f(p),    η(p) = Σ_i w_i(p) u_i
//! ```
//!
//! Exact poles and energy per mode from [`super::poles`] (PHYSICS section 5); the balance of the object is the sum of theirs.
//!
//! Displacements of modes are kept over √B, weights times √B, so that a newton at a point moves a mode by its weight there: the
//! same numbers push and add up.
//!
//! One sample goes through the modes once, and that pass waits for no contact. It makes the free step and sums it at all
//! points, so that reading is a look-up. A push corrects the sums of this step through the table of admittances
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

mod kernel;
mod spec;
mod state;

use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};

use self::kernel::{Octet, sum};
pub use self::spec::{ModalSpec, ModeSpec, free_bar_fundamental};
use self::state::{LAST_BIT, Point, State, slot};
use super::lanes::{Lanes, lanes, load};
use super::poles::{Oscillator, Poles};
use super::{At, Body, ObjectError, Place, SMOOTHEST, Support, checked, quiet};
use crate::limits;

/// A [`ModalSpec`] built for one sample rate.
#[derive(Clone, Debug)]
pub(crate) struct Modal {
    coefficients: Coefficients,
    state: State,
    /// The level of the last step, the best there is before one; the account uses it.
    level: Level,
    smooth: bool,
}

#[derive(Clone, Debug)]
struct Coefficients {
    /// What multiplies d², (2u - d)² and s² in the energy and the loss; 0 in the padding.
    move_energy: Vec<Lanes>,
    spring_energy: Vec<Lanes>,
    loss: Vec<Lanes>,
    /// Per point: w√B.
    weights: Vec<Vec<Lanes>>,
    /// Row by row, one row per point.
    admittances: Vec<Admittance>,
}

/// What a newton at one point does at another, in m.
#[derive(Clone, Copy, Debug)]
struct Admittance {
    /// To the sample it acts on: Y.
    at_once: f64,
    /// To the free step after that: Z.
    later: f64,
}

impl Modal {
    /// Sample rate in Hz.
    pub fn new(spec: &ModalSpec, sample_rate: f64) -> Result<Self, ObjectError> {
        spec::check_count(spec.modes.len())?;
        spec::check_point_count(spec.points.len())?;
        for weights in &spec.points {
            let per_mode = |_| weights.len() == spec.modes.len();
            checked("number of weights at a point", weights.len() as f64, "one for each mode", per_mode)?;
            for &weight in weights {
                checked("weight", weight, "at most 1e6 either way", |v| v.abs() <= 1e6)?;
            }
        }
        let poles = spec.modes.iter().map(|mode| {
            let sigma = mode.decay.sigma(mode.frequency)?;
            Ok(Oscillator::new(mode.mass, mode.frequency, sigma, sample_rate)?.poles())
        });
        let poles = poles.collect::<Result<Vec<_>, _>>()?;
        for weights in &spec.points {
            let inverse_mass = spec.modes.iter().zip(weights).map(|(mode, weight)| weight * weight / mode.mass);
            limits::mass_at_point(inverse_mass.sum())?;
        }
        let coefficients = Coefficients::new(&poles, &spec.points);
        let state = State::at_rest(&poles, &coefficients.weights);
        let smooth = spec.modes.iter().all(|mode| mode.frequency <= SMOOTHEST * sample_rate);
        Ok(Self { coefficients, state, level: Level::new(), smooth })
    }

    /// Whether it moves smoothly from sample to sample.
    pub fn is_smooth(&self) -> bool {
        self.smooth
    }

    /// Number of points.
    #[inline]
    fn count(&self) -> usize {
        self.coefficients.weights.len()
    }

    #[inline]
    fn point(&self, support: &Support) -> usize {
        match *support {
            Support::Modes { point } if point < self.count() => point,
            // Supports are made by `support`, which gives no others.
            _ => 0,
        }
    }
}

impl Coefficients {
    fn new(poles: &[Poles], points: &[Vec<f64>]) -> Self {
        let scaled = |weights: &Vec<f64>| -> Vec<f64> {
            poles.iter().zip(weights).map(|(pole, weight)| pole.response.sqrt() * weight).collect()
        };
        let points: Vec<Vec<f64>> = points.iter().map(scaled).collect();
        // The product of the weights first: symmetric to the bit.
        let sum = |here: &[f64], there: &[f64], factor: &dyn Fn(&Poles) -> f64| -> f64 {
            poles.iter().zip(here).zip(there).map(|((pole, here), there)| factor(pole) * (here * there)).sum()
        };
        let admittance = |here: &[f64], there: &[f64]| Admittance {
            at_once: sum(here, there, &|_| 1.0),
            later: sum(here, there, &|pole| 1.0 + pole.carry),
        };
        Self {
            move_energy: lanes(poles.iter().map(|pole| pole.move_weight() / 8.0)),
            spring_energy: lanes(poles.iter().map(|pole| pole.restoring / 8.0)),
            loss: lanes(poles.iter().map(|pole| (1.0 - pole.persistence) / 4.0)),
            weights: points.iter().map(|weights| lanes(weights.iter().copied())).collect(),
            admittances: points
                .iter()
                .flat_map(|here| points.iter().map(move |there| admittance(here, there)))
                .collect(),
        }
    }
}

impl Modal {
    /// e of eight modes under the forces of the latest step or an earlier one.
    #[inline(always)]
    fn push_of<S: Simd>(&self, simd: S, steps_before: usize, index: usize) -> f64x8<S> {
        let slot = slot(self.state.clock, steps_before);
        let mut push = f64x8::splat(simd, 0.0);
        for (row, point) in self.coefficients.weights.iter().zip(&self.state.points) {
            let force = point.forces[slot];
            if force != 0.0 {
                push += load(simd, &row[index]) * force;
            }
        }
        push
    }

    /// What e has become in the move of the step after it.
    #[inline(always)]
    fn later<S: Simd>(&self, simd: S, push: f64x8<S>, index: usize) -> f64x8<S> {
        load(simd, &self.state.octets[index].carry) * push
    }

    #[inline(always)]
    fn stored<S: Simd>(&self, simd: S) -> f64 {
        let (c, s) = (&self.coefficients, &self.state);
        sum(simd, s.octets.len(), |index| {
            let octet = &s.octets[index];
            let (last_move, move_before) = (octet.last_move(s.clock), octet.last_move(s.clock ^ 1));
            let push = self.push_of(simd, 1, index);
            let (u, d) = if s.stepped {
                let moved = push + self.later(simd, self.push_of(simd, 2, index), index);
                let now = load(simd, &octet.displacement) - load(simd, last_move);
                (now + push, load(simd, move_before) + moved)
            } else {
                let moved = self.push_of(simd, 0, index) + self.later(simd, push, index);
                (load(simd, &octet.displacement) + (push + moved), load(simd, last_move) + moved)
            };
            let sum = u * 2.0 - d;
            load(simd, &c.move_energy[index]) * (d * d) + load(simd, &c.spring_energy[index]) * (sum * sum)
        })
    }

    #[inline(always)]
    fn dissipated<S: Simd>(&self, simd: S) -> f64 {
        let (c, s) = (&self.coefficients, &self.state);
        sum(simd, s.octets.len(), |index| {
            let octet = &s.octets[index];
            let (last_move, move_before) = (octet.last_move(s.clock), octet.last_move(s.clock ^ 1));
            let latest = self.push_of(simd, 0, index);
            let before = self.push_of(simd, 1, index);
            let earlier = self.push_of(simd, 2, index);
            let last = load(simd, move_before) + (before + self.later(simd, earlier, index));
            let next = load(simd, last_move) + (latest + self.later(simd, before, index));
            let moves = last + next;
            load(simd, &c.loss[index]) * (moves * moves)
        })
    }
}

impl Body for Modal {
    #[inline(always)]
    fn free_step<S: Simd>(&mut self, simd: S) {
        self.level = simd.level();
        self.state.stepped = true;
        self.state.step(simd, &self.coefficients);
    }

    #[inline]
    fn read(&self, support: &Support, at: At) -> f64 {
        let point = &self.state.points[self.point(support)];
        let steps_before = match at {
            At::Next => 0,
            At::Now => usize::from(self.state.stepped),
            At::Previous => 1 + usize::from(self.state.stepped),
        };
        point.displacements[slot(self.state.clock, steps_before)]
    }

    #[inline]
    fn push(&mut self, support: &Support, force: f64) {
        let (point, count) = (self.point(support), self.count());
        let State { points, pushed, clock, .. } = &mut self.state;
        let now = slot(*clock, 0);
        let row = &self.coefficients.admittances[point * count..][..count];
        pushed[now] |= 1 << point.min(LAST_BIT);
        points[point].forces[now] += force;
        for (point, admittance) in points.iter_mut().zip(row) {
            point.displacements[now] += admittance.at_once * force;
            point.ahead += admittance.later * force;
        }
    }

    #[inline]
    fn admittance(&self, here: &Support, there: &Support) -> f64 {
        self.coefficients.admittances[self.point(here) * self.count() + self.point(there)].at_once
    }

    fn dissipated_in_step(&self) -> f64 {
        dispatch!(self.level, simd => self.dissipated(simd))
    }

    #[inline]
    fn advance(&mut self) {
        self.state.stepped = false;
    }

    fn stored_energy(&self) -> f64 {
        dispatch!(self.level, simd => self.stored(simd))
    }

    fn support(&self, place: Place) -> Result<Support, ObjectError> {
        match place {
            Place::Point(point) if point < self.count() => Ok(Support::Modes { point }),
            _ => {
                let allowed = "one of its points, numbered from 0";
                Err(ObjectError::NoSuchPlace { place, kind: "modal object", allowed })
            }
        }
    }

    fn reset(&mut self) {
        let state = &mut self.state;
        for octet in &mut state.octets {
            (octet.displacement, octet.moves) = Default::default();
        }
        state.points.fill(Point::default());
        (state.pushed, state.clock, state.stepped) = Default::default();
    }

    fn dimensions(&self) -> [usize; 2] {
        [self.count(), 1]
    }

    fn kind(&self) -> &'static str {
        "modal object"
    }

    fn shape(&self, out: &mut [f64]) {
        out.iter_mut()
            .zip(0..self.count())
            .for_each(|(out, point)| *out = self.read(&Support::Modes { point }, At::Now));
    }

    fn quieten(&mut self) {
        for Octet { displacement, moves: [first, second], .. } in &mut self.state.octets {
            for lanes in [displacement, first, second] {
                lanes.0.iter_mut().for_each(|value| *value = quiet(*value));
            }
        }
    }
}
