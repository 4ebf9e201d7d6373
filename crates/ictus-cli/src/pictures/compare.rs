//! Two sounds in one picture: levels and spectra over each other, the spectrograms below one another in the same colours.

use super::{Heard, NoteLevels, WIDE, level};
use crate::error::Error;
use crate::figures::{Axis, Curve, Figure, Panel, Stroke, colour};

/// Levels under the highest that are drawn, in dB.
const DEPTH: f64 = 90.0;

/// The figure of a sound and of what it is compared with, each with its name; `None` of silence.
pub fn figure(title: &str, sounds: [(&str, &dyn Heard); 2]) -> Result<Option<Figure>, Error> {
    let [(_, this), (_, other)] = sounds;
    let notes = [NoteLevels::of(this)?, NoteLevels::of(other)?];
    let Some(loudest) = notes.iter().filter_map(NoteLevels::loudest).reduce(f64::max) else { return Ok(None) };
    let octaves = notes.iter().map(|notes| notes.octaves(loudest));
    let octaves = octaves.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or((0, 1));
    let mut panels: Vec<Panel> = level(&[this, other])?.into_iter().collect();
    let mut spectra = Vec::new();
    for (index, notes) in notes.iter().enumerate() {
        let points =
            notes.spectrum().map(|(frequency, power)| (frequency, 10.0 * power.max(f64::MIN_POSITIVE).log10()));
        spectra.push(Curve::line(points.collect(), Stroke::solid(colour(index)).wide(1.2)));
    }
    let of = |notes: &NoteLevels, title| notes.panel(title, octaves, loudest);
    let [first, second] = [of(&notes[0], "Spectrogram of the first"), of(&notes[1], "Spectrogram of the second")];
    let top = spectra.iter().flat_map(|curve| &curve.points).map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
    let y = Axis::linear("mean level / dBFS", "", (top - DEPTH, top + 8.0));
    panels.push(Panel::new("Spectrum: mean power over time, by quarter tones", Axis::notes(first.y.range), y, spectra));
    panels.extend([first, second]);
    let mut figure = Figure { panel_size: WIDE, ..Figure::new(title, 1, panels) };
    for (index, (name, _)) in sounds.into_iter().enumerate() {
        figure = figure.key(name, Stroke::solid(colour(index)));
    }
    Ok(Some(figure))
}
