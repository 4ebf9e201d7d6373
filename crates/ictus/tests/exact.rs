//! The closed results for one impact: against 200 random impacts, against tables computed with 40 and more digits, against
//! an integration of the equation of motion, and for the laws they must obey over the whole range of parameters.

use ictus::impact::exact::{WallImpact, output_velocity};
use ode_solvers::{Dop853, OutputType, System, Vector2};
use proptest::prelude::*;
use serde_json::Value;

fn relative(value: f64, exact: f64) -> f64 {
    if value == exact { 0.0 } else { ((value - exact) / exact).abs() }
}

fn cases(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

fn number(case: &Value, field: &str) -> f64 {
    case[field].as_f64().unwrap()
}

fn unit_impact(exponent: f64, dissipation: f64) -> WallImpact {
    WallImpact { mass: 1.0, stiffness: 1.0, exponent, dissipation, velocity: 1.0 }
}

/// The allowances are those of the file: against 40 digits its x_max and v_out err by up to 7e-13, its damped contact
/// times by 1.5e-11, its lossless ones by 2.9e-10. The tables below are exact to the last place.
#[test]
fn the_200_reference_impacts_are_met() {
    let cases = cases(include_str!("data/impacts.json"));
    assert_eq!(cases.len(), 200);
    for case in &cases {
        let impact = WallImpact {
            mass: number(case, "mass"),
            stiffness: number(case, "stiffness"),
            exponent: number(case, "exponent"),
            dissipation: number(case, "dissipation"),
            velocity: number(case, "velocity"),
        };
        assert!(relative(impact.max_compression(), number(case, "max_compression")) < 1e-12, "{case}");
        assert!(relative(impact.output_velocity(), number(case, "output_velocity")) < 1e-12, "{case}");
        assert!(relative(impact.output_velocity_approx(), number(case, "output_velocity_approx")) < 1e-13, "{case}");
        let allowed = if impact.dissipation == 0.0 { 3e-10 } else { 2e-11 };
        assert!(relative(impact.contact_time(), number(case, "contact_time")) < allowed, "{case}");
    }
}

/// The table is the second root of P09 (6), found with at least 60 digits.
#[test]
fn the_output_velocity_is_exact_to_the_last_places() {
    for case in cases(include_str!("data/output_velocity.json")) {
        let (mu, v_in) = (number(&case, "dissipation"), number(&case, "velocity"));
        let v_out = output_velocity(mu, v_in);
        assert!(relative(v_out, number(&case, "output_velocity")) <= 4.5e-16, "{v_out} {case}");
    }
}

/// The table integrates P09 (9) over the velocity with 50 digits, m = K = v_in = 1.
#[test]
fn contact_times_hold_from_no_damping_to_creep() {
    for case in cases(include_str!("data/contact_time.json")) {
        let impact = unit_impact(number(&case, "exponent"), number(&case, "dissipation"));
        let (x, t) = (impact.max_compression(), impact.contact_time());
        assert!(relative(x, number(&case, "max_compression")) < 1e-15, "{x} {case}");
        assert!(relative(t, number(&case, "contact_time")) < 3e-15, "{t} {case}");
    }
}

/// The equation of motion, free outside the wall.
struct Motion(WallImpact);

impl System<f64, Vector2<f64>> for Motion {
    fn system(&self, _: f64, y: &Vector2<f64>, dy: &mut Vector2<f64>) {
        let p = &self.0;
        dy[0] = y[1];
        dy[1] = -p.stiffness / p.mass * y[0].max(0.0).powf(p.exponent) * (1.0 + p.dissipation * y[1]);
    }
}

/// Displacement and velocity after a time.
fn integrate(impact: WallImpact, time: f64) -> (f64, f64) {
    let start = Vector2::new(0.0, impact.velocity);
    let mut solver = Dop853::new(Motion(impact), 0.0, time, time, start, 1e-13, 1e-15);
    solver.set_output(OutputType::Sparse);
    solver.integrate().unwrap();
    let end = solver.y_out().last().unwrap();
    (end[0], end[1])
}

#[test]
fn an_integration_of_the_motion_agrees() {
    for exponent in [1.0, 1.5, 3.0, 10.0] {
        for w in [0.0, 1e-6, 0.1, 1.0, 10.0, 100.0] {
            let impact = unit_impact(exponent, w);
            // After the release the flight is free, so its line leads back to the moment of release.
            let late = 1.02 * impact.contact_time();
            let (x, v) = integrate(impact, late);
            let (mut early, mut turned) = (0.0, late);
            for _ in 0..32 {
                let middle = 0.5 * (early + turned);
                if integrate(impact, middle).1 > 0.0 { early = middle } else { turned = middle }
            }
            let errors = [
                relative(integrate(impact, turned).0, impact.max_compression()),
                relative(v, impact.output_velocity()),
                relative(late - x / v, impact.contact_time()),
            ];
            assert!(errors.iter().all(|error| *error < 1e-11), "{exponent} {w}: {errors:?}");
        }
    }
}

#[test]
fn a_strongly_damped_mass_creeps_out_at_the_limit_velocity() {
    for exponent in [1.0, 1.5, 3.0, 10.0] {
        let impact = unit_impact(exponent, 1e6);
        let limit = impact.limit_velocity().unwrap();
        assert_eq!(impact.output_velocity(), limit);
        let expansion = impact.max_compression() / limit.abs();
        assert!(relative(impact.contact_time(), expansion) < 2e-5);
        assert!(impact.contact_time() > expansion);
    }
}

#[test]
fn a_lossless_impact_is_the_limit_of_weak_damping() {
    for exponent in [1.0, 1.5, 2.3, 3.0, 10.0] {
        let (without, with) = (unit_impact(exponent, 0.0), unit_impact(exponent, 1e-200));
        assert_eq!(without.output_velocity(), -1.0);
        assert_eq!(without.limit_velocity(), None);
        assert_eq!(without.max_compression(), with.max_compression());
        assert!(relative(with.contact_time(), without.contact_time()) < 2e-15);
    }
    let spring = unit_impact(1.0, 0.0);
    assert!(relative(spring.contact_time(), std::f64::consts::PI) < 1e-15);
    assert!(relative(spring.max_compression(), 1.0) < 1e-15);
}

#[test]
fn no_step_where_one_formula_hands_over_to_another() {
    // w where the series of v_out ends, where the gap's series ends, and where the creep begins; then x(v) at v = 0.
    for w in [1.358_f64, 1.0, 64.0] {
        let (a, b) = (output_velocity(w * (1.0 - 1e-13), 1.0), output_velocity(w * (1.0 + 1e-13), 1.0));
        assert!(relative(a, b) < 4e-13, "{w}");
    }
    let mut previous = output_velocity(1.35, 1.0);
    for n in 1..=20_000 {
        let next = output_velocity(1.35 + n as f64 * 1e-6, 1.0);
        assert!(next > previous && relative(next, previous) < 1e-6, "{n}");
        previous = next;
    }
    for w in [0.0, 1e-6, 0.3, 1.0, 5.0, 30.0] {
        let impact = unit_impact(1.5, w);
        assert!(relative(impact.displacement_at(-1e-12), impact.max_compression()) < 1e-13);
        assert!(relative(impact.displacement_at(1e-12), impact.max_compression()) < 1e-13);
        assert!(relative(impact.displacement_at(0.0), impact.max_compression()) < 1e-15);
    }
    // The expansion is measured from v_out or from v_in according to (v - v_out)/(1 + μ v); both agree.
    for w in [1.5_f64, 3.0, 8.0] {
        let impact = unit_impact(1.5, w);
        let v = (0.5 / w + impact.output_velocity()) / 0.5;
        let (a, b) = (impact.displacement_at(v * (1.0 - 1e-13)), impact.displacement_at(v * (1.0 + 1e-13)));
        // Two steps of 1e-13 |v| apart, on a slope of order 1/(1 + μ v).
        assert!(v < 0.0 && relative(a, b) < 1e-13 + 4e-13 / (1.0 + w * v), "{w}: {}", relative(a, b));
    }
}

#[test]
fn outside_the_range_the_answers_stay_harmless() {
    let impact = unit_impact(1.5, 0.5);
    for v in [impact.velocity, 2.0, f64::INFINITY, impact.output_velocity(), -3.0, f64::NEG_INFINITY, f64::NAN] {
        assert_eq!(impact.displacement_at(v), 0.0);
    }
    for velocity in [0.0, -1.0] {
        for dissipation in [0.0, 0.5] {
            let rest = WallImpact { velocity, dissipation, ..impact };
            assert_eq!(rest.max_compression(), 0.0);
            assert_eq!(rest.output_velocity(), 0.0);
            assert_eq!(rest.output_velocity_approx(), 0.0);
            assert_eq!(rest.contact_time(), 0.0);
            assert_eq!(rest.initial_energy(), 0.0);
            assert_eq!(rest.final_energy(), 0.0);
        }
    }
    assert_eq!(output_velocity(0.5, f64::NAN), 0.0);
    assert_eq!(output_velocity(f64::NAN, 2.0), -2.0);
    assert_eq!(output_velocity(-1.0, 2.0), -2.0);
    assert_eq!(output_velocity(0.5, f64::INFINITY), -2.0);
    assert_eq!(output_velocity(f64::INFINITY, 2.0), 0.0);
}

/// P09 (7)-(8) as printed, and the size of its error, P09 figure 3.
#[test]
fn the_approximation_is_that_of_the_paper() {
    let mut worst = 0.0_f64;
    for n in 1..=500 {
        let w = n as f64 * 0.02;
        let impact = unit_impact(1.5, w);
        let sum = 1.0 + w + 2.0 / 3.0 * w.powi(2) + 2.0 / 9.0 * w.powi(3) + 14.0 / 135.0 * w.powi(4);
        let printed = -(1.0 - sum * (-2.0 * w).exp()) / w;
        assert!(relative(impact.output_velocity_approx(), printed) < 4e-16 / w.min(1.0));
        worst = worst.max(relative(impact.output_velocity_approx(), impact.output_velocity()));
    }
    assert!(worst > 0.020 && worst < 0.021, "{worst}");
}

/// Impacts over the whole range: w = 0 or 10⁻⁸ … 10⁶, α = 1 … 10, m/K over 30 decades.
fn impacts() -> impl Strategy<Value = WallImpact> {
    let decades = |from: f64, to: f64| (from..to).prop_map(|d: f64| 10.0_f64.powf(d));
    let w = prop_oneof![1 => Just(0.0), 9 => decades(-8.0, 6.0)];
    (decades(-5.0, 5.0), decades(-10.0, 10.0), 1.0..10.0, w, decades(-3.0, 3.0)).prop_map(
        |(mass, stiffness, exponent, w, velocity)| WallImpact {
            mass,
            stiffness,
            exponent,
            dissipation: w / velocity,
            velocity,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn results_are_finite_positive_and_passive(impact in impacts()) {
        let (x, v, t) = (impact.max_compression(), impact.output_velocity(), impact.contact_time());
        prop_assert!(x.is_finite() && x > 0.0);
        prop_assert!(t.is_finite() && t > 0.0);
        prop_assert!(v < 0.0 && -v <= impact.velocity);
        prop_assert!(impact.limit_velocity().is_none_or(|limit| v >= limit));
        prop_assert!(impact.final_energy() <= impact.initial_energy());
        let approximate = impact.output_velocity_approx();
        prop_assert!(relative(approximate, v) < 0.03, "{} {}", approximate, v);
    }

    #[test]
    fn stronger_damping_rebounds_slower(d in -8.0..6.0_f64, step in 1e-6..2.0_f64) {
        let w = 10.0_f64.powf(d);
        let (weak, strong) = (output_velocity(w, 1.0), output_velocity(w * (1.0 + step), 1.0));
        prop_assert!(weak < strong);
        // The dimensionless rebound μ v_out grows towards its limit.
        prop_assert!(w * weak >= w * (1.0 + step) * strong * (1.0 + 1e-15));
    }

    #[test]
    fn time_and_compression_scale_with_mass_over_stiffness(impact in impacts(), d in -10.0..10.0_f64) {
        let ratio = 10.0_f64.powf(d);
        let heavier = WallImpact { mass: impact.mass * ratio, ..impact };
        let scale = ratio.powf(1.0 / (impact.exponent + 1.0));
        prop_assert!(relative(heavier.contact_time() / impact.contact_time(), scale) < 5e-15);
        prop_assert!(relative(heavier.max_compression() / impact.max_compression(), scale) < 5e-15);
        let softer = WallImpact { stiffness: impact.stiffness / ratio, ..impact };
        prop_assert!(relative(softer.contact_time(), heavier.contact_time()) < 5e-15);
        prop_assert_eq!(heavier.output_velocity(), impact.output_velocity());
    }

    #[test]
    fn energy_falls_along_the_orbit(impact in impacts()) {
        let energy = |v: f64| impact.kinetic_energy(v) + impact.potential_energy(impact.displacement_at(v));
        let (v_in, v_out) = (impact.velocity, impact.output_velocity());
        let mut before = impact.initial_energy();
        let rounding = 1e-13 * before;
        for n in 1..100 {
            let along = f64::from(n) / 100.0;
            let now = energy(v_in + along * (v_out - v_in));
            prop_assert!(now <= before + rounding, "{} {} {}", n, now, before);
            before = now;
        }
        prop_assert!(impact.final_energy() <= before + rounding);
        prop_assert_eq!(impact.displacement_at(v_in), 0.0);
        prop_assert_eq!(impact.displacement_at(v_out), 0.0);
        prop_assert!(relative(impact.displacement_at(0.0), impact.max_compression()) < 1e-14);
        let peak = impact.displacement_at(0.0);
        prop_assert!(impact.displacement_at(0.01 * v_in) <= peak && impact.displacement_at(0.5 * v_out) <= peak);
    }

    #[test]
    fn the_ends_of_the_orbit_are_resolved(impact in impacts(), d in -10.0..-3.0_f64) {
        // To first order K x^(α+1)/(α+1) = m |v_end| |v - v_end|/(1 + μ v_end).
        let step = 10.0_f64.powf(d);
        let expected = |end: f64, v: f64| impact.mass * end * (end - v) / (1.0 + impact.dissipation * end);
        let stored = |v: f64| impact.potential_energy(impact.displacement_at(v));
        let start = impact.velocity * (1.0 - step);
        prop_assert!(relative(stored(start), expected(impact.velocity, start)) < 1e-13 + 2.0 * step);
        // At the other end 1 + μ v_out is the scale, and v_out itself is rounded.
        let v_out = impact.output_velocity();
        let scale = 1.0 + impact.dissipation * v_out;
        if impact.dissipation * impact.velocity < 5.0 {
            let end = v_out * (1.0 - step * scale);
            let rounding = 1e-15 / (step * scale * scale);
            prop_assert!(relative(stored(end), expected(v_out, end)) < rounding + 2.0 * step);
        }
    }
}
