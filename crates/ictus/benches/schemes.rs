//! What a step costs: every scheme in contact and in flight, every law, the closed results.
//!
//! Run with `cargo bench -p ictus --bench schemes`. Each measurement is of a thousand steps or evaluations, so that its
//! microseconds are nanoseconds per step.

use divan::{Bencher, black_box};
use ictus::impact::exact::{WallImpact, output_velocity};
use ictus::impact::{Problem, SCHEMES, Settings, Stepper, scheme};
use ictus::laws::{
    BowFriction, CentreLimited, ContactLaw, HuntCrossley, Law, LinearCubicSpring, OddPower, OneSidedPower, StulovFelt,
};

/// Steps or evaluations in one measurement.
const REPEATS: usize = 1000;
/// Hertz's exponent: powers are products and square roots.
const HERTZ: f64 = 1.5;
/// Any other exponent: powers are `pow`.
const GENERAL: f64 = 2.3;

fn main() {
    divan::main();
}

/// A soft wall: 10 g at 1 m/s stay inside for more than two thousand samples.
fn soft_wall(exponent: f64, displacement: f64) -> Problem {
    Problem {
        mass: 1e-2,
        law: HuntCrossley::new(40.0, exponent, 0.1).unwrap().into(),
        acceleration: 0.0,
        displacement,
        velocity: 1.0,
        rate: 44_100.0,
    }
}

fn scheme_names() -> impl Iterator<Item = &'static str> {
    SCHEMES.iter().map(|scheme| scheme.name)
}

/// Schemes that take any exponent.
fn general_names() -> impl Iterator<Item = &'static str> {
    scheme_names().filter(|name| !name.ends_with("-exact"))
}

/// Takes a thousand steps from a fresh start each time.
fn steps(bencher: Bencher, name: &str, problem: Problem) {
    let start = || (scheme(name).unwrap().start)(&problem, &Settings::default()).unwrap();
    let mut check = start();
    let inside = (0..REPEATS).filter(|_| check.step().is_ok() && check.sample().displacement > 0.0).count();
    assert_eq!(inside, if problem.displacement < 0.0 { 0 } else { REPEATS }, "{name} stays where it is measured");
    bencher.with_inputs(start).bench_local_refs(|stepper: &mut Box<dyn Stepper>| {
        for _ in 0..REPEATS {
            let _ = black_box(stepper.step());
        }
        stepper.sample()
    });
}

/// Inside the wall, α = 3/2 (1 for the schemes that need a linear wall).
#[divan::bench(args = scheme_names())]
fn contact(bencher: Bencher, name: &str) {
    let exponent = if name.ends_with("-exact") { 1.0 } else { HERTZ };
    steps(bencher, name, soft_wall(exponent, 0.0));
}

/// Inside the wall, α = 2.3.
#[divan::bench(args = general_names())]
fn contact_general_power(bencher: Bencher, name: &str) {
    steps(bencher, name, soft_wall(GENERAL, 0.0));
}

/// Far from the wall.
#[divan::bench(args = scheme_names())]
fn flight(bencher: Bencher, name: &str) {
    let exponent = if name.ends_with("-exact") { 1.0 } else { HERTZ };
    steps(bencher, name, soft_wall(exponent, -1.0));
}

const LAW_NAMES: [&str; 10] = [
    "one-sided-power, α = 3/2",
    "one-sided-power, α = 2.3",
    "hunt-crossley, α = 1",
    "hunt-crossley, α = 3/2",
    "hunt-crossley, α = 2.3",
    "odd-power, α = 3",
    "centre-limited, α = 3/2",
    "centre-limited, α = 2.3",
    "linear-cubic-spring",
    "bow-friction",
];

fn law(name: &str) -> Law {
    match name {
        "one-sided-power, α = 3/2" => OneSidedPower::new(1e6, HERTZ, 0.0).unwrap().into(),
        "one-sided-power, α = 2.3" => OneSidedPower::new(1e6, GENERAL, 0.0).unwrap().into(),
        "hunt-crossley, α = 1" => HuntCrossley::new(1e6, 1.0, 0.5).unwrap().into(),
        "hunt-crossley, α = 3/2" => HuntCrossley::new(1e6, HERTZ, 0.5).unwrap().into(),
        "hunt-crossley, α = 2.3" => HuntCrossley::new(1e6, GENERAL, 0.5).unwrap().into(),
        "odd-power, α = 3" => OddPower::new(1e6, 3.0).unwrap().into(),
        "centre-limited, α = 3/2" => CentreLimited::new(1e6, HERTZ, 0.0).unwrap().into(),
        "centre-limited, α = 2.3" => CentreLimited::new(1e6, GENERAL, 0.0).unwrap().into(),
        "linear-cubic-spring" => LinearCubicSpring::new(1e4, 1e9).unwrap().into(),
        _ => BowFriction::new(1.0, 100.0).unwrap().into(),
    }
}

/// Calls `evaluate` with a thousand compressions up to 1 mm.
fn evaluations(bencher: Bencher, evaluate: impl Fn(f64) -> f64) {
    let compressions: Vec<f64> = (1..=REPEATS).map(|n| 1e-6 * n as f64).collect();
    bencher.bench_local(|| black_box(&compressions).iter().map(|compression| evaluate(*compression)).sum::<f64>());
}

/// φ' and R: what one-step schemes ask for.
#[divan::bench(args = LAW_NAMES)]
fn law_force(bencher: Bencher, name: &str) {
    let law = law(name);
    evaluations(bencher, |x| law.force(x) + law.resistance(x, 0.1));
}

/// ψ' and R in one evaluation: what the published ψ rules ask for, once a step.
#[divan::bench(args = LAW_NAMES)]
fn law_root_slope(bencher: Bencher, name: &str) {
    let law = law(name);
    evaluations(bencher, |x| {
        let (slope, resistance) = law.root_slope_and_resistance(x, 0.1);
        slope + resistance
    });
}

/// ψ and R in one evaluation: what the secant rule asks for besides.
#[divan::bench(args = LAW_NAMES)]
fn law_root(bencher: Bencher, name: &str) {
    let law = law(name);
    evaluations(bencher, |x| {
        let (root, resistance) = law.root_and_resistance(x, 0.1);
        root + resistance
    });
}

/// One step of a felt with its memory.
#[divan::bench(args = [HERTZ, GENERAL])]
fn stulov_felt(bencher: Bencher, exponent: f64) {
    let felt = StulovFelt::new(1e6, exponent, 0.5, 1e-3).unwrap().relaxed(1.0 / 44_100.0).unwrap();
    let compressions: Vec<f64> = (1..=REPEATS).map(|n| 1e-6 * n as f64).collect();
    bencher.with_inputs(|| felt).bench_local_refs(|felt| {
        black_box(&compressions).iter().map(|compression| felt.step(*compression)).sum::<f64>()
    });
}

/// The closed output velocity, a thousand times: once per impact in the secant rule.
#[divan::bench(args = [0.01, 0.5, 5.0])]
fn closed_output_velocity(bencher: Bencher, dissipation: f64) {
    evaluations(bencher, |x| output_velocity(dissipation, 1.0 + x));
}

/// The closed contact time, once.
#[divan::bench(args = [0.0, 0.5])]
fn closed_contact_time_once(bencher: Bencher, dissipation: f64) {
    let impact = WallImpact { mass: 1e-2, stiffness: 1e9, exponent: HERTZ, dissipation, velocity: 1.0 };
    bencher.bench_local(|| black_box(&impact).contact_time());
}
