//! Hammers of felt on a wall: how fast they come back, by the engine and by their differential equation.
//!
//! ```text
//! m ẍ = -f,     f = [p - ε z]+,     ż = (p - z)/τ,     p = K [x]+^α
//! ```
//!
//! with z in N, by the classical Runge-Kutta method in steps of 1/40 µs.

use ictus::Model;
use ictus::id::ContactId;
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, MassSpec};

use super::{FELTS, Felt, failed};
use crate::commands::study::page;
use crate::error::Error;
use crate::figures::{Axis, Curve, Figure, Panel, Stroke, colour};

const RATE: f64 = 48e3;
/// Velocities in m/s.
const VELOCITIES: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
/// Time in s after which every hammer is off the wall.
const LENGTH: f64 = 0.02;
const STEP: f64 = 2.5e-8;

pub struct Blow {
    felt: Felt,
    velocity: f64,
    /// Velocity of rebound over that of the blow, and largest force in N, by the engine and by the equation.
    engine: [f64; 2],
    equation: [f64; 2],
}

fn by_equation(felt: &Felt, velocity: f64) -> [f64; 2] {
    let [stiffness, exponent, hysteresis, relaxation_time] = felt.numbers;
    let pressed = |x: f64| stiffness * x.max(0.0).powf(exponent);
    let force = |[x, _, z]: [f64; 3]| (pressed(x) - hysteresis * z).max(0.0);
    let slope = |y: [f64; 3]| [y[1], -force(y) / felt.mass, (pressed(y[0]) - y[2]) / relaxation_time];
    let along = |y: [f64; 3], k: [f64; 3], h: f64| [y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2]];
    let (mut y, mut most) = ([0.0, velocity, 0.0], 0.0_f64);
    while y[0] >= 0.0 {
        let a = slope(y);
        let b = slope(along(y, a, 0.5 * STEP));
        let c = slope(along(y, b, 0.5 * STEP));
        let d = slope(along(y, c, STEP));
        for i in 0..3 {
            y[i] += STEP / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
        }
        most = most.max(force(y));
    }
    [-y[1] / velocity, most]
}

fn by_engine(felt: &Felt, velocity: f64) -> Result<[f64; 2], Error> {
    let hammer = MassSpec { displacement: 2.3 * velocity / RATE, velocity: -velocity, ..MassSpec::free(felt.mass) };
    let mut engine = Model::new(RATE)
        .with("wall", BarrierSpec::default())
        .with("hammer", hammer)
        .join(Interaction::new("felt", Point::of("wall"), Point::of("hammer"), felt.law()?))
        .listen(Pickup { source: Source::Velocity(Point::of("hammer")), gains: vec![1.0] })
        .build()
        .map_err(failed)?;
    let (mut sample, mut most) = ([0.0], 0.0_f64);
    for _ in 0..(LENGTH * RATE) as usize {
        engine.process(&mut sample);
        most = most.max(engine.interaction_force(ContactId::new(0)).unwrap_or(f64::NAN));
    }
    Ok([sample[0] / velocity, most])
}

pub fn measure() -> Result<Vec<Blow>, Error> {
    let pairs = FELTS.into_iter().flat_map(|felt| VELOCITIES.map(|velocity| (felt, velocity)));
    let blow = |(felt, velocity): (Felt, f64)| {
        let (engine, equation) = (by_engine(&felt, velocity)?, by_equation(&felt, velocity));
        Ok(Blow { felt, velocity, engine, equation })
    };
    pairs.map(blow).collect()
}

pub fn table(blows: &[Blow]) -> String {
    let cells = |blow: &Blow| {
        let off = |which: usize| format!("{:+.2} %", 100.0 * (blow.engine[which] / blow.equation[which] - 1.0));
        vec![
            blow.felt.title.to_owned(),
            format!("{}", blow.velocity),
            format!("{:.4}", blow.equation[0]),
            off(0),
            format!("{:.1}", blow.equation[1]),
            off(1),
        ]
    };
    let told = "Hammers of 8 g (the piano's: 7.5 g) on a wall: velocity of the rebound over that of the blow, and the largest force, by the differential equation; and how far the engine at \
                48 kHz is from it.";
    let columns = ["felt", "velocity (m/s)", "rebound", "engine", "largest force (N)", "engine"];
    format!("### Blows\n\n{told}\n\n{}", page::table(&columns, blows.iter().map(cells).collect()))
}

pub fn figure(blows: &[Blow]) -> Figure {
    let curves = |which: usize| {
        FELTS.iter().enumerate().flat_map(move |(number, felt)| {
            let of_felt = || blows.iter().filter(|blow| blow.felt.title == felt.title);
            let line = of_felt().map(|blow| (blow.velocity, blow.equation[which])).collect();
            let dots = of_felt().map(|blow| (blow.velocity, blow.engine[which])).collect();
            let stroke = Stroke::solid(colour(number));
            [Curve::line(line, stroke.clone()), Curve::line(dots, stroke.wide(0.0)).dotted()]
        })
    };
    let x = || Axis::logarithmic("velocity of the blow", "m/s", (0.2, 5.0));
    let panels = vec![
        Panel::new("rebound over blow", x(), Axis::linear("ratio", "", (0.0, 1.0)), curves(0).collect()),
        Panel::new("largest force", x(), Axis::logarithmic("force", "N", (1.0, 300.0)), curves(1).collect()),
    ];
    let figure = Figure::new(
        "Hammers of felt on a wall: the engine at 48 kHz (dots) on differential equations (lines)",
        2,
        panels,
    );
    FELTS
        .iter()
        .enumerate()
        .fold(figure, |figure, (number, felt)| figure.key(felt.title, Stroke::solid(colour(number))))
}
