//! The strike as a model of the engine.

use super::{Strike, StrikeError, Struck};
use crate::Model;
use crate::model::{Interaction, Pickup, Point, Source};
use crate::objects::{MassSpec, Place};

impl Strike {
    /// The model: a hammer at the surface of the resonator, and pickups of the struck point, the hammer and the force.
    ///
    /// # Errors
    /// The contact law is out of range.
    pub fn model(&self) -> Result<Model, StrikeError> {
        let hammer = MassSpec { velocity: self.hammer.velocity, ..MassSpec::free(self.hammer.mass) };
        let struck = Point::on("resonator", Place::Point(0));
        let channel = |source, gains: [f64; 3]| Pickup { source, gains: gains.to_vec() };
        Ok(Model::new(self.rate)
            .with("hammer", hammer)
            .with("resonator", self.resonator.clone())
            .join(Interaction::new("strike", Point::of("hammer"), struck.clone(), self.law()?))
            .listen(channel(Source::Displacement(struck), [1.0, 0.0, 0.0]))
            .listen(channel(Source::Displacement(Point::of("hammer")), [0.0, 1.0, 0.0]))
            .listen(channel(Source::Force("strike".into()), [0.0, 0.0, 1.0])))
    }

    /// The strike by the engine, for `samples` samples after the first touch.
    ///
    /// # Errors
    /// A parameter is out of range, or the engine cannot be built.
    pub fn by_engine(&self, samples: usize) -> Result<Struck, StrikeError> {
        let mut engine = self.model()?.build().map_err(|error| StrikeError::Build(error.to_string()))?;
        let mut heard = vec![0.0; 3 * (samples + 1)];
        engine.process(&mut heard);
        let mut struck = Struck::default();
        for frame in heard.chunks_exact(3) {
            struck.displacement.push(frame[0]);
            struck.compression.push(frame[1] - frame[0]);
            struck.force.push(frame[2]);
        }
        struck.find_contacts(self.hammer.velocity, self.rate);
        Ok(struck)
    }
}
