//! A mass on a wall, and a hammer on an object given by its modes.

use std::hint::black_box;

use ictus::Model;
use ictus::laws::HuntCrossley;
use ictus::model::{Interaction, Point};
use ictus::objects::{BarrierSpec, Decay, MassSpec, ModalSpec, ModeSpec, Place};

use crate::timing::{BLOCK, RATE, engine_times, hear, push, report, times};

pub fn mass() {
    let build = |displacement: f64, weight: f64, exponent: f64| {
        Model::new(RATE)
            .with("mass", MassSpec { displacement, ..MassSpec::free(1e-2) })
            .with("wall", BarrierSpec::default())
            .join(Interaction::new(
                "hit",
                Point::of("mass"),
                Point::of("wall"),
                HuntCrossley::new(1e6, exponent, 0.01).unwrap(),
            ))
            .drive(push("mass", weight))
            .listen(hear(Point::of("mass")))
            .build()
            .unwrap()
    };
    for exponent in [1.5, 1.3] {
        let ours = engine_times(&mut build(1e-5, 10.0, exponent));
        report(
            &format!("mass on a wall, in contact (exponent {exponent})"),
            &ours,
            Some(scalar_wall(1e-5, 10.0, exponent)),
        );
    }
    let mut flying = Model::new(RATE)
        .with("mass", MassSpec { displacement: -1.0, ..MassSpec::free(1e-2) })
        .with("wall", BarrierSpec::default())
        .join(Interaction::new("hit", Point::of("mass"), Point::of("wall"), HuntCrossley::new(1e6, 1.3, 0.01).unwrap()))
        .listen(hear(Point::of("mass")))
        .build()
        .unwrap();
    report("mass on a wall, in flight", &engine_times(&mut flying), Some(scalar_wall(-1.0, 0.0, 1.3)));
}

/// The same mass by the published rule for ψ (W19 (10)-(18)), written out with the powers of the standard library: one evaluation and one solve
/// where the engine has two.
fn scalar_wall(displacement: f64, weight: f64, exponent: f64) -> f64 {
    let (k, mass, stiffness, dissipation) = (1.0 / RATE, 1e-2, 1e6, 0.01);
    let admittance = k * k / mass;
    let (mut u, mut previous, mut root) = (displacement, displacement, 0.0);
    let mut out = [0.0; BLOCK];
    let plain = times(|| {
        for out in &mut out {
            let free = 2.0 * u - previous + admittance * weight;
            let mut next = free;
            if u > 0.0 || root != 0.0 {
                let depth = u.max(0.0);
                let slope = (0.5 * stiffness * (exponent + 1.0)).sqrt() * depth.powf(0.5 * (exponent - 1.0));
                let resistance = dissipation * stiffness * depth.powf(exponent);
                let conductance = 0.25 * slope * slope + 0.5 * resistance / k;
                let step = (free - previous - admittance * root * slope) / (1.0 + admittance * conductance);
                root += 0.5 * slope * step;
                next = previous + step;
            }
            (previous, u) = (u, next);
            *out = u;
        }
        black_box(&mut out);
    });
    plain.median
}

/// A hammer pressed on a modal object.
pub fn modal(count: usize) {
    let frequency = |mode: usize| 80.0 + 19_000.0 * mode as f64 / count as f64;
    let mode = |i: usize| ModeSpec { frequency: frequency(i), decay: Decay::T60(1.0), mass: 0.1 };
    let modes: Vec<ModeSpec> = (0..count).map(mode).collect();
    let weights: Vec<f64> = (0..count).map(|i| ((i as f64) * 0.7).cos()).collect();
    let listening: Vec<f64> = (0..count).map(|i| ((i as f64) * 0.3).sin()).collect();
    let mut engine = Model::new(RATE)
        .with("bar", ModalSpec { modes, points: vec![weights.clone(), listening.clone()] })
        .with("hammer", MassSpec { displacement: 1e-5, ..MassSpec::free(0.02) })
        .join(Interaction::new(
            "felt",
            Point::of("hammer"),
            Point::on("bar", Place::Point(0)),
            HuntCrossley::new(1e7, 1.5, 0.1).unwrap(),
        ))
        .drive(push("hammer", 20.0))
        .listen(hear(Point::on("bar", Place::Point(1))))
        .build()
        .unwrap();
    let ours = engine_times(&mut engine);

    let (b, c) = (vec![1.99; count], vec![0.999; count]);
    let (mut u, mut previous, mut heard) = (vec![1e-6; count], vec![1e-6; count], 0.0);
    let plain = times(|| {
        for _ in 0..BLOCK {
            let force: f64 = 1e-3 * u.iter().zip(&weights).map(|(u, w)| u * w).sum::<f64>();
            for i in 0..count {
                let next = b[i] * u[i] - c[i] * previous[i] - 1e-9 * weights[i] * force;
                previous[i] = u[i];
                u[i] = next;
            }
            heard += u.iter().zip(&listening).map(|(u, w)| u * w).sum::<f64>();
        }
        black_box(heard);
    });
    report(&format!("hammer pressed on {count} modes"), &ours, Some(plain.median));
}
