//! Random numbers that are the same everywhere: SplitMix64 (Steele, Lea and Flood 2014), seeded by the scene and by a name.
//!
//! Everything random has its own generator, seeded with the scene's seed and the name of what it is for, so that adding a thing to
//! a scene does not change the noise of the others.

/// A generator of equally distributed numbers.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    state: u64,
}

impl Generator {
    /// The generator of a named thing of a scene.
    pub(crate) fn named(seed: u64, name: &str) -> Self {
        // FNV-1a of the name.
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
        let mut generator = Self { state: seed ^ hash };
        generator.next();
        generator
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0, included, to 1, excluded.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
