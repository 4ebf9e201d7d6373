//! Plates whose modes stretch each other (von Kármán), against closed forms, quadrature and published values.

use std::f64::consts::PI;

use ictus::Model;
use ictus::control::Change;
use ictus::id::{ContactId, ForceId, ObjectId};
use ictus::laws::{HuntCrossley, LinearCubicSpring};
use ictus::model::{Force, Interaction, ObjectSpec, Pickup, Point, Source};
use ictus::objects::{
    Amplitude, BarrierSpec, Decay, Loss, MassSpec, Outline, Place, PlateEdges, PlateSpec, StringSpec,
};

use super::{cents, duffing, frequency_of};

fn karman(airy_modes: usize) -> Amplitude {
    Amplitude::VonKarman { airy_modes: Some(airy_modes) }
}

/// Steel, 1 mm.
fn rectangle(sides: [f64; 2], highest: f64, airy_modes: usize) -> PlateSpec {
    PlateSpec {
        outline: Outline::Rectangle(sides),
        loss: Loss::None,
        amplitude: karman(airy_modes),
        highest: Some(highest),
        ..PlateSpec::default()
    }
}

fn circle(diameter: f64, highest: f64, airy_modes: usize) -> PlateSpec {
    PlateSpec {
        edges: PlateEdges::Free,
        outline: Outline::Circle(diameter),
        ..rectangle([1.0; 2], highest, airy_modes)
    }
}

fn heard(place: Place) -> Pickup {
    Pickup { source: Source::Displacement(Point::on("plate", place)), gains: vec![1.0] }
}

/// γ of `q̈ + ω²q + γq³` for `w = q sin(πx/a) sin(πy/b)`, with F = 0 and ΔF = 0 on the edges, by brute force: Airy's equation `ΔΔF = -(EH/2)[w, w]` solved
/// as two of Poisson's on a fine grid of sines found by sums over points, and the energy as a sum over points.
fn cubic_of_the_lowest_mode([a, b]: [f64; 2], spec: &PlateSpec) -> f64 {
    const POINTS: usize = 200;
    const SINES: usize = 31;
    let wave = |side: f64| PI / side;
    let at = |index: usize| (index as f64 + 0.5) / POINTS as f64;
    // [w, w] for q = 1 at points.
    let bracket = |x: f64, y: f64| {
        let (sx, cx) = (PI * x).sin_cos();
        let (sy, cy) = (PI * y).sin_cos();
        let (xx, yy, xy) = (-wave(a).powi(2) * sx * sy, -wave(b).powi(2) * sx * sy, wave(a) * wave(b) * cx * cy);
        2.0 * (xx * yy - xy * xy)
    };
    let area = a * b / (POINTS * POINTS) as f64;
    let mut energy = 0.0;
    let table: Vec<Vec<f64>> =
        (1..=SINES).map(|p| (0..POINTS).map(|i| (p as f64 * PI * at(i)).sin()).collect()).collect();
    let values: Vec<Vec<f64>> = (0..POINTS).map(|i| (0..POINTS).map(|j| bracket(at(i), at(j))).collect()).collect();
    for p in 1..=SINES {
        for q in 1..=SINES {
            let mut sum = 0.0;
            for (value, sx) in values.iter().zip(&table[p - 1]) {
                sum += sx * value.iter().zip(&table[q - 1]).map(|(value, sy)| value * sy).sum::<f64>();
            }
            let load = sum * area * 4.0 / (a * b);
            // Of each sine, ΔΔF = -EH/2 load; V = 1/2EH ∫(ΔF)².
            let squared = (p as f64 * wave(a)).powi(2) + (q as f64 * wave(b)).powi(2);
            energy += (0.5 * load / squared).powi(2) * a * b / 4.0 / 2.0;
        }
    }
    // V = EH energy q⁴, kinetic energy ρHab q̇²/8.
    let inertia = spec.density * spec.thickness * a * b / 8.0;
    4.0 * spec.youngs_modulus * spec.thickness * energy / (2.0 * inertia)
}

/// Driven softly and long at its own pitch, the lowest mode alone swings; how sharp it rings afterwards tells γ. One Airy mode holds 95 % of it.
#[test]
fn the_lowest_mode_of_a_rectangle_has_its_backbone() {
    let sides = [0.4, 0.36];
    let spec = rectangle(sides, 700.0, 24);
    let pitch = 0.5 * PI * spec.stiffness_squared().sqrt() * (1.0 / 0.16 + 1.0 / 0.1296);
    let exact = cubic_of_the_lowest_mode(sides, &spec);
    for (airy_modes, from, to) in [(1, 0.93, 0.97), (24, 0.995, 1.005)] {
        let found = cubic_heard(&PlateSpec { amplitude: karman(airy_modes), ..spec.clone() }, pitch);
        println!("{airy_modes} Airy modes: {} of {exact}", found / exact);
        assert!((from..to).contains(&(found / exact)), "{airy_modes} Airy modes: {found} of {exact}");
    }
}

/// γ from the frequency and the amplitude at which a plate rings after a tone at its pitch.
fn cubic_heard(spec: &PlateSpec, pitch: f64) -> f64 {
    let rate = 48_000.0;
    let tone = |n: usize| (PI * n as f64 / 24_000.0).sin().powi(2) * (2.0 * PI * pitch * n as f64 / rate).sin();
    let signal = Some((0..24_000).map(tone).collect());
    let at = Point::on("plate", Place::On(0.5, 0.5));
    let mut engine = Model::new(rate)
        .with("plate", spec.clone())
        .drive(Force { name: "shaker".into(), at, level: 0.06, signal })
        .listen(heard(Place::On(0.5, 0.5)))
        .build()
        .unwrap();
    engine.change(&Change::Trigger { force: ForceId::new(0) }).unwrap();
    engine.advance(24_000);
    let mut block = vec![0.0; 72_000];
    engine.process(&mut block);
    let top = block.iter().fold(0.0, |top: f64, u| top.max(u.abs()));
    let sounds = frequency_of(&block, rate);
    assert!(cents(sounds, pitch) > 1.0, "it rings at {sounds} Hz, {top} m");
    let (mut low, mut high) = (0.0, 1e12);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        *(if duffing(2.0 * PI * pitch, middle, top) < sounds { &mut low } else { &mut high }) = middle;
    }
    low
}

/// The frequency of the lowest mode of a free circle, two crossed nodal lines, and γ for `w = qφ` with ⟨φ²⟩ = 1, by brute force: second differences of its shape on a
/// grid, multiplied by the shapes of a clamped plate, whose sums are Airy's function. The engine is asked for shapes and frequencies only.
fn cubic_of_a_free_circle(spec: &PlateSpec) -> (f64, f64) {
    let Outline::Circle(diameter) = spec.outline else { unreachable!() };
    let shapes_of = |edges, highest| {
        let linear = PlateSpec { edges, amplitude: Amplitude::Small, highest: Some(highest), ..spec.clone() };
        Model::new(48_000.0).with("plate", linear).build().unwrap()
    };
    let object = ObjectId::new(0);
    let (free, clamped) = (shapes_of(PlateEdges::Free, 200.0), shapes_of(PlateEdges::Clamped, 6000.0));
    let frequencies =
        |engine: &ictus::Engine| -> Vec<f64> { engine.modes(object).unwrap().map(|mode| mode.frequency).collect() };
    let own = frequencies(&free);
    let lowest = own.iter().position(|frequency| *frequency > 0.0).unwrap();
    let airy = frequencies(&clamped);
    let place = |x: f64, y: f64| Place::On(0.5 + 0.5 * x, 0.5 + 0.5 * y);
    let shape = |x: f64, y: f64| {
        let mut shapes = vec![0.0; lowest + 1];
        free.mode_shapes_at(object, place(x, y), &mut shapes).unwrap();
        shapes[lowest]
    };
    const POINTS: usize = 160;
    let (radius, step) = (0.5 * diameter, 2e-3);
    let area = PI * radius * radius;
    let mut sums = vec![0.0; airy.len()];
    let mut stress = vec![0.0; airy.len()];
    for index in 0..POINTS * POINTS {
        let at = |index: usize| (2 * index + 1) as f64 / POINTS as f64 - 1.0;
        let (x, y) = (at(index % POINTS), at(index / POINTS));
        // Airy's modes and their slopes vanish on the rim.
        if x.hypot(y) > 1.0 - 2.0 * step {
            continue;
        }
        let middle = shape(x, y);
        let unit = 1.0 / (step * step * radius * radius);
        let xx = (shape(x + step, y) - 2.0 * middle + shape(x - step, y)) * unit;
        let yy = (shape(x, y + step) - 2.0 * middle + shape(x, y - step)) * unit;
        let crossed = shape(x + step, y + step) - shape(x + step, y - step) - shape(x - step, y + step)
            + shape(x - step, y - step);
        let xy = 0.25 * crossed * unit;
        clamped.mode_shapes_at(object, place(x, y), &mut stress).unwrap();
        sums.iter_mut().zip(&stress).for_each(|(sum, stress)| *sum += 2.0 * (xx * yy - xy * xy) * stress);
    }
    let cell = 4.0 * radius * radius / (POINTS * POINTS) as f64;
    let kappa = spec.stiffness_squared().sqrt();
    let product = |(sum, frequency): (&f64, &f64)| sum * cell / area.sqrt() / (2.0 * PI * frequency / kappa);
    let squares: f64 = sums.iter().zip(&airy).map(product).map(|product| product * product).sum();
    let mass = spec.density * spec.thickness * area;
    (own[lowest], spec.youngs_modulus * spec.thickness * squares / (2.0 * mass))
}

#[test]
fn the_lowest_mode_of_a_free_circle_has_its_backbone() {
    let spec = PlateSpec { poissons_ratio: 0.33, ..circle(0.4, 600.0, 12) };
    let (pitch, cubic) = cubic_of_a_free_circle(&spec);
    // Touzé, Thomas, Chaigne, Asymmetric non-linear forced vibrations of free-edge circular plates (2002): Γ = 1.8985 of the modes (2,0), in
    // their units πΓ E/ρa⁴.
    let known = PI * 1.8985 * spec.youngs_modulus / (spec.density * 0.2_f64.powi(4));
    println!("brute force: {} of {known}", cubic / known);
    assert!((cubic / known - 1.0).abs() < 0.005, "{}", cubic / known);
    let rate = 48_000.0;
    let tone = |n: usize| (PI * n as f64 / 24_000.0).sin().powi(2) * (2.0 * PI * pitch * n as f64 / rate).sin();
    let signal = Some((0..24_000).map(tone).collect());
    // On the middle of one of its bellies; it drifts away slowly, which a velocity does not tell from a swing's.
    let at = Place::On(0.95, 0.5);
    let mut engine = Model::new(rate)
        .with("plate", spec)
        .drive(Force { name: "shaker".into(), at: Point::on("plate", at), level: 0.06, signal })
        .listen(Pickup { source: Source::Velocity(Point::on("plate", at)), gains: vec![1.0] })
        .build()
        .unwrap();
    let mut shapes = vec![0.0; 4];
    engine.mode_shapes_at(ObjectId::new(0), at, &mut shapes).unwrap();
    let belly = shapes[3];
    engine.change(&Change::Trigger { force: ForceId::new(0) }).unwrap();
    engine.advance(24_000);
    let mut block = vec![0.0; 72_000];
    engine.process(&mut block);
    let sounds = frequency_of(&block, rate);
    let [top, bottom] = [f64::max, f64::min].map(|most| block.iter().fold(0.0, |peak, v| most(peak, *v)));
    let amplitude = 0.5 * (top - bottom) / (2.0 * PI * sounds);
    let (mut low, mut high) = (0.0, 1e15);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        *(if duffing(2.0 * PI * pitch, middle, amplitude) < sounds { &mut low } else { &mut high }) = middle;
    }
    let found = low * belly * belly;
    println!("{pitch} Hz, {sounds} Hz at {amplitude} m: {} of {known}", found / known);
    assert!(cents(sounds, pitch) > 1.0 && (found / known - 1.0).abs() < 0.01, "{found} of {known}");
}

/// Steel, 0.4 x 0.36 m, 219 modes below 5 kHz: a raised cosine of 1.5 ms wakes partials that a soft one does not.
#[test]
fn the_cascade_of_a_plate_is_that_of_its_equations() {
    let centroids = |force: f64| {
        let rate = 48_000.0;
        let samples = (1.5e-3 * rate) as usize;
        let signal = (0..samples).map(|n| 0.5 - 0.5 * (2.0 * PI * n as f64 / samples as f64).cos()).collect();
        let mut engine = Model::new(rate)
            .with("plate", rectangle([0.4, 0.36], 5000.0, 24))
            .drive(Force {
                name: "stroke".into(),
                at: Point::on("plate", Place::On(0.3, 0.4)),
                level: force,
                signal: Some(signal),
            })
            .listen(Pickup { source: Source::Velocity(Point::on("plate", Place::On(0.62, 0.27))), gains: vec![1.0] })
            .build()
            .unwrap();
        engine.keep_account_of_energy(true);
        engine.change(&Change::Trigger { force: ForceId::new(0) }).unwrap();
        let mut block = vec![0.0; 12_000];
        engine.process(&mut block);
        let balance = engine.balance();
        assert!(balance.residual() < 1e-12, "{force} N: {balance:?}");
        [[0.005, 0.025], [0.03, 0.06], [0.1, 0.15], [0.2, 0.25]]
            .map(|[from, to]: [f64; 2]| centroid(&block[(from * rate) as usize..(to * rate) as usize], rate))
    };
    let all = [1.0, 1500.0].map(centroids);
    println!("{all:.0?}");
    let [soft, hard] = all;
    assert!(soft[3] < 1.3 * soft[1], "a soft stroke: {soft:?}");
    assert!(hard[0] > 1.5 * soft[0] && hard[3] > 1.4 * hard[0] && hard[3] > 3.0 * soft[3], "a hard stroke: {hard:?}");
}

/// A round sheet of bronze that hangs free: after a soft stroke its centroid falls, after a hard one it rises for tenths of a second.
#[test]
fn a_gong_struck_hard_crashes_and_struck_softly_fades() {
    let rate = 44_100.0;
    let gong = PlateSpec {
        thickness: 0.8e-3,
        density: 8800.0,
        youngs_modulus: 1.05e11,
        poissons_ratio: 0.34,
        loss: Loss::sigma(0.5, 2e-4),
        ..circle(0.4, 3000.0, 20)
    };
    let centroids = |velocity: f64| {
        let mut engine = Model::new(rate)
            .with("plate", gong.clone())
            .with("mallet", MassSpec { displacement: -1e-4, velocity, ..MassSpec::free(0.2) })
            .join(Interaction::new(
                "blow",
                Point::of("mallet"),
                Point::on("plate", Place::On(0.62, 0.55)),
                HuntCrossley::new(3e6, 2.0, 0.2).unwrap(),
            ))
            .listen(Pickup { source: Source::Velocity(Point::on("plate", Place::On(0.3, 0.2))), gains: vec![1.0] })
            .build()
            .unwrap();
        engine.keep_account_of_energy(true);
        let mut block = vec![0.0; 15_000];
        engine.process(&mut block);
        assert!(engine.balance().residual() < 1e-11, "{:?}", engine.balance());
        [[0.01, 0.03], [0.05, 0.08], [0.12, 0.16], [0.28, 0.34]]
            .map(|[from, to]: [f64; 2]| centroid(&block[(from * rate) as usize..(to * rate) as usize], rate))
    };
    let [soft, hard] = [0.05, 8.0].map(centroids);
    println!("{soft:.0?} {hard:.0?}");
    assert!(soft[3] < 1.05 * soft[1] && hard[2] > 1.1 * hard[0] && hard[2] > 2.0 * soft[2], "{soft:?} {hard:?}");
}

/// Of the magnitudes of a Hann window's spectrum.
fn centroid(sound: &[f64], rate: f64) -> f64 {
    let count = sound.len();
    let (mut above, mut below) = (0.0, 0.0);
    for bin in 1..count / 2 {
        let (mut re, mut im) = (0.0, 0.0);
        let (sine, cosine) = (2.0 * PI * bin as f64 / count as f64).sin_cos();
        let mut turn = (1.0, 0.0);
        for (n, u) in sound.iter().enumerate() {
            let u = u * (0.5 - 0.5 * (2.0 * PI * n as f64 / count as f64).cos());
            re += u * turn.0;
            im += u * turn.1;
            turn = (turn.0 * cosine - turn.1 * sine, turn.0 * sine + turn.1 * cosine);
        }
        let magnitude = re.hypot(im);
        above += magnitude * bin as f64 * rate / count as f64;
        below += magnitude;
    }
    above / below
}

fn played(spec: PlateSpec, velocity: f64) -> Model {
    let on = |x, y| Point::on("plate", Place::On(x, y));
    Model::new(44_100.0)
        .with("plate", spec)
        .with("mallet", MassSpec { displacement: -1e-3, velocity, ..MassSpec::free(0.03) })
        .with(
            "other",
            MassSpec { displacement: -4e-3, velocity: 0.7 * velocity, ..MassSpec::oscillator(0.02, 3.0, Decay::None) },
        )
        .with("ground", BarrierSpec::default())
        .with("string", StringSpec { amplitude: Amplitude::Large, highest: Some(2000.0), ..StringSpec::default() })
        .join(Interaction::new("blow", Point::of("mallet"), on(0.3, 0.4), HuntCrossley::new(1e6, 1.6, 0.1).unwrap()))
        .join(Interaction::new("second", Point::of("other"), on(0.6, 0.45), HuntCrossley::new(1e7, 1.5, 0.0).unwrap()))
        .join(Interaction::new("hold", on(0.5, 0.6), Point::of("ground"), LinearCubicSpring::new(2e4, 1e8).unwrap()))
        .join(Interaction::new(
            "foot",
            Point::on("string", Place::Along(0.9)),
            on(0.4, 0.3),
            LinearCubicSpring::new(1e4, 0.0).unwrap(),
        ))
        .listen(heard(Place::On(0.62, 0.3)))
        .listen(heard(Place::On(0.4, 0.7)))
}

#[test]
fn the_account_closes_whatever_touches_it_however_hard() {
    for spec in [rectangle([0.4, 0.36], 1500.0, 20), circle(0.4, 1500.0, 20)] {
        for (velocity, loss) in [(1.0, Loss::None), (40.0, Loss::None), (10.0, Loss::sigma(1.0, 1e-3))] {
            let mut engine = played(PlateSpec { loss, ..spec.clone() }, velocity).build().unwrap();
            engine.keep_account_of_energy(true);
            engine.advance(11_025);
            for change in [
                Change::Decay { object: ObjectId::new(0), factor: 1.5 },
                Change::Move { contact: ContactId::new(0), end: ictus::control::End::To, place: Place::On(0.45, 0.5) },
                Change::Throw { object: ObjectId::new(1), displacement: -5e-3, velocity },
            ] {
                engine.change(&change).unwrap();
                engine.advance(5_512);
            }
            let balance = engine.balance();
            assert!(balance.residual() <= 1e-11, "{velocity} m/s: {:e} {balance:?}", balance.residual());
        }
    }
}

#[test]
fn a_free_circle_is_stretched_alike_in_all_directions() {
    // Turned by any angle, the same stroke sounds the same at the same place relative to it.
    let sound = |angle: f64| {
        let place = |radius: f64, more: f64| {
            Place::On(0.5 + radius * (angle + more).cos(), 0.5 + radius * (angle + more).sin())
        };
        let mut engine = Model::new(44_100.0)
            // All pairs of cos and sin are whole with so many Airy modes: orders 0, 1, 2, 0, 3, 1, 4.
            .with("plate", circle(0.4, 1500.0, 12))
            .with("mallet", MassSpec { displacement: -1e-4, velocity: 8.0, ..MassSpec::free(0.03) })
            .join(Interaction::new(
                "blow",
                Point::of("mallet"),
                Point::on("plate", place(0.3, 0.0)),
                HuntCrossley::new(1e6, 1.6, 0.1).unwrap(),
            ))
            .listen(heard(place(0.4, 0.7)))
            .build()
            .unwrap();
        let mut block = vec![0.0; 2000];
        engine.process(&mut block);
        block
    };
    let (one, other) = (sound(0.0), sound(0.9));
    let largest = one.iter().fold(0.0, |largest: f64, u| largest.max(u.abs()));
    let apart = one.iter().zip(&other).fold(0.0, |apart: f64, (a, b)| apart.max((a - b).abs()));
    println!("{apart:e} of {largest:e}");
    assert!(largest > 1e-3 && apart < 1e-9 * largest, "{apart:e} of {largest:e}");
}

#[test]
fn what_cannot_be_stretched_is_refused() {
    let refused =
        |spec: ObjectSpec| Model::new(48_000.0).with("plate", spec).build().map(|_| ()).unwrap_err().to_string();
    let few = refused(rectangle([0.4, 0.36], 100.0, 24).into());
    assert!(few.contains("24 Airy modes, and only 3 modes"), "{few}");
    let none = refused(rectangle([0.4, 0.36], 1000.0, 0).into());
    assert!(none.contains("number of Airy modes is 0"), "{none}");
    let empty = refused(rectangle([0.4, 0.36], 1.0, 24).into());
    assert!(empty.contains("amplitude is von-karman, which takes at least one mode"), "{empty}");
    let clamped = refused(PlateSpec { edges: PlateEdges::Clamped, ..rectangle([0.4, 0.36], 1000.0, 9) }.into());
    assert!(clamped.contains("amplitude is von-karman"), "{clamped}");
    let many = refused(PlateSpec { thickness: 1e-4, ..rectangle([0.8, 0.7], 600.0, 400) }.into());
    assert!(many.contains("products; the limit is"), "{many}");
}
