//! The design on a resonator, and what became of it in other hands.

use ictus::impact::strike::Strike;
use ictus_analysis::design::{Design, DesignError, Features, LogLinearFit, Map, Setting};

use super::setup::{Struck, refused};
use super::{Question, unreachable};
use crate::Refusal;

/// A design on a resonator, and what became of it in other hands.
pub struct Answer {
    /// The strike, with what was found besides the contact.
    pub setting: Setting,
    /// The contact.
    pub design: Design,
    /// What the engine makes of it.
    pub engine: Option<Features>,
    /// The same at [`FINER`] times the rate.
    pub finer: Option<Features>,
    /// What A04's own scheme makes of it.
    pub am1: Option<Features>,
    /// A04's log-linear inversion of the same map, and what its contact really does.
    pub fitted: Option<(f64, f64, Option<Features>)>,
}

/// How much finer the engine's second trial is.
pub const FINER: usize = 8;

/// The map of a strike: what its contacts can do.
///
/// # Errors
/// It cannot be computed.
pub fn map(wanted: &Struck, question: &Question<'_>) -> Result<Map, Refusal> {
    Map::new(wanted.setting.clone()).map_err(|error| refused(&error, question))
}

/// The contact that does what is wanted.
///
/// # Errors
/// No contact does: the sentence tells what can be had instead.
pub fn solve(wanted: &Struck, map: &Map, question: &Question<'_>) -> Result<Answer, Refusal> {
    match found(wanted, map) {
        Ok(answer) => Ok(answer),
        Err(DesignError::Unreachable) if !wanted.setting.work.is_over() => {
            let explained = unreachable::explained(wanted, map, question);
            // What was found until then may not be true of all there is.
            let over = wanted.setting.work.is_over();
            Err(if over { refused(&DesignError::TooLong, question) } else { explained })
        }
        Err(DesignError::Unreachable) => Err(refused(&DesignError::TooLong, question)),
        Err(error) => Err(refused(&error, question)),
    }
}

fn found(wanted: &Struck, map: &Map) -> Result<Answer, DesignError> {
    let (setting, design) = match wanted.freedom {
        Some(freedom) => map.design_freely(freedom, &wanted.targets)?,
        None => (map.setting().clone(), map.design(&wanted.targets)?),
    };
    let strike = setting.strike(design.stiffness, design.dissipation);
    let samples = setting.samples();
    let (engine, am1) = (strike.by_engine(samples)?, strike.by_am1(samples)?);
    let finer = Strike { rate: FINER as f64 * setting.rate, ..strike }.by_engine(FINER * samples)?;
    let fitted = match (wanted.targets.contact_time, wanted.targets.centroid, wanted.freedom) {
        (Some(time), Some(centroid), None) => {
            let fit = LogLinearFit::of(map.lines().iter().flat_map(|line| &line.points));
            fit.and_then(|fit| fit.invert(time, centroid)).map(|(stiffness, dissipation)| {
                (stiffness, dissipation, setting.features(stiffness, dissipation).ok().flatten())
            })
        }
        _ => None,
    };
    Ok(Answer {
        engine: Features::of_sampled(&engine, setting.rate, 1)?,
        finer: Features::of_sampled(&finer, setting.rate, FINER)?,
        am1: Features::of_sampled(&am1, setting.rate, 1)?,
        setting,
        design,
        fitted,
    })
}
