//! A04's hammer and resonator: three ways to compute it, and what they must agree on.

use ictus::impact::exact::WallImpact;
use ictus::impact::strike::{Strike, StrikeError, Struck};
use ictus::objects::ModalSpec;
use ode_solvers::{Dop853, OutputType, SVector, System};

const RATE: f64 = 44_100.0;

fn strike(modal_mass: f64, rate: f64) -> Strike {
    let hammer = WallImpact { mass: 0.01, stiffness: 3e7, exponent: 1.5, dissipation: 0.3, velocity: 1.0 };
    Strike { hammer, resonator: ModalSpec::three_mode_bar(300.0, 200.0, modal_mass), rate }
}

#[test]
fn a_resonator_that_cannot_give_is_a_wall() {
    let strike = strike(1e8, RATE);
    let wall = strike.hammer;
    let struck = strike.integrated(100).unwrap();
    assert!((struck.contact_time().unwrap() / wall.contact_time() - 1.0).abs() < 1e-9);
    assert!((struck.restitution().unwrap() / -wall.output_velocity() - 1.0).abs() < 1e-9);
}

/// The same equations by another method, stopped at the first release.
struct Equations(Strike);

impl System<f64, SVector<f64, 8>> for Equations {
    fn system(&self, _: f64, y: &SVector<f64, 8>, dy: &mut SVector<f64, 8>) {
        let (hammer, modes) = (&self.0.hammer, &self.0.resonator.modes);
        let compression = y[0] - (y[2] + y[4] + y[6]);
        let velocity = y[1] - (y[3] + y[5] + y[7]);
        let force =
            hammer.stiffness * compression.max(0.0).powf(hammer.exponent) * (1.0 + hammer.dissipation * velocity);
        dy[0] = y[1];
        dy[1] = -force / hammer.mass;
        for (j, mode) in modes.iter().enumerate() {
            let omega = std::f64::consts::TAU * mode.frequency;
            let sigma = mode.decay.sigma(mode.frequency).unwrap();
            dy[2 + 2 * j] = y[3 + 2 * j];
            dy[3 + 2 * j] = force / mode.mass - omega * omega * y[2 + 2 * j] - 2.0 * sigma * y[3 + 2 * j];
        }
    }
}

#[test]
fn the_integrated_strike_is_the_solution_of_the_differential_equations() {
    let strike = strike(0.02, RATE);
    let samples = 150;
    let struck = strike.integrated(samples).unwrap();
    assert!(struck.contacts.len() > 1, "the case has a bounce: {:?}", struck.contacts);
    let mut start = SVector::<f64, 8>::zeros();
    start[1] = strike.hammer.velocity;
    let end = samples as f64 / RATE;
    let mut solver = Dop853::new(Equations(strike), 0.0, end, end, start, 1e-13, 1e-16);
    solver.set_output(OutputType::Sparse);
    solver.integrate().unwrap();
    let y = solver.y_out().last().unwrap();
    let displacement = y[2] + y[4] + y[6];
    let error = (struck.displacement[samples] - displacement) / displacement;
    assert!(error.abs() < 1e-7, "{error:e}");
}

/// Largest force in N of the first 20 ms by an adaptive integrator of order eight, read every 0.05 µs.
fn peak_force(strike: &Strike) -> f64 {
    let mut start = SVector::<f64, 8>::zeros();
    start[1] = strike.hammer.velocity;
    let mut solver = Dop853::new(Equations(strike.clone()), 0.0, 0.02, 5e-8, start, 1e-12, 1e-18);
    solver.integrate().unwrap();
    let equations = Equations(strike.clone());
    let force = |y: &SVector<f64, 8>| {
        let mut slope = SVector::<f64, 8>::zeros();
        equations.system(0.0, y, &mut slope);
        -strike.hammer.mass * slope[1]
    };
    solver.y_out().iter().map(force).fold(0.0, f64::max)
}

/// A04's figure 4(c): at α = 1.5 the first contact lasts 1.4 samples of 44.1 kHz, and the samples miss its peak.
#[test]
fn the_peak_force_of_a_short_strike_converges_to_that_of_the_differential_equations() {
    for (exponent, newtons) in [(1.5, 265.95), (2.5, 14.6425)] {
        let hammer = WallImpact { mass: 0.01, stiffness: 8e9, exponent, dissipation: 0.3, velocity: 1.0 };
        let strike = |rate: f64| Strike { hammer, resonator: ModalSpec::three_mode_bar(300.0, 300.0, 0.01), rate };
        let truth = peak_force(&strike(RATE));
        assert!((truth / newtons - 1.0).abs() < 3e-4, "{truth} N");
        let sampled = |rate: f64, way: fn(&Strike, usize) -> Result<Struck, StrikeError>| {
            way(&strike(rate), (0.02 * rate) as usize).unwrap().force.into_iter().fold(0.0, f64::max) / truth - 1.0
        };
        for way in [Strike::integrated, Strike::by_am1, Strike::by_engine] {
            let error = sampled(32.0 * RATE, way);
            assert!(error.abs() < 3e-3, "α = {exponent}: {error:e}");
        }
    }
}

#[test]
fn am1_and_the_engine_converge_to_the_integrated_strike() {
    let errors = |rate: f64| {
        let strike = strike(0.1, rate);
        let samples = (0.004 * rate) as usize;
        let truth = strike.integrated(samples).unwrap();
        let scale = truth.displacement.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        [strike.by_am1(samples).unwrap(), strike.by_engine(samples).unwrap()].map(|struck| {
            let difference = struck.displacement.iter().zip(&truth.displacement).map(|(a, b)| (a - b).abs());
            let time = struck.contact_time().unwrap() / truth.contact_time().unwrap() - 1.0;
            (difference.fold(0.0, f64::max) / scale, time.abs())
        })
    };
    let (coarse, fine) = (errors(RATE), errors(8.0 * RATE));
    for (way, (coarse, fine)) in ["am1", "engine"].iter().zip(coarse.into_iter().zip(fine)) {
        assert!(coarse.0 < 0.03 && fine.0 < coarse.0 / 20.0, "{way}: displacement {coarse:?} {fine:?}");
        assert!(coarse.1 < 0.01 && fine.1 < coarse.1 / 4.0, "{way}: contact time {coarse:?} {fine:?}");
    }
}

#[test]
fn a_strike_keeps_its_energy_but_for_what_the_contact_and_the_modes_lose() {
    let mut lossless = strike(0.02, RATE);
    lossless.hammer.dissipation = 0.0;
    lossless.resonator.modes.iter_mut().for_each(|mode| mode.decay = ictus::objects::Decay::None);
    let samples = 400;
    let mut engine = lossless.model().unwrap().build().unwrap();
    engine.keep_account_of_energy(true);
    engine.advance(samples);
    assert!(engine.balance().residual() < 1e-12);
}

#[test]
fn what_is_no_hammer_or_resonator_is_refused() {
    let mut bad = strike(0.02, RATE);
    bad.hammer.stiffness = -1.0;
    assert!(bad.integrated(10).is_err() && bad.by_am1(10).is_err() && bad.by_engine(10).is_err());
    let mut bad = strike(0.02, RATE);
    bad.hammer.velocity = f64::NAN;
    assert!(bad.integrated(10).is_err() && bad.by_am1(10).is_err());
}
