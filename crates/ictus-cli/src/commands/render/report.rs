//! What was measured, and the report of it as JSON. `docs/report.md` describes every field.

use ictus::ledger::Balance;
use ictus_analysis::LoudnessMeter;
use serde::Serialize;

use super::plan::Plan;
use super::play::{Account, Take};
use crate::cost::{self, Cost};
use crate::error::Error;
use crate::sinks::WholeFile;
use crate::sinks::sound::BLOCK;

/// Measures of the finished sound.
pub struct Measured {
    /// Largest magnitude; 1 is full scale.
    pub peak: f64,
    /// Integrated loudness of one or two channels; none if it is too short or too quiet.
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
        let length = take.sound.frames() as f64 / f64::from(plan.extent.rate);
        Ok(Self {
            peak,
            lufs: meter.and_then(|meter| meter.integrated().ok()).flatten(),
            realtime_factor: if take.seconds > 0.0 { length / take.seconds } else { f64::INFINITY },
        })
    }
}

#[derive(Serialize)]
struct Report<'a> {
    title: &'a str,
    rate: u32,
    oversample: usize,
    channels: u16,
    samples: usize,
    duration: f64,
    seed: u64,
    notes: Option<usize>,
    notes_without_key: Option<usize>,
    gain: f64,
    peak: f64,
    peak_dbfs: Option<f64>,
    lufs: Option<f64>,
    realtime_factor: f64,
    warnings: &'a [String],
    energy: Option<Energy>,
    contact_count: u64,
    missed_contacts: u64,
    contacts: Vec<Contact<'a>>,
    objects: Vec<Object<'a>>,
    rest: Rest,
}

#[derive(Serialize)]
struct Energy {
    residual: f64,
    stored: f64,
    hammers: f64,
    dissipated: f64,
    supplied: f64,
    initial: f64,
}

impl From<&Account> for Energy {
    fn from(Account { balance, hammers, .. }: &Account) -> Self {
        let Balance { stored, dissipated, supplied, initial, .. } = *balance;
        Self { residual: balance.residual(), stored, hammers: *hammers, dissipated, supplied, initial }
    }
}

#[derive(Serialize)]
struct Contact<'a> {
    name: &'a str,
    start: f64,
    end: f64,
    v_in: f64,
    v_out: f64,
    peak_force: f64,
}

#[derive(Serialize)]
struct Object<'a> {
    name: &'a str,
    kind: &'a str,
    modes: Option<usize>,
    points: Option<usize>,
    nanoseconds: f64,
    share: f64,
}

/// What is not the objects': contacts, pickups, score, the energy account, filtering.
#[derive(Serialize)]
struct Rest {
    nanoseconds: f64,
    share: f64,
}

/// The report, ready to be kept; nothing if none is wanted.
pub fn stage(plan: &Plan, take: &Take, measured: &Measured, warnings: &[String]) -> Result<Option<WholeFile>, Error> {
    let Some(path) = &plan.report else { return Ok(None) };
    let text = json(plan, take, measured, warnings, &cost::of_objects(&plan.scene.model))?;
    let mut file = WholeFile::create("--report", path)?;
    file.put(text.as_bytes())?;
    Ok(Some(file))
}

/// The report's text.
fn json(plan: &Plan, take: &Take, measured: &Measured, warnings: &[String], costs: &[Cost]) -> Result<String, Error> {
    let Plan { scene, oversample, .. } = plan;
    let frames = take.sound.frames();
    let rate = scene.model.rate;
    let contacts = take.contacts.listed.iter().map(|contact| Contact {
        name: scene.model.interactions.get(contact.contact.index()).map_or("", |interaction| &interaction.name),
        start: contact.start as f64 / rate,
        end: contact.end as f64 / rate,
        v_in: contact.v_in,
        v_out: contact.v_out,
        peak_force: contact.peak_force,
    });
    let step = take.seconds * 1e9 / (frames * oversample).max(1) as f64;
    let objects: f64 = costs.iter().map(|cost| cost.nanoseconds).sum();
    let share = |nanoseconds: f64| if step > 0.0 { nanoseconds / step } else { 0.0 };
    let rest = (step - objects).max(0.0);
    let report = Report {
        title: &scene.title,
        rate: plan.extent.rate,
        oversample: *oversample,
        channels: plan.extent.channels,
        samples: frames,
        duration: frames as f64 / f64::from(plan.extent.rate),
        seed: scene.seed,
        notes: plan.piece.as_ref().map(|piece| piece.notes),
        notes_without_key: plan.piece.as_ref().map(|piece| piece.without_key),
        gain: take.sound.gain,
        peak: measured.peak,
        peak_dbfs: (measured.peak > 0.0).then(|| 20.0 * measured.peak.log10()),
        lufs: measured.lufs,
        realtime_factor: measured.realtime_factor,
        warnings,
        energy: take.energy.as_ref().map(Energy::from),
        contact_count: take.contacts.count,
        missed_contacts: take.contacts.missed,
        contacts: contacts.collect(),
        objects: costs
            .iter()
            .map(|cost| Object {
                name: &cost.name,
                kind: cost.kind,
                modes: cost.modes,
                points: cost.points,
                nanoseconds: cost.nanoseconds,
                share: share(cost.nanoseconds),
            })
            .collect(),
        rest: Rest { nanoseconds: rest, share: share(rest) },
    };
    let mut text = serde_json::to_string_pretty(&report).map_err(|error| Error::Output(error.into()))?;
    text.push('\n');
    Ok(text)
}
