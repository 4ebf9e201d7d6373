//! A mass, free or on a spring to the ground: `m utt = -m ω² u - 2mσ ut + f`.
//!
//! Exact poles and energy from [`super::poles`] (PHYSICS section 5); stable at any rate, for any frequency below Nyquist.

use fearless_simd::Simd;

use super::poles::{Oscillator, Poles};
use super::{
    Accelerance, AnyBody, At, Body, Decay, Description, Extent, ObjectError, Place, SMOOTHEST, Site, Support, quiet,
};
use crate::limits;

/// A free mass or a mass on a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MassSpec {
    /// Mass in kg, from 1e-9 to 1e9. Heavier: longer contact, duller sound.
    pub mass: f64,
    /// Displacement at the start in m, at most 10 either way.
    pub displacement: f64,
    /// Velocity at the start in m/s, at most 1e4 either way.
    pub velocity: f64,
    /// Frequency of the spring to the ground in Hz, undamped, below half the sample rate; 0 for a free mass.
    pub frequency: f64,
    /// How the vibration dies; for a free mass, how its velocity does (at twice the rate).
    pub decay: Decay,
}

impl MassSpec {
    /// A free mass at rest at 0. Mass in kg.
    #[must_use]
    pub fn free(mass: f64) -> Self {
        Self { mass, displacement: 0.0, velocity: 0.0, frequency: 0.0, decay: Decay::None }
    }

    /// A mass on a spring, at rest at 0. Mass in kg, frequency in Hz.
    #[must_use]
    pub fn oscillator(mass: f64, frequency: f64, decay: Decay) -> Self {
        Self { frequency, decay, ..Self::free(mass) }
    }
}

/// A [`MassSpec`] built for one sample rate.
///
/// The order keeps what moves apart from each other and from what it is multiplied with: written singly and read back in pairs,
/// it would stall the processor for longer than the step takes.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct Mass {
    displacement: f64,
    start: (f64, f64),
    poles: Poles,
    oscillator: Oscillator,
    smooth: bool,
    last_move: f64,
    next_move: f64,
    /// Displacement before the last move.
    before: f64,
}

impl Mass {
    /// Sample rate in Hz.
    pub fn new(spec: &MassSpec, sample_rate: f64) -> Result<Self, ObjectError> {
        let sigma = spec.decay.sigma(spec.frequency)?;
        let oscillator = Oscillator::new(spec.mass, spec.frequency, sigma, sample_rate)?;
        limits::position("displacement", spec.displacement)?;
        limits::velocity("velocity", spec.velocity)?;
        let start = (spec.displacement, oscillator.first_move(spec.displacement, spec.velocity));
        let poles = oscillator.poles();
        let (displacement, last_move) = start;
        let before = displacement - last_move;
        let smooth = spec.frequency <= SMOOTHEST * sample_rate;
        Ok(Self { smooth, poles, oscillator, start, displacement, last_move, next_move: 0.0, before })
    }

    /// Whether it moves smoothly from sample to sample.
    pub fn is_smooth(&self) -> bool {
        self.smooth
    }

    /// Whether nothing holds or slows it.
    pub fn is_free(&self) -> bool {
        self.poles.restoring == 0.0 && self.poles.persistence == 1.0
    }

    /// How far it moved in the last step, in m.
    pub fn last_move(&self) -> f64 {
        self.last_move
    }

    /// Moves on by so many samples at once: a free mass that nothing touches.
    pub fn coast(&mut self, samples: u64) {
        let way = samples as f64 * self.last_move;
        self.displacement += way;
        self.before += way;
    }

    /// Puts the mass at a displacement in m with a velocity in m/s, between samples. The energy this adds is whoever calls it's
    /// to count.
    pub fn launch(&mut self, displacement: f64, velocity: f64) {
        self.displacement = displacement;
        self.last_move = self.oscillator.first_move(displacement, velocity);
        self.before = self.displacement - self.last_move;
    }
}

impl Body for Mass {
    #[inline(always)]
    fn free_step<S: Simd>(&mut self, _simd: S) {
        self.next_move = self.poles.free_move(self.before, self.last_move);
    }

    #[inline]
    fn read(&self, _support: &Support, at: At) -> f64 {
        match at {
            At::Previous => self.before,
            At::Now => self.displacement,
            At::Next => self.displacement + self.next_move,
        }
    }

    #[inline]
    fn push(&mut self, _support: &Support, force: f64) {
        self.next_move += self.poles.response * force;
    }

    #[inline]
    fn admittance(&self, _here: &Support, _there: &Support) -> f64 {
        self.poles.response
    }

    fn accelerance(&self, _support: &Support) -> Option<Accelerance> {
        let mut accelerance = Accelerance::default();
        accelerance.add_mode(self.poles.response, &self.poles);
        Some(accelerance)
    }

    fn reach(&self, _support: &Support, energy: f64, _samples: u64) -> f64 {
        self.excursion(&Support::Whole, energy)[0]
    }

    fn excursion(&self, _support: &Support, energy: f64) -> [f64; 2] {
        self.poles.largest(energy).map(|largest| self.poles.response.sqrt() * largest)
    }

    fn ringing(&self, support: &Support) -> [f64; 2] {
        match self.last_move {
            0.0 if self.is_free() => [0.0; 2],
            // It goes on for ever.
            last_move if self.is_free() => [f64::INFINITY, last_move.abs()],
            _ => self.excursion(support, self.stored_energy()),
        }
    }

    #[inline]
    fn dissipated_in_step(&self) -> f64 {
        self.poles.dissipated(self.last_move + self.next_move)
    }

    #[inline]
    fn advance(&mut self) {
        self.before = self.displacement;
        self.displacement += self.next_move;
        self.last_move = self.next_move;
    }

    #[inline]
    fn stored_energy(&self) -> f64 {
        self.poles.stored(self.displacement, self.last_move)
    }

    fn support(&self, place: Place) -> Result<Support, ObjectError> {
        match place {
            Place::Whole | Place::Everywhere => Ok(Support::Whole),
            _ => Err(ObjectError::NoSuchPlace { place, kind: "mass", allowed: "it is touched as a whole" }),
        }
    }

    fn reset(&mut self) {
        (self.displacement, self.last_move) = self.start;
        self.before = self.displacement - self.last_move;
        self.next_move = 0.0;
    }

    fn kind(&self) -> &'static str {
        "mass"
    }

    fn shape(&self, out: &mut [f64]) {
        if let Some(out) = out.first_mut() {
            *out = self.read(&Support::Whole, At::Now);
        }
    }

    fn quieten(&mut self) {
        self.displacement = quiet(self.displacement);
        self.last_move = quiet(self.last_move);
        self.before = quiet(self.before);
    }
}
impl Description for MassSpec {
    const KIND: &'static str = "mass";

    fn build(&self, site: &Site) -> Result<AnyBody, ObjectError> {
        Ok(Mass::new(self, site.rate)?.into())
    }

    fn mass(&self) -> Option<f64> {
        Some(self.mass)
    }

    fn is_held(&self) -> bool {
        self.frequency > 0.0
    }

    fn extent(&self) -> Extent {
        Extent::Whole
    }
}
