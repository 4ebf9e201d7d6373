//! What was measured as a picture: the partials, their decays, the centroid over time.

use std::path::Path;

use ictus_analysis::{MeasuredPartial, Spectrum, Window};
use ictus_lab::measure::{Answer, Sound, decibels};

use crate::error::Error;
use crate::figures::{Axis, Curve, Dash, Figure, Label, Panel, Stroke, colour};
use crate::pictures::{self, NoteLevels};

/// Levels below the strongest that are drawn, in dB.
const DEPTH: f64 = 100.0;

/// Partials whose decays are drawn, the strongest.
const DECAYS: usize = 6;

/// Longest part of a sound whose spectrum is drawn, in s.
const LONGEST: f64 = 4.0;

/// Columns of the spectrum: of each the highest level is drawn.
const COLUMNS: usize = 1600;

/// Partials that are named.
const NAMED: usize = 12;

/// The figure.
pub fn figure(path: &Path, answer: &Answer) -> Result<Figure, Error> {
    let mut panels = vec![spectrum(answer)?];
    panels.extend(decays(answer));
    panels.extend(centroid(answer));
    let notes = NoteLevels::of(&answer.sound)?;
    if let Some(loudest) = notes.loudest() {
        panels.push(notes.panel("Spectrogram, 80 dB deep", notes.octaves(loudest), loudest));
    }
    panels.extend(pictures::level(&[&answer.sound])?);
    Ok(Figure { panel_size: (900.0, 300.0), ..Figure::new(pictures::name(path), 1, panels) })
}

/// The figure of a sound and of another one beside it.
pub fn compared(path: &Path, answer: &Answer, other_path: &Path, other: &Sound) -> Result<Figure, Error> {
    let names = [path, other_path].map(pictures::name);
    let title = names.join(" and ");
    let figure = pictures::compared(&title, [(&names[0], &answer.sound), (&names[1], other)])?;
    figure.ok_or_else(|| Error::Input("--compare: both sounds are silent".to_owned()))
}

fn spectrum(answer: &Answer) -> Result<Panel, Error> {
    let rate = f64::from(answer.sound.rate);
    let mut powers: Vec<f64> = Vec::new();
    let mut width = 1.0;
    for channel in &answer.sound.channels {
        let length = channel.len().min((LONGEST * rate) as usize);
        let spectrum = Spectrum::new(&channel[..length], rate, Window::Hann)
            .map_err(|error| Error::Draw(format!("the spectrum: {error}")))?;
        powers.resize(spectrum.amplitudes().len(), 0.0);
        powers.iter_mut().zip(spectrum.amplitudes()).for_each(|(power, a)| *power += a * a);
        width = spectrum.bin_width();
    }
    let partials = &answer.measures.partials;
    let highest = partials.iter().fold(0.0_f64, |most, partial| most.max(partial.frequency));
    let range = (20.0, (1.5 * highest).clamp(2000.0, 0.5 * rate));
    let column = |frequency: f64| ((frequency / range.0).ln() / (range.1 / range.0).ln() * COLUMNS as f64) as usize;
    let mut tops: Vec<(f64, f64)> = Vec::new();
    let mut last = usize::MAX;
    for (bin, power) in powers.iter().enumerate() {
        let frequency = bin as f64 * width;
        if !(range.0..=range.1).contains(&frequency) {
            continue;
        }
        match tops.last_mut() {
            Some(top) if column(frequency) == last => {
                if *power > top.1 {
                    *top = (frequency, *power);
                }
            }
            _ => tops.push((frequency, *power)),
        }
        last = column(frequency);
    }
    let level = |power: f64| 10.0 * power.max(f64::MIN_POSITIVE).log10();
    let points: Vec<(f64, f64)> = tops.iter().map(|(frequency, power)| (*frequency, level(*power))).collect();
    let top = points.iter().fold(-DEPTH, |most, point| most.max(point.1));
    // The spectrum is a mean over time: a partial is marked on it, not at the level of its beginning.
    let marked = |partial: &MeasuredPartial| {
        let near =
            points.iter().min_by(|a, b| (a.0 - partial.frequency).abs().total_cmp(&(b.0 - partial.frequency).abs()));
        near.map(|point| (partial.frequency, point.1))
    };
    let marks: Vec<(f64, f64)> = partials.iter().filter_map(marked).collect();
    let mut loudest: Vec<&MeasuredPartial> = partials.iter().collect();
    loudest.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude));
    let named = loudest
        .iter()
        .take(NAMED)
        .filter_map(|partial| Some(Label { point: marked(partial)?, text: partial.harmonic?.to_string() }));
    let labels = named.collect();
    let curves = vec![
        Curve::line(points, Stroke::solid("#8a8a8a").wide(0.8)),
        Curve { points: marks, stroke: Stroke::solid(colour(1)).wide(0.0), dots: Some(3.0) },
    ];
    let x = Axis::logarithmic("frequency", "Hz", range);
    let y = Axis::linear("level / dBFS", "", (top - DEPTH, top + 10.0));
    Ok(Panel::new("Spectrum, and the partials with their harmonic numbers", x, y, curves).labelled(labels))
}

fn decays(answer: &Answer) -> Option<Panel> {
    let mut loudest: Vec<&MeasuredPartial> =
        answer.measures.partials.iter().filter(|partial| partial.decay.is_some()).collect();
    loudest.sort_by(|a, b| b.amplitude.total_cmp(&a.amplitude));
    let seconds = answer.sound.channels.first()?.len() as f64 / f64::from(answer.sound.rate);
    let mut curves = Vec::new();
    for (index, partial) in loudest.iter().take(DECAYS).enumerate() {
        let (decay, start) = (partial.decay?, decibels(partial.amplitude)?);
        let bend = decay.knee.map_or(0.0, |knee| -knee * decay.early / 60.0);
        let end = bend + (decay.fall + decay.knee.unwrap_or(0.0)).max(0.0) * decay.late / 60.0;
        let bent = start - 60.0 * bend / decay.early;
        let points =
            vec![(0.0, start), (bend, bent), (end.min(seconds), bent - 60.0 * (end.min(seconds) - bend) / decay.late)];
        curves.push(Curve { points, stroke: Stroke::solid(colour(index)).dashed(Dash::Solid), dots: Some(2.5) });
    }
    let labels = loudest.iter().take(DECAYS).zip(&curves).filter_map(|(partial, curve)| {
        Some(Label { point: *curve.points.last()?, text: format!("{:.0} Hz", partial.frequency) })
    });
    let labels = labels.collect();
    (!curves.is_empty()).then(|| {
        Panel::around(
            "Decays of the strongest partials, in straight stages",
            ("time", "s"),
            ("level / dBFS", ""),
            curves,
        )
        .labelled(labels)
    })
}

fn centroid(answer: &Answer) -> Option<Panel> {
    let onset = answer.measures.onset?;
    let points: Vec<(f64, f64)> =
        answer.measures.centroid.iter().filter_map(|frame| Some((onset + frame.time, frame.frequency?))).collect();
    (points.len() > 1).then(|| {
        let curve = Curve::line(points, Stroke::solid(colour(0)).wide(1.0)).simplified();
        Panel::around("Spectral centroid", ("time", "s"), ("frequency", "Hz"), vec![curve])
    })
}
