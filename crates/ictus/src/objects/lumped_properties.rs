//! What masses, modal objects and barriers promise for any numbers.

use proptest::prelude::*;

use super::*;

fn any_decay() -> impl Strategy<Value = Decay> {
    let positive = -12.0..12.0_f64;
    prop_oneof![
        Just(Decay::None),
        positive.clone().prop_map(|e| Decay::Sigma(10_f64.powf(e))),
        positive.clone().prop_map(|e| Decay::T60(10_f64.powf(e))),
        positive.prop_map(|e| Decay::Quality(10_f64.powf(e))),
        any::<f64>().prop_map(Decay::Sigma),
    ]
}

proptest! {
    #[test]
    fn any_mass_that_builds_stays_finite_and_balanced(
        mass_exponent in -9.0..9.0_f64, rate in 100.0..1e6_f64, tuning in 0.0..1.1_f64, decay in any_decay(),
        displacement in -10.0..10.0_f64, velocity in -1e3..1e3_f64, free: bool,
    ) {
        let frequency = if free { 0.0 } else { 0.5 * rate * tuning };
        let spec = MassSpec { mass: 10_f64.powf(mass_exponent), displacement, velocity, frequency, decay };
        if let Ok(mut mass) = Mass::new(&spec, rate) {
            prop_assert!(frequency < 0.5 * rate);
            let (step, _) = balance(&mut mass, &[Support::Whole], 300, 200);
            // Near Nyquist the two moves of a step all but cancel.
            let margin = (1.0 - tuning).clamp(1e-4, 1.0);
            prop_assert!(step < 1e-14 / margin.powi(2), "{step:e}");
            prop_assert!(mass.read(&Support::Whole, At::Now).is_finite());
        } else {
            prop_assert!(tuning >= 1.0 || decay != Decay::None);
        }
    }

    #[test]
    fn any_modal_object_that_builds_stays_finite_and_balanced(
        modes in prop::collection::vec((0.0..0.97_f64, any_decay(), -6.0..3.0_f64), 1..20),
        points in 1..6_usize, weights in prop::collection::vec(-2.0..2.0_f64, 120), rate in 1e3..2e5_f64,
    ) {
        let mode = |&(tuning, decay, exponent): &(f64, Decay, f64)| {
            ModeSpec { frequency: 0.5 * rate * tuning, decay, mass: 10_f64.powf(exponent) }
        };
        let spec = ModalSpec {
            modes: modes.iter().map(mode).collect(),
            points: (0..points).map(|point| weights[point * 20..point * 20 + modes.len()].to_vec()).collect(),
        };
        if let Ok(mut modal) = Modal::new(&spec, rate) {
            let supports = supports_of(&mut modal, points);
            let (step, _) = balance(&mut modal, &supports, 200, 150);
            prop_assert!(step < 1e-12, "{step:e}");
            prop_assert!(supports.iter().all(|support| modal.read(support, At::Now).is_finite()));
        }
    }

    #[test]
    fn any_numbers_build_or_name_a_parameter(numbers: [f64; 6], exact in any_decay(), rate: f64) {
        let [mass, displacement, velocity, frequency, decay, weight] = numbers;
        for (decay, rate) in [(Decay::T60(decay), rate), (Decay::Quality(decay), RATE), (exact, RATE)] {
            let spec = MassSpec { mass, displacement, velocity, frequency, decay };
            if let Ok(mut mass) = Mass::new(&spec, rate) {
                walk(&mut mass, Level::baseline());
                prop_assert!(mass.stored_energy().is_finite() && mass.read(&Support::Whole, At::Now).is_finite());
            }
            let spec = ModalSpec { modes: vec![ModeSpec { frequency, decay, mass }], points: vec![vec![weight]] };
            if let Ok(mut modal) = Modal::new(&spec, rate) {
                let point = supports_of(&mut modal, 1)[0];
                walk(&mut modal, Level::new());
                prop_assert!(modal.admittance(&point, &point).is_finite());
            }
            let _ = Barrier::new(&BarrierSpec { height: displacement, velocity }, rate);
        }
    }
}
