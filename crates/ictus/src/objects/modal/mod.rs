//! A modal object: N oscillators side by side, seen through weights at P points.
//!
//! ```text
//! m_i utt_i = -m_i ω_i² u_i - 2 m_i σ_i ut_i + w_i(p) f(p),    η(p) = Σ_i w_i(p) u_i
//! ```
//!
//! Exact poles and energy per mode from [`super::poles`] (PHYSICS section 5); the balance of the object is the sum of theirs.
//!
//! One sample goes through the modes once, and that pass waits for no contact. It makes the free step and sums it at all
//! points, so that reading is a look-up. A push corrects the sums of this step through the table of admittances
//! `Y(p,q) = Σ w_i(p) B_i w_i(q)` and those of the next free step through `Z(p,q) = Σ w_i(p) (1+r_i-c_i) B_i w_i(q)`, and is
//! remembered as one number per point; the modes themselves feel it two passes later, as the move it has become by then. So
//! with e = B w f of a step, the arrays hold
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

use std::mem::take;

use fearless_simd::{Level, Simd, dispatch, f64x8, prelude::*};

use self::kernel::{Lanes, Pass, Scaled, complete, lanes, later, load, step, sum};
pub use self::spec::{ModalSpec, ModeSpec, free_bar_fundamental};
use super::poles::{Oscillator, Poles};
use super::{At, Body, ObjectError, Place, Support, checked, quiet};

/// A [`ModalSpec`] built for one sample rate.
#[derive(Clone, Debug)]
pub(crate) struct Modal {
    coefficients: Coefficients,
    state: State,
    /// The level of the last step; the account uses it too.
    level: Level,
}

#[derive(Clone, Debug)]
struct Coefficients {
    persistence: Vec<Lanes>,
    restoring: Vec<Lanes>,
    /// What multiplies d², (2u - d)² and s² in the energy and the loss; 0 in the padding.
    move_energy: Vec<Lanes>,
    spring_energy: Vec<Lanes>,
    loss: Vec<Lanes>,
    /// Per point: w, and Bw.
    weights: Vec<Vec<Lanes>>,
    responses: Vec<Vec<Lanes>>,
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

#[derive(Clone, Debug)]
struct State {
    /// The latest sample: u, or u⁺ between `free_step` and `advance`.
    displacement: Vec<Lanes>,
    /// The moves of the latest step and of the one before it, in turns.
    moves: [Vec<Lanes>; 2],
    /// Which of the two is the latest.
    latest: usize,
    points: Vec<Point>,
    /// Whether the latest sample is still the next one.
    stepped: bool,
}

/// Displacement of one point in m, and the forces on it in N; a cache line. The order keeps what moves together apart: written
/// singly and read back in pairs, it would stall the processor.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
struct Point {
    next: f64,
    force: f64,
    /// What the forces of this step add to the next free step.
    ahead: f64,
    now: f64,
    force_before: f64,
    previous: f64,
    force_earlier: f64,
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
        let coefficients = Coefficients::new(&poles.collect::<Result<Vec<_>, _>>()?, &spec.points);
        let state = State::at_rest(coefficients.persistence.len(), spec.points.len());
        Ok(Self { coefficients, state, level: Level::baseline() })
    }

    #[inline]
    fn point(&self, support: &Support) -> usize {
        match *support {
            Support::Modes { point } if point < self.state.points.len() => point,
            // Supports are made by `support`, which gives no others.
            _ => 0,
        }
    }
}

impl Coefficients {
    fn new(poles: &[Poles], points: &[Vec<f64>]) -> Self {
        let pairs = |weights: &Vec<f64>| -> Vec<Lanes> {
            lanes(poles.iter().zip(weights).map(|(pole, weight)| pole.response * weight))
        };
        // The product of the weights first: symmetric to the bit.
        let sum = |here: &[f64], there: &[f64], factor: &dyn Fn(&Poles) -> f64| -> f64 {
            let terms = poles.iter().zip(here).zip(there);
            terms.map(|((pole, here), there)| pole.response * factor(pole) * (here * there)).sum()
        };
        let admittance = |here: &[f64], there: &[f64]| Admittance {
            at_once: sum(here, there, &|_| 1.0),
            later: sum(here, there, &|pole| 1.0 + (pole.persistence - pole.restoring)),
        };
        Self {
            persistence: lanes(poles.iter().map(|pole| pole.persistence)),
            restoring: lanes(poles.iter().map(|pole| pole.restoring)),
            move_energy: lanes(poles.iter().map(|pole| pole.move_weight() / (8.0 * pole.response))),
            spring_energy: lanes(poles.iter().map(|pole| pole.restoring / (8.0 * pole.response))),
            loss: lanes(poles.iter().map(Poles::loss_weight)),
            weights: points.iter().map(|weights| lanes(weights.iter().copied())).collect(),
            responses: points.iter().map(pairs).collect(),
            admittances: points
                .iter()
                .flat_map(|here| points.iter().map(move |there| admittance(here, there)))
                .collect(),
        }
    }

    fn scaled(&self, point: usize, force: f64) -> Scaled<'_> {
        Scaled { row: &self.responses[point], by: force }
    }
}

impl State {
    fn at_rest(count: usize, points: usize) -> Self {
        Self {
            displacement: vec![Lanes::default(); count],
            moves: std::array::from_fn(|_| vec![Lanes::default(); count]),
            latest: 0,
            points: vec![Point::default(); points],
            stepped: false,
        }
    }

    /// The free step of all modes and its sums at all points.
    #[inline(always)]
    fn step<S: Simd>(&mut self, simd: S, coefficients: &Coefficients) {
        let mut active = [0; 2];
        let mut count = 0;
        for (index, point) in self.points.iter().enumerate() {
            if point.force_before != 0.0 {
                if count < 2 {
                    active[count] = index;
                }
                count += 1;
            }
        }
        if count > 2 {
            let rates = [&coefficients.persistence[..], &coefficients.restoring[..]];
            for (index, point) in self.points.iter_mut().enumerate().filter(|(_, point)| point.force_before != 0.0) {
                let force = coefficients.scaled(index, take(&mut point.force_before));
                complete(simd, force, rates, [&mut self.displacement, &mut self.moves[self.latest]]);
            }
            count = 0;
        }
        let force = |index: usize| coefficients.scaled(active[index], self.points[active[index]].force_before);
        match count {
            0 => self.step_with(simd, coefficients, []),
            1 => self.step_with(simd, coefficients, [force(0)]),
            _ => self.step_with(simd, coefficients, [force(0), force(1)]),
        }
        self.latest ^= 1;
    }

    #[inline(always)]
    fn step_with<S: Simd, const FORCES: usize>(
        &mut self,
        simd: S,
        coefficients: &Coefficients,
        forces: [Scaled<'_>; FORCES],
    ) {
        let [even, odd] = &mut self.moves;
        let (last_move, next_move) = if self.latest == 0 { (even, odd) } else { (odd, even) };
        let pass = Pass {
            persistence: &coefficients.persistence,
            restoring: &coefficients.restoring,
            displacement: &mut self.displacement,
            last_move,
            next_move,
        };
        let (points, rows) = (&mut self.points[..], &coefficients.weights[..]);
        match rows {
            [] => {}
            [a] => keep(points, step(simd, pass, forces, [a])),
            [a, b] => keep(points, step(simd, pass, forces, [a, b])),
            [a, b, c, others @ ..] => {
                keep(points, step(simd, pass, forces, [a, b, c]));
                let u = &self.displacement[..];
                for (row, point) in others.iter().zip(&mut points[3..]) {
                    let row = &row[..u.len()];
                    let sum = sum(simd, u.len(), |index| load(simd, &row[index]) * load(simd, &u[index]));
                    keep(std::slice::from_mut(point), [sum]);
                }
            }
        }
    }
}

/// Opens a new step at the first points, with these sums of the modes.
#[inline(always)]
fn keep<const POINTS: usize>(points: &mut [Point], sums: [f64; POINTS]) {
    for (point, sum) in points.iter_mut().zip(sums) {
        point.next = sum + take(&mut point.ahead);
        point.force_earlier = point.force_before;
        point.force_before = take(&mut point.force);
    }
}

impl Modal {
    /// e of eight modes under the forces of the latest step or an earlier one.
    #[inline(always)]
    fn push_of<S: Simd>(&self, simd: S, force: fn(&Point) -> f64, index: usize) -> f64x8<S> {
        let mut push = f64x8::splat(simd, 0.0);
        for (row, point) in self.coefficients.responses.iter().zip(&self.state.points) {
            let force = force(point);
            if force != 0.0 {
                push += load(simd, &row[index]) * force;
            }
        }
        push
    }

    /// What e has become in the move of the step after it.
    #[inline(always)]
    fn later<S: Simd>(&self, simd: S, push: f64x8<S>, index: usize) -> f64x8<S> {
        let c = &self.coefficients;
        later(load(simd, &c.persistence[index]), load(simd, &c.restoring[index]), push)
    }

    #[inline(always)]
    fn stored<S: Simd>(&self, simd: S) -> f64 {
        let (c, s) = (&self.coefficients, &self.state);
        let (last_move, move_before) = (&s.moves[s.latest], &s.moves[s.latest ^ 1]);
        sum(simd, s.displacement.len(), |index| {
            let push = self.push_of(simd, |point| point.force_before, index);
            let (u, d) = if s.stepped {
                let moved = push + self.later(simd, self.push_of(simd, |point| point.force_earlier, index), index);
                let now = load(simd, &s.displacement[index]) - load(simd, &last_move[index]);
                (now + push, load(simd, &move_before[index]) + moved)
            } else {
                let moved = self.push_of(simd, |point| point.force, index) + self.later(simd, push, index);
                (load(simd, &s.displacement[index]) + (push + moved), load(simd, &last_move[index]) + moved)
            };
            let sum = u * 2.0 - d;
            load(simd, &c.move_energy[index]) * (d * d) + load(simd, &c.spring_energy[index]) * (sum * sum)
        })
    }

    #[inline(always)]
    fn dissipated<S: Simd>(&self, simd: S) -> f64 {
        let (c, s) = (&self.coefficients, &self.state);
        let (last_move, move_before) = (&s.moves[s.latest], &s.moves[s.latest ^ 1]);
        sum(simd, s.displacement.len(), |index| {
            let latest = self.push_of(simd, |point| point.force, index);
            let before = self.push_of(simd, |point| point.force_before, index);
            let earlier = self.push_of(simd, |point| point.force_earlier, index);
            let last = load(simd, &move_before[index]) + (before + self.later(simd, earlier, index));
            let next = load(simd, &last_move[index]) + (latest + self.later(simd, before, index));
            let moves = last + next;
            load(simd, &c.loss[index]) * (moves * moves)
        })
    }
}

impl Body for Modal {
    fn free_step(&mut self, level: Level) {
        self.level = level;
        self.state.stepped = true;
        let (state, coefficients) = (&mut self.state, &self.coefficients);
        dispatch!(level, simd => state.step(simd, coefficients));
    }

    #[inline]
    fn read(&self, support: &Support, at: At) -> f64 {
        let point = &self.state.points[self.point(support)];
        match at {
            At::Previous => point.previous,
            At::Now => point.now,
            At::Next => point.next,
        }
    }

    #[inline]
    fn push(&mut self, support: &Support, force: f64) {
        let point = self.point(support);
        let points = &mut self.state.points[..];
        let row = &self.coefficients.admittances[point * points.len()..];
        points[point].force += force;
        for (point, admittance) in points.iter_mut().zip(row) {
            point.next += admittance.at_once * force;
            point.ahead += admittance.later * force;
        }
    }

    #[inline]
    fn admittance(&self, here: &Support, there: &Support) -> f64 {
        self.coefficients.admittances[self.point(here) * self.state.points.len() + self.point(there)].at_once
    }

    fn dissipated_in_step(&self) -> f64 {
        dispatch!(self.level, simd => self.dissipated(simd))
    }

    #[inline]
    fn advance(&mut self) {
        self.state.stepped = false;
        for point in &mut self.state.points {
            point.previous = point.now;
            point.now = point.next;
        }
    }

    fn stored_energy(&self) -> f64 {
        dispatch!(self.level, simd => self.stored(simd))
    }

    fn support(&self, place: Place) -> Result<Support, ObjectError> {
        match place {
            Place::Point(point) if point < self.state.points.len() => Ok(Support::Modes { point }),
            _ => {
                let allowed = "one of its points, numbered from 0";
                Err(ObjectError::NoSuchPlace { place, kind: "modal object", allowed })
            }
        }
    }

    fn reset(&mut self) {
        let state = &mut self.state;
        state.displacement.fill(Lanes::default());
        for moves in &mut state.moves {
            moves.fill(Lanes::default());
        }
        state.points.fill(Point::default());
        (state.latest, state.stepped) = (0, false);
    }

    fn dimensions(&self) -> [usize; 2] {
        [self.state.points.len(), 1]
    }

    fn kind(&self) -> &'static str {
        "modal object"
    }

    fn shape(&self, out: &mut [f64]) {
        out.iter_mut().zip(&self.state.points).for_each(|(out, point)| *out = point.now);
    }

    fn quieten(&mut self) {
        let State { displacement, moves: [first, second], .. } = &mut self.state;
        for lanes in displacement.iter_mut().chain(first).chain(second) {
            lanes.0.iter_mut().for_each(|value| *value = quiet(*value));
        }
    }
}
