//! Every step balances, however it ends.

use proptest::prelude::*;

use super::super::Aiming;
use super::*;
use crate::contact::Rule;
use crate::impact::exact::output_velocity;
use crate::laws::{ContactLaw, HuntCrossley};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]
    /// However a step ends - pressed on, let go, emptied, released - what the bodies give is stored or dissipated, the force moves them by
    /// the step that the contact has taken, nothing pulls, and without resistance nothing is lost.
    #[test]
    fn every_step_balances(
        exponent in prop_oneof![Just(1.0), Just(1.5), Just(2.0), 1.0..4.0_f64],
        stiffness in (3.0..12.0_f64).prop_map(|log| 10f64.powf(log)),
        dissipation in prop_oneof![Just(0.0), 0.0..2.0_f64],
        mass in (-4.0..0.0_f64).prop_map(|log| 10f64.powf(log)),
        (depth, off_curve) in ((-7.0..-3.0_f64).prop_map(|log| 10f64.powf(log)), 0.5..2.0_f64),
        (before, free) in (-3.0..3.0_f64, -6.0..3.0_f64),
        (approach, resistance) in (0.01..10.0_f64, 0.0..1.0_f64),
        (allowed, trusted) in (prop_oneof![Just(0.0), 0.0..2.0_f64], prop_oneof![Just(0.0), Just(f64::MAX)]),
        (damping, stiffening) in (prop_oneof![Just(0.0), 0.0..10.0_f64], 1.0..1.5_f64),
        (begins, rule) in (prop::bool::weighted(0.2), prop_oneof![Just(Rule::Secant), Just(Rule::SecantPlain)]),
    ) {
        let rate = 44_100.0;
        let law = HuntCrossley::new(stiffness, exponent, dissipation).unwrap();
        let contact = Contact::new(law.into(), rule, Aiming::default()).with_damping(damping);
        let previous = depth * (1.0 - before);
        let motion =
            Motion { previous, now: depth, free_step: free * depth, admittance: 1.0 / (mass * rate * rate), rate };
        let mut member = Member::new(motion);
        (member.terms.resistance, member.step) = (law.resistance(depth, 0.0), free * depth);
        let lossless = dissipation == 0.0 && damping == 0.0;
        let mut state = ContactState {
            root: if begins { 0.0 } else { off_curve * contact.state_at(depth).root },
            stiffening,
            approach,
            release: output_velocity(dissipation, approach),
            allowed_drift: trusted,
            resistance: if lossless { 0.0 } else { resistance },
            // Of the loss that this step would have.
            allowance: allowed * member.loss(0.0),
            ..ContactState::default()
        };
        let stored = state.energy();
        let solved = contact.advance(&mut state, &motion);
        let work = 0.5 * solved.force * solved.step;
        let imbalance = state.energy() - stored - (work - solved.dissipated);
        let size = stored + state.energy() + work.abs() + solved.dissipated;
        prop_assert!(imbalance.abs() <= 1e-13 * size, "{imbalance:e} of {size:e}: {solved:?}, {state:?}");
        let apart = motion.free_step - motion.admittance * solved.force - solved.step;
        let reach = motion.free_step.abs() + motion.admittance * solved.force + solved.step.abs();
        prop_assert!(apart.abs() <= 1e-14 * reach, "the force moves the bodies elsewhere: {apart:e} of {reach:e}");
        prop_assert!(solved.force >= 0.0, "{solved:?}");
        prop_assert!(state.root >= 0.0, "{state:?}");
        prop_assert!(!lossless || solved.dissipated == 0.0, "{solved:?}");
    }
}
