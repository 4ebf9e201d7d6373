//! Frequency against amplitude of one mode, `q̈ = -ω²q - γq³`, beside its elliptic integral.
//!
//! The period is `4K(m)/√(ω² + γA²)` with `m = γA²/2(ω² + γA²)`, K by the arithmetic-geometric mean. γ comes from the shape of the mode on paper:
//!
//! ```text
//! string, u = q sin(πx/L)                     γ = E π⁴/(4 ρ L⁴)
//! membrane, plate, w = q sin(πx/a) sin(πy/b)  γ = (EH/(1-ν²)) π⁴ (b/a + a/b)²/(8 a²b² ρH)
//! ```

use std::f64::consts::PI;

use ictus::Model;
use ictus::model::{ObjectSpec, Pickup, Point, Source, Start};
use ictus::objects::{Amplitude, Loss, MembraneSpec, Outline, Place, PlateSpec, StringPitch, StringSpec, Tension};
use ictus_analysis::cents;

use super::failed;
use crate::commands::study::page;
use crate::error::Error;
use crate::figures::{Axis, Curve, Figure, Panel, Stroke, colour};

/// Rate in Hz.
const RATE: f64 = 48_000.0;
/// Displacements in m at which the bodies begin.
const AMPLITUDES: [f64; 6] = [0.3e-3, 1e-3, 2e-3, 4e-3, 7e-3, 10e-3];

/// One body of one mode.
pub struct Backbone {
    name: &'static str,
    pitch: f64,
    /// γ in 1/m²s².
    cubic: f64,
    swings: Vec<Swing>,
}

struct Swing {
    /// Of the swing, in m.
    amplitude: f64,
    /// By the engine and by the integral, in Hz.
    heard: f64,
    exact: f64,
}

/// Frequency in Hz by the elliptic integral.
fn elliptic(angular: f64, cubic: f64, amplitude: f64) -> f64 {
    let stiffened = angular * angular + cubic * amplitude * amplitude;
    let parameter = 0.5 * cubic * amplitude * amplitude / stiffened;
    let (mut a, mut b) = (1.0, (1.0 - parameter).sqrt());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    stiffened.sqrt() * a / (2.0 * PI)
}

/// Frequency in Hz from the first to the last upward crossing of 0, each on a cubic through four samples.
fn heard_in(signal: &[f64]) -> Option<f64> {
    let crossing = |at: usize| {
        let [before, a, b, after] = [signal[at - 1], signal[at], signal[at + 1], signal[at + 2]];
        let cubic = |t: f64| {
            -before * t * (t - 1.0) * (t - 2.0) / 6.0 + a * (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0
                - b * (t + 1.0) * t * (t - 2.0) / 2.0
                + after * (t + 1.0) * t * (t - 1.0) / 6.0
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if cubic(middle) < 0.0 { &mut low } else { &mut high }) = middle;
        }
        at as f64 + low
    };
    let crossings = (1..signal.len() - 2).filter(|&at| signal[at] < 0.0 && signal[at + 1] >= 0.0).map(crossing);
    let crossings: Vec<f64> = crossings.collect();
    let (first, last) = (crossings.first()?, crossings.last()?);
    (last > first).then(|| RATE * (crossings.len() - 1) as f64 / (last - first))
}

fn bodies() -> [(&'static str, ObjectSpec, Place, f64, f64); 3] {
    let [a, b]: [f64; 2] = [0.4, 0.3];
    let sheet = |stiffness: f64, density: f64| {
        stiffness * PI.powi(4) * (b / a + a / b).powi(2) / (8.0 * (a * b).powi(2) * density)
    };
    let string = StringSpec {
        pitch: StringPitch::Fundamental(110.0),
        highest: Some(165.0),
        amplitude: Amplitude::Large,
        loss: Loss::None,
        ..StringSpec::default()
    };
    let string_cubic = string.youngs_modulus * PI.powi(4) / (4.0 * 7850.0 * string.length.powi(4));
    let membrane = MembraneSpec {
        outline: Outline::Rectangle([a, b]),
        tension: Tension::Fundamental(120.0),
        highest: Some(150.0),
        amplitude: Amplitude::Large,
        loss: Loss::None,
        ..MembraneSpec::default()
    };
    let plate = PlateSpec {
        outline: Outline::Rectangle([a, b]),
        amplitude: Amplitude::Large,
        loss: Loss::None,
        ..PlateSpec::default()
    };
    let pitch = 0.5 * PI * plate.stiffness_squared().sqrt() * (1.0 / (a * a) + 1.0 / (b * b));
    let plate = PlateSpec { highest: Some(1.5 * pitch), ..plate };
    let middle = Place::On(0.5, 0.5);
    [
        ("steel string, 0.65 m, 0.4 mm thick", string.into(), Place::Along(0.5), 110.0, string_cubic),
        (
            "drum head, 40 by 30 cm",
            membrane.into(),
            middle,
            120.0,
            sheet(4e9 * 0.00019 / (1.0 - 0.38 * 0.38), 0.00019 * 1390.0),
        ),
        (
            "steel plate, 40 by 30 cm, 1 mm (Berger)",
            plate.into(),
            middle,
            pitch,
            sheet(2e11 * 0.001 / (1.0 - 0.09), 7.85),
        ),
    ]
}

/// All bodies at all amplitudes.
pub fn measure() -> Result<Vec<Backbone>, Error> {
    let bodies = bodies().into_iter().map(|(name, spec, place, pitch, cubic)| {
        let swing = |displacement: f64| {
            let start = Start { centre: place, half_width: 0.5, displacement, velocity: 0.0 };
            let heard = Pickup { source: Source::Displacement(Point::on("body", place)), gains: vec![1.0] };
            let model = Model::new(RATE).with("body", spec.clone()).starting(start).listen(heard);
            let mut engine = model.build().map_err(failed)?;
            let mut sound = vec![0.0; RATE as usize];
            engine.process(&mut sound);
            let amplitude = sound.iter().fold(0.0, |top: f64, u| top.max(u.abs()));
            let heard = heard_in(&sound).ok_or_else(|| failed("nothing swings"))?;
            Ok(Swing { amplitude, heard, exact: elliptic(2.0 * PI * pitch, cubic, amplitude) })
        };
        let swings = AMPLITUDES.into_iter().map(swing).collect::<Result<_, Error>>()?;
        Ok(Backbone { name, pitch, cubic, swings })
    });
    bodies.collect()
}

pub fn table(backbones: &[Backbone]) -> String {
    let rows = backbones.iter().flat_map(|body| {
        body.swings.iter().map(|swing| {
            vec![
                body.name.to_owned(),
                format!("{:.2}", 1e3 * swing.amplitude),
                format!("{:.3}", swing.exact),
                format!("{:+.0}", cents(body.pitch, swing.exact)),
                format!("{:.3}", cents(swing.exact, swing.heard).abs()),
            ]
        })
    });
    let told = "One mode, lossless, at 48 kHz: its frequency by the elliptic integral, how far that is above the frequency of small swings, and how far the engine is from it.";
    let columns = ["body", "amplitude (mm)", "frequency (Hz)", "sharp (cents)", "engine off by (cents)"];
    format!("### Frequency against amplitude\n\n{told}\n\n{}", page::table(&columns, rows.collect()))
}

pub fn figure(backbones: &[Backbone]) -> Figure {
    let most = 11e-3;
    let ratio = |body: &Backbone, hertz: f64| cents(body.pitch, hertz);
    let mut curves = Vec::new();
    for (number, body) in backbones.iter().enumerate() {
        let exact = (0..=110).map(|n| most * f64::from(n) / 110.0);
        let line =
            exact.map(|amplitude| (amplitude, ratio(body, elliptic(2.0 * PI * body.pitch, body.cubic, amplitude))));
        curves.push(Curve::line(line.collect(), Stroke::solid(colour(number))));
        let dots = body.swings.iter().map(|swing| (swing.amplitude, ratio(body, swing.heard))).collect();
        curves.push(Curve::line(dots, Stroke::solid(colour(number)).wide(0.0)).dotted());
    }
    let top = curves.iter().flat_map(|curve| &curve.points).fold(0.0_f64, |top, point| top.max(point.1));
    let panel = Panel::new(
        "",
        Axis::linear("amplitude", "m", (0.0, most)),
        Axis::linear("above its pitch in cents", "", (0.0, 1.05 * top)),
        curves,
    );
    let figure = Figure::new("One mode: the engine at 48 kHz (dots) on elliptic integrals (lines)", 1, vec![panel]);
    let figure = Figure { panel_size: (760.0, 440.0), ..figure };
    backbones
        .iter()
        .enumerate()
        .fold(figure, |figure, (number, body)| figure.key(body.name, Stroke::solid(colour(number))))
}
