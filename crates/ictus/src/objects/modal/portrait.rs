//! What an object in its modes is, for whoever wants to look: each mode by its number, and all shapes at a place.

use super::{Modal, ObjectError, Place};

/// One mode of an object that is computed in its modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyMode {
    /// Frequency in Hz without loss, as it is bent now; 0 for moving or turning as a whole. With its loss it sounds at `√(f² - (σ/2π)²)`.
    pub frequency: f64,
    /// Decay rate σ in 1/s, as it is now: T60 = 3 ln 10/σ.
    pub decay_rate: f64,
    /// Modal mass `∫ρ φ²` in kg, on the scale of the shape.
    pub mass: f64,
}

impl Modal {
    /// All modes, frequencies of bodies ascending.
    pub(crate) fn modes(&self) -> impl ExactSizeIterator<Item = BodyMode> + '_ {
        self.sources.iter().enumerate().map(|(mode, source)| BodyMode {
            frequency: self.frequency(mode),
            decay_rate: self.decay * source.sigma,
            mass: source.mass / source.ballast,
        })
    }

    /// φ of as many modes as `shapes` holds at a place.
    pub(crate) fn shapes_at(&self, place: Place, shapes: &mut [f64]) -> Result<(), ObjectError> {
        self.places.check(self.kind, place)?;
        let held = shapes.len().min(self.sources.len());
        self.places.weigh(place, &mut shapes[..held]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::{PI, TAU};

    use crate::Model;
    use crate::control::Change;
    use crate::id::ObjectId;
    use crate::objects::{Loss, Method, Place, StringMass, StringPitch, StringSpec};

    /// 2 g of limp string.
    fn string(method: Method) -> StringSpec {
        StringSpec {
            length: 0.5,
            pitch: StringPitch::Fundamental(100.0),
            mass: StringMass::PerLength(4e-3),
            youngs_modulus: 0.0,
            loss: Loss::t60(2.0),
            highest: Some(1050.0),
            method,
            bend: 2.0,
            ..StringSpec::default()
        }
    }

    #[test]
    fn a_limp_strings_modes_are_sines_of_half_its_mass() {
        let mut engine = Model::new(48e3).with("string", string(Method::Modes)).build().unwrap();
        let modes: Vec<_> = engine.modes(ObjectId::new(0)).unwrap().collect();
        assert_eq!(modes.len(), 10);
        let sigma = 3.0 * 10f64.ln() / 2.0;
        // It sounds at 100 Hz.
        let lowest = 100f64.hypot(sigma / TAU);
        let mut shapes = [0.0; 10];
        engine.mode_shapes_at(ObjectId::new(0), Place::Along(0.23), &mut shapes).unwrap();
        for (index, (mode, shape)) in modes.iter().zip(shapes).enumerate() {
            let number = (index + 1) as f64;
            assert!((mode.frequency / (lowest * number) - 1.0).abs() < 1e-6, "{mode:?}");
            assert!((mode.decay_rate / sigma - 1.0).abs() < 1e-12, "{mode:?}");
            assert!((shape * shape / mode.mass - (number * PI * 0.23).sin().powi(2) / 1e-3).abs() < 1e-6, "{mode:?}");
        }
        engine.change(&Change::Bend { object: ObjectId::new(0), ratio: 2.0 }).unwrap();
        assert!(
            (engine.modes(ObjectId::new(0)).unwrap().next().unwrap().frequency / 200.0 - 1.0).abs() < 1e-4,
            "as it is bent"
        );
    }

    #[test]
    fn what_has_no_modes_and_places_that_are_not_there_give_none() {
        let engine = Model::new(48e3)
            .with("grid", StringSpec { highest: None, ..string(Method::Grid) })
            .with("modes", string(Method::Modes))
            .build()
            .unwrap();
        assert!(
            engine.modes(ObjectId::new(0)).is_none()
                && engine.modes(ObjectId::new(2)).is_none()
                && engine.modes(ObjectId::new(1)).is_some()
        );
        let mut shapes = [7.0; 64];
        assert_eq!(engine.mode_shapes_at(ObjectId::new(0), Place::Along(0.5), &mut shapes), None);
        assert_eq!(engine.mode_shapes_at(ObjectId::new(1), Place::On(0.5, 0.5), &mut shapes), None);
        assert_eq!(engine.mode_shapes_at(ObjectId::new(1), Place::Along(f64::NAN), &mut shapes), None);
        engine.mode_shapes_at(ObjectId::new(1), Place::Along(0.5), &mut shapes).unwrap();
        assert_eq!(shapes[10..], [7.0; 54], "beyond the last mode nothing is written");
    }
}
