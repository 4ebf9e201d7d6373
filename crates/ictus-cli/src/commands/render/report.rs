//! What was measured, and the report of it as JSON. `docs/report.md` describes every field.

use ictus_analysis::LoudnessMeter;
use ictus_render::cost;
use ictus_render::report::{Facts, Report};

use super::plan::Plan;
use super::play::Take;
use crate::error::Error;
use crate::sinks::WholeFile;
use crate::sinks::sound::BLOCK;

/// Measures of the finished sound.
pub struct Measured {
    /// Largest magnitude; 1 is full scale.
    pub peak: f64,
    /// Integrated loudness; none if it is too short or too quiet.
    pub lufs: Option<f64>,
    /// Seconds of sound per second of the processor.
    pub realtime_factor: f64,
}

impl Measured {
    /// Measures a take.
    pub fn of(plan: &Plan, take: &Take) -> Result<Self, Error> {
        let mut meter = LoudnessMeter::new(plan.extent.channels.into(), f64::from(plan.extent.rate)).ok();
        let mut peak = 0.0f64;
        take.sound.each_block(BLOCK, |block| {
            peak = block.iter().fold(peak, |peak, sample| peak.max(sample.abs()));
            // What cannot be measured is told as not measured.
            if meter.as_mut().is_some_and(|meter| meter.add(block).is_err()) {
                meter = None;
            }
            Ok(())
        })?;
        let lufs = meter.and_then(|meter| meter.integrated().ok()).flatten();
        let realtime_factor = facts(plan, take, peak, lufs, &[]).realtime_factor();
        Ok(Self { peak, lufs, realtime_factor })
    }
}

fn facts<'a>(plan: &'a Plan, take: &'a Take, peak: f64, lufs: Option<f64>, warnings: &'a [String]) -> Facts<'a> {
    Facts {
        scene: &plan.scene,
        extent: plan.extent,
        oversample: plan.oversample,
        notes: plan.piece.as_ref().map(|piece| (piece.notes, piece.without_key)),
        played: &take.played,
        gain: take.sound.gain,
        peak,
        lufs,
        warnings,
        lists_contacts: true,
        costs: None,
    }
}

/// The report, ready to be kept; nothing if none is wanted.
pub fn stage(plan: &Plan, take: &Take, measured: &Measured, warnings: &[String]) -> Result<Option<WholeFile>, Error> {
    let Some(path) = &plan.report else { return Ok(None) };
    let costs = cost::of_objects(&plan.scene.model);
    let facts = Facts { costs: Some(&costs), ..facts(plan, take, measured.peak, measured.lufs, warnings) };
    let mut text = serde_json::to_string_pretty(&Report::of(&facts)).map_err(|error| Error::Output(error.into()))?;
    text.push('\n');
    let mut file = WholeFile::create("--report", path)?;
    file.put(text.as_bytes())?;
    Ok(Some(file))
}
