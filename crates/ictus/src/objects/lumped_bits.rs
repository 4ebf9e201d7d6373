//! What masses, modal objects and barriers promise to the bit.

use fearless_simd::Level;

use super::{RATE, bar, supports_of};
use crate::levels::reference;
use crate::objects::barrier::Barrier;
use crate::objects::mass::Mass;
use crate::objects::modal::Modal;
use crate::objects::*;

/// Every level this machine can run, and the one that others are compared with.
fn levels() -> Vec<Level> {
    let best = Level::new();
    let mut levels = vec![reference(), Level::baseline(), best];
    #[cfg(target_arch = "x86_64")]
    {
        levels.extend(best.as_sse2().map(Level::Sse2));
        levels.extend(best.as_sse4_2().map(Level::Sse4_2));
        levels.extend(best.as_avx2().map(Level::Avx2));
        levels.extend(best.as_avx512().map(Level::Avx512));
    }
    levels
}

#[test]
fn every_processor_level_gives_the_same_bits() {
    for (modes, points) in [(1, 1), (8, 2), (13, 3), (20, 6)] {
        let run = |level: Level| {
            let mut modal = Modal::new(&bar(modes, points, |f| Decay::T60(300.0 / f)), RATE).unwrap();
            let supports = supports_of(&mut modal, points);
            let mut bits = vec![];
            for step in 0..3000_usize {
                modal.open_books();
                modal.free_step_at(level);
                for push in 0..(step / 500).min(4) {
                    modal.push(&supports[(step + push) % points], ((step * 37 + push) % 101) as f64 - 50.0);
                }
                bits.push(modal.close_books().to_bits());
                modal.advance();
                bits.extend(supports.iter().map(|support| modal.read(support, At::Now).to_bits()));
                bits.push(modal.stored_energy().to_bits());
            }
            bits
        };
        let reference = run(reference());
        assert!(reference.iter().any(|&bits| f64::from_bits(bits) != 0.0));
        for level in levels() {
            assert!(run(level) == reference, "{modes} modes, {points} points, {level:?}");
        }
    }
}

#[test]
fn reset_returns_to_the_beginning_to_the_bit() {
    fn run(body: &mut impl Body, support: &Support) -> Vec<u64> {
        let sample = |step: usize| {
            body.open_books();
            body.remember();
            body.free_step_at(Level::new());
            body.push(support, (step % 11) as f64 - 4.0);
            let lost = body.dissipated_in_step() + body.close_books();
            body.advance();
            [lost, body.stored_energy(), body.read(support, At::Previous), body.read(support, At::Now)]
                .map(f64::to_bits)
        };
        (0..500).flat_map(sample).collect()
    }
    fn check(mut body: impl Body, support: &Support) {
        let first = run(&mut body, support);
        body.free_step_at(Level::new());
        body.push(support, 3.0);
        body.reset();
        assert_eq!(run(&mut body, support), first);
    }
    let spec = MassSpec { displacement: 0.1, velocity: 2.0, ..MassSpec::oscillator(0.01, 100.0, Decay::T60(1.0)) };
    check(Mass::new(&spec, RATE).unwrap(), &Support::Whole);
    let mut modal = Modal::new(&bar(9, 4, |_| Decay::T60(1.0)), RATE).unwrap();
    let point = supports_of(&mut modal, 4)[2];
    check(modal, &point);
    check(Barrier::new(&BarrierSpec { height: 0.3, velocity: 0.1 }, RATE).unwrap(), &Support::Whole);
}
