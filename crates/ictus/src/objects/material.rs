//! What things are made of: density, Young's modulus and Poisson's ratio, at room temperature.
//!
//! Common textbook values, rounded as textbooks round them (compare Fletcher and Rossing, *The Physics of Musical
//! Instruments*, for metals and woods, and the *Wood Handbook* of the US Forest Products Laboratory; woods along the grain,
//! polymers, gut and fibres in the middle of their published ranges). Real pieces differ: by some 10 % in metals, 30 % in wood.

/// A material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Name in scenes, in kebab-case.
    pub name: &'static str,
    /// Density ρ in kg/m³. Denser: lower pitch, longer sound.
    pub density: f64,
    /// Young's modulus E in Pa; along the grain or fibre where there is one. Stiffer: higher pitch, more inharmonic strings.
    pub youngs_modulus: f64,
    /// Poisson's ratio ν, how much it thins when stretched; matters to plates only.
    pub poissons_ratio: f64,
}

impl Material {
    /// Speed √(E/ρ) in m/s of long waves along a thin rod of it.
    #[must_use]
    pub fn rod_speed(&self) -> f64 {
        (self.youngs_modulus / self.density).sqrt()
    }
}

const fn row(name: &'static str, density: f64, gigapascals: f64, poissons_ratio: f64) -> Material {
    Material { name, density, youngs_modulus: gigapascals * 1e9, poissons_ratio }
}

/// All materials, by name.
pub const MATERIALS: &[Material] = &[
    row("acrylic", 1180.0, 3.2, 0.37),
    row("aluminium", 2700.0, 70.0, 0.34),
    row("bamboo", 700.0, 17.0, 0.30),
    row("brass", 8500.0, 104.0, 0.37),
    row("bronze", 8800.0, 105.0, 0.34),
    row("carbon-fibre", 1600.0, 140.0, 0.30),
    row("cast-iron", 7200.0, 110.0, 0.26),
    row("cedar", 370.0, 8.0, 0.38),
    row("copper", 8940.0, 120.0, 0.34),
    row("ebony", 1000.0, 17.0, 0.35),
    row("fluorocarbon", 1780.0, 2.8, 0.40),
    row("glass", 2500.0, 70.0, 0.22),
    row("granite", 2700.0, 55.0, 0.25),
    row("gut", 1300.0, 6.0, 0.40),
    row("maple", 630.0, 12.6, 0.43),
    row("mylar", 1390.0, 4.0, 0.38),
    row("nylon", 1140.0, 4.0, 0.39),
    row("porcelain", 2400.0, 70.0, 0.20),
    row("rosewood", 830.0, 13.0, 0.36),
    row("silk", 1300.0, 9.0, 0.35),
    row("spruce", 400.0, 11.0, 0.37),
    row("steel", 7850.0, 200.0, 0.29),
    row("titanium", 4500.0, 116.0, 0.32),
    row("tungsten", 19_300.0, 400.0, 0.28),
];

/// The material of this name.
#[must_use]
pub fn material(name: &str) -> Option<&'static Material> {
    MATERIALS.iter().find(|material| material.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_are_sorted_unique_and_physically_possible() {
        assert!(MATERIALS.windows(2).all(|pair| pair[0].name < pair[1].name));
        for material in MATERIALS {
            assert!((300.0..20_000.0).contains(&material.density), "{material:?}");
            assert!((1e9..1e12).contains(&material.youngs_modulus), "{material:?}");
            assert!((0.0..0.5).contains(&material.poissons_ratio), "{material:?}");
            assert!((1000.0..10_000.0).contains(&material.rod_speed()), "{material:?}");
        }
    }

    #[test]
    fn sound_runs_through_them_at_the_speeds_of_the_tables() {
        for (name, speed) in
            [("steel", 5050.0), ("aluminium", 5090.0), ("brass", 3500.0), ("spruce", 5240.0), ("glass", 5290.0)]
        {
            let error = material(name).unwrap().rod_speed() / speed - 1.0;
            assert!(error.abs() < 0.01, "{name}: {error}");
        }
        assert_eq!(material("unobtainium"), None);
    }
}
