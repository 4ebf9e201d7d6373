//! A sound measured: partials and their decays, brightness over time, attack, levels, faults.
//!
//! What is measured, and how, is in [`ictus_analysis::measure()`]; here are files, options and the document.

mod document;
mod sound;

use std::path::Path;

use ictus_analysis::{MeasureSettings, Measures, measure};

use crate::Refusal;
use crate::options::{Allowed, number, quantity};
pub use document::{Document, decibels, note};
pub use sound::Sound;

/// What to measure, as it was typed.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Where to begin, in s.
    pub from: &'a str,
    /// Where to end, in s; the end of the sound unless it is said.
    pub to: Option<&'a str>,
    /// Most partials.
    pub partials: &'a str,
    /// How far below the strongest partials are told, in dB.
    pub range: &'a str,
}

/// A question that was checked.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Where to begin, in s.
    pub from: f64,
    /// Where to end, in s.
    pub to: Option<f64>,
    /// What to look for.
    pub settings: MeasureSettings,
}

/// A sound and what was measured.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The part of it that was measured.
    pub sound: Sound,
    /// Where that begins in the file, in s.
    pub from: f64,
    /// What was found; times are from the beginning of that part.
    pub measures: Measures,
}

impl Setup {
    /// Checks the options.
    ///
    /// # Errors
    /// The first that is not allowed.
    pub fn of(question: &Question<'_>) -> Result<Self, Refusal> {
        let from = quantity("--from", question.from, Allowed::NonNegative, "s")?;
        let to = question.to.map(|text| quantity("--to", text, Allowed::Positive, "s")).transpose()?;
        if let (true, Some(text)) = (to.is_some_and(|to| to <= from), question.to) {
            return Err(Refusal::new("--to", text, format!("must be after --from, {}", question.from)));
        }
        let partials = number("--partials", question.partials, Allowed::Between(1.0, 500.0), "")?;
        if partials.fract() != 0.0 {
            return Err(Refusal::new("--partials", question.partials, "must be a whole number from 1 to 500"));
        }
        let range = number("--range", question.range, Allowed::Between(1.0, 120.0), "dB")?;
        Ok(Self { from, to, settings: MeasureSettings { partials: partials as usize, range } })
    }

    /// Measures a file.
    ///
    /// # Errors
    /// One sentence: it cannot be read, or is nothing that can be measured.
    pub fn file(&self, path: &Path) -> Result<Answer, String> {
        let sound = Sound::read(path, self.from, self.to)?;
        self.sound(sound).map_err(|reason| format!("{} cannot be measured: {reason}", path.display()))
    }

    /// Measures samples, channel by channel, at a rate in Hz.
    ///
    /// # Errors
    /// Why they cannot be measured.
    pub fn samples(&self, mut channels: Vec<Vec<f64>>, rate: u32) -> Result<Answer, String> {
        let frame = |time: f64| (time * f64::from(rate)).round() as usize;
        for channel in &mut channels {
            channel.truncate(self.to.map_or(usize::MAX, frame));
            channel.drain(..frame(self.from).min(channel.len()));
        }
        self.sound(Sound { channels, rate, format: "samples", bits: 64, is_float: true })
    }

    fn sound(&self, sound: Sound) -> Result<Answer, String> {
        let channels: Vec<&[f64]> = sound.channels.iter().map(Vec::as_slice).collect();
        let measures = measure(&channels, f64::from(sound.rate), self.settings).map_err(|error| error.to_string())?;
        Ok(Answer { sound, from: self.from, measures })
    }
}
