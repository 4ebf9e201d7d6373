//! What a hand feels of an object: how heavy it is, how high it sounds, how far it gives.

use std::f64::consts::TAU;

use ictus::laws::{HuntCrossley, Law, LawError};
use ictus::model::{Object, ObjectSpec};
use ictus::objects::Place;

use crate::objects::kind_of;

/// Mass, pitch and size of an object that can be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nature {
    /// Its kind in one word.
    pub kind: &'static str,
    /// What moves, in kg.
    pub mass: f64,
    /// Frequency of the lowest mode in Hz; 0 if it has none.
    pub pitch: f64,
    /// Its sides in m; 0 where it has none.
    pub sides: [f64; 2],
    /// Height in m that a hand can reasonably pull it to.
    pub reach: f64,
    /// Where hands wait until they are used.
    pub rest_place: Place,
}

impl Nature {
    /// The nature of an object; `None` for what cannot be played.
    pub fn of(object: &Object) -> Option<Self> {
        (kind_of(&object.spec)?.nature)(&object.spec)
    }

    /// What a hand feels of an object that moves this mass in kg, sounds at this frequency in Hz (0 if at none), gives so far in m and is
    /// waited for at this place.
    pub(crate) fn new(spec: &ObjectSpec, mass: f64, pitch: f64, reach: f64, rest_place: Place) -> Self {
        Self { kind: spec.kind(), mass, pitch, sides: spec.extent().sides(), reach, rest_place }
    }

    /// Mass in kg of a hammer that suits it.
    pub fn hammer_mass(&self) -> f64 {
        (0.25 * self.mass).clamp(1e-3, 0.03)
    }

    /// A felt on that hammer that touches for about 1.5 ms at 1 m/s.
    ///
    /// # Errors
    /// Never for masses of the range above.
    pub fn felt(&self) -> Result<Law, LawError> {
        let (exponent, depth) = (2.3, 5e-4_f64);
        let stiffness = 0.5 * (exponent + 1.0) * self.hammer_mass() / depth.powf(exponent + 1.0);
        HuntCrossley::new(stiffness, exponent, 0.1).map(Law::from)
    }

    /// Wave impedance in N s/m: of a string exactly 2 M f, of other things about that.
    pub fn impedance(&self) -> f64 {
        (2.0 * self.mass * if self.pitch > 0.0 { self.pitch } else { 50.0 }).clamp(1e-6, 1e6)
    }

    /// Stiffness in N/m of a grip that can hold it.
    pub fn grip_stiffness(&self) -> f64 {
        (self.mass * (TAU * 3.0 * self.pitch.clamp(50.0, 2000.0)).powi(2)).clamp(1.0, 1e9)
    }

    /// Resistance in N s/m of that grip.
    pub fn grip_damping(&self) -> f64 {
        0.2 * (self.mass * self.grip_stiffness()).sqrt()
    }

    /// Force in N of a bow that suits it: Z times 1 m/s sounds clear from 0.1 to 0.5 m/s, twice as much is rough, half is airy.
    pub fn bow_force(&self) -> f64 {
        self.impedance()
    }
}
