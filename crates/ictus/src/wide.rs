//! Levels of vector instructions that whole turns are compiled for.
//!
//! Where the loop over the samples and the kernels in it are one function, the processor works on an object while it waits for a contact. But
//! each of the dozen such loops, for each of five levels, made the scalar one alone take more of the build than all the rest. So there is one for
//! the levels that people play on; the others run every cluster in the one general loop, which gives the same bits.

use fearless_simd::Level;

/// A level that turns are compiled for as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wide {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx512(fearless_simd::Avx512),
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(fearless_simd::Avx2),
    #[cfg(target_arch = "aarch64")]
    Neon(fearless_simd::Neon),
}

impl Wide {
    /// `None` for the levels of older processors and for none at all.
    pub(crate) fn of(level: Level) -> Option<Self> {
        match level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512(simd) => Some(Self::Avx512(simd)),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(simd) => Some(Self::Avx2(simd)),
            #[cfg(target_arch = "aarch64")]
            Level::Neon(simd) => Some(Self::Neon(simd)),
            #[allow(unreachable_patterns)]
            _ => None,
        }
    }
}

/// Compiles and runs an expression for a [`Wide`] level, whose token it finds under the name given.
macro_rules! wide {
    ($level:expr, $simd:ident => $op:expr) => {
        match $level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::wide::Wide::Avx512($simd) => $crate::wide::wide!(@ $simd, $op),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::wide::Wide::Avx2($simd) => $crate::wide::wide!(@ $simd, $op),
            #[cfg(target_arch = "aarch64")]
            $crate::wide::Wide::Neon($simd) => $crate::wide::wide!(@ $simd, $op),
        }
    };
    (@ $simd:ident, $op:expr) => {
        fearless_simd::Simd::vectorize(
            $simd,
            #[inline(always)]
            || $op,
        )
    };
}

pub(crate) use wide;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::HuntCrossley;
    use crate::model::{Force, Interaction, Pickup, Point, Source};
    use crate::objects::{BarrierSpec, Decay, MassSpec, ModalSpec, ModeSpec, Place, StringSpec};
    use crate::{Engine, Model};

    fn hear(point: Point) -> Pickup {
        Pickup { source: Source::Displacement(point), gains: vec![1.0] }
    }

    /// What can be struck, and heard at another point: what it is in the model, where it is struck and where heard.
    fn with_object(model: Model, kind: &str) -> (Model, Place, Place) {
        match kind {
            "string" => (model.with("object", StringSpec::default()), Place::Along(0.2), Place::Along(0.7)),
            "modal" => {
                let decay = Decay::T60(1.0);
                let mode = |index: usize| ModeSpec { frequency: 150.0 * (index + 1) as f64, decay, mass: 0.1 };
                let points = [0.7, 0.3].map(|at| (0..20).map(|index| (index as f64 * at).cos()).collect()).to_vec();
                let spec = ModalSpec { modes: (0..20).map(mode).collect(), points };
                (model.with("object", spec), Place::Point(0), Place::Point(1))
            }
            _ => (model.with("object", BarrierSpec::default()), Place::Whole, Place::Whole),
        }
    }

    /// An object by itself under a force, under a mass, and under a mass that stands on another one.
    fn built(kind: &str, masses: usize) -> Engine {
        let (mut model, struck, heard) = with_object(Model::new(44_100.0), kind);
        let mut below = Point::on("object", struck);
        let weight = |at: Point| Force { name: "weight".into(), at, level: 0.5, signal: None };
        for name in ["first", "second"].into_iter().take(masses) {
            let law = HuntCrossley::new(1e6, 1.5, 0.1).unwrap();
            model = model
                .with(name, MassSpec { velocity: 0.3, ..MassSpec::free(0.01) })
                .join(Interaction::new(&format!("{name} on"), Point::of(name), below, law))
                .drive(Force { name: name.into(), ..weight(Point::of(name)) });
            below = Point::of(name);
        }
        if masses == 0 {
            model = model.drive(weight(below));
        }
        model.listen(hear(Point::on("object", heard))).build().unwrap()
    }

    #[test]
    fn every_level_gives_the_same_bits() {
        let best = Level::new();
        let mut levels = vec![Level::fallback(), Level::baseline()];
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            levels.extend(best.as_sse4_2().map(Level::Sse4_2));
            levels.extend(best.as_avx2().map(Level::Avx2));
        }
        for kind in ["string", "modal", "barrier"] {
            for masses in 0..3 {
                let run = |level| {
                    let mut engine = built(kind, masses);
                    engine.level = level;
                    let mut sound = vec![0.0; 2000];
                    engine.process(&mut sound);
                    let energy = engine.stored_energy();
                    sound.into_iter().chain([energy]).map(f64::to_bits).collect::<Vec<_>>()
                };
                let expected = run(best);
                for level in &levels {
                    assert!(run(*level) == expected, "{kind} under {masses} masses, {level:?}");
                }
            }
        }
    }
}
