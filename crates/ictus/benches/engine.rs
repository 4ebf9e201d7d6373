//! Nanoseconds per sample of whole models, beside plain scalar loops of the same physics in the same run, and the worst block.
//!
//! `cargo bench -p ictus --bench engine`, or of some models only: `cargo bench -p ictus --bench engine -- string plate`

use std::hint::black_box;
use std::time::Instant;

use ictus::laws::{BowFriction, CentreLimited, HuntCrossley, OneSidedPower};
use ictus::model::{Force, Interaction, Pickup, Point, Source};
use ictus::objects::{
    BarrierSpec, Decay, Loss, MassSpec, Method, ModalSpec, ModeSpec, Outline, Place, PlateSpec, StringPitch, StringSpec,
};
use ictus::{Engine, Model};

const RATE: f64 = 44_100.0;
const BLOCK: usize = 64;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let chosen = |name: &str| asked.is_empty() || asked.iter().any(|asked| name.contains(asked.as_str()));
    if !BENCHES.iter().any(|(name, _)| chosen(name)) {
        eprintln!("no model has such a name: {} are measured", BENCHES.map(|(name, _)| name).join(", "));
        std::process::exit(2);
    }
    println!("{:<46} {:>9} {:>9} {:>9} {:>9} {:>7}", "ns per sample", "median", "p99.9", "max", "scalar", "ratio");
    for (_, bench) in BENCHES.iter().filter(|(name, _)| chosen(name)) {
        bench();
    }
}

/// What can be asked for by name.
const BENCHES: [(&str, fn()); 6] = [
    ("mass", mass),
    ("modal", || [64, 256].into_iter().for_each(modal)),
    ("string", string),
    ("plate", || [32, 64].into_iter().for_each(plate)),
    ("tromba", tromba),
    ("thousand", thousand_strings),
];

/// Median, 99.9th percentile and maximum over blocks, in ns per sample.
struct Times {
    median: f64,
    tail: f64,
    worst: f64,
}

fn times(mut block: impl FnMut()) -> Times {
    let start = Instant::now();
    while start.elapsed().as_millis() < 100 {
        block();
    }
    let mut all = Vec::new();
    let start = Instant::now();
    while start.elapsed().as_millis() < 700 {
        let before = Instant::now();
        block();
        all.push(before.elapsed().as_nanos() as f64 / BLOCK as f64);
    }
    all.sort_by(f64::total_cmp);
    let at = |part: f64| all[((all.len() - 1) as f64 * part) as usize];
    Times { median: at(0.5), tail: at(0.999), worst: at(1.0) }
}

fn engine_times(engine: &mut Engine) -> Times {
    let mut block = vec![0.0; BLOCK * engine.channels()];
    times(|| engine.process(black_box(&mut block)))
}

fn report(name: &str, ours: &Times, scalar: Option<f64>) {
    let Times { median, tail, worst } = ours;
    let (plain, ratio) = match scalar {
        Some(plain) => (format!("{plain:.1}"), format!("{:.2}", median / plain)),
        None => ("-".into(), "-".into()),
    };
    println!("{name:<46} {median:>9.1} {tail:>9.1} {worst:>9.1} {plain:>9} {ratio:>7}");
}

fn hear(point: Point) -> Pickup {
    Pickup { source: Source::Displacement(point), gains: vec![1.0] }
}

fn push(object: &str, newtons: f64) -> Force {
    Force { name: "weight".into(), at: Point::of(object), level: newtons, signal: None }
}

fn mass() {
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
fn modal(count: usize) {
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

/// 100 points, both losses, a hammer resting on it.
fn string() {
    let spec = StringSpec {
        method: Method::Grid,
        segments: Some(101),
        pitch: StringPitch::Fundamental(120.0),
        ..StringSpec::default()
    };
    let mut engine = Model::new(RATE)
        .with("string", spec.clone())
        .with("hammer", MassSpec { displacement: 1e-5, ..MassSpec::free(0.02) })
        .join(Interaction::new(
            "felt",
            Point::of("hammer"),
            Point::on("string", Place::Along(0.123)),
            HuntCrossley::new(1e7, 1.5, 0.1).unwrap(),
        ))
        .drive(push("hammer", 2.0))
        .listen(hear(Point::on("string", Place::Along(0.87))))
        .build()
        .unwrap();
    report("string of 100 points, hammer in contact", &engine_times(&mut engine), Some(scalar_string(100)));
    let mut alone =
        Model::new(RATE).with("string", spec).listen(hear(Point::on("string", Place::Along(0.87)))).build().unwrap();
    report("string of 100 points, alone", &engine_times(&mut alone), Some(scalar_string(100)));
}

fn scalar_string(points: usize) -> f64 {
    let (mut u, mut previous, mut next) = (vec![1e-6; points + 4], vec![1e-6; points + 4], vec![0.0; points + 4]);
    let plain = times(|| {
        for _ in 0..BLOCK {
            let neighbours = u.windows(5).zip(previous.windows(5));
            for (next, (u, before)) in next[2..points + 2].iter_mut().zip(neighbours) {
                *next = 0.9 * u[2] + 0.5 * (u[1] + u[3])
                    - 0.01 * (u[0] + u[4])
                    - 0.99 * before[2]
                    - 0.001 * (before[1] + before[3]);
            }
            std::mem::swap(&mut previous, &mut u);
            std::mem::swap(&mut u, &mut next);
        }
        black_box(&u);
    });
    plain.median
}

/// A lossless plate of n by n moving points.
fn plate(points: usize) {
    let spec = PlateSpec {
        outline: Outline::Rectangle([0.6, 0.6]),
        thickness: 1e-4,
        loss: Loss::None,
        method: Method::Grid,
        grid: Some([points + 1, points + 1]),
        ..PlateSpec::default()
    };
    let mut engine =
        Model::new(RATE).with("plate", spec).listen(hear(Point::on("plate", Place::On(0.3, 0.4)))).build().unwrap();
    let ours = engine_times(&mut engine);
    report(&format!("plate {points} x {points}, lossless"), &ours, Some(scalar_plate(points, points)));
}

fn scalar_plate(columns: usize, rows: usize) -> f64 {
    let stride = columns + 4;
    let zeros = || vec![1e-9; stride * (rows + 4)];
    let (mut u, mut previous, mut next) = (zeros(), zeros(), zeros());
    let plain = times(|| {
        for _ in 0..BLOCK {
            for y in 2..rows + 2 {
                let row = |offset: usize| &u[(y + offset - 2) * stride..][..columns + 4];
                let [r0, r1, r2, r3, r4] = std::array::from_fn(row);
                let before = &previous[y * stride + 2..][..columns];
                let next = &mut next[y * stride + 2..][..columns];
                for x in 0..columns {
                    let near = r2[x + 1] + r2[x + 3] + r1[x + 2] + r3[x + 2];
                    let diagonal = r1[x + 1] + r1[x + 3] + r3[x + 1] + r3[x + 3];
                    let far = r2[x] + r2[x + 4] + r0[x + 2] + r4[x + 2];
                    next[x] = 0.75 * r2[x + 2] + 0.5 * near - 0.125 * diagonal - 0.0625 * far - before[x];
                }
            }
            std::mem::swap(&mut previous, &mut u);
            std::mem::swap(&mut u, &mut next);
        }
        black_box(&u);
    });
    plain.median
}

/// W19's tromba marina: 226-point string, 134 by 17 plate, bowed, the joint and the rattle live.
fn tromba() {
    let build = |rattling: bool| {
        let string = StringSpec {
            length: 1.9,
            pitch: StringPitch::Fundamental(32.0),
            radius: 5e-4,
            method: Method::Grid,
            segments: Some(226),
            ..StringSpec::default()
        };
        let plate = PlateSpec {
            outline: Outline::Rectangle([1.35, 0.18]),
            thickness: 2e-3,
            density: 50.0,
            youngs_modulus: 2e5,
            method: Method::Grid,
            grid: Some([135, 18]),
            ..PlateSpec::default()
        };
        let gap = if rattling { -2e-4 } else { 1.0 };
        let joint = CentreLimited::new(5e6, 1.5, 0.0).unwrap();
        let mut rattle = Interaction::new(
            "rattle",
            Point::on("plate", Place::On(0.37, 0.5)),
            Point::of("bridge"),
            OneSidedPower::new(5e8, 1.0, 0.0).unwrap(),
        );
        rattle.gap = gap;
        Model::new(RATE)
            .with("string", string)
            .with("bridge", MassSpec::oscillator(0.001, 80.0, Decay::Sigma(0.05)))
            .with("plate", plate)
            .with("bow", BarrierSpec { height: 0.0, velocity: 0.15 })
            .join(Interaction::new("joint", Point::on("string", Place::Along(0.9)), Point::of("bridge"), joint))
            .join(rattle)
            .join(Interaction::new(
                "bowing",
                Point::on("string", Place::Along(0.25)),
                Point::of("bow"),
                BowFriction::new(0.5, 100.0).unwrap(),
            ))
            .listen(hear(Point::on("plate", Place::On(0.2, 0.3))))
            .build()
            .unwrap()
    };
    let plain = scalar_string(226) + scalar_plate(134, 17);
    let live = engine_times(&mut build(true));
    report("tromba marina, bowed, both contacts live", &live, Some(plain));
    let loose = engine_times(&mut build(false));
    report("tromba marina, bowed, bridge in the air", &loose, Some(plain));
    println!("{:<46} {:>9.2}", "  cost in contact over cost in flight", live.median / loose.median);
}

fn thousand_strings() {
    let build = |count: usize| {
        let spec = StringSpec {
            method: Method::Grid,
            segments: Some(101),
            pitch: StringPitch::Fundamental(120.0),
            ..StringSpec::default()
        };
        let strings = (0..count).fold(Model::new(RATE), |model, i| model.with(&format!("string {i}"), spec.clone()));
        strings.listen(hear(Point::on("string 0", Place::Along(0.3)))).build().unwrap()
    };
    let one = engine_times(&mut build(1));
    let mut many = build(1000);
    let mut block = [0.0; 8];
    let all = times(|| many.process(black_box(&mut block)));
    let each = all.median * BLOCK as f64 / block.len() as f64 / 1000.0;
    println!(
        "{:<46} {each:>9.1} {:>9} {:>9} {:>9.1} {:>7.2}",
        "1000 strings of 100 points, each",
        "",
        "",
        one.median,
        each / one.median
    );
}
