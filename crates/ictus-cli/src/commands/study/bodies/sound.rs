//! Bodies built, struck and heard, as all measurements of the study need them.

use ictus::control::Change;
use ictus::id::{ForceId, ObjectId};
use ictus::laws::HuntCrossley;
use ictus::model::{Force, Interaction, ObjectSpec, Pickup, Point, Source};
use ictus::objects::{BodyMode, MassSpec, Place};
use ictus::{Engine, Model};
use ictus_analysis::Decimator;

use crate::error::Error;

/// Rate in Hz at which most is measured.
pub const RATE: f64 = 48_000.0;
/// The high rate in parts of that.
pub const TIMES: usize = 8;

/// The failure of a measurement.
pub fn failed(reason: impl ToString) -> Error {
    Error::Compute { item: "the study of bodies", reason: reason.to_string() }
}

/// A body by itself, built.
pub fn alone(spec: impl Into<ObjectSpec>, rate: f64) -> Result<Engine, Error> {
    Model::new(rate).with("body", spec).build().map_err(failed)
}

/// The modes that swing, lowest first.
pub fn modes(engine: &Engine) -> Vec<BodyMode> {
    engine.modes(ObjectId::new(0)).map(|modes| modes.filter(|mode| mode.frequency > 0.0).collect()).unwrap_or_default()
}

/// Velocity at a place of a body that is pushed for one sample at some places, each by a force in N.
pub fn pushed(
    spec: impl Into<ObjectSpec>,
    pushes: &[(Place, f64)],
    heard: Place,
    rate: f64,
    seconds: f64,
) -> Result<Vec<f64>, Error> {
    let mut model = Model::new(rate).with("body", spec).listen(velocity(heard));
    for (number, &(place, level)) in pushes.iter().enumerate() {
        let at = Point::on("body", place);
        model = model.drive(Force { name: number.to_string(), at, level, signal: Some(vec![1.0]) });
    }
    let mut engine = model.build().map_err(failed)?;
    for push in 0..pushes.len() {
        engine.change(&Change::Trigger { force: ForceId::new(push) }).map_err(failed)?;
    }
    let mut sound = vec![0.0; (seconds * rate) as usize];
    engine.process(&mut sound);
    Ok(sound)
}

/// A hammer on a body.
#[derive(Clone, Copy)]
pub struct Hammer {
    /// In kg.
    pub mass: f64,
    /// In m/s.
    pub velocity: f64,
    /// Stiffness in N/m^α and exponent α of its head.
    pub head: (f64, f64),
    pub at: Place,
    pub heard: Place,
}

impl Hammer {
    /// Velocity of the body at a rate in Hz that is `times` that of the answer.
    pub fn strike(
        &self,
        spec: impl Into<ObjectSpec>,
        rate: f64,
        times: usize,
        seconds: f64,
    ) -> Result<Vec<f64>, Error> {
        let law = HuntCrossley::new(self.head.0, self.head.1, 0.0).map_err(failed)?;
        let displacement = -1e-4 * self.velocity;
        let hammer = MassSpec { displacement, velocity: self.velocity, ..MassSpec::free(self.mass) };
        let blow = Interaction::new("blow", Point::of("hammer"), Point::on("body", self.at), law);
        let model = Model::new(rate * times as f64).with("body", spec).with("hammer", hammer).join(blow);
        let mut engine = model.listen(velocity(self.heard)).build().map_err(failed)?;
        let samples = (seconds * rate) as usize;
        let mut sound = vec![0.0; samples];
        if times == 1 {
            engine.process(&mut sound);
            return Ok(sound);
        }
        sound.clear();
        let mut decimator = Decimator::new(times, 1).map_err(failed)?;
        while sound.len() < samples {
            decimator.pull(|block| engine.process(block), &mut sound).map_err(failed)?;
        }
        sound.truncate(samples);
        Ok(sound)
    }
}

fn velocity(at: Place) -> Pickup {
    Pickup { source: Source::Velocity(Point::on("body", at)), gains: vec![1.0] }
}
