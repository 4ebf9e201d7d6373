//! Random numbers of a scene: the same everywhere, seeded by the scene and by a name.
//!
//! Everything random has its own generator, seeded with the scene's seed and the name of what it is for, so that adding a thing to
//! a scene does not change the noise of the others.

use ictus::math::random::SplitMix64;
use ictus::model::Roughness;

/// A generator of equally distributed numbers.
#[derive(Clone, Debug)]
pub(crate) struct Generator(SplitMix64);

impl Generator {
    /// The generator of a named thing of a scene.
    pub(crate) fn named(seed: u64, name: &str) -> Self {
        // FNV-1a of the name.
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        let mut random = SplitMix64(seed ^ hash);
        random.bits();
        Self(random)
    }

    /// From a normal distribution of mean 0 and variance 1, by two numbers of the unit interval (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.unit(), self.unit());
        libm::sqrt(-2.0 * libm::log(radius)) * libm::cos(std::f64::consts::TAU * angle)
    }

    /// From 0, included, to 1, excluded.
    pub(crate) fn unit(&mut self) -> f64 {
        self.0.unit()
    }
}

/// A random rough surface: Gaussian heights of correlation `h² e^(-(x/ℓ)²)`, periodic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    /// h, the root mean square of the heights in m.
    pub(crate) height: f64,
    /// ℓ in m.
    pub(crate) length: f64,
    /// Period in m, at least 2ℓ.
    pub(crate) path: f64,
}

impl Surface {
    /// Heights per correlation length: enough that the cubics between them are smooth bumps.
    const DENSITY: f64 = 4.0;

    /// How many heights the period has.
    pub(crate) fn count(&self) -> usize {
        (Self::DENSITY * self.path / self.length).ceil().max(8.0) as usize
    }

    /// Draws the heights: white noise through a Gaussian window, whose square is the spectrum asked for.
    pub(crate) fn draw(&self, generator: &mut Generator, velocity: f64) -> Roughness {
        let count = self.count();
        let spacing = self.path / count as f64;
        let white: Vec<f64> = (0..count).map(|_| generator.unit() - 0.5).collect();
        let reach = (2.5 * self.length / spacing).ceil() as usize;
        let weight = |step: usize| {
            let distance = step as f64 * spacing / self.length;
            libm::exp(-2.0 * distance * distance)
        };
        let window: Vec<f64> = (0..=reach).map(weight).collect();
        let smooth = |at: usize| {
            let both =
                |step: usize| white[(at + step) % count] + white[(at + count * (1 + step / count) - step) % count];
            window[0] * white[at] + (1..=reach).map(|step| window[step] * both(step)).sum::<f64>()
        };
        let mut heights: Vec<f64> = (0..count).map(smooth).collect();
        let mean = heights.iter().sum::<f64>() / count as f64;
        heights.iter_mut().for_each(|height| *height -= mean);
        let rms = (heights.iter().map(|height| height * height).sum::<f64>() / count as f64).sqrt();
        if rms > 0.0 {
            heights.iter_mut().for_each(|height| *height *= self.height / rms);
        }
        Roughness { heights, spacing, velocity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surface_has_the_height_and_the_correlation_asked_for() {
        let surface = Surface { height: 20e-6, length: 0.5e-3, path: 2.0 };
        let Roughness { heights, spacing, .. } = surface.draw(&mut Generator::named(1, "track"), 0.3);
        let count = heights.len();
        assert_eq!(count, 16_000);
        let correlation = |lag: usize| {
            (0..count).map(|at| heights[at] * heights[(at + lag) % count]).sum::<f64>() / count as f64 / (20e-6 * 20e-6)
        };
        assert!((correlation(0) - 1.0).abs() < 1e-12);
        for lag in [1, 2, 4, 6] {
            let distance = lag as f64 * spacing / surface.length;
            assert!((correlation(lag) - (-distance * distance).exp()).abs() < 0.03, "{lag}: {}", correlation(lag));
        }
        assert!(correlation(100).abs() < 0.05);
    }

    #[test]
    fn numbers_are_spread_evenly_and_depend_on_seed_and_name() {
        let mut generator = Generator::named(1, "burst");
        let numbers: Vec<f64> = (0..10_000).map(|_| generator.unit()).collect();
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        let mean = numbers.iter().sum::<f64>() / 1e4;
        let square = numbers.iter().map(|number| (number - 0.5).powi(2)).sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 0.01 && (square - 1.0 / 12.0).abs() < 0.003);
        assert_ne!(Generator::named(1, "burst").unit(), Generator::named(2, "burst").unit());
        assert_ne!(Generator::named(1, "burst").unit(), Generator::named(1, "other").unit());
    }
}
