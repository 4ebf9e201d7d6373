//! Pictures of a render: waveform, spectrogram, energies, contact forces.

use ictus_analysis::{Framing, Spectrogram, Window};
use ictus_render::Account;

use super::force_picture;
use super::plan::Plan;
use super::play::Take;
use crate::error::Error;
use crate::figures::{Axis, Curve, Dash, Figure, Format, HeatMap, Panel, Spacing, Stroke, colour, simplified};
use crate::sinks::WholeDirectory;
use crate::sinks::sound::{BLOCK, Sound};

/// Size of a wide panel in pixels.
pub(super) const WIDE: (f64, f64) = (900.0, 360.0);
/// Points across a waveform: the least and the largest sample of each are drawn.
const ACROSS: usize = 1200;
/// Most cells of a spectrogram, across and up.
const CELLS: (usize, usize) = (360, 180);
/// Levels under the loudest that a spectrogram shows, in dB.
const DEPTH: f64 = 80.0;

/// What the pictures are called.
pub const NAMES: [&str; 4] = ["waveform", "spectrogram", "energy", "force"];

/// The file of a scene's picture.
pub fn file_name(scene: &str, picture: &str, format: Format) -> String {
    format!("{scene}-{picture}.{}", format.ending())
}

/// Draws what there is to draw, ready to be kept; nothing if no pictures are wanted.
pub fn stage(plan: &Plan, take: &Take, peak: f64) -> Result<Option<WholeDirectory>, Error> {
    let Some((folder, format)) = &plan.plot else { return Ok(None) };
    let title = &plan.scene.title;
    let figures = [
        Some(waveform(title, &take.sound, peak)?),
        spectrogram(title, &take.sound)?,
        energy(title, &take.played.energies, length(&take.sound)),
        take.played.forces.as_ref().and_then(|forces| force_picture::figure(&plan.scene, forces, length(&take.sound))),
    ];
    let directory = WholeDirectory::create("--plot", folder)?;
    for (name, figure) in NAMES.into_iter().zip(figures) {
        let Some(figure) = figure else { continue };
        let bytes = figure.render(*format).map_err(Error::Draw)?;
        directory.put(&file_name(&plan.name, name, *format), &bytes)?;
    }
    Ok(Some(directory))
}

pub(super) fn line(points: Vec<(f64, f64)>, colour: String, width: f64) -> Curve {
    Curve { points, stroke: Stroke { colour, width, dash: Dash::Solid }, dots: None }
}

pub(super) fn axis(quantity: &'static str, unit: &'static str, range: (f64, f64)) -> Axis {
    Axis { quantity, unit, range, spacing: Spacing::Linear }
}

fn length(sound: &Sound) -> f64 {
    sound.frames() as f64 / f64::from(sound.rate)
}

fn waveform(title: &str, sound: &Sound, peak: f64) -> Result<Figure, Error> {
    let titles = ["left", "right"];
    let channels = usize::from(sound.channels);
    let extent = if peak > 0.0 { 1.05 * peak } else { 1.0 };
    let outlines = outlines(sound)?;
    let panels = outlines.into_iter().enumerate().map(|(channel, points)| Panel {
        title: if channels == 2 { titles[channel] } else { "" },
        x: axis("time", "s", (0.0, length(sound))),
        y: axis("amplitude", "", (-extent, extent)),
        curves: vec![line(points, colour(0), 0.7)],
        marks: Vec::new(),
        labels: Vec::new(),
        heat: None,
    });
    let height = if channels == 1 { WIDE.1 } else { 240.0 };
    Ok(Figure {
        title: title.to_owned(),
        columns: 1,
        panel_size: (WIDE.0, height),
        panels: panels.collect(),
        legend: Vec::new(),
    })
}

/// The waveform of each channel as a line from the least to the largest sample of each short span.
fn outlines(sound: &Sound) -> Result<Vec<Vec<(f64, f64)>>, Error> {
    let (rate, channels) = (f64::from(sound.rate), usize::from(sound.channels));
    let span = sound.frames().div_ceil(ACROSS).max(1);
    let mut lines = vec![Vec::new(); channels];
    let nothing = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut ranges, mut frame) = (vec![nothing; channels], 0);
    sound.each_block(BLOCK, |block| {
        for samples in block.chunks_exact(channels) {
            let ends = (frame + 1) % span == 0 || frame + 1 == sound.frames();
            let first = (frame - frame % span) as f64;
            for ((line, range), &sample) in lines.iter_mut().zip(&mut ranges).zip(samples) {
                if span < 3 {
                    line.push((frame as f64 / rate, sample));
                    continue;
                }
                *range = (range.0.min(sample), range.1.max(sample));
                if ends {
                    line.push(((first + 0.25 * span as f64) / rate, range.0));
                    line.push(((first + 0.75 * span as f64) / rate, range.1));
                    *range = nothing;
                }
            }
            frame += 1;
        }
        Ok(())
    })?;
    Ok(lines)
}

/// The levels of all channels together over time and frequency; none of silence. Frames are read one by one: with the cells of the picture, 50 MB
/// at the highest rate, whatever the length.
fn spectrogram(title: &str, sound: &Sound) -> Result<Option<Figure>, Error> {
    let (length, rate, channels) = (sound.frames(), f64::from(sound.rate), usize::from(sound.channels));
    // About 40 ms: long enough for neighbouring partials, short enough for strokes.
    let size = (1usize << (0.04 * rate).log2().round() as u32).min(length.max(2));
    let hop = (length / CELLS.0).max(size / 16).max(1);
    let framing = Framing { size, hop, window: Window::Hann };
    let mut levels = Spectrogram {
        times: Vec::new(),
        frequencies: (0..framing.bins()).map(|bin| framing.frequency(bin, rate)).collect(),
        levels: Vec::new(),
    };
    let mut frame = vec![0.0; size * channels];
    for row in 0..framing.count(length) {
        let frame = &mut frame[..size.min(length - row * hop) * channels];
        sound.read(row * hop, frame)?;
        let sum = |samples: &[f64]| samples.iter().sum::<f64>() / channels as f64;
        let mono: Vec<f64> = frame.chunks_exact(channels).map(sum).collect();
        let Ok(one) = Spectrogram::new(&mono, rate, framing, -300.0) else { return Ok(None) };
        levels.times.push(framing.time(row, rate));
        levels.levels.extend(one.levels);
    }
    Ok(levels_over_time(title, &levels, length as f64 / rate))
}

/// A picture of levels over so many s; none of silence.
fn levels_over_time(title: &str, levels: &Spectrogram, end: f64) -> Option<Figure> {
    let loudest = levels.levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if loudest <= -300.0 {
        return None;
    }
    let floor = loudest - DEPTH;
    let bins = bins_to_show(levels, floor);
    let top = levels.frequencies.get(bins - 1).copied().unwrap_or_default();
    let (rows, per_row) = (bins.min(CELLS.1), bins as f64 / bins.min(CELLS.1) as f64);
    let columns = levels.times.len();
    let cell = |row: usize, column: usize| {
        let (first, end) = ((row as f64 * per_row) as usize, ((row + 1) as f64 * per_row).ceil() as usize);
        let frame = levels.row(column).unwrap_or_default();
        let part = frame.get(first..end.min(frame.len())).unwrap_or_default();
        part.iter().copied().fold(f64::NEG_INFINITY, f64::max) - loudest
    };
    let heat = HeatMap {
        columns,
        levels: (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (row, column)))
            .map(|(r, c)| cell(r, c))
            .collect(),
        range: (-DEPTH, 0.0),
    };
    let panel = Panel {
        title: "from black, 80 dB below the loudest, to bright",
        x: axis("time", "s", (0.0, end)),
        y: axis("frequency", "Hz", (0.0, top)),
        curves: Vec::new(),
        marks: Vec::new(),
        labels: Vec::new(),
        heat: Some(heat),
    };
    Some(Figure { title: title.to_owned(), columns: 1, panel_size: WIDE, panels: vec![panel], legend: Vec::new() })
}

/// Number of frequencies worth showing: up to the highest that is ever heard, and a bit of dark.
fn bins_to_show(levels: &Spectrogram, floor: f64) -> usize {
    let bins = levels.frequencies.len();
    let heard = |bin: &usize| levels.levels.iter().skip(*bin).step_by(bins).any(|&level| level > floor + 20.0);
    let highest = (0..bins).rev().find(heard).unwrap_or(bins - 1);
    (highest + highest / 4).clamp(bins.min(32), bins)
}

fn energy(title: &str, energies: &[Account], end: f64) -> Option<Figure> {
    energies.first()?;
    // Stored in the instrument and in hammers, dissipated, and all there was.
    let parts = |Account { balance, hammers, .. }: &Account| {
        [balance.stored - hammers, balance.dissipated, balance.initial + balance.supplied, *hammers]
    };
    let values = || energies.iter().flat_map(parts);
    let has_hammers = energies.iter().any(|account| account.hammers > 0.0);
    let names = ["stored", "dissipated", "initial + supplied", "in hammers"];
    let (least, most) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let mut panel = Panel {
        title: if has_hammers {
            "stored + in hammers + dissipated = initial + supplied"
        } else {
            "stored + dissipated = initial + supplied"
        },
        x: axis("time", "s", (0.0, end)),
        y: axis("energy", "J", (1.05 * least, if most > 0.0 { 1.05 * most } else { 1.0 })),
        curves: Vec::new(),
        marks: Vec::new(),
        labels: Vec::new(),
        heat: None,
    };
    let mut legend = Vec::new();
    for (index, name) in names.into_iter().enumerate().take(if has_hammers { 4 } else { 3 }) {
        let dash = if index == 2 { Dash::Dashed } else { Dash::Solid };
        let stroke = Stroke { colour: colour(index), width: 1.6, dash };
        let points = energies.iter().map(|account| (account.time, parts(account)[index]));
        // Dashes show along lines, not along hundreds of short ones.
        let points = simplified(points, (end, most.max(f64::MIN_POSITIVE)), 5e-4);
        panel.curves.push(Curve { points, stroke: stroke.clone(), dots: None });
        legend.push((name.to_owned(), stroke));
    }
    Some(Figure { title: title.to_owned(), columns: 1, panel_size: WIDE, panels: vec![panel], legend })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_reaches_the_peaks_with_few_points() {
        let mut samples = vec![0.0; 100_000];
        (samples[12_345], samples[77_777]) = (1.0, -0.5);
        let points = &outlines(&Sound::of(1000, 1, &samples)).expect("can be read")[0];
        assert!(points.len() <= 2 * ACROSS);
        let high = points.iter().find(|point| point.1 == 1.0).expect("the peak is drawn");
        assert!((high.0 - 12.345).abs() < 0.1 && points.iter().any(|point| point.1 == -0.5));
    }

    #[test]
    fn a_spectrogram_shows_the_range_that_sounds() {
        let samples: Vec<f64> = (0..48_000).map(|n| (f64::from(n) * 0.1309).sin()).collect();
        let figure = spectrogram("a tone of 1 kHz", &Sound::of(48_000, 1, &samples)).expect("can be read");
        let figure = figure.expect("is drawn");
        let top = figure.panels[0].y.range.1;
        assert!((1100.0..4000.0).contains(&top), "{top}");
        let silence = Sound::of(48_000, 2, &[0.0; 4800]);
        assert!(spectrogram("silence", &silence).expect("can be read").is_none());
    }
}
