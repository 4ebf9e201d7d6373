//! Level over time and frequency, for pictures: a short-time Fourier transform in dB.
//!
//! Row `j`, column `k` is `20 log10 (2|X_k|/Σw)` of frame `j` (half the amplitude at the two
//! ends), so a steady sine of amplitude 1 on a bin reads 0 dB.

use crate::error::{AnalysisError, check_setting, check_size};
use crate::frames::Framing;
use crate::spectrum::decibels;

/// Largest number of cells (frames times bins) a spectrogram may have: one gigabyte.
pub const LARGEST_SPECTROGRAM: usize = 1 << 27;

/// Levels of successive frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrogram {
    /// Time of each row in seconds, at the middle of its frame.
    pub times: Vec<f64>,
    /// Frequency of each column in Hz, from 0 up to half the rate.
    pub frequencies: Vec<f64>,
    /// Levels in dB relative to amplitude 1, row after row: `times.len() × frequencies.len()`.
    pub levels: Vec<f64>,
}

impl Spectrogram {
    /// The spectrogram of `signal` at `rate` Hz. Levels under `floor` dB, and silence, read
    /// `floor`, so that every cell is finite.
    pub fn new(signal: &[f64], rate: f64, framing: Framing, floor: f64) -> Result<Self, AnalysisError> {
        framing.check(signal, rate)?;
        check_setting("floor", "a finite level in dB", floor, floor.is_finite())?;
        let (rows, columns) = (framing.count(signal.len()), framing.bins());
        let cells = rows.saturating_mul(columns);
        check_size("spectrogram cells", cells, LARGEST_SPECTROGRAM)?;

        let mut levels = Vec::with_capacity(cells);
        let at_end = |column| column == 0 || 2 * column == framing.size;
        framing.for_each_frame(signal, |_, magnitudes| {
            levels.extend(magnitudes.iter().enumerate().map(|(column, magnitude)| {
                let sides = if at_end(column) { 1.0 } else { 2.0 };
                decibels(sides * magnitude).max(floor)
            }));
        })?;
        Ok(Self {
            times: (0..rows).map(|row| framing.time(row, rate)).collect(),
            frequencies: (0..columns).map(|column| framing.frequency(column, rate)).collect(),
            levels,
        })
    }

    /// The levels of frame `index` in dB, or `None` past the last frame.
    pub fn row(&self, index: usize) -> Option<&[f64]> {
        self.levels.chunks_exact(self.frequencies.len()).nth(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_signals::sine;

    #[test]
    fn a_change_of_note_shows_in_the_right_cells() {
        let rate = 48_000.0;
        let framing = Framing::default();
        // Bins 32 and 64 of 1024 points.
        let mut signal = sine(1500.0, 1.0, 0.0, rate, 24_000);
        signal.extend(sine(3000.0, 0.1, 0.0, rate, 24_000));
        let picture = Spectrogram::new(&signal, rate, framing, -120.0).unwrap();

        assert_eq!(picture.frequencies.len(), 513);
        assert_eq!(picture.levels.len(), picture.times.len() * 513);
        assert_eq!(picture.frequencies[32], 1500.0);
        for (row, &time) in picture.times.iter().enumerate() {
            let levels = picture.row(row).unwrap();
            if time < 0.48 {
                assert!((levels[32] - 0.0).abs() < 1e-9);
                assert_eq!(levels[64], -120.0);
            } else if time > 0.52 {
                assert!((levels[64] + 20.0).abs() < 1e-9);
                assert_eq!(levels[32], -120.0);
            }
        }
        assert!(picture.row(picture.times.len()).is_none());
    }

    #[test]
    fn silence_reads_the_floor() {
        let picture = Spectrogram::new(&[0.0; 2000], 8000.0, Framing::default(), -90.0).unwrap();
        assert!(picture.levels.iter().all(|&level| level == -90.0));
    }

    #[test]
    fn a_picture_too_large_for_memory_is_refused() {
        let framing = Framing { size: 1 << 20, hop: 1, ..Framing::default() };
        let result = Spectrogram::new(&vec![0.0; (1 << 20) + 300], 48_000.0, framing, -90.0);
        assert!(matches!(result, Err(AnalysisError::Count { .. })));
    }
}
