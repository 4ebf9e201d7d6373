//! Many springs and dampers on one body, and a hammer among them, against an integrator that knows nothing of islands.

use crate::common;

use common::Random;
use ictus::Model;
use ictus::id::ObjectId;
use ictus::laws::{HuntCrossley, OddPower};
use ictus::model::{Interaction, Point};
use ictus::objects::{Decay, MassSpec, ModalSpec, ModeSpec, Place};

/// A board of three modes; masses that hang on it by springs with dampers; and a hammer that flies at one of them.
struct Hung {
    /// Mass in kg and angular frequency in rad/s of each mode of the board.
    modes: [[f64; 2]; 3],
    /// Mass in kg, stiffness in N/m and damping in N s/m of what hangs, and the weights of the modes at its place.
    hung: Vec<([f64; 3], [f64; 3])>,
    hammer: f64,
    law: [f64; 3],
    velocity: f64,
    gap: f64,
}

/// Time in s at which places are compared: the hammer has struck and the board has swung.
const END: f64 = 4e-3;

impl Hung {
    fn random(random: &mut Random) -> Self {
        let mode = |random: &mut Random, low, high| {
            [random.decades(0.02, 0.2), std::f64::consts::TAU * random.decades(low, high)]
        };
        let modes = [mode(random, 50.0, 200.0), mode(random, 200.0, 600.0), mode(random, 600.0, 1500.0)];
        let hung = |random: &mut Random| {
            let mass = random.decades(2e-3, 2e-2);
            let omega = std::f64::consts::TAU * random.decades(100.0, 1500.0);
            let measures = [mass, mass * omega * omega, random.decades(1e-2, 1.0)];
            (measures, [(); 3].map(|()| random.between(-1.0, 1.0)))
        };
        let count = 2 + random.below(6);
        let hung: Vec<_> = (0..count).map(|_| hung(random)).collect();
        let velocity = random.between(0.5, 2.0);
        let law = [random.decades(3e6, 3e7), 1.5, random.between(0.0, 0.5)];
        Self { modes, hung, hammer: random.decades(2e-3, 2e-2), law, velocity, gap: velocity * 1e-4 }
    }

    fn derivative(&self, y: &[f64]) -> Vec<f64> {
        let count = self.hung.len();
        let (board, rest) = y.split_at(6);
        let (masses, hammer) = rest.split_at(2 * count);
        let mut dy = vec![0.0; y.len()];
        let mut on_board = [0.0; 3];
        for (index, (&([mass, stiffness, damping], weights), own)) in
            self.hung.iter().zip(masses.chunks_exact(2)).enumerate()
        {
            let at = |part: usize| (0..3).map(|mode| weights[mode] * board[2 * mode + part]).sum::<f64>();
            let pull = stiffness * (own[0] - at(0)) + damping * (own[1] - at(1));
            (0..3).for_each(|mode| on_board[mode] += weights[mode] * pull);
            let [k, exponent, dissipation] = self.law;
            let depth = if index == 0 { (hammer[0] - own[0] - self.gap).max(0.0) } else { 0.0 };
            let blow = (k * depth.powf(exponent) * (1.0 + dissipation * (hammer[1] - own[1]))).max(0.0);
            (dy[6 + 2 * index], dy[7 + 2 * index]) = (own[1], (blow - pull) / mass);
            if index == 0 {
                (dy[6 + 2 * count], dy[7 + 2 * count]) = (hammer[1], -blow / self.hammer);
            }
        }
        for (mode, [mass, omega]) in self.modes.iter().enumerate() {
            dy[2 * mode] = board[2 * mode + 1];
            dy[2 * mode + 1] = on_board[mode] / mass - omega * omega * board[2 * mode];
        }
        dy
    }

    /// Where masses and hammer are in the end, in m, by Runge and Kutta in steps of a microsecond.
    fn truth(&self) -> Vec<f64> {
        let mut y = vec![0.0; 8 + 2 * self.hung.len()];
        *y.last_mut().unwrap() = self.velocity;
        let k = 1e-6;
        let moved = |y: &[f64], d: &[f64], by: f64| y.iter().zip(d).map(|(y, d)| y + by * d).collect::<Vec<f64>>();
        for _ in 0..(END / k).round() as usize {
            let a = self.derivative(&y);
            let b = self.derivative(&moved(&y, &a, 0.5 * k));
            let c = self.derivative(&moved(&y, &b, 0.5 * k));
            let d = self.derivative(&moved(&y, &c, k));
            (0..y.len()).for_each(|i| y[i] += k * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0);
        }
        y[6..].chunks_exact(2).map(|pair| pair[0]).collect()
    }

    /// The same by the engine, and the residual of its account.
    fn run(&self, rate: f64) -> (Vec<f64>, f64) {
        let mode =
            |[mass, omega]: [f64; 2]| ModeSpec { frequency: omega / std::f64::consts::TAU, decay: Decay::None, mass };
        let points = self.hung.iter().map(|(_, weights)| weights.to_vec()).collect();
        let mut model = Model::new(rate).with("board", ModalSpec { modes: self.modes.map(mode).to_vec(), points });
        for (index, &([mass, stiffness, damping], _)) in self.hung.iter().enumerate() {
            let name = format!("mass {index}");
            let spring = OddPower::new(stiffness, 1.0).unwrap();
            let on_board = Point::on("board", Place::Point(index));
            let hang = Interaction::new(&format!("spring {index}"), Point::of(&name), on_board, spring);
            model = model.with(&name, MassSpec::free(mass)).join(Interaction { damping, ..hang });
        }
        let [stiffness, exponent, dissipation] = self.law;
        let law = HuntCrossley::new(stiffness, exponent, dissipation).unwrap();
        let blow = Interaction::new("blow", Point::of("hammer"), Point::of("mass 0"), law);
        model = model
            .with("hammer", MassSpec { velocity: self.velocity, ..MassSpec::free(self.hammer) })
            .join(Interaction { gap: self.gap, ..blow });
        let mut engine = model.build().unwrap();
        engine.keep_account_of_energy(true);
        engine.advance((END * rate).round() as usize);
        let objects = 1..self.hung.len() + 2;
        let places = objects.map(|object| engine.displacement(ObjectId::new(object), Place::Whole).unwrap()).collect();
        (places, engine.balance().residual())
    }
}

#[test]
fn masses_on_springs_on_one_board_move_as_an_integrator_says() {
    let mut errors = [Vec::new(), Vec::new()];
    for seed in 0..60 {
        let hung = Hung::random(&mut Random::new(seed));
        let truth = hung.truth();
        let largest = truth.iter().fold(0.0_f64, |largest, place| largest.max(place.abs()));
        for (errors, rate) in errors.iter_mut().zip([48e3, 192e3]) {
            let (places, residual) = hung.run(rate);
            assert!(residual < 1e-12, "{seed} at {rate} Hz: residual {residual:e}");
            let apart = places.iter().zip(&truth).map(|(found, truth)| (found - truth).abs()).fold(0.0, f64::max);
            errors.push(apart / largest);
        }
    }
    let [mut coarse, mut fine] = errors;
    coarse.sort_by(f64::total_cmp);
    fine.sort_by(f64::total_cmp);
    println!(
        "48 kHz: median {:.2e}, largest {:.2e}; 192 kHz: {:.2e}, {:.2e}",
        coarse[30], coarse[59], fine[30], fine[59]
    );
    assert!(coarse[30] < 2e-3 && coarse[59] < 2e-2, "{} {}", coarse[30], coarse[59]);
    assert!(fine[30] < coarse[30] / 8.0 && fine[59] < coarse[59] / 8.0, "{} {}", fine[30], fine[59]);
}
