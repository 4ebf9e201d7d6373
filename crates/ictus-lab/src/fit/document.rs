//! A fit as a document: frequencies in Hz, times in s, amplitudes relative to full scale, uncertainties of one standard deviation.

use serde::Serialize;

use super::Answer;
use crate::measure::decibels;

/// The whole document, keys in the order they are printed.
#[derive(Serialize)]
pub struct Document {
    rate: f64,
    confidence: f64,
    recordings: Vec<Recording>,
    modes: Vec<Mode>,
    mass: f64,
    mallets: Vec<Mallet>,
}

#[derive(Serialize)]
struct Recording {
    file: Option<String>,
    onset: f64,
    free: f64,
    end: f64,
    contact_time: Option<f64>,
    contact_start: Option<f64>,
    contact_error: Option<f64>,
    contact_exponent: Option<[f64; 2]>,
    contact_restitution: Option<[f64; 2]>,
    explained: f64,
    likeness: Likeness,
    noise: Option<f64>,
}

/// Of the scene to the recording, in third-octaves over time.
#[derive(Serialize)]
struct Likeness {
    cells: usize,
    within_3_db: f64,
    median_db: f64,
    p95_db: f64,
}

#[derive(Serialize)]
struct Mode {
    frequency: f64,
    frequency_error: f64,
    t60: f64,
    t60_error: f64,
    level: Vec<Option<f64>>,
    phase: Vec<f64>,
    amplitude_error: f64,
    stands: f64,
    confidence: f64,
}

#[derive(Serialize)]
struct Mallet {
    mass: f64,
    velocity: f64,
    stiffness: f64,
    exponent: f64,
    dissipation: f64,
    contact_time: f64,
    weights: Vec<f64>,
}

impl Document {
    /// Of what was fitted.
    pub fn of(answer: &Answer) -> Self {
        let (fit, instrument) = (&answer.fit, &answer.instrument);
        let recording = |(r, take): (usize, &ictus_analysis::fit::FittedTake)| Recording {
            file: answer.files.get(r).map(|file| file.display().to_string()),
            onset: take.onset,
            free: take.free,
            end: take.end,
            contact_time: take.contact.map(|contact| contact.time),
            contact_start: take.contact.map(|contact| contact.start),
            contact_error: take.contact.map(|contact| contact.error),
            contact_exponent: take.contact.map(|contact| contact.exponent),
            contact_restitution: take.contact.map(|contact| contact.restitution),
            explained: take.explained,
            likeness: {
                let found = answer.likeness(r);
                Likeness { cells: found.cells, within_3_db: found.within, median_db: found.median, p95_db: found.p95 }
            },
            noise: decibels(take.noise),
        };
        let mode = |mode: &ictus_analysis::fit::FittedMode| Mode {
            frequency: mode.frequency,
            frequency_error: mode.frequency_error,
            t60: mode.t60,
            t60_error: mode.t60_error,
            level: mode.amplitudes.iter().map(|c| decibels(c.norm())).collect(),
            phase: mode.amplitudes.iter().map(|c| c.arg()).collect(),
            amplitude_error: mode.amplitude_error,
            stands: mode.stands,
            confidence: mode.confidence,
        };
        let mallet = |mallet: &super::Mallet| Mallet {
            mass: instrument.assumed.mallet,
            velocity: mallet.velocity,
            stiffness: mallet.stiffness,
            exponent: instrument.assumed.exponent,
            dissipation: mallet.dissipation,
            contact_time: mallet.contact_time,
            weights: mallet.weights.clone(),
        };
        Self {
            rate: fit.rate,
            confidence: fit.confidence,
            recordings: fit.takes.iter().enumerate().map(recording).collect(),
            modes: fit.modes.iter().map(mode).collect(),
            mass: instrument.mass,
            mallets: instrument.mallets.iter().map(mallet).collect(),
        }
    }
}
