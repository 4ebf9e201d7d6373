//! Bodies in their modes, struck in an engine: every partial where the textbook has it and every decay as asked, at any rate.

use std::f64::consts::{PI, TAU};

use ictus::Model;
use ictus::control::Change;
use ictus::id::{ContactId, ForceId, ObjectId, PickupId};
use ictus::laws::LinearCubicSpring;
use ictus::model::{Force, Interaction, ObjectSpec, Pickup, Point, Source, Start};
use ictus::objects::{
    BarPitch, BarSpec, BarrierSpec, End, Loss, MembraneSpec, Outline, Place, PlateEdges, PlateSpec, Section,
    StringMass, StringPitch, StringSpec, Tension,
};

const RATES: [f64; 3] = [44_100.0, 48_000.0, 192_000.0];

/// What a body sounds like after a blow of one sample, heard by its velocity, for some seconds.
fn struck(spec: ObjectSpec, at: Place, heard: Place, rate: f64, seconds: f64) -> Vec<f64> {
    let mut engine = Model::new(rate)
        .with("body", spec)
        .drive(Force { name: "blow".into(), at: Point::on("body", at), level: 1.0, signal: Some(vec![1.0]) })
        .listen(Pickup { source: Source::Velocity(Point::on("body", heard)), gains: vec![1.0] })
        .build()
        .unwrap();
    engine.change(&Change::Trigger { force: ForceId::new(0) }).unwrap();
    let mut sound = vec![0.0; (seconds * rate) as usize];
    engine.process(&mut sound);
    sound
}

/// Frequency in Hz and decay rate in 1/s of the partial near a frequency: from how its phase and size change between two windows.
fn partial(sound: &[f64], rate: f64, near: f64) -> (f64, f64) {
    let count = sound.len() / 2;
    let window = |start: usize| {
        let (mut re, mut im) = (0.0, 0.0);
        for n in 0..count {
            // Blackman and Harris: neighbours are 92 dB down.
            let x = TAU * n as f64 / count as f64;
            let weight = 0.35875 - 0.48829 * x.cos() + 0.14128 * (2.0 * x).cos() - 0.01168 * (3.0 * x).cos();
            let angle = TAU * near * (start + n) as f64 / rate;
            re += weight * sound[start + n] * angle.cos();
            im -= weight * sound[start + n] * angle.sin();
        }
        (re.hypot(im), im.atan2(re))
    };
    let later = count / 2;
    let ((first, phase), (second, turned)) = (window(0), window(later));
    let time = later as f64 / rate;
    let turn = (turned - phase + PI).rem_euclid(TAU) - PI;
    (near + turn / (TAU * time), (first / second).ln() / time)
}

fn cents(found: f64, expected: f64) -> f64 {
    1200.0 * (found / expected).log2()
}

/// βL of a bar that bends, by its ends, from the equations by bisection; n from 1.
fn bar_root(ends: [End; 2], n: usize) -> f64 {
    use End::{Clamped, Free, SimplySupported};
    let n = n as f64;
    let (equation, low): (fn(f64) -> f64, f64) = match ends {
        [SimplySupported, SimplySupported] => return n * PI,
        [Free, Free] | [Clamped, Clamped] => (|x| x.cos() - 1.0 / x.cosh(), n * PI),
        [Free, Clamped] | [Clamped, Free] => (|x| x.cos() + 1.0 / x.cosh(), (n - 1.0) * PI),
        _ => (|x| x.sin() - x.cos() * x.tanh(), n * PI),
    };
    let (mut low, mut high) = (low + 1e-9, low + PI - 1e-9);
    let sign = equation(low).signum();
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if equation(middle).signum() == sign { low = middle } else { high = middle }
    }
    low
}

const ENDS: [End; 3] = [End::SimplySupported, End::Clamped, End::Free];

#[test]
fn every_partial_of_a_thin_bar_is_at_its_root_and_decays_as_asked() {
    for ends in ENDS.into_iter().flat_map(|left| ENDS.map(|right| [left, right])) {
        for rate in RATES {
            let loss = Loss::t60_at(&[(100.0, 3.0), (20e3, 1.5)]);
            let bar = BarSpec {
                length: 0.4,
                section: Section::Rectangular { width: 0.02, thickness: 1e-4 },
                pitch: BarPitch::Fundamental(150.0),
                ends,
                loss,
                ..BarSpec::default()
            };
            let sound = struck(bar.into(), Place::Along(0.07), Place::Along(0.61), rate, 1.0);
            for number in 1..=12 {
                let ratio = bar_root(ends, number) / bar_root(ends, 1);
                let expected = 150.0 * ratio * ratio;
                if expected > 0.45 * rate.min(20e3 / 0.45) {
                    break;
                }
                let (found, sigma) = partial(&sound, rate, expected);
                assert!(cents(found, expected).abs() < 0.1, "{ends:?} at {rate}, {number}: {found} not {expected}");
                let along = ((expected / 100.0).ln() / 200f64.ln()).clamp(0.0, 1.0);
                let seconds = 3.0 * 0.5f64.powf(along);
                let heard = 3.0 * 10f64.ln() / sigma;
                assert!((heard / seconds - 1.0).abs() < 0.01, "{ends:?} at {rate}, {number}: {heard} s not {seconds}");
            }
        }
    }
}

#[test]
fn every_partial_of_a_stiff_string_to_the_top_of_the_band_is_stretched_as_it_should() {
    for rate in RATES {
        let string = StringSpec {
            length: 0.62,
            pitch: StringPitch::Fundamental(131.0),
            radius: 5e-4,
            mass: StringMass::Density(7850.0),
            loss: Loss::sigma(0.5, 0.0),
            ..StringSpec::default()
        };
        let sound = struck(string.into(), Place::Along(0.0131), Place::Along(0.981), rate, 1.0);
        let area = PI * 5e-4f64.powi(2);
        let bending = 2e11 * PI * 5e-4f64.powi(4) / 4.0 / (7850.0 * area) * (PI / 0.62f64).powi(4) / TAU.powi(2);
        let stretch = bending / (131.0 * 131.0 - bending);
        let mut count = 0;
        for number in 1..200 {
            let p = f64::from(number);
            let expected = 131.0 * p * ((1.0 + stretch * p * p) / (1.0 + stretch)).sqrt();
            if expected > 0.45 * rate.min(20e3 / 0.45) {
                break;
            }
            let (found, sigma) = partial(&sound, rate, expected);
            assert!(cents(found, expected).abs() < 0.1, "{number} at {rate}: {found} not {expected}");
            assert!((sigma / 0.5 - 1.0).abs() < 0.01, "{number} at {rate}: {sigma}");
            count = number;
        }
        assert!(count > 55, "{count}");
    }
}

#[test]
fn a_circular_head_and_a_supported_plate_ring_at_the_textbook_frequencies() {
    for rate in RATES {
        let head = MembraneSpec {
            outline: Outline::Circle(0.3),
            tension: Tension::Fundamental(200.0),
            loss: Loss::sigma(1.0, 0.0),
            highest: Some(2000.0),
            ..MembraneSpec::default()
        };
        let sound = struck(head.into(), Place::On(0.61, 0.57), Place::On(0.33, 0.41), rate, 2.0);
        // Zeros of J0, J1, J2, J0, J3, J1, J4, J2, J0.
        for zero in [
            2.404825557695773,
            3.831705970207512,
            5.135622301840683,
            5.520078110286311,
            6.380161895923984,
            7.015586669815619,
            7.588342434503804,
            8.417244140399865,
            8.653727912911013,
        ] {
            let expected = 200.0 * zero / 2.404825557695773;
            let (found, _) = partial(&sound, rate, expected);
            assert!(cents(found, expected).abs() < 0.1, "{zero} at {rate}: {found} not {expected}");
        }
        let plate = PlateSpec {
            outline: Outline::Rectangle([0.4, 0.271]),
            loss: Loss::t60_at(&[(30.0, 4.0), (3000.0, 2.0)]),
            highest: Some(1500.0),
            ..PlateSpec::default()
        };
        let kappa = plate.stiffness_squared().sqrt();
        let sound = struck(plate.into(), Place::On(0.13, 0.17), Place::On(0.91, 0.87), rate, 2.0);
        for (m, n) in [(1, 1), (2, 1), (1, 2), (3, 1), (2, 2), (3, 2), (4, 1), (1, 3), (8, 1)] {
            let squares = (f64::from(m) / 0.4).powi(2) + (f64::from(n) / 0.271).powi(2);
            let expected = 0.5 * PI * kappa * squares;
            let (found, sigma) = partial(&sound, rate, expected);
            assert!(cents(found, expected).abs() < 0.1, "({m}, {n}) at {rate}: {found} not {expected}");
            let along = (expected / 30.0).ln() / 100f64.ln();
            let seconds = 4.0 * 0.5f64.powf(along.clamp(0.0, 1.0));
            let heard = 3.0 * 10f64.ln() / sigma;
            assert!((heard / seconds - 1.0).abs() < 0.01, "({m}, {n}) at {rate}: {heard} s not {seconds}");
        }
    }
}

#[test]
fn a_free_gong_rings_at_leissas_roots_and_flies_off_when_struck() {
    // Free, ν = 0.33: λ² of (2,0), (0,1), (3,0), (1,1), (4,0) to the digits of an independent computation.
    let roots = [5.2620, 9.0689, 12.2439, 20.5131, 21.5272];
    let gong = PlateSpec {
        outline: Outline::Circle(0.5),
        poissons_ratio: 0.33,
        edges: PlateEdges::Free,
        loss: Loss::sigma(1.0, 0.0),
        highest: Some(2000.0),
        ..PlateSpec::default()
    };
    let unit = gong.stiffness_squared().sqrt() / (TAU * 0.25 * 0.25);
    let mass = gong.density * gong.thickness * gong.outline.area();
    let sound = struck(gong.clone().into(), Place::On(0.62, 0.57), Place::On(0.4, 0.31), 48e3, 2.0);
    for root in roots {
        let (found, _) = partial(&sound, 48e3, unit * root);
        assert!(cents(found, unit * root).abs() < 0.2, "{root}: {found} not {}", unit * root);
    }
    let free = PlateSpec { loss: Loss::None, ..gong };
    let sound = struck(free.into(), Place::On(0.5, 0.5), Place::On(0.5, 0.5), 48e3, 2.0);
    let mean = sound.iter().sum::<f64>() / sound.len() as f64;
    let pushed = 1.0 / 48e3 / mass;
    assert!((mean / pushed - 1.0).abs() < 0.01, "{mean} not {pushed} m/s");
}

#[test]
fn a_carved_bar_has_the_partials_it_was_given_and_a_thick_one_is_flat_as_timoshenko_says() {
    let bar = |partials: Vec<f64>, thickness: f64| BarSpec {
        section: Section::Rectangular { width: 0.04, thickness },
        pitch: BarPitch::Fundamental(220.0),
        partials,
        loss: Loss::sigma(2.0, 0.0),
        ..BarSpec::default()
    };
    let sound = struck(bar(vec![1.0, 4.0, 10.0], 0.002).into(), Place::Along(0.03), Place::Along(0.98), 48e3, 1.0);
    for ratio in [1.0, 4.0, 10.0] {
        let (found, _) = partial(&sound, 48e3, 220.0 * ratio);
        assert!(cents(found, 220.0 * ratio).abs() < 0.1, "{ratio}: {found}");
    }
    // A bar as thick as a tenth of its length: the second partial falls from 2.757 to 2.60 of the first.
    let sound = struck(bar(vec![], 0.03).into(), Place::Along(0.03), Place::Along(0.98), 48e3, 1.0);
    let thin = 220.0 * (bar_root([End::Free; 2], 2) / bar_root([End::Free; 2], 1)).powi(2);
    let strongest = (0..600).map(|step| thin * (0.9 + 0.0002 * f64::from(step)));
    let size = |frequency: f64| {
        let (mut re, mut im) = (0.0, 0.0);
        for (n, x) in sound.iter().enumerate() {
            let angle = TAU * frequency * n as f64 / 48e3;
            re += x * angle.cos();
            im += x * angle.sin();
        }
        re.hypot(im)
    };
    let found = strongest.max_by(|a, b| size(*a).total_cmp(&size(*b))).unwrap();
    assert!((-120.0..-80.0).contains(&cents(found, thin)), "{found} beside {thin}");
}

/// A string that starts displaced, is bent up a fourth, damped and moved about while it sounds.
#[test]
fn pitch_loss_and_points_change_while_it_sounds_and_the_account_stays_closed() {
    let string = StringSpec { bend: 1.5, loss: Loss::sigma(1.0, 0.0), highest: Some(6000.0), ..StringSpec::default() };
    let start = Start { centre: Place::Along(0.3), half_width: 0.1, displacement: 1e-3, velocity: 0.0 };
    let ear = |place| Pickup { source: Source::Velocity(Point::on("string", Place::Along(place))), gains: vec![1.0] };
    let spring = LinearCubicSpring::new(50.0, 0.0).unwrap();
    let hold = Interaction::new("hold", Point::on("string", Place::Along(0.6)), Point::of("ground"), spring);
    let mut engine = Model::new(48e3)
        .with("string", string)
        .starting(start)
        .with("ground", BarrierSpec::default())
        .join(hold)
        .listen(ear(0.77))
        .build()
        .unwrap();
    let heard = |engine: &mut ictus::Engine, seconds: f64| {
        let mut sound = vec![0.0; (seconds * 48e3) as usize];
        engine.process(&mut sound);
        sound
    };
    engine.keep_account_of_energy(true);
    let first = heard(&mut engine, 0.2);
    for step in 1..=200 {
        engine.change(&Change::Bend { object: ObjectId::new(0), ratio: 1.0 + f64::from(step) / 600.0 }).unwrap();
        engine
            .change(&Change::Move {
                contact: ContactId::new(0),
                end: ictus::control::End::From,
                place: Place::Along(0.6 - 1e-3 * f64::from(step)),
            })
            .unwrap();
        engine
            .change(&Change::MovePickup {
                pickup: PickupId::new(0),
                place: Place::Along(0.77 - 1e-3 * f64::from(step)),
            })
            .unwrap();
        heard(&mut engine, 16.0 / 48e3);
    }
    engine.change(&Change::Decay { object: ObjectId::new(0), factor: 4.0 }).unwrap();
    engine.change(&Change::Active { contact: ContactId::new(0), active: false }).unwrap();
    let sound = heard(&mut engine, 1.0);
    let (found, sigma) = partial(&sound, 48e3, 196.0 * 4.0 / 3.0);
    assert!(cents(found, 196.0 * 4.0 / 3.0).abs() < 0.1, "{found} Hz");
    assert!((sigma / 4.0 - 1.0).abs() < 0.01, "{sigma} 1/s");
    assert!(engine.balance().residual() <= 1e-12, "{:?}", engine.balance());
    // A reset engine starts as it was built, whatever its loss has become.
    engine.reset();
    engine.change(&Change::Bend { object: ObjectId::new(0), ratio: 1.0 }).unwrap();
    engine.change(&Change::MovePickup { pickup: PickupId::new(0), place: Place::Along(0.77) }).unwrap();
    let again = heard(&mut engine, 1e-3);
    let largest = first.iter().fold(0.0_f64, |largest, x| x.abs().max(largest));
    assert!(again.iter().zip(&first).all(|(a, b)| (a - b).abs() < 0.02 * largest), "{again:?}");
}
