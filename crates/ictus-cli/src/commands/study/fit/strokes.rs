//! Strokes of the engine, of which the contact time is known: a hammer on objects given by their modes, heard somewhere else.

use ictus::Model;
use ictus::impact::exact::WallImpact;
use ictus::impact::strike::Strike;
use ictus::math::random::SplitMix64;
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{Decay, MassSpec, ModalSpec, ModeSpec, Place};
use ictus_analysis::fit::{FitSettings, fit};

/// Samples per second of the recording.
const RATE: f64 = 48_000.0;

/// The engine runs this much faster, so that its contact is exact.
const FINER: usize = 4;

/// A stroke: contact time in s that the engine made, and what the fit told, with its uncertainty.
pub struct Row {
    /// Of the engine.
    pub made: f64,
    /// Of the fit.
    pub told: Option<(f64, f64)>,
    /// Modes of the object.
    pub modes: usize,
}

/// One stroke, by chance, in noise of this level in dB beside the peak.
pub fn row(seed: u64, noise: f64) -> Result<Row, String> {
    let mut random = SplitMix64(seed.wrapping_mul(104_729).wrapping_add(3));
    let count = 4 + (24.0 * random.unit()) as usize;
    let lowest = 80.0 * 6f64.powf(random.unit());
    let mut mode = |n: usize| {
        let frequency = lowest * (1.0 + n as f64 * (0.7 + 0.6 * random.unit()));
        ModeSpec { frequency, decay: Decay::T60((2.5 * (300.0 / frequency).sqrt()).min(3.0)), mass: 2.0 }
    };
    let modes: Vec<ModeSpec> = (0..count).map(&mut mode).filter(|mode| mode.frequency < 15_000.0).collect();
    let mut weights = |_: usize| (0..modes.len()).map(|_| 1.0 - 2.0 * random.unit()).collect::<Vec<f64>>();
    let resonator = ModalSpec { points: (0..2).map(&mut weights).collect(), modes: modes.clone() };
    let time = 0.4e-3 * 12f64.powf(random.unit());
    let hammer = ictus_analysis::design::wall::design(0.01, 1.5 + random.unit(), 1.0, time, 0.6 + 0.4 * random.unit())
        .map_err(|error| error.to_string())?;
    let rate = RATE * FINER as f64;
    let strike = Strike { hammer, resonator: resonator.clone(), rate };
    let struck = strike.by_engine((0.02 * rate) as usize).map_err(|error| error.to_string())?;
    let made = struck.contact_time().ok_or("the hammer stays")?;
    let mut sound = heard(&hammer, &resonator, rate)?;
    let peak = sound.iter().fold(0.0_f64, |most, y| most.max(y.abs()));
    let deviation = 10f64.powf(noise / 20.0) * 3f64.sqrt();
    sound.iter_mut().for_each(|y| *y = *y / peak + deviation * (2.0 * random.unit() - 1.0));
    let found = fit(&[&sound], RATE, FitSettings::default()).ok();
    let told = found.and_then(|found| found.takes[0].contact).map(|contact| (contact.time, contact.error));
    Ok(Row { made, told, modes: modes.len() })
}

/// The velocity of the object's second point, at the rate of a recording, after 50 ms of silence.
fn heard(hammer: &WallImpact, resonator: &ModalSpec, rate: f64) -> Result<Vec<f64>, String> {
    let law = ictus::laws::HuntCrossley::new(hammer.stiffness, hammer.exponent, hammer.dissipation)
        .map_err(|error| error.to_string())?;
    let point = |n: usize| Point::on("resonator", Place::Point(n));
    let mut engine = Model::new(rate)
        .with("hammer", MassSpec { velocity: hammer.velocity, ..MassSpec::free(hammer.mass) })
        .with("resonator", resonator.clone())
        .join(Interaction::new("strike", Point::of("hammer"), point(0), law))
        .listen(Pickup { source: Source::Velocity(point(1)), gains: vec![1.0] })
        .build()
        .map_err(|error| error.to_string())?;
    let mut sound = vec![0.0; (1.5 * rate) as usize];
    engine.process(&mut sound);
    // All modes lie below half the lower rate: leaving samples out folds next to nothing.
    let lead = std::iter::repeat_n(0.0, (0.05 * RATE) as usize);
    Ok(lead.chain(sound.into_iter().step_by(FINER)).collect())
}
