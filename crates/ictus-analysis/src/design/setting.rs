//! What a design may not change: hammer, exponent, velocity and resonator; and what is measured on a strike.

use ictus::impact::exact::WallImpact;
use ictus::impact::strike::{Strike, StrikeError, Struck};
use ictus::objects::ModalSpec;

use super::release::Release;
use super::{Design, DesignError, Work, check};
use crate::{ATTACK_SECONDS, Framing, Weighting, average_centroid};

/// Where the scale of the dissipation turns from even to logarithmic, as μ v_in.
const EVEN_DAMPING: f64 = 0.01;

/// A hammer and what it strikes; the contact's stiffness and dissipation are open.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Mass of the hammer in kg, 1e-6 to 1e3.
    pub mass: f64,
    /// Exponent α of the contact, 1 to 5.
    pub exponent: f64,
    /// Velocity of the hammer in m/s, 1e-3 to 1e3.
    pub velocity: f64,
    /// What is struck, at its first point. Its modes must lie below half the rate.
    pub resonator: ModalSpec,
    /// Sample rate in Hz at which the sound is analysed, 8e3 to 2e5.
    pub rate: f64,
    /// What has been computed for it and for settings made from it.
    pub work: Work,
}

/// What a strike is known by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// Time in s from the first touch to the first release.
    pub contact_time: f64,
    /// A04's average centroid c_av in Hz of the struck point's displacement.
    pub centroid: f64,
    /// How fast hammer and resonator part after the first contact, over how fast they met.
    pub restitution: f64,
    /// Contacts in the first 100 ms.
    pub contacts: usize,
}

impl Features {
    /// The features of a strike at this rate in Hz; `None` if the hammer has not come off in the time it lasts, or nothing moved.
    ///
    /// # Errors
    /// The sound cannot be analysed.
    pub fn of(struck: &Struck, rate: f64) -> Result<Option<Self>, DesignError> {
        Self::measured(struck, rate, 1)
    }

    /// The features of a strike known by its samples alone, at `factor` times the rate in Hz at which its sound is analysed. Where
    /// the first contact ends, and how fast the two part, is read off a polynomial through the samples around the release: the
    /// resonator swings within few samples, and a straight line between two of them may be off by several per cent.
    ///
    /// # Errors
    /// The sound cannot be analysed.
    pub fn of_sampled(struck: &Struck, rate: f64, factor: usize) -> Result<Option<Self>, DesignError> {
        let measured = Self::measured(struck, rate, factor)?;
        let release = Release::of(&struck.compression, rate * factor as f64);
        Ok(measured.zip(struck.contacts.first()).map(|(features, touch)| match release {
            Some(Release { time, velocity }) => {
                Self { contact_time: time - touch.start, restitution: -velocity / touch.v_in, ..features }
            }
            None => features,
        }))
    }

    fn measured(struck: &Struck, rate: f64, factor: usize) -> Result<Option<Self>, DesignError> {
        let Some((contact_time, restitution)) = struck.contact_time().zip(struck.restitution()) else {
            return Ok(None);
        };
        // The modes lie below half the rate: leaving samples out folds nothing.
        let sound: Vec<f64> = struck.displacement.iter().copied().step_by(factor.max(1)).collect();
        let centroid = average_centroid(&sound, rate, Framing::default(), Weighting::Amplitude)?;
        let contacts = struck.contacts.len();
        Ok(centroid.map(|centroid| Self { contact_time, centroid, restitution, contacts }))
    }
}

impl Setting {
    /// Samples of the first 100 ms.
    pub fn samples(&self) -> usize {
        (ATTACK_SECONDS * self.rate).round() as usize
    }

    /// The strike with this stiffness in N/m^α and dissipation in s/m.
    pub fn strike(&self, stiffness: f64, dissipation: f64) -> Strike {
        let Self { mass, exponent, velocity, .. } = *self;
        let hammer = WallImpact { mass, stiffness, exponent, dissipation, velocity };
        Strike { hammer, resonator: self.resonator.clone(), rate: self.rate }
    }

    /// What the strike, integrated, is known by; `None` too where it is too much for the integration.
    ///
    /// # Errors
    /// A parameter is out of range, or the sound cannot be analysed.
    pub fn features(&self, stiffness: f64, dissipation: f64) -> Result<Option<Features>, DesignError> {
        if !self.work.spend(self.samples()) {
            return Err(DesignError::TooLong);
        }
        match self.strike(stiffness, dissipation).integrated(self.samples()) {
            Ok(struck) => Features::of(&struck, self.rate),
            Err(StrikeError::Failure(_)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// The contact at a hardness and a coordinate of dissipation.
    pub(super) fn at(&self, hardness: f64, coordinate: f64) -> Result<Option<Design>, DesignError> {
        let dissipation = EVEN_DAMPING * coordinate.exp_m1().max(0.0) / self.velocity;
        let stiffness = super::wall::stiffness(&self.strike(1.0, dissipation).hammer, hardness.exp());
        let features = self.features(stiffness, dissipation)?;
        Ok(features.map(|features| Design { stiffness, dissipation, features }))
    }

    /// The logarithm of the time in s a contact would last on a rigid wall: it takes mass, velocity and exponent out.
    pub(super) fn hardness(&self, contact: &Design) -> f64 {
        self.strike(contact.stiffness, contact.dissipation).hammer.contact_time().ln()
    }

    /// A scale of dissipation that is even for small ones, logarithmic for large ones, and 0 for none.
    pub(super) fn coordinate(&self, dissipation: f64) -> f64 {
        (dissipation * self.velocity / EVEN_DAMPING).ln_1p()
    }

    /// Refuses what no strike can be computed for.
    pub(super) fn check(&self) -> Result<(), DesignError> {
        check("mass", "1e-6 to 1e3 kg", self.mass, (1e-6..=1e3).contains(&self.mass))?;
        check("exponent", "1 to 5", self.exponent, (1.0..=5.0).contains(&self.exponent))?;
        check("velocity", "1e-3 to 1e3 m/s", self.velocity, (1e-3..=1e3).contains(&self.velocity))?;
        check("rate", "8e3 to 2e5 Hz", self.rate, (8e3..=2e5).contains(&self.rate))?;
        for mode in &self.resonator.modes {
            let audible = mode.frequency > 0.0 && mode.frequency < 0.5 * self.rate;
            check("frequency of a mode", "above 0 Hz and below half the rate", mode.frequency, audible)?;
            check("modal mass", "1e-6 to 1e3 kg", mode.mass, (1e-6..=1e3).contains(&mode.mass))?;
        }
        Ok(())
    }
}
