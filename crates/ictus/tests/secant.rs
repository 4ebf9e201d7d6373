//! The bars of the secant rule, held on the 200 reference impacts and on contacts far shorter than a sample.

use ictus::impact::{Problem, Run, Settings, run, scheme};
use ictus::laws::HuntCrossley;
use serde_json::Value;

const RATE: f64 = 44_100.0;

struct Case {
    problem: Problem,
    max_compression: f64,
    output_velocity: f64,
    contact_time: f64,
}

/// The reference impacts, each started 2 to 3 samples before the wall at eight phases of a fixed random sequence.
fn cases() -> Vec<Case> {
    let text = include_str!("data/impacts.json");
    let impacts: Vec<Value> = serde_json::from_str(text).unwrap();
    let mut seed = 1u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut cases = Vec::new();
    for impact in &impacts {
        let of = |key: &str| impact[key].as_f64().unwrap();
        for _ in 0..8 {
            let law = HuntCrossley::new(of("stiffness"), of("exponent"), of("dissipation")).unwrap();
            cases.push(Case {
                problem: Problem {
                    mass: of("mass"),
                    law: law.into(),
                    acceleration: 0.0,
                    displacement: -(2.0 + random()) * of("velocity") / RATE,
                    velocity: of("velocity"),
                    rate: RATE,
                },
                max_compression: of("max_compression"),
                output_velocity: of("output_velocity"),
                contact_time: of("contact_time"),
            });
        }
    }
    assert_eq!(cases.len(), 1600);
    cases
}

fn run_case(name: &str, case: &Case) -> Run {
    let samples = (case.contact_time * RATE * 1.3) as usize + 20;
    run(scheme(name).unwrap(), &case.problem, &Settings::default(), samples)
}

/// Sorted relative errors of a quantity over some cases.
fn errors<'a>(
    runs: impl Iterator<Item = &'a (Case, Run)>,
    of: impl Fn(&Run) -> f64,
    truth: impl Fn(&Case) -> f64,
) -> Vec<f64> {
    let mut errors: Vec<f64> = runs.map(|(case, run)| (of(run) / truth(case) - 1.0).abs()).collect();
    errors.sort_by(f64::total_cmp);
    errors
}

fn p95(sorted: &[f64]) -> f64 {
    sorted[sorted.len() * 95 / 100]
}

fn max(sorted: &[f64]) -> f64 {
    sorted[sorted.len() - 1]
}

fn runs(name: &str) -> Vec<(Case, Run)> {
    cases()
        .into_iter()
        .map(|case| {
            let run = run_case(name, &case);
            (case, run)
        })
        .collect()
}

fn damped(runs: &[(Case, Run)]) -> impl Iterator<Item = &(Case, Run)> {
    runs.iter().filter(|(case, _)| case.output_velocity != -case.problem.velocity)
}

#[test]
fn the_secant_rule_holds_its_bars_on_the_reference_impacts() {
    let runs = runs("secant");
    let rebound = errors(runs.iter(), |run| run.output_velocity.unwrap(), |case| case.output_velocity);
    assert!(max(&rebound) <= 1e-10, "rebound {:e}", max(&rebound));
    let time = errors(runs.iter(), |run| run.contact_time.unwrap(), |case| case.contact_time);
    // Promised: 95 % of the contact times within 1.5 %, all within 3.5 %.
    assert!(p95(&time) <= 0.015 && max(&time) <= 0.035, "contact time {} {}", p95(&time), max(&time));
    let depth = errors(runs.iter(), |run| run.max_compression, |case| case.max_compression);
    // Promised: 95 % of the compressions within 2.5 %. What is left is the sampling: the deepest sample need not be the deepest point.
    assert!(p95(&depth) <= 0.025, "compression {}", p95(&depth));
    for (case, run) in &runs {
        assert_eq!(run.pull, 0.0, "{:?}", case.problem);
        assert_eq!(run.trapped_energy, 0.0, "{:?}", case.problem);
        assert!(run.energy_residual.unwrap() <= 1e-12, "{:?}", case.problem);
    }
}

#[test]
fn without_the_release_a_damped_rebound_is_still_close() {
    let runs = runs("secant-plain");
    let rebound = errors(damped(&runs), |run| run.output_velocity.unwrap(), |case| case.output_velocity);
    assert!(p95(&rebound) <= 0.004 && max(&rebound) <= 0.04, "{} {}", p95(&rebound), max(&rebound));
    assert!(runs.iter().all(|(_, run)| run.pull == 0.0 && run.energy_residual.unwrap() <= 1e-12));
}

/// Without the closed forms, contacts of few samples are off by a lot, and the energy test does not see it.
#[test]
fn published_rules_are_further_off_by_a_factor_of_ten() {
    let rebound = |name: &str| {
        let runs = runs(name);
        p95(&errors(damped(&runs), |run| run.output_velocity.unwrap(), |case| case.output_velocity))
    };
    let ours = rebound("secant-plain");
    for name in ["psi", "psi-release", "psi-nonadhesive"] {
        assert!(rebound(name) > 10.0 * ours, "{name}: {} against {ours}", rebound(name));
    }
}

/// P09's case (b) from soft to a contact of 0.06 samples, at 64 phases each: exact to 1e-10.
#[test]
fn the_rebound_stays_exact_however_hard_the_contact() {
    for decade in 8..=14 {
        let law = HuntCrossley::new(10f64.powi(decade), 1.5, 0.5).unwrap();
        for phase in 0..64 {
            let problem = Problem {
                mass: 1e-2,
                law: law.into(),
                acceleration: 0.0,
                displacement: -(2.0 + f64::from(phase) / 64.0) / RATE,
                velocity: 1.0,
                rate: RATE,
            };
            let run = run(scheme("secant").unwrap(), &problem, &Settings::default(), 200);
            let error = run.output_velocity.unwrap() / problem.exact().unwrap().output_velocity() - 1.0;
            assert!(error.abs() <= 1e-10, "K = 1e{decade}, phase {phase}/64: {error:e}");
            assert!(run.pull == 0.0 && run.trapped_energy == 0.0, "K = 1e{decade}, phase {phase}/64");
        }
    }
}
