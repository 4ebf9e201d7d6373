//! Pictures of what `partials` does to a bar, and of how long materials ring.

use ictus::model::ObjectSpec;
use ictus::objects::{
    BarPitch, BarSpec, MembraneSpec, Outline, Place, Section, StringPitch, StringSpec, material, t60_from_sigma,
};
use ictus_analysis::{Spectrum, Window, decibels};

use super::sound::{Hammer, RATE, alone, failed, modes};
use crate::error::Error;
use crate::figures::{Axis, Curve, Figure, Label, Panel, Stroke, colour};

/// Frequency in Hz of the bars that are carved.
const PITCH: f64 = 220.0;
/// Highest frequency in Hz and lowest level in dB that are drawn of them.
const HIGHEST: f64 = 4200.0;
const FLOOR: f64 = -80.0;

/// Shortest T60 in s that is drawn of materials.
const SHORTEST: f64 = 0.005;

/// The sound of three bars of one pitch.
pub fn carved() -> Result<Figure, Error> {
    let bars: [(&'static str, Vec<f64>); 3] = [
        ("uniform: no `partials`", vec![]),
        ("marimba: partials = [1, 4, 10]", vec![1.0, 4.0, 10.0]),
        ("xylophone: partials = [1, 3, 6]", vec![1.0, 3.0, 6.0]),
    ];
    let panels = bars.into_iter().enumerate().map(|(number, (title, partials))| {
        let rosewood = material("rosewood").ok_or_else(|| failed("there is no rosewood"))?;
        let section = Section::Rectangular { width: 0.05, thickness: 0.004 };
        let bar = BarSpec { length: 0.35, section, ..BarSpec::default() }.of(rosewood);
        let bar = BarSpec { pitch: BarPitch::Fundamental(PITCH), partials, ..bar };
        let mallet =
            Hammer { mass: 0.005, velocity: 1.0, head: (1e9, 1.5), at: Place::Along(0.95), heard: Place::Along(0.03) };
        let found = modes(&alone(bar.clone(), RATE)?);
        let sound = mallet.strike(bar, RATE, 1, 0.4)?;
        let spectrum = Spectrum::new(&sound, RATE, Window::BlackmanHarris).map_err(failed)?;
        // A free bar also flies off, at 0 Hz.
        let first = (0.5 * PITCH / spectrum.bin_width()) as usize;
        let largest = spectrum.amplitudes().iter().skip(first).copied().fold(f64::MIN_POSITIVE, f64::max);
        let level = |bin: usize| decibels(spectrum.amplitudes().get(bin).copied().unwrap_or(0.0) / largest);
        let bins = (HIGHEST / spectrum.bin_width()) as usize;
        let points = (first..bins).map(|bin| (spectrum.frequency(bin), level(bin).max(FLOOR))).collect();
        let shown = found.iter().filter(|mode| mode.frequency < HIGHEST);
        let labels = shown.map(|mode| {
            let bin = (mode.frequency / spectrum.bin_width()).round() as usize;
            let text = format!("{:.2}", mode.frequency / PITCH);
            Label { point: (mode.frequency, level(bin).clamp(FLOOR, 0.0)), text }
        });
        let x = Axis::linear("frequency", "Hz", (0.0, HIGHEST));
        let y = Axis::linear("level", "dB", (FLOOR, 8.0));
        let labels = labels.collect();
        Ok(Panel::new(title, x, y, vec![Curve::line(points, Stroke::solid(colour(number)).wide(1.1))]).labelled(labels))
    });
    let panels = panels.collect::<Result<_, Error>>()?;
    let title = "Bars of 220 Hz under one mallet: frequencies over the first";
    Ok(Figure { panel_size: (400.0, 320.0), ..Figure::new(title, 3, panels) })
}

/// T60 over frequency, read off the modes of built bodies.
pub fn materials() -> Result<Figure, Error> {
    let solids = ["aluminium", "steel", "bronze", "glass", "rosewood", "spruce", "acrylic"];
    let strings = ["steel", "nylon", "gut"];
    let mut names: Vec<&str> = solids.iter().chain(&strings).copied().collect();
    names.push("mylar");
    let mut seen = Vec::new();
    names.retain(|name| {
        !seen.contains(name) && {
            seen.push(*name);
            true
        }
    });
    let stroke = |name: &str| Stroke::solid(colour(names.iter().position(|other| *other == name).unwrap_or(0)));
    let curve = |name: &str, spec: ObjectSpec| {
        let found = modes(&alone(spec, RATE)?);
        let times = found.iter().map(|mode| (mode.frequency, t60_from_sigma(mode.decay_rate)));
        let points = times.filter(|(_, seconds)| *seconds > SHORTEST).collect();
        Ok::<Curve, Error>(Curve::line(points, stroke(name)))
    };
    let of = |name: &str| material(name).ok_or_else(|| failed(format!("there is no {name}")));
    let bar = |name: &&str| {
        let section = Section::Rectangular { width: 0.03, thickness: 1e-3 };
        let bar = BarSpec { length: 1.0, section, ..BarSpec::default() }.of(of(name)?);
        curve(name, BarSpec { pitch: BarPitch::Fundamental(50.0), ..bar }.into())
    };
    let string = |name: &&str| {
        let pitch = StringPitch::Fundamental(110.0);
        let radius = if *name == "steel" { 2e-4 } else { 4e-4 };
        curve(name, StringSpec { length: 0.65, radius, pitch, ..StringSpec::default() }.of(of(name)?).into())
    };
    let head = MembraneSpec { outline: Outline::Circle(0.35), ..MembraneSpec::default() }.of(of("mylar")?, 2.5e-4);
    let axes = || (Axis::logarithmic("frequency", "Hz", (50.0, 20e3)), Axis::logarithmic("T60", "s", (SHORTEST, 40.0)));
    let panel = |title, curves| {
        let (x, y) = axes();
        Panel::new(title, x, y, curves)
    };
    let solids = solids.iter().map(bar).collect::<Result<Vec<_>, Error>>()?;
    let mut taut = strings.iter().map(string).collect::<Result<Vec<_>, Error>>()?;
    taut.push(curve("mylar", head.into())?);
    let panels = vec![panel("bars and plates", solids), panel("strings of 110 Hz, and a drum head of mylar", taut)];
    let figure = Figure::new("How long a `material` rings where no `t60` is given", 2, panels);
    Ok(names.iter().fold(figure, |figure, name| figure.key(*name, stroke(name))))
}
