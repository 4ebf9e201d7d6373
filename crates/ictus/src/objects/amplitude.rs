//! How far a string, membrane or plate may swing.

use super::modal::{Stretch, Whole};
use super::{ObjectError, checked};

/// Whether what it is made of is stretched when it swings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Amplitude {
    /// It swings so little that its pitch does not depend on how hard it is struck.
    #[default]
    Small,
    /// As far as it likes: it is stretched as a whole, and its pitch glides down as it dies. In modes only. Strings after Kirchhoff and Carrier, membranes
    /// and plates after Berger.
    Large,
    /// As far as it likes: every mode that bends stretches it in its own way, and so they drive each other. Struck hard, a plate crashes: its energy
    /// runs up to high frequencies. Plates in modes only: rectangles with supported edges and circles with a free one. After von Kármán.
    VonKarman {
        /// Modes of the stress in its plane, from 1 to 512 and no more than it has modes; 24 by default, or as many as it has modes. More is truer and dearer.
        airy_modes: Option<usize>,
    },
}

/// Airy modes where nobody says how many.
const USUAL_AIRY_MODES: usize = 24;
/// Most Airy modes.
const MOST_AIRY_MODES: usize = 512;

impl Amplitude {
    /// Its name in scenes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Large => "large",
            Self::VonKarman { .. } => "von-karman",
        }
    }

    /// How many Airy modes a plate of so many modes has, where so many products of two modes and one of them are allowed.
    pub(super) fn airy_modes(self, modes: usize, limit: usize) -> Result<usize, ObjectError> {
        let Self::VonKarman { airy_modes } = self else { return Ok(0) };
        if modes == 0 {
            return Err(ObjectError::Amplitude { amplitude: self, needs: "at least one mode: raise `highest`" });
        }
        let count = airy_modes.unwrap_or(USUAL_AIRY_MODES.min(modes));
        checked("number of Airy modes", count as f64, "from 1 to 512", |_| (1..=MOST_AIRY_MODES).contains(&count))?;
        if count > modes {
            return Err(ObjectError::TooManyAiryModes { airy_modes: count, modes });
        }
        let products = modes.saturating_mul(modes).saturating_mul(count);
        if products > limit {
            return Err(ObjectError::TooManyProducts { modes, airy_modes: count, products, limit });
        }
        Ok(count)
    }

    /// Refuses what is not small where something is missing.
    pub(super) fn takes(self, needs: &'static str) -> Result<(), ObjectError> {
        if self == Self::Small { Ok(()) } else { Err(ObjectError::Amplitude { amplitude: self, needs }) }
    }
}

impl std::fmt::Display for Amplitude {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What a body on a grid lacks.
pub(super) const MODES: &str = "the method `modes`: a grid is never stretched";

/// EH/(1-ν²) in N/m: what a sheet sets against being stretched in both directions alike.
pub(super) fn in_plane(youngs_modulus: f64, poissons_ratio: f64, thickness: f64) -> Result<f64, ObjectError> {
    checked("Young's modulus", youngs_modulus, "above 0 Pa", |v| v > 0.0)?;
    checked("Poisson's ratio", poissons_ratio, "above -1 and below 0.5", |v| v > -1.0 && v < 0.5)?;
    Ok(youngs_modulus * thickness / (1.0 - poissons_ratio * poissons_ratio))
}

/// h of every mode of a body that is stretched as a whole: from its stiffness over its length (J/m²) or area (J/m⁴), and `∫φ_x²` or `∫|∇φ|²` of every mode.
pub(super) fn stretched(stiffness: f64, slopes: impl Iterator<Item = f64>) -> Result<Stretch, ObjectError> {
    let allowed = "such that stretching it stores from 1e-30 to 1e30 J for a slope of 1";
    let root = checked("Young's modulus", stiffness, allowed, |v| (1e-30..=1e30).contains(&v))?.sqrt();
    Ok(Stretch::Whole(Whole::new(slopes.map(|slope| root * slope).collect())))
}
