//! Short contacts on extended bodies: how fast a hammer leaves, against the body's exact modes.
//!
//! A hammer strikes a body of the engine, by a Hunt-Crossley law so stiff that the contact lasts a few samples. The truth is the same hammer on
//! the same body given by its modes far beyond half the rate, integrated to ten digits ([`Strike::integrated`]); what is compared is the
//! hammer's velocity ten samples after the first touch, in parts of the velocity with which it came. Bodies are lossless here, rigid motions
//! included. The body is whatever the engine builds of its description, so the same measure holds for grids and for modes.
//!
//! On a body that gives way, stiffer is not always shorter. Where the hammer's mass over the length is more than the body's impedance (384 kg/s
//! for 2 mm of steel), it is not thrown back but pushes on; on the end of a bar it touches many times, and the first length jumps. So a length is told in two
//! ways: on the body, if there is such a contact near the stiffness of a wall, or on a wall.
//!
//! Rejected: the velocity of compression, in which the body's own ringing drowns the error; the velocity at the first release, since on the end of a bar the
//! truth touches ten times where the engine does once.

use std::f64::consts::PI;

use super::FailureKind;
use super::exact::WallImpact;
use super::strike::{Strike, StrikeError};
use crate::Model;
use crate::id::ObjectId;
use crate::laws::HuntCrossley;
use crate::model::{Interaction, ObjectSpec, Point};
use crate::objects::{
    BarPitch, BarSpec, Decay, Loss, MassSpec, Method, ModalSpec, ModeSpec, Outline, Place, PlateSpec, Section,
};

/// Sides of the plate in m.
const PLATE: [f64; 2] = [0.25, 0.2];

/// Velocity in m/s and exponent of the blows of [`Blow::standard`].
const VELOCITY: f64 = 1.0;
const EXPONENT: f64 = 1.5;

/// Samples of the truth in one of the engine.
const FINE: usize = 4;

/// Samples from the first touch to where the hammer's velocity is looked at.
const AFTER: f64 = 10.0;

/// Most strikes that are tried for a length of contact.
const TRIALS: usize = 16;
/// How near a length must come to the one asked for, in parts of it.
const NEAR: f64 = 1e-5;

/// How long a contact lasts, in samples of the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// Until the hammer first lets go of the body.
    OnBody(f64),
    /// So stiff that the same hammer would stay so long on a wall.
    OnWall(f64),
}

/// A hammer and what it strikes.
#[derive(Clone, Debug)]
pub struct Blow {
    /// What it is called in a table.
    pub name: &'static str,
    /// Mass in kg and velocity in m/s of the hammer, exponent and dissipation of the contact. Its stiffness follows from the length of the contact.
    pub hammer: WallImpact,
    /// What is struck, at rest and without losses.
    pub body: ObjectSpec,
    /// Where.
    pub at: Place,
    /// The exact modes of that body, with their weights at that place as the only point.
    pub exact: ModalSpec,
}

/// How one length of contact came out.
#[derive(Clone, Debug, PartialEq)]
pub struct ShortContact {
    /// Stiffness in N/m^α at which the contact lasts so long.
    pub stiffness: f64,
    /// The hammer's velocity in m/s after it.
    pub velocity: f64,
    /// Errors of the engine's velocity at each phase, in parts of the velocity before.
    pub errors: Vec<f64>,
}

impl ShortContact {
    /// Mean of the errors: what does not depend on the phase.
    pub fn mean(&self) -> f64 {
        self.errors.iter().sum::<f64>() / self.errors.len().max(1) as f64
    }

    /// Largest of the errors, without sign.
    pub fn largest(&self) -> f64 {
        self.errors.iter().fold(0.0, |largest, error| error.abs().max(largest))
    }
}

impl Blow {
    /// On grids: 30 g on the middle of a free bar of 250 g, without loss and with μ = 0.4 s/m; 10 g on the end of one of 50 g; 5 g on a supported steel plate of
    /// 2 mm. Modes below a frequency in Hz count as exact.
    ///
    /// # Errors
    /// There are too many modes.
    pub fn standard(highest: f64) -> Result<Vec<Self>, StrikeError> {
        let heavy = bar(0.35, 0.05, 0.25);
        let light = bar(0.2, 0.03, 0.05);
        let plate = PlateSpec {
            outline: Outline::Rectangle(PLATE),
            thickness: 2e-3,
            loss: Loss::None,
            method: Method::Modes,
            ..PlateSpec::default()
        };
        let at = (0.43, 0.37);
        Ok(vec![
            Self::new("bar, middle", 0.03, 0.0, heavy.clone(), Place::Along(0.5), free_bar(&heavy, 0.5, highest)?),
            Self::new(
                "bar, middle, μ = 0.4",
                0.03,
                0.4,
                heavy.clone(),
                Place::Along(0.5),
                free_bar(&heavy, 0.5, highest)?,
            ),
            Self::new("bar, end", 0.01, 0.0, light.clone(), Place::Along(0.0), free_bar(&light, 0.0, highest)?),
            Self::new("plate", 0.005, 0.0, plate.clone(), Place::On(at.0, at.1), supported_plate(&plate, at, highest)),
        ])
    }

    fn new(
        name: &'static str,
        mass: f64,
        dissipation: f64,
        body: impl Into<ObjectSpec>,
        at: Place,
        exact: ModalSpec,
    ) -> Self {
        let hammer = WallImpact { mass, stiffness: 1.0, exponent: EXPONENT, dissipation, velocity: VELOCITY };
        Self { name, hammer, body: body.into(), at, exact }
    }

    /// The blow whose contact is so long at a rate in Hz, by the engine at so many phases of its beginning; `None` if there is
    /// none on this body near the stiffness that a wall would need.
    ///
    /// # Errors
    /// A parameter is out of range, or the engine refuses the model.
    pub fn lasting(&self, length: Length, rate: f64, phases: usize) -> Result<Option<ShortContact>, StrikeError> {
        let (Length::OnBody(samples) | Length::OnWall(samples)) = length;
        let seconds = samples / rate;
        let order = self.hammer.exponent + 1.0;
        let on_wall = libm::pow(self.hammer.contact_time() / seconds, order) * self.hammer.stiffness;
        let stiffness = match length {
            Length::OnBody(_) => self.stiffness_lasting(seconds, on_wall, rate)?,
            Length::OnWall(_) => Some(on_wall),
        };
        let Some(stiffness) = stiffness else { return Ok(None) };
        let (_, velocity) = self.strike(stiffness, rate)?;
        let error = |phase: usize| {
            let left = self.by_engine(stiffness, rate, 2.0 + phase as f64 / phases as f64)?;
            Ok((left - velocity) / self.hammer.velocity)
        };
        let errors = (0..phases).map(error).collect::<Result<_, StrikeError>>()?;
        Ok(Some(ShortContact { stiffness, velocity, errors }))
    }

    /// The stiffness that makes the first contact last so many seconds: the root of ln τ(ln K) by secants, from that of a wall on. `None` where
    /// the contact does not shorten with it.
    fn stiffness_lasting(&self, seconds: f64, on_wall: f64, rate: f64) -> Result<Option<f64>, StrikeError> {
        let excess = |log: f64| Ok::<_, StrikeError>(libm::log(self.strike(libm::exp(log), rate)?.0 / seconds));
        let mut before = libm::log(0.5 * on_wall);
        let mut excess_before = excess(before)?;
        let mut now = libm::log(on_wall);
        for _ in 0..TRIALS {
            let excess_now = excess(now)?;
            if excess_now.abs() < NEAR {
                return Ok(Some(libm::exp(now)));
            }
            let slope = (excess_now - excess_before) / (now - before);
            let shortens = slope < -0.05;
            if !shortens {
                return Ok(None);
            }
            (before, excess_before) = (now, excess_now);
            now -= (excess_now / slope).clamp(-1.5, 1.5);
        }
        Ok(None)
    }

    /// The truth: length in s of the first contact, at most that of [`AFTER`] samples and six more, and the hammer's velocity in m/s after those.
    fn strike(&self, stiffness: f64, rate: f64) -> Result<(f64, f64), StrikeError> {
        let hammer = WallImpact { stiffness, ..self.hammer };
        let fine = FINE as f64 * rate;
        let samples = FINE * (AFTER as usize + 6);
        let struck = Strike { hammer, resonator: self.exact.clone(), rate: fine }.integrated(samples)?;
        let places: Vec<f64> = struck.displacement.iter().zip(&struck.compression).map(|(u, x)| u + x).collect();
        let lasted = struck.contact_time().unwrap_or(samples as f64 / fine);
        Ok((lasted, velocity_at(&places, AFTER * FINE as f64) * fine))
    }

    /// The hammer's velocity in m/s so long after the first touch, by the engine, having started so many samples before it.
    fn by_engine(&self, stiffness: f64, rate: f64, before: f64) -> Result<f64, StrikeError> {
        let WallImpact { mass, exponent, dissipation, velocity, .. } = self.hammer;
        let hammer = MassSpec { displacement: -before * velocity / rate, velocity, ..MassSpec::free(mass) };
        let law = HuntCrossley::new(stiffness, exponent, dissipation)?;
        let blow = Interaction::new("blow", Point::of("hammer"), Point::on("body", self.at), law);
        let model = Model::new(rate).with("hammer", hammer).with("body", self.body.clone()).join(blow);
        let mut engine = model.build().map_err(|error| StrikeError::Build(error.to_string()))?;
        let mut places = Vec::new();
        for _ in 0..(AFTER + before) as usize + 3 {
            places.push(engine.displacement(ObjectId::new(0), Place::Whole).unwrap_or(0.0));
            engine.advance(1);
        }
        Ok(velocity_at(&places, AFTER + before) * rate)
    }
}

/// Velocity in places per sample at a time in samples: that of the two moves around it, each at its middle.
fn velocity_at(places: &[f64], time: f64) -> f64 {
    let first = ((time - 0.5).max(0.0) as usize).min(places.len().saturating_sub(3));
    let part = time - 0.5 - first as f64;
    match places.get(first..first + 3) {
        Some([a, b, c]) => (1.0 - part) * (b - a) + part * (c - b),
        _ => 0.0,
    }
}

/// A lossless rosewood bar of a length, a width (m) and a mass in kg.
fn bar(length: f64, width: f64, mass: f64) -> BarSpec {
    let spec = BarSpec { length, loss: Loss::None, method: Method::Modes, ..BarSpec::default() };
    BarSpec { section: Section::Rectangular { width, thickness: mass / (spec.density * length * width) }, ..spec }
}

/// The modes of a free bar at a fraction of its length: two rigid motions, then those that bend.
fn free_bar(spec: &BarSpec, at: f64, highest: f64) -> Result<ModalSpec, StrikeError> {
    let (Section::Rectangular { width, thickness }, BarPitch::YoungsModulus(modulus)) = (spec.section, spec.pitch)
    else {
        return Err(FailureKind::NotFinite.into());
    };
    let mass = spec.density * spec.length * width * thickness;
    let stiffness = thickness * (modulus / (12.0 * spec.density)).sqrt();
    // βL of the first mode is 4.730, so far beyond that of mode p is near (p + ½)π.
    let first = 4.730_040_744_862_704 / spec.length;
    let fundamental = first * first * stiffness / (2.0 * PI);
    let count = (spec.length * (2.0 * PI * highest / stiffness).sqrt() / PI) as usize + 1;
    let mut exact = ModalSpec::free_bar(fundamental, mass, count, &[at], |_| Decay::None)?.below(highest);
    let rigid = |mass| ModeSpec { frequency: 0.0, decay: Decay::None, mass };
    exact.modes.extend([rigid(mass), rigid(mass / 3.0)]);
    exact.points[0].extend([1.0, 1.0 - 2.0 * at]);
    Ok(exact)
}

/// The modes of a simply supported plate at a place: sin(mπx) sin(nπy), each of a quarter of its mass.
fn supported_plate(spec: &PlateSpec, (x, y): (f64, f64), highest: f64) -> ModalSpec {
    let mass = 0.25 * spec.density * spec.thickness * PLATE[0] * PLATE[1];
    let frequency = |m: u32, n: u32| {
        let [x, y] = [f64::from(m) / PLATE[0], f64::from(n) / PLATE[1]];
        0.5 * PI * spec.stiffness_squared().sqrt() * (x * x + y * y)
    };
    let (mut modes, mut weights) = (Vec::new(), Vec::new());
    for m in (1..).take_while(|m| frequency(*m, 1) < highest) {
        for n in (1..).take_while(|n| frequency(m, *n) < highest) {
            modes.push(ModeSpec { frequency: frequency(m, n), decay: Decay::None, mass });
            weights.push(libm::sin(f64::from(m) * PI * x) * libm::sin(f64::from(n) * PI * y));
        }
    }
    ModalSpec { modes, points: vec![weights] }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f64 = 48_000.0;

    /// A hammer of 10 g on a free mass in kg.
    fn on_mass(mass: f64) -> Blow {
        let mode = ModeSpec { frequency: 0.0, decay: Decay::None, mass };
        let exact = ModalSpec { modes: vec![mode], points: vec![vec![1.0]] };
        Blow::new("mass", 0.01, 0.0, MassSpec::free(mass), Place::Whole, exact)
    }

    #[test]
    fn two_masses_part_as_newton_says() {
        let mass = 0.02;
        for length in [Length::OnBody(3.0), Length::OnWall(3.0)] {
            let parted = on_mass(mass).lasting(length, RATE, 4).unwrap().unwrap();
            let newton = (0.01 - mass) / (0.01 + mass);
            assert!((parted.velocity - newton).abs() < 1e-8, "{length:?}: {parted:?}");
            assert!(parted.largest() < 1e-8 && parted.mean().abs() <= parted.largest(), "{length:?}: {parted:?}");
        }
    }

    #[test]
    fn a_contact_lasts_as_long_on_a_body_that_cannot_give_as_on_a_wall() {
        let [on_body, on_wall] = [Length::OnBody(3.0), Length::OnWall(3.0)]
            .map(|length| on_mass(1e6).lasting(length, RATE, 1).unwrap().unwrap().stiffness);
        assert!((on_body / on_wall - 1.0).abs() < 1e-4, "{on_body} and {on_wall}");
        // Half the mass that is moved, the root of it in the time: K^(2/5) τ goes with m^(2/5).
        let light = on_mass(0.01).lasting(Length::OnBody(3.0), RATE, 1).unwrap().unwrap().stiffness;
        assert!((light / on_wall - 0.5).abs() < 1e-4, "{light} and {on_wall}");
    }

    /// m against the impedance 8√(DρH) of a large plate: v = v0 e^(-Zt/m), and the hammer is not thrown back.
    #[test]
    fn no_contact_with_a_thin_plate_is_shorter_than_the_plate_allows() {
        let blows = Blow::standard(2.0 * RATE).unwrap();
        let plate = blows.iter().find(|blow| blow.name == "plate").unwrap();
        assert_eq!(plate.lasting(Length::OnBody(1.0), RATE, 1).unwrap(), None);
        let slow = plate.lasting(Length::OnBody(6.0), RATE, 1).unwrap().unwrap();
        assert!((-0.7..-0.4).contains(&slow.velocity), "{slow:?}");
    }

    #[test]
    fn the_rigid_motions_of_a_bar_are_its_mass_in_the_middle_and_a_quarter_at_the_end() {
        let spec = bar(0.35, 0.05, 0.25);
        for (at, met) in [(0.5, 0.25), (0.0, 0.0625), (1.0, 0.0625)] {
            let exact = free_bar(&spec, at, RATE).unwrap();
            let rigid = exact.modes.iter().zip(&exact.points[0]).filter(|(mode, _)| mode.frequency == 0.0);
            let inverse: f64 = rigid.map(|(mode, weight)| weight * weight / mode.mass).sum();
            assert!((met * inverse - 1.0).abs() < 1e-12, "{at}: {inverse}");
        }
    }

    #[test]
    fn a_velocity_between_two_moves_is_interpolated() {
        let places: Vec<f64> = (0..8).map(|n| f64::from(n * n)).collect();
        for time in [0.5, 2.0, 3.75, 6.5] {
            assert!((velocity_at(&places, time) - 2.0 * time).abs() < 1e-12, "{time}");
        }
    }
}
