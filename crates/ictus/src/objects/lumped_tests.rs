//! What masses, modal objects and barriers promise.

use std::f64::consts::TAU;

use fearless_simd::Level;

use super::barrier::Barrier;
use super::mass::Mass;
use super::modal::Modal;
use super::*;

#[path = "lumped_bits.rs"]
mod bits;
#[path = "lumped_properties.rs"]
mod properties;

const RATE: f64 = 44_100.0;

/// The continuous oscillator: displacement at time t after starting with u0, v0.
fn closed_form(frequency: f64, sigma: f64, u0: f64, v0: f64, time: f64) -> f64 {
    let omega = TAU * frequency;
    let push = v0 + sigma * u0;
    if sigma > omega {
        let gamma = (sigma * sigma - omega * omega).sqrt();
        let slow = -omega * omega / (sigma + gamma);
        let ratio = push / gamma;
        0.5 * ((u0 + ratio) * (slow * time).exp() + (u0 - ratio) * (-(sigma + gamma) * time).exp())
    } else {
        let damped = (omega * omega - sigma * sigma).sqrt();
        let sine = if damped == 0.0 { time } else { (damped * time).sin() / damped };
        (-sigma * time).exp() * (u0 * (damped * time).cos() + push * sine)
    }
}

fn walk(body: &mut impl Body, level: Level) {
    body.free_step_at(level);
    body.advance();
}

#[test]
fn an_oscillator_is_on_the_continuous_solution_at_every_sample() {
    let cases = [
        (440.0, 0.0),
        (440.0, 5.0),
        (20.0, 0.5),
        (0.7, 0.1),
        (20_500.0, 3.0),
        (21_900.0, 40.0),
        (100.0, 4000.0),
        (100.0, TAU * 100.0),
        (0.0, 0.0),
        (0.0, 30.0),
    ];
    for rate in [8_000.0, 44_100.0, 192_000.0] {
        for (frequency, sigma) in cases.into_iter().filter(|&(frequency, _)| frequency < 0.498 * rate) {
            let (u0, v0) = (0.1, 0.03 * (TAU * frequency).max(1.0));
            let spec = MassSpec {
                displacement: u0,
                velocity: v0,
                ..MassSpec::oscillator(0.01, frequency, Decay::Sigma(sigma))
            };
            let mut mass = Mass::new(&spec, rate).unwrap();
            for sample in 0..(3.0 * rate) as usize {
                let expected = closed_form(frequency, sigma, u0, v0, sample as f64 / rate);
                let found = mass.read(&Support::Whole, At::Now);
                assert!(
                    (found - expected).abs() < 1e-10,
                    "{frequency} Hz, {sigma} 1/s at {rate} Hz, sample {sample}: {found} not {expected}"
                );
                walk(&mut mass, Level::baseline());
            }
        }
    }
}

#[test]
fn a_mass_without_forces_keeps_its_velocity_to_the_bit() {
    let spec = MassSpec { displacement: 0.25, velocity: 3.0, ..MassSpec::free(0.01) };
    let mut mass = Mass::new(&spec, RATE).unwrap();
    let energy = mass.stored_energy();
    assert!((energy - 0.045).abs() < 1e-16);
    for _ in 0..100_000 {
        walk(&mut mass, Level::baseline());
    }
    assert_eq!(mass.stored_energy(), energy);
}

#[test]
fn struck_modes_ring_at_their_frequencies_and_decay_rates() {
    let modes = [(55.0, 0.3), (440.0, 2.0), (3_000.0, 11.0), (20_900.0, 90.0), (0.0, 4.0), (200.0, 5_000.0)];
    let spec = ModalSpec {
        modes: modes.map(|(frequency, sigma)| ModeSpec { frequency, decay: Decay::Sigma(sigma), mass: 0.2 }).to_vec(),
        points: (0..modes.len()).map(|one| (0..modes.len()).map(|i| f64::from(u8::from(i == one))).collect()).collect(),
    };
    let mut modal = Modal::new(&spec, RATE).unwrap();
    let supports = supports_of(&mut modal, modes.len());
    modal.free_step_at(Level::new());
    for support in &supports {
        // So that every mode moves by 1 in its first step.
        modal.push(support, 1.0 / modal.admittance(support, support));
    }
    modal.advance();
    for sample in 1..3 * RATE as usize {
        for (support, (frequency, sigma)) in supports.iter().zip(modes) {
            // At 0 before, at 1 one step later.
            let time = sample as f64 / RATE;
            let expected =
                closed_form(frequency, sigma, 0.0, 1.0, time) / closed_form(frequency, sigma, 0.0, 1.0, 1.0 / RATE);
            let found = modal.read(support, At::Now);
            let amplitude = 1.0_f64.max(RATE / (TAU * frequency + sigma).max(1.0));
            assert!(
                (found - expected).abs() < 1e-9 * amplitude,
                "{frequency} Hz, sample {sample}: {found} not {expected}"
            );
        }
        walk(&mut modal, Level::new());
    }
}

/// Steps under forces from a deterministic source and returns the worst error of the balance of one step, and of the whole run
/// relative to the largest energy seen.
fn balance(body: &mut impl Body, supports: &[Support], steps: usize, forced: usize) -> (f64, f64) {
    let mut random = 12345_u64;
    let mut uniform = move || {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let level = Level::new();
    let start = body.stored_energy();
    let (mut supplied, mut dissipated, mut largest) = (0.0, 0.0, start);
    let (mut worst_step, mut worst_run) = (0.0_f64, 0.0_f64);
    for step in 0..steps {
        let before = body.stored_energy();
        body.open_books();
        body.remember();
        body.free_step_at(level);
        let mut pushes: Vec<(usize, f64)> = vec![];
        if step < forced {
            for _ in 0..(step % 6) {
                let point = ((uniform() + 0.5) * supports.len() as f64) as usize % supports.len();
                pushes.push((point, uniform()));
            }
        }
        for &(point, force) in &pushes {
            let free = body.read(&supports[0], At::Next);
            body.push(&supports[point], force);
            let moved = body.read(&supports[0], At::Next) - free;
            let expected = body.admittance(&supports[0], &supports[point]) * force;
            let scale =
                [free, moved, expected, body.read(&supports[0], At::Now)].into_iter().fold(0.0, |a, b| b.abs().max(a));
            assert!((moved - expected).abs() <= 1e-15 * scale);
        }
        let work = |&(point, force): &(usize, f64)| {
            force * (body.read(&supports[point], At::Next) - body.read(&supports[point], At::Previous)) / 2.0
        };
        let work: f64 = pushes.iter().map(work).sum();
        let lost = body.dissipated_in_step() + body.close_books();
        assert!(lost >= 0.0);
        body.advance();
        let after = body.stored_energy();
        assert!(after >= 0.0);
        largest = largest.max(after);
        supplied += work;
        dissipated += lost;
        // A position far from 0 is only known to its own rounding, and so is the work done there.
        let position = |&(point, force): &(usize, f64)| (force * body.read(&supports[point], At::Now)).abs();
        let blur = f64::EPSILON * pushes.iter().map(position).sum::<f64>();
        let error = (after - before + lost - work).abs() - blur;
        worst_step = worst_step.max(error / largest.max(f64::MIN_POSITIVE));
        worst_run = worst_run.max((after + dissipated - supplied - start).abs() / largest.max(f64::MIN_POSITIVE));
    }
    (worst_step, worst_run)
}

/// The numbered points of a body, heard in every sample.
fn supports_of(body: &mut impl Body, points: usize) -> Vec<Support> {
    let mut attach = |point| {
        let seen = body.support(Place::Point(point)).unwrap();
        body.attach(&seen, Use::Touch, true)
    };
    (0..points).map(&mut attach).collect()
}

fn bar(count: usize, points: usize, decay: impl Fn(f64) -> Decay) -> ModalSpec {
    let positions: Vec<f64> = (0..points).map(|point| 0.03 + 0.9 * point as f64 / points as f64).collect();
    ModalSpec::free_bar(90.0, 0.3, count, &positions, decay).unwrap().below(0.49 * RATE)
}

#[test]
fn energy_of_masses_balances_over_ten_seconds() {
    for (frequency, decay) in [
        (0.0, Decay::None),
        (0.0, Decay::Sigma(2.0)),
        (3.0, Decay::None),
        (440.0, Decay::None),
        (440.0, Decay::T60(4.0)),
        (15_000.0, Decay::Sigma(1.0)),
        (50.0, Decay::Sigma(900.0)),
    ] {
        let spec = MassSpec { displacement: 1e-3, velocity: -0.4, ..MassSpec::oscillator(0.01, frequency, decay) };
        let mut mass = Mass::new(&spec, RATE).unwrap();
        let (step, run) = balance(&mut mass, &[Support::Whole], 441_000, 400);
        assert!(step < 1e-13 && run < 1e-12, "{frequency} Hz, {decay:?}: {step:e}, {run:e}");
    }
}

#[test]
fn energy_of_modal_objects_balances_over_ten_seconds() {
    for (points, decay) in [(1, Decay::None), (2, Decay::T60(5.0)), (3, Decay::None), (7, Decay::Quality(700.0))] {
        let mut modal = Modal::new(&bar(13, points, |_| decay), RATE).unwrap();
        let supports = supports_of(&mut modal, points);
        let (step, run) = balance(&mut modal, &supports, 441_000, 2000);
        assert!(step < 1e-13 && run < 1e-12, "{points} points, {decay:?}: {step:e}, {run:e}");
    }
}

#[test]
fn admittances_are_symmetric_and_what_a_push_does() {
    let mut modal = Modal::new(&bar(20, 5, |_| Decay::T60(1.0)), RATE).unwrap();
    let supports = supports_of(&mut modal, 5);
    for here in &supports {
        for there in &supports {
            let admittance = modal.admittance(here, there);
            assert_eq!(admittance, modal.admittance(there, here));
            modal.reset();
            modal.free_step_at(Level::new());
            modal.push(there, 2.0);
            assert_eq!(modal.read(here, At::Next), 2.0 * admittance);
            modal.advance();
        }
    }
}

#[test]
fn an_object_of_one_mode_is_the_oscillator() {
    let mode = ModeSpec { frequency: 330.0, decay: Decay::T60(0.8), mass: 0.02 };
    let mut modal = Modal::new(&ModalSpec { modes: vec![mode], points: vec![vec![1.0]] }, RATE).unwrap();
    let mut mass = Mass::new(&MassSpec::oscillator(0.02, 330.0, Decay::T60(0.8)), RATE).unwrap();
    let point = supports_of(&mut modal, 1)[0];
    for step in 0..20_000 {
        modal.open_books();
        modal.free_step_at(Level::new());
        mass.free_step_at(Level::new());
        let force = f64::from(step % 7) - 2.5;
        modal.push(&point, force);
        mass.push(&Support::Whole, force);
        let (lost, expected) = (modal.close_books(), mass.dissipated_in_step());
        assert!((lost - expected).abs() <= 1e-13 * mass.stored_energy().max(expected), "{step}: {lost} not {expected}");
        modal.advance();
        mass.advance();
        let (found, expected) = (modal.read(&point, At::Now), mass.read(&Support::Whole, At::Now));
        assert!((found - expected).abs() < 1e-17, "{step}: {found} not {expected}");
        assert!((modal.stored_energy() / mass.stored_energy() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_launched_mass_is_a_mass_built_that_way() {
    let spec = MassSpec { displacement: 0.1, velocity: 2.0, ..MassSpec::oscillator(0.01, 100.0, Decay::T60(1.0)) };
    let built = Mass::new(&spec, RATE).unwrap();
    let mut launched = Mass::new(&MassSpec { displacement: 0.0, velocity: 0.0, ..spec }, RATE).unwrap();
    launched.launch(0.1, 2.0);
    assert_eq!(launched.stored_energy(), built.stored_energy());
    assert_eq!(launched.read(&Support::Whole, At::Previous), built.read(&Support::Whole, At::Previous));
}

#[test]
fn a_barrier_goes_where_it_is_told_and_nowhere_else() {
    let mut barrier = Barrier::new(&BarrierSpec { height: 0.5, velocity: 0.0 }, 1000.0).unwrap();
    let read = |barrier: &Barrier, at| barrier.read(&Support::Whole, at);
    for _ in 0..100 {
        barrier.free_step_at(Level::baseline());
        barrier.push(&Support::Whole, 1e6);
        barrier.advance();
    }
    assert_eq!([At::Previous, At::Now].map(|at| read(&barrier, at)), [0.5, 0.5]);
    barrier.set_velocity(2.0);
    barrier.free_step_at(Level::baseline());
    assert_eq!([At::Previous, At::Now, At::Next].map(|at| read(&barrier, at)), [0.5, 0.5, 0.502]);
    barrier.advance();
    barrier.glide_to(0.0, 4);
    let path: Vec<f64> = (0..6)
        .map(|_| {
            walk(&mut barrier, Level::baseline());
            read(&barrier, At::Now)
        })
        .collect();
    assert!((path[1] - 0.251).abs() < 1e-15 && path[3..] == [0.0; 3], "{path:?}");
    barrier.set_height(-1.0);
    walk(&mut barrier, Level::baseline());
    walk(&mut barrier, Level::baseline());
    assert_eq!([At::Previous, At::Now].map(|at| read(&barrier, at)), [-1.0, -1.0]);
    assert_eq!((barrier.admittance(&Support::Whole, &Support::Whole), barrier.stored_energy()), (0.0, 0.0));
}

#[test]
fn bad_descriptions_name_the_parameter_and_the_bound() {
    let good = MassSpec::oscillator(0.01, 100.0, Decay::None);
    let nyquist = Mass::new(&MassSpec { frequency: 22_050.0, ..good }, RATE).unwrap_err().to_string();
    assert!(nyquist.contains("frequency is 22050") && nyquist.contains("below half the sample rate"), "{nyquist}");
    assert!(Mass::new(&MassSpec { frequency: 22_049.9, ..good }, RATE).is_ok());
    let errors = [
        (Mass::new(&MassSpec { mass: 0.0, ..good }, RATE).err(), "mass is 0"),
        (Mass::new(&MassSpec { velocity: f64::INFINITY, ..good }, RATE).err(), "velocity is inf"),
        (Mass::new(&MassSpec { decay: Decay::T60(-1.0), ..good }, RATE).err(), "T60 is -1"),
        (Mass::new(&good, 0.0).err(), "sample rate is 0"),
        (Barrier::new(&BarrierSpec { height: f64::NAN, velocity: 0.0 }, RATE).err(), "height is NaN"),
        (Modal::new(&ModalSpec::default(), RATE).err(), "number of modes is 0"),
        (
            Modal::new(&ModalSpec { points: vec![vec![1.0; 2]], ..bar(3, 1, |_| Decay::None) }, RATE).err(),
            "one for each mode",
        ),
        (Modal::new(&ModalSpec { points: vec![], ..bar(3, 1, |_| Decay::None) }, RATE).err(), "number of points is 0"),
        (Modal::new(&ModalSpec::three_mode_bar(440.0, 0.0, 1.0), RATE).err(), "quality is 0"),
    ];
    for (error, words) in errors {
        let error = error.unwrap().to_string();
        assert!(error.contains(words), "{error}");
    }
    let modal = Modal::new(&ModalSpec::three_mode_bar(440.0, 100.0, 1.0), RATE).unwrap();
    assert!(modal.support(Place::Point(1)).is_err() && modal.support(Place::Whole).is_err());
    assert!(Mass::new(&good, RATE).unwrap().support(Place::Along(0.5)).is_err());
}

/// What the passes find by the way is what the steps lose one by one, however many are taken between two looks.
#[test]
fn a_modal_object_loses_the_same_in_one_step_and_in_many() {
    for points in [1, 2, 3, 6] {
        let run = |turn: usize| {
            let mut modal = Modal::new(&bar(13, points, |f| Decay::T60(300.0 / f)), RATE).unwrap();
            let supports = supports_of(&mut modal, points);
            let mut lost = 0.0;
            for step in 0..840_usize {
                if step % turn == 0 {
                    modal.open_books();
                }
                modal.free_step_at(Level::new());
                for push in 0..(step / 60) % 6 {
                    modal.push(&supports[(step + push) % points], ((step * 37 + push) % 101) as f64 - 50.0);
                }
                if step % turn == turn - 1 {
                    lost += modal.close_books();
                }
                modal.advance();
            }
            lost
        };
        let expected = run(1);
        for turn in [2, 3, 4, 7, 40, 840] {
            let lost = run(turn);
            assert!((lost / expected - 1.0).abs() < 1e-12, "{points} points, {turn} steps: {lost} and {expected}");
        }
    }
}
