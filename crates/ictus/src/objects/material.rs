//! What things are made of: density, Young's modulus, Poisson's ratio and loss factor, at room temperature.
//!
//! Common textbook values, rounded as textbooks round them (compare Fletcher and Rossing, *The Physics of Musical
//! Instruments*, for metals and woods, and the *Wood Handbook* of the US Forest Products Laboratory; woods along the grain,
//! polymers, gut and fibres in the middle of their published ranges). Real pieces differ: by some 10 % in metals, 30 % in wood.
//!
//! The grain: ratios across to along, radial, and of shear from the *Wood Handbook* (Sitka spruce, western red cedar, sugar maple); rosewood and
//! ebony as other dense hardwoods; bamboo and unidirectional carbon fibre in the middle of what is published.
//!
//! The other hardwoods and Douglas fir (`fir`) have the densities, moduli and ratios of the *Wood Handbook* at 12 % moisture (white ash, yellow birch, black cherry,
//! Honduras mahogany, white oak, black walnut); European beech those of Hearmon (*Elasticity of Wood and Plywood*, 1948). `ceramic` is fired stoneware, `skin` a dried
//! calfskin for drums, `bell-metal` bronze with 22 % tin, `plywood` the mean of its two directions, ice that of a lake at -10 °C (compare Hobbs, *Ice Physics*).
//!
//! Loss factors differ far more, by a factor of two or three between pieces of one material. Those of metals are for bending in
//! Cremer and Heckl, *Structure-Borne Sound* (aluminium 1e-4, iron 2 to 6e-4, brass below 1e-3, copper and tin 2e-3, gold and
//! zinc 3e-4, silver 4e-4, lead 2e-2); so are those of concrete (4 to 8e-3), brick (0.01) and plywood (0.013). Woods lose 0.006 to 0.01 per radian along
//! the grain from 100 Hz to 1 kHz, and two to three times that at 10 kHz (compare Haines, *Catgut Acoustical Society Newsletter* 31, 1979; Ono and Norimoto,
//! 1983; Wegst, *American Journal of Botany* 93, 2006); rosewood less, as Hill measured on a marimba (0.0045, hardly depending on frequency). Nylon: 0.02 to
//! 0.024 in Woodhouse's strings (*Acta Acustica united with Acustica* 90, 2004). The others are estimates of the usual size (compare Ashby's charts of
//! loss coefficients), gut, silk and fluorocarbon the least certain. They are the loss of the material alone: air, supports and joints come on top.

use super::{Grain, LossFactor};

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
    /// Its grain, if it is wood or laid in fibres: how stiff it is across, and how easily it shears. `None` for what is alike in all directions.
    pub grain: Option<Grain>,
    /// Loss factor η in bending; along the grain or fibre where there is one. Larger: shorter and duller sound.
    pub loss_factor: LossFactor,
}

impl Material {
    /// Speed √(E/ρ) in m/s of long waves along a thin rod of it.
    #[must_use]
    pub fn rod_speed(&self) -> f64 {
        (self.youngs_modulus / self.density).sqrt()
    }
}

const fn row(
    name: &'static str,
    density: f64,
    gigapascals: f64,
    poissons_ratio: f64,
    [at_1_khz, exponent]: [f64; 2],
) -> Material {
    let loss_factor = LossFactor { at_1_khz, exponent };
    Material { name, density, youngs_modulus: gigapascals * 1e9, poissons_ratio, grain: None, loss_factor }
}

impl Material {
    /// The same with a grain: Young's modulus across it and shear modulus, as parts of Young's modulus along it.
    const fn grained(self, across: f64, shear: f64) -> Self {
        let youngs_modulus_across = across * self.youngs_modulus;
        Self { grain: Some(Grain { youngs_modulus_across, shear_modulus: shear * self.youngs_modulus }), ..self }
    }
}

/// All materials, by name: kg/m³, GPa, ν, and the loss factor at 1 kHz with its exponent.
pub const MATERIALS: &[Material] = &[
    row("acrylic", 1180.0, 3.2, 0.37, [0.04, 0.0]),
    row("aluminium", 2700.0, 70.0, 0.34, [1e-4, 0.0]),
    row("ash", 600.0, 12.0, 0.37, [0.01, 0.2]).grained(0.125, 0.109),
    row("bamboo", 700.0, 17.0, 0.30, [0.009, 0.2]).grained(0.1, 0.06),
    row("beech", 720.0, 13.7, 0.45, [0.01, 0.2]).grained(0.163, 0.118),
    row("bell-metal", 8600.0, 98.0, 0.35, [3e-4, 0.0]),
    row("birch", 620.0, 13.9, 0.43, [0.01, 0.2]).grained(0.078, 0.074),
    row("bone", 1900.0, 18.0, 0.30, [0.02, 0.0]),
    row("brass", 8500.0, 104.0, 0.37, [8e-4, 0.0]),
    row("brick", 1800.0, 16.0, 0.20, [0.01, 0.0]),
    row("bronze", 8800.0, 105.0, 0.34, [5e-4, 0.0]),
    row("carbon-fibre", 1600.0, 140.0, 0.30, [0.002, 0.0]).grained(0.07, 0.035),
    row("cast-iron", 7200.0, 110.0, 0.26, [0.005, 0.0]),
    row("cedar", 370.0, 8.0, 0.38, [0.008, 0.25]).grained(0.081, 0.087),
    row("ceramic", 2200.0, 45.0, 0.20, [0.004, 0.0]),
    row("cherry", 500.0, 10.3, 0.39, [0.01, 0.2]).grained(0.197, 0.147),
    row("concrete", 2300.0, 28.0, 0.20, [0.006, 0.0]),
    row("copper", 8940.0, 120.0, 0.34, [0.002, 0.0]),
    row("ebony", 1000.0, 17.0, 0.35, [0.009, 0.15]).grained(0.15, 0.1),
    row("fir", 480.0, 13.4, 0.29, [0.009, 0.25]).grained(0.068, 0.064),
    row("fluorocarbon", 1780.0, 2.8, 0.40, [0.04, 0.0]),
    row("glass", 2500.0, 70.0, 0.22, [0.001, 0.0]),
    row("gold", 19_300.0, 78.0, 0.44, [3e-4, 0.0]),
    row("granite", 2700.0, 55.0, 0.25, [0.005, 0.0]),
    row("gut", 1300.0, 6.0, 0.40, [0.03, 0.0]),
    row("ice", 917.0, 9.3, 0.33, [0.02, 0.0]),
    row("lead", 11_340.0, 16.0, 0.44, [0.02, 0.0]),
    row("mahogany", 500.0, 10.3, 0.31, [0.009, 0.2]).grained(0.107, 0.066),
    row("maple", 630.0, 12.6, 0.43, [0.01, 0.2]).grained(0.132, 0.111),
    row("marble", 2700.0, 60.0, 0.25, [0.003, 0.0]),
    row("mylar", 1390.0, 4.0, 0.38, [0.015, 0.0]),
    row("nylon", 1140.0, 4.0, 0.39, [0.022, 0.0]),
    row("oak", 680.0, 12.3, 0.37, [0.01, 0.2]).grained(0.163, 0.086),
    row("plywood", 600.0, 6.0, 0.30, [0.013, 0.1]),
    row("polycarbonate", 1200.0, 2.4, 0.37, [0.015, 0.0]),
    row("porcelain", 2400.0, 70.0, 0.20, [0.0015, 0.0]),
    row("pvc", 1400.0, 3.0, 0.38, [0.03, 0.0]),
    row("rosewood", 830.0, 13.0, 0.36, [0.0045, 0.1]).grained(0.14, 0.1),
    row("silk", 1300.0, 9.0, 0.35, [0.03, 0.0]),
    row("silver", 10_490.0, 83.0, 0.37, [4e-4, 0.0]),
    row("skin", 1150.0, 3.0, 0.40, [0.04, 0.0]),
    row("slate", 2750.0, 80.0, 0.22, [0.003, 0.0]),
    row("spruce", 400.0, 11.0, 0.37, [0.01, 0.25]).grained(0.078, 0.064),
    row("steel", 7850.0, 200.0, 0.29, [2e-4, 0.0]),
    row("tin", 7290.0, 50.0, 0.36, [0.002, 0.0]),
    row("titanium", 4500.0, 116.0, 0.32, [5e-4, 0.0]),
    row("tungsten", 19_300.0, 400.0, 0.28, [3e-4, 0.0]),
    row("walnut", 550.0, 11.6, 0.45, [0.009, 0.2]).grained(0.106, 0.085),
    row("zinc", 7140.0, 108.0, 0.25, [3e-4, 0.0]),
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
            material.loss_factor.check().unwrap();
        }
    }

    /// Orders of magnitude; compare Ashby's chart of loss coefficients.
    #[test]
    fn metals_lose_least_then_glass_and_stone_then_wood_then_polymers() {
        let classes: [(&[&str], f64, f64); 4] = [
            (
                &[
                    "aluminium",
                    "bell-metal",
                    "brass",
                    "bronze",
                    "copper",
                    "gold",
                    "silver",
                    "steel",
                    "tin",
                    "titanium",
                    "tungsten",
                    "zinc",
                ],
                5e-5,
                2e-3,
            ),
            (
                &[
                    "carbon-fibre",
                    "cast-iron",
                    "ceramic",
                    "concrete",
                    "glass",
                    "granite",
                    "marble",
                    "porcelain",
                    "slate",
                ],
                8e-4,
                6e-3,
            ),
            (
                &[
                    "ash", "bamboo", "beech", "birch", "brick", "cedar", "cherry", "ebony", "fir", "mahogany", "maple",
                    "oak", "plywood", "rosewood", "spruce", "walnut",
                ],
                3e-3,
                0.03,
            ),
            (
                &[
                    "acrylic",
                    "bone",
                    "fluorocarbon",
                    "gut",
                    "ice",
                    "lead",
                    "mylar",
                    "nylon",
                    "polycarbonate",
                    "pvc",
                    "silk",
                    "skin",
                ],
                0.01,
                0.1,
            ),
        ];
        for (names, least, most) in classes {
            for name in names {
                for frequency in [100.0, 1000.0, 10_000.0] {
                    let factor = material(name).unwrap().loss_factor.at(frequency);
                    assert!((least..=most).contains(&factor), "{name} at {frequency} Hz: {factor}");
                }
            }
        }
        assert_eq!(classes.iter().map(|(names, ..)| names.len()).sum::<usize>(), MATERIALS.len());
    }

    /// Spruce along the grain: 0.006 to 0.01 from 100 to 1000 Hz, 0.015 to 0.03 at 10 kHz.
    #[test]
    fn wood_loses_more_per_cycle_at_high_frequencies() {
        let spruce = material("spruce").unwrap().loss_factor;
        assert!((0.005..0.011).contains(&spruce.at(100.0)) && (0.005..0.011).contains(&spruce.at(1000.0)));
        assert!((0.015..0.03).contains(&spruce.at(10_000.0)));
    }

    #[test]
    fn sound_runs_through_them_at_the_speeds_of_the_tables() {
        for (name, speed) in [
            ("steel", 5050.0),
            ("aluminium", 5090.0),
            ("brass", 3500.0),
            ("spruce", 5240.0),
            ("glass", 5290.0),
            ("oak", 4250.0),
            ("beech", 4360.0),
            ("lead", 1190.0),
            ("silver", 2810.0),
            ("ice", 3180.0),
            ("gold", 2010.0),
            ("zinc", 3890.0),
        ] {
            let error = material(name).unwrap().rod_speed() / speed - 1.0;
            assert!(error.abs() < 0.01, "{name}: {error}");
        }
        assert_eq!(material("unobtainium"), None);
    }
}
