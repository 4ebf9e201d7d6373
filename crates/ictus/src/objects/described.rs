//! Descriptions from what people know: a material by name, a decay by its time.
//!
//! Each description takes σ0 and σ1, or decay times at two frequencies from which they follow when it is built (loss.rs).

use super::loss::DecayTimes;
use super::{
    BarPitch, BarSpec, Loss, Material, MembraneSpec, ObjectError, PlateSpec, StringMass, StringSpec, SurfaceDensity,
    T60At, checked,
};

/// σ0 in 1/s, σ1 in m²/s and the decay times of a loss.
fn parts(loss: Loss) -> Result<(f64, f64, Option<[T60At; 2]>), ObjectError> {
    match loss {
        Loss::None => Ok((0.0, 0.0, None)),
        Loss::Sigma { sigma0, sigma1 } => Ok((
            checked("sigma0", sigma0, "at least 0 1/s", |v| v >= 0.0)?,
            checked("sigma1", sigma1, "at least 0 m²/s", |v| v >= 0.0)?,
            None,
        )),
        Loss::T60 { first, second } => {
            DecayTimes::new([first, second])?;
            Ok((0.0, 0.0, Some([first, second])))
        }
    }
}

impl StringSpec {
    /// The same string of a material: its density and Young's modulus.
    #[must_use]
    pub fn of(self, material: &Material) -> Self {
        Self { mass: StringMass::Density(material.density), youngs_modulus: material.youngs_modulus, ..self }
    }

    /// The same string with another loss: σ0 and σ1 (1/s, m²/s), or decay times at two frequencies.
    ///
    /// # Errors
    /// When a number is out of range, or the higher frequency is to ring longer. Whether the times fit the body shows when it is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        let (sigma0, sigma1, t60) = parts(loss)?;
        Ok(Self { sigma0, sigma1, t60, ..self })
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
    /// When a number is out of range, or the higher frequency is to ring longer. Whether the times fit the body shows when it is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        let (sigma0, sigma1, t60) = parts(loss)?;
        Ok(Self { sigma0, sigma1, t60, ..self })
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
    /// When a number is out of range, or the higher frequency is to ring longer. Whether the times fit the body shows when it is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        let (sigma0, sigma1, t60) = parts(loss)?;
        Ok(Self { sigma0, sigma1, t60, ..self })
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
    /// When a number is out of range, or the higher frequency is to ring longer. Whether the times fit the body shows when it is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        let (sigma0, sigma1, t60) = parts(loss)?;
        Ok(Self { sigma0, sigma1, t60, ..self })
    }
}
