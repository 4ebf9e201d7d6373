//! Gravity: free bodies fall by ½gt² and bounce as rigid bodies do, held ones sag by the textbook's closed forms, and the account books its work.

use ictus::id::ObjectId;
use ictus::laws::{ContactLaw, HuntCrossley, OneSidedPower};
use ictus::model::{Force, Interaction, Model, ObjectSpec, Pickup, Point, Source};
use ictus::objects::{
    BarPitch, BarSpec, BarrierSpec, Decay, End, Loss, MassSpec, MembraneSpec, Method, ModalSpec, ModeSpec, Outline,
    Place, PlateEdges, PlateSpec, Section, StringPitch, StringSpec, Tension,
};
use ictus::weight::GRAVITY;
use ode_solvers::{Dop853, SVector, System};

const RATE: f64 = 48_000.0;

fn heavy(spec: impl Into<ObjectSpec>) -> Model {
    let model = Model::new(RATE).with("body", spec);
    let weight = Force::weight("weight", &model.objects[0]).unwrap();
    model.drive(weight)
}

fn heard(model: Model, place: Place) -> Model {
    model.listen(Pickup { source: Source::Displacement(Point::on("body", place)), gains: vec![1.0] })
}

/// A steel bar of 30 cm, 2 cm wide and 1 cm thick: 471 g, its first bending mode at 575 Hz.
fn bar() -> BarSpec {
    BarSpec {
        section: Section::Rectangular { width: 0.02, thickness: 0.01 },
        density: 7850.0,
        pitch: BarPitch::YoungsModulus(2e11),
        loss: Loss::t60(1.0),
        ..BarSpec::default()
    }
}

fn free_plate(outline: Outline) -> PlateSpec {
    PlateSpec { outline, edges: PlateEdges::Free, highest: Some(3000.0), loss: Loss::None, ..PlateSpec::default() }
}

/// Free bodies of every kind, and places on them.
fn free_bodies() -> Vec<(&'static str, ObjectSpec, Vec<Place>)> {
    let along = vec![Place::Along(0.0), Place::Along(0.37), Place::Along(1.0), Place::Everywhere];
    let on = vec![Place::On(0.5, 0.5), Place::On(0.3, 0.4), Place::Everywhere];
    let mode = |frequency| ModeSpec { frequency, decay: Decay::None, mass: 0.2 };
    let modal = ModalSpec { modes: vec![mode(0.0), mode(300.0)], points: vec![vec![0.5, 1.0], vec![0.5, -0.7]] };
    let string = StringSpec { ends: [End::Free; 2], loss: Loss::None, ..StringSpec::default() };
    vec![
        ("mass", MassSpec::free(0.03).into(), vec![Place::Whole, Place::Everywhere]),
        ("modal object", modal.into(), vec![Place::Point(0), Place::Point(1), Place::Everywhere]),
        ("string", string.into(), along.clone()),
        ("bar", bar().into(), along.clone()),
        ("carved bar", BarSpec { partials: vec![1.0, 4.0, 10.0], ..bar() }.into(), along.clone()),
        (
            "thick bar",
            BarSpec { section: Section::Rectangular { width: 0.02, thickness: 0.06 }, ..bar() }.into(),
            along.clone(),
        ),
        (
            "bar on a grid",
            BarSpec { method: Method::Grid, segments: Some(12), loss: Loss::None, ..bar() }.into(),
            along,
        ),
        ("rectangular plate", free_plate(Outline::Rectangle([0.3, 0.2])).into(), on.clone()),
        ("circular plate", free_plate(Outline::Circle(0.3)).into(), on),
    ]
}

#[test]
fn whatever_is_free_falls_by_half_g_t_squared_at_every_place_and_does_not_ring() {
    for (name, spec, places) in free_bodies() {
        let mut engine = heavy(spec.clone()).build().unwrap();
        let mass = spec.mass().unwrap();
        for _ in 0..10 {
            engine.advance(2400);
            let time = engine.time() as f64 / RATE;
            let fallen = 0.5 * GRAVITY * time * time;
            for &place in &places {
                let off = engine.displacement(ObjectId::new(0), place).unwrap() + fallen;
                assert!(off.abs() < 1e-11 * fallen, "{name} at {place:?} after {time} s: off by {off:e} of {fallen} m");
            }
            // All its energy is that of falling, half a sample ago: nothing rings.
            let velocity = GRAVITY * (time - 0.5 / RATE);
            let falling = 0.5 * mass * velocity * velocity;
            let energy = engine.object_energy(ObjectId::new(0)).unwrap();
            assert!((energy / falling - 1.0).abs() < 1e-10, "{name}: {energy} J, falling {falling} J");
        }
    }
}

/// A rigid bar over a floor under one of its points: height z of the middle, angle θ, and their velocities.
struct RigidBar {
    mass: f64,
    inertia: f64,
    arm: f64,
    law: OneSidedPower,
    gap: f64,
}

impl System<f64, SVector<f64, 4>> for RigidBar {
    fn system(&self, _time: f64, state: &SVector<f64, 4>, slope: &mut SVector<f64, 4>) {
        let [z, angle, velocity, turning] = [state[0], state[1], state[2], state[3]];
        let force = self.law.force(-(z + self.arm * angle) - self.gap);
        *slope =
            SVector::<f64, 4>::from([velocity, turning, force / self.mass - GRAVITY, self.arm * force / self.inertia]);
    }
}

#[test]
fn a_bar_dropped_on_a_floor_off_its_middle_bounces_and_turns_as_a_rigid_body() {
    // No mode that bends is kept; a thin bar, whose sections do not weigh by turning.
    let spec =
        BarSpec { highest: Some(300.0), section: Section::Rectangular { width: 0.02, thickness: 0.01 }, ..bar() };
    let (length, place, gap) = (spec.length, 0.62, 2e-3);
    let law = OneSidedPower::new(4e6, 1.5, 0.0).unwrap();
    let mut floor = Interaction::new("floor", Point::of("ground"), Point::on("body", Place::Along(place)), law);
    floor.gap = gap;
    let model = heavy(spec.clone()).with("ground", BarrierSpec::default()).join(floor);
    let mass = ObjectSpec::from(spec).mass().unwrap();
    let reference = RigidBar { mass, inertia: mass * length * length / 12.0, arm: (place - 0.5) * length, law, gap };

    let seconds = 0.06;
    let mut solver = Dop853::new(reference, 0.0, seconds, 1e-4, SVector::<f64, 4>::zeros(), 1e-12, 1e-14);
    solver.integrate().unwrap();
    let states = solver.y_out();
    let end = states.last().unwrap();
    let (middle, left) = (end[0], end[0] - 0.5 * length * end[1]);
    assert!(end[2] > 0.0 || end[3].abs() > 0.1, "it has bounced: {end:?}");

    // The error falls with the square of the step.
    let off = |rate: f64| {
        let mut engine = Model { rate, ..model.clone() }.build().unwrap();
        engine.keep_account_of_energy(true);
        engine.advance((seconds * rate).round() as usize);
        assert!(engine.balance().residual() < 1e-12, "{:e}", engine.balance().residual());
        let middle_off = (engine.displacement(ObjectId::new(0), Place::Everywhere).unwrap() - middle).abs();
        let left_off = (engine.displacement(ObjectId::new(0), Place::Along(0.0)).unwrap() - left).abs();
        middle_off.max(left_off) / (0.5 * GRAVITY * seconds * seconds)
    };
    let (coarse, fine) = (off(48_000.0), off(192_000.0));
    assert!(coarse < 1e-7 && fine < coarse / 8.0, "off by {coarse:e} and {fine:e} of the height of fall");
}

/// Displacement of a place once it has come to rest.
fn sag(spec: impl Into<ObjectSpec>, place: Place) -> f64 {
    let mut engine = heard(heavy(spec), place).build().unwrap();
    engine.keep_account_of_energy(true);
    engine.advance((2.0 * RATE) as usize);
    let balance = engine.balance();
    assert!(balance.residual() < 1e-12, "open by {:e}", balance.residual());
    engine.displacement(ObjectId::new(0), place).unwrap()
}

fn assert_near(name: &str, value: f64, exact: f64, tolerance: f64) {
    assert!(
        (value / exact - 1.0).abs() < tolerance,
        "{name}: {value:e}, exact {exact:e}, off {:e}",
        value / exact - 1.0
    );
}

/// ρgA L⁴/EI of the bar.
fn load(spec: &BarSpec) -> f64 {
    let BarPitch::YoungsModulus(modulus) = spec.pitch else { unreachable!() };
    let Section::Rectangular { width, thickness } = spec.section else { unreachable!() };
    let per_length = spec.density * GRAVITY * width * thickness;
    per_length * spec.length.powi(4) / (modulus * width * thickness.powi(3) / 12.0)
}

#[test]
fn held_bars_sag_by_the_closed_forms_of_a_uniform_load() {
    // What bends, and what shear adds (Timoshenko): qL²/8κAG between two supports or clamps, qL²/2κAG at the end of a cantilever.
    let cases = [
        ([End::SimplySupported; 2], 0.5, 5.0 / 384.0, 1.0 / 8.0),
        ([End::Clamped; 2], 0.5, 1.0 / 384.0, 1.0 / 8.0),
        ([End::Clamped, End::Free], 1.0, 1.0 / 8.0, 1.0 / 2.0),
    ];
    // Long and thin, where the step is short beside every swing that counts; short and thick, where it is not: (ωk)²/24 of the lowest.
    for (length, thickness, tolerance) in [(0.8, 0.004, 3e-6), (0.4, 0.04, 1.5e-3)] {
        let section = Section::Rectangular { width: 0.02, thickness };
        let spec = BarSpec { length, section, loss: Loss::sigma(60.0, 0.0), ..bar() };
        let ratio = spec.poissons_ratio;
        let (coefficient, modulus) = (10.0 * (1.0 + ratio) / (12.0 + 11.0 * ratio), 2e11 / (2.0 * (1.0 + ratio)));
        let shear = spec.density * GRAVITY * length * length / (coefficient * modulus);
        for (ends, place, of_bending, of_shear) in cases {
            let exact = -of_bending * load(&spec) - of_shear * shear;
            let held = BarSpec { ends, ..spec.clone() };
            assert_near(&format!("{thickness} m, {ends:?}"), sag(held, Place::Along(place)), exact, tolerance);
        }
        let grid = BarSpec { method: Method::Grid, segments: Some(8), ends: [End::SimplySupported; 2], ..spec };
        // A grid knows no shear; its differences of a parabola of the fourth degree are off by 0.8/N², N = 8.
        let exact = -5.0 / 384.0 * load(&grid) * (1.0 + 0.8 / 64.0);
        assert_near(&format!("{thickness} m on a grid"), sag(grid, Place::Along(0.5)), exact, 1e-9);
    }
}

#[test]
fn strings_membranes_and_plates_sag_by_the_closed_forms_of_a_uniform_load() {
    let string = StringSpec {
        pitch: StringPitch::Tension(20.0),
        youngs_modulus: 0.0,
        loss: Loss::sigma(60.0, 0.0),
        ..StringSpec::default()
    };
    let weight = ObjectSpec::from(string.clone()).mass().unwrap() * GRAVITY;
    assert_near("string", sag(string.clone(), Place::Along(0.5)), -weight * string.length / (8.0 * 20.0), 2e-4);

    let head = MembraneSpec {
        outline: Outline::Circle(0.3),
        tension: Tension::NewtonsPerMetre(800.0),
        loss: Loss::sigma(60.0, 0.0),
        ..MembraneSpec::default()
    };
    let per_area = GRAVITY * head.mass_per_area();
    assert_near("membrane", sag(head, Place::On(0.5, 0.5)), -per_area * 0.15 * 0.15 / (4.0 * 800.0), 2e-3);

    let disc = PlateSpec {
        outline: Outline::Circle(0.4),
        edges: PlateEdges::Clamped,
        loss: Loss::sigma(60.0, 0.0),
        ..PlateSpec::default()
    };
    let stiffness = 2e11 * 1e-9 / (12.0 * (1.0 - 0.3 * 0.3));
    let exact = -GRAVITY * 7850.0 * 1e-3 * 0.2_f64.powi(4) / (64.0 * stiffness);
    assert_near("clamped disc", sag(disc.clone(), Place::On(0.5, 0.5)), exact, 5e-5);

    // Timoshenko and Woinowsky-Krieger, Theory of Plates and Shells, tables 8 and 35: squares under a uniform load, ν = 0.3.
    for (edges, share) in [(PlateEdges::SimplySupported, 0.00406), (PlateEdges::Clamped, 0.00126)] {
        let square = PlateSpec { outline: Outline::Rectangle([0.3, 0.3]), edges, ..disc.clone() };
        let exact = -share * GRAVITY * 7850.0 * 1e-3 * 0.3_f64.powi(4) / stiffness;
        assert_near(&format!("square {edges:?}"), sag(square.clone(), Place::On(0.5, 0.5)), exact, 5e-3);
        let grid = PlateSpec { method: Method::Grid, grid: Some([24, 24]), ..square };
        assert_near(&format!("square {edges:?} on a grid"), sag(grid, Place::On(0.5, 0.5)), exact, 2e-2);
    }
}

#[test]
fn bodies_that_fall_on_a_floor_keep_their_account_and_repeat_themselves() {
    for (name, spec, places) in free_bodies() {
        let law = HuntCrossley::new(1e6, 1.5, 0.3).unwrap();
        let mut floor = Interaction::new("floor", Point::of("ground"), Point::on("body", places[0]), law);
        floor.gap = 5e-3;
        let model = heard(heavy(spec).with("ground", BarrierSpec::default()).join(floor), places[0]);
        let mut engine = model.build().unwrap();
        let mut block = vec![0.0; 9600];
        engine.process(&mut block);
        engine.reset();
        let mut sample = [0.0];
        for expected in &block {
            engine.process(&mut sample);
            assert_eq!(sample[0], *expected, "{name}");
        }
        engine.reset();
        engine.keep_account_of_energy(true);
        engine.advance(RATE as usize);
        assert!(engine.balance().supplied > 0.0, "{name}: gravity has worked");
        assert!(engine.balance().residual() < 1e-12, "{name}: open by {:e}", engine.balance().residual());
    }
}

#[test]
fn what_is_held_is_known_from_its_ends_and_edges() {
    use End::{Clamped, Free, SimplySupported as Supported};
    // A body that is not held leaves: after a second of its weight it has fallen by metres, one that is held by less than a tenth.
    let leaves = |spec: ObjectSpec| {
        let mut engine = heavy(spec).build().unwrap();
        engine.advance(RATE as usize);
        engine.displacement(ObjectId::new(0), Place::Everywhere).unwrap() < -0.5
    };
    let ends = [Clamped, Free, Supported];
    for pair in ends.iter().flat_map(|one| ends.iter().map(move |other| [*one, *other])) {
        for method in [Method::Modes, Method::Grid] {
            let bar = ObjectSpec::from(BarSpec { ends: pair, method, loss: Loss::None, ..bar() });
            assert_eq!(bar.is_held(), !leaves(bar.clone()), "bar {pair:?} {method:?}");
            let string = ObjectSpec::from(StringSpec { ends: pair, method, loss: Loss::None, ..StringSpec::default() });
            assert_eq!(string.is_held(), !leaves(string.clone()), "string {pair:?} {method:?}");
        }
        for other in [[Free, Free], [Supported, Free], [Free, Clamped], [Supported, Supported]] {
            let edges = PlateEdges::Each([pair, other]);
            let outline = Outline::Rectangle([0.1, 0.07]);
            let plate = ObjectSpec::from(PlateSpec { edges, ..free_plate(outline) });
            assert_eq!(plate.is_held(), !leaves(plate.clone()), "plate {pair:?} {other:?}");
        }
    }
    for edges in [PlateEdges::Free, PlateEdges::Clamped, PlateEdges::SimplySupported] {
        let disc = ObjectSpec::from(PlateSpec { edges, ..free_plate(Outline::Circle(0.1)) });
        assert_eq!(disc.is_held(), !leaves(disc.clone()), "disc {edges:?}");
    }
}

#[test]
fn a_modal_object_is_weighed_only_where_one_mode_moves_it_as_a_whole() {
    let mode = |frequency| ModeSpec { frequency, decay: Decay::None, mass: 0.2 };
    let of = |frequencies: &[f64], points: Vec<Vec<f64>>| {
        ObjectSpec::from(ModalSpec { modes: frequencies.iter().map(|f| mode(*f)).collect(), points })
    };
    // ½ m q̇² = ½ M (½ q̇)²
    assert_eq!(of(&[300.0, 0.0], vec![vec![1.0, 0.5], vec![-1.0, 0.5]]).mass(), Some(0.8));
    let turning = of(&[0.0, 300.0], vec![vec![0.5, 1.0], vec![-0.5, 1.0]]);
    let held = of(&[200.0, 300.0], vec![vec![1.0, 1.0]]);
    let twice = of(&[0.0, 0.0], vec![vec![1.0, 1.0]]);
    for spec in [turning, held, twice] {
        assert_eq!(spec.mass(), None);
        let mut model = Model::new(RATE).with("body", spec);
        assert!(Force::weight("weight", &model.objects[0]).is_none());
        let at = Point::on("body", Place::Everywhere);
        model = model.drive(Force { name: "load".into(), at, level: -1.0, signal: None });
        let error = model.build().unwrap_err().to_string();
        assert!(error.contains("one mode of 0 Hz"), "{error}");
    }
    assert_eq!(ObjectSpec::from(BarrierSpec::default()).mass(), None);
}

/// A soft damped landing: the weight has its say in it all along, so the closed rebound of a free mass is not its own. Against Runge and Kutta.
#[test]
fn a_damped_mass_that_lands_under_its_weight_leaves_as_an_integrator_says_and_without_a_jerk() {
    let (mass, drop) = (0.03, 0.12);
    for stiffness in [1.6e4, 3e4, 1e5, 1e6] {
        let law = HuntCrossley::new(stiffness, 1.5, 0.5).unwrap();
        let acceleration = |x: f64, v: f64| GRAVITY - law.force(x) * (1.0 + 0.5 * v).max(0.0) / mass;
        let (mut x, mut v, mut peak, k) = (0.0, (2.0 * GRAVITY * drop).sqrt(), 0.0_f64, 1e-7);
        while x > 0.0 || v > 0.0 {
            let (a1, v1) = (acceleration(x, v), v);
            let (v2, v3) = (v + 0.5 * k * a1, v + 0.5 * k * acceleration(x + 0.5 * k * v1, v + 0.5 * k * a1));
            let (a2, a3) = (acceleration(x + 0.5 * k * v1, v2), acceleration(x + 0.5 * k * v2, v3));
            let (v4, a4) = (v + k * a3, acceleration(x + k * v3, v + k * a3));
            x += k * (v1 + 2.0 * v2 + 2.0 * v3 + v4) / 6.0;
            v += k * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0;
            peak = peak.max(law.force(x) * (1.0 + 0.5 * v));
        }
        for rate in [RATE, 8.0 * RATE] {
            let mut model = heavy(MassSpec::free(mass));
            model.rate = rate;
            // The floor is below: the body is `to`.
            let touch = Interaction::new("floor", Point::of("floor"), Point::of("body"), law);
            model = model.with("floor", BarrierSpec::default()).join(Interaction { gap: drop, ..touch });
            let mut engine = model.build().unwrap();
            engine.advance((0.3 * rate) as usize);
            let contact = engine.drain_contacts().next().unwrap();
            let (left, pushed) = (contact.v_out / v - 1.0, contact.peak_force / peak - 1.0);
            assert!(left.abs() < 1e-3, "K = {stiffness:e}, {rate} Hz: {} m/s, not {v}", contact.v_out);
            assert!(pushed.abs() < 5e-3, "K = {stiffness:e}, {rate} Hz: {} N, not {peak}", contact.peak_force);
        }
    }
}
