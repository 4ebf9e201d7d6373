//! From options to what is wanted: of a hammer on a resonator, or of a mass on a wall.

use ictus::objects::ModalSpec;
use ictus_analysis::design::{DesignError, Freedom, Setting, Targets, Work};

use super::Question;
use crate::Refusal;
use crate::options::{Allowed, quantity};
use ictus::names::nearest;

/// What is wanted, checked.
pub enum Setup {
    /// Of a mass on a rigid wall.
    Wall(Wall),
    /// Of a hammer on a resonator.
    Resonator(Box<Struck>),
}

/// An impact on a wall, in SI units.
pub struct Wall {
    /// Mass in kg.
    pub mass: f64,
    /// Exponent α of the contact.
    pub exponent: f64,
    /// Velocity at the wall in m/s.
    pub velocity: f64,
    /// Contact time in s that is wanted.
    pub contact_time: f64,
    /// Coefficient of restitution that is wanted.
    pub restitution: f64,
    /// Sample rate of the trial in Hz.
    pub rate: f64,
}

/// A strike of a resonator.
pub struct Struck {
    /// The strike.
    pub setting: Setting,
    /// What it should do.
    pub targets: Targets,
    /// What else is free, when there are three targets.
    pub freedom: Option<Freedom>,
    /// Frequency in Hz, quality and modal mass in kg of the resonator.
    pub resonator: [f64; 3],
}

/// Ratio of the highest mode to the lowest.
const HIGHEST_MODE: f64 = (7.0 / 3.011) * (7.0 / 3.011);

/// Samples of strikes after which a search is given up: about 16 000 strikes at 44.1 kHz, some ten seconds.
const MOST_SAMPLES: u64 = 72_000_000;

impl Setup {
    /// Checks the options.
    ///
    /// # Errors
    /// The first that is not allowed.
    pub fn of(question: &Question<'_>) -> Result<Self, Refusal> {
        let positive = |option, text: Option<&str>, unit| {
            text.map(|text| quantity(option, text, Allowed::Positive, unit)).transpose()
        };
        let targets = Targets {
            contact_time: positive("--contact-time", question.contact_time, "s")?,
            centroid: positive("--centroid", question.centroid, "Hz")?,
            restitution: positive("--restitution", question.restitution, "")?,
        };
        let mass = quantity("--mass", question.mass, Allowed::Between(1e-6, 1e3), "kg")?;
        let exponent = quantity("--exponent", question.exponent, Allowed::Between(1.0, 5.0), "")?;
        let velocity = quantity("--velocity", question.velocity, Allowed::Between(1e-3, 1e3), "m/s")?;
        let rate = quantity("--rate", question.rate, Allowed::Between(8e3, 2e5), "Hz")?;
        let frequency =
            quantity("--frequency", question.frequency, Allowed::Between(10.0, 0.5 * rate / HIGHEST_MODE), "Hz")?;
        let quality = quantity("--quality", question.quality, Allowed::Between(1.0, 1e6), "")?;
        let modal_mass = quantity("--resonator-mass", question.resonator_mass, Allowed::Between(1e-6, 1e3), "kg")?;
        let freedom = freedom(question.free)?;
        if question.wall {
            let [contact_time, restitution] = wall_targets(&targets, question)?;
            return Ok(Self::Wall(Wall { mass, exponent, velocity, contact_time, restitution, rate }));
        }
        let given = [targets.contact_time, targets.centroid, targets.restitution].iter().flatten().count();
        if given < 2 {
            let message =
                "must come with another target: two of --contact-time, --centroid and --restitution fix K and μ";
            return Err(match (question.contact_time, question.centroid, question.restitution) {
                (_, Some(text), _) => Refusal::new("--centroid", text, message),
                (_, _, Some(text)) => Refusal::new("--restitution", text, message),
                (Some(text), ..) => Refusal::new("--contact-time", text, message),
                _ => Refusal::new("--contact-time", "missing", "must be given, or --centroid and --restitution"),
            });
        }
        let resonator = ModalSpec::three_mode_bar(frequency, quality, modal_mass);
        Ok(Self::Resonator(Box::new(Struck {
            setting: Setting { mass, exponent, velocity, resonator, rate, work: Work::at_most(MOST_SAMPLES) },
            targets,
            freedom: (given == 3).then_some(freedom),
            resonator: [frequency, quality, modal_mass],
        })))
    }
}

fn freedom(name: &str) -> Result<Freedom, Refusal> {
    match name {
        "mass" => Ok(Freedom::Mass),
        "exponent" => Ok(Freedom::Exponent),
        _ => Err(Refusal {
            option: "--free",
            value: name.to_owned(),
            allowed: "must be mass or exponent".to_owned(),
            suggestion: nearest(name, ["mass", "exponent"]).map(str::to_owned),
        }),
    }
}

fn wall_targets(targets: &Targets, question: &Question<'_>) -> Result<[f64; 2], Refusal> {
    if let Some(text) = question.centroid {
        return Err(Refusal::new("--centroid", text, "a rigid wall makes no sound: must not be given with --wall"));
    }
    match (targets.contact_time, targets.restitution) {
        (Some(time), Some(restitution)) => {
            quantity("--restitution", question.restitution.unwrap_or(""), Allowed::Between(1e-9, 1.0), "")?;
            Ok([time, restitution])
        }
        (None, _) => Err(Refusal::new("--contact-time", "missing", "must be given with --wall, and --restitution")),
        (_, None) => Err(Refusal::new("--restitution", "missing", "must be given with --wall, and --contact-time")),
    }
}

/// What the library refused, told of the option that is most likely meant.
pub fn refused(error: &DesignError, question: &Question<'_>) -> Refusal {
    let (option, value) = match question.contact_time {
        Some(text) => ("--contact-time", text),
        None => ("--mass", question.mass),
    };
    Refusal::new(option, value, format!("the design could not be computed ({error})"))
}
