//! A hammer pressed on a modal object, heard at a second point: ns per sample, beside a plain scalar loop that does the same
//! for the modes in the usual three-point form.
//!
//! `cargo bench -p ictus --bench modal`

use divan::{Bencher, black_box, counter::ItemsCount};
use ictus::objects::{Decay, LoneModal, MassSpec, ModalSpec};

const MODES: [usize; 3] = [16, 64, 256];
const RATE: f64 = 44_100.0;
const SAMPLES: usize = 1000;
const STIFFNESS: f64 = 1e5;

fn main() {
    divan::main();
}

/// A bar-like object with all its modes below Nyquist.
fn object(modes: usize) -> ModalSpec {
    let string = ModalSpec::string(20_000.0 / modes as f64, 0.0, 0.1, modes, &[0.13, 0.71], |_| Decay::T60(2.0));
    string.expect("positions on the string")
}

#[divan::bench(args = MODES)]
fn hammer_on_modes(bencher: Bencher, modes: usize) {
    let hammer = MassSpec { displacement: 1e-3, ..MassSpec::oscillator(0.01, 50.0, Decay::None) };
    let mut system = LoneModal::new(&object(modes), &hammer, STIFFNESS, RATE).expect("a sound object");
    bencher.counter(ItemsCount::new(SAMPLES)).bench_local(|| {
        let mut heard = 0.0;
        for _ in 0..SAMPLES {
            heard += system.sample();
        }
        black_box(heard)
    });
}

/// One mode of the reference: `u⁺ = p u - q u⁻ + r f`.
#[derive(Clone, Copy)]
struct Mode {
    p: f64,
    q: f64,
    r: f64,
    struck: f64,
    heard: f64,
    now: f64,
    before: f64,
}

#[divan::bench(args = MODES)]
fn scalar_reference(bencher: Bencher, modes: usize) {
    let spec = object(modes);
    let step = 1.0 / RATE;
    let mut bank: Vec<Mode> = (0..modes)
        .map(|index| {
            let sigma = 3.0 * std::f64::consts::LN_10 / 2.0;
            let omega = std::f64::consts::TAU * spec.modes[index].frequency;
            let a = (sigma * step).tanh();
            let b = 2.0 * (step * (omega * omega - sigma * sigma).sqrt()).cos() / (sigma * step).cosh();
            Mode {
                p: b / (1.0 + a),
                q: (1.0 - a) / (1.0 + a),
                r: step * step / (spec.modes[index].mass * (1.0 + a)),
                struck: spec.points[0][index],
                heard: spec.points[1][index],
                now: 0.0,
                before: 0.0,
            }
        })
        .collect();
    let admittance: f64 = bank.iter().map(|mode| mode.struck * mode.r * mode.struck).sum();
    let (mass_response, spring) = (step * step / 0.01, (std::f64::consts::TAU * 50.0 * step).powi(2));
    let (mut hammer, mut hammer_before) = (1e-3, 1e-3);
    let (mut point, mut point_before) = (0.0, 0.0);
    bencher.counter(ItemsCount::new(SAMPLES)).bench_local(|| {
        let mut sum = 0.0;
        for _ in 0..SAMPLES {
            let mut free = 0.0;
            for mode in &mut bank {
                let next = mode.p * mode.now - mode.q * mode.before;
                mode.before = mode.now;
                mode.now = next;
                free += mode.struck * next;
            }
            let hammer_free = (2.0 - spring) * hammer - hammer_before;
            let gap = hammer_free - free + hammer_before - point_before;
            let force = 0.5 * STIFFNESS * gap / (1.0 + 0.5 * STIFFNESS * (admittance + mass_response));
            let mut heard = 0.0;
            for mode in &mut bank {
                mode.now += mode.r * mode.struck * force;
                heard += mode.heard * mode.now;
            }
            (hammer_before, hammer) = (hammer, hammer_free - mass_response * force);
            (point_before, point) = (point, free + admittance * force);
            sum += heard;
        }
        black_box(sum)
    });
}
