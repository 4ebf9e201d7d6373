//! Levels over time, note by note: a spectrogram whose frequencies are spaced as they are heard.
//!
//! Low notes are read from long windows, which tell neighbouring partials apart, high ones from short windows, which tell strokes apart; between them one fades into the
//! other, so that no seam is seen.

use ictus_analysis::{Framing, Spectrogram, Window};

use super::Heard;
use crate::error::Error;
use crate::figures::{Axis, HeatMap, Panel};

/// Most times.
const COLUMNS: usize = 256;

/// Levels per semitone.
const ROWS: f64 = 2.0;

/// The lowest note, C0, in Hz.
const LOWEST: f64 = 16.351_597_831_287_414;

/// Lengths of the windows in s, and the frequencies in Hz between which the short one takes over.
const WINDOWS: [f64; 2] = [0.16, 0.04];
const BETWEEN: (f64, f64) = (300.0, 1200.0);

/// Levels under the loudest that are shown, in dB; what is fainter by so many dB less is not worth room.
const DEPTH: f64 = 80.0;
const FAINT: f64 = 60.0;

/// Least number of octaves shown.
const LEAST_OCTAVES: usize = 3;

/// By how much in dB a level between two frequencies of a window may be above both: what a Hann window loses half way.
const MOST_BETWEEN: f64 = 1.43;

/// What silence reads, in dB.
const SILENCE: f64 = -300.0;

/// Levels of the notes of a sound over time.
pub struct NoteLevels {
    columns: usize,
    seconds: f64,
    /// In dB, row by row from C0, all times of a row.
    levels: Vec<f64>,
}

impl NoteLevels {
    /// Of all channels together. Windows are read one by one, so a long sound takes no more memory than a short one.
    pub fn of(sound: &dyn Heard) -> Result<Self, Error> {
        let (length, rate) = (sound.length(), sound.rate());
        let columns = COLUMNS.min(length.max(1));
        let rows = (ROWS * 12.0 * (0.5 * rate / LOWEST).log2()).floor().max(1.0) as usize;
        let mut levels = vec![SILENCE; rows * columns];
        for column in 0..columns {
            let centre = (column as f64 + 0.5) * length as f64 / columns as f64;
            let [long, short] = WINDOWS.map(|window| spectrum(sound, centre, window));
            let (long, short) = (long?, short?);
            for row in 0..rows {
                let (low, high) = (frequency(row), frequency(row + 1));
                let share = ((low / BETWEEN.0).ln() / (BETWEEN.1 / BETWEEN.0).ln()).clamp(0.0, 1.0);
                let level = match share {
                    0.0 => level(&long, low, high),
                    1.0 => level(&short, low, high),
                    _ => (1.0 - share) * level(&long, low, high) + share * level(&short, low, high),
                };
                levels[row * columns + column] = level;
            }
        }
        Ok(Self { columns, seconds: sound.seconds(), levels })
    }

    /// The highest level in dB, if there is any sound.
    pub fn loudest(&self) -> Option<f64> {
        let loudest = self.levels.iter().copied().fold(SILENCE, f64::max);
        (loudest > SILENCE + 1.0).then_some(loudest)
    }

    /// Frequencies in Hz and mean powers over time, note by note.
    pub fn spectrum(&self) -> impl Iterator<Item = (f64, f64)> {
        self.levels.chunks_exact(self.columns).enumerate().map(|(row, levels)| {
            let power = levels.iter().map(|level| 10f64.powf(0.1 * level)).sum::<f64>() / levels.len() as f64;
            ((frequency(row) * frequency(row + 1)).sqrt(), power)
        })
    }

    /// The octaves that can be heard beside a level in dB: the first, and that past the last, counted from C0.
    pub fn octaves(&self, loudest: f64) -> (usize, usize) {
        let is_heard = |levels: &[f64]| levels.iter().any(|level| *level > loudest - FAINT);
        let heard: Vec<bool> = self.levels.chunks_exact(self.columns).map(is_heard).collect();
        let octave = (12.0 * ROWS) as usize;
        let first = heard.iter().position(|heard| *heard).unwrap_or(0) / octave;
        let past = heard.iter().rposition(|heard| *heard).unwrap_or(0) / octave + 1;
        let past = past.max(first + LEAST_OCTAVES).min(heard.len() / octave);
        (first.min(past.saturating_sub(LEAST_OCTAVES)), past)
    }

    /// The picture of these octaves; `loudest` is the level in dB of the brightest colour.
    pub fn panel(&self, title: &'static str, (first, past): (usize, usize), loudest: f64) -> Panel {
        let octave = (12.0 * ROWS) as usize * self.columns;
        let part = self.levels.get(first * octave..).unwrap_or_default();
        let part = &part[..part.len().min((past - first) * octave)];
        let levels = part.iter().map(|level| level - loudest).collect();
        let heat = HeatMap { columns: self.columns, levels, range: (-DEPTH, 0.0) };
        let range = (LOWEST * (first as f64).exp2(), LOWEST * (past as f64).exp2());
        let mut panel =
            Panel::new(title, Axis::linear("time", "s", (0.0, self.seconds)), Axis::notes(range), Vec::new());
        panel.heat = Some(heat);
        panel
    }
}

/// Lower end of a row in Hz.
fn frequency(row: usize) -> f64 {
    LOWEST * (row as f64 / (12.0 * ROWS)).exp2()
}

/// Levels in dB in a window of so many s around a frame; what is beyond the sound is silence.
fn spectrum(sound: &dyn Heard, centre: f64, window: f64) -> Result<Spectrogram, Error> {
    let (length, rate, width) = (sound.length(), sound.rate(), sound.width());
    let size = 1usize << (window * rate).log2().round() as u32;
    let start = centre - 0.5 * size as f64;
    let first = start.max(0.0) as usize;
    let past = ((start + size as f64).max(0.0) as usize).min(length);
    let mut block = vec![0.0; past.saturating_sub(first) * width];
    sound.put(first, &mut block)?;
    let mut mono = vec![0.0; size];
    let before = (first as f64 - start).round() as usize;
    for (sample, frame) in mono.iter_mut().skip(before).zip(block.chunks_exact(width)) {
        *sample = frame.iter().sum::<f64>() / width as f64;
    }
    let framing = Framing { size, hop: size, window: Window::Hann };
    Spectrogram::new(&mono, rate, framing, SILENCE).map_err(|error| Error::Draw(format!("the spectrogram: {error}")))
}

/// The highest level from one frequency in Hz up to another, or that between the nearest.
fn level(spectrum: &Spectrogram, low: f64, high: f64) -> f64 {
    let step = spectrum.frequencies.get(1).copied().unwrap_or(f64::INFINITY);
    let (first, past) = ((low / step).ceil() as usize, (high / step).ceil() as usize);
    let last = spectrum.levels.len() - 1;
    if first < past {
        let part = spectrum.levels.get(first..past.min(last + 1)).unwrap_or_default();
        return part.iter().copied().fold(SILENCE, f64::max);
    }
    // A parabola through the three nearest: a window's peak in dB nearly is one.
    let place = (low * high).sqrt() / step;
    let nearest = (place.round() as usize).clamp(1, last.max(2) - 1);
    let Some(&[below, at, above]) = spectrum.levels.get(nearest - 1..nearest + 2) else { return SILENCE };
    let offset = place - nearest as f64;
    let level = at + 0.5 * offset * (above - below) + 0.5 * offset * offset * (above - 2.0 * at + below);
    level.min(below.max(at).max(above) + MOST_BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sinks::sound::Sound;
    use std::f64::consts::TAU;

    fn tones(tones: &[f64]) -> NoteLevels {
        // They come and go softly: an edge is heard at every frequency.
        let swell = |n: i32| (0.5 * TAU * f64::from(n) / 96_000.0).sin().powi(2);
        let sample = |n: i32| tones.iter().map(|f| swell(n) * (TAU * f * f64::from(n) / 48_000.0).sin()).sum::<f64>();
        let samples: Vec<f64> = (0..96_000).map(sample).collect();
        NoteLevels::of(&Sound::of(48_000, 1, &samples)).expect("can be read")
    }

    /// The row with the highest level in the middle of the sound, from a frequency on.
    fn brightest(levels: &NoteLevels, from: f64) -> (f64, f64) {
        let rows = levels.levels.chunks_exact(levels.columns).map(|row| row[levels.columns / 2]);
        let rows = rows.enumerate().filter(|(row, _)| frequency(*row) >= from);
        let (row, level) = rows.max_by(|a, b| a.1.total_cmp(&b.1)).expect("has rows");
        (frequency(row), level)
    }

    #[test]
    fn every_note_is_where_it_belongs_and_as_loud_as_it_is() {
        for tone in [55.0, 110.0, 440.0, 700.0, 1000.0, 3520.0, 12_000.0] {
            let (low, level) = brightest(&tones(&[tone]), 0.0);
            let semitones = 12.0 * (tone / low).log2();
            assert!((-0.5..1.0).contains(&semitones), "{tone} Hz is drawn at {low} Hz");
            assert!((-1.5..0.5).contains(&level), "{tone} Hz at {level} dB");
        }
    }

    #[test]
    fn neighbouring_partials_of_a_low_note_are_told_apart() {
        let levels = tones(&[55.0, 110.0, 165.0]);
        let at = |frequency: f64| {
            let row = (24.0 * (frequency / LOWEST).log2()) as usize;
            levels.levels[row * levels.columns + levels.columns / 2]
        };
        for (partial, gap) in [(55.0, 80.0), (110.0, 137.0)] {
            assert!(at(gap) < at(partial) - 30.0, "{} dB between, {} dB at {partial} Hz", at(gap), at(partial));
        }
    }

    #[test]
    fn whole_octaves_are_shown_as_far_as_there_is_sound() {
        let levels = tones(&[300.0, 3000.0]);
        let loudest = levels.loudest().expect("there is sound");
        // 300 Hz lies above C4, 3000 Hz below C8; the window's skirts count.
        let (first, past) = levels.octaves(loudest);
        assert!((3..=4).contains(&first) && past == 8, "{first} to {past}");
        let panel = levels.panel("", (first, past), loudest);
        assert!((panel.y.range.1 / panel.y.range.0 - ((past - first) as f64).exp2()).abs() < 1e-9);
        let silence = NoteLevels::of(&Sound::of(48_000, 2, &[0.0; 4800])).expect("can be read");
        assert_eq!(silence.loudest(), None);
    }
}
