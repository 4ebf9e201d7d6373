//! A hard plectrum on a string of gut: it holds the string until it slips off, and does not bounce.

use crate::common::Random;

use ictus::laws::OneSidedPower;
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{BarPitch, BarSpec, BarrierSpec, End, Loss, Place, Section, StringMass, StringPitch, StringSpec};
use ictus::{Engine, Model};
use std::f64::consts::{PI, TAU};

/// A string, a plectrum at it and how it is drawn.
#[derive(Clone, Copy, Debug)]
struct Pluck {
    length: f64,
    pitch: f64,
    radius: f64,
    place: f64,
    stiffness: f64,
    /// Force in N at which it slips off, and how fast it is drawn, in m/s.
    force: f64,
    velocity: f64,
}

impl Pluck {
    fn random(random: &mut Random) -> Self {
        Self {
            length: random.between(0.5, 1.3),
            pitch: random.between(60.0, 250.0),
            radius: random.between(2e-4, 6e-4),
            place: random.between(0.1, 0.4),
            stiffness: random.decades(3e4, 3e5),
            force: random.between(1.0, 3.0),
            velocity: random.between(0.1, 0.5),
        }
    }

    /// Any hardness, drawn until it slips in forty periods of the string.
    fn slow(random: &mut Random) -> Self {
        let pluck = Self {
            stiffness: random.decades(1e3, 1e7),
            pitch: random.decades(60.0, 800.0),
            force: random.decades(0.1, 5.0),
            place: random.between(0.03, 0.5),
            ..Self::random(random)
        };
        let drawn = pluck.force * (pluck.give(100) + 1.0 / pluck.stiffness);
        Self { velocity: drawn * pluck.pitch / 40.0, ..pluck }
    }

    /// How far a newton pulls that many modes of the string, in m/N.
    fn give(&self, modes: usize) -> f64 {
        let mass = 1300.0 * PI * self.radius * self.radius * self.length;
        let of_mode = |mode: f64| 2.0 * ((mode * PI * self.place).sin() / (TAU * mode * self.pitch)).powi(2) / mass;
        (1..=modes).map(|mode| of_mode(mode as f64)).sum()
    }

    /// How far the energy it leaves is off what its force stores in as many modes as the string has.
    fn error(&self, rate: f64, highest: f64) -> f64 {
        let (energy, contacts) = self.energy_and_contacts(rate, highest);
        let stored = 0.5 * self.force * self.force * self.give((highest / self.pitch) as usize);
        let error = (energy / stored - 1.0).abs();
        if error > 0.06 {
            println!("{rate} Hz, {contacts} contacts, {error:.3}: {self:?}");
        }
        error
    }

    fn build(&self, rate: f64, highest: f64) -> Engine {
        let string = StringSpec {
            length: self.length,
            pitch: StringPitch::Fundamental(self.pitch),
            radius: self.radius,
            mass: StringMass::Density(1300.0),
            youngs_modulus: 3e9,
            highest: Some(highest),
            loss: Loss::t60_at(&[(100.0, 4.0), (2000.0, 0.8)]),
            ..StringSpec::default()
        };
        let edge = OneSidedPower::new(self.stiffness, 1.0, 0.0).unwrap();
        let mut plectrum =
            Interaction::new("plectrum", Point::of("plectrum"), Point::on("string", Place::Along(self.place)), edge);
        plectrum.slips_at = Some(self.force);
        let mut engine = Model::new(rate)
            .with("string", string)
            .with("plectrum", BarrierSpec { height: -1e-3 * self.velocity, velocity: self.velocity })
            .join(plectrum)
            .listen(Pickup { source: Source::Velocity(Point::on("string", Place::Along(0.71))), gains: vec![1.0] })
            .build()
            .unwrap();
        engine.keep_account_of_energy(true);
        engine
    }

    /// The energy in J that the string has when the plectrum has slipped off, and how many contacts that took.
    fn energy_and_contacts(&self, rate: f64, highest: f64) -> (f64, usize) {
        let mut engine = self.build(rate, highest);
        let (string, contact) = (engine.object("string").unwrap(), engine.interaction("plectrum").unwrap());
        while engine.is_active(contact) == Some(true) && (engine.time() as f64) < rate {
            engine.advance(1);
        }
        assert!(engine.balance().residual() < 1e-11, "{self:?}: {:?}", engine.balance());
        // The last one is still open.
        (engine.object_energy(string).unwrap(), 1 + engine.drain_contacts().count())
    }
}

#[test]
fn a_hard_plectrum_pulls_as_far_as_on_a_string_with_all_its_modes() {
    let mut random = Random::new(15);
    let pluck = |_| {
        let pluck = Pluck::random(&mut random);
        let (energy, contacts) = pluck.energy_and_contacts(48_000.0, 20_000.0);
        let (truth, _) = pluck.energy_and_contacts(384_000.0, 160_000.0);
        assert!(contacts <= 3, "{pluck:?} touches {contacts} times");
        (energy / truth - 1.0).abs()
    };
    let mut errors: Vec<f64> = (0..40).map(pluck).collect();
    errors.sort_by(f64::total_cmp);
    println!("energy of the string: median {:.4}, p90 {:.4}, largest {:.4}", errors[20], errors[36], errors[39]);
    // One in forty of the references bounces itself. Without the tangent: median 29 %, p90 92 %.
    assert!(errors[20] < 0.01 && errors[36] < 0.1, "{errors:?}");
}

/// Drawn slowly, a plectrum shapes the string into two straight lines: the work up to the slip is `F² x (1 - x) L/2T`, the tension being `4 L² f² ρA`; of that
/// the modes up to n hold `F²/2 Σ 2 sin²(nπx)/(ρAL (2π n f)²)`, what bends a string of gut left aside.
#[test]
fn a_plectrum_that_is_drawn_slowly_leaves_the_energy_of_the_triangle() {
    const COUNT: usize = 150;
    for (rate, highest) in [(48_000.0, 20_000.0), (44_100.0, 18_000.0), (96_000.0, 20_000.0), (384_000.0, 20_000.0)] {
        let mut random = Random::new(16);
        let mut errors: Vec<f64> = (0..COUNT).map(|_| Pluck::slow(&mut random).error(rate, highest)).collect();
        errors.sort_by(f64::total_cmp);
        let (median, largest) = (errors[COUNT / 2], errors[COUNT - 1]);
        println!("{rate} Hz: median {median:.4}, p90 {:.4}, largest {largest:.4}", errors[COUNT * 9 / 10]);
        // Forty periods are not for ever: the force swings by a few per cent. One that bounces leaves 30 % of the energy, or none.
        assert!(median < 0.012 && largest < 0.2, "{rate} Hz: {errors:?}");
    }
}

/// The pin of a music box lifts a tine, clamped at one end: `F² (xL)³/6EI` is what it has when it slips off.
#[test]
fn a_pin_leaves_a_tine_the_energy_of_a_bent_cantilever() {
    let mut random = Random::new(17);
    let mut tine = |_| {
        let (length, thickness) = (random.between(0.015, 0.04), random.between(4e-4, 8e-4));
        let (place, force) = (random.between(0.5, 1.0), random.decades(0.05, 0.5));
        let stiffness = random.decades(1e3, 1e6);
        let section = Section::Rectangular { width: 2.5e-3, thickness };
        let give = (place * length).powi(3) / (3.0 * 2e11 * 2.5e-3 * thickness.powi(3) / 12.0);
        let pitch = 0.1615 * thickness / (length * length) * (2e11_f64 / 7850.0).sqrt();
        let bar = BarSpec {
            length,
            section,
            density: 7850.0,
            pitch: BarPitch::YoungsModulus(2e11),
            ends: [End::Clamped, End::Free],
            loss: Loss::t60_at(&[(250.0, 4.5), (6000.0, 0.4)]),
            ..BarSpec::default()
        };
        let velocity = force * (give + 1.0 / stiffness) * pitch / 40.0;
        let mut pin = Interaction::new(
            "pin",
            Point::of("pin"),
            Point::on("tine", Place::Along(place)),
            OneSidedPower::new(stiffness, 1.0, 0.0).unwrap(),
        );
        pin.slips_at = Some(force);
        let mut engine = Model::new(48_000.0)
            .with("tine", bar)
            .with("pin", BarrierSpec { height: -1e-3 * velocity, velocity })
            .join(pin)
            .build()
            .unwrap();
        let (tine, contact) = (engine.object("tine").unwrap(), engine.interaction("pin").unwrap());
        while engine.is_active(contact) == Some(true) && engine.time() < 96_000 {
            engine.advance(1);
        }
        (engine.object_energy(tine).unwrap() / (0.5 * force * force * give) - 1.0).abs()
    };
    let mut errors: Vec<f64> = (0..60).map(&mut tine).collect();
    errors.sort_by(f64::total_cmp);
    println!("median {:.4}, p90 {:.4}, largest {:.4}", errors[30], errors[54], errors[59]);
    assert!(errors[30] < 0.02 && errors[59] < 0.1, "{errors:?}");
}
