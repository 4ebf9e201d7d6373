//! What a render is reported as: one document for the program's `--report` and for other languages. `docs/report.md` describes every field.

use ictus::ledger::Balance;
use ictus_scene::Scene;
use serde::Serialize;

use crate::account::Account;
use crate::cost::Cost;
use crate::extent::Extent;
use crate::performance::Played;

/// A residual above this is told: sound and energies are then wrong by more than rounding.
const LARGEST_RESIDUAL: f64 = 1e-6;

/// What the user should know of an energy account that does not close; `name` is what the scene is called.
pub fn open_account(name: &str, residual: Option<f64>) -> Option<String> {
    let residual = residual.filter(|residual| *residual > LARGEST_RESIDUAL)?;
    Some(format!(
        "{name}: the energy account is off by {residual:.1e} of the total energy, which is more than rounding: use softer contacts, \
         heavier objects or a higher rate"
    ))
}

/// What a report is made from.
pub struct Facts<'a> {
    /// The scene, read for the rate it was computed at.
    pub scene: &'a Scene,
    /// How much sound was asked for.
    pub extent: Extent,
    /// Multiple of the rate it was computed at.
    pub oversample: usize,
    /// How many notes a MIDI file had, and how many of them have no key; if one was played.
    pub notes: Option<(usize, usize)>,
    /// What came of playing it.
    pub played: &'a Played,
    /// Factor that all samples were multiplied by.
    pub gain: f64,
    /// Largest magnitude; 1 is full scale.
    pub peak: f64,
    /// Integrated loudness; none if it is too short or too quiet.
    pub lufs: Option<f64>,
    /// What the user should know.
    pub warnings: &'a [String],
    /// Whether contacts are listed one by one.
    pub lists_contacts: bool,
    /// What the objects cost, if it was measured.
    pub costs: Option<&'a [Cost]>,
}

impl Facts<'_> {
    /// Seconds of sound per second of the processor.
    pub fn realtime_factor(&self) -> f64 {
        let length = self.played.frames as f64 / f64::from(self.extent.rate);
        if self.played.seconds > 0.0 { length / self.played.seconds } else { f64::INFINITY }
    }
}

/// The report, keys in the order they are written.
#[derive(Serialize)]
pub struct Report<'a> {
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
    #[serde(skip_serializing_if = "Option::is_none")]
    contacts: Option<Vec<Contact<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    objects: Option<Vec<Object<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<Rest>,
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

/// One contact from touch to release, in SI units.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Contact<'a> {
    /// The interaction that touched.
    pub name: &'a str,
    /// Time of the first sample with a force, in s.
    pub start: f64,
    /// Time of the first sample without one again, in s.
    pub end: f64,
    /// Time of the first touch in s, to a small part of a sample: where the compression crosses zero.
    pub touch: f64,
    /// Time of the release in s, to a small part of a sample.
    pub release: f64,
    /// Velocity of compression when it began, in m/s.
    pub v_in: f64,
    /// Velocity of compression when it ended, in m/s; negative when the bodies part.
    pub v_out: f64,
    /// Largest force in N.
    pub peak_force: f64,
}

impl Contact<'_> {
    /// Contact time in s, from touch to release.
    pub fn time(&self) -> f64 {
        self.release - self.touch
    }
}

/// The contacts of a render that were kept one by one.
pub fn contacts<'a>(scene: &'a Scene, played: &'a Played) -> impl Iterator<Item = Contact<'a>> {
    let rate = scene.model.rate;
    played.contacts.listed.iter().map(move |contact| Contact {
        name: scene.model.interactions.get(contact.contact.index()).map_or("", |interaction| &interaction.name),
        start: contact.start as f64 / rate,
        end: contact.end as f64 / rate,
        touch: contact.touch / rate,
        release: contact.release / rate,
        v_in: contact.v_in,
        v_out: contact.v_out,
        peak_force: contact.peak_force,
    })
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

impl<'a> Report<'a> {
    /// The report of a render.
    pub fn of(facts: &Facts<'a>) -> Self {
        let Facts { scene, extent, oversample, played, .. } = *facts;
        let frames = played.frames;
        let step = played.seconds * 1e9 / (frames * oversample).max(1) as f64;
        let share = |nanoseconds: f64| if step > 0.0 { nanoseconds / step } else { 0.0 };
        let on_average = |(cost, in_motion): (&Cost, &f64)| cost.nanoseconds * in_motion;
        let object = |(cost, in_motion): (&'a Cost, &f64)| Object {
            name: &cost.name,
            kind: cost.kind,
            modes: cost.modes,
            points: cost.points,
            nanoseconds: cost.nanoseconds,
            share: share(on_average((cost, in_motion))),
        };
        let rest = |costs: &[Cost]| {
            let objects: f64 = costs.iter().zip(&played.in_motion).map(on_average).sum();
            let nanoseconds = (step - objects).max(0.0);
            Rest { nanoseconds, share: share(nanoseconds) }
        };
        Self {
            title: &scene.title,
            rate: extent.rate,
            oversample,
            channels: extent.channels,
            samples: frames,
            duration: frames as f64 / f64::from(extent.rate),
            seed: scene.seed,
            notes: facts.notes.map(|(notes, _)| notes),
            notes_without_key: facts.notes.map(|(_, without_key)| without_key),
            gain: facts.gain,
            peak: facts.peak,
            peak_dbfs: (facts.peak > 0.0).then(|| 20.0 * facts.peak.log10()),
            lufs: facts.lufs,
            realtime_factor: facts.realtime_factor(),
            warnings: facts.warnings,
            energy: played.energy.as_ref().map(Energy::from),
            contact_count: played.contacts.count,
            missed_contacts: played.contacts.missed,
            contacts: facts.lists_contacts.then(|| contacts(scene, played).collect()),
            objects: facts.costs.map(|costs| costs.iter().zip(&played.in_motion).map(object).collect()),
            rest: facts.costs.map(rest),
        }
    }
}
