//! Whole instruments: each of W19's systems built and its account closed, and truths about what they do.

use ictus::contact::Rule;
use ictus::control::Change;
use ictus::id::ObjectId;
use ictus::laws::{BowFriction, CentreLimited, HuntCrossley, LinearCubicSpring, OneSidedPower};
use ictus::model::{Interaction, Pickup, Point, Source, Spread};
use ictus::objects::{
    BarrierSpec, Decay, Loss, MassSpec, Method, ModalSpec, ModeSpec, Outline, Place, PlateSpec, Profile, StringMass,
    StringPitch, StringSpec,
};
use ictus::{Engine, Model};
use ode_solvers::{Dop853, OutputType, System, Vector6};

const RATE: f64 = 44_100.0;

fn mass(mass: f64, displacement: f64, velocity: f64) -> MassSpec {
    MassSpec { displacement, velocity, ..MassSpec::free(mass) }
}

fn string(frequency: f64) -> StringSpec {
    StringSpec { pitch: StringPitch::Fundamental(frequency), ..StringSpec::default() }
}

fn lossless(frequency: f64) -> StringSpec {
    StringSpec { loss: Loss::None, ..string(frequency) }
}

fn along(object: &str, fraction: f64) -> Point {
    Point::on(object, Place::Along(fraction))
}

fn hear(point: Point) -> Pickup {
    Pickup { source: Source::Displacement(point), gains: vec![1.0] }
}

/// Runs for some seconds with the account kept; returns what was heard.
fn run(engine: &mut Engine, seconds: f64) -> Vec<f64> {
    engine.keep_account_of_energy(true);
    let mut block = vec![0.0; (seconds * engine.rate()) as usize * engine.channels()];
    engine.process(&mut block);
    assert!(block.iter().all(|sample| sample.is_finite()));
    block
}

fn assert_closed(engine: &Engine, system: &str) {
    let balance = engine.balance();
    assert!(balance.residual() < 1e-12, "{system}: {:e} {balance:?}", balance.residual());
}

#[test]
fn w19_mass_spring_against_a_barrier() {
    let oscillator = MassSpec { velocity: 1.0, ..MassSpec::oscillator(0.01, 110.0, Decay::None) };
    let mut engine = Model::new(RATE)
        .with("mass", oscillator)
        .with("barrier", BarrierSpec { height: 5e-4, velocity: 0.0 })
        .join(Interaction::new(
            "hit",
            Point::of("mass"),
            Point::of("barrier"),
            OneSidedPower::new(1e8, 1.3, 0.0).unwrap(),
        ))
        .listen(hear(Point::of("mass")))
        .build()
        .unwrap();
    let heard = run(&mut engine, 2.0);
    assert_closed(&engine, "mass-spring and barrier");
    let top = heard.iter().copied().fold(f64::MIN, f64::max);
    assert!(top > 5e-4 && top < 5.5e-4, "rises to {top}");
}

#[test]
fn w19_two_colliding_mass_springs() {
    let mut engine = Model::new(RATE)
        .with("u", MassSpec { displacement: 2e-3, ..MassSpec::oscillator(0.01, 90.0, Decay::None) })
        .with("w", MassSpec { velocity: 0.5, ..MassSpec::oscillator(0.5, 37.0, Decay::None) })
        .join(Interaction::new("hit", Point::of("w"), Point::of("u"), OneSidedPower::new(1e9, 1.5, 0.0).unwrap()))
        .build()
        .unwrap();
    run(&mut engine, 2.0);
    assert_closed(&engine, "two mass-springs");
}

#[test]
fn w19_string_against_string_on_one_grid() {
    let mut contact =
        Interaction::new("touch", Point::of("below"), Point::of("above"), OneSidedPower::new(1e9, 1.3, 0.0).unwrap());
    contact.spread = Some(Spread::Neighbours);
    contact.gap = 1e-4;
    let upper =
        StringSpec { mass: StringMass::PerLength(2e-3), method: Method::Grid, segments: Some(80), ..lossless(110.0) };
    let mut engine = Model::new(RATE)
        .with("below", StringSpec { method: Method::Grid, segments: Some(80), ..lossless(140.0) })
        .with("above", upper)
        .join(contact)
        .listen(hear(along("above", 0.3)))
        .build()
        .unwrap();
    let below = engine.object("below").unwrap();
    engine
        .change(&ictus::control::Change::Pluck { object: below, centre: 0.3, half_width: 0.1, height: 2e-3 })
        .unwrap();
    run(&mut engine, 1.0);
    assert_closed(&engine, "string and string");
    assert!(engine.object_energy(ObjectId::new(1)).unwrap() > 0.0, "the upper string was struck");
}

#[test]
fn w19_mass_spring_against_a_string() {
    let mut engine = Model::new(RATE)
        .with("string", lossless(100.0))
        .with("mass", MassSpec { displacement: -1e-3, velocity: 1.0, ..MassSpec::oscillator(0.005, 30.0, Decay::None) })
        .join(Interaction::new(
            "hit",
            Point::of("mass"),
            along("string", 0.137),
            OneSidedPower::new(1e7, 1.3, 0.0).unwrap(),
        ))
        .build()
        .unwrap();
    run(&mut engine, 2.0);
    assert_closed(&engine, "mass and string");
}

/// W19 section 7 and 8: string, bridge, plate; the string joined to the bridge by a spring or by a two-sided collision.
fn tromba(two_sided: bool, losses: bool) -> Model {
    let loss = if losses { 1.0 } else { 0.0 };
    let string = StringSpec {
        length: 1.9,
        pitch: StringPitch::Fundamental(32.0),
        radius: 5e-4,
        loss: Loss::sigma(0.1 * loss, 5e-4 * loss),
        ..StringSpec::default()
    };
    let plate = PlateSpec {
        outline: Outline::Rectangle([1.35, 0.18]),
        thickness: 0.01,
        density: 50.0,
        youngs_modulus: 2e5,
        loss: Loss::sigma(1.343 * loss, 4.59e-3 * loss),
        // As soft as this it has 12,000 modes below 20 kHz.
        highest: Some(5000.0),
        ..PlateSpec::default()
    };
    let decay = if losses { Decay::Sigma(0.05) } else { Decay::None };
    let bridge = MassSpec::oscillator(0.001, 80.0, decay);
    let at_bridge = along("string", 0.9);
    let mut joint = if two_sided {
        Interaction::new("joint", at_bridge, Point::of("bridge"), CentreLimited::new(5e6, 1.5, 0.0).unwrap())
    } else {
        Interaction::new("joint", at_bridge, Point::of("bridge"), LinearCubicSpring::new(1e5, 1e10).unwrap())
    };
    joint.damping = 0.2 * loss;
    let rattle = Interaction::new(
        "rattle",
        Point::on("plate", Place::On(0.37, 0.5)),
        Point::of("bridge"),
        OneSidedPower::new(5e8, 1.0, 0.0).unwrap(),
    );
    Model::new(RATE)
        .with("string", string)
        .with("bridge", bridge)
        .with("plate", plate)
        .join(joint)
        .join(rattle)
        .listen(hear(Point::on("plate", Place::On(0.2, 0.3))))
}

#[test]
fn w19_tromba_marina_by_spring_and_by_collision() {
    for (two_sided, losses) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut engine = tromba(two_sided, losses).build().unwrap();
        engine
            .change(&ictus::control::Change::Pluck {
                object: ObjectId::new(0),
                centre: 0.8,
                half_width: 0.1,
                height: 2e-3,
            })
            .unwrap();
        let heard = run(&mut engine, 1.0);
        assert_closed(&engine, &format!("tromba, two-sided {two_sided}, losses {losses}"));
        assert!(heard.iter().any(|sample| sample.abs() > 1e-9), "the plate sounds");
    }
}

#[test]
fn w19_bridge_between_string_and_barrier() {
    let mut engine = Model::new(RATE)
        .with("string", StringSpec { youngs_modulus: 0.0, ..lossless(70.0) })
        .with("bridge", mass(0.002, 0.0, 0.0))
        .with("barrier", BarrierSpec { height: -1e-5, velocity: 0.0 })
        .join(Interaction::new(
            "above",
            Point::of("bridge"),
            along("string", 0.1),
            CentreLimited::new(1e7, 1.5, 0.0).unwrap(),
        ))
        .join(Interaction::new(
            "below",
            Point::of("barrier"),
            Point::of("bridge"),
            OneSidedPower::new(1e8, 1.3, 0.0).unwrap(),
        ))
        .build()
        .unwrap();
    engine
        .change(&ictus::control::Change::Pluck { object: ObjectId::new(0), centre: 0.5, half_width: 0.2, height: 3e-3 })
        .unwrap();
    run(&mut engine, 1.0);
    assert_closed(&engine, "bridge, string and barrier");
}

#[test]
fn a_bowed_string_sticks_and_slips_at_its_pitch() {
    let frequency = 110.0;
    let mut bowing =
        Interaction::new("bow", along("string", 0.13), Point::of("bow"), BowFriction::new(0.4, 100.0).unwrap());
    bowing.rule = Rule::Secant;
    let mut engine = Model::new(RATE)
        .with("string", StringSpec { mass: StringMass::PerLength(3e-3), ..string(frequency) })
        .with("bow", BarrierSpec { height: 0.0, velocity: 0.15 })
        .join(bowing)
        .listen(Pickup { source: Source::Velocity(along("string", 0.13)), gains: vec![1.0] })
        .build()
        .unwrap();
    let heard = run(&mut engine, 3.0);
    assert_closed(&engine, "bowed string");
    assert!(engine.balance().supplied > 0.0);
    let last = &heard[heard.len() - 44_100..];
    // Helmholtz motion: most of the period the string moves with the bow, then slips back once.
    let sticking = last.iter().filter(|v| (**v - 0.15).abs() < 0.05).count() as f64 / last.len() as f64;
    let fastest = last.iter().copied().fold(0.0, |fastest: f64, v| fastest.min(v));
    assert!(sticking > 0.6, "sticks {sticking} of the time");
    assert!(fastest < -0.3, "slips back at {fastest} m/s");
    let slips = last.windows(2).filter(|pair| pair[0] > -0.1 && pair[1] <= -0.1).count();
    assert!((slips as f64 - frequency).abs() < 0.1 * frequency, "{slips} slips a second");
}

#[test]
fn a_string_on_a_curved_bridge_stays_above_it() {
    let bridge = Profile::Parabola { start: 0.0, end: 0.05, apex: 0.0, apex_height: 0.0, drop: 3e-4 };
    let mut contact = Interaction::new(
        "jawari",
        Point::of("bridge"),
        Point::of("string"),
        OneSidedPower::new(1e10, 1.3, 0.0).unwrap(),
    );
    contact.spread = Some(Spread::Profile(bridge));
    let mut engine = Model::new(RATE)
        .with("string", string(130.0))
        .with("bridge", BarrierSpec::default())
        .join(contact)
        .listen(hear(along("string", 0.03)))
        .build()
        .unwrap();
    engine
        .change(&ictus::control::Change::Pluck { object: ObjectId::new(0), centre: 0.4, half_width: 0.1, height: 2e-3 })
        .unwrap();
    run(&mut engine, 2.0);
    assert_closed(&engine, "string on a curved bridge");
}

/// A hammer and two modes, integrated adaptively.
struct Hammered {
    frequencies: [f64; 2],
    masses: [f64; 2],
    stiffness: f64,
    exponent: f64,
    dissipation: f64,
    hammer: f64,
    velocity: f64,
}

impl Hammered {
    const CASE: Self = Self {
        frequencies: [400.0, 1100.0],
        masses: [0.05, 0.06],
        stiffness: 3e7,
        exponent: 1.6,
        dissipation: 0.3,
        hammer: 0.02,
        velocity: 1.5,
    };

    /// State at a time in s, or at the first release if that comes before: hammer and modes, displacement and velocity each.
    fn at(until: f64) -> (f64, Vector6<f64>) {
        let mut start = Vector6::zeros();
        start[1] = Self::CASE.velocity;
        let mut solver = Dop853::new(Self::CASE, 0.0, until, 1e-6, start, 1e-12, 1e-14);
        solver.set_output(OutputType::Sparse);
        solver.integrate().unwrap();
        (*solver.x_out().last().unwrap(), *solver.y_out().last().unwrap())
    }

    /// The same in the engine, starting `samples` of flight before the touch.
    fn engine(rate: f64, samples: f64) -> Engine {
        let Self { frequencies, masses, stiffness, exponent, dissipation, hammer, velocity } = Self::CASE;
        let mode = |i: usize| ModeSpec { frequency: frequencies[i], decay: Decay::None, mass: masses[i] };
        let resonator = ModalSpec { modes: (0..2).map(mode).collect(), points: vec![vec![1.0; 2]] };
        let law = HuntCrossley::new(stiffness, exponent, dissipation).unwrap();
        Model::new(rate)
            .with("hammer", mass(hammer, -samples * velocity / rate, velocity))
            .with("bar", resonator)
            .join(Interaction::new("hit", Point::of("hammer"), Point::on("bar", Place::Point(0)), law))
            .listen(hear(Point::of("hammer")))
            .build()
            .unwrap()
    }
}

impl System<f64, Vector6<f64>> for Hammered {
    fn system(&self, _: f64, y: &Vector6<f64>, dy: &mut Vector6<f64>) {
        let compression = y[0] - (y[2] + y[4]);
        let rate = y[1] - (y[3] + y[5]);
        let force = self.stiffness * compression.max(0.0).powf(self.exponent) * (1.0 + self.dissipation * rate);
        dy[0] = y[1];
        dy[1] = -force / self.hammer;
        for i in 0..2 {
            let omega = std::f64::consts::TAU * self.frequencies[i];
            dy[2 + 2 * i] = y[3 + 2 * i];
            dy[3 + 2 * i] = force / self.masses[i] - omega * omega * y[2 + 2 * i];
        }
    }

    fn solout(&mut self, _: f64, y: &Vector6<f64>, _: &Vector6<f64>) -> bool {
        y[0] - (y[2] + y[4]) <= 0.0 && y[1] < 0.0
    }
}

#[test]
fn contact_of_a_hammer_with_a_modal_object_lasts_as_long_as_the_ode_says() {
    let (time, end) = Hammered::at(0.02);
    let parting = end[1] - (end[3] + end[5]);
    for (rate, allowed) in [(RATE, 0.02), (8.0 * RATE, 0.003)] {
        let mut engine = Hammered::engine(rate, 2.4);
        run(&mut engine, 0.006);
        assert_closed(&engine, "hammer on modes");
        let event = engine.drain_contacts().next().unwrap();
        let lasted = (event.end - event.start) as f64 / rate;
        assert!((lasted - time).abs() < 1.5 / rate, "{lasted} s against {time} s");
        assert!((event.v_out / parting - 1.0).abs() < allowed, "{} against {parting}", event.v_out);
    }
}

#[test]
fn the_secant_rule_converges_at_second_order_or_better_in_smooth_contact() {
    let time = 5e-4;
    let truth = Hammered::at(time).1[0];
    let error = |samples: usize| {
        let mut engine = Hammered::engine(samples as f64 / time, 0.0);
        let mut heard = vec![0.0; samples + 1];
        engine.process(&mut heard);
        (heard[samples] - truth).abs()
    };
    let (coarse, fine) = (error(40), error(160));
    let order = (coarse / fine).log2() / 2.0;
    // What is stiffened is of higher order still where nothing else happens.
    assert!(order > 1.9 && coarse < 5e-8, "order {order:.2}: {coarse:e}, {fine:e}");
}

/// A mass on a string: what the string does near the contact converges as its grid is refined with the rate.
#[test]
fn a_mass_on_a_string_converges_to_the_refined_grid() {
    let velocity_after = |factor: f64| {
        let rate = factor * RATE;
        let mut engine = Model::new(rate)
            .with("string", StringSpec { youngs_modulus: 0.0, ..lossless(100.0) })
            .with("mass", mass(0.005, -1e-3, 1.0))
            .join(Interaction::new(
                "hit",
                Point::of("mass"),
                along("string", 0.5),
                OneSidedPower::new(1e6, 1.5, 0.0).unwrap(),
            ))
            .listen(Pickup { source: Source::Velocity(Point::of("mass")), gains: vec![1.0] })
            .build()
            .unwrap();
        *run(&mut engine, 0.003).last().unwrap()
    };
    let truth = velocity_after(16.0);
    let (coarse, fine) = ((velocity_after(1.0) - truth).abs(), (velocity_after(4.0) - truth).abs());
    assert!(coarse < 0.02 && fine < 0.4 * coarse, "{coarse} and {fine} from {truth}");
}

/// A barrier goes where it is told, whoever leans on it: what touches it in one place hears nothing of the others.
#[test]
fn strings_that_share_a_moving_barrier_sound_as_each_by_itself() {
    let bowed = |frequencies: &[f64]| {
        let mut model = Model::new(RATE).with("bow", BarrierSpec { height: 0.0, velocity: 0.1 });
        for (index, frequency) in frequencies.iter().enumerate() {
            let name = format!("string {frequency}");
            let at = |fraction| Point::on(&name, Place::Along(fraction));
            let hair = BowFriction::new(0.5, 100.0).unwrap();
            let mut gains = vec![0.0; frequencies.len()];
            gains[index] = 1.0;
            model = model
                .with(&name, string(*frequency))
                .join(Interaction::new(&name, at(0.13), Point::of("bow"), hair))
                .listen(Pickup { source: Source::Displacement(at(0.8)), gains });
        }
        let mut engine = model.build().unwrap();
        let mut sound = vec![0.0; 5000 * frequencies.len()];
        engine.process(&mut sound[..1000 * frequencies.len()]);
        engine.change(&Change::Velocity { object: ObjectId::new(0), velocity: -0.2 }).unwrap();
        engine.process(&mut sound[1000 * frequencies.len()..]);
        sound
    };
    let both = bowed(&[110.0, 150.0]);
    for (channel, frequency) in [110.0, 150.0].into_iter().enumerate() {
        let alone = bowed(&[frequency]);
        assert!(alone.iter().any(|sample| sample.abs() > 1e-6));
        let among: Vec<f64> = both.iter().skip(channel).step_by(2).copied().collect();
        assert_eq!(among, alone, "{frequency} Hz");
    }
}
