//! A block on a spring on a moving belt, by the engine at four rates and by its differential equation.
//!
//! ```text
//! m ẍ = σ0 z - m ω² x,     v = V - ẋ,     ż = v - a |v| σ0 z/g(v)
//! ```
//!
//! by the classical Runge-Kutta method in steps of half a microsecond.

use std::f64::consts::{PI, TAU};

use ictus::Model;
use ictus::id::ContactId;
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, Decay, MassSpec};

use super::{Rubbed, failed};
use crate::commands::study::page;
use crate::error::Error;
use crate::figures::{Curve, Figure, Panel, Stroke, colour};

/// Rates in Hz.
const RATES: [f64; 4] = [44.1e3, 48e3, 96e3, 192e3];
/// Length in s.
const LENGTH: f64 = 0.5;
/// Samples of the equation in a second.
const FINE: f64 = 192e3;

/// What is rubbed.
struct Setup {
    title: &'static str,
    mass: f64,
    frequency: f64,
    belt: f64,
    surface: Rubbed,
}

const SETUPS: [Setup; 3] = [
    Setup {
        title: "10 g, 100 Hz, bristles",
        mass: 0.01,
        frequency: 100.0,
        belt: 0.05,
        surface: Rubbed {
            normal_force: 1.0,
            static_friction: 1.5,
            kinetic_friction: 0.5,
            slowing: 0.05,
            stiffness: 1e5,
            elastic: 0.0,
        },
    },
    Setup {
        title: "10 g, 100 Hz, elasto-plastic",
        mass: 0.01,
        frequency: 100.0,
        belt: 0.05,
        surface: Rubbed {
            normal_force: 1.0,
            static_friction: 1.5,
            kinetic_friction: 0.5,
            slowing: 0.05,
            stiffness: 1e5,
            elastic: 0.7,
        },
    },
    Setup {
        title: "1 g, 440 Hz, bristles",
        mass: 0.001,
        frequency: 440.0,
        belt: 0.1,
        surface: Rubbed {
            normal_force: 0.5,
            static_friction: 0.8,
            kinetic_friction: 0.3,
            slowing: 0.1,
            stiffness: 1e5,
            elastic: 0.0,
        },
    },
];

/// What was found of one.
pub struct Block {
    title: &'static str,
    /// Half the range in m and period in s, by the equation and by the engine at each rate.
    expected: [f64; 2],
    cycles: [[f64; 2]; 4],
    /// Largest friction at any rate over μ_s F_N.
    largest: f64,
    /// Displacement in m over s: by the engine at 48 and 192 kHz and by the equation.
    tracks: [Vec<(f64, f64)>; 3],
    /// Velocity of sliding in m/s and friction in N over the last period, at 192 kHz.
    pub path: Vec<(f64, f64)>,
}

impl Setup {
    fn by_equation(&self) -> Vec<f64> {
        let Rubbed { normal_force, kinetic_friction, stiffness, elastic, .. } = self.surface;
        let omega = TAU * self.frequency;
        let slope = |[x, velocity, z]: [f64; 3]| {
            let v = self.belt - velocity;
            let most = self.surface.sliding(v);
            let (bent, least) = (z * v.signum() * stiffness, elastic * kinetic_friction * normal_force);
            let share = if elastic == 0.0 || bent >= most {
                1.0
            } else if bent <= least {
                0.0
            } else {
                0.5 * (1.0 - (PI * (bent - least) / (most - least)).cos())
            };
            let pull = stiffness * z / self.mass;
            [velocity, pull - omega * omega * x, v - share * v.abs() * stiffness / most * z]
        };
        let along = |y: [f64; 3], k: [f64; 3], h: f64| [y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2]];
        let parts = 10;
        let step = 1.0 / (FINE * f64::from(parts));
        let mut y = [0.0; 3];
        let mut track = Vec::new();
        for _ in 0..(LENGTH * FINE) as usize {
            for _ in 0..parts {
                let a = slope(y);
                let b = slope(along(y, a, 0.5 * step));
                let c = slope(along(y, b, 0.5 * step));
                let d = slope(along(y, c, step));
                for i in 0..3 {
                    y[i] += step / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
                }
            }
            track.push(y[0]);
        }
        track
    }

    /// Displacements in m, velocities of sliding in m/s and forces in N.
    fn by_engine(&self, rate: f64) -> Result<[Vec<f64>; 3], Error> {
        let friction = Interaction::new("friction", Point::of("belt"), Point::of("block"), self.surface.law()?);
        let mut engine = Model::new(rate)
            .with("block", MassSpec::oscillator(self.mass, self.frequency, Decay::None))
            .with("belt", BarrierSpec { height: 0.0, velocity: self.belt })
            .join(friction)
            .listen(Pickup { source: Source::Displacement(Point::of("block")), gains: vec![1.0] })
            .build()
            .map_err(failed)?;
        let mut found = [Vec::new(), Vec::new(), Vec::new()];
        let (mut sample, mut before, mut now) = ([0.0], 0.0, 0.0);
        for _ in 0..(LENGTH * rate) as usize {
            engine.process(&mut sample);
            let next = engine.compression(ContactId::new(0)).unwrap_or(f64::NAN);
            found[0].push(sample[0]);
            found[1].push(0.5 * (next - before) * rate);
            found[2].push(engine.interaction_force(ContactId::new(0)).unwrap_or(f64::NAN));
            (before, now) = (now, next);
        }
        Ok(found)
    }
}

/// Times in s of the upward crossings of the middle, and half the range in m, over the second half.
fn crossings(track: &[f64], rate: f64) -> (Vec<f64>, f64) {
    let last = &track[track.len() / 2..];
    let (low, high) = last.iter().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
    let middle = 0.5 * (low + high);
    let crossing = |(n, pair): (usize, &[f64])| {
        let up = pair[0] < middle && pair[1] >= middle;
        up.then(|| (n as f64 + (middle - pair[0]) / (pair[1] - pair[0])) / rate)
    };
    (last.windows(2).enumerate().filter_map(crossing).collect(), 0.5 * (high - low))
}

fn cycle(track: &[f64], rate: f64) -> Result<[f64; 2], Error> {
    let (times, amplitude) = crossings(track, rate);
    match times[..] {
        [first, .., last] => Ok([amplitude, (last - first) / (times.len() - 1) as f64]),
        _ => Err(failed("the block does not stick and slip")),
    }
}

pub fn measure() -> Result<Vec<Block>, Error> {
    let block = |setup: &Setup| {
        let exact = setup.by_equation();
        let expected = cycle(&exact, FINE)?;
        let (mut cycles, mut largest) = ([[0.0; 2]; 4], 0.0_f64);
        let (mut tracks, mut path) = ([Vec::new(), Vec::new(), Vec::new()], Vec::new());
        let shown = |track: &[f64], rate: f64, every: usize| {
            let times = track.iter().enumerate().map(|(n, x)| (n as f64 / rate, *x));
            times.take_while(|point| point.0 < 5.0 / setup.frequency).step_by(every).collect::<Vec<_>>()
        };
        for (found, rate) in cycles.iter_mut().zip(RATES) {
            let [displacements, velocities, forces] = setup.by_engine(rate)?;
            *found = cycle(&displacements, rate)?;
            let most = setup.surface.static_friction * setup.surface.normal_force;
            largest = forces.iter().fold(largest, |largest, force| largest.max(force.abs() / most));
            if rate == RATES[1] {
                tracks[0] = shown(&displacements, rate, 12);
            }
            if rate == RATES[3] {
                tracks[1] = shown(&displacements, rate, 8);
                let period = (expected[1] * rate) as usize + 2;
                let from = displacements.len() - period;
                path = velocities[from..].iter().copied().zip(forces[from..].iter().copied()).collect();
            }
        }
        tracks[2] = shown(&exact, FINE, 4);
        Ok(Block { title: setup.title, expected, cycles, largest, tracks, path })
    };
    SETUPS.iter().map(block).collect()
}

pub fn table(blocks: &[Block]) -> String {
    let rows = blocks.iter().flat_map(|block| {
        [("amplitude", 0), ("period", 1)].map(|(name, which)| {
            let off = block.cycles.map(|cycle| format!("{:.1e}", (cycle[which] / block.expected[which] - 1.0).abs()));
            let expected = match which {
                0 => format!("{:.4} mm", 1e3 * block.expected[0]),
                _ => format!("{:.4} ms", 1e3 * block.expected[1]),
            };
            let most = if which == 0 { format!("{:.4}", block.largest) } else { String::new() };
            [block.title.to_owned(), name.to_owned(), expected].into_iter().chain(off).chain([most]).collect()
        })
    });
    let told = "A block on a spring on a moving belt: amplitude and period by the differential equation, how far the engine is from them at four rates, and the largest friction in any sample \
                over μ_s F_N.";
    let columns = ["block", "", "equation", "44.1 kHz", "48 kHz", "96 kHz", "192 kHz", "largest"];
    format!("### Stick and slip\n\n{told}\n\n{}", page::table(&columns, rows.collect()))
}

pub fn figure(blocks: &[Block]) -> Figure {
    let panels = blocks.iter().map(|block| {
        let [coarse, fine, exact] = block.tracks.clone();
        let curves = vec![
            Curve::line(exact, Stroke::solid(colour(0)).wide(1.2)),
            Curve::line(coarse, Stroke::solid(colour(1)).wide(0.0)).dotted(),
            Curve::line(fine, Stroke::solid(colour(2)).wide(0.8)),
        ];
        Panel::around(block.title, ("time", "s"), ("displacement", "m"), curves)
    });
    let figure = Figure::new("A block on a spring on a moving belt", 3, panels.collect());
    Figure { panel_size: (400.0, 320.0), ..figure }
        .key("differential equation", Stroke::solid(colour(0)))
        .key("engine at 48 kHz", Stroke::solid(colour(1)))
        .key("engine at 192 kHz", Stroke::solid(colour(2)))
}
