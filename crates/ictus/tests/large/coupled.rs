//! Several modes that stretch each other, struck hard, beside their differential equations by an adaptive solver: random strings, membranes and plates.
//!
//! `V = ½ Σ_k ψ_k²`, `ψ_k = ½ qᵀ H_k q`, so `m_i q̈_i = -m_i ω_i² q_i - Σ_k ψ_k (H_k q)_i + φ_i f(t)`. Frequencies, masses and H are worked out here, from the modes on paper.

use std::f64::consts::PI;

use ictus::Model;
use ictus::control::Change;
use ictus::id::ForceId;
use ictus::model::{Force, ObjectSpec, Pickup, Point, Source};
use ictus::objects::{
    Amplitude, Loss, MembraneSpec, Outline, Place, PlateSpec, StringMass, StringPitch, StringSpec, SurfaceDensity,
    Tension,
};
use ode_solvers::{DVector, Dop853, OutputType, System};

use crate::common::Random;

/// Length in s of a stroke, and of what is compared.
const STROKE: f64 = 4e-3;
const SECONDS: f64 = 0.02;
/// Rate in Hz at which both are looked at.
const RATE: f64 = 48e3;

/// The equations.
struct Equations {
    /// ω_i in rad/s, m_i in kg, and how far mode i moves where it is struck and where it is heard.
    modes: Vec<Mode>,
    /// H_k, row by row.
    stretching: Vec<Vec<Vec<f64>>>,
    /// Largest force in N.
    force: f64,
}

struct Mode {
    angular: f64,
    mass: f64,
    struck: f64,
    heard: f64,
}

fn stroke(time: f64) -> f64 {
    if (0.0..STROKE).contains(&time) { (PI * time / STROKE).sin().powi(4) } else { 0.0 }
}

impl System<f64, DVector<f64>> for &Equations {
    fn system(&self, time: f64, y: &DVector<f64>, dy: &mut DVector<f64>) {
        let n = self.modes.len();
        for (i, mode) in self.modes.iter().enumerate() {
            dy[i] = y[n + i];
            dy[n + i] = mode.struck * self.force * stroke(time) / mode.mass - mode.angular * mode.angular * y[i];
        }
        for form in &self.stretching {
            let slopes: Vec<f64> = form.iter().map(|row| row.iter().zip(y.iter()).map(|(h, q)| h * q).sum()).collect();
            let root = 0.5 * slopes.iter().zip(y.iter()).map(|(slope, q)| slope * q).sum::<f64>();
            for (i, slope) in slopes.iter().enumerate() {
                dy[n + i] -= root * slope / self.modes[i].mass;
            }
        }
    }
}

impl Equations {
    /// Displacement in m at every sample of [`RATE`], within 1e-9.
    fn solved(&self) -> Vec<f64> {
        let start = DVector::zeros(2 * self.modes.len());
        let [safety, beta, least, most] = [0.9, 0.0, 0.333, 6.0];
        // The stroke must not be stepped over.
        let longest = 0.25 * STROKE;
        let mut solver = Dop853::from_param(
            self,
            0.0,
            SECONDS,
            1.0 / RATE,
            start,
            1e-9,
            1e-13,
            safety,
            beta,
            least,
            most,
            longest,
            0.0,
            u32::MAX,
            u32::MAX,
            OutputType::Dense,
        );
        solver.integrate().unwrap();
        let heard = |y: &DVector<f64>| self.modes.iter().zip(y.iter()).map(|(mode, q)| mode.heard * q).sum();
        solver.y_out().iter().map(heard).collect()
    }

    /// The same without stretching.
    fn not_stretched(&self) -> Vec<f64> {
        let modes = self.modes.iter().map(|mode| Mode { ..*mode }).collect();
        Equations { modes, stretching: vec![], force: self.force }.solved()
    }
}

/// The same by the engine at a multiple of [`RATE`].
fn by_engine(spec: &ObjectSpec, [at, heard]: [Place; 2], force: f64, times: usize) -> Vec<f64> {
    let rate = RATE * times as f64;
    let signal = Some((0..(STROKE * rate) as usize + 1).map(|n| stroke(n as f64 / rate)).collect());
    let mut engine = Model::new(rate)
        .with("it", spec.clone())
        .drive(Force { name: "stroke".into(), at: Point::on("it", at), level: force, signal })
        .listen(Pickup { source: Source::Displacement(Point::on("it", heard)), gains: vec![1.0] })
        .build()
        .unwrap();
    engine.keep_account_of_energy(true);
    engine.change(&Change::Trigger { force: ForceId::new(0) }).unwrap();
    let mut block = vec![0.0; (SECONDS * rate) as usize];
    engine.process(&mut block);
    assert!(engine.balance().residual() < 1e-12, "{:?}", engine.balance());
    block.into_iter().step_by(times).collect()
}

/// Root of the mean square of the difference over that of the second.
fn apart(one: &[f64], other: &[f64]) -> f64 {
    let squares = |(a, b): (&f64, &f64)| (a - b) * (a - b);
    let difference: f64 = one.iter().zip(other).map(squares).sum();
    let size: f64 = other.iter().take(one.len()).map(|b| b * b).sum();
    (difference / size).sqrt()
}

/// A body follows its equations, and four times as closely at twice the rate. Returns how far its sound is from that of small swings.
fn check(name: &str, spec: &ObjectSpec, places: [Place; 2], equations: &Equations, allowed: f64) -> f64 {
    let exact = equations.solved();
    let errors = [1, 2, 4].map(|times| apart(&by_engine(spec, places, equations.force, times), &exact));
    let stretched = apart(&equations.not_stretched(), &exact);
    println!("{name}, {} modes: {errors:?}; stretching makes {stretched:.2}", equations.modes.len());
    assert!(errors[0] < allowed, "{name}: {errors:?}");
    assert!(errors[1] < 0.3 * errors[0] + 1e-5 && errors[2] < 0.3 * errors[1] + 1e-5, "{name}: {errors:?}");
    stretched
}

#[test]
fn random_strings_follow_kirchhoff_and_carrier() {
    let mut random = Random::new(31);
    let mut matters = 0;
    for trial in 0..12 {
        let (length, radius) = (random.between(0.3, 1.5), random.decades(1e-4, 4e-4));
        let (pitch, density, modulus) =
            (random.decades(50.0, 300.0), random.of(&[7850.0, 1140.0]), random.decades(4e9, 2e11));
        let highest = pitch * random.between(3.0, 9.0);
        let area = PI * radius * radius;
        let (inertia, bending) = (density * area, modulus * area * radius * radius / 4.0);
        let wave = |mode: f64| mode * PI / length;
        let tension = inertia * (2.0 * PI * pitch / wave(1.0)).powi(2) - bending * wave(1.0).powi(2);
        if tension <= 0.0 {
            continue;
        }
        let angular = |mode: f64| wave(mode) * ((tension + bending * wave(mode).powi(2)) / inertia).sqrt();
        let count = (1..).take_while(|mode| angular(f64::from(*mode)) < 2.0 * PI * highest).count();
        let [at, heard] = [random.between(0.1, 0.5), random.between(0.1, 0.9)];
        let mode = |number: usize| {
            let number = number as f64;
            let shape = |place: f64| (number * PI * place).sin();
            Mode { angular: angular(number), mass: 0.5 * inertia * length, struck: shape(at), heard: shape(heard) }
        };
        // ψ = ½ √(EA/L) ∫u_x².
        let form = |row: usize, column: usize| {
            if row == column {
                (modulus * area / length).sqrt() * wave(row as f64 + 1.0).powi(2) * 0.5 * length
            } else {
                0.0
            }
        };
        let stretching = vec![(0..count).map(|row| (0..count).map(|column| form(row, column)).collect()).collect()];
        // So that some swing by many mm.
        let push = random.decades(4e-3, 3e-2) * inertia * length * (2.0 * PI * pitch).powi(2) / 4.0;
        let equations = Equations { modes: (1..=count).map(mode).collect(), stretching, force: push };
        let spec = StringSpec {
            length,
            radius,
            pitch: StringPitch::Fundamental(pitch),
            mass: StringMass::Density(density),
            youngs_modulus: modulus,
            loss: Loss::None,
            amplitude: Amplitude::Large,
            highest: Some(highest),
            ..StringSpec::default()
        };
        let places = [Place::Along(at), Place::Along(heard)];
        matters += usize::from(check(&format!("string {trial}"), &spec.into(), places, &equations, 0.02) > 0.05);
    }
    assert!(matters >= 4, "it mattered {matters} times");
}

/// Numbers of the modes of a rectangle on supports below a frequency, and how far they move.
struct Rectangle {
    sides: [f64; 2],
    numbers: Vec<[f64; 2]>,
    places: [[f64; 2]; 2],
}

impl Rectangle {
    fn squared(&self, [m, n]: [f64; 2]) -> f64 {
        (m * PI / self.sides[0]).powi(2) + (n * PI / self.sides[1]).powi(2)
    }

    fn modes(&self, surface_density: f64, angular: impl Fn(f64) -> f64) -> Vec<Mode> {
        let mode = |&numbers: &[f64; 2]| {
            let shape = |at: [f64; 2]| (numbers[0] * PI * at[0]).sin() * (numbers[1] * PI * at[1]).sin();
            Mode {
                angular: angular(self.squared(numbers)),
                mass: 0.25 * surface_density * self.sides[0] * self.sides[1],
                struck: shape(self.places[0]),
                heard: shape(self.places[1]),
            }
        };
        self.numbers.iter().map(mode).collect()
    }

    /// ψ = ½ √c ∫|∇w|².
    fn berger(&self, stiffness: f64) -> Vec<Vec<Vec<f64>>> {
        let area = self.sides[0] * self.sides[1];
        let form = |row: usize, column: usize| {
            if row == column { (stiffness / area).sqrt() * self.squared(self.numbers[row]) * 0.25 * area } else { 0.0 }
        };
        let count = self.numbers.len();
        vec![(0..count).map(|row| (0..count).map(|column| form(row, column)).collect()).collect()]
    }

    /// ψ_k = ½ √(EH) ∫[w, w] Ψ_k/ζ_k² for the lowest sines Ψ, [w, w] = 2 (w_xx w_yy - w_xy²), every integral by Simpson's rule.
    fn von_karman(&self, stiffness: f64, airy: usize) -> Vec<Vec<Vec<f64>>> {
        let [a, b] = self.sides;
        let mut stresses: Vec<[f64; 2]> =
            (1..20).flat_map(|p| (1..20).map(move |q| [f64::from(p), f64::from(q)])).collect();
        stresses.sort_by(|one, other| self.squared(*one).total_cmp(&self.squared(*other)));
        const PANELS: usize = 400;
        let integral = |of: &dyn Fn(f64) -> f64| {
            let at = |n: usize| of(n as f64 / (2 * PANELS) as f64 * PI);
            let panels = (0..PANELS).map(|panel| at(2 * panel) + 4.0 * at(2 * panel + 1) + at(2 * panel + 2));
            panels.sum::<f64>() / (6 * PANELS) as f64
        };
        let sines = |p: f64, m: f64, n: f64| integral(&|x| (p * x).sin() * (m * x).sin() * (n * x).sin());
        let cosines = |p: f64, m: f64, n: f64| integral(&|x| (p * x).sin() * (m * x).cos() * (n * x).cos());
        let form = |[p, q]: [f64; 2]| {
            let entry = |one: &[f64; 2], other: &[f64; 2]| {
                let (x, y) = (PI / a, PI / b);
                let bent = x * x * y * y * (one[0].powi(2) * other[1].powi(2) + one[1].powi(2) * other[0].powi(2));
                let twisted = 2.0 * x * x * y * y * one[0] * one[1] * other[0] * other[1];
                let bending = bent * sines(p, one[0], other[0]) * sines(q, one[1], other[1]);
                let twisting = twisted * cosines(p, one[0], other[0]) * cosines(q, one[1], other[1]);
                // Ψ = 2/√ab sin sin; ab of the integrals over the sides.
                stiffness.sqrt() * 2.0 * (a * b).sqrt() * (bending - twisting) / self.squared([p, q])
            };
            let rows = self.numbers.iter().map(|one| self.numbers.iter().map(|other| entry(one, other)).collect());
            rows.collect()
        };
        stresses.into_iter().take(airy).map(form).collect()
    }
}

fn rectangle(random: &mut Random, below: impl Fn(f64) -> bool) -> Rectangle {
    let sides = [random.between(0.25, 0.5), random.between(0.25, 0.5)];
    let place = |random: &mut Random| [random.between(0.15, 0.5), random.between(0.15, 0.85)];
    let places = [place(random), place(random)];
    let mut found = Rectangle { sides, numbers: vec![], places };
    for m in 1..40 {
        for n in 1..40 {
            let numbers = [f64::from(m), f64::from(n)];
            if below(found.squared(numbers)) {
                found.numbers.push(numbers);
            }
        }
    }
    found
}

fn places(of: &Rectangle) -> [Place; 2] {
    of.places.map(|[x, y]| Place::On(x, y))
}

#[test]
fn random_membranes_follow_berger() {
    let mut random = Random::new(32);
    let mut matters = 0;
    for trial in 0..8 {
        let (density, thickness) = (random.between(0.2, 0.5), random.decades(1e-4, 3e-4));
        let (modulus, ratio) = (random.decades(2e9, 8e9), random.between(0.2, 0.45));
        let (tension, highest) = (random.decades(500.0, 4000.0), random.between(200.0, 350.0));
        let angular = |squared: f64| (tension / density * squared).sqrt();
        let shape = rectangle(&mut random, |squared| angular(squared) < 2.0 * PI * highest);
        if shape.numbers.len() < 3 {
            continue;
        }
        let modes = shape.modes(density, angular);
        let push = random.decades(2e-3, 1e-2) * 4.0 * modes[0].mass * modes[0].angular.powi(2);
        let stretching = shape.berger(modulus * thickness / (1.0 - ratio * ratio));
        let equations = Equations { modes, stretching, force: push };
        let spec = MembraneSpec {
            outline: Outline::Rectangle(shape.sides),
            tension: Tension::NewtonsPerMetre(tension),
            surface_density: SurfaceDensity::Material { thickness, density: density / thickness },
            youngs_modulus: modulus,
            poissons_ratio: ratio,
            loss: Loss::None,
            amplitude: Amplitude::Large,
            highest: Some(highest),
            ..MembraneSpec::default()
        };
        let found = check(&format!("membrane {trial}"), &spec.into(), places(&shape), &equations, 0.02);
        matters += usize::from(found > 0.05);
    }
    assert!(matters >= 4, "it mattered {matters} times");
}

#[test]
fn random_plates_follow_berger_and_von_karman() {
    let mut random = Random::new(33);
    let mut matters = 0;
    for trial in 0..10 {
        let (thickness, ratio) = (random.decades(5e-4, 2e-3), random.between(0.2, 0.4));
        let (modulus, density) = (random.decades(5e10, 2e11), random.between(2500.0, 8900.0));
        let highest = random.between(250.0, 500.0) * thickness / 1e-3;
        let rigidity = modulus * thickness.powi(3) / (12.0 * (1.0 - ratio * ratio));
        let angular = |squared: f64| (rigidity / (density * thickness)).sqrt() * squared;
        let shape = rectangle(&mut random, |squared| angular(squared) < 2.0 * PI * highest);
        let count = shape.numbers.len();
        if count < 3 {
            continue;
        }
        let airy = 1 + random.below(count.min(8));
        let whole = trial % 2 == 0;
        let amplitude = if whole { Amplitude::Large } else { Amplitude::VonKarman { airy_modes: Some(airy) } };
        let stretching = if whole {
            shape.berger(modulus * thickness / (1.0 - ratio * ratio))
        } else {
            shape.von_karman(modulus * thickness, airy)
        };
        let modes = shape.modes(density * thickness, angular);
        let push = random.between(1.0, 5.0) * thickness * 4.0 * modes[0].mass * modes[0].angular.powi(2);
        let equations = Equations { modes, stretching, force: push };
        let spec = PlateSpec {
            outline: Outline::Rectangle(shape.sides),
            thickness,
            density,
            youngs_modulus: modulus,
            poissons_ratio: ratio,
            loss: Loss::None,
            amplitude,
            highest: Some(highest),
            ..PlateSpec::default()
        };
        let name = format!("plate {trial}, {}", if whole { "whole".to_owned() } else { format!("{airy} Airy modes") });
        matters += usize::from(check(&name, &spec.into(), places(&shape), &equations, 0.02) > 0.05);
    }
    assert!(matters >= 5, "it mattered {matters} times");
}
