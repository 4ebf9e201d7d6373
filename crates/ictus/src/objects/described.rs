//! Descriptions from what people know: a material by name, a decay by its time.
//!
//! Each description takes σ0 and σ1; [`Loss`] gives them from decay times at two frequencies, through the wave number that the
//! object has there.

use super::{
    BarPitch, BarSpec, Loss, Material, MembraneSpec, ObjectError, PlateSpec, StringMass, StringSpec, SurfaceDensity,
    wave_number_squared,
};

impl StringSpec {
    /// The same string of a material: its density and Young's modulus.
    #[must_use]
    pub fn of(self, material: &Material) -> Self {
        Self { mass: StringMass::Density(material.density), youngs_modulus: material.youngs_modulus, ..self }
    }

    /// The same string with another loss: σ0 and σ1 (1/s, m²/s), or decay times at two frequencies.
    ///
    /// # Errors
    /// When the description has no wave speed, or the times would need a negative loss.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        let (wave_speed, stiffness) = self.line()?.speeds();
        let (sigma0, sigma1) = loss.resolve(|omega| wave_number_squared(omega, wave_speed, stiffness))?;
        Ok(Self { sigma0, sigma1, ..self })
    }
}

impl BarSpec {
    /// The same bar of a material: its density and Young's modulus, and so its pitch.
    #[must_use]
    pub fn of(self, material: &Material) -> Self {
        Self { density: material.density, pitch: BarPitch::YoungsModulus(material.youngs_modulus), ..self }
    }

    /// The same bar with another loss: σ0 and σ1 (1/s, m²/s), or decay times at two frequencies.
    ///
    /// # Errors
    /// When the description is not one of a bar, or the times would need a negative loss.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        let (_, stiffness) = self.line()?.speeds();
        let (sigma0, sigma1) = loss.resolve(|omega| wave_number_squared(omega, 0.0, stiffness))?;
        Ok(Self { sigma0, sigma1, ..self })
    }
}

impl MembraneSpec {
    /// The same membrane of a material, of some thickness in m.
    #[must_use]
    pub fn of(self, material: &Material, thickness: f64) -> Self {
        Self { surface_density: SurfaceDensity::Material { thickness, density: material.density }, ..self }
    }

    /// The same membrane with another loss: σ0 and σ1 (1/s, m²/s), or decay times at two frequencies.
    ///
    /// # Errors
    /// When the times would need a negative loss.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        let wave_speed = self.wave_speed();
        let (sigma0, sigma1) = loss.resolve(|omega| wave_number_squared(omega, wave_speed, 0.0))?;
        Ok(Self { sigma0, sigma1, ..self })
    }
}

impl PlateSpec {
    /// The same plate of a material: its density, Young's modulus and Poisson's ratio.
    #[must_use]
    pub fn of(self, material: &Material) -> Self {
        let Material { density, youngs_modulus, poissons_ratio, .. } = *material;
        Self { density, youngs_modulus, poissons_ratio, ..self }
    }

    /// The same plate with another loss: σ0 and σ1 (1/s, m²/s), or decay times at two frequencies.
    ///
    /// # Errors
    /// When the times would need a negative loss.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        let stiffness = self.stiffness_squared().sqrt();
        let (sigma0, sigma1) = loss.resolve(|omega| wave_number_squared(omega, 0.0, stiffness))?;
        Ok(Self { sigma0, sigma1, ..self })
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::super::{Loss, T60At, material};
    use super::*;

    /// σ0 + σ1β² at both frequencies gives the times asked for.
    #[test]
    fn decay_times_come_back_from_the_losses() {
        let (low, high) = (T60At { frequency: 100.0, seconds: 8.0 }, T60At { frequency: 2000.0, seconds: 2.0 });
        let loss = Loss::T60 { first: low, second: high };
        let string = StringSpec::default().of(material("steel").unwrap()).with_loss(loss).unwrap();
        let (wave_speed, stiffness) = string.line().unwrap().speeds();
        for T60At { frequency, seconds } in [low, high] {
            let beta_squared = wave_number_squared(TAU * frequency, wave_speed, stiffness);
            let sigma = string.sigma0 + string.sigma1 * beta_squared;
            assert!((3.0 * 10f64.ln() / sigma / seconds - 1.0).abs() < 1e-9);
        }
        assert!(PlateSpec::default().of(material("spruce").unwrap()).with_loss(loss).is_ok());
        assert!(BarSpec::default().of(material("rosewood").unwrap()).with_loss(loss).is_ok());
        assert!(MembraneSpec::default().of(material("mylar").unwrap(), 2e-4).with_loss(loss).is_ok());
    }
}
