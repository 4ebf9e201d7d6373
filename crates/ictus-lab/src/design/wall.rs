//! The design on a rigid wall: closed forms, tried with the secant rule, which the engine uses.

use ictus::impact::exact::WallImpact;
use ictus::impact::{Problem, Run, Settings, run, scheme};
use ictus::laws::{HuntCrossley, Law};
use ictus_analysis::design::wall::design;
use serde::Serialize;

use super::setup::{Wall, refused};
use super::{Question, verdict};
use crate::Refusal;

/// Most samples the trial takes; a longer contact is known well enough.
const MOST_SAMPLES: f64 = 1e6;

/// The impact and what the engine's rule makes of it.
pub struct Answer {
    /// The impact.
    pub impact: WallImpact,
    /// Sample rate of the trial in Hz.
    pub rate: f64,
    run: Option<Run>,
}

/// Finds the impact.
///
/// # Errors
/// There is none.
pub fn answer(wanted: &Wall, question: &Question<'_>) -> Result<Answer, Refusal> {
    let Wall { mass, exponent, velocity, contact_time, restitution, rate } = *wanted;
    let impact =
        design(mass, exponent, velocity, contact_time, restitution).map_err(|error| refused(&error, question))?;
    let samples = (1.25 * contact_time * rate).ceil() + 8.0;
    let law = HuntCrossley::new(impact.stiffness, exponent, impact.dissipation)
        .map_err(|error| Refusal::new("--contact-time", question.contact_time.unwrap_or(""), error.to_string()))?;
    let problem =
        Problem { mass, law: Law::from(law), acceleration: 0.0, displacement: -2.5 * velocity / rate, velocity, rate };
    let secant = scheme("secant").filter(|_| samples <= MOST_SAMPLES);
    let run = secant.map(|secant| run(secant, &problem, &Settings::default(), samples as usize));
    Ok(Answer { impact, rate, run })
}

/// Coefficient of restitution of an impact.
pub fn restitution(impact: &WallImpact) -> f64 {
    -impact.output_velocity() / impact.velocity
}

impl Answer {
    /// Contact time in s and restitution of the trial, where it could be measured.
    pub fn tried(&self) -> Option<(f64, f64)> {
        let run = self.run.as_ref()?;
        Some((run.contact_time?, -run.output_velocity? / self.impact.velocity))
    }

    /// The engine's deviations from the targets, relative: contact time, none for the centroid, restitution.
    pub fn missed(&self, wanted: &Wall) -> [Option<f64>; 3] {
        self.tried().map_or([None; 3], |(time, restitution)| {
            [Some(time / wanted.contact_time - 1.0), None, Some(restitution / wanted.restitution - 1.0)]
        })
    }

    /// The sentence to warn with if the engine misses a target by far.
    pub fn warning(&self, wanted: &Wall) -> Option<String> {
        verdict::missed(self.missed(wanted), self.rate)
    }
}

/// The whole document, in SI units.
#[derive(Serialize)]
pub struct Document {
    stiffness: f64,
    dissipation: f64,
    mass: f64,
    exponent: f64,
    velocity: f64,
    rate: f64,
    contact_time: f64,
    restitution: f64,
    engine_contact_time: Option<f64>,
    engine_restitution: Option<f64>,
}

impl Document {
    /// Collects the design and the trial.
    pub fn of(answer: &Answer) -> Self {
        let WallImpact { mass, stiffness, exponent, dissipation, velocity } = answer.impact;
        Self {
            stiffness,
            dissipation,
            mass,
            exponent,
            velocity,
            rate: answer.rate,
            contact_time: answer.impact.contact_time(),
            restitution: restitution(&answer.impact),
            engine_contact_time: answer.tried().map(|(time, _)| time),
            engine_restitution: answer.tried().map(|(_, restitution)| restitution),
        }
    }
}
