//! Strings that are stretched when they swing (Kirchhoff and Carrier).

use std::f64::consts::PI;

use ictus::Model;
use ictus::control::Change;
use ictus::id::{ContactId, ObjectId};
use ictus::laws::{BowFriction, HuntCrossley, LinearCubicSpring, OneSidedPower};
use ictus::model::{Force, Interaction, Pickup, Point, Source, Start};
use ictus::objects::{Amplitude, BarrierSpec, Decay, End, Loss, MassSpec, Method, Place, StringPitch, StringSpec};

use super::{cents, duffing, frequency_of};

fn string() -> StringSpec {
    StringSpec { amplitude: Amplitude::Large, loss: Loss::None, ..StringSpec::default() }
}

fn heard(place: f64) -> Pickup {
    Pickup { source: Source::Displacement(Point::on("string", Place::Along(place))), gains: vec![1.0] }
}

/// Of one mode, `ρA L/2 q̈ = -(π²/2L)(T + EA/2L ∫u_x²) q - …`, `u = q sin(πx/L)`, `∫u_x² = π²q²/2L`: `γ = EA π⁴/(4 ρA L⁴)`.
#[test]
fn one_mode_rings_at_its_elliptic_frequency() {
    let mut worst = 0.0_f64;
    for pitch in [55.0, 110.0, 220.0, 440.0] {
        let spec = StringSpec { pitch: StringPitch::Fundamental(pitch), highest: Some(1.5 * pitch), ..string() };
        let cubic = (2e11 / 7850.0) * PI.powi(4) / (4.0 * spec.length.powi(4));
        for rate in [44_100.0, 48_000.0, 96_000.0, 192_000.0] {
            for amplitude in [1.2e-3, 3.5e-3, 7e-3, 12e-3] {
                let start =
                    Start { centre: Place::Along(0.5), half_width: 0.5, displacement: amplitude, velocity: 0.0 };
                let model = Model::new(rate).with("string", spec.clone()).starting(start).listen(heard(0.5));
                let mut engine = model.build().unwrap();
                // What a half wave has of a raised cosine as long as the string.
                let start = amplitude * 8.0 / (3.0 * PI);
                let mut block = vec![0.0; rate as usize];
                engine.process(&mut block);
                let exact = duffing(2.0 * PI * pitch, cubic, start);
                let error = cents(frequency_of(&block, rate), exact);
                worst = worst.max(error.abs());
                assert!(error.abs() < 0.03, "{pitch} Hz at {rate} Hz, {start} m: {error} cents");
            }
        }
    }
    println!("{worst} cents");
}

/// Many points on it, stretched far, with everything that can touch.
fn played(rate: f64, loss: Loss, force: f64) -> Model {
    let along = |place| Point::on("string", Place::Along(place));
    let mut finger =
        Interaction::new("finger", Point::of("finger"), along(0.7), OneSidedPower::new(1e7, 1.5, 0.0).unwrap());
    finger.gap = 2e-3;
    Model::new(rate)
        .with("string", StringSpec { loss, pitch: StringPitch::Fundamental(80.0), bend: 1.5, ..string() })
        .with("hammer", MassSpec { displacement: -1e-3, velocity: force, ..MassSpec::free(0.01) })
        .with("second", MassSpec { displacement: -3e-3, velocity: 0.6 * force, ..MassSpec::free(0.005) })
        .with("bridge", MassSpec::oscillator(0.02, 200.0, Decay::None))
        .with("finger", BarrierSpec::default())
        .with("bow", BarrierSpec { velocity: 0.1, ..BarrierSpec::default() })
        .join(Interaction::new("blow", Point::of("hammer"), along(0.12), HuntCrossley::new(1e7, 2.0, 0.3).unwrap()))
        .join(Interaction::new("other", Point::of("second"), along(0.4), HuntCrossley::new(1e8, 1.5, 0.0).unwrap()))
        .join(Interaction::new("joint", along(0.9), Point::of("bridge"), LinearCubicSpring::new(2e4, 1e9).unwrap()))
        .join(finger)
        .join(Interaction::new("hair", along(0.2), Point::of("bow"), BowFriction::new(0.3, 80.0).unwrap()))
        .drive(Force { name: "weight".into(), at: along(0.5), level: 0.5, signal: None })
        .listen(heard(0.31))
}

#[test]
fn the_account_closes_whatever_touches_it_however_hard() {
    for force in [0.1, 5.0, 60.0] {
        for loss in [Loss::None, Loss::sigma(1.0, 1e-3)] {
            let mut engine = played(44_100.0, loss, force).build().unwrap();
            engine.keep_account_of_energy(true);
            engine.advance(441_000);
            let balance = engine.balance();
            assert!(balance.residual() <= 1e-11, "{force} m/s: {:e} {balance:?}", balance.residual());
        }
    }
}

#[test]
fn an_undamped_string_keeps_its_energy_at_any_amplitude() {
    for displacement in [1e-5, 1e-3, 1e-2, 1e-1, 1.0] {
        let start = Start { centre: Place::Along(0.3), half_width: 0.2, displacement, velocity: 0.0 };
        let mut engine = Model::new(48_000.0).with("string", string()).starting(start).build().unwrap();
        let before = engine.stored_energy();
        let mut worst = 0.0_f64;
        for _ in 0..100 {
            engine.advance(4800);
            worst = worst.max((engine.stored_energy() / before - 1.0).abs());
        }
        assert!(worst < 1e-11, "{displacement} m: {worst:e}");
    }
}

#[test]
fn every_change_keeps_the_account_closed() {
    let mut engine = played(48_000.0, Loss::sigma(1.0, 1e-3), 20.0).build().unwrap();
    engine.keep_account_of_energy(true);
    let string = ObjectId::new(0);
    for turn in 0..200 {
        let ratio = 1.0 + 0.5 * (f64::from(turn) / 30.0).sin().abs();
        let changes = [
            Change::Bend { object: string, ratio },
            Change::Pluck { object: string, centre: 0.3, half_width: 0.1, height: 3e-3 },
            Change::Decay { object: string, factor: 1.0 + f64::from(turn % 3) },
            Change::Gap { contact: ContactId::new(3), gap: 1e-3 * f64::from(turn % 4) },
            Change::Move {
                contact: ContactId::new(4),
                end: ictus::control::End::From,
                place: Place::Along(0.1 + 1e-3 * f64::from(turn)),
            },
            Change::Active { contact: ContactId::new(2), active: turn % 4 != 0 },
        ];
        let _ = engine.change(&changes[turn as usize % changes.len()]);
        engine.advance(100 + turn as usize);
    }
    let balance = engine.balance();
    assert!(balance.residual() <= 1e-11, "{:e} {balance:?}", balance.residual());
}

#[test]
fn a_small_stroke_sounds_as_on_a_string_that_is_not_stretched() {
    let sound = |amplitude, velocity: f64| {
        let spec = StringSpec { amplitude, ..string() };
        let at = Point::on("string", Place::Along(0.12));
        let mut engine = Model::new(48_000.0)
            .with("string", spec)
            .with("hammer", MassSpec { displacement: -1e-6, velocity, ..MassSpec::free(0.004) })
            .join(Interaction::new("blow", Point::of("hammer"), at, HuntCrossley::new(1e6, 1.0, 0.0).unwrap()))
            .listen(heard(0.4))
            .build()
            .unwrap();
        let mut block = vec![0.0; 4800];
        engine.process(&mut block);
        block.iter().map(|u| u / velocity).collect::<Vec<f64>>()
    };
    let apart = |velocity: f64| {
        let (large, small) = (sound(Amplitude::Large, velocity), sound(Amplitude::Small, velocity));
        let difference: f64 = large.iter().zip(&small).map(|(a, b)| (a - b) * (a - b)).sum();
        (difference / small.iter().map(|u| u * u).sum::<f64>()).sqrt()
    };
    let [softest, soft, hard] = [1e-3, 1e-2, 3.0].map(apart);
    println!("{softest:e} {soft:e} {hard:e}");
    // The pitch rises with the square of the amplitude.
    assert!(
        softest < 1e-6 && (soft / softest / 100.0 - 1.0).abs() < 0.1 && hard > 0.1,
        "{softest:e} {soft:e} {hard:e}"
    );
}

/// Modes of a supported string, a hammer and two springs, by the classical Runge-Kutta method with tiny steps. It knows the continuous equations only.
struct Reference {
    modes: usize,
    /// T/ρA in m²/s², EI/ρA in m⁴/s², EA/ρA in m²/s², L in m, ρA in kg/m.
    wave: f64,
    bending: f64,
    stretching: f64,
    length: f64,
    density: f64,
    hammer: f64,
    blow: [f64; 3],
    springs: [[f64; 2]; 2],
}

impl Reference {
    fn shape(&self, mode: usize, place: f64) -> f64 {
        (mode as f64 * PI * place).sin()
    }

    /// q, q̇ of the modes, then place and velocity of the hammer.
    fn rate_of(&self, state: &[f64], out: &mut [f64]) {
        let n = self.modes;
        let wave_number = |mode: usize| mode as f64 * PI / self.length;
        let slope: f64 = (0..n).map(|i| (wave_number(i + 1) * state[i]).powi(2) * self.length / 2.0).sum();
        let at = |place: f64| (0..n).map(|i| self.shape(i + 1, place) * state[i]).sum::<f64>();
        let [place, stiffness, exponent] = self.blow;
        let compression = (state[2 * n] - at(place)).max(0.0);
        let force = stiffness * compression.powf(exponent);
        let held = self.springs.map(|[place, stiffness]| (place, -stiffness * at(place)));
        for i in 0..n {
            let k2 = wave_number(i + 1).powi(2);
            let tension = self.wave + self.stretching * slope / (2.0 * self.length);
            let modal = self.density * self.length / 2.0;
            let pushes = force * self.shape(i + 1, place)
                + held.iter().map(|(place, force)| force * self.shape(i + 1, *place)).sum::<f64>();
            out[i] = state[n + i];
            out[n + i] = -(tension * k2 + self.bending * k2 * k2) * state[i] + pushes / modal;
        }
        out[2 * n] = state[2 * n + 1];
        out[2 * n + 1] = -force / self.hammer;
    }

    /// Displacement at a place at every sample.
    fn run(&self, velocity: f64, rate: f64, steps: usize, samples: usize, heard: f64) -> Vec<f64> {
        let n = self.modes;
        let mut state = vec![0.0; 2 * n + 2];
        state[2 * n + 1] = velocity;
        let dt = 1.0 / (rate * steps as f64);
        let mut slopes = vec![vec![0.0; 2 * n + 2]; 4];
        let mut middle = state.clone();
        let mut sound = Vec::with_capacity(samples);
        for _ in 0..samples {
            sound.push((0..n).map(|i| self.shape(i + 1, heard) * state[i]).sum());
            for _ in 0..steps {
                for stage in 0..4 {
                    let part = [0.0, 0.5 * dt, 0.5 * dt, dt][stage];
                    for i in 0..state.len() {
                        middle[i] = state[i] + if stage == 0 { 0.0 } else { part * slopes[stage - 1][i] };
                    }
                    self.rate_of(&middle, &mut slopes[stage]);
                }
                for i in 0..state.len() {
                    state[i] += dt / 6.0 * (slopes[0][i] + 2.0 * slopes[1][i] + 2.0 * slopes[2][i] + slopes[3][i]);
                }
            }
        }
        sound
    }
}

/// A hard blow on a slack string that stands on two stiff springs: three points that feel each other in every sample, differently in each.
#[test]
fn a_struck_string_on_springs_follows_the_equations_and_converges() {
    let (pitch, velocity, highest) = (60.0, 4.0, 1500.0);
    let spec = StringSpec { pitch: StringPitch::Fundamental(pitch), highest: Some(highest), ..string() };
    let area = PI * 2e-4 * 2e-4;
    let bending = 2e11 * (2e-4_f64).powi(2) / 4.0 / 7850.0;
    let wave = (2.0 * pitch * spec.length).powi(2) - bending * (PI / spec.length).powi(2);
    let frequency =
        |mode: f64| (wave + bending * (mode * PI / spec.length).powi(2)).sqrt() * mode / (2.0 * spec.length);
    let reference = Reference {
        modes: (1..).take_while(|mode| frequency(f64::from(*mode)) < highest).count(),
        wave,
        bending,
        stretching: 2e11 / 7850.0,
        length: spec.length,
        density: 7850.0 * area,
        hammer: 0.005,
        blow: [0.15, 1e6, 1.5],
        springs: [[0.45, 3e4], [0.8, 1e4]],
    };
    let (rate, seconds, place) = (48_000.0, 0.02, 0.6);
    let samples = (rate * seconds) as usize;
    let exact = reference.run(velocity, rate, 32, samples, place);
    let run = |times: usize, amplitude: Amplitude| -> Vec<f64> {
        let along = |place| Point::on("string", Place::Along(place));
        let mut model = Model::new(rate * times as f64)
            .with("string", StringSpec { amplitude, ..spec.clone() })
            .with("hammer", MassSpec { velocity, ..MassSpec::free(reference.hammer) })
            .with("ground", BarrierSpec::default())
            .join(Interaction::new("blow", Point::of("hammer"), along(0.15), HuntCrossley::new(1e6, 1.5, 0.0).unwrap()))
            .listen(heard(place));
        for [place, stiffness] in reference.springs {
            let spring = LinearCubicSpring::new(stiffness, 0.0).unwrap();
            model = model.join(Interaction::new(&place.to_string(), along(place), Point::of("ground"), spring));
        }
        let mut engine = model.build().unwrap();
        let mut block = vec![0.0; samples * times];
        engine.process(&mut block);
        // The first sample out is that after one step.
        std::iter::once(0.0).chain(block.iter().skip(times - 1).step_by(times).copied()).take(samples).collect()
    };
    let error = |sound: &[f64]| {
        let square: f64 = sound.iter().zip(&exact).map(|(a, b)| (a - b) * (a - b)).sum();
        (square / exact.iter().map(|u| u * u).sum::<f64>()).sqrt()
    };
    let linear = error(&run(1, Amplitude::Small));
    let errors = [1, 2, 4].map(|times| error(&run(times, Amplitude::Large)));
    println!("{errors:?}, not stretched {linear}");
    assert!(linear > 0.3, "the stretching matters: {linear}");
    assert!(errors[1] < 0.5 * errors[0] && errors[2] < 0.35 * errors[1] && errors[2] < 0.1, "{errors:?}");
}

#[test]
fn what_cannot_be_stretched_is_refused() {
    let refused =
        |spec: StringSpec| Model::new(48_000.0).with("wire", spec).build().map(|_| ()).unwrap_err().to_string();
    let grid = refused(StringSpec { method: Method::Grid, ..string() });
    assert!(grid.contains("`wire`") && grid.contains("amplitude is large") && grid.contains("modes"), "{grid}");
    let clamped = refused(StringSpec { ends: [End::Clamped; 2], ..string() });
    assert!(clamped.contains("supported ends"), "{clamped}");
    let limp = refused(StringSpec { youngs_modulus: 0.0, ..string() });
    assert!(limp.contains("Young's modulus"), "{limp}");
}
