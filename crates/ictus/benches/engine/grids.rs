//! Strings and plates on grids, beside plain loops of the same equations.

use std::hint::black_box;

use ictus::Model;
use ictus::laws::HuntCrossley;
use ictus::model::{Interaction, Point, Start};
use ictus::objects::{Loss, MassSpec, Method, Outline, Place, PlateSpec, StringPitch, StringSpec};

use crate::timing::{BLOCK, RATE, engine_times, hear, push, report, ringing, times};

/// 100 points, both losses, a hammer resting on it.
pub fn string() {
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
    let mut alone = ringing(Place::Along(0.87), Model::new(RATE).with("string", spec)).build().unwrap();
    report("string of 100 points, alone", &engine_times(&mut alone), Some(scalar_string(100)));
}

pub fn scalar_string(points: usize) -> f64 {
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
pub fn plate(points: usize) {
    let spec = PlateSpec {
        outline: Outline::Rectangle([0.6, 0.6]),
        thickness: 1e-4,
        loss: Loss::None,
        method: Method::Grid,
        grid: Some([points + 1, points + 1]),
        ..PlateSpec::default()
    };
    let mut engine = ringing(Place::On(0.3, 0.4), Model::new(RATE).with("plate", spec)).build().unwrap();
    let ours = engine_times(&mut engine);
    report(&format!("plate {points} x {points}, lossless"), &ours, Some(scalar_plate(points, points)));
}

pub fn scalar_plate(columns: usize, rows: usize) -> f64 {
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

pub fn thousand_strings() {
    let build = |count: usize| {
        let spec = StringSpec {
            method: Method::Grid,
            segments: Some(101),
            pitch: StringPitch::Fundamental(120.0),
            ..StringSpec::default()
        };
        let strings = (0..count).fold(Model::new(RATE), |model, index| {
            let start = Start { centre: Place::Along(0.3), half_width: 0.2, displacement: 0.0, velocity: 0.1 };
            let mut model = model.with(&format!("string {index}"), spec.clone());
            model.objects[index].start = Some(start);
            model
        });
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
