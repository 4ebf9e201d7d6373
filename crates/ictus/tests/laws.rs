//! What every contact law promises, put to all of them at once.

use ictus::laws::{
    Allowed, BowFriction, CentreLimited, ContactLaw, HuntCrossley, Law, LawError, LinearCubicSpring, OddPower,
    OneSidedPower, ParameterInfo, law,
};
use ictus::limits;
use ictus::math::Plain;
use proptest::prelude::*;

/// Half-width of the compressions tested, in m.
const RANGE: f64 = 1e-2;
/// Compression step of the finite differences, in m.
const STEP: f64 = 1e-7;
/// Finite differences mean nothing closer than this to a threshold, in m.
const KINK: f64 = 1e-4;

/// One law of each kind, and the compression beyond which it acts.
#[derive(Clone, Copy, Debug)]
struct Case {
    law: Law,
    threshold: f64,
}

/// Every law as it is usually, and the laws of the literature from one set of parameters.
fn one_of_each(parameters: Parameters) -> Vec<Case> {
    let Parameters { stiffness, exponent, threshold, dissipation } = parameters;
    let odd = 2.0 * (exponent / 2.0).floor().min(6.0) + 1.0;
    let case = |law: Result<Law, LawError>, threshold| Case { law: law.unwrap(), threshold };
    let mut cases = vec![
        case(OneSidedPower::new(stiffness, exponent, threshold).map(Law::from), threshold),
        case(OneSidedPower::new(stiffness, exponent, 0.0).map(Law::from), 0.0),
        case(OddPower::new(stiffness, odd).map(Law::from), 0.0),
        case(CentreLimited::new(stiffness, exponent, threshold).map(Law::from), threshold),
        case(CentreLimited::new(stiffness, exponent, 0.0).map(Law::from), 0.0),
        case(LinearCubicSpring::new(stiffness, threshold).map(Law::from), 0.0),
        case(LinearCubicSpring::new(dissipation, stiffness).map(Law::from), 0.0),
        case(LinearCubicSpring::new(stiffness, 0.0).map(Law::from), 0.0),
        case(LinearCubicSpring::new(0.0, stiffness).map(Law::from), 0.0),
        case(HuntCrossley::new(stiffness, exponent, dissipation).map(Law::from), 0.0),
        case(HuntCrossley::new(stiffness, exponent, 0.0).map(Law::from), 0.0),
        case(BowFriction::new(dissipation, stiffness).map(Law::from), 0.0),
        case(BowFriction::new(dissipation, stiffness).and_then(|law| law.with_sliding(0.0)).map(Law::from), 0.0),
    ];
    cases.extend(Law::ALL.iter().map(|info| {
        let law = Law::of(info.name, info.usual).unwrap().unwrap();
        Case { law, threshold: law.play() }
    }));
    cases
}

#[derive(Clone, Copy, Debug)]
struct Parameters {
    stiffness: f64,
    exponent: f64,
    threshold: f64,
    dissipation: f64,
}

/// Exponents from 1 to 5: any, and the multiples of a half that need no general power.
fn exponent() -> impl Strategy<Value = f64> {
    prop_oneof![1.0..5.0_f64, (2_u8..=10).prop_map(|halves| f64::from(halves) / 2.0)]
}

/// Parameters a musician might use.
fn parameters() -> impl Strategy<Value = Parameters> {
    (2.0..12.0_f64, exponent(), 0.0..RANGE, 0.0..10.0_f64).prop_map(|(decades, exponent, threshold, dissipation)| {
        Parameters { stiffness: 10_f64.powf(decades), exponent, threshold, dissipation }
    })
}

fn cases() -> impl Strategy<Value = Vec<Case>> {
    parameters().prop_map(one_of_each)
}

/// Any finite number, denormals and the largest included.
fn finite() -> impl Strategy<Value = f64> {
    use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![
        8 => POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO,
        1 => Just(f64::MAX),
        1 => Just(-f64::MAX),
        1 => Just(0.0),
    ]
}

/// Any parameters the constructors accept.
fn extreme_parameters() -> impl Strategy<Value = Parameters> {
    let positive = || finite().prop_map(|value| value.abs().clamp(5e-324, limits::SHARPEST));
    let exponent = prop_oneof![exponent(), 1.0..=limits::STEEPEST];
    let up_to = |most: f64| finite().prop_map(move |value| value.abs().min(most));
    (positive(), exponent, up_to(limits::FARTHEST), up_to(limits::MOST_DISSIPATION)).prop_map(
        |(stiffness, exponent, threshold, dissipation)| Parameters { stiffness, exponent, threshold, dissipation },
    )
}

fn compression() -> impl Strategy<Value = f64> {
    -RANGE..RANGE
}

fn near_a_kink(case: &Case, compression: f64) -> bool {
    (compression.abs() - case.threshold).abs() < KINK
}

fn agrees(left: f64, right: f64, tolerance: f64) -> bool {
    (left - right).abs() <= tolerance * left.abs().max(right.abs())
}

proptest! {
    #[test]
    fn force_is_the_slope_of_the_potential(cases in cases(), eta in compression()) {
        for case in cases.iter().filter(|case| !near_a_kink(case, eta)) {
            let difference = case.law.potential(eta + STEP) - case.law.potential(eta - STEP);
            let slope = difference / ((eta + STEP) - (eta - STEP));
            prop_assert!(agrees(case.law.force(eta), slope, 1e-5), "{case:?}: {slope}");
        }
    }

    #[test]
    fn stiffness_is_the_slope_of_the_force(cases in cases(), eta in compression()) {
        for case in cases.iter().filter(|case| !near_a_kink(case, eta)) {
            let difference = case.law.force(eta + STEP) - case.law.force(eta - STEP);
            let slope = difference / ((eta + STEP) - (eta - STEP));
            prop_assert!(agrees(case.law.stiffness(eta), slope, 1e-5), "{case:?}: {slope}");
        }
    }

    #[test]
    fn root_slope_is_the_slope_of_the_root(cases in cases(), eta in compression()) {
        for case in cases.iter().filter(|case| !near_a_kink(case, eta)) {
            let difference = case.law.root(eta + STEP) - case.law.root(eta - STEP);
            let slope = difference / ((eta + STEP) - (eta - STEP));
            prop_assert!(agrees(case.law.root_slope(eta), slope, 1e-5), "{case:?}: {slope}");
        }
    }

    #[test]
    fn half_the_square_of_the_root_is_the_potential(cases in cases(), eta in compression()) {
        for case in &cases {
            let root = case.law.root(eta);
            prop_assert!(agrees(0.5 * root * root, case.law.potential(eta), 1e-14), "{case:?}");
        }
    }

    #[test]
    fn root_times_its_slope_is_the_force(cases in cases(), eta in compression()) {
        for case in &cases {
            let product = case.law.root(eta) * case.law.root_slope(eta);
            prop_assert!(agrees(product, case.law.force(eta), 1e-14), "{case:?}");
        }
    }

    #[test]
    fn root_has_the_sign_of_the_force_and_its_slope_none(cases in cases(), eta in compression()) {
        for case in &cases {
            let (root, force) = (case.law.root(eta), case.law.force(eta));
            prop_assert_eq!(root > 0.0, force > 0.0, "{:?}", case);
            prop_assert_eq!(root < 0.0, force < 0.0, "{:?}", case);
            prop_assert!(case.law.root_slope(eta) >= 0.0, "{case:?}");
        }
    }

    #[test]
    fn root_never_falls(cases in cases(), a in compression(), b in compression()) {
        for case in &cases {
            let (low, high) = (case.law.root(a.min(b)), case.law.root(a.max(b)));
            prop_assert!(low <= high + 1e-15 * high.abs(), "{case:?}: {low} then {high}");
        }
    }

    #[test]
    fn potential_and_resistance_are_never_negative(
        cases in cases(), eta in compression(), velocity in -100.0..100.0_f64
    ) {
        for case in &cases {
            prop_assert!(case.law.potential(eta) >= 0.0, "{case:?}");
            prop_assert!(case.law.resistance(eta, velocity) >= 0.0, "{case:?}");
        }
    }

    #[test]
    fn one_sided_laws_push_beyond_their_threshold_and_are_silent_before_it(
        cases in cases(), eta in compression()
    ) {
        for case in cases.iter().filter(|case| case.law.surface().is_some()) {
            if eta > case.threshold {
                prop_assert!(case.law.force(eta) > 0.0, "{case:?}");
            } else {
                prop_assert_eq!(case.law.potential(eta), 0.0, "{:?}", case);
                prop_assert_eq!(case.law.force(eta), 0.0, "{:?}", case);
                prop_assert_eq!(case.law.stiffness(eta), 0.0, "{:?}", case);
                prop_assert_eq!(case.law.resistance(eta, 1.0), 0.0, "{:?}", case);
            }
        }
    }

    #[test]
    fn two_sided_laws_are_odd(cases in cases(), eta in compression()) {
        for case in cases.iter().filter(|case| case.law.surface().is_none()) {
            prop_assert_eq!(case.law.potential(-eta), case.law.potential(eta), "{:?}", case);
            prop_assert_eq!(case.law.force(-eta), -case.law.force(eta), "{:?}", case);
            prop_assert_eq!(case.law.root(-eta), -case.law.root(eta), "{:?}", case);
        }
    }

    #[test]
    fn values_taken_together_are_the_values_taken_apart(
        cases in cases(), eta in compression(), velocity in -1.0..1.0_f64
    ) {
        for Case { law, .. } in &cases {
            let (root, slope) = (law.root(eta), law.root_slope(eta));
            prop_assert_eq!(law.root_and_slope(eta), (root, slope), "{:?}", law);
            let resistance = law.resistance(eta, velocity);
            let together = law.root_slope_and_resistance(eta, velocity);
            prop_assert_eq!(together, (slope, resistance), "{:?}", law);
        }
    }

    #[test]
    fn no_finite_input_makes_a_nan(
        parameters in extreme_parameters(), shares in prop::array::uniform8(0.0..=1.0_f64),
        eta in finite(), velocity in finite()
    ) {
        let cases = one_of_each(parameters).into_iter().map(|case| case.law).chain(anywhere(shares));
        for law in cases {
            let (root, slope) = law.root_and_slope(eta);
            let (_, resistance) = law.root_slope_and_resistance(eta, velocity);
            let values = [
                law.potential(eta), law.force(eta), law.stiffness(eta), law.root(eta),
                law.root_slope(eta), law.resistance(eta, velocity), root, slope, resistance,
            ];
            prop_assert!(values.iter().all(|value| !value.is_nan()), "{law:?}: {values:?}");
        }
    }
}

#[test]
fn at_rest_two_sided_laws_have_the_limit_of_their_root_slope() {
    let root_slope = |law: Law| (law.root(0.0), law.root_slope(0.0));
    let at_rest = |exponent| CentreLimited::new(1e6, exponent, 0.0).unwrap().into();
    assert_eq!(root_slope(at_rest(1.0)), (0.0, 1e3));
    assert_eq!(root_slope(at_rest(1.1)), (0.0, 0.0));
    assert_eq!(root_slope(OddPower::new(1e6, 1.0).unwrap().into()), (0.0, 1e3));
    assert_eq!(root_slope(OddPower::new(1e6, 5.0).unwrap().into()), (0.0, 0.0));
    assert_eq!(root_slope(LinearCubicSpring::new(1e6, 1e9).unwrap().into()), (0.0, 1e3));
    assert_eq!(root_slope(LinearCubicSpring::new(0.0, 1e9).unwrap().into()), (0.0, 0.0));
}

/// Makes the law of that name.
fn construct(name: &str, values: &[f64]) -> Result<(), LawError> {
    let made = Law::of(name, values).unwrap_or_else(|| panic!("no law {name} of {} parameters", values.len()));
    made.map(drop)
}

/// Every law with numbers from all over their ranges.
fn anywhere(shares: [f64; 8]) -> impl Iterator<Item = Law> {
    let value = |(parameter, share): (&ParameterInfo, f64)| match parameter.allowed {
        Allowed::Within { least, most } => least + share * (most - least),
        Allowed::AboveUpTo { above, most } => above + share.max(f64::EPSILON) * (most - above),
        Allowed::Between { least, below } => (least + share * (below - least)).min(below.next_down()),
        Allowed::OddUpTo(most) => 1.0 + 2.0 * (0.5 * share * (most - 1.0)).floor(),
        Allowed::GreaterThan(bound) => bound + share.max(f64::EPSILON),
        _ => panic!("a new range: add it here"),
    };
    Law::ALL.iter().filter_map(move |info| {
        let numbers: Vec<f64> = info.parameters.iter().zip(shares).map(value).collect();
        match Law::of(info.name, &numbers)? {
            Ok(law) => Some(law),
            Err(LawError::BothZero { .. }) => None,
            // Kinetic friction above static.
            Err(LawError::OutOfRange { parameter: "kinetic friction", .. }) => None,
            Err(error) => panic!("{error}"),
        }
    })
}

/// A value inside the range, and the finite values just outside it.
fn inside_and_outside(allowed: Allowed) -> (f64, Vec<f64>) {
    match allowed {
        Allowed::GreaterThan(bound) => (bound + 1.0, vec![bound, -1.0]),
        Allowed::Within { least, most } => (least + 1.0, vec![least.next_down(), -1.0, most.next_up()]),
        Allowed::AboveUpTo { above, most } => (above + 1.0, vec![above, -1.0, most.next_up()]),
        Allowed::Between { least, below } => (0.5 * (least + below), vec![least.next_down(), below]),
        Allowed::OddUpTo(most) => (3.0, vec![2.0, 2.5, 0.5, -1.0, most + 2.0]),
        _ => panic!("a new range: add it here"),
    }
}

#[test]
fn constructors_enforce_the_ranges_the_registry_shows() {
    for info in Law::ALL {
        let ranges = info.parameters.iter().map(|parameter| inside_and_outside(parameter.allowed));
        let (good, bad): (Vec<f64>, Vec<Vec<f64>>) = ranges.unzip();
        assert_eq!(construct(info.name, &good), Ok(()));
        for (index, parameter) in info.parameters.iter().enumerate() {
            let never = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
            for &value in bad[index].iter().chain(&never) {
                let mut values = good.clone();
                values[index] = value;
                let message = construct(info.name, &values).unwrap_err().to_string();
                let expected = format!("{}: {} is {}, must be ", info.title, parameter.name, Plain(value));
                assert!(message.starts_with(&expected), "{message}");
                assert!(message.ends_with(&parameter.allowed.to_string()), "{message}");
                assert_eq!(message.contains("finite"), !value.is_finite(), "{message}");
            }
        }
    }
}

#[test]
fn every_law_is_found_by_its_name_and_no_two_share_one() {
    for info in Law::ALL {
        assert_eq!(law(info.name), Some(info));
        assert_eq!(Law::ALL.iter().filter(|other| other.name == info.name).count(), 1, "{}", info.name);
        assert_eq!(info.usual.len(), info.parameters.len(), "{}", info.name);
        assert_eq!(construct(info.name, info.usual), Ok(()), "{}", info.name);
        for parameter in info.parameters {
            assert!(parameter.default.is_none_or(|value| parameter.allowed.contains(value)), "{parameter:?}");
        }
    }
    assert_eq!(law("one-sided"), None);
}
