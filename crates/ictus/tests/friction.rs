//! Friction: bound by its law in every sample, true to a differential equation, and never a source of energy.

use ictus::contact::Rule;
use ictus::id::ContactId;
use ictus::laws::{BowFriction, ContactLaw};
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{
    BarSpec, BarrierSpec, Decay, MassSpec, Method, ModalSpec, ModeSpec, Place, PlateSpec, StringMass, StringPitch,
    StringSpec,
};
use ictus::{Engine, Model};
use ode_solvers::{Dop853, OutputType, System, Vector2};
use proptest::prelude::*;

/// Numbers spread evenly over decades.
fn decades(low: f64, high: f64) -> impl Strategy<Value = f64> {
    (low.ln()..high.ln()).prop_map(f64::exp)
}

fn rate() -> impl Strategy<Value = f64> {
    prop_oneof![Just(8e3), Just(44.1e3), Just(48e3), Just(384e3), decades(8e3, 384e3)]
}

fn law() -> impl Strategy<Value = BowFriction> {
    let sliding = prop_oneof![Just(0.0), Just(BowFriction::SLIDING), 0.0..0.99_f64];
    (decades(1e-2, 30.0), decades(1.0, 1e6), sliding).prop_map(|(force, sharpness, sliding)| {
        BowFriction::new(force, sharpness).unwrap().with_sliding(sliding).unwrap()
    })
}

/// What is rubbed, and a model with it at a rate in Hz, called "rubbed", with the point to rub.
#[derive(Clone, Debug)]
enum Rubbed {
    Mass { mass: f64, velocity: f64 },
    Oscillator { mass: f64, frequency: f64, velocity: f64 },
    Modes { masses: Vec<f64>, frequency: f64 },
    String { frequency: f64, per_length: f64, at: f64 },
    Bar { at: f64 },
    Plate { at: [f64; 2] },
}

fn rubbed() -> impl Strategy<Value = Rubbed> {
    let velocity = || -3.0..3.0_f64;
    prop_oneof![
        (decades(1e-4, 1.0), velocity()).prop_map(|(mass, velocity)| Rubbed::Mass { mass, velocity }),
        (decades(1e-4, 1.0), decades(20.0, 3e3), velocity())
            .prop_map(|(mass, frequency, velocity)| Rubbed::Oscillator { mass, frequency, velocity }),
        (prop::collection::vec(decades(1e-3, 1.0), 1..8), decades(30.0, 500.0))
            .prop_map(|(masses, frequency)| Rubbed::Modes { masses, frequency }),
        (decades(40.0, 800.0), decades(1e-4, 1e-2), 0.02..0.98_f64)
            .prop_map(|(frequency, per_length, at)| Rubbed::String { frequency, per_length, at }),
        (0.0..1.0_f64).prop_map(|at| Rubbed::Bar { at }),
        (0.1..0.9_f64, 0.1..0.9_f64).prop_map(|(x, y)| Rubbed::Plate { at: [x, y] }),
    ]
}

impl Rubbed {
    fn model(&self, rate: f64) -> (Model, Point) {
        let model = Model::new(rate);
        match self.clone() {
            Self::Mass { mass, velocity } => {
                (model.with("rubbed", MassSpec { velocity, ..MassSpec::free(mass) }), Point::of("rubbed"))
            }
            Self::Oscillator { mass, frequency, velocity } => {
                let oscillator = MassSpec::oscillator(mass, frequency, Decay::Sigma(1.0));
                (model.with("rubbed", MassSpec { velocity, ..oscillator }), Point::of("rubbed"))
            }
            Self::Modes { masses, frequency } => {
                let mode = |(n, mass): (usize, &f64)| ModeSpec {
                    frequency: frequency * (n + 1) as f64,
                    decay: Decay::Sigma(3.0),
                    mass: *mass,
                };
                let modes: Vec<ModeSpec> = masses.iter().enumerate().map(mode).collect();
                let points = vec![modes.iter().enumerate().map(|(n, _)| 1.0 - 0.1 * n as f64).collect()];
                (model.with("rubbed", ModalSpec { modes, points }), Point::on("rubbed", Place::Point(0)))
            }
            Self::String { frequency, per_length, at } => {
                let pitch = StringPitch::Fundamental(frequency);
                let string = StringSpec { pitch, mass: StringMass::PerLength(per_length), ..StringSpec::default() };
                (model.with("rubbed", string), Point::on("rubbed", Place::Along(at)))
            }
            Self::Bar { at } => (model.with("rubbed", BarSpec::default()), Point::on("rubbed", Place::Along(at))),
            Self::Plate { at: [x, y] } => {
                let plate = PlateSpec { method: Method::Grid, grid: Some([9, 8]), ..PlateSpec::default() };
                (model.with("rubbed", plate), Point::on("rubbed", Place::On(x, y)))
            }
        }
    }
}

/// Steps and looks at friction in every sample: within its bound, and against the motion; and that the account closes.
fn check_every_sample(engine: &mut Engine, bound: f64, samples: usize) -> Result<(), TestCaseError> {
    engine.keep_account_of_energy(true);
    let mut compressions = [engine.compression(ContactId::new(0)).unwrap(); 3];
    for sample in 0..samples {
        engine.advance(1);
        compressions = [compressions[1], compressions[2], engine.compression(ContactId::new(0)).unwrap()];
        let force = engine.interaction_force(ContactId::new(0)).unwrap();
        prop_assert!(force.abs() <= bound * (1.0 + 1e-12), "{force} N of {bound} N in sample {sample}");
        // Of a step that rounding has made nothing of, the sign says nothing.
        let (step, size) = (compressions[2] - compressions[0], compressions[2].abs() + compressions[0].abs());
        if sample > 0 && step.abs() > 1e-13 * size {
            prop_assert!(force * step >= 0.0, "{force} N along {step} m in sample {sample}");
        }
    }
    let balance = engine.balance();
    // At 384 kHz a step of a low mode is a millionth of its displacement, and rounds the account by as much more.
    prop_assert!(balance.residual() <= 1e-11, "{:e} {balance:?}", balance.residual());
    prop_assert!(balance.dissipated >= 0.0);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn friction_never_exceeds_its_bound_and_only_dissipates(
        rubbed in rubbed(), rate in rate(), law in law(), velocity in -3.0..3.0_f64,
        rule in prop_oneof![4 => Just(Rule::Secant), 1 => Just(Rule::Basic), 1 => Just(Rule::NonAdhesive)],
        bow_is_below in any::<bool>(),
    ) {
        let (model, point) = rubbed.model(rate);
        let (from, to) = if bow_is_below { (Point::of("bow"), point) } else { (point, Point::of("bow")) };
        let mut interaction = Interaction::new("friction", from, to, law);
        interaction.rule = rule;
        let mut engine =
            model.with("bow", BarrierSpec { height: 0.0, velocity }).join(interaction).build().unwrap();
        check_every_sample(&mut engine, law.normal_force(), 3000)?;
    }

    #[test]
    fn so_it_is_between_two_things_that_both_move(
        rubbed in rubbed(), rate in rate(), law in law(),
        mass in decades(1e-4, 1.0), velocity in -3.0..3.0_f64,
    ) {
        let (model, point) = rubbed.model(rate);
        let mut engine = model
            .with("block", MassSpec { velocity, ..MassSpec::free(mass) })
            .join(Interaction::new("friction", Point::of("block"), point, law))
            .build()
            .unwrap();
        check_every_sample(&mut engine, law.normal_force(), 2000)?;
    }
}

/// A damper beside the friction is no part of its bound: the two add.
#[test]
fn a_damper_beside_it_leaves_friction_its_bound() {
    let (law, damping, velocity) = (BowFriction::new(0.5, 100.0).unwrap(), 0.2, 4.0);
    let mut interaction = Interaction::new("friction", Point::of("block"), Point::of("floor"), law);
    interaction.damping = damping;
    let rate = 48e3;
    let mut engine = Model::new(rate)
        .with("block", MassSpec { velocity, ..MassSpec::free(0.01) })
        .with("floor", BarrierSpec::default())
        .join(interaction)
        .build()
        .unwrap();
    let mut previous = engine.compression(ContactId::new(0)).unwrap();
    engine.advance(1);
    for sample in 0..9600 {
        let now = engine.compression(ContactId::new(0)).unwrap();
        engine.advance(1);
        let sliding = 0.5 * rate * (engine.compression(ContactId::new(0)).unwrap() - previous);
        previous = now;
        let friction = engine.interaction_force(ContactId::new(0)).unwrap() - damping * sliding;
        assert!(friction.abs() <= law.normal_force() * (1.0 + 1e-9), "{friction} N in sample {sample}");
        let expected = law.resistance(0.0, sliding) * sliding;
        assert!((friction - expected).abs() < 2e-3 * law.normal_force(), "{friction} N, {expected} N by the law");
    }
}

/// A bow drawn fast over a block lets it feel the level of sliding.
#[test]
fn a_bow_drawn_fast_still_pulls() {
    let pulled = |sliding: f64, bow: f64| {
        let law = BowFriction::new(0.5, 100.0).unwrap().with_sliding(sliding).unwrap();
        let mut engine = Model::new(48e3)
            .with("block", MassSpec::free(0.1))
            .with("bow", BarrierSpec { height: 0.0, velocity: bow })
            .join(Interaction::new("bowing", Point::of("bow"), Point::of("block"), law))
            .listen(Pickup { source: Source::Velocity(Point::of("block")), gains: vec![1.0] })
            .build()
            .unwrap();
        let mut heard = vec![0.0; 4800];
        engine.process(&mut heard);
        heard[4799]
    };
    // 0.1 s of 30 % of 0.5 N on 0.1 kg.
    for bow in [2.0, 10.0, 100.0] {
        let velocity = pulled(BowFriction::SLIDING, bow);
        assert!((velocity / 0.15 - 1.0).abs() < 1e-3, "{velocity} m/s by a bow of {bow} m/s");
        assert!(pulled(0.0, bow).abs() < 1e-9);
    }
}

/// A block on a spring on a moving belt: `m ẍ = F(v_belt - ẋ) - m ω² x`.
#[derive(Clone, Copy)]
struct StickSlip {
    mass: f64,
    frequency: f64,
    belt: f64,
    law: BowFriction,
}

impl System<f64, Vector2<f64>> for StickSlip {
    fn system(&self, _: f64, y: &Vector2<f64>, dy: &mut Vector2<f64>) {
        let omega = std::f64::consts::TAU * self.frequency;
        let sliding = self.belt - y[1];
        dy[0] = y[1];
        dy[1] = self.law.resistance(0.0, sliding) * sliding / self.mass - omega * omega * y[0];
    }
}

/// Half the range of the displacement in m, and the period in s, over the last 0.4 s of evenly spaced samples.
fn cycle(displacements: &[f64], rate: f64) -> (f64, f64) {
    let last = &displacements[displacements.len() - (0.4 * rate) as usize..];
    let (low, high) = last.iter().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
    let middle = 0.5 * (low + high);
    let crossings: Vec<f64> = last
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0] < middle && pair[1] >= middle)
        .map(|(n, pair)| n as f64 + (middle - pair[0]) / (pair[1] - pair[0]))
        .collect();
    let periods = crossings.len() - 1;
    (0.5 * (high - low), (crossings[periods] - crossings[0]) / periods as f64 / rate)
}

impl StickSlip {
    const SECONDS: f64 = 1.0;

    fn by_differential_equation(self) -> (f64, f64) {
        let rate = 1e5;
        let mut solver = Dop853::new(self, 0.0, Self::SECONDS, 1.0 / rate, Vector2::zeros(), 1e-11, 1e-13);
        solver.set_output(OutputType::Dense);
        solver.integrate().unwrap();
        let displacements: Vec<f64> = solver.y_out().iter().map(|y| y[0]).collect();
        cycle(&displacements, rate)
    }

    fn by_engine(self, rate: f64) -> (f64, f64) {
        let mut engine = Model::new(rate)
            .with("block", MassSpec::oscillator(self.mass, self.frequency, Decay::None))
            .with("belt", BarrierSpec { height: 0.0, velocity: self.belt })
            .join(Interaction::new("friction", Point::of("belt"), Point::of("block"), self.law))
            .listen(Pickup { source: Source::Displacement(Point::of("block")), gains: vec![1.0] })
            .build()
            .unwrap();
        let mut heard = vec![0.0; (Self::SECONDS * rate) as usize];
        engine.process(&mut heard);
        cycle(&heard, rate)
    }
}

#[test]
fn a_block_on_a_moving_belt_sticks_and_slips_as_its_differential_equation_says() {
    let law = |force: f64, sharpness: f64, sliding: f64| {
        BowFriction::new(force, sharpness).unwrap().with_sliding(sliding).unwrap()
    };
    let cases = [
        StickSlip { mass: 0.01, frequency: 100.0, belt: 0.1, law: law(2.0, 1000.0, 0.3) },
        StickSlip { mass: 0.01, frequency: 100.0, belt: 0.1, law: law(2.0, 1000.0, 0.0) },
        StickSlip { mass: 0.02, frequency: 220.0, belt: 0.05, law: law(3.0, 3000.0, 0.5) },
    ];
    for case in cases {
        let (amplitude, period) = case.by_differential_equation();
        let free = 1.0 / case.frequency;
        assert!(period > 1.1 * free, "sticks: {period} s against {free} s");
        // Second order: the error falls by sixteen when the rate is four times as high.
        for (rate, allowed) in [(12e3, 1.5e-3), (48e3, 1e-4), (192e3, 6e-6)] {
            let (got_amplitude, got_period) = case.by_engine(rate);
            let errors = [got_amplitude / amplitude - 1.0, got_period / period - 1.0];
            assert!(errors.iter().all(|error| error.abs() < allowed), "{errors:?} at {rate} Hz");
        }
    }
}

/// Contacts that are solved together: two bows, a spring and a wall on one body of modes.
#[test]
fn friction_keeps_within_its_bound_beside_other_contacts() {
    use ictus::laws::{HuntCrossley, LinearCubicSpring};
    for rate in [8e3, 48e3, 192e3] {
        for case in 0..12 {
            let mode = |n: usize| ModeSpec {
                frequency: 110.0 * (n + 1) as f64,
                decay: Decay::Sigma(3.0),
                mass: 2e-3 * (1 + (n * (case + 3)) % 5) as f64,
            };
            let weights = |at: f64| (1..=6).map(|n| (std::f64::consts::PI * n as f64 * at).sin()).collect();
            let points = [0.11, 0.13 + 0.02 * case as f64, 0.4, 0.7].map(weights).to_vec();
            let body = ModalSpec { modes: (0..6).map(mode).collect(), points };
            let bounds = [0.5 + 0.3 * case as f64, 1.0];
            let at = |point| Point::on("body", Place::Point(point));
            let bow = |name: &str, point: usize, force: f64| {
                let hair = BowFriction::new(force, 200.0).unwrap();
                Interaction::new(name, at(point), Point::of(name), hair)
            };
            let mut engine = Model::new(rate)
                .with("body", body)
                .with("first bow", BarrierSpec { height: 0.0, velocity: 0.2 })
                .with("second bow", BarrierSpec { height: 0.0, velocity: -0.3 })
                .with("weight", MassSpec::free(0.02))
                .with("wall", BarrierSpec { height: 1e-5, velocity: 0.0 })
                .join(bow("first bow", 0, bounds[0]))
                .join(bow("second bow", 1, bounds[1]))
                .join(Interaction::new("spring", at(2), Point::of("weight"), LinearCubicSpring::new(1e5, 0.0).unwrap()))
                .join(Interaction::new("rattle", at(3), Point::of("wall"), HuntCrossley::new(1e7, 1.5, 0.2).unwrap()))
                .build()
                .unwrap();
            engine.keep_account_of_energy(true);
            for sample in 0..(0.05 * rate) as usize {
                engine.advance(1);
                for (bow, bound) in bounds.iter().enumerate() {
                    let force = engine.interaction_force(ContactId::new(bow)).unwrap();
                    assert!(force.abs() <= bound * (1.0 + 1e-12), "{force} N of {bound} N, {rate} Hz, sample {sample}");
                }
            }
            assert!(engine.balance().residual() < 1e-12, "{:e}", engine.balance().residual());
            assert!(engine.balance().dissipated > 0.0);
        }
    }
}
