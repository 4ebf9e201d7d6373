//! Hammers of felt on a wall and on a string, beside their differential equations.

use ictus::Model;
use ictus::laws::{Law, StulovFelt};
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, Decay, MassSpec, ModalSpec, ModeSpec, Place};
use ode_solvers::{DVector, Dop853, OutputType, System};

use super::{CONTACT, felts, named, piano};

/// A mass on a felt, and whatever the felt rests on in modes: `ẍ = -f/m`, `q̈ = -ω²q + f w/m_i`, `ż = (Kη^α - z)/τ`, z in N.
struct Blow {
    felt: [f64; 4],
    mass: f64,
    /// Angular frequency in rad/s, mass in kg and weight of each mode.
    modes: Vec<[f64; 3]>,
}

impl Blow {
    fn force(&self, y: &DVector<f64>) -> f64 {
        (self.pressed(y) - self.felt[2] * y[2]).max(0.0)
    }

    fn pressed(&self, y: &DVector<f64>) -> f64 {
        self.felt[0] * self.compression(y).max(0.0).powf(self.felt[1])
    }

    fn compression(&self, y: &DVector<f64>) -> f64 {
        y[0] - self.modes.iter().enumerate().map(|(i, mode)| mode[2] * y[3 + 2 * i]).sum::<f64>()
    }
}

impl System<f64, DVector<f64>> for &Blow {
    fn system(&self, _: f64, y: &DVector<f64>, dy: &mut DVector<f64>) {
        let force = self.force(y);
        dy[0] = y[1];
        dy[1] = -force / self.mass;
        dy[2] = (self.pressed(y) - y[2]) / self.felt[3];
        for (i, [omega, mass, weight]) in self.modes.iter().enumerate() {
            dy[3 + 2 * i] = y[4 + 2 * i];
            dy[4 + 2 * i] = weight * force / mass - omega * omega * y[3 + 2 * i];
        }
    }
}

impl Blow {
    fn new(felt: StulovFelt, mass: f64, modes: Vec<[f64; 3]>) -> Self {
        let numbers: Vec<f64> = Law::from(felt).parameters().collect();
        Self { felt: numbers.try_into().unwrap(), mass, modes }
    }

    /// Velocities of the mass in m/s and largest force in N, from the first touch on, at a rate in Hz.
    fn by_differential_equation(&self, velocity: f64, seconds: f64, rate: f64) -> (Vec<f64>, f64) {
        let mut start = DVector::zeros(3 + 2 * self.modes.len());
        start[1] = velocity;
        // Accurate to 1e-9; felts of pianos are stiff, and are to be solved in short steps nonetheless.
        let [safety, beta, least, most] = [0.9, 0.0, 0.333, 6.0];
        let (step, count, dense) = (1.0 / rate, u32::MAX, OutputType::Dense);
        let mut solver = Dop853::from_param(
            self, 0.0, seconds, step, start, 1e-9, 1e-14, safety, beta, least, most, seconds, 0.0, count, count, dense,
        );
        solver.integrate().unwrap();
        let force = solver.y_out().iter().map(|y| self.force(y)).fold(0.0, f64::max);
        (solver.y_out().iter().map(|y| y[1]).collect(), force)
    }

    /// The same by the engine, the mass coming from below or above and starting so many samples before the touch.
    fn by_engine(&self, velocity: f64, seconds: f64, rate: f64, phase: f64, below: bool) -> (Vec<f64>, f64) {
        let [k, alpha, eps, tau] = self.felt;
        let law = StulovFelt::new(k, alpha, eps, tau).unwrap();
        let side = if below { 1.0 } else { -1.0 };
        let hammer = MassSpec {
            displacement: -side * velocity * phase / rate,
            velocity: side * velocity,
            ..MassSpec::free(self.mass)
        };
        let model = Model::new(rate).with("hammer", hammer);
        let (model, struck) = if self.modes.is_empty() {
            (model.with("struck", BarrierSpec::default()), Point::of("struck"))
        } else {
            let mode = |&[omega, mass, _]: &[f64; 3]| ModeSpec {
                frequency: omega / std::f64::consts::TAU,
                decay: Decay::None,
                mass,
            };
            let points = vec![self.modes.iter().map(|mode| mode[2]).collect()];
            let body = ModalSpec { modes: self.modes.iter().map(mode).collect(), points };
            (model.with("struck", body), Point::on("struck", Place::Point(0)))
        };
        let hammer = Point::of("hammer");
        let (from, to) = if below { (hammer.clone(), struck) } else { (struck, hammer.clone()) };
        let mut engine = model
            .join(Interaction::new("felt", from, to, law))
            .listen(Pickup { source: Source::Velocity(hammer), gains: vec![side] })
            .build()
            .unwrap();
        engine.keep_account_of_energy(true);
        let (mut heard, mut most) = (vec![0.0; (seconds * rate) as usize], 0.0_f64);
        for sample in heard.chunks_mut(1) {
            engine.process(sample);
            most = most.max(engine.interaction_force(CONTACT).unwrap());
        }
        let balance = engine.balance();
        assert!(balance.residual() <= 1e-12, "{:e}", balance.residual());
        (heard, most)
    }
}

#[test]
fn a_felt_hammer_rebounds_from_a_wall_as_its_differential_equation_says() {
    let mut faults = Vec::new();
    for (felt, mass, velocity) in felts() {
        let name = named(&felt);
        let blow = Blow::new(felt, mass, vec![]);
        let (velocities, force) = blow.by_differential_equation(velocity, 0.006, 1e5);
        let rebound = velocities[velocities.len() - 1];
        let errors = [48e3, 192e3].map(|rate| {
            let error = |phase: i32| {
                let (heard, peak) = blow.by_engine(velocity, 0.006, rate, 2.0 + f64::from(phase) / 8.0, phase % 2 == 0);
                [(heard[heard.len() - 1] / rebound - 1.0).abs(), (peak / force - 1.0).abs()]
            };
            (0..8).map(error).fold([0.0_f64; 2], |worst, error| [worst[0].max(error[0]), worst[1].max(error[1])])
        });
        let found = format!(
            "{name}: rebound {rebound:.4} m/s, {force:.1} N: {errors:.1?}",
            errors = errors.map(|e| e.map(|e| 1e6 * e))
        );
        println!("{found}");
        let converges = errors[1].iter().zip(errors[0]).all(|(fine, coarse)| *fine < 0.6 * coarse + 2e-5);
        let allowed = if felt.relaxation_time() > 1e-5 { 0.006 } else { 0.02 };
        if errors[0].iter().any(|error| *error > allowed) || !converges {
            faults.push(found);
        }
    }
    assert!(faults.is_empty(), "errors in 1e-6: {faults:#?}");
}

#[test]
fn a_felt_hammer_leaves_a_string_as_its_differential_equation_says() {
    // Twenty modes of a string of 5 g and 0.65 m at 220 Hz, struck at an eighth.
    let mode = |n: i32| {
        let n = f64::from(n);
        [std::f64::consts::TAU * 220.0 * n, 0.0025, (std::f64::consts::PI * n / 8.0).sin()]
    };
    let modes: Vec<[f64; 3]> = (1..=20).map(mode).collect();
    let felt = |k, alpha, eps, tau| StulovFelt::new(k, alpha, eps, tau).unwrap();
    let mut faults = Vec::new();
    for (felt, allowed) in [
        (felt(4e8, 2.3, 0.2, 1e-4), 2e-3),
        (felt(4e8, 2.5, 0.5, 5e-4), 2e-3),
        (felt(1e10, 2.5, 0.9, 1e-4), 4e-3),
        // Light modes and a stiffness a hundred times that of rest: 5 % at 48 kHz, 2e-4 at 192 kHz.
        (piano(30.0), 0.06),
    ] {
        let (name, blow) = (named(&felt), Blow::new(felt, 0.008, modes.clone()));
        for rate in [48e3, 192e3] {
            let (expected, _) = blow.by_differential_equation(1.5, 0.01, rate);
            let (heard, _) = blow.by_engine(1.5, 0.01, rate, 0.0, true);
            let apart: f64 =
                heard.iter().zip(&expected).map(|(heard, expected)| (heard - expected).abs()).fold(0.0, f64::max);
            let found = format!("{name} at {rate} Hz: {apart:.1e} of 1.5 m/s");
            println!("{found}");
            if apart > 1.5 * allowed * (48e3 / rate).powf(1.5) {
                faults.push(found);
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
