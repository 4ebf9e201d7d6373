//! A hammer on a string under four felts, against the string's exact modes (PHYSICS section 11).
//!
//! A steel string of 62 cm and 131 Hz, 1 mm thick, is struck by 4 g at 12 % of its length and heard by its velocity at 37 %. The truth is the
//! sum of its closed modes
//!
//! ```text
//! q_p'' = -ω_p² q_p - 2σ_p q_p' + sin(pπx) f/m,     ω_p² = a p² + b p⁴,     σ_p = σ0 + σ1 (pπ/L)²
//! ```
//!
//! under a force that is straight from one short step to the next: each mode takes such a step without error, and the force at its end is what the law
//! says of the compression there, by iteration. Nothing of this is shared with the engine: neither its poles nor its contact. Modes go beyond what
//! the engine keeps, so what its band leaves out counts as its error.
//!
//! Compared are the velocities below 10 kHz: the error of the waveform as a part of it, and that of the worst third of an octave.

use std::f64::consts::{PI, TAU};

use super::strike::StrikeError;
use crate::Model;
use crate::laws::HuntCrossley;
use crate::model::{Interaction, Pickup, Point, Source};
use crate::objects::{Loss, MassSpec, Method, Place, StringPitch, StringSpec};

/// Rate in Hz of the sounds that are compared.
pub const RATE: f64 = 48e3;
/// Their length in samples.
pub const SAMPLES: usize = 2048;

const LENGTH: f64 = 0.62;
const PITCH: f64 = 131.0;
const RADIUS: f64 = 5e-4;
const YOUNGS_MODULUS: f64 = 2e11;
const LINEAR_DENSITY: f64 = 7850.0 * PI * RADIUS * RADIUS;
const HAMMER: f64 = 4e-3;
const STRUCK_AT: f64 = 0.12;
const HEARD_AT: f64 = 0.37;
/// σ0 in 1/s and σ1 in m²/s.
const LOSS: [f64; 2] = [0.5, 2e-4];
/// Time of flight before the touch in s.
const FLIGHT: f64 = 1e-4;
/// Below what frequency in Hz sounds are compared.
const COMPARED: f64 = 10e3;
/// A third of an octave, as a ratio.
const THIRD: f64 = 1.26;
/// Thirds that hold less of the energy than this are left alone: -50 dB.
const FAINT: f64 = 1e-5;

/// What is between hammer and string, and how fast the hammer comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Felt {
    /// α of the force `K η^α`.
    pub exponent: f64,
    /// K in N/m^α.
    pub stiffness: f64,
    /// Velocity of the hammer in m/s.
    pub velocity: f64,
}

/// The four felts of PHYSICS section 11, from soft to one so hard that it touches twice.
pub const FELTS: [Felt; 4] = [
    Felt { exponent: 2.3, stiffness: 4e8, velocity: 1.0 },
    Felt { exponent: 2.5, stiffness: 4.5e9, velocity: 2.0 },
    Felt { exponent: 1.5, stiffness: 1e7, velocity: 1.0 },
    Felt { exponent: 1.5, stiffness: 1e8, velocity: 2.0 },
];

/// How fine the truth is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fineness {
    /// Steps of the force in a sample at [`RATE`].
    pub steps: usize,
    /// Frequency in Hz up to which there are modes.
    pub highest: f64,
}

impl Fineness {
    /// Steps of 0.33 µs, modes up to 480 kHz. The band is what counts: with modes up to 60 kHz alone the hardest felt is off by 1 %.
    pub const FINE: Self = Self { steps: 64, highest: 480e3 };
    /// The same with the modes below 20 kHz alone, which is what a body keeps by default: tells what the band costs.
    pub const AUDIBLE: Self = Self { steps: 64, highest: 20e3 };
    /// Half the step and twice the band: tells how far off the fine one still is.
    pub const FINER: Self = Self { steps: 128, highest: 960e3 };
}

/// How far a sound is from the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Energy of the difference over that of the truth below 10 kHz, its root.
    pub waveform: f64,
    /// Error in dB of the third of an octave that is furthest off, of those within 50 dB of the whole.
    pub worst_third: f64,
}

type Complex = (f64, f64);

fn product(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn sum(a: Complex, b: Complex) -> Complex {
    (a.0 + b.0, a.1 + b.1)
}

fn scaled(a: Complex, by: f64) -> Complex {
    (a.0 * by, a.1 * by)
}

/// One mode: `y = v - p* q` turns as `y' = p y + f/m`, p = -σ + iω, and q = Im y/ω.
struct Mode {
    sigma: f64,
    omega: f64,
    struck: f64,
    heard: f64,
    /// e^(ph), and what a force that falls from 1 to 0 and one that rises from 0 to 1 over a step add to y.
    turn: Complex,
    falling: Complex,
    rising: Complex,
    y: Complex,
    free: Complex,
}

impl Mode {
    fn new(number: usize, step: f64) -> Self {
        let p = number as f64;
        let wave_number = PI / LENGTH;
        let mass = 0.5 * LINEAR_DENSITY * LENGTH;
        let moment = PI * (RADIUS * RADIUS) * (RADIUS * RADIUS) / 4.0;
        let squared = wave_number * wave_number;
        let bending = YOUNGS_MODULUS * moment / LINEAR_DENSITY * squared * squared;
        let flexible = (TAU * PITCH) * (TAU * PITCH) - bending;
        let sigma = LOSS[0] + LOSS[1] * p * p * squared;
        let omega = ((flexible + bending * p * p) * p * p - sigma * sigma).sqrt();
        let x = (-sigma * step, omega * step);
        // ∫ e^(p(h-s)) ds = h Σ x^n/(n+1)!, and with s/h: h Σ x^n/(n+2)!.
        let (mut term, mut whole, mut rising, mut turn) = ((1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0));
        for n in 0..60 {
            let n = f64::from(n);
            turn = sum(turn, term);
            whole = sum(whole, scaled(term, 1.0 / (n + 1.0)));
            rising = sum(rising, scaled(term, 1.0 / ((n + 1.0) * (n + 2.0))));
            term = scaled(product(term, x), 1.0 / (n + 1.0));
        }
        let (whole, rising) = (scaled(whole, step / mass), scaled(rising, step / mass));
        Self {
            sigma,
            omega,
            struck: libm::sin(p * PI * STRUCK_AT),
            heard: libm::sin(p * PI * HEARD_AT),
            turn,
            falling: sum(whole, scaled(rising, -1.0)),
            rising,
            y: (0.0, 0.0),
            free: (0.0, 0.0),
        }
    }

    fn velocity(&self) -> f64 {
        self.y.0 - self.sigma * self.y.1 / self.omega
    }
}

impl Felt {
    /// The truth: velocity in m/s at the place that is heard, [`SAMPLES`] at [`RATE`].
    #[must_use]
    pub fn exact(&self, fineness: Fineness) -> Vec<f64> {
        let steps = fineness.steps.max(1);
        let step = 1.0 / (RATE * steps as f64);
        let below = |mode: &Mode| mode.omega < TAU * fineness.highest;
        let mut modes: Vec<Mode> = (1..).map(|number| Mode::new(number, step)).take_while(below).collect();
        // How far a force that rises to 1 N moves the string in a step.
        let answer: f64 = modes.iter().map(|mode| mode.struck * mode.struck * mode.rising.1 / mode.omega).sum();
        let (mut x, mut v, mut force) = (-FLIGHT * self.velocity, self.velocity, 0.0_f64);
        let mut heard = Vec::with_capacity(SAMPLES);
        for sample in 0..SAMPLES * steps {
            if sample % steps == 0 {
                heard.push(modes.iter().map(|mode| mode.heard * mode.velocity()).sum());
            }
            let mut free = 0.0;
            for mode in &mut modes {
                mode.free = sum(product(mode.turn, mode.y), scaled(mode.falling, mode.struck * force));
                free += mode.struck * mode.free.1 / mode.omega;
            }
            let hammer = |next: f64| x + step * v - step * step * (2.0 * force + next) / (6.0 * HAMMER);
            let mut next = force;
            for _ in 0..40 {
                let depth = (hammer(next) - free - answer * next).max(0.0);
                let better = self.stiffness * libm::pow(depth, self.exponent);
                if (better - next).abs() <= 1e-14 * better {
                    break;
                }
                next = better;
            }
            x = hammer(next);
            v -= step * (force + next) / (2.0 * HAMMER);
            force = next;
            for mode in &mut modes {
                mode.y = sum(mode.free, scaled(mode.rising, mode.struck * force));
            }
        }
        heard
    }

    /// The same by the engine at a whole multiple of [`RATE`] in Hz.
    ///
    /// # Errors
    /// The felt is out of range, or the engine refuses the model.
    pub fn by_engine(&self, method: Method, rate: f64) -> Result<Vec<f64>, StrikeError> {
        let string = StringSpec {
            length: LENGTH,
            pitch: StringPitch::Fundamental(PITCH),
            radius: RADIUS,
            youngs_modulus: YOUNGS_MODULUS,
            loss: Loss::sigma(LOSS[0], LOSS[1]),
            method,
            ..StringSpec::default()
        };
        let (displacement, velocity) = (-FLIGHT * self.velocity, self.velocity);
        let hammer = MassSpec { displacement, velocity, ..MassSpec::free(HAMMER) };
        let law = HuntCrossley::new(self.stiffness, self.exponent, 0.0)?;
        let on = |place| Point::on("string", Place::Along(place));
        let mut engine = Model::new(rate)
            .with("string", string)
            .with("hammer", hammer)
            .join(Interaction::new("felt", Point::of("hammer"), on(STRUCK_AT), law))
            .listen(Pickup { source: Source::Velocity(on(HEARD_AT)), gains: vec![1.0] })
            .build()
            .map_err(|error| StrikeError::Build(error.to_string()))?;
        let times = ((rate / RATE) as usize).max(1);
        let mut heard = vec![0.0; SAMPLES * times];
        engine.process(&mut heard);
        Ok(heard.into_iter().step_by(times).collect())
    }
}

/// The spectrum of a sound below 10 kHz, its last quarter faded out.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum(Vec<Complex>);

impl Spectrum {
    /// That of [`SAMPLES`] at [`RATE`].
    #[must_use]
    pub fn of(heard: &[f64]) -> Self {
        let quarter = SAMPLES / 4;
        let fade = |n: usize| match n.checked_sub(SAMPLES - quarter) {
            None => 1.0,
            Some(into) => 0.5 + 0.5 * libm::cos(PI * into as f64 / quarter as f64),
        };
        let faded: Vec<f64> = heard.iter().take(SAMPLES).enumerate().map(|(n, x)| fade(n) * x).collect();
        let turned = |n: usize| TAU * n as f64 / SAMPLES as f64;
        let circle: Vec<Complex> = (0..SAMPLES).map(|n| (libm::cos(turned(n)), -libm::sin(turned(n)))).collect();
        let at = |bin: usize| {
            let parts = faded.iter().enumerate().map(|(n, x)| scaled(circle[(n * bin) % SAMPLES], *x));
            parts.fold((0.0, 0.0), sum)
        };
        Self((0..bin(COMPARED)).map(at).collect())
    }

    /// How far it is from the truth.
    #[must_use]
    pub fn difference(&self, truth: &Self) -> Difference {
        let difference: Vec<Complex> = self.0.iter().zip(&truth.0).map(|(a, b)| sum(*a, scaled(*b, -1.0))).collect();
        let whole = energy(&truth.0);
        let (mut worst_third, mut low) = (0.0_f64, 180.0);
        while low * THIRD < COMPARED {
            let band = bin(low)..bin(low * THIRD);
            let (here, there) = (energy(&self.0[band.clone()]), energy(&truth.0[band]));
            if there > FAINT * whole {
                worst_third = worst_third.max((10.0 * libm::log10(here / there)).abs());
            }
            low *= THIRD;
        }
        Difference { waveform: (energy(&difference) / whole).sqrt(), worst_third }
    }
}

fn bin(frequency: f64) -> usize {
    (frequency / RATE * SAMPLES as f64).round() as usize
}

fn energy(spectrum: &[Complex]) -> f64 {
    spectrum.iter().map(|(re, im)| re * re + im * im).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_truth_has_converged_far_below_what_it_measures() {
        for felt in FELTS {
            let [fine, finer] = [Fineness::FINE, Fineness::FINER].map(|fineness| Spectrum::of(&felt.exact(fineness)));
            let Difference { waveform, worst_third } = fine.difference(&finer);
            println!("{felt:?}: {waveform:.2e}, {worst_third:.2e} dB");
            assert!(waveform < 1e-3 && worst_third < 0.05, "{felt:?}: {waveform}, {worst_third} dB");
        }
    }

    #[test]
    fn nothing_is_heard_before_the_touch_and_little_before_the_wave_has_come() {
        let heard = FELTS[0].exact(Fineness { steps: 8, highest: 30e3 });
        assert_eq!(heard.len(), SAMPLES);
        let loudest = |part: &[f64]| part.iter().fold(0.0_f64, |peak, v| v.abs().max(peak));
        let flight = (FLIGHT * RATE) as usize;
        assert_eq!(loudest(&heard[..flight]), 0.0);
        // A flexible string's wave runs at c = 2Lf; stiffness lets a little of it run ahead.
        let travel = ((HEARD_AT - STRUCK_AT) / (2.0 * PITCH) * RATE) as usize;
        let (before, peak) = (loudest(&heard[..flight + travel / 2]), loudest(&heard));
        assert!(before < 1e-2 * peak && peak > 0.1, "{before} and {peak}");
    }

    #[test]
    fn a_sound_that_is_louder_by_a_decibel_is_off_by_that() {
        let sound = FELTS[0].exact(Fineness { steps: 4, highest: 20e3 });
        let factor = libm::pow(10.0, 0.05);
        let louder: Vec<f64> = sound.iter().map(|v| factor * v).collect();
        let found = Spectrum::of(&louder).difference(&Spectrum::of(&sound));
        assert!((found.waveform - (factor - 1.0)).abs() < 1e-12 && (found.worst_third - 1.0).abs() < 1e-9, "{found:?}");
    }
}
