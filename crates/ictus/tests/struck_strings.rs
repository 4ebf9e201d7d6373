//! A steel string under four felts at 48 kHz, beside its exact modes under a force that is straight from one microsecond to the next.

use std::f64::consts::{PI, TAU};

use ictus::Model;
use ictus::laws::HuntCrossley;
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{Decay, MassSpec, ModalSpec, ModeSpec, Place};

const LENGTH: f64 = 0.62;
const PITCH: f64 = 131.0;
const RADIUS: f64 = 5e-4;
const DENSITY: f64 = 7850.0;
const MODULUS: f64 = 2e11;
const HAMMER: f64 = 4e-3;
const STRUCK_AT: f64 = 0.12;
const HEARD_AT: f64 = 0.37;
const SAMPLES: usize = 2048;
const RATE: f64 = 48e3;

#[derive(Clone, Copy)]
struct Felt {
    exponent: f64,
    stiffness: f64,
    velocity: f64,
}

fn inharmonicity() -> f64 {
    let area = PI * RADIUS * RADIUS;
    let stiffness = MODULUS * PI * RADIUS.powi(4) / 4.0;
    // f1² = (c/2L)² (1 + B), B = π²κ²/(c²L²)
    let kappa2 = stiffness / (DENSITY * area);
    let bending = kappa2 * (PI / LENGTH).powi(4) / TAU.powi(2);
    let flexible = PITCH * PITCH - bending;
    bending / flexible
}

fn frequency(number: usize) -> f64 {
    let (b, p) = (inharmonicity(), number as f64);
    PITCH * p * ((1.0 + b * p * p) / (1.0 + b)).sqrt()
}

fn sigma(frequency: f64) -> f64 {
    0.5 + 20.0 * (frequency / 10e3).powi(2)
}

fn reference(felt: Felt, highest: f64) -> Vec<f64> {
    const FINE: usize = 32;
    let h = 1.0 / (RATE * FINE as f64);
    let mass = 0.5 * DENSITY * PI * RADIUS * RADIUS * LENGTH;
    // (e^(ph), A, B, φ struck, φ heard, ω, y)
    type C = (f64, f64);
    let mul = |a: C, b: C| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0);
    let div = |a: C, b: C| {
        let n = b.0 * b.0 + b.1 * b.1;
        ((a.0 * b.0 + a.1 * b.1) / n, (a.1 * b.0 - a.0 * b.1) / n)
    };
    struct Mode {
        e: C,
        a: C,
        b: C,
        struck: f64,
        heard: f64,
        omega: f64,
        sigma: f64,
        y: C,
        free: C,
    }
    let mut modes: Vec<Mode> = (1..)
        .map(|n| (n, frequency(n)))
        .take_while(|(_, f)| *f < highest)
        .map(|(n, f)| {
            let sigma = sigma(f);
            let omega = ((TAU * f).powi(2) - sigma * sigma).sqrt();
            let p = (-sigma, omega);
            let growth = (-sigma * h).exp();
            let e = (growth * (omega * h).cos(), growth * (omega * h).sin());
            // By the series where the closed form cancels.
            let x = (p.0 * h, p.1 * h);
            let mut term = (0.5, 0.0);
            let mut series = term;
            for n in 3..40 {
                term = mul(term, (x.0 / n as f64, x.1 / n as f64));
                series = (series.0 + term.0, series.1 + term.1);
            }
            let b = (series.0 * h, series.1 * h);
            let whole = div((e.0 - 1.0, e.1), p);
            let a = (whole.0 - b.0, whole.1 - b.1);
            Mode {
                e,
                a,
                b,
                struck: (n as f64 * PI * STRUCK_AT).sin(),
                heard: (n as f64 * PI * HEARD_AT).sin(),
                omega,
                sigma,
                y: (0.0, 0.0),
                free: (0.0, 0.0),
            }
        })
        .collect();
    let (mut x, mut v, mut f) = (-1e-4 * felt.velocity, felt.velocity, 0.0_f64);
    let mut heard = vec![];
    for sample in 0..SAMPLES * FINE {
        if sample % FINE == 0 {
            // q' = v: y = v - conj(p) q, q = Im y/ω, v = Re y - σ q.
            heard.push(modes.iter().map(|m| m.heard * (m.y.0 - m.sigma * m.y.1 / m.omega)).sum());
        }
        let mut free = 0.0;
        let mut answer = 0.0;
        for m in &mut modes {
            let moved = mul(m.e, m.y);
            let push = f * m.struck / mass;
            m.free = (moved.0 + m.a.0 * push, moved.1 + m.a.1 * push);
            free += m.struck * m.free.1 / m.omega;
            answer += m.struck * m.struck * m.b.1 / (m.omega * mass);
        }
        let mut next = f;
        for _ in 0..20 {
            let hammer = x + h * v - h * h * (2.0 * f + next) / (6.0 * HAMMER);
            let depth = (hammer - free - answer * next).max(0.0);
            let new = felt.stiffness * depth.powf(felt.exponent);
            if (new - next).abs() < 1e-13 * new {
                break;
            }
            next = new;
        }
        x += h * v - h * h * (2.0 * f + next) / (6.0 * HAMMER);
        v -= h * (f + next) / (2.0 * HAMMER);
        f = next;
        for m in &mut modes {
            let push = f * m.struck / mass;
            m.y = (m.free.0 + m.b.0 * push, m.free.1 + m.b.1 * push);
        }
    }
    heard
}

fn engine(felt: Felt, rate: f64) -> Vec<f64> {
    let mass = DENSITY * PI * RADIUS * RADIUS * LENGTH;
    let count = (1..).take_while(|n| frequency(*n) < 20e3).count();
    let string = ModalSpec {
        modes: (1..=count)
            .map(|n| ModeSpec { frequency: frequency(n), decay: Decay::Sigma(sigma(frequency(n))), mass: 0.5 * mass })
            .collect(),
        points: [STRUCK_AT, HEARD_AT]
            .iter()
            .map(|x| (1..=count).map(|n| (n as f64 * PI * x).sin()).collect())
            .collect(),
    };
    let hammer = MassSpec { displacement: -1e-4 * felt.velocity, velocity: felt.velocity, ..MassSpec::free(HAMMER) };
    let law = HuntCrossley::new(felt.stiffness, felt.exponent, 0.0).unwrap();
    let on = |place| Point::on("string", Place::Point(place));
    let mut engine = Model::new(rate)
        .with("string", string)
        .with("hammer", hammer)
        .join(Interaction::new("felt", Point::of("hammer"), on(0), law))
        .listen(Pickup { source: Source::Velocity(on(1)), gains: vec![1.0] })
        .build()
        .unwrap();
    let times = (rate / RATE) as usize;
    let mut heard = vec![0.0; SAMPLES * times];
    engine.process(&mut heard);
    heard.into_iter().step_by(times).collect()
}

fn spectrum(heard: &[f64]) -> Vec<(f64, f64)> {
    let count = heard.len();
    let window = |n: usize| {
        if n < count * 3 / 4 { 1.0 } else { 0.5 + 0.5 * (PI * (n - count * 3 / 4) as f64 / (count / 4) as f64).cos() }
    };
    (0..count / 2)
        .map(|bin| {
            let (mut re, mut im) = (0.0, 0.0);
            for (n, x) in heard.iter().enumerate() {
                let angle = TAU * ((n * bin) % count) as f64 / count as f64;
                re += window(n) * x * angle.cos();
                im -= window(n) * x * angle.sin();
            }
            (re, im)
        })
        .collect()
}

#[test]
fn prints() {
    let felts = [
        Felt { exponent: 2.3, stiffness: 4e8, velocity: 1.0 },
        Felt { exponent: 2.5, stiffness: 4.5e9, velocity: 2.0 },
        Felt { exponent: 1.5, stiffness: 1e7, velocity: 1.0 },
        Felt { exponent: 1.5, stiffness: 1e8, velocity: 2.0 },
    ];
    for felt in felts {
        for (name, highest) in [("20 kHz", 20e3), ("60 kHz", 60e3)] {
            let truth = spectrum(&reference(felt, highest));
            for rate in [RATE, 2.0 * RATE, 8.0 * RATE] {
                let found = spectrum(&engine(felt, rate));
                let bin = |f: f64| (f / RATE * SAMPLES as f64).round() as usize;
                let square = |(re, im): (f64, f64)| re * re + im * im;
                let error: f64 =
                    (0..bin(10e3)).map(|i| square((found[i].0 - truth[i].0, found[i].1 - truth[i].1))).sum();
                let all: f64 = (0..bin(10e3)).map(|i| square(truth[i])).sum();
                let mut worst = 0.0_f64;
                let mut centre = 200.0;
                while centre < 9e3 {
                    let (low, high) = (bin(centre * 2f64.powf(-1.0 / 6.0)), bin(centre * 2f64.powf(1.0 / 6.0)));
                    let level = |s: &[(f64, f64)]| s[low..high].iter().map(|x| square(*x)).sum::<f64>();
                    worst = worst.max((10.0 * (level(&found) / level(&truth)).log10()).abs());
                    centre *= 2f64.powf(1.0 / 3.0);
                }
                println!(
                    "alpha {} K {:e} ref {name} rate {rate}: {:.2} %, {worst:.2} dB",
                    felt.exponent,
                    felt.stiffness,
                    100.0 * (error / all).sqrt()
                );
            }
        }
    }
}
