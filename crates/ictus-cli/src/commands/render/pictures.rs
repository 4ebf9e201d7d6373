//! Pictures of a render: waveform, spectrogram, level, energies, contact forces, and the sound beside another.

use std::path::PathBuf;

use ictus_lab::measure;
use ictus_render::Account;

use super::force_picture;
use super::plan::Plan;
use super::play::Take;
use crate::error::Error;
use crate::figures::{Axis, Curve, Dash, Figure, Format, Panel, Spacing, Stroke, colour, simplified};
use crate::pictures::{self, NoteLevels, WIDE};
use crate::sinks::WholeDirectory;
use crate::sinks::sound::{BLOCK, Sound};

/// Points across a waveform: the least and the largest sample of each are drawn.
const ACROSS: usize = 1200;

/// What the pictures are called.
pub const NAMES: [&str; 6] = ["waveform", "spectrogram", "level", "energy", "force", "compare"];

/// The file of a scene's picture.
pub fn file_name(scene: &str, picture: &str, format: Format) -> String {
    format!("{scene}-{picture}.{}", format.ending())
}

/// Draws what there is to draw, ready to be kept; nothing if no pictures are wanted.
pub fn stage(plan: &Plan, take: &Take, peak: f64) -> Result<Option<WholeDirectory>, Error> {
    let Some((folder, format)) = &plan.plot else { return Ok(None) };
    let title = &plan.scene.title;
    let compared = |(path, other): &(PathBuf, measure::Sound)| {
        pictures::compared(title, [(plan.name.as_str(), &take.sound), (pictures::name(path).as_str(), other)])
    };
    let directory = WholeDirectory::create("--plot", folder)?;
    // One after the other: a picture takes more memory than anything else here.
    for name in NAMES {
        let figure = match name {
            "waveform" => Some(waveform(title, &take.sound, peak)?),
            "spectrogram" => spectrogram(title, &take.sound)?,
            "level" => level(title, &take.sound)?,
            "energy" => energy(title, &take.played.energies, length(&take.sound)),
            "force" => take
                .played
                .forces
                .as_ref()
                .and_then(|forces| force_picture::figure(&plan.scene, forces, length(&take.sound))),
            _ => plan.compared.as_deref().map(compared).transpose()?.flatten(),
        };
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

/// Levels over time, note by note; none of silence.
fn spectrogram(title: &str, sound: &Sound) -> Result<Option<Figure>, Error> {
    let notes = NoteLevels::of(sound)?;
    let Some(loudest) = notes.loudest() else { return Ok(None) };
    let panel = notes.panel("from black, 80 dB below the loudest, to bright", notes.octaves(loudest), loudest);
    Ok(Some(Figure { panel_size: WIDE, ..Figure::new(title, 1, vec![panel]) }))
}

fn level(title: &str, sound: &Sound) -> Result<Option<Figure>, Error> {
    let panel = pictures::level(&[sound])?;
    Ok(panel.map(|panel| Figure { panel_size: WIDE, ..Figure::new(title, 1, vec![panel]) }))
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
}
