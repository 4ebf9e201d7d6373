//! Descriptions from what people know: a material by name, a decay by its time.

use super::{
    BarPitch, BarSpec, Loss, Material, MembraneSpec, ObjectError, PlateSpec, StringMass, StringSpec, SurfaceDensity,
};

impl StringSpec {
    /// The same string of a material: its density, Young's modulus and loss.
    #[must_use]
    pub fn of(self, material: &Material) -> Self {
        Self {
            mass: StringMass::Density(material.density),
            youngs_modulus: material.youngs_modulus,
            loss: Loss::Material(material.loss_factor),
            ..self
        }
    }

    /// The same string with another loss.
    ///
    /// # Errors
    /// When a number is out of range. Whether a grid can have such a loss shows when the body is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        loss.check().map(|()| Self { loss, ..self })
    }
}

impl BarSpec {
    /// The same bar of a material: its density, its moduli and so its pitch, and its loss.
    #[must_use]
    pub fn of(self, material: &Material) -> Self {
        Self {
            density: material.density,
            pitch: BarPitch::YoungsModulus(material.youngs_modulus),
            poissons_ratio: material.poissons_ratio,
            shear_modulus: material.grain.map(|grain| grain.shear_modulus),
            loss: Loss::Material(material.loss_factor),
            ..self
        }
    }

    /// The same bar with another loss.
    ///
    /// # Errors
    /// When a number is out of range. Whether a grid can have such a loss shows when the body is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        loss.check().map(|()| Self { loss, ..self })
    }
}

impl MembraneSpec {
    /// The same membrane of a material, of some thickness in m. Its loss stays: what a membrane loses is taken by the air.
    #[must_use]
    pub fn of(self, material: &Material, thickness: f64) -> Self {
        Self { surface_density: SurfaceDensity::Material { thickness, density: material.density }, ..self }
    }

    /// The same membrane with another loss.
    ///
    /// # Errors
    /// When a number is out of range. Whether a grid can have such a loss shows when the body is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        loss.check().map(|()| Self { loss, ..self })
    }
}

impl PlateSpec {
    /// The same plate of a material: its density, moduli, Poisson's ratio, grain and loss.
    #[must_use]
    pub fn of(self, material: &Material) -> Self {
        let Material { density, youngs_modulus, poissons_ratio, grain, loss_factor, .. } = *material;
        Self { density, youngs_modulus, poissons_ratio, grain, loss: Loss::Material(loss_factor), ..self }
    }

    /// The same plate with another loss.
    ///
    /// # Errors
    /// When a number is out of range. Whether a grid can have such a loss shows when the body is built.
    pub fn with_loss(self, loss: Loss) -> Result<Self, ObjectError> {
        loss.check().map(|()| Self { loss, ..self })
    }
}
