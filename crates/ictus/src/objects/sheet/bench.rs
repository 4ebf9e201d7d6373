//! Lets the benches outside this crate step a sheet, which is private to it.

use fearless_simd::Level;

use super::super::plate::{self, PlateSpec};
use super::super::{Body, ObjectError};
use super::Sheet;

/// A plate that rings by itself.
#[derive(Debug)]
pub struct RingingPlate(Sheet);

impl RingingPlate {
    /// Builds the plate and sets it in motion.
    pub fn new(spec: &PlateSpec, rate: f64) -> Result<Self, ObjectError> {
        let mut sheet = plate::build(spec, rate, usize::MAX)?;
        sheet.displace(|x, y| 1e-3 * (3.0 * x * (1.0 - x) + y * y * (1.0 - y)));
        Ok(Self(sheet))
    }

    /// One sample: the free step and the change of samples.
    #[inline]
    pub fn step(&mut self, level: Level) {
        self.0.free_step(level);
        self.0.advance();
    }

    /// What the energy account costs on top: the stored energy and the loss of one step, in J.
    pub fn account(&self) -> [f64; 2] {
        [self.0.stored_energy(), self.0.dissipated_in_step()]
    }
}
