//! Strings struck with felt at 48 kHz, beside the same strings at 384 kHz: as hard, as bright, with as many contacts.

use std::f64::consts::{PI, TAU};

use ictus::Model;
use ictus::impact::exact::WallImpact;
use ictus::laws::HuntCrossley;
use ictus::model::{Interaction, Pickup, Point, Source};
use ictus::objects::{Loss, MassSpec, Place, StringMass, StringPitch, StringSpec};

/// Samples heard at 48 kHz: 21 ms.
const SAMPLES: usize = 1024;

/// Part of the energy of all frequencies below which that from 8 to 16 kHz is not compared: -60 dB.
const INAUDIBLE: f64 = 1e-6;

/// A string and the hammer that strikes it.
#[derive(Clone, Debug)]
struct Struck {
    string: StringSpec,
    hammer: WallImpact,
    /// Where it is struck and heard, as fractions of the length.
    at: f64,
    heard_at: f64,
    /// Time in s before the touch.
    flight: f64,
}

/// What is measured of it at one rate.
#[derive(Clone, Copy, Debug)]
struct Measured {
    /// N.
    peak_force: f64,
    /// Energy of the velocity at the pickup from 8 to 16 kHz and at all frequencies, in any unit.
    high: f64,
    all: f64,
    contacts: usize,
}

impl Measured {
    /// Level in dB from 8 to 16 kHz above that of another.
    fn brighter_than(&self, reference: &Self) -> f64 {
        let floor = INAUDIBLE * reference.all;
        10.0 * ((self.high + floor) / (reference.high + floor)).log10()
    }
}

/// Random numbers that are the same everywhere (xorshift64*).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Between two numbers, as many below their geometric mean as above it.
    fn log_between(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }
}

impl Struck {
    fn random(random: &mut Random) -> Self {
        // Density, Young's modulus, and the wave speed at which such a string breaks: steel, brass, gut, nylon.
        let materials = [(7850.0, 2e11, 500.0), (8500.0, 1.05e11, 300.0), (1300.0, 5e9, 450.0), (1140.0, 4e9, 450.0)];
        let (density, youngs_modulus, fastest) = materials[(random.unit() * 4.0) as usize];
        let (length, pitch, speed) = loop {
            let (length, pitch) = (random.between(0.2, 1.5), random.log_between(50.0, 1000.0));
            let speed = 2.0 * length * pitch;
            // Slacker than at a tenth of the tension it can bear, it is a bar rather than a string.
            if (0.32 * fastest..fastest).contains(&speed) {
                break (length, pitch, speed);
            }
        };
        let beta = TAU * 4000.0 / speed;
        let radius = random.log_between(2e-4, 6e-4);
        let string = StringSpec {
            length,
            pitch: StringPitch::Fundamental(pitch),
            radius,
            mass: StringMass::Density(density),
            youngs_modulus,
            loss: Loss::sigma(random.log_between(0.3, 3.0), random.log_between(5.0, 30.0) / (beta * beta)),
            ..StringSpec::default()
        };
        let string_mass = density * PI * radius * radius * length;
        let exponent = random.between(1.5, 3.5);
        let mut hammer = WallImpact {
            mass: (string_mass * random.log_between(0.15, 6.0)).clamp(1e-3, 15e-3),
            stiffness: 1.0,
            exponent,
            dissipation: random.between(0.0, 0.5),
            velocity: random.log_between(0.3, 6.0),
        };
        // On a wall it would stay so long; that goes with K^(-1/(α+1)).
        let contact_time = random.log_between(0.3e-3, 3e-3);
        hammer.stiffness = (hammer.contact_time() / contact_time).powf(exponent + 1.0);
        let at = random.between(0.05, 0.25);
        Self { string, hammer, at, heard_at: random.between(0.3, 0.95), flight: random.between(1e-4, 2e-4) }
    }

    fn measured(&self, rate: f64) -> Measured {
        let WallImpact { mass, stiffness, exponent, dissipation, velocity } = self.hammer;
        let hammer = MassSpec { displacement: -velocity * self.flight, velocity, ..MassSpec::free(mass) };
        let felt = HuntCrossley::new(stiffness, exponent, dissipation).unwrap();
        let on = |place| Point::on("string", Place::Along(place));
        let mut engine = Model::new(rate)
            .with("string", self.string.clone())
            .with("hammer", hammer)
            .join(Interaction::new("felt", Point::of("hammer"), on(self.at), felt))
            .listen(Pickup { source: Source::Velocity(on(self.heard_at)), gains: vec![1.0, 0.0] })
            .listen(Pickup { source: Source::Force("felt".into()), gains: vec![0.0, 1.0] })
            .build()
            .unwrap();
        let mut heard = vec![0.0; 2 * SAMPLES * (rate / 48e3) as usize];
        engine.process(&mut heard);
        let (velocity, force): (Vec<f64>, Vec<f64>) = heard.chunks_exact(2).map(|pair| (pair[0], pair[1])).unzip();
        let peak_force = force.iter().copied().fold(0.0, f64::max);
        let contacts = force.windows(2).filter(|pair| pair[0] == 0.0 && pair[1] > 0.0).count();
        let (high, all) = energies(&velocity, rate);
        Measured { peak_force, high, all, contacts }
    }
}

/// Energy from 8 to 16 kHz and below 20 kHz of a velocity.
fn energies(velocity: &[f64], rate: f64) -> (f64, f64) {
    let count = velocity.len();
    let mut spectrum = vec![(0.0, 0.0); count];
    for n in 0..count {
        let window = 0.5 - 0.5 * (TAU * n as f64 / count as f64).cos();
        spectrum[n].0 = window * velocity[n] / count as f64;
    }
    transform(&mut spectrum);
    let bin = |frequency: f64| (frequency / rate * count as f64).round() as usize;
    let energy = |from, to| spectrum[bin(from)..bin(to)].iter().map(|(re, im)| re * re + im * im).sum();
    (energy(8e3, 16e3), energy(0.0, 20e3))
}

/// Fourier transform of a power of two of numbers, in place.
fn transform(values: &mut [(f64, f64)]) {
    let count = values.len();
    let shift = usize::BITS - count.trailing_zeros();
    for i in 0..count {
        let j = i.reverse_bits() >> shift;
        if i < j {
            values.swap(i, j);
        }
    }
    let mut half = 1;
    while half < count {
        for pair in 0..half {
            let (im, re) = (-PI * pair as f64 / half as f64).sin_cos();
            for low in (pair..count).step_by(2 * half) {
                let (a, b) = (values[low], values[low + half]);
                let turned = (b.0 * re - b.1 * im, b.0 * im + b.1 * re);
                values[low] = (a.0 + turned.0, a.1 + turned.1);
                values[low + half] = (a.0 - turned.0, a.1 - turned.1);
            }
        }
        half *= 2;
    }
}

/// Measures all at two rates, on all processors.
fn compared(all: &[Struck], rate: f64, reference: f64) -> Vec<(Measured, Measured)> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| {
        let part = |first: usize| {
            let some = all.iter().skip(first).step_by(threads);
            some.map(|struck| (struck.measured(rate), struck.measured(reference))).collect::<Vec<_>>()
        };
        let handles: Vec<_> = (0..threads).map(|first| scope.spawn(move || part(first))).collect();
        let parts: Vec<_> = handles.into_iter().map(|handle| handle.join().unwrap()).collect();
        (0..all.len()).map(|index| parts[index % threads][index / threads]).collect()
    })
}

/// The value below which a part of all lie.
fn quantile(values: impl Iterator<Item = f64>, part: f64) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[(part * (values.len() - 1) as f64).round() as usize]
}

/// A steel G3 under 8 g of felt: at lengths where the grid came to lie on its stability bound there were 63 contacts and 25 dB
/// more from 8 to 16 kHz than at lengths a millimetre away.
#[test]
fn a_millimetre_of_string_more_or_less_changes_nothing() {
    let hammer = WallImpact { mass: 8e-3, stiffness: 4.5e9, exponent: 2.5, dissipation: 0.2, velocity: 2.0 };
    let struck = |millimetres: u32| Struck {
        string: StringSpec { length: 1e-3 * f64::from(millimetres), ..StringSpec::default() },
        hammer,
        at: 0.12,
        heard_at: 0.8,
        flight: 1.5e-4,
    };
    let all: Vec<_> = (560..660).map(|millimetres| (millimetres, struck(millimetres).measured(48e3))).collect();
    for pair in all.windows(2) {
        let [(_, before), (millimetres, after)] = pair else { unreachable!() };
        assert_eq!(after.contacts, 1, "{millimetres} mm");
        assert!(after.brighter_than(before).abs() < 3.0, "{millimetres} mm: {before:?}, {after:?}");
        assert!((after.peak_force / before.peak_force - 1.0).abs() < 0.05, "{millimetres} mm: {before:?}, {after:?}");
    }
}

/// Measured: 3.5 %, 1.5 dB and 0.99. On grids it was 5.9 %, 2.7 dB and 0.96.
#[test]
fn five_hundred_felt_struck_strings_sound_as_at_eight_times_the_rate() {
    let mut random = Random(0x1c7);
    let all: Vec<_> = (0..500).map(|_| Struck::random(&mut random)).collect();
    let pairs = compared(&all, 48e3, 384e3);
    let force = quantile(pairs.iter().map(|(a, b)| (a.peak_force / b.peak_force - 1.0).abs()), 0.99);
    let level = quantile(pairs.iter().map(|(a, b)| a.brighter_than(b).abs()), 0.95);
    let same = pairs.iter().filter(|(a, b)| a.contacts == b.contacts).count() as f64 / pairs.len() as f64;
    println!("peak force p99 {force:.4}, level p95 {level:.2} dB, same number of contacts {same:.3}");
    assert!(force <= 0.05, "{force}");
    assert!(level <= 2.0, "{level} dB");
    assert!(same >= 0.95, "{same}");
}
