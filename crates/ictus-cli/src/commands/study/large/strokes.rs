//! Soft and hard strokes on a plate by von Kármán: the prototype of the cascade, steel, 0.4 by 0.36 m, 1 mm, supported, lossless, struck by a raised cosine of 1.5 ms.

use std::f64::consts::PI;

use ictus::Model;
use ictus::control::Change;
use ictus::id::{ForceId, ObjectId};
use ictus::model::{Force, Pickup, Point, Source};
use ictus::objects::{Amplitude, Loss, Outline, Place, PlateSpec};
use ictus_analysis::{Framing, Spectrogram, Spectrum, Window};

use super::failed;
use crate::commands::study::page;
use crate::error::Error;
use crate::figures::{Axis, Figure, HeatMap, Panel};

const RATE: f64 = 48_000.0;
/// Forces in N of the strokes, and what their panels are called.
const FORCES: [(f64, &str); 3] = [(1.0, "1 N"), (200.0, "200 N"), (1500.0, "1500 N")];
/// Parts of the sound in s.
const PARTS: [[f64; 2]; 4] = [[0.005, 0.025], [0.03, 0.06], [0.1, 0.15], [0.2, 0.25]];
/// Modes of the plate below this in Hz.
const HIGHEST: f64 = 5000.0;
const AIRY_MODES: usize = 24;
/// Levels under the loudest that are drawn, in dB.
const DEPTH: f64 = 70.0;

pub struct Stroke {
    force: f64,
    title: &'static str,
    modes: usize,
    centroids: [f64; 4],
    residual: f64,
    sound: Vec<f64>,
}

pub fn measure() -> Result<Vec<Stroke>, Error> {
    FORCES.into_iter().map(|(force, title)| stroke(force, title)).collect()
}

fn stroke(force: f64, title: &'static str) -> Result<Stroke, Error> {
    let plate = PlateSpec {
        outline: Outline::Rectangle([0.4, 0.36]),
        loss: Loss::None,
        amplitude: Amplitude::VonKarman { airy_modes: Some(AIRY_MODES) },
        highest: Some(HIGHEST),
        ..PlateSpec::default()
    };
    let samples = (1.5e-3 * RATE) as usize;
    let pulse = (0..samples).map(|n| 0.5 - 0.5 * (2.0 * PI * n as f64 / samples as f64).cos()).collect();
    let on = |x, y| Point::on("plate", Place::On(x, y));
    let mut engine = Model::new(RATE)
        .with("plate", plate)
        .drive(Force { name: "stroke".into(), at: on(0.3, 0.4), level: force, signal: Some(pulse) })
        .listen(Pickup { source: Source::Velocity(on(0.62, 0.27)), gains: vec![1.0] })
        .build()
        .map_err(failed)?;
    engine.keep_account_of_energy(true);
    engine.change(&Change::Trigger { force: ForceId::new(0) }).map_err(failed)?;
    let mut sound = vec![0.0; (0.25 * RATE) as usize];
    engine.process(&mut sound);
    let mut centroids = [0.0; 4];
    for (found, [from, to]) in centroids.iter_mut().zip(PARTS) {
        *found = centroid(&sound[(from * RATE) as usize..(to * RATE) as usize])?;
    }
    let modes = engine.modes(ObjectId::new(0)).map_or(0, |modes| modes.len());
    Ok(Stroke { force, title, modes, centroids, residual: engine.balance().residual(), sound })
}

/// In Hz, of the amplitudes of a Hann window's spectrum.
fn centroid(sound: &[f64]) -> Result<f64, Error> {
    let spectrum = Spectrum::new(sound, RATE, Window::Hann).map_err(failed)?;
    let amplitudes = spectrum.amplitudes();
    let total: f64 = amplitudes.iter().skip(1).sum();
    Ok(amplitudes.iter().enumerate().map(|(bin, amplitude)| spectrum.frequency(bin) * amplitude).sum::<f64>() / total)
}

pub fn table(strokes: &[Stroke]) -> String {
    let cells = |stroke: &Stroke| {
        let centroids = stroke.centroids.map(|hertz| format!("{hertz:.0}"));
        let most = if stroke.residual < 1e-12 { "below 1e-12" } else { "above 1e-12" };
        [format!("{}", stroke.force)].into_iter().chain(centroids).chain([most.to_owned()]).collect()
    };
    let modes = strokes.first().map_or(0, |stroke| stroke.modes);
    let told = format!(
        "Spectral centroid in Hz of a supported steel plate, 0.4 by 0.36 m and 1 mm, after a stroke of 1.5 ms: {modes} modes below {} kHz, {AIRY_MODES} Airy modes, no losses. *Account*: how far \
         the energy account is open.",
        HIGHEST / 1e3
    );
    let columns = ["force (N)", "5-25 ms", "30-60 ms", "100-150 ms", "200-250 ms", "account"];
    format!("### Strokes on a plate\n\n{told}\n\n{}", page::table(&columns, strokes.iter().map(cells).collect()))
}

pub fn figure(strokes: &[Stroke]) -> Result<Figure, Error> {
    let panels = strokes.iter().map(|stroke| {
        let framing = Framing { size: 1024, hop: 64, window: Window::Hann };
        let levels = Spectrogram::new(&stroke.sound, RATE, framing, -300.0).map_err(failed)?;
        let rows = (6000.0 * 1024.0 / RATE) as usize;
        let loudest = levels.levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let columns = levels.times.len();
        let level = |row: usize, column: usize| levels.row(column).map_or(-300.0, |levels| levels[row]) - loudest;
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let heat =
            HeatMap { columns, levels: cells.map(|(row, column)| level(row, column)).collect(), range: (-DEPTH, 0.0) };
        let x = Axis::linear("time", "s", (0.0, 0.25));
        let y = Axis::linear("frequency", "Hz", (0.0, 6000.0));
        Ok(Panel { heat: Some(heat), ..Panel::new(stroke.title, x, y, vec![]) })
    });
    let panels = panels.collect::<Result<Vec<_>, Error>>()?;
    let title = "A plate by von Kármán, struck: from black, 70 dB below the loudest, to bright";
    Ok(Figure { panel_size: (380.0, 360.0), ..Figure::new(title, 3, panels) })
}
