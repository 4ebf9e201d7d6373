//! From options to what is wanted: of a hammer on a resonator, or of a mass on a wall.

use ictus::objects::ModalSpec;
use ictus_analysis::design::{DesignError, Freedom, Setting, Targets, Work};

use super::Args;
use crate::error::Error;
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
    pub mass: f64,
    pub exponent: f64,
    pub velocity: f64,
    pub contact_time: f64,
    pub restitution: f64,
    pub rate: f64,
}

/// A strike of a resonator.
pub struct Struck {
    pub setting: Setting,
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
    /// Checks the options; the first that is not allowed is the error.
    pub fn from_args(args: &Args) -> Result<Self, Error> {
        let positive = |option, text: &Option<String>, unit| {
            text.as_deref().map(|text| quantity(option, text, Allowed::Positive, unit)).transpose()
        };
        let targets = Targets {
            contact_time: positive("--contact-time", &args.contact_time, "s")?,
            centroid: positive("--centroid", &args.centroid, "Hz")?,
            restitution: positive("--restitution", &args.restitution, "")?,
        };
        let mass = quantity("--mass", &args.mass, Allowed::Between(1e-6, 1e3), "kg")?;
        let exponent = quantity("--exponent", &args.exponent, Allowed::Between(1.0, 5.0), "")?;
        let velocity = quantity("--velocity", &args.velocity, Allowed::Between(1e-3, 1e3), "m/s")?;
        let rate = quantity("--rate", &args.rate, Allowed::Between(8e3, 2e5), "Hz")?;
        let frequency =
            quantity("--frequency", &args.frequency, Allowed::Between(10.0, 0.5 * rate / HIGHEST_MODE), "Hz")?;
        let quality = quantity("--quality", &args.quality, Allowed::Between(1.0, 1e6), "")?;
        let modal_mass = quantity("--resonator-mass", &args.resonator_mass, Allowed::Between(1e-6, 1e3), "kg")?;
        let freedom = freedom(&args.free)?;
        if args.wall {
            let [contact_time, restitution] = wall_targets(&targets, args)?;
            return Ok(Self::Wall(Wall { mass, exponent, velocity, contact_time, restitution, rate }));
        }
        let given = [targets.contact_time, targets.centroid, targets.restitution].iter().flatten().count();
        if given < 2 {
            let message =
                "must come with another target: two of --contact-time, --centroid and --restitution fix K and μ";
            return Err(match (&args.contact_time, &args.centroid, &args.restitution) {
                (_, Some(text), _) => Error::option("--centroid", text, message),
                (_, _, Some(text)) => Error::option("--restitution", text, message),
                (Some(text), ..) => Error::option("--contact-time", text, message),
                _ => Error::option("--contact-time", "missing", "must be given, or --centroid and --restitution"),
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

fn freedom(name: &str) -> Result<Freedom, Error> {
    match name {
        "mass" => Ok(Freedom::Mass),
        "exponent" => Ok(Freedom::Exponent),
        _ => Err(Error::Option {
            option: "--free",
            value: name.to_owned(),
            allowed: "must be mass or exponent".to_owned(),
            suggestion: nearest(name, ["mass", "exponent"]).map(str::to_owned),
        }),
    }
}

fn wall_targets(targets: &Targets, args: &Args) -> Result<[f64; 2], Error> {
    if let Some(text) = &args.centroid {
        return Err(Error::option("--centroid", text, "a rigid wall makes no sound: must not be given with --wall"));
    }
    match (targets.contact_time, targets.restitution) {
        (Some(time), Some(restitution)) => {
            quantity("--restitution", args.restitution.as_deref().unwrap_or(""), Allowed::Between(1e-9, 1.0), "")?;
            Ok([time, restitution])
        }
        (None, _) => Err(Error::option("--contact-time", "missing", "must be given with --wall, and --restitution")),
        (_, None) => Err(Error::option("--restitution", "missing", "must be given with --wall, and --contact-time")),
    }
}

/// What the library refused, told of the option that is most likely meant.
pub fn refused(error: &DesignError, args: &Args) -> Error {
    let (option, value) = match &args.contact_time {
        Some(text) => ("--contact-time", text),
        None => ("--mass", &args.mass),
    };
    Error::option(option, value, format!("the design could not be computed ({error})"))
}
