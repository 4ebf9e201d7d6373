//! How often the pin of a hinge slips: on a spring of stiffness k it is taken along at v until it breaks away, and jumps back by twice what friction loses.
//!
//! Slow sliding slips `k v/(2 (μ_s - μ_k) F_N)` times a second; fast, the jump itself takes its time, half a period of the pin.

use ictus::Model;
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, Decay, MassSpec};

use super::{Rubbed, failed};
use crate::commands::study::page;
use crate::error::Error;
use crate::figures::{Axis, Curve, Dash, Figure, Panel, Stroke, colour};

const RATE: f64 = 48e3;
/// The pin: mass in kg, frequency in Hz, and decay rate in 1/s.
const MASS: f64 = 0.008;
const FREQUENCY: f64 = 800.0;
const DECAY: f64 = 400.0;
/// Velocities in m/s and normal forces in N.
const VELOCITIES: [f64; 9] = [0.5e-3, 1e-3, 2e-3, 4e-3, 8e-3, 16e-3, 32e-3, 64e-3, 128e-3];
const FORCES: [f64; 3] = [6.0, 12.0, 24.0];

fn surface(normal_force: f64) -> Rubbed {
    Rubbed { normal_force, static_friction: 0.7, kinetic_friction: 0.35, slowing: 5e-3, stiffness: 5e6, elastic: 0.6 }
}

fn stiffness() -> f64 {
    MASS * (std::f64::consts::TAU * FREQUENCY).powi(2)
}

/// Slips in a second of a pin whose jumps take no time.
fn slow_rate(force: f64, velocity: f64) -> f64 {
    let surface = surface(force);
    stiffness() * velocity / (2.0 * (surface.static_friction - surface.kinetic_friction) * force)
}

/// Slips in a second; none where the pin slides on.
pub struct Slips {
    force: f64,
    velocity: f64,
    rate: Option<f64>,
}

pub fn measure() -> Result<Vec<Slips>, Error> {
    let pairs = FORCES.into_iter().flat_map(|force| VELOCITIES.map(|velocity| (force, velocity)));
    let slips = |(force, velocity): (f64, f64)| {
        let law = surface(force).law()?;
        let mut engine = Model::new(RATE)
            .with("pin", MassSpec::oscillator(MASS, FREQUENCY, Decay::Sigma(DECAY)))
            .with("knuckle", BarrierSpec { height: 0.0, velocity })
            .join(Interaction::new("rust", Point::of("knuckle"), Point::of("pin"), law))
            .listen(Pickup { source: Source::Displacement(Point::of("pin")), gains: vec![1.0] })
            .build()
            .map_err(failed)?;
        let seconds = (12.0 / slow_rate(force, velocity)).clamp(0.5, 4.0);
        let mut track = vec![0.0; (seconds * RATE) as usize];
        engine.process(&mut track);
        Ok(Slips { force, velocity, rate: rate_of(&track[track.len() / 4..]) })
    };
    pairs.map(slips).collect()
}

/// Downward crossings of the middle in a second, if the range is that of stick and slip.
fn rate_of(track: &[f64]) -> Option<f64> {
    let (low, high) = track.iter().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
    let middle = 0.5 * (low + high);
    let times = track.windows(2).enumerate().filter(|(_, pair)| pair[0] > middle && pair[1] <= middle);
    let times: Vec<f64> = times.map(|(n, pair)| n as f64 + (pair[0] - middle) / (pair[0] - pair[1])).collect();
    match times[..] {
        [first, .., last] if high - low > 1e-7 => Some(RATE * (times.len() - 1) as f64 / (last - first)),
        _ => None,
    }
}

pub fn table(slips: &[Slips]) -> String {
    let row = |velocity: f64| {
        let of = |force: f64| slips.iter().find(|slips| slips.force == force && slips.velocity == velocity);
        let cells = FORCES.into_iter().flat_map(|force| {
            let rate = of(force).and_then(|slips| slips.rate).map_or("slides".to_owned(), |rate| format!("{rate:.1}"));
            [rate, format!("{:.1}", slow_rate(force, velocity))]
        });
        [format!("{}", 1e3 * velocity)].into_iter().chain(cells).collect()
    };
    let told = "Slips in a second of a pin of 8 g that swings at 800 Hz, under three normal forces: by the engine at 48 kHz, and k v/(2 (μ_s - μ_k) F_N), for jumps that take no time.";
    let columns = ["velocity (mm/s)", "6 N", "formula", "12 N", "formula", "24 N", "formula"];
    format!("### Slips of a hinge\n\n{told}\n\n{}", page::table(&columns, VELOCITIES.into_iter().map(row).collect()))
}

pub fn figure(slips: &[Slips]) -> Figure {
    let mut curves = Vec::new();
    for (number, force) in FORCES.into_iter().enumerate() {
        let found = slips.iter().filter(|slips| slips.force == force);
        let dots = found.filter_map(|slips| Some((slips.velocity, slips.rate?))).collect();
        let stroke = Stroke::solid(colour(number));
        let line = VELOCITIES.map(|velocity| (velocity, slow_rate(force, velocity))).into_iter();
        let line = line.filter(|point| point.1 < 1600.0).collect();
        curves.push(Curve::line(line, stroke.clone().wide(1.0).dashed(Dash::Dashed)));
        curves.push(Curve::line(dots, stroke).dotted());
    }
    let panel = Panel::new(
        "",
        Axis::logarithmic("velocity", "m/s", (4e-4, 0.2)),
        Axis::logarithmic("slips in a second", "Hz", (3.0, 3000.0)),
        curves,
    )
    .mark(crate::figures::Mark::Horizontal(FREQUENCY, "the pin by itself"));
    let figure =
        Figure::new("A hinge slips more often when it is turned faster, less often when it is pressed", 1, vec![panel]);
    let figure = Figure { panel_size: (760.0, 440.0), ..figure };
    let figure = FORCES
        .into_iter()
        .enumerate()
        .fold(figure, |figure, (number, force)| figure.key(format!("{force} N"), Stroke::solid(colour(number))));
    figure.key("jumps that take no time", Stroke::solid("#444444").wide(1.0).dashed(Dash::Dashed))
}
