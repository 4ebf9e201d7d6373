//! Level over time, with a line through every decay and the time in which it falls by 60 dB.

use ictus_analysis::{Fall, LevelMeter, LevelTrack};

use super::Heard;
use crate::error::Error;
use crate::figures::{Axis, Curve, Dash, Label, Panel, Stroke, colour};
use crate::sinks::sound::BLOCK;

/// Longest stretch in s that one level is of, unless the sound is long; of that, so many levels.
const SPAN: f64 = 0.02;
const LEVELS: f64 = 1500.0;

/// Levels under the highest that are drawn, in dB.
const DEPTH: f64 = 90.0;

/// Most decays that get a line, the longest falls.
const LINES: usize = 8;

/// The levels of sounds, drawn over each other, the last on top.
pub fn panel(sounds: &[&dyn Heard]) -> Result<Option<Panel>, Error> {
    let tracks = sounds.iter().map(|sound| track(*sound)).collect::<Result<Vec<_>, _>>()?;
    let end = sounds.iter().map(|sound| sound.seconds()).fold(0.0, f64::max);
    let top = tracks.iter().flat_map(|track| &track.levels).copied().fold(f64::NEG_INFINITY, f64::max);
    if !top.is_finite() {
        return Ok(None);
    }
    let floor = top - DEPTH;
    let (mut curves, mut labels) = (Vec::new(), Vec::new());
    for (index, track) in tracks.iter().enumerate() {
        let points = track.levels.iter().enumerate().map(|(n, level)| (track.time(n), level.max(floor)));
        curves.push(Curve::line(points.collect(), Stroke::solid(colour(index)).wide(1.0)));
    }
    for (index, track) in tracks.iter().enumerate() {
        for fall in longest(track.falls()) {
            let until = fall.end.min(fall.start + (fall.level - floor) * fall.t60 / 60.0);
            let foot = fall.level - 60.0 * (until - fall.start) / fall.t60;
            let stroke = Stroke::solid(colour(index)).dashed(Dash::Dashed).wide(1.6);
            curves.push(Curve::line(vec![(fall.start, fall.level), (until, foot)], stroke));
            let middle = (0.5 * (fall.start + until), 0.5 * (fall.level + foot) + 3.0);
            labels.push(Label { point: middle, text: format!("T60 {}", time(fall.t60)) });
        }
    }
    let axis = Axis::linear("level / dBFS", "", (floor, top + 8.0));
    let panel = Panel::new(
        "Level, and the time in which it falls by 60 dB",
        Axis::linear("time", "s", (0.0, end)),
        axis,
        curves,
    );
    Ok(Some(panel.labelled(labels)))
}

fn time(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.0} ms", 1e3 * seconds) } else { format!("{seconds:.2} s") }
}

/// The falls that go on for longest, in order.
fn longest(mut falls: Vec<Fall>) -> Vec<Fall> {
    let length = |fall: &Fall| fall.end - fall.start;
    falls.sort_by(|a, b| length(b).total_cmp(&length(a)));
    falls.truncate(LINES);
    falls.sort_by(|a, b| a.start.total_cmp(&b.start));
    falls
}

/// The level over time of all channels together.
fn track(sound: &dyn Heard) -> Result<LevelTrack, Error> {
    let span = SPAN.max(sound.seconds() / LEVELS);
    let mut meter = LevelMeter::new(sound.rate(), span).map_err(|error| Error::Draw(format!("the level: {error}")))?;
    let width = sound.width();
    let mut block = vec![0.0; BLOCK * width];
    for first in (0..sound.length()).step_by(BLOCK) {
        let block = &mut block[..BLOCK.min(sound.length() - first) * width];
        sound.put(first, block)?;
        for frame in block.chunks_exact(width) {
            meter.push(frame.iter().map(|sample| sample * sample).sum::<f64>() / width as f64);
        }
    }
    Ok(meter.track())
}
