use proptest::prelude::*;

use super::super::super::{LossFactor, ObjectError, SurfaceDensity, T60At};
use super::super::stencil::Constants;
use super::*;

#[test]
fn a_grid_finer_than_the_bound_is_refused_with_the_bound() {
    let spec = small_plate(16.0, 12.0, 0.0, 0.01, PlateEdges::Clamped);
    let at_bound = PlateSpec { grid: Some([16, 12]), ..spec.clone() };
    assert!(at_bound.on_grid(RATE, 1000).is_ok());
    for grid in [[17, 12], [16, 13], [40, 4]] {
        let finer = PlateSpec { grid: Some(grid), ..spec.clone() };
        match finer.on_grid(RATE, 1000) {
            Err(ObjectError::Unstable { points, most }) => assert!(most < points, "{grid:?}: {most} of {points}"),
            other => panic!("{grid:?}: {other:?}"),
        }
    }
    // A coarser one in one direction makes room in the other.
    assert!(PlateSpec { grid: Some([18, 6]), ..spec }.on_grid(RATE, 1000).is_ok());
}

#[test]
fn too_large_and_too_small_name_the_limit() {
    let spec = small_plate(16.0, 12.0, 0.0, 0.0, PlateEdges::Clamped);
    // The margin above the bound takes a segment off each side.
    assert_eq!(spec.on_grid(RATE, 139).map(|_| ()), Err(ObjectError::TooLarge { points: 140, limit: 139 }));
    assert!(spec.on_grid(RATE, 140).is_ok());
    let narrow = small_plate(3.9, 100.0, 0.0, 0.0, PlateEdges::Clamped);
    assert_eq!(narrow.on_grid(RATE, 1000).map(|_| ()), Err(ObjectError::TooSmall { points: 4, least: 5 }));
    let endless = PlateSpec { outline: Outline::Rectangle([1e300, 1e300]), ..PlateSpec::default() };
    assert_eq!(parameter_of(endless.on_grid(RATE, usize::MAX)), "side x");
}

fn parameter_of(result: Result<Sheet, ObjectError>) -> &'static str {
    match result {
        Err(ObjectError::OutOfRange { parameter, .. }) => parameter,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_bad_parameter_is_named() {
    let plate = |change: &dyn Fn(&mut PlateSpec)| {
        let mut spec = PlateSpec::default();
        change(&mut spec);
        parameter_of(spec.on_grid(RATE, 100_000))
    };
    assert_eq!(plate(&|s| s.outline = Outline::Rectangle([0.0, 0.3])), "side x");
    assert_eq!(plate(&|s| s.outline = Outline::Rectangle([0.4, f64::NAN])), "side y");
    assert_eq!(plate(&|s| s.thickness = -1.0), "thickness");
    assert_eq!(plate(&|s| s.density = f64::INFINITY), "density");
    assert_eq!(plate(&|s| s.youngs_modulus = 0.0), "Young's modulus");
    assert_eq!(plate(&|s| s.poissons_ratio = 0.5), "Poisson's ratio");
    assert_eq!(plate(&|s| s.loss = Loss::sigma(-0.1, 0.0)), "sigma0");
    assert_eq!(plate(&|s| s.loss = Loss::sigma(0.0, -0.1)), "sigma1");
    let membrane = |change: &dyn Fn(&mut MembraneSpec)| {
        let mut spec = MembraneSpec::default();
        change(&mut spec);
        parameter_of(spec.on_grid(RATE, 100_000))
    };
    assert_eq!(membrane(&|s| s.outline = Outline::Rectangle([-1.0, 0.3])), "side x");
    assert_eq!(membrane(&|s| s.tension = Tension::NewtonsPerMetre(0.0)), "tension");
    assert_eq!(membrane(&|s| s.tension = Tension::Fundamental(f64::NAN)), "fundamental");
    let nothing = SurfaceDensity::KilogramsPerSquareMetre(0.0);
    assert_eq!(membrane(&|s| s.surface_density = nothing), "surface density");
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320] {
        assert_eq!(parameter_of(PlateSpec::default().on_grid(rate, 1000)), "rate");
    }
}

/// Any magnitude, now and then something impossible.
fn magnitude(low: f64, high: f64) -> impl Strategy<Value = f64> {
    prop_oneof![
        20 => (low.log10()..high.log10()).prop_map(|e| 10f64.powf(e)),
        1 => prop_oneof![Just(0.0), Just(-1.0), Just(f64::NAN), Just(f64::INFINITY), Just(1e300), Just(1e-300)],
    ]
}

/// A sheet that was built must run: finite, energy not growing.
fn assert_runs(mut sheet: Sheet) {
    excite(&mut sheet, 1);
    let start = sheet.stored_energy();
    let centre = sheet.support(Place::On(0.45, 0.55)).expect("on it");
    (0..60).for_each(|_| step(&mut sheet));
    let energy = sheet.stored_energy();
    assert!(energy.is_finite() && energy <= start * (1.0 + 1e-9), "{energy} from {start}");
    sheet.free_step_at(Level::new());
    sheet.push(&centre, 1.0);
    assert!(sheet.read(&centre, At::Next).is_finite());
    assert!(sheet.admittance(&centre, &centre) > 0.0);
}

/// Rates, decay times at up to three frequencies, or a material.
fn losses() -> impl Strategy<Value = Loss> {
    let at = (magnitude(1e1, 3e4), magnitude(1e-2, 1e1)).prop_map(|(frequency, seconds)| T60At { frequency, seconds });
    let rates = (magnitude(1e-3, 1e7), magnitude(1e-6, 1e1));
    let factor = (magnitude(1e-5, 1e-1), -0.5..0.5);
    prop_oneof![
        6 => rates.prop_map(|(sigma0, sigma1)| Loss::sigma(sigma0, sigma1)),
        3 => prop::collection::vec(at, 0..4).prop_map(Loss::T60),
        2 => factor.prop_map(|(at_1_khz, exponent)| Loss::Material(LossFactor { at_1_khz, exponent })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_plate_runs_or_says_why_not(
        sides in [magnitude(1e-2, 1e1), magnitude(1e-2, 1e1)],
        thickness in magnitude(1e-5, 1e-1),
        density in magnitude(1e1, 3e4),
        youngs_modulus in magnitude(1e5, 1e12),
        poissons_ratio in -1.2..0.7,
        loss in losses(),
        clamped in any::<bool>(),
        grid in proptest::option::weighted(0.3, [0usize..60, 0usize..60]),
        rate in magnitude(1e3, 2e5),
    ) {
        let edges = if clamped { PlateEdges::Clamped } else { PlateEdges::SimplySupported };
        let spec = PlateSpec {
            outline: Outline::Rectangle(sides),
            thickness,
            density,
            youngs_modulus,
            poissons_ratio,
            loss,
            edges,
            grid,
            ..PlateSpec::default()
        };
        match spec.on_grid(rate, 3000) {
            Ok(sheet) => assert_runs(sheet),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn any_membrane_runs_or_says_why_not(
        sides in [magnitude(1e-2, 1e1), magnitude(1e-2, 1e1)],
        tension in magnitude(1e0, 1e6),
        tuned in any::<bool>(),
        weight in magnitude(1e-3, 1e2),
        loss in losses(),
        grid in proptest::option::weighted(0.3, [0usize..60, 0usize..60]),
        rate in magnitude(1e3, 2e5),
    ) {
        let tension = if tuned { Tension::Fundamental(tension) } else { Tension::NewtonsPerMetre(tension) };
        let surface_density = SurfaceDensity::KilogramsPerSquareMetre(weight);
        let spec = MembraneSpec { outline: Outline::Rectangle(sides), tension, surface_density, loss, grid, ..MembraneSpec::default() };
        match spec.on_grid(rate, 3000) {
            Ok(sheet) => assert_runs(sheet),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

#[test]
fn a_grid_keeps_half_a_percent_from_the_bound_unless_it_is_asked_for() {
    let plate = small_plate(16.0, 12.0, 0.0, 0.0, PlateEdges::Clamped);
    assert_eq!(build_plate(&plate).dimensions(), [16, 12]);
    assert_eq!(build_plate(&PlateSpec { grid: Some([16, 12]), ..plate }).dimensions(), [17, 13]);
    for millimetres in 100..200 {
        let spec = MembraneSpec {
            outline: Outline::Rectangle([0.3, 1e-3 * f64::from(millimetres)]),
            ..MembraneSpec::default()
        };
        let Constants { x, y, sx, sy, .. } = build_membrane(&spec).constants;
        // λx² + λy² + 2(sx + sy) ≤ 1 is the bound of a membrane; all constants are divided by 1 + σ0k.
        let used = (x + y + 2.0 * (sx + sy)) * (1.0 + 3.0 / RATE);
        assert!(1.005 * 1.005 * used < 1.0 + 1e-9, "{millimetres} mm: {used}");
    }
}
