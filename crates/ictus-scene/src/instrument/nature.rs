//! What a hand feels of an object: how heavy it is, how high it sounds, how far it gives.

use std::f64::consts::{PI, TAU};

use ictus::laws::{HuntCrossley, Law, LawError};
use ictus::model::{Object, ObjectSpec};
use ictus::objects::{BarPitch, BarSpec, End, Place, PlateSpec, Section, StringMass, StringPitch, StringSpec};

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
    /// The nature of an object; `None` for a barrier.
    pub fn of(object: &Object) -> Option<Self> {
        let nature = |kind, mass, pitch, sides, reach, rest_place| Self { kind, mass, pitch, sides, reach, rest_place };
        Some(match &object.spec {
            ObjectSpec::String(string) => {
                let along = Place::Along(0.12);
                nature(
                    "string",
                    string_mass(string),
                    string_pitch(string),
                    [string.length, 0.0],
                    string.length / 150.0,
                    along,
                )
            }
            ObjectSpec::Bar(bar) => {
                nature("bar", bar_mass(bar), bar_pitch(bar), [bar.length, 0.0], bar.length / 300.0, Place::Along(0.4))
            }
            ObjectSpec::Membrane(membrane) => {
                let [x, y] = membrane.outline.extent();
                let mass = membrane.mass_per_area() * membrane.outline.area();
                nature("membrane", mass, membrane.fundamental(), [x, y], x.min(y) / 60.0, Place::On(0.4, 0.4))
            }
            ObjectSpec::Plate(plate) => {
                let [x, y] = plate.outline.extent();
                let mass = plate.density * plate.thickness * plate.outline.area();
                nature("plate", mass, plate_pitch(plate), [x, y], x.min(y) / 150.0, Place::On(0.4, 0.4))
            }
            ObjectSpec::Modal(modal) => {
                let first = modal.modes.first()?;
                nature("modal", first.mass, first.frequency, [0.0; 2], 1e-3, Place::Point(0))
            }
            ObjectSpec::Mass(mass) => nature("mass", mass.mass, mass.frequency, [0.0; 2], 5e-3, Place::Whole),
            _ => return None,
        })
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

fn string_mass(string: &StringSpec) -> f64 {
    string.length
        * match string.mass {
            StringMass::Density(density) => density * PI * string.radius * string.radius,
            StringMass::PerLength(linear_density) => linear_density,
            _ => 1e-3,
        }
}

fn string_pitch(string: &StringSpec) -> f64 {
    match string.pitch {
        StringPitch::Fundamental(frequency) => frequency,
        StringPitch::Tension(tension) => (tension * string.length / string_mass(string)).sqrt() / (2.0 * string.length),
        _ => 0.0,
    }
}

fn bar_mass(bar: &BarSpec) -> f64 {
    let area = match bar.section {
        Section::Rectangular { width, thickness } => width * thickness,
        Section::Round { radius } => PI * radius * radius,
        _ => 1e-4,
    };
    area * bar.density * bar.length
}

fn bar_pitch(bar: &BarSpec) -> f64 {
    match bar.pitch {
        BarPitch::Fundamental(frequency) => frequency,
        BarPitch::YoungsModulus(modulus) => {
            // Radius of gyration, and (βL)² of the lowest mode that bends.
            let gyration = match bar.section {
                Section::Rectangular { thickness, .. } => thickness / 12.0_f64.sqrt(),
                Section::Round { radius } => radius / 2.0,
                _ => 0.0,
            };
            let root = match bar.ends {
                [End::SimplySupported, End::SimplySupported] => PI * PI,
                [End::Clamped, End::Free] | [End::Free, End::Clamped] => 3.516,
                [End::Clamped, End::SimplySupported] | [End::SimplySupported, End::Clamped] => 15.418,
                _ => 22.373,
            };
            root * gyration * (modulus / bar.density).sqrt() / (TAU * bar.length * bar.length)
        }
        _ => 0.0,
    }
}

fn plate_pitch(plate: &PlateSpec) -> f64 {
    let [x, y] = plate.outline.extent();
    // Half waves along the sides: exact on supports, and of the right size with other edges.
    0.5 * PI * plate.stiffness_squared().sqrt() * (1.0 / (x * x) + 1.0 / (y * y))
}
