//! Where partials sound, in cents from where the textbook has them.
//!
//! Each body is pushed for one sample and its velocity heard for a second; a partial is the top of its hump in the spectrum of that sound. The expected frequencies are
//! closed forms or roots of the textbook's equation, worked out here and not by the bodies. A string is pushed at all antinodes of one partial, up and down in turn,
//! so that it is the only one around: on a grid the 40th lies nearer to where the 39th belongs than to its own place.

use std::f64::consts::PI;

use ictus::model::ObjectSpec;
use ictus::objects::{
    BarPitch, BarSpec, End, Loss, Method, Outline, Place, PlateEdges, PlateSpec, Section, StringPitch, StringSpec,
};
use ictus_analysis::{cents, partial_near};
use rayon::prelude::*;

use super::sound::{RATE, TIMES, failed, pushed};
use crate::error::Error;

/// How long is listened, in s.
const SECONDS: f64 = 1.0;
/// The columns: heading, method, and rate in parts of 48 kHz.
pub const COLUMNS: [(&str, Method, f64); 3] = [
    ("grid 48 kHz", Method::Grid, 1.0),
    ("grid 384 kHz", Method::Grid, TIMES as f64),
    ("modes 48 kHz", Method::Modes, 1.0),
];
/// λ² of (2,0), (0,1), (3,0), (1,1) and (4,0) of a free circular plate, ν = 0.3: roots of moment = 0 and shear = 0 at the rim (Leissa, NASA SP-160,
/// chapter 2), computed with 30 digits apart from this project.
const CIRCLE: [(&str, f64); 5] = [
    ("(2,0)", 5.358_329_787_9),
    ("(0,1)", 9.003_137_350_3),
    ("(3,0)", 12.438_988_165_4),
    ("(1,1)", 20.474_550_113_9),
    ("(4,0)", 21.835_162_704_2),
];

/// One partial of one body.
pub struct Row {
    pub body: &'static str,
    pub partial: String,
    /// Where it should be, in Hz.
    pub expected: f64,
    /// Cents from there by each column; none where there is no such body.
    pub off: Vec<Option<f64>>,
}

/// What is asked of a body.
struct Question {
    body: &'static str,
    partial: String,
    expected: f64,
    spec: fn(Method) -> ObjectSpec,
    pushes: Vec<(Place, f64)>,
    heard: Place,
    /// How far from the expected frequency is searched, in cents.
    search: f64,
    /// Whether there is a grid of it.
    on_grid: bool,
}

/// A bar so thin that neither shear nor rotary inertia is heard.
fn bar(ends: [End; 2], method: Method) -> ObjectSpec {
    BarSpec {
        length: 0.4,
        section: Section::Rectangular { width: 0.02, thickness: 1e-4 },
        pitch: BarPitch::Fundamental(440.0),
        ends,
        loss: Loss::t60(3.0),
        method,
        ..BarSpec::default()
    }
    .into()
}

const STRING: (f64, f64, f64) = (0.65, 110.0, 2e-4);

fn string(method: Method) -> ObjectSpec {
    let (length, pitch, radius) = STRING;
    let pitch = StringPitch::Fundamental(pitch);
    StringSpec { length, pitch, radius, loss: Loss::t60(3.0), method, ..StringSpec::default() }.into()
}

fn plate(method: Method) -> PlateSpec {
    PlateSpec { outline: Outline::Rectangle([0.4, 0.12]), loss: Loss::t60(3.0), method, ..PlateSpec::default() }
}

fn gong(method: Method) -> PlateSpec {
    PlateSpec {
        outline: Outline::Circle(0.2),
        thickness: 2e-3,
        edges: PlateEdges::Free,
        loss: Loss::t60(3.0),
        highest: Some(8000.0),
        method,
        ..PlateSpec::default()
    }
}

/// βL of a bar's mode, from 1: cos x cosh x = ±1, by bisection.
fn bar_root(sign: f64, number: usize) -> f64 {
    let first = if sign > 0.0 { number } else { number - 1 };
    let (mut low, mut high) = (first as f64 * PI + 1e-9, (first + 1) as f64 * PI - 1e-9);
    let equation = |x: f64| x.cos() - sign / x.cosh();
    let below = equation(low).signum();
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if equation(middle).signum() == below { low = middle } else { high = middle }
    }
    low
}

/// Frequency of a string's partial: f_p² = a p² + b p⁴, tuned by the first.
fn string_partial(number: usize) -> f64 {
    let (length, pitch, radius) = STRING;
    let p = number as f64;
    // EI/ρA (π/L)⁴/4π², with I/A = r²/4.
    let bending = 2e11 / 7850.0 * radius * radius / 4.0 * PI * PI / (4.0 * length.powi(4));
    (p * p * (pitch * pitch - bending + bending * p * p)).sqrt()
}

fn questions() -> Vec<Question> {
    let mut all = Vec::new();
    let end = Place::Along(0.0);
    for number in 2..=5 {
        let ratio = bar_root(1.0, number) / bar_root(1.0, 1);
        all.push(Question {
            body: "free bar, A4",
            partial: number.to_string(),
            expected: 440.0 * ratio * ratio,
            spec: |method| bar([End::Free; 2], method),
            pushes: vec![(end, 1.0)],
            heard: end,
            search: 330.0,
            on_grid: true,
        });
    }
    for number in 2..=3 {
        let ratio = bar_root(-1.0, number) / bar_root(-1.0, 1);
        all.push(Question {
            body: "tine, A4 (clamped, free)",
            partial: number.to_string(),
            expected: 440.0 * ratio * ratio,
            spec: |method| bar([End::Free, End::Clamped], method),
            pushes: vec![(end, 1.0)],
            heard: end,
            search: 600.0,
            on_grid: true,
        });
    }
    for number in [10_usize, 20, 40] {
        let antinode = |n: usize| (n as f64 + 0.5) / number as f64;
        let up_and_down = |n: usize| (Place::Along(antinode(n)), if n.is_multiple_of(2) { 1.0 } else { -1.0 });
        all.push(Question {
            body: "steel string, A2",
            partial: number.to_string(),
            expected: string_partial(number),
            spec: string,
            pushes: (0..number).map(up_and_down).collect(),
            heard: Place::Along(antinode(0)),
            search: 250.0,
            on_grid: true,
        });
    }
    let stiffness = plate(Method::Modes).stiffness_squared().sqrt();
    let [m, n] = [8.0 / 0.4, 1.0 / 0.12];
    all.push(Question {
        body: "supported plate",
        partial: "(8,1)".to_owned(),
        expected: 0.5 * PI * stiffness * (m * m + n * n),
        spec: |method| plate(method).into(),
        pushes: vec![(Place::On(0.0625, 0.5), 1.0)],
        heard: Place::On(0.9375, 0.5),
        search: 150.0,
        on_grid: true,
    });
    let radius = 0.1;
    for (name, root) in CIRCLE {
        all.push(Question {
            body: "free circular plate",
            partial: name.to_owned(),
            expected: gong(Method::Modes).stiffness_squared().sqrt() * root / (2.0 * PI * radius * radius),
            spec: |method| gong(method).into(),
            pushes: vec![(Place::On(0.98, 0.5), 1.0)],
            heard: Place::On(0.98, 0.5),
            search: 50.0,
            on_grid: false,
        });
    }
    all
}

impl Question {
    fn off(&self, method: Method, rate: f64) -> Result<f64, Error> {
        let sound = pushed((self.spec)(method), &self.pushes, self.heard, rate, SECONDS)?;
        let found = partial_near(&sound, rate, self.expected, self.search).map_err(failed)?;
        let found = found.ok_or_else(|| failed(format!("{}: no partial {}", self.body, self.partial)))?;
        Ok(cents(self.expected, found.frequency))
    }
}

/// All partials, by each column.
pub fn measure() -> Result<Vec<Row>, Error> {
    let answer = |question: &Question| {
        let by = |(_, method, times): &(&str, Method, f64)| {
            let there = *method == Method::Modes || question.on_grid;
            there.then(|| question.off(*method, times * RATE)).transpose()
        };
        let off = COLUMNS.par_iter().map(by).collect::<Result<_, Error>>()?;
        Ok(Row { body: question.body, partial: question.partial.clone(), expected: question.expected, off })
    };
    questions().par_iter().map(answer).collect()
}
