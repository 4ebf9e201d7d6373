//! What is heard has the right level: pickups against the closed response of a mode to a blow.

use std::f64::consts::TAU;

use ictus::Model;
use ictus::id::ForceId;
use ictus::model::{Force, Pickup, Point, Source};
use ictus::objects::{Decay, MassSpec, ModalSpec, ModeSpec, Place};

const RATE: f64 = 48_000.0;

/// What two pickups of one point hear after a blow of one sample: displacement and velocity, from the sample of the blow on.
fn heard(spec: impl Into<ictus::model::ObjectSpec>, place: Place, impulse: f64) -> Vec<[f64; 2]> {
    let at = || Point::on("body", place);
    let pickup = |source, gains: [f64; 2]| Pickup { source, gains: gains.to_vec() };
    let blow = Force { name: "blow".into(), at: at(), level: impulse * RATE, signal: Some(vec![1.0]) };
    let mut engine = Model::new(RATE)
        .with("body", spec)
        .drive(blow)
        .listen(pickup(Source::Displacement(at()), [1.0, 0.0]))
        .listen(pickup(Source::Velocity(at()), [0.0, 1.0]))
        .build()
        .unwrap();
    engine.change(&ictus::control::Change::Trigger { force: ForceId::new(0) }).unwrap();
    let mut sound = vec![0.0; 2 * 4000];
    engine.process(&mut sound);
    sound.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// The part of a sound that swings as cos and sin at an angular frequency, the decay σ taken out, by least squares.
fn swings(sound: &[f64], omega: f64, sigma: f64) -> [f64; 2] {
    let (mut cc, mut cs, mut ss, mut yc, mut ys) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (n, y) in sound.iter().enumerate() {
        let time = n as f64 / RATE;
        let decay = (-sigma * time).exp();
        let (c, s) = (decay * (omega * time).cos(), decay * (omega * time).sin());
        (cc, cs, ss, yc, ys) = (cc + c * c, cs + c * s, ss + s * s, yc + y * c, ys + y * s);
    }
    let determinant = cc * ss - cs * cs;
    [(yc * ss - ys * cs) / determinant, (ys * cc - yc * cs) / determinant]
}

#[test]
fn the_velocity_of_a_mode_after_a_blow_is_right_up_to_nearly_half_the_rate() {
    let (mass, impulse, weight) = (0.02, 3e-3, 0.6);
    for part in [0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.45] {
        for t60 in [0.3, 30.0] {
            let (frequency, decay) = (part * RATE, Decay::T60(t60));
            let sigma = decay.sigma(frequency).unwrap();
            let omega = ((TAU * frequency).powi(2) - sigma * sigma).sqrt();
            let modal = ModalSpec { modes: vec![ModeSpec { frequency, decay, mass }], points: vec![vec![weight]] };
            let oscillator = MassSpec::oscillator(mass, frequency, decay);
            for (sound, expected) in [
                (heard(modal, Place::Point(0), impulse), weight * weight * impulse / mass),
                (heard(oscillator, Place::Whole, impulse), impulse / mass),
            ] {
                // The first sample hears half of the jump.
                let velocity: Vec<f64> = sound.iter().map(|pair| pair[1]).collect();
                let [cosine, sine] = swings(&velocity[1..], omega, sigma);
                let (turned, kept) = (omega / RATE, (sigma / RATE).exp());
                let level = kept * (cosine * turned.cos() - sine * turned.sin());
                let across = kept * (cosine * turned.sin() + sine * turned.cos());
                // v = J/m e^(-σt) (cos ωt - σ/ω sin ωt)
                let (truth, truth_across) = (expected, -expected * sigma / omega);
                let decibels = 20.0 * (level.hypot(across) / truth.hypot(truth_across)).log10();
                assert!(decibels.abs() < 0.01, "{part} of the rate, T60 {t60} s: {decibels} dB");
                let off = (level - truth).hypot(across - truth_across) / expected;
                assert!(off < 1e-2, "{part} of the rate, T60 {t60} s: off by {off}");
            }
        }
    }
}

/// As its description says.
#[test]
fn the_displacement_of_a_mode_after_a_blow_is_too_large_by_a_known_factor() {
    for part in [0.01_f64, 0.1, 0.2, 0.3] {
        let omega = TAU * part * RATE;
        let sound = heard(MassSpec::oscillator(0.02, part * RATE, Decay::None), Place::Whole, 3e-3);
        let displacement: Vec<f64> = sound.iter().map(|pair| pair[0]).collect();
        let [cosine, sine] = swings(&displacement, omega, 0.0);
        let truth = 3e-3 / (0.02 * omega);
        let turn = omega / RATE;
        let factor = cosine.hypot(sine) / truth;
        assert!((factor / (turn / turn.sin()) - 1.0).abs() < 1e-9, "{part}: {factor}");
    }
}

/// J/m e^(-σt) sin ωt has the acceleration -J/m (ω sin ωt + …), which grows with frequency: here without loss.
#[test]
fn the_acceleration_of_a_mode_after_a_blow_is_right_up_to_nearly_half_the_rate() {
    let (mass, impulse, weight) = (0.02, 3e-3, 0.6);
    for part in [0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.45] {
        let omega = TAU * part * RATE;
        let modes = vec![ModeSpec { frequency: part * RATE, decay: Decay::None, mass }];
        let at = || Point::on("body", Place::Point(0));
        let blow = Force { name: "blow".into(), at: at(), level: impulse * RATE, signal: Some(vec![1.0]) };
        let mut engine = Model::new(RATE)
            .with("body", ModalSpec { modes, points: vec![vec![weight]] })
            .drive(blow)
            .listen(Pickup { source: Source::Acceleration(at()), gains: vec![1.0] })
            .build()
            .unwrap();
        engine.change(&ictus::control::Change::Trigger { force: ForceId::new(0) }).unwrap();
        let mut sound = vec![0.0; 4000];
        engine.process(&mut sound);
        // After the blow itself, counted from it.
        let [cosine, sine] = swings(&sound[1..], omega, 0.0);
        let turn = omega / RATE;
        let (at_once, level) = (cosine * turn.cos() - sine * turn.sin(), cosine * turn.sin() + sine * turn.cos());
        let expected = -weight * weight * impulse / mass * omega;
        assert!((level / expected - 1.0).abs() < 1e-6, "{part} of the rate: {level} m/s² and not {expected}");
        assert!((at_once / expected).abs() < 1e-6, "{part} of the rate: out of phase by {at_once}");
    }
}

#[test]
fn a_falling_mass_accelerates_by_its_weight() {
    let at = || Point::on("body", Place::Whole);
    let mut engine = Model::new(RATE)
        .with("body", MassSpec::free(0.3))
        .drive(Force { name: "weight".into(), at: at(), level: -9.81 * 0.3, signal: None })
        .listen(Pickup { source: Source::Acceleration(at()), gains: vec![1.0] })
        .build()
        .unwrap();
    let mut sound = vec![0.0; 4000];
    engine.process(&mut sound);
    assert!(sound[1..].iter().all(|heard| (heard + 9.81).abs() < 1e-6), "{:?}", &sound[..4]);
}
