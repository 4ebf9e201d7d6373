//! Bodies in a row and round a centre, several contacts at a time, against adaptive solvers that know nothing of the engine.

use crate::common;

use ictus::id::{ContactId, ObjectId};
use ictus::laws::HuntCrossley;
use ictus::model::{Interaction, ObjectSpec, Point};
use ictus::objects::{Decay, MassSpec, ModalSpec, ModeSpec, Place};
use ictus::{Engine, Model};
use ode_solvers::{DVector, Dop853, OutputType, System};
use serde::Deserialize;

use common::Random;

/// A row of free masses in SI units, the first of which flies at the others, with the final velocities by an adaptive solver.
#[derive(Clone, Deserialize)]
struct Chain {
    masses: Vec<f64>,
    exponent: f64,
    dissipation: f64,
    velocity: f64,
    stiffness: f64,
    /// Between all but the first two.
    gaps: Vec<f64>,
    seconds: f64,
    velocities: Vec<f64>,
}

/// What became of a network.
struct Outcome {
    velocities: Vec<f64>,
    /// In parts of the energy at the start.
    dissipated: f64,
    residual: f64,
    /// Largest pull of a contact, in N.
    pull: f64,
}

/// Runs a network and takes the velocity of each object over the last sample.
fn run(mut engine: Engine, points: &[Place], samples: usize) -> (Engine, Outcome) {
    engine.keep_account_of_energy(true);
    let place = |engine: &Engine| -> Vec<f64> {
        points
            .iter()
            .enumerate()
            .map(|(index, point)| engine.displacement(ObjectId::new(index), *point).unwrap())
            .collect()
    };
    let contacts = engine.interaction_names().len();
    let mut pull = 0.0_f64;
    for _ in 1..samples {
        engine.advance(1);
        pull = (0..contacts)
            .fold(pull, |pull, contact| pull.max(-engine.interaction_force(ContactId::new(contact)).unwrap()));
    }
    let before = place(&engine);
    engine.advance(1);
    let rate = engine.rate();
    let velocities = place(&engine).iter().zip(&before).map(|(now, before)| (now - before) * rate).collect();
    let balance = engine.balance();
    let dissipated = balance.dissipated / balance.initial;
    (engine, Outcome { velocities, dissipated, residual: balance.residual(), pull })
}

/// Largest error of a velocity, in parts of the largest.
fn error(outcome: &Outcome, truth: &[f64]) -> f64 {
    let largest = truth.iter().fold(0.0, |largest: f64, v| largest.max(v.abs()));
    outcome.velocities.iter().zip(truth).map(|(got, want)| (got - want).abs()).fold(0.0, f64::max) / largest
}

impl Chain {
    fn run(&self, rate: f64, phase: f64) -> Outcome {
        let law = HuntCrossley::new(self.stiffness, self.exponent, self.dissipation).unwrap();
        let mut model = Model::new(rate);
        for (index, &mass) in self.masses.iter().enumerate() {
            let velocity = if index == 0 { self.velocity } else { 0.0 };
            model = model.with(&index.to_string(), MassSpec { velocity, ..MassSpec::free(mass) });
        }
        for index in 1..self.masses.len() {
            let (from, to) = (Point::of(&(index - 1).to_string()), Point::of(&index.to_string()));
            // The first flies for two to three samples.
            let gap = if index == 1 { (2.0 + phase) * self.velocity / rate } else { self.gaps[index - 2] };
            model = model.join(Interaction { gap, ..Interaction::new(&format!("contact {index}"), from, to, law) });
        }
        let points = vec![Place::Whole; self.masses.len()];
        let (engine, mut outcome) = run(model.build().unwrap(), &points, (self.seconds * rate) as usize);
        // A displacement that has grown rounds every step alike; the energy knows the speed to the last digit.
        for (index, (velocity, mass)) in outcome.velocities.iter_mut().zip(&self.masses).enumerate() {
            *velocity = (2.0 * engine.object_energy(ObjectId::new(index)).unwrap() / mass).sqrt().copysign(*velocity);
        }
        outcome
    }

    /// Momentum after the blow over that before it, less 1.
    fn momentum_made(&self, outcome: &Outcome) -> f64 {
        let momentum: f64 = outcome.velocities.iter().zip(&self.masses).map(|(v, m)| v * m).sum();
        momentum / (self.masses[0] * self.velocity) - 1.0
    }

    fn hold(&self, outcome: &Outcome, what: &str) {
        assert!(outcome.residual < 1e-12, "{what}: residual {:e}", outcome.residual);
        assert!(self.momentum_made(outcome).abs() < 1e-12, "{what}: momentum {:e}", self.momentum_made(outcome));
        assert!(outcome.pull <= 0.0, "{what}: pulls {} N", outcome.pull);
        if self.dissipation == 0.0 {
            assert!(outcome.dissipated.abs() < 1e-12, "{what}: {:e} dissipated", outcome.dissipated);
        }
    }
}

fn reference() -> Vec<Chain> {
    serde_json::from_str(include_str!("data/chains.json")).unwrap()
}

/// The value below which a share of the others lies.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() as f64 * share) as usize).min(values.len() - 1)]
}

#[test]
fn chains_of_masses_leave_as_an_adaptive_solver_says() {
    let errors = |rate: f64| -> Vec<f64> {
        let mut errors = Vec::new();
        for (index, chain) in reference().iter().enumerate() {
            for phase in [0.0, 0.25, 0.5, 0.75] {
                let outcome = chain.run(rate, phase);
                chain.hold(&outcome, &format!("chain {index} at {rate} Hz"));
                errors.push(error(&outcome, &chain.velocities));
            }
        }
        errors
    };
    let (mut coarse, mut fine) = (errors(48_000.0), errors(192_000.0));
    let (coarse, fine) =
        ([0.5, 0.95, 1.0].map(|q| quantile(&mut coarse, q)), [0.5, 0.95, 1.0].map(|q| quantile(&mut fine, q)));
    println!("48 kHz: median, p95, max {coarse:.6?}; 192 kHz: {fine:.6?}");
    assert!(coarse[0] < 3e-4 && coarse[1] < 4e-3 && coarse[2] < 1e-2, "{coarse:?}");
    // Second order or better: four times the rate, a sixteenth of the error.
    let gains: Vec<f64> = coarse.iter().zip(&fine).map(|(coarse, fine)| coarse / fine).collect();
    assert!(gains.iter().all(|gain| *gain > 10.0), "{coarse:?}, {fine:?}");
}

/// The chains this engine was first found wrong with: a light or an equal mass onto two that touch, or nearly.
#[test]
fn a_mass_thrown_at_two_that_touch_passes_its_energy_on() {
    let chain = |grams: [f64; 3], stiffness: f64, dissipation: f64, gap: f64| Chain {
        masses: grams.map(|mass| 1e-3 * mass).to_vec(),
        exponent: 1.5,
        dissipation,
        velocity: 1.0,
        stiffness,
        gaps: vec![gap],
        seconds: 0.05,
        velocities: Vec::new(),
    };
    let soft = [
        (chain([1.0, 10.0, 10.0], 1e6, 0.0, 0.0), [-0.8197, 0.0009, 0.1811]),
        (chain([1.0, 10.0, 10.0], 1e6, 0.0, 1e-5), [-0.8188, 0.0003, 0.1815]),
        (chain([1.0, 10.0, 10.0], 1e6, 0.5, 0.0), [-0.5916, 0.0047, 0.1544]),
    ];
    for (chain, truth) in soft {
        for rate in [44_100.0, 96_000.0, 705_600.0] {
            let outcome = chain.run(rate, 0.3);
            chain.hold(&outcome, &format!("{rate} Hz"));
            assert!(error(&outcome, &truth) < 2e-4, "{:?} at {rate} Hz, expected {truth:?}", outcome.velocities);
        }
    }
    // Contacts of two samples at 44.1 kHz: right where they are resolved, and sound where they are not.
    let hard = [
        (chain([10.0, 10.0, 10.0], 1e10, 0.5, 0.0), [-0.0039, 0.1912, 0.8126]),
        (chain([10.0, 1.0, 10.0], 1e10, 0.5, 0.0), [0.0532, 0.4786, 0.8990]),
        (chain([10.0, 5.0, 20.0], 1e10, 0.5, 1e-5), [-0.1420, 0.4051, 0.4697]),
    ];
    for (chain, truth) in hard {
        chain.hold(&chain.run(44_100.0, 0.3), "hard");
        let outcome = chain.run(705_600.0, 0.3);
        chain.hold(&outcome, "hard at 705.6 kHz");
        assert!(error(&outcome, &truth) < 1e-2, "{:?}, expected {truth:?}", outcome.velocities);
    }
}

/// One body as modes at one point: mass (kg), angular frequency (rad/s) and weight of each. A free mass is one mode of frequency 0.
type Body = Vec<[f64; 3]>;

/// A network of bodies at rest, the first of which flies at the second. Its own equations of motion, for the adaptive solver.
#[derive(Clone)]
struct Network {
    bodies: Vec<Body>,
    /// From, to, gap.
    contacts: Vec<(usize, usize, f64)>,
    stiffness: f64,
    exponent: f64,
    dissipation: f64,
    velocity: f64,
    /// Time in s after which the solver stops as soon as nothing touches.
    open_after: f64,
}

impl Network {
    /// Where the state of a body begins: displacements and velocities of its modes in turns.
    fn offset(&self, body: usize) -> usize {
        2 * self.bodies[..body].iter().map(Vec::len).sum::<usize>()
    }

    fn point(&self, body: usize, y: &DVector<f64>) -> [f64; 2] {
        let offset = self.offset(body);
        let modes = self.bodies[body].iter().enumerate();
        modes.fold([0.0; 2], |[u, v], (i, mode)| [u + mode[2] * y[offset + 2 * i], v + mode[2] * y[offset + 2 * i + 1]])
    }

    /// The first sample after some time (s) at which nothing touches, and the velocities of all points half a sample before it, by the
    /// adaptive solver. While something touches, a velocity says more of the time than of the blow.
    fn truth(&self, rate: f64, after: f64) -> (usize, Vec<f64>) {
        let mut start = DVector::zeros(self.offset(self.bodies.len()));
        start[1] = self.velocity;
        let (parted, state) = Self { open_after: after, ..self.clone() }.integrated(0.0, start, 10.0 * after);
        let samples = (parted * rate).ceil() + 1.0;
        let (_, state) =
            Self { open_after: f64::MAX, ..self.clone() }.integrated(parted, state, (samples - 0.5) / rate);
        (samples as usize, (0..self.bodies.len()).map(|body| self.point(body, &state)[1]).collect())
    }

    /// Time and state at the end, or where all has opened.
    fn integrated(self, from: f64, start: DVector<f64>, end: f64) -> (f64, DVector<f64>) {
        // Never past a whole contact unseen.
        let longest = 1e-5;
        let (first, most) = (0.0, 10_000_000);
        let mut solver = Dop853::from_param(
            self,
            from,
            end,
            end,
            start,
            1e-9,
            1e-15,
            0.9,
            0.0,
            0.333,
            6.0,
            longest,
            first,
            most,
            1_000_000,
            OutputType::Sparse,
        );
        solver.integrate().unwrap();
        (*solver.x_out().last().unwrap(), solver.y_out().last().unwrap().clone())
    }

    fn run(&self, rate: f64, samples: usize) -> Outcome {
        let law = HuntCrossley::new(self.stiffness, self.exponent, self.dissipation).unwrap();
        let mut model = Model::new(rate);
        let mut points = Vec::new();
        for (index, body) in self.bodies.iter().enumerate() {
            let velocity = if index == 0 { self.velocity } else { 0.0 };
            let (spec, point): (ObjectSpec, Place) = match body[..] {
                [[mass, omega, 1.0]] => {
                    let frequency = omega / std::f64::consts::TAU;
                    let mass = MassSpec { velocity, ..MassSpec::oscillator(mass, frequency, Decay::None) };
                    (mass.into(), Place::Whole)
                }
                _ => {
                    let mode = |[mass, omega, _]: &[f64; 3]| ModeSpec {
                        frequency: omega / std::f64::consts::TAU,
                        decay: Decay::None,
                        mass: *mass,
                    };
                    let weights = body.iter().map(|mode| mode[2]).collect();
                    (
                        ModalSpec { modes: body.iter().map(mode).collect(), points: vec![weights] }.into(),
                        Place::Point(0),
                    )
                }
            };
            model = model.with(&index.to_string(), spec);
            points.push(point);
        }
        for (index, &(from, to, gap)) in self.contacts.iter().enumerate() {
            let end = |body: usize| Point::on(&body.to_string(), points[body]);
            let contact = Interaction::new(&format!("contact {index}"), end(from), end(to), law);
            model = model.join(Interaction { gap, ..contact });
        }
        run(model.build().unwrap(), &points, samples).1
    }
}

impl System<f64, DVector<f64>> for Network {
    fn solout(&mut self, time: f64, y: &DVector<f64>, _: &DVector<f64>) -> bool {
        let open = |&(from, to, gap): &(usize, usize, f64)| self.point(from, y)[0] - self.point(to, y)[0] - gap < 0.0;
        time > self.open_after && self.contacts.iter().all(open)
    }

    fn system(&self, _: f64, y: &DVector<f64>, dy: &mut DVector<f64>) {
        let mut forces = vec![0.0; self.bodies.len()];
        for &(from, to, gap) in &self.contacts {
            let ([below, v_below], [above, v_above]) = (self.point(from, y), self.point(to, y));
            let depth = (below - above - gap).max(0.0);
            let force = self.stiffness * depth.powf(self.exponent) * (1.0 + self.dissipation * (v_below - v_above));
            // A contact does not pull.
            let force = if depth > 0.0 { force.max(0.0) } else { 0.0 };
            forces[from] -= force;
            forces[to] += force;
        }
        for (body, modes) in self.bodies.iter().enumerate() {
            let offset = self.offset(body);
            for (i, [mass, omega, weight]) in modes.iter().enumerate() {
                dy[offset + 2 * i] = y[offset + 2 * i + 1];
                dy[offset + 2 * i + 1] = weight * forces[body] / mass - omega * omega * y[offset + 2 * i];
            }
        }
    }
}

/// One of so many; by parts of 1, as the networks were drawn that the bars below were measured on.
fn choice(random: &mut Random, count: usize) -> usize {
    (random.unit() * count as f64) as usize
}

/// A random chain or star of three to six bodies whose shortest contact lasts so many samples at a rate, and the time in s its first blows take.
fn network(random: &mut Random, rate: f64, length: f64) -> (Network, f64) {
    let count = 3 + choice(random, 4);
    let body = |random: &mut Random, index: usize| -> Body {
        let mass = random.decades(1e-3, 3e-2);
        let kind = if index == 0 { 0 } else { choice(random, 4) };
        match kind {
            0 | 1 => vec![[mass, 0.0, 1.0]],
            2 => vec![[mass, std::f64::consts::TAU * random.decades(20.0, 1000.0), 1.0]],
            // The first mode carries the body; a modal object has no mode of frequency 0 here, and moves as a whole slowly.
            _ => (0..2 + choice(random, 3))
                .map(|mode| {
                    let frequency = if mode == 0 { 5.0 } else { random.decades(200.0, 3000.0) };
                    let weight = if mode == 0 { 1.0 } else { random.between(0.3, 0.7) };
                    [mass, std::f64::consts::TAU * frequency, weight]
                })
                .collect(),
        }
    };
    let bodies: Vec<Body> = (0..count).map(|index| body(random, index)).collect();
    let star = choice(random, 2) == 0;
    let velocity = random.decades(0.3, 3.0);
    let mut contacts = vec![(0, 1, (2.0 + random.unit()) * velocity / rate)];
    for index in 2..count {
        let gap = if choice(random, 2) == 0 { 0.0 } else { random.decades(1e-6, 3e-5) };
        contacts.push((if star { 1 } else { index - 1 }, index, gap));
    }
    let exponent = [1.0, 1.5, 2.0, 2.5, 3.0, random.between(1.0, 3.0)][choice(random, 6)];
    let dissipation = if choice(random, 2) == 0 { 0.0 } else { random.decades(0.05, 1.0) };
    // The lightest two make the shortest contact, at the speed of the blow.
    let mobility = |body: &Body| body.iter().map(|[mass, _, weight]| weight * weight / mass).sum::<f64>();
    let lightest =
        contacts.iter().map(|&(a, b, _)| 1.0 / (mobility(&bodies[a]) + mobility(&bodies[b]))).fold(f64::MAX, f64::min);
    let unit =
        ictus::impact::exact::WallImpact { mass: lightest, stiffness: 1.0, exponent, dissipation: 0.0, velocity };
    let stiffness = (unit.contact_time() * rate / length).powf(exponent + 1.0);
    let network = Network { bodies, contacts, stiffness, exponent, dissipation, velocity, open_after: 0.0 };
    (network, (6.0 * length + 20.0) / rate)
}

/// Errors of 300 random networks, contacts from `shortest` to five times as long; at the rate given and at four times that.
fn random_errors(seed: u64, count: usize, lengths: [f64; 2]) -> [Vec<f64>; 2] {
    let rate = 48_000.0;
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            std::thread::spawn(move || {
                let mut errors = [Vec::new(), Vec::new()];
                for index in (thread..count).step_by(4) {
                    let mut random = Random::new(seed * 1_000_003 + index as u64);
                    let length = random.decades(lengths[0], lengths[1]);
                    let (network, seconds) = network(&mut random, rate, length);
                    for (errors, rate) in errors.iter_mut().zip([rate, 4.0 * rate]) {
                        let (samples, truth) = network.truth(rate, seconds);
                        let outcome = network.run(rate, samples);
                        assert!(outcome.residual < 1e-12, "network {index}: residual {:e}", outcome.residual);
                        assert!(outcome.pull <= 0.0, "network {index}: pulls {} N", outcome.pull);
                        let lossless = network.dissipation == 0.0;
                        assert!(!lossless || outcome.dissipated.abs() < 1e-12, "{:e} dissipated", outcome.dissipated);
                        errors.push(error(&outcome, &truth));
                    }
                }
                errors
            })
        })
        .collect();
    let mut all = [Vec::new(), Vec::new()];
    for thread in threads {
        for (all, errors) in all.iter_mut().zip(thread.join().unwrap()) {
            all.extend(errors);
        }
    }
    all
}

#[test]
fn random_chains_and_stars_follow_the_adaptive_solver_and_converge_to_it() {
    let [mut coarse, mut fine] = random_errors(1, 300, [12.0, 60.0]);
    let (coarse, fine) =
        ([0.5, 0.95, 1.0].map(|q| quantile(&mut coarse, q)), [0.5, 0.95, 1.0].map(|q| quantile(&mut fine, q)));
    println!("48 kHz: median, p95, max {coarse:.6?}; 192 kHz: {fine:.6?}");
    assert!(coarse[1] < 0.01 && coarse[2] < 0.04, "{coarse:?}");
    let gains = [coarse[0] / fine[0], coarse[1] / fine[1]];
    assert!(gains.iter().all(|gain| *gain > 10.0), "{coarse:?}, {fine:?}");
}

/// Contacts of one to twelve samples cannot be right; they are finite, do not pull and lose nothing without resistance.
#[test]
fn random_hard_chains_and_stars_keep_their_energy() {
    let [mut coarse, mut fine] = random_errors(2, 300, [1.0, 12.0]);
    let (coarse, fine) = ([0.5, 0.95].map(|q| quantile(&mut coarse, q)), [0.5, 0.95].map(|q| quantile(&mut fine, q)));
    println!("48 kHz: median, p95 {coarse:.5?}; 192 kHz: {fine:.5?}");
    assert!(coarse[0] < 0.05 && fine[0] < coarse[0] / 4.0, "{coarse:?}, {fine:?}");
}
