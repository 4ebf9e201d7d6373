//! A fit as a picture: the recording, what the scene makes of it and the difference, over time and over frequency; the modes with their confidence.

use ictus_analysis::{Spectrum, Window};
use ictus_lab::fit::Answer;
use ictus_lab::measure::decibels;

use crate::figures::{Axis, Curve, Figure, Panel, Stroke, colour};

/// Levels below the loudest that are drawn, in dB.
const DEPTH: f64 = 100.0;

/// Points of a curve over time.
const POINTS: usize = 700;

/// Columns of a spectrum: of each the highest level is drawn.
const COLUMNS: usize = 900;

/// Recording, fit, difference.
const COLOURS: [usize; 3] = [12, 0, 1];

/// The figure, of the first recording, from the touch on.
pub fn figure(answer: &Answer) -> Figure {
    let rate = answer.fit.rate;
    let (recording, fit) = (answer.recorded(0), answer.played(0));
    let difference: Vec<f64> = recording.iter().zip(fit).map(|(y, fit)| y - fit).collect();
    let sounds: [&[f64]; 3] = [recording, fit, &difference];
    let panels = vec![attack(&sounds, rate), levels(&sounds, rate), spectra(&sounds, rate), modes(answer)];
    let names = ["recording", "fit", "difference"];
    let legend = names.iter().zip(COLOURS).map(|(name, n)| ((*name).to_owned(), stroke(n))).collect();
    let title = answer.files.first().and_then(|file| file.file_name()).unwrap_or_default();
    Figure { panel_size: (620.0, 340.0), legend, ..Figure::new(title.to_string_lossy(), 2, panels) }
}

fn stroke(n: usize) -> Stroke {
    Stroke::solid(colour(n)).wide(1.0)
}

/// The first 20 ms, sample by sample.
fn attack(sounds: &[&[f64]; 3], rate: f64) -> Panel {
    let end = ((0.02 * rate) as usize).min(sounds[0].len());
    let line = |(sound, n): (&&[f64], usize)| {
        let points = sound[..end].iter().enumerate().map(|(n, y)| (n as f64 / rate, *y)).collect();
        Curve::line(points, stroke(n))
    };
    let curves = sounds.iter().zip(COLOURS).map(line).collect();
    Panel::around("The attack", ("time", "s"), ("full scale", ""), curves)
}

/// Levels over time, of as many parts as are drawn.
fn levels(sounds: &[&[f64]; 3], rate: f64) -> Panel {
    let length = (sounds[0].len() / POINTS).max((0.005 * rate) as usize).max(1);
    let line = |(sound, n): (&&[f64], usize)| {
        let level = |part: &[f64]| decibels((part.iter().map(|y| y * y).sum::<f64>() / part.len() as f64).sqrt());
        let parts = sound.chunks(length).enumerate();
        let points = parts.filter_map(|(i, part)| Some(((i as f64 + 0.5) * length as f64 / rate, level(part)?)));
        Curve::line(points.collect(), stroke(n))
    };
    let curves: Vec<Curve> = sounds.iter().zip(COLOURS).map(line).collect();
    let top = curves[0].points.iter().map(|point| point.1).fold(-DEPTH, f64::max);
    let x = Axis::linear("time", "s", (0.0, sounds[0].len() as f64 / rate));
    Panel::new("Level over time", x, Axis::linear("level / dBFS", "", (top - DEPTH, top + 6.0)), curves)
}

fn spectra(sounds: &[&[f64]; 3], rate: f64) -> Panel {
    let range = (20.0, 0.5 * rate);
    let line = |(sound, n): (&&[f64], usize)| {
        let length = sound.len().min((2.0 * rate) as usize);
        let mut columns = vec![f64::NEG_INFINITY; COLUMNS];
        // Samples were checked by the fit; without a spectrum there is nothing to draw.
        if let Ok(spectrum) = Spectrum::new(&sound[..length], rate, Window::Hann) {
            for (bin, amplitude) in spectrum.amplitudes().iter().enumerate() {
                let place = (bin as f64 * spectrum.bin_width() / range.0).ln() / (range.1 / range.0).ln();
                if (0.0..1.0).contains(&place) {
                    let column = &mut columns[(place * COLUMNS as f64) as usize];
                    *column = column.max(decibels(*amplitude).unwrap_or(-400.0));
                }
            }
        }
        let frequency = |column: usize| range.0 * (range.1 / range.0).powf((column as f64 + 0.5) / COLUMNS as f64);
        let points = columns.iter().enumerate().filter(|(_, level)| level.is_finite());
        Curve::line(points.map(|(column, level)| (frequency(column), *level)).collect(), stroke(n))
    };
    let curves: Vec<Curve> = sounds.iter().zip(COLOURS).map(line).collect();
    let top = curves[0].points.iter().map(|point| point.1).fold(-3.0 * DEPTH, f64::max);
    let x = Axis::logarithmic("frequency", "Hz", range);
    Panel::new("Spectrum of the first 2 s", x, Axis::linear("level / dBFS", "", (top - DEPTH, top + 6.0)), curves)
}

/// Decay over frequency; larger dots are surer.
fn modes(answer: &Answer) -> Panel {
    let kinds = [(0.0, 2.0, 4), (0.5, 3.0, 3), (0.9, 4.0, 2)];
    let dots = kinds.iter().enumerate().map(|(i, (least, size, n))| {
        let most = kinds.get(i + 1).map_or(f64::INFINITY, |next| next.0);
        let sure = answer.fit.modes.iter().filter(|mode| mode.confidence >= *least && mode.confidence < most);
        Curve {
            points: sure.map(|mode| (mode.frequency, mode.t60)).collect(),
            stroke: Stroke::solid(colour(*n)).wide(0.0),
            dots: Some(*size),
        }
    });
    let curves: Vec<Curve> = dots.filter(|curve| !curve.points.is_empty()).collect();
    let all: Vec<f64> = answer.fit.modes.iter().map(|mode| mode.t60).collect();
    let (least, most) = all.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), t60| (a.min(*t60), b.max(*t60)));
    let x = Axis::logarithmic("frequency", "Hz", (20.0, 0.5 * answer.fit.rate));
    let y = Axis::logarithmic("T60", "s", (0.6 * least, 1.6 * most));
    Panel::new("Modes: green sure (0.9 or more), pink 0.5 or more, yellow less", x, y, curves)
}
