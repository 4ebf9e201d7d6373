//! The design on a resonator as a document, in SI units.

use ictus_analysis::design::{Features, Targets};
use serde::Serialize;

use super::setup::Struck;
use super::struck::Answer;
use super::verdict::deviations;

/// The whole document, keys in the order they are printed, in SI units.
#[derive(Serialize)]
pub struct Document {
    stiffness: f64,
    dissipation: f64,
    mass: f64,
    exponent: f64,
    velocity: f64,
    rate: f64,
    mode_frequencies: Vec<f64>,
    wanted: Wanted,
    designed: Measured,
    engine: Option<Measured>,
    engine_at_8_times_the_rate: Option<Measured>,
    am1: Option<Measured>,
    log_linear_fit: Option<Fitted>,
}

#[derive(Serialize)]
struct Wanted {
    contact_time: Option<f64>,
    centroid: Option<f64>,
    restitution: Option<f64>,
}

#[derive(Serialize)]
struct Measured {
    contact_time: f64,
    centroid: f64,
    restitution: f64,
    contacts: usize,
    /// From the targets, relative.
    deviations: Wanted,
}

#[derive(Serialize)]
struct Fitted {
    stiffness: f64,
    dissipation: f64,
    does: Option<Measured>,
}

impl Document {
    /// Collects what was wanted and what came of it.
    pub fn of(wanted: &Struck, answer: &Answer) -> Self {
        let Answer { setting, design, engine, finer, am1, fitted } = answer;
        let Targets { contact_time, centroid, restitution } = wanted.targets;
        let measured = |features: &Features| measured(&wanted.targets, features);
        Self {
            stiffness: design.stiffness,
            dissipation: design.dissipation,
            mass: setting.mass,
            exponent: setting.exponent,
            velocity: setting.velocity,
            rate: setting.rate,
            mode_frequencies: setting.resonator.modes.iter().map(|mode| mode.frequency).collect(),
            wanted: Wanted { contact_time, centroid, restitution },
            designed: measured(&design.features),
            engine: engine.as_ref().map(measured),
            engine_at_8_times_the_rate: finer.as_ref().map(measured),
            am1: am1.as_ref().map(measured),
            log_linear_fit: fitted.map(|(stiffness, dissipation, features)| Fitted {
                stiffness,
                dissipation,
                does: features.as_ref().map(measured),
            }),
        }
    }
}

fn measured(targets: &Targets, features: &Features) -> Measured {
    let Features { contact_time, centroid, restitution, contacts } = *features;
    let [time, sound, rebound] = deviations(targets, features);
    let deviations = Wanted { contact_time: time, centroid: sound, restitution: rebound };
    Measured { contact_time, centroid, restitution, contacts, deviations }
}
