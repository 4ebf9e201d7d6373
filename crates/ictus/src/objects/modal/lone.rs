//! A modal object on its own, pressed by one elastic contact: what the benches time.

use fearless_simd::Level;

use super::{Modal, ModalSpec};
use crate::objects::mass::{Mass, MassSpec};
use crate::objects::{At, Body, ObjectError, Place, Support};

/// A mass on a spring of its own, held against point 0 of a modal object by a linear contact, heard at the last point.
#[derive(Clone, Debug)]
pub struct LoneModal {
    modal: Modal,
    hammer: Mass,
    contact: Support,
    pickup: Support,
    stiffness: f64,
    level: Level,
}

impl LoneModal {
    /// Stiffness of the contact in N/m, sample rate in Hz.
    ///
    /// # Errors
    /// What is wrong with the object, the mass or the sample rate.
    pub fn new(spec: &ModalSpec, hammer: &MassSpec, stiffness: f64, sample_rate: f64) -> Result<Self, ObjectError> {
        let modal = Modal::new(spec, sample_rate)?;
        let contact = modal.support(Place::Point(0))?;
        let pickup = modal.support(Place::Point(spec.points.len() - 1))?;
        Ok(Self { modal, hammer: Mass::new(hammer, sample_rate)?, contact, pickup, stiffness, level: Level::new() })
    }

    /// One sample: displacement of the pickup in m.
    pub fn sample(&mut self) -> f64 {
        self.modal.free_step(self.level);
        self.hammer.free_step(self.level);
        let gap = |at| self.hammer.read(&Support::Whole, at) - self.modal.read(&self.contact, at);
        let (before, free) = (gap(At::Previous), gap(At::Next));
        let admittance = self.modal.admittance(&self.contact, &self.contact)
            + self.hammer.admittance(&Support::Whole, &Support::Whole);
        // f = K (η⁺ + η⁻)/2 with η⁺ = free - Y f.
        let force = 0.5 * self.stiffness * (free + before) / (1.0 + 0.5 * self.stiffness * admittance);
        self.modal.push(&self.contact, force);
        self.hammer.push(&Support::Whole, -force);
        self.modal.advance();
        self.hammer.advance();
        self.modal.read(&self.pickup, At::Now)
    }

    /// Stored energy of the two in J.
    #[must_use]
    pub fn stored_energy(&self) -> f64 {
        self.modal.stored_energy() + self.hammer.stored_energy()
    }
}
