//! The description of a modal object: plain data, and the closed forms that fill it.
//!
//! Free bar: `cosh(βL) cos(βL) = 1`, frequencies as β², shapes `cosh βx + cos βx - γ (sinh βx + sin βx)` with
//! `γ = (cosh βL - cos βL)/(sinh βL - sin βL)`. String on two supports: PHYSICS section 5. A04's resonator: PHYSICS section 7.

use std::f64::consts::PI;

use super::Modal;
use crate::objects::{AnyBody, Decay, Description, Extent, Material, ObjectError, Site, checked};

/// Most modes of one object, and most points; it bounds the memory of a build.
pub(super) const MOST_MODES: usize = 1 << 16;
pub(super) const MOST_POINTS: usize = 256;

/// One mode of vibration.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ModeSpec {
    /// Undamped frequency in Hz, below half the sample rate; 0 for a mode that moves freely.
    pub frequency: f64,
    /// How it dies.
    pub decay: Decay,
    /// Modal mass in kg, for the scale on which the weights are given: kinetic energy is ½ m (velocity of the mode)².
    pub mass: f64,
}

/// An object given by its modes, and by how much each of them moves at each point of interest.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ModalSpec {
    /// The modes, at least one. More: richer sound, more work.
    pub modes: Vec<ModeSpec>,
    /// For every point the weights of all modes there (the mode shapes, a pure number each, at most 1e6 either way); at least
    /// one point. A blow at a point meets the mass `1/Σ(weight²/modal mass)`, at least 1e-9 kg. A point is where the object can be struck or listened to; the first two cost least.
    pub points: Vec<Vec<f64>>,
}

impl ModalSpec {
    /// A bar with free ends, without its two rigid motions.
    ///
    /// Fundamental in Hz, mass of the whole bar in kg, number of modes, positions as fractions of the length, and the decay of
    /// a mode given its frequency in Hz. Weights are 2 at the ends for the first mode, and every mode has the mass of the bar.
    ///
    /// # Errors
    /// Too many modes or points, or a position outside 0 to 1.
    pub fn free_bar(
        fundamental: f64,
        mass: f64,
        count: usize,
        positions: &[f64],
        decay: impl Fn(f64) -> Decay,
    ) -> Result<Self, ObjectError> {
        check_size(count, positions)?;
        let first = free_bar_root(1);
        let roots: Vec<f64> = (1..=count).map(free_bar_root).collect();
        let mode = |root: &f64| {
            let ratio = root / first;
            let frequency = fundamental * ratio * ratio;
            ModeSpec { frequency, decay: decay(frequency), mass }
        };
        let weights = |&at: &f64| roots.iter().map(|&root| free_bar_shape(root, at)).collect();
        Ok(Self { modes: roots.iter().map(mode).collect(), points: positions.iter().map(weights).collect() })
    }

    /// A string on two simple supports: `f_p = p f0 √(1 + B p²)`, shapes sin(pπx), each mode with half the string's mass.
    ///
    /// f0 = c/2L in Hz, inharmonicity B = π²κ²/(c²L²) (0 for a limp string), mass of the string in kg, number of modes,
    /// positions as fractions of the length, and the decay of a mode given its frequency in Hz.
    ///
    /// # Errors
    /// Too many modes or points, or a position outside 0 to 1.
    pub fn string(
        fundamental: f64,
        inharmonicity: f64,
        mass: f64,
        count: usize,
        positions: &[f64],
        decay: impl Fn(f64) -> Decay,
    ) -> Result<Self, ObjectError> {
        check_size(count, positions)?;
        let mode = |number: usize| {
            let number = number as f64;
            let frequency = fundamental * number * (1.0 + inharmonicity * number * number).sqrt();
            ModeSpec { frequency, decay: decay(frequency), mass: 0.5 * mass }
        };
        let weights = |&at: &f64| (1..=count).map(|number| libm::sin(number as f64 * PI * at)).collect();
        Ok(Self { modes: (1..=count).map(mode).collect(), points: positions.iter().map(weights).collect() })
    }

    /// The resonator of A04: three modes in the ratios 1, (5/3.011)², (7/3.011)², all of one quality q = ω/2σ and one mass in
    /// kg, and one point that moves with all of them alike.
    #[must_use]
    pub fn three_mode_bar(fundamental: f64, quality: f64, mass: f64) -> Self {
        let mode =
            |ratio: f64| ModeSpec { frequency: fundamental * ratio * ratio, decay: Decay::Quality(quality), mass };
        Self { modes: [1.0, 5.0 / 3.011, 7.0 / 3.011].map(mode).to_vec(), points: vec![vec![1.0; 3]] }
    }

    /// The mode that moves it as a whole: the only one of 0 Hz whose weights are the same at all points, and not 0.
    #[must_use]
    pub fn whole(&self) -> Option<usize> {
        let alike = |mode: usize| {
            let weights = || self.points.iter().map(|point| point.get(mode).copied().unwrap_or(0.0));
            weights().all(|weight| weight != 0.0 && Some(weight) == weights().next())
        };
        let mut all = (0..self.modes.len()).filter(|&mode| self.modes[mode].frequency == 0.0 && alike(mode));
        all.next().filter(|_| all.next().is_none())
    }

    /// Without the modes at or above a frequency in Hz: what is left of closed forms below Nyquist.
    #[must_use]
    pub fn below(mut self, frequency: f64) -> Self {
        let kept: Vec<bool> = self.modes.iter().map(|mode| mode.frequency < frequency).collect();
        for weights in &mut self.points {
            let mut keep = kept.iter();
            weights.retain(|_| keep.next().copied().unwrap_or(true));
        }
        self.modes.retain(|mode| mode.frequency < frequency);
        self
    }
}

/// Fundamental in Hz of a free bar of rectangular section, from its length and thickness in m:
/// `(βL)² κ / 2πL²` with `κ = thickness √(E/12ρ)`.
#[must_use]
pub fn free_bar_fundamental(length: f64, thickness: f64, material: &Material) -> f64 {
    let root = free_bar_root(1);
    let stiffness = thickness * material.rod_speed() / 12.0_f64.sqrt();
    root * root * stiffness / (2.0 * PI * length * length)
}

/// βL of the n-th bending mode of a free bar, n from 1: the n-th positive root of cosh x cos x = 1.
fn free_bar_root(number: usize) -> f64 {
    let mut root = (number as f64 + 0.5) * PI;
    // In the form cos x = 1/cosh x Newton is at rounding after four steps even for the first root, 4.73.
    for _ in 0..6 {
        let sech = 1.0 / libm::cosh(root);
        root -= (libm::cos(root) - sech) / (sech * libm::tanh(root) - libm::sin(root));
    }
    root
}

/// Shape of a free bar's mode of root βL at a fraction of the length, of mean square 1. Written with decaying exponentials
/// from both ends: the hyperbolic functions overflow, and cancel long before.
fn free_bar_shape(root: f64, at: f64) -> f64 {
    let (sine, cosine) = libm::sincos(root);
    let far = libm::exp(-root);
    let divisor = 1.0 - far * far - 2.0 * far * sine;
    // γ = 1 - rest e^(-βL), rest finite.
    let rest = 2.0 * (cosine - sine - far) / divisor;
    let gamma = 1.0 - rest * far;
    let (sine_here, cosine_here) = libm::sincos(root * at);
    cosine_here - gamma * sine_here
        + 0.5 * (1.0 + gamma) * libm::exp(-root * at)
        + 0.5 * rest * libm::exp(-root * (1.0 - at))
}

fn check_size(count: usize, positions: &[f64]) -> Result<(), ObjectError> {
    check_count(count)?;
    check_point_count(positions.len())?;
    for &position in positions {
        checked("position", position, "from 0 to 1", |v| (0.0..=1.0).contains(&v))?;
    }
    Ok(())
}

pub(super) fn check_count(modes: usize) -> Result<(), ObjectError> {
    checked("number of modes", modes as f64, "from 1 to 65536", |_| (1..=MOST_MODES).contains(&modes))?;
    Ok(())
}

pub(super) fn check_point_count(points: usize) -> Result<(), ObjectError> {
    checked("number of points", points as f64, "from 1 to 256", |_| (1..=MOST_POINTS).contains(&points))?;
    Ok(())
}

impl Description for ModalSpec {
    const KIND: &'static str = "modal";

    fn build(&self, site: &Site) -> Result<AnyBody, ObjectError> {
        Ok(Modal::new(self, site.rate)?.into())
    }

    fn mass(&self) -> Option<f64> {
        // One mode moves it as a whole: of weight w everywhere, ½ m q̇² = ½ M (w q̇)².
        let whole = self.whole()?;
        let weight = self.points.first()?.get(whole)?;
        Some(self.modes[whole].mass / (weight * weight))
    }

    fn is_held(&self) -> bool {
        self.whole().is_none()
    }

    fn extent(&self) -> Extent {
        Extent::Points(self.points.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::material;

    #[test]
    fn free_bar_modes_are_at_the_roots_of_the_textbook() {
        for (number, root) in [(1, 4.730040744862704), (2, 7.853204624095838), (3, 10.995607838001671)] {
            assert!((free_bar_root(number) - root).abs() < 2e-15 * root, "{number}");
        }
        let bar = ModalSpec::free_bar(440.0, 0.1, 30, &[0.0], |_| Decay::None).unwrap();
        let ratio = |number: usize| bar.modes[number].frequency / 440.0;
        assert!((ratio(1) - (5.0_f64 / 3.011).powi(2)).abs() < 2e-3, "2.7565, A04 rounds to 2.7576");
        assert!((ratio(1) - 2.756539).abs() < 1e-6 && (ratio(2) - 5.403918).abs() < 1e-6);
    }

    #[test]
    fn free_bar_shapes_have_mean_square_one_are_orthogonal_and_free_of_rigid_motion() {
        let points = 4001;
        let shape = |number: usize| -> Vec<f64> {
            (0..points).map(|i| free_bar_shape(free_bar_root(number), i as f64 / (points - 1) as f64)).collect()
        };
        // Simpson's rule.
        let weight = |i: usize| {
            if i == 0 || i == points - 1 {
                1.0
            } else if i % 2 == 1 {
                4.0
            } else {
                2.0
            }
        };
        let mean =
            |f: &dyn Fn(usize) -> f64| (0..points).map(|i| weight(i) * f(i)).sum::<f64>() / (3.0 * (points - 1) as f64);
        for number in [1, 2, 3, 12, 40] {
            let one = shape(number);
            assert!((one[0].abs() - 2.0).abs() < 1e-12, "an end moves by 2");
            assert!((one[points - 1].abs() - 2.0).abs() < 1e-9);
            assert!((mean(&|i| one[i] * one[i]) - 1.0).abs() < 1e-4);
            assert!(mean(&|i| one[i]).abs() < 1e-5 && mean(&|i| one[i] * i as f64 / points as f64).abs() < 1e-4);
            let other = shape(number + 1);
            assert!(mean(&|i| one[i] * other[i]).abs() < 1e-4);
        }
        assert!(free_bar_shape(free_bar_root(1), 0.22416).abs() < 1e-4, "the node where bars are held");
    }

    #[test]
    fn free_bar_fundamental_is_the_textbook_formula() {
        let steel = material("steel").unwrap();
        let textbook = 1.0279 * (0.01 / 0.04) * steel.rod_speed();
        assert!((free_bar_fundamental(0.2, 0.01, steel) / textbook - 1.0).abs() < 1e-4);
    }

    #[test]
    fn string_modes_are_the_closed_form_and_cut_below_a_frequency() {
        let string = ModalSpec::string(100.0, 1e-4, 0.004, 100, &[0.5, 0.1], Decay::T60).unwrap();
        assert!((string.modes[9].frequency - 1000.0 * 1.01_f64.sqrt()).abs() < 1e-9);
        assert!((string.points[0][2] + 1.0).abs() < 1e-14 && string.points[0][1].abs() < 1e-14);
        let cut = string.clone().below(1000.0);
        assert_eq!((cut.modes.len(), cut.points[0].len(), cut.points[1].len()), (9, 9, 9));
        assert_eq!(cut.points[1][..], string.points[1][..9]);
    }

    #[test]
    fn closed_forms_refuse_places_off_the_object() {
        let error = ModalSpec::free_bar(440.0, 0.1, 3, &[0.5, 1.01], |_| Decay::None).unwrap_err();
        assert!(error.to_string().contains("position is 1.01"), "{error}");
        assert!(ModalSpec::string(440.0, 0.0, 0.1, 0, &[0.5], |_| Decay::None).is_err());
        assert!(ModalSpec::string(440.0, 0.0, 0.1, 1, &[], |_| Decay::None).is_err());
    }
}
