//! Schelleng's diagram (1973): the bow forces between which a string keeps to Helmholtz motion, one slip in every period.
//!
//! A bow at the fraction β of a string of impedance Z, drawn at v, must press with at least a force that goes with `1/β²` and the
//! losses, or the string slips a second time in a period; and with at most `2 Z v/(β Δμ)`, Δμ being what friction falls by (here
//! `1 - d` of the normal force), or the corner that returns no longer shakes it off.

use ictus::control::Change;
use ictus::id::{ContactId, ObjectId};
use ictus::laws::BowFriction;
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{BarrierSpec, Loss, Place, StringMass, StringPitch, StringSpec};
use ictus::{Engine, Model};

const RATE: f64 = 24_000.0;
/// Pitch in Hz, length in m and mass in kg/m of the string.
const FREQUENCY: f64 = 110.0;
const LENGTH: f64 = 0.65;
const PER_LENGTH: f64 = 3e-3;
/// Velocity of the bow in m/s.
const BOW: f64 = 0.2;
const SHARPNESS: f64 = 100.0;

/// Characteristic impedance of the string, in kg/s.
const IMPEDANCE: f64 = PER_LENGTH * 2.0 * LENGTH * FREQUENCY;

/// Schelleng's largest force in N for a bow at this fraction of the string.
fn largest_by_schelleng(position: f64) -> f64 {
    2.0 * IMPEDANCE * BOW / (position * (1.0 - BowFriction::SLIDING))
}

/// A string under a bow.
struct Bowed {
    engine: Engine,
    /// Where the bow is, as a fraction of the string.
    position: f64,
    /// How it presses, in N.
    force: f64,
}

impl Bowed {
    /// Bowed for 0.5 s, in the first 0.1 s of which the bow gets up to its velocity.
    fn new(position: f64, force: f64) -> Self {
        let string = StringSpec {
            length: LENGTH,
            pitch: StringPitch::Fundamental(FREQUENCY),
            mass: StringMass::PerLength(PER_LENGTH),
            youngs_modulus: 0.0,
            loss: Loss::sigma(4.0, 2e-3),
            ..StringSpec::default()
        };
        let at = Point::on("string", Place::Along(position));
        let law = BowFriction::new(force, SHARPNESS).unwrap();
        let engine = Model::new(RATE)
            .with("string", string)
            .with("bow", BarrierSpec::default())
            .join(Interaction::new("bowing", at.clone(), Point::of("bow"), law))
            .listen(Pickup { source: Source::Velocity(at), gains: vec![1.0] })
            .build()
            .unwrap();
        let mut bowed = Self { engine, position, force };
        for step in 1..=100 {
            bowed
                .engine
                .change(&Change::Velocity { object: ObjectId::new(1), velocity: 0.01 * f64::from(step) * BOW })
                .unwrap();
            bowed.wait(0.001);
        }
        bowed.wait(0.4);
        bowed
    }

    fn wait(&mut self, seconds: f64) {
        self.engine.advance((seconds * RATE) as usize);
    }

    /// Presses harder or eases off, evenly on a scale of decades, over 0.2 s.
    fn press(&mut self, force: f64) {
        let steps = 80;
        let factor = (force / self.force).powf(1.0 / f64::from(steps));
        for _ in 0..steps {
            self.force *= factor;
            let law = BowFriction::new(self.force, SHARPNESS).unwrap();
            self.engine.change(&Change::Law { contact: ContactId::new(0), law: law.into() }).unwrap();
            self.wait(0.0025);
        }
    }

    /// Whether the string slips once in a period, the period is its own and the slip as fast as it should be, for 30 periods.
    fn is_in_helmholtz_motion(&mut self) -> bool {
        let mut heard = vec![0.0; (30.0 / FREQUENCY * RATE) as usize];
        self.engine.process(&mut heard);
        // The velocity relative to the bow, as a part of the velocity of a slip.
        let slip = BOW / self.position;
        let sliding = heard.iter().map(|velocity| (velocity - BOW) / slip);
        let (mut slips, mut starts, mut fastest) = (true, vec![], 0.0_f64);
        for (sample, sliding) in sliding.enumerate() {
            fastest = fastest.min(sliding);
            if !slips && sliding < -0.25 {
                slips = true;
                starts.push(sample as f64 / RATE);
            } else if sliding > -0.1 {
                slips = false;
            }
        }
        let periods: Vec<f64> = starts.windows(2).map(|pair| (pair[1] - pair[0]) * FREQUENCY).collect();
        fastest < -0.35 && periods.len() >= 28 && periods.iter().all(|period| (0.9..1.1).contains(period))
    }
}

/// The force in N, to 5 %, between one that keeps Helmholtz motion and one that loses it.
fn limit(position: f64, start: f64, loses: f64) -> f64 {
    let is_kept = |force: f64| {
        let mut bowed = Bowed::new(position, start);
        bowed.press(force);
        bowed.wait(0.6);
        bowed.is_in_helmholtz_motion()
    };
    assert!(is_kept(start) && !is_kept(loses), "a bow at {position} between {start} and {loses} N");
    let (mut keeps, mut loses) = (start, loses);
    while (loses / keeps).ln().abs() > 0.05 {
        let middle = (keeps * loses).sqrt();
        *(if is_kept(middle) { &mut keeps } else { &mut loses }) = middle;
    }
    (keeps * loses).sqrt()
}

/// Slope of the straight line through points on log-log paper, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
    let product: f64 = logs.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    product / logs.iter().map(|point| (point.0 - x) * (point.0 - x)).sum::<f64>()
}

/// Measured: slopes -1.94 and -1.00, the largest force from 0.86 to 1.00 of Schelleng's.
#[test]
fn helmholtz_motion_stays_between_the_forces_of_schelleng() {
    let (mut least, mut most) = (vec![], vec![]);
    for position in [0.03, 0.045, 0.065, 0.09, 0.13, 0.2] {
        let schelleng = largest_by_schelleng(position);
        let start = 0.6 * schelleng;
        least.push((position, limit(position, start, 2e-3 / position * start)));
        let largest = limit(position, start, 2.0 * schelleng);
        assert!((0.75..1.2).contains(&(largest / schelleng)), "{largest} N at {position}, by Schelleng {schelleng} N");
        most.push((position, largest));
    }
    let slopes = [slope(&least), slope(&most)];
    assert!((slopes[0] + 2.0).abs() < 0.25, "least force goes with the power {} of the position: {least:?}", slopes[0]);
    assert!(
        (slopes[1] + 1.0).abs() < 0.12,
        "largest force goes with the power {} of the position: {most:?}",
        slopes[1]
    );
}
