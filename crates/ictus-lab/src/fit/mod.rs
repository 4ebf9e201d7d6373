//! A recorded impact made an instrument.
//!
//! The modes are fitted by [`ictus_analysis::fit`]; here are files and options, the mallet and the weights that make the recording again
//! ([`Instrument`]), the scene's text and the document.

mod document;
mod instrument;
mod likeness;
mod scene;

use std::path::{Path, PathBuf};

use ictus_analysis::fit::{FitSettings, ModalFit, Unfit, fit};

use crate::Refusal;
use crate::measure::Sound;
use crate::options::{Allowed, number, quantity};
pub use document::Document;
pub use instrument::{Assumed, Instrument, Mallet};
pub use likeness::{LIKE, Likeness};

/// What to fit, as it was typed.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// Where to begin in every recording, in s.
    pub from: &'a str,
    /// Where to end, in s; the end of the recording unless it is said.
    pub to: Option<&'a str>,
    /// Most modes.
    pub modes: &'a str,
    /// Lowest frequency in Hz.
    pub lowest: &'a str,
    /// Mass in kg of what was struck.
    pub mass: Option<&'a str>,
    /// Mass of the mallet in kg.
    pub mallet: &'a str,
    /// Its velocity in m/s.
    pub velocity: &'a str,
    /// Exponent of its contact.
    pub exponent: &'a str,
    /// Restitution of its contact.
    pub restitution: &'a str,
    /// Confidence below which nothing is written.
    pub least: &'a str,
    /// Whether what the modes leave of the stroke is kept.
    pub residual: bool,
}

/// A question that was checked.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    from: f64,
    to: Option<f64>,
    settings: FitSettings,
    assumed: Assumed,
    /// Confidence below which a fit is none.
    pub least: f64,
    residual: bool,
}

/// The recordings and what was fitted.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Where each recording came from.
    pub files: Vec<PathBuf>,
    /// The recordings, mono.
    pub recordings: Vec<Vec<f64>>,
    /// The modes.
    pub fit: ModalFit,
    /// What makes them sound.
    pub instrument: Instrument,
    played: Vec<Vec<f64>>,
    residual: bool,
}

/// Why files were not fitted.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub enum Unfitted {
    /// A file is no sound that can be read, or does not go with the others.
    File(String),
    /// A recording is no impact, or none that these assumptions explain.
    Recording(String),
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
        let modes = number("--modes", question.modes, Allowed::Between(1.0, 400.0), "")?;
        if modes.fract() != 0.0 {
            return Err(Refusal::new("--modes", question.modes, "must be a whole number from 1 to 400"));
        }
        let lowest = quantity("--lowest", question.lowest, Allowed::Between(1.0, 1500.0), "Hz")?;
        let mass = |option, text| quantity(option, text, Allowed::Between(1e-4, 1e3), "kg");
        let assumed = Assumed {
            mass: question.mass.map(|text| mass("--mass", text)).transpose()?,
            mallet: mass("--mallet", question.mallet)?,
            velocity: quantity("--velocity", question.velocity, Allowed::Between(1e-2, 1e2), "m/s")?,
            exponent: quantity("--exponent", question.exponent, Allowed::Between(1.0, 5.0), "")?,
            restitution: quantity("--restitution", question.restitution, Allowed::Between(0.05, 1.0), "")?,
        };
        let least = number("--confidence", question.least, Allowed::Between(0.0, 1.0), "")?;
        let settings = FitSettings { modes: modes as usize, lowest };
        Ok(Self { from, to, settings, assumed, least, residual: question.residual })
    }

    /// Fits one object to these recordings of it.
    ///
    /// # Errors
    /// One sentence: a file cannot be read, or is no impact.
    pub fn files(&self, files: &[PathBuf]) -> Result<Answer, Unfitted> {
        let read = |file: &PathBuf| Sound::read(file, self.from, self.to).map_err(Unfitted::File);
        let sounds = files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let rate = sounds.first().map_or(48_000, |sound| sound.rate);
        if let Some(other) = sounds.iter().position(|sound| sound.rate != rate) {
            return Err(Unfitted::File(format!(
                "{} has {} samples a second, and {} has {rate}: recordings of one object must have one rate",
                files[other].display(),
                sounds[other].rate,
                files[0].display()
            )));
        }
        let mono = |sound: &Sound| -> Vec<f64> {
            let count = sound.channels.len() as f64;
            (0..sound.channels[0].len()).map(|n| sound.channels.iter().map(|c| c[n]).sum::<f64>() / count).collect()
        };
        let name = |index: usize| files.get(index).map_or_else(String::new, |file| file.display().to_string());
        self.samples(files.to_vec(), sounds.iter().map(mono).collect(), f64::from(rate))
            .map_err(|(index, reason)| Unfitted::Recording(format!("{} cannot be fitted: {reason}", name(index))))
    }

    /// Fits one object to recorded samples, mono, at a rate in Hz.
    ///
    /// # Errors
    /// Which recording is no impact, and what it is instead.
    pub fn samples(
        &self,
        files: Vec<PathBuf>,
        recordings: Vec<Vec<f64>>,
        rate: f64,
    ) -> Result<Answer, (usize, String)> {
        let takes: Vec<&[f64]> = recordings.iter().map(Vec::as_slice).collect();
        let told = |(index, error): (usize, Unfit)| (index, error.to_string());
        let fit = fit(&takes, rate, self.settings).map_err(told)?;
        let instrument = Instrument::of(&fit, self.assumed).map_err(|reason| (0, reason))?;
        let heard = |(r, take): (usize, &ictus_analysis::fit::FittedTake)| {
            let end = ((take.end * rate).round() as usize).min(recordings[r].len());
            let played = instrument.struck(r, end.saturating_sub(instrument.mallets[r].touches));
            played.map_err(|reason| (r, reason))
        };
        let played = fit.takes.iter().enumerate().map(heard).collect::<Result<Vec<_>, _>>()?;
        Ok(Answer { files, recordings, fit, instrument, played, residual: self.residual })
    }
}

impl Answer {
    /// What the first recording is called.
    pub fn name(&self) -> String {
        let stem = self.files.first().and_then(|file| file.file_stem());
        stem.map_or_else(|| "recording".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }

    /// The scene's text.
    pub fn scene(&self) -> String {
        scene::text(self)
    }

    /// A recording from its touch to where the fit ends.
    pub fn recorded(&self, take: usize) -> &[f64] {
        let touches = self.instrument.mallets[take].touches;
        &self.recordings[take][touches..touches + self.played[take].len()]
    }

    /// What the scene makes of it, without a residual.
    pub fn played(&self, take: usize) -> &[f64] {
        &self.played[take]
    }

    /// How like the recording that is.
    pub fn likeness(&self, take: usize) -> Likeness {
        let before = &self.recordings[take][..self.instrument.mallets[take].touches];
        likeness::likeness(self.recorded(take), self.played(take), before, self.fit.rate)
    }
}

/// The name of a file without its folders.
fn short(file: &Path) -> String {
    file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}
