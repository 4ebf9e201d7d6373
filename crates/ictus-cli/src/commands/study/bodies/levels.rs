//! Levels of the first twenty partials of struck bodies, computed at the rate and at eight times the rate.
//!
//! The sound of the high rate is brought down to the low one as `ictus render --oversample 8` does it, and both are measured alike.

use ictus::model::ObjectSpec;
use ictus::objects::{Loss, Method, Outline, Place, PlateEdges, PlateSpec, StringPitch, StringSpec};
use ictus_analysis::{Partial, cents, partial_near};
use rayon::prelude::*;

use super::sound::{Hammer, RATE, TIMES, alone, failed, modes};
use crate::error::Error;

/// Partials that are compared.
pub const COUNT: usize = 20;
/// Pitch of the string in Hz.
const PITCH: f64 = 131.0;
/// How long is listened, in s.
const SECONDS: f64 = 1.5;

/// One partial.
pub struct Row {
    /// In Hz.
    pub frequency: f64,
    /// Level in dB at the rate, over the loudest of the twenty.
    pub level: f64,
    /// By how many dB it is louder at eight times the rate, and by how many cents higher.
    pub louder: f64,
    pub higher: f64,
}

/// One body.
pub struct Body {
    pub name: &'static str,
    pub rows: Vec<Row>,
}

fn string(radius: f64, method: Method) -> ObjectSpec {
    let pitch = StringPitch::Fundamental(PITCH);
    StringSpec { length: 0.62, pitch, radius, method, ..StringSpec::default() }.into()
}

fn plate() -> ObjectSpec {
    PlateSpec {
        outline: Outline::Rectangle([0.3, 0.16]),
        thickness: 2e-3,
        edges: PlateEdges::Free,
        loss: Loss::t60(2.0),
        ..PlateSpec::default()
    }
    .into()
}

/// Where partials are looked for.
enum Expected {
    /// At these frequencies in Hz, and no more than 20 cents from there.
    At(Vec<f64>),
    /// One after the other from this frequency in Hz on, each about as far from the last as that from the one before: so those of a string are
    /// told apart on a grid too, whose 20th is flat.
    Series(f64),
}

impl Expected {
    fn find(&self, sound: &[f64]) -> Result<Vec<Partial>, Error> {
        let near = |expected: f64, search: f64| {
            let found = partial_near(sound, RATE, expected, search).map_err(failed)?;
            found.ok_or_else(|| failed(format!("no partial at {expected:.1} Hz")))
        };
        match self {
            Self::At(frequencies) => frequencies.iter().map(|frequency| near(*frequency, 20.0)).collect(),
            Self::Series(first) => {
                let mut found: Vec<Partial> = Vec::with_capacity(COUNT);
                while found.len() < COUNT {
                    let next = match &found[..] {
                        [] => *first,
                        [only] => 2.0 * only.frequency,
                        [.., before, last] => 2.0 * last.frequency - before.frequency,
                    };
                    found.push(near(next, 35.0)?);
                }
                Ok(found)
            }
        }
    }
}

/// A body and its hammer.
struct Struck {
    name: &'static str,
    spec: ObjectSpec,
    expected: Expected,
    hammer: Hammer,
}

fn struck() -> Result<Vec<Struck>, Error> {
    let found = modes(&alone(plate(), RATE)?);
    let frequencies = found.iter().map(|mode| mode.frequency).take(COUNT).collect();
    let felt =
        Hammer { mass: 4e-3, velocity: 1.0, head: (4e8, 2.3), at: Place::Along(0.12), heard: Place::Along(0.37) };
    let mallet =
        Hammer { mass: 0.01, velocity: 1.0, head: (1e7, 1.5), at: Place::On(0.13, 0.09), heard: Place::On(0.97, 0.95) };
    // Heavy and fast for its string: what differs most of all that was tried.
    let hard = Hammer { mass: 2e-3, velocity: 2.0, head: (4.5e9, 2.5), ..felt };
    let struck = |name, radius, method, hammer| {
        let expected = Expected::Series(PITCH);
        Struck { name, spec: string(radius, method), expected, hammer }
    };
    Ok(vec![
        struck("string in modes under a felt", 5e-4, Method::Modes, felt),
        Struck {
            name: "free plate in modes under a mallet",
            spec: plate(),
            expected: Expected::At(frequencies),
            hammer: mallet,
        },
        struck("thin string in modes under a hard, fast felt", 3e-4, Method::Modes, hard),
        struck("string under a felt, on a grid", 5e-4, Method::Grid, felt),
    ])
}

/// All bodies; the last is on a grid.
pub fn measure() -> Result<Vec<Body>, Error> {
    let body = |struck: &Struck| {
        let by = |times: usize| struck.hammer.strike(struck.spec.clone(), RATE, times, SECONDS);
        let (plain, fine) = rayon::join(|| by(1), || by(TIMES));
        let (plain, fine) = (plain?, fine?);
        let (plain, fine) = (struck.expected.find(&plain)?, struck.expected.find(&fine)?);
        let decibels = |ratio: f64| 20.0 * ratio.log10();
        let row = |(here, there): (&Partial, &Partial)| Row {
            frequency: here.frequency,
            level: decibels(here.amplitude),
            louder: decibels(there.amplitude / here.amplitude),
            higher: cents(here.frequency, there.frequency),
        };
        let mut rows: Vec<Row> = plain.iter().zip(&fine).map(row).collect();
        let loudest = rows.iter().map(|row| row.level).fold(f64::NEG_INFINITY, f64::max);
        rows.iter_mut().for_each(|row| row.level -= loudest);
        Ok(Body { name: struck.name, rows })
    };
    struck()?.par_iter().map(body).collect()
}
