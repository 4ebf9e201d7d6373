//! How a whole sound falls after each stroke: its level over time, and a straight line through every fall.
//!
//! A stroke is where the level has risen by 6 dB, and its fall lasts until the level rises by as much again or sound ends. The line is fitted to the
//! first 30 dB below the top, or as far as the fall goes: what an ear hears of a decay that has other sounds after it.

use crate::error::{AnalysisError, check_rate, check_setting};
use crate::spectrum::decibels;

/// Rise in dB that is a stroke, and least fall in dB whose time is told.
const STROKE: f64 = 6.0;
const LEAST_FALL: f64 = 10.0;

/// Where the line begins and ends, in dB below the top; it also ends so far above the end of the fall.
const LINE: (f64, f64) = (2.0, 30.0);
const FOOT: f64 = 3.0;

/// Levels so far below the highest are the floor, in dB.
const DEPTH: f64 = 90.0;

/// Fewest levels on a line.
const FEWEST: usize = 4;

/// Takes samples one after the other and makes levels of them.
#[derive(Debug, Clone)]
pub struct LevelMeter {
    rate: f64,
    frame: usize,
    filled: usize,
    power: f64,
    levels: Vec<f64>,
}

impl LevelMeter {
    /// A meter for sound at `rate` Hz that makes a level of every `span` s, between a sample and an hour.
    ///
    /// # Errors
    /// If one of them is not allowed.
    pub fn new(rate: f64, span: f64) -> Result<Self, AnalysisError> {
        check_rate(rate)?;
        check_setting("span", "from a sample to an hour, in s", span, span * rate >= 1.0 && span <= 3600.0)?;
        Ok(Self { rate, frame: (span * rate).round() as usize, filled: 0, power: 0.0, levels: Vec::new() })
    }

    /// Takes the next sample's power: the mean of the squares of its channels.
    pub fn push(&mut self, power: f64) {
        self.power += power;
        self.filled += 1;
        if self.filled == self.frame {
            self.levels.push(decibels((self.power / self.frame as f64).sqrt()));
            (self.filled, self.power) = (0, 0.0);
        }
    }

    /// All levels so far.
    pub fn track(self) -> LevelTrack {
        LevelTrack { step: self.frame as f64 / self.rate, levels: self.levels }
    }
}

/// Levels over time.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelTrack {
    /// Time in s from one to the next; each is of the time around its middle.
    pub step: f64,
    /// Root mean square in dB, 0 being a mean square of 1; minus infinity is silence.
    pub levels: Vec<f64>,
}

/// The fall after a stroke.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fall {
    /// Time of the top in s.
    pub start: f64,
    /// Where the fall ends in s.
    pub end: f64,
    /// Level of the line in dB at the top.
    pub level: f64,
    /// Time in s in which the line falls by 60 dB.
    pub t60: f64,
}

impl LevelTrack {
    /// Time in s of a level.
    pub fn time(&self, index: usize) -> f64 {
        (index as f64 + 0.5) * self.step
    }

    /// The falls after the strokes, in order.
    pub fn falls(&self) -> Vec<Fall> {
        let highest = self.levels.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !highest.is_finite() {
            return Vec::new();
        }
        let levels: Vec<f64> = self.levels.iter().map(|level| level.max(highest - DEPTH)).collect();
        let mut falls = Vec::new();
        let (mut top, mut bottom, mut is_rising) = (0, 0, true);
        for index in 0..levels.len() {
            if is_rising {
                if levels[index] > levels[top] {
                    top = index;
                } else if levels[index] < levels[top] - STROKE {
                    (bottom, is_rising) = (index, false);
                }
            } else if levels[index] < levels[bottom] {
                bottom = index;
            } else if levels[index] > levels[bottom] + STROKE {
                falls.extend(self.fall(&levels, top, bottom));
                (top, is_rising) = (index, true);
            }
        }
        if !is_rising {
            falls.extend(self.fall(&levels, top, bottom));
        }
        falls
    }

    fn fall(&self, levels: &[f64], top: usize, bottom: usize) -> Option<Fall> {
        let peak = levels[top];
        if peak - levels[bottom] < LEAST_FALL {
            return None;
        }
        let foot = (peak - LINE.1).max(levels[bottom] + FOOT);
        let first = top + levels[top..=bottom].iter().position(|level| *level <= peak - LINE.0)?;
        let past = first + levels[first..=bottom].iter().take_while(|level| **level >= foot).count();
        let count = past - first;
        if count < FEWEST {
            return None;
        }
        let mean = |value: &dyn Fn(usize) -> f64| (first..past).map(value).sum::<f64>() / count as f64;
        let (t, y) = (mean(&|n| self.time(n)), mean(&|n| levels[n]));
        let slope = mean(&|n| (self.time(n) - t) * (levels[n] - y)) / mean(&|n| (self.time(n) - t).powi(2));
        let start = self.time(top);
        (slope < 0.0).then(|| Fall {
            start,
            end: self.time(bottom),
            level: y + slope * (start - t),
            t60: -60.0 / slope,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_signals::ringing;

    fn track(signal: &[f64], rate: f64) -> LevelTrack {
        let mut meter = LevelMeter::new(rate, 0.02).unwrap();
        signal.iter().for_each(|sample| meter.push(sample * sample));
        meter.track()
    }

    #[test]
    fn two_strokes_have_a_line_each() {
        let rate = 48_000.0;
        let mut signal = vec![0.0; 4_800];
        signal.extend(ringing(700.0, 1.0, 0.8, rate, 24_000));
        signal.extend(ringing(300.0, 0.5, 2.0, rate, 96_000));
        let falls = track(&signal, rate).falls();
        assert_eq!(falls.len(), 2, "{falls:?}");
        for (fall, (start, t60, level)) in falls.iter().zip([(0.1, 0.8, -3.01), (0.6, 2.0, -9.03)]) {
            assert!((fall.start - start).abs() < 0.02, "{fall:?}");
            assert!((fall.t60 / t60 - 1.0).abs() < 0.005, "{fall:?}");
            // The line is of what it was at the middle of the first frame.
            let expected = level - 60.0 / t60 * (fall.start - start);
            assert!((fall.level - expected).abs() < 0.2, "{fall:?}, {expected}");
        }
        assert!((falls[0].end - 0.6).abs() < 0.03 && (falls[1].end - 2.6).abs() < 0.03);
    }

    #[test]
    fn what_does_not_fall_has_no_line() {
        let rate = 8_000.0;
        assert!(track(&[0.0; 8000], rate).falls().is_empty());
        assert!(track(&[], rate).falls().is_empty());
        assert!(track(&vec![0.5; 8000], rate).falls().is_empty());
        let swells: Vec<f64> = (0..16_000).map(|n| (f64::from(n) / 16_000.0).powi(3)).collect();
        assert!(track(&swells, rate).falls().is_empty());
        // A click: from all to nothing within two levels.
        let mut click = vec![0.0; 8000];
        click[4000] = 1.0;
        assert!(track(&click, rate).falls().is_empty());
    }

    #[test]
    fn spans_without_a_sample_are_refused() {
        for span in [0.0, -1.0, 1e-6, f64::NAN, 1e9] {
            assert!(LevelMeter::new(48_000.0, span).is_err(), "{span}");
        }
        assert!(LevelMeter::new(f64::NAN, 0.02).is_err());
    }
}
